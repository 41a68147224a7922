"""`posable reach`: solves for the pose that meets the goals and saves the result."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import posable
from posable.cli import options
from posable.cli.clip_choice import chosen_pose
from posable.cli.options import MethodName, print_goals
from posable.cli.ranges import Integer, Number
from posable.cli.terminal import say

if TYPE_CHECKING:
    from posable.solvers import LeastSquares, Method

    AnyMethod = LeastSquares | Method


_SOLVE_SMALL = """
from posable import Joint, Pose, Reach, Skeleton, solve
skeleton = Skeleton([Joint("a", "ball"), Joint("b", "fixed", "a", (1, 0, 0))])
solve(Pose(skeleton, [1, 0, 0, 0]), [Reach("b", (0, 1, 0))])
"""


@contextmanager
def solver_compiled_ahead() -> Iterator[Callable[[], object] | None]:
    """Start a process that compiles the solver; yields a function that waits for it, or None if already compiled.

    If the process fails, missing kernels are compiled at first use. It ends with the block.
    """
    from posable.compiled.cache import announce_compilation, is_compiled
    from posable.solvers.default.kernels import restarts

    if (os.cpu_count() or 1) < 2 or is_compiled(Path(restarts.__file__)):
        yield None
        return
    announce_compilation()
    quiet = {**os.environ, "POSABLE_QUIET": "1"}
    line = [sys.executable, "-c", _SOLVE_SMALL]
    with subprocess.Popen(line, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.wait
        finally:
            process.kill()


# The request: goals, frozen joints and outputs.


Asked = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class ReachRequest:
    """The options of the command line."""

    file: Path | None
    reach: tuple[Asked, ...]
    orient: tuple[Asked, ...]
    look: tuple[Asked, ...]
    forward: tuple[Asked, ...]
    free: tuple[str, ...]
    freeze: tuple[str, ...]
    unit: str | None
    up: str | None
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
    view: str
    size: tuple[int, int] | None
    no_skeleton: bool
    seconds: float
    force: bool
    as_json: bool
    plain: bool

    def outputs(self) -> dict[str, Path]:
        """Output files by kind; default names get a number instead of overwriting a file."""
        named = {"figure": self.output, "picture": self.picture, "film": self.film}
        chosen = {kind: path for kind, path in named.items() if path is not None}
        if "figure" in chosen:
            return chosen
        endings = {"figure": ".glb"} if self.file or self.picture else {"figure": ".glb", "picture": ".png"}
        stem = f"{self.file.stem}_reach" if self.file else "reach"
        own = options.unused(stem, *endings.values(), force=self.force)
        return dict(zip(endings, own, strict=True)) | chosen

    def habits(self, figure: posable.Figure) -> Sequence[posable.Goal]:
        """[Natural()] for a person, with the default method and unless the options exclude it."""
        from posable.natural import natural_if_known

        return [] if self.plain or self.method else natural_if_known(figure.skeleton)

    @property
    def may_step_in(self) -> bool:
        """Whether no option states which joints are held."""
        return not (self.free or self.freeze or self.root)

    def solver(self) -> AnyMethod | dict[str | None, AnyMethod] | None:
        """The method, or a mapping from joints to methods. Raises MethodError if one joint has two."""
        chosen = dict(self.method)
        if len(chosen) < len(self.method):
            raise posable.MethodError("--method names two methods for the same joints; give one for each")
        return chosen.get(None) if chosen.keys() <= {None} else chosen

    def frozen(self, figure: posable.Figure) -> tuple[str, ...]:
        """The frozen joints: those of --freeze, and floating joints that no option releases."""
        skeleton = figure.skeleton
        moving = [joint for joint, _ in (*self.reach, *self.orient, *self.look)]
        freed = [*self.free, *([skeleton.joints[0]] if self.root == "free" else [])]
        return (*self.freeze, *held_joints(figure, moving, freed))

    @property
    def rings(self) -> bool:
        """Whether neither a file nor goals are given, so that the mannequin presses the doorbell."""
        return self.file is None and not (self.reach or self.orient or self.look or self.forward)

    def goals(self, start: posable.Pose, frozen: tuple[str, ...]) -> list[posable.Goal]:
        """The goals of the options, or the default goals."""
        if self.reach or self.orient or self.look or self.forward:
            return asked_goals(self.reach, self.orient, self.look, self.forward)
        if self.rings:
            return doorbell_goals()
        from posable.figures.effectors import nearby_goal

        return [nearby_goal(start, frozen)]


def asked_goals(
    reach: Sequence[Asked], orient: Sequence[Asked], look: Sequence[Asked], forward: Sequence[Asked]
) -> list[posable.Goal]:
    """The goals of the options. Raises GoalError for --forward of a joint without --look."""
    ahead = dict(forward)
    if unused := ahead.keys() - {joint for joint, _ in look}:
        raise posable.GoalError(f"--forward names {min(unused)!r}, but no --look does; write the same name in both")
    goals: list[posable.Goal] = [posable.Reach(joint, place) for joint, place in reach]
    goals += [posable.Orient(joint, wxyz) for joint, wxyz in orient]
    return goals + [posable.LookAt(joint, place, forward=ahead.get(joint)) for joint, place in look]


class _Solved(NamedTuple):
    """short: the gazes that stop at a person's range before their points."""

    prepared: posable.Prepared
    solution: posable.Solution
    told: str
    short: tuple[str, ...] = ()


