"""Taking the tremor out of a motion."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from posable.clips.clip import Clip
from posable.errors import PoseError
from posable.skeleton import Pose
from posable.spatial import Array, normalized


def smooth(clip: Clip, seconds: float) -> Clip:
    """The clip without what is quicker than some `seconds`, and no later than it was. Raises PoseError below 0 s."""
    if not 0 <= seconds < math.inf:
        raise PoseError(f"smoothing takes a time in seconds of at least 0, not {seconds!r}")
    return replace(clip, q=evened(clip.poses, seconds * clip.fps).q)


def evened(pose: Pose, frames: float) -> Pose:
    """The motion `pose [frame]` without what is quicker than some `frames`: the poses that minimise the distance to it
    plus frames⁴ times the squared accelerations (Whittaker's smoother), rotations as quaternions of one sign.
    """
    from scipy.linalg import solveh_banded

    q = np.array(pose.q)
    for columns in pose.skeleton.quaternion_columns:
        turns = q[:, columns]
        q[:, columns] = turns * np.cumprod(np.where(_against_last(turns), -1.0, 1.0))[:, None]
    second = np.zeros((3, len(q)))
    second[2] = 1.0
    if len(q) > 2:
        _add_second_differences(second, (frames / (2 * math.pi)) ** 4)
    q = solveh_banded(second, q)
    for columns in pose.skeleton.quaternion_columns:
        q[:, columns] = normalized(q[:, columns])
    return Pose(pose.skeleton, q).clamped()


def _against_last(turns: Array) -> np.ndarray:
    """`[frame]` whether a quaternion and the one before lie on opposite sides."""
    return np.concatenate([[False], np.sum(turns[1:] * turns[:-1], axis=1) < 0])


def _add_second_differences(bands: Array, weight: float) -> None:
    """Add weight · DᵀD to the upper bands of a symmetric matrix, D the second differences."""
    difference = (1.0, -2.0, 1.0)
    count = bands.shape[1] - 2
    for a in range(3):
        for b in range(a, 3):
            bands[2 - (b - a), b : b + count] += weight * difference[a] * difference[b]
