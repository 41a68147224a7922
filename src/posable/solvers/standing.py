"""Starting poses in which standing feet stay in place: a first solve with the feet among the goals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals import Box, Place, Reach
from posable.goals.goal import Goal
from posable.goals.starts import Foot, ProposesStarts, Stands, Support
from posable.goals.term_arrays import FINE, OFFSET
from posable.goals.terms import FRAME
from posable.skeleton import Pose
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import Batch, with_locked
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure, build_structure
from posable.solvers.weights import Weighted
from posable.spatial import Array

MOST = 60  # iterations: with 30, of some solves rounding decided where they ended, 6e-6 apart
LAST = 7  # the highest priority number
BALANCE = 0.03  # what a trunk over the feet counts beside a foot that stays


class Standing:
    """The starting poses of solves of a structure in which some joints are kept in place.

    They are kept as far as the goals allow: the solve that follows does not know them, and moves no more than it must.

    Args:
        structure: The goals.
        stands: The joints to keep.
        support: The joint that stays over the feet.
    """

    def __init__(self, structure: Structure, stands: Sequence[Stands], support: Support | None) -> None:
        skeleton, options = structure.skeleton, structure.options
        self._skeleton = skeleton
        self._joints = [skeleton.index(one.joint) for one in stands]
        self._proposed = np.array([one.proposed for one in stands])
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
        self._over = None
        if support:
            self._over = _Over(structure, support)
            places.append(self._over.goal(after))
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
        """For the goals of a structure, as one of them proposes; None where no goal names or could move what stands."""
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
        count = len(starts)
        stood, proposed = (Pose.trusted(self._skeleton, poses).world_from_joint for poses in (given, starts))
        chosen = np.where(self._proposed[:, None, None], proposed[:, self._joints], stood[:, self._joints])
        frames = chosen.reshape(count, -1)
        told = np.hstack([numbers[:, : self._of_goals], frames])
        if self._over:
            told = np.hstack([told, self._over.middles(stood, numbers)])
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


class _Over:
    """Where something stays over the feet.

    Where the given pose is out of balance, as one that sits, it may stay so: it gets no further out.

    Args:
        structure: The goals.
        support: What stays over which feet.
    """

    def __init__(self, structure: Structure, support: Support) -> None:
        skeleton, self._support = structure.skeleton, support
        self._joint = skeleton.index(support.joint)
        self._feet = np.array([[skeleton.index(foot.ankle), skeleton.index(foot.toes)] for foot in support.feet])
        self._up = "xyz".index(skeleton.up)
        self._columns = np.array([_columns(structure, foot) for foot in support.feet])

    def goal(self, priority: int) -> Goal:
        """That it stays there: a column about a position that `middles` gives."""
        half = [self._support.slack] * 3
        half[self._up] = np.inf
        box = Box((half[0], half[1], half[2]))
        return Reach(self._support.joint, np.zeros(3), weight=BALANCE, within=box, priority=priority)

    def middles(self, stood: Array, numbers: Array) -> Array:
        """`[problem, 3]` between the feet as the targets have them, moved by as much as the given poses are out of
        balance, whose frames are `stood [problem, joint, 4, 4]`.
        """
        out, own = np.empty((len(stood), 3)), self._support
        _middles(stood, self._joint, self._feet, self._columns, numbers, self._up, own.slack, own.lifted, out)
        return out


@kernel
def _middles(frames, joint, feet, columns, numbers, up, slack, lifted, out):
    """As `_Over.middles`. feet: `[foot, 2]` ankle and toes. columns: `[foot, 3]` of the numbers; -1: the foot stays."""
    ankles, middle, wanted = np.empty((len(feet), 3)), np.empty(3), np.empty(3)
    for n in range(len(frames)):
        for foot in range(len(feet)):
            for i in range(3):
                ankles[foot, i] = frames[n, feet[foot, 0], i, 3]
        _middle_of(frames[n], feet, ankles, up, lifted, middle)
        for foot in range(len(feet)):
            for i in range(3):
                if columns[foot, i] >= 0:
                    ankles[foot, i] = numbers[n, columns[foot, i]]
        _middle_of(frames[n], feet, ankles, up, lifted, wanted)
        for i in range(3):
            away = frames[n, joint, i, 3] - middle[i]
            out[n, i] = wanted[i] + away - min(max(away, -slack), slack)


@inner_kernel
def _middle_of(frames, feet, ankles, up, lifted, out):
    """Between the feet that bear, `ankles [foot, 3]`, each half as far ahead as its toes are in the frames `frames`."""
    lowest, total = math.inf, 0.0
    for foot in range(len(feet)):
        lowest = min(lowest, ankles[foot, up] + _ahead(frames, feet, foot, up))
    out[:] = 0.0
    for foot in range(len(feet)):
        bears = max(1.0 - (ankles[foot, up] + _ahead(frames, feet, foot, up) - lowest) / lifted, 0.0)
        total += bears
        for i in range(3):
            out[i] += bears * (ankles[foot, i] + _ahead(frames, feet, foot, i))
    for i in range(3):
        out[i] /= total


@inner_kernel
def _ahead(frames, feet, foot, i):
    return 0.5 * (frames[feet[foot, 1], i, 3] - frames[feet[foot, 0], i, 3])


def _columns(structure: Structure, foot: Foot) -> list[int]:
    """Where the numbers of the targets say the position of a foot; -1 if it stays."""
    if foot.term < 0:
        return [-1, -1, -1]
    first = int(structure.problem.terms[foot.term, OFFSET])
    return [first + k for k in ((3, 7, 11) if structure.goal_set.rows[foot.term].form == FRAME else (0, 1, 2))]
