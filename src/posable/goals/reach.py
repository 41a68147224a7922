"""Reach: a point of a joint is to be at a place."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.effector_goal import ANY_REGION, EffectorGoal
from posable.goals.goal import Relative
from posable.goals.regions import Region, place_constants
from posable.goals.rows import Mark, Row
from posable.goals.target_kinds import POINTS
from posable.goals.terms import POSITION, REGION
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, apply_transform


@dataclass(frozen=True, eq=False)
class Reach(EffectorGoal):
    """The point `tip` of a joint is to be at `target`.

    target: `[..., 3]` in the world. tip: `[3]` in the joint's frame, its origin unless given.
    relative_to: a joint (a hand on the hip) or the frame `[..., 4, 4]` of a prop in which `target` is meant instead.
    within: a Segment, Box or Cone, laid at the target, anywhere in which will do.
    priority: 0 is met first; a higher number acts only in the freedom that the lower ones leave.
    Raises GoalError for wrong shapes, numbers that are not finite, or a negative weight.
    """

    joint: str
    target: ArrayLike
    tip: ArrayLike = (0.0, 0.0, 0.0)
    weight: float = 1.0
    relative_to: Relative = None
    within: Region | None = None
    priority: int = 0

    TARGET = "target"
    KIND = POINTS
    SHAPE = KIND.shape
    REGIONS = ANY_REGION

    def __post_init__(self) -> None:
        self._check_target()
        self._set("tip", self._checked("tip", self.tip, (3,)))
        self._check_weight("weight")
        self._check_options()

    def structure(self) -> Hashable:
        return Reach, self.joint, tuple(np.asarray(self.tip).tolist()), self.weight, self._options(), self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        index = skeleton.index(self.joint)
        constants = (*np.asarray(self.tip).tolist(), *(place_constants(self.within) if self.within else ()))
        kind = REGION if self.within else POSITION
        other = self._other_joint(skeleton)
        return (Row(kind, index, self.weight, self.KIND.form, constants, other, level=self.priority),)

    def _point(self) -> Array:
        return np.asarray(self.tip)

    def tip_path(self, poses: Pose) -> Array:
        return self.effector(poses).position

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        place = np.reshape(self.given, (-1, 3))[0]
        if isinstance(self.relative_to, str):
            frames = pose.world_from_joint.reshape(-1, len(pose.skeleton.joints), 4, 4)
            place = apply_transform(frames[0, pose.skeleton.index(self.relative_to)], place)
        return (Mark("point", pose.skeleton.joints[pose.skeleton.index(self.joint)], place),)
