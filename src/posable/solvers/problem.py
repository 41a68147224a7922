"""A list of goals on a skeleton as arrays for the compiled solver, and the options of a solve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import GoalError, is_number
from posable.goals import Custom, Goal, Row, Spring
from posable.goals.rows import body_masses
from posable.goals.term_arrays import SOFTER, TOLERANCE, WEIGHT, term_table
from posable.skeleton import Skeleton
from posable.solvers.default.kernels.workspace import LOCKED, USED
from posable.spatial import Array


@dataclass(frozen=True)
class Options:
    """The options of `posable.solve`, checked.

    Raises GoalError for tolerances not above 0 and invalid counts.
    """

    tolerance: float = 1e-6
    angle_tolerance: float = 1e-5
    max_iterations: int = 100
    restarts: int = 20
    seed: int = 0
    frozen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what in ("tolerance", "angle_tolerance"):
            value = getattr(self, what)
            if not (is_number(value) and 0 < value < np.inf):
                raise GoalError(f"{what} must be a number above 0, not {value!r}")
        for what, least in (("max_iterations", 1), ("restarts", 0), ("seed", 0)):
            value = getattr(self, what)
            if not (is_number(value) and least <= value < 2**63 and int(value) == value):
                raise GoalError(f"{what} must be a whole number of at least {least}, not {value!r}")


class Problem(NamedTuple):
    """The constants of one list of goals, for all poses and targets; columns are named in `workspace`."""

    scale: float  # 1 / reach: positions are measured in reaches, so that units do not matter
    terms: NDArray[np.int64]  # [term, 8]
    measures: NDArray[np.float64]  # [term, 2 + CONSTANTS]; the tolerance of a term that is switched off is infinite
    used: NDArray[np.int64]  # [used, 2] joints that carry a goal's joint, parents first
    spans: NDArray[np.int64]  # [span, 5] used joints in a row that branch only at the end
    plain: NDArray[np.int64]  # [plain, 2] freedoms of used joints that are hinges, slides or consist of them
    turning: NDArray[np.int64]  # [ball or free, 1] the other used joints
    freedom: NDArray[np.float64]  # [dof, 5]
    first_motion: NDArray[np.int64]  # [joint + 1] a motion is one instantaneous motion of a joint
    motions: int
    levels: int  # the highest priority number
    bodies: NDArray[np.float64]  # [joint, 4] share of the mass and its centre; [0, 4] where no goal needs them
    springs: NDArray[np.float64]  # [spring, 3, dof]
    pull: NDArray[np.float64]  # [1, 3] the weight of the whole figure, among the springs; 0 without gravity


class Coupling(NamedTuple):
    """Where axes mimic others or have absolute angles: a motion is gain · freedom + gain2 · freedom2."""

    dof: NDArray[np.int64]  # [motion]
    gain: NDArray[np.float64]
    dof2: NDArray[np.int64]
    gain2: NDArray[np.float64]


class GoalSet(NamedTuple):
    """The goals of one call, checked and sorted, with their rows and springs on a skeleton."""

    goals: tuple[Goal, ...]
    hard: tuple[Goal, ...]  # those with rows
    soft: tuple[Goal, ...]  # those with a spring
    custom: tuple[Custom, ...]
    springs: tuple[Spring, ...]  # of the soft ones
    rows_of: tuple[tuple[Row, ...], ...]  # of the hard ones
    hard_at: tuple[int, ...]  # their indices among `goals`
    soft_at: tuple[int, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, concatenated."""
        return tuple(row for rows in self.rows_of for row in rows)


def as_goals(goals: object) -> tuple[Goal, ...]:
    """One goal or several as a tuple. Raises GoalError for an object that is not a goal."""
    several = tuple(goals) if isinstance(goals, Iterable) else (goals,)
    return tuple([_as_goal(goal) for goal in several])


def _as_goal(goal: object) -> Goal:
    if not isinstance(goal, Goal):
        raise GoalError(f"{goal!r} is not a goal; goals are {', '.join(sorted(_names_below(Goal)))}")
    return goal


def _names_below(kind: type) -> set[str]:
    """The public classes that derive from a class, without intermediate ones."""
    public = [one for one in kind.__subclasses__() if not one.__name__.startswith("_")]
    return set().union(*(_names_below(one) or {one.__name__} for one in public))


