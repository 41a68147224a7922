"""One descent of the reference solver: goals as terms, their linear model, the damped step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.goals import Custom, Gravity, Row
from posable.goals.evaluation import evaluate_terms, motion_jacobian, term_blocks, terms_of
from posable.goals.term_arrays import SOFTER, TOLERANCE, WEIGHT
from posable.skeleton import Pose
from posable.solvers.default.kernels.descent import (
    EASIER,
    EXHAUSTED,
    FAILURES,
    FAR,
    FEW,
    FIRST_DAMPING,
    FLAT,
    FLOOR,
    LARGEST_TURN,
    LEAST_DAMPING,
    PATIENCE,
    PROMISE,
    REACHED,
    ROUNDS,
    SLOW,
    STALLED,
    STATIONARY,
)
from posable.solvers.default.kernels.workspace import DRAW, EASE, LOCKED, RESISTANCE, UNIT, USED
from posable.solvers.problem import Structure, soft_scale
from posable.solvers.reference.limits import Cones, Limits, ease
from posable.spatial import Array


class Term(NamedTuple):
    """Some residuals with a common weight. Lengths are measured in reaches of the figure."""

    level: int
    weight: float
    tolerance: float  # infinite if switched off
    counts: bool  # whether the solve has to meet it to be REACHED
    row: Row | None  # None for a Custom goal

    @property
    def is_length(self) -> bool:
        """Whether its numbers are lengths."""
        return self.row is not None and self.row.is_length

    @property
    def is_contact(self) -> bool:
        """Whether it is a collision constraint."""
        return self.row is not None and self.row.is_contact


@dataclass
class State:
    """A pose, its residuals, and their cost."""

    pose: Pose
    residual: list[Array]
    rows: Array  # of `evaluate_terms`
    weights: list[float]  # of the terms, at the priority that is being solved
    cost: float = math.inf
    met: bool = False
    kept: bool = False  # whether harder goals keep their residuals


class Equations(NamedTuple):
    """The linear model of a state, in scaled freedoms: radians and reaches, coned balls in their cone's basis."""

    jacobians: list[Array]  # −∂r, one a term
    rows: Array  # √w J of all terms, stacked
    wanted: Array  # √w r, one for each row
    bends: Array | None  # the goals' second derivatives, if used
    gradient: Array  # Σ w Jᵀ r + the soft goals' pull: downhill
    soft: Array  # [dof] that pull
    stiffness: Array  # [dof] of the springs that pull


