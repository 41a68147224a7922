"""posable's retargeting, asked as its peers are: the same recordings, one thread."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import posable
from benchmarks.peers.protocol import keep, stay_on_one_core
from benchmarks.robots import recording


def main() -> None:
    """Answer the question that the command line names."""
    stay_on_one_core()
    with np.load(sys.argv[1]) as asked:
        figure = posable.load(str(asked["robot"]), root="free")
        clips = [recording(Path(path), int(n)) for path, n in zip(asked["recordings"], asked["frames"], strict=True)]
    posable.motion.retargeting(clips[0], figure)  # kernels are loaded, or compiled
    answers, taken, floors = [], [], []
    for clip in clips:
        began = time.process_time_ns()
        found = posable.motion.retargeting(clip, figure)
        taken.append(time.process_time_ns() - began)
        answers.append(found.clip.q)
        floors.append(found.floor)
    versions = f"posable {posable.__version__}"
    keep(np.concatenate(answers), np.array(taken), "as it is", versions, floors=np.array(floors))


if __name__ == "__main__":
    main()
