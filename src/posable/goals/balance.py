"""Balance: the centre of mass is to be over a place."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal, Mark, Row, is_number
from posable.goals.terms import BALANCE, POINT
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Balance(Goal):
    """The figure's centre of mass is to stand over `point`: level with it in the two directions across up.

    point: `[..., 3]` in the world. height: also bring the centre to the point's height.
    Masses are those of the joints, in kg; `posable.weighed(figure)` gives them to one whose file states none.
    Raises GoalError for wrong shapes, numbers that are not finite, or a negative weight; when it is solved, for a
    figure without mass.
    """

    joint: str = field(default="", init=False)
    point: ArrayLike
    height: bool = False
    weight: float = 1.0
    priority: int = 0

    TARGET = "point"
    SHAPE = (3,)

    def __post_init__(self) -> None:
        self._check_target()
        self._check_weight("weight")
        self._check_level()

    @property
    def _label(self) -> str:
        return "Balance"

    def structure(self) -> Hashable:
        return Balance, self.height, self.weight, self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        body_masses(skeleton)
        up = "xyz".index(skeleton.up)
        kept = [1.0 if self.height or k != up else 0.0 for k in range(3)]
        return (Row(BALANCE, 0, self.weight, POINT, tuple(kept), level=self.priority),)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        return (Mark("point", pose.skeleton.joints[0], np.reshape(self.point, (-1, 3))[0]),)


def body_masses(skeleton: Skeleton) -> Array:
    """`[joint, 4]`: the share of the whole mass, and its centre in the joint's frame. Raises GoalError without mass."""
    rows = np.array([((joint.mass or 0.0), *joint.mass_center) for joint in skeleton.definitions])
    total = rows[:, 0].sum()
    if not (is_number(total) and total > 0):
        raise GoalError(
            "no joint of this figure has a mass, which Balance and Gravity need; state masses in its file, or use "
            "posable.weighed(figure)"
        )
    rows[:, 0] /= total
    return rows
