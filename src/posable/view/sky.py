"""Light from all around: how much of a bright room each point of a surface sees past the rest of the figure.

Directions spread over the sphere; a small depth map from each says which points it reaches (Zhukov, Iones and Kronin,
An Ambient Light Illumination Model, 1998). The sums are the irradiance of the room, over π.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array
from posable.spatial.compile import kernel
from posable.view.raster import empty_triangles
from posable.view.shadows import draw_map, maps_of

_SHARES = 4  # directions are summed in so many shares whatever the number of threads: the same picture on every machine
_BORDER = 0.35  # of ground about the figure whose sky is measured, stage lengths
_RANGE = 0.45  # what is farther than this (stage lengths) hides little: a room has light from the sides of things, too


def directions(count: int) -> Array:
    """`[count, 3]` unit vectors, evenly over the sphere (a Fibonacci spiral)."""
    z = 1 - (2 * np.arange(count) + 1) / count
    angle = np.arange(count) * math.pi * (3 - math.sqrt(5))
    ring = np.sqrt(1 - z * z)
    return np.stack([ring * np.cos(angle), ring * np.sin(angle), z], axis=1)


def sky_light(
    points: NDArray[np.float32],
    normals: NDArray[np.float32],
    mesh: tuple[NDArray[np.float32], NDArray[np.int32]],
    axes: Array,
    radiance: NDArray[np.float32],
    pixels: int,
    pool: Executor,
) -> NDArray[np.float32]:
    """Irradiance over π `[point, 3]` of the room, where `mesh` (vertices, faces) does not stand in the way.

    axes: `[direction, 3, 3]` as `lamp_axes` gives them. radiance: `[direction, 3]`, the color of light from there.
    pixels: the side of each depth map.
    """
    maps = maps_of(mesh[0], axes, pixels, 0.0)

    def share(first: int) -> NDArray[np.float32]:
        total = np.zeros((len(points), 3), np.float32)
        room = (
            np.empty((pixels, pixels), np.float32),
            np.empty((pixels, pixels), np.int32),
            empty_triangles(len(mesh[1])),
        )
        for k in range(first, len(axes), _SHARES):
            room[0].fill(-np.inf)
            draw_map(*mesh, maps[k], *room)
            _gather(points, normals, maps[k, 2, :3], radiance[k], maps[k], room[0], total)
        return total

    total = sum(pool.map(share, range(_SHARES)), np.zeros((len(points), 3), np.float32))
    return total * np.float32(4 / len(axes))


@kernel
def _gather(points, normals, towards, radiance, matrix, nearness, total):
    size = nearness.shape[0]
    texel = np.float32(1.0) / math.sqrt(matrix[0, 0] ** 2 + matrix[0, 1] ** 2 + matrix[0, 2] ** 2)
    for v in range(points.shape[0]):
        n = normals[v]
        cosine = n[0] * towards[0] + n[1] * towards[1] + n[2] * towards[2]
        if cosine <= 0.0:
            continue
        off = np.float32(1.2) * texel
        x, y, z = points[v, 0] + off * n[0], points[v, 1] + off * n[1], points[v, 2] + off * n[2]
        column = matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2] * z + matrix[0, 3]
        row = matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2] * z + matrix[1, 3]
        near = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2] * z + matrix[2, 3] + texel
        seen = cosine * _open(nearness, size, column, row, near, np.float32(2.0) * texel)
        for c in range(3):
            total[v, c] += seen * radiance[c]


@kernel
def _open(nearness, size, column, row, near, softness):
    """The part of the four texels about a place that has nothing before it, fading over `softness`."""
    x0, y0 = math.floor(column), math.floor(row)
    fx, fy = np.float32(column - x0), np.float32(row - y0)
    part = np.float32(0.0)
    for k in range(4):
        x, y = x0 + k % 2, y0 + k // 2
        weight = (fx if k % 2 else np.float32(1.0) - fx) * (fy if k // 2 else np.float32(1.0) - fy)
        if x < 0 or y < 0 or x >= size or y >= size:
            part += weight
        else:
            above = max(nearness[y, x] - near, np.float32(0.0))
            far = above * np.float32(1.0 / _RANGE)
            part += weight * (np.float32(1.0) - min(above / softness, np.float32(1.0)) / (np.float32(1.0) + far * far))
    return part


def ground_points(vertices: NDArray[np.float32], count: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Ground points `[count × count, 3]` about the figure, and `[4]` first x and y, columns and rows per length."""
    low, high = vertices[:, :2].min(axis=0) - _BORDER, vertices[:, :2].max(axis=0) + _BORDER
    x, y = (np.linspace(low[k], high[k], count, dtype=np.float32) for k in (0, 1))
    grid = np.stack(
        [*(a.T.ravel() for a in np.meshgrid(x, y, indexing="ij")), np.zeros(count * count, np.float32)], axis=1
    )
    return grid, np.array([*low, *((count - 1) / (high - low))], np.float32)


def ground_darkness(light: NDArray[np.float32], full: float) -> NDArray[np.float32]:
    """`[row, column]` 0 where the ground sees the whole room (a light of `full`), 1 where nothing; 0 on the border."""
    count = math.isqrt(len(light))
    dark = 1 - light.mean(axis=1).reshape(count, count) / full
    edge = np.minimum(np.arange(count), np.arange(count)[::-1]) / (0.12 * count)
    fade = np.clip(np.minimum(edge[:, None], edge[None, :]), 0, 1)
    return (np.clip(dark, 0, 1) * fade).astype(np.float32)
