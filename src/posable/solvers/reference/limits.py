"""The limits of the reference solver: the freedoms at active limits, and the room of the others; cones included."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose, Skeleton
from posable.solvers.default.kernels.active_limits import AT_LIMIT, limit_sides
from posable.solvers.default.kernels.descent import STIFF
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_rotation_vector, wxyz_multiply

_NEAR = 0.07  # radians from a cone's limit within which a step is bounded by it


class Cones:
    """The balls near a limit of their cone: the first motion of each changes the swing alone, the second the twist."""

    def __init__(self, skeleton: Skeleton, pose: Pose, locked: NDArray[np.bool_]) -> None:
        dof = skeleton.dof
        self.sides, self.basis = np.zeros(dof), np.eye(dof)
        self.up, self.down, self.round = np.full(dof, np.inf), np.full(dof, np.inf), np.zeros(dof)
        self.leans = np.arange(dof)
        sides, rows = np.zeros((1, dof)), np.zeros((1, dof, 3))
        limit_sides(skeleton.packed, pose.q[None].copy(), skeleton.reach, sides, rows)
        for j, joint in enumerate(skeleton.definitions):
            own = list(skeleton.freedom_range(j))
            if joint.cone is None or locked[own].any():
                continue
            swing, twist = swing_and_twist(skeleton, pose, j)
            widest, low, high = skeleton.packed.cones[j, 7:10]
            if not _may_touch(skeleton, pose, j):
                continue
            first, second, third = own
            self.basis[np.ix_(own, own)] = rows[0, own].T
            self.sides[own[:2]] = sides[0, own[:2]]
            bent = math.cos(0.5 * swing)
            self.up[first] = max(widest - swing, 0.0)
            self.up[second] = bent * max(high - twist, 0.0) if high < math.pi - AT_LIMIT else np.inf
            self.down[second] = bent * max(twist - low, 0.0) if low > -math.pi + AT_LIMIT else np.inf
            self.leans[third] = first
            self.round[third] = max(math.cos(swing), 0.0) / max(math.sin(swing), AT_LIMIT)


class Limits:
    """The active set at a pose: freedoms that are frozen, or pushed against a limit, are held.

    up, down: `[dof]` the room of a freedom on each side, scaled. room: that to the bound that it moves to, unscaled.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        pose: Pose,
        locked: NDArray[np.bool_],
        unit: Array,
        cones: Cones,
        gradient: Array,
        level: int,
    ) -> None:
        self.level, self.skeleton, self.unit, self._cones = level, skeleton, unit, cones
        self.leans = cones.leans
        at = scalars(skeleton, pose)
        self.room = np.where(gradient > 0, skeleton.upper - at, at - skeleton.lower)
        self.up = np.minimum((skeleton.upper - at) / unit, cones.up)
        self.down = np.minimum((at - skeleton.lower) / unit, cones.down)
        near = 1e-12
        held = locked | ((gradient > 0) & (self.up <= near)) | ((gradient < 0) & (self.down <= near))
        held |= (skeleton.upper <= skeleton.lower) | (cones.sides == 2)
        held |= ((cones.sides == 1) & (gradient > 0)) | ((cones.sides == -1) & (gradient < 0))
        held |= cones.sides[cones.leans] == 2
        self.free = ~held
        on_cone = (cones.leans != np.arange(len(unit))) & (cones.sides[cones.leans] == 1) & held[cones.leans]
        self.round = np.where(on_cone, cones.round, 0.0)

    def moved(self, pose: Pose, step: Array) -> Pose:
        """The pose after a scaled step, within the limits; joints that do not move stay bitwise equal."""
        tangent = self._cones.basis @ step * self.unit
        return kept_where_still(pose, pose.plus(tangent).clamped(), tangent)


def kept_where_still(pose: Pose, moved: Pose, tangent: Array) -> Pose:
    """`moved`, with joints of zero tangent as in `pose`."""
    skeleton, q, first = pose.skeleton, np.array(moved.q), pose.skeleton.tables.first_coordinate
    for j in range(len(skeleton.joints)):
        if not tangent[list(skeleton.freedom_range(j))].any():
            q[first[j] : first[j + 1]] = pose.q[first[j] : first[j + 1]]
    return Pose.trusted(skeleton, q)


def scalars(skeleton: Skeleton, pose: Pose) -> Array:
    """`[dof]` the coordinate of every freedom that has one; 0 for balls and free joints, which have no bounds."""
    at = np.zeros(skeleton.dof)
    for j, joint in enumerate(skeleton.definitions):
        if not joint.has_quaternion:
            at[list(skeleton.freedom_range(j))] = pose.of(skeleton.joints[j])
    return at


def _may_touch(skeleton: Skeleton, pose: Pose, j: int) -> bool:
    """Whether a coned ball is at its cone's limit, or about `_NEAR` inside (`skeleton.limits.may_touch`)."""
    cone = skeleton.packed.cones[j]
    relative = wxyz_multiply(cone[3:7] * (1.0, -1.0, -1.0, -1.0), pose.of(skeleton.joints[j]))
    w, along = float(relative[0]), float(relative[1:] @ cone[:3])
    w, along = (-w, -along) if w < 0.0 else (w, along)
    twists = min(along * cone[12] - w * cone[11], w * cone[13] - along * cone[14]) <= 0.5 * _NEAR
    return bool(twists or 2.0 * (w * w + along * along) - 1.0 <= cone[10] + _NEAR)


def swing_and_twist(skeleton: Skeleton, pose: Pose, j: int) -> tuple[float, float]:
    """The angles of a coned ball: between the cone's axis and that axis at the centre, and about it."""
    cone, wxyz = skeleton.packed.cones[j], pose.of(skeleton.joints[j])
    axis, center = cone[:3], cone[3:7]
    relative = wxyz_multiply(center * (1.0, -1.0, -1.0, -1.0), wxyz)
    twist = 2.0 * math.atan2(float(relative[1:] @ axis), float(relative[0]))
    leaning = matrix_from_wxyz(relative).T @ axis
    swing = math.atan2(float(np.linalg.norm(np.cross(axis, leaning))), float(axis @ leaning))
    return swing, (twist + math.pi) % (2 * math.pi) - math.pi


def leaned(skeleton: Skeleton, pose: Pose, j: int, half: float, to: float) -> Array:
    """The coordinates of a coned ball with the same leaning direction, the swing twice `half`, and the twist `to`."""
    cone, wxyz = skeleton.packed.cones[j], pose.of(skeleton.joints[j])
    axis, center = cone[:3], cone[3:7]
    relative = wxyz_multiply(center * (1.0, -1.0, -1.0, -1.0), wxyz)
    twist = swing_and_twist(skeleton, pose, j)[1]
    lean = wxyz_multiply(relative, wxyz_from_rotation_vector(-twist * axis))
    way = lean[1:] / max(float(np.linalg.norm(lean[1:])), 1e-300) * (1.0 if lean[0] >= 0 else -1.0)
    lean = np.concatenate([[math.cos(half)], math.sin(half) * way])
    return wxyz_multiply(center, wxyz_multiply(lean, wxyz_from_rotation_vector(to * axis)))


def ease(room: Array, width: Array) -> Array:
    """`[dof]` the factor of a freedom's resistance near the limit that it moves to."""
    with np.errstate(divide="ignore", invalid="ignore"):
        short = np.where((width > 0) & (room < width), 1.0 - room / width, 0.0)
    return 1.0 + STIFF * short**2
