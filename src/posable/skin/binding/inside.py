"""Whether points lie inside a surface that may be open, or cross itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.tree import ENDS, BoxTree, crossings
from posable.spatial import Array
from posable.spatial.compile import kernel

_RAYS = 7  # an odd number: no ties


def inside(tree: BoxTree, points: Array) -> NDArray[np.bool_]:
    """`[point]`: whether most ways out of a point leave the surface more often than they enter it.

    The surface lies in a box of diagonal 1; its faces look outward.
    """
    flat = np.ascontiguousarray(points.reshape(-1, 3))
    found = np.zeros(len(flat), np.bool_)
    count_ways_out(tree, flat, _directions(), found)
    return found.reshape(points.shape[:-1])


def _directions() -> Array:
    """Unit vectors spread over the sphere (a Fibonacci spiral, turned so that none lies along an axis)."""
    k = np.arange(_RAYS) + 0.5
    height, turn = 1 - 2 * k / _RAYS, np.pi * (3 - np.sqrt(5)) * k + 0.7
    around = np.sqrt(1 - height**2)
    return np.stack([around * np.cos(turn), height, around * np.sin(turn)], axis=1)


@kernel
def count_ways_out(tree, points, directions, found):
    """Fills `found`."""
    inverse, ray = np.empty(3), np.empty(3)
    at, side, stack = np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(128, np.int64)
    for point in range(len(points)):
        votes = 0
        away = 1 + abs(points[point, 0]) + abs(points[point, 1]) + abs(points[point, 2])
        for direction in range(len(directions)):
            for axis in range(3):
                ray[axis] = directions[direction, axis] * away
            count = crossings(tree, points[point], ray, -1, at, side, stack, inverse)
            left = 0
            for k in range(count):
                left -= side[k]
            votes += left > 0
        found[point] = 2 * votes > len(directions)
