# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures as posable's figures, in memory, and the way back: poses, actions, bones, vertex groups.

A joint's frame is its bone's (y along the bone) in the world, z up, lengths in Blender's unit. The transform of the
armature object is part of the frames, so that targets are simply places in the scene.

posable's own modules are imported where they are used: Blender imports this file whenever it starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

import posable

_INFLUENCES = 8  # of one vertex
_SHIFT = 1e-5  # of the armature's size: a bone that moves less along its parent only rotates
_EVEN = 1e-4  # how much the scales of an object may differ


# From Blender.


def bones_of(armature: bpy.types.Object) -> list[bpy.types.Bone]:
    """All bones, parents first."""
    return sorted(armature.data.bones, key=lambda bone: len(bone.parent_recursive))


def frame_rate(scene: bpy.types.Scene) -> float:
    """Frames a second."""
    return scene.render.fps / scene.render.fps_base


def action_frames(armature: bpy.types.Object) -> range:
    """The whole frames of the active action. Raises PosableError where there is none."""
    action = armature.animation_data.action if armature.animation_data else None
    if action is None:
        raise posable.PosableError(f"{armature.name!r} has no active action; give it one in the Action Editor")
    first, last = action.frame_range
    return range(int(np.floor(first)), int(np.ceil(last)) + 1)


@contextmanager
def each_frame(scene: bpy.types.Scene) -> Iterator[None]:
    """Whatever frames are set inside, the scene's own comes back."""
    frame, part = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene.frame_set(frame, subframe=part)


def figure_of(
    armature: bpy.types.Object, frames: Sequence[int] | None = None, skins: bool = True
) -> tuple[posable.Figure, posable.Pose]:
    """The armature as a figure, and how it stands: `[frame]` poses of these frames, or the pose of now.

    The figure has the frames as its clip, and the meshes that the armature deforms, at rest, as its skins. The lowest
    bone above all that deform is free; bones that the frames move along their parents keep doing so.

    Raises PosableError for an armature without bones, or with an uneven scale.
    """
    from posable.figures.detached import attached
    from posable.formats.defaults import rigid_parts

    scene, bones = bpy.context.scene, bones_of(armature)
    if not bones:
        raise posable.PosableError(f"{armature.name!r} has no bones")
    upright = _checked(armature)
    rest = rigid_parts(upright @ np.array([bone.matrix_local for bone in bones]))
    if frames is None:
        bpy.context.view_layer.update()
        moved = _stands(armature, bones)[None]
    else:
        with each_frame(scene):
            moved = np.array([_at(scene, frame, armature, bones) for frame in frames])
    parents = np.array([-1 if bone.parent is None else bones.index(bone.parent) for bone in bones])
    skeleton = posable.Skeleton(_joints(armature, bones, parents, rest, moved), "z")
    local = _in_parents(moved, parents)
    poses = posable.pose_from_rotations(skeleton, local[..., :3, :3], local[..., :3, 3], "matrix")
    clip = posable.Clip(skeleton, poses.q, frame_rate(scene), armature.name)
    own = [found for mesh in deformed_by(armature) if (found := _skin(mesh, skeleton, rest, bones))] if skins else []
    figure = attached(posable.Figure(skeleton, armature.name, tuple(own), clips=(clip,)))
    return figure, figure.clips[0].poses if frames is not None else figure.clips[0].poses[0]


def _checked(armature: bpy.types.Object) -> np.ndarray:
    world = np.array(armature.matrix_world)
    scales = np.linalg.norm(world[:3, :3], axis=0)
    if np.ptp(scales) > _EVEN * scales.max() or np.linalg.det(world[:3, :3]) <= 0:
        raise posable.PosableError(f"{armature.name!r} is scaled unevenly or mirrored; apply its scale (Ctrl+A) first")
    return world


def _at(scene: bpy.types.Scene, frame: int, armature: bpy.types.Object, bones: list[bpy.types.Bone]) -> np.ndarray:
    scene.frame_set(frame)
    return _stands(armature, bones)


