"""All output of commands goes through here, so that names from untrusted files cannot control the terminal."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from posable.errors import printable
from posable.progress import progress_heard

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.table import Table


def say(*lines: str, err: bool = False) -> None:
    """Print lines, on the error stream if `err`; control characters in them, line breaks included, are escaped."""
    if lines:
        click.echo("\n".join(printable(line).replace("\n", "\\n") for line in lines), err=err)


def show(table: Table) -> None:
    """Print a table; its cells are plain text, without rich's markup."""
    from rich.console import Console

    for column in table.columns:
        column._cells = [printable(cell) if isinstance(cell, str) else cell for cell in column._cells]
    Console(markup=False, highlight=False, emoji=False).print(table)


@contextlib.contextmanager
def showing_progress() -> Iterator[None]:
    """Show the progress of work that takes longer than a second, if the error stream is a terminal."""
    bar = Bar()
    try:
        with progress_heard(bar.hear):
            yield
    finally:
        bar.close()


class Bar:
    """A bar for work that reports progress. wait: seconds before it is shown."""

    def __init__(self, wait: float = 1.0) -> None:
        self._wait, self._name, self._began = wait, "", 0.0
        self._shown: Progress | None = None

    def hear(self, name: str, share: float) -> None:
        """A share of some work is done."""
        if name != self._name or share == 0:
            self.close()
            self._name, self._began = name, time.monotonic()
        if share >= 1:
            self.close()
        elif sys.stderr.isatty() and time.monotonic() - self._began >= self._wait:
            self._show(name, share)

    def _show(self, name: str, share: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        if self._shown is None:
            named = TextColumn("{task.description}", markup=False)
            columns = named, BarColumn(), TaskProgressColumn()
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._shown.add_task(printable(name), total=1.0)
            self._shown.start()
        self._shown.update(self._shown.task_ids[0], completed=share)

    def close(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown.stop()
        self._shown, self._name = None, ""


class Ended(BaseException):
    """The system asks the process to end (SIGTERM), or its terminal has closed (SIGHUP)."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Make SIGTERM and SIGHUP act like Ctrl-C: the block is left by an exception, so that it cleans up. Only if
    they would end the process: under nohup it continues.
    """
    held: dict[int, Any] = {}

    def end(number: int, _: object) -> None:
        raise Ended(number)

    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                held[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, before in held.items():
            signal.signal(number, before)
