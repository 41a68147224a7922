"""Weights by geodesic distance through the interior, for meshes that are open, tangled, or in many pieces.

As in Dionne & de Lasa 2013 the mesh is filled with cubes, and the path to a bone does not leave them. They weigh a bone
by a power of the path's length; that leaves joints soft where a body is wide and hard where it is thin. Here every bone
is hot in turn and the interior conducts, as the surface does in Baran & Popović 2007: −∆ w_b + H w_b = H p_b, where
H = c / d², d the distance to the nearest bone. The result is closer by a third and more to artists' and to Blender's
weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.compiled.threads import cores, in_threads
from posable.skin.binding.binding_bones import Bones, to_segments
from posable.skin.binding.surface import Surface
from posable.skin.mesh import Indices, Mesh
from posable.skin.solid import solid_of
from posable.spatial import Array

if TYPE_CHECKING:
    from scipy.sparse import csc_array


_FLESH = 100_000  # target number of cubes in the interior: a slender figure's fill a tenth of its box
_COARSE, _MOST = 50_000, 1_000_000  # cubes in the box: to measure the share of the interior, and at most
STEPS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
STEPS = STEPS[np.argsort(np.abs(STEPS).sum(axis=1), kind="stable")]
"""From a cube to those around it: −x −y −z z y x over its faces, then over edges, then over corners."""


@dataclass(frozen=True, eq=False)
class Flesh:
    """The cubes that a surface passes through or holds inside.

    low, side: the middle of the grid's first cube, and a cube's edge, in the surface's frame. number: `[x, y, z]`, of
    each cube of the grid its number in the interior, or −1. cubes: `[cube, 3]` where in the grid. beside: `[cube, 26]`
    the interior around it, as STEPS goes, or −1.
    """

    low: Array
    side: float
    number: NDArray[np.int32]
    cubes: Indices
    beside: NDArray[np.int32]

    @classmethod
    def of(cls, surface: Surface) -> Flesh:
        """The interior under `surface`."""
        mesh = Mesh(surface.places, surface.faces)
        part = float(solid_of(mesh, _COARSE, margin=0).inside.mean())
        solid = solid_of(mesh, int(_FLESH / max(part, _FLESH / _MOST)))
        filled = solid.inside | solid.surface
        cubes = np.argwhere(filled)
        number = np.full(filled.shape, -1, np.int32)
        number[filled] = np.arange(len(cubes))
        beside = np.empty((len(cubes), len(STEPS)), np.int32)
        for k, step in enumerate(STEPS):  # the grid's rim is air
            beside[:, k] = number[tuple((cubes + step).T)]
        return cls(solid.origin, solid.size, number, cubes, beside)

    @cached_property
    def middles(self) -> Array:
        """`[cube, 3]`, in the surface's frame."""
        return self.low + self.side * self.cubes

    def at(self, points: Array) -> Indices:
        """The cubes that hold any of `points [n, 3]`, in the surface's frame."""
        grid = np.rint((points - self.low) / self.side).astype(np.int64)
        found = np.unique(self.number[tuple(grid[((grid >= 0) & (grid < self.number.shape)).all(axis=1)].T)])
        return found[found >= 0].astype(np.int64)

    def corners(self, places: Array) -> tuple[NDArray[np.int32], Array]:
        """(cubes, shares) `[place, 8]`: the cubes whose middles surround each position (−1: air), and what each
        counts.
        """
        grid = (places - self.low) / self.side
        first = np.floor(grid).astype(np.int64)
        part = grid - first
        cubes, shares = np.empty((len(places), 8), np.int32), np.empty((len(places), 8))
        for corner in range(8):
            step = np.array([corner & 1, corner >> 1 & 1, corner >> 2])
            cubes[:, corner] = self.number[tuple((first + step).T)]
            shares[:, corner] = np.where(step, part, 1 - part).prod(axis=1)
        return cubes, shares


@kernel
def average(known, cubes, shares, out):
    """`out [place, column]`: the mean of `known [cube, column]` in the interior around each position."""
    for place in range(len(cubes)):
        weight = 0.0
        out[place] = 0
        for corner in range(8):
            cube = cubes[place, corner]
            if cube >= 0:
                weight += shares[place, corner]
                for column in range(out.shape[1]):
                    out[place, column] += shares[place, corner] * known[cube, column]
        for column in range(out.shape[1]):
            out[place, column] /= max(weight, 1e-300)


# Distance through the interior to the nearest bone, and which bone that is.


_LENGTHS = np.sqrt(np.abs(STEPS).sum(axis=1))


