"""The steps of a session for undo and redo. Each page undoes its own, whatever others did in between."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

import posable
from posable.studio.document import Document, StudioGoal
from posable.studio.drag_origin import PLACED
from posable.studio.gestures import with_entries
from posable.studio.timeline import changed_joints, owners

_NAMED_FIELDS = ("goals", "props")  # whose entries are undone one by one, by name
_UNRECORDED_FIELDS = ("pose", "figure", "frame", "origin")  # derived from the others, or not part of a step


@dataclass(eq=False)
class Step:
    """An undo step. by: its author; None if it is everybody's. is_whole: False once an earlier step was undone alone:
    the documents before and after it are then no longer those of the whole session.
    """

    by: Hashable
    before: Document
    after: Document
    is_whole: bool = True


class History:
    """The steps that are done and those that are undone, each with the last one at the end."""

    def __init__(self) -> None:
        self.done: list[Step] = []
        self.undone: list[Step] = []
        self._start: Document | None = None  # the document before all steps

    def adopt(self, documents: Sequence[Document]) -> None:
        """Begin with the steps between these documents, which are everybody's."""
        self.done = [Step(None, before, after) for before, after in pairwise(documents)]
        self._start = documents[0]

    def add(self, before: Document, after: Document, by: Hashable) -> None:
        """Add a step; the steps that its author has undone can no longer be redone."""
        self._start = self._start if self.done else before
        self.done.append(Step(by, before, after))
        self.undone = [step for step in self.undone if not _is_own(step, by)]
        _mark_partial(self.undone)

    def release(self, by: Hashable) -> None:
        """Make the steps of an author who has left everybody's."""
        for step in (*self.done, *self.undone):
            step.by = None if step.by is by else step.by

    def go(self, document: Document, by: Hashable, *, back: bool) -> tuple[Document, bool] | None:
        """Undo if `back`, else redo; None without any step."""
        if not (self.done if back else self.undone):
            return None
        return self.undo(document, by) if back else self.redo(document, by)

    def undo(self, document: Document, by: Hashable) -> tuple[Document, bool]:
        """The document without the last step of `by`, and whether its pose is still to be solved.

        Raises PosableError if `by` has no step, or if others have since changed the same parts.
        """
        step = _last(self.done, by, "undo")
        is_whole = step is self.done[-1] and step.is_whole
        if is_whole:
            there = step.before
            self.undone.append(Step(step.by, there, document))
        else:
            there = _changed(document, step.after, step.before, "undone")
            _mark_partial(self.done[self.done.index(step) :])
            _mark_partial(self.undone)
            self.undone.append(replace(step, is_whole=False))
        self.done.remove(step)
        if not (is_whole or self.done or self._start is None) and not _changes(there, self._start):
            return self._start, False
        return there, not is_whole

    def redo(self, document: Document, by: Hashable) -> tuple[Document, bool]:
        """The document with the step that `by` has undone last, and whether its pose is still to be solved."""
        step = _last(self.undone, by, "redo")
        is_whole = step is self.undone[-1] and step.is_whole
        there = step.after if is_whole else _changed(document, step.before, step.after, "redone")
        self.undone.remove(step)
        if not is_whole:
            _mark_partial(self.undone)
        self.done.append(Step(step.by, document, there))
        return there, not is_whole


def _is_own(step: Step, by: Hashable) -> bool:
    return by is None or step.by is None or step.by is by


def _mark_partial(steps: Sequence[Step]) -> None:
    for step in steps:
        step.is_whole = False


def _last(steps: Sequence[Step], by: Hashable, what: str) -> Step:
    found = next((step for step in reversed(steps) if _is_own(step, by)), None)
    if found is None:
        raise posable.PosableError(f"this page has nothing to {what}: what was done last, other pages did")
    return found


def _parts(document: Document) -> dict[tuple[str, str], Any]:
    """Everything that steps can change, by field and name."""
    plain = [one.name for one in fields(document) if one.name not in (*_NAMED_FIELDS, *_UNRECORDED_FIELDS)]
    found = {(name, ""): getattr(document, name) for name in plain}
    return found | {(name, one.name): one for name in _NAMED_FIELDS for one in getattr(document, name)}


def _differ(one: Any, other: Any) -> bool:
    """Whether two parts differ; a goal that only moved with the body does not."""
    if one is other:
        return False
    if not (isinstance(one, StudioGoal) and isinstance(other, StudioGoal)):
        return not _is_same(one, other)
    follows = not (one.acts or other.acts) or (one.relative_to is not None and one.relative_to == other.relative_to)
    passed = PLACED if follows else ()
    names = (field.name for field in fields(one) if field.name not in passed)
    return any(not _is_same(getattr(one, name), getattr(other, name)) for name in names)


def _is_same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    plain = (str, int, float, bool, tuple, frozenset)
    try:
        return isinstance(one, plain) and bool(one == other)
    except ValueError:  # arrays inside
        return False


def _changes(old: Document, new: Document) -> list[tuple[str, str]]:
    """The parts that differ, by field and name."""
    was, becomes = _parts(old), _parts(new)
    return [name for name in {**was, **becomes} if _differ(was.get(name), becomes.get(name))]


def _changed(document: Document, old: Document, new: Document, done: str) -> Document:
    """The document with the differences between `old` and `new`; raises if it no longer agrees with `old` there."""
    here, was, becomes = _parts(document), _parts(old), _parts(new)
    changed = _changes(old, new)
    joints = _joints_of_step(document, old, new, {name for field, name in changed if field == "goals"})
    later = [
        name or field.replace("_", " ")
        for field, name in changed
        if _differ(here.get((field, name)), was.get((field, name)))
    ]
    if not changed:
        later = sorted(joints & changed_joints(old, document))
    if later or document.figure.skeleton is not new.figure.skeleton:
        what = ", ".join(later[:3]) or "the figure"
        raise posable.PosableError(
            f"this step cannot be {done}: another page has changed {what} since; take that back there first"
        )
    plain = {field: becomes[field, name] for field, name in changed if field not in _NAMED_FIELDS}
    if "opened" in plain:
        plain["figure"] = new.figure
    there = replace(document, **plain)
    there = _with_named(there, new, {name for name in changed if name[0] in _NAMED_FIELDS})
    return replace(there, pose=_with_joints_of(document, new, joints))


def _with_named(document: Document, new: Document, changed: set[tuple[str, str]]) -> Document:
    """The document with these goals and props as in `new`: changed, added or removed."""
    document, theirs = with_entries(document, frozenset(changed), new), _parts(new)
    for field in _NAMED_FIELDS:
        here = [
            one for one in getattr(document, field) if (field, one.name) not in changed or (field, one.name) in theirs
        ]
        names = {one.name for one in here}
        here += [one for one in getattr(new, field) if (field, one.name) in changed and one.name not in names]
        document = replace(document, **{field: tuple(here)})
    return document


def _joints_of_step(document: Document, old: Document, new: Document, goals: set[str]) -> set[str]:
    """The joints that a step itself moved: those of the goals that it changed, or all if it changed none."""
    moved = changed_joints(old, new)
    own = owners(document)
    return {joint for joint in moved if own.get(joint) in goals} if goals else moved


def _with_joints_of(document: Document, new: Document, joints: set[str]) -> posable.Pose:
    """The pose with these joints as in another document."""
    skeleton, q = document.figure.skeleton, np.array(document.pose.q)
    first = skeleton.tables.first_coordinate
    for joint in joints:
        j = skeleton.index(joint)
        q[first[j] : first[j + 1]] = new.pose.q[first[j] : first[j + 1]]
    return posable.Pose(skeleton, q)
