"""Weights by the way through the flesh (after Dionne & de Lasa 2013): a bone holds what is near inside the body.

They weigh a bone at distance d by a power of 1 / d between 2 and 4; that leaves every joint so soft that half of a
vertex's weight goes to the wrong bones. What comes nearest to heat's fall across a joint is the power of 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.bones import Bones
from posable.skin.binding.surface import Surface
from posable.skin.geometry import solid_of
from posable.skin.mesh import Indices, Mesh
from posable.spatial import Array
from posable.spatial.compile import inner_kernel, kernel
from posable.spatial.threads import cores, in_threads

_POWER = 8  # of the fall with the distance
_NEAREST = 1e-3  # of the mesh's size: what is nearer to a bone counts as this far
_FAR = np.float32(np.inf)
_STEPS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
_STEPS = _STEPS[np.argsort(np.abs(_STEPS).sum(axis=1), kind="stable")]  # the six over faces first
_LENGTHS = np.sqrt(np.abs(_STEPS).sum(axis=1)).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Flesh:
    """The cubes that a surface passes through or holds inside.

    low, side: the middle of the grid's first cube, and a cube's edge, in the surface's frame. number: `[x, y, z]`, of
    each cube of the grid its number among the flesh, or −1. cubes: `[cube, 3]` where in the grid. beside: `[cube, 26]`
    the flesh around it, as _STEPS goes, or −1.
    """

    low: Array
    side: float
    number: NDArray[np.int32]
    cubes: Indices
    beside: NDArray[np.int32]

    @classmethod
    def of(cls, surface: Surface) -> Flesh:
        """The flesh under `surface`."""
        solid = solid_of(Mesh(surface.places, surface.faces))
        filled = solid.inside | solid.surface
        cubes = np.argwhere(filled)
        number = np.full(filled.shape, -1, np.int32)
        number[filled] = np.arange(len(cubes))
        beside = np.empty((len(cubes), len(_STEPS)), np.int32)
        for k, step in enumerate(_STEPS):  # the grid's rim is air
            beside[:, k] = number[tuple((cubes + step).T)]
        return cls(solid.origin, solid.size, number, cubes, beside)

    def middles(self) -> Array:
        """`[cube, 3]`, in the surface's frame."""
        return self.low + self.side * self.cubes

    def at(self, points: Array) -> Indices:
        """The cubes that hold any of `points [n, 3]`, in the surface's frame."""
        grid = np.rint((points - self.low) / self.side).astype(np.int64)
        found = np.unique(self.number[tuple(grid[((grid >= 0) & (grid < self.number.shape)).all(axis=1)].T)])
        return found[found >= 0].astype(np.int64)


def voxel_weights(surface: Surface, bones: Bones) -> tuple[Array, NDArray[np.bool_]]:
    """(weights `[place, bone]`, bound `[place]`): weights before they are limited or brought to 1, and where there are
    any; what no bone can be reached from through the flesh has none.
    """
    flesh = Flesh.of(surface)
    ways = np.empty((len(bones.joints), len(surface.places)), np.float32)
    corners = _corners(flesh, surface.places)

    def march_from(own: slice) -> None:
        for bone in range(own.start, own.stop):
            rows = bones.bone_of == bone
            far = _beginning(flesh, bones.start[rows], bones.end[rows])
            march(far, flesh.beside, _LENGTHS, np.float32(flesh.side))
            average(far, *corners, ways[bone])

    in_threads(march_from, len(ways), len(ways), cores())
    fall = np.maximum(ways.T.astype(np.float64), _NEAREST) ** -_POWER  # 0 where no way leads
    total = fall.sum(axis=1, keepdims=True)
    return fall / np.where(total > 0, total, 1), total[:, 0] > 0


def _beginning(flesh: Flesh, start: Array, end: Array) -> NDArray[np.float32]:
    """`[cube]`: the distance from the segments of the cubes that they pass through, or, where all of them are in the
    air, of the cubes nearest to them; infinite elsewhere.
    """
    far = np.full(len(flesh.cubes), _FAR)
    t = np.linspace(0, 1, int(4 * np.linalg.norm(end - start, axis=1).max() / flesh.side) + 2)[:, None]
    cubes = flesh.at((start[:, None] * (1 - t) + end[:, None] * t).reshape(-1, 3))
    if len(cubes):
        far[cubes] = _to_segments(flesh.low + flesh.side * flesh.cubes[cubes], start, end)
        return far
    distance = _to_segments(flesh.middles(), start, end)
    near = distance <= distance.min() + flesh.side
    far[near] = distance[near]
    return far


def _to_segments(points: Array, start: Array, end: Array) -> Array:
    """`[point]`: the distance of the nearest segment."""
    way = end - start
    squared = np.maximum((way * way).sum(axis=1), 1e-300)
    t = np.clip(((points[:, None] - start) * way).sum(axis=2) / squared, 0, 1)
    return np.linalg.norm(points[:, None] - start - t[..., None] * way, axis=2).min(axis=1)


def _corners(flesh: Flesh, places: Array) -> tuple[NDArray[np.int32], Array]:
    """(cubes, shares) `[place, 8]`: the eight cubes whose middles surround each place (−1: air); what each counts."""
    grid = (places - flesh.low) / flesh.side
    first = np.floor(grid).astype(np.int64)
    part = grid - first
    cubes, shares = np.empty((len(places), 8), np.int32), np.empty((len(places), 8))
    for corner in range(8):
        step = np.array([corner & 1, corner >> 1 & 1, corner >> 2])
        cubes[:, corner] = flesh.number[tuple((first + step).T)]
        shares[:, corner] = np.where(step, part, 1 - part).prod(axis=1)
    return cubes, shares


@kernel
def average(far, cubes, shares, out):
    """`out [place]`: the mean of `far` at the flesh around each place; infinite where none of it is reached."""
    for place in range(len(cubes)):
        total = weight = 0.0
        for corner in range(8):
            cube = cubes[place, corner]
            if cube >= 0 and far[cube] < np.inf:
                total += shares[place, corner] * far[cube]
                weight += shares[place, corner]
        out[place] = total / weight if weight > 0 else np.inf


@kernel
def march(far, beside, lengths, side):
    """Completes `far [cube]`, finite where the ways begin, to the shortest ways through the flesh; infinite where none
    leads. Fast marching (Sethian 1996): |∇ far| = 1, solved outward from what is nearest; steps over edges and corners
    besides, for flesh that hangs together only by these.
    """
    count = len(far)
    heap, place = np.empty(count, np.int32), np.full(count, -1, np.int32)  # place −1: not in the heap
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
            if way < far[near]:
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
        for k in (2 - axis, 3 + axis):  # _STEPS begins −x −y −z z y x
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
