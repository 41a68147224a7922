"""Commands about goals, options and the whole pose."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

import posable
from posable.clips import mirrored
from posable.skeleton import Symmetry, symmetry_of
from posable.spatial import matrix_from_wxyz, wxyz_from_matrix
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.balancing import body_of
from posable.studio.command import UNSET, Unset, edit
from posable.studio.document import Document, StudioGoal, joint_frame, with_rotation
from posable.studio.joint_axes import own_coordinates
from posable.studio.kept import carrying_several, with_kept
from posable.studio.opening import document_of, driven_goals, looked_at, new_goal
from posable.studio.records import MessageError
from posable.studio.schema import Vector

_WEIGHTS = ("weight", "rotation_weight")
_ACTIVATING_FIELDS = {"position", "rotation", "pinned"}


def snapped(goal: StudioGoal, pose: posable.Pose) -> StudioGoal:
    """The goal moved to where the pose meets it: to its joint, or, for a look that does not act, ahead of that. Other
    looks and poles stay.
    """
    if goal.kind == "look" and not goal.acts:
        return replace(goal, position=looked_at(pose, goal.joint, goal.forward))
    if goal.kind in ("look", "pole"):
        return goal
    position, rotation = joint_frame(pose, goal.joint)
    return replace(goal, position=position, rotation=rotation)


def with_free(document: Document) -> tuple[StudioGoal, ...]:
    """The goals of a document, with those that do not act moved to where its pose meets them."""
    return tuple(goal if goal.acts else snapped(goal, document.pose) for goal in document.goals)


@edit(c.GoalAdd)
def add(document: Document, command: c.GoalAdd) -> Document:
    """A new goal."""
    goal = new_goal(document.pose, command.joint, command.kind, [one.name for one in document.goals])
    return replace(document, goals=(*document.goals, goal))


@edit(c.GoalRemove)
def remove(document: Document, command: c.GoalRemove) -> Document:
    """The document without a goal."""
    gone = document.goal(command.goal)
    return replace(document, goals=tuple(one for one in document.goals if one is not gone))


@edit(c.GoalSet)
def change(document: Document, command: c.GoalSet) -> Document:
    """Another position, rotation or weight; moving a goal enables it, and moving or pinning it ends `loose`.

    A rotation that counted for nothing, and counts from now on, is that which the joint has.
    """
    goal, values = document.goal(command.goal), command.given("goal")
    for name in _WEIGHTS:
        if not 0 <= values.get(name, 0.0) <= 1:
            raise posable.GoalError(
                f"{goal.name}: a {name.replace('_', ' ')} lies between 0 and 1, not {values[name]:g}"
            )
    if "rotation" in values and not any(values["rotation"]):
        raise posable.GoalError(f"{goal.name}: its rotation has length 0; the neutral one is (1, 0, 0, 0)")
    if values.keys() & {"position", "rotation"}:
        values.setdefault("enabled", True)
    if values.keys() & _ACTIVATING_FIELDS:
        values["loose"] = False
    if values.keys() & {"rotation", "rotation_weight"}:
        values["lifts_above"] = None
    if "rotation" in values and goal.rotation_weight == 0:
        values.setdefault("rotation_weight", 1.0)
    if values.get("pinned") and not goal.pinned:
        values.setdefault("rotation_weight", 1.0)
    if goal.kind == "place" and goal.rotation_weight == 0 < values.get("rotation_weight", 0):
        values.setdefault("rotation", joint_frame(document.pose, goal.joint)[1])
    return with_image(document.with_goal(replace(goal, **values)), goal.name)


@edit(b.GoalsSet)
def weigh_together(document: Document, command: b.GoalsSet) -> Document:
    """Other weights of several goals."""
    for name in command.goals:
        document = change(document, c.GoalSet(name, weight=command.weight, rotation_weight=command.rotation_weight))
    return document


@edit(b.GoalsMove)
def move_together(document: Document, command: b.GoalsMove) -> Document:
    """Other positions and rotations of several goals."""
    positions, rotations = command.positions, command.rotations
    for name in dict.fromkeys([*positions, *rotations]):
        place, turn = positions.get(name, UNSET), rotations.get(name, UNSET)
        document = change(document, c.GoalSet(name, position=place, rotation=turn))
    return document


@edit(b.GoalsClear)
def clear(document: Document, command: b.GoalsClear) -> Document:
    """Goals at the position or the rotation of the rest pose; a rotation counts as when the figure was opened."""
    opened = _opened_goals(document)
    for name in command.goals:
        goal = document.goal(name)
        rested = _rested(goal, document.figure.rest)
        if command.what == "position":
            document = change(document, c.GoalSet(name, position=rested.position))
        else:
            weight = opened.get(name, StudioGoal(name, goal.joint, goal.kind, rested.position)).rotation_weight
            document = change(document, c.GoalSet(name, rotation=rested.rotation, rotation_weight=weight))
    return document


@edit(c.GoalPole)
def pole(document: Document, command: c.GoalPole) -> Document:
    """Another pole. The library checks that the joint ends a limb. None also removes the poles of keys."""
    goal = document.goal(command.goal)
    keys = goal.keys
    if command.pole is None:
        keys = tuple(replace(key, pole=None) for key in keys)
    else:
        posable.Pole(goal.joint, command.pole).limb(document.figure.skeleton)
    loose = goal.loose and command.pole is None
    return with_image(document.with_goal(replace(goal, pole=command.pole, loose=loose, keys=keys)), goal.name)


@edit(c.GoalMethod)
def method(document: Document, command: c.GoalMethod) -> Document:
    """Another method for the goal's limb."""
    from posable.solvers import method_named

    name = type(method_named(command.method)).__name__
    return document.with_goal(replace(document.goal(command.goal), method=name))


