"""Place: a joint is to be somewhere and turned in a given way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal, Mark, Row, pack
from posable.goals.terms import POSITION, ROTATION
from posable.skeleton import Pose, Skeleton
from posable.spatial import wxyz_from_matrix


@dataclass(frozen=True, eq=False)
class Place(Goal):
    """The frame of a joint is to be `world_from_joint`, position and rotation weighted separately.

    world_from_joint: rigid transforms `[..., 4, 4]`.
    Raises GoalError for wrong shapes, numbers that are not finite, what is no rotation, or a negative weight.
    """

    joint: str
    world_from_joint: ArrayLike
    position_weight: float = 1.0
    rotation_weight: float = 1.0

    def __post_init__(self) -> None:
        matrix = self._checked("world_from_joint", self.world_from_joint, (4, 4))
        turn = matrix[..., :3, :3]
        skew = np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0.0)
        if (
            skew > 1e-6
            or (np.linalg.det(turn) < 0).any()
            or np.abs(matrix[..., 3, :] - (0, 0, 0, 1)).max(initial=0.0) > 1e-9
        ):
            raise GoalError(
                f"{self._label}: world_from_joint is not a rigid transform (rotation part off by {skew:.2g})"
            )
        object.__setattr__(self, "world_from_joint", matrix)
        self._checked_weight("position_weight", self.position_weight)
        self._checked_weight("rotation_weight", self.rotation_weight)

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        matrix = np.asarray(self.world_from_joint)
        index, zero = skeleton.index(self.joint), np.zeros(3)
        return (
            Row(POSITION, index, self.position_weight, pack(zero, matrix[..., :3, 3])),
            Row(ROTATION, index, self.rotation_weight, pack(zero, wxyz_from_matrix(matrix[..., :3, :3]))),
        )

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        matrix = np.reshape(self.world_from_joint, (-1, 4, 4))[0]
        joint = pose.skeleton.joints[pose.skeleton.index(self.joint)]
        return (
            Mark("point", joint, matrix[:3, 3]),
            Mark("frame", joint, matrix[:3, 3], wxyz_from_matrix(matrix[:3, :3])),
        )
