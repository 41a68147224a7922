"""Smooths motions and reduces them to keys."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips.clip import Clip
from posable.clips.interpolation import Interpolation
from posable.clips.keys import Keys
from posable.errors import PoseError
from posable.skeleton import Pose, forward_kinematics
from posable.spatial import Array, normalized

_SLOWEST = 10_000


def smooth(clip: Clip, seconds: float) -> Clip:
    """Remove motion faster than `seconds` from a clip, without delay.

    Args:
        clip: The clip.
        seconds: Period in seconds below which motion is removed; larger is smoother, 0 changes nothing.

    Returns:
        The smoothed clip.

    Raises:
        PoseError: If `seconds` is below 0, or more than 10,000 frames.
    """
    if not 0 <= seconds < math.inf:
        raise PoseError(f"smoothing needs a time in seconds of at least 0, not {seconds!r}")
    return replace(clip, q=evened(clip.poses, seconds * clip.fps).q)


def evened(pose: Pose, frames: float) -> Pose:
    """Smooth a motion with Whittaker's smoother.

    The result minimises the squared distance to the motion plus frames⁴ times the squared accelerations (Whittaker
    1923). Rotations are smoothed as quaternions of one sign.

    Args:
        pose: The motion, `[frame]`.
        frames: Period in frames below which motion is removed.

    Returns:
        The smoothed motion, `[frame]`.

    Raises:
        PoseError: Unless `frames` is from 0 to 10,000; beyond that rounding leaves nothing of the motion.
    """
    from scipy.linalg import solveh_banded

    if not 0 <= frames <= _SLOWEST:
        raise PoseError(f"smoothing removes what is faster than 0 to {_SLOWEST:,} frames, not {frames:g}")
    q = np.array(pose.q)
    for columns in pose.skeleton.quaternion_columns:
        quaternions = q[:, columns]
        q[:, columns] = quaternions * np.cumprod(np.where(_against_last(quaternions), -1.0, 1.0))[:, None]
    second = np.zeros((3, len(q)))
    second[2] = 1.0
    if len(q) > 2:
        _add_second_differences(second, (frames / (2 * math.pi)) ** 4)
    q = solveh_banded(second, q)
    for columns in pose.skeleton.quaternion_columns:
        q[:, columns] = normalized(q[:, columns])
    return Pose(pose.skeleton, q).clamped()


def _against_last(quaternions: Array) -> np.ndarray:
    """`[frame]` whether a quaternion and its predecessor have opposite signs."""
    return np.concatenate([[False], np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0])


def _add_second_differences(bands: Array, weight: float) -> None:
    """Add weight · DᵀD to the upper bands of a symmetric matrix, D the second differences."""
    difference = (1.0, -2.0, 1.0)
    count = bands.shape[1] - 2
    for a in range(3):
        for b in range(a, 3):
            bands[2 - (b - a), b : b + count] += weight * difference[a] * difference[b]


# Key reduction.


_BLOCK = 2048


def reduce_keys(clip: Clip, tolerance: float = 5e-3, interpolation: Interpolation = "cubic") -> Keys:
    """Reduce a clip to few keys within a tolerance.

    Keys are frames of the clip, including the first and the last. Where a segment deviates too far, the frame of the
    largest deviation becomes a key (Ramer 1972; Douglas & Peucker 1973; here over poses). The deviation is that of
    every
    joint's origin and of a point a fifth of the reach along each of its axes, at every frame.

    Args:
        clip: The clip.
        tolerance: Largest deviation, as a share of the figure's reach.
        interpolation: How the keys are interpolated: "linear", "cubic", "monotone" or "step".

    Returns:
        The keys.

    Raises:
        PoseError: If the tolerance is not above 0.
    """
    if not (0 < tolerance < np.inf):
        raise PoseError(f"tolerance must be above 0, not {tolerance}")
    wanted = _marks(clip, clip.q)
    chosen = np.unique([0, len(clip) - 1])
    while True:
        keys = Keys(clip.skeleton, clip.times[chosen], clip.q[chosen], interpolation)
        stray = np.abs(_marks(clip, keys.at(clip.times).q) - wanted).max(axis=1)
        stray[chosen] = 0.0
        worst = _worst_of_pieces(stray, chosen, tolerance)
        if not len(worst):
            return keys
        chosen = np.union1d(chosen, worst)


def _worst_of_pieces(stray: Array, chosen: NDArray[np.int64], tolerance: float) -> NDArray[np.int64]:
    """The frame of the largest deviation in each segment that exceeds the tolerance."""
    worst = [a + int(np.argmax(stray[a:b])) for a, b in pairwise(chosen)]
    return np.array([frame for frame in worst if stray[frame] > tolerance], np.int64)


def _marks(clip: Clip, q: Array) -> Array:
    """`[frame, numbers]`: joint positions in units of the reach, and a fifth of their rotation matrices."""
    parts = []
    for start in range(0, len(q), _BLOCK):
        world = forward_kinematics(clip.skeleton, q[start : start + _BLOCK])
        positions, rotations = world[..., :3, 3] / clip.skeleton.reach, 0.2 * world[..., :3, :3]
        parts.append(np.concatenate([positions[..., None], rotations], axis=-1).reshape(len(world), -1))
    return np.concatenate(parts)
