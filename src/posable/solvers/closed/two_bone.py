"""Two bones in a plane by the law of cosines."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError, SkeletonError
from posable.spatial import Array
from posable.spatial.compile import inner_kernel, kernel


class TwoBoneAngles(NamedTuple):
    """Both ways to bend two bones in a plane."""

    angles: Array  # [..., 2 ways, 2]: that of the first bone from x, then that of the second from the first
    distance_left: Array  # [...] 0 where the target is reached


def two_bone_angles(target: ArrayLike, first: ArrayLike, second: ArrayLike) -> TwoBoneAngles:
    """The angles at which two bones of lengths `first` and `second`, hinged at the origin, end at `target [..., 2]`.

    With θT the target's direction, d its distance, the first bone stands at θT ± acos((L1² + d² − L2²) / (2 L1 d)); the
    elbow's inner angle is acos((L1² + L2² − d²) / (2 L1 L2)), and the second bone's angle from the first that minus π
    (way 0, with +), or π minus it (way 1). The angles come from the sides' lengths by Kahan's formula, which keeps its
    digits near the straight and the folded arm. Reachable if |L1 − L2| ≤ d ≤ L1 + L2; if not, the closest pose, twice,
    and the distance left. Lengths broadcast over the leading axes.
    Raises GoalError for a target, SkeletonError for a length that cannot be meant.
    """
    target, first, second = np.asarray(target, float), np.asarray(first, float), np.asarray(second, float)
    if target.ndim < 1 or target.shape[-1] != 2 or not np.isfinite(target).all():
        raise GoalError("the target of two bones in a plane is 2 finite numbers, [..., 2]")
    for length in (first, second):
        if not (np.isfinite(length) & (length >= 0)).all():
            raise SkeletonError("a bone's length is a finite number, 0 or more")
    shape = np.broadcast_shapes(target.shape[:-1], first.shape, second.shape)
    rows = np.empty((math.prod(shape), 4))
    rows[:, :2] = np.broadcast_to(target, (*shape, 2)).reshape(-1, 2)
    rows[:, 2], rows[:, 3] = np.broadcast_to(first, shape).ravel(), np.broadcast_to(second, shape).ravel()
    out = np.empty((len(rows), 5))
    _two_bone_rows(rows, out)
    return TwoBoneAngles(out[:, :4].reshape(*shape, 2, 2), out[:, 4].reshape(shape))


@inner_kernel
def two_bones(x, y, first, second):
    """(θ1, θ2) of both ways, then the distance left."""
    distance, direction = math.hypot(x, y), math.atan2(y, x)
    if distance >= first + second:
        lift, inner, left = 0.0, math.pi, distance - first - second
    elif distance <= abs(first - second):
        lift = 0.0 if first > second else math.pi if first < second else 0.5 * math.pi
        inner, left = 0.0, abs(first - second) - distance
    else:
        lift, inner, left = angle_between(first, distance, second), angle_between(first, second, distance), 0.0
    return direction + lift, inner - math.pi, direction - lift, math.pi - inner, left


@inner_kernel
def angle_between(a, b, c):
    """The angle of a triangle between the sides of lengths a and b, opposite to c (Kahan 2000)."""
    if a < b:
        a, b = b, a
    least = c - (a - b) if b >= c else b - (a - c)
    over, under = ((a - b) + c) * least, (a + (b + c)) * ((a - c) + b)
    return 2.0 * math.atan2(math.sqrt(max(over, 0.0)), math.sqrt(max(under, 0.0)))


@kernel
def _two_bone_rows(rows, out):
    for i in range(rows.shape[0]):
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = two_bones(
            rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3]
        )
