"""D: a humanoid robot with a free base; hands and feet by position and rotation, the torso by rotation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.solver.judge import Aim
from benchmarks.solver.problems import Problem
from benchmarks.solver.robots import read_urdf
from benchmarks.solver.runs import Bench, Case, run
from benchmarks.solver.sets.arms import curve
from benchmarks.solver.table import Section
from benchmarks.solver.trees import Array, Tree, place, quaternion_about

ENDS = ("left_rubber_hand", "right_rubber_hand", "left_ankle_roll_link", "right_ankle_roll_link")
AIMS = (*(Aim(end) for end in ENDS), Aim("torso_link", position=0.0))
PEERS = ("placo", "mink", "pink")
HEIGHT = 0.793  # of the pelvis, standing


def whole_body(bench: Bench) -> Iterator[Section]:
    """D: unrelated targets, then smooth ones."""
    tree = read_urdf(bench.data / "robots/g1_29dof_rev_1_0.urdf").only([aim.body for aim in AIMS])
    tree = replace(tree, nodes=(replace(tree.nodes[0], kind="free"), *tree.nodes[1:]))
    count = bench.count(1000, 30)
    truth = unrelated(tree, count)
    text = (
        f"Hands and feet by position and rotation, the torso by rotation: {count:,} poses from joints uniform in the "
        "limits, the base up to 0.5 m away in each axis and turned by up to 90°; each solved from the standing pose."
    )
    ours = {"**posable**": {"mode": "prepared"}, "**posable**, plain solve": {"mode": "plain"}}
    yield run(Case("D — Unitree G1, unrelated poses", text, _problem(tree, standing(tree), truth), ours, PEERS), bench)

    truth = smooth(tree, bench.count(1000, 100))
    problem = replace(_problem(tree, truth[0], truth), warm=True, mode="trajectory")
    text = f"{len(truth):,} frames along a smooth curve of all joints and the base, each from the one before."
    ours = {"**posable**, one call": {}, "**posable**, frame by frame": {"mode": "frames"}}
    yield run(Case("D — Unitree G1, smooth", text, problem, ours, PEERS), bench)


def _problem(tree: Tree, start: Array, truth: Array) -> Problem:
    bodies = [tree.index(aim.body) for aim in AIMS]
    return Problem("G1", tree, AIMS, start, truth, place(tree, truth)[:, bodies])


def standing(tree: Tree) -> Array:
    """Upright, all joints at 0."""
    lower, _ = tree.scalar_limits()
    return np.r_[0, 0, HEIGHT, 1, np.zeros(len(lower) - 4)]


def unrelated(tree: Tree, count: int) -> Array:
    """`[count, coordinate]`."""
    rng = np.random.default_rng(0)
    lower, upper = (limits[7:] for limits in tree.scalar_limits())
    where = rng.uniform(-0.5, 0.5, (count, 3)) + np.array([0, 0, HEIGHT])
    turn = quaternion_about(rng.normal(size=(count, 3)), rng.uniform(0, np.pi / 2, count))
    return np.hstack([where, turn, rng.uniform(lower, upper, (count, len(lower)))])


def smooth(tree: Tree, frames: int) -> Array:
    """`[frame, coordinate]`: the joints half the way to their limits, the base by 0.2 m and 20°."""
    only_joints = Tree(tree.name, tree.nodes[1:])
    time = np.linspace(0, 2 * np.pi, frames)[:, None]
    where = 0.2 * np.sin(time * [1.0, 1.3, 0.7]) + np.array([0, 0, HEIGHT])
    axis = np.stack([np.cos(time[:, 0]), np.sin(time[:, 0]), np.ones(frames)], axis=-1)
    turn = quaternion_about(axis, np.radians(20) * np.sin(1.1 * time[:, 0]))
    return np.hstack([where, turn, curve(only_joints, frames, 0.5, 1)])
