"""Reach: a point of a joint is to be at a place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.goal import Goal, Mark, Row, pack
from posable.goals.terms import POSITION
from posable.skeleton import Pose, Skeleton


@dataclass(frozen=True, eq=False)
class Reach(Goal):
    """The point `tip` of a joint is to be at `target`.

    target: `[..., 3]` in the world. tip: `[3]` in the joint's frame, its origin unless given.
    Raises GoalError for wrong shapes, numbers that are not finite, or a negative weight.
    """

    joint: str
    target: ArrayLike
    tip: ArrayLike = (0.0, 0.0, 0.0)
    weight: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", self._checked("target", self.target, 3))
        object.__setattr__(self, "tip", self._checked("tip", self.tip, 3))
        self._checked_weight("weight", self.weight)

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        return (Row(POSITION, skeleton.index(self.joint), self.weight, pack(self.tip, self.target)),)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        return (
            Mark("point", pose.skeleton.joints[pose.skeleton.index(self.joint)], np.reshape(self.target, (-1, 3))[0]),
        )
