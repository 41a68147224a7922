"""Weights as heat (Baran & Popović 2007): every bone in turn is warm, the others cold, and the surface conducts.

With S the cotangent stiffness and A the areas of the places, (S + A H) w_b = A H p_b, where H = k c / d² for k bones
seen at the nearest distance d, and p is 1 / k for these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.bones import Bones
from posable.skin.binding.laplacian import areas, cotangents, stiffness
from posable.skin.binding.surface import Surface
from posable.skin.binding.visibility import nearest_seen
from posable.spatial import Array

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
