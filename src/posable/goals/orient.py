"""Orient: a joint with a given rotation."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.effector_goal import EffectorGoal
from posable.goals.goal import Relative
from posable.goals.rows import Mark, Row
from posable.goals.target_kinds import ROTATIONS, turn_constants
from posable.goals.terms import LEANING, ROTATION
from posable.skeleton import Cone, Pose, Skeleton
from posable.spatial import wxyz_from_matrix, wxyz_multiply


@dataclass(frozen=True, eq=False)
class Orient(EffectorGoal):
    """The rotation of a joint is `wxyz`.

    The residual is the rotation vector log(R_target Rᵀ) in the world's frame, in radians.

    Args:
        joint: Name of the joint that rotates.
        wxyz: Rotation `[..., 4]` in the world, or against what `relative_to` names; normalized.
        weight: Factor of the squared residual, at least 0; 0 switches the goal off.
        relative_to: A joint or the frame `[..., 4, 4]` of a prop against which `wxyz` is given; None for the world.
        within: A Cone: any rotation whose swing and twist against `wxyz` it allows meets the goal.
        priority: 0 is met first; goals with higher numbers, up to 7, act only in the freedom that the lower ones leave.

    Raises:
        GoalError: For a wrong shape, a value that is not finite, a zero quaternion, or a negative weight.
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> upright = posable.Orient("head", (1, 0, 0, 0), within=posable.Cone((0, 1, 0), 0.2))
    """

    joint: str
    wxyz: ArrayLike
    weight: float = 1.0
    relative_to: Relative = None
    within: Cone | None = None  # pyright: ignore[reportIncompatibleVariableOverride]  (no other region)
    priority: int = 0

    TARGET = "wxyz"
    KIND = ROTATIONS
    SHAPE = KIND.shape
    REGIONS = (Cone,)

    def __post_init__(self) -> None:
        self._check_names(self.joint)
        wxyz = self._checked("wxyz", self.wxyz, (4,))
        length = np.sqrt((wxyz * wxyz).sum(axis=-1, keepdims=True))
        if (length < 1e-9).any():
            raise GoalError(f"{self._label}: wxyz is a quaternion of length 0; the neutral one is (1, 0, 0, 0)")
        wxyz = wxyz / length
        wxyz.setflags(write=False)
        self._set("wxyz", wxyz)
        self._check_weight("weight")
        self._check_options()

    def structure(self) -> Hashable:
        return Orient, self.joint, self.weight, self._options(), self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        index = skeleton.index(self.joint)
        other = self._other_joint(skeleton)
        kind, constants = (LEANING, turn_constants(self.within)) if self.within else (ROTATION, ())
        return (Row(kind, index, self.weight, self.KIND.form, constants, other, level=self.priority),)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        index = pose.skeleton.index(self.joint)
        world = pose.world_from_joint.reshape(-1, len(pose.skeleton.joints), 4, 4)[0]
        wxyz = np.reshape(self.given, (-1, 4))[0]
        if isinstance(self.relative_to, str):
            wxyz = wxyz_multiply(wxyz_from_matrix(world[pose.skeleton.index(self.relative_to), :3, :3]), wxyz)
        return (Mark("frame", pose.skeleton.joints[index], world[index, :3, 3], wxyz),)
