"""Commands about keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import posable
from posable.studio import commands as c
from posable.studio.document import LARGEST_FRAME, Document, GoalKey
from posable.studio.edits import edit
from posable.studio.timeline import keyed, shifted

Kept = Mapping[str, Mapping[int, GoalKey]]
"""Keys that were copied: by goal, by frame."""


def _by_goal(document: Document, keys: list[tuple[str, int]]) -> dict[str, list[int]]:
    """The frames of each goal. Raises GoalError for a key that is not there."""
    found: dict[str, list[int]] = {}
    for name, frame in keys:
        if document.goal(name).key_at(frame) is None:
            raise posable.GoalError(f"{name} has no key at frame {frame}")
        found.setdefault(name, []).append(frame)
    return found


@edit(c.KeySet)
def place(document: Document, command: c.KeySet) -> Document:
    """Keys of goals as they are now; other goals' keys at that frame start from this pose too."""
    if not 0 <= command.frame <= LARGEST_FRAME:
        raise posable.GoalError(f"a key lies between frame 0 and {LARGEST_FRAME:,}, not at {command.frame}")
    wanted = {document.goal(name).name for name in command.goals}
    goals = []
    for goal in document.goals:
        if goal.name in wanted:
            goal = keyed(goal, command.frame, document.pose)
        elif old := goal.key_at(command.frame):
            goal = goal.with_keys({**goal.keys_by_frame, command.frame: replace(old, q=document.pose.q)})
        goals.append(goal)
    first, last = document.range
    return replace(document, goals=tuple(goals), range=(first, max(last, command.frame)))


@edit(c.KeyValue)
def value(document: Document, command: c.KeyValue) -> Document:
    """Other values of one key."""
    _by_goal(document, [(command.goal, command.frame)])
    goal = document.goal(command.goal)
    values = command.given("goal", "frame")
    if not 0 <= values.get("weight", 0.0) <= 1:
        raise posable.GoalError(f"{goal.name}: a weight lies between 0 and 1, not {values['weight']:g}")
    if values.get("pole") is not None:
        posable.Pole(goal.joint, values["pole"]).limb(document.figure.skeleton)
    keys = goal.keys_by_frame
    return document.with_goal(goal.with_keys({**keys, command.frame: replace(keys[command.frame], **values)}))


@edit(c.KeyDelete)
def delete(document: Document, command: c.KeyDelete) -> Document:
    """Fewer keys."""
    for name, frames in _by_goal(document, command.keys).items():
        goal = document.goal(name)
        rest = {frame: key for frame, key in goal.keys_by_frame.items() if frame not in frames}
        document = document.with_goal(goal.with_keys(rest))
    return document


@edit(c.KeyMove)
def move(document: Document, command: c.KeyMove) -> Document:
    """Keys at other frames."""
    last = document.range[1]
    for name, frames in _by_goal(document, command.keys).items():
        goal = document.goal(name)
        keys = shifted(goal.keys_by_frame, frames, command.by, copy=command.copy, ripple=command.ripple)
        if max(keys) > LARGEST_FRAME:
            raise posable.GoalError(f"a key lies between frame 0 and {LARGEST_FRAME:,}, not at {max(keys)}")
        last = max(last, *keys)
        document = document.with_goal(goal.with_keys(keys))
    return replace(document, range=(document.range[0], last))


@edit(c.KeyEase)
def ease(document: Document, command: c.KeyEase) -> Document:
    """How to go on from keys."""
    for name, frames in _by_goal(document, command.keys).items():
        goal = document.goal(name)
        keys = goal.keys_by_frame
        changed = {frame: replace(keys[frame], interpolation=command.interpolation) for frame in frames}
        document = document.with_goal(goal.with_keys({**keys, **changed}))
    return document


def copied(document: Document, command: c.KeyCopy) -> Kept:
    """The keys that a command names."""
    found = _by_goal(document, command.keys)
    return {name: {f: document.goal(name).keys_by_frame[f] for f in frames} for name, frames in found.items()}


def pasted(document: Document, kept: Kept, frame: int) -> Document:
    """The kept keys, the first of them at `frame`. Raises GoalError where there are none."""
    if not kept:
        raise posable.GoalError("no keys were copied; choose some and copy them first")
    by = frame - min(min(keys) for keys in kept.values())
    last = max(max(keys) for keys in kept.values()) + by
    if frame < 0 or last > LARGEST_FRAME:
        raise posable.GoalError(
            f"a key lies between frame 0 and {LARGEST_FRAME:,}, not at {last if frame >= 0 else frame}"
        )
    for name, keys in kept.items():
        goal = document.goal(name)
        moved = {at + by: replace(key, frame=at + by) for at, key in keys.items()}
        document = document.with_goal(goal.with_keys({**goal.keys_by_frame, **moved}))
    return replace(document, range=(document.range[0], max(document.range[1], last)))