def read_goals(skeleton: Skeleton, goals: Sequence[Goal]) -> GoalSet:
    """The goals sorted. Raises GoalError or UnknownJointError for what does not fit the skeleton."""
    custom = tuple(goal for goal in goals if isinstance(goal, Custom))
    springs = {k: spring for k, goal in enumerate(goals) if (spring := goal.spring(skeleton))}
    rows = {k: own for k, goal in enumerate(goals) if (own := goal.rows(skeleton))}
    hard, soft = ([goals[k] for k in chosen] for chosen in (rows, springs))
    own = tuple(springs.values()), tuple(rows.values()), tuple(rows), tuple(springs)
    return GoalSet(tuple(goals), tuple(hard), tuple(soft), custom, *own)


class Structure(NamedTuple):
    """A list of goals on a skeleton, without the targets."""

    skeleton: Skeleton
    goal_set: GoalSet
    options: Options
    problem: Problem
    coupling: Coupling | None
    coupled: NDArray[np.int64] | None  # the terms that couple bodies

    @property
    def is_plain(self) -> bool:
        """Whether all goals are hard, of one priority, each on one body, with no coupled motions."""
        softer = self.problem.levels or self.goal_set.soft
        return self.coupling is None and self.coupled is None and not softer

    @property
    def free(self) -> NDArray[np.bool_]:
        """`[dof]` which freedoms may move."""
        return self.problem.freedom[:, LOCKED] == 0

    @property
    def switched_on(self) -> NDArray[np.bool_]:
        """`[term]` which terms have a weight."""
        return self.problem.measures[:, WEIGHT] > 0

    def on(self, skeleton: Skeleton) -> Structure:
        """The same on a skeleton with other limits."""
        return self._replace(skeleton=skeleton)

    def only(self, part: NDArray[np.bool_]) -> Structure:
        """The same with only the terms of `part [term]` switched on."""
        measures = self.problem.measures.copy()
        measures[~part, WEIGHT], measures[~part, TOLERANCE] = 0.0, np.inf
        return self._replace(problem=self.problem._replace(measures=measures))


def build_structure(skeleton: Skeleton, goals: Sequence[Goal], options: Options) -> Structure:
    """The arrays. Raises GoalError or UnknownJointError for goals, and frozen names, that do not fit the skeleton."""
    goal_set = read_goals(skeleton, goals)
    first_motion, coupling = _motions(skeleton)
    rows = goal_set.rows
    table = term_table(goal_set.hard, goal_set.rows_of, options.tolerance / skeleton.reach, options.angle_tolerance)
    coupled = [k for k, row in enumerate(rows) if row.couples]
    balanced = any(row.on_mass for row in rows)
    forces = [force for goal in goals if (force := goal.weight_force(skeleton)) is not None]
    if forces:
        _check_held(skeleton, goal_set, options)
    everywhere = bool(goal_set.soft) or coupling is not None or balanced
    levels = max((row.level for row in rows), default=0)
    used = _used(skeleton, rows, everywhere)
    problem = Problem(
        1.0 / skeleton.reach,
        table.terms,
        table.measures,
        used,
        _spans(skeleton, rows, used[:, USED].tolist(), first_motion, bool(forces) or balanced or coupling is not None),
        *_by_kind(skeleton, used[:, USED].tolist()),
        _freedoms(skeleton, goal_set, options.frozen),
        first_motion,
        int(first_motion[-1]),
        levels,
        body_masses(skeleton) if balanced or forces else np.zeros((0, 4)),
        *_soft_pulls(skeleton, goal_set.springs, forces),
    )
    return Structure(skeleton, goal_set, options, problem, coupling, np.array(coupled, np.int64) if coupled else None)


def _soft_pulls(skeleton: Skeleton, springs: Sequence[Spring], forces: Sequence[Array]) -> tuple[Array, Array]:
    """(springs, weight). Only their ratios matter: all are softer than all goals."""
    table = np.array([(s.below, s.above, s.weight) for s in springs]).reshape(len(springs), 3, skeleton.dof)
    pull = np.sum(forces, axis=0).reshape(1, 3) if forces else np.zeros((1, 3))
    scale = soft_scale(table[:, 2], pull)
    table[:, 2] *= scale
    return table, scale * pull


def soft_scale(draws: Array, pull: Array) -> float:
    """The factor that makes the weights of springs `[spring, dof]` and of gravity softer than all goals."""
    largest = max(draws.max(initial=0.0), np.abs(pull).max())
    return 0.1 * SOFTER / largest if largest > 0 else 0.0


def _check_held(skeleton: Skeleton, goal_set: GoalSet, options: Options) -> None:
    """GoalError where a free joint would fall for ever."""
    frozen = skeleton.freedom_mask(options.frozen)
    for joint in skeleton.definitions:
        if joint.floating and not goal_set.hard and not frozen[list(skeleton.freedom_range(joint.name))].any():
            raise GoalError(f"Gravity: nothing holds {joint.name!r}, which would fall for ever; freeze it or hold it")


