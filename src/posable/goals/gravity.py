"""Gravity: the figure hangs as low as its goals and springs allow."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from posable.goals.rows import Spring, body_masses
from posable.goals.soft import SoftGoal
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

FLOOR = 4.0
"""Depth of the zero of heights below the world's origin, in reaches, so that the energy is positive."""


@dataclass(frozen=True, eq=False)
class Gravity(SoftGoal):
    """A soft goal: the pose of least potential energy, that of the other soft goals' springs included.

    Masses are those of the joints, in kg; `posable.with_masses(figure)` adds them where the file states none. Down is
    against the skeleton's up axis. A free root that nothing holds falls: freeze it, or give the figure a hard goal.

    Args:
        weight: Energy of lifting the whole figure by its reach, against half the weight of a spring for a squared
            radian; above 0. Alone, any weight gives the same pose.

    Raises:
        GoalError: For a weight that is not above 0; when it is solved, for a figure without mass, or one that falls.

    Example:
        >>> heavy = posable.with_masses(figure)
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.5, 0.3)), posable.Gravity()]
        >>> hanging = posable.solve(heavy.rest, goals, frozen=["root"])
    """

    weight: float = 1e-3

    def __post_init__(self) -> None:
        self._check_soft_weight()

    def structure(self) -> Hashable:
        return Gravity, self.weight

    def spring(self, skeleton: Skeleton) -> Spring:
        """A spring of weight 0."""
        body_masses(skeleton)
        zero = np.zeros(skeleton.dof)
        return Spring(skeleton.rest_coordinates, zero, zero, zero)

    def weight_force(self, skeleton: Skeleton) -> Array:
        down = np.zeros(3)
        down["xyz".index(skeleton.up)] = -self.weight
        return down

    def residual(self, pose: Pose) -> Array:
        """`[..., 1]` the height of the centre of mass, in reaches, above a floor far below."""
        skeleton = pose.skeleton
        masses = body_masses(skeleton)
        up = "xyz".index(skeleton.up)
        matrices = pose.world_from_joint[..., up, :]
        heights = np.sum(matrices[..., :3] * masses[:, 1:], axis=-1) + matrices[..., 3]
        return FLOOR + (heights @ masses[:, :1]) / skeleton.reach

    def jacobian(self, pose: Pose) -> Array:
        """`[..., 1, dof]` the derivative of the height."""
        skeleton, up = pose.skeleton, "xyz".index(pose.skeleton.up)
        rows = zip(skeleton.joints, body_masses(skeleton).tolist(), strict=True)
        lifted = sum(m * pose.jacobian(name, center)[..., up : up + 1, :] for name, (m, *center) in rows if m > 0)
        return np.asarray(lifted) / skeleton.reach
