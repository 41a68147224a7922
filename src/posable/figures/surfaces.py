"""Shapes of ground, as heights over a horizontal plane: level or tilted planes, stairs, height grids, triangles.

All coordinates here are ground coordinates: two along the ground, then the height. Over a hole the height and
the normal are NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array, normalized

# Pieces of ground as triangles, to be drawn: in ground coordinates, two along the ground, then the height.


MOST_LINES = 2000
"""The most lines of a grid, or edges of stairs, that are drawn."""

_MAX_TILES = 20_000
_LINES_PER_TILE = 4  # lines of a formula that are drawn


class Patch(NamedTuple):
    """A piece of ground. corners: `[face, 3, 3]`, counter-clockwise seen from above; odd: `[face]`, whether its tile is
    one of the dark ones, as on a chess board.
    """

    corners: Array
    odd: NDArray[np.bool_]


def span_of(points: Array, room: float, tile: float) -> tuple[Array, Array, float]:
    """(the least, the largest of `points [point, 2]` with `room` about them, tiles so wide that they are not too many).

    A tile grows twofold, so that its edges stay edges.
    """
    low, high = points.min(axis=0) - room, points.max(axis=0) + room
    while np.prod(np.ceil((high - low) / tile) + 1) > _MAX_TILES:
        tile *= 2
    return low, high, tile


def multiples(low: float, high: float, step: float) -> Array:
    """Multiples of `step`, from the last at or below `low` to the first at or above `high`."""
    return step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)


def sheet(points: Array, down: Array, along: Array) -> Patch:
    """The cells between `points [row, column, 3]`, without those of no area or over a hole (NaN).

    down, along: `[row − 1]` and `[column − 1]`, the numbers of the tiles that cells belong to.
    """
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    cells = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 6, 3)
    whole = np.isfinite(cells).all(axis=(1, 2))
    corners = cells[whole].reshape(-1, 3, 3)
    odd = np.repeat(np.add.outer(down, along).ravel()[whole] % 2 == 1, 2)
    solid = np.linalg.norm(across(corners), axis=1) > 0
    return Patch(corners[solid], odd[solid])


def tiles(lines: Array, tile: float) -> Array:
    """The numbers of the tiles between lines, `[line − 1]`."""
    return np.floor(0.5 * (lines[1:] + lines[:-1]) / tile + 1e-9)


def across(corners: Array) -> Array:
    """`[face, 3]` normals of triangles `[face, 3, 3]`, twice as long as their areas."""
    edges = corners[:, 1:] - corners[:, :1]
    return np.cross(edges[:, 0], edges[:, 1])


def cut(corners: Array, low: Array, high: Array) -> Patch:
    """Triangles `[face, 3, 3]` cut off at the edges of a rectangle (Sutherland & Hodgman 1974)."""
    inside = ((corners[..., :2] >= low) & (corners[..., :2] <= high)).all(axis=(1, 2))
    pieces = [corners[inside]]
    for polygon in corners[~inside]:
        for axis, sign, edge in ((0, 1, low[0]), (1, 1, low[1]), (0, -1, -high[0]), (1, -1, -high[1])):
            polygon = _clipped(polygon, sign * polygon[:, axis] - edge)
        fan = [polygon[[0, k, k + 1]] for k in range(1, len(polygon) - 1)]
        pieces += [np.array(fan)] if fan else []
    whole = np.concatenate(pieces)
    return Patch(whole, np.zeros(len(whole), bool))


def _clipped(polygon: Array, over: Array) -> Array:
    """The part of `polygon [corner, 3]` where what goes from corner to corner as `over [corner]` is not below 0."""
    kept = []
    for here, there, a, b in zip(polygon, np.roll(polygon, -1, axis=0), over, np.roll(over, -1), strict=True):
        kept += [here] if a >= 0 else []
        kept += [here + (there - here) * (a / (a - b))] if (a >= 0) != (b >= 0) else []
    return np.array(kept).reshape(-1, 3)


_UP = np.array([0.0, 0.0, 1.0])


class Surface(Protocol):
    """A height and a unit normal at every point `[point, 2]`, and triangles to draw it with."""

    def heights(self, points: Array) -> tuple[Array, Array]:
        """(heights `[point]`, unit normals `[point, 3]`, or `[1, 3]` where they are all the same)."""
        ...

    def patch(self, points: Array, room: float, tile: float) -> Patch:
        """The ground under all `points [point, 2]` and `room` about them, in tiles about `tile` wide."""
        ...


@dataclass(frozen=True, eq=False)
class Flat:
    """A plane: the height at the middle of the world, and how much it rises along each of the two directions."""

    height: float
    rise: Array  # [2]

    @cached_property
    def _normal(self) -> Array:
        return _normal(self.rise)

    def heights(self, points: Array) -> tuple[Array, Array]:
        return self.height + points @ self.rise, self._normal[None]

    def patch(self, points: Array, room: float, tile: float) -> Patch:
        low, high, tile = span_of(points, room, tile)
        rows, columns = (multiples(low[k], high[k], tile) for k in (0, 1))
        level = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
        return sheet(_raised(level, self.height + level @ self.rise), tiles(rows, tile), tiles(columns, tile))


@dataclass(frozen=True, eq=False)
class Stairs:
    """`count` steps, the first riser at `start`, leading on along the unit `direction`; level before and after."""

    rise: float
    run: float
    count: int
    direction: Array  # [2]
    start: Array  # [3]

    def heights(self, points: Array) -> tuple[Array, Array]:
        along = (points - self.start[:2]) @ self.direction
        step = np.minimum(np.maximum(np.floor(along / self.run + 1e-9) + 1, 0), self.count)  # np.clip is slow for a few
        return self.start[2] + self.rise * step, _UP[None]

    def patch(self, points: Array, room: float, tile: float) -> Patch:
        axes = np.stack([self.direction, [-self.direction[1], self.direction[0]]])  # along the stairs, and across
        low, high, tile = span_of((points - self.start[:2]) @ axes.T, room, tile)
        lines, columns = self._lines(low[0], high[0], tile), multiples(low[1], high[1], tile)
        middles = self.start[:2] + 0.5 * (lines[1:] + lines[:-1])[:, None] * self.direction
        rows, heights = np.repeat(lines, 2)[1:-1], np.repeat(self.heights(middles)[0], 2)
        level = self.start[:2] + np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1) @ axes
        return sheet(_raised(level, heights[:, None]), np.arange(1.0, len(rows)) // 2, tiles(columns, tile))

    def _lines(self, low: float, high: float, tile: float) -> Array:
        """The edges of steps, and of tiles on and between them: along the stairs, from their start."""
        last = self.run * (self.count - 1)
        first, until = max(math.floor(low / self.run), 0), min(math.ceil(high / self.run), self.count - 1)
        edges: Array = self.run * np.arange(first, until + 1, max((until - first) // MOST_LINES, 1), dtype=float)
        before = multiples(low, min(high, 0.0), tile) if low < 0 else np.zeros(0)
        after = last + multiples(max(low - last, 0.0), high - last, tile) if high > last else np.zeros(0)
        lines = np.unique(np.clip(np.concatenate([before, edges, after]), low, high))
        parts = np.maximum(np.round(np.diff(lines) / tile), 1).astype(int)
        ends = np.concatenate([[0], np.cumsum(parts)])
        return np.interp(np.arange(ends[-1] + 1), ends, lines)


@dataclass(frozen=True, eq=False)
class Grid:
    """Heights at the corners of square cells, bilinear between; NaN is a hole, as is all beyond the edge."""

    values: Array  # [first, second]
    spacing: float
    corner: Array  # [2]

    def heights(self, points: Array) -> tuple[Array, Array]:
        at = (points - self.corner) / self.spacing
        last = np.array(self.values.shape) - 1
        inside = np.asarray(((at >= -1e-9) & (at <= last + 1e-9)).all(axis=1))
        cell = np.clip(np.floor(np.where(inside[:, None], at, 0.0)).astype(int), 0, last - 1)
        u, v = np.clip(at - cell, 0.0, 1.0).T
        i, j = cell.T
        a, b, c, d = (self.values[i + p, j + q] for p, q in ((0, 0), (1, 0), (0, 1), (1, 1)))
        height = (1 - u) * (1 - v) * a + u * (1 - v) * b + (1 - u) * v * c + u * v * d
        rises = np.stack([(1 - v) * (b - a) + v * (d - c), (1 - u) * (c - a) + u * (d - b)], axis=1) / self.spacing
        return np.where(inside, height, np.nan), np.where(inside[:, None], _normal(rises), np.nan)

    def patch(self, points: Array, room: float, tile: float) -> Patch:
        low, high, tile = span_of(points, room, tile)
        rows, columns = (self._lines(low[k], high[k], k) for k in (0, 1))
        at = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
        corners = _raised(self.corner + self.spacing * at, self.values[at[..., 0], at[..., 1]])
        own = (self.corner[k] + self.spacing * lines for k, lines in enumerate((rows, columns)))
        return sheet(corners, *(tiles(lines, tile) for lines in own))

    def _lines(self, low: float, high: float, axis: int) -> NDArray[np.int64]:
        """The rows (or columns) of the grid from `low` to `high`; every second or third only of very many."""
        last = self.values.shape[axis] - 1
        first, until = ((edge - float(self.corner[axis])) / self.spacing for edge in (low, high))
        begin, end = (min(max(edge, 0), last) for edge in (math.floor(first), math.ceil(until)))
        return np.unique(np.append(np.arange(begin, end, max((end - begin) // MOST_LINES, 1)), end))


@dataclass(frozen=True, eq=False)
class Formula:
    """Heights by a function of points `[point, 2]`; NaN is a hole. Slopes are taken over `step` to both sides."""

    function: Callable[[Array], Array]
    step: float

    def heights(self, points: Array) -> tuple[Array, Array]:
        sides = self.step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
        around = self.function((points[:, None] + sides).reshape(-1, 2)).reshape(-1, 5)
        rises = (around[:, 1::2] - around[:, 2::2]) / (2 * self.step)
        return around[:, 0], _normal(rises)

    def patch(self, points: Array, room: float, tile: float) -> Patch:
        low, high, tile = span_of(points, room, tile)
        rows, columns = (multiples(low[k], high[k], tile / _LINES_PER_TILE) for k in (0, 1))
        level = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
        heights = self.function(level.reshape(-1, 2)).reshape(level.shape[:2])
        return sheet(_raised(level, heights), tiles(rows, tile), tiles(columns, tile))


@dataclass(frozen=True, eq=False)
class Triangles:
    """The topmost of the triangles over each point; vertical ones are walls and are ignored."""

    corners: Array  # [face, 3, 3]

    @cached_property
    def _planes(self) -> tuple[Array, Array, Array]:
        """(inverse `[face, 2, 2]` to barycentric coordinates, heights of the corners' differences, unit normals)."""
        edges, normal = self.corners[:, 1:] - self.corners[:, :1], across(self.corners)
        inverse = np.linalg.inv(np.swapaxes(edges[:, :, :2], 1, 2)).astype(float)
        return inverse, edges[:, :, 2], normalized(normal * _sign(normal))

    @cached_property
    def _cells(self) -> _Cells:
        low, high = self.corners[:, :, :2].min(axis=1), self.corners[:, :, :2].max(axis=1)
        corner, span = low.min(axis=0), float((high.max(axis=0) - low.min(axis=0)).max())
        size = max(float(np.median((high - low).max(axis=1))), span / 512, 1e-12)
        while _counts(low, high, corner, size)[1].prod(axis=1).sum() > 8 * len(low) + 1_000_000:
            size *= 2  # a few large triangles among many small ones
        first, counts = _counts(low, high, corner, size)
        face, within = _runs(counts.prod(axis=1))
        shape = np.floor((high.max(axis=0) - corner) / size).astype(np.int64) + 1
        across = counts[face, 1]
        cell = (first[face, 0] + within // across) * shape[1] + first[face, 1] + within % across
        order = np.argsort(cell, kind="stable")
        begins = np.searchsorted(cell[order], np.arange(shape.prod() + 1))
        return _Cells(corner, size, shape, begins, face[order])

    def heights(self, points: Array) -> tuple[Array, Array]:
        point, face = self._pairs(points)
        inverse, rises, normals = self._planes
        u, v = (inverse[face] @ (points[point] - self.corners[face, 0, :2])[..., None])[..., 0].T
        over = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        point, face = point[over], face[over]
        height = self.corners[face, 0, 2] + u[over] * rises[face, 0] + v[over] * rises[face, 1]
        order = np.lexsort((height, point))
        last = np.append(point[order][1:] != point[order][:-1], True)[: len(order)]
        top = order[last]
        found, normal = np.full(len(points), np.nan), np.full((len(points), 3), np.nan)
        found[point[top]], normal[point[top]] = height[top], normals[face[top]]
        return found, normal

    def patch(self, points: Array, room: float, tile: float) -> Patch:
        low, high, _ = span_of(points, room, tile)
        near = ((self.corners.min(axis=1)[:, :2] < high) & (self.corners.max(axis=1)[:, :2] > low)).all(axis=1)
        corners = self.corners[near]
        return cut(np.where(_sign(across(corners))[:, None] < 0, corners[:, ::-1], corners), low, high)

    def _pairs(self, points: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every (point, face) that share a cell."""
        cells = self._cells
        cell = np.floor((points - cells.corner) / cells.size)
        known = np.asarray(((cell >= 0) & (cell < cells.shape)).all(axis=1))
        number = (np.where(known[:, None], cell, 0) @ [cells.shape[1], 1]).astype(np.int64)
        point, within = _runs(np.where(known, cells.begins[number + 1] - cells.begins[number], 0))
        return point, cells.faces[cells.begins[number][point] + within]


class _Cells(NamedTuple):
    """A table of square cells over the ground, and the faces that reach into each."""

    corner: Array  # [2]
    size: float
    shape: NDArray[np.int64]  # [2]
    begins: NDArray[np.int64]  # [cell + 1] where a cell's faces begin
    faces: NDArray[np.int64]


def _counts(low: Array, high: Array, corner: Array, size: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(the first cell `[face, 2]`, how many from there `[face, 2]`) that each face reaches into."""
    first = np.floor((low - corner) / size).astype(np.int64)
    return first, np.floor((high - corner) / size).astype(np.int64) - first + 1


def _runs(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """0 counts[0] times, 1 counts[1] times …; and beside it the count from 0 within each."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)


def standing(corners: Array) -> NDArray[np.bool_]:
    """`[face]` whether a triangle is more than a wall (or a line): its shadow on the ground has an area."""
    normal = across(corners)
    return np.abs(normal[:, 2]) > 1e-6 * np.linalg.norm(normal, axis=1) + 1e-300


def _raised(level: Array, heights: Array) -> Array:
    """`[row, column, 3]` of points `[row, column, 2]` and heights that broadcast to `[row, column]`."""
    return np.concatenate([level, np.broadcast_to(heights, level.shape[:2])[..., None]], axis=2)


def _normal(rises: Array) -> Array:
    """Unit normals of ground that rises by `[..., 2]`."""
    return normalized(np.concatenate([-rises, np.ones((*rises.shape[:-1], 1))], axis=-1))


def _sign(normal: Array) -> Array:
    return np.where(normal[:, 2:] < 0, -1.0, 1.0)
