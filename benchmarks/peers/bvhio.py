"""bvhio: reads a recording and places its joints, frame by frame."""

from __future__ import annotations

import bvhio
import numpy as np

from benchmarks.peers.protocol import serve_reader


def read(path: str) -> np.ndarray:
    """`[frame, joint, 3]`."""
    hierarchy = bvhio.readAsHierarchy(path)
    first, last = hierarchy.getKeyframeRange()
    frames = []
    for number in range(first, last + 1):
        hierarchy.loadPose(number, recursive=True)
        frames.append([list(joint.PositionWorld) for joint, _, _ in hierarchy.layout()])
    return np.array(frames)


if __name__ == "__main__":
    serve_reader(read, "bvhio")