def nearest_bones(flesh: Flesh, bones: Bones) -> tuple[Array, csc_array]:
    """(distance `[cube]`, share `[cube, bone]`): the geodesic distance to the nearest bone, infinite if unreachable,
    and each bone's share in being the nearest.

    The share falls from that of the nearest to 0 at a cube's edge farther, so that it does not tell the cubes apart.
    """
    from scipy.sparse import csc_array

    starts = []
    for bone in range(len(bones.joints)):
        rows = bones.bone_of == bone
        starts.append(_beginning(flesh, bones.start[rows], bones.end[rows]))
    nearest = np.full(len(flesh.cubes), np.inf)
    for cubes, distance in starts:
        nearest[cubes] = np.minimum(nearest[cubes], distance)
    march(nearest, nearest + np.inf, flesh.beside, _LENGTHS, flesh.side)
    entries, rows, columns = [], [], [0]
    for cubes, distance in starts:
        far = np.full(len(nearest), np.inf)
        far[cubes] = distance
        march(far, nearest + flesh.side, flesh.beside, _LENGTHS, flesh.side)
        near = np.flatnonzero(far < nearest + flesh.side)
        entries.append(1 - (far[near] - nearest[near]) / flesh.side)
        rows.append(near)
        columns.append(columns[-1] + len(near))
    share = csc_array((np.concatenate(entries), np.concatenate(rows), columns), shape=(len(nearest), len(starts)))
    share.data /= np.asarray(share.sum(axis=1))[share.indices]
    return nearest, share


def _beginning(flesh: Flesh, start: Array, end: Array) -> tuple[Indices, Array]:
    """The cubes that the segments pass through, or where all of them are in the air the nearest cubes; and how far the
    middles of these are from the segments.
    """
    t = np.linspace(0, 1, int(4 * np.linalg.norm(end - start, axis=1).max() / flesh.side) + 2)[:, None]
    cubes = flesh.at((start[:, None] * (1 - t) + end[:, None] * t).reshape(-1, 3))
    if len(cubes):
        return cubes, to_segments(flesh.middles[cubes], start, end)
    distance = to_segments(flesh.middles, start, end)
    cubes = np.flatnonzero(distance <= distance.min() + flesh.side)
    return cubes, distance[cubes]


@kernel
def march(far, limit, beside, lengths, side):
    """Complete `far [cube]`, finite at the sources, to geodesic distances through the interior below `limit [cube]`;
    the rest stays infinite.

    Fast marching (Sethian 1996): |∇ far| = 1, solved outward from what is nearest; steps over edges and corners
    as well, for parts connected only by these.
    """
    count = len(far)
    heap, place = np.empty(count, np.int32), np.full(count, -1, np.int32)  # index −1: not in the heap
    done = np.zeros(count, np.bool_)
    size = 0
    for cube in range(count):
        if far[cube] < np.inf:
            heap[size], place[cube] = cube, size
            rise(heap, place, far, size)
            size += 1
    while size > 0:
        cube = heap[0]
        done[cube] = True
        size -= 1
        heap[0], place[heap[size]] = heap[size], 0
        sink(heap, place, far, 0, size)
        for k in range(beside.shape[1]):
            near = beside[cube, k]
            if near < 0 or done[near]:
                continue
            way = far[cube] + lengths[k] * side
            if k < 6:
                way = min(way, front(far, done, beside[near], side))
            if way < far[near] and way < limit[near]:
                far[near] = way
                if place[near] < 0:
                    heap[size], place[near] = near, size
                    size += 1
                rise(heap, place, far, place[near])


@inner_kernel
def front(far, done, beside, side):
    """How far a cube is by those over its faces: the largest root t of Σ max(t − nearest on the axis, 0)² = side²."""
    a = b = c = np.inf
    for axis in range(3):
        least = np.inf
        for k in (2 - axis, 3 + axis):  # STEPS begins −x −y −z z y x
            if beside[k] >= 0 and done[beside[k]]:
                least = min(least, far[beside[k]])
        if least < a:
            a, b, c = least, a, b
        elif least < b:
            b, c = least, b
        else:
            c = least
    way = a + side
    if way > b:
        way = (a + b + np.sqrt(2 * side * side - (b - a) ** 2)) / 2
    if way > c:
        mean = (a + b + c) / 3
        way = mean + np.sqrt(max((side * side - (a * a + b * b + c * c)) / 3 + mean * mean, 0.0))
    return way


