"""Why a solve did not reach: proofs and further solves that earn the status."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError
from posable.goals import Goal
from posable.goals.term_arrays import OFFSET, TOLERANCE
from posable.skeleton import Cone, Joint, Pose, Skeleton
from posable.solvers.blocking_limits import limits_that_hold
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import Engine, solved_from
from posable.solvers.packing import Targets, Values
from posable.solvers.problem import Structure, locked_motions
from posable.solvers.status import Status
from posable.spatial import Array

# Proofs that a place cannot be reached: the annulus of a chain of rigid pieces of known lengths.


_PARALLEL = 1e-9


def least_distance(
    pose: Pose, first_motion: NDArray[np.int64], locked: NDArray[np.bool_], joint: int, tip: Array, target: Array
) -> float:
    """A distance that the point `tip` of `joint` keeps from `target` in every pose, limits or not.

    The pieces between the joints that may turn keep their lengths, so the point stays within the sum of them of the
    first joint that may, and no nearer than the longest piece less all the others. Where all turn about parallel
    axes, the point keeps its height along these too, and the annulus is that of the lengths across. A slide, or a free
    joint that may move, proves nothing (0); what is locked counts as rigid in the pose it has.
    """
    pieces = _pieces(pose, first_motion, locked, joint, tip)
    if pieces is None:
        return 0.0
    vectors, base, axis = pieces
    away, height = target - base, 0.0
    if axis is not None:
        height = float((away - vectors.sum(axis=0)) @ axis)
        away = away - (away @ axis) * axis
        vectors = vectors - np.outer(vectors @ axis, axis)
    nearest, farthest = annulus([float(length) for length in np.linalg.norm(vectors, axis=1)])
    distance = float(np.linalg.norm(away))
    return math.hypot(height, max(0.0, distance - farthest, nearest - distance))


def annulus(lengths: list[float]) -> tuple[float, float]:
    """The nearest and farthest that the end of a chain of balls with these piece lengths can be from its base."""
    total = math.fsum(lengths)
    return max(0.0, 2 * max(lengths, default=0.0) - total), total


def _pieces(
    pose: Pose, first_motion: NDArray[np.int64], locked: NDArray[np.bool_], joint: int, tip: Array
) -> tuple[Array, Array, Array | None] | None:
    """The rigid pieces `[piece, 3]` as they stand, where the first turning joint is, and the direction of all axes
    where they are parallel. None where nothing can be proved."""
    matrices = pose.world_from_joint
    base = matrices[joint, :3, :3] @ tip + matrices[joint, :3, 3]
    vectors: list[Array] = []
    directions: list[Array | None] = []
    for j in reversed(pose.skeleton.chain(joint)):
        first, last = int(first_motion[j]), int(first_motion[j + 1])
        moving = [m - first for m in range(first, last) if not locked[m]]
        if not moving:
            continue
        if any(_proves_nothing(pose, j, motion) for motion in moving):
            return None
        pivot = matrices[j, :3, 3] + matrices[j, :3, :3] @ _pivot(pose, j)
        vectors += [base - pivot, *_slack(pose, j)]
        directions.append(_single_axis(pose, j))
        base = pivot
    return np.array(vectors).reshape(-1, 3), base, _common(directions)


def _proves_nothing(pose: Pose, j: int, motion: int) -> bool:
    """A slide changes the length of its piece."""
    if pose.skeleton.definitions[j].floating:
        return motion < 3
    axes = pose.skeleton.definitions[j].axes
    return bool(axes) and axes[motion].slide


def _slack(pose: Pose, j: int) -> list[Array]:
    """How much farther turns about different points take the end than the same turns about the first of these points:
    for each, at most twice the way between the two."""
    anchors = np.array([axis.anchor for axis in pose.skeleton.definitions[j].axes]).reshape(-1, 3)
    length = 2 * float(np.linalg.norm(anchors - anchors[:1], axis=1).sum())
    return [np.array([length, 0.0, 0.0])] if length > 0 else []


def _pivot(pose: Pose, j: int) -> Array:
    """A point of the joint's frame about which it turns."""
    axes = pose.skeleton.definitions[j].axes
    return np.asarray(axes[0].anchor if axes else pose.skeleton.tables.anchor[j], float)


def _single_axis(pose: Pose, j: int) -> Array | None:
    """The world direction of a joint with one axis."""
    axes = pose.skeleton.definitions[j].axes
    return pose.world_from_joint[j, :3, :3] @ np.array(axes[0].direction) if len(axes) == 1 else None


def _common(directions: list[Array | None]) -> Array | None:
    """The direction to which all are parallel."""
    if not directions or any(one is None for one in directions):
        return None
    stacked = np.array(directions)
    across = np.linalg.norm(np.cross(stacked, stacked[0]), axis=1).max()
    return stacked[0] if across < _PARALLEL else None


