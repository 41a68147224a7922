"""Heat diffusion weights (Baran & Popović 2007): each bone in turn is hot, the others cold; the surface conducts.

With S the cotangent stiffness and A the areas of the points, (S + A H) w_b = A H p_b, where H = k c / d² for k bones
seen at the nearest distance d, and p is 1 / k for these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.binding_bones import Bones
from posable.skin.binding.surface import Surface
from posable.skin.binding.visibility import nearest_seen
from posable.spatial import Array

if TYPE_CHECKING:
    from scipy.sparse import csc_array


# The cotangent Laplacian of a surface.


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
    """`[place]`: the part of the surface nearest to each position (Meyer et al. 2003, mixed Voronoi areas)."""
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


_WARMTH = 4.0  # c, four times the textbook's: as much as the bones' heat counts in Blender's binding
_AT_ONCE = 8  # bones solved together: more would wake BLAS threads, which cost more than they bring


def heat_weights(surface: Surface, bones: Bones) -> tuple[Array, NDArray[np.bool_]]:
    """(weights `[place, bone]`, bound `[place]`): weights before they are limited or brought to 1, and where there are
    any; a part of the surface that sees no bone has none.
    """
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import splu

    distance, seen = nearest_seen(surface, bones)
    bound = np.bincount(surface.part_of, seen.any(axis=1) & surface.faced)[surface.part_of] > 0
    number = np.cumsum(bound) - 1
    faces, places = number[surface.faces[bound[surface.faces[:, 0]]]], surface.places[bound]
    weights = np.zeros(seen.shape)
    if len(places):
        cotangent = cotangents(places, faces)
        heat = areas(places, faces, cotangent) * _WARMTH / distance[bound] ** 2
        warm = heat[:, None] * seen[bound]
        system = stiffness(len(places), faces, cotangent) + diags_array(warm.sum(axis=1))
        factors = splu(system.tocsc())
        for first in range(0, len(bones.joints), _AT_ONCE):
            block = slice(first, first + _AT_ONCE)
            weights[bound, block] = factors.solve(warm[:, block])
    return weights, bound
