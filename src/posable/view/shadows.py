"""The key light's shadows: a depth map for the figure itself, and a shape on the ground, sharper where they touch."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.spatial import Array, normalized

_SPREADS = (
    0.004,
    0.022,
    0.07,
)  # how soft the ground shadow is drawn, stage lengths; mixed by the height of what casts it
_SOFTNESS = 0.075  # spread per distance from caster to ground: the size of the lamp
BELOW = 0.004
"""How far below the ground something is still seen, stage lengths: soles that stand on it sink in a little."""
_AROUND = 0.2  # free border of the map, stage lengths, for the softest shadow to fade in

Map = NDArray[np.float32]


class Shadows(NamedTuple):
    """What shading looks up. `map_from_stage [3, 4]` gives column, row and nearness to the lamp of a stage point."""

    map_from_stage: NDArray[np.float32]
    nearness: Map  # [row, column] of the nearest surface; -inf without one
    ground: Map  # [row / 2, column / 2] 0 lit … 1 in the dark, where the ray through this texel meets the ground


def lamp_axes(towards: ArrayLike) -> Array:
    """`[..., 3, 3]`: rows across, down, towards the lamp: coordinates in which far lamps see the stage."""
    towards = normalized(towards)
    upright = np.where(np.abs(towards[..., 2:]) < 0.95, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    across = normalized(np.cross(upright, towards))
    return np.stack([across, np.cross(towards, across), towards], axis=-2)


def maps_of(vertices: NDArray[np.float32], axes: Array, pixels: int, border: float) -> NDArray[np.float32]:
    """`[..., 3, 4]` map_from_stage of square maps along `axes [..., 3, 3]` that hold the vertices and a border."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, half = axes @ (low + high) / 2, np.abs(axes) @ (high - low) / 2
    scale = (pixels - 3) / (2 * half[..., :2].max(axis=-1) + 2 * border + 1e-6)
    matrices = np.zeros((*axes.shape[:-2], 3, 4))
    matrices[..., :3] = axes
    matrices[..., :2, :] *= scale[..., None, None]
    matrices[..., :2, 3] = (pixels - 1) / 2 - scale[..., None] * middle[..., :2]
    return matrices.astype(np.float32)


