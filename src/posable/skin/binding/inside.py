"""Whether points lie inside a surface that may be open, or cross itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.tree import ENDS, BoxTree, crossings
from posable.spatial import Array
from posable.spatial.compile import inner_kernel, kernel

_RAYS = 25  # an odd number: no ties


def inside(tree: BoxTree, points: Array) -> NDArray[np.bool_]:
    """`[...]` for points `[..., 3]`: whether most ways out of a point leave the surface more often than they enter it.

    The surface lies in a box of diagonal 1; its faces look outward.
    """
    flat = np.ascontiguousarray(points.reshape(-1, 3))
    found = np.zeros(len(flat), np.bool_)
    tell_inside(tree, flat, ways_out(_RAYS), found)
    return found.reshape(points.shape[:-1])


def ways_out(count: int) -> Array:
    """Unit vectors spread over the sphere (a Fibonacci spiral, turned so that none lies along an axis)."""
    k = np.arange(count) + 0.5
    height, turn = 1 - 2 * k / count, np.pi * (3 - np.sqrt(5)) * k + 0.7
    around = np.sqrt(1 - height**2)
    return np.stack([around * np.cos(turn), height, around * np.sin(turn)], axis=1)


@inner_kernel
def is_inside(tree, point, directions, at, side, stack, inverse, ray):
    """Whether most of the ways out of a point leave the surface more often than they enter it."""
    votes = 0
    away = 1 + abs(point[0]) + abs(point[1]) + abs(point[2])
    for direction in range(len(directions)):
        for axis in range(3):
            ray[axis] = directions[direction, axis] * away
        left = 0
        for k in range(crossings(tree, point, ray, -1, at, side, stack, inverse)):
            left += 1 if side[k] < 0 else -1
        votes += left > 0
    return 2 * votes > len(directions)


@kernel
def tell_inside(tree, points, directions, found):
    """Fills `found`."""
    inverse, ray = np.empty(3), np.empty(3)
    at, side, stack = np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(128, np.int64)
    for point in range(len(points)):
        found[point] = is_inside(tree, points[point], directions, at, side, stack, inverse, ray)
