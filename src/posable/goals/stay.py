"""Stay: the whole figure near a pose, as far as the other goals leave it free."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.rows import Spring
from posable.goals.soft import SoftGoal
from posable.goals.target_kinds import TargetKind
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Stay(SoftGoal):
    """A soft goal: every degree of freedom is as in `pose`, as far as the hard goals leave it free.

    The residual is the tangent from the solved pose to `pose`, `[..., dof]`.

    Args:
        pose: One pose, or a batch.
        weight: Strength against other soft goals, above 0.

    Raises:
        GoalError: If `pose` is not a Pose, or the weight is not above 0; when it is solved, for another skeleton.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3)), posable.Stay(figure.rest)]
        >>> solution = posable.solve(figure.rest, goals)
    """

    pose: Pose
    weight: float = 1e-3

    TARGET = "pose"

    def __post_init__(self) -> None:
        if not isinstance(self.pose, Pose):
            raise GoalError(f"Stay needs a Pose to stay at, not {type(self.pose).__name__}")
        self._check_soft_weight()
        self._set("KIND", TargetKind(self.pose.skeleton.coordinates))
        self._set("SHAPE", self.KIND.shape)

    def structure(self) -> Hashable:
        return Stay, self.weight, self.pose.skeleton

    def spring(self, skeleton: Skeleton) -> Spring:
        if not self.pose.skeleton.shares_poses(skeleton):
            raise GoalError("Stay: its pose belongs to another skeleton")
        zero = np.zeros(skeleton.dof)
        return Spring(self.pose.q, zero, zero, np.full(skeleton.dof, float(self.weight)))

    @property
    def stated(self) -> Array:
        return self.pose.q

    def restated(self, target: Array, **changes: object) -> Self:
        return self._with(pose=Pose.trusted(self.pose.skeleton, target), **changes)

    @property
    def raw_shape(self) -> None:
        """Coordinates are checked."""

    def checked_target(self, target: ArrayLike) -> Array:
        return Pose(self.pose.skeleton, target).q
