"""Left and right of a person that an estimator mixes up for some frames, as where it takes the front for the back.

All paired points then jump across the body at once, and back again later: the likeliest sequence of sound and mixed-up
frames (Viterbi 1967), by how far the points jump.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.motion.key_points.convention_tables import KeyPoints
from posable.spatial import Array

_JUMPS, _FURTHEST = 0.1, 0.5  # of the person's size: a change of sides costs as much as such a jump; no jump costs more
_MIXED = 1e-4  # of the person's size: what a mixed-up frame costs
_LASTING = 0.25  # s for which a person is remembered who is not seen
_LEAST = 3  # pairs of points that must be seen


def with_sides_mended(points: KeyPoints) -> tuple[KeyPoints, tuple[str, ...]]:
    """The points with their sides put right in frames in which they are mixed up, and notes."""
    pairs = [
        (k, points.names.index(other))
        for k, name in enumerate(points.names)
        if name.startswith("left_") and (other := f"right_{name[5:]}") in points.names
    ]
    if len(pairs) < _LEAST or len(points) < 3:
        return points, ()
    mixed = _mixed(points, np.array(pairs))
    if not mixed.any():
        return points, ()
    order = np.arange(len(points.names))
    for left, right in pairs:
        order[[left, right]] = right, left
    which = np.where(mixed[:, None], order, np.arange(len(order)))
    rows = np.arange(len(points))[:, None]
    image = None if points.image is None else points.image[rows, which]
    mended = replace(
        points, positions=points.positions[rows, which], confidence=points.weights[rows, which], image=image
    )
    seconds = np.flatnonzero(mixed)[[0, -1]] / points.fps
    note = f"left and right were mixed up in {mixed.sum()} of {len(mixed)} frames ({seconds[0]:.2f} to "
    return mended, (f"{note}{seconds[1]:.2f} s); they were put right",)


def _mixed(points: KeyPoints, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """`[frame]` where left and right are mixed up."""
    places: Array = points.positions if points.flat or points.image is None else points.image
    seen = (points.weights > 0) & np.isfinite(places).all(axis=2)
    size = _size(places, seen)
    both = np.logical_and.reduce(seen[:, pairs], axis=2)
    known = np.flatnonzero(both.sum(axis=1) >= _LEAST)
    cost, before = np.array([0.0, _JUMPS]), list[NDArray[np.int64]]()
    for last, now in pairwise(known.tolist()):
        stays, changes = 0.0, 0.0
        if now - last <= max(_LASTING * points.fps, 1):
            own = pairs[np.flatnonzero(both[last] & both[now])]
            stays, changes = _moved(places[last][own] / size, places[now][own] / size)
        through = cost[:, None] + [[stays, changes + _JUMPS], [changes + _JUMPS, stays]]
        before.append(through.argmin(axis=0))
        cost = through.min(axis=0) + np.array([0.0, _MIXED])
    mixed = np.zeros(len(points), bool)
    state = int((cost + np.array([0.0, _JUMPS])).argmin())  # one jump alone does not tell which side of it is wrong
    for k in range(len(known) - 1, -1, -1):
        mixed[known[k]] = state == 1
        state = int(before[k - 1][state]) if k else state
    return mixed


def _size(places: Array, seen: NDArray[np.bool_]) -> float:
    """How far a person's points spread, as a rule."""
    spread = [np.ptp(own[known], axis=0).max() for own, known in zip(places, seen, strict=True) if known.any()]
    return max(float(np.median(spread)) if spread else 0.0, 1e-12)


def _moved(last: Array, now: Array) -> tuple[float, float]:
    """How far pairs `[pair, side, axis]` move from frame to frame on average: as given, and with changed sides."""
    if not len(last):
        return 0.0, 0.0
    far = [np.minimum(np.linalg.norm(own - last, axis=2), _FURTHEST).mean() for own in (now, now[:, ::-1])]
    return float(far[0]), float(far[1])
