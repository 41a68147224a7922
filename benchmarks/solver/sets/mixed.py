"""M: the kinds of problems of A, C and D on figures that mix every kind of joint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.solver.judge import Aim
from benchmarks.solver.problems import Problem
from benchmarks.solver.runs import Bench, Case, run
from benchmarks.solver.sampling import inside, product
from benchmarks.solver.table import Section
from benchmarks.solver.trees import Array, Node, Swing, Tree, Turn, frame, place, quaternion_about

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TEXT = (
    "A carriage (planar) carries a mast (slide), a universal joint and a fork; each arm of the fork has a ball with a "
    "cone, an elbow, a second elbow that mimics the first, and a universal wrist. "
)


def two_arms() -> Tree:
    """Planar, slide, universal, ball, hinge, mimic and universal joints in one tree; metres, z up."""
    nodes = [
        Node("carriage", -1, "axes", axes=(Turn(X, -0.5, 0.5, True), Turn(Y, -0.5, 0.5, True), Turn(Z, -1.5, 1.5))),
        Node("mast", 0, "axes", frame((0, 0, 0.3)), (Turn(Z, 0.0, 0.4, True),)),
        Node("trunk", 1, "axes", frame((0, 0, 0.2)), (Turn(X, -0.6, 0.6), Turn(Y, -0.6, 0.6))),
    ]
    for side, out in (("l", 1.0), ("r", -1.0)):
        way = (0.0, out, 0.0)
        first = len(nodes)
        nodes += [
            Node(f"shoulder_{side}", 2, "ball", frame((0, 0.2 * out, 0.3)), limits=Swing(way, 1.2, (-1.0, 1.0))),
            Node(f"elbow_{side}", first, "axes", frame((0, 0.3 * out, 0)), (Turn(Z, -2.0, 2.0),)),
            Node(
                f"second_elbow_{side}",
                first + 1,
                "axes",
                frame((0, 0.15 * out, 0)),
                (Turn(X, follow=(first + 1, 0), gain=0.5, offset=0.1),),
            ),
            Node(f"wrist_{side}", first + 2, "axes", frame((0, 0.2 * out, 0)), (Turn(X, -1, 1), Turn(Z, -1, 1))),
            Node(f"hand_{side}", first + 3, "fixed", frame((0, 0.1 * out, 0))),
        ]
    return Tree("two arms", tuple(nodes))


def mixed(bench: Bench) -> Iterator[Section]:
    """M."""
    tree = two_arms()
    start = middle(tree)
    truth = inside(tree, start, bench.count(1000, 30), np.random.default_rng(0))
    both = [Aim("hand_l"), Aim("hand_r")]
    for what, aims in (("one hand", both[:1]), ("both hands", both)):
        problem = _problem(tree, aims, start, truth)
        ours = {"**posable**": {"mode": "prepared"}, "**posable**, plain solve": {"mode": "plain"}}
        ours |= {"**posable**, one attempt": {"mode": "prepared", "restarts": 0}}
        ours |= {"**posable**, all at once": {"mode": "batch"}}
        text = TEXT + f"{len(truth):,} poses uniform in the limits, from the middle of the limits."
        yield run(Case(f"M — all kinds of joints, {what}, unrelated poses", text, problem, ours), bench)
    frames = waves(tree, truth[:2], bench.count(1000, 100))
    problem = replace(_problem(tree, both, frames[0], frames), warm=True, mode="trajectory")
    ours = {"**posable**, one call": {}, "**posable**, frame by frame": {"mode": "frames"}}
    text = TEXT + f"{len(frames):,} frames between poses inside the limits."
    yield run(Case("M — all kinds of joints, tracking", text, problem, ours), bench)


def _problem(tree: Tree, aims: list[Aim], start: Array, truth: Array) -> Problem:
    return Problem(tree.name, tree, aims, start, truth, place(tree, truth)[:, [tree.index(aim.body) for aim in aims]])


def middle(tree: Tree) -> Array:
    """`[coordinate]`: the middle of all limits, balls unturned."""
    lower, upper = tree.scalar_limits()
    bounded = np.isfinite(lower)
    out = np.where(bounded, lower, 0.0) / 2 + np.where(bounded, upper, 0.0) / 2
    for i, node in enumerate(tree.nodes):
        if node.kind == "ball":
            out[tree.first()[i]] = 1.0
    return out


def waves(tree: Tree, ends: Array, frames: int) -> Array:
    """`[frame, coordinate]`: to and fro between half the way to two poses, balls along the shortest arc."""
    start, time = middle(tree), np.linspace(0, 2 * np.pi, frames)[:, None]
    out = start + 0.25 * (np.sin(time) * (ends[0] - start) + np.sin(1.7 * time) * (ends[1] - start))
    first = tree.first()
    for i, node in enumerate(tree.nodes):
        if node.kind == "ball":
            part = slice(first[i], first[i + 1])
            turns = [
                _part_of(end[part], 0.25 * np.sin(by * time[:, 0])) for end, by in zip(ends, (1, 1.7), strict=True)
            ]
            out[:, part] = product(*turns)
    return out


def _part_of(wxyz: Array, share: Array) -> Array:
    """`[share, 4]`: that much of a turn."""
    angle = 2 * np.arctan2(np.linalg.norm(wxyz[1:]), wxyz[0])
    angle = (angle + np.pi) % (2 * np.pi) - np.pi
    return quaternion_about(np.broadcast_to(wxyz[1:], (len(share), 3)), share * angle)
