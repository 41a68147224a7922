"""The room inside a mesh as voxels, for meshes that are open, overlapping, turned inside out or in many pieces.

Lines along x, y and z are cut by the surface. A voxel's middle is inside where at least two of its three lines say so:
by counting cuts (odd, whichever way faces look) or by their winding from both ends (which pieces in one another do not
upset). Rooms that no way leads into from outside count as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skin.geometry.voxel_kernels import count_cuts, fill_cuts, mark_inside, mark_surface
from posable.skin.mesh import Mesh
from posable.spatial import Array

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
        """The voxels `[n, 3]` in which the places `[n, 3]` lie, moved to the nearest one of the grid."""
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
    """The voxels that no way leads to from the grid's rim without crossing the surface."""
    from scipy.ndimage import label

    rooms: NDArray[np.int32] = label(~surface)[0]  # pyright: ignore[reportIndexIssue, reportAssignmentType]
    return (rooms != rooms[0, 0, 0]) & ~surface
