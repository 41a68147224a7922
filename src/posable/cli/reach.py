"""`posable reach`: takes joints of a figure where they are wanted, and saves the result."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

import posable
from posable.cli import options
from posable.cli import reach as defaults
from posable.cli.options import JointName, MethodName, print_goals
from posable.cli.precompile import solver_compiled_ahead

if TYPE_CHECKING:
    from posable.solvers import LeastSquares, Method

    AnyMethod = LeastSquares | Method


# What was asked of `posable reach`, and what follows from it: goals, what stays still, what is written.


Asked = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class ReachRequest:
    """What was typed."""

    file: Path | None
    reach: tuple[Asked, ...]
    orient: tuple[Asked, ...]
    look: tuple[Asked, ...]
    free: tuple[str, ...]
    freeze: tuple[str, ...]
    unit: str | None
    root: str | None
    clip: str | None
    frame: int | None
    method: tuple[tuple[str | None, AnyMethod], ...]
    seed: int
    max_iterations: int
    tolerance: float
    output: Path | None
    picture: Path | None
    film: Path | None
    seconds: float
    force: bool
    as_json: bool

    def outputs(self) -> dict[str, Path]:
        """What is to be written, by kind; names that nobody chose get a number rather than overwrite something."""
        named = {"figure": self.output, "picture": self.picture, "film": self.film}
        chosen = {kind: path for kind, path in named.items() if path is not None}
        if "figure" in chosen:
            return chosen
        endings = {"figure": ".glb"} if self.file or self.picture else {"figure": ".glb", "picture": ".png"}
        stem = f"{self.file.stem}_reach" if self.file else "reach"
        for number in itertools.count(1):
            own = {
                kind: Path(f"{stem}{'' if number == 1 else f'_{number}'}{ending}") for kind, ending in endings.items()
            }
            if self.force or not any(path.exists() for path in own.values()):
                return own | chosen
        raise AssertionError

    def solver(self) -> AnyMethod | dict[str | None, AnyMethod] | None:
        """The method for everything, or a mapping for single chains. Raises MethodError for two of one thing."""
        chosen = dict(self.method)
        if len(chosen) < len(self.method):
            raise posable.MethodError("--method names two methods for the same joints; give each one")
        return chosen.get(None) if chosen.keys() <= {None} else chosen

    def frozen(self, figure: posable.Figure) -> tuple[str, ...]:
        """What stays as it is: what --freeze names, and floating joints that nothing frees."""
        skeleton = figure.skeleton
        moving = [joint for joint, _ in (*self.reach, *self.orient, *self.look)]
        freed = [*self.free, *([skeleton.joints[0]] if self.root == "free" else [])]
        return (*self.freeze, *held_joints(figure, moving, freed))

    def goals(self, figure: posable.Figure, start: posable.Pose, frozen: tuple[str, ...]) -> list[posable.Goal]:
        """The goals that were asked for, or the usual ones."""
        if self.reach or self.orient or self.look:
            return asked_goals(figure, self.reach, self.orient, self.look)
        if self.file is None:
            return defaults.doorbell_goals()
        return [defaults.nearby_goal(start, frozen)]


def asked_goals(
    figure: posable.Figure, reach: Sequence[Asked], orient: Sequence[Asked], look: Sequence[Asked]
) -> list[posable.Goal]:
    """The goals that the options name."""
    goals: list[posable.Goal] = [posable.Reach(joint, place) for joint, place in reach]
    goals += [posable.Orient(joint, wxyz) for joint, wxyz in orient]
    return goals + [posable.LookAt(joint, place, forward=defaults.front_of(figure, joint)) for joint, place in look]


def held_joints(figure: posable.Figure, moving: Sequence[str], freed: Sequence[str]) -> list[str]:
    """The joints that stay as they are, so that a figure does not float or swing as a whole to its goal.

    Each floating joint, and what follows it alone down to where the figure branches (a pelvis under a root); but none
    of those in `freed`, nor those that the goals themselves move. Raises UnknownJointError, or PosableError where a
    joint of `freed` is none of them.
    """
    skeleton = figure.skeleton
    floating = [joint for joint in skeleton.definitions if joint.floating and any((joint.active or (True,))[:3])]
    held = dict.fromkeys(name for joint in floating for name in (joint.name, *_trunk(figure, joint.name)))
    loose = {skeleton.joints[skeleton.index(name)] for name in (*moving, *freed)}
    for name in freed:
        joint = skeleton.definitions[skeleton.index(name)]
        if joint.name not in held:
            raise posable.PosableError(f"{joint.name!r} is a {joint.kind} joint and not held; it needs no freeing")
    return [name for name in held if name not in loose]


def _trunk(figure: posable.Figure, joint: str) -> list[str]:
    """The joints below that follow one by one, down to the first that branches; none if the figure never does.

    Joints with no skin at or below them, such as the handles of an animator's tools, make no branch.
    """
    skeleton = figure.skeleton
    shown = {above for skin in figure.skins for i in skin.used_joints for above in skeleton.chain(int(i))}
    found: list[str] = []
    below = skeleton.children(joint)
    while len(below := [child for child in below if not shown or child in shown]) == 1:
        found.append(skeleton.joints[below[0]])
        below = skeleton.children(below[0])
    return found if below else []


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
    wish = ReachRequest(**given)
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
    wish: ReachRequest,
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
    wish: ReachRequest,
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


# What to reach for where nobody said.


DOORBELL = (-0.25, 1.3, 0.45)  # metres: before the mannequin, which faces +z, to its right, at the height of its chest
_HANDS = ("hand", "wrist", "gripper", "tool", "finger", "palm", "paw", "claw", "foot", "flange", "ee")
_NUDGE = 0.15  # of the length of the limb


def front_of(figure: posable.Figure, joint: str) -> np.ndarray:
    """`[3]` where the figure faces at rest (+z where y is up, +x where z is up), in the frame of `joint`."""
    front = (0.0, 0.0, 1.0) if figure.skeleton.up == "y" else (1.0, 0.0, 0.0)
    return np.asarray(front) @ figure.rest.world_from_joint[figure.skeleton.index(joint), :3, :3]


def doorbell_goals() -> list[posable.Goal]:
    """The mannequin's fingertip to a doorbell, its eyes on it."""
    return [posable.Reach("index_tip_r", DOORBELL), posable.LookAt("head", DOORBELL)]


