"""Two bones by the law of cosines: the limb solver of games and animation tools."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError, SkeletonError, is_number
from posable.solvers.closed.limb import Limb, turning_freedoms, turns_freely
from posable.solvers.engine import Fault
from posable.solvers.methods.chains import ChainGoal, chain_goals, groups_above
from posable.solvers.methods.method import AtOnceMethod, Formula
from posable.solvers.problem import Structure
from posable.spatial import Array


@dataclass(frozen=True)
class TwoBone(AtOnceMethod):
    """The two bones above each effector are bent by the law of cosines and aimed at the target, without iterations.

    A Pole for the same joint gives the direction of the elbow; without one it stays on its side of the start. The
    effector's own joint takes the rotation of a `Place`.
    Source: the law of cosines; soft reach after Andy Nicholas 2009 and ozz-animation.

    Args:
        softness: The share of the limb's length over which it slows down before it is straight, 0 (off) to below 1: for
            a target at distance d > a = (1 − softness) L it reaches to a + (L − a)(1 − exp(−(d − a)/(L − a))).
        twist: Additional rotation of the limb about the line to its target, radians.
        plane: "pole", or "effector": the limb's plane follows the effector's wanted rotation (single-chain
            behaviour).
        upper: The joint at the top of the first bone; None finds it.
        middle: The joint between the two bones; None finds it.

    Raises:
        MethodError: For an invalid parameter.
    """

    softness: float = 0.0
    twist: float = 0.0
    plane: Literal["pole", "effector"] = "pole"
    upper: str | None = None
    middle: str | None = None

    def __post_init__(self) -> None:
        if not (is_number(self.softness) and 0 <= self.softness < 1):
            raise MethodError(f"TwoBone: softness must be a number from 0 to below 1, not {self.softness!r}")
        check_turn(type(self).__name__, "twist", self.twist)
        if self.plane not in ("pole", "effector"):
            raise MethodError(f"TwoBone: plane is 'pole' or 'effector', not {self.plane!r}")

    def refusal(self, structure: Structure) -> str | None:
        found = self._limbs(structure)
        return found if isinstance(found, str) else None

    def plan(self, structure: Structure) -> Formula:
        found = self._limbs(structure)
        assert not isinstance(found, str)
        return _Limbs(structure, self, found)

    def _limbs(self, structure: Structure) -> list[tuple[ChainGoal, Limb]] | str:
        goals = chain_goals(structure)
        if isinstance(goals, str):
            return goals
        found: list[tuple[ChainGoal, Limb]] = []
        for goal in goals:
            limb = self._limb(structure, goal)
            if isinstance(limb, str):
                return limb
            if any(set(_freedoms(limb)) & set(_freedoms(other)) for _, other in found):
                return f"the limb that ends at {limb.end!r} shares joints with another one"
            found.append((goal, limb))
        return found or "no goal has a position"

    def _limb(self, structure: Structure, goal: ChainGoal) -> Limb | str:
        names, end = structure.skeleton.joints, structure.skeleton.joints[goal.joint]
        groups = groups_above(structure, goal.joint)
        if self.upper is None and self.middle is None and len(groups) > 3:
            return (
                f"{end!r} ends a chain of joints at {len(groups)} positions, {names[groups[-1][-1]]!r} the first, and "
                f"a limb has two; freeze the joints that should not bend, or name the limb's upper and middle joint"
            )
        if len(groups) < 2:
            return f"{end!r} has fewer than two movable bones above it"
        try:
            upper, middle = self.upper or names[groups[1][-1]], self.middle or names[groups[0][-1]]
            limb = Limb(structure.skeleton, upper, middle, end)
        except SkeletonError as problem:
            return str(problem)
        if (sliding := _sliding(structure, limb)) is not None:
            return f"joint {sliding!r} slides, and bones keep their lengths here; freeze it"
        locked = [f for f in _freedoms(limb) if not structure.free[f]]
        if locked:
            return f"{structure.skeleton.freedoms[locked[0]]!r} of the limb that ends at {end!r} is frozen"
        if self.plane == "effector" and goal.rotation < 0:
            return f"{end!r} has no rotation goal that the limb's plane could follow"
        if (self.twist or self.plane == "effector") and len(limb.upper_freedoms) in (1, 2):
            return f"{limb.upper!r} has too few hinges to rotate the limb about the line to its target"
        return limb


def check_turn(method: str, what: str, angle: object) -> None:
    """MethodError unless it is a finite number."""
    if not (is_number(angle) and math.isfinite(angle)):  # type: ignore[arg-type]
        raise MethodError(f"{method}: {what} must be a finite number of radians, not {angle!r}")


def _freedoms(limb: Limb) -> list[int]:
    """The rotational freedoms of the limb."""
    skeleton = limb.skeleton
    joints = [j for j in (limb.upper, limb.middle) if turns_freely(skeleton, j)]
    hinges = [*limb.upper_freedoms, *limb.elbow_freedoms]
    return [*(f for j in joints for f in turning_freedoms(skeleton, j)), *hinges]


def _sliding(structure: Structure, limb: Limb) -> str | None:
    """The name of a joint of the limb whose position may move, or None."""
    skeleton = limb.skeleton
    for joint in (limb.upper, limb.middle):
        own = list(skeleton.freedom_range(joint))
        if turns_freely(skeleton, joint) and structure.free[own[:-3]].any():
            return joint
    return None


class _Limbs:
    """The limbs of a structure as numbers."""

    def __init__(self, structure: Structure, method: TwoBone, found: list[tuple[ChainGoal, Limb]]) -> None:
        self.structure = structure
        chains = [limb.numbers for _, limb in found]
        self.used = np.array(sorted({int(j) for used, _ in chains for j in used[:, 0]}), np.int64)[:, None]
        carried = method.plane == "effector"
        self.limbs = np.array(
            [
                (*numbers.tolist(), goal.position, goal.rotation, goal.pole, carried)
                for (_, numbers), (goal, _) in zip(chains, found, strict=True)
            ],
            np.int64,
        )
        self.settings = np.array([(*goal.tip, method.softness, method.twist) for goal, _ in found])
        self.free = structure.free
        self.tolerances = np.array([structure.options.tolerance, structure.options.angle_tolerance])

    def solve(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64]) -> Fault:
        from posable.solvers.methods.chain_kernels import solve_limbs

        return solve_limbs(
            self.structure.skeleton.packed,
            self.structure.problem.terms,
            self.used,
            self.limbs,
            self.settings,
            self.free,
            self.tolerances,
            starts,
            numbers,
            out,
            counts,
        )
