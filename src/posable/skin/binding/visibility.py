"""The bones closest to each surface point, and whether they are visible from there through the interior."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.skin.binding.binding_bones import Bones
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import ENDS, crossings, is_inside, ways_out
from posable.spatial import Array

_TIE = 1e-4  # bones this much farther than the nearest, relative to it, are as near
_RAYS = 7  # an odd number: no ties
_STEP = 1e-3  # of the distance to the first hit: just off the surface point
_NEAREST = 1e-6  # of the surface's size: what is nearer to a bone counts as this far


def nearest_seen(surface: Surface, bones: Bones) -> tuple[Array, NDArray[np.bool_]]:
    """(distance `[place]`, seen `[place, bone]`): how far the nearest bone is, and which of those as near are seen.

    Both in the surface's frame.
    """
    places = surface.places
    distance, seen = np.empty(len(places)), np.zeros((len(places), len(bones.joints)), np.bool_)
    see_bones(
        surface.tree, surface.part_of, places, surface.normals, bones.start, bones.end, bones.bone_of,
        ways_out(_RAYS), distance, seen,
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
def see_bones(tree, part_of, places, normals, start, end, bone_of, directions, distance, seen):
    """Fills `distance` and `seen` of `nearest_seen`."""
    closest, own = np.empty(3), np.empty(len(start))
    scratch = (
        np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(ENDS), np.empty(ENDS, np.int64),
        np.empty(128, np.int64), np.empty(3), np.empty(3), np.empty(3),
    )  # fmt: skip
    for place in range(len(places)):
        point, normal = places[place], normals[place]
        nearest = np.inf
        for segment in range(len(start)):
            closest_on_segment(point, start[segment], end[segment], closest)
            own[segment] = leaning_distance(point, normal, closest)
            nearest = min(nearest, own[segment])
        distance[place] = max(nearest, _NEAREST)
        for segment in range(len(start)):
            if own[segment] <= nearest * (1 + _TIE):
                closest_on_segment(point, start[segment], end[segment], closest)
                if is_seen(tree, part_of, place, point, closest, directions, scratch):
                    seen[place, bone_of[segment]] = True
