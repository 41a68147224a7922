"""G: targets out of reach, straight arms, targets on the base, half turns; and a circle just out of reach."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.solver.environments import OURS, MissingPeerError
from benchmarks.solver.figures import skeleton_of
from benchmarks.solver.judge import ANGLE, POSITION, RADIAN, Aim, judge, steps
from benchmarks.solver.problems import Problem
from benchmarks.solver.reference import Reference
from benchmarks.solver.runs import Bench
from benchmarks.solver.sets.arms import panda, poses
from benchmarks.solver.table import Row, Section, number, percent
from benchmarks.solver.trees import Array, Node, Tree, Turn, frame, place, rotation

STARTS = 1000
LENGTH = 1.4
ALLOWED = 1e-6  # of the reach
TEXT = (
    f"Each answer is compared with the best that {STARTS:,} random starts find in a plain NumPy solver "
    f"(`benchmarks/solver/reference.py`), in the measure √((distance / reach)² + {RADIAN:g} angle²). As good: not "
    f"worse by more than {ALLOWED:g}."
)


@dataclass(frozen=True)
class Hard:
    """Targets of one kind for one arm."""

    name: str
    tree: Tree
    aim: Aim
    start: Array
    targets: Array  # [problem, 4, 4]


def hopeless(bench: Bench) -> Iterator[Section]:
    """G."""
    section = Section("G — out of reach, straight, on the base, half turns", TEXT)
    for hard in cases(bench):
        print(f"{section.title}: {hard.name}", file=sys.stderr)
        section.rows.append(_compared(hard, bench))
    yield section
    yield circle(bench)


def cases(bench: Bench) -> Iterator[Hard]:
    """The kinds of hard targets."""
    count = bench.count(100, 3)
    tree, tip = panda(bench)
    start, _, reached = poses(tree, tip, count)
    spot, aim = Aim(tip, rotation=0.0), Aim(tip)
    shoulder, reach = place(tree, start)[tree.index("panda_link2"), :3, 3], farthest(tree, tip)
    for by in (0.01, 0.1, 2.0):
        targets = reached[:, 0].copy()
        ways = targets[:, :3, 3] - shoulder
        targets[:, :3, 3] = shoulder + (1 + by) * reach * ways / np.linalg.norm(ways, axis=-1, keepdims=True)
        yield Hard(f"Panda, position {100 * by:.0f} % out of reach", tree, spot, start, targets)
        yield Hard(f"Panda, pose {100 * by:.0f} % out of reach", tree, aim, start, targets)
    base = reached[:, 0].copy()
    base[:, :3, 3] = shoulder
    yield Hard("Panda, position on the shoulder", tree, spot, start, base[:1])
    yield Hard("Panda, pose on the shoulder", tree, aim, start, base)
    yield Hard(
        "Panda, turned by 180° where it is", tree, aim, start, turned(place(tree, start)[tree.index(tip)], count)
    )
    arm = straight()
    along = np.tile(np.eye(4), (count, 1, 1))
    along[:, 2, 3] = np.linspace(0.0, 1.5, count) * LENGTH
    yield Hard("straight arm, positions on its own line", arm, Aim("tip", rotation=0.0), np.zeros(7), along)
    yield Hard("straight arm, poses on its own line", arm, Aim("tip"), np.zeros(7), along)


def straight() -> Tree:
    """Seven hinges about z and y by turns, 1.4 long, standing straight up at angles 0."""
    step, ways = frame((0, 0, LENGTH / 7)), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    hinges = [Node(f"j{i}", i, "axes", step if i else np.eye(4), (Turn(ways[i % 2], -2.0, 2.0),)) for i in range(7)]
    return Tree("straight", (Node("base", -1, "fixed"), *hinges, Node("tip", 7, "fixed", step)))


def turned(pose: Array, count: int) -> Array:
    """`[count, 4, 4]`: a pose turned by half a turn about any axis through itself."""
    axes = np.random.default_rng(2).normal(size=(count, 3))
    out = np.tile(pose, (count, 1, 1))
    for one, axis in zip(out, axes, strict=True):
        one[:3, :3] = rotation(axis / np.linalg.norm(axis), np.pi) @ one[:3, :3]
    return out


def farthest(tree: Tree, tip: str) -> float:
    """How far the tip gets from the shoulder, towards targets far away at all heights: the base turns about z."""
    lower, upper = tree.scalar_limits()
    starts, shoulder = np.random.default_rng(3).uniform(lower, upper, (60, len(lower))), tree.index("panda_link2")
    reference, target, found = Reference(tree, Aim(tip, rotation=0.0), 1.0), np.eye(4), []
    for height in np.radians(np.linspace(-90, 90, 19)):
        target[:3, 3] = place(tree, starts[0])[shoulder, :3, 3] + 1e3 * np.array([np.cos(height), 0, np.sin(height)])
        found.append(1e3 - reference.best(target, starts))
    return max(found)


def _problem(hard: Hard) -> Problem:
    truth = np.tile(hard.start, (len(hard.targets), 1))
    return Problem(hard.name, hard.tree, [hard.aim], hard.start, truth, hard.targets[:, None])


def _compared(hard: Hard, bench: Bench) -> Row:
    problem = _problem(hard)
    folder = bench.work / "".join(letter if letter.isalnum() else "_" for letter in hard.name)
    try:
        answers = bench.environments.run(OURS, problem, folder, bench.seconds)
    except MissingPeerError as missing:
        return {"targets": hard.name, "settings": f"did not run: {missing}"}
    reach = float(skeleton_of(hard.tree).reach)
    verdict = judge(hard.tree, [hard.aim], answers.q, problem.targets)
    lower, upper = hard.tree.scalar_limits()
    starts = np.random.default_rng(4).uniform(lower, upper, (bench.count(STARTS, 100), len(lower)))
    reference = Reference(hard.tree, hard.aim, reach)
    best = np.array([reference.best(target, starts) for target in hard.targets])
    reached = (verdict.distance[:, 0] <= POSITION) & (verdict.angle[:, 0] <= ANGLE)
    worse = np.where(reached, 0.0, verdict.error(reach) - best)
    rest = [f"{k} (+{worse[k]:.1e})" for k in np.flatnonzero(worse > ALLOWED)]
    return {
        "targets": hard.name,
        "of": str(len(worse)),
        "as good": percent(float((worse <= ALLOWED).mean())),
        "within tolerance": str(int(reached.sum())),
        "median µs": number(float(np.median(answers.microseconds))),
        "outside limits": str(int((verdict.outside > 0).sum())),
        "worse in": ", ".join(rest[:8]) + (f" and {len(rest) - 8} more" if len(rest) > 8 else ""),
    }


def circle(bench: Bench) -> Section:
    """100 targets on a circle just out of reach, each from the answer before: no joint may jump."""
    tree, tip = panda(bench)
    start, _, _ = poses(tree, tip, 1)
    shoulder = place(tree, start)[tree.index("panda_link2"), :3, 3]
    angle = np.linspace(0, 2 * np.pi, 101)[:100]
    ways = np.stack([np.ones(100), 0.3 * np.cos(angle), 0.3 + 0.3 * np.sin(angle)], axis=-1)
    targets = np.tile(np.eye(4), (100, 1, 1))
    targets[:, :3, 3] = shoulder + 1.01 * farthest(tree, tip) * ways / np.linalg.norm(ways, axis=-1, keepdims=True)
    problem = _problem(Hard("circle", tree, Aim(tip, rotation=0.0), start, targets))
    text = "100 targets on a circle 1 % out of reach, each from the answer of the one before."
    section = Section("G — a circle just out of reach", text)
    for label, mode in (("one call", "trajectory"), ("frame by frame", "frames")):
        try:
            asked = replace(problem, warm=True, mode=mode)
            answers = bench.environments.run(OURS, asked, bench.work / f"circle_{mode}", bench.seconds)
        except MissingPeerError as missing:
            section.rows.append({"posable": label, "settings": f"did not run: {missing}"})
            continue
        q = answers.q[1:]  # the way from the start to the first target is no part of the circle
        sizes = steps(tree, q)
        row = {"posable": label, "largest step rad": number(sizes.max()), "mean step rad": number(sizes.mean())}
        row["largest / mean"] = number(sizes.max() / sizes.mean())
        row["largest change between steps / mean step"] = number(np.abs(np.diff(q, 2, axis=0)).max() / sizes.mean())
        row["median µs"] = number(float(np.median(answers.microseconds)))
        section.rows.append(row)
    return section
