"""A, A0, A1: two arms, unrelated poses. B: many of them at once. C: the same arms along a smooth curve."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.solver.judge import Aim
from benchmarks.solver.problems import Problem
from benchmarks.solver.robots import read_mjcf, read_urdf
from benchmarks.solver.runs import Bench, Case, run
from benchmarks.solver.table import Section
from benchmarks.solver.trees import Array, Tree, place

LOOPED = ("roboticstoolbox", "placo")
ITERATIVE = ("roboticstoolbox", "placo", "mink", "pink", "ikpy")


def panda(bench: Bench) -> tuple[Tree, str]:
    """Franka's seven joints up to the flange, and the flange."""
    return read_urdf(bench.data / "robots/panda.urdf").only(["panda_link8"]), "panda_link8"


def ur5e(bench: Bench) -> tuple[Tree, str]:
    """Universal Robots' six joints up to the tool, and the tool."""
    return read_mjcf(bench.data / "robots/robosuite_ur5e.xml").only(["right_hand"]), "right_hand"


ARMS = {"Panda": panda, "UR5e": ur5e}


def poses(tree: Tree, tip: str, count: int, seed: int = 0) -> tuple[Array, Array, Array]:
    """The middle of the limits, `[count, joint]` uniform in them, and where these take the tip `[count, 1, 4, 4]`."""
    lower, upper = tree.scalar_limits()
    truth = np.random.default_rng(seed).uniform(lower, upper, (count, len(lower)))
    parts = np.array_split(truth, 1 + count // 50_000)
    return (lower + upper) / 2, truth, np.concatenate([place(tree, part)[:, [tree.index(tip)]] for part in parts])


def arms(bench: Bench) -> Iterator[Section]:
    """A, A0, A1."""
    for name, make in ARMS.items():
        tree, tip = make(bench)
        count = bench.count(1000, 50)
        problem = Problem(name, tree, [Aim(tip)], *poses(tree, tip, count))
        text = (
            f"{count:,} poses from joints uniform in the limits, each solved from the middle of the limits, one call a "
            "pose. A: through `prepare`; A0: through plain `solve`; A1: through `prepare` with one attempt."
        )
        ours = {
            "**posable** (A)": {"mode": "prepared"},
            "**posable** (A0)": {"mode": "plain"},
            "**posable** (A1)": {"mode": "prepared", "restarts": 0},
        }
        if name == "UR5e":
            ours["**posable**, all branches"] = {"mode": "closed"}
        apart = {"EAIK, all branches": {"mode": "branches"}}
        yield run(Case(f"A — {name}, unrelated poses", text, problem, ours, (*ITERATIVE, "EAIK"), apart), bench)


def throughput(bench: Bench) -> Iterator[Section]:
    """B."""
    for name, make, count in (
        ("Panda", panda, bench.count(10_000, 1_000)),
        ("UR5e", ur5e, bench.count(10_000, 1_000)),
        ("Panda", panda, bench.count(1_000_000, 10_000)),
    ):
        tree, tip = make(bench)
        problem = Problem(name, tree, [Aim(tip)], *poses(tree, tip, count), mode="batch")
        loops = {f"{peer}, in a loop": {"mode": "prepared"} for peer in LOOPED if count <= 10_000}
        loops |= {"EAIK, batched": {}} if name == "UR5e" else {}
        text = (
            f"{count:,} poses as in A in one call, on all cores; peers that know single calls only are called in a "
            "loop, on one core."
        )
        case = Case(f"B — {name}, {count:,} poses at once", text, problem, {"**posable**": {}}, (), loops)
        yield run(case, bench)


def curve(tree: Tree, frames: int, share: float, seed: int) -> Array:
    """`[frame, joint]`: two slow waves a joint about the middle of its limits, at most `share` of the way to them."""
    rng = np.random.default_rng(seed)
    lower, upper = tree.scalar_limits()
    wide = np.minimum(0.5 * share * (upper - lower), 1.5 * share)
    time = np.linspace(0, 1, frames)[:, None]
    waves = [
        part * wide * np.sin(2 * np.pi * (rng.uniform(0.5, 2, len(lower)) * time + rng.uniform(0, 1, len(lower))))
        for part in (0.7, 0.3)
    ]
    return (lower + upper) / 2 + sum(waves)


def tracking(bench: Bench) -> Iterator[Section]:
    """C: half the way to the limits, and farther, where the arm with a joint to spare can drift into them.

    Seed 0 comes so near to a singularity that whoever follows it closely needs larger steps than the curve's.
    """
    for name, make, share, seed in (("Panda", panda, 0.5, 1), ("UR5e", ur5e, 0.5, 1), ("Panda", panda, 0.8, 0)):
        tree, tip = make(bench)
        truth = curve(tree, bench.count(1000, 200), share, seed)
        targets = place(tree, truth)[:, [tree.index(tip)]]
        problem = Problem(name, tree, [Aim(tip)], truth[0], truth, targets, warm=True, mode="trajectory")
        text = (
            f"{len(truth):,} frames along a smooth curve of all joints that takes them {100 * share:.0f} % of the way "
            "to their limits; each frame from the answer of the one before, no restarts. A flip is a joint step over "
            "twice the largest of the curve."
        )
        ours = {"**posable**, one call": {}, "**posable**, frame by frame": {"mode": "frames"}}
        title = f"C — {name}, tracking{'' if share == 0.5 else ' near the limits'}"
        yield run(Case(title, text, problem, ours, (*ITERATIVE, "EAIK")), bench)
