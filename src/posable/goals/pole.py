"""Pole: the elbow or knee of a limb points to a position."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal
from posable.goals.rows import Mark, Row
from posable.goals.target_kinds import POINTS, points_turned
from posable.goals.terms import POLE
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_rotation_vector


@dataclass(frozen=True, eq=False)
class Pole(Goal):
    """The middle joint of the limb that ends in `joint`, its elbow or knee, lies on the same side as `towards`.

    The residual is the angle (radians) about the line from the limb's first joint to its end, between the middle joint
    and `towards`. It grows with the straightness of the limb; a straight limb has no side and counts like the wrong one
    (π), so that straightening a limb does not help. The residual is zero for exactly one side, so that the elbow
    follows a target around the limb without flipping. Its derivative is that of a dihedral angle (Blondel and Karplus
    1996).

    Args:
        joint: Name of the joint in which the limb ends.
        towards: Position `[..., 3]` in the world.
        weight: Factor of the squared angle, at least 0; 0 switches the goal off.
        middle: Name of the middle joint; the nearest joint above that moves and lies elsewhere than `joint` if None.
        first: Name of the limb's first joint; the next such joint if None.
        priority: 1 by default: a pole never costs a hand its target, and a side that limits forbid is not a failure. At
            0 it counts like the other goals.

    Raises:
        GoalError: For a wrong shape, a value that is not finite, a negative weight, or, when it is solved, a limb
            without a middle.
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> goals = [posable.Reach("hand_r", (0.4, 1.2, 0.5)), posable.Pole("hand_r", (-1.0, 0.5, 0.0))]
    """

    joint: str
    towards: ArrayLike
    weight: float = 1.0
    middle: str | None = None
    first: str | None = None
    priority: int = 1

    TARGET = "towards"
    KIND = POINTS
    SHAPE = KIND.shape
    FADES = True

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
        return (Row(POLE, end, self.weight, self.KIND.form, (), middle, first, self.priority, counts=hard),)

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

    def faded(self, poses: Pose, position: Array, rotation: Array) -> Self:
        """The shares are of the angle about the limb. A straight limb has no side and gets the whole angle at once."""
        del position
        end, middle, first = (poses.origins[..., joint, :] for joint in self.limb(poses.skeleton))
        line = normalized(end - first)
        bend, side = (_across(to - first, line) for to in (middle, np.asarray(self.towards)))
        angle = np.arctan2(np.sum(line * np.cross(bend, side), axis=-1), np.sum(bend * side, axis=-1))
        back = matrix_from_wxyz(wxyz_from_rotation_vector(((np.asarray(rotation) - 1) * angle)[..., None] * line))
        return self.restated(first + (back @ (np.asarray(self.towards) - first)[..., None])[..., 0])

    def met_by(self, pose: Pose, target: Array) -> Array:
        end, _, first = self.limb(pose.skeleton)
        frames = pose.world_from_joint
        line = frames[..., end, :3, 3] - frames[..., first, :3, 3]
        line = line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-300)
        back = wxyz_from_rotation_vector(-self.with_target(target).residual(pose)[..., :1] * line)
        return points_turned(frames[..., first, :3, 3], back, target)


def _across(vector: Array, line: Array) -> Array:
    return vector - line * np.sum(line * vector, axis=-1, keepdims=True)
