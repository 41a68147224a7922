"""The pose in which a skin was bound, as the stance of a figure whose file was saved in the middle of a movement.

Retargeting and the measures of legs and feet assume that a figure stands at rest, with flat feet. The rest pose of a
file is the pose in which its nodes were left, often the first frame of a run; its skin stores the pose in which it was
modelled.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from posable.clips.root_motion import moved
from posable.figures.biped import LEG, Biped, axis_of
from posable.figures.model import Figure
from posable.figures.stance import stance_fault, turned
from posable.skeleton import Pose, Skeleton
from posable.skin.bound_frames import bound_frames
from posable.spatial import Array, matrix_from_wxyz, wxyz_between

_FEET_TILT = 0.2  # rad: tolerated tilt of the feet at rest, relative to the pose in which they were bound
_HIP_HEIGHT_CHANGE = 0.3  # of the hip's height over the ankle: a larger change means that the origin was another one
_PARTS = tuple(f"{part}_{side}" for part in LEG for side in "lr")


@lru_cache(maxsize=16)
def standing_as_bound(figure: Figure) -> Figure:
    """The figure with the pose in which its skin was bound as its rest pose, its clips and coordinates as they were.

    The figure is returned unchanged if its rest pose is a stance with feet as they were bound, if it is not a biped
    with a skin, or if the bind pose is not a stance either.
    """
    skeleton, joints = figure.skeleton, figure.skeleton.parts.joints
    if not figure.skins or not all(role in joints for role in _PARTS) or "front_foot_l" in joints:
        return figure
    rest = Pose(skeleton, skeleton.rest_coordinates)
    bound = _bound(figure)
    legs = [joints[role] for role in _PARTS]
    if not all(joint in bound for joint in legs):
        return figure
    known = _in_world(rest, bound, legs)
    up, feet = axis_of(skeleton.up), [joints[f"{LEG[2]}_{side}"] for side in "lr"]
    level = [up @ known[foot][:3, :3] @ rest.world_from_joint[foot, :3, :3].T @ up for foot in feet]
    if min(level) > np.cos(_FEET_TILT) and not stance_fault(skeleton, joints):
        return figure
    pose = _posed(rest, known, legs)
    if Biped(pose.origins[None], joints, up).fault():
        return figure
    ends = skeleton.tables.first_coordinate
    definitions = [
        replace(joint, rest=tuple(pose.q[ends[i] : ends[i + 1]].tolist()) if joint.coordinates else None)
        for i, joint in enumerate(skeleton.definitions)
    ]
    return figure.on(Skeleton(definitions, skeleton.up))


def _in_world(rest: Pose, bound: dict[int, Array], legs: list[int]) -> dict[int, Array]:
    """The bound frames in the world, upright and as large as at rest, since skins are bound in their own axes and
    units.

    They are rotated like the topmost joint at rest, and then so that the axis nearest to the vertical becomes vertical.
    """
    up, world = axis_of(rest.skeleton.up), rest.world_from_joint
    top = min(bound, key=lambda joint: len(rest.skeleton.chain(joint)))
    turn = world[top, :3, :3] @ bound[top][:3, :3].T
    axis = int(np.argmax(np.abs(up @ turn)))
    turn = matrix_from_wxyz(wxyz_between(turn[:, axis] * np.sign(up @ turn[:, axis]), up)) @ turn
    thigh = np.linalg.norm(bound[legs[1]][:3, 3] - bound[legs[0]][:3, 3])
    size = np.linalg.norm(rest.origins[legs[1]] - rest.origins[legs[0]]) / max(float(thigh), 1e-12)
    frames = {joint: np.array(frame) for joint, frame in bound.items()}
    for frame in frames.values():
        frame[:3, :3] = turn @ frame[:3, :3]
        frame[:3, 3] = size * turn @ frame[:3, 3]
    return frames


def _posed(rest: Pose, known: dict[int, Array], legs: list[int]) -> Pose:
    """The rest pose with joints rotated as in `known` and ankles at the same height; others keep their rotation."""
    wanted, world = np.array(rest.world_from_joint[:, :3, :3]), rest.world_from_joint[:, :3, :3]
    for joint, parent in enumerate(rest.skeleton.parents.tolist()):
        if joint in known:
            wanted[joint] = known[joint][:3, :3]
        elif parent >= 0:
            wanted[joint] = wanted[parent] @ world[parent].T @ world[joint]
    pose, up, to = turned(rest, wanted), axis_of(rest.skeleton.up), np.eye(4)
    hip, foot = legs[0], legs[2]
    lift = (known[foot][:3, 3] - pose.origins[foot]) @ up
    if abs(lift) > _HIP_HEIGHT_CHANGE * abs((pose.origins[hip] - pose.origins[foot]) @ up):
        lift = min(rest.origins[legs] @ up) - min(pose.origins[legs] @ up)
    to[:3, 3] = lift * up
    return moved(pose, to)


def _bound(figure: Figure) -> dict[int, Array]:
    """Joint → `[4, 4]`, its rotation and position in the space of the mesh when the skin that follows it was bound."""
    frames = bound_frames(figure.skins, len(figure.skeleton.joints))
    return {joint: frame for joint, frame in enumerate(frames) if np.isfinite(frame[0, 0])}
