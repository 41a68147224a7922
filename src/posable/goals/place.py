"""Place: a joint is to be somewhere and turned in a given way."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.goals.goal import Goal
from posable.goals.rows import Mark, Row
from posable.goals.target_options import (
    Region,
    Relative,
    check_relative,
    check_rigid,
    other_joint,
    place_constants,
    prop,
    relative_structure,
    turn_constants,
)
from posable.goals.terms import FRAME, LEANING, POSITION, REGION, ROTATION
from posable.skeleton import Cone, Pose, Skeleton
from posable.spatial import Array, wxyz_from_matrix


@dataclass(frozen=True, eq=False)
class Place(Goal):
    """The frame of a joint is to be `world_from_joint`, position and rotation weighted separately.

    world_from_joint: rigid transforms `[..., 4, 4]`.
    relative_to: a joint or the frame `[..., 4, 4]` of a prop, instead of the world.
    within: a Segment or Box for the position, laid at the target, or a Cone for the rotation.
    priority: 0 is met first; a higher number acts only in the freedom that the lower ones leave.
    Raises GoalError for wrong shapes, numbers that are not finite, what is no rotation, or a negative weight.
    """

    joint: str
    world_from_joint: ArrayLike
    position_weight: float = 1.0
    rotation_weight: float = 1.0
    relative_to: Relative = None
    within: Region | None = None
    priority: int = 0

    TARGET = "world_from_joint"
    SHAPE = (4, 4)
    WEIGHTS = ("position_weight", "rotation_weight")

    def __post_init__(self) -> None:
        self._check_target()
        check_rigid(self, "world_from_joint", np.asarray(self.world_from_joint))
        self._check_weight("position_weight")
        self._check_weight("rotation_weight")
        check_relative(self, places=True, turns=True)

    def structure(self) -> Hashable:
        relative = relative_structure(self.relative_to, self.within)
        return Place, self.joint, self.position_weight, self.rotation_weight, relative, self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        index = skeleton.index(self.joint)
        other = other_joint(self.relative_to, skeleton, index, self._label)
        place, turn = Row(POSITION, index, self.position_weight, FRAME, (0.0, 0.0, 0.0)), (ROTATION, ())
        if isinstance(self.within, Cone):
            turn = (LEANING, turn_constants(self.within))
        elif self.within is not None:
            place = place._replace(kind=REGION, constants=(0.0, 0.0, 0.0, *place_constants(self.within)))
        rows = place, Row(turn[0], index, self.rotation_weight, FRAME, turn[1])
        return tuple(row._replace(other=other, level=self.priority) for row in rows)

    @property
    def given(self) -> Array:
        frame = prop(self.relative_to)
        matrix = np.asarray(self.world_from_joint)
        return matrix if frame is None else frame @ matrix

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
