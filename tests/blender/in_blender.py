"""Run by a Python with bpy: in_blender.py all ZIP FIGURE.glb WALK.bvh MESH.obj OUT.blend, or: again OUT.blend

Installs the extension, runs every operator and prints, as JSON, what Blender itself measures of the results; `again`
measures the same in the saved file, without the extension. The environment says where Blender's user folder is.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import bpy
import numpy as np

FRAMES = range(0, 31, 5)  # at which a result is measured


def installed(zipped: str) -> dict[str, str]:
    """Install the extension from its zip, and say where posable and NumPy now come from."""
    bpy.ops.preferences.addon_enable(module="bl_pkg")
    bpy.ops.extensions.package_install_files(filepath=zipped, repo="user_default", enable_on_install=True)
    import posable

    return {"posable": posable.__file__, "version": posable.__version__, "numpy": np.__version__}


def only(*things: bpy.types.Object) -> None:
    """Select these objects alone, the last as the active one."""
    for thing in bpy.context.scene.objects:
        thing.select_set(thing in things)
    bpy.context.view_layer.objects.active = things[-1]


def head(armature: bpy.types.Object, bone: str, frame: int | None = None) -> np.ndarray:
    """Where a bone begins, in the world."""
    if frame is not None:
        bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()
    return np.array(armature.matrix_world @ armature.pose.bones[bone].head)


def marked(name: str, place: np.ndarray) -> bpy.types.Object:
    """An empty of that name."""
    empty = bpy.data.objects.new(name, None)
    bpy.context.collection.objects.link(empty)
    empty.location = place
    bpy.context.view_layer.update()
    return empty


def done(operator: object, **options: object) -> str:
    """Run an operator as a user does, with a step of undo."""
    result = operator("EXEC_DEFAULT", True, **options)  # type: ignore[operator]
    return "FINISHED" if result == {"FINISHED"} else f"{result}"


def refused(operator: object, **options: object) -> str:
    """The report of an operator that fails."""
    try:
        operator("EXEC_DEFAULT", True, **options)  # type: ignore[operator]
    except RuntimeError as problem:
        return str(problem).strip()
    return ""


def find(armature: bpy.types.Object, pattern: str) -> str:
    """The first bone whose name matches."""
    return next(bone.name for bone in armature.data.bones if re.fullmatch(pattern, bone.name))


def curve_points(armature: bpy.types.Object) -> int:
    """The number of keys in the active action."""
    action = armature.animation_data.action
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return sum(len(curve.keyframe_points) for bag in bags for curve in bag.fcurves)


def reached(rig: bpy.types.Object) -> dict[str, object]:
    """Reach in this frame: how far the hand is off, how far the feet went, and what undo and redo bring back."""
    hand, feet = find(rig, r"hand[._]r"), [find(rig, rf"foot[._]{side}") for side in "lr"]
    before, stood = head(rig, hand), [head(rig, foot) for foot in feet]
    target = before + 0.25 * np.linalg.norm(head(rig, find(rig, r"hand[._]l")) - before) * np.array((0.4, -0.3, 0.2))
    empty = marked("somewhere", target)
    only(empty, rig)
    told = refused(bpy.ops.posable.reach)
    empty["posable_bone"] = "right hand"
    locked = rig.pose.bones[find(rig, r"spine|spine_01")]
    locked.lock_ik_x = locked.lock_ik_y = locked.lock_ik_z = True
    bpy.ops.ed.undo_push(message="before")
    said = done(bpy.ops.posable.reach)
    found = {
        "said": said,
        "unknown": told,
        "off": float(np.linalg.norm(head(rig, hand) - target)),
        "feet": max(float(np.linalg.norm(head(rig, f) - was)) for f, was in zip(feet, stood, strict=True)),
        "keys": curve_points(rig),
        "locked": locked.matrix_basis.to_quaternion().angle,
        "others": max(bone.matrix_basis.to_quaternion().angle for bone in rig.pose.bones),
    }
    name = rig.name
    bpy.ops.ed.undo()
    rig = bpy.data.objects[name]
    found["undone"] = float(np.linalg.norm(head(rig, hand) - before))
    found["keys undone"] = curve_points(rig) if rig.animation_data and rig.animation_data.action else 0
    bpy.ops.ed.redo()
    rig = bpy.data.objects[name]
    found["redone"] = float(np.linalg.norm(head(rig, hand) - target))
    return found


def walked(rig: bpy.types.Object) -> dict[str, object]:
    """Walk, then damage the walk so that feet slide, then plant: how far feet slip while they stand."""
    only(rig)
    bpy.context.scene.frame_set(0)
    said = done(bpy.ops.posable.walk, steps=4)
    action = rig.animation_data.action
    last = int(action.frame_range[1])
    hips, toes = moving(rig, last), [find(rig, rf"(toes|ball)[._]{side}") for side in "lr"]
    went = head(rig, hips, last) - head(rig, hips, 0)
    stands = standing(rig, toes, last)
    kept = slips(rig, stands)
    bags = action.layers[0].strips[0].channelbags[0]
    for curve in bags.fcurves:
        if curve.data_path == f'pose.bones["{hips}"].location':
            points = curve.keyframe_points
            values = np.empty(2 * len(points))
            points.foreach_get("co", values)
            values[1::2] *= 1.15
            points.foreach_set("co", values)
            curve.update()
    broken = slips(rig, stands)
    planted = done(bpy.ops.posable.plant_feet)
    return {
        "said": said,
        "planted": planted,
        "frames": last,
        "went": float(np.linalg.norm(went[:2])),
        "slip": kept,
        "slip broken": broken,
        "slip planted": slips(rig, stands),
        "old action": action.name in bpy.data.actions and action.use_fake_user,
        "action": rig.animation_data.action.name,
    }


def moving(rig: bpy.types.Object, last: int) -> str:
    """The highest bone that travels."""
    for bone in rig.data.bones:
        if np.linalg.norm(head(rig, bone.name, last) - head(rig, bone.name, 0)) > 0.1:
            return bone.name
    raise AssertionError("nothing travels")


def standing(rig: bpy.types.Object, toes: list[str], last: int) -> dict[str, list[int]]:
    """The frames in which each foot stands, also in the two frames before and after, until the next frame."""
    found: dict[str, list[int]] = {}
    for name in toes:
        steps = np.linalg.norm(np.diff([head(rig, name, frame) for frame in range(last + 1)], axis=0), axis=1)
        still = steps < 0.02 * steps.max()
        found[name] = [frame for frame in range(2, last - 2) if still[frame - 2 : frame + 3].all()]
    return found


def slips(rig: bpy.types.Object, stands: dict[str, list[int]]) -> float:
    """The mean way of standing feet in a frame."""
    steps = [head(rig, name, f + 1) - head(rig, name, f) for name, frames in stands.items() for f in frames]
    return float(np.linalg.norm(np.array(steps)[:, :2], axis=1).mean())


def over_action(rig: bpy.types.Object) -> dict[str, object]:
    """An empty that moves, laid over the whole action: how far the hand is off at most."""
    hand, last = find(rig, r"hand[._]l"), int(rig.animation_data.action.frame_range[1])
    empty = marked(hand, np.zeros(3))
    for frame in (0, last):
        empty.location = head(rig, hand, frame) + np.array((0.0, 0.0, 0.03))
        empty.keyframe_insert("location", frame=frame)
    only(empty, rig)
    said = done(bpy.ops.posable.reach, over="ACTION")
    off = [float(np.linalg.norm(head(rig, hand, f) - np.array(empty.matrix_world.translation))) for f in (0, last)]
    return {"said": said, "off": max(off)}


def retargeted(rig: bpy.types.Object, recording: str) -> dict[str, object]:
    """A recording's armature onto the figure: what the figure does is compared with the source."""
    bpy.ops.import_anim.bvh(filepath=recording, global_scale=1.0, use_fps_scale=True)
    source = bpy.context.active_object
    only(rig)
    alone = refused(bpy.ops.posable.retarget)
    only(source, rig)
    said = done(bpy.ops.posable.retarget)
    last = int(rig.animation_data.action.frame_range[1])
    foot, hips = find(rig, r"foot[._]l"), moving(rig, last)
    return {
        "said": said,
        "alone": alone,
        "frames": last,
        "source frames": int(source.animation_data.action.frame_range[1]),
        "went": float(np.linalg.norm((head(rig, hips, last) - head(rig, hips, 0))[:2])),
        "lowest foot": min(float(head(rig, foot, f)[2]) for f in range(0, last, 5)),
        "rest foot": float((rig.matrix_world @ rig.data.bones[foot].head_local)[2]),
    }


