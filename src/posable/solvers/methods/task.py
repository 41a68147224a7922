"""The input of a classical method: goals on a skeleton, with the targets of every problem of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import GoalError
from posable.goals import Custom, Row
from posable.goals.evaluation import Terms, evaluate_terms, term_jacobians, terms_of
from posable.goals.soft import outside
from posable.goals.term_arrays import OFFSET, WEIGHT, weight_of
from posable.skeleton import Pose, Skeleton
from posable.solvers.problem import Structure
from posable.spatial import Array

# Custom goals as rows besides those of the others: Python, one problem after the other.


class CustomRows(NamedTuple):
    """The residuals of several Custom goals for a batch of poses."""

    residual: Array  # [problem, row]
    left: Array  # [problem, goal] the length of each goal's rows
    weights: Array  # [row]


def custom_rows(goals: Sequence[Custom], pose: Pose) -> CustomRows:
    """The rows at the poses `[problem]`. Raises GoalError unless these are finite numbers, always equally many."""
    parts = [_same_everywhere(goal, [goal.residual(pose[n]) for n in range(len(pose))]) for goal in goals]
    left = np.stack([np.linalg.norm(part, axis=1) for part in parts], axis=1)
    weights = [np.full(part.shape[1], float(goal.weight)) for goal, part in zip(goals, parts, strict=True)]
    return CustomRows(np.concatenate(parts, axis=1), left, np.concatenate(weights))


def custom_jacobians(goals: Sequence[Custom], pose: Pose) -> Array:
    """`[problem, row, dof]` the derivatives of the residuals."""
    return np.stack([np.concatenate([goal.jacobian(pose[n]) for goal in goals]) for n in range(len(pose))])


def _same_everywhere(goal: Custom, rows: list[Array]) -> Array:
    """`[problem, row]`; no rows where there are no problems."""
    sizes = {len(row) for row in rows}
    if len(sizes) > 1:
        raise GoalError(f"{goal._label} gave {min(sizes)} numbers for one pose and {max(sizes)} for another")
    return np.array(rows).reshape(len(rows), max(sizes, default=0))


class Measured(NamedTuple):
    """The errors of a batch of poses."""

    residual: Array  # [problem, row]: lengths in the figure's unit, radians; those of Custom goals come last
    left: Array  # [problem, term] the size of each, a Custom goal being one
    met: NDArray[np.bool_]  # [problem] whether everything is within its tolerance
    cost: Array  # [problem] half the weighted sum of squares, lengths in reaches
    weights: Array  # [row] the weight of the square of each number of the residual
    rows: Array  # [problem, term of a hard goal, 9, 6] as the formulas of the goals fill them


class Effector(NamedTuple):
    """A joint with a target position of one of its points, a target rotation, or both."""

    joint: int
    tip: Array  # [3] in the joint's frame
    position: Array | None  # [problem, 3] the target in the world, or None
    rotation: Array | None  # [problem, 3, 3] the target in the world, or None
    weight: float
    rotation_weight: float


@dataclass(frozen=True, eq=False)
class Task:
    """Goals and the numbers of a batch of problems; all arrays have the problems on their first axis."""

    structure: Structure
    numbers: Array
    springs: Array | None
    """`[problem, spring, coordinates]` the poses of the soft goals' springs."""
    plan: Any = None
    """The method's data for this structure (`Method.plan`)."""

    @property
    def skeleton(self) -> Skeleton:
        return self.structure.skeleton

    @property
    def free(self) -> NDArray[np.bool_]:
        """`[dof]` which freedoms may move."""
        return self.structure.free

    @cached_property
    def unit(self) -> Array:
        """`[dof]` 1 for rotations, the figure's reach for slides: steps in these do not depend on the file's units."""
        return np.where(self.skeleton.slides, self.skeleton.reach, 1.0)

    @cached_property
    def stated(self) -> tuple[Row, ...]:
        """The terms of the hard goals."""
        return self.structure.goal_set.rows

    @cached_property
    def weights(self) -> Array:
        """`[row]` the weight of the square of each number of the hard goals' residual."""
        return np.repeat(
            np.array([weight_of(row, self.skeleton.reach) for row in self.stated]) * self.structure.switched_on, 3
        )

    @cached_property
    def terms(self) -> Terms:
        s, options = self.structure, self.structure.options
        return terms_of(s.goal_set.hard, s.goal_set.rows_of, s.skeleton, options.tolerance, options.angle_tolerance)

    @cached_property
    def _allowed(self) -> Array:
        return allowed_sizes(self.structure, self.structure.options.tolerance)

    def measure(self, pose: Pose) -> Measured:
        """The errors of the poses `[problem]`. Raises GoalError for invalid numbers of a Custom goal."""
        residual, rows = evaluate_terms(self.terms, pose.world_from_joint, self.numbers)
        left = np.linalg.norm(residual, axis=-1)
        flat, weights = residual.reshape(len(residual), 3 * residual.shape[1]), self.weights
        if self.structure.goal_set.custom:
            own = custom_rows(self.structure.goal_set.custom, pose)
            flat, left = np.concatenate([flat, own.residual], axis=1), np.concatenate([left, own.left], axis=1)
            weights = np.concatenate([weights, own.weights])
        cost = 0.5 * (flat * flat) @ weights
        return Measured(flat, left, np.all(left <= self._allowed, axis=1), cost, weights, rows)

    def jacobian(self, pose: Pose, measured: Measured) -> Array:
        """`[problem, row, dof]` minus the derivative of the residual by the freedoms. Locked freedoms have zero
        columns.
        """
        blocks = [np.zeros((len(pose.q), 0, self.skeleton.dof))]
        if self.stated:
            blocks.append(-term_jacobians(self.terms, self.stated, pose, measured.rows))
        if self.structure.goal_set.custom:
            blocks.append(-custom_jacobians(self.structure.goal_set.custom, pose))
        return np.where(self.free, np.concatenate(blocks, axis=1), 0.0)

    def pull(self, pose: Pose) -> tuple[Array, Array]:
        """The pull of the soft goals: (the displacement `[problem, dof]` to their targets in radians and reaches, by
        their relative weights; half its weighted square `[problem]`). Locked freedoms are not pulled.
        """
        way, energy = np.zeros((len(pose.q), self.skeleton.dof)), np.zeros(len(pose.q))
        if self.springs is None:
            return way, energy
        for spring, spring_poses in zip(self.structure.goal_set.springs, np.swapaxes(self.springs, 0, 1), strict=True):
            away = np.where(
                self.free, outside(spring, Pose.trusted(self.skeleton, spring_poses).minus(pose)) / self.unit, 0.0
            )
            way += spring.weight * away
            energy += 0.5 * (spring.weight * away * away).sum(axis=1)
        strongest = np.sum([spring.weight for spring in self.structure.goal_set.springs], axis=0).max()
        return way / strongest, energy / strongest

    @cached_property
    def effectors(self) -> tuple[Effector, ...]:
        """The target positions and rotations in the world, those of one joint and tip together."""
        found: list[Effector] = []
        problem = self.structure.problem
        for row, terms, measures in zip(self.stated, problem.terms, problem.measures, strict=True):
            if measures[WEIGHT] == 0 or not row.is_plain:
                continue
            numbers = self.numbers[:, int(terms[OFFSET]) :]
            if row.is_point:
                tip = np.array(row.constants[:3])
                _put(found, Effector(row.joint, tip, row.position(numbers), None, row.weight, 0.0))
            else:
                _put(found, Effector(row.joint, np.zeros(3), None, row.rotation(numbers), 0.0, row.weight))
        return tuple(found)

    def at(self, which: NDArray[np.int64]) -> Task:
        """The problems `which` alone."""
        springs = None if self.springs is None else self.springs[which]
        return replace(self, numbers=self.numbers[which], springs=springs)


def allowed_sizes(structure: Structure, tolerance: float) -> Array:
    """`[term]` the tolerance of each, Custom goals last, lengths by `tolerance`; infinite where it does not count."""
    angle, rows = structure.options.angle_tolerance, structure.goal_set.rows
    counts = structure.switched_on & np.array([row.counts for row in rows], bool)
    slack = structure.skeleton.reach * np.array([row.slack for row in rows])
    sizes = np.array([tolerance if row.is_length else angle for row in rows]) + slack
    own = np.where(counts, sizes, np.inf)
    custom = [goal.tolerance if goal.weight > 0 else np.inf for goal in structure.goal_set.custom]
    return np.concatenate([own, custom])


def _put(found: list[Effector], new: Effector) -> None:
    """Add an effector; merge it with one of the same joint that lacks its target."""
    for k, old in enumerate(found):
        if old.joint == new.joint and old.rotation is None and new.rotation is not None:
            found[k] = old._replace(rotation=new.rotation, rotation_weight=new.rotation_weight)
            return
        if old.joint == new.joint and old.position is None and new.position is not None:
            found[k] = new._replace(rotation=old.rotation, rotation_weight=old.rotation_weight)
            return
    found.append(new)
