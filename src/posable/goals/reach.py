"""Reach: a point of a joint at a position."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.effector_goal import ANY_REGION, EffectorGoal
from posable.goals.goal import Relative
from posable.goals.rows import Mark, Row
from posable.goals.target_kinds import POINTS, Region, place_constants
from posable.goals.terms import POSITION, REGION
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, apply_transform


@dataclass(frozen=True, eq=False)
class Reach(EffectorGoal):
    """The point `tip` of a joint is at the position `target`.

    The residual is target − tip, in the figure's length unit.

    Args:
        joint: Name of the joint that moves.
        target: Position `[..., 3]` in the world, or in the frame that `relative_to` names.
        tip: Point `[3]` in the joint's frame; its origin unless given.
        weight: Factor of the squared residual, at least 0; 0 switches the goal off.
        relative_to: A joint (a hand on the hip) or the frame `[..., 4, 4]` of a prop in which `target` is given; None
            for the world.
        within: A Segment, Box or Cone at the target; any position in it meets the goal.
        priority: 0 is met first; goals with higher numbers, up to 7, act only in the freedom that the lower ones leave.

    Raises:
        GoalError: For a wrong shape, a value that is not finite or above 1e15, or a negative weight.
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> solution = posable.solve(figure.rest, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))])
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
        self._set("tip", self._checked_one("tip"))
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
