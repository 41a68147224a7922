"""Forward kinematics beside its peers in one run.

    python benchmarks/forward.py

Prints a Markdown table of poses a second: a tree of 60 joints, 10,000 poses at once. Each figure is the best of several
runs, all on the machine that prints it; run it on an idle one.
"""

from __future__ import annotations

import importlib
import itertools
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from posable.skeleton import Axis, Joint, Skeleton, forward_kinematics, forward_kinematics_blocks
from posable.spatial import matrix_from_wxyz

JOINTS, POSES, SECONDS = 60, 10_000, 1.5
Row = tuple[str, str, float]


def tree(kind: str, count: int = JOINTS) -> Skeleton:
    """A tree with a new limb every sixth joint: all balls, all hinges about slanted axes, or every kind in turn."""
    rng = np.random.default_rng(0)
    joints = []
    for i in range(count):
        own = ("ball", "hinge", "slide", "universal", "free", "planar")[i % 6] if kind == "mixed" else kind
        turns = {"hinge": [False], "slide": [True], "universal": [False, False]}.get(own, [])
        axes = tuple(Axis(tuple(rng.normal(size=3)), slide) for slide in turns)
        parent = None if i == 0 else f"j{i - 1 if i % 6 else max(0, i - 6)}"
        joints.append(Joint(f"j{i}", own, parent, tuple(0.1 * rng.normal(size=3)), axes=axes))
    return Skeleton(joints)


def poses_per_second(work: Callable[[], object], poses: int = POSES) -> float:
    """The best of the runs that fit into SECONDS, the first (which may compile) left out."""
    work()
    best, end = np.inf, time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return poses / best


def of_posable(kind: str, threads: int) -> Iterator[Row]:
    """Fresh memory, a given array, and blocks that stay in the cache."""
    skeleton, word = tree(kind), f"{kind}, {threads} thread{'s' * (threads > 1)}"
    q = skeleton.random_coordinates(np.random.default_rng(1), (POSES,))
    given, small = np.zeros((POSES, JOINTS, 4, 4)), np.zeros((POSES, JOINTS, 3, 4), np.float32)
    ways = {
        "fresh 4×4": lambda: forward_kinematics(skeleton, q, threads=threads),
        "given 4×4": lambda: forward_kinematics(skeleton, q, given, threads),
        "given 3×4 float32": lambda: forward_kinematics(skeleton, q, small, threads),
        "blocks of 256, used and dropped": lambda: in_blocks(skeleton, q, threads),
    }
    for name, work in ways.items():
        yield f"posable, {name}", word, poses_per_second(work)


def in_blocks(skeleton: Skeleton, q: np.ndarray, threads: int) -> None:
    """Every pose once, a block at a time, each thread with a share of its own."""

    def share(part: np.ndarray) -> None:
        for _ in forward_kinematics_blocks(skeleton, part):
            pass

    if threads == 1:
        share(q)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(share, np.array_split(q, threads)))


def of_numpy() -> Iterator[Row]:
    """Plain NumPy over all poses at once: a matrix product per joint."""
    skeleton = tree("ball")
    poses = POSES // 10
    q = skeleton.random_coordinates(np.random.default_rng(1), (poses,)).reshape(poses, JOINTS, 4)
    world = np.zeros((poses, JOINTS, 4, 4))

    def place() -> None:
        local = np.zeros((poses, JOINTS, 4, 4))
        local[..., :3, :3] = matrix_from_wxyz(q)
        local[..., :3, 3] = skeleton.tables.offset
        local[..., 3, 3] = 1
        for j, parent in enumerate(skeleton.parents):
            world[:, j] = world[:, parent] @ local[:, j] if parent >= 0 else local[:, j]

    yield "NumPy, a product per joint", "ball", poses_per_second(place, poses)


def of_pinocchio() -> Iterator[Row]:
    """pinocchio's forwardKinematics, called for one pose after the other, and its result as matrices."""
    pin = importlib.import_module("pinocchio")
    skeleton, model = tree("ball"), pin.Model()
    for i, joint in enumerate(skeleton.definitions):
        place = pin.SE3(np.eye(3), np.array(joint.position))
        model.addJoint(int(skeleton.parents[i]) + 1, pin.JointModelSpherical(), place, joint.name)
    state, count = model.createData(), 200
    q = skeleton.random_coordinates(np.random.default_rng(1), (count,)).reshape(count, JOINTS, 4)
    xyzw = np.ascontiguousarray(q[..., [1, 2, 3, 0]]).reshape(count, -1)
    np.testing.assert_allclose(
        _pinocchio_world(pin, model, state, xyzw[0]), forward_kinematics(skeleton, q[0].ravel()), atol=1e-12
    )
    yield (
        "pinocchio, from Python, placed",
        "ball",
        poses_per_second(lambda: [pin.forwardKinematics(model, state, one) for one in xyzw], count),
    )
    yield (
        "pinocchio, from Python, as 4×4",
        "ball",
        poses_per_second(lambda: [_pinocchio_world(pin, model, state, one) for one in xyzw[:50]], 50),
    )


def _pinocchio_world(pin: object, model: object, state: object, q: np.ndarray) -> np.ndarray:
    pin.forwardKinematics(model, state, q)  # type: ignore[attr-defined]
    return np.array([place.homogeneous for place in state.oMi[1:]])  # type: ignore[attr-defined]


def of_roboticstoolbox() -> Iterator[Row]:
    """roboticstoolbox's fkine_all: a chain of 60 hinges, since it knows no ball joints."""
    rtb = importlib.import_module("roboticstoolbox")
    rng = np.random.default_rng(0)
    robot = rtb.DHRobot([rtb.RevoluteDH(a=0.1, alpha=x) for x in rng.normal(size=JOINTS)])
    q = rng.uniform(-3, 3, (20, JOINTS))
    yield "roboticstoolbox, from Python", "hinge", poses_per_second(lambda: [robot.fkine_all(one) for one in q], len(q))


def main() -> None:
    rows: list[Row] = []
    for kind, threads in itertools.product(("ball", "hinge", "mixed"), (1, 2)):
        rows += of_posable(kind, threads)
    notes = []
    for peer in (of_numpy, of_pinocchio, of_roboticstoolbox):
        try:
            rows += peer()
        except ImportError as missing:
            notes.append(f"left out: {missing}")
    numpy_rate = next(rate for name, _, rate in rows if name.startswith("NumPy"))
    print(f"{JOINTS} joints, {POSES:,} poses at once; {machine()}\n")
    print("| what | joints | poses/s | × NumPy |\n|---|---|---:|---:|")
    for name, word, rate in rows:
        print(f"| {name} | {word} | {rate:,.0f} | {rate / numpy_rate:,.2f} |")
    print("\n".join(notes))


def machine() -> str:
    """Processor and versions, for the reader of the table."""
    versions = []
    for package in ("posable", "numpy", "numba", "llvmlite", "pin", "roboticstoolbox-python"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return f"{processor()}, Python {platform.python_version()}, {', '.join(versions)}"


def processor() -> str:
    """The processor's name and the number of cores."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123
            text = lines.read()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()} × {max(1, len(names))}"


if __name__ == "__main__":
    main()
