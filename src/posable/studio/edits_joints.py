"""Commands about single joints: turned by hand, frozen, limited."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

import posable
from posable.studio import commands as c
from posable.studio.document import Document
from posable.studio.edits import edit
from posable.studio.edits_goals import snapped


@edit(c.JointRotate)
def rotate(document: Document, command: c.JointRotate) -> Document:
    """A joint turned as far as its limits let it; the goals of what it carries go along."""
    skeleton, pose = document.figure.skeleton, document.pose
    joint = skeleton.index(command.joint)
    length = math.hypot(*command.rotation)
    if length == 0:
        raise posable.PoseError(f"the rotation of {command.joint!r} has length 0; the neutral one is (1, 0, 0, 0)")
    _, positions = posable.rotations_of(pose, "quaternion")
    alone = posable.Skeleton([replace(skeleton.definitions[joint], parent=None)], skeleton.up)
    rotation = np.array([command.rotation]) / length
    first = skeleton.tables.first_coordinate
    q = np.array(pose.q)
    q[first[joint] : first[joint + 1]] = posable.pose_from_rotations(
        alone, rotation, positions[joint : joint + 1], "quaternion"
    ).q
    pose = posable.Pose(skeleton, q).clamped()
    goals = [snapped(goal, pose) if joint in skeleton.chain(goal.joint) else goal for goal in document.goals]
    return replace(document, pose=pose, goals=tuple(goals))


@edit(c.JointFreeze)
def freeze(document: Document, command: c.JointFreeze) -> Document:
    """A joint that no solver moves, or may move again."""
    name = document.figure.skeleton.joints[document.figure.skeleton.index(command.joint)]
    frozen = document.frozen | {name} if command.frozen else document.frozen - {name}
    return replace(document, frozen=frozen)


@edit(c.JointLimit)
def limit(document: Document, command: c.JointLimit) -> Document:
    """Other limits; the pose moves inside them."""
    skeleton = document.figure.skeleton
    j = skeleton.index(command.joint)
    joint = document.opened.skeleton.definitions[j] if command.limits is None else None
    if joint is None:
        joint = limited(skeleton.definitions[j], command.limits or {})
    definitions = (*skeleton.definitions[:j], joint, *skeleton.definitions[j + 1 :])
    figure = document.figure.on(posable.Skeleton(definitions, skeleton.up))
    pose = posable.Pose(figure.skeleton, document.pose.q).clamped()
    return replace(document, figure=figure, pose=pose)


def limited(joint: posable.Joint, said: Any) -> posable.Joint:
    """The joint with the limits that a page said. Raises SkeletonError."""
    axes, cone = joint.axes, joint.cone
    if len(said["axes"]) != len(axes):
        raise posable.SkeletonError(
            f"joint {joint.name!r} has {len(axes)} axes, and limits came for {len(said['axes'])}"
        )
    axes = tuple(
        replace(
            axis,
            lower=-math.inf if own["lower"] is None else own["lower"],
            upper=math.inf if own["upper"] is None else own["upper"],
        )
        for axis, own in zip(axes, said["axes"], strict=True)
    )
    if said["cone"] is not None:
        own = said["cone"]
        twist = (-math.pi if own["lower"] is None else own["lower"], math.pi if own["upper"] is None else own["upper"])
        cone = posable.Cone(own["axis"], math.pi if own["swing"] is None else own["swing"], twist, own["center"])
    return replace(joint, axes=axes, cone=cone)