class Problem:
    """Goals on a skeleton with their targets; multipliers protect the harder goals from the softer ones."""

    def __init__(self, structure: Structure, numbers: Array, spring_poses: Array | None, start: Pose) -> None:
        s, p = structure, structure.problem
        self.structure, self.skeleton, self.numbers = s, s.skeleton, numbers
        self.spring_poses = np.empty((0, len(start.q))) if spring_poses is None else spring_poses
        self.evaluations = [0] * len(s.goal_set.custom)
        self.custom = tuple(self._counted(goal, start, k) for k, goal in enumerate(s.goal_set.custom))
        self.levels = max([p.levels, *(goal.priority for goal in self.custom if not goal.soft)])
        self.springs, self.pull, soft_scale = spring_weights(s)
        self.terms = [
            Term(row.level, measures[WEIGHT] / SOFTER**row.level, measures[TOLERANCE], row.counts, row)
            for row, measures in zip(s.goal_set.rows, p.measures, strict=True)
        ] + [self._term(goal, soft_scale) for goal in self.custom]
        self.formulas = terms_of(s.goal_set.hard, s.goal_set.rows_of, s.skeleton, 1.0, 1.0)
        self.unit, self.locked = p.freedom[:, UNIT], p.freedom[:, LOCKED] > 0
        self.walks = np.zeros(s.skeleton.dof, bool)  # the translation of free joints, in which all goals are linear
        for j, joint in enumerate(s.skeleton.definitions):
            self.walks[list(s.skeleton.freedom_range(j))[:-3]] = joint.floating
        self.has_soft = spring_poses is not None or any(goal.soft for goal in self.custom)
        freedoms = sum(s.skeleton.definitions[j].dof for j in p.used[:, USED])
        freedoms -= 3 * sum(s.skeleton.definitions[j].floating for j in p.used[:, USED])
        self.first_damping = FIRST_DAMPING * max(1.0, freedoms / (FEW * max(1, len(s.goal_set.rows))))
        self.forget_shifts(start)

    def _counted(self, goal: Custom, start: Pose, k: int) -> Custom:
        """Custom goal `k`, whose calls are counted."""
        goal = goal.always(len(goal.residual(start)))

        def counted(function: Callable[[Pose], ArrayLike]) -> Callable[[Pose], ArrayLike]:
            @wraps(function)
            def call(pose: Pose) -> ArrayLike:
                self.evaluations[k] += 1
                return function(pose)

            return call

        derivative = goal.jacobian_function
        return replace(
            goal, function=counted(goal.function), jacobian_function=None if derivative is None else counted(derivative)
        )

    def out_of_evaluations(self) -> bool:
        """Whether a Custom goal has used up its evaluations."""
        return any(count >= goal.max_evaluations for count, goal in zip(self.evaluations, self.custom, strict=True))

    def _term(self, goal: Custom, soft_scale: float) -> Term:
        level = self.levels + 1 if goal.soft else goal.priority
        weight = goal.weight * (soft_scale if goal.soft else 1.0)
        tolerance = goal.tolerance if goal.weight > 0 and not goal.soft else math.inf
        return Term(level, weight, tolerance, not goal.soft, None)

    def forget_shifts(self, pose: Pose) -> None:
        """Reset the multipliers: no goal yields to another."""
        self.shift = [np.zeros(len(r)) for r in self._residuals(pose)[0]]
        self.kept = [np.zeros(len(r)) for r in self.shift]

    def _residuals(self, pose: Pose) -> tuple[list[Array], Array]:
        residual, rows = evaluate_terms(self.formulas, pose.world_from_joint[None], self.numbers[None])
        lengths = zip(residual[0], self.terms, strict=False)
        found = [r / self.skeleton.reach if term.is_length else r for r, term in lengths]
        return found + [goal.residual(pose) for goal in self.custom], rows[0]

    def wanted(self, state: State, k: int) -> Array:
        """The residual of term `k`, shifted by its multiplier."""
        return state.residual[k] - self.kept[k] + self.shift[k]

    def at(self, pose: Pose, level: int) -> State:
        """The state of a pose where the goals up to `level` count; the springs' level is the last."""
        weights = [term.weight * (SOFTER if 0 < term.level == level else 1.0) for term in self.terms]
        state = State(pose, *self._residuals(pose), weights, cost=0.0, met=True, kept=True)
        for k, term in enumerate(self.terms):
            if term.level > level:
                continue
            state.cost += 0.5 * state.weights[k] * float(np.sum(self.wanted(state, k) ** 2))
            # Slightly inside the tolerance, so that another program's rounding agrees.
            allowed, size = 0.99 * term.tolerance, float(np.linalg.norm(state.residual[k]))
            if term.level == level or term.counts:
                state.met = state.met and size <= allowed
            if term.level < level:
                state.kept = state.kept and float(np.linalg.norm(state.residual[k] - self.kept[k])) <= allowed
        if self.pulls(level):
            beyond, weights = self._drawn(pose)
            state.cost += 0.5 * float(np.sum(weights * beyond**2)) + self._height_energy(pose)
        return state

    def pulls(self, level: int) -> bool:
        """Whether this level is that of the soft goals."""
        return self.has_soft and level == self.levels + 1

    def asks_softly(self, pose: Pose) -> bool:
        """Whether the soft goals pull at a pose."""
        beyond, weights = self._drawn(pose)
        asked = [goal.residual(pose) for goal in self.custom if goal.soft and goal.weight > 0]
        return bool(np.any(self.pull)) or bool(np.any(weights * beyond)) or any(np.any(r) for r in asked)

    def _drawn(self, pose: Pose) -> tuple[Array, Array]:
        """`[spring, dof]`: the distance of each freedom from the band of each spring, and the spring's weight there."""
        away = Pose.trusted(self.skeleton, self.spring_poses).minus(pose)
        beyond = np.where(away > 0, away - self.springs[:, 0], away + self.springs[:, 1])
        acts = (beyond * away > 0) & (self.springs[:, DRAW] > 0)
        return np.where(acts, beyond / self.unit, 0.0), np.where(acts, self.springs[:, DRAW], 0.0)

    def _height_energy(self, pose: Pose) -> float:
        size = float(np.abs(self.pull).sum())
        return size * float(Gravity().residual(pose)[..., 0]) if size > 0 else 0.0

    def equations(self, state: State, level: int, curved: bool, basis: Array) -> Equations:
        """The linear model of a state. basis: `[dof, dof]` whose columns are the directions that limits follow."""
        pose, scaled = state.pose, self.unit[:, None] * basis
        jacobians, dof = [], self.skeleton.dof
        blocks = term_blocks(self.formulas, self.structure.goal_set.rows, pose, state.rows)
        for parts, term in zip(blocks, self.terms, strict=False):
            shrunk = 1 / self.skeleton.reach if term.is_length else 1.0
            jacobians.append([shrunk * part @ scaled for part in parts])
        jacobians += [[-goal.jacobian(pose) @ scaled] for goal in self.custom]
        rows, wanted, bends = [np.zeros((0, dof))], [np.zeros(0)], np.zeros((dof, dof))
        for k, (parts, term) in enumerate(zip(jacobians, self.terms, strict=True)):
            if term.level > level or (term.is_contact and not state.residual[k].any()):
                continue
            # Each body of a contact by itself, twice as stiff: (a + b)² ≤ 2 a² + 2 b² bounds the predicted gain.
            alone, count = (parts, len(parts)) if term.is_contact else ([np.sum(parts, axis=0)], 1)
            rows += [math.sqrt(count * state.weights[k]) * part for part in alone]
            wanted += [math.sqrt(state.weights[k] / count) * self.wanted(state, k)] * count
            if curved and term.row is not None and term.row.is_plain:
                bends += self._bend(state, k, term.row, scaled)
        soft, stiffness = np.zeros(dof), np.zeros(dof)
        if self.pulls(level):
            beyond, weights = self._drawn(pose)
            stiffness, soft = weights.sum(axis=0), basis.T @ np.sum(weights * beyond, axis=0)
            if np.any(self.pull):
                soft -= np.abs(self.pull).sum() * Gravity().jacobian(pose)[0] @ scaled
                bends += self._weight_bends(pose, scaled) if curved else 0.0
        total = [np.sum(parts, axis=0) for parts in jacobians]
        stacked, right = np.concatenate(rows), np.concatenate(wanted)
        gradient = stacked.T @ right + soft
        return Equations(total, stacked, right, bends if bends.any() else None, gradient, soft, stiffness)

    def _bend(self, state: State, k: int, row: Row, scaled: Array) -> Array:
        """The contribution of the second derivative of ½ w |r|² beyond w JᵀJ: of a position, that of a force at a
        point; of a rotation, w (J − JᵀJ), J its Jacobian by a rotation of the body.
        """
        rows = state.rows[k]
        column = np.zeros((6, 6))
        if row.is_point:
            point = np.array([rows[1, 2], rows[2, 0], rows[0, 1]]) / self.skeleton.reach
            column = _force_bend(point, state.weights[k] * self.wanted(state, k))
        elif not (self.shift[k].any() or self.kept[k].any()):
            column[:3, :3] = state.weights[k] * (rows[:3, :3] - rows[:3, :3].T @ rows[:3, :3])
        return self._between_motions(state.pose, row.joint, column, scaled)

    def _weight_bends(self, pose: Pose, scaled: Array) -> Array:
        total = np.zeros((len(self.unit), len(self.unit)))
        for j, (mass, *center) in enumerate(self.structure.problem.bodies.tolist()):
            frame = pose.world_from_joint[j]
            point = (frame[:3, :3] @ center + frame[:3, 3]) / self.skeleton.reach
            total += self._between_motions(pose, j, _force_bend(point, mass * self.pull), scaled)
        return total

    def _between_motions(self, pose: Pose, joint: int, column: Array, scaled: Array) -> Array:
        """`[dof, dof]`: Sᵢᵀ B Sₘ for every motion m of the chain to a body and every i nearer to the root."""
        motion = motion_jacobian(pose, joint)
        motion[3:] /= self.skeleton.reach
        motion = motion @ scaled
        upper = np.triu(motion.T @ column @ motion)
        return upper + np.triu(upper, 1).T


