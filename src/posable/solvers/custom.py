"""Custom goals: the default method's steps from Python, since an error function of the user's cannot be compiled.

The same damped Gauss–Newton steps with limits as an active set, on a dense system of all rows; the soft goals then act
in the directions that leave these rows as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import GoalError
from posable.goals import Custom, Goal, SoftGoal
from posable.goals.term_arrays import weight_of
from posable.skeleton import Pose, Skeleton
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED, STATIONARY
from posable.solvers.engine import NO_FAULT, Fault, follow_by_runs
from posable.solvers.options import Options
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure
from posable.spatial import Array

AnyGoal = Goal | SoftGoal | Custom
Mask = NDArray[np.bool_]

_FAILURES = 12
_SOFT_STEPS = 30


class CustomEngine:
    """Custom goals, one problem after the other, in Python."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._targets = Targets(structure.skeleton, structure.wishes)

    def most_traced(self) -> int:
        return self.structure.options.max_iterations + 1

    def run(
        self, starts: Array, numbers: Array, springs: Array | None, out: Array, counts: NDArray[np.int64], traces: Array
    ) -> Fault:
        for n, start in enumerate(starts):
            goals = self._targets.goals_of(numbers[n], None if springs is None else springs[n])
            pose = Pose.trusted(self.structure.skeleton, np.array(start))
            result = solve_custom(pose, goals, self.structure.free, self.structure.options)
            kept = result.trace[: traces.shape[1]]
            traces[n, : len(kept)] = np.reshape(kept, (-1, len(start)))
            out[n], counts[n] = result.pose.q, (result.outcome, result.iterations, len(kept))
        return NO_FAULT

    def follow(
        self,
        start: Array,
        numbers: Array,
        springs: Array | None,
        steps: Array | None,
        out: Array,
        counts: NDArray[np.int64],
    ) -> Fault:
        if steps is not None:
            raise GoalError("tracking with a Custom goal keeps no limits of speed or acceleration; leave them out")
        options = replace(self.structure.options, restarts=0)
        unrestarted = CustomEngine(self.structure._replace(options=options))
        return follow_by_runs(unrestarted, start, numbers, springs, out, counts)

    def on(self, structure: Structure) -> CustomEngine:
        return CustomEngine(structure)


class CustomResult(NamedTuple):
    """How one solve with custom goals ended."""

    pose: Pose
    outcome: int
    iterations: int
    trace: list[Array]


class _Rows(NamedTuple):
    residual: Array  # weighted, lengths in reaches
    jacobian: Array
    met: bool

    @property
    def cost(self) -> float:
        return float(0.5 * self.residual @ self.residual)


def solve_custom(start: Pose, goals: tuple[AnyGoal, ...], free: Mask, options: Options) -> CustomResult:
    """One solve from `start`, restarts included; free: `[dof]` which freedoms may move."""
    goals = tuple(goal.always(len(goal.residual(start))) if isinstance(goal, Custom) else goal for goal in goals)
    rng = np.random.default_rng(options.seed)
    best, spent = _descend(start.clamped(), goals, free, options), 0
    for _ in range(options.restarts):
        if best.outcome == REACHED:
            break
        spent += best.iterations
        elsewhere = start.skeleton.random_pose(rng)
        coordinates = np.where(_moving(start.skeleton, free), elsewhere.q, best.pose.q)
        other = _descend(Pose.trusted(start.skeleton, coordinates).clamped(), goals, free, options)
        if other.outcome == REACHED or _rows(other.pose, goals, options).cost < _rows(best.pose, goals, options).cost:
            best = other
    if best.outcome == REACHED and any(isinstance(goal, SoftGoal) for goal in goals):
        best = best._replace(pose=_soften(best.pose, goals, free, options))
    return best._replace(iterations=best.iterations + spent)


def _moving(skeleton: Skeleton, free: Mask) -> Mask:
    """`[coordinates]`: those of joints of which every freedom may move."""
    coordinates = skeleton.tables.first_coordinate
    moving = np.zeros(skeleton.coordinates, bool)
    for j, joint in enumerate(skeleton.definitions):
        own = skeleton.freedom_range(j)
        moving[coordinates[j] : coordinates[j + 1]] = not joint.floating and bool(free[list(own)].all())
    return moving


def _rows(pose: Pose, goals: tuple[AnyGoal, ...], options: Options) -> _Rows:
    residuals, jacobians, met = [np.zeros(0)], [np.zeros((0, pose.skeleton.dof))], True
    for goal in goals:
        if isinstance(goal, SoftGoal):
            continue
        r, jacobian = goal.residual(pose), goal.jacobian(pose)
        if isinstance(goal, Custom):
            met = met and (goal.weight == 0 or float(np.linalg.norm(r)) <= goal.tolerance)
            weights = np.full(len(r), goal.weight)
        else:
            weights, fine = _weights(goal, pose, r, options)
            met = met and fine
        residuals.append(np.sqrt(weights) * r)
        jacobians.append(np.sqrt(weights)[:, None] * jacobian)
    return _Rows(np.concatenate(residuals), np.concatenate(jacobians), met)


