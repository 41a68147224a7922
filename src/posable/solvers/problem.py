"""A list of goals on a skeleton as arrays for the compiled solver."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import GoalError
from posable.goals import Balance, Custom, Goal, LookAt, Row, SoftGoal
from posable.goals.balance import body_masses
from posable.goals.columns import SOFTER, term_table
from posable.goals.terms import BALANCE, POLE
from posable.skeleton import Skeleton
from posable.skeleton.tables import BALL, FREE
from posable.solvers.options import Options
from posable.spatial import Array


class Problem(NamedTuple):
    """What stays the same for all poses and targets of one list of goals; columns are named in `columns`."""

    scale: float  # 1 / reach: positions are measured in reaches, so that units do not matter
    terms: NDArray[np.int64]  # [term, 8]
    measures: NDArray[np.float64]  # [term, 2 + CONSTANTS]; the tolerance is infinite for what is switched off
    used: NDArray[np.int64]  # [used, 3] joints that carry a goal's joint, parents first
    freedom: NDArray[np.float64]  # [dof, 5]
    first_motion: NDArray[np.int64]  # [joint + 1] a motion is one instantaneous way in which a joint moves
    motions: int
    levels: int  # the highest priority number
    bodies: NDArray[np.float64]  # [joint, 4] share of the mass and its centre; [0, 4] where no goal asks
    springs: NDArray[np.float64]  # [spring, 3, dof]


class Coupling(NamedTuple):
    """Where axes mimic others or count absolute angles: a motion goes with gain · freedom + gain2 · freedom2."""

    dof: NDArray[np.int64]  # [motion]
    gain: NDArray[np.float64]
    dof2: NDArray[np.int64]
    gain2: NDArray[np.float64]


class Wishes(NamedTuple):
    """The goals of one call, checked and sorted, and which goal each row belongs to."""

    goals: tuple[Goal | SoftGoal | Custom, ...]
    hard: tuple[Goal, ...]
    soft: tuple[SoftGoal, ...]
    custom: tuple[Custom, ...]
    rows: tuple[Row, ...]
    goal_of_row: tuple[int, ...]


def as_goals(goals: object) -> tuple[Goal | SoftGoal | Custom, ...]:
    """One goal or several as a tuple. Raises GoalError for what is no goal."""
    several = tuple(goals) if isinstance(goals, Iterable) else (goals,)
    return tuple([_as_goal(goal) for goal in several])


def _as_goal(goal: object) -> Goal | SoftGoal | Custom:
    if not isinstance(goal, _GOALS):
        names = "Reach, Orient, Place, LookAt, Pole, Balance, Stay, Comfort, Torsion and Custom"
        raise GoalError(f"{goal!r} is no goal; goals are {names}")
    return goal


_GOALS = (Goal, SoftGoal, Custom)


def read_goals(skeleton: Skeleton, goals: Sequence[Goal | SoftGoal | Custom]) -> Wishes:
    """The goals sorted. Raises GoalError or UnknownJointError for what does not fit the skeleton."""
    hard = tuple(goal for goal in goals if isinstance(goal, Goal))
    rows = [(row, k) for k, goal in enumerate(hard) for row in goal.rows(skeleton)]
    soft = tuple(goal for goal in goals if isinstance(goal, SoftGoal))
    custom = tuple(goal for goal in goals if isinstance(goal, Custom))
    return Wishes(tuple(goals), hard, soft, custom, tuple(row for row, _ in rows), tuple(k for _, k in rows))


def build_problem(
    skeleton: Skeleton, wishes: Wishes, options: Options
) -> tuple[Problem, Coupling | None, NDArray[np.int64] | None]:
    """The arrays; the coupling and the terms that tie bodies together, None where there are none (kernels are compiled
    for them only then). Raises UnknownJointError for frozen names that are not there.
    """
    first_motion, coupling = _motions(skeleton)
    rows = wishes.rows
    table = term_table(wishes.hard, skeleton, options.tolerance / skeleton.reach, options.angle_tolerance)
    ties = [k for k, row in enumerate(rows) if row.kind in (BALANCE, POLE) or row.other >= 0]
    balanced = any(isinstance(goal, Balance) for goal in wishes.hard)
    everywhere = bool(wishes.soft or wishes.custom) or coupling is not None or balanced
    levels = max((row.level for row in rows), default=0)
    problem = Problem(
        1.0 / skeleton.reach,
        table.terms,
        table.measures,
        _used(skeleton, rows, everywhere),
        _freedoms(skeleton, wishes, options.frozen),
        first_motion,
        int(first_motion[-1]),
        levels,
        body_masses(skeleton) if balanced else np.zeros((0, 4)),
        _springs(skeleton, wishes.soft, levels),
    )
    return problem, coupling, np.array(ties, np.int64) if ties else None


def _springs(skeleton: Skeleton, soft: Sequence[SoftGoal], levels: int) -> Array:
    """`[spring, 3, dof]`. Only what the weights are against each other matters: all are softer than the last level."""
    springs = [goal.spring(skeleton) for goal in soft]
    table = np.array([(s.below, s.above, s.weight) for s in springs]).reshape(len(springs), 3, skeleton.dof)
    table[:, 2] *= 0.1 * SOFTER ** (levels + 1) / max(table[:, 2].max(initial=0.0), math.ulp(0.0))
    return table


def _used(skeleton: Skeleton, rows: Sequence[Row], everywhere: bool) -> NDArray[np.int64]:
    carrying = {j for row in rows for j in (row.joint, row.other, row.third) if j >= 0}
    joints = sorted({j for joint in carrying for j in skeleton.chain(joint)})
    if everywhere:
        joints = list(range(len(skeleton.joints)))
    parents = skeleton.parents
    passes = [n > 0 and parents[j] == joints[n - 1] for n, j in enumerate(joints)]
    stored = carrying | {int(parents[j]) for j, one in zip(joints, passes, strict=True) if not one}
    table = [(j, j in stored, one) for j, one in zip(joints, passes, strict=True)]
    return np.array(table, np.int64).reshape(-1, 3)


def _freedoms(skeleton: Skeleton, wishes: Wishes, frozen: Sequence[str]) -> Array:
    locked = ~skeleton.tables.active | skeleton.freedom_mask(frozen)
    resistance = np.array([1.0 + joint.stiffness for joint in skeleton.definitions for _ in range(joint.dof)])
    for goal in wishes.hard:
        if isinstance(goal, LookAt) and (own := goal.resistances(skeleton)) is not None:
            resistance = resistance * own
    ease = np.array([joint.ease for joint in skeleton.definitions for _ in range(joint.dof)])
    unit = np.where(skeleton.slides, skeleton.reach, 1.0)
    return np.stack([locked, unit, resistance, ease, skeleton.slides], axis=1).astype(float)


def _motions(skeleton: Skeleton) -> tuple[NDArray[np.int64], Coupling | None]:
    t = skeleton.tables
    counts: list[int] = []
    rows: list[tuple[int, float, int, float]] = []
    for j in range(len(t.parent)):
        own = {BALL: 3, FREE: 6}.get(int(t.code[j]), 0)
        rows += [(int(t.first_dof[j]) + k, 1.0, 0, 0.0) for k in range(own)]
        axes = range(int(t.first_axis[j]), int(t.first_axis[j + 1]))
        rows += [(int(t.axis_dof[a]), float(t.gain[a]), int(t.axis_dof2[a]), float(t.gain2[a])) for a in axes]
        counts.append(own + len(axes))
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if all(dof == m and gain == 1.0 and gain2 == 0.0 for m, (dof, gain, _, gain2) in enumerate(rows)):
        return first, None
    dof, gain, dof2, gain2 = zip(*rows, strict=True)
    return first, Coupling(np.array(dof), np.array(gain), np.array(dof2), np.array(gain2))


def locked_motions(problem: Problem, coupling: Coupling | None) -> NDArray[np.bool_]:
    """`[motion]` whether every freedom behind it is locked."""
    locked = problem.freedom[:, 0] > 0
    return locked if coupling is None else locked[coupling.dof] & (locked[coupling.dof2] | (coupling.gain2 == 0))
