"""All that commands print goes through here: names come from files and strangers, and steer no terminal."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from posable.errors import printable

if TYPE_CHECKING:
    from rich.table import Table


def say(*lines: str, err: bool = False) -> None:
    """Print lines, on the error stream if `err`; a control character in one, a new line among them, is written out."""
    if lines:
        click.echo("\n".join(printable(line).replace("\n", "\\n") for line in lines), err=err)


def show(table: Table) -> None:
    """Print a table; what its cells hold is text, no markup of rich's."""
    from rich.console import Console

    for column in table.columns:
        column._cells = [printable(cell) if isinstance(cell, str) else cell for cell in column._cells]
    Console(markup=False, highlight=False, emoji=False).print(table)


class Ended(BaseException):
    """The system asks the process to end (SIGTERM), or its terminal has closed (SIGHUP)."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Make SIGTERM and SIGHUP what Ctrl-C is: the block is left by an exception, which cleans up. Only where they would
    end the process: what runs under nohup goes on.
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
