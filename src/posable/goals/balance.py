"""Balance: the centre of mass over a position."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.goal import Goal
from posable.goals.rows import Mark, Row, body_masses
from posable.goals.target_kinds import POINTS
from posable.goals.terms import BALANCE
from posable.skeleton import Pose, Skeleton


@dataclass(frozen=True, eq=False)
class Balance(Goal):
    """The figure's centre of mass stands over `point`: level with it in the two directions across up.

    The residual is target − centre of mass, in the figure's length unit. Masses are those of the joints, in kg;
    `posable.with_masses(figure)` adds them where the file states none.

    Args:
        point: Position `[..., 3]` in the world.
        height: Whether the centre is also brought to the point's height.
        weight: Factor of the squared distance, at least 0; 0 switches the goal off.
        priority: 0 is met first; goals with higher numbers, up to 7, act only in the freedom that the lower ones leave.

    Raises:
        GoalError: For a wrong shape, a value that is not finite, or a negative weight; when it is solved, for a figure
            without mass.

    Example:
        >>> stand = posable.Balance((0.0, 0.0, 0.05))
    """

    point: ArrayLike
    height: bool = False
    weight: float = 1.0
    priority: int = 0

    joint = ""
    TARGET = "point"
    KIND = POINTS
    SHAPE = KIND.shape

    def __post_init__(self) -> None:
        self._check_target()
        self._check_weight("weight")
        self._check_level()

    def structure(self) -> Hashable:
        return Balance, self.height, self.weight, self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        body_masses(skeleton)
        up = "xyz".index(skeleton.up)
        kept = [1.0 if self.height or k != up else 0.0 for k in range(3)]
        return (Row(BALANCE, 0, self.weight, self.KIND.form, tuple(kept), level=self.priority),)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        return (Mark("point", pose.skeleton.joints[0], np.reshape(self.point, (-1, 3))[0]),)
