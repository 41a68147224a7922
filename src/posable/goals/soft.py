"""Soft goals: wishes for the freedom that the other goals leave."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, NamedTuple, Self, cast

import numpy as np

from posable.errors import GoalError
from posable.goals.rows import is_number
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


class Spring(NamedTuple):
    """Every freedom is drawn to a coordinate: with no force within a band around it, in proportion beyond."""

    q: Array  # [..., coordinates]
    below: Array  # [dof] the band's width on the one side,
    above: Array  # and on the other
    weight: Array  # [dof], 0 where nothing is wished


class SoftGoal:
    """A wish for the whole figure, met only in the freedom that the hard goals leave."""

    weight: float

    def spring(self, skeleton: Skeleton) -> Spring:
        """The wish as numbers. Raises GoalError or UnknownJointError where it does not fit."""
        raise NotImplementedError

    def pull(self, skeleton: Skeleton) -> Array:
        """`[3]` the force on the whole figure, in the world."""
        del skeleton
        return np.zeros(3)

    @property
    def own_weight(self) -> float:
        """Its weight."""
        return float(self.weight)

    def with_weight(self, weight: float) -> Self:
        """The goal with another weight."""
        return replace(cast(Any, self), weight=weight)

    def structure(self) -> Hashable:
        """All that goals must share to be solved with the same preparation."""
        raise NotImplementedError

    def residual(self, pose: Pose) -> Array:
        """What is left to do, `[..., dof]`: the tangent from `pose` to the nearest pose that is wished."""
        wish = self.spring(pose.skeleton)
        away = Pose.trusted(pose.skeleton, wish.q).minus(pose)
        return outside(wish, away)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[..., dof, dof]`: −1, and for rotations −Jr⁻¹(r) in the
        joint's frame.
        """
        from posable.goals.evaluation import spring_jacobians

        wish = self.spring(pose.skeleton)
        away = Pose.trusted(pose.skeleton, wish.q).minus(pose)
        acting = (wish.weight > 0) & (_beyond(away, wish) > 0)
        return np.where(acting[..., None], spring_jacobians(pose.skeleton, away), 0.0)

    def marks(self, pose: Pose) -> tuple[()]:
        """Nothing to show."""
        del pose
        return ()

    @property
    def _label(self) -> str:
        return type(self).__name__

    def _check_soft_weight(self) -> None:
        if not (is_number(self.weight) and 0 < self.weight < np.inf):
            raise GoalError(f"{type(self).__name__}: weight must be a number above 0, not {self.weight!r}")


def outside(wish: Spring, away: Array) -> Array:
    """`[..., dof]` the tangent from the pose to the edge of the wish's bands, where `away` leads to their middle."""
    return np.where(wish.weight > 0, np.sign(away) * np.maximum(0.0, _beyond(away, wish)), 0.0)


def elasticities(skeleton: Skeleton) -> Array:
    """`[dof]` how strongly each freedom is drawn, against the others: by its joint's elasticity where the figure states
    any (a joint that states but a comfortable range counts as 1, others are limp), all alike where it states none.
    """
    joints = skeleton.definitions
    stated = any(joint.elasticity > 0 for joint in joints)
    own = [joint.elasticity or float(joint.comfort is not None) if stated else 1.0 for joint in joints]
    return np.array([value for value, joint in zip(own, joints, strict=True) for _ in range(joint.dof)])


def _beyond(away: Array, wish: Spring) -> Array:
    """How far each freedom is outside its band; `away` leads from the pose to the wish, so above it is negative."""
    return np.abs(away) - np.where(away > 0, wish.below, wish.above)