@edit(c.IkFkSwitch)
def switch(document: Document, command: c.IkFkSwitch) -> Document:
    """To "fk": disable the goal. To "ik": enable it at the limb's current position; to "free": there too, and loose."""
    goal = document.goal(command.goal)
    if command.to not in ("ik", "fk", "free"):
        raise MessageError(f"ikfk.switch goes to ik, fk or free, not {command.to[:20]!r}")
    if command.to == "fk":
        return document.with_goal(replace(goal, enabled=False))
    return document.with_goal(replace(snapped(goal, document.pose), enabled=True, **_state(goal, command.to)))


def _state(goal: StudioGoal, to: str) -> dict[str, bool]:
    """The fields loose and pinned of an enabled goal; a loose one is not pinned."""
    return {"loose": to == "free", "pinned": goal.pinned and to != "free"}


@edit(c.PoseReset)
def reset(document: Document, command: c.PoseReset) -> Document:
    """The rest pose, with each goal as when the figure was opened, or was added; keys stay.

    Without `settings` only what is solved, loose or by hand (FK) is as it was.
    """
    rest, opened = document.figure.rest, _opened_goals(document)
    goals = []
    for goal in document.goals:
        usual = opened.get(goal.name, StudioGoal(goal.name, goal.joint, goal.kind, goal.position))
        loose = usual.loose and (command.settings or not goal.pinned)
        settings = {name: getattr(usual, name) for name in _SETTINGS} if command.settings else {}
        goals.append(replace(_rested(goal, rest), enabled=usual.enabled, loose=loose, **settings))
    return replace(document, pose=rest, goals=tuple(goals))


_SETTINGS = ("weight", "rotation_weight", "pinned", "method", "relative_to", "lifts_above")


def _opened_goals(document: Document) -> dict[str, StudioGoal]:
    return {goal.name: goal for goal in document_of(document.opened, document.source).goals}


def _rested(goal: StudioGoal, rest: posable.Pose) -> StudioGoal:
    if goal.kind in ("look", "pole"):
        made = new_goal(rest, goal.joint, goal.kind)
        return replace(goal, position=made.position, rotation=made.rotation, pole=None)
    return replace(snapped(goal, rest), pole=None)


@edit(c.PoseMirror)
def mirror(document: Document, command: c.PoseMirror) -> Document:
    """The mirrored pose, with poles and looks."""
    del command
    pose = mirrored(document.pose, symmetry_of(document.figure.skeleton))
    return replace(document, pose=pose, goals=tuple(mirrored_goals(document, pose)))


