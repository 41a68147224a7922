"""E: a human of 60 balls with cones and a free root: head, hands and feet, from rest and along a recording."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import posable
from benchmarks.solver.figures import tree_of
from benchmarks.solver.judge import Aim, twist_about
from benchmarks.solver.problems import Problem
from benchmarks.solver.runs import Bench, Case, run
from benchmarks.solver.sampling import inside
from benchmarks.solver.table import Section
from benchmarks.solver.trees import Array, Node, Swing, Tree, frame, matrix_of, place, quaternion_about

ENDS = ("head", "lwrist", "rwrist", "lfoot", "rfoot")
NEAR = 1e-5
TEXT = (
    "The skeleton of a CMU recording with three joints more for each finger: 60 balls under a free root. "
    "Each ball may lean as far as in the recording and 0.4 rad more, and turn by as much and 0.3 rad more. "
)
CCD = "three.js CCD is given the root and no limits (it has neither), a chain each for spine, arms and legs"


def people(bench: Bench) -> Iterator[Section]:
    """E: cold by position, cold by position and rotation, and the recording."""
    human, recorded = a_human(bench)
    start = np.r_[recorded[0, :3], 1, 0, 0, 0, np.tile([1.0, 0, 0, 0], len(human.nodes) - 1)]
    truth = unrelated(human, start, bench.count(1000, 30))
    ours = {"**posable**": {"mode": "prepared"}, "**posable**, plain solve": {"mode": "plain"}}
    cold = f"{len(truth):,} poses from balls uniform in their cones, the root 0.3 m and 45° about; each from rest. "
    problem = _problem(human, start, truth, rotation=0.0)
    yield run(_case("E — human, positions, from rest", cold + CCD + ".", problem, ours, _ccd(20, 200)), bench)
    problem = _problem(human, start, truth, rotation=1.0)
    yield run(_case("E — human, positions and rotations, from rest", cold, problem, ours, {}), bench)
    recorded = recorded[: bench.count(len(recorded), 60)]
    ours = {"**posable**, one call": {}, "**posable**, frame by frame": {"mode": "frames"}}
    text = f"{len(recorded):,} frames of a walk, each from the answer of the one before. "
    for rotation, what in ((0.0, "positions"), (1.0, "positions and rotations")):
        problem = _problem(human, recorded[0], recorded, rotation)
        problem = replace(problem, warm=True, mode="trajectory")
        others, words = ({}, "") if rotation else (_ccd(20), CCD + ".")
        yield run(_case(f"E — human, walking, {what}", text + words, problem, ours, others), bench)


def _case(
    title: str, text: str, problem: Problem, ours: dict[str, dict[str, Any]], apart: dict[str, dict[str, Any]]
) -> Case:
    return Case(title, TEXT + text, problem, ours, (), apart, position=NEAR)


def _ccd(*iterations: int) -> dict[str, dict[str, Any]]:
    own = {"posable in JavaScript": {}, "posable in JavaScript, Chromium": {"more": {"browser": True}}}
    return own | {f"three.js CCD, {count} iterations": {"more": {"iterations": count}} for count in iterations}


def _problem(human: Tree, start: Array, truth: Array, rotation: float) -> Problem:
    aims = [Aim(end, rotation=rotation) for end in ENDS]
    targets = place(human, truth)[:, [human.index(end) for end in ENDS]]
    return Problem("human", human, aims, start, truth, targets, more={"up": "y", "options": {"tolerance": NEAR}})


def a_human(bench: Bench) -> tuple[Tree, Array]:
    """The figure, and the recording on it `[frame, coordinate]`."""
    figure = posable.load(bench.data / "mocap/cmu_02_01.bvh", unit="cm")
    bare = tree_of(figure.skeleton, "human")
    recorded = np.asarray(figure.clips[0].q)
    nodes = list(bare.nodes)
    for side, out in (("l", 1), ("r", -1)):
        hand = bare.index(f"{side}hand")
        for finger in range(5):
            above, step = hand, frame((0.08 * out, 0, 0.02 * (2 - finger)))
            for part in range(3):
                nodes.append(Node(f"{side}finger{finger}_{part}", above, "ball", step))
                above, step = len(nodes) - 1, frame((0.03 * out, 0, 0))
    fingers = np.tile([1.0, 0, 0, 0], (len(recorded), len(nodes) - len(bare.nodes)))
    full = np.hstack([recorded, fingers])
    return Tree("human", tuple(_with_cone(nodes, i, full) for i in range(len(nodes)))), full


def _with_cone(nodes: list[Node], i: int, recorded: Array) -> Node:
    """The root as it is; balls with a cone about the way to their first child."""
    if nodes[i].kind != "ball":
        return nodes[i]
    ways = [node.rest[:3, 3] for node in nodes if node.parent == i and np.linalg.norm(node.rest[:3, 3]) > 1e-6]
    axis = ways[0] / np.linalg.norm(ways[0]) if ways else np.array([0.0, 1.0, 0.0])
    turned = matrix_of(recorded[:, 7 + 4 * (i - 1) : 11 + 4 * (i - 1)])
    leaned = np.arccos(np.clip((turned @ axis) @ axis, -1, 1)).max()
    twist = twist_about(axis, turned)
    low, high = min(float(twist.min()), 0.0) - 0.3, max(float(twist.max()), 0.0) + 0.3
    limits = Swing(tuple(axis.tolist()), float(min(leaned + 0.4, 3.0)), (max(low, -3.1), min(high, 3.1)))
    return replace(nodes[i], limits=limits)


def unrelated(human: Tree, start: Array, count: int) -> Array:
    """`[count, coordinate]`: balls uniform in their cones, the root 0.3 m and 45° about."""
    rng = np.random.default_rng(0)
    where = rng.uniform(-0.3, 0.3, (count, 3)) + start[:3]
    turn = quaternion_about(rng.normal(size=(count, 3)), rng.uniform(0, np.pi / 4, count))
    return np.hstack([where, turn, inside(human, start, count, rng)[:, 7:]])
