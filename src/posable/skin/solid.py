"""The room that a mesh encloses, however torn or doubled its surface is, as voxels, and the shortest paths through it.

Lines along x, y and z are cut by the surface. A voxel's middle is inside where at least two of its three lines say so:
by counting cuts (odd, for any orientation of the faces) or by their winding from both ends (which pieces in one another
do not upset). Enclosed cavities count as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.errors import SkinError
from posable.skin.mesh import Mesh
from posable.spatial import Array

# Kernels that cut a mesh into voxels. Vertices are in voxels: the middle of voxel (i, j, k) is at (i, j, k).


@inner_kernel
def _side(ax, ay, bx, by, x, y):
    """Twice the area of the triangle a, b, (x, y), the same to the last bit when a and b are swapped."""
    if ax < bx or (ax == bx and ay < by):
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    return -((ax - bx) * (y - by) - (ay - by) * (x - bx))


@inner_kernel
def _cut(points, face, x, y):
    """(depth, sign): where the line up from (x, y) cuts the face, +1 from below its back; sign 0 where it misses."""
    a, b, c = points[face[0]], points[face[1]], points[face[2]]
    u = _side(b[0], b[1], c[0], c[1], x, y)
    v = _side(c[0], c[1], a[0], a[1], x, y)
    w = _side(a[0], a[1], b[0], b[1], x, y)
    if (u >= 0 and v >= 0 and w >= 0) or (u < 0 and v < 0 and w < 0):
        total = u + v + w
        if total != 0:
            return (u * a[2] + v * b[2] + w * c[2]) / total, 1 if total > 0 else -1
    return 0.0, 0


@inner_kernel
def _span(points, face, axis, count):
    """(first, last) lines of voxels that the face's box covers along an axis."""
    low = min(points[face[0], axis], points[face[1], axis], points[face[2], axis])
    high = max(points[face[0], axis], points[face[1], axis], points[face[2], axis])
    return max(0, math.ceil(low)), min(count - 1, math.floor(high))


@kernel
def count_cuts(points, faces, counts):
    """Add to `counts [x, y]` how many faces the line along z through each (x, y) cuts."""
    for f in range(faces.shape[0]):
        x0, x1 = _span(points, faces[f], 0, counts.shape[0])
        y0, y1 = _span(points, faces[f], 1, counts.shape[1])
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                if _cut(points, faces[f], x, y)[1] != 0:
                    counts[x, y] += 1


@kernel
def fill_cuts(points, faces, following, depths, signs):
    """Write each cut to its line's slot; `following [x, y]` is where the line's next one goes."""
    for f in range(faces.shape[0]):
        x0, x1 = _span(points, faces[f], 0, following.shape[0])
        y0, y1 = _span(points, faces[f], 1, following.shape[1])
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                depth, sign = _cut(points, faces[f], x, y)
                if sign != 0:
                    depths[following[x, y]] = depth
                    signs[following[x, y]] = sign
                    following[x, y] += 1


@kernel
def mark_inside(firsts, depths, signs, inside):
    """Mark the voxels of each line that an odd number of cuts lies below, or winding cuts both below and above."""
    lines = inside.reshape((-1, inside.shape[2]))
    for line in range(lines.shape[0]):
        first, last = firsts[line], firsts[line + 1]
        if last == first:
            continue
        order = first + np.argsort(depths[first:last])
        total = 0
        for k in order:
            total += signs[k]
        below, winding, passed = 0, 0, 0
        even = (last - first) % 2 == 0
        for z in range(lines.shape[1]):
            while passed < last - first and depths[order[passed]] <= z:
                winding += signs[order[passed]]
                below += 1
                passed += 1
            odd = even and below % 2 == 1
            lines[line, z] = odd or (winding != 0 and winding != total)


@kernel
def mark_surface(points, faces, surface):
    """Mark every voxel that a grid of points on the faces, no more than 0.4 voxels apart, falls into."""
    for f in range(faces.shape[0]):
        a, b, c = points[faces[f, 0]], points[faces[f, 1]], points[faces[f, 2]]
        longest = 0.0
        for k in range(3):
            longest = max(longest, abs(b[k] - a[k]), abs(c[k] - a[k]), abs(c[k] - b[k]))
        steps = math.ceil(longest / 0.4) + 1
        for i in range(steps + 1):
            for j in range(steps + 1 - i):
                u, v = i / steps, j / steps
                x = round(a[0] + u * (b[0] - a[0]) + v * (c[0] - a[0]))
                y = round(a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]))
                z = round(a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]))
                surface[x, y, z] = True