def bound(mesh_file: str) -> dict[str, object]:
    """A bare mesh: skeleton fitted and bound, then bound anew to that armature; an arm is turned."""
    bpy.ops.wm.obj_import(filepath=mesh_file)
    mesh = bpy.context.selected_objects[0]
    only(mesh)
    said = done(bpy.ops.posable.fit_and_bind)
    rig = bpy.context.view_layer.objects.active
    first = weights_of(mesh)
    only(mesh, rig)
    again = done(bpy.ops.posable.bind)
    at_rest = deformed(mesh)
    arm = find(rig, r"upper_arm_l|upperarm_l|arm_l")
    rig.pose.bones[arm].rotation_mode = "XYZ"
    rig.pose.bones[arm].rotation_euler = (0.6, 0.0, 0.3)
    moved = np.linalg.norm(deformed(mesh) - at_rest, axis=1)
    return {
        "said": said,
        "again": again,
        "bones": len(rig.data.bones),
        "groups": len(mesh.vertex_groups),
        "sums": [float(first.sum(axis=1).min()), float(first.sum(axis=1).max())],
        "same": float(np.abs(first - weights_of(mesh)).sum(axis=1).mean()),
        "moved": float(moved.max()),
        "share moved": float((moved > 1e-4).mean()),
        "modifiers": [m.object.name for m in mesh.modifiers if m.type == "ARMATURE"],
        "rig": rig.name,
    }


