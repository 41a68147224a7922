"""`posable reach`: takes joints of a figure where they are wanted, and saves the result."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

import posable
from posable.cli import options
from posable.cli.ahead import solver_compiled_ahead
from posable.cli.options import JointName, MethodName
from posable.cli.printing import print_goals
from posable.cli.wishes import Wish

_HOLD = 0.5  # seconds at the end of a film, to see the result


@click.command("reach")
@options.input_file(required=False)
@options.goals
@click.option(
    "--free",
    type=JointName(),
    metavar="JOINT",
    multiple=True,
    help="Let a floating joint, or a pelvis right under it, move; otherwise it stays.",
)
@options.freeze
@options.unit_and_root
@options.clip_and_frame
@click.option(
    "--method",
    type=MethodName(per_joint=True),
    metavar="[JOINT=]NAME",
    multiple=True,
    help=f"How to solve: {options.METHODS}; the chain of one JOINT, or all.  [default: LeastSquares]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For the restarts where the first try fails.",
)
@click.option(
    "--max-iterations", type=click.IntRange(min=1), default=100, show_default=True, help="Of one attempt to get there."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0, min_open=True),
    default=1e-6,
    show_default=True,
    help="How near counts as there.",
)
@options.output("Save the posed figure here; the ending says the format.  [default: FILE_reach.glb]")
@options.picture("Draw the result.")
@options.film("Film the way from the start to the result.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=2.0,
    show_default=True,
    help="How long the film takes to get there.",
)
@options.force
@options.as_json
def command(**given: Any) -> None:
    """Take joints of FILE to places, save the posed figure, and say honestly how far each goal is off.

    Without FILE, posable's own mannequin puts a fingertip on a doorbell and looks at it: reach.glb and reach.png.
    Without goals, a hand (or another end) of FILE goes to a place near by that it can reach.

    A result that falls short is a result too: it is saved, the words say why, and the exit status is 0.
    """
    wish = Wish(**given)
    outputs = wish.outputs()
    options.refuse_existing(list(outputs.values()), wish.force)
    method = wish.solver()
    with solver_compiled_ahead() if method is None else nullcontext() as wait_for_solver:
        figure = options.open_figure(wish.file, wish.unit, wish.root)
        start = options.chosen_pose(figure, wish.clip, wish.frame)
        frozen = wish.frozen(figure)
        goals = wish.goals(figure, start, frozen)
        if wait_for_solver:  # meanwhile this process compiles what draws, by drawing something small
            if outputs.keys() & {"picture", "film"}:
                posable.picture(figure, start, size=(64, 48), goals=goals)
            wait_for_solver()
        more = {"tolerance": wish.tolerance, "seed": wish.seed, "max_iterations": wish.max_iterations}
        prepared = posable.prepare(figure.skeleton, goals, method=method, frozen=frozen, **more)
        solution = prepared.solve(start)
        told = solution.describe()
    seconds = prepared.solve(start).seconds if wish.as_json else 0.0  # once all is compiled
    _write(wish, outputs, figure, solution.pose, start, goals)
    _report(wish, goals, solution, told, seconds, outputs)


def _write(
    wish: Wish,
    outputs: dict[str, Path],
    figure: posable.Figure,
    end: posable.Pose,
    start: posable.Pose,
    goals: list[posable.Goal],
) -> None:
    posable.save(outputs["figure"], figure, end, overwrite=wish.force)
    if "picture" in outputs:
        posable.picture(figure, end, outputs["picture"], goals=goals, overwrite=wish.force)
    if "film" in outputs:
        clip = posable.motion.move(start, end, wish.seconds, hold=_HOLD)
        posable.film(figure, clip, outputs["film"], goals=goals, overwrite=wish.force, progress=not wish.as_json)


def _report(
    wish: Wish,
    goals: list[posable.Goal],
    solution: posable.Solution,
    told: str,
    seconds: float,
    outputs: dict[str, Path],
) -> None:
    if wish.as_json:
        click.echo(json.dumps(_plain(solution, seconds), allow_nan=False))
        return
    if wish.file and not (wish.reach or wish.orient or wish.look):
        click.echo("No goal was given, so an end of the figure goes to a place near by (see --goal).")
    print_goals(goals, solution, metric=options.is_metric(wish.file, wish.unit))
    click.echo(told)
    click.echo(f"Wrote {', '.join(str(path) for path in outputs.values())}.")


def _plain(solution: posable.Solution, seconds: float) -> dict[str, Any]:
    goals = [
        {"kind": g.kind, "joint": g.joint, "distance": _number(g.distance), "angle": _number(g.angle)}
        for g in solution.goals
    ]
    return {
        "status": posable.Status(int(solution.status)).name,
        "goals": goals,
        "iterations": int(solution.iterations),
        "seconds": seconds,
    }


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
