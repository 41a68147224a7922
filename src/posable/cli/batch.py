"""`posable batch`: one pipeline over a whole folder."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.ranges import Integer, Number
from posable.cli.terminal import say
from posable.errors import printable

_SHOWN_FAILURES = 10  # failures that are printed
_STEPS = "retarget, walk, ground, plant, reach, convert, mirror, resample, report, bind"


@click.command("batch", short_help="Apply the same steps to many files")
@click.argument("inputs", metavar="FILES...", nargs=-1, required=True)
@click.option(
    "--do",
    "steps",
    multiple=True,
    required=True,
    metavar="STEP",
    help=f'A step and its options, "retarget --plant"; repeatable. {_STEPS}.',
)
@click.option("--to", metavar="FIGURE", help="The figure that retarget moves, or that bind binds to.")
@click.option("-o", "--output", "out", required=True, metavar="FOLDER", help="The folder of outputs and manifest.")
@click.option("--format", metavar="SUFFIX", help="npz, csv, parquet, glb, bvh, …  [default: npz for robots, else glb]")
@click.option(
    "--workers",
    type=Integer(min=0),
    metavar="N",
    help="Processes; 0 works in this one, to debug a step.  [default: one for each processor]",
)
@click.option("--scheduler", metavar="ADDRESS|JSON", help="A Dask scheduler whose workers do the work instead.")
@click.option(
    "--timeout",
    type=Number(min=0, min_open=True),
    default=1800.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for each file.",
)
@click.option(
    "--memory",
    type=Number(min=0.5),
    default=2.0,
    show_default=True,
    metavar="GB",
    help="Memory limit for each file.",
)
@options.clip("each file")
@options.reading
@click.option("--again", is_flag=True, help="Process finished files again.")
@click.option("--force", is_flag=True, help="Overwrite files that this batch did not make.")
@options.as_json
def command(
    inputs: tuple[str, ...], steps: tuple[str, ...], out: str, force: bool, as_json: bool, **given: Any
) -> None:
    """Apply the same steps to all FILES: files, folders, or patterns in quotation marks ("recordings/**/*.bvh").

    Steps are commands of posable with their options (posable retarget --help). Outputs have the names of the files, in
    FOLDER. manifest.parquet there states the outcome of each file; a second run processes what is missing or changed.
    Archives and object stores are named as fsspec does: "s3://bucket/**/*.bvh", "zip://**/*.bvh::all.zip".

    The exit status is 1 if a file failed; all others are processed.
    """
    with _bar(not as_json) as heard:
        told = posable.batch(inputs, steps, out, overwrite=force, progress=heard, **given)
    if as_json:
        counts = {"inputs": told.inputs, "done": told.done, "kept": told.kept, "failed": told.failed}
        say(json.dumps({**counts, "wrote": [told.manifest]}))
    else:
        _say(told)
    if told.failed:
        raise click.exceptions.Exit(1)


def _say(told: Any) -> None:
    say(f"{told.done} of {told.inputs} files done, {told.kept} unchanged since, {len(told.failed)} failed.")
    for name, reason in list(told.failed.items())[:_SHOWN_FAILURES]:
        say(f"  {name}: {reason}")
    if len(told.failed) > _SHOWN_FAILURES:
        say(f"  and {len(told.failed) - _SHOWN_FAILURES} more")
    say(f"Wrote {told.manifest}.")


@contextlib.contextmanager
def _bar(wanted: bool) -> Iterator[Callable[[Any], None]]:
    """A bar with rate and remaining time if the error stream is a terminal; otherwise a line now and then."""
    if not wanted:
        yield lambda _: None
    elif not sys.stderr.isatty():
        yield _Lines().hear
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
        with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as shown:
            began, bar = time.monotonic(), shown.add_task("")

            def hear(told: Any) -> None:
                shown.update(bar, total=told.inputs, completed=told.inputs - told.remaining)
                shown.update(bar, description=_rate(told, time.monotonic() - began))

            yield hear


class _Lines:
    """Progress for logs: a line every minute."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()

    def hear(self, told: Any) -> None:
        now = time.monotonic()
        if now - self._last > 60:
            self._last = now
            left = told.remaining * (now - self._began) / max(1, told.done)
            rate = _rate(told, now - self._began)
            say(f"{told.inputs - told.remaining} of {told.inputs}, {rate}, {left / 60:.0f} min left", err=True)


def _rate(told: Any, seconds: float) -> str:
    failed = f", {len(told.failed)} failed" if told.failed else ""
    return printable(f"{(told.done + len(told.failed)) / max(seconds, 1e-3):.1f} files/s{failed}")
