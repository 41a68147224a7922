"""A second figure beside the open one, which keeps its pose, keys and scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

import posable
from posable.figures import merge_figures, scaled
from posable.figures.rebuild import rotated
from posable.figures.shapes import solid_of
from posable.files import free_name
from posable.spatial import Array, apply_transform, transform
from posable.studio.company import parts_of
from posable.studio.document import Document
from posable.studio.edits.members import SIZES, Move
from posable.studio.edits.other_joints import Change
from posable.studio.opening import document_of
from posable.studio.records import MessageError
from posable.studio.schema import Vector

_GAP = 0.12  # of the mean height: least distance between the two figures


_SAME_DIRECTION = 1e-3  # radians; smaller angles are not rotated


def joined(document: Document, other: posable.Figure, source: str, height: float | None = None) -> Document:
    """The document with another figure beside the open one, merged into one figure, stored in the file `source`.

    The other one stands at rest, to the left of the first, and faces where the first does. height: its height, in
    heights of the first; None is that of its file. Raises MessageError for an invalid height.
    """
    own = document.figure  # with its current limits
    other = _turned_as(own, other)
    if height is not None:
        if not SIZES[0] <= height <= SIZES[1] or not other.height > 0:
            raise MessageError(
                f"a second figure is 0.001 to 1000 times as tall as the first, and not flat; not {height}"
            )
        other = scaled(other, height * own.height / other.height)
    parts = parts_of(own)
    first = "" if parts else own.name or "first"
    figures = {part.name: part.alone for part in parts} if parts else {first: own}
    second = free_name(other.name or "second", figures, " ")
    away = _offset(document, other)
    figure = merge_figures({**figures, second: other}, {second: away})

    def joint(name: str) -> str:
        return f"{first}/{name}" if first else name

    rest = figure.rest.q[own.skeleton.coordinates :]
    change = Change(
        figure,
        joint,
        lambda q: np.concatenate([q, np.broadcast_to(rest, (*q.shape[:-1], len(rest)))], axis=-1),
        every=tuple(map(joint, own.skeleton.joints)),
    )
    found, added = change.applied(document, source), document_of(other, "")
    moved = Move(np.eye(3), 1.0, np.array(away))
    goals, taken = [*found.goals], {goal.name for goal in found.goals}
    for goal in added.goals:
        name = free_name(f"{goal.name} of {second}", taken, " ")
        goals.append(moved.goal(replace(goal, name=name, joint=f"{second}/{goal.joint}")))
    frozen = {*found.frozen, *(f"{second}/{joint}" for joint in added.frozen)}
    return replace(found, goals=tuple(goals), frozen=frozenset(frozen), walk=0, demo=None, text=None)


def _turned_as(own: posable.Figure, other: posable.Figure) -> posable.Figure:
    """The other figure upright, and facing where the first one does."""
    first, second = (np.stack([found.left, found.up, found.forward]) for found in map(posable.roles, (own, other)))
    turn = first.T @ second
    if own.skeleton.up == other.skeleton.up and np.abs(turn - np.eye(3)).max() < _SAME_DIRECTION:
        return other
    return rotated(other, turn, own.skeleton.up)


def _offset(document: Document, other: posable.Figure) -> Vector:
    """The offset to the left at which the other figure is clear of the first one, at rest and in its pose."""
    own, left = document.figure, posable.roles(document.figure).left
    reaches = max(_extent(own, pose, left, np.max) for pose in (own.rest, document.pose))
    gap = _GAP * (own.height + other.height) / 2
    x, y, z = (left * (reaches - _extent(other, other.rest, left, np.min) + gap)).tolist()
    return x, y, z


def _extent(figure: posable.Figure, pose: posable.Pose, along: Array, pick: Callable[[Array], float]) -> float:
    """The largest or least coordinate of a figure's joints, skins and shapes along a direction. pick: max or min."""
    points = [pose.origins, *(skin.deform(pose) for skin in figure.skins)]
    for shape in figure.shapes:
        frame = pose.world_from_joint[figure.skeleton.index(shape.joint)]
        frame = frame @ transform(np.array(shape.position), np.array(shape.wxyz))
        points.append(apply_transform(frame, solid_of(shape)[0]))
    return float(pick(np.concatenate([some @ along for some in points])))
