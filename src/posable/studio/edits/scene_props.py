"""Commands about the scene: props, goals that go with something, hidden meshes; and about the fingers of a hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import posable
from posable.figures.fingers import FINGERS, GRIPS, closed
from posable.files import free_name
from posable.studio import body_commands as b
from posable.studio.command import Unset, edit
from posable.studio.document import Document, DroppedMesh, StudioProp
from posable.studio.edits.goals import snapped
from posable.studio.edits.time import walked
from posable.studio.floors import soles_of
from posable.studio.following import goes_round
from posable.studio.records import MessageError
from posable.studio.scenery import goes_with_joint, on_joint, with_prop

_MOST_PROPS = 60
_MOST_HIDDEN = 1000
_PROP_SIZE, _PROP_DISTANCE = 0.25, 0.3  # of the figure's height
_MAX_SEAT_HEIGHT = 0.55  # of the length of the legs


def _named(document: Document, name: str) -> StudioProp:
    found = next((prop for prop in document.props if prop.name == name), None)
    if found is None:
        raise posable.PosableError(f"the scene has no prop {name[:60]!r}")
    return found


def _added(document: Document, prop: StudioProp) -> Document:
    if len(document.props) >= _MOST_PROPS:
        raise posable.PosableError(f"the scene has {_MOST_PROPS} props; remove some first")
    return replace(document, props=(*document.props, prop))


def _free_prop_name(document: Document, name: str) -> str:
    """The name, with a number if it is taken: a goal refers to a joint or a prop by name."""
    taken = [*document.figure.skeleton.joints, *document.meshes, *(prop.name for prop in document.props)]
    return free_name(name, taken, " ")


@edit(b.PropAdd)
def add(document: Document, command: b.PropAdd) -> Document:
    """A box or sphere, on the ground before the figure, which can sit on it."""
    figure = document.figure
    most = min([_PROP_SIZE * figure.height, *(_MAX_SEAT_HEIGHT * sole.length for sole in soles_of(figure))])
    size = float(np.round(most, 2)) or most
    position = document.pose.world_from_joint[0, :3, 3] + posable.roles(figure).forward * _PROP_DISTANCE * figure.height
    position["xyz".index(figure.skeleton.up)] = size / 2
    x, y, z = np.round(position, 3).tolist()
    return _added(
        document, StudioProp(_free_prop_name(document, command.kind), command.kind, (x, y, z), size=(size, size, size))
    )


def with_mesh(document: Document, dropped: DroppedMesh, name: str) -> Document:
    """A mesh of a file as a prop, at its position in the file."""
    name = _free_prop_name(document, name)
    document = replace(document, meshes={**document.meshes, name: dropped})
    return _added(document, StudioProp(name, "mesh", (0.0, 0.0, 0.0)))


@edit(b.PropSet)
def change(document: Document, command: b.PropSet) -> Document:
    """A prop with other properties; goals relative to it move along."""
    before = prop = _named(document, command.prop)
    values = command.given("prop", "joint")
    if not all(value > 0 for value in values.get("size", ())):
        raise posable.PosableError(f"{prop.name}: sizes are above 0")
    if "rotation" in values:
        length = float(np.linalg.norm(values["rotation"]))
        if length == 0:
            raise posable.PosableError(f"{prop.name}: its rotation has length 0; the neutral one is (1, 0, 0, 0)")
        values["rotation"] = tuple(part / length for part in values["rotation"])
    prop = replace(prop, **values)
    if not isinstance(command.joint, Unset):
        prop = on_joint(prop, command.joint, document.pose)
    if any(goal.relative_to == prop.name for goal in document.goals) and prop.joint is not None:
        raise posable.PosableError(f"{prop.name}: goals go with it, so no joint can carry it")
    document = with_prop(document, prop)
    return walked(document) if before.ground or prop.ground else document


@edit(b.PropRemove)
def remove(document: Document, command: b.PropRemove) -> Document:
    """The scene without a prop."""
    gone = _named(document, command.prop)
    goals = tuple(replace(goal, relative_to=None) if goal.relative_to == gone.name else goal for goal in document.goals)
    document = replace(document, props=tuple(prop for prop in document.props if prop is not gone), goals=goals)
    return walked(document) if gone.ground else document


@edit(b.GoalRelative)
def relative(document: Document, command: b.GoalRelative) -> Document:
    """A goal that goes with a joint or a prop. Raises GoalError for what it cannot go with."""
    goal = document.goal(command.goal)
    if command.to is None:
        return document.with_goal(replace(goal, relative_to=None))
    if goal.kind not in ("place", "reach"):
        raise posable.GoalError(f"{goal.name} has no position that could go with something")
    props = {prop.name: prop for prop in document.props}
    if command.to in props:
        if props[command.to].joint is not None:
            raise posable.GoalError(f"{command.to} is carried by {props[command.to].joint}: let the goal go with that")
        return document.with_goal(replace(goal, relative_to=command.to, loose=False))
    skeleton = document.figure.skeleton
    joint = skeleton.joints[skeleton.index(command.to)]
    if joint == skeleton.joints[skeleton.index(goal.joint)]:
        raise posable.GoalError(f"{goal.name} cannot go with {joint}, its own joint")
    goal = replace(goal, relative_to=joint, loose=False)
    if not goes_with_joint(goal, document.figure):
        return document.with_goal(replace(goal, relative_to=None))
    if goes_round(followed := document.with_goal(goal)):
        raise posable.GoalError(f"{goal.name} cannot go with {joint}, which it moves itself")
    return followed


@edit(b.MeshHide)
def hide(document: Document, command: b.MeshHide) -> Document:
    """The document with other hidden meshes."""
    if len(command.names) > _MOST_HIDDEN:
        raise MessageError(f"at most {_MOST_HIDDEN} meshes can be hidden")
    return replace(document, hidden=tuple(sorted(set(command.names))))


@edit(b.HandShape)
def shape(document: Document, command: b.HandShape) -> Document:
    """Fingers curled and spread; the hand stays."""
    curls, spread = command.curls, None if isinstance(command.spread, Unset) else command.spread
    if command.grip:
        if command.grip not in GRIPS:
            raise posable.PoseError(f"unknown grip {command.grip[:40]!r} (choose from {', '.join(GRIPS)})")
        all_curls, spread = GRIPS[command.grip]
        curls = dict(zip(FINGERS, all_curls, strict=True))
    pose = closed(document.figure, document.pose, command.side, curls, spread)
    fingers = {joint for joint in range(len(pose.skeleton.joints)) if _turned(document.pose, pose, joint)}
    goals = tuple(
        snapped(goal, pose) if fingers & set(pose.skeleton.chain(goal.joint)) else goal for goal in document.goals
    )
    return replace(document, pose=pose, goals=goals)


def _turned(before: posable.Pose, pose: posable.Pose, joint: int) -> bool:
    first = pose.skeleton.tables.first_coordinate
    return bool((before.q[first[joint] : first[joint + 1]] != pose.q[first[joint] : first[joint + 1]]).any())
