"""Smooth solids as signed distances, and the surface drawn from them. NumPy only.

Solids are tapered, flattened capsules and their soft unions. A distance is negative inside, 0 on the surface, and grows
by about 1 per metre near it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.spatial import Array

Field = Callable[[Array], Array]  # [point, 3] -> [point]


@dataclass(frozen=True)
class Blob:
    """A capsule from `start` to `end` with linearly varying radii; an ellipsoid if both points coincide.

    stretch: how much wider than the radius it is along the three rows of `axes` (orthonormal, `[3, 3]`).
    """

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

    def box(self) -> Array:
        """`[2, 3]` two corners that it lies between."""
        ends, most = np.array([self.start, self.end]), max(self.radii) * max(self.stretch)
        return np.array([ends.min(axis=0) - most, ends.max(axis=0) + most])

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


def soft_minimum(a: Array, b: Array, blend: float) -> Array:
    """The smaller of two distances, rounded by a parabola where they differ by less than `blend`."""
    lower = np.minimum(a, b)
    if blend == 0:
        return lower
    near = np.maximum(blend - np.abs(a - b), 0)
    return lower - near * near / (4 * blend)


def gradient(field: Field, points: Array, step: float = 2e-4) -> Array:
    """`[point, 3]` by differences to the corners of a tetrahedron of size `step`."""
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    values = field((points[:, None] + step * corners).reshape(-1, 3)).reshape(-1, 4)
    return values @ corners / (4 * step)


def onto_surface(field: Field, points: ArrayLike, steps: int = 2, longest: float = 0.01) -> Array:
    """Points moved onto the surface by Newton steps along the gradient, none longer than `longest`."""
    positions: Array = np.array(points, float)
    for _ in range(steps):
        slope = gradient(field, positions)
        move = -(field(positions) / np.maximum(np.sum(slope * slope, axis=1), 0.05))[:, None] * slope
        size = np.linalg.norm(move, axis=1, keepdims=True)
        positions = positions + move * np.minimum(1, longest / np.maximum(size, 1e-12))
    return positions


# A signed distance turned into a closed triangle mesh by dual surface nets: each cell of a grid that the surface
# crosses holds one vertex, each edge of the grid with a change of sign gives one polygon of the four cells around it.
# The vertices are then spread evenly over the surface and moved onto it.
#
# After S. Gibson, "Constrained elastic surface nets", MICCAI 1998.


def polygonised(
    field: Field, low: Array, high: Array, size: float, relaxations: int = 6
) -> tuple[Array, NDArray[np.int64]]:
    """Vertices `[vertex, 3]` and outward faces `[face, 3]` of the surface where `field` is 0, in the box low … high.

    size: edge of the cells (m). relaxations: more make the triangles more even.
    """
    counts = np.ceil((high - low) / size).astype(np.int64) + 1
    nodes = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1)
    inside = _inside(field(low + size * nodes.reshape(-1, 3)).reshape(counts))
    corners = np.stack([_shifted(inside, one) for one in np.ndindex(2, 2, 2)])
    crossed = corners.any(axis=0) & ~corners.all(axis=0)
    index = np.full(crossed.shape, -1)
    index[crossed] = np.arange(crossed.sum())
    rings = np.concatenate([_rings(inside, index, axis) for axis in range(3)])
    vertices = onto_surface(field, low + size * (np.argwhere(crossed) + 0.5), steps=3)
    vertices = _spread(field, vertices, rings, relaxations)
    return vertices, _triangles(vertices, rings)


def _shifted(nodes: NDArray[Any], by: Sequence[int]) -> NDArray[Any]:
    """Of each cell, the value at its corner `by`; along an axis where that is -1, of each node."""
    return nodes[tuple(slice(None) if k < 0 else slice(k, n - 1 + k) for k, n in zip(by, nodes.shape, strict=True))]


def _inside(value: Array) -> NDArray[np.bool_]:
    """Which nodes are inside. Where the corners of a square alternate, which would pinch the surface, the inner one
    that is nearest to the surface counts as outside.
    """
    number, depth = np.arange(value.size).reshape(value.shape), np.abs(value).ravel()
    squares = []
    for axis in range(3):
        corners = [np.insert(one, axis, -1).tolist() for one in ((0, 0), (1, 0), (1, 1), (0, 1))]
        squares += [np.stack([_shifted(number, one) for one in corners], axis=-1).reshape(-1, 4)]
    square, inside = np.concatenate(squares), value.ravel() < 0
    while True:
        a, b, c, d = inside[square].T
        alternating = square[(a == c) & (b == d) & (a != b)]
        if not len(alternating):
            return inside.reshape(value.shape)
        nearest = np.where(inside[alternating], depth[alternating], np.inf).argmin(axis=1)
        inside[alternating[np.arange(len(alternating)), nearest]] = False


def _rings(inside: NDArray[np.bool_], index: NDArray[np.int64], axis: int) -> NDArray[np.int64]:
    """`[edge, 4]` the vertices around each edge along `axis` where the sign changes, seen from outside."""
    order = [axis, (axis + 1) % 3, (axis + 2) % 3]
    inside, index = inside.transpose(order), index.transpose(order)
    starts = inside[:-1, 1:-1, 1:-1]
    changes = starts != inside[1:, 1:-1, 1:-1]
    around = [
        index[:, j : index.shape[1] - 1 + j, k : index.shape[2] - 1 + k] for j, k in ((0, 0), (1, 0), (1, 1), (0, 1))
    ]
    rings = np.stack([one[changes] for one in around], axis=1)
    return np.where(starts[changes][:, None], rings, rings[:, ::-1])


def _spread(field: Field, vertices: Array, rings: NDArray[np.int64], rounds: int) -> Array:
    """Vertices moved along the surface towards the middle of their neighbours, so that the triangles even out."""
    pairs = np.concatenate([rings[:, [k, (k + 1) % 4]] for k in range(4)])
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    ends, others = np.concatenate([pairs, pairs[:, ::-1]]).T
    count = np.bincount(ends, minlength=len(vertices))[:, None]
    for _ in range(rounds):
        sums = np.stack([np.bincount(ends, vertices[others, axis], len(vertices)) for axis in range(3)], axis=1)
        vertices = onto_surface(field, vertices + 0.6 * (sums / count - vertices), steps=1)
    return onto_surface(field, vertices, steps=3)


def _triangles(vertices: Array, rings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rings of four cut along the shorter diagonal (ties always alike); of one with a double corner, one triangle."""
    corner = vertices[rings]
    one, other = (np.linalg.norm(corner[:, k] - corner[:, k + 2], axis=1) for k in (0, 1))
    turned = np.where((one <= other * (1 + 1e-6))[:, None], rings, np.roll(rings, -1, axis=1))
    faces = np.concatenate([turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]])
    alike = (faces == np.roll(faces, 1, axis=1)).any(axis=1)
    return faces[~alike]