def _stands(armature: bpy.types.Object, bones: list[bpy.types.Bone]) -> np.ndarray:
    """`[bone, 4, 4]` frames in the world, as constraints and drivers have them."""
    from posable.formats.defaults import rigid_parts

    posed = armature.pose.bones
    return rigid_parts(np.array(armature.matrix_world) @ np.array([posed[bone.name].matrix for bone in bones]))


def _in_parents(world: np.ndarray, parents: np.ndarray) -> np.ndarray:
    above = np.where((parents >= 0)[:, None, None], world[..., parents, :, :], np.eye(4))
    return np.linalg.inv(above) @ world


def _joints(
    armature: bpy.types.Object, bones: list[bpy.types.Bone], parents: np.ndarray, rest: np.ndarray, moved: np.ndarray
) -> Iterator[posable.Joint]:
    """A ball for each bone, but for those that travel; locks for inverse kinematics lock it."""
    from posable.formats.defaults import free_roots, with_ancestors
    from posable.spatial import wxyz_from_matrix

    local, size = _in_parents(rest, parents), float(np.linalg.norm(np.ptp(rest[:, :3, 3], axis=0)))
    shifts = np.linalg.norm((_in_parents(moved, parents) - local)[..., :3, 3], axis=-1).max(axis=0)
    free = free_roots(parents, range(len(bones)), _deforming(armature, bones))
    above = with_ancestors(parents, free) - free
    scale = float(np.linalg.norm(np.array(armature.matrix_world)[:3, 0]))
    for k, bone in enumerate(bones):
        posed = armature.pose.bones[bone.name]
        turns = (False,) * 3 if k in above else tuple(not getattr(posed, f"lock_ik_{axis}") for axis in "xyz")
        floats = k in free or shifts[k] > _SHIFT * size
        yield posable.Joint(
            bone.name,
            "free" if floats else "ball",
            None if parents[k] < 0 else bones[parents[k]].name,
            position=tuple(local[k, :3, 3]),
            wxyz=tuple(wxyz_from_matrix(local[k, :3, :3])),
            active=((k in free,) * 3 if floats else ()) + turns,
            tips=() if bone.children else ((0.0, bone.length * scale, 0.0),),
        )


def _deforming(armature: bpy.types.Object, bones: list[bpy.types.Bone]) -> set[int]:
    """The bones that move a mesh; where none does, those that are told to deform."""
    weighted = set()
    for mesh in deformed_by(armature):
        used = {entry.group for vertex in mesh.data.vertices for entry in vertex.groups if entry.weight > 0}
        weighted |= {group.name for group in mesh.vertex_groups if group.index in used}
    found = {k for k, bone in enumerate(bones) if bone.name in weighted}
    return found or {k for k, bone in enumerate(bones) if bone.use_deform} or set(range(len(bones)))


def deformed_by(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes with an Armature modifier for it."""
    return [
        thing
        for thing in bpy.context.scene.objects
        if thing.type == "MESH" and any(m.type == "ARMATURE" and m.object == armature for m in thing.modifiers)
    ]


def surface_of(mesh: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Vertices `[vertex, 3]` in the world, without modifiers, and triangles `[face, 3]`."""
    shape = mesh.data
    places = np.empty(3 * len(shape.vertices), np.float32)
    shape.vertices.foreach_get("co", places)
    shape.calc_loop_triangles()
    faces = np.empty(3 * len(shape.loop_triangles), np.int32)
    shape.loop_triangles.foreach_get("vertices", faces)
    world = np.array(mesh.matrix_world)
    return places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3], faces.reshape(-1, 3)