Voxels = NDArray[np.bool_]
_FINEST, _COARSEST = 256, 40  # voxels along the longest side
_OFF = 0.0137  # of a voxel: keeps lines of voxels off vertices that stand in rows


@dataclass(frozen=True, eq=False)
class Solid:
    """A grid of cubes.

    inside: `[x, y, z]` whose middle lies inside the mesh. surface: `[x, y, z]` through which the surface passes.
    origin: the middle of voxel (0, 0, 0) in the mesh's frame. size: a voxel's edge.
    """

    inside: Voxels
    surface: Voxels
    origin: Array
    size: float

    def places(self, voxels: NDArray[np.int64]) -> Array:
        """The middles `[n, 3]` of voxels `[n, 3]`, in the mesh's frame."""
        return self.origin + self.size * np.asarray(voxels, np.float64)

    def voxels(self, places: Array) -> NDArray[np.int64]:
        """The voxels `[n, 3]` in which the positions `[n, 3]` lie, moved to the closest one of the grid."""
        found = np.rint((np.asarray(places) - self.origin) / self.size).astype(np.int64)
        return np.clip(found, 0, np.array(self.inside.shape) - 1)

    def turned(self, axes: tuple[int, int, int]) -> Solid:
        """The same with its axes in another order."""
        inside, surface = self.inside.transpose(axes), self.surface.transpose(axes)
        return replace(self, inside=inside, surface=surface, origin=self.origin[list(axes)])


def solid_of(mesh: Mesh, voxels: int = 1_000_000, margin: int = 2) -> Solid:
    """The voxels inside `mesh`, about `voxels` of them in its box, with `margin` empty ones around.

    Raises SkinError for a mesh without faces or without size.
    """
    if not len(mesh.faces):
        raise SkinError(f"mesh {mesh.name!r} has no faces, so nothing is inside it; give a mesh with triangles")
    corners = mesh.vertices[np.unique(mesh.faces)]
    low, extent = corners.min(axis=0), np.ptp(corners, axis=0)
    longest = float(extent.max())
    if not longest > 0:
        raise SkinError(f"mesh {mesh.name!r} is a single point; give a mesh of some size")
    size = float(np.cbrt(np.prod(np.maximum(extent, longest / 64)) / voxels))
    size = float(np.clip(size, longest / _FINEST, longest / _COARSEST))
    # A voxel's middles stand in the middle of the box: a mesh that is alike on both sides has such voxels.
    shape = np.ceil(extent / size).astype(np.int64) // 2 * 2 + 3 + 2 * margin
    origin = low + extent / 2 - (shape - 1) / 2 * size
    grid = np.ascontiguousarray((mesh.vertices - origin) / size)
    surface = np.zeros(shape, np.bool_)
    mark_surface(grid, mesh.faces, surface)
    inside = _enclosed(surface) | (_votes(grid + _OFF, mesh.faces, shape) >= 2)
    return Solid(inside, surface, origin, size)


def _votes(grid: Array, faces: NDArray[np.int32], shape: NDArray[np.int64]) -> NDArray[np.int8]:
    """How many of the three lines through each voxel's middle say that it is inside."""
    total = np.zeros(shape, np.int8)
    for axis in range(3):
        order = [k for k in range(3) if k != axis] + [axis]
        points = np.ascontiguousarray(grid[:, order])
        counts = np.zeros((shape[order[0]], shape[order[1]]), np.int64)
        count_cuts(points, faces, counts)
        firsts = np.concatenate([[0], np.cumsum(counts.ravel())])
        depths, signs = np.empty(firsts[-1]), np.empty(firsts[-1], np.int8)
        fill_cuts(points, faces, firsts[:-1].reshape(counts.shape).copy(), depths, signs)
        inside = np.zeros(tuple(shape[order]), np.bool_)
        mark_inside(firsts, depths, signs, inside)
        total += inside.transpose(np.argsort(order))
    return total


def _enclosed(surface: Voxels) -> Voxels:
    """The voxels that are unreachable from the grid's rim without crossing the surface."""
    from scipy.ndimage import label

    rooms: NDArray[np.int32] = label(~surface)[0]  # pyright: ignore[reportIndexIssue, reportAssignmentType]
    return (rooms != rooms[0, 0, 0]) & ~surface


Indices = NDArray[np.int64]
_STEPS = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) > (0, 0, 0)]
NEIGHBOURS = np.ones((3, 3, 3), np.bool_)
"""Which voxels touch one another: those that share a face, an edge or a corner."""


