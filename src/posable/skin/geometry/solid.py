"""The interior of a mesh as voxels, for meshes that are open, overlapping, inverted or in many pieces.

Lines along x, y and z are cut by the surface. A voxel's middle is inside where at least two of its three lines say so:
by counting cuts (odd, for any orientation of the faces) or by their winding from both ends (which pieces in one another
do not upset). Enclosed cavities count as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

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
