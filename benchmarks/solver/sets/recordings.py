"""BVH: reading a recording and placing every joint in every frame."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import posable
from benchmarks.solver.environments import OURS, MissingPeerError
from benchmarks.solver.figures import tree_of
from benchmarks.solver.runs import Bench
from benchmarks.solver.table import Row, Section, number
from benchmarks.solver.trees import place
from posable import Clip, Figure, Joint, Pose, Skeleton

JOINTS = 60
READERS = {"**posable**": OURS, "pybvh": "pybvh", "bvhio": "bvhio"}


def recordings(bench: Bench) -> Iterator[Section]:
    """BVH."""
    frames = bench.count(1000, 50)
    bench.work.mkdir(parents=True, exist_ok=True)
    path = bench.work / "recording.bvh"
    truth = write(path, frames)
    asked = bench.work / "recording.npz"
    np.savez(asked, about=json.dumps({"path": str(path), "rounds": 15, "seconds": bench.seconds / 4}))
    text = f"{frames:,} frames of {JOINTS} joints, {path.stat().st_size / 1e6:.2f} MB of text."
    section, best = Section("BVH — reading a recording and placing every joint", text), None
    for label, name in READERS.items():
        print(f"{section.title}: {label}", file=sys.stderr)
        try:
            answers = bench.environments.ask(name, asked, 20 * bench.seconds, ours="our_reader")
        except MissingPeerError as missing:
            section.rows.append({"reader": label, "settings": f"did not run: {missing}"})
            continue
        taken = float(np.median(answers.microseconds)) / 1e3
        best = taken if best is None and name == OURS else best
        row: Row = {"reader": label, "median ms": number(taken), "× median": number(taken / best) if best else "—"}
        row["largest error / size"] = f"{np.abs(answers.q - truth).max() / np.ptp(truth[0], axis=0).max():.1e}"
        row["settings"] = f"{answers.about['versions']}: {answers.about['settings']}"
        section.rows.append(row)
    yield section


def write(path: Path, frames: int) -> np.ndarray:
    """A figure of balls below a free root, a trunk and limbs of five joints, moving smoothly; where its joints are."""
    rng = np.random.default_rng(0)
    definitions = [Joint("root", "free", position=(0.0, 90.0, 0.0))]
    for j in range(1, JOINTS):
        above = definitions[j - 1] if j % 5 else definitions[max(0, j - 8)]
        x, y, z = rng.normal(0, 8, 3).tolist()
        tips = ((0.0, 5.0, 0.0),) if j % 5 == 4 or j == JOINTS - 1 else ()
        definitions.append(Joint(f"joint{j}", "ball", above.name, (x, y, z), tips=tips))
    skeleton = Skeleton(definitions)
    start = Pose(skeleton, skeleton.rest_coordinates)
    clip = Clip(skeleton, start.plus(np.cumsum(rng.normal(0, 0.01, (frames, skeleton.dof)), axis=0)).q, 120)
    posable.save(path, Figure(skeleton), clip, overwrite=True)
    text, motion = path.read_text().split("Frame Time:")
    head, *rows = motion.splitlines()
    six_places = [" ".join(f"{float(word):.6f}" for word in row.split()) for row in rows]  # as most programs write
    path.write_text(text + "Frame Time:" + "\n".join([head, *six_places]) + "\n")
    written = list(posable.load(path).skeleton.joints)  # a file lists a figure limb by limb
    own = tree_of(skeleton, "recording")
    return place(own, clip.q)[:, [own.index(name) for name in written]][..., :3, 3]
