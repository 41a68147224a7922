"""Starting poses in which standing feet stay in place: a first solve with the feet among the goals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals import Box, Place, Reach
from posable.goals.goal import Goal
from posable.goals.starts import Foot, ProposesStarts, Stands, Support
from posable.goals.term_arrays import FINE, OFFSET
from posable.goals.terms import FRAME
from posable.skeleton import Skeleton
from posable.skeleton.forward import make_moved, move_axes_together, place_joints
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import Batch, with_locked
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure, build_structure
from posable.solvers.weights import Weighted
from posable.spatial import Array

MOST = 60  # iterations: with 30, rounding decided the end of some solves, which differed by 6e-6
LAST = 7  # the highest priority number
BALANCE = 0.03  # weight of a trunk over the feet, relative to a foot that stays


class Standing:
    """The starting poses of solves of a structure in which some joints are kept in place.

    They are kept as far as the goals allow: the solve that follows does not know them, but moves no more than
    necessary.

    Args:
        structure: The goals.
        stands: The joints to keep.
        support: The joint that stays over the feet.
    """

    def __init__(self, structure: Structure, stands: Sequence[Stands], support: Support | None) -> None:
        skeleton, options = structure.skeleton, structure.options
        self._skeleton = skeleton
        self._joints = np.array([skeleton.index(one.joint) for one in stands], np.int64)
        self._proposed = np.array([one.proposed for one in stands], bool)
        after = min(structure.problem.levels + 1, LAST)
        places: list[Goal] = [
            Place(
                one.joint,
                np.eye(4),
                one.position_weight,
                one.rotation_weight,
                priority=0 if one.first else after,
                within=one.within,
            )
            for one in stands
        ]
        self._over = _Over.of(structure, support)
        if support:
            places.append(_over_feet(skeleton, support, after))
        self._counts = [place.own_weight for place in places]
        most = min(options.max_iterations, MOST)
        held = build_structure(
            skeleton, (*structure.goal_set.goals, *places), replace(options, restarts=0, max_iterations=most)
        )
        self._engine = LeastSquares().engine(held)
        self._weighted = Weighted(held, LeastSquares(), self._engine)
        self._of_goals = Targets(skeleton, held.goal_set).parts[-len(places)].start

    @staticmethod
    def among(structure: Structure, starter: ProposesStarts) -> Standing | None:
        """For the goals of a structure, as one of them proposes; None if no goal names or could move the standing
        joints.
        """
        stands, support = starter.stands, starter.support
        return Standing(structure, stands, support) if stands or support else None

    def locking(self, locked: NDArray[np.bool_]) -> Standing:
        """The same with some more of the freedoms `[dof]` locked."""
        same, held = copy(self), with_locked(self._engine.structure, locked)
        same._engine = LeastSquares().engine(held)
        same._weighted = Weighted(held, LeastSquares(), same._engine)
        return same

    def of(
        self,
        given: Array,
        starts: Array,
        numbers: Array,
        springs: Array | None,
        weights: Array | None,
        briefly: bool = False,
    ) -> Array:
        """`[problem, coordinates]` the starting poses.

        Args:
            given: `[problem, coordinates]` the poses that the solves were given.
            starts: `[problem, coordinates]` the starting poses without `stands`.
            numbers: `[problem, number]` the targets, as the kernels read them.
            springs: The poses of the soft goals, as in `Batch`.
            weights: `[problem, goal]`, or None for the goals' own.
            briefly: Of one problem: only for as long as it gains much.
        """
        count, over = len(starts), self._over
        told = np.empty((count, self._of_goals + 16 * len(self._joints) + 3 * len(over.joint)))
        _tell(
            self._skeleton.packed, given, starts, self._joints, self._proposed, over.joint, over.feet, over.columns,
            over.up, over.slack, over.lifted, numbers, self._of_goals, told,
        )  # fmt: skip
        if weights is not None:
            weights = np.hstack([weights, np.tile(self._counts, (count, 1))])
        out, counts = np.empty_like(starts), np.zeros((count, 3), np.int64)
        engine = self._engine if weights is None else self._weighted
        batch = Batch(starts.copy(), told, springs, weights)
        if briefly:
            fault = engine.follow(batch, None, out, counts)
        else:
            fault = engine.run(batch, out, counts, np.empty((count, 0, starts.shape[1])))
        return out if fault[0] == FINE else starts  # the main solve finds the same fault, and names it


def proposer_of(structure: Structure) -> tuple[int, ProposesStarts] | None:
    """(the index of the goal that proposes starting poses, its proposal); None without one."""
    given = structure.skeleton, structure.goal_set.rows, structure.problem.terms, structure.free
    found = ((at, goal.starts(*given)) for at, goal in enumerate(structure.goal_set.goals))
    return next(((at, starter) for at, starter in found if starter is not None), None)


class _Over(NamedTuple):
    """The joint that stays over the feet, as the kernel reads it.

    A given pose that is out of balance, such as a sitting one, may stay so, but gets no further out of balance.
    """

    joint: NDArray[np.int64]
    """`[1]`; `[0]` where nothing does."""
    feet: NDArray[np.int64]
    """`[foot, 2]` ankle and toes."""
    columns: NDArray[np.int64]
    """`[foot, 3]` indices of the foot's position among the targets' numbers; -1: the foot stays."""
    up: int
    slack: float
    lifted: float

    @classmethod
    def of(cls, structure: Structure, support: Support | None) -> _Over:
        """For these goals."""
        none, up = np.empty(0, np.int64), "xyz".index(structure.skeleton.up)
        if support is None:
            return cls(none, none.reshape(0, 2), none.reshape(0, 3), up, 0.0, 1.0)
        index = structure.skeleton.index
        feet = np.array([[index(foot.ankle), index(foot.toes)] for foot in support.feet], np.int64)
        columns = np.array([_columns(structure, foot) for foot in support.feet], np.int64)
        return cls(np.array([index(support.joint)]), feet, columns, up, support.slack, support.lifted)


def _over_feet(skeleton: Skeleton, support: Support, priority: int) -> Goal:
    """That a joint stays over the feet: a column about a position that `_tell` gives."""
    half = [support.slack] * 3
    half["xyz".index(skeleton.up)] = np.inf
    box = Box((half[0], half[1], half[2]))
    return Reach(support.joint, np.zeros(3), weight=BALANCE, within=box, priority=priority)


@kernel
def _tell(t, given, starts, joints, proposed, over, feet, columns, up, slack, lifted, numbers, of_goals, out):
    """Fill `out [problem, number]`: the numbers of the goals, the frames of the joints `joints`, as they are given or
    as proposed in the starts, and where the joint `over [1]` is to be: between the feet as the targets have them, moved
    by as much as the given pose is out of balance.
    """
    count, memory = t.frame.shape[0], make_moved(t)
    turns, origins, moved, blocks = np.empty((count, 3, 3)), np.empty((count, 3)), memory[0], memory[1]
    ankles, middle, wanted = np.empty((len(feet), 3)), np.empty(3), np.empty(3)
    for n in range(len(given)):
        for i in range(of_goals):
            out[n, i] = numbers[n, i]
        for late in (True, False):
            q = starts[n] if late else given[n]
            move_axes_together(t, q, moved, blocks)
            place_joints(t, None, q, moved, turns, origins, None, None)
            for k in range(len(joints)):
                if proposed[k] == late:
                    _write_frame(turns, origins, joints[k], out[n, of_goals + 16 * k :])
        for foot in range(len(feet)):
            for i in range(3):
                ankles[foot, i] = origins[feet[foot, 0], i]
        for k in range(len(over)):
            _middle_of(origins, feet, ankles, up, lifted, middle)
            for foot in range(len(feet)):
                for i in range(3):
                    if columns[foot, i] >= 0:
                        ankles[foot, i] = numbers[n, columns[foot, i]]
            _middle_of(origins, feet, ankles, up, lifted, wanted)
            for i in range(3):
                away = origins[over[k], i] - middle[i]
                at = of_goals + 16 * len(joints) + i
                out[n, at] = wanted[i] + away - min(max(away, -slack), slack)


@inner_kernel
def _write_frame(turns, origins, joint, out):
    """The frame of a joint as 16 numbers, row by row."""
    for i in range(3):
        for k in range(3):
            out[4 * i + k] = turns[joint, i, k]
        out[4 * i + 3] = origins[joint, i]
        out[12 + i] = 0.0
    out[15] = 1.0


@inner_kernel
def _middle_of(origins, feet, ankles, up, lifted, out):
    """Between the feet that bear, `ankles [foot, 3]`, each half as far ahead as its toes are with these origins."""
    lowest, total = math.inf, 0.0
    for foot in range(len(feet)):
        lowest = min(lowest, ankles[foot, up] + _ahead(origins, feet, foot, up))
    out[:] = 0.0
    for foot in range(len(feet)):
        bears = max(1.0 - (ankles[foot, up] + _ahead(origins, feet, foot, up) - lowest) / lifted, 0.0)
        total += bears
        for i in range(3):
            out[i] += bears * (ankles[foot, i] + _ahead(origins, feet, foot, i))
    for i in range(3):
        out[i] /= total


@inner_kernel
def _ahead(origins, feet, foot, i):
    return 0.5 * (origins[feet[foot, 1], i] - origins[feet[foot, 0], i])


def _columns(structure: Structure, foot: Foot) -> list[int]:
    """The index of a foot's position among the targets' numbers; -1 if it stays."""
    if foot.term < 0:
        return [-1, -1, -1]
    first = int(structure.problem.terms[foot.term, OFFSET])
    return [first + k for k in ((3, 7, 11) if structure.goal_set.rows[foot.term].form == FRAME else (0, 1, 2))]
