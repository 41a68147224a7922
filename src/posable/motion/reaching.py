"""Reaching: from a pose to where goals want it, in a given time, along a given way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip, between
from posable.errors import PosableError
from posable.goals import Custom, Goal, KeepApart, LookAt, Orient, Place, Pole, Reach, SoftGoal, Stay
from posable.skeleton import Pose
from posable.solvers import prepare, solve
from posable.spatial import (
    Array,
    apply_transform,
    matrix_from_wxyz,
    normalized,
    rigid_inverse,
    slerp,
    transform,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_multiply,
)
from posable.spatial.curves import smootherstep, smoothstep

# What a goal steers, where it is, and goals on the way from there to where it is wanted.


Steering = Reach | Orient | Place | LookAt
"""The goals that bring something somewhere."""


class Steered(NamedTuple):
    """A place `[..., 3]` (of a gaze: the eye), a turn wxyz `[..., 4]` and, of a gaze, a direction `[..., 3]`."""

    place: Array
    wxyz: Array
    direction: Array


def steered(goal: Steering, pose: Pose) -> Steered:
    """Where what the goal steers is in the poses `[...]`, in the world."""
    frame = pose.world_from_joint[..., pose.skeleton.index(goal.joint), :, :]
    tip = np.asarray(goal.tip) if isinstance(goal, Reach) else np.zeros(3)
    forward = normalized(goal.forward) if isinstance(goal, LookAt) else np.zeros(3)
    return Steered(apply_transform(frame, tip), wxyz_from_matrix(frame[..., :3, :3]), frame[..., :3, :3] @ forward)


def wanted(goal: Steering, own: Steered) -> Steered:
    """Where the goal wants what is at `own`, in the world or in whatever frame its target is meant."""
    if isinstance(goal, LookAt):
        return own._replace(direction=np.asarray(goal.point) - own.place)
    target = np.asarray(getattr(goal, goal.TARGET)) if isinstance(goal.relative_to, str) else goal.given
    if isinstance(goal, Reach):
        return own._replace(place=np.broadcast_to(target, own.place.shape))
    if isinstance(goal, Orient):
        return own._replace(wxyz=target)
    place = np.broadcast_to(target[..., :3, 3], own.place.shape)
    return own._replace(place=place, wxyz=wxyz_from_matrix(target[..., :3, :3]))


def in_frame(what: Steered, frame: Array) -> Steered:
    """The same told in frames `[..., 4, 4]` that are stated where it is told now."""
    inverse = rigid_inverse(frame)
    turn = inverse[..., :3, :3]
    place = (turn @ what.place[..., None])[..., 0] + inverse[..., :3, 3]
    direction = (turn @ what.direction[..., None])[..., 0]
    return Steered(place, wxyz_multiply(wxyz_from_matrix(turn), what.wxyz), direction)


def halfway(
    goal: Steering,
    start: Steered,
    end: Steered,
    position: ArrayLike,
    rotation: ArrayLike,
    relative_to: str | None = None,
) -> Steering:
    """The goal that wants it at shares `[frame]` of the way: places along straight lines, turns along great arcs.

    relative_to: the joint in whose frame both ends are told.
    """
    along, turned = np.asarray(position, float)[..., None], np.asarray(rotation, float)
    place = start.place + along * (end.place - start.place)
    if isinstance(goal, LookAt):
        far = np.maximum(np.linalg.norm(end.direction, axis=-1, keepdims=True), 1e-9)
        turn = slerp(np.array([1.0, 0, 0, 0]), wxyz_between(start.direction, end.direction), turned)
        looks = (matrix_from_wxyz(turn) @ start.direction[..., None])[..., 0]
        return replace(goal, point=place + far * looks)
    wxyz = slerp(start.wxyz, end.wxyz, turned)
    if isinstance(goal, Orient):
        return replace(goal, wxyz=wxyz, relative_to=relative_to, within=None)
    return at(goal, place, wxyz, relative_to)


def at(goal: Reach | Place, place: Array, wxyz: Array, relative_to: str | None = None) -> Reach | Place:
    """The goal with other targets, `[frame, 3]` and `[frame, 4]`."""
    if isinstance(goal, Reach):
        return replace(goal, target=place, relative_to=relative_to, within=None)
    return replace(goal, world_from_joint=transform(place, wxyz), relative_to=relative_to, within=None)


def halfway_round(pole: Pole, pose: Pose, share: ArrayLike) -> Pole:
    """The pole that wants the elbow or knee at shares `[frame]` of the angle about the limb from where it is in the
    poses `[frame]`. A limb that is quite straight has no side, and goes all the way at once.
    """
    end, middle, first = (pose.origins[..., joint, :] for joint in pole.limb(pose.skeleton))
    line = normalized(end - first)
    bend, wish = (_across(to - first, line) for to in (middle, np.asarray(pole.towards)))
    angle = np.arctan2(np.sum(line * np.cross(bend, wish), axis=-1), np.sum(bend * wish, axis=-1))
    back = matrix_from_wxyz(wxyz_from_rotation_vector(((np.asarray(share) - 1) * angle)[..., None] * line))
    return replace(pole, towards=first + (back @ (np.asarray(pole.towards) - first)[..., None])[..., 0])


def _across(vector: Array, line: Array) -> Array:
    return vector - line * np.sum(line * vector, axis=-1, keepdims=True)


# How a motion is spread over its time: shares of the way against shares of the time.


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
    """The share of the way at `shares` of the time, 0 to 1.

    ease: "minimum_jerk", as hands move (Flash & Hogan 1985), "linear", "in" (starts slowly), "out" (stops slowly),
        "in_out", or a function of an array that goes from 0 at 0 to 1 at 1, a speed profile of one's own.
    Raises PosableError for what is none of these.
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
