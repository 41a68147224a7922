"""Taking the tremor out of a motion."""

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


# Few keys for many frames.


_BLOCK = 2048


def reduce_keys(clip: Clip, tolerance: float = 5e-3, interpolation: Interpolation = "cubic") -> Keys:
    """The clip as few keys: at every frame, every joint's origin, and a point a fifth of the reach along each of its
    axes, are within `tolerance` of the figure's reach of where they were.

    Keys are frames of the clip, the first and the last among them; where a piece strays too far, the frame at which it
    strays farthest becomes a key (Ramer 1972, Douglas & Peucker 1973, over poses). Raises PoseError for a tolerance
    that is not above 0.
    """
    if not (0 < tolerance < np.inf):
        raise PoseError(f"a tolerance is above 0, not {tolerance}")
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
    """The worst frame between every two keys where it is beyond the tolerance."""
    worst = [a + int(np.argmax(stray[a:b])) for a, b in pairwise(chosen)]
    return np.array([frame for frame in worst if stray[frame] > tolerance], np.int64)


def _marks(clip: Clip, q: Array) -> Array:
    """`[frame, numbers]`: where the joints are, in reaches, and a fifth of how they are turned."""
    parts = []
    for start in range(0, len(q), _BLOCK):
        world = forward_kinematics(clip.skeleton, q[start : start + _BLOCK])
        places, turns = world[..., :3, 3] / clip.skeleton.reach, 0.2 * world[..., :3, :3]
        parts.append(np.concatenate([places[..., None], turns], axis=-1).reshape(len(world), -1))
    return np.concatenate(parts)
