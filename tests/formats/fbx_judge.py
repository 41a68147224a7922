"""What ufbx finds in an FBX file, as JSON on the standard output: `python fbx_judge.py FILE [STACK]`.

A process of its own for each animation, since ufbx's binding for Python can crash, most often on a second one.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import ufbx


def main(path: str, stack: int) -> None:
    """Print the nodes, their local transforms at rest, and those of one animation in each frame."""
    scene = ufbx.load_file(path)
    nodes, stacks = list(scene.nodes), list(scene.anim_stacks)  # listed once: to list them again crashes
    place = {node.element_id: i for i, node in enumerate(nodes)}
    fps = scene.settings.frames_per_second
    said: dict[str, Any] = {
        "names": [node.name for node in nodes],
        "parents": [place[node.parent.element_id] if node.parent else -1 for node in nodes],
        "modes": [int(node.inherit_mode) for node in nodes],
        "heirs": [place[n.inherit_scale_node.element_id] if n.inherit_scale_node else -1 for n in nodes],
        "local": [_local(node.local_transform) for node in nodes],
        "meters": scene.settings.unit_meters,
        "fps": fps,
        "stacks": [(one.name, one.time_begin, one.time_end) for one in stacks],
        "moved": {},
        "seen": [_seen(node, scene.settings.unit_meters) for node in nodes if node.camera or node.light],
    }
    if stack < len(stacks):
        own = stacks[stack]
        count = round((own.time_end - own.time_begin) * fps) + 1
        ticks = scene.metadata.ktime_second  # of which keys are whole numbers
        times = [round((own.time_begin + k / fps) * ticks) / ticks for k in range(count)]
        said["moved"] = {
            i: [_local(ufbx.evaluate_transform(own.anim, node, time)) for time in times] for i, node in enumerate(nodes)
        }
    sys.stdout.write(json.dumps(said))
    sys.stdout.flush()
    os._exit(0)


def _seen(node: Any, meters: float) -> tuple[str, list[float]]:
    """A camera or light: what it is, in metres, where it stands and which way its x axis points."""
    frame, camera, light = node.node_to_world, node.camera, node.light
    numbers = [meters * frame.c3.x, meters * frame.c3.y, meters * frame.c3.z]
    size = (frame.c0.x**2 + frame.c0.y**2 + frame.c0.z**2) ** 0.5
    numbers += [frame.c0.x / size, frame.c0.y / size, frame.c0.z / size]
    if camera:
        numbers += [camera.field_of_view_deg.x, camera.field_of_view_deg.y, camera.focal_length_mm]
        numbers += [camera.aspect_ratio, int(camera.projection_mode)]
        numbers += [meters * one for one in (camera.near_plane, camera.far_plane, camera.orthographic_extent)]
    else:
        numbers += [light.color.x, light.color.y, light.color.z, light.intensity, light.outer_angle, light.inner_angle]
        numbers += [int(light.type), int(light.decay), int(light.cast_light)]
    return node.name, numbers


def _local(one: Any) -> list[float]:
    t, r, s = one.translation, one.rotation, one.scale
    return [t.x, t.y, t.z, r.w, r.x, r.y, r.z, s.x, s.y, s.z]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
