"""Kinds of ground as heights over a plane: level or tilted, stairs, a grid of heights, triangles.

Everything here is in ground coordinates: two along the ground, then the height. Where there is no ground the height and
the normal are NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array, normalized

_UP = np.array([0.0, 0.0, 1.0])


class Surface(Protocol):
    """A height and a unit normal at every place `[point, 2]`."""

    def heights(self, places: Array) -> tuple[Array, Array]:
        """(heights `[point]`, unit normals `[point, 3]`, or `[1, 3]` where they are all the same)."""
        ...


@dataclass(frozen=True, eq=False)
class Flat:
    """A plane: the height at the middle of the world, and how much it rises along each of the two directions."""

    height: float
    rise: Array  # [2]

    @cached_property
    def _normal(self) -> Array:
        return _normal(self.rise)

    def heights(self, places: Array) -> tuple[Array, Array]:
        return self.height + places @ self.rise, self._normal[None]


@dataclass(frozen=True, eq=False)
class Stairs:
    """`count` steps, the first riser at `start`, leading on along the unit `direction`; level before and after."""

    rise: float
    run: float
    count: int
    direction: Array  # [2]
    start: Array  # [3]

    def heights(self, places: Array) -> tuple[Array, Array]:
        along = (places - self.start[:2]) @ self.direction
        step = np.minimum(np.maximum(np.floor(along / self.run + 1e-9) + 1, 0), self.count)  # np.clip is slow for a few
        return self.start[2] + self.rise * step, _UP[None]


@dataclass(frozen=True, eq=False)
class Grid:
    """Heights at the corners of square cells, bilinear between; NaN is a hole, as is all beyond the edge."""

    values: Array  # [first, second]
    spacing: float
    corner: Array  # [2]

    def heights(self, places: Array) -> tuple[Array, Array]:
        at = (places - self.corner) / self.spacing
        last = np.array(self.values.shape) - 1
        inside = np.asarray(((at >= -1e-9) & (at <= last + 1e-9)).all(axis=1))
        cell = np.clip(np.floor(np.where(inside[:, None], at, 0.0)).astype(int), 0, last - 1)
        u, v = np.clip(at - cell, 0.0, 1.0).T
        i, j = cell.T
        a, b, c, d = (self.values[i + p, j + q] for p, q in ((0, 0), (1, 0), (0, 1), (1, 1)))
        height = (1 - u) * (1 - v) * a + u * (1 - v) * b + (1 - u) * v * c + u * v * d
        rises = np.stack([(1 - v) * (b - a) + v * (d - c), (1 - u) * (c - a) + u * (d - b)], axis=1) / self.spacing
        return np.where(inside, height, np.nan), np.where(inside[:, None], _normal(rises), np.nan)


@dataclass(frozen=True, eq=False)
class Triangles:
    """The topmost of the triangles over each place; upright ones are walls and count for nothing."""

    corners: Array  # [face, 3, 3]

    @cached_property
    def _planes(self) -> tuple[Array, Array, Array]:
        """(inverse `[face, 2, 2]` to barycentric coordinates, heights of the corners' differences, unit normals)."""
        edges = self.corners[:, 1:] - self.corners[:, :1]
        normal = np.cross(edges[:, 0], edges[:, 1])
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

    def heights(self, places: Array) -> tuple[Array, Array]:
        point, face = self._pairs(places)
        inverse, rises, normals = self._planes
        u, v = (inverse[face] @ (places[point] - self.corners[face, 0, :2])[..., None])[..., 0].T
        over = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        point, face = point[over], face[over]
        height = self.corners[face, 0, 2] + u[over] * rises[face, 0] + v[over] * rises[face, 1]
        order = np.lexsort((height, point))
        last = np.append(point[order][1:] != point[order][:-1], True)[: len(order)]
        top = order[last]
        found, normal = np.full(len(places), np.nan), np.full((len(places), 3), np.nan)
        found[point[top]], normal[point[top]] = height[top], normals[face[top]]
        return found, normal

    def _pairs(self, places: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every (point, face) that share a cell."""
        cells = self._cells
        cell = np.floor((places - cells.corner) / cells.size)
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
    edges = corners[:, 1:] - corners[:, :1]
    normal = np.cross(edges[:, 0], edges[:, 1])
    return np.abs(normal[:, 2]) > 1e-6 * np.linalg.norm(normal, axis=1) + 1e-300


def _normal(rises: Array) -> Array:
    """Unit normals of ground that rises by `[..., 2]`."""
    return normalized(np.concatenate([-rises, np.ones((*rises.shape[:-1], 1))], axis=-1))


def _sign(normal: Array) -> Array:
    return np.where(normal[:, 2:] < 0, -1.0, 1.0)
