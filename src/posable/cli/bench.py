"""`posable bench`: how fast this machine solves."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version

import click

from posable.cli import options
from posable.cli.timing import TESTS, Row, Timing


@click.command("bench")
@click.option("--quick", is_flag=True, help="A handful of poses each, to see that it runs.")
@options.as_json
def command(quick: bool, as_json: bool) -> None:
    """Time the solver on the built-in figures: one pose a call, many poses in one call, and a motion frame by frame.

    Targets come from random poses inside the limits, so each can be reached; "solved" says how many were, within 1e-6 m
    and 1e-5 rad. Single calls and motions use one core, many poses at once all of them.
    """
    rows = list(_measured(quick, silent=as_json))
    if as_json:
        click.echo(json.dumps({"machine": _machine(), "rows": [row._asdict() for row in rows]}, allow_nan=False))
    else:
        _print(rows)


def _measured(quick: bool, *, silent: bool) -> Iterator[Row]:
    """Each test through each kind of call, with a bar on the error stream where that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    console.quiet = silent or not console.is_terminal
    for test in track(TESTS, "solving", console=console, transient=True):
        yield from Timing(test).rows(quick)


def _print(rows: Sequence[Row]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "figure", "call", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), caption=_machine(), caption_justify="left"
    )
    for name in ("solved", "median µs", "mean µs", "p95 µs"):
        table.add_column(name, justify="right")
    above = ""
    for row in rows:
        title = f"{row.figure}, {row.goals}"
        times = (_number(value) for value in (row.median, row.mean, row.p95))
        table.add_row("" if title == above else title, row.call, _percent(row.solved), *times)
        above = title
    Console().print(table)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _percent(share: float) -> str:
    """Not all is never 100 %."""
    return "100 %" if share == 1 else f"{min(100 * share, 99.9):.1f} %"


def _machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("posable", "numpy", "numba"))
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {packages}"
