"""How a bone turns about itself when only its direction is known: as little as can be, and evenly over time."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_banded

from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_about, wxyz_between

_EVEN = 25.0  # how much an uneven twist counts against a plain one; its root is about the frames a change spreads over
_MOST = np.radians(20)  # a frame
_PLAIN = 0.05  # how much the least turn counts against a bend's plane
_BENT = 0.1  # sine of the bend at rest from which on its plane means something


def steady_turns(plain: Array, arm: Array, aim: Array, told: np.ndarray, next_arm: Array, next_aim: Array) -> Array:
    """Turns `[frame, 3, 3]` that point `arm [3]` along `aim [frame, 3]`.

    Of all those, each is near the smallest turn from `plain [frame, 3, 3]`, and near the one that brings the next bone,
    `next_arm [3]` at rest, into the plane of `next_aim [frame, 3]`; from one frame to the next the twist about the bone
    changes by 20° at most. told: `[frame]`, where `aim` is known.
    """
    aim = normalized(_filled(aim, told))
    least = _smallest(plain @ arm, aim) @ plain
    moved = _smallest(aim[:-1], aim[1:]) @ least[:-1]
    drift = np.concatenate([[0.0], np.cumsum(_twist(least[1:], moved, aim[1:]))])
    straight = np.sum(normalized(plain @ arm) * aim, axis=1)
    wish = _PLAIN * ((1 + straight) / 2) ** 2 * np.exp(-1j * drift)
    wish = wish + _plane(least, arm, aim, next_arm, next_aim) * np.exp(-1j * drift)
    angle = drift + _even(np.where(told, wish, 0.0))
    return matrix_from_wxyz(wxyz_about(aim, angle)) @ least


def _smallest(start: Array, end: Array) -> Array:
    return matrix_from_wxyz(wxyz_between(start, end))


def _twist(start: Array, end: Array, axis: Array) -> Array:
    """`[frame]`: the angle about `axis` from `start` to `end`, which differ by nothing else."""
    turn = end @ np.swapaxes(start, 1, 2)
    sine = np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], 1)
    return np.arctan2(np.sum(sine * axis, axis=1), np.trace(turn, axis1=1, axis2=2) - 1)


def _plane(least: Array, arm: Array, aim: Array, next_arm: Array, next_aim: Array) -> Array:
    """`[frame]` complex: the twist that brings the next bone into its plane; its size says how sure that is."""
    across_arm = next_arm - normalized(arm) * (normalized(arm) @ next_arm)
    if np.linalg.norm(across_arm) <= _BENT * np.linalg.norm(next_arm):
        return np.zeros(len(least), complex)
    ours = least @ normalized(across_arm)
    theirs = normalized(next_aim)
    theirs = theirs - aim * np.sum(aim * theirs, axis=1, keepdims=True)
    return np.sum(ours * theirs, axis=1) + 1j * np.sum(aim * np.cross(ours, theirs), axis=1)


def _even(wish: Array) -> Array:
    """`[frame]`: angles near those of the complex wishes, the surer the nearer, and even over time."""
    bands = np.zeros((3, len(wish)), complex)
    bands[1] = np.abs(wish) + 1e-9
    if len(wish) > 1:
        bands[1, :-1] += _EVEN
        bands[1, 1:] += _EVEN
        bands[0, 1:] = bands[2, :-1] = -_EVEN
    wanted = np.unwrap(np.angle(solve_banded((1, 1), bands, wish)))
    angle = wanted.copy()
    for frame in range(1, len(angle)):
        angle[frame] = angle[frame - 1] + np.clip(wanted[frame] - angle[frame - 1], -_MOST, _MOST)
    return angle


def _filled(aim: Array, told: np.ndarray) -> Array:
    """The aims with those that are not told as in the frame before, or the first that is."""
    frames = np.flatnonzero(told)
    if not len(frames):
        return np.tile([0.0, 0.0, 1.0], (len(aim), 1))
    return aim[frames[np.clip(np.searchsorted(frames, np.arange(len(aim)), side="right") - 1, 0, None)]]
