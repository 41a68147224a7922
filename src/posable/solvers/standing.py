"""Starting poses in which standing feet stay in place: a first solve with the feet among the goals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from posable.goals import Place
from posable.goals.starts import Stands
from posable.goals.term_arrays import FINE
from posable.skeleton import Pose
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import Batch
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure, build_structure
from posable.solvers.weights import Weighted
from posable.spatial import Array

MOST = 30  # iterations: the start is near
LAST = 7  # the highest priority number


class Standing:
    """The starting poses of solves of a structure in which some joints are kept in place.

    They are kept as far as the goals allow: the solve that follows does not know them, and moves no more than it must.

    Args:
        structure: The goals.
        stands: The joints to keep.
    """

    def __init__(self, structure: Structure, stands: Sequence[Stands]) -> None:
        skeleton, options = structure.skeleton, structure.options
        self._skeleton = skeleton
        self._joints = [skeleton.index(one.joint) for one in stands]
        self._proposed = np.array([one.proposed for one in stands])
        after = min(structure.problem.levels + 1, LAST)
        places = [
            Place(one.joint, np.eye(4), one.position_weight, one.rotation_weight, priority=0 if one.first else after)
            for one in stands
        ]
        self._counts = [place.own_weight for place in places]
        most = min(options.max_iterations, MOST)
        held = build_structure(
            skeleton, (*structure.goal_set.goals, *places), replace(options, restarts=0, max_iterations=most)
        )
        self._engine = LeastSquares().engine(held)
        self._weighted = Weighted(held, LeastSquares(), self._engine)
        self._of_goals = Targets(skeleton, held.goal_set).parts[-len(places)].start

    def of(self, given: Array, starts: Array, numbers: Array, springs: Array | None, weights: Array | None) -> Array:
        """`[problem, coordinates]` the starting poses.

        Args:
            given: `[problem, coordinates]` the poses that the solves were given.
            starts: `[problem, coordinates]` the starting poses without `stands`.
            numbers: `[problem, number]` the targets, as the kernels read them.
            springs: The poses of the soft goals, as in `Batch`.
            weights: `[problem, goal]`, or None for the goals' own.
        """
        count = len(starts)
        stood, proposed = (
            Pose.trusted(self._skeleton, poses).world_from_joint[:, self._joints] for poses in (given, starts)
        )
        frames = np.where(self._proposed[:, None, None], proposed, stood).reshape(count, -1)
        told = np.hstack([numbers[:, : self._of_goals], frames])
        if weights is not None:
            weights = np.hstack([weights, np.tile(self._counts, (count, 1))])
        out, counts = np.empty_like(starts), np.zeros((count, 3), np.int64)
        engine = self._engine if weights is None else self._weighted
        batch = Batch(starts.copy(), told, springs, weights)
        fault = engine.run(batch, out, counts, np.empty((count, 0, starts.shape[1])))
        return out if fault[0] == FINE else starts  # the main solve finds the same fault, and names it