def weights_of(mesh: bpy.types.Object) -> np.ndarray:
    """`[vertex, group]`, groups in the order of their names."""
    order = {name: k for k, name in enumerate(sorted(group.name for group in mesh.vertex_groups))}
    weights = np.zeros((len(mesh.data.vertices), len(order)))
    for vertex in mesh.data.vertices:
        for entry in vertex.groups:
            weights[vertex.index, order[mesh.vertex_groups[entry.group].name]] = entry.weight
    return weights


def deformed(mesh: bpy.types.Object) -> np.ndarray:
    """Vertices in the world as modifiers leave them."""
    bpy.context.view_layer.update()
    made = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([made.matrix_world @ vertex.co for vertex in made.data.vertices])


def measured(rig: bpy.types.Object) -> dict[str, list[list[float]]]:
    """Where bones are in some frames."""
    return {str(f): [head(rig, bone.name, f).tolist() for bone in rig.pose.bones] for f in FRAMES}


def everything(zipped: str, figure: str, recording: str, mesh: str, out: str) -> dict[str, object]:
    """All operators on one figure."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    found: dict[str, object] = {"installed": installed(zipped)}
    bpy.ops.import_scene.gltf(filepath=figure)
    name = next(thing.name for thing in bpy.data.objects if thing.type == "ARMATURE")
    rig = bpy.data.objects[name]
    if rig.animation_data:
        rig.animation_data_clear()
    for bone in rig.pose.bones:
        bone.matrix_basis.identity()
    rig.location, rig.rotation_euler[2] = (0.3, -0.2, 0.0), 0.4
    rig.rotation_mode = "XYZ"
    bpy.context.scene.render.fps = 30
    found["reach"] = reached(rig)
    rig = bpy.data.objects[name]  # undo makes objects anew
    rig.animation_data_clear()
    for bone in rig.pose.bones:
        bone.matrix_basis.identity()
    found["walk"] = walked(rig)
    found["over"] = over_action(rig)
    found["retarget"] = retargeted(rig, recording)
    found["bind"] = bound(mesh)
    found["measured"] = measured(rig)
    found["rig"] = rig.name
    bpy.ops.wm.save_as_mainfile(filepath=out)
    return found


def again(saved: str) -> dict[str, object]:
    """The saved file, in a Blender without the extension."""
    bpy.ops.wm.open_mainfile(filepath=saved)
    rigs = {thing.name: thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.animation_data}
    return {
        "extension": hasattr(bpy.types, "POSABLE_OT_reach"),
        "actions": sorted(action.name for action in bpy.data.actions),
        "measured": {name: measured(rig) for name, rig in rigs.items()},
        "groups": sorted(len(t.vertex_groups) for t in bpy.data.objects if t.type == "MESH" and t.vertex_groups),
    }


if __name__ == "__main__":
    result = everything(*sys.argv[2:]) if sys.argv[1] == "all" else again(*sys.argv[2:])
    Path(sys.argv[-1]).with_suffix(".json").write_text(json.dumps(result))
