"""Runs one problem through posable's doors and the peers, and makes a table of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.solver.environments import OURS, Answers, Environments, MissingPeerError
from benchmarks.solver.judge import ANGLE, EXACT, POSITION, flips, judge
from benchmarks.solver.problems import Problem
from benchmarks.solver.table import Row, Section, number, percent


@dataclass(frozen=True)
class Bench:
    """What all sets share: where peers and files are, how long a peer may take, and whether to be quick."""

    environments: Environments
    work: Path
    data: Path
    seconds: float
    quick: bool

    def count(self, full: int, quick: int) -> int:
        """How many problems of a set."""
        return quick if self.quick else full


@dataclass(frozen=True)
class Case:
    """A problem, posable's ways through it (label → what differs), and the peers that take part."""

    title: str
    text: str
    problem: Problem
    ours: dict[str, dict[str, Any]]
    peers: Sequence[str] = ()
    apart: dict[str, dict[str, Any]] = field(default_factory=dict)  # peers asked in another way: label → what differs
    position: float = POSITION
    angle: float = ANGLE


def run(case: Case, bench: Bench) -> Section:
    """The table of a case. Ratios are to the first of posable's ways that ran."""
    asked = [(label, OURS, changes) for label, changes in case.ours.items()]
    asked += [(name, name, {}) for name in case.peers]
    asked += [(label, label.split(",")[0], changes) for label, changes in case.apart.items()]
    section, best = Section(case.title, case.text), None
    for label, name, changes in asked:
        print(f"{case.title}: {label}", file=sys.stderr)
        problem = replace(case.problem, **changes)
        folder = bench.work / "".join(letter if letter.isalnum() else "_" for letter in f"{case.title} {label}")
        try:
            answers = bench.environments.run(name, problem, folder, bench.seconds)
        except MissingPeerError as missing:
            section.rows.append({"solver": label, "success": "—", "settings": f"did not run: {missing}"})
            continue
        best = answers.microseconds if best is None and name == OURS else best
        section.rows.append(_row(label, case, problem, answers, best))
    return section


def _row(label: str, case: Case, problem: Problem, answers: Answers, best: np.ndarray | None) -> Row:
    count, took = len(answers.q), answers.microseconds
    verdict = judge(problem.tree, problem.aims, answers.q, problem.targets[:count])
    right = verdict.right(case.position, case.angle)
    row = {"solver": label, "success": percent(right.mean())}
    row |= _rate(answers, best) if case.problem.mode == "batch" else _times(took, best)
    if problem.warm:
        row["flips"] = str(flips(problem.tree, answers.q, problem.truth))
    row["outside limits"] = str(int((verdict.outside > EXACT).sum()))
    if case.position > POSITION:
        row["median of the worst error, m"] = number(float(np.median(verdict.distance.max(-1))))
    row["of"] = f"{count:,}" if count == len(problem.targets) else f"first {count:,} of {len(problem.targets):,}"
    row["settings"] = f"{answers.about['versions']}: {answers.about['settings']}"
    return row


def _times(took: np.ndarray, best: np.ndarray | None) -> Row:
    return {
        "median µs": number(float(np.median(took))),
        "mean µs": number(float(took.mean())),
        "p95 µs": number(float(np.percentile(took, 95))),
        "× median": _ratio(np.median(took), best, np.median),
        "× mean": _ratio(took.mean(), best, np.mean),
    }


def _rate(answers: Answers, best: np.ndarray | None) -> Row:
    mean, memory = answers.microseconds.mean(), answers.more.get("megabytes")
    return {
        "solves a second": f"{1e6 / mean:,.0f}",
        "× time": _ratio(mean, best, np.mean),
        "MB beside the answers": "" if memory is None else f"{max(float(memory), 0):,.1f}",
    }


def _ratio(value: Any, best: np.ndarray | None, measure: Any) -> str:
    return "—" if best is None else number(float(value / measure(best)))
