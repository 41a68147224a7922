"""Restarts of the reference solver: the order of attempts, and the choice among the poses found.

The rules of `default/kernels/multi_start.py` as a sequence: the start and its escapes from limits; seeded restarts with
escapes of their own, of which the nearest to the start is taken once two have reached; where none has, the best is
polished, and so is the pose of the first attempt.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose
from posable.solvers.default.kernels.active_limits import AT_LIMIT
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED, STALLED
from posable.solvers.default.kernels.multi_start import (
    ACROSS,
    ENOUGH,
    MOST_ESCAPES,
    NEARLY,
    NO_BETTER,
    RESTART_ITERATIONS,
)
from posable.solvers.default.kernels.workspace import LEADS, SLIDING, USED
from posable.solvers.reference.descent import Descent, Problem, descend
from posable.solvers.reference.limits import kept_where_still, leaned, scalars, swing_and_twist
from posable.spatial import Array

_MUCH = 0.01


class Search:
    """The best pose so far: the nearest to the start of those that reached, or the one of least cost."""

    def __init__(self, problem: Problem, start: Pose) -> None:
        self.problem, self.start = problem, start
        self.best, self.outcome = start, STALLED
        self.least = self.nearest = math.inf
        self.found = self.spent = 0
        self.from_start = False

    def take(self, ended: Descent, attempt: int, first: bool) -> None:
        """Record the end of an attempt."""
        self.spent += ended.iterations
        pose, cost = ended.state.pose, ended.state.cost
        if ended.outcome == REACHED:
            away = float(np.sum((pose.minus(self.start) / self.problem.unit) ** 2)) if attempt else 0.0
            self.outcome, self.found = REACHED, self.found + 1
            if away < self.nearest:
                self.nearest, self.best = away, pose
        elif not self.found and cost < self.least * (1.0 - 1e-9):
            self.least, self.outcome, self.from_start, self.best = cost, ended.outcome, first, pose

    def polish(self, first: Pose, most: int, trace: list[Array] | None) -> None:
        """Polish the best pose, and that of the first attempt, which is taken unless the best is better."""
        ended = descend(self.problem, self.best, 0, most, math.inf, trace if self.from_start else None)
        self.spent += ended.iterations
        self.outcome, self.least, self.best = ended.outcome, ended.state.cost, ended.state.pose
        if not self.from_start:
            again = descend(self.problem, first, 0, most, math.inf, trace)
            self.spent += again.iterations
            if again.state.cost <= self.least * (1.0 + NO_BETTER):
                self.outcome, self.least, self.best = again.outcome, again.state.cost, again.state.pose


def solve_hard(problem: Problem, start: Pose, trace: list[Array] | None) -> tuple[int, int, Pose]:
    """(outcome, iterations, pose): the goals of priority 0, attempt by attempt."""
    options, search = problem.structure.options, Search(problem, start)
    most, few = options.max_iterations, min(options.max_iterations, RESTART_ITERATIONS)
    problem.forget_shifts(start)
    ended = descend(problem, start, 0, most, -math.inf, trace)
    first, attempt, escapes, leads, again = ended.state.pose, 0, 0, _leads(problem, start), False
    search.take(ended, 0, first=True)
    while not (search.found >= ENOUGH or (search.found and attempt in (0, options.restarts))):
        other, draw = None, 0
        spread = min(1.0, 0.35 + 0.15 * attempt)
        if ended.outcome not in (EXHAUSTED, REACHED) and escapes < MOST_ESCAPES:
            other, escapes = escape(problem, ended.state.pose, leads), escapes + 1
            if other is not None and attempt and escapes % 2 == 0:
                draw = attempt + escapes // 2 * options.restarts
        if problem.out_of_evaluations():
            search.outcome = REACHED if search.found else EXHAUSTED
            break
        if other is None and attempt < options.restarts:
            draw, attempt, escapes = attempt + 1, attempt + 1, 0
        if draw:
            other = scatter(problem, start, leads, spread, draw)
        if other is None:
            if again or ended.outcome == STALLED:
                search.polish(first, most, trace)
            break
        if not search.found and (not draw or attempt % 2 == 0):
            other = freeze_converged(problem, search.best, other)
        bar = NEARLY * search.least if draw else -math.inf
        ended, again = descend(problem, other, 0, few, bar, None), True
        search.take(ended, attempt, first=False)
    return search.outcome, search.spent, search.best


def random_at(seed: int, k: int) -> float:
    """Number `k`, in 0…1, of the series that belongs to `seed` (SplitMix64, Steele et al. 2014)."""
    mask = (1 << 64) - 1
    z = (seed + (k + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return ((z ^ (z >> 31)) >> 11) / 9007199254740992.0


def _leads(problem: Problem, start: Pose) -> NDArray[np.bool_]:
    """`[joint]` whether a joint affects a goal: by the hierarchy, or by the derivative of a Custom goal."""
    used, skeleton = problem.structure.problem.used, problem.skeleton
    leads = np.zeros(len(skeleton.joints), bool)
    leads[used[:, USED]] = used[:, LEADS] > 0
    for goal in problem.custom:
        moves = np.any(goal.jacobian(start) != 0, axis=0)
        leads |= [bool(np.any(moves[list(skeleton.freedom_range(j))])) for j in range(len(leads))]
    return leads


def scatter(problem: Problem, start: Pose, leads: NDArray[np.bool_], spread: float, attempt: int) -> Pose:
    """A pose within the limits, at random around the start; spread 1 is the whole range."""
    skeleton, tangent = problem.skeleton, np.zeros(problem.skeleton.dof)
    at, seed = scalars(skeleton, start), problem.structure.options.seed
    sliding = problem.structure.problem.freedom[:, SLIDING] > 0
    for j in np.flatnonzero(leads):
        kind = skeleton.definitions[j].kind
        for k, i in enumerate(skeleton.freedom_range(int(j))):
            u = random_at(seed, attempt * skeleton.dof + i)
            if problem.locked[i] or (kind == "free" and k < 3):
                continue
            if kind in ("ball", "free"):
                tangent[i] = spread * 1.8 * (2.0 * u - 1.0)
                continue
            widest = 0.5 * problem.unit[i] if sliding[i] else math.pi
            low, high = max(skeleton.lower[i], at[i] - widest), min(skeleton.upper[i], at[i] + widest)
            tangent[i] = spread * (low + u * (high - low) - at[i])
    return kept_where_still(start, start.plus(tangent).clamped(), tangent)


def escape(problem: Problem, pose: Pose, leads: NDArray[np.bool_]) -> Pose | None:
    """Move the freedoms at a limit across the middle of their range; None without any.

    Usually a limit that it has run into keeps a descent from its goal, and beyond the middle lies the other solution
    for that joint.
    """
    skeleton, q, any_held = problem.skeleton, np.array(pose.q), False
    for j in np.union1d(problem.structure.problem.used[:, USED], np.flatnonzero(leads)):
        joint, own = skeleton.definitions[j], list(skeleton.freedom_range(int(j)))
        first, end = skeleton.tables.first_coordinate[j : j + 2]
        if joint.cone is not None and not problem.locked[own].any():
            swing, twist = swing_and_twist(skeleton, pose, int(j))
            widest, low, high = skeleton.packed.cones[j, 7:10]
            middle, half = 0.5 * (low + high), 0.5 * (high - low)
            leans = swing >= widest - AT_LIMIT
            turns = abs(twist - middle) >= half - AT_LIMIT and half < math.pi - AT_LIMIT
            if leans or turns:
                to = middle - ACROSS * (twist - middle) if turns else twist
                q[first:end] = leaned(skeleton, pose, int(j), -0.5 * ACROSS * swing if leans else 0.5 * swing, to)
                any_held = True
        if joint.has_quaternion:
            continue
        for k, i in enumerate(own):
            low, high = skeleton.lower[i], skeleton.upper[i]
            if problem.locked[i] or not high - low < math.inf:
                continue
            near, middle = 1e-9 * (high - low), 0.5 * (low + high)
            if not low + near < q[first + k] < high - near:
                q[first + k] = middle - ACROSS * (q[first + k] - middle)
                any_held = True
    return Pose.trusted(skeleton, q) if any_held else None


def freeze_converged(problem: Problem, best: Pose, other: Pose) -> Pose:
    """The start `other` of an attempt, with the joints that carry a goal with little error restored from `best`, so
    that only the joints of the other goals start anew.
    """
    skeleton, parents = problem.skeleton, problem.skeleton.parents
    rows = problem.structure.goal_set.rows
    carriers = [row.joint for row in rows if not row.is_contact]
    if not any(joint != rows[0].joint for joint in carriers):
        return other
    state, converged = problem.at(best, 0), np.zeros(len(parents), bool)
    converged[carriers] = True
    for row, term, residual in zip(rows, problem.terms, state.residual, strict=False):  # Custom goals follow
        if term.weight * float(residual @ residual) > _MUCH * state.cost:
            converged[row.joint] = False
    loose = False
    for j in problem.structure.problem.used[::-1, USED]:
        if converged[j] and parents[j] >= 0:
            converged[parents[j]] = True
        loose = loose or (not converged[j] and skeleton.definitions[j].dof > 0)
    q, first = np.array(other.q), skeleton.tables.first_coordinate
    for j in np.flatnonzero(converged) if loose else ():
        q[first[j] : first[j + 1]] = best.q[first[j] : first[j + 1]]
    return Pose.trusted(skeleton, q)
