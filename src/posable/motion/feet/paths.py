"""The ways that feet and pelvis are to take over the ground: with their plants, and clear of it in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from posable.clips import Clip
from posable.errors import TerrainError
from posable.motion.feet.plants import Plant
from posable.motion.feet.sole_shapes import Sole
from posable.motion.feet.terrain import Terrain
from posable.skeleton import Pose
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    rotation_vector_from_wxyz,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
)
from posable.spatial.curves import smootherstep

_CLEAR = 0.02  # m for a leg of 0.88 m: how far a swinging foot stays off the ground, where the source does
_SPREAD = 0.08  # s over which the lifting of a foot is spread
_STRETCH = 0.97  # of leg and foot in one line
_PELVIS = 0.12  # s over which the pelvis follows the feet


@dataclass(frozen=True, eq=False)
class Path:
    """How one foot is to move against the source. moved: `[frame, 3]`; tilt: `[frame, 3, 3]`, turns in the world."""

    moved: Array
    tilt: Array


def foot_path(clip: Clip, sole: Sole, plants: Sequence[Plant], terrain: Terrain | None, floor: float) -> Path:
    """Moved with its plants, eased from one to the next, and lifted where it would run into the ground.

    Raises TerrainError for a hole under the foot at the clip's ends.
    """
    keys = [(p.start, p.end - 1, p.moved, rotation_vector_from_wxyz(wxyz_from_matrix(p.tilt))) for p in plants]
    if terrain is not None:
        keys = _with_ends(clip, sole, keys, terrain, floor)
    moved, vectors = np.zeros((len(clip), 3)), np.zeros((len(clip), 3))
    for (start, end, offset, vector), after in zip(keys, [*keys[1:], None][: len(keys)], strict=True):
        moved[start : end + 1], vectors[start : end + 1] = offset, vector
        if after is not None:
            share = _eased(after[0] - end)
            moved[end : after[0]] = offset + share * (after[2] - offset)
            vectors[end : after[0]] = vector + share * (after[3] - vector)
    if keys:
        moved[: keys[0][0]], moved[keys[-1][1] + 1 :] = keys[0][2], keys[-1][2]
        vectors[: keys[0][0]], vectors[keys[-1][1] + 1 :] = keys[0][3], keys[-1][3]
    tilt = matrix_from_wxyz(wxyz_from_rotation_vector(vectors))
    if terrain is not None:
        moved = moved + _lift(clip, sole, plants, Path(moved, tilt), terrain, floor)
    return Path(moved, tilt)


Key = tuple[int, int, Array, Array]


def _with_ends(clip: Clip, sole: Sole, keys: list[Key], terrain: Terrain, floor: float) -> list[Key]:
    """Also where the clip begins and ends in a swing: over the ground by as much as the source is over its own."""
    k, last = "xyz".index(clip.skeleton.up), len(clip) - 1
    ends = [at for at in (0, last) if not any(start <= at <= end for start, end, *_ in keys)]
    for at in ends:
        place = sole.ball_places(clip.poses[at])
        near = min(keys, key=lambda key: abs(key[0] - at), default=None)
        place = place + (0.0 if near is None else _level(near[2], k))
        moved = np.zeros(3) if near is None else _level(near[2], k)
        moved[k] = float(terrain.height(place)) - floor
        if np.isnan(moved[k]):
            raise TerrainError(f"there is no ground under {sole.name} at frame {at}; repair the terrain or move")
        keys = [*keys, (at, at, moved, np.zeros(3) if near is None else near[3])]
    return sorted(keys, key=lambda key: key[0])


def _level(vector: Array, k: int) -> Array:
    level = np.array(vector)
    level[k] = 0.0
    return level


def _eased(count: int) -> Array:
    """`[frame, 1]` from 0 to short of 1, at rest at both ends."""
    return smootherstep(np.arange(count)[:, None] / count)


def _lift(clip: Clip, sole: Sole, plants: Sequence[Plant], path: Path, terrain: Terrain, floor: float) -> Array:
    """`[frame, 3]` how much higher the foot must go so that no corner of its sole comes nearer to the ground than the
    source's does to its own, or than some 2 cm.
    """
    k = "xyz".index(clip.skeleton.up)
    corners = sole.corner_places(clip.poses)
    ankle = clip.poses.origins[:, clip.skeleton.index(sole.foot)][:, None]
    there = ankle + path.moved[:, None] + np.einsum("tij,tcj->tci", path.tilt, corners - ankle)
    ground = terrain.height(there)
    wanted = np.clip(corners[..., k] - floor, 0.0, _CLEAR * sole.scale)
    need = np.nan_to_num(ground + wanted - there[..., k], nan=0.0).max(axis=1)
    swing = np.ones(len(clip), bool)
    for start, end in [part for plant in plants for part in (plant.ball, plant.heel) if part is not None]:
        swing[start:end] = False
    need = np.where(swing, np.maximum(need, 0.0), 0.0)
    width = max(_SPREAD * clip.fps, 1.0)
    spread = gaussian_filter1d(maximum_filter1d(need, 2 * round(width) + 1), width / 2)
    lift = np.zeros((len(clip), 3))
    lift[:, k] = np.where(swing, spread, 0.0)
    return lift


def pelvis_path(clip: Clip, soles: Sequence[Sole], paths: Sequence[Path], plants: Sequence[Sequence[Plant]]) -> Array:
    """`[frame, 3]` how the pelvis follows: the mean of the feet, each from plant to plant, without their lifting; and
    lower where a leg is too short for its plant, even with the heel lifted.
    """
    followed = []
    for path, own in zip(paths, plants, strict=True):
        moved = np.array(path.moved)
        for one, after in pairwise(own):
            share = np.linspace(0, 1, after.start - one.end + 2)[1:-1, None]
            moved[one.end : after.start] = one.moved + share * (after.moved - one.moved)
        followed.append(moved)
    moved = gaussian_filter1d(np.mean(followed, axis=0), _PELVIS * clip.fps, axis=0, mode="nearest")
    drop = np.max([_drop(clip, sole, own, moved) for sole, own in zip(soles, plants, strict=True)], axis=0)
    width = max(round(_PELVIS * clip.fps), 1)
    moved[:, "xyz".index(clip.skeleton.up)] -= gaussian_filter1d(maximum_filter1d(drop, 2 * width + 1), 0.5 * width)
    return moved


def _drop(clip: Clip, sole: Sole, plants: Sequence[Plant], moved: Array) -> Array:
    """`[frame]` by how much the hip must come down for the ball to reach its plant."""
    k = "xyz".index(clip.skeleton.up)
    places = clip.poses.origins[:, [clip.skeleton.index(joint) for joint in sole.joints]]
    bones = np.linalg.norm(np.diff(places[0], axis=0), axis=1).sum() + np.linalg.norm(sole.ball)
    drop = np.zeros(len(clip))
    for one in plants:
        if one.ball is not None:
            away = places[slice(*one.ball), 0] + moved[slice(*one.ball)] - one.place
            across = np.sum(away**2, axis=1) - away[:, k] ** 2
            drop[slice(*one.ball)] = away[:, k] - np.sqrt(np.maximum((_STRETCH * bones) ** 2 - across, 0.0))
    return np.maximum(drop, 0.0)


def carried(clip: Clip, root: int, moved: Array) -> Pose:
    """The clip's poses with the free joint `root` moved by `[frame, 3]` in the world."""
    skeleton = clip.skeleton
    tangent = np.zeros((len(clip), skeleton.dof))
    parent = int(skeleton.parents[root])
    own = moved
    if parent >= 0:
        own = np.einsum("tji,tj->ti", clip.poses.world_from_joint[:, parent, :3, :3], moved)
    first = int(skeleton.tables.first_dof[root])
    tangent[:, first : first + 3] = own
    return clip.poses.plus(tangent)
