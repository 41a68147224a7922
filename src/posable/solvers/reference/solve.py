"""The default solver in plain NumPy, to be read: the algorithm of the kernels in `default/kernels`, term by term.

A goal is one or more terms, each a residual r (target minus actual value) with a weight w and a priority level. A solve
minimises ½ Σ w |r|² by Levenberg–Marquardt over the freedoms of the figure:

- `solve`, here: the goals of priority 0, then each further priority and the soft goals in the remaining freedom.
- `starts.solve_hard`: a descent from the start and, where it fails, from others.
- `descent.descend`: steps from one start, with the damping adapted to their success; `propose` is the damped step
  (Σ w JᵀJ + Λ) δ = Σ w Jᵀ r, the limits an active set (`limits`).

The kernels find the same steps without forming these matrices. Custom goals, whose functions are Python, run here.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.errors import GoalError
from posable.skeleton import Pose
from posable.solvers.default.kernels.descent import REACHED, STALLED
from posable.solvers.engine import NO_FAULT, Batch, Fault, follow_by_runs
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure
from posable.solvers.reference.descent import Problem, descend
from posable.solvers.reference.starts import solve_hard
from posable.spatial import Array

_SOFT_ROUNDS = 12


def solve(problem: Problem, start: Pose, trace: list[Array] | None) -> tuple[int, int, Pose]:
    """(outcome, iterations, pose): the goals of priority 0, restarts included, then the softer ones."""
    outcome, spent, pose = solve_hard(problem, start.clamped(), trace)
    for level in range(1, problem.levels + 1 + problem.has_soft):
        pose, more = solve_softer(problem, pose, level, trace)
        spent += more
    if problem.levels > 0 and outcome == REACHED:
        outcome = REACHED if problem.at(pose, problem.levels + 2).met else STALLED
    return outcome, spent, pose


def solve_softer(problem: Problem, pose: Pose, level: int, trace: list[Array] | None) -> tuple[Pose, int]:
    """Improve the goals up to `level` in the freedom that the harder ones leave.

    Augmented Lagrangian: each round descends on all goals with the harder ones' residuals shifted by the sum of their
    violations so far, which balances the softer goals' pull, so that the harder ones keep their residuals.
    """
    if problem.pulls(level) and not problem.asks_softly(pose):
        return pose, 0
    most, spent, other = problem.structure.options.max_iterations, 0, pose
    harder = [k for k, term in enumerate(problem.terms) if term.level < level]
    problem.forget_shifts(pose)
    began = problem.at(pose, level)
    for k in harder:  # met goals must stay met, unmet ones keep their residual
        short = float(np.linalg.norm(began.residual[k])) > problem.terms[k].tolerance
        problem.kept[k] = began.residual[k] * short
    for _ in range(_SOFT_ROUNDS):
        ended = descend(problem, other, level, most, math.inf, trace)
        other, spent = ended.state.pose, spent + ended.iterations
        if ended.state.kept:
            return other, spent
        for k in harder:
            problem.shift[k] = problem.shift[k] + ended.state.residual[k] - problem.kept[k]
    problem.shift = [np.zeros(len(own)) for own in problem.shift]
    ended = descend(problem, other, level - 1, most, math.inf, trace)
    again = problem.at(ended.state.pose, level)
    better = again.kept and again.cost < problem.at(pose, level).cost
    return (again.pose if better else pose), spent + ended.iterations


class Reference:
    """The engine: one problem after the other, in Python."""

    route = "reference solver"

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._targets = Targets(structure.skeleton, structure.goal_set)

    def most_traced(self) -> int:
        return self.structure.options.max_iterations * 15 + 2

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        self._targets.goals_of(batch.numbers, batch.springs)  # raises errors by name for invalid targets
        for n, q in enumerate(batch.starts):
            start = Pose.trusted(self.structure.skeleton, np.array(q)).clamped()
            problem = Problem(
                self.structure, batch.numbers[n], None if batch.springs is None else batch.springs[n], start
            )
            trace = [start.q] if traces.shape[1] else None
            outcome, spent, pose = solve(problem, start, trace)
            kept = [] if trace is None else [*trace, pose.q][: traces.shape[1]]
            if len(kept) > 1 and np.array_equal(kept[-1], kept[-2]):
                kept.pop()
            traces[n, : len(kept)] = np.reshape(kept, (-1, len(q)))
            out[n], counts[n] = pose.q, (outcome, spent, len(kept))
        return NO_FAULT

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        if steps is not None:
            raise GoalError("tracking with a Custom goal keeps no limits of speed or acceleration; leave them out")
        options = replace(self.structure.options, restarts=0)
        return follow_by_runs(Reference(self.structure._replace(options=options)), batch, out, counts)

    def on(self, structure: Structure) -> Reference:
        return Reference(structure)
