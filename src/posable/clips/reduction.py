"""Few keys for many frames."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips.clip import Clip
from posable.clips.interpolation import Interpolation
from posable.clips.keys import Keys
from posable.errors import PoseError
from posable.skeleton import forward_kinematics
from posable.spatial import Array

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