def _skin(
    mesh: bpy.types.Object, skeleton: posable.Skeleton, rest: np.ndarray, bones: list[bpy.types.Bone]
) -> posable.Skin | None:
    """The mesh by its vertex groups; vertices in none of them follow the first bone. None without faces."""
    vertices, faces = surface_of(mesh)
    if not len(faces):
        return None
    number = {bone.name: k for k, bone in enumerate(bones)}
    joint_of = {group.index: number[group.name] for group in mesh.vertex_groups if group.name in number}
    joints = np.zeros((len(vertices), _INFLUENCES), np.int32)
    weights = np.zeros((len(vertices), _INFLUENCES), np.float32)
    for k, vertex in enumerate(mesh.data.vertices):
        pairs = [(entry.weight, joint_of[entry.group]) for entry in vertex.groups if entry.group in joint_of]
        for n, (weight, joint) in enumerate(sorted(pairs, reverse=True)[:_INFLUENCES]):
            joints[k, n], weights[k, n] = joint, weight
    weights[weights.sum(axis=1) == 0, 0] = 1.0
    weights /= weights.sum(axis=1, keepdims=True)
    return posable.Skin(skeleton, vertices, faces, joints, weights, np.linalg.inv(rest), name=mesh.name)


# Back to Blender.


def matrices_of(armature: bpy.types.Object, poses: posable.Pose) -> Iterator[dict[str, Matrix]]:
    """For one pose or each of `[frame]`, the transforms of the bones as their channels have them."""
    upright, names = np.array(armature.matrix_world), poses.skeleton.joints
    turn = np.eye(4)
    turn[:3, :3] = upright[:3, :3] / np.linalg.norm(upright[:3, 0])
    bones = bones_of(armature)
    for world in poses.world_from_joint.reshape(-1, len(names), 4, 4):
        inside = turn.T @ world
        inside[:, :3, 3] = (np.linalg.inv(upright) @ world[:, :, 3:])[:, :3, 0]
        frames = {name: Matrix(inside[k]) for k, name in enumerate(names)}
        found = {}
        for bone in bones:
            above = {}
            if bone.parent:
                above = {"parent_matrix": frames[bone.parent.name], "parent_matrix_local": bone.parent.matrix_local}
            found[bone.name] = bone.convert_local_to_pose(frames[bone.name], bone.matrix_local, **above, invert=True)
        yield found


def write_pose(armature: bpy.types.Object, pose: posable.Pose, key: bool) -> None:
    """Set the bones to a pose; `key` inserts keys for those that moved, at the current frame."""
    for name, matrix in next(matrices_of(armature, pose)).items():
        bone = armature.pose.bones[name]
        place, turn, _ = matrix.decompose()
        moved = (place - bone.location).length > 1e-6
        turned = abs(turn.dot(bone.matrix_basis.to_quaternion())) < 1 - 1e-9
        if not (moved or turned):
            continue
        bone.matrix_basis = Matrix.LocRotScale(place, turn, bone.scale)
        if key:
            bone.keyframe_insert(_path(bone.rotation_mode), group=name)
            if moved:
                bone.keyframe_insert("location", group=name)


def write_action(armature: bpy.types.Object, clip: posable.Clip, name: str, start: int) -> bpy.types.Action:
    """A new action with a key for each bone and frame, made the active one; the old one is kept with a fake user."""
    rate = frame_rate(bpy.context.scene)
    clip = clip if abs(clip.fps - rate) < 1e-6 else clip.resample(rate)
    moves = list(matrices_of(armature, clip.poses))
    kept = armature.animation_data or armature.animation_data_create()
    if kept.action:
        kept.action.use_fake_user = True
    action = bpy.data.actions.new(name)
    slot = action.slots.new("OBJECT", armature.name)
    bag = action.layers.new("posable").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    kept.action, kept.action_slot = action, slot
    at = np.arange(start, start + len(moves))
    for bone in armature.pose.bones:
        own = [move[bone.name] for move in moves]
        group = bag.groups.new(bone.name)
        places = np.array([matrix.to_translation() for matrix in own])
        if np.abs(places).max() > 1e-6 * max(1.0, bone.length) or not bone.parent:
            _write_curves(bag, group, bone.path_from_id("location"), at, places)
        _write_curves(bag, group, bone.path_from_id(_path(bone.rotation_mode)), at, _turns(bone, own))
    return action