def mirrored_goals(document: Document, pose: posable.Pose) -> list[StudioGoal]:
    """The goals of the mirrored figure: at its joints, with mirrored looks and poles."""
    symmetry = symmetry_of(document.figure.skeleton)
    joints = document.figure.skeleton.joints
    found = []
    for goal in document.goals:
        other_joint = joints[int(symmetry.partner[document.figure.skeleton.index(goal.joint)])]
        other = next((one for one in document.goals if (one.joint, one.kind) == (other_joint, goal.kind)), goal)
        turned = replace(snapped(goal, pose), pole=None if other.pole is None else _image(symmetry, other.pole))
        if goal.kind in ("look", "pole"):
            turned = replace(turned, position=_image(symmetry, other.position))
        found.append(turned)
    return found


def _image(symmetry: Symmetry, point: Vector) -> Vector:
    off = sum((p - m) * n for p, m, n in zip(point, symmetry.middle, symmetry.left, strict=True))
    x, y, z = (float(p - 2 * off * n) for p, n in zip(point, symmetry.left, strict=True))
    return x, y, z


def with_image(document: Document, name: str) -> Document:
    """With live mirror, the other side's goal gets this one's mirrored position and rotation."""
    if not document.options.mirror:
        return document
    goal, skeleton = document.goal(name), document.figure.skeleton
    symmetry = symmetry_of(skeleton)
    joint = skeleton.index(goal.joint)
    partner = int(symmetry.partner[joint])
    other = next((g for g in document.goals if (g.joint, g.kind) == (skeleton.joints[partner], goal.kind)), None)
    if other is None or partner == joint:
        return document
    flip = np.eye(3) - 2 * np.outer(symmetry.left, symmetry.left)
    rest = posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint[:, :3, :3]
    rotation = flip @ matrix_from_wxyz(np.array(goal.rotation)) @ rest[joint].T @ flip @ rest[partner]
    w, x, y, z = wxyz_from_matrix(rotation).tolist()
    like = {field: getattr(goal, field) for field in ("weight", "rotation_weight", "enabled", "loose")}
    pole = other.pole if goal.pole is None else _image(symmetry, goal.pole)
    position = _image(symmetry, goal.position)
    return document.with_goal(replace(other, position=position, rotation=(w, x, y, z), pole=pole, **like))


def moved_with(document: Document, goal: StudioGoal) -> Document:
    """The document with a moved goal and those that move with it: the other side's with live mirror, and in a race all
    others, by the same distance.
    """
    step = np.array(goal.position) - document.goal(goal.name).position
    document = with_image(document.with_goal(goal), goal.name)
    for other in document.goals if driven_goals(document) > 1 else ():
        if other.name != goal.name:
            x, y, z = (np.array(other.position) + step).tolist()
            document = document.with_goal(replace(other, position=(x, y, z)))
    return document


@edit(c.OptionsSet)
def options(document: Document, command: c.OptionsSet) -> Document:
    """Other preferences of the whole figure."""
    values = command.given("space")
    for name, most in (("gravity", 100), ("elasticity", 100), ("natural", 1)):
        if not 0 <= values.get(name, 0.0) <= most:
            raise posable.GoalError(f"{name} is a number from 0 to {most}, not {values[name]:g}")
    if values.get("balance") and body_of(document.figure).masses is None:
        raise posable.SkeletonError("this figure has neither a skin nor masses, so its centre of mass is unknown")
    space = document.space if isinstance(command.space, Unset) else command.space
    return replace(document, options=replace(document.options, **values), space=space)


# Commands about single joints: rotate by hand, freeze, limit.


@edit(c.JointRotate)
def rotate(document: Document, command: c.JointRotate) -> Document:
    """A joint rotated within its limits; the goals of its descendants move along."""
    joint = document.figure.skeleton.index(command.joint)
    length = math.hypot(*command.rotation)
    if length == 0:
        raise posable.PoseError(f"the rotation of {command.joint!r} has length 0; the neutral one is (1, 0, 0, 0)")
    return _moved_by_hand(document, joint, with_rotation(document.pose, joint, np.array(command.rotation) / length))


