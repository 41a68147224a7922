"""Reaching: a motion from a pose to its goals, in a given time and along a given path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import numpy as np

from posable.clips import Clip, between
from posable.errors import PosableError
from posable.goals import Goal, Stay
from posable.natural import natural_if_known
from posable.natural.staying import staying
from posable.skeleton import Pose
from posable.solvers import prepare, solve
from posable.spatial import Array, normalized
from posable.spatial.curves import smootherstep, smoothstep

# Time profiles of a motion: shares of the path over shares of the time.


Ease = Literal["minimum_jerk", "linear", "in", "out", "in_out"]
Profile = Ease | Callable[[Array], Array]

_EASES: dict[str, Callable[[Array], Array]] = {
    "minimum_jerk": smootherstep,
    "linear": lambda u: u,
    "in": lambda u: u * u,
    "out": lambda u: u * (2 - u),
    "in_out": smoothstep,
}


def eased(ease: Profile, shares: Array) -> Array:
    """The share of the path at `shares` of the time, 0 to 1.

    Args:
        ease: "minimum_jerk", as hands move (Flash & Hogan 1985), "linear", "in" (starts slowly), "out" (stops
            slowly), "in_out", or a function of an array that goes from 0 at 0 to 1 at 1: a custom profile.
        shares: Shares of the time, 0 to 1.

    Raises:
        PosableError: For an unknown name or an invalid function.
    """
    if isinstance(ease, str):
        if ease not in _EASES:
            raise PosableError(f"an ease is one of {', '.join(get_args(Ease))}, or a function, not {ease!r}")
        return _EASES[ease](shares)
    if not callable(ease):
        raise PosableError(f"an ease is one of {', '.join(get_args(Ease))}, or a function, not {ease!r}")
    way = np.asarray(ease(np.concatenate([[0.0], shares, [1.0]])), float)
    if way.shape != (len(shares) + 2,) or not np.isfinite(way).all() or abs(way[0]) > 1e-6 or abs(way[-1] - 1) > 1e-6:
        raise PosableError("an ease goes from 0 at 0 to 1 at 1, and is a finite number for every share of the time")
    return way[1:-1]


Path = Literal["straight", "curved", "joints"]

_MOST_FRAMES = 1_000_000


def reach(
    start: Pose,
    goals: Sequence[Goal],
    seconds: float,
    path: Path = "straight",
    *,
    ease: Profile = "minimum_jerk",
    bow: float = 0.2,
    hold: float = 0.0,
    fps: float = 30.0,
    frozen: Sequence[str] = (),
    restarts: int = 20,
    natural: bool = True,
) -> Clip:
    """The clip that moves from `start` to its `goals` in `seconds`, and stays there for `hold` seconds.

    The end pose is solved first. Where a goal cannot be met, the path ends at the nearest pose. The first frame is
    `start`, the last the end pose.

    Args:
        start: The pose to begin with.
        goals: The goals.
        seconds: Duration of the motion in seconds.
        path: "straight" moves the effectors (of `Reach`, `Place`, `Orient` and `LookAt`) along straight lines and great
            arcs; "curved" the same, bowed away from the figure by `bow` of the distance; "joints" interpolates every
            degree of freedom along its shortest path, as is traditional.
        ease: The speed along the path; see `posable.motion.eased`.
        bow: Sideways displacement of a curved path, as a share of its length.
        hold: Seconds to stay at the end.
        fps: Frames per second.
        frozen: Joints or single axes that must not move, as for `posable.solve`.
        restarts: Further attempts where the first one fails, as for `posable.solve`.
        natural: Whether the rest of a human figure moves as people do (`posable.Natural`); it does not affect other
            figures.

    Raises:
        PosableError: For an invalid time or path, and as `posable.solve` does.
    """
    if path not in get_args(Path):
        raise PosableError(f"a path is one of {', '.join(get_args(Path))}, not {path!r}")
    more = natural_if_known(start.skeleton) if natural else []
    end = solve(start, [*goals, *more], frozen=frozen, restarts=restarts).pose
    clip = move(start, end, seconds, ease=ease, hold=hold, fps=fps)
    if path == "joints":
        return clip
    shares = _shares(seconds, hold, fps, ease)
    aside = 4 * (bow if path == "curved" else 0.0) * shares * (1 - shares)
    led = [goal.led(start, end, clip.poses, shares, partial(_bent, start, goal.joint, aside)) for goal in goals]
    guides = [goal for goal in led if goal is not None]
    if not guides:
        return clip
    walls = [goal for goal in goals if goal.ALWAYS]
    kept = staying(clip.poses) if natural else Stay(clip.poses)
    prepared = prepare(start.skeleton, [*guides, *walls, kept], frozen=frozen, restarts=0)
    pose = prepared.track(start).pose
    # The difference of the last frame from the end pose, out of reach or in the free motions, is spread over the path.
    pose = pose.plus(shares[:, None] * end.minus(pose[-1])).clamped()
    return replace(clip, q=pose.q)


def move(
    start: Pose, end: Pose, seconds: float, *, ease: Profile = "minimum_jerk", hold: float = 0.0, fps: float = 30.0
) -> Clip:
    """The clip from one pose to another along the shortest path of every freedom; it stays there for `hold` seconds.

    Args:
        start: The pose to begin with.
        end: The pose to end with.
        seconds: Duration of the motion in seconds.
        ease: The speed along the path; see `posable.motion.eased`.
        hold: Seconds to stay at the end.
        fps: Frames per second.

    Raises:
        PosableError: For a duration or frame rate that is not above 0, a hold below 0, more than a million frames, or
            an invalid `ease`.
        PoseError: For poses of different skeletons.

    Example:
        >>> end = posable.solve(figure.rest, [posable.Reach("hand_r", (-0.3, 1.2, 0.4))]).pose
        >>> len(posable.motion.move(figure.rest, end, seconds=1.0, fps=30.0))
        31
    """
    shares = _shares(seconds, hold, fps, ease)
    return Clip(start.skeleton, between(start, end, shares).q, fps, "reach")


def _shares(seconds: float, hold: float, fps: float, ease: Profile) -> Array:
    """`[frame]`: the share of the path that is covered."""
    if not (0 < seconds < np.inf and 0 <= hold < np.inf and 0 < fps < np.inf):
        raise PosableError(f"a motion takes some seconds, not {seconds}, at some frames a second, not {fps}")
    if (seconds + hold) * fps > _MOST_FRAMES:
        raise PosableError(f"{seconds + hold:g} s at {fps:g} frames a second are more than {_MOST_FRAMES:,} frames")
    frames = np.arange(round((seconds + hold) * fps) + 1)
    return eased(ease, np.minimum(frames / (seconds * fps), 1.0))


def _bent(start: Pose, joint: str, aside: Array, first: Array, last: Array) -> Array:
    """`[frame, 3]` away from the figure by `aside [frame]` of the distance between `first` and `last`."""
    return aside[:, None] * _away(first, last, start, start.skeleton.index(joint))


def _away(first: Array, last: Array, pose: Pose, joint: int) -> Array:
    """Perpendicular to the path, away from the root of the chain, as long as the path: the bow of a parabola."""
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
