"""Smooth solids as signed distances: tapered, flattened capsules and their soft unions. NumPy only.

A distance is negative inside, 0 on the surface, and grows by about 1 per metre near it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.spatial import Array

Field = Callable[[Array], Array]  # [point, 3] -> [point]
_BLOCK = 4  # cubes along the edge of a block
_HALF_DIAGONAL = 0.8661  # of a unit cube, and a little more
_SLACK = 1.3  # distances of stretched solids are right to first order only


@dataclass(frozen=True)
class Blob:
    """A capsule from `start` to `end` with linearly varying radii; an ellipsoid if both points coincide.

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
    positions: Array = np.array(points, float)
    for _ in range(steps):
        slope = gradient(field, positions)
        move = -(field(positions) / np.maximum(np.sum(slope * slope, axis=1), 0.05))[:, None] * slope
        size = np.linalg.norm(move, axis=1, keepdims=True)
        positions = positions + move * np.minimum(1, longest / np.maximum(size, 1e-12))
    return positions


# A signed distance turned into a closed triangle mesh, with small triangles where detail asks for them. NumPy only.
#
# Dual surface nets on an octree: each leaf cell that the surface crosses holds one vertex; each shortest lattice edge
# with a change of sign is ringed by four leaves (three where a larger one lies on both sides) and gives one polygon,
# so
# that the mesh closes across cells of different sizes too. The vertices are then spread evenly over the surface and
# moved onto it.
#
# After S. Gibson, "Constrained elastic surface nets", MICCAI 1998, and T. Ju et al., "Dual contouring of
# Hermite data", SIGGRAPH 2002.


