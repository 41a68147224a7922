"""Soft goals, which use the freedom that the other goals leave."""

from __future__ import annotations

import numpy as np

from posable.errors import GoalError, is_number
from posable.goals.evaluation import spring_jacobians
from posable.goals.goal import Goal
from posable.goals.rows import Spring
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


class SoftGoal(Goal):
    """A goal for the whole figure, met only in the freedom that the hard goals leave.

    Example:
        >>> isinstance(posable.Stay(figure.rest), posable.goals.SoftGoal)
        True
    """

    joint = ""
    weight: float

    def spring(self, skeleton: Skeleton) -> Spring:
        raise NotImplementedError

    def counts(self, skeleton: Skeleton) -> tuple[bool, bool]:
        del skeleton
        return True, True

    def residual(self, pose: Pose) -> Array:
        """`[..., dof]` the tangent from `pose` to the nearest pose that the goal asks for."""
        spring = self.spring(pose.skeleton)
        away = Pose.trusted(pose.skeleton, spring.q).minus(pose)
        return outside(spring, away)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[..., dof, dof]`: −1, and for rotations −Jr⁻¹(r) in the
        joint's frame.
        """
        spring = self.spring(pose.skeleton)
        away = Pose.trusted(pose.skeleton, spring.q).minus(pose)
        acting = (spring.weight > 0) & (_beyond(away, spring) > 0)
        return np.where(acting[..., None], spring_jacobians(pose.skeleton, away), 0.0)

    def _check_soft_weight(self) -> None:
        if not (is_number(self.weight) and 0 < self.weight < np.inf):
            raise GoalError(f"{type(self).__name__}: weight must be a number above 0, not {self.weight!r}")


def outside(spring: Spring, away: Array) -> Array:
    """`[..., dof]` the tangent from the pose to the edge of the spring's bands, where `away` leads to their middle."""
    return np.where(spring.weight > 0, np.sign(away) * np.maximum(0.0, _beyond(away, spring)), 0.0)


def elasticities(skeleton: Skeleton) -> Array:
    """`[dof]` relative pull of each degree of freedom: the elasticity of its joint if the figure states any (a joint
    with only a comfortable range counts as 1, others as 0), else all equal.
    """
    joints = skeleton.definitions
    stated = any(joint.elasticity > 0 for joint in joints)
    own = [joint.elasticity or float(joint.comfort is not None) if stated else 1.0 for joint in joints]
    return np.array([value for value, joint in zip(own, joints, strict=True) for _ in range(joint.dof)])


def _beyond(away: Array, spring: Spring) -> Array:
    """How far each freedom is outside its band; `away` leads from the pose to the middle, so above it is negative."""
    return np.abs(away) - np.where(away > 0, spring.below, spring.above)
