"""F: chains of ever more hinges, one goal: how the time grows with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.solver.environments import OURS, MissingPeerError
from benchmarks.solver.judge import EXACT, Aim, judge
from benchmarks.solver.problems import Problem
from benchmarks.solver.runs import Bench
from benchmarks.solver.table import Row, Section, number, percent
from benchmarks.solver.trees import Node, Tree, Turn, frame, place

SIZES = {100: 200, 1000: 100, 10_000: 20}  # hinges: targets


def tentacles(bench: Bench) -> Iterator[Section]:
    """F."""
    text = (
        "Chains 1 m long of hinges about two directions by turns; each bends by up to 4 / √joints, so that all sizes "
        "curl alike. One goal, the position of the tip in a random pose, from a quarter of a circle or from a nearly "
        "straight start. The exponent is fitted to the medians."
    )
    section = Section("F — tentacles", text)
    for curved in (True, False):
        medians = {}
        for joints, count in list(SIZES.items())[: 2 if bench.quick else 3]:
            row = _timed(a_problem(joints, 10 if bench.quick else count, curved), joints, bench)
            section.rows.append({"hinges": f"{joints:,}", "start": "curved" if curved else "straight", **row})
            if "median µs" in row:
                medians[joints] = float(row["median µs"].replace(",", ""))
        if len(medians) > 1:
            slope = np.polyfit(np.log(list(medians)), np.log(list(medians.values())), 1)[0]
            section.rows[-1]["fitted"] = f"∝ hinges^{slope:.2f}"
    yield section


def _timed(problem: Problem, joints: int, bench: Bench) -> Row:
    print(f"F: {joints:,} hinges", file=sys.stderr)
    try:
        answers = bench.environments.run(OURS, problem, bench.work / f"tentacle_{joints}", bench.seconds)
    except MissingPeerError as missing:
        return {"settings": f"did not run: {missing}"}
    verdict = judge(problem.tree, problem.aims, answers.q, problem.targets[: len(answers.q)])
    return {
        "success": percent(float(verdict.right().mean())),
        "median µs": number(float(np.median(answers.microseconds))),
        "p95 µs": number(float(np.percentile(answers.microseconds, 95))),
        "outside limits": str(int((verdict.outside > EXACT).sum())),
        "of": str(len(answers.q)),
        "settings": str(answers.about["settings"]),
    }


def a_problem(joints: int, count: int, curved: bool) -> Problem:
    """A chain and targets that it can reach."""
    bend, step = 4 / np.sqrt(joints), frame((0, 1 / joints, 0))
    ways = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    nodes = [
        Node(f"j{i}", i - 1, "axes", step if i else np.eye(4), (Turn(ways[i % 2], -bend, bend),)) for i in range(joints)
    ]
    tree = Tree("tentacle", (*nodes, Node("tip", joints - 1, "fixed", step)))
    rng = np.random.default_rng(0)
    truth = rng.uniform(-bend, bend, (count, joints))
    start = np.where(np.arange(joints) % 2, np.pi / joints, 0.0) if curved else 0.1 * rng.uniform(-bend, bend, joints)
    targets = place(tree, truth)[:, [tree.index("tip")]]
    return Problem("tentacle", tree, [Aim("tip", rotation=0.0)], start, truth, targets, more={"up": "y"})