@edit(b.JointSet)
def put(document: Document, command: b.JointSet) -> Document:
    """A joint with an axis at another coordinate within its limits; the goals of its descendants move along."""
    skeleton, q = document.figure.skeleton, np.array(document.pose.q)
    joint = skeleton.index(command.joint)
    own = own_coordinates(skeleton, joint)
    if not 0 <= command.axis < len(own):
        raise posable.SkeletonError(f"joint {command.joint!r} has {len(own)} axes, so none is number {command.axis}")
    if (coordinate := own[command.axis]) is None:
        raise posable.SkeletonError(f"that axis of joint {command.joint!r} follows another joint: move that one")
    axis = skeleton.definitions[joint].axes[command.axis]
    q[coordinate] = min(max(command.value, axis.lower), axis.upper)
    return _moved_by_hand(document, joint, posable.Pose(skeleton, q))


def _moved_by_hand(document: Document, joint: int, pose: posable.Pose) -> Document:
    """The document in a pose in which one joint was moved; with live mirror, its partner moves too."""
    skeleton, q, turned = document.figure.skeleton, np.array(pose.q), {joint}
    first = skeleton.tables.first_coordinate
    if document.options.mirror:
        symmetry = symmetry_of(skeleton)
        partner = int(symmetry.partner[joint])
        if partner != joint:
            own = slice(int(first[partner]), int(first[partner + 1]))
            q[own], turned = mirrored(pose, symmetry).q[own], {joint, partner}
            pose = posable.Pose(skeleton, q).clamped()
    goals = [snapped(goal, pose) if turned & {*skeleton.chain(goal.joint)} else goal for goal in document.goals]
    trunk = {joint for joint in turned if skeleton.joints[joint] in carrying_several(document)}
    return with_kept(replace(document, pose=pose, goals=tuple(goals)), trunk)


@edit(b.JointKeep)
def keep(document: Document, command: b.JointKeep) -> Document:
    """A joint that keeps its rotation, or no longer keeps it."""
    skeleton = document.figure.skeleton
    return with_kept(document, {skeleton.index(command.joint)}, keep=command.kept)


@edit(c.JointFreeze)
def freeze(document: Document, command: c.JointFreeze) -> Document:
    """A joint that solvers must not move, or may move again."""
    name = document.figure.skeleton.joints[document.figure.skeleton.index(command.joint)]
    frozen = document.frozen | {name} if command.frozen else document.frozen - {name}
    return replace(document, frozen=frozen)


@edit(c.JointLimit)
def limit(document: Document, command: c.JointLimit) -> Document:
    """Other limits; the pose is clamped to them."""
    skeleton = document.figure.skeleton
    j = skeleton.index(command.joint)
    joint = document.opened.skeleton.definitions[j] if command.limits is None else None
    if joint is None:
        joint = limited(skeleton.definitions[j], command.limits or {})
    definitions = (*skeleton.definitions[:j], joint, *skeleton.definitions[j + 1 :])
    figure = document.figure.on(posable.Skeleton(definitions, skeleton.up))
    pose = posable.Pose(figure.skeleton, document.pose.q).clamped()
    return replace(document, figure=figure, pose=pose)


def limited(joint: posable.Joint, limits: Any) -> posable.Joint:
    """The joint with the limits from a page. Raises SkeletonError."""
    axes, cone = joint.axes, joint.cone
    if len(limits["axes"]) != len(axes):
        raise posable.SkeletonError(f"joint {joint.name!r} has {len(axes)} axes, not {len(limits['axes'])}")
    axes = tuple(
        replace(
            axis,
            lower=-math.inf if own["lower"] is None else own["lower"],
            upper=math.inf if own["upper"] is None else own["upper"],
        )
        for axis, own in zip(axes, limits["axes"], strict=True)
    )
    if limits["cone"] is not None:
        own = limits["cone"]
        twist = (-math.pi if own["lower"] is None else own["lower"], math.pi if own["upper"] is None else own["upper"])
        cone = posable.Cone(own["axis"], math.pi if own["swing"] is None else own["swing"], twist, own["center"])
    return replace(joint, axes=axes, cone=cone)
