"""LookAt: a joint is to face a place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal, Mark, Row, pack
from posable.goals.terms import SIGHT
from posable.skeleton import Pose, Skeleton
from posable.spatial import normalized


@dataclass(frozen=True, eq=False)
class LookAt(Goal):
    """The direction `forward` of a joint, from the joint's origin, is to point at `point`; the roll about it stays
    free.

    point: `[..., 3]` in the world. forward: `[3]` in the joint's frame, of any length but zero.
    The error is the angle between the two directions, in radians.
    Raises GoalError for wrong shapes, numbers that are not finite, a zero direction, or a negative weight.
    """

    joint: str
    point: ArrayLike
    forward: ArrayLike = (0.0, 0.0, 1.0)
    weight: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", self._checked("point", self.point, 3))
        forward = self._checked("forward", self.forward, (3,))
        if not np.linalg.norm(forward) > 0:
            raise GoalError(f"{self._label}: forward has length 0; it is the direction in which the joint looks")
        object.__setattr__(self, "forward", forward)
        self._checked_weight("weight", self.weight)

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        return (Row(SIGHT, skeleton.index(self.joint), self.weight, pack(normalized(self.forward), self.point)),)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        return (
            Mark("sight", pose.skeleton.joints[pose.skeleton.index(self.joint)], np.reshape(self.point, (-1, 3))[0]),
        )