@inner_kernel
def rise(heap, place, far, at):
    """Moves entry `at` of the heap up to where it belongs."""
    cube = heap[at]
    while at > 0 and far[heap[(at - 1) // 2]] > far[cube]:
        heap[at] = heap[(at - 1) // 2]
        place[heap[at]] = at
        at = (at - 1) // 2
    heap[at], place[cube] = cube, at


@inner_kernel
def sink(heap, place, far, at, size):
    """Moves entry `at` of the heap down to where it belongs."""
    cube = heap[at]
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and far[heap[below + 1]] < far[heap[below]]:
            below += 1
        if far[heap[below]] >= far[cube]:
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at = below
    heap[at], place[cube] = cube, at


_WARMTH = 3.0  # c: what comes nearest to the surface's heat
_EXACT = 3e-4  # of the heat put in: what may be left over
_AT_ONCE = 8  # bones solved together


def voxel_weights(surface: Surface, bones: Bones, allowed: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """(weights `[place, bone]`, bound `[place]`): weights before they are limited or brought to 1, and where there are
    any; cubes from which no bone is reachable have none. allowed: `[piece, bone]`.
    """
    flesh = Flesh.of(surface)
    far, share = nearest_bones(flesh, bones)
    hold = _WARMTH * (flesh.side / np.maximum(far, flesh.side / 2)) ** 2  # 0 if unreachable
    corners = flesh.corners(surface.places * surface.faced[:, None])
    weights = np.zeros((len(surface.places), len(bones.joints)))

    def warm(own: slice) -> None:
        block = slice(own.start * _AT_ONCE, own.stop * _AT_ONCE)
        heat = np.ascontiguousarray(share[:, block].toarray())
        conduct(flesh.beside, hold, hold[:, None] * heat, _EXACT, heat)
        average(heat, *corners, weights[:, block])

    blocks = -(-len(bones.joints) // _AT_ONCE)
    in_threads(warm, blocks, blocks, cores())
    weights *= allowed[surface.piece_of]
    return weights, (weights.max(axis=1) > 0) & surface.faced


@kernel
def conduct(beside, hold, source, exact, heat):
    """Solves Σ over faces (heat − heat beside) + hold · heat = source, `[cube, bone]`, from what `heat` holds until the
    residual is `exact` times the source: conjugate gradients with Jacobi's preconditioner, all bones at once.
    """
    count, width = heat.shape
    diagonal, image = np.ones(count), np.empty(width)
    residual, along, mapped = np.empty((count, width)), np.zeros((count, width)), np.empty((count, width))
    product, wanted, left = np.zeros(width), np.zeros(width), np.zeros(width)
    curvature, turn = np.empty(width), np.zeros(width)
    for cube in range(count):
        apply(beside, hold, heat, cube, image)
        faces = 0
        for k in range(6):
            faces += beside[cube, k] >= 0
        if faces + hold[cube] > 0:
            diagonal[cube] = faces + hold[cube]
        for b in range(width):
            residual[cube, b] = source[cube, b] - image[b]
            product[b] += residual[cube, b] ** 2 / diagonal[cube]
            left[b] += residual[cube, b] ** 2
            wanted[b] += (exact * source[cube, b]) ** 2
    while (left > wanted).any():
        curvature[:] = 0
        for cube in range(count):
            for b in range(width):
                along[cube, b] = residual[cube, b] / diagonal[cube] + turn[b] * along[cube, b]
        for cube in range(count):
            apply(beside, hold, along, cube, image)
            for b in range(width):
                mapped[cube, b] = image[b]
                curvature[b] += image[b] * along[cube, b]
        turn[:] = product
        for b in range(width):
            curvature[b] = product[b] / curvature[b] if left[b] > wanted[b] else 0.0
        product[:] = 0
        left[:] = 0
        for cube in range(count):
            for b in range(width):
                heat[cube, b] += curvature[b] * along[cube, b]
                residual[cube, b] -= curvature[b] * mapped[cube, b]
                left[b] += residual[cube, b] ** 2
                product[b] += residual[cube, b] ** 2 / diagonal[cube]
        for b in range(width):
            turn[b] = product[b] / turn[b] if turn[b] > 0 else 0.0


@inner_kernel
def apply(beside, hold, heat, cube, image):
    """`image [bone]`: Σ over faces (heat − heat beside) + hold · heat at a cube."""
    for b in range(len(image)):
        image[b] = hold[cube] * heat[cube, b]
    for k in range(6):
        near = beside[cube, k]
        if near >= 0:
            for b in range(len(image)):
                image[b] += heat[cube, b] - heat[near, b]