def _weights(goal: Goal, pose: Pose, r: Array, options: Options) -> tuple[Array, bool]:
    """(weight of every number of the residual, whether the goal is met)."""
    weights, met = np.zeros(len(r)), True
    for k, row in enumerate(goal.rows(pose.skeleton)):
        part, length = slice(3 * k, 3 * k + 3), row.is_length
        weights[part] = weight_of(row, pose.skeleton.reach)
        tolerance = options.tolerance if length else options.angle_tolerance
        met = met and (row.weight == 0 or not row.counts or float(np.linalg.norm(r[part])) <= 0.99 * tolerance)
    return weights, met


def _descend(pose: Pose, goals: tuple[AnyGoal, ...], free: Mask, options: Options) -> CustomResult:
    rows, damping, failures = _rows(pose, goals, options), 0.1, 0
    trace, iteration = [pose.q], 0
    while iteration < options.max_iterations and not rows.met:
        step = _step(pose, rows, damping * rows.cost + 1e-12, free)
        tried = pose.plus(step).clamped()
        new = _rows(tried, goals, options)
        if new.cost < rows.cost or new.met:
            settled = rows.cost - new.cost <= 1e-14 * rows.cost
            pose, rows, damping, failures = tried, new, max(0.25 * damping, 1e-9), 0
            iteration += 1
            trace.append(pose.q)
            if settled and not rows.met:
                return CustomResult(pose, STATIONARY, iteration, trace)
        else:
            damping, failures = 8 * damping, failures + 1
            if failures > _FAILURES:
                return CustomResult(pose, STATIONARY, iteration, trace)
    return CustomResult(pose, REACHED if rows.met else EXHAUSTED, iteration, trace)


def _step(pose: Pose, rows: _Rows, damping: float, free: Mask) -> Array:
    """The damped step; freedoms that would leave their limits stop there and the rest is solved anew."""
    skeleton = pose.skeleton
    unit = np.where(skeleton.slides, skeleton.reach, 1.0)
    jacobian = rows.jacobian * unit
    gradient = -jacobian.T @ rows.residual
    at, low, high = _scalars(pose)
    step = given = np.zeros(skeleton.dof)
    moving = free & ~((gradient > 0) & (at >= high) | (gradient < 0) & (at <= low))
    for _ in range(6):
        own = jacobian[:, moving]
        force = own.T @ (-rows.residual - jacobian @ given)
        step = given.copy()
        step[moving] = np.linalg.solve(own.T @ own + damping * np.eye(own.shape[1]), force)
        over = moving & ((at + step * unit > high) | (at + step * unit < low))
        if not over.any():
            break
        given[over] = (np.clip(at + step * unit, low, high) - at)[over] / unit[over]
        moving &= ~over
    longest = np.abs(step).max(initial=1e-300)
    return step * min(1.0, 1.5 / longest) * unit


def _scalars(pose: Pose) -> tuple[Array, Array, Array]:
    """Per freedom: its coordinate and its limits; those of rotations and free joints have none here."""
    skeleton = pose.skeleton
    at = np.zeros(skeleton.dof)
    for j, joint in enumerate(skeleton.definitions):
        if not joint.has_quaternion:
            at[list(skeleton.freedom_range(j))] = pose.of(skeleton.joints[j])
    return at, np.asarray(skeleton.lower), np.asarray(skeleton.upper)


def _soften(pose: Pose, goals: tuple[AnyGoal, ...], free: Mask, options: Options) -> Pose:
    """Move along the directions that leave the hard rows as they are to where the soft goals want the figure."""
    soft = [goal for goal in goals if isinstance(goal, SoftGoal)]
    best = pose
    for _ in range(_SOFT_STEPS):
        rows = _rows(best, goals, options)
        jacobian = rows.jacobian[:, free]
        pull = np.zeros(int(free.sum()))
        for goal in soft:
            own = goal.jacobian(best)[:, free]
            pull -= goal.weight * own.T @ goal.residual(best)
        step = np.zeros(len(free))
        along = pull / sum(goal.weight for goal in soft)
        step[free] = along - np.linalg.pinv(jacobian, rcond=1e-9) @ (jacobian @ along)
        moved = _descend(best.plus(step).clamped(), goals, free, options)
        if moved.outcome != REACHED or np.abs(step).max(initial=0.0) < 1e-9:
            break
        best = moved.pose
    return best