def cast_shadows(vertices: NDArray[np.float32], faces: NDArray[np.int32], axes: Array, pixels: int) -> Shadows:
    """The shadows of a mesh on the stage under a far lamp with `axes [3, 3]`; `pixels`: the depth map's side."""
    matrix = maps_of(vertices, axes, pixels, _AROUND)
    nearness = np.full((pixels, pixels), -np.inf, np.float32)
    draw_map(vertices, faces, matrix, nearness)
    covered, casting = np.empty((2, pixels // 2, pixels // 2), np.float32)
    _casters(nearness, _ground_nearness(matrix), covered, casting)
    texel = float(np.linalg.norm(matrix[0, :3])) / 2  # texels of the half-size map per stage length
    spreads = np.array(_SPREADS, np.float32)
    levels = np.stack([_blurred(covered, s * texel) for s in _SPREADS])
    wide = _blurred(casting, _SPREADS[1] * texel), levels[1], _blurred(casting, _SPREADS[2] * texel), levels[2]
    ground = np.empty_like(covered)
    _mix(levels, spreads, *wide, np.float32(_SOFTNESS), ground)
    return Shadows(matrix, nearness, ground)


@kernel
def draw_map(vertices, faces, matrix, nearness):
    """The depth map of a mesh seen from far away along the third row of `matrix`, over what `nearness` holds.

    Most triangles are smaller than a texel and reach no texel's centre: those cost no more than their box. Numbers
    are read one by one, in single precision: rows of an array, taken as such, cost twice the time.
    """
    points = np.empty((vertices.shape[0], 3), np.float32)
    for v in range(vertices.shape[0]):
        x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
        for n in range(3):
            points[v, n] = matrix[n, 0] * x + matrix[n, 1] * y + matrix[n, 2] * z + matrix[n, 3]
    for t in range(faces.shape[0]):
        i, j, k = faces[t, 0], faces[t, 1], faces[t, 2]
        first, last = _texels(points[i, 0], points[j, 0], points[k, 0], nearness.shape[0])
        if first > last:
            continue
        low, high = _texels(points[i, 1], points[j, 1], points[k, 1], nearness.shape[0])
        if low <= high:
            _fill_map(points, (i, j, k), (first, last, low, high), nearness)


@inner_kernel
def _texels(a, b, c, size):
    """First and last texel whose centres lie between three coordinates; the first is larger where none does."""
    least = max(min(a, b, c), np.float32(0.0))
    first = np.int32(least)
    if np.float32(first) < least:
        first += 1
    return first, np.int32(min(max(a, b, c), np.float32(size - 1)))


@inner_kernel
def _fill_map(points, corners, box, nearness):
    """The texels of a box whose centres lie in the triangle, or so near to its edge that a neighbour may miss them."""
    i, j, k = corners
    first, last, low, high = box
    x0, y0, near0 = points[i, 0], points[i, 1], points[i, 2]
    x1, y1, near1 = points[j, 0] - x0, points[j, 1] - y0, points[j, 2] - near0
    x2, y2, near2 = points[k, 0] - x0, points[k, 1] - y0, points[k, 2] - near0
    area = x1 * y2 - y1 * x2
    if not abs(area) > np.float32(1e-12):  # seen edge-on, of no area, or not a number
        return
    scale, edge = np.float32(1.0) / area, np.float32(1e-5)
    for row in range(low, high + 1):
        y = np.float32(row) - y0
        for column in range(first, last + 1):
            x = np.float32(column) - x0
            of_j, of_k = (x * y2 - x2 * y) * scale, (x1 * y - x * y1) * scale
            if of_j >= -edge and of_k >= -edge and of_j + of_k <= np.float32(1.0) + edge:
                near = near0 + of_j * near1 + of_k * near2
                if near > nearness[row, column]:
                    nearness[row, column] = near


def _ground_nearness(matrix: NDArray[np.float32]) -> Array:
    """a b c with nearness = a column + b row + c on the ground: solved from three points of it."""
    corners = np.array([[0.0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1]]) @ matrix.T.astype(float)
    return np.asarray(np.linalg.solve(np.column_stack([corners[:, :2], np.ones(3)]), corners[:, 2]), float)


@kernel
def _casters(nearness, plane, covered, casting):
    """Half-size maps: coverage of a texel, and coverage times its distance to the ground along the light."""
    for row in range(covered.shape[0]):
        for column in range(covered.shape[1]):
            total = np.float32(0.0)
            way = np.float32(0.0)
            for k in range(4):
                y, x = 2 * row + k // 2, 2 * column + k % 2
                above = nearness[y, x] - (plane[0] * x + plane[1] * y + plane[2])
                if above > -BELOW:  # neither nothing nor something under the ground
                    total += np.float32(0.25)
                    way += np.float32(0.25) * max(np.float32(above), np.float32(0.0))
            covered[row, column] = total
            casting[row, column] = way


def _blurred(image: Map, spread: float) -> Map:
    """Blurred by two boxes, a standard deviation of `spread` texels in all; outside counts as empty."""
    reach = max(round((float(np.sqrt(6 * spread * spread + 1)) - 1) / 2), 1)
    for _ in range(4):  # columns, rows, columns, rows
        out = np.empty_like(image)
        _box_blur_columns(image, reach, out)
        image = np.ascontiguousarray(out.T)
    return image


@kernel
def _box_blur_columns(image, reach, out):
    rows, columns = image.shape
    share = np.float32(1.0) / np.float32(2 * reach + 1)
    total = np.zeros(columns, np.float32)
    for y in range(min(reach, rows)):
        for x in range(columns):
            total[x] += image[y, x]
    for y in range(rows):
        if y + reach < rows:
            for x in range(columns):
                total[x] += image[y + reach, x]
        if y > reach:
            for x in range(columns):
                total[x] -= image[y - reach - 1, x]
        for x in range(columns):
            out[y, x] = max(total[x], np.float32(0.0)) * share


@kernel
def _mix(levels, spreads, near_way, near_cover, far_way, far_cover, softness, out):
    """Between the blurred levels, as far as the mean caster is above the ground."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            cover = far_cover[row, column]
            if cover < np.float32(1e-5):
                out[row, column] = 0.0
                continue
            trust = min(near_cover[row, column] / np.float32(0.2), np.float32(1.0))
            near = near_way[row, column] / max(near_cover[row, column], np.float32(1e-5))
            way = trust * near + (np.float32(1.0) - trust) * far_way[row, column] / cover
            wanted = min(max(softness * way, spreads[0]), spreads[2])
            k = 0 if wanted < spreads[1] else 1
            share = (wanted - spreads[k]) / (spreads[k + 1] - spreads[k])
            out[row, column] = levels[k, row, column] * (np.float32(1.0) - share) + levels[k + 1, row, column] * share


# Light from all around: how much of a bright room each point of a surface sees past the rest of the figure.
#
# Directions spread over the sphere; a small depth map from each says which points it reaches (Zhukov, Iones and
# Kronin,
# An Ambient Light Illumination Model, 1998). The sums are the irradiance of the room, over π.


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
    """Ambient irradiance over π `[point, 3]`, with `mesh` (vertices, faces) as the occluder.

    axes: `[direction, 3, 3]` from `lamp_axes`. radiance: `[direction, 3]`, color of the light from that direction.
    pixels: side of each depth map.
    """
    maps = maps_of(mesh[0], axes, pixels, 0.0)

    def share(first: int) -> NDArray[np.float32]:
        total = np.zeros((len(points), 3), np.float32)
        nearness = np.empty((pixels, pixels), np.float32)
        for k in range(first, len(axes), _SHARES):
            nearness.fill(-np.inf)
            draw_map(*mesh, maps[k], nearness)
            _gather(points, normals, maps[k, 2, :3], radiance[k], maps[k], nearness, total)
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


@inner_kernel
def _open(nearness, size, column, row, near, softness):
    """The unoccluded part of the four texels around a position, fading over `softness`."""
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
