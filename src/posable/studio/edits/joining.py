"""A second figure beside the open one, which keeps its pose, keys and scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

import posable
from posable.figures import merge_figures, scaled
from posable.figures.rebuild import rotated
from posable.figures.shapes import solid_of
from posable.files import free_name
from posable.spatial import Array, apply_transform, transform
from posable.studio.document import Document, GoalKey, StudioGoal
from posable.studio.opening import document_of
from posable.studio.records import MessageError
from posable.studio.schema import Vector

_GAP = 0.12  # of the mean height: least distance between the two figures


_SAME_DIRECTION = 1e-3  # radians; smaller angles are not rotated
_MAX_HEIGHT = 1000.0  # of the open figure's height


def joined(document: Document, other: posable.Figure, source: str, height: float | None = None) -> Document:
    """The document with another figure beside the open one, merged into one figure, stored in the file `source`.

    The other one stands at rest, to the left of the first, and faces where the first does. height: its height, in
    heights of the first; None is that of its file. Raises MessageError for an invalid height.
    """
    own = document.figure  # with its current limits
    other = _turned_as(own, other)
    if height is not None:
        if not 1 / _MAX_HEIGHT <= height <= _MAX_HEIGHT or not other.height > 0:
            raise MessageError(
                f"a second figure is 0.001 to 1000 times as tall as the first, and not flat; not {height}"
            )
        other = scaled(other, height * own.height / other.height)
    names = [own.name or "first", other.name or "second"]
    if names[0] == names[1]:
        names[1] += " 2"
    away = _offset(document, other)
    figure = merge_figures(dict(zip(names, (own, other), strict=True)), {names[1]: away})
    first = _FirstFigure(names[0], frozenset(own.skeleton.joints), figure.rest.q[own.skeleton.coordinates :])
    second = document_of(other, "")
    goals, taken = [*first.goals(document)], {goal.name for goal in document.goals}
    for goal in second.goals:
        name = free_name(f"{goal.name} of {names[1]}", taken, " ")
        goals.append(_moved(replace(goal, name=name, joint=f"{names[1]}/{goal.joint}"), away))
    frozen = {*map(first.joint, document.frozen), *(f"{names[1]}/{joint}" for joint in second.frozen)}
    return replace(
        first.others(document, figure.skeleton), figure=figure, opened=figure, source=source, goals=tuple(goals),
        frozen=frozenset(frozen), walk=0, demo=None, text=None, is_reskinned=False,
    )  # fmt: skip


def _turned_as(own: posable.Figure, other: posable.Figure) -> posable.Figure:
    """The other figure upright, and facing where the first one does."""
    first, second = (np.stack([found.left, found.up, found.forward]) for found in map(posable.roles, (own, other)))
    turn = first.T @ second
    if own.skeleton.up == other.skeleton.up and np.abs(turn - np.eye(3)).max() < _SAME_DIRECTION:
        return other
    return rotated(other, turn, own.skeleton.up)


@dataclass(frozen=True)
class _FirstFigure:
    """The open figure's part of the merged one. joints: its own. rest: `[coordinate]` the other's rest pose."""

    name: str
    joints: frozenset[str]
    rest: Array

    def joint(self, joint: str) -> str:
        return f"{self.name}/{joint}"

    def q(self, q: Array) -> Array:
        """`[..., coordinate]` of the merged figure, with the other one at rest."""
        return np.concatenate([q, np.broadcast_to(self.rest, (*q.shape[:-1], len(self.rest)))], axis=-1)

    def some(self, joints: tuple[str, ...] | None) -> tuple[str, ...]:
        """Joints, or all of its own for None."""
        return tuple(map(self.joint, sorted(self.joints) if joints is None else joints))

    def keys(self, keys: tuple[GoalKey, ...]) -> tuple[GoalKey, ...]:
        return tuple(replace(key, q=self.q(key.q), holds=self.some(key.holds)) for key in keys)

    def goals(self, document: Document) -> Iterator[StudioGoal]:
        for goal in document.goals:
            to = self.joint(goal.relative_to) if goal.relative_to in self.joints else goal.relative_to
            yield replace(goal, joint=self.joint(goal.joint), relative_to=to, keys=self.keys(goal.keys))

    def others(self, document: Document, skeleton: posable.Skeleton) -> Document:
        """The document with everything but the figure and its goals converted: pose, clips, layers, library, props."""
        still = document.still
        return replace(
            document,
            pose=posable.Pose(skeleton, self.q(document.pose.q)),
            still=None if still is None else posable.Pose(skeleton, self.q(still.q)),
            kept={self.joint(joint): rotation for joint, rotation in document.kept.items()},
            clips=tuple(replace(clip, skeleton=skeleton, q=self.q(clip.q)) for clip in document.clips),
            layers=tuple(
                replace(layer, keys={goal: self.keys(keys) for goal, keys in layer.keys.items()})
                for layer in document.layers
            ),
            poses=tuple(replace(pose, q=self.q(pose.q), joints=self.some(pose.joints)) for pose in document.poses),
            props=tuple(
                replace(prop, joint=None if prop.joint is None else self.joint(prop.joint)) for prop in document.props
            ),
        )


def _moved(goal: StudioGoal, by: Vector) -> StudioGoal:
    def there(position: Vector) -> Vector:
        x, y, z = np.add(position, by).tolist()
        return x, y, z

    return replace(goal, position=there(goal.position), pole=None if goal.pole is None else there(goal.pole))


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
