"""What a goal steers, where it is, and goals on the way from there to where it is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.goals import LookAt, Orient, Place, Pole, Reach
from posable.skeleton import Pose
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
