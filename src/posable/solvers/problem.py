"""A list of goals on a skeleton as arrays for the compiled solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import GoalError
from posable.goals import Goal, Row, Stay
from posable.goals.goal import PARAMETERS, is_number
from posable.goals.terms import POSITION
from posable.skeleton import Pose, Skeleton
from posable.skeleton.tables import BALL, FREE
from posable.spatial import Array


class Problem(NamedTuple):
    """What stays the same for all poses and targets of one list of goals."""

    scale: float  # 1 / reach: positions are measured in reaches, so that units do not matter
    terms: NDArray[np.int64]  # [term, 2] kind, joint
    measures: NDArray[np.float64]  # [term, 2] weight, tolerance in reaches or radians (infinite for a term of weight 0)
    used: NDArray[np.int64]  # joints that carry a goal's joint, parents first
    locked: NDArray[np.bool_]  # [dof] frozen by the caller, or not active
    unit: NDArray[np.float64]  # [dof] one unit of the scaled tangent: the reach for a slide, else 1
    first_motion: NDArray[np.int64]  # [joint + 1] a motion is one instantaneous way in which a joint moves
    motions: int
    motion_locked: NDArray[np.bool_]  # [motion] whether every freedom behind it is locked
    stay_weights: NDArray[np.float64]  # [stay]


class Coupling(NamedTuple):
    """Where axes mimic others or count absolute angles: a motion goes with gain · freedom + gain2 · freedom2."""

    dof: NDArray[np.int64]  # [motion]
    gain: NDArray[np.float64]
    dof2: NDArray[np.int64]
    gain2: NDArray[np.float64]


class Wishes(NamedTuple):
    """The goals of one call, checked: rows of the hard ones, the soft ones, and which goal each row belongs to."""

    goals: tuple[Goal | Stay, ...]
    hard: tuple[Goal, ...]
    soft: tuple[Stay, ...]
    rows: tuple[Row, ...]
    goal_of_row: tuple[int, ...]


def read_goals(skeleton: Skeleton, goals: Sequence[Goal | Stay]) -> Wishes:
    """The goals sorted into hard and soft. Raises GoalError for what is no goal, UnknownJointError for a joint not
    there.
    """
    goals = (goals,) if isinstance(goals, Goal | Stay) else tuple(goals)
    for goal in goals:
        if not isinstance(goal, Goal | Stay):
            raise GoalError(f"{goal!r} is no goal; goals are Reach, Orient, Place, LookAt and Stay")
        if isinstance(goal, Stay) and not goal.pose.skeleton.shares_poses(skeleton):
            raise GoalError("Stay: its pose belongs to another skeleton")
    hard = tuple(goal for goal in goals if isinstance(goal, Goal))
    rows = [(row, k) for k, goal in enumerate(hard) for row in goal.rows(skeleton)]
    soft = tuple(goal for goal in goals if isinstance(goal, Stay))
    return Wishes(tuple(goals), hard, soft, tuple(row for row, _ in rows), tuple(k for _, k in rows))


def build_problem(
    skeleton: Skeleton, wishes: Wishes, frozen: Sequence[str], tolerance: float, angle_tolerance: float
) -> tuple[Problem, Coupling | None]:
    """The arrays, and the coupling where there is one (kernels are compiled for it only then). Raises
    UnknownJointError for frozen names that are not there, GoalError for tolerances not above 0.
    """
    for what, value in (("tolerance", tolerance), ("angle_tolerance", angle_tolerance)):
        if not (is_number(value) and 0 < value < np.inf):
            raise GoalError(f"{what} must be a number above 0, not {value!r}")
    reach, rows = skeleton.reach, wishes.rows
    tolerances = [
        np.inf if row.weight == 0 else tolerance / reach if row.kind == POSITION else angle_tolerance for row in rows
    ]
    used = sorted({j for joint in {row.joint for row in rows} for j in skeleton.chain(joint)})
    first_motion, coupling = _motions(skeleton)
    everywhere = bool(wishes.soft) or coupling is not None
    locked = ~skeleton.tables.active | skeleton.freedom_mask((frozen,) if isinstance(frozen, str) else tuple(frozen))
    problem = Problem(
        1.0 / reach,
        np.array([(row.kind, row.joint) for row in rows], np.int64).reshape(-1, 2),
        np.array([(row.weight, limit) for row, limit in zip(rows, tolerances, strict=True)], np.float64).reshape(-1, 2),
        np.array(range(len(skeleton.joints)) if everywhere else used, np.int64),
        locked,
        np.where(_slides(skeleton), reach, 1.0),
        first_motion,
        int(first_motion[-1]),
        locked if coupling is None else locked[coupling.dof] & (locked[coupling.dof2] | (coupling.gain2 == 0)),
        np.array([goal.weight for goal in wishes.soft], np.float64),
    )
    return problem, coupling


def parameters_of(wishes: Wishes, shape: tuple[int, ...]) -> Array:
    """`[problem, term, 7]` for the flattened batch `shape`."""
    count = int(np.prod(shape, dtype=int))
    out = np.empty((count, len(wishes.rows), PARAMETERS))
    for k, row in enumerate(wishes.rows):
        out[:, k] = np.broadcast_to(row.parameters, (*shape, PARAMETERS)).reshape(count, PARAMETERS)
    return out


def stays_of(wishes: Wishes, skeleton: Skeleton, shape: tuple[int, ...]) -> Array | None:
    """`[problem, stay, coordinates]` for the flattened batch `shape`; None without soft goals."""
    if not wishes.soft:
        return None
    count = int(np.prod(shape, dtype=int))
    out = np.empty((count, len(wishes.soft), skeleton.coordinates))
    for k, goal in enumerate(wishes.soft):
        out[:, k] = np.broadcast_to(goal.pose.q, (*shape, skeleton.coordinates)).reshape(count, -1)
    return out


def batch_shape(start: Pose, wishes: Wishes) -> tuple[int, ...]:
    """The common leading axes of start, targets and soft poses. Raises GoalError naming the goal that does not fit."""
    shape = start.shape
    parts = [
        (wishes.hard[k], row.parameters.shape[:-1]) for row, k in zip(wishes.rows, wishes.goal_of_row, strict=True)
    ]
    for goal, own in [*parts, *((goal, goal.pose.shape) for goal in wishes.soft)]:
        try:
            shape = np.broadcast_shapes(shape, own)
        except ValueError as problem:
            raise GoalError(f"{type(goal).__name__}: its leading axes {own} do not go with {shape}") from problem
    return shape


def _slides(skeleton: Skeleton) -> NDArray[np.bool_]:
    lengths = []
    for joint in skeleton.definitions:
        own = [axis.slide for axis in joint.axes if axis.follow is None]
        lengths += {"ball": [False] * 3, "free": [True] * 3 + [False] * 3}.get(joint.kind, own)
    return np.array(lengths, bool)


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
