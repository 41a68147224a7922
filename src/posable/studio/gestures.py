"""Gestures: who drags what, so that each drag is one undo step even if several happen at once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from posable.studio import commands as c
from posable.studio.document import Document, StudioGoal, StudioProp
from posable.studio.edits import apply
from posable.studio.timeline import owners, target_of

Names = frozenset[tuple[str, str]]
"""Goals and props: the field of the document that holds each, and its name."""
_DRAGGED_FIELDS = ("goals", "props")


def _entries(document: Document) -> dict[tuple[str, str], StudioGoal | StudioProp]:
    return {(field, one.name): one for field in _DRAGGED_FIELDS for one in getattr(document, field)}


def with_entries(document: Document, names: Names, of: Document) -> Document:
    """The document with these goals and props as in another one."""
    theirs = {name: one for name, one in _entries(of).items() if name in names}
    changes = {
        field: tuple(theirs.get((field, one.name), one) for one in getattr(document, field))
        for field in _DRAGGED_FIELDS
    }
    return replace(document, **changes)


class Gestures:
    """The current gestures, by who makes them.

    base: the document before all of them; None without gestures. rotated: joints rotated by hand that have no key yet.
    """

    def __init__(self) -> None:
        self.base: Document | None = None
        self.rotated: set[str] = set()
        self._touched: dict[Hashable, set[tuple[str, str]]] = {}

    def __contains__(self, by: Hashable) -> bool:
        return by in self._touched

    def begin(self, document: Document, by: Hashable) -> None:
        """Begin a gesture, unless this person already makes one."""
        self.base = self.base or document
        self._touched.setdefault(by, set())

    def note(self, before: Document, after: Document, by: Hashable) -> None:
        """Remember the goals and props that a gesture has changed."""
        if by in self._touched:
            old = _entries(before)
            self._touched[by] |= {name for name, one in _entries(after).items() if one is not old.get(name, one)}

    def end(self, document: Document, by: Hashable) -> tuple[Document | None, Names, Names | None]:
        """End a gesture: the document before it, what it alone has changed, and what others are dragging.

        The document is None without such a gesture; the last is None without other gestures.
        """
        if by not in self._touched:
            return None, frozenset(), None
        base, own = self.base, self._touched.pop(by)
        if self._touched and base is not None and base.opened is document.opened:
            others = frozenset().union(*self._touched.values())
            return base, frozenset(own) - others, others
        self.drop()
        return base, frozenset(own), None

    def drop(self) -> None:
        """Forget all gestures."""
        self.base = None
        self._touched.clear()

    def auto_keyed(self, before: Document, document: Document) -> Document:
        """With auto-key, the document with keys for the goals that moved or whose joints were rotated by hand."""
        rotated, self.rotated = self.rotated, set()
        if not document.auto_key:
            return document
        old, owner = {goal.name: goal for goal in before.goals}, owners(document)
        whose = {owner[joint] for joint in rotated if joint in owner}
        moved = [
            goal.name
            for goal in document.goals
            if goal.name in whose
            or goal.enabled != old.get(goal.name, goal).enabled
            or (goal.acts and target_of(goal) != target_of(old.get(goal.name, goal)))
        ]
        return apply(document, c.KeySet(moved, document.frame)) if moved else document
