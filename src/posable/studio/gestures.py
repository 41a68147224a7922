"""Gestures: what is being dragged, and by whom, so that each becomes one step of undo though several go on at once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from posable.studio import commands as c
from posable.studio.document import Document, StudioGoal, StudioProp
from posable.studio.edits import apply
from posable.studio.timeline import owners, target_of

Names = frozenset[tuple[str, str]]
"""Goals and things of the scene: the field of the document in which each is, and its name."""
_FIELDS = ("goals", "props")


def _entries(document: Document) -> dict[tuple[str, str], StudioGoal | StudioProp]:
    return {(field, one.name): one for field in _FIELDS for one in getattr(document, field)}


def with_entries(document: Document, names: Names, of: Document) -> Document:
    """The document with these goals and things as they are in another one."""
    theirs = {name: one for name, one in _entries(of).items() if name in names}
    changes = {
        field: tuple(theirs.get((field, one.name), one) for one in getattr(document, field)) for field in _FIELDS
    }
    return replace(document, **changes)


class Gestures:
    """The gestures that go on, by who makes them.

    base: the document without anything that they have done; None where there are none. turned: joints that were turned
    by hand, and have no key yet.
    """

    def __init__(self) -> None:
        self.base: Document | None = None
        self.turned: set[str] = set()
        self._touched: dict[Hashable, set[tuple[str, str]]] = {}

    def __contains__(self, by: Hashable) -> bool:
        return by in self._touched

    def begin(self, document: Document, by: Hashable) -> None:
        """Begin a gesture, unless one goes on."""
        self.base = self.base or document
        self._touched.setdefault(by, set())

    def note(self, before: Document, after: Document, by: Hashable) -> None:
        """Remember the goals and things that somebody's gesture has changed."""
        if by in self._touched:
            old = _entries(before)
            self._touched[by] |= {name for name, one in _entries(after).items() if one is not old.get(name, one)}

    def end(self, document: Document, by: Hashable) -> tuple[Document | None, Names, Names | None]:
        """End somebody's gesture: the document before it, what it alone has changed, and what others have in hand.

        The document is None without such a gesture, and what others have where no other goes on.
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
        """No gesture goes on any more."""
        self.base = None
        self._touched.clear()

    def auto_keyed(self, before: Document, document: Document) -> Document:
        """With auto-key, the document with keys at the frame of the goals that moved, and of those whose joints were
        turned by hand.
        """
        turned, self.turned = self.turned, set()
        if not document.auto_key:
            return document
        old, owner = {goal.name: goal for goal in before.goals}, owners(document)
        whose = {owner[joint] for joint in turned if joint in owner}
        moved = [
            goal.name
            for goal in document.goals
            if goal.name in whose
            or goal.enabled != old.get(goal.name, goal).enabled
            or (goal.acts and target_of(goal) != target_of(old.get(goal.name, goal)))
        ]
        return apply(document, c.KeySet(moved, document.frame)) if moved else document
