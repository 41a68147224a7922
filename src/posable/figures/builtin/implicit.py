"""Smooth solids as signed distances: tapered, flattened capsules and their soft unions. NumPy only.

A distance is negative inside, 0 on the surface, and grows by about 1 per metre near it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike

from posable.spatial import Array

Field = Callable[[Array], Array]  # [point, 3] -> [point]
_BLOCK = 4  # cubes along the edge of a block
_HALF_DIAGONAL = 0.8661  # of a unit cube, and a little more
_SLACK = 1.3  # distances of stretched solids are right to first order only


@dataclass(frozen=True)
class Blob:
    """A capsule from `start` to `end` with radii that run from the first to the last; if both are one, an ellipsoid.

    owner: the joint that the solid belongs to, "" for one that only rounds a transition.
    stretch: how much wider than the radius it is along the three rows of `axes` (orthonormal, `[3, 3]`).
    """

    owner: str
    start: Array
    end: Array
    radii: tuple[float, float]
    stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)
    axes: Array | None = None

    def distance(self, points: Array) -> Array:
        """`[point]` signed distances, right to first order: the stretched value over its gradient's length."""
        bone = (self.end - self.start) @ self._squeeze
        local = (points - self.start) @ self._squeeze
        size = float(bone @ bone)
        share = np.clip(local @ bone / size, 0, 1) if size > 0 else np.zeros(len(points))
        away = local - share[:, None] * bone
        length = np.sqrt(np.einsum("pk,pk->p", away, away)) + 1e-12
        value = length - self.radii[0] - share * (self.radii[1] - self.radii[0])
        if self.stretch == (1.0, 1.0, 1.0):
            return value
        away /= np.array(self.stretch)
        return value * length / (np.sqrt(np.einsum("pk,pk->p", away, away)) + 1e-12)

    @cached_property
    def _squeeze(self) -> Array:
        """`[3, 3]`, by which row vectors are multiplied: into the axes, where the solid is a plain capsule."""
        axes = np.eye(3) if self.axes is None else self.axes
        return (axes / np.array(self.stretch)[:, None]).T


@dataclass(frozen=True)
class Union:
    """Solids joined, the seams rounded where two surfaces come nearer than `blend` (m); 0 leaves them sharp."""

    parts: Sequence[Blob | Union]
    blend: float = 0.0

    def distance(self, points: Array) -> Array:
        """`[point]` signed distances of the union."""
        result = self.parts[0].distance(points)
        for part in self.parts[1:]:
            result = soft_minimum(result, part.distance(points), self.blend)
        return result

    def blobs(self) -> list[Blob]:
        """All solids in it."""
        return [blob for part in self.parts for blob in (part.blobs() if isinstance(part, Union) else [part])]

    def near(self, center: Array, radius: float) -> Union:
        """The union without the parts that have no say within `radius` of `center`: the same distances, sooner."""
        values = [float(part.distance(center[None])[0]) for part in self.parts]
        limit = min(values) + 2 * _SLACK * radius + self.blend
        kept = [part for part, value in zip(self.parts, values, strict=True) if value <= limit]
        return Union([part.near(center, radius) if isinstance(part, Union) else part for part in kept], self.blend)


def soft_minimum(a: Array, b: Array, blend: float) -> Array:
    """The smaller of two distances, rounded by a parabola where they differ by less than `blend`."""
    lower = np.minimum(a, b)
    if blend == 0:
        return lower
    near = np.maximum(blend - np.abs(a - b), 0)
    return lower - near * near / (4 * blend)


def in_cells(union: Union, size: float) -> Field:
    """The distance of `union`, evaluated cube by cube (edge `size`), each with the parts alone that matter in it."""

    @cache
    def block(key: tuple[int, ...]) -> Union:
        return union.near((np.array(key) + 0.5) * size * _BLOCK, _HALF_DIAGONAL * size * _BLOCK)

    @cache
    def cube(key: tuple[int, ...]) -> Union:
        return block(tuple(c // _BLOCK for c in key)).near((np.array(key) + 0.5) * size, _HALF_DIAGONAL * size)

    def distance(points: Array) -> Array:
        cells, inverse = np.unique(np.floor(points / size).astype(np.int64), axis=0, return_inverse=True)
        order = np.argsort(inverse.ravel(), kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(inverse.ravel()))[:-1])
        result = np.empty(len(points))
        for cell, rows in zip(cells, groups, strict=True):
            result[rows] = cube(tuple(int(c) for c in cell)).distance(points[rows])
        return result

    return distance


def gradient(field: Field, points: Array, step: float = 2e-4) -> Array:
    """`[point, 3]` by differences to the corners of a tetrahedron of size `step`."""
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    values = field((points[:, None] + step * corners).reshape(-1, 3)).reshape(-1, 4)
    return values @ corners / (4 * step)


def onto_surface(field: Field, points: ArrayLike, steps: int = 2, longest: float = 0.01) -> Array:
    """Points moved onto the surface by Newton steps along the gradient, none longer than `longest`."""
    places: Array = np.array(points, float)
    for _ in range(steps):
        slope = gradient(field, places)
        move = -(field(places) / np.maximum(np.sum(slope * slope, axis=1), 0.05))[:, None] * slope
        size = np.linalg.norm(move, axis=1, keepdims=True)
        places = places + move * np.minimum(1, longest / np.maximum(size, 1e-12))
    return places
