"""`posable points`: the motion of a person from key points of a pose estimator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import beside_others
from posable.cli.ranges import Number
from posable.cli.terminal import say


@click.command("points", short_help="Move a figure by key points from files (MediaPipe, ...)")
@options.input_file("points_file", "POINTS")
@options.input_file("file", "[FIGURE]", required=False)
@options.output("The figure with its new clip.", metavar=None, required=True)
@click.option("--convention", metavar="NAME", help="Convention of files that do not name their points, such as coco17.")
@click.option("--fps", type=Number(min=0, min_open=True), help="Frames per second, if POINTS does not say.")
@click.option("--size", type=options.Size(), metavar="WxH", help="Size of the picture, if POINTS does not say.")
@click.option("--axes", type=click.Choice(["camera", "y", "z"]), help="Axes of landmarks, or what points up in them.")
@options.focal
@options.force
@options.as_json
def command(points_file: Path, file: Path | None, output: Path, focal: float | None, **given: Any) -> None:
    """Move the figure in FIGURE (default: a body with the person's proportions) as the person in POINTS moves.

    POINTS is a folder of OpenPose's JSON files, or a .json (OpenPose, AlphaPose, MediaPipe), .csv, .npy, .trc or .c3d.
    """
    options.refuse_existing([output], given["force"])
    figure = None if file is None else posable.load(file)
    reading = {name: given[name] for name in ("convention", "fps", "size", "axes")}
    points = posable.load_key_points(points_file, **reading)
    write(posable.from_key_points(points, figure, focal=focal), output, given["force"], given["as_json"])


def write(fit: posable.KeyPointFit, output: Path, force: bool, as_json: bool) -> None:
    """Save the motion and report the result."""
    clip, called = beside_others(fit.clip, fit.figure, output)
    posable.save(output, fit.figure, clip, overwrite=force)
    if as_json:
        told = {"wrote": str(output), "clip": clip.name, "frames": len(clip), "fps": clip.fps, "rms": fit.rms}
        say(json.dumps(told | {"used": fit.used, "unused": fit.unused, "notes": fit.notes}))
        return
    say(f"{len(fit.used)} points, {1000 * fit.rms:.0f} mm rms.", *(f"Note: {note}." for note in fit.notes))
    if fit.unused:
        say(f"Not understood: {', '.join(fit.unused)}.")
    say(f"Wrote {output}: {len(clip)} frame{'s' * (len(clip) > 1)} at {clip.fps:g} fps.{called}")
