"""The goal `Place`: a joint with a given position and rotation."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.effector_goal import ANY_REGION, EffectorGoal
from posable.goals.goal import Relative
from posable.goals.rows import Mark, Row
from posable.goals.target_kinds import FRAMES, Region, place_constants, turn_constants
from posable.goals.terms import LEANING, POSITION, REGION, ROTATION
from posable.skeleton import Cone, Pose, Skeleton
from posable.spatial import Array, wxyz_from_matrix


@dataclass(frozen=True, eq=False)
class Place(EffectorGoal):
    """The frame of a joint is `world_from_joint`, its position and rotation weighted separately.

    The residual is that of a `Reach` of the joint's origin, then that of an `Orient`.

    Args:
        joint: Name of the joint that moves.
        world_from_joint: Rigid transforms `[..., 4, 4]` in the world, or in the frame that `relative_to` names.
        position_weight: Factor of the squared distance, at least 0; 0 leaves the position free.
        rotation_weight: Factor of the squared angle, at least 0; 0 leaves the rotation free.
        relative_to: A joint or the frame `[..., 4, 4]` of a prop in which the target is given; None for the world.
        within: A Segment or Box at the target's position, or a Cone about its rotation; any point or rotation in it
            meets the goal.
        priority: 0 is met first; goals with higher numbers, up to 7, act only in the freedom that the lower ones leave.

    Raises:
        GoalError: For a wrong shape, a value that is not finite, a matrix that is not a rigid transform, or a negative
            weight.
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> keep = posable.Place("foot_l", figure.rest.world_from_joint[figure.skeleton.index("foot_l")])
    """

    joint: str
    world_from_joint: ArrayLike
    position_weight: float = 1.0
    rotation_weight: float = 1.0
    relative_to: Relative = None
    within: Region | None = None
    priority: int = 0

    TARGET = "world_from_joint"
    KIND = FRAMES
    SHAPE = KIND.shape
    WEIGHTS = ("position_weight", "rotation_weight")
    REGIONS = ANY_REGION

    def __post_init__(self) -> None:
        self._check_target()
        self._check_rigid("world_from_joint", np.asarray(self.world_from_joint))
        self._check_weight("position_weight")
        self._check_weight("rotation_weight")
        self._check_options()

    def structure(self) -> Hashable:
        return Place, self.joint, self.position_weight, self.rotation_weight, self._options(), self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        index = skeleton.index(self.joint)
        form, other = self.KIND.form, self._other_joint(skeleton)
        place, turn = Row(POSITION, index, self.position_weight, form, (0.0, 0.0, 0.0)), (ROTATION, ())
        if isinstance(self.within, Cone):
            turn = (LEANING, turn_constants(self.within))
        elif self.within is not None:
            place = place._replace(kind=REGION, constants=(0.0, 0.0, 0.0, *place_constants(self.within)))
        rows = place, Row(turn[0], index, self.rotation_weight, form, turn[1])
        return tuple(row._replace(other=other, level=self.priority) for row in rows)

    def tip_path(self, poses: Pose) -> Array:
        return self.effector(poses).position

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        matrix = np.reshape(self.given, (-1, 4, 4))[0]
        if isinstance(self.relative_to, str):
            frames = pose.world_from_joint.reshape(-1, len(pose.skeleton.joints), 4, 4)
            matrix = frames[0, pose.skeleton.index(self.relative_to)] @ matrix
        joint = pose.skeleton.joints[pose.skeleton.index(self.joint)]
        return (
            Mark("point", joint, matrix[:3, 3]),
            Mark("frame", joint, matrix[:3, 3], wxyz_from_matrix(matrix[:3, :3])),
        )
