"""Coordinates: their checks, the rest pose, random poses, and the reach as the unit of length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.compiled.decorators import kernel
from posable.errors import PoseError, SkeletonError, refuse_masked
from posable.skeleton.joint import Cone, Joint
from posable.skeleton.limits import clamp_ball
from posable.skeleton.tables import cone_numbers
from posable.spatial import Array, random_wxyz, wxyz_about, wxyz_between, wxyz_multiply

_SHORTEST, _LONGEST = 1e-50, 1e50  # reaches whose powers are numbers


def numbers(values: ArrayLike) -> Array:
    """A fresh array of floats. Raises PoseError."""
    refuse_masked(values, PoseError, "what a pose is made of")
    try:
        return np.array(values, float)
    except (TypeError, ValueError, OverflowError) as problem:
        raise PoseError(f"these are not numbers in a regular array: {problem}") from problem


def check_coordinates(joints: Sequence[Joint], q: Array, quaternion_columns: NDArray[np.int64]) -> None:
    """Bring the quaternions of `q [..., coordinates]` to length 1, in place; `quaternion_columns [quaternion, 4]`.

    Raises PoseError for a number that is not finite or a quaternion of length 0.
    """
    columns = q.shape[-1]
    rows, each = q.reshape(math.prod(q.shape[:-1]), columns), max(1, _AT_ONCE // max(1, columns))
    for first in range(0, len(rows), each):
        _check_rows(joints, rows[first : first + each], quaternion_columns)


_AT_ONCE = 32_768  # numbers that stay in a core's cache


def _check_rows(joints: Sequence[Joint], q: Array, quaternion_columns: NDArray[np.int64]) -> None:
    finite = np.isfinite(q)
    if not finite.all():
        column = int(np.argmin(finite.all(axis=0)))
        raise PoseError(f"a coordinate of joint {_name_at(joints, column)!r} is not a finite number")
    if not len(quaternion_columns):
        return
    quaternions = q.take(quaternion_columns.ravel(), axis=1).reshape(len(q), -1, 4)
    square = np.einsum("nki,nki->nk", quaternions, quaternions)
    good = (square > 1e-18) & np.isfinite(square)
    if not good.all():
        name = _name_at(joints, int(quaternion_columns[np.argmin(good.all(axis=0)), 0]))
        raise PoseError(f"the quaternion of joint {name!r} has length 0; the neutral one is (1, 0, 0, 0)")
    lengths = np.concatenate([np.sqrt(square), np.ones((len(q), 1))], axis=1)
    lengths[np.abs(lengths - 1) < 1e-15] = 1.0  # off by rounding alone: poses made of poses' numbers are the same
    if (lengths == 1).all():
        return
    length_of = np.full(q.shape[1], len(quaternion_columns))  # every other column is divided by 1
    length_of[quaternion_columns] = np.arange(len(quaternion_columns))[:, None]
    q /= lengths.take(length_of, axis=1)


def _name_at(joints: Sequence[Joint], column: int) -> str:
    """The name of the joint that a column of `pose.q` belongs to."""
    ends = np.cumsum([joint.coordinates for joint in joints])
    return joints[int(np.searchsorted(ends, column, side="right"))].name


def reach_of(joints: Sequence[Joint], parents: NDArray[np.int64]) -> float:
    """The longest path from a root along the joints to an end, 1 where all have length 0. Raises SkeletonError."""
    lengths = np.zeros(len(joints))
    for i, joint in enumerate(joints):
        step = 0.0 if joint.parent is None else math.hypot(*joint.position)
        slide = sum(max(abs(a.lower), abs(a.upper)) for a in joint.axes if a.slide and math.isfinite(a.upper - a.lower))
        above = lengths[parents[i]] if joint.parent is not None else 0.0
        lengths[i] = above + step + slide
    tips = [lengths[i] + math.hypot(*tip) for i, joint in enumerate(joints) for tip in joint.tips]
    longest = float(max([*lengths, *tips], default=0.0))
    if longest and not _SHORTEST <= longest <= _LONGEST:
        far = max(joints, key=lambda joint: math.hypot(*joint.position))
        size = f"joint {far.name!r} is {math.hypot(*far.position):g} from its parent"
        raise SkeletonError(f"{size}, too short or too long to compute with: choose another unit")
    return longest or 1.0


@kernel
def _clamp(row, q):
    clamp_ball(row, q, 0)


def rest_of(joint: Joint) -> Array:
    """The rest coordinates of one joint: as stated, or neutral ones moved inside the limits."""
    if joint.rest is not None:
        return np.array(joint.rest, float)
    if joint.floating:
        size = math.hypot(*joint.wxyz)
        return np.array([*joint.position, *(c / size for c in joint.wxyz)], float)
    if joint.has_quaternion:
        q = np.array([1.0, 0, 0, 0])
        if joint.cone is not None and not _holds_identity(joint.cone):
            _clamp(np.array(cone_numbers(joint.cone)), q)
        return q
    return np.array([min(max(axis.reference, axis.lower), axis.upper) for axis in joint.own_axes], float)


def _holds_identity(cone: Cone) -> bool:
    """Whether the identity is clearly inside, so that no kernel need be compiled to decide it."""
    return abs(cone.center[0]) == 1 and cone.twist[0] <= 0 <= cone.twist[1]


def unlimited(joint: Joint) -> Joint:
    """The joint with no limit on any freedom, and the same rest."""
    axes = tuple(replace(axis, lower=-math.inf, upper=math.inf) for axis in joint.axes)
    return replace(joint, cone=None, axes=axes, rest=tuple(rest_of(joint)))


def random_coordinates(
    joints: Sequence[Joint], rest: Array, reach: float, rng: np.random.Generator, shape: tuple[int, ...]
) -> Array:
    """Uniform coordinates `[*shape, coordinates]` within the limits; inactive freedoms stay at `rest`.

    `reach` bounds slides without limits.
    """
    parts, first = [], 0
    for joint in joints:
        own = np.broadcast_to(rest[first : first + joint.coordinates], (*shape, joint.coordinates))
        parts.append(_random_of(joint, own, reach, rng, shape))
        first += joint.coordinates
    return np.concatenate(parts, axis=-1)


def _random_of(joint: Joint, rest: Array, reach: float, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    active = np.array(joint.active or (True,) * joint.dof, bool)
    if joint.floating:
        xyz = rest[..., :3] + np.where(active[:3], rng.uniform(-reach, reach, (*shape, 3)), 0.0)
        return np.concatenate([xyz, random_wxyz(rng, shape) if active[3:].any() else rest[..., 3:]], axis=-1)
    if joint.has_quaternion:
        return _random_ball(joint.cone, rng, shape) if active.any() else rest
    own = joint.own_axes
    widest = np.array([reach if axis.slide else math.pi for axis in own])
    low, high = np.array([axis.lower for axis in own]), np.array([axis.upper for axis in own])
    open_low, open_high = np.minimum(-widest, high - widest), np.maximum(widest, low + widest)
    low, high = np.where(np.isfinite(low), low, open_low), np.where(np.isfinite(high), high, open_high)
    return np.where(active, rng.uniform(low, high, (*shape, joint.dof)), rest)


def _random_ball(cone: Cone | None, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Uniform in solid angle of the swing and in twist."""
    if cone is None:
        return random_wxyz(rng, shape)
    lean = np.arccos(rng.uniform(math.cos(cone.swing), 1.0, shape))
    around = rng.uniform(0, 2 * math.pi, shape)
    twist = rng.uniform(*cone.twist, shape)
    # Leaning about a direction square to the axis, which stands anywhere around it.
    about = np.stack([np.cos(around), np.sin(around), np.zeros(shape)], axis=-1)
    upright = wxyz_between((0, 0, 1), cone.axis)
    swing = wxyz_multiply(wxyz_multiply(upright, wxyz_about(about, lean)), upright * np.array([1, -1, -1, -1]))
    return wxyz_multiply(cone.center, wxyz_multiply(swing, wxyz_about(cone.axis, twist)))
