"""Orient: a joint is to be turned in a given way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.goal import Goal, Mark, Row, pack
from posable.goals.terms import ROTATION
from posable.skeleton import Pose, Skeleton


@dataclass(frozen=True, eq=False)
class Orient(Goal):
    """The world rotation of a joint is to be `wxyz`.

    wxyz: `[..., 4]`, brought to length 1. The error is the rotation vector log(R_target Rᵀ), in radians.
    Raises GoalError for wrong shapes, numbers that are not finite, a zero quaternion, or a negative weight.
    """

    joint: str
    wxyz: ArrayLike
    weight: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "wxyz", self._checked_rotation("wxyz", self.wxyz))
        self._checked_weight("weight", self.weight)

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        return (Row(ROTATION, skeleton.index(self.joint), self.weight, pack(np.zeros(3), self.wxyz)),)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        index = pose.skeleton.index(self.joint)
        place = pose.origins.reshape(-1, len(pose.skeleton.joints), 3)[0, index]
        return (Mark("frame", pose.skeleton.joints[index], place, np.reshape(self.wxyz, (-1, 4))[0]),)
