"""Interpolation on the pose manifold: angles and lengths linearly, rotations along great arcs, never Euler angles.

Cubic segments are Bézier curves in cumulative form (Kim, Kim & Shin 1995), three steps along geodesics of the skeleton:
over numbers exactly cubic Hermite splines, over rotations smooth at any speed.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import PoseError
from posable.skeleton import Pose
from posable.spatial import Array

Interpolation = Literal["linear", "cubic", "monotone", "step"]
INTERPOLATIONS: tuple[str, ...] = get_args(Interpolation)


def interpolated(
    keys: Pose, times: Array, seconds: ArrayLike, interpolation: Interpolation, velocities: Array | None = None
) -> Pose:
    """Interpolate keys at given times; outside them, the first or last key.

    Args:
        keys: Poses `[key]`.
        times: Increasing times of the keys in seconds, `[key]`.
        seconds: Times `[...]` in seconds.
        interpolation: "linear", "cubic", "monotone" or "step".
        velocities: `[key, dof]` per second at the keys for "cubic"; None is those of a Catmull–Rom spline.

    Returns:
        The poses `[...]`.

    Raises:
        PoseError: For an unknown interpolation or a time that is NaN.
    """
    if interpolation not in INTERPOLATIONS:
        raise PoseError(f"interpolation must be one of {', '.join(INTERPOLATIONS)}, not {interpolation!r}")
    wanted = np.asarray(seconds, float)
    if np.isnan(wanted).any():
        raise PoseError("times must be finite numbers of seconds")
    wanted = np.clip(wanted, times[0], times[-1])
    if len(times) == 1:
        return Pose.trusted(keys.skeleton, keys.q[np.zeros(wanted.shape, int)])
    if interpolation == "step":
        return keys[np.clip(np.searchsorted(times, wanted + _HAIR, side="right") - 1, 0, len(times) - 1)]
    piece = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(times) - 2)
    share = (wanted - times[piece]) / (times[piece + 1] - times[piece])
    if interpolation == "linear":
        return between(keys[piece], keys[piece + 1], share)
    if velocities is None:
        velocities = key_velocities(keys, times, monotone=interpolation == "monotone")
    return _along_curves(keys, times, velocities, piece, share)


_HAIR = 1e-9  # a time computed as frame / fps must not fall into the previous frame


def between(start: Pose, end: Pose, share: ArrayLike) -> Pose:
    """Interpolate along the shortest path between two poses.

    Args:
        start: The pose at share 0.
        end: The pose at share 1.
        share: Shares `[...]`, 0 … 1.

    Returns:
        The poses `[...]`.
    """
    return start.plus(end.minus(start) * np.asarray(share, float)[..., None])


def key_velocities(keys: Pose, times: Array, *, monotone: bool = False) -> Array:
    """Velocities at the keys, of the parabola through a key and its neighbours.

    Args:
        keys: Poses `[key]`.
        times: Times of the keys in seconds, `[key]`.
        monotone: Prevent overshoot: 0 at reversals, and at most three times the slope on either side (Fritsch & Carlson
            1980).

    Returns:
        `[key, dof]` per second, in the tangent space at each key.
    """
    spans = np.diff(times)[:, None]
    ahead = keys[1:].minus(keys[:-1]) / spans  # in the tangent space at the start of each segment
    behind = -keys[:-1].minus(keys[1:]) / spans  # and at its end
    if len(spans) == 1:
        return np.concatenate([ahead, behind])
    inner = (spans[1:] * behind[:-1] + spans[:-1] * ahead[1:]) / (spans[1:] + spans[:-1])
    rows = np.concatenate([2 * ahead[:1] - inner[:1], inner, 2 * behind[-1:] - inner[-1:]])
    if not monotone:
        return rows
    left, right = np.concatenate([ahead[:1], behind]), np.concatenate([ahead, behind[-1:]])
    most = 3 * np.minimum(np.abs(left), np.abs(right))
    return np.where((left * right > 0) & (left * rows > 0), np.clip(rows, -most, most), 0.0)


def _along_curves(keys: Pose, times: Array, velocities: Array, piece: NDArray[np.int64], share: Array) -> Pose:
    third = np.diff(times)[:, None] / 3
    first, last = third * velocities[:-1], third * velocities[1:]
    across = keys[1:].plus(-last).minus(keys[:-1].plus(first))
    pose, u = keys[piece], share[..., None]
    for step, part in ((first, 1 - (1 - u) ** 3), (across, u * u * (3 - 2 * u)), (last, u**3)):
        pose = pose.plus(step[piece] * part)
    return pose