_HIPS_MOVED = "The hips moved, and the feet stayed in position (--freeze root holds the hips)."
_LEAST_GAZE_ERROR = 0.05  # in degrees
_LEAST_HIPS_MOTION = 0.01  # of the figure's reach


def stays_on_its_feet(solution: posable.Solution, start: posable.Pose) -> bool:
    """Whether every goal is met, and the toes, or without toes the feet, are where they were at the start."""
    skeleton, found = start.skeleton, posable.roles(start.skeleton)
    ends = [name for side in "lr" if (name := found.get(f"toes_{side}", found.get(f"foot_{side}")))]
    if int(solution.status) != posable.Status.REACHED or not ends:
        return False
    feet = [skeleton.index(name) for name in ends]
    return bool((abs(solution.pose.origins[feet] - start.origins[feet]) < _LEAST_HIPS_MOTION * skeleton.reach).all())


def held_joints(figure: posable.Figure, moving: Sequence[str], freed: Sequence[str]) -> list[str]:
    """The joints that stay frozen, so that a figure does not float or swing as a whole to its goal.

    Each floating joint, and its only descendants down to where the figure branches (a pelvis under a root); except
    those in `freed`, and those that the goals move. Raises UnknownJointError, or PosableError if a joint of `freed` is
    none of them.
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
    """The chain of single children below `joint`, down to the first joint that branches; empty if none does.

    Joints without skin at or below them, such as an animator's handles, do not count as branches.
    """
    skeleton = figure.skeleton
    shown = {above for skin in figure.skins for i in skin.used_joints for above in skeleton.chain(int(i))}
    found: list[str] = []
    below = skeleton.children(joint)
    while len(below := [child for child in below if not shown or child in shown]) == 1:
        found.append(skeleton.joints[below[0]])
        below = skeleton.children(below[0])
    return found if below else []


_HOLD_SECONDS = 0.5  # at the end of a film, to show the result


@click.command("reach", short_help="Put hands, feet and eyes where you say; save the pose")
@options.input_file(required=False)
@options.goals
@options.free
@options.freeze
@options.reading
@options.clip_and_frame
@click.option(
    "--method",
    type=MethodName(per_joint=True),
    metavar="[JOINT=]NAME",
    multiple=True,
    help=f"Method for all goals, or for the chain of one JOINT: {options.METHODS}.  [default: LeastSquares]",
)
@click.option(
    "--seed",
    type=Integer(min=0),
    default=0,
    show_default=True,
    help="Random seed of the restarts.",
)
@click.option(
    "--max-iterations",
    type=Integer(min=1),
    default=100,
    show_default=True,
    help="Maximum iterations per attempt.",
)
@click.option(
    "--tolerance",
    type=Number(min=0, min_open=True),
    default=1e-6,
    show_default=True,
    help="Position tolerance.",
)
@options.plain
@options.output("The posed figure; the suffix selects the format.  [default: FILE_reach.glb]")
@options.picture("Draw the resulting pose.")
@options.film("Film the motion from the start to the result.")
@options.seen_from
@options.no_skeleton
@click.option(
    "--seconds",
    type=Number(0.1, 60),
    default=2.0,
    show_default=True,
    help="Duration of the motion in the film.",
)
@options.force
@options.as_json
def command(**given: Any) -> None:
    """Solve for the pose of FILE that meets the goals, save it, and print the error of each goal.

    Without FILE, posable's mannequin puts a fingertip on a doorbell and looks at it: reach.glb and reach.png.
    Without goals, a hand (or another end effector) of FILE moves to a reachable position nearby.

    If a goal cannot be met, the best pose is saved, the reason is printed, and the exit status is still 0.
    """
    wish = ReachRequest(**given)
    outputs = wish.outputs()
    options.refuse_existing(list(outputs.values()), wish.force)
    method = wish.solver()
    with solver_compiled_ahead() if method is None else nullcontext() as wait_for_solver:
        figure = options.open_figure(wish.file, wish.unit, wish.up, wish.root)
        start = chosen_pose(figure, wish.clip, wish.frame)
        start = posable.grip(figure, "point", "r", start) if wish.rings else start
        goals = wish.goals(start, wish.frozen(figure))
        if wait_for_solver:  # meanwhile this process compiles the renderer by drawing a small picture
            if outputs.keys() & {"picture", "film"}:
                posable.picture(figure, start, size=(64, 48), goals=goals)
            wait_for_solver()
        found = solved(wish, figure, start, goals, method)
    seconds = found.prepared.solve(start).seconds if wish.as_json else 0.0  # timed after compilation
    _write(wish, outputs, figure, found.solution.pose, start, goals)
    _report(wish, goals, found, seconds, outputs)


def solved(
    wish: ReachRequest, figure: posable.Figure, start: posable.Pose, goals: list[posable.Goal], method: Any
) -> _Solved:
    """The prepared goals, their solution and its description; a person moves its hips if the goals are not met
    otherwise, and looks no further aside than people do.
    """
    from posable.natural.gaze import gazes_in_range

    more = {"tolerance": wish.tolerance, "seed": wish.seed, "max_iterations": wish.max_iterations}
    habits = wish.habits(figure)
    asked = [*(gazes_in_range(goals, start) if habits else goals), *habits]
    frozen = wish.frozen(figure)
    prepared = posable.prepare(figure.skeleton, asked, method=method, frozen=frozen, **more)
    solution = prepared.solve(start)
    if habits and wish.may_step_in and int(solution.status) != posable.Status.REACHED:
        going = posable.prepare(figure.skeleton, asked, **more)
        went = going.solve(start)
        if stays_on_its_feet(went, start):
            return _Solved(going, went, f"{went.describe()}\n{_HIPS_MOVED}", _short(goals, asked, went.pose))
    return _Solved(prepared, solution, solution.describe(), _short(goals, asked, solution.pose))


def _short(goals: Sequence[posable.Goal], asked: Sequence[posable.Goal], pose: posable.Pose) -> tuple[str, ...]:
    """The gazes among the goals that were asked for with a person's range, where that keeps them from their points."""
    from posable.natural.gaze import FURTHEST

    most = f"trunk, neck and head rotate by {math.degrees(FURTHEST):.0f}° together, as a person's do"
    ranged = [goal for goal, other in zip(goals, asked, strict=False) if goal is not other]
    angles = [(goal.joint, math.degrees(float(goal.errors(pose)[1] or 0.0))) for goal in ranged]
    return tuple(
        f"{joint} stops {angle:.3g}° short of its point: {most} (--plain sets no such limit)"
        for joint, angle in angles
        if angle > _LEAST_GAZE_ERROR
    )


