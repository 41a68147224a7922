"""Reaching: from a pose to where goals want it, in a given time, along a given way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from posable.clips import Clip, between
from posable.errors import PosableError
from posable.goals import Custom, Goal, KeepApart, LookAt, Place, Reach, SoftGoal, Stay
from posable.motion.easing import Profile, eased
from posable.motion.steering import Steering, at, halfway, steered
from posable.skeleton import Pose
from posable.solvers import prepare, solve
from posable.spatial import Array, normalized, slerp

Path = Literal["straight", "curved", "joints"]

_MOST_FRAMES = 1_000_000


def reach(
    start: Pose,
    goals: Sequence[Goal | SoftGoal | Custom],
    seconds: float,
    path: Path = "straight",
    *,
    ease: Profile = "minimum_jerk",
    bow: float = 0.2,
    hold: float = 0.0,
    fps: float = 30.0,
    frozen: Sequence[str] = (),
    restarts: int = 20,
) -> Clip:
    """The clip that goes from `start` to where `goals` want it, in `seconds`, and stays there for `hold` seconds.

    The end pose is solved for first. path: what moves along the way, "straight", hands (all that Reach, Place, Orient
    and LookAt steer) along straight lines and great arcs; "curved", the same bowed away from the figure by `bow` of the
    distance; "joints", every freedom in even parts of the shortest way, the traditional interpolation.
    ease: see `posable.motion.eased`. frozen, restarts: as for `posable.solve`.
    Where a goal cannot be met, the way ends at the nearest pose. The first frame is `start`, the last the end pose.
    Raises PosableError for times or ways that are none, and as `posable.solve` does.
    """
    if path not in get_args(Path):
        raise PosableError(f"a path is one of {', '.join(get_args(Path))}, not {path!r}")
    end = solve(start, goals, frozen=frozen, restarts=restarts).pose
    clip = move(start, end, seconds, ease=ease, hold=hold, fps=fps)
    if path == "joints":
        return clip
    shares = _shares(seconds, hold, fps, ease)
    guided = _guides(goals, start, end, clip.poses, shares, bow if path == "curved" else 0.0)
    if not guided:
        return clip
    walls = [goal for goal in goals if isinstance(goal, KeepApart)]
    prepared = prepare(start.skeleton, [*guided, *walls, Stay(clip.poses)], frozen=frozen, restarts=0)
    pose = prepared.track(start).pose
    # What the last frame is off by, out of reach or in the freedom that the goals leave, is spread over the way.
    pose = pose.plus(shares[:, None] * end.minus(pose[-1])).clamped()
    return replace(clip, q=pose.q)


def move(
    start: Pose, end: Pose, seconds: float, *, ease: Profile = "minimum_jerk", hold: float = 0.0, fps: float = 30.0
) -> Clip:
    """The clip from one pose to another along the shortest way of every freedom; it stays there for `hold` seconds.

    ease: see `posable.motion.eased`. Raises PosableError for times that are none.
    """
    shares = _shares(seconds, hold, fps, ease)
    return Clip(start.skeleton, between(start, end, shares).q, fps, "reach")


def _shares(seconds: float, hold: float, fps: float, ease: Profile) -> Array:
    """`[frame]`: how much of the way is done."""
    if not (0 < seconds < np.inf and 0 <= hold < np.inf and 0 < fps < np.inf):
        raise PosableError(f"a motion takes some seconds, not {seconds}, at some frames a second, not {fps}")
    if (seconds + hold) * fps > _MOST_FRAMES:
        raise PosableError(f"{seconds + hold:g} s at {fps:g} frames a second are more than {_MOST_FRAMES:,} frames")
    frames = np.arange(round((seconds + hold) * fps) + 1)
    return eased(ease, np.minimum(frames / (seconds * fps), 1.0))


def _guides(
    goals: Sequence[Goal | SoftGoal | Custom], start: Pose, end: Pose, between: Pose, shares: Array, bow: float
) -> list[Steering]:
    """Goals over time: everything that has a place or a turn goes evenly from where it is to where it ends.

    between: the poses that the figure stays near on the way, `[frame]`; they say where its eyes will be.
    """
    found: list[Steering] = []
    for goal in goals:
        if not isinstance(goal, Steering):
            continue
        first, last = steered(goal, start), steered(goal, end)
        if isinstance(goal, LookAt):
            eye = steered(goal, between).place
            far = np.linalg.norm(np.reshape(goal.point, (-1, 3))[0] - last.place)
            first, last = first._replace(place=eye), last._replace(place=eye, direction=far * last.direction)
        guide = halfway(goal, first, last, shares, shares)
        if bow and isinstance(goal, Reach | Place):
            away = _away(first.place, last.place, start, start.skeleton.index(goal.joint))
            bent = (4 * bow * shares * (1 - shares))[:, None] * away
            place = first.place + shares[:, None] * (last.place - first.place) + bent
            guide = at(goal, place, slerp(first.wxyz, last.wxyz, shares))
        found.append(guide)
    return found


def _away(first: Array, last: Array, pose: Pose, joint: int) -> Array:
    """Square to the way, away from the root of the chain, as long as the way: a parabola's bow."""
    along = last - first
    length = float(np.linalg.norm(along))
    if length == 0:
        return np.zeros(3)
    away = (first + last) / 2 - pose.origins[pose.skeleton.chain(joint)[0]]
    for direction in (away, *np.eye(3)):
        square = direction - along * (direction @ along) / length**2
        if np.linalg.norm(square) > 1e-6 * length:
            return length * normalized(square)
    return np.zeros(3)
