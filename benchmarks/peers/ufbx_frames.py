"""What ufbx finds in an FBX file: `python ufbx_frames.py FILE OUT.npz STACK FPS COUNT`; STACK -1 for the rest alone.

A process of its own for each animation, since ufbx's binding for Python can crash.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
import ufbx

_MOST = 400  # frames of one animation


def main(path: str, out: str, stack: int, fps: float, count: int) -> None:
    """Local transforms of all nodes: at rest, and in frames of one animation."""
    scene = ufbx.load_file(path)
    nodes, stacks = list(scene.nodes), list(scene.anim_stacks)  # listed once: to list them again crashes
    place = {node.element_id: i for i, node in enumerate(nodes)}
    told = {
        "names": [node.name for node in nodes],
        "parents": [place[node.parent.element_id] if node.parent else -1 for node in nodes],
        "modes": [int(node.inherit_mode) for node in nodes],
        "heirs": [place[n.inherit_scale_node.element_id] if n.inherit_scale_node else -1 for n in nodes],
        "meters": scene.settings.unit_meters,
        "stacks": [one.name for one in stacks],
    }
    frames, moved = np.unique(np.linspace(0, max(count - 1, 0), min(max(count, 1), _MOST)).astype(int)), np.zeros(0)
    if stack >= 0:
        own, ticks = stacks[stack], scene.metadata.ktime_second  # of which keys are whole numbers
        times = [round((own.time_begin + k / fps) * ticks) / ticks for k in frames.tolist()]
        moved = np.array([[_local(ufbx.evaluate_transform(own.anim, one, time)) for one in nodes] for time in times])
    rest = np.array([_local(node.local_transform) for node in nodes])
    np.savez(out, told=json.dumps(told), rest=rest, moved=moved, frames=frames)
    os._exit(0)


def _local(one: Any) -> list[float]:
    t, r, s = one.translation, one.rotation, one.scale
    return [t.x, t.y, t.z, r.w, r.x, r.y, r.z, s.x, s.y, s.z]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
