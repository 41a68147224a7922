"""What compiling costs on first use, and what is left of it afterwards.

    python benchmarks/first_use.py

Prints a Markdown table: seconds that each call takes at its first use in a fresh interpreter, from an empty cache of
compiled kernels and from a full one. Each call is preceded by those above it, as in one program.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version

STEPS = """
import json, time
marks, last = [], time.perf_counter()

def mark(what):
    global last
    marks.append((what, time.perf_counter() - last))
    last = time.perf_counter()

import numpy as np
mark("import numpy")
import posable
mark("import posable")
import posable.skeleton, posable.skin
mark("import the kernels' packages (Numba)")
from posable import Axis, Cone, Joint, Skeleton
hinge = (Axis((0, 0, 1), lower=-1, upper=1),)
ball = Joint("b", "ball", "a", (0, 1, 0), cone=Cone((0, 1, 0), 1.0))
s = Skeleton([Joint("a", "free"), ball, Joint("c", "hinge", "b", (0, 1, 0), axes=hinge)])
pose = s.random_pose(np.random.default_rng(0))
mark("a skeleton, a random pose")
pose.world_from_joint
mark("forward kinematics")
pose.jacobian("c")
mark("Jacobian")
other = pose.plus(np.ones(s.dof))
mark("plus")
pose.minus(other)
mark("minus")
other.clamped()
mark("limits")
many = s.random_coordinates(np.random.default_rng(0), (1000,))
posable.forward_kinematics(s, many)
mark("forward kinematics of 1,000 poses")
posable.forward_kinematics(s, many, np.empty((1000, 3, 3, 4), np.float32))
mark("the same in single precision")
posable.Skin.rigid(s, "c", np.eye(3), [[0, 1, 2]]).deform(pose)
mark("skin")
posable.solve(pose, [posable.Reach("c", (0.3, 1.2, 0.1))])
mark("solve a reach")
print(json.dumps(marks))
"""


def seconds_of_each(cache: str) -> dict[str, float]:
    """Step → seconds, in an interpreter of its own."""
    environment = {**os.environ, "POSABLE_CACHE": cache, "POSABLE_QUIET": "1"}
    run = subprocess.run([sys.executable, "-c", STEPS], env=environment, capture_output=True, text=True, check=True)
    return dict(json.loads(run.stdout.splitlines()[-1]))


def main() -> None:
    """Run twice with the same cache, which is empty at first."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = seconds_of_each(cache), seconds_of_each(cache)
    versions = ", ".join(f"{package} {version(package)}" for package in ("posable", "numba", "llvmlite", "numpy"))
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}\n")
    print("| first use of | empty cache, s | full cache, s |\n|---|---:|---:|")
    for step in cold:
        print(f"| {step} | {cold[step]:.2f} | {warm[step]:.2f} |")
    print(f"| **all** | {sum(cold.values()):.2f} | {sum(warm.values()):.2f} |")


if __name__ == "__main__":
    main()
