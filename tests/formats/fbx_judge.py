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


def _local(one: Any) -> list[float]:
    t, r, s = one.translation, one.rotation, one.scale
    return [t.x, t.y, t.z, r.w, r.x, r.y, r.z, s.x, s.y, s.z]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