def nearby_goal(start: posable.Pose, frozen: Sequence[str]) -> posable.Goal:
    """An end of the figure, a hand if there is one, to a place about 15 % of its limb's length away that it can reach.

    Places under the figure's lowest joint count as under the ground: taken only where nothing above will do. Where
    joints only turn and none of their ends is known, one of them is to be turned. Raises PosableError where nothing
    can move.
    """
    skeleton = start.skeleton
    movable = skeleton.tables.active & ~skeleton.freedom_mask(frozen)
    tries = _permitted_poses(start, movable).world_from_joint
    limbs = _limb_lengths(skeleton, movable)
    ends = [i for i, name in enumerate(skeleton.joints) if not skeleton.children(i) or _likeness(name) == 2]
    for end in sorted(ends, key=lambda i: (_likeness(skeleton.joints[i]), limbs[i]), reverse=True):
        tip = next(iter(skeleton.definitions[end].tips), (0.0, 0.0, 0.0))
        places = tries[..., end, :3, :3] @ tip + tries[..., end, :3, 3]
        away = np.linalg.norm(places[1:] - places[0, 0], axis=-1)
        if away.max() > 1e-6 * skeleton.reach:
            nudge = _NUDGE * (limbs[end] or skeleton.reach)
            under = _heights(places[1:], skeleton.up) < _heights(start.origins, skeleton.up).min()
            nearest = np.argmin(np.abs(away - nudge) + np.where(under, nudge / 2, 0.0))
            return posable.Reach(skeleton.joints[end], places[1:].reshape(-1, 3)[nearest], tip)
    return _turned(skeleton, tries)


def _heights(places: np.ndarray, up: str) -> np.ndarray:
    """`[...]`: how far `places [..., 3]` are up."""
    return places[..., "xyz".index(up)]


def _permitted_poses(start: posable.Pose, movable: np.ndarray) -> posable.Pose:
    """`[25, 16]` poses within the limits, from the start (first row) further and further along sixteen seeded ways."""
    wild = start.skeleton.random_pose(np.random.default_rng(0), (16,))
    ways = np.where(movable, wild.minus(start), 0.0)
    steps = start.plus(np.linspace(0.0, 0.8, 25)[:, None, None] * ways)
    return posable.Pose(start.skeleton, np.concatenate([steps.q[:1], steps[1:].clamped().q]))


def _turned(skeleton: posable.Skeleton, tries: np.ndarray) -> posable.Goal:
    """The first joint that can turn, as it is turned a little way along the first of the tries."""
    from posable.spatial import wxyz_from_matrix

    turned = np.abs(tries[8, 0, :, :3, :3] - tries[0, 0, :, :3, :3]).max(axis=(-1, -2))
    if turned.max() < 1e-6:
        raise posable.PosableError(
            "nothing can move here: every freedom is fixed, frozen, inactive or held by its limits"
        )
    joint = int(np.argmax(turned > 1e-6))
    return posable.Orient(skeleton.joints[joint], wxyz_from_matrix(tries[8, 0, joint, :3, :3]))


def _likeness(name: str) -> int:
    """2 for the name of a hand or the like, 1 where it is a part of the name (a finger, say), 0 else."""
    from posable.skeleton import name_key

    return 2 if name_key(name)[0] in _HANDS else int(any(word in name.lower() for word in _HANDS))


def _limb_lengths(skeleton: posable.Skeleton, movable: np.ndarray) -> list[float]:
    """Per joint: the length of the bones between it and the first joint above it that can move; 0 where none can."""
    lengths: list[float] = []
    moved: list[bool] = []
    for i, joint in enumerate(skeleton.definitions):
        p = skeleton.parents[i]
        under = p >= 0 and moved[p]
        lengths.append(lengths[p] + math.hypot(*joint.position) if under else 0.0)
        moved.append(under or bool(movable[list(skeleton.freedom_range(i))].any()))
    return lengths
