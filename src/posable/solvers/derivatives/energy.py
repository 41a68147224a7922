"""The goals of some problems as residuals, with their derivatives by pose, targets and bones."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import NDArray

from posable.goals.evaluation import evaluate_terms, term_jacobians, terms_of
from posable.goals.term_arrays import WEIGHT
from posable.skeleton import Pose
from posable.solvers.derivatives.bodies import pull_wrenches
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure
from posable.spatial import Array

STEP = 1e-6
"""Of the reach, or radians: of a difference of exact first derivatives."""


class Energy:
    """The residuals of the goals of some problems."""

    def __init__(self, structure: Structure, numbers: Array, weights: Array | None) -> None:
        self.structure, self.skeleton, self.numbers = structure, structure.skeleton, numbers
        goal_set, self._parts = structure.goal_set, Targets(structure.skeleton, structure.goal_set).parts
        self.terms = terms_of(goal_set.hard, goal_set.rows_of, self.skeleton, 1.0, 1.0)
        self.goal_of = np.array([k for k, own in enumerate(goal_set.rows_of) for _ in own for _ in range(3)])
        sizes = np.array([1.0 / self.skeleton.reach if row.is_length else 1.0 for row in goal_set.rows])
        own = np.array([goal.own_weight for goal in goal_set.goals])
        self.weights = np.broadcast_to(own, (len(numbers), len(own))) if weights is None else weights
        counts = np.repeat(structure.problem.measures[:, WEIGHT] * sizes**2, 3)
        self.counts = counts * (self.weights / own)[:, self.goal_of]  # [problem, m] w of every number, in lengths

    def only(self, which: NDArray[np.int64]) -> Energy:
        """That of some of the problems."""
        part = copy(self)
        part.numbers, part.weights, part.counts = self.numbers[which], self.weights[which], self.counts[which]
        return part

    def at(self, pose: Pose, numbers: Array | None = None) -> tuple[Array, Array]:
        """(`[pose, m]` residuals r, `[pose, m, dof]` their derivative along plus)."""
        residual, rows = self._rows(pose, numbers)
        return residual, term_jacobians(self.terms, self.structure.goal_set.rows, pose, rows)

    def _rows(self, pose: Pose, numbers: Array | None) -> tuple[Array, Array]:
        told = self.numbers if numbers is None else numbers
        told = np.broadcast_to(told, (len(pose.q), told.shape[-1]))
        residual, rows = evaluate_terms(self.terms, pose.world_from_joint, told)
        return residual.reshape(len(pose.q), -1), rows

    def gradient(self, pose: Pose, numbers: Array | None = None) -> Array:
        """`[pose, dof]` of E along plus."""
        residual, jacobian = self.at(pose, numbers)
        return np.einsum("nm,nmd->nd", self.counts * residual, jacobian)

    def before_and_after(self, goal: int) -> tuple[list[tuple[Array, Array]], Array]:
        """The numbers with the target of a goal a little before and after along each of its k directions, and the
        lengths `[k]` of these steps.
        """
        asked, part = self.structure.goal_set.goals[goal], self._parts[goal]
        kind, shape = asked.KIND, asked.SHAPE
        target = self.numbers[:, part].reshape(-1, *shape)
        lengths = [STEP * self.skeleton.reach] * 3 if kind.position(target) is not None else []
        lengths += [STEP] * 3 if kind.wxyz(target) is not None else []
        pairs = []
        for step in np.diag(np.array(lengths)):
            told = self.numbers.copy(), self.numbers.copy()
            for one, way in zip(told, (step, -step), strict=True):
                moved = kind.stepped_back(target, np.broadcast_to(way, (len(target), len(way))))
                one[:, part] = moved.reshape(len(target), -1)
            pairs.append(told)
        return pairs, np.array(lengths)

    def by_target(self, pose: Pose, force: Array, places: Array, goal: int) -> Array:
        """`[pose, k]`: `force [pose, m]` on the residuals, pulled back to a target; `places` of `pull_met`."""
        own = self.structure.goal_set.rows_of[goal]
        if any(row.other >= 0 and not row.is_side for row in own):  # in the frame of a joint
            return np.einsum("nm,nmk->nk", force, self.residual_by_target(pose, goal))
        terms = np.flatnonzero(self.goal_of[::3] == goal)
        moves = [places[:, k] for k, row in zip(terms, own, strict=True) if not row.is_rotation]
        turns = [force[:, 3 * k : 3 * k + 3] for k, row in zip(terms, own, strict=True) if row.is_rotation]
        return np.concatenate([np.sum(parts, axis=0) for parts in (moves, turns) if parts], axis=1)

    def residual_by_target(self, pose: Pose, goal: int) -> Array:
        """`[pose, m, k]`."""
        pairs, lengths = self.before_and_after(goal)
        change = [self._rows(pose, after)[0] - self._rows(pose, before)[0] for before, after in pairs]
        return np.stack(change, axis=-1) / (2.0 * lengths)

    def by_offsets(self, pose: Pose, force: Array) -> Array:
        """`[pose, joint, 3]`: `force [pose, m]` on the residuals, pulled back to the joints' offsets."""
        _, rows = self._rows(pose, None)
        total = np.zeros((len(pose.q), len(self.skeleton.joints), 6))
        for k, row in enumerate(self.structure.goal_set.rows):
            own = force[:, 3 * k : 3 * k + 3]
            for part, joint in enumerate(row.bodies):
                total[:, joint] -= np.einsum("nij,ni->nj", rows[:, k, 3 * part : 3 * part + 3], own)
        return pull_wrenches(pose, total).offsets
