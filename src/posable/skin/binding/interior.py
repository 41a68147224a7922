"""The room under a surface as cubes, and what is known in cubes brought to the surface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.skin.binding.surface import Surface
from posable.skin.geometry import solid_of
from posable.skin.mesh import Indices, Mesh
from posable.spatial import Array

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
