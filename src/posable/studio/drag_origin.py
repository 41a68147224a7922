"""Where targets began to move: while only they do, the pose follows from there, in whatever order they were moved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from posable.studio.document import Document, StudioGoal

PLACED = ("position", "rotation", "pole")
"""The fields of a goal that say where it is."""
_CHAINED = ("joint", "kind", "method", "relative_to")


def with_origin(before: Document, document: Document) -> Document:
    """The document about to be solved, with the origin to which the rest of its body is drawn.

    That of `before` stays while targets move and goals begin to act. Whatever else moves joints, lets go of a goal or
    makes it another one, and joints that are held or released, end it: what has been posed is not to be drawn back.
    """
    if not _goes_on(before, document):
        return replace(document, origin=None) if document.origin else document
    origin = before.origin or (replace(before, origin=None) if _moves(before, document) else None)
    return document if document.origin is origin else replace(document, origin=origin)


def posed_otherwise(before: Document, document: Document) -> Document:
    """The document without an origin where something else than a solve has moved its joints."""
    return document if document.pose is before.pose or not document.origin else replace(document, origin=None)


def origin_event(document: Document) -> dict[str, Any]:
    """The event with the pose and the targets of the origin; empty without one."""
    origin = document.origin
    goals = [] if origin is None else [n for goal in origin.goals for n in (*goal.position, *goal.rotation)]
    return {"event": "origin", "coordinates": [] if origin is None else origin.pose.q.tolist(), "goals": goals}


def _goes_on(before: Document, document: Document) -> bool:
    is_held_as_before = document.frozen == before.frozen and document.kept == before.kept
    same = document.figure.skeleton is before.figure.skeleton and document.pose is before.pose and is_held_as_before
    if not same or len(before.goals) != len(document.goals):
        return False
    return all(_is_same(old, goal) for old, goal in zip(before.goals, document.goals, strict=True))


def _is_same(old: StudioGoal, goal: StudioGoal) -> bool:
    if old is goal:
        return True
    kept = all(getattr(old, name) == getattr(goal, name) for name in ("name", *_CHAINED))
    # A new pin holds what is there, also a rotation that has counted for nothing so far.
    return kept and (goal.acts or not old.acts) and (old.pinned or not goal.pinned)


def _moves(before: Document, document: Document) -> bool:
    pairs = zip(before.goals, document.goals, strict=True)
    return any(getattr(old, name) != getattr(goal, name) for old, goal in pairs for name in PLACED if old is not goal)