def spring_weights(s: Structure) -> tuple[Array, Array, float]:
    """(springs, pull of gravity, scale of the weights of soft Custom goals): softer than all levels of the others, with
    the ratios of their weights.
    """
    table, pull = s.problem.springs.copy(), np.zeros(3)
    draws = np.array([spring.weight for spring in s.goal_set.springs]).reshape(table[:, DRAW].shape)
    for goal in s.goal_set.soft:
        force = goal.weight_force(s.skeleton)
        pull = pull if force is None else pull + force
    scale = soft_scale(np.append(draws, [goal.weight for goal in s.goal_set.custom if goal.soft]), pull)
    table[:, DRAW] = scale * draws
    return table, scale * pull, scale


def _force_bend(point: Array, force: Array) -> Array:
    """`[6, 6]`: the derivative of the moment of a force at a point of a body by the body's motion (ω, v)."""
    result = np.zeros((6, 6))
    result[:3, :3] = (force @ point) * np.eye(3) - np.outer(point, force)
    result[:3, 3:] = np.cross(force, np.eye(3), axisb=0, axisc=0)
    return result


class Descent(NamedTuple):
    """The result of a descent."""

    outcome: int
    iterations: int
    state: State


def propose(limits: Limits, e: Equations, bends: Array | None, damping: Array) -> Array | None:
    """The damped step within the limits; None where the curvature is not positive.

    A freedom that would pass its limit gets exactly the step to it, and the others are solved again.
    """
    free, given = limits.free.copy(), np.zeros(len(damping))
    step = given
    for _ in range(ROUNDS):
        step = given.copy()
        if bends is None:
            # min ‖√W (J δ − r)‖² + ‖√Λ δ − soft/√Λ‖², by QR: the normal equations would lose the least damped
            # directions.
            root = np.sqrt(damping[free])
            matrix = np.concatenate([e.rows[:, free], np.diag(root)])
            right = np.concatenate([e.wanted - e.rows @ given, e.soft[free] / root])
            q, r = np.linalg.qr(matrix)
            step[free] = np.linalg.solve(r, q.T @ right)
        else:
            hessian = e.rows.T @ e.rows + bends
            matrix = hessian[np.ix_(free, free)] + np.diag(damping[free])
            try:
                np.linalg.cholesky(matrix)
            except np.linalg.LinAlgError:
                return None
            step[free] = np.linalg.solve(matrix, e.gradient[free] - hessian[free] @ given)
        beyond = free & ((step > limits.up) | (-step > limits.down))
        if not beyond.any():
            break
        given[beyond] = np.where(step > limits.up, limits.up, -limits.down)[beyond]
        step[beyond] = given[beyond]
        free &= ~beyond
    return step