def _write(
    wish: ReachRequest,
    outputs: dict[str, Path],
    figure: posable.Figure,
    end: posable.Pose,
    start: posable.Pose,
    goals: list[posable.Goal],
) -> None:
    posable.save(outputs["figure"], figure, end, overwrite=wish.force)
    shown = {**options.marks(vars(wish), goals), "overwrite": wish.force, **options.shot(vars(wish))}
    if "picture" in outputs:
        posable.picture(figure, end, outputs["picture"], **shown)
    if "film" in outputs:
        clip = posable.motion.move(start, end, wish.seconds, hold=_HOLD_SECONDS)
        posable.film(figure, clip, outputs["film"], progress=not wish.as_json, **shown)


def _report(
    wish: ReachRequest,
    goals: list[posable.Goal],
    found: _Solved,
    seconds: float,
    outputs: dict[str, Path],
) -> None:
    if wish.as_json:
        say(json.dumps(_plain(found, goals, seconds), allow_nan=False))
        return
    if wish.file and not (wish.reach or wish.orient or wish.look):
        say("No goal was given, so an end effector moves to a reachable position nearby (see --goal).")
    print_goals(goals, found.solution.pose, metric=options.is_metric(wish.file, wish.unit))
    met = int(found.solution.status) == posable.Status.REACHED
    say(*found.short, *(() if found.short and met else found.told.split("\n")))
    say(f"Wrote {', '.join(str(path) for path in outputs.values())}.")


def _plain(found: _Solved, asked: Sequence[posable.Goal], seconds: float) -> dict[str, Any]:
    solution = found.solution
    errors = [g.errors(solution.pose) for g in asked]
    goals = [
        {"kind": g.kind, "joint": g.joint, "distance": _number(distance), "angle": _number(angle)}
        for g, (distance, angle) in zip(solution.goals, errors, strict=False)
    ]
    status = posable.Status(int(solution.status))
    return {
        "status": (posable.Status.AT_LIMIT if found.short and status == posable.Status.REACHED else status).name,
        "goals": goals,
        "iterations": int(solution.iterations),
        "seconds": seconds,
    }


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


# Default goals.


DOORBELL = (-0.25, 1.3, 0.45)  # metres: in front of the mannequin (facing +z), to its right, at chest height


def doorbell_goals() -> list[posable.Goal]:
    """The mannequin's fingertip to a doorbell, its eyes on it."""
    return [posable.Reach("index_tip_r", DOORBELL), posable.LookAt("head", DOORBELL)]
