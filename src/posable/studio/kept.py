"""Joints that were rotated by hand. Those of the trunk keep their rotation if the goals can be met without them; those
of limbs in FK always keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

import posable
from posable.studio.document import Document, wxyz_of
from posable.studio.schema import Quaternion
from posable.studio.standing import carriers
from posable.studio.timeline import changed_joints, owners


def carrying_several(document: Document) -> set[str]:
    """The joints that carry several limbs with goals, without the one that carries the whole figure."""
    skeleton = document.figure.skeleton
    chains = [set(skeleton.chain(goal.joint)) for goal in document.goals if goal.kind in ("place", "reach")]
    return {
        joint.name
        for j, joint in enumerate(skeleton.definitions)
        if joint.parent is not None and not joint.floating and sum(j in chain for chain in chains) > 1
    }


def with_kept(document: Document, joints: Iterable[int], *, keep: bool = True) -> Document:
    """The document in which these joints keep their present rotations, or no longer keep them."""
    skeleton, kept = document.figure.skeleton, dict(document.kept)
    for joint in joints:
        kept.pop(skeleton.joints[joint], None)
        if keep:
            kept[skeleton.joints[joint]] = rotation_in_parent(document.pose, joint)
    return replace(document, kept=kept)


def still_kept(before: Document, document: Document) -> Document:
    """The document without the kept rotations of joints that something other than a solve has moved."""
    if not before.kept or document.pose is before.pose or document.kept is not before.kept:
        return document
    if document.figure.skeleton is not before.figure.skeleton:
        return replace(document, kept={})
    moved = changed_joints(before, document)
    return replace(document, kept={joint: own for joint, own in document.kept.items() if joint not in moved})


def with_still_limbs(document: Document) -> Document:
    """The document to solve, with the joints of limbs in FK frozen, unless an active goal moves them too."""
    carrying = carriers(document.figure)
    by_hand = {
        goal.name for goal in document.goals if not goal.enabled and goal.kind != "pole" and goal.joint not in carrying
    }
    if not by_hand:
        return document
    skeleton = document.figure.skeleton
    moved = {j for goal in document.goals if goal.acts for j in skeleton.chain(goal.joint)}
    joints = {joint for joint, owner in owners(document).items() if owner in by_hand}
    return replace(document, frozen=document.frozen | {one for one in joints if skeleton.index(one) not in moved})


def keeping_goals(document: Document, priority: int) -> list[posable.Goal]:
    """The goals of the kept rotations. priority: lower than that of all goals that must be met."""
    skeleton = document.figure.skeleton
    return [
        posable.Orient(joint, own, relative_to=skeleton.definitions[skeleton.index(joint)].parent, priority=priority)
        for joint, own in document.kept.items()
        if joint not in document.frozen
    ]


def rotation_in_parent(pose: posable.Pose, joint: int) -> Quaternion:
    """A joint's rotation in its parent's frame, wxyz."""
    parent, frames = pose.skeleton.parents[joint], pose.world_from_joint
    base = frames[parent, :3, :3] if parent >= 0 else np.eye(3)
    return wxyz_of(base.T @ frames[joint, :3, :3])
