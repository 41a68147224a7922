"""The origin of a drag: while only targets move, the pose depends on where they began, not on their order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from posable.studio.document import Document, StudioGoal

PLACED = ("position", "rotation", "pole")
"""The fields of a goal that state where it is."""
_LIMB_FIELDS = ("joint", "kind", "method", "relative_to")


def with_origin(before: Document, document: Document) -> Document:
    """The document about to be solved, with the origin to which the rest of its body is drawn.

    The origin of `before` stays while targets move and goals begin to act. It ends when something else moves joints,
    releases a goal or changes its limb, or when joints are frozen, kept or released, so that a finished pose is not
    drawn back.
    """
    if not _goes_on(before, document):
        return replace(document, origin=None) if document.origin else document
    origin = before.origin or (replace(before, origin=None) if _has_moved_targets(before, document) else None)
    return document if document.origin is origin else replace(document, origin=origin)


def posed_otherwise(before: Document, document: Document) -> Document:
    """The document, without its origin if something other than a solve has moved its joints."""
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
    kept = all(getattr(old, name) == getattr(goal, name) for name in ("name", *_LIMB_FIELDS))
    # A new pin holds the present pose, including a rotation that had no weight so far.
    return kept and (goal.acts or not old.acts) and (old.pinned or not goal.pinned)


def _has_moved_targets(before: Document, document: Document) -> bool:
    pairs = zip(before.goals, document.goals, strict=True)
    return any(getattr(old, name) != getattr(goal, name) for old, goal in pairs for name in PLACED if old is not goal)