class Ways:
    """The voxels of a solid and the steps between those that touch; lengths are in voxels.

    voxels: `[n, 3]`, in the order of their indices in the grid. number: `[x, y, z]` of each voxel, -1 outside.
    """

    def __init__(self, filled: NDArray[np.bool_]) -> None:
        from scipy.sparse import csr_array

        self.voxels: Indices = np.argwhere(filled)
        self.number = np.full(filled.shape, -1, np.int64)
        self.number[filled] = np.arange(len(self.voxels))
        around = np.pad(self.number, 1, constant_values=-1)
        starts, ends, lengths = [], [], []
        for step in _STEPS:
            beside = around[tuple(slice(1 + d, 1 + d + n) for d, n in zip(step, filled.shape, strict=True))]
            both = (self.number >= 0) & (beside >= 0)
            starts.append(self.number[both])
            ends.append(beside[both])
            lengths.append(np.full(int(both.sum()), np.sqrt(np.abs(step).sum())))
        pairs = (np.concatenate(starts), np.concatenate(ends))
        count = len(self.voxels)
        self._graph = csr_array((np.concatenate(lengths), pairs), shape=(count, count))

    def from_any(self, sources: Indices) -> Array:
        """`[n]`: how far each voxel is from the nearest of the voxels numbered `sources`; infinite if unreachable."""
        from scipy.sparse.csgraph import dijkstra

        return np.asarray(dijkstra(self._graph, directed=False, indices=sources, min_only=True))

    def from_one(self, source: int, limit: float = np.inf) -> tuple[Array, Indices]:
        """`[n]` how far each voxel is, up to `limit`, and `[n]` the voxel before it on its path from `source`."""
        from scipy.sparse.csgraph import dijkstra

        found: Any = dijkstra(self._graph, directed=False, indices=source, return_predecessors=True, limit=limit)
        return found[0], found[1].astype(np.int64)

    def part_at(self, chosen: Indices, at: int) -> Indices:
        """Of the voxels numbered `chosen`, those that hang together with the one numbered `at`."""
        from scipy.ndimage import label

        places = self.voxels[chosen]
        low = places.min(axis=0)
        box = np.zeros(np.ptp(places, axis=0) + 1, np.bool_)
        box[tuple((places - low).T)] = True
        labels: Any = label(box, NEIGHBOURS)
        marks = labels[0][tuple((places - low).T)]
        nearest = int(np.argmin(((places - self.voxels[at]) ** 2).sum(axis=1)))
        return chosen[marks == marks[nearest]]


def way_to(before: Indices, end: int) -> Indices:
    """The voxels from the source to `end`, from what `from_one` says comes before each."""
    way = [end]
    while before[way[-1]] >= 0:
        way.append(int(before[way[-1]]))
    return np.array(way[::-1], np.int64)


def middle_line(ways: Ways, source: int) -> tuple[Array, Array]:
    """(`[k, 3]` middles, `[k]` sizes) of what is equally far from voxel `source`, in steps of 1.5 voxels."""
    far = ways.from_any(np.array([source]))
    reached = np.isfinite(far)
    step = np.round(far[reached] / 1.5).astype(np.int64)
    count: Indices = np.bincount(step)
    used = np.flatnonzero(count)
    totals = np.zeros((len(count), 3))
    np.add.at(totals, step, ways.voxels[reached])
    return totals[used] / count[used, None], count[used] / 1.5


def joined(filled: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """The solid with its pieces of at least `least` voxels joined by lines of voxels, the nearest first.

    Smaller pieces are left out.
    """
    from scipy.ndimage import label
    from scipy.spatial import KDTree

    labels: Any = label(filled, NEIGHBOURS)[0]  # pyright: ignore[reportIndexIssue]
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    order = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] >= least]
    pieces = {k: np.argwhere(labels == k) for k in order}
    if not pieces:
        return np.zeros_like(filled)
    out = labels == order[0]
    gaps = {k: (np.full(len(pieces[k]), np.inf), np.zeros((len(pieces[k]), 3), np.int64)) for k in order[1:]}
    last = order[0]
    while gaps:
        tree = KDTree(pieces[last])
        for k, (far, nearest) in gaps.items():
            distance, which = (np.asarray(one) for one in tree.query(pieces[k]))
            closer = distance < far
            far[closer], nearest[closer] = distance[closer], pieces[last][which[closer]]
        last = min(gaps, key=lambda k: gaps[k][0].min())
        far, nearest = gaps.pop(last)
        here = int(np.argmin(far))
        out[tuple(pieces[last].T)] = True
        _draw(out, pieces[last][here], nearest[here])
    return out


def _draw(filled: NDArray[np.bool_], start: Indices, end: Indices) -> None:
    count = int(np.abs(end - start).max()) + 1
    line = np.rint(np.linspace(start, end, count)).astype(np.int64)
    filled[tuple(line.T)] = True
