"""pybvh: reads a recording and places its joints."""

from __future__ import annotations

import numpy as np
import pybvh

from benchmarks.peers.protocol import serve_reader


def read(path: str) -> np.ndarray:
    """`[frame, joint, 3]`."""
    bvh = pybvh.read_bvh_file(path, world_up="+y")
    kept = [j for j, node in enumerate(bvh.nodes) if not node.is_end_site()]
    return bvh.node_positions()[:, kept]


if __name__ == "__main__":
    serve_reader(read, "pybvh")
