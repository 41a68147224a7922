"""Poses copied, pasted, stored in a library, and inserted between others."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

import posable
from posable.clips import mirrored
from posable.files import free_name
from posable.natural import natural_if_known
from posable.skeleton import Symmetry, symmetry_of
from posable.spatial import Array, wxyz_from_matrix
from posable.studio import commands as c
from posable.studio.body_commands import ArmsLower
from posable.studio.command import edit
from posable.studio.company import figures_of
from posable.studio.document import Document, SavedPose, StudioGoal
from posable.studio.edits.goals import snapped
from posable.studio.leaps import solved_on_the_way
from posable.studio.records import MessageError
from posable.studio.timeline import changed_joints, owners

_MOST_POSES = 200
_MAX_PICTURE_LETTERS = 60_000
_MAX_NAME_LETTERS = 60
_MAX_ROOT_SHIFT = 0.1  # of the reach: sideways shift up to which the root has not walked away
_LEAST_HEADING_COSINE = np.cos(np.radians(20.0))  # a root that is rotated by less faces ahead


def joints_of(document: Document, goals: Sequence[str]) -> tuple[str, ...] | None:
    """The joints that belong to these goals; None (all joints) for no goals."""
    desired = {document.goal(name).name for name in goals}
    return tuple(joint for joint, owner in owners(document).items() if owner in desired) if desired else None


def taken(document: Document, goals: Sequence[str], name: str = "") -> SavedPose:
    """The current pose of the joints of these goals."""
    return SavedPose(name, document.pose.q, joints_of(document, goals))


def worn(document: Document, pose: SavedPose, share: float = 1.0, *, mirror: bool = False) -> Document:
    """The document with that pose. mirror: its mirror image, on the other side's joints. Raises PoseError."""
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
    moved = changed_joints(document, replace(document, pose=now)) & joints
    turned = {skeleton.index(joint) for joint in moved}
    goals = tuple(snapped(goal, now) if turned & set(skeleton.chain(goal.joint)) else goal for goal in document.goals)
    return replace(document, pose=now, goals=goals)


def put_on(
    document: Document,
    command: c.PosePaste | c.PoseApply,
    copied: SavedPose | None,
    solved: Callable[[Document, Document], Document],
) -> Document:
    """The document with the pose that was copied, or one of the library. Raises PoseError.

    Limbs that go to the other side by their goals are solved for: beside a trunk that leans, mirrored joints alone end
    elsewhere.
    """
    pose = copied if isinstance(command, c.PosePaste) else _named(document, command.name)
    share = 1.0 if isinstance(command, c.PosePaste) else command.share
    if pose is None:
        raise posable.PoseError("no pose was copied yet: copy one first")
    images = _mirrored_goals(document, pose) if command.mirror and pose.joints and share == 1 else []
    if not images:
        return worn(document, pose, share, mirror=command.mirror)
    skeleton = document.figure.skeleton
    partner = symmetry_of(skeleton).partner
    moved = {skeleton.joints[int(partner[j])] for goal in images for j in skeleton.chain(goal.joint)[:-1]}
    ends = replace(pose, joints=tuple(joint for joint in pose.joints or () if joint not in moved))
    document = worn(solved_on_the_way(document, _with(document, images), solved), ends, mirror=True)
    return _with(document, images)


def _with(document: Document, goals: Iterable[StudioGoal]) -> Document:
    for goal in goals:
        document = document.with_goal(goal)
    return document


def _mirrored_goals(document: Document, pose: SavedPose) -> list[StudioGoal]:
    """The goals of the limbs opposite to those in `pose`, at mirrored positions; without limbs in FK, and without pairs
    of free limbs.
    """
    skeleton = document.figure.skeleton
    symmetry, names = symmetry_of(skeleton), skeleton.joints
    saved, now, rest = (
        posable.Pose(skeleton, q).world_from_joint for q in (pose.q, document.pose.q, skeleton.rest_coordinates)
    )
    image, flip = _mirror_frames(symmetry, skeleton.reach, saved[0], now[0], rest[0])
    own = {goal.joint: goal for goal in document.goals if goal.kind in ("place", "reach")}
    found = []
    for joint, goal in own.items():
        j = skeleton.index(joint)
        other = int(symmetry.partner[j])
        source = own.get(names[other])
        if other == j or source is None or names[other] not in (pose.joints or ()) or not goal.enabled:
            continue
        if goal.acts or source.acts:
            x, y, z = (image @ saved[other])[:3, 3].tolist()
            turn = image[:3, :3] @ saved[other, :3, :3] @ rest[other, :3, :3].T @ flip[:3, :3] @ rest[j, :3, :3]
            w, i, j, k = wxyz_from_matrix(turn).tolist()
            found.append(replace(goal, position=(x, y, z), rotation=(w, i, j, k), loose=False))
    return found