_NOTHING_WON = 1e-3  # of what is left


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """One finished batch, flat: what was asked and what came of it."""

    engine: Engine
    targets: Targets
    values: Values
    pose: Pose
    outcomes: NDArray[np.int64]

    def statuses(self) -> NDArray[np.int64]:
        """`[problem]` of Status."""
        found = np.zeros(len(self.outcomes), np.int64)
        for n in np.flatnonzero(self.outcomes != REACHED):
            found[n] = self._why(int(n))
        return found

    @cached_property
    def _flat(self) -> Array:
        return self.pose.q.reshape(len(self.outcomes), self.pose.q.shape[-1])

    def _asked(self, n: int) -> tuple[Array, Array | None]:
        """The numbers and the springs' wishes of problem `n`, as the kernels take them."""
        return self.targets.rows(self.values, self.pose.shape, slice(n, n + 1))

    def _hard_goals(self, n: int) -> list[Goal]:
        return self.targets.hard(self.targets.goals_of(self._asked(n)[0][0], None))

    def _limits_explain(self, n: int) -> bool:
        """Whether the goals are met without the limits that hold the figure, and those that hold it after these."""
        structure = self.engine.structure
        goals = self._hard_goals(n)
        pose = Pose.trusted(structure.skeleton, self._flat[n])
        while (held := limits_that_hold(pose, goals, np.array(True))).any():
            structure = structure.on(_released(structure.skeleton, held))
            outcome, q = self._solved(n, structure)
            if outcome == REACHED:
                return True
            pose = Pose.trusted(structure.skeleton, q)
        return False

    def _why(self, n: int) -> Status:
        if self._proved_out_of_reach(n):
            return Status.OUT_OF_REACH
        if self.outcomes[n] == EXHAUSTED and not self._comes_to_rest(n):
            return Status.OUT_OF_ITERATIONS
        if self.engine.structure.wishes.custom:  # nothing more can be known of a function of the user's
            return Status.LOCAL_MINIMUM
        if self._limits_explain(n):
            return Status.AT_LIMIT
        if self._contradictory(n):
            return Status.COMPROMISE
        return Status.LOCAL_MINIMUM

    def _proved_out_of_reach(self, n: int) -> bool:
        structure = self.engine.structure
        problem, pose = structure.problem, Pose.trusted(structure.skeleton, self._flat[n])
        targets = self._asked(n)[0][0]
        locked = locked_motions(structure)
        for k, row in enumerate(structure.wishes.rows):
            if row.is_point and row.is_plain and row.weight > 0:
                target = row.position(targets[int(problem.terms[k, OFFSET]) :])
                tip = np.array(row.constants[:3])
                bound = least_distance(pose, problem.first_motion, locked, row.joint, tip, target)
                if bound * problem.scale > problem.measures[k, TOLERANCE]:
                    return True
        return False

    def _solved(self, n: int, structure: Structure) -> tuple[int, Array]:
        """(outcome, coordinates) of another structure with the targets of number `n`, starting from the pose that was
        found. What its method cannot be asked, a turn alone of a limb, say, the default one is.
        """
        try:
            engine = self.engine.on(structure)
        except MethodError:
            engine = LeastSquares().engine(structure)
        return solved_from(engine, self._flat[n], *self._asked(n))

    def _comes_to_rest(self, n: int) -> bool:
        """Whether going on wins nothing to speak of: where bodies touch, the pull has kinks, and the steps along them
        grow ever smaller without an end.
        """
        structure = self.engine.structure
        if not any(row.is_contact and row.weight > 0 for row in structure.wishes.rows):
            return False
        once = structure._replace(options=replace(structure.options, restarts=0))
        poses = [Pose.trusted(structure.skeleton, q) for q in (self._flat[n], self._solved(n, once)[1])]
        goals = self._hard_goals(n)
        left = [np.linalg.norm(np.concatenate([goal.residual(pose) for goal in goals])) for pose in poses]
        return bool(abs(left[0] - left[1]) <= _NOTHING_WON * left[0])

    def _contradictory(self, n: int) -> bool:
        """Each term is met when it stands alone, and all that is to keep apart together."""
        structure = self.engine.structure
        rows = structure.wishes.rows
        wanted = [np.arange(len(rows)) == k for k, row in enumerate(rows) if row.weight > 0 and row.counts]
        apart = np.array([row.is_contact and row.weight > 0 for row in rows])
        parts = [one for one in wanted if not (one & apart).any()] + ([apart] if apart.any() else [])
        return len(parts) > 1 and all(self._solved(n, structure.only(part))[0] == REACHED for part in parts)


def _released(skeleton: Skeleton, touched: NDArray[np.bool_]) -> Skeleton:
    """The skeleton without the limits that are touched."""
    joints = []
    for j, joint in enumerate(skeleton.definitions):
        own = touched[list(skeleton.freedom_range(j))]
        joints.append(_without(joint, own) if own.any() else joint)
    return Skeleton(joints, skeleton.up)


def _without(joint: Joint, touched: NDArray[np.bool_]) -> Joint:
    if joint.cone is not None:
        cone = Cone(
            joint.cone.axis,
            np.pi if touched[0] else joint.cone.swing,
            (-np.pi, np.pi) if touched[1] else joint.cone.twist,
            joint.cone.center,
        )
        return replace(joint, cone=cone)
    free = iter(touched.tolist())
    axes = tuple(
        replace(axis, lower=-np.inf, upper=np.inf) if axis.follow is None and next(free) else axis
        for axis in joint.axes
    )
    return replace(joint, axes=axes)