def try_step(problem: Problem, state: State, e: Equations, limits: Limits, damping: float) -> tuple[Pose, float]:
    """The pose after the damped step, and the gain that the linear model predicts."""
    p, step = problem.structure.problem.freedom, None
    for attempt in range(4):
        resisting = np.where(problem.walks, min(damping, FAR), damping) * p[:, RESISTANCE]
        resisting *= ease(limits.room, p[:, EASE])
        resisting += e.stiffness + limits.round * e.gradient[limits.leans]
        step = propose(limits, e, e.bends if attempt < 3 else None, resisting)
        if step is not None:
            break
        damping = max(16.0 * damping, 1e-6) if attempt < 2 else damping
    step = np.zeros(len(p)) if step is None else step
    share = min(1.0, LARGEST_TURN / float(np.abs(step[~problem.walks]).max(initial=1e-300)))
    gain = 0.0
    for k, (term, jacobian) in enumerate(zip(problem.terms, e.jacobians, strict=True)):
        moved = share * jacobian @ step
        won = 0.5 * state.weights[k] * float(moved @ (2.0 * problem.wanted(state, k) - moved))
        gain += won if term.level <= limits.level else 0.0
    along = share * step
    gain += float(along @ (e.soft - 0.5 * e.stiffness * along))
    return limits.moved(state.pose, along), gain


