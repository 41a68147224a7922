"""The result of a solve, the same for every method: poses, errors, the status, and the active limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.errors import PoseError, printable
from posable.goals import Goal
from posable.goals.term_arrays import weight_of
from posable.natural.network import strangeness
from posable.skeleton import Pose
from posable.solvers.default.kernels.active_limits import limit_sides
from posable.solvers.engine import ITERATIONS, OUTCOME, TRACED
from posable.solvers.packing import Targets, Values, part_of
from posable.solvers.problem import Options, Structure
from posable.spatial import Array


class Status(IntEnum):
    """Why a solve ended. Every status except the first means that some goal is not met, and is justified by a proof or
    a search.

    Example:
        >>> posable.solve(figure.rest, [posable.Reach("hand_r", (9, 9, 9))], frozen=["root"]).status.name
        'OUT_OF_REACH'
    """

    REACHED = 0
    """Every goal with a weight is within its tolerance."""
    AT_LIMIT = 1
    """No better pose was found, and without the active limits the goals would be met."""
    OUT_OF_REACH = 2
    """A target is proved to be too far away (or too near), regardless of limits."""
    COMPROMISE = 3
    """Each goal can be met alone but not all together: the weighted best."""
    LOCAL_MINIMUM = 4
    """No better pose was found, in all restarts if the method has any, and nothing proves that none exists."""
    OUT_OF_ITERATIONS = 5
    """The search was still gaining when its iterations ran out."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(int(self) if spec.endswith("d") else self.name, spec)


_LEAST_PULL = 1e-6  # share of the largest pull below which a freedom counts as not pushed


def active_limits(
    pose: Pose, goals: Sequence[Goal], unmet: NDArray[np.bool_], weights: Sequence[Array] | None = None
) -> NDArray[np.bool_]:
    """`[..., dof]`: at a limit, and pulled outwards by the goals, in the poses that do not meet them (`unmet
    [...]`). weights: `[...]` for each goal, in place of its own.
    """
    skeleton = pose.skeleton
    flat = np.ascontiguousarray(pose.q).reshape(-1, pose.q.shape[-1])
    sides, basis = np.zeros((len(flat), skeleton.dof)), np.zeros((len(flat), skeleton.dof, 3))
    limit_sides(skeleton.packed, flat, skeleton.reach, sides, basis)
    pull = _pull(pose, goals, weights).reshape(len(flat), skeleton.dof)
    for j in range(len(skeleton.joints)):
        own = list(skeleton.freedom_range(j))
        if skeleton.definitions[j].cone is not None:
            pull[:, own] = np.einsum("nki,ni->nk", basis[:, own], pull[:, own])
    outward = np.where(sides == 2, np.abs(pull), pull * sides)
    strongest = np.abs(pull).max(axis=1, keepdims=True, initial=0.0)
    held = (sides != 0) & (outward > _LEAST_PULL * strongest) & unmet.reshape(-1, 1)
    return held.reshape(*pose.shape, skeleton.dof)


def _pull(pose: Pose, goals: Sequence[Goal], weights: Sequence[Array] | None) -> Array:
    """`[..., dof]` downhill direction of the goals' error, positions measured in reaches."""
    total = np.zeros((*pose.shape, pose.skeleton.dof))
    for goal, weight in zip(goals, weights or [None] * len(goals), strict=True):
        residual, jacobian = goal.residual(pose), goal.jacobian(pose)
        counts = 1.0 if weight is None else weight[..., None]
        for k, row in enumerate((goal if weight is None else goal.with_weight(1.0)).rows(pose.skeleton)):
            part = slice(3 * k, 3 * k + 3)
            total -= (
                counts
                * weight_of(row, pose.skeleton.reach)
                * np.einsum("...id,...i->...d", jacobian[..., part, :], residual[..., part])
            )
    return total


# A solution in words.


