"""posable: reads a recording and places its joints."""

from __future__ import annotations

import numpy as np

import posable
from benchmarks.peers.protocol import serve_reader


def read(path: str) -> np.ndarray:
    """`[frame, joint, 3]`."""
    return posable.load(path).clips[0].poses.origins


if __name__ == "__main__":
    serve_reader(read, "posable")