Cells = NDArray[np.int64]  # [cell, 4]: lattice corner i, j, k and the cell's size, in steps of the finest lattice
_CORNERS = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], np.int64)
_REACH = 1.3  # distances are not exact: a cell is kept where its centre is nearer than this many half diagonals
_FACES = np.array([[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])  # in a ring
_MENDINGS = 8


def polygonised(
    field: Field,
    low: Array,
    high: Array,
    size: float,
    levels: int,
    wanted: Callable[[Array], Array],
    relaxations: int = 6,
) -> tuple[Array, NDArray[np.int64]]:
    """Vertices `[vertex, 3]` and outward faces `[face, 3]` of the surface where `field` is 0, in the box low … high.

    size: edge of the largest cells (m); each of the `levels` halves it. wanted: `[point, 3]` → `[point]`, the cell size
    asked for there. relaxations: more make the triangles more even.
    """
    step = size / 2**levels
    cells = _leaves(field, low, high, step, 2**levels, wanted)
    ring, inward = _rings(field, cells, low, step)
    used, corners = np.unique(ring, return_inverse=True)
    corners = corners.reshape(-1, 4)
    centers = low + step * (cells[used, :3] + 0.5 * cells[used, 3:])
    vertices = onto_surface(field, centers, steps=3)
    vertices = _spread(field, vertices, corners, relaxations)
    return vertices, _triangles(vertices, np.where(inward[:, None], corners[:, ::-1], corners))


def _leaves(
    field: Field, low: Array, high: Array, step: float, largest: int, wanted: Callable[[Array], Array]
) -> Cells:
    """The leaf cells near the surface, halved from the largest until they are as small as wanted."""
    counts = np.ceil((high - low) / (step * largest)).astype(np.int64)
    grid = np.meshgrid(*(np.arange(n) for n in counts), indexing="ij")
    corners = np.stack(grid, axis=-1).reshape(-1, 3) * largest
    leaves, size = [], largest
    while True:
        centers = low + step * (corners + 0.5 * size)
        near = np.abs(field(centers)) < _REACH * np.sqrt(3) / 2 * step * size
        corners, centers = corners[near], centers[near]
        split = (wanted(centers) < step * size * 0.99) & (size > 1)
        leaves.append(np.column_stack([corners[~split], np.full((~split).sum(), size)]))
        if not split.any():
            return np.concatenate(leaves)
        size //= 2
        corners = _corners(np.column_stack([corners[split], np.full(split.sum(), size)])).reshape(-1, 3)


def _rings(field: Field, cells: Cells, low: Array, step: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """`[edge, 4]` the leaves around each shortest edge where the sign changes, and whether the field falls along it."""
    edges = np.unique(np.concatenate([_edges(cells, axis) for axis in range(3)]), axis=0)
    starts, lengths, axes = edges[:, :3], edges[:, 3], edges[:, 4]
    along = np.eye(3, dtype=np.int64)[axes]
    before, after = _inside(field, cells, low, step, starts, starts + lengths[:, None] * along)
    crossed = before != after
    starts, lengths, along, falls = starts[crossed], lengths[crossed], along[crossed], after[crossed]
    find = _finder(cells)
    first, second = np.roll(along, 1, axis=1), np.roll(along, 2, axis=1)
    middle = 2 * starts + lengths[:, None] * along  # in half steps, so that neighbouring positions are integers
    around = [find(middle + a * first + b * second) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    ring = np.stack(around, axis=1)
    shortest = (ring >= 0).all(axis=1) & (cells[ring, 3].min(axis=1) == lengths)
    return ring[shortest], falls[shortest]


def _inside(
    field: Field, cells: Cells, low: Array, step: float, starts: Cells, ends: Cells
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the ends of each edge lie inside, after two repairs of non-manifold edges.

    Where the corners of a cell's face alternate, the inner one nearest to the surface counts as outside. The middle of
    a long edge, where smaller cells have a corner, counts as the two ends where these agree.
    """
    keys, first, inverse = np.unique(_key(_corners(cells).reshape(-1, 3)), return_index=True, return_inverse=True)
    value = field(low + step * _corners(cells).reshape(-1, 3)[first])
    inside, corner = value < 0, inverse.reshape(-1, 8)
    before, after, middle = (_spot(keys, _key(place)) for place in (starts, ends, (starts + ends) // 2))
    middle[middle == before] = -1  # the shortest edges have none
    for _ in range(_MENDINGS):
        dips = (middle >= 0) & (inside[before] == inside[after])
        inside[middle[dips]] = inside[before[dips]]
        value[middle[dips]] = np.inf  # so that the repair below takes another corner
        faces = corner[:, _FACES].reshape(-1, 4)
        a, b, c, d = inside[faces].T
        alternating = faces[(a == c) & (b == d) & (a != b)]
        depth = np.where(inside[alternating], np.abs(value[alternating]), np.inf)
        inside[alternating[np.arange(len(alternating)), np.argmin(depth, axis=1)]] = False
    return inside[before], inside[after]


def _corners(cells: Cells) -> Cells:
    """`[cell, 8, 3]`."""
    return cells[:, None, :3] + cells[:, None, 3:] * _CORNERS


def _spot(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Index of each wanted number in the sorted `keys`, -1 if missing."""
    spot = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[spot] == wanted, spot, -1)


def _edges(cells: Cells, axis: int) -> Cells:
    """`[edge, 5]`: start, length and axis of the four edges of each cell along `axis`."""
    one, other = (np.eye(3, dtype=np.int64)[(axis + k) % 3] for k in (1, 2))
    size = cells[:, 3:]
    starts = [cells[:, :3] + size * (a * one + b * other) for a in (0, 1) for b in (0, 1)]
    return np.concatenate([np.column_stack([start, size, np.full(len(cells), axis)]) for start in starts])


def _finder(cells: Cells) -> Callable[[NDArray[np.int64]], NDArray[np.int64]]:
    """A function from positions `[point, 3]` in half lattice steps to the leaf that contains each, -1 if none."""
    sizes = np.unique(cells[:, 3])
    tables = []
    for size in sizes:
        rows = np.flatnonzero(cells[:, 3] == size)
        keys = _key(cells[rows, :3] // size)
        order = np.argsort(keys)
        tables.append((size, keys[order], rows[order]))

    def find(positions: NDArray[np.int64]) -> NDArray[np.int64]:
        found = np.full(len(positions), -1, np.int64)
        for size, keys, rows in tables:
            spot = _spot(keys, _key(positions // (2 * size)))
            found = np.where((spot >= 0) & (found < 0), rows[spot], found)
        return found

    return find


def _key(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    return (corners[:, 0] << 42) + (corners[:, 1] << 21) + corners[:, 2]


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
