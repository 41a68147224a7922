"""Joints of a figure moved, mirrored, renamed, added and removed, at rest; the skin stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import posable
from posable.files import free_name
from posable.skeleton import symmetry_of
from posable.spatial import rigid_inverse, transform, wxyz_from_matrix
from posable.studio import commands as c
from posable.studio.document import Document
from posable.studio.edits.goals import snapped
from posable.studio.edits.other_joints import Change

Shaping = c.SkeletonMove | c.SkeletonRename | c.SkeletonAdd | c.SkeletonRemove


def reshaped(document: Document, command: Shaping, source: str) -> Document:
    """The document with another skeleton, kept in the file `source`. Raises PosableError for an impossible change.

    Keys and clips stay where joints only move or get other names; other changes are refused while there are any.
    """
    before = document.figure  # with limits as they are now
    joint = before.skeleton.index(command.parent if isinstance(command, c.SkeletonAdd) else command.joint)
    if isinstance(command, c.SkeletonAdd | c.SkeletonRemove) and (document.has_keys or document.clips):
        raise posable.SkeletonError("joints are added and removed before there are keys or clips: remove these first")
    if isinstance(command, c.SkeletonMove):
        figure = _moved(before, _positions(before, joint, command))
    elif isinstance(command, c.SkeletonRename):
        figure = _renamed(before, joint, command.name)
    elif isinstance(command, c.SkeletonAdd):
        figure = before
        for parent, name, position in _added(before, joint, command):
            figure = _with(figure, parent, name, position)
    else:
        gone = {joint, _partner(before, joint) if command.mirror else joint}
        figure = before
        for one in sorted(gone, reverse=True):  # the later one first: the others keep their numbers
            figure = _without(figure, one)
    names = {before.skeleton.joints[joint]: command.name} if isinstance(command, c.SkeletonRename) else {}
    return _on(document, figure, names, source)


def _on(document: Document, figure: posable.Figure, names: dict[str, str], source: str) -> Document:
    """The document of a figure that was changed. names: new ones of joints."""
    rest, known = figure.rest, set(figure.skeleton.joints)
    same = figure.skeleton.coordinates == document.figure.skeleton.coordinates

    def now(joint: str) -> str | None:
        name = names.get(joint, joint)
        return name if name in known else None

    found = Change(figure, now, lambda q: q if same else rest.q).applied(document, source)
    goals = tuple(snapped(goal, found.pose) for goal in found.goals)
    return replace(found, goals=goals, kept={}, poses=found.poses if same else ())


def _rest(figure: posable.Figure) -> np.ndarray:
    return np.array(figure.rest.world_from_joint)


def _positions(figure: posable.Figure, joint: int, command: c.SkeletonMove) -> dict[int, np.ndarray]:
    """New world positions of joints at rest: of this one, and of its mirror image if requested."""
    position = np.array(command.position)
    found = {joint: position}
    if command.mirror:
        partner = _partner(figure, joint)
        found[partner] = _mirrored(figure, position) if partner != joint else _in_the_middle(figure, position)
    return found


def _partner(figure: posable.Figure, joint: int) -> int:
    """The mirror image of a joint; itself in the middle."""
    return int(symmetry_of(figure.skeleton).partner[joint])


def _mirrored(figure: posable.Figure, position: np.ndarray) -> np.ndarray:
    return 2 * _in_the_middle(figure, position) - position


def _in_the_middle(figure: posable.Figure, position: np.ndarray) -> np.ndarray:
    symmetry = symmetry_of(figure.skeleton)
    return position - ((position - symmetry.middle) @ symmetry.left) * symmetry.left


def _added(figure: posable.Figure, parent: int, command: c.SkeletonAdd) -> Iterator[tuple[int, str, np.ndarray]]:
    """Parent, name and position of each new joint: the one, and its mirror image if requested."""
    joints, position, name = figure.skeleton.joints, np.array(command.position), command.name.strip()
    yield parent, name, position
    other = _partner(figure, parent)
    if command.mirror and other != parent:
        own = name.replace(joints[parent], joints[other])
        yield other, free_name(own, {*joints, name}, " "), _mirrored(figure, position)


def _moved(figure: posable.Figure, positions: dict[int, np.ndarray]) -> posable.Figure:
    """The figure with joints at other positions; joints below them stay in the world."""
    skeleton, before = figure.skeleton, _rest(figure)
    after = before.copy()
    for joint, position in positions.items():
        after[joint, :3, 3] = position
    joints = []
    for j, definition in enumerate(skeleton.definitions):
        parent = int(skeleton.parents[j])
        if j in positions or parent in positions:
            above = np.eye(4) if parent < 0 else after[parent]
            definition = replace(definition, position=_three(rigid_inverse(above) @ after[j]))
        joints.append(definition)
    return _bound(figure, posable.Skeleton(joints, skeleton.up), rigid_inverse(after) @ before)


def _renamed(figure: posable.Figure, joint: int, name: str) -> posable.Figure:
    name = name.strip()
    old = figure.skeleton.joints[joint]
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise posable.SkeletonError(f"{old}: a joint's name has 1 to {_LONGEST} letters on one line")
    if name != old and name in figure.skeleton.joints:
        raise posable.SkeletonError(f"there is a joint {name!r} already; give {old} another name")
    joints = [
        replace(one, name=name if one.name == old else one.name, parent=name if one.parent == old else one.parent)
        for one in figure.skeleton.definitions
    ]
    return _bound(figure, posable.Skeleton(joints, figure.skeleton.up))


_LONGEST = 80


def _with(figure: posable.Figure, parent: int, name: str, place: np.ndarray) -> posable.Figure:
    """The figure with another ball joint, which moves no skin until that is bound again or painted."""
    skeleton, rest = figure.skeleton, _rest(figure)
    if name in skeleton.joints or not name:
        raise posable.SkeletonError(f"a new joint needs a name of its own, not {name[:40]!r}")
    position = rest[parent].copy()
    position[:3, 3] = place
    local = rigid_inverse(rest[parent]) @ position
    joint = posable.Joint(name, "ball", skeleton.joints[parent], _three(local))
    wider = posable.Skeleton([*skeleton.definitions, joint], skeleton.up)
    skins = [
        replace(skin, skeleton=wider, inverse_bind=np.concatenate([bind, (rigid_inverse(local) @ bind[parent])[None]]))
        for skin, bind in ((skin, np.array(skin.inverse_bind)) for skin in figure.skins)
    ]
    return replace(figure, skeleton=wider, skins=tuple(skins), clips=())


def _without(figure: posable.Figure, joint: int) -> posable.Figure:
    """The figure without a joint: its children and its part of the skin go to its parent."""
    skeleton, rest = figure.skeleton, _rest(figure)
    parent, gone = int(skeleton.parents[joint]), skeleton.joints[joint]
    if parent < 0:
        raise posable.SkeletonError(f"{gone} is the root: remove another joint, or move the root")
    joints = []
    for j, definition in enumerate(skeleton.definitions):
        if definition.parent == gone:
            own = transform(definition.position, definition.wxyz)
            turned = rigid_inverse(own) @ rigid_inverse(rest[joint]) @ rest[j]  # by its rest coordinates
            local = rigid_inverse(rest[parent]) @ rest[j] @ rigid_inverse(turned)
            w, x, y, z = wxyz_from_matrix(local[:3, :3]).tolist()
            definition = replace(definition, parent=skeleton.joints[parent], position=_three(local), wxyz=(w, x, y, z))
        if j != joint:
            joints.append(definition)
    fewer = posable.Skeleton(joints, skeleton.up)
    skins = []
    for skin in figure.skins:
        index = np.where(skin.joints == joint, parent, skin.joints)
        index = np.where(index > joint, index - 1, index)
        bind = np.delete(np.array(skin.inverse_bind), joint, axis=0)
        skins.append(replace(skin, skeleton=fewer, joints=index, inverse_bind=bind))
    shapes = tuple(
        replace(shape, joint=skeleton.joints[parent]) if shape.joint == gone else shape for shape in figure.shapes
    )
    return replace(figure, skeleton=fewer, skins=tuple(skins), shapes=shapes, clips=())


def _bound(figure: posable.Figure, skeleton: posable.Skeleton, moves: Any = None) -> posable.Figure:
    """The figure on a skeleton with the same joints in the same order. moves: `[joint, 4, 4]` from the old frames to
    the new ones, so that the skin stays where it is at rest.
    """
    figure = replace(figure, clips=())
    figure = figure.on(skeleton)
    if moves is None:
        return figure
    return replace(figure, skins=tuple(replace(skin, inverse_bind=moves @ skin.inverse_bind) for skin in figure.skins))


def _three(matrix: np.ndarray) -> tuple[float, float, float]:
    x, y, z = matrix[:3, 3].tolist()
    return x, y, z
