"""F: chains of ever more hinges, one goal: how the time grows with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.solver.environments import OURS, MissingPeerError
from benchmarks.solver.judge import Aim, judge
from benchmarks.solver.problems import Problem
from benchmarks.solver.runs import Bench
from benchmarks.solver.table import Section, number, percent
from benchmarks.solver.trees import Node, Tree, Turn, frame, place

SIZES = {100: 200, 1000: 100, 10_000: 20}  # hinges: targets


def tentacles(bench: Bench) -> Iterator[Section]:
    """F."""
    text = (
        "Chains 1 m long of hinges about two directions by turns; each bends by up to 4 / √joints, so that all sizes "
        "curl alike. One goal, the position of the tip in a random pose, from a nearly straight start."
    )
    section, medians = Section("F — tentacles", text), {}
    for joints, count in list(SIZES.items())[: 2 if bench.quick else 3]:
        problem = a_problem(joints, 10 if bench.quick else count)
        print(f"{section.title}: {joints:,} hinges", file=sys.stderr)
        try:
            answers = bench.environments.run(OURS, problem, bench.work / f"tentacle_{joints}", bench.seconds)
        except MissingPeerError as missing:
            section.rows.append({"hinges": f"{joints:,}", "settings": f"did not run: {missing}"})
            continue
        verdict = judge(problem.tree, problem.aims, answers.q, problem.targets[: len(answers.q)])
        medians[joints] = float(np.median(answers.microseconds))
        row = {"hinges": f"{joints:,}", "success": percent(verdict.right().mean())}
        row |= {"median µs": number(medians[joints]), "p95 µs": number(float(np.percentile(answers.microseconds, 95)))}
        row |= {"outside limits": str(int((verdict.outside > 0).sum())), "of": str(len(answers.q))}
        section.rows.append({**row, "settings": str(answers.about["settings"])})
    if len(medians) > 1:
        slope = np.polyfit(np.log(list(medians)), np.log(list(medians.values())), 1)[0]
        section.rows.append({"hinges": "fitted", "median µs": f"∝ hinges^{slope:.2f}"})
    yield section


def a_problem(joints: int, count: int) -> Problem:
    """A chain and targets that it can reach."""
    bend, step = 4 / np.sqrt(joints), frame((0, 1 / joints, 0))
    ways = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    nodes = [
        Node(f"j{i}", i - 1, "axes", step if i else np.eye(4), (Turn(ways[i % 2], -bend, bend),)) for i in range(joints)
    ]
    tree = Tree("tentacle", (*nodes, Node("tip", joints - 1, "fixed", step)))
    rng = np.random.default_rng(0)
    truth = rng.uniform(-bend, bend, (count, joints))
    start = 0.1 * rng.uniform(-bend, bend, joints)
    targets = place(tree, truth)[:, [tree.index("tip")]]
    return Problem("tentacle", tree, [Aim("tip", rotation=0.0)], start, truth, targets, more={"up": "y"})
