"""One of several figures moved, rotated and resized as a whole, or taken out of the scene."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

import posable
from posable.figures import merge_figures, scaled
from posable.figures.rebuild import coordinate_factors, rotated, rotated_roots
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_matrix, wxyz_from_rotation_vector, wxyz_multiply
from posable.studio import body_commands as b
from posable.studio.company import Part, parts_of
from posable.studio.document import Document, GoalKey, StudioGoal
from posable.studio.edits.other_joints import Change
from posable.studio.records import MessageError
from posable.studio.schema import Quaternion, Vector

SIZES = (0.001, 1000.0)
"""The least and the largest factor by which one command resizes a figure, or makes it taller than another."""


def left(document: Document, command: b.FigureLeave, source: str) -> Document:
    """The document without one of several figures. Raises PosableError for an unknown one, or the only one."""
    parts = parts_of(document.figure)
    gone = _part(document, command.figure)
    stay = {part.name: part for part in parts if part is not gone}
    alone = {name: part.alone for name, part in stay.items()}
    only = next(iter(alone)) if len(alone) == 1 else None
    figure = merge_figures(alone) if only is None else replace(alone[only], name=only)
    columns = np.concatenate([np.arange(part.columns.start, part.columns.stop) for part in stay.values()])

    def joint(name: str) -> str | None:
        prefix, _, own = name.rpartition("/")
        return None if prefix not in stay else name if only is None else own

    def goal(name: str) -> str:
        return name if only is None else name.removesuffix(f" of {only}")

    found = Change(figure, joint, lambda q: np.ascontiguousarray(q[..., columns]), goal=goal).applied(document, source)
    return replace(found, walk=0, hidden=())


def placed(document: Document, command: b.FigurePlace, source: str) -> Document:
    """The document with one of several figures elsewhere. Raises PosableError for an unknown figure, MessageError for a
    size out of range.
    """
    if not SIZES[0] <= command.size <= SIZES[1]:
        raise MessageError(f"a figure is resized by a factor of {SIZES[0]:g} to {SIZES[1]:g}, not {command.size:g}")
    part = _part(document, command.figure)
    move = Move.of(document, part, command)
    parts = parts_of(document.figure)
    figures = {one.name: move.figure(one.alone) if one is part else one.alone for one in parts}
    figure = merge_figures(figures, {part.name: tuple(move.offset.tolist())})

    def q(before: Array) -> Array:
        after = np.array(before)
        after[..., part.columns] = move.q(part.figure.skeleton, before[..., part.columns])
        return after

    found = Change(figure, str, q).applied(document, source)
    own, others = f"{part.name}/", document.figure.skeleton.joints
    moved = {
        goal.name
        for goal in found.goals
        if (goal.relative_to if goal.relative_to in others else goal.joint).startswith(own)
    }
    goals = tuple(move.goal(goal) if goal.name in moved else goal for goal in found.goals)
    layers = tuple(
        replace(layer, keys={name: move.keys(keys) if name in moved else keys for name, keys in layer.keys.items()})
        for layer in found.layers
    )
    return replace(found, goals=goals, layers=layers, walk=0)


@dataclass(frozen=True, eq=False)
class Move:
    """A rotation about the vertical, a resize and a displacement: x → size · R x + offset."""

    turn: Array
    size: float
    offset: Array

    @classmethod
    def of(cls, document: Document, part: Part, command: b.FigurePlace) -> Move:
        vertical = np.eye(3)["xyz".index(document.figure.skeleton.up)]
        turn = matrix_from_wxyz(wxyz_from_rotation_vector(math.radians(command.turn) * vertical))
        origins = part.pose(document.pose).origins
        pivot = origins[0] + vertical * (origins @ vertical).min() - vertical * (origins[0] @ vertical)
        return cls(turn, command.size, pivot - command.size * turn @ pivot + np.array(command.by))

    def figure(self, figure: posable.Figure) -> posable.Figure:
        """The figure rotated and resized, but not displaced."""
        return scaled(rotated(figure, self.turn, figure.skeleton.up), self.size)

    def q(self, skeleton: posable.Skeleton, q: Array) -> Array:
        """`[..., coordinate]` of the figure in the same pose, moved."""
        found = rotated_roots(skeleton, q, self.turn) * coordinate_factors(skeleton, self.size)
        for joint, first in zip(skeleton.definitions, skeleton.tables.first_coordinate, strict=False):
            if joint.parent is None and joint.floating:
                found[..., first : first + 3] += self.offset
        return found

    def point(self, position: Vector) -> Vector:
        x, y, z = (self.size * self.turn @ np.array(position) + self.offset).tolist()
        return x, y, z

    def _direction(self, velocity: Vector) -> Vector:
        x, y, z = (self.size * self.turn @ np.array(velocity)).tolist()
        return x, y, z

    def rotation(self, wxyz: Quaternion) -> Quaternion:
        w, x, y, z = wxyz_multiply(wxyz_from_matrix(self.turn), np.array(wxyz)).tolist()
        return w, x, y, z

    def goal(self, goal: StudioGoal) -> StudioGoal:
        """A goal of the figure, and its keys."""
        pole = None if goal.pole is None else self.point(goal.pole)
        lifts = goal.lifts_above and goal.lifts_above * self.size
        return replace(
            goal, position=self.point(goal.position), rotation=self.rotation(goal.rotation), pole=pole,
            lifts_above=lifts, keys=self.keys(goal.keys),
        )  # fmt: skip

    def keys(self, keys: tuple[GoalKey, ...]) -> tuple[GoalKey, ...]:
        """Keys of a goal of the figure, whose coordinates were moved."""
        return tuple(
            replace(
                key,
                position=self.point(key.position),
                rotation=self.rotation(key.rotation),
                velocity=None if key.velocity is None else self._direction(key.velocity),
                pole=None if key.pole is None else self.point(key.pole),
            )
            for key in keys
        )


def _part(document: Document, name: str) -> Part:
    parts = {part.name: part for part in parts_of(document.figure)}
    if name not in parts:
        known = f"choose from {', '.join(parts)}" if parts else "the scene has a single figure"
        raise posable.PosableError(f"unknown figure {name[:60]!r} ({known})")
    return parts[name]
