"""The plants of each foot in its contacts, and the paths of feet and pelvis in between, clear of the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import SkeletonError, TerrainError
from posable.figures.terrain import Terrain
from posable.motion.feet.contact_detection import SHORTEST, Contacts, runs
from posable.motion.feet.sole_shapes import Sole
from posable.skeleton import Pose, Skeleton
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    mean_rotation,
    normalized,
    rotation_vector_from_wxyz,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
)
from posable.spatial.curves import smootherstep

_STRAYS = 0.03  # m for a leg of 0.88 m: a foot further from its median position has shifted
_SHIFTING, _STANDS = (
    0.2,
    0.3,
)  # s of the shift, and s of standing before and after; a foot without these merely slides in a step
_EDGE = 0.012  # m for a leg of 0.88 m: rougher ground under one foot contains an edge
_AHEAD = 0.35  # of the foot's length: distance of its tip from a step in front, which it has to clear
_BEHIND = 0.15  # likewise that of the heel from one behind, over which it comes down
_SHIFTS = np.arange(-10, 11) / 10  # of the foot's length: the shifts of a foothold that are tried to avoid an edge


@dataclass(frozen=True, eq=False)
class Plant:
    """One stance of one foot. start, end: frames. `place`: of the ball `[3]`; `turn`: rotation of the flat foot `[3,
    3]`.

    moved: `[3]` from the ball in the source. tilt: the rotation `[3, 3]` from the source's flat foot to this one.
    normal: of the ground `[3]`. ball, heel: the frames `(start, end)` in which each touches, None if it does not.
    """

    start: int
    end: int
    place: Array
    turn: Array
    moved: Array
    tilt: Array
    normal: Array
    ball: tuple[int, int] | None
    heel: tuple[int, int] | None

    def heel_place(self, sole: Sole) -> Array:
        """`[3]` the position of the heel."""
        return self.place + self.turn @ (sole.back - sole.ball)


def plants_of(clip: Clip, touching: Contacts, foot: int, terrain: Terrain | None) -> list[Plant]:
    """The stances of one foot, in the order of time.

    terrain: the ground to stand on; None keeps each at its position in the source, made to stand still.
    Raises TerrainError for a hole under a foot.
    """
    sole, found = touching.soles[foot], []
    balls, heels = sole.ball_places(clip.poses), sole.heel_places(clip.poses)
    for start, end in runs(touching.any[foot]):
        standing = stays(balls, touching.ball[foot], (start, end), clip.fps, sole.scale)
        for k, ball in enumerate(standing or [None]):
            stance = (
                (start if k == 0 else ball[0], end if k + 1 >= len(standing) else ball[1]) if ball else (start, end)
            )
            lies = stays(heels, touching.heel[foot], stance, clip.fps, sole.scale)
            heel = max(lies, key=lambda run: run[1] - run[0], default=None)
            if ball is not None or heel is not None:
                found.append(_plant(clip, sole, stance, ball, heel, terrain))
    return found


def stays(
    places: Array, touches: NDArray[np.bool_], within: tuple[int, int], fps: float, unit: float
) -> list[tuple[int, int]]:
    """The (start, end) of the stretches of a contact in which a point `[frame, 3]` stays at one position.

    A contact in which the point wanders is split where it moves fastest: a long stance in which the figure shifts its
    feet, or, for the heel, a pivot about the ball.
    """
    start, end = within
    found, waiting = [], [(a + start, b + start) for a, b in reversed(runs(touches[start:end]))]
    edge, least = (max(round(seconds * fps), 1) for seconds in (SHORTEST, _STANDS))
    half = max(round(0.5 * _SHIFTING * fps), 1)
    while waiting:
        start, end = waiting.pop()
        own = places[start:end]
        away = np.linalg.norm(own - np.median(own, axis=0), axis=1)[edge : end - start - edge]  # it lands and leaves
        middle = np.linalg.norm(np.diff(own, axis=0), axis=1)[least + half : end - start - least - half]
        if away.max(initial=0.0) <= _STRAYS * unit or not len(middle):
            found.append((start, end))
        else:
            fastest = start + least + half + int(np.argmax(middle))
            waiting += [(fastest + half, end), (start, fastest - half)]
    return found


def _plant(
    clip: Clip,
    sole: Sole,
    stance: tuple[int, int],
    ball: tuple[int, int] | None,
    heel: tuple[int, int] | None,
    terrain: Terrain | None,
) -> Plant:
    flat = _both(ball, heel) or ball or heel or stance
    poses = clip.poses[slice(*flat)]
    turn = mean_rotation(poses.world_from_joint[:, clip.skeleton.index(sole.foot), :3, :3])
    if ball is None:  # on its heel alone: the heel determines the ball
        source = sole.heel_places(poses).mean(axis=0) + turn @ (
            sole.ball - (sole.ball if sole.heel is None else sole.heel)
        )
    else:
        source = sole.ball_places(clip.poses[slice(*ball)]).mean(axis=0)
    if terrain is None:
        up = np.eye(3)["xyz".index(clip.skeleton.up)]
        return Plant(*stance, source, turn, np.zeros(3), np.eye(3), up, ball, heel)
    terrain.check_up(clip.skeleton.up)
    place, normal = _foothold(sole, source, turn, terrain, stance[0])
    tilt = matrix_from_wxyz(wxyz_between(turn @ sole.flat, normal))
    return Plant(*stance, place, tilt @ turn, place - source, tilt, normal, ball, heel)


def _both(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    if one is None or other is None or min(one[1], other[1]) <= max(one[0], other[0]):
        return None
    return max(one[0], other[0]), min(one[1], other[1])


def _foothold(sole: Sole, source: Array, turn: Array, terrain: Terrain, frame: int) -> tuple[Array, Array]:
    """(the position of the ball `[3]`, the ground's normal) at the source's position, moved off an edge there."""
    k = "xyz".index(terrain.up)
    up = np.eye(3)[k]
    outline = _outline(sole, turn, up)
    along = outline[0] - outline[1]
    length = float(np.linalg.norm(along))
    best: tuple[float, Array, Array] | None = None
    for shift in _SHIFTS[np.argsort(np.abs(_SHIFTS), kind="stable")] if length > 0 else np.zeros(1):
        middle = source + shift * along
        heights = terrain.height(middle + outline)
        if np.isnan(heights).any():
            continue
        base, normal, rough = _supported(middle, outline, heights, terrain, up)
        if best is None or rough < 0.5 * best[0]:
            best = rough, base + sole.ball_height * normal, normal
        if rough < _EDGE * sole.scale:
            break
    if best is None:
        where = ", ".join(f"{x:.3g}" for x in source)
        raise TerrainError(
            f"there is no ground under {sole.name} at frame {frame} ({where}); repair the terrain or move"
        )
    return best[1], best[2]


def _outline(sole: Sole, turn: Array, up: Array) -> Array:
    """`[point, 3]` of a flat foot's sole about the ball, level: front, back, then a grid over all of it."""
    heel = turn @ (sole.back - sole.ball)
    heel -= heel @ up * up
    behind = float(np.linalg.norm(heel))
    if behind == 0:
        return np.zeros((3, 3))
    front = -(sole.front / behind + _AHEAD * (1 + sole.front / behind)) * heel
    wide = sole.half_width / behind * np.cross(up, heel)
    back = (1 + _BEHIND) * heel
    grid = [front + s * (back - front) + side * wide for s in np.linspace(0, 1, 9) for side in (-1.0, 0.0, 1.0)]
    return np.array([front, back, *grid])


def _supported(
    middle: Array, outline: Array, heights: Array, terrain: Terrain, up: Array
) -> tuple[Array, Array, float]:
    """(the point under the ball on the plane that carries the foot, its normal, the roughness of the ground)."""
    level = outline - np.outer(outline @ up, up)
    base = np.concatenate([level, np.ones((len(level), 1))], axis=1)
    fit, *_ = np.linalg.lstsq(base, heights, rcond=None)
    over = heights - base @ fit
    rough = float(np.ptp(over))
    normal = normalized(up - fit[:3])
    if rough > 0.05 * float(np.ptp(level, axis=0).max()) + 1e-9:  # a step: stand on its tread
        normal = terrain.normal(middle)
        rise = up - normal / (normal @ up)
        over = heights - level @ rise
        fit = np.append(rise, 0.0)
    height = fit[3] + over.max() if rough > 0 else fit[3]
    return middle - (middle @ up) * up + height * up, normal, rough


def source_floor(clip: Clip, feet: Sequence[Sole]) -> float:
    """The height of the ground that the source walks on: that of the lowest sole."""
    k = "xyz".index(clip.skeleton.up)
    lowest = np.concatenate([sole.corner_places(clip.poses)[..., k].min(axis=1) for sole in feet])
    return float(np.percentile(lowest, 2))


def free_root(skeleton: Skeleton, soles: Sequence[Sole]) -> int | None:
    """The lowest free joint above all legs; one with an active position, if any."""
    shared = set.intersection(*(set(skeleton.chain(sole.foot)) for sole in soles))
    free = [j for j in shared if skeleton.definitions[j].floating]
    return max(free, key=lambda j: (skeleton.definitions[j].travels, j), default=None)


def carrying_root(skeleton: Skeleton, soles: Sequence[Sole]) -> int:
    """The joint with which a figure follows a terrain: `free_root`. Raises SkeletonError if there is no such joint."""
    root = free_root(skeleton, soles)
    if root is None:
        raise SkeletonError(
            "no free joint carries the legs, so the figure cannot follow a terrain; free its root with "
            "figure.with_root('free'), or --root free"
        )
    return root


_CLEAR = 0.02  # m for a leg of 0.88 m: clearance of a swinging foot, where the source has it
_SPREAD = 0.08  # s over which the lifting of a foot is spread
_STRETCH = 0.97  # of leg and foot in one line
_PELVIS = 0.12  # s over which the pelvis follows the feet


@dataclass(frozen=True, eq=False)
class Path:
    """The motion of one foot relative to the source. moved: `[frame, 3]`; tilt: `[frame, 3, 3]`, world rotations."""

    moved: Array
    tilt: Array


def foot_path(clip: Clip, sole: Sole, plants: Sequence[Plant], terrain: Terrain | None, floor: float) -> Path:
    """The path through the plants, eased from one to the next, and lifted where the foot would hit the ground.

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
    """With keys where the clip begins and ends in a swing: as high over the ground as the source over its own."""
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
    """`[frame, 1]` from 0 up to but not including 1, at rest at both ends."""
    return smootherstep(np.arange(count)[:, None] / count)


def _lift(clip: Clip, sole: Sole, plants: Sequence[Plant], path: Path, terrain: Terrain, floor: float) -> Array:
    """`[frame, 3]` the lift of the foot with which no corner of its sole comes nearer to the ground than the source's
    to its own, or than about 2 cm.
    """
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

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
    """`[frame, 3]` the displacement of the pelvis: the mean of the feet, each from plant to plant, without their
    lifting; and lower where a leg is too short for its plant, even with the heel lifted.
    """
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

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
    """`[frame]` the drop of the hip with which the ball reaches its plant."""
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
