"""LookAt: a joint that faces a position; other joints may take their share of the rotation."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError, is_number
from posable.goals.effector_goal import Effector, EffectorGoal
from posable.goals.rows import Mark, Row
from posable.goals.target_kinds import POINTS, points_turned
from posable.goals.terms import SIGHT
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, matrix_from_wxyz, normalized, slerp, wxyz_between, wxyz_from_rotation_vector

_RESISTANCE_WITHOUT_SHARE = 1e3  # of joints between those with a share and the root
_LEAST_SHARE = 0.01


@dataclass(frozen=True, eq=False)
class LookAt(EffectorGoal):
    """The direction `forward` of a joint points from the joint's origin at `point`; the roll about it is free.

    The residual is the smallest rotation vector between the two directions, in radians.

    Args:
        joint: Name of the joint that looks.
        point: Position `[..., 3]` in the world.
        forward: Direction `[3]` in the joint's frame, of any length but 0; None is the direction in which the figure
            faces at rest, as `posable.roles(figure).forward` is found.
        weight: Factor of the squared angle, at least 0; 0 switches the goal off.
        share: Parts of the rotation that other joints take, {"neck": 0.4, "chest": 0.2}; the joint itself takes the
            remainder of 1, and joints above it that are not named take almost none. A joint below it that is named (an
            eye) looks at the point itself: then the eyes' lines of sight meet it, and the head only takes
            its share. Shares do not depend on the joints' stiffness, and hold as far as limits allow.
        limit: Largest angle in radians between the gaze and the direction of `forward` at rest, which moves with the
            joint above those that share; the gaze towards a point farther aside stops there. None is unlimited.
        priority: 0 is met first; goals with higher numbers, up to 7, act only in the freedom that the lower ones leave.

    Raises:
        GoalError: For a wrong shape, a value that is not finite, a zero direction, shares whose sum is above 1, a limit
            outside 0 to π, or a negative weight; when it is solved without `forward` on a figure whose facing direction
            is unknown (an arm, a snake).
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> gaze = posable.LookAt("head", (0.0, 1.5, 2.0), share={"neck": 0.4, "chest": 0.2})
    """

    joint: str
    point: ArrayLike
    forward: ArrayLike | None = None
    weight: float = 1.0
    share: Mapping[str, float] | None = None
    limit: float | None = None
    priority: int = 0

    TARGET = "point"
    KIND = POINTS
    SHAPE = KIND.shape

    def __post_init__(self) -> None:
        self._check_target()
        if self.forward is not None:
            self._check_direction("forward")
        self._check_weight("weight")
        self._check_level()
        if not isinstance(self.share, Mapping | None):
            raise GoalError(f"{self._label}: share says what other joints take, {{'neck': 0.4}}, not {self.share!r}")
        share = tuple((self.share or {}).items())
        self._check_names(*(name for name, _ in share))
        if not all(is_number(part) and 0 < part <= 1 for _, part in share) or sum(p for _, p in share) > 1 + 1e-9:
            raise GoalError(f"{self._label}: shares are numbers above 0 with a sum of at most 1, not {self.share!r}")
        if self.limit is not None and not (is_number(self.limit) and 0 <= self.limit <= math.pi):
            raise GoalError(f"{self._label}: limit must be an angle between 0 and π, not {self.limit!r}")

    def with_gaze(self, change: Callable[[str, Array], Mapping[str, Any]]) -> LookAt:
        if self.share is not None or self.limit is not None or np.ndim(self.point) != 1:
            return self
        changed = change(self.joint, np.asarray(self.point, float))
        return replace(self, **changed) if changed else self

    def structure(self) -> Hashable:
        share = tuple((self.share or {}).items())
        forward = None if self.forward is None else tuple(np.asarray(self.forward).tolist())
        return LookAt, self.joint, forward, self.weight, share, self.limit, self.priority

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        index = skeleton.index(self.joint)
        named = [skeleton.index(name) for name in self.share or {}]
        for name, j in zip(self.share or {}, named, strict=True):
            if index not in skeleton.chain(j) and j not in skeleton.chain(index):
                called = "" if name == skeleton.joints[j] else f" (the joint {skeleton.joints[j]!r})"
                raise GoalError(
                    f"{self._label}: share names {name!r}{called}, which is neither above it nor an eye below it"
                )
        eyes = [j for j in named if index in skeleton.chain(j) and j != index]
        if self.share or self.limit is not None:
            rest = _rest_turns(skeleton)
        else:
            rest = np.broadcast_to(np.eye(3), (len(skeleton.joints), 3, 3))
        forward = self._forward(skeleton)
        ahead = rest[index] @ forward
        base = self._base(skeleton)
        carried = rest[base].T @ ahead if base >= 0 else ahead
        limit = () if self.limit is None else (math.cos(self.limit), math.sin(self.limit), *carried.tolist())
        rows, form = [], self.KIND.form
        for j in eyes or [index]:
            constants = (*(rest[j].T @ ahead).tolist(), *limit) if eyes else (*forward.tolist(), *limit)
            other = base if limit else -1
            rows.append(Row(SIGHT, j, self.weight / len(eyes or [index]), form, constants, other, level=self.priority))
        return tuple(rows)

    def _base(self, skeleton: Skeleton) -> int:
        """The joint above the topmost of those that share in the rotation."""
        chain = skeleton.chain(self.joint)
        highest = min((chain.index(j) for j in map(skeleton.index, self.share or {}) if j in chain), default=None)
        return int(skeleton.parents[chain[-1] if highest is None else chain[highest]])

    def resistances(self, skeleton: Skeleton) -> Array | None:
        """`[dof]` the resistance of each freedom to motion that gives the shares; NaN for that of the joint's
        stiffness.

        Joints with a share resist by their shares alone, regardless of their stiffness: relative to the rest of the
        figure, all are as stiff as the least stiff of them.
        """
        if not self.share:
            return None
        resistance = np.full(skeleton.dof, np.nan)
        shares = {skeleton.index(name): part for name, part in self.share.items()}
        index = skeleton.index(self.joint)
        shares.setdefault(index, 1 - sum(shares.values()))
        least = 1 + min(skeleton.definitions[j].stiffness for j in shares)
        for j in skeleton.chain(index):
            resistance[list(skeleton.freedom_range(j))] = least * _RESISTANCE_WITHOUT_SHARE
        for j, part in shares.items():
            resistance[list(skeleton.freedom_range(j))] = least / max(part, _LEAST_SHARE)
        return resistance

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        return (
            Mark("sight", pose.skeleton.joints[pose.skeleton.index(self.joint)], np.reshape(self.point, (-1, 3))[0]),
        )

    def wanted(self, own: Effector) -> Effector:
        return own._replace(direction=np.asarray(self.point) - own.position)

    def halfway(
        self,
        start: Effector,
        end: Effector,
        position: ArrayLike,
        rotation: ArrayLike,
        relative_to: str | None = None,
        aside: Array | float = 0.0,
    ) -> Self:
        del relative_to, aside  # directions are those of the world, and the eye has a path of its own
        along, turned = np.asarray(position, float)[..., None], np.asarray(rotation, float)
        eye = start.position + along * (end.position - start.position)
        far = np.maximum(np.linalg.norm(end.direction, axis=-1, keepdims=True), 1e-9)
        turn = slerp(np.array([1.0, 0, 0, 0]), wxyz_between(start.direction, end.direction), turned)
        return self.restated(eye + far * (matrix_from_wxyz(turn) @ start.direction[..., None])[..., 0])

    def met_by(self, pose: Pose, target: Array) -> Array:
        back = wxyz_from_rotation_vector(-self.with_target(target).residual(pose)[..., -3:])
        eye = pose.world_from_joint[..., self.rows(pose.skeleton)[-1].joint, :3, 3]
        return points_turned(eye, back, target)

    def _ends(self, start: Pose, end: Pose, between: Pose) -> tuple[Effector, Effector]:
        """The eye moves as in the poses between; at the end it looks at the distance of the target."""
        first, last, eye = self.effector(start), self.effector(end), self.effector(between).position
        far = np.linalg.norm(np.reshape(self.point, (-1, 3))[0] - last.position)
        return first._replace(position=eye), last._replace(position=eye, direction=far * last.direction)

    def _forward(self, skeleton: Skeleton) -> Array:
        if self.forward is not None:
            return normalized(self.forward)
        faces = skeleton.parts.forward
        if faces is None:
            raise GoalError(
                f"{self._label}: the direction in which this figure faces at rest is unknown; "
                f"give `forward`, a direction in the frame of {self.joint!r} (--forward on the command line)"
            )
        return faces @ _rest_turns(skeleton)[skeleton.index(self.joint)]


def _rest_turns(skeleton: Skeleton) -> Array:
    return Pose.trusted(skeleton, skeleton.rest_coordinates).world_from_joint[:, :3, :3]