def _damping_after(mu: float, ratio: float) -> float:
    """The next damping after a step that gained `ratio` of the predicted gain."""
    if ratio > 0.5:
        return max(EASIER * mu, LEAST_DAMPING)
    return mu if ratio > 0.2 else 2.0 * mu


def descend(problem: Problem, pose: Pose, level: int, most: int, bar: float, trace: list[Array] | None) -> Descent:
    """Improve a pose until its goals are met, it is stationary, or a slow start is given up.

    The damping is μ · cost, so that it vanishes with the error. most: iterations allowed. bar: a slow attempt continues
    only where it may end below this cost.
    """
    mu, slow, failures, iteration, gain, won = problem.first_damping, 0, 0, 0, 0.0, 0.0
    pulled, best, tried = problem.pulls(level), None, problem.at(pose, level)
    e, limits = None, None
    while True:
        done = tried.met and not pulled
        if best is None or tried.cost < best.cost or done:
            stationary = False
            if best is not None:
                won, iteration = best.cost - tried.cost, iteration + 1
                mu = _damping_after(mu, won / gain if gain > 0.0 else 1.0)
                slow = slow + 1 if won < SLOW * best.cost else 0
                stationary = won <= 1e-15 * best.cost
                if trace is not None:
                    trace.append(tried.pose.q)
            best, failures = tried, 0
            dropped = slow >= PATIENCE and best.cost - PROMISE * won >= bar
            exhausted = iteration >= most or problem.out_of_evaluations()
            outcomes = ((done, REACHED), (stationary, STATIONARY), (exhausted, EXHAUSTED), (dropped, STALLED))
            for ends, outcome in outcomes:
                if ends:
                    return Descent(outcome, iteration, best)
            bends = slow >= 2 or (pulled and bool(np.any(problem.pull)))
            cones = Cones(problem.skeleton, best.pose, problem.locked)
            e = problem.equations(best, level, bends, cones.basis)
            limits = Limits(problem.skeleton, best.pose, problem.locked, problem.unit, cones, e.gradient, level)
            left = float(np.abs(e.gradient[limits.free]).max(initial=0.0))
            if left <= FLAT * math.sqrt(2.0 * best.cost) + 1e-300:
                return Descent(STATIONARY, iteration, best)
        else:
            failures, mu = failures + 1, max(8.0 * mu, 1e-6)
            if failures > FAILURES or abs(gain) <= 1e-15 * best.cost:
                return Descent(STATIONARY, iteration, best)
            if gain < 0.0 and bar < 0.0:  # limits make the step an ascent: shorter steps would creep along them
                return Descent(STALLED, iteration, best)
        assert e is not None and limits is not None
        pose, gain = try_step(problem, best, e, limits, mu * best.cost + FLOOR)
        tried = problem.at(pose, level)