def describe(solution: Solution, index: tuple[int, ...]) -> str:
    """The outcome, the errors of unmet goals, and the active limits."""
    status = Status(int(np.asarray(solution.status)[index])) if index else Status(solution.status)  # pyright: ignore
    options, skeleton = solution.options, solution.pose.skeleton
    asked = zip(solution.asked_with_weights(index), solution.goals, strict=True)
    counted = [(result, goal.counts(skeleton) if weight > 0 else (False, False)) for (goal, weight), result in asked]
    short = [text for result, counts in counted if (text := _shortfall(result, counts, index, options))]
    off = [f"{result.joint or result.kind} is switched off (weight 0)" for result, counts in counted if not any(counts)]
    remarks = [
        text for goal in solution.asked for text in goal.remarks(solution.pose[index] if index else solution.pose)
    ]
    left = "; ".join(short) or "nothing is left"
    if status is Status.AT_LIMIT:
        return "; ".join([f"held by limits: {left}", _held(solution, index), *off, *remarks])
    met = "every other goal is met" if off else "every goal is met"
    custom = any(result.residual is not None for result, _ in counted)
    evaluations = ", or a Custom goal more max_evaluations" if custom else ""
    where = "in all the restarts" if solution.restarted else "from here"
    said = {
        Status.REACHED: f"reached: {met if len(off) < len(counted) else 'no goal asks for anything'}",
        Status.OUT_OF_REACH: f"out of reach, whatever the limits: {left}, and this is as near as was found",
        Status.COMPROMISE: f"a compromise: each goal alone can be met, and no pose was found that meets all; {left}",
        Status.LOCAL_MINIMUM: f"no better pose was found {where}: {left}",
        Status.OUT_OF_ITERATIONS: f"stopped while still gaining (give it more iterations{evaluations}): {left}",
    }[status]
    return "; ".join([said, *off, *remarks])


def _shortfall(goal: GoalResult, counts: tuple[bool, bool], index: tuple[int, ...], options: Options) -> str:
    parts = []
    measured = ((goal.distance, "", options.tolerance), (goal.angle, "°", options.angle_tolerance))
    for counted, (value, unit, least) in zip(counts, measured, strict=True):
        if counted and value is not None:
            number = float(np.asarray(value)[index])
            shown = math.degrees(number) if unit else number
            if number > least:
                parts.append(f"{shown:.3g}{unit}")
    if goal.residual is not None and any(counts):
        size = float(np.linalg.norm(goal.residual[index]))
        parts += [f"{size:.3g}"] if size > goal.tolerance else []
    return f"{goal.joint or goal.kind} is {' and '.join(parts)} off" if parts else ""


def _held(solution: Solution, index: tuple[int, ...]) -> str:
    names = np.array(solution.pose.skeleton.freedoms)[solution.at_limit[index]]
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"at their limits: {shown}"


class GoalResult(NamedTuple):
    """The errors of one goal: arrays `[...]` for a batch, numbers for one solve; None where a goal has no
    such error.

    Example:
        >>> hand = posable.Reach("hand_r", (-0.4, 1.2, 0.3))
        >>> result = posable.solve(figure.rest, [hand]).goals[0]
        >>> result.kind, result.joint, result.distance < 1e-6
        ('Reach', 'hand_r', True)
    """

    kind: str
    joint: str
    distance: Array | float | None
    """The remaining distance in the figure's length unit."""
    angle: Array | float | None
    """The remaining angle in radians."""
    residual: Array | None = None
    """`[..., m]` the numbers of a Custom goal; None for the others."""
    tolerance: float = math.inf
    """The norm within which these numbers count as met; infinite for a soft goal."""


