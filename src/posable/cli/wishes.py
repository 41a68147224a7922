"""What was asked of `posable reach`, and what follows from it: goals, what stays still, what is written."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import posable
from posable.cli import defaults

if TYPE_CHECKING:
    from posable.solvers import LeastSquares, Method

    AnyMethod = LeastSquares | Method

Asked = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class Wish:
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
    floating = [joint for joint in skeleton.definitions if joint.kind == "free" and any((joint.active or (True,))[:3])]
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
