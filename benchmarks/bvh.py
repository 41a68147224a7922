"""How fast a BVH is read and posed, beside pybvh and bvhio in the same run.

    python benchmarks/bvh.py

Prints a Markdown table: reading a file of 1,000 frames × 60 joints and placing every joint in every frame (median of
the rounds, in which the readers take turns; kernels compiled), and how far the positions of the readers differ.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

import posable
from posable import Clip, Figure, Joint, Pose, Skeleton

Reader = Callable[[Path], np.ndarray]
SLOW_ROUNDS = 2  # bvhio takes seconds


def recording(path: Path, frames: int, joints: int) -> None:
    """A figure of `joints` balls below a free root: a trunk, and limbs of five joints from it; it moves smoothly."""
    rng = np.random.default_rng(0)
    definitions = [Joint("root", "free", position=(0.0, 90.0, 0.0))]
    for j in range(1, joints):
        above = definitions[j - 1] if j % 5 else definitions[max(0, j - 8)]
        x, y, z = rng.normal(0, 8, 3).tolist()
        tips = ((0.0, 5.0, 0.0),) if j % 5 == 4 or j == joints - 1 else ()
        definitions.append(Joint(f"joint{j}", "ball", above.name, (x, y, z), tips=tips))
    skeleton = Skeleton(definitions)
    start = Pose(skeleton, skeleton.rest_coordinates)
    clip = Clip(skeleton, start.plus(np.cumsum(rng.normal(0, 0.01, (frames, skeleton.dof)), axis=0)).q, 120)
    posable.save(path, Figure(skeleton), clip)
    written = path.read_text().split("Frame Time:")
    head, *rows = written[1].splitlines()
    six_places = [" ".join(f"{float(word):.6f}" for word in row.split()) for row in rows]  # as most programs write
    path.write_text(written[0] + "Frame Time:" + "\n".join([head, *six_places]) + "\n")


def with_posable(path: Path) -> np.ndarray:
    """`[frame, joint, 3]`."""
    return posable.load(path).clips[0].poses.origins


def with_pybvh(path: Path) -> np.ndarray:
    """`[frame, joint, 3]`."""
    import pybvh

    bvh = pybvh.read_bvh_file(path, world_up="+y")
    kept = [j for j, node in enumerate(bvh.nodes) if not node.is_end_site()]
    return bvh.node_positions()[:, kept]


def with_bvhio(path: Path) -> np.ndarray:
    """`[frame, joint, 3]`."""
    import bvhio

    hierarchy = bvhio.readAsHierarchy(str(path))
    first, last = hierarchy.getKeyframeRange()
    frames = []
    for frame in range(first, last + 1):
        hierarchy.loadPose(frame, recursive=True)
        frames.append([list(joint.PositionWorld) for joint, _, _ in hierarchy.layout()])
    return np.array(frames)


READERS: dict[str, Reader] = {"posable": with_posable, "pybvh": with_pybvh, "bvhio": with_bvhio}


def milliseconds(readers: dict[str, Reader], path: Path, rounds: int) -> dict[str, float]:
    """The median time of reading and placing; readers take turns, so that other work on the machine hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in readers}
    for turn in range(rounds):
        for name, reader in readers.items():
            if turn < SLOW_ROUNDS or name != "bvhio":
                start = time.perf_counter()
                reader(path)
                times[name].append(1e3 * (time.perf_counter() - start))
    return {name: statistics.median(taken) for name, taken in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--joints", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording.bvh"
        recording(path, options.frames, options.joints)
        report(path, options)


def report(path: Path, options: argparse.Namespace) -> None:
    """The table, and what it was measured on."""
    installed = {name: reader for name, reader in READERS.items() if importlib.util.find_spec(name)}
    places = {name: reader(path) for name, reader in installed.items()}
    size = float(np.ptp(places["posable"][0], axis=0).max())
    taken = milliseconds(installed, path, options.rounds)
    megabytes = path.stat().st_size / 1e6
    print(f"BVH, {options.frames} frames × {options.joints} joints, {megabytes:.2f} MB: parsing and kinematics\n")
    print("| reader | version | ms | against posable | largest difference / size |")
    print("|---|---|---|---|---|")
    for name in installed:
        ratio, difference = taken[name] / taken["posable"], np.abs(places[name] - places["posable"]).max() / size
        print(f"| {name} | {version(name)} | {taken[name]:.1f} | {ratio:.2f} × | {difference:.1e} |")
    software = f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {version('numba')}"
    print(f"\n{platform.machine()}, {os.cpu_count()} cores, {processor()}; {software}")


def processor() -> str:
    """The processor's name where the system tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    main()
