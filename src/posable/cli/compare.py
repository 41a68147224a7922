"""`posable compare`: all methods on one problem, as a table, a picture and a film."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import chosen_pose
from posable.cli.options import PICTURES, MethodName, OutputPath
from posable.cli.ranges import Integer, Number
from posable.cli.reach import asked_goals, held_joints, solver_compiled_ahead
from posable.cli.terminal import say, show

if TYPE_CHECKING:
    from posable.solvers import Compared, Method

_TENTACLE = ("tip", (0.5, 0.5, 0.3))
_MET_DISTANCE = 1e-3  # of the figure's reach


@click.command("compare", short_help="Solve one problem with every method, side by side")
@options.input_file(required=False)
@options.goals
@options.free
@options.freeze
@options.reading
@options.clip_and_frame
@click.option(
    "--method",
    type=MethodName(per_joint=False),
    metavar="NAME",
    multiple=True,
    help="Compare only this method; repeatable.  [default: all]",
)
@click.option(
    "--max-iterations",
    type=Integer(1, 10_000),
    default=100,
    show_default=True,
    help="Maximum iterations of each method.",
)
@click.option(
    "--tolerance",
    type=Number(min=0, min_open=True),
    help="Position tolerance.  [default: a thousandth of the figure's reach]",
)
@click.option("-o", "--picture", type=OutputPath(*PICTURES), metavar="PNG", help="Draw each method's result and path.")
@options.film("Film the methods side by side, ten iterations per second.")
@options.force
@options.as_json
def command(file: Path | None, picture: Path | None, film: Path | None, **given: Any) -> None:
    """Solve one problem with every method and compare the results.

    Without FILE, the tip of posable's tentacle reaches for a position beside it. Without goals, a hand (or another end
    effector) of FILE moves to a reachable position nearby.

    In the table, "error" is the largest remaining distance (in degrees if all goals are rotations), "time" the duration
    of one solve after compilation, and "move" the largest joint rotation from start to end. "jerkiness" is the root
    mean square of the joints' second differences between iterations, in radians: 0 is uniform motion; it needs at
    least two iterations. No method uses restarts. Slides are measured in units of the figure's reach.
    """
    options.refuse_existing([path for path in (picture, film) if path], given["force"])
    figure = (
        posable.figure("tentacle")
        if file is None
        else options.open_figure(file, given["unit"], given["up"], given["root"])
    )
    start = chosen_pose(figure, given["clip"], given["frame"])
    goals, frozen = _problem(file, figure, start, given)
    rows = _compared(
        figure,
        goals,
        [method for _, method in given["method"]],
        {
            "start": start,
            "frozen": frozen,
            "tolerance": given["tolerance"] or _MET_DISTANCE * figure.skeleton.reach,
            "max_iterations": given["max_iterations"],
        },
    )
    _draw(figure, goals, rows, picture, film, given["force"])
    written = [str(path) for path in (picture, film) if path]
    if given["as_json"]:
        say(json.dumps({"rows": [_plain(row) for row in rows]}, allow_nan=False))
        return
    _print(rows)
    if written:
        say(f"Wrote {', '.join(written)}.")


def _compared(
    figure: posable.Figure,
    goals: list[posable.Goal],
    methods: list[posable.LeastSquares | Method],
    more: dict[str, Any],
) -> list[Compared]:
    from posable.solvers import METHODS

    others = [method for method in methods if not isinstance(method, posable.LeastSquares)] if methods else [*METHODS]
    with solver_compiled_ahead() if 0 < len(others) != len(methods) else nullcontext() as wait_for_solver:
        if wait_for_solver:  # meanwhile this process compiles the other methods, by taking a step with each
            posable.compare(figure, goals, others, **{**more, "max_iterations": 1})
            wait_for_solver()
        return posable.compare(figure, goals, methods or None, **more)


def _problem(
    file: Path | None, figure: posable.Figure, start: posable.Pose, given: dict[str, Any]
) -> tuple[list[posable.Goal], tuple[str, ...]]:
    """The goals and the frozen joints."""
    asked = (given["reach"], given["orient"], given["look"], given["forward"])
    freed = [*given["free"], *([figure.skeleton.joints[0]] if given["root"] == "free" else [])]
    frozen = (*given["freeze"], *held_joints(figure, [joint for part in asked for joint, _ in part], freed))
    if any(asked):
        return asked_goals(*asked), frozen
    if file is None:
        return [posable.Reach(*_TENTACLE)], frozen
    from posable.figures.effectors import nearby_goal

    return [nearby_goal(start, frozen)], frozen


def _draw(
    figure: posable.Figure,
    goals: Sequence[posable.Goal],
    rows: Sequence[Compared],
    picture: Path | None,
    film: Path | None,
    overwrite: bool,
) -> None:
    if picture or film:
        from posable.view import comparison_film, comparison_picture

        if picture:
            comparison_picture(figure, goals, rows, picture, overwrite=overwrite)
        if film:
            comparison_film(figure, goals, rows, film, overwrite=overwrite)


def _plain(row: Compared) -> dict[str, Any]:
    if row.solution is None:
        return {"method": row.name, "refusal": row.refusal}
    return {
        "method": row.name,
        "status": posable.Status(int(row.solution.status)).name,
        "reached": row.reached,
        "distance": row.distance,
        "angle": row.angle,
        "iterations": row.iterations,
        "seconds": row.seconds,
        "largest_move": row.largest_move,
        "jerkiness": row.jerkiness,
    }


def _print(rows: Sequence[Compared]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("method", no_wrap=True)
    table.add_column("reached")
    for name in ("error", "steps", "time", "move", "jerkiness"):
        table.add_column(name, justify="right")
    for row in (row for row in rows if row.solution is not None):
        table.add_row(row.name, "yes" if row.reached else "no", *_numbers(row))
    show(table)
    say(*(f"{row.name} does not apply: {row.refusal}" for row in rows if row.solution is None))


def _numbers(row: Compared) -> list[str]:
    left = f"{math.degrees(row.angle or 0.0):.2g}°" if row.distance is None else f"{row.distance:.2g}"
    jerk = "" if row.jerkiness is None else f"{row.jerkiness:.4f}"
    return [left, str(row.iterations), f"{row.seconds * 1000:.3g} ms", f"{row.largest_move:.3f}", jerk]
