"""The cotangent Laplacian of a surface: how strongly neighbouring places hold each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array

if TYPE_CHECKING:
    from scipy.sparse import csc_array

_STEEPEST = 1e4  # beyond this a cotangent is a needle's, and says more of rounding than of the surface


def cotangents(places: Array, faces: NDArray[np.int32]) -> Array:
    """`[face, 3]`: the cotangent of the angle at each corner.

    A needle's are brought down together, so that it still pulls as a triangle does: never apart.
    """
    found = np.empty((len(faces), 3))
    for k in range(3):
        corner = places[faces[:, k]]
        u, v = places[faces[:, (k + 1) % 3]] - corner, places[faces[:, (k + 2) % 3]] - corner
        found[:, k] = (u * v).sum(axis=1) / np.linalg.norm(np.cross(u, v), axis=1)
    return found * np.minimum(1, _STEEPEST / np.abs(found).max(axis=1, initial=1.0))[:, None]


def stiffness(count: int, faces: NDArray[np.int32], cotangent: Array) -> csc_array:
    """`[place, place]`, symmetric: minus ½ Σ cot of the angles that face an edge, and on the diagonal their sums."""
    from scipy.sparse import coo_array

    i, j = faces[:, [1, 2, 0]].reshape(-1), faces[:, [2, 0, 1]].reshape(-1)
    half = cotangent.reshape(-1) / 2
    where = np.concatenate([i, j, i, j]), np.concatenate([j, i, i, j])
    return coo_array((np.concatenate([-half, -half, half, half]), where), shape=(count, count)).tocsc()


def areas(places: Array, faces: NDArray[np.int32], cotangent: Array) -> Array:
    """`[place]`: the part of the surface nearest to each place (Meyer et al. 2003, mixed Voronoi areas)."""
    total = np.zeros(len(places))
    a, b, c = (places[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    squared = np.stack([((places[faces[:, k - 1]] - places[faces[:, k - 2]]) ** 2).sum(axis=1) for k in range(3)], 1)
    obtuse = (cotangent < 0).any(axis=1)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        voronoi = (cotangent[:, i] * squared[:, i] + cotangent[:, j] * squared[:, j]) / 8
        blunt = np.where(cotangent[:, k] < 0, area / 2, area / 4)
        np.add.at(total, faces[:, k], np.where(obtuse, blunt, voronoi))
    return total
