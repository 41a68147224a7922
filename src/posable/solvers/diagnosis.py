"""Why a solve did not reach: proofs and further solves that earn the status."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.goals.terms import POSITION
from posable.skeleton import Cone, Joint, Pose, Skeleton
from posable.solvers.descent import EXHAUSTED, REACHED
from posable.solvers.holding import limits_that_hold
from posable.solvers.problem import Coupling, Problem, Wishes
from posable.solvers.reach_bounds import least_distance
from posable.solvers.restarts import solve_all
from posable.solvers.status import Status
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """One finished batch, flat: what was asked and what came of it."""

    wishes: Wishes
    problem: Problem
    coupling: Coupling | None
    parameters: Array
    pose: Pose
    outcomes: NDArray[np.int64]
    most: int
    restarts: int
    seed: int

    def statuses(self) -> NDArray[np.int64]:
        """`[problem]` of Status."""
        found = np.zeros(len(self.outcomes), np.int64)
        for n in np.flatnonzero(self.outcomes != REACHED):
            found[n] = self._why(int(n))
        return found

    @cached_property
    def _flat(self) -> Array:
        return self.pose.q.reshape(len(self.outcomes), self.pose.q.shape[-1])

    @cached_property
    def _held(self) -> NDArray[np.bool_]:
        unmet = (self.outcomes != REACHED).reshape(self.pose.shape)
        return limits_that_hold(self.pose, self.wishes.hard, unmet).reshape(len(self.outcomes), self.pose.skeleton.dof)

    def _why(self, n: int) -> Status:
        if self._proved_out_of_reach(n):
            return Status.OUT_OF_REACH
        if self.outcomes[n] == EXHAUSTED:
            return Status.OUT_OF_ITERATIONS
        held = self._held[n]
        if held.any() and self._reaches(n, _released(self.pose.skeleton, held), self.problem):
            return Status.AT_LIMIT
        if self._contradictory(n):
            return Status.COMPROMISE
        return Status.LOCAL_MINIMUM

    def _proved_out_of_reach(self, n: int) -> bool:
        pose = Pose.trusted(self.pose.skeleton, self._flat[n])
        for k, row in enumerate(self.wishes.rows):
            if row.kind == POSITION and row.weight > 0:
                own = self.parameters[n, k]
                bound = least_distance(pose, self.problem, row.joint, own[:3], own[3:6])
                if bound * self.problem.scale > self.problem.measures[k, 1]:
                    return True
        return False

    def _reaches(self, n: int, skeleton: Skeleton, problem: Problem) -> bool:
        """Whether the goals of problem `n` are met on `skeleton`, starting from the pose that was found."""
        start = np.ascontiguousarray(self._flat[n : n + 1]).copy()
        out, outcomes = np.empty_like(start), np.zeros(1, np.int64)
        no_trace = np.empty((1, 0, start.shape[1]))
        counts = np.zeros(1, np.int64), np.zeros(1, np.int64)
        arguments = (start, self.parameters[n : n + 1], None, self.most, self.restarts, np.uint64(self.seed))
        solve_all(skeleton.packed, problem, self.coupling, *arguments, out, outcomes, counts[0], no_trace, counts[1])
        return bool(outcomes[0] == REACHED)

    def _contradictory(self, n: int) -> bool:
        """Each term is met when it stands alone."""
        wanted = [k for k, row in enumerate(self.wishes.rows) if row.weight > 0]
        if len(wanted) < 2:
            return False
        return all(self._reaches(n, self.pose.skeleton, _only(self.problem, k)) for k in wanted)


def _only(problem: Problem, k: int) -> Problem:
    """The same problem with every other term switched off."""
    alone = np.arange(len(problem.terms)) == k
    return problem._replace(measures=np.where(alone[:, None], problem.measures, (0.0, np.inf)))


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
