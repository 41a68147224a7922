"""The path of a person from standing feet, and the positions of standing feet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.motion.feet import Contacts, Sole
from posable.motion.feet.contact_detection import runs
from posable.motion.key_points.point_rows import Held
from posable.spatial import Array

HELD = 3000.0
"""The weight of a standing foot, relative to an observed point."""

_LOW = 0.05  # m over the ground: unit of the penalty of a point's height
_RISES = 0.3  # m/s: that of its vertical speed
_JERKS = 0.3  # m/s: that of the change of the person's speed between frames
_MOST = 4.0  # largest penalty for the vertical speed, twice that for the change of speed
_DOUBT = 2.0
_NOISY, _EVEN, _AROUND = 0.04, 0.1, 0.4  # s over which heights and the path are smoothed, and the ground is searched
_SEEN = 0.02  # weight of the position that a camera sees, relative to the step of a standing foot
_LEVEL = 0.05  # m: positions whose heights differ by less are on one ground
_ENDS = 2  # frames at either end of a contact with less weight
_STEP_LASTS, _STEP_LEADS = 0.2, 0.12  # s and m: two contacts that are nearer to each other are one
_STILL, _AT_ENDS = 0.009, 0.1  # m/s: a faster foot slides; share of a contact at either end that is not measured


def travelled(clip: Clip, feet: Sequence[Sole], ahead: Array | None) -> Clip:
    """The clip on a path along which standing feet stay.

    ahead: `[frame, 3]` the only direction in which it may move off its present path; None for a path from the feet
    alone, on level ground.
    """
    from scipy.ndimage import gaussian_filter1d, minimum_filter1d

    points = _points_of_feet(clip, feet)  # [frame, point, 3]
    velocity, certain = _velocity(points, clip.fps)
    q, seconds = np.array(clip.q), 1.0 / clip.fps
    if ahead is None:
        q[1:, [0, 2]] += seconds * np.cumsum((velocity[1:] + velocity[:-1]) / 2, axis=0)
        low = minimum_filter1d(points[..., 1].min(axis=1), 2 * round(_AROUND / 2 * clip.fps) + 1)
        q[:, 1] -= gaussian_filter1d(low, _EVEN * clip.fps, mode="nearest")
        return replace(clip, q=q)
    level = ahead[:, [0, 2]] / np.maximum(np.linalg.norm(ahead[:, [0, 2]], axis=1, keepdims=True), 1e-9)
    wanted = np.sum(velocity * level, axis=1) * seconds
    away = _along((wanted[1:] + wanted[:-1]) / 2, np.minimum(certain[1:], certain[:-1]))
    q[:, [0, 2]] += away[:, None] * level
    return replace(clip, q=q)


def _velocity(feet: Array, fps: float) -> tuple[Array, Array]:
    """(the velocity `[frame, 2]` with which standing feet are still, `[frame]` its certainty).

    In each frame one point stands: the most likely sequence of them (Viterbi 1967), of low points that do not rise and
    give the person an even motion.
    """
    from scipy.ndimage import gaussian_filter1d, minimum_filter1d

    frames, points = feet.shape[:2]
    height = gaussian_filter1d(feet[..., 1], _NOISY * fps, axis=0)
    ground = minimum_filter1d(height.min(axis=1), 2 * round(_AROUND * fps) + 1)
    moving = -fps * np.gradient(gaussian_filter1d(feet, _NOISY * fps, axis=0), axis=0) if frames > 1 else 0 * feet
    own = (height - ground[:, None]) / _LOW + np.minimum(np.abs(moving[..., 1]) / _RISES, _MOST)
    level, cost, before = moving[..., [0, 2]], own[0].copy(), np.zeros((frames, points), int)
    for t in range(1, frames):
        jerk = np.linalg.norm(level[t][None] - level[t - 1][:, None], axis=2) / _JERKS
        through = cost[:, None] + np.minimum(jerk, 2 * _MOST)
        before[t] = through.argmin(axis=0)
        cost = through.min(axis=0) + own[t]
    chosen = np.zeros(frames, int)
    chosen[-1] = cost.argmin()
    for t in range(frames - 1, 0, -1):
        chosen[t - 1] = before[t, chosen[t]]
    every = np.arange(frames)
    found = level[every, chosen]
    jerk = np.concatenate([[0.0], np.linalg.norm(np.diff(found, axis=0), axis=1) / _JERKS, [0.0]])
    certain = np.exp(-(own[every, chosen] + jerk[1:] + jerk[:-1]) / _DOUBT) + 1e-4
    total = gaussian_filter1d(certain, _EVEN * fps, mode="nearest")
    return gaussian_filter1d(found * certain[:, None], _EVEN * fps, axis=0, mode="nearest") / total[:, None], certain


def _along(steps: Array, certain: Array) -> Array:
    """`[frame]` the smallest displacements with the differences `steps [frame - 1]`, as far as those are certain."""
    from scipy.linalg import solveh_banded

    bands = np.zeros((2, len(steps) + 1))
    bands[0, 1:] = -certain
    bands[1] = _SEEN**2
    bands[1, :-1] += certain
    bands[1, 1:] += certain
    pull = certain * steps
    return solveh_banded(bands, np.concatenate([[0.0], pull]) - np.concatenate([pull, [0.0]]))


def _points_of_feet(clip: Clip, feet: Sequence[Sole]) -> Array:
    """`[frame, point, 3]` heels and balls, with heights relative to those when standing."""
    up, found = np.array([0.0, 1.0, 0.0]), []
    for sole in feet:
        found.append(sole.heel_places(clip.poses) - sole.heel_height * up)
        found.append(sole.ball_places(clip.poses) - sole.ball_height * up)
    return np.stack(found, axis=1)


def held_feet(clip: Clip, touching: Contacts, before: Held | None = None) -> tuple[Held, float]:
    """(the positions of standing feet, heels and balls by themselves; the height of the ground).

    before: those found in an earlier state of the clip, which stand still.
    """
    carriers, offsets, places, weights, heights = [], [], [], [], []
    for foot, sole in enumerate(touching.soles):
        for point, height, own, stands in _points(clip, sole, touching.heel[foot], touching.ball[foot]):
            if before is not None:
                stands = stands | (before.weights[:, len(carriers)] > 0)
            carriers.append(clip.skeleton.index(sole.foot))
            offsets.append(point)
            place, weight = np.array(own), np.zeros(len(clip))
            for first, after in _joined(runs(stands), own, clip.fps):
                here = own[first:after][stands[first:after]]
                middle = np.median(here, axis=0)
                if np.linalg.norm(here - middle, axis=1).max() > _STEP_LEADS:
                    continue  # it moves too far for one contact
                place[first:after] = here.mean(axis=0)
                inside = np.minimum(np.arange(after - first), np.arange(after - first)[::-1])
                weight[first:after] = HELD * np.minimum((inside + 1) / (_ENDS + 1), 1.0) ** 2
            places.append(place)
            weights.append(weight)
            heights.append(height)
    held = Held(np.array(carriers), np.array(offsets), np.stack(places, axis=1), np.stack(weights, axis=1))
    return _leveled(held, np.array(heights))


def slides(clip: Clip, touching: Contacts) -> bool:
    """Whether a foot moves while it stands."""
    for foot, sole in enumerate(touching.soles):
        for start, end in runs(touching.ball[foot]):
            cut = round(_AT_ENDS * (end - start))
            middle = sole.ball_places(clip.poses)[start + cut : end - cut, [0, 2]]
            steps = np.linalg.norm(np.diff(middle, axis=0), axis=1)
            if len(steps) and steps.mean() * clip.fps > _STILL:
                return True
    return False


def _points(
    clip: Clip, sole: Sole, heel: NDArray[np.bool_], ball: NDArray[np.bool_]
) -> list[tuple[Array, float, Array, NDArray[np.bool_]]]:
    """(point of the foot, its height when standing, its positions, when it stands) of heel and ball."""
    found = [(sole.ball, sole.ball_height, sole.ball_places(clip.poses), ball)]
    if sole.heel is not None:
        found.append((sole.heel, sole.heel_height, sole.heel_places(clip.poses), heel))
    return found


def _joined(stays: list[tuple[int, int]], places: Array, fps: float) -> list[tuple[int, int]]:
    """The contacts, one where two follow each other too soon and too near for a step between them."""
    found: list[tuple[int, int]] = []
    for start, end in stays:
        if found and start - found[-1][1] < _STEP_LASTS * fps:
            away = places[start:end].mean(axis=0) - places[slice(*found[-1])].mean(axis=0)
            if np.linalg.norm(away[[0, 2]]) < _STEP_LEADS:
                found[-1] = (found[-1][0], end)
                continue
        found.append((start, end))
    return found


def _leveled(held: Held, heights: Array) -> tuple[Held, float]:
    """The same with nearly level positions on one ground, and its height."""
    over = held.places[..., 1] - heights
    stands = held.weights > 0
    if not stands.any():
        return held, float(over.min())
    ground = float(np.median(over[stands]))
    near = stands & (np.abs(over - ground) < _LEVEL)
    places = held.places.copy()
    places[..., 1] = np.where(near, ground + heights, places[..., 1])
    return held._replace(places=places), ground
