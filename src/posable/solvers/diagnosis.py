"""Why a solve did not reach: proofs and further solves that justify the status."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError
from posable.goals import Goal
from posable.goals.term_arrays import OFFSET, TOLERANCE
from posable.skeleton import Cone, Joint, Pose, Skeleton
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import OUTCOME, Batch, Engine
from posable.solvers.packing import Targets, Values
from posable.solvers.problem import Structure, locked_motions
from posable.solvers.reach_bound import least_distances
from posable.solvers.solution import Status, active_limits
from posable.spatial import Array

_DIAGNOSED_AT_ONCE = 4096  # problems diagnosed at once
_NEGLIGIBLE_GAIN = 1e-3  # share of the residual


class Problems(NamedTuple):
    """Solves that did not reach: their final poses, and their targets as kernels take them."""

    q: Array
    numbers: Array
    springs: Array | None

    def at(self, chosen: NDArray[np.bool_]) -> Problems:
        """Some of them."""
        return Problems(self.q[chosen], self.numbers[chosen], None if self.springs is None else self.springs[chosen])


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """One finished batch, flat: its targets and its results."""

    engine: Engine
    targets: Targets
    values: Values
    pose: Pose
    outcomes: NDArray[np.int64]

    def statuses(self) -> NDArray[np.int64]:
        """`[problem]` of Status."""
        found = np.zeros(len(self.outcomes), np.int64)
        flat = self.pose.q.reshape(len(self.outcomes), -1)
        for first in range(0, len(found), _DIAGNOSED_AT_ONCE):
            block = slice(first, min(first + _DIAGNOSED_AT_ONCE, len(found)))
            failed = self.outcomes[block] != REACHED
            if failed.any():
                asked = self.targets.rows(self.values, self.pose.shape, block)
                problems = Problems(flat[block], *asked).at(failed)
                found[block][failed] = self._why(problems, self.outcomes[block][failed])
        return found

    def _why(self, problems: Problems, outcomes: NDArray[np.int64]) -> NDArray[np.int64]:
        structure = self.engine.structure
        found = np.full(len(outcomes), int(Status.LOCAL_MINIMUM))
        unknown = np.ones(len(outcomes), bool)

        def settle(status: Status, known: NDArray[np.bool_]) -> None:
            found[np.flatnonzero(unknown)[known]] = status
            unknown[unknown] = ~known

        settle(Status.OUT_OF_REACH, self._proved_out_of_reach(problems))
        exhausted = outcomes[unknown] == EXHAUSTED
        if exhausted.any():
            exhausted[exhausted] = ~self._come_to_rest(problems.at(unknown).at(exhausted))
            settle(Status.OUT_OF_ITERATIONS, exhausted)
        if not structure.goal_set.custom and unknown.any():  # nothing can be proved about a function of the user
            settle(Status.AT_LIMIT, self._limits_explain(problems.at(unknown)))
            settle(Status.COMPROMISE, self._contradictory(problems.at(unknown)))
        return found

    def _proved_out_of_reach(self, problems: Problems) -> NDArray[np.bool_]:
        structure = self.engine.structure
        problem, poses = structure.problem, Pose.trusted(structure.skeleton, problems.q)
        locked, proved = locked_motions(structure), np.zeros(len(problems.q), bool)
        for k, row in enumerate(structure.goal_set.rows):
            if row.is_point and row.is_plain and row.weight > 0:
                targets = row.position(problems.numbers[:, int(problem.terms[k, OFFSET]) :])
                tip = np.array(row.constants[:3])
                bounds = least_distances(poses, problem.first_motion, locked, row.joint, tip, targets)
                proved |= bounds * problem.scale > problem.measures[k, TOLERANCE]
        return proved

    def _hard_goals(self, problems: Problems) -> list[Goal]:
        return self.targets.hard(self.targets.goals_of(problems.numbers, None))

    def _solved(self, problems: Problems, structure: Structure) -> tuple[NDArray[np.bool_], Array]:
        """(which are reached, coordinates) of another structure, each starting from its final pose. Where the method
        refuses its goals, such as a rotation alone of a limb, the default one solves them.
        """
        try:
            engine = self.engine.on(structure)
        except MethodError:
            engine = LeastSquares().engine(structure)
        return _run(engine, problems)

    def _limits_explain(self, problems: Problems) -> NDArray[np.bool_]:
        """Whether the goals are met without the active limits and those that become active after these, and are not met
        within all limits by one more search, from the pose that is found without them.
        """
        structure = self.engine.structure
        met, q = self._freed(problems, structure)
        if met.any():
            again = structure._replace(options=replace(structure.options, seed=structure.options.seed ^ 1))
            met[met] = ~_run(LeastSquares().engine(again), problems._replace(q=q).at(met))[0]
        return met

    def _freed(self, problems: Problems, structure: Structure) -> tuple[NDArray[np.bool_], Array]:
        """(which are met, coordinates) without the active limits."""
        met, q = np.zeros(len(problems.q), bool), problems.q.copy()
        poses = Pose.trusted(structure.skeleton, problems.q)
        held = active_limits(poses, self._hard_goals(problems), ~met)
        for limits in np.unique(held, axis=0):
            if limits.any():
                own = (held == limits).all(axis=1)
                freed = structure.on(_released(structure.skeleton, limits))
                met[own], q[own] = self._solved(problems.at(own), freed)
                left = own & ~met
                if left.any():
                    met[left], q[left] = self._freed(problems._replace(q=q).at(left), freed)
        return met, q

    def _come_to_rest(self, problems: Problems) -> NDArray[np.bool_]:
        """Whether further iterations gain almost nothing: where bodies touch, the gradient is discontinuous, and the
        steps along the discontinuity shrink without end.
        """
        structure = self.engine.structure
        if not any(row.is_contact and row.weight > 0 for row in structure.goal_set.rows):
            return np.zeros(len(problems.q), bool)
        once = structure._replace(options=replace(structure.options, restarts=0))
        goals, left = self._hard_goals(problems), []
        for q in (problems.q, self._solved(problems, once)[1]):
            pose = Pose.trusted(structure.skeleton, q)
            left.append(np.linalg.norm(np.concatenate([goal.residual(pose) for goal in goals], axis=-1), axis=-1))
        return np.abs(left[0] - left[1]) <= _NEGLIGIBLE_GAIN * left[0]

    def _contradictory(self, problems: Problems) -> NDArray[np.bool_]:
        """Whether each goal is met alone, and collision avoidance together with it."""
        structure = self.engine.structure
        goal_set, rows = structure.goal_set, structure.goal_set.rows
        of_goal = np.repeat(np.arange(len(goal_set.rows_of)), [len(own) for own in goal_set.rows_of])
        counted = np.array([row.weight > 0 and row.counts and not row.is_contact for row in rows])
        apart = np.array([row.is_contact and row.weight > 0 for row in rows])
        parts = [counted & (of_goal == n) for n in range(len(goal_set.rows_of))] + [apart]
        parts = [one for one in parts if one.any()]
        alone = np.full(len(problems.q), len(parts) > 1)
        for part in parts:
            if alone.any():
                alone[alone] = self._solved(problems.at(alone), structure.only(part))[0]
        return alone


def _run(engine: Engine, problems: Problems) -> tuple[NDArray[np.bool_], Array]:
    """(which are reached, coordinates), each from its final pose."""
    q, count = problems.q, len(problems.q)
    out, counts = np.empty(q.shape), np.zeros((count, 3), np.int64)
    engine.run(Batch(q.copy(), problems.numbers, problems.springs), out, counts, np.empty((count, 0, q.shape[1])))
    return counts[:, OUTCOME] == REACHED, out


def _released(skeleton: Skeleton, touched: NDArray[np.bool_]) -> Skeleton:
    """The skeleton without the active limits."""
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