def _path(mode: str) -> str:
    return {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")


def _turns(bone: bpy.types.PoseBone, matrices: list[Matrix]) -> np.ndarray:
    """`[frame, 3 or 4]` the rotations in the bone's own mode, each near the one before."""
    turns: list[Quaternion] = []
    for matrix in matrices:
        turn = matrix.to_quaternion()
        if turns:
            turn.make_compatible(turns[-1])
        turns.append(turn)
    if bone.rotation_mode == "QUATERNION":
        return np.array(turns)
    if bone.rotation_mode == "AXIS_ANGLE":
        return np.array([(angle, *axis) for axis, angle in (turn.to_axis_angle() for turn in turns)])
    angles = [turns[0].to_euler(bone.rotation_mode)]
    for turn in turns[1:]:
        angles.append(turn.to_euler(bone.rotation_mode, angles[-1]))
    return np.array(angles)


def _write_curves(bag, group, path: str, at: np.ndarray, values: np.ndarray) -> None:
    linear = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
    for index, own in enumerate(values.T):
        curve = bag.fcurves.new(path, index=index)
        curve.group = group
        curve.keyframe_points.add(len(at))
        curve.keyframe_points.foreach_set("co", np.stack([at, own], axis=1).ravel())
        curve.keyframe_points.foreach_set("interpolation", [linear] * len(at))
        curve.update()


def new_armature(skeleton: posable.Skeleton, name: str) -> bpy.types.Object:
    """An armature with a bone for each joint: from the joint to the one after it, or to its tip.

    Raises PosableError unless Blender is in object mode.
    """
    places = posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    below = {k: [j for j, parent in enumerate(skeleton.parents) if parent == k] for k in range(len(skeleton.joints))}
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        made: list[bpy.types.EditBone] = []
        for k, joint in enumerate(skeleton.definitions):
            bone = armature.data.edit_bones.new(joint.name)
            bone.head = places[k, :3, 3]
            bone.parent = made[skeleton.parents[k]] if skeleton.parents[k] >= 0 else None
            bone.tail = _tail(joint, places, k, below, bone)
            made.append(bone)
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _tail(
    joint: posable.Joint, places: np.ndarray, k: int, below: dict[int, list[int]], bone: bpy.types.EditBone
) -> np.ndarray:
    """Where the joint that carries most is, or its tip; else on as its parent goes, half as far."""

    def carried(j: int) -> int:
        return 1 + sum(carried(child) for child in below[j])

    for j in sorted(below[k], key=carried, reverse=True):
        if np.linalg.norm(places[j, :3, 3] - places[k, :3, 3]) > 1e-6:
            return places[j, :3, 3]
    for tip in joint.tips:
        if np.linalg.norm(tip) > 1e-6:
            return (places[k] @ (*tip, 1.0))[:3]
    along = np.array(bone.parent.tail - bone.parent.head) if bone.parent else np.array((0.0, 0.0, 1.0))
    return places[k, :3, 3] + along / 2


def write_weights(mesh: bpy.types.Object, armature: bpy.types.Object, skin: posable.Skin) -> None:
    """Weights as vertex groups in place of those of the same names, the mesh under the armature with its modifier."""
    joints = skin.skeleton.joints
    for name in joints:
        if name in mesh.vertex_groups:
            mesh.vertex_groups.remove(mesh.vertex_groups[name])
    groups = {int(j): mesh.vertex_groups.new(name=joints[j]) for j in np.unique(skin.joints[skin.weights > 0])}
    for vertex, (own, weights) in enumerate(zip(skin.joints.tolist(), skin.weights.tolist(), strict=True)):
        for joint, weight in zip(own, weights, strict=True):
            if weight > 0:
                groups[joint].add([vertex], weight, "ADD")
    if mesh.parent != armature:
        placed = mesh.matrix_world.copy()
        mesh.parent = armature
        mesh.matrix_parent_inverse = armature.matrix_world.inverted()
        mesh.matrix_world = placed
    modifiers = [m for m in mesh.modifiers if m.type == "ARMATURE"] or [mesh.modifiers.new("Armature", "ARMATURE")]
    modifiers[0].object = armature