def _used(skeleton: Skeleton, rows: Sequence[Row], everywhere: bool) -> NDArray[np.int64]:
    asked = {j for row in rows if not row.is_contact for j in row.bodies}
    leads = {j for joint in asked for j in skeleton.chain(joint)}
    joints = {j for joint in _carrying(rows) for j in skeleton.chain(joint)}
    if everywhere:
        joints = set(range(len(skeleton.joints)))
    return np.array([(j, j in leads) for j in sorted(joints)], np.int64).reshape(-1, 2)


def _carrying(rows: Sequence[Row]) -> set[int]:
    return {j for row in rows for j in row.bodies}


def _spans(
    skeleton: Skeleton, rows: Sequence[Row], used: list[int], first_motion: NDArray[np.int64], everywhere: bool
) -> NDArray[np.int64]:
    """everywhere: every link has a force of its own, or its sums are needed."""
    parents = skeleton.parents.tolist()
    joined = {parents[j] for n, j in enumerate(used) if not (n and parents[j] == used[n - 1])}
    ends = set(used) if everywhere else _carrying(rows) | joined
    table: list[tuple[int, ...]] = []
    first = 0
    for n, j in enumerate(used):
        if j in ends or used[n + 1 : n + 2] != [j + 1] or parents[j + 1] != j:
            above = parents[used[first]]
            passes = first > 0 and above == used[first - 1]
            table.append((j, int(first_motion[used[first]]), int(first_motion[j + 1]), above, passes))
            first = n + 1
    return np.array(table, np.int64).reshape(-1, 5)


def _by_kind(skeleton: Skeleton, used: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(plain, turning)."""
    t, plain, turning = skeleton.tables, [], []
    for j in used:
        if skeleton.definitions[j].has_quaternion:
            turning.append(j)
        else:
            ahead = int(t.first_coordinate[j]) - int(t.first_dof[j])
            plain += [(d, d + ahead) for d in skeleton.freedom_range(j)]
    return np.array(plain, np.int64).reshape(-1, 2), np.array(turning, np.int64).reshape(-1, 1)


def _freedoms(skeleton: Skeleton, goal_set: GoalSet, frozen: Sequence[str]) -> Array:
    locked = ~skeleton.tables.active | skeleton.freedom_mask(frozen)
    ease = np.array([joint.ease for joint in skeleton.definitions for _ in range(joint.dof)])
    unit = np.where(skeleton.slides, skeleton.reach, 1.0)
    return np.stack([locked, unit, _resistances(skeleton, goal_set), ease, skeleton.slides], axis=1).astype(float)


def _resistances(skeleton: Skeleton, goal_set: GoalSet) -> Array:
    """`[dof]` by the joints' stiffness, or as goals state (the shares of a gaze): the largest where several do."""
    stiff = np.array([1.0 + joint.stiffness for joint in skeleton.definitions for _ in range(joint.dof)])
    shared = np.full(skeleton.dof, np.nan)
    for goal in goal_set.goals:
        if (own := goal.resistances(skeleton)) is not None:
            shared = np.fmax(shared, own)
    return np.where(np.isnan(shared), stiff, shared)


def _motions(skeleton: Skeleton) -> tuple[NDArray[np.int64], Coupling | None]:
    t = skeleton.tables
    counts: list[int] = []
    rows: list[tuple[int, float, int, float]] = []
    for j in range(len(t.parent)):
        own = len(skeleton.definitions[j].manifold.slides)
        rows += [(int(t.first_dof[j]) + k, 1.0, 0, 0.0) for k in range(own)]
        axes = range(int(t.first_axis[j]), int(t.first_axis[j + 1]))
        rows += [(int(t.axis_dof[a]), float(t.gain[a]), int(t.axis_dof2[a]), float(t.gain2[a])) for a in axes]
        counts.append(own + len(axes))
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if all(dof == m and gain == 1.0 and gain2 == 0.0 for m, (dof, gain, _, gain2) in enumerate(rows)):
        return first, None
    dof, gain, dof2, gain2 = zip(*rows, strict=True)
    return first, Coupling(np.array(dof), np.array(gain), np.array(dof2), np.array(gain2))


def locked_motions(structure: Structure) -> NDArray[np.bool_]:
    """`[motion]` whether every freedom behind it is locked."""
    locked, coupling = ~structure.free, structure.coupling
    return locked if coupling is None else locked[coupling.dof] & (locked[coupling.dof2] | (coupling.gain2 == 0))
