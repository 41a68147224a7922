"""Where joints were when the skins that follow them were bound."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from posable.skin.skin import Skin
from posable.spatial import Array

_SAME = 1e-4  # of a bind matrix: as near it is the same
_ALIKE, _MOST = 0.1, 0.5  # lengths that differ by less are alike; the share of bones that are


def bound_frames(skins: Iterable[Skin], count: int) -> Array:
    """`[joint, 4, 4]`: rotation and position of each joint when a skin that follows it was bound, or NaN.

    All are in the space of the skin that follows most joints. Other skins count where they share its bind matrices:
    a piece that hangs on one bone may be bound in a space of its own, and says nothing about the pose.
    """
    found = np.full((count, 4, 4), np.nan)
    ordered = sorted(skins, key=lambda skin: -len(skin.used_joints))
    for skin in ordered:
        joints = skin.used_joints
        inverse, first = (np.asarray(one.inverse_bind[joints], float) for one in (skin, ordered[0]))
        if not (np.abs(inverse - first) <= _SAME * np.abs(first).max(axis=(1, 2), keepdims=True)).all():
            continue
        sound = np.abs(np.linalg.det(inverse[:, :3, :3])) > 0
        frames = np.linalg.inv(inverse[sound])
        frames[:, :3, :3] = nearest_rotation(frames[:, :3, :3])
        found[joints[sound]] = frames
    return found


def length_ratio(bound: Array, world: Array, parents: NDArray[np.int64]) -> float:
    """How much longer bones are in frames `world` than they were bound, both `[joint, 4, 4]`, in the median; 0 where
    few agree.
    """
    known = np.isfinite(bound[:, 0, 0])
    below = np.flatnonzero(known & (parents >= 0) & known[parents])
    now, then = (np.linalg.norm(of[below, :3, 3] - of[parents[below], :3, 3], axis=1) for of in (world, bound))
    long = (now > 0) & (then > 0)
    if not long.any():
        return 0.0
    ratio = now[long] / then[long]
    size = float(np.median(ratio))
    return size if (np.abs(ratio / size - 1) < _ALIKE).mean() >= _MOST else 0.0


def nearest_rotation(matrix: Array) -> Array:
    """The rotations R `[..., 3, 3]` with the largest Σ R∘matrix, never a reflection (Kabsch 1976)."""
    u, _, vt = np.linalg.svd(matrix)
    u[..., 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return u @ vt
