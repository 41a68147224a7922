"""H: the mannequin's hands inside its limits, every iteration watched."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

import posable
from benchmarks.solver.environments import OURS, Answers, MissingPeerError
from benchmarks.solver.figures import skeleton_of, tree_of
from benchmarks.solver.judge import RADIAN, Aim, judge, outside
from benchmarks.solver.problems import Problem
from benchmarks.solver.runs import Bench
from benchmarks.solver.sampling import inside
from benchmarks.solver.table import Row, Section, number, percent
from benchmarks.solver.trees import Array, place

ROOT, UP = "root", "y"
HANDS = {"one hand": ("hand_r",), "both hands": ("hand_l", "hand_r")}
RISE = 1e-9  # of the figure's reach: below it an error has not risen


def limits(bench: Bench) -> Iterator[Section]:
    """H."""
    text = (
        "The mannequin with its pelvis held; targets are where its hands are in poses uniform in its limits, cones "
        "included, so that each can be reached. Every pose that the solver passes through is judged (`trace=True`): "
        "how far outside a limit the worst joint of any is, and, with one attempt (a further one begins anew), how "
        f"often and by how much the error rose, √Σ((distance / reach)² + {RADIAN:g} angle²)."
    )
    section = Section("H — inside the limits, at every iteration", text)
    for what, hands in HANDS.items():
        for rotation in (0.0, 1.0):
            for restarts in (20, 0):
                aims = [Aim(hand, rotation=rotation) for hand in hands]
                name = f"{what}, {'pose' if rotation else 'position'}, {restarts} restarts"
                print(f"{section.title}: {name}", file=sys.stderr)
                section.rows.append(_watched(name, aims, restarts, bench))
    yield section


def _watched(name: str, aims: Sequence[Aim], restarts: int, bench: Bench) -> Row:
    figure = posable.figure("mannequin")
    tree = tree_of(figure.skeleton, "mannequin")
    truth = inside(tree, figure.rest.q, bench.count(1000, 20), np.random.default_rng(0))
    targets = place(tree, truth)[:, [tree.index(aim.body) for aim in aims]]
    more = {"up": UP, "options": {"frozen": [ROOT]}}
    problem = Problem(name, tree, aims, figure.rest.q, truth, targets, mode="traced", restarts=restarts, more=more)
    folder = bench.work / "".join(letter if letter.isalnum() else "_" for letter in name)
    try:
        answers = bench.environments.run(OURS, problem, folder, bench.seconds)
    except MissingPeerError as missing:
        return {"targets": name, "settings": f"did not run: {missing}"}
    verdict = judge(tree, aims, answers.q, targets)
    row = {"targets": name, "of": str(len(answers.q)), "success": percent(float(verdict.right().mean()))}
    row["poses passed through"] = f"{len(answers.more['trace']):,}"
    row["farthest outside a limit"] = number(float(outside(tree, answers.more["trace"]).max()))
    if not restarts:
        found = rises(problem, answers, skeleton_of(tree, UP).reach)  # what was solved has no tips beyond its joints
        row |= {"rises of the error": str(len(found)), "largest rise": number(float(found.max(initial=0.0)))}
    row["median µs"] = number(float(np.median(answers.microseconds)))
    return row


def rises(problem: Problem, answers: Answers, reach: float) -> Array:
    """`[rise]`: by how much the error grew, for each step of a trace in which it did."""
    found, begin = [np.zeros(0)], 0
    for length, targets in zip(answers.more["lengths"], problem.targets, strict=True):
        path = answers.more["trace"][begin : begin + length]
        begin += length
        verdict = judge(problem.tree, problem.aims, path, np.broadcast_to(targets, (length, *targets.shape)))
        found.append(np.diff(verdict.error(reach)))
    every = np.concatenate(found)
    return every[every > RISE]