def _mirror_frames(symmetry: Symmetry, reach: float, saved: Array, now: Array, rest: Array) -> tuple[Array, Array]:
    """(the transform from a position to its image, the mirror of the rest pose). The two are equal unless the figure
    has walked away, however its hips lean; then the image moves with the root. saved, now, rest: the root's frames.
    """
    left = np.array(symmetry.left)
    flip = np.eye(4)
    flip[:3, :3] -= 2 * np.outer(left, left)
    flip[:3, 3] = 2 * np.dot(symmetry.middle, left) * left
    shifts = [frame @ np.linalg.inv(rest) for frame in (saved, now)]
    aside = max(abs(left @ (frame - rest)[:3, 3]) for frame in (saved, now))
    if aside < _MAX_ROOT_SHIFT * reach and all(left @ shift[:3, :3] @ left > _LEAST_HEADING_COSINE for shift in shifts):
        return flip, flip
    return shifts[1] @ flip @ np.linalg.inv(shifts[0]), flip


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


@edit(ArmsLower)
def lower_arms(document: Document, command: ArmsLower) -> Document:
    """The document with hanging arms, except those that a goal leads. Raises PoseError if no arm can be lowered."""
    del command
    skeleton, q, lowered = document.figure.skeleton, np.array(document.pose.q), set[str]()
    led = {j for goal in document.goals if goal.acts for j in skeleton.chain(goal.joint)}
    for figure in figures_of(document.figure):
        first = skeleton.index(figure.skeleton.joints[0])
        hanging, arms = _hanging(figure)
        at = int(skeleton.tables.first_coordinate[first])
        q[at : at + len(hanging)] = hanging
        lowered.update(joint for arm in arms if not led & {skeleton.index(joint) for joint in arm} for joint in arm)
    if not lowered:
        raise posable.PoseError("no arm hangs: a goal leads each, or the figure is not one that people's poses fit")
    return worn(document, SavedPose("", q, tuple(lowered)))


@lru_cache(maxsize=8)
def _hanging(figure: posable.Figure) -> tuple[Array, tuple[tuple[str, str], ...]]:
    """(coordinates of the figure at rest with hanging arms, the joints of its arms); no joints if arms are unknown."""
    skeleton, natural, roles = figure.skeleton, natural_if_known(figure.skeleton), posable.roles(figure)
    arms = [tuple(roles.get(f"{part}_arm_{side}", "") for part in ("upper", "lower")) for side in "lr"]
    if not natural or not all(joint for arm in arms for joint in arm):
        return skeleton.rest_coordinates, ()
    feet = [roles[role] for role in ("foot_l", "foot_r") if role in roles]
    stands = [posable.Place(joint, figure.rest.world_from_joint[skeleton.index(joint)]) for joint in feet]
    found = posable.solve(figure.rest, [*stands, *natural], restarts=0)
    return np.array(found.pose.q), ((arms[0][0], arms[0][1]), (arms[1][0], arms[1][1]))


@edit(c.PoseSave)
def save(document: Document, command: c.PoseSave) -> Document:
    """The library with one more pose."""
    name = command.name.strip()[:_MAX_NAME_LETTERS] or "pose"
    if len(document.poses) >= _MOST_POSES:
        raise posable.PoseError(f"the library has {_MOST_POSES} poses; remove some first")
    if len(command.picture) > _MAX_PICTURE_LETTERS or not _is_base64(command.picture):
        raise MessageError(f"a picture of a pose is base64 of at most {_MAX_PICTURE_LETTERS:,} letters")
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


@edit(c.PoseForget)
def forget(document: Document, command: c.PoseForget) -> Document:
    """The library without a pose."""
    gone = _named(document, command.name)
    return replace(document, poses=tuple(pose for pose in document.poses if pose is not gone))