class Asked(Protocol):
    """The solved problem: goals on a skeleton, and the diagnosis of failed solves. A `Prepared` is one."""

    structure: Structure
    targets: Targets
    restarts: int

    def statuses(
        self, values: Values, weights: list[Array] | None, pose: Pose, outcomes: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """`[problem]` the status of each solve of a batch."""
        ...


class Solution:
    """The best pose found, the errors of each goal, and the status, as every solver returns it.

    What is computed from the pose, such as the errors and the diagnosis of a failed solve, is computed at first use.

    Attributes:
        pose: The best pose found, or a batch of them with the leading axes `[...]` of start and targets.
        reached: `[...]` whether every goal is met within its tolerance.
        status: The `Status`: why the solve ended.
        goals: For each goal a `GoalResult`: the remaining distance in the figure's length unit and angle in radians.
        iterations: The number of iterations, restarts included.
        seconds: Wall time of the whole solve in seconds.
        restarted: Whether the search had restarts; trajectories and the classical methods have none.
        at_limit: `[..., dof]` the degrees of freedom whose limits block the unmet goals.
        singular: The names of the joints of position goals in a singular pose, such as a straight arm.
        trace: With `trace=True`, every intermediate pose, `[step, ...]`; otherwise None.
        prior_distance: How unusual the pose is for a person: 1 is the median of recorded poses; None without a model.
        options: The options of the solve: `tolerance` in the figure's length unit, `restarts` and the others.
        asked: The goals with the targets that were solved for, in the world.

    Example:
        >>> solution = posable.solve(figure.rest, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))])
        >>> solution.describe()
        'reached: every goal is met'
    """

    def __init__(
        self,
        pose: Pose,
        prepared: Asked,
        values: Values,
        counts: NDArray[np.int64] | tuple[tuple[int, int, int]],
        seconds: float,
        traces: Array | None = None,
        weights: list[Array] | None = None,
        followed: bool = False,
    ) -> None:
        self.pose = pose
        self.seconds = seconds
        self._prepared = prepared
        self._values = values
        self._given_counts = counts
        self._traces = traces
        self._weights = weights
        self.restarted = prepared.restarts > 0 and not followed

    def __repr__(self) -> str:
        return f"Solution({self.describe() if not self.pose.shape else self.pose!r})"

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.asarray(self._given_counts)

    @property
    def iterations(self) -> NDArray[np.int64] | int:
        """The number of iterations, restarts included: a number, or `[...]` for a batch."""
        counts = self._counts[:, ITERATIONS]
        return counts.reshape(self.pose.shape) if self.pose.shape else int(counts[0])

    @cached_property
    def status(self) -> Status | NDArray[np.int64]:
        """A `Status`, or for a batch an integer array `[...]` of the same numbers. Failed solves are diagnosed at first
        use.
        """
        if not self._counts[:, OUTCOME].any():  # all reached: nothing to diagnose
            codes = np.zeros(len(self._counts), np.int64)
        else:
            codes = self._prepared.statuses(self._values, self._weights, self.pose, self._counts[:, OUTCOME])
        return codes.reshape(self.pose.shape) if self.pose.shape else Status(int(codes[0]))

    def asked_with_weights(self, index: tuple[int, ...]) -> list[tuple[Goal, float]]:
        """The goals and their weights in one solve of the batch."""
        if self._weights is None:
            return [(goal, goal.own_weight) for goal in self.asked]
        weights = [float(np.broadcast_to(own, self.pose.shape)[index]) for own in self._weights]
        pairs = zip(self.asked, weights, strict=True)
        return [(goal.with_weight(weight) if weight > 0 else goal, weight) for goal, weight in pairs]

    @property
    def options(self) -> Options:
        """The options of the solve: `tolerance`, `restarts` and the others."""
        return self._prepared.structure.options

    @property
    def reached(self) -> NDArray[np.bool_]:
        """`[...]` whether every goal is met."""
        return (self._counts[:, OUTCOME] == 0).reshape(self.pose.shape)

    @property
    def stated(self) -> tuple[Structure, Array, Array | None]:
        """The solved problem as kernels read it: the structure, `[problem, number]` the targets (one row where they are
        all equal), and `[problem, goal]` the weights, None for the goals' own.
        """
        shape = self.pose.shape
        part = slice(0, math.prod(shape))
        numbers, _ = self._prepared.targets.rows(self._values, shape, part)
        weights = (
            None if self._weights is None else np.stack([part_of(w, 0, shape, part) for w in self._weights], axis=1)
        )
        return self._prepared.structure, numbers, weights

    def derivative(self, goal: int = 0) -> Array:
        """The derivative of the pose by the target of a goal; see `posable.gradients.Derivative`.

        Args:
            goal: Its number in the list of goals.

        Returns:
            `[..., dof, k]` along `pose.plus`: k is 3 for a position, 3 for a rotation (a rotation vector in the world),
            6 for both; NaN where there is no derivative.

        Raises:
            GoalError: For goals without a derivative.
        """
        from posable.solvers.derivatives.implicit import Derivative

        return Derivative(self).by_target(goal)

    @cached_property
    def asked(self) -> tuple[Goal, ...]:
        """The goals with the targets that were solved for, in the world."""
        return self._prepared.targets.goals(self._values)

    @cached_property
    def goals(self) -> tuple[GoalResult, ...]:
        """The errors of each goal, in the order in which they were given; measured on the pose itself."""
        return tuple(_result(goal, self.pose) for goal in self.asked)

    @cached_property
    def prior_distance(self) -> Array | float | None:
        """How unusual the pose is for the figure, if it has learned habits (`Natural.learn`), or else for a person: 1
        is the median of the recorded poses, larger is more unusual; `[...]` for a batch, None without a model. See
        docs/natural.md.
        """
        found = strangeness(self.pose)
        return None if found is None else found[0] if self.pose.shape else float(found[0])

    @cached_property
    def at_limit(self) -> NDArray[np.bool_]:
        """`[..., dof]`: the freedoms at a limit through which the unmet goals would push them.

        For a coned ball, x stands for its swing and y for its twist.
        """
        unmet, weights = (self._counts[:, OUTCOME] != 0).reshape(self.pose.shape), self._weights
        targets = self._prepared.targets
        return active_limits(
            self.pose, targets.hard(self.asked), unmet, None if weights is None else targets.hard(weights)
        )

    @cached_property
    def singular(self) -> tuple[str, ...]:
        """The joints of position goals whose pose has lost a direction, such as a straight arm (of a batch: of any)."""
        return tuple(goal.joint for goal in self.asked if _is_singular(goal, self.pose))

    @cached_property
    def trace(self) -> Pose | None:
        """With trace=True every intermediate pose, start first, on a leading axis; batches padded with the last."""
        if self._traces is None:
            return None
        traced = self._counts[:, TRACED]
        entries = np.minimum(np.arange(int(traced.max(initial=0)))[:, None], traced - 1)
        q = self._traces[np.arange(len(traced)), entries]
        return Pose.trusted(self.pose.skeleton, q.reshape(len(q), *self.pose.q.shape))

    def describe(self, index: tuple[int, ...] = ()) -> str:
        """The outcome in a sentence for a person. index: which of a batch (the first if there are several and none is
        named). Raises PoseError for an invalid index.
        """
        if not index and 0 in self.pose.shape:
            return "nothing was solved: the batch is empty"
        return printable(describe(self, self._checked_index(index) if index else (0,) * len(self.pose.shape)))

    def _checked_index(self, index: tuple[int, ...]) -> tuple[int, ...]:
        shape, whole = self.pose.shape, isinstance(index, tuple) and all(isinstance(i, int | np.integer) for i in index)
        if not (whole and len(index) == len(shape) and all(-n <= i < n for i, n in zip(index, shape, strict=True))):
            of = f"a batch of shape {shape}" if shape else "a single solve, which takes no index"
            raise PoseError(f"{index!r} is the index of no solution in {of}")
        return index


def _result(goal: Goal, pose: Pose) -> GoalResult:
    left = [value if value is None or pose.shape else float(value) for value in goal.errors(pose)]
    name = pose.skeleton.joints[pose.skeleton.index(goal.joint)] if goal.joint else ""
    distance, angle = left
    return GoalResult(type(goal).__name__, name, distance, angle, *goal.own_numbers(pose))


def _is_singular(goal: Goal, pose: Pose) -> bool:
    rows = [k for k, row in enumerate(goal.rows(pose.skeleton)) if row.is_point and row.weight > 0]
    if not rows:
        return False
    jacobian = goal.jacobian(pose)[..., 3 * rows[0] : 3 * rows[0] + 3, :]
    values = np.linalg.svd(jacobian, compute_uv=False)
    rank_possible = min(3, jacobian.shape[-1])
    return bool((values[..., rank_possible - 1] <= 1e-6 * np.maximum(values[..., 0], math.ulp(1.0))).any())
