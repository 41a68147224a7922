"""`posable track`: a figure follows moving targets."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import click
import numpy as np

import posable
from posable.cli import options
from posable.cli.clip_choice import beside_others
from posable.cli.options import JointAt
from posable.cli.ranges import Number
from posable.cli.reach import held_joints
from posable.cli.terminal import say
from posable.files import read_text

_MAX_PATH_BYTES = 64 * 2**20
_NUMBER = re.compile(r"\s*[-+]?\.?\d")  # how a cell that is not a name begins


class JointAlong(JointAt):
    """JOINT=@CSV, a path with a row of `count` numbers for each frame, or JOINT=X,Y,Z, a constant target."""

    takes_files = True

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        joint, at, path = str(value).rpartition("=@")
        if at and joint and path:
            return joint, read_path(Path(path), self.count)
        return super().convert(value, param, ctx)


def read_path(path: Path, columns: int) -> np.ndarray:
    """`[frame, columns]` the numbers of a CSV file, whose first row may name them. Raises FileError with the line."""
    text = read_text(path, _MAX_PATH_BYTES)
    rows = []
    for line, row in enumerate(csv.reader(io.StringIO(text, newline="")), 1):
        if not "".join(row).strip() or row[0].lstrip().startswith("#"):
            continue
        try:
            numbers = [float(cell) for cell in row]
        except ValueError:
            if line == 1 and not any(_NUMBER.match(cell) for cell in row):
                continue
            numbers = []
        if len(numbers) != columns:
            raise posable.FileError(
                path, f"must have {columns} numbers in each row, commas between them, one row a frame", line=line
            )
        if not np.isfinite(numbers).all():
            raise posable.FileError(path, "holds a number that is not finite", line=line)
        rows.append(numbers)
    if not rows:
        raise posable.FileError(path, "has no row of numbers; give one a frame")
    return np.array(rows)


def _along(flag: str, count: int, words: str) -> Any:
    metavar = f"JOINT=@CSV|{'X,Y,Z' if count == 3 else 'W,X,Y,Z'}"
    return click.option(flag, flag[2:], type=JointAlong(count), metavar=metavar, multiple=True, help=words)


@click.command("track", short_help="Follow moving targets; save the motion, film it")
@options.input_file(required=False)
@_along("--goal", 3, "Path of a joint: x, y, z in each row of a CSV file, one row a frame; or one position.")
@_along("--orient", 4, "Rotations of a joint: w, x, y, z in each row.")
@_along("--look", 3, "Points that a joint must face: x, y, z in each row.")
@click.option("--fps", type=Number(1, 240), default=30.0, show_default=True, help="Frames per second.")
@click.option("--smooth", type=Number(0, 60), default=0.0, help="Seconds over which the motion is smoothed.")
@click.option("--ease", type=Number(0, 60), default=0.0, help="Seconds to ease into jumps of the targets.")
@click.option("--name", default="track", show_default=True, help="Name of the new clip.")
@options.free
@options.freeze
@options.plain
@options.reading
@options.output("The figure with its clip.  [default: FILE_track.glb]")
@options.film("Film the motion.")
@options.seen_from
@options.no_skeleton
@options.force
@options.as_json
def command(file: Path | None, **given: Any) -> None:
    """Let FILE follow moving targets: --goal "right hand=@path.csv". Without FILE, the mannequin does.

    The first frame is solved from the rest pose, every other one from the frame before, so that nothing flips. A
    target out of reach is followed as closely as possible; the largest error of each goal is printed.
    """
    from posable.natural import natural_if_known

    stem = f"{file.stem if file else 'mannequin'}_track"
    output = given["output"] or options.unused(stem, ".glb", force=given["force"])[0]
    options.refuse_existing([path for path in (output, given["film"]) if path], given["force"])
    goals = [posable.Reach(joint, path) for joint, path in given["goal"]]
    goals += [posable.Orient(joint, turns) for joint, turns in given["orient"]]
    goals += [posable.LookAt(joint, points) for joint, points in given["look"]]
    if not any(goal.frames() for goal in goals):
        raise click.UsageError("nothing moves: give a path, --goal JOINT=@FILE.csv with x, y, z in each row")
    _same_lengths(goals)
    figure = options.open_figure(file, given["unit"], given["up"], given["root"])
    freed = [*given["free"], *([figure.skeleton.joints[0]] if given["root"] == "free" else [])]
    frozen = (*given["freeze"], *held_joints(figure, [goal.joint for goal in goals], freed))
    habits = [] if given["plain"] else natural_if_known(figure.skeleton)
    start = posable.solve(figure.rest, [*(goal.of_frames(0) for goal in goals), *habits], frozen=frozen).pose
    how = {name: given[name] for name in ("fps", "smooth", "ease")}
    clip = posable.track(start, [*goals, *habits], frozen=frozen, **how)
    named, called = beside_others(posable.Clip(clip.skeleton, clip.q, clip.fps, given["name"]), figure, output)
    posable.save(output, figure, named, overwrite=given["force"])
    if given["film"] is not None:
        shown = {**options.marks(given, goals), "overwrite": given["force"], **options.shot(given)}
        posable.film(figure, named, given["film"], progress=not given["as_json"], **shown)
    wrote = [str(path) for path in (output, given["film"]) if path]
    told = {"wrote": wrote, "clip": named.name, "frames": len(named), "goals": _worst(goals, named)}
    if given["as_json"]:
        say(json.dumps(told))
        return
    for one in told["goals"]:
        most = options.errors(one["distance"], one["angle"], options.is_metric(file, given["unit"]))
        say(f"{one['kind']} {one['joint']}: at most {' and '.join(most)} off, in frame {one['frame']}")
    say(f"Wrote {', '.join(wrote)}: {len(named)} frame{'s' * (len(named) != 1)} at {named.fps:g} fps.{called}")


def _same_lengths(goals: list[Any]) -> None:
    """Raise PosableError for paths that do not have the same number of rows."""
    rows = [(f"{type(goal).__name__} {goal.joint}", count) for goal in goals for count in goal.frames()]
    if len({count for _, count in rows}) > 1:
        told = ", ".join(f"that of {name} has {count}" for name, count in rows)
        raise posable.PosableError(f"paths need the same number of rows, one a frame: {told}")


def _worst(goals: list[Any], clip: posable.Clip) -> list[dict[str, Any]]:
    """The largest error of each goal, and its frame."""
    found = []
    for goal in goals:
        errors = goal.errors(clip.poses)
        most = [None if error is None else float(np.max(error)) for error in errors]
        frame = int(np.argmax(next(error for error in errors if error is not None)))
        told = {"distance": most[0], "angle": most[1], "frame": frame}
        found.append({"kind": type(goal).__name__, "joint": goal.joint, **told})
    return found
