"""Commands about keys, the timeline, clips, walks and the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import posable
from posable.files import free_name
from posable.motion import characters
from posable.studio import commands as c
from posable.studio.command import edit
from posable.studio.document import LARGEST_FRAME, Document, DroppedMesh, GoalKey
from posable.studio.edits.goals import mirrored_goals
from posable.studio.records import MessageError
from posable.studio.sampling import sampled
from posable.studio.timeline import frames_needed, gone_along, keyed, shifted, terrain_of

Clipboard = Mapping[str, Mapping[int, GoalKey]]
"""Copied keys: by goal, by frame."""


def _by_goal(document: Document, keys: list[tuple[str, int]]) -> dict[str, list[int]]:
    """The frames of each goal. Raises GoalError for an unknown key."""
    found: dict[str, list[int]] = {}
    for name, frame in keys:
        if document.goal(name).key_at(frame) is None:
            raise posable.GoalError(f"{name} has no key at frame {frame}")
        found.setdefault(name, []).append(frame)
    return found


@edit(c.KeySet)
def place(document: Document, command: c.KeySet) -> Document:
    """Keys of the goals' current values, and of the joints that are theirs. Joints that no key at the frame holds stand
    there as they do now, other goals' keys too.
    """
    if not 0 <= command.frame <= LARGEST_FRAME:
        raise posable.GoalError(f"a key lies between frame 0 and {LARGEST_FRAME:,}, not at {command.frame}")
    wanted = {document.goal(name).name for name in command.goals}
    goals = tuple(
        keyed(document, goal.name, command.frame) if goal.name in wanted else gone_along(document, goal, command.frame)
        for goal in document.goals
    )
    still = document.still if document.has_keys else document.pose
    first, last = document.range
    return replace(document, goals=goals, still=still, range=(first, max(last, command.frame)))


@edit(c.KeyValue)
def value(document: Document, command: c.KeyValue) -> Document:
    """Other values of one key."""
    _by_goal(document, [(command.goal, command.frame)])
    goal = document.goal(command.goal)
    values = command.given("goal", "frame")
    if not 0 <= values.get("weight", 0.0) <= 1:
        raise posable.GoalError(f"{goal.name}: a weight lies between 0 and 1, not {values['weight']:g}")
    if "rotation" in values and not any(values["rotation"]):
        raise posable.GoalError(f"{goal.name}: its rotation has length 0; the neutral one is (1, 0, 0, 0)")
    if values.get("pole") is not None:
        posable.Pole(goal.joint, values["pole"]).limb(document.figure.skeleton)
    keys = goal.keys_by_frame
    if values.keys() & {"position", "rotation", "weight", "pole"}:
        goal = replace(goal, loose=False)  # a free limb is led from now on
    return document.with_goal(goal.with_keys({**keys, command.frame: replace(keys[command.frame], **values)}))


@edit(c.KeyDelete)
def delete(document: Document, command: c.KeyDelete) -> Document:
    """The goals without some keys."""
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
    """Another interpolation after keys."""
    for name, frames in _by_goal(document, command.keys).items():
        goal = document.goal(name)
        keys = goal.keys_by_frame
        changed = {frame: replace(keys[frame], interpolation=command.interpolation) for frame in frames}
        document = document.with_goal(goal.with_keys({**keys, **changed}))
    return document


def copied(document: Document, command: c.KeyCopy) -> Clipboard:
    """The keys named by a command."""
    found = _by_goal(document, command.keys)
    return {name: {f: document.goal(name).keys_by_frame[f] for f in frames} for name, frames in found.items()}


def pasted(document: Document, clipboard: Clipboard, frame: int) -> Document:
    """The clipboard keys, the first of them at `frame`. Raises GoalError for an empty clipboard."""
    if not clipboard:
        raise posable.GoalError("the clipboard is empty: select keys and copy them first")
    by = frame - min(min(keys) for keys in clipboard.values())
    last = max(max(keys) for keys in clipboard.values()) + by
    if frame < 0 or last > LARGEST_FRAME:
        raise posable.GoalError(
            f"a key lies between frame 0 and {LARGEST_FRAME:,}, not at {last if frame >= 0 else frame}"
        )
    for name, keys in clipboard.items():
        goal = document.goal(name)
        moved = {at + by: replace(key, frame=at + by) for at, key in keys.items()}
        document = document.with_goal(goal.with_keys({**goal.keys_by_frame, **moved}))
    return replace(document, range=(document.range[0], max(document.range[1], last)))


# Commands about the range, clips, walks and the ground.


_MOST_STEPS = 200
_WALK = "walk"


@edit(c.TimelineSet)
def timeline(document: Document, command: c.TimelineSet) -> Document:
    """Another frame rate or range."""
    values = command.given()
    fps, (first, last) = values.get("fps", document.fps), values.get("range", document.range)
    if not 1 <= fps <= 240:
        raise posable.PoseError(f"fps lies between 1 and 240, not at {fps:g}")
    if not 0 <= first < last <= LARGEST_FRAME:
        raise posable.PoseError(f"a range goes from a frame to a later one, within 0 … {LARGEST_FRAME:,}")
    return replace(document, fps=float(fps), range=(first, last), cyclic=values.get("cyclic", document.cyclic))


@edit(c.TimelineFrame)
def go_to(document: Document, command: c.TimelineFrame) -> Document:
    """Another frame."""
    return replace(document, frame=min(max(command.frame, 0), LARGEST_FRAME))


@edit(c.AutoKey)
def auto_key(document: Document, command: c.AutoKey) -> Document:
    """Whether moving a goal makes a key."""
    return replace(document, auto_key=command.on)


@edit(c.GaitLoad)
def gait(document: Document, command: c.GaitLoad) -> Document:
    """The gait of a character that comes with posable."""
    if command.name not in characters():
        raise posable.PosableError(f"unknown character {command.name[:40]!r} (choose from {', '.join(characters())})")
    return walked(replace(document, gait=posable.Gait.load(command.name), gait_name=command.name))


@edit(c.GaitSet)
def gait_numbers(document: Document, command: c.GaitSet) -> Document:
    """Other gait parameters; the current walk is made again."""
    known = {one.name for one in fields(posable.Gait) if "low" in one.metadata}
    wrong = sorted(command.values.keys() - known)
    if wrong:
        raise MessageError(f"unknown gait parameter {wrong[0][:40]!r}")
    base = document.gait or posable.Gait.load("human")
    return walked(replace(document, gait=replace(base, **command.values)))


@edit(c.WalkMake)
def walk(document: Document, command: c.WalkMake) -> Document:
    """A walk on the current ground, which becomes the current clip."""
    if not 1 <= command.steps <= _MOST_STEPS:
        raise posable.PosableError(f"a walk has 1 to {_MOST_STEPS} steps, not {command.steps}")
    gait = document.gait or posable.Gait.load("human")
    name = document.gait_name or "human"
    if command.alone:
        document = document.without_keys()
    return walked(replace(document, gait=gait, gait_name=name, walk=command.steps, clip=_WALK, frame=0))


def walked(document: Document) -> Document:
    """The document with its current walk made again, if it has one."""
    if not document.walk or document.gait is None:
        return document
    clip = posable.walk(document.figure, document.gait, document.walk, terrain_of(document), fps=document.fps)
    clip = replace(clip, name=_WALK)
    others = tuple(one for one in document.clips if one.name != _WALK)
    return replace(document, clips=(*others, clip), range=(0, frames_needed(clip, document.fps)))


@edit(c.TerrainSet)
def terrain(document: Document, command: c.TerrainSet) -> Document:
    """Other ground; the current walk is made on it again. Raises TerrainError for invalid ground."""
    if command.terrain["kind"] == "mesh" and command.terrain["name"] not in document.meshes:
        raise posable.TerrainError(f"unknown mesh {command.terrain['name'][:40]!r}; drop its file first")
    document = replace(document, terrain=command.terrain)
    terrain_of(document)
    return walked(document)


def on_ground(document: Document, ground: DroppedMesh, name: str) -> Document:
    """On the mesh of a file; the current walk is made on it again. Raises TerrainError for an unusable mesh."""
    name = free_name(name, document.meshes, " ")
    document = replace(document, terrain={"kind": "mesh", "name": name}, meshes={**document.meshes, name: ground})
    terrain_of(document)
    return walked(document)


def playing(document: Document, clip: posable.Clip, name: str) -> Document:
    """With one more clip, which becomes the current one."""
    name = free_name(name, [one.name for one in document.clips], " ")
    clips = (*document.clips, replace(clip, name=name))
    return replace(document, clips=clips, clip=name, walk=0, frame=0, range=(0, frames_needed(clip, document.fps)))


@edit(c.ClipChoose)
def choose(document: Document, command: c.ClipChoose) -> Document:
    """A clip under the keys, or none."""
    clip = next((one for one in document.clips if one.name == command.name), None)
    if command.name is not None and clip is None:
        raise posable.PosableError(f"unknown clip {command.name[:60]!r}")
    last = document.range[1] if clip is None else frames_needed(clip, document.fps)
    walk = document.walk if command.name == _WALK else 0
    return replace(document, clip=command.name, walk=walk, frame=0, range=(0, last))


@edit(c.ClipBake)
def bake(document: Document, command: c.ClipBake) -> Document:
    """Everything that plays as a clip of its own; the keys are baked in and removed."""
    del command
    name = free_name("baked", [clip.name for clip in document.clips], " ")
    clip = replace(sampled(document), name=name)
    return replace(document.without_keys(), clips=(*document.clips, clip), clip=name, walk=0)


@edit(c.ClipMirror)
def mirror(document: Document, command: c.ClipMirror) -> Document:
    """Everything that plays, mirrored, as a clip of its own."""
    del command
    name = free_name("mirrored", [clip.name for clip in document.clips], " ")
    clip = replace(posable.clips.mirror(sampled(document)), name=name)
    mirrored = replace(document, goals=tuple(mirrored_goals(document, clip.poses[0]))).without_keys()
    return replace(mirrored, clips=(*document.clips, clip), clip=name, walk=0)
