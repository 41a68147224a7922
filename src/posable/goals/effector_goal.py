"""Goals that move an effector of one joint to a target: a point, a frame or a line of sight."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Bend, Goal
from posable.goals.target_kinds import Box, Segment
from posable.skeleton import Cone, Pose, Skeleton
from posable.spatial import Array, apply_transform, rigid_inverse, slerp, wxyz_from_matrix, wxyz_multiply


class Effector(NamedTuple):
    """The state of an effector: its position (of a gaze: the eye's), its rotation and the direction of its gaze."""

    position: Array  # [..., 3]
    wxyz: Array  # [..., 4]
    direction: Array  # [..., 3], 0 where nothing looks

    def in_frame(self, frame: Array) -> Effector:
        """The same in frames `[..., 4, 4]`, which are given in the same frame as the effector."""
        inverse = rigid_inverse(frame)
        turn = inverse[..., :3, :3]
        position = (turn @ self.position[..., None])[..., 0] + inverse[..., :3, 3]
        direction = (turn @ self.direction[..., None])[..., 0]
        return Effector(position, wxyz_multiply(wxyz_from_matrix(turn), self.wxyz), direction)


class EffectorGoal(Goal):
    """A goal for a joint that leads it along a path and may fade in and out.

    A target may be relative to a joint or a prop, lie anywhere in a region, and have a priority.
    """

    FADES = True
    REGIONS: ClassVar[tuple[type, ...]] = ()
    """The classes of regions that its target may be widened to."""

    def effector(self, pose: Pose) -> Effector:
        """Its state in the poses `[...]`, in the world."""
        frame = pose.world_from_joint[..., pose.skeleton.index(self.joint), :, :]
        turn = frame[..., :3, :3]
        return Effector(
            apply_transform(frame, self._point()), wxyz_from_matrix(turn), turn @ self._forward(pose.skeleton)
        )

    def wanted(self, own: Effector) -> Effector:
        """The wanted state of an effector at `own`: in the world, or in the frame that the goal is relative to."""
        position, wxyz = self.KIND.position(self.given), self.KIND.wxyz(self.given)
        return own._replace(
            position=own.position if position is None else np.broadcast_to(position, own.position.shape),
            wxyz=own.wxyz if wxyz is None else wxyz,
        )

    def halfway(
        self,
        start: Effector,
        end: Effector,
        position: ArrayLike,
        rotation: ArrayLike,
        relative_to: str | None = None,
        aside: Array | float = 0.0,
    ) -> Self:
        """The goal with targets at shares `[frame]` of the path: positions on straight lines, rotations on great arcs.

        relative_to: the joint in whose frame both ends are given. aside: `[frame, 3]`, added to the positions.
        """
        along, turned = np.asarray(position, float)[..., None], np.asarray(rotation, float)
        at = start.position + along * (end.position - start.position) + aside
        target = self.KIND.joined(at, slerp(start.wxyz, end.wxyz, turned))
        return self.restated(target, relative_to=relative_to, within=None)

    def faded(self, poses: Pose, position: Array, rotation: Array) -> Self:
        base = self.relative_to if isinstance(self.relative_to, str) else None
        start = self.effector(poses)
        if base is not None:
            start = start.in_frame(poses.world_from_joint[..., poses.skeleton.index(base), :, :])
        return self.halfway(start, self.wanted(start), position, rotation, base)

    def led(self, start: Pose, end: Pose, between: Pose, shares: Array, bend: Bend) -> Self:
        first, last = self._ends(start, end, between)
        return self.halfway(first, last, shares, shares, aside=bend(first.position, last.position))

    def _ends(self, start: Pose, end: Pose, between: Pose) -> tuple[Effector, Effector]:
        del between
        return self.effector(start), self.effector(end)

    def _point(self) -> Array:
        """`[3]` the point that is brought to a position, in the joint's frame."""
        return np.zeros(3)

    def _forward(self, skeleton: Skeleton) -> Array:
        """`[3]` the direction that is aimed at a target, in the joint's frame."""
        del skeleton
        return np.zeros(3)

    def _check_options(self) -> None:
        self._check_prop()
        if self.within is not None and not isinstance(self.within, self.REGIONS):
            names = ", ".join(kind.__name__ for kind in self.REGIONS)
            raise GoalError(f"{self._label}: within must be one of {names}, not {self.within!r}")
        self._check_level()

    def _options(self) -> Hashable:
        """The options that shape the rows. A prop's frame does not; it only moves the target."""
        return self.relative_to if isinstance(self.relative_to, str) else None, self.within

    def _other_joint(self, skeleton: Skeleton) -> int:
        """The index of the joint that the goal is relative to, or -1."""
        if not isinstance(self.relative_to, str):
            return -1
        other = skeleton.index(self.relative_to)
        if other == skeleton.index(self.joint):
            raise GoalError(f"{self._label}: it cannot be relative to itself, the joint {skeleton.joints[other]!r}")
        return other


ANY_REGION = (Segment, Box, Cone)
"""Regions of positions; a cone has its tip at the target."""
