"""`posable video`: the motion of a person from a video."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.points import write
from posable.cli.terminal import say


@click.command("video", short_help="Move a figure by a person in a video")
@options.input_file("video_file", "VIDEO")
@options.input_file("file", "[FIGURE]", required=False)
@options.output("The figure with its new clip.", metavar=None, required=True)
@options.focal
@click.option("--yes", is_flag=True, help="Install the pose estimator without asking, if it is missing.")
@options.force
@options.as_json
def command(video_file: Path, file: Path | None, output: Path, focal: float | None, yes: bool, **given: Any) -> None:
    """Move the figure in FIGURE (default: a body with the person's proportions) as the person in VIDEO moves.

    The pose estimator (MediaPipe) runs in its own environment, which is created on first use, after asking.
    """
    from posable.formats import video

    options.refuse_existing([output], given["force"])
    video.check_video(video_file)
    figure = None if file is None else posable.load(file)
    if not video.is_made():
        _install(yes)
    with _bar(quiet=given["as_json"]) as progress:
        points = video.key_points_of_video(video_file, progress=progress)
    write(posable.from_key_points(points, figure, focal=focal), output, given["force"], given["as_json"])


def _install(yes: bool) -> None:
    """Make the estimator's environment, after asking."""
    from posable.formats import video

    folder, wanted = video.environment_folder(), f"{video.PACKAGE} (about {video.MEGABYTES} MB, from PyPI)"
    if not yes:
        if not sys.stdin.isatty():
            raise posable.PosableError(f"{wanted} is not installed; run posable video with --yes to install it")
        click.confirm(f"Install the pose estimator {wanted} in {folder}?", abort=True, err=True)
    say(f"Installing {video.PACKAGE} in {folder} ...", err=True)
    video.make_environment()


@contextmanager
def _bar(*, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on the error stream, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=quiet or not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task("Frames", total=None)
        yield lambda done, count: bar.update(task, completed=done, total=count or None)
