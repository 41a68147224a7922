"""Heat diffusion weights (Baran & Popović 2007): each bone in turn is hot, the others cold; the surface conducts.

With S the cotangent stiffness and A the areas of the points, (S + A H) w_b = A H p_b, where H = k c / d² for k bones
seen at the nearest distance d, and p is 1 / k for these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.skin.binding.binding_bones import Bones
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import ENDS, crossings, is_inside, ways_out
from posable.spatial import Array

if TYPE_CHECKING:
    from scipy.sparse import csc_array


_TIE = 1e-4  # bones this much farther than the nearest, relative to it, are as near
_RAYS = 7  # an odd number: no ties
_STEP = 1e-3  # of the distance to the first hit: just off the surface point
_NEAREST = 1e-6  # of the surface's size: what is nearer to a bone counts as this far


def nearest_seen(surface: Surface, bones: Bones, allowed: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """(distance `[place]`, seen `[place, bone]`): how far the nearest bone is, and which of those as near are seen.

    Both in the surface's frame. allowed `[piece, bone]`: the bones that count for a piece.
    """
    places = surface.places
    distance, seen = np.empty(len(places)), np.zeros((len(places), len(bones.joints)), np.bool_)
    see_bones(
        surface.tree, surface.part_of, surface.piece_of, allowed, places, surface.normals,
        bones.start, bones.end, bones.bone_of, ways_out(_RAYS), distance, seen,
    )  # fmt: skip
    return distance, seen


@inner_kernel
def closest_on_segment(point, start, end, closest):
    """Writes the point of the segment nearest to `point`."""
    along = length = 0.0
    for axis in range(3):
        step = end[axis] - start[axis]
        along += (point[axis] - start[axis]) * step
        length += step * step
    t = min(max(along / length, 0.0), 1.0) if length > 0 else 0.0
    for axis in range(3):
        closest[axis] = start[axis] + t * (end[axis] - start[axis])


@inner_kernel
def leaning_distance(point, normal, closest):
    """The distance of two points over ½ (cos + 1.001): a surface that looks back at the bone is not the bone's."""
    squared = lean = 0.0
    for axis in range(3):
        step = point[axis] - closest[axis]
        squared += step * step
        lean += step * normal[axis]
    distance = np.sqrt(squared)
    cosine = lean / distance if distance > 0 else 0.0
    return distance / (0.5 * (cosine + 1.001))


@inner_kernel
def is_seen(tree, part_of, place, point, closest, directions, scratch):
    """Whether the segment from a surface point to a target stays in the interior, or leaves it and does not return.

    A face of the point's own part that is hit from outside ends the view. Other parts may overlap, as a body and a
    shirt: they may be entered from the interior, not from the air; `depth` counts the parts around the ray.
    """
    at, side, spare_at, spare_side, stack, inverse, ray, spare = scratch
    for axis in range(3):
        ray[axis] = closest[axis] - point[axis]
    depth, count = 1, crossings(tree, point, ray, place, at, side, stack, inverse)
    for k in range(count):
        if side[k] < 0:
            depth = max(depth - 1, 0)
            continue
        if depth == 0 or part_of[tree.faces[side[k] - 1, 0]] == part_of[place]:
            return False
        if k == 0:  # the ray is not yet known to begin inside
            for axis in range(3):
                closest[axis] = point[axis] + _STEP * at[0] * ray[axis]
            if not is_inside(tree, closest, directions, spare_at, spare_side, stack, inverse, spare):
                return False
        depth += 1
    return count < at.shape[0]


@kernel
def see_bones(tree, part_of, piece_of, allowed, places, normals, start, end, bone_of, directions, distance, seen):
    """Fills `distance` and `seen` of `nearest_seen`."""
    closest, own = np.empty(3), np.empty(len(start))
    scratch = (
        np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(ENDS), np.empty(ENDS, np.int64),
        np.empty(128, np.int64), np.empty(3), np.empty(3), np.empty(3),
    )  # fmt: skip
    for place in range(len(places)):
        point, normal = places[place], normals[place]
        nearest = np.inf
        own[:] = np.inf
        for segment in range(len(start)):
            if not allowed[piece_of[place], bone_of[segment]]:
                continue
            closest_on_segment(point, start[segment], end[segment], closest)
            own[segment] = leaning_distance(point, normal, closest)
            nearest = min(nearest, own[segment])
        distance[place] = max(nearest, _NEAREST)
        if nearest == np.inf:
            continue
        for segment in range(len(start)):
            if own[segment] <= nearest * (1 + _TIE):
                closest_on_segment(point, start[segment], end[segment], closest)
                if is_seen(tree, part_of, place, point, closest, directions, scratch):
                    seen[place, bone_of[segment]] = True


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


def heat_weights(surface: Surface, bones: Bones, allowed: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """(weights `[place, bone]`, bound `[place]`): weights before they are limited or brought to 1, and where there are
    any; a part of the surface that sees no bone has none. allowed: `[piece, bone]` which bones may move a piece.
    """
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import splu

    distance, seen = nearest_seen(surface, bones, allowed)
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
