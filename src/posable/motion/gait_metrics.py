"""Metrics of a clip besides its feet: steps, knees, clearance, limits, self-penetration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Roles
from posable.figures.terrain import Terrain
from posable.goals import KeepApart
from posable.motion.feet.contact_detection import Contacts, heights_over, runs
from posable.motion.feet.sole_shapes import Sole
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized

_SWING = (0.1, 0.9)  # of a swing, over which the clearance of the toes is measured
_MIDDLE = (0.4, 0.6)
_GOES = 0.05  # leg lengths that the hips move from stance to stance at least, or it is a walk in place
_BROKEN = 1e-6  # rad or reaches: a larger excess over a limit counts
_TOUCHING = 1e-9  # reaches: bodies within this margin count as touching


@dataclass(frozen=True)
class Stand:
    """One stance of a foot. start, end: its frames, end exclusive; one with start 0 began before the clip. `place`: of
    its ball.
    """

    foot: int
    start: int
    end: int
    place: Array


def stands_of(clip: Clip, touching: Contacts) -> list[Stand]:
    """Every stance of every foot in the order of their starts."""
    found = []
    for foot, sole in enumerate(touching.soles):
        places = sole.ball_places(clip.poses)
        for start, end in runs(touching.any[foot]):
            rests = start + np.flatnonzero(touching.ball[foot, start:end])
            place = places[rests if len(rests) else slice(start, end)].mean(axis=0)
            found.append(Stand(foot, start, end, place))
    return sorted(found, key=lambda stand: (stand.start, stand.foot))


def rows_of(roles: Roles, soles: Sequence[Sole]) -> list[tuple[int, ...]]:
    """The feet of each row of legs, front row first."""
    row_of = {leg.name: leg.row for leg in roles.legs}
    rows = sorted({row_of.get(sole.name, 0) for sole in soles})
    return [tuple(n for n, sole in enumerate(soles) if row_of.get(sole.name, 0) == row) for row in rows]


def step_lengths(stands: Sequence[Stand], row: Sequence[int], hips: Array, up: int, leg: float) -> Array:
    """`[step]` from each stance of a row of legs to the next of another leg, along the path of the hips
    `[frame, 3]`.
    """
    own = [stand for stand in stands if stand.foot in row]
    lengths = []
    for one, other in pairwise(own):
        if one.foot == other.foot:
            continue
        way = np.delete(hips[(other.start + other.end - 1) // 2] - hips[(one.start + one.end - 1) // 2], up)
        if np.linalg.norm(way) > _GOES * leg:
            gap = np.delete(other.place - one.place, up)
            lengths.append(float(gap @ way / np.linalg.norm(way)))
    return np.array(lengths)


def landings_of(stands: Sequence[Stand], row: Sequence[int]) -> list[int]:
    """The frames at which feet of a row land; a foot that stands at the start has not landed."""
    return [stand.start for stand in stands if stand.foot in row and stand.start > 0]


def speed_of(hips: Array, landings: Sequence[int], up: int, fps: float) -> float:
    """The speed along the ground from landing to landing; that of the whole clip with fewer than two."""
    at = sorted({*landings}) if len({*landings}) > 1 else [0, len(hips) - 1]
    way = np.linalg.norm(np.diff(np.delete(hips[at], up, axis=1), axis=0), axis=1).sum()
    return float(way * fps / (at[-1] - at[0]))


def double_support_share(touching: Contacts, row: Sequence[int], landings: Sequence[int]) -> float:
    """The share of whole steps in which all feet of a row stand; NaN with fewer than two of them in time."""
    if len(row) < 2 or len({*landings}) < 2:
        return float("nan")
    return float(touching.any[list(row), landings[0] : landings[-1]].all(axis=0).mean())


def pelvis_rise(stands: Sequence[Stand], hips: Array, up: int, leg: float, step: float) -> float:
    """The vertical range of the hips in a stride, as a share of the compass arc L − √(L² − (step / 2)²)."""
    arc = leg - np.sqrt(max(leg**2 - (step / 2) ** 2, 0.0))
    lands = landings_of(stands, (0,))
    rises = []
    for start, end in pairwise(lands):
        height = hips[start : end + 1, up]
        level = np.linspace(height[0], height[-1], len(height))  # without the rise of a slope
        rises.append(float(np.ptp(height - level)))
    return float(np.mean(rises) / arc) if rises and arc > 0 else float("nan")


def hip_joint(skeleton: Skeleton, soles: Sequence[Sole]) -> int:
    """The lowest joint above all legs: the pelvis."""
    shared = set.intersection(*({*skeleton.chain(sole.foot)} - {*sole.joints} for sole in soles))
    return max(shared, default=0)


def knee_of(skeleton: Skeleton, sole: Sole) -> int | None:
    """The joint of a leg that is nearest to the middle of its bones, None where a leg is a single bone."""
    joints = [skeleton.index(joint) for joint in sole.joints]
    places = Pose(skeleton, skeleton.rest_coordinates).origins[joints]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    inner = [n for n in range(len(joints)) if 0.05 * along[-1] < along[n] < 0.95 * along[-1]]
    return joints[min(inner, key=lambda n: abs(along[n] - along[-1] / 2))] if inner else None


def knee_bends(clip: Clip, soles: Sequence[Sole]) -> Array:
    """`[leg, frame]` flexion of each knee in radians, 0 where hip, knee and ankle are in line; NaN without a knee."""
    bends = np.full((len(soles), len(clip)), np.nan)
    for n, sole in enumerate(soles):
        knee = knee_of(clip.skeleton, sole)
        if knee is not None:
            hip, ankle = (clip.poses.origins[:, clip.skeleton.index(sole.joints[end])] for end in (0, -1))
            bends[n] = _angle(clip.poses.origins[:, knee] - hip, ankle - clip.poses.origins[:, knee])
    return bends


def leg_curves(clip: Clip, soles: Sequence[Sole], forward: Array) -> dict[str, Array]:
    """`[leg, frame]` degrees of each leg as in gait analysis: thigh, forward of straight down; knee, flexion; ankle,
    dorsiflexion from a right angle.

    forward: the facing of the figure at rest; it rotates with the hips. NaN where a leg has no such part.
    """
    up = np.eye(3)["xyz".index(clip.skeleton.up)]
    knees, poses = np.degrees(knee_bends(clip, soles)), clip.poses
    ahead = _facing(clip, hip_joint(clip.skeleton, soles), forward, up)
    thighs, ankles = np.full((2, *knees.shape), np.nan)
    for n, sole in enumerate(soles):
        knee = knee_of(clip.skeleton, sole)
        if knee is None:
            continue
        hip, ankle = (poses.origins[:, clip.skeleton.index(sole.joints[end])] for end in (0, -1))
        thigh, shin = poses.origins[:, knee] - hip, ankle - poses.origins[:, knee]
        thighs[n] = np.degrees(np.arctan2(np.sum(thigh * ahead, axis=1), -(thigh @ up)))
        if sole.heel is not None:
            foot = sole.ball_places(poses) - sole.heel_places(poses)
            ankles[n] = np.degrees(_angle(shin, foot)) - 90.0
    return {"thigh": thighs, "knee": knees, "ankle": ankles}


def jerk_of(angles: Array, fps: float) -> Array:
    """`[...]` the root mean square third derivative of angles `[..., frame]`, per s³."""
    if angles.shape[-1] < 4:
        return np.full(angles.shape[:-1], np.nan)
    return np.sqrt(np.mean((np.diff(angles, 3, axis=-1) * fps**3) ** 2, axis=-1))


def clearances(clip: Clip, touching: Contacts, terrain: Terrain | None) -> tuple[Array, Array]:
    """(`[swing]` the clearance of the toes in mid-swing, `[swing]` the least one from 10 to 90 % of the swing)."""
    middle, least = [], []
    for foot, sole in enumerate(touching.soles):
        over = toe_heights(clip, sole, terrain)
        stances = runs(touching.any[foot])
        for (_, start), (end, _) in pairwise(stances):
            if end - start < 5:
                continue
            share = (np.arange(start, end) - start + 0.5) / (end - start)
            middle.append(over[start:end][(share >= _MIDDLE[0]) & (share <= _MIDDLE[1])].min())
            least.append(over[start:end][(share >= _SWING[0]) & (share <= _SWING[1])].min())
    return np.array(middle), np.array(least)


def toe_heights(clip: Clip, sole: Sole, terrain: Terrain | None) -> Array:
    """`[frame]` the height of the lower front corner of the sole over the ground."""
    corners = np.moveaxis(sole.corner_places(clip.poses), 1, 0)
    if terrain is not None:
        return np.min([heights_over(corner, clip, terrain, sole) for corner in corners[2:]], axis=0)
    up = "xyz".index(clip.skeleton.up)
    floor = np.percentile(corners[..., up].min(axis=0), 2)
    return corners[2:, :, up].min(axis=0) - floor


def limits_broken(clip: Clip) -> tuple[NDArray[np.bool_], Array]:
    """`[frame]` whether a limit is violated, and the largest excess (rad, or lengths of slides in reaches)."""
    over = np.abs(clip.poses.clamped().minus(clip.poses))
    over[:, clip.skeleton.slides] /= clip.skeleton.reach
    worst = over.max(axis=1, initial=0.0)
    return worst > _BROKEN, np.where(worst > _BROKEN, worst, 0.0)


def self_penetration(clip: Clip) -> Array:
    """`[frame]` the largest penetration depth of the figure's capsules, in its unit; NaN without any."""
    if not any(joint.capsules for joint in clip.skeleton.definitions):
        return np.full(len(clip), np.nan)
    goal = KeepApart(margin=_TOUCHING * clip.skeleton.reach)
    depths = np.linalg.norm(np.reshape(goal.residual(clip.poses), (len(clip), -1, 3)), axis=2)
    return np.maximum(depths.max(axis=1) - _TOUCHING * clip.skeleton.reach, 0.0)


def turned(clip: Clip, source: Clip) -> dict[str, float]:
    """Joint → root mean square rotation from `source` in degrees; free joints are left out."""
    skeleton = clip.skeleton
    away = clip.poses.minus(Pose(skeleton, source.q))  # the source's skeleton may be of another size
    found = {}
    for j, name in enumerate(skeleton.joints):
        own = [k for k in skeleton.freedom_range(j) if not skeleton.slides[k]]
        if own and not skeleton.definitions[j].floating:
            found[name] = float(np.degrees(np.sqrt(np.mean(np.sum(away[:, own] ** 2, axis=1)))))
    return found


def _facing(clip: Clip, hips: int, forward: Array, up: Array) -> Array:
    """`[frame, 3]` unit vectors along the ground."""
    rest = Pose(clip.skeleton, clip.skeleton.rest_coordinates).world_from_joint[hips, :3, :3]
    ahead = clip.poses.world_from_joint[:, hips, :3, :3] @ (rest.T @ forward)
    return normalized(ahead - np.outer(ahead @ up, up))


def _angle(a: Array, b: Array) -> Array:
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))
