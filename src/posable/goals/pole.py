"""Pole: the elbow or knee of a limb is to point to a place."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal
from posable.goals.rows import Mark, Row
from posable.goals.terms import POINT, POLE
from posable.skeleton import Pose, Skeleton


@dataclass(frozen=True, eq=False)
class Pole(Goal):
    """The middle joint of the limb that ends in `joint` is to lie on the same side as `towards`.

    towards: `[..., 3]` in the world. The error is the angle (radians) about the line from the limb's first joint to
    its end, between the middle joint and `towards`, and counts the more the straighter the limb is; one that is quite
    straight has no side, which is as bad as the wrong one (π): so a limb is not made straight to win its side.
    The middle is the nearest joint above that moves and lies elsewhere than `joint`, the first one the next such;
    `middle` and `first` name others.
    priority: 1 unless given: a pole never costs a hand its target, and one that limits keep from its side is no
    failure; at 0 it counts like the other goals. The error is zero for exactly one side, so a target
    that goes round the limb takes the elbow with it and nothing flips.
    Raises GoalError for wrong shapes, numbers that are not finite, a negative weight, or a limb without a middle.
    """

    joint: str
    towards: ArrayLike
    weight: float = 1.0
    middle: str | None = None
    first: str | None = None
    priority: int = 1

    TARGET = "towards"
    SHAPE = (3,)

    def __post_init__(self) -> None:
        self._check_target()
        self._check_names(*(joint for joint in (self.middle, self.first) if joint is not None))
        self._check_weight("weight")
        self._check_level()

    def structure(self) -> Hashable:
        return Pole, self.joint, self.weight, self.middle, self.first, self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        end, middle, first = self.limb(skeleton)
        hard = self.priority == 0
        return (Row(POLE, end, self.weight, POINT, (), middle, first, self.priority, counts=hard),)

    def limb(self, skeleton: Skeleton) -> tuple[int, int, int]:
        """The indices of the limb's end, middle and first joint. Raises GoalError where it has none."""
        end = skeleton.index(self.joint)
        rest = Pose.trusted(skeleton, skeleton.rest_coordinates).origins
        chain = skeleton.chain(end)

        def above(below: int, name: str | None) -> int:
            if name is not None:
                named = skeleton.index(name)
                if named not in chain[: chain.index(below)]:
                    raise GoalError(f"{self._label}: {name!r} is not above {skeleton.joints[below]!r}")
                return named
            for j in reversed(chain[: chain.index(below)]):
                apart = np.linalg.norm(rest[j] - rest[below]) > 1e-6 * skeleton.reach
                if apart and skeleton.definitions[j].dof:
                    return j
            raise GoalError(f"{self._label}: no limb of three joints ends here")

        middle = above(end, self.middle)
        return end, middle, above(middle, self.first)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        middle = pose.skeleton.joints[self.limb(pose.skeleton)[1]]
        return (Mark("sight", middle, np.reshape(self.towards, (-1, 3))[0]),)
