"""What Blender makes of USD or FBX that posable writes: how far joints and vertices are off, as shares of the reach.

    python benchmarks/peers/blender_usd.py PYTHON FIGURE… [--as .fbx]

PYTHON is an interpreter with bpy (pip install bpy), FIGURE any file that posable reads. Joints are compared in every
frame of the first clip, or at rest, vertices in its first and middle frame.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np


def main(python: str, *files: str) -> None:
    """Write, import and compare each file."""
    from dataclasses import replace

    import posable

    ending = ".usda"
    if "--as" in files:
        *files, _, ending = files
    print("| figure | joints | frames | joints off | vertices off |\n|---|---:|---:|---:|---:|")
    for file in files:
        figure = posable.load(file)
        with tempfile.TemporaryDirectory() as folder:
            text, found = Path(folder, f"figure{ending}"), Path(folder, "found.npz")
            clips = type(figure.clips)(figure.clips[:1])  # Blender shows the first that it reads, whichever that is
            posable.save(text, replace(figure, source=None, clips=clips))
            subprocess.run([python, __file__, "--import", text, found], check=True, stdout=subprocess.DEVNULL)
            row = _compared(figure, dict(np.load(found)))
        print(f"| {Path(file).name} | {' | '.join(row)} |", flush=True)


def _compared(figure: Any, found: dict[str, np.ndarray]) -> tuple[str, ...]:
    from posable.formats.usd.text import identifier, unique_names

    poses = figure.clips[0].poses if figure.clips else figure.rest
    count = len(figure.skeleton.joints)
    turn = np.eye(3) if figure.skeleton.up == "z" else np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    wanted = poses.origins.reshape(-1, count, 3) @ turn.T
    seen = found["names"].tolist()
    joint_names = figure.skeleton.joints if set(figure.skeleton.joints) <= set(seen) else None
    columns = [seen.index(name) for name in joint_names or unique_names("", figure.skeleton.joints)]
    joints = np.abs(found["places"][:, columns] - wanted).max() / figure.skeleton.reach
    off = [0.0]
    names = [skin.name if f"0 {skin.name}" in found else identifier(skin.name) for skin in figure.skins]
    for name, skin in zip(names, figure.skins, strict=True):
        for frame in (0, len(wanted) // 2) if names.count(name) == 1 else ():
            vertices = found.get(f"{frame} {name}", np.zeros((0, 3)))
            if len(vertices) == len(skin.vertices):
                pose = poses[frame] if figure.clips else poses
                off.append(float(np.abs(vertices - skin.deform(pose) @ turn.T).max()) / figure.skeleton.reach)
    return str(count), str(len(wanted)), f"{joints:.1e}", f"{max(off):.1e}"


def imported(text: str, found: str) -> None:
    """In Blender: the places of all bones in all frames, and vertices in two."""
    bpy: Any = importlib.import_module("bpy")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if text.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=text)
    else:
        bpy.ops.wm.usd_import(filepath=text)
    scene, objects = bpy.context.scene, list(bpy.data.objects)
    bones = [(one, bone) for one in objects if one.type == "ARMATURE" for bone in one.pose.bones]
    spans = [action.frame_range for action in bpy.data.actions] if text.endswith(".fbx") else []
    first, last = (round(spans[0][0]), round(spans[0][1])) if spans else (scene.frame_start, scene.frame_end)
    frames, places, seen = range(first, last + 1), [], {}
    for k, frame in enumerate(frames):
        scene.frame_set(frame)
        places.append([np.array(one.matrix_world @ bone.matrix)[:3, 3] for one, bone in bones])
        graph = bpy.context.evaluated_depsgraph_get()
        for one in objects if k in (0, len(frames) // 2) else ():
            if one.type == "MESH":
                mesh = one.evaluated_get(graph).to_mesh()
                flat, world = np.empty(3 * len(mesh.vertices)), np.array(one.matrix_world)
                mesh.vertices.foreach_get("co", flat)
                seen[f"{k} {one.name}"] = flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    np.savez(found, names=[bone.name for _, bone in bones], places=np.array(places), **seen)


if __name__ == "__main__":
    imported(*sys.argv[2:]) if sys.argv[1] == "--import" else main(*sys.argv[1:])
