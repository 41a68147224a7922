"""Blender's automatic weights of one mesh and its bones: PYTHON_WITH_BPY blender_rigs.py IN.npz OUT.npz

IN: vertices [place, 3], faces [face, 3], head and tail [bone, 3], parents [bone]. OUT: weights [place, bone], every row
brought to sum 1; rows that Blender leaves empty stay so. Mesh and bones are scaled to a diagonal of 10 first: small
figures come back without any weights.
"""

from __future__ import annotations

import sys

import bpy
import numpy as np

DIAGONAL = 10.0


def main(given: str, out: str) -> None:
    with np.load(given) as kept:
        vertices, faces, head, tail = (kept[key] for key in ("vertices", "faces", "head", "tail"))
        parents = kept["parents"]
    factor = DIAGONAL / np.linalg.norm(np.ptp(vertices, axis=0))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    shape = bpy.data.meshes.new("mesh")
    shape.from_pydata((vertices * factor).tolist(), [], faces.tolist())
    body = bpy.data.objects.new("body", shape)
    rig = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    for thing in (body, rig):
        bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = []
    for k in range(len(head)):
        bone = rig.data.edit_bones.new(f"b{k}")
        bone.head, bone.tail = (head[k] * factor).tolist(), (tail[k] * factor).tolist()
        bone.parent = bones[parents[k]] if parents[k] >= 0 else None
        bones.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    body.select_set(True)
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    weights = np.zeros((len(vertices), len(head)))
    bone_of = {group.index: int(group.name[1:]) for group in body.vertex_groups}
    for vertex in body.data.vertices:
        for entry in vertex.groups:
            weights[vertex.index, bone_of[entry.group]] = entry.weight
    total = weights.sum(axis=1, keepdims=True)
    np.savez(out, weights=weights / np.where(total > 0, total, 1), version=bpy.app.version_string)


if __name__ == "__main__":
    main(*sys.argv[1:])
