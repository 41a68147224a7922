"""Poses copied, pasted, kept in a library, and inserted between others."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import posable
from posable.clips import mirrored
from posable.files import free_name
from posable.skeleton import symmetry_of
from posable.studio import commands as c
from posable.studio.command import edit
from posable.studio.document import Document, SavedPose
from posable.studio.edits.goals import snapped
from posable.studio.records import MessageError
from posable.studio.timeline import owners

_MOST_POSES = 200
_LARGEST_PICTURE = 60_000  # letters
_LONGEST = 60


def joints_of(document: Document, goals: Sequence[str]) -> tuple[str, ...] | None:
    """The joints that belong to these goals; None (all joints) for no goals."""
    desired = {document.goal(name).name for name in goals}
    return tuple(joint for joint, owner in owners(document).items() if owner in desired) if desired else None


def taken(document: Document, goals: Sequence[str], name: str = "") -> SavedPose:
    """The current pose of the joints of these goals."""
    return SavedPose(name, document.pose.q, joints_of(document, goals))


def worn(document: Document, pose: SavedPose, share: float = 1.0, *, mirror: bool = False) -> Document:
    """The document with that pose. mirror: seen in a mirror, on the other side's joints. Raises PoseError."""
    skeleton = document.figure.skeleton
    if pose.q.shape != document.pose.q.shape:
        raise posable.PoseError(f"the pose {pose.name or 'that was copied'!r} belongs to another skeleton")
    desired, joints = posable.Pose(skeleton, pose.q), set(skeleton.joints if pose.joints is None else pose.joints)
    if mirror:
        symmetry = symmetry_of(skeleton)
        desired = mirrored(desired, symmetry)
        joints = {skeleton.joints[int(symmetry.partner[skeleton.index(joint)])] for joint in joints}
    step = desired.minus(document.pose) * share
    for j, joint in enumerate(skeleton.joints):
        if joint not in joints:
            step[list(skeleton.freedom_range(j))] = 0.0
    now = document.pose.plus(step).clamped()
    moved = np.abs(now.minus(document.pose))
    turned = {j for j in range(len(skeleton.joints)) if moved[list(skeleton.freedom_range(j))].any()}
    goals = tuple(snapped(goal, now) if turned & set(skeleton.chain(goal.joint)) else goal for goal in document.goals)
    return replace(document, pose=now, goals=goals)


def between(document: Document, clip: posable.Clip | None, command: c.PoseBetween) -> Document:
    """A pose between those at the keys before and after the frame. Raises PoseError without such keys."""
    frames = sorted({key.frame for goal in document.goals for key in goal.keys})
    before = [frame for frame in frames if frame < document.frame]
    after = [frame for frame in frames if frame > document.frame]
    if clip is None or not before or not after or after[0] >= len(clip):
        raise posable.PoseError("a pose in between needs a key before the frame and one after it")
    first, last = clip.poses[before[-1]], clip.poses[after[0]]
    pose = first.plus(last.minus(first) * command.share)
    return worn(document, SavedPose("", pose.q, joints_of(document, command.goals)))


@edit(c.PoseSave)
def save(document: Document, command: c.PoseSave) -> Document:
    """The library with one more pose."""
    name = command.name.strip()[:_LONGEST] or "pose"
    if len(document.poses) >= _MOST_POSES:
        raise posable.PoseError(f"the library has {_MOST_POSES} poses; remove some first")
    if len(command.picture) > _LARGEST_PICTURE or not _is_base64(command.picture):
        raise MessageError(f"a picture of a pose is base64 of at most {_LARGEST_PICTURE:,} letters")
    name = free_name(name, [pose.name for pose in document.poses], " ")
    pose = replace(taken(document, command.goals, name), picture=command.picture)
    return replace(document, poses=(*document.poses, pose))


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _named(document: Document, name: str) -> SavedPose:
    found = next((pose for pose in document.poses if pose.name == name), None)
    if found is None:
        raise posable.PoseError(f"the library has no pose {name[:60]!r}")
    return found


@edit(c.PoseApply)
def put_on(document: Document, command: c.PoseApply) -> Document:
    """A pose of the library, or one between it and the current pose."""
    return worn(document, _named(document, command.name), command.share, mirror=command.mirror)


@edit(c.PoseForget)
def forget(document: Document, command: c.PoseForget) -> Document:
    """The library without a pose."""
    gone = _named(document, command.name)
    return replace(document, poses=tuple(pose for pose in document.poses if pose is not gone))
