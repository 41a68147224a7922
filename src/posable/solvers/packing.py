"""Targets as the rows of numbers that kernels read, and their easing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from posable.compiled.decorators import inner_kernel, kernel
from posable.errors import GoalError, is_number
from posable.goals import Goal
from posable.skeleton import Pose, Skeleton
from posable.solvers.problem import GoalSet
from posable.spatial import Array
from posable.spatial.kernels import exp_wxyz, log_wxyz, multiply_wxyz

Whatever = TypeVar("Whatever")
Values = list[Array]
"""One value per goal: for a hard goal its target in the world, for a Stay its pose's q, for others None."""


class Targets:
    """The layout of the goals' targets among a problem's numbers."""

    def __init__(self, skeleton: Skeleton, goal_set: GoalSet) -> None:
        self._skeleton = skeleton
        self._goal_set = goal_set
        ends = np.cumsum([0, *(math.prod(goal.SHAPE) for goal in goal_set.hard)]).tolist()
        self.parts = [slice(a, b) for a, b in pairwise(ends)]
        self._size = max(ends[-1], 3)  # never empty, so that kernels may read on
        self._joined = len(goal_set.hard) == len(goal_set.goals) > 0 and ends[-1] == self._size
        self._has_row = len(goal_set.hard) > 0 and ends[-1] == self._size and not goal_set.springs
        self._plain = [goal.raw_shape for goal in goal_set.goals]
        self._single = self._plain if self._joined and None not in self._plain else None
        self._shapes = [goal.SHAPE for goal in goal_set.goals]
        self._standing = standing_values(goal_set.goals)
        self._springs = [spring.q for spring in goal_set.springs]  # for goals without a target of their own

    def is_single(self, targets: Sequence[ArrayLike | None], start: Pose) -> TypeGuard[Sequence[Array]]:
        """Whether this is one solve of hard goals from a single pose, with targets that need no conversion."""
        single = self._single
        if (
            single is None
            or not isinstance(start, Pose)
            or type(targets) not in _LISTS
            or len(targets) != len(single)
            or start.q.ndim != 1
        ):
            return False
        return _fits(targets[0], single[0]) if len(single) == 1 else all(map(_fits, targets, single))

    def values(self, targets: Sequence[ArrayLike | None] | None) -> Values:
        """The values of a list of targets, None for a goal's own one. Raises GoalError naming the goal."""
        if targets is None:
            return self._standing
        if not is_list(targets):
            raise GoalError(f"targets are a list of one per goal, in their order, not {targets!r}")
        if len(targets) != len(self._standing):
            raise GoalError(f"{len(targets)} targets for {len(self._standing)} goals; give one each, None to keep it")
        asked = zip(self._goal_set.goals, targets, self._standing, self._plain, strict=True)
        return [
            standing if target is None else target if _fits(target, plain) else goal.checked_target(target)
            for goal, target, standing, plain in asked
        ]

    def shape(self, start: Pose, values: Values, weights: Values | None = None) -> tuple[int, ...]:
        """The common leading axes of start, targets and weights. Raises GoalError naming the goal that does not fit."""
        if weights is not None:
            return self._with_weights(self.shape(start, values), weights)
        if start.q.ndim == 1 and [value.shape for value in values] == self._shapes:
            return ()  # one solve: nothing to broadcast
        if self._single is not None and len(self._single) == 1:
            values = [self._goal_set.hard[0].checked_shape(values[0])]
        return self._common(start, values)

    def rows(self, values: Values, shape: tuple[int, ...], part: slice) -> tuple[Array, Array | None]:
        """(`[problem, numbers]`, springs' poses `[problem, spring, coordinates]` or None) for a part of the batch."""
        if not shape and self._has_row:
            row = joined([values[at] for at in self._goal_set.hard_at])
            if row.size == self._size:
                return fresh_rows(row), None
        count = part.stop - part.start
        numbers = np.zeros((count, self._size))
        for goal, own, at in zip(self._goal_set.hard, self.parts, self._goal_set.hard_at, strict=True):
            numbers[:, own] = part_of(values[at], len(goal.SHAPE), shape, part).reshape(count, own.stop - own.start)
        if not self._springs:
            return numbers, None
        spring_poses = [
            part_of(values[at] if goal.TARGET else q, 1, shape, part)
            for at, goal, q in zip(self._goal_set.soft_at, self._goal_set.soft, self._springs, strict=True)
        ]
        return numbers, np.ascontiguousarray(np.stack(spring_poses, axis=1))

    def values_of(self, values: Values, shape: tuple[int, ...], one: slice) -> Values:
        """The values of one problem of a batch."""
        asked = zip(self._goal_set.goals, values, strict=True)
        return [part_of(value, len(goal.SHAPE), shape, one)[0] for goal, value in asked]

    def goals(self, values: Values) -> tuple[Goal, ...]:
        """The goals with these targets."""
        return tuple(goal.with_target(value) for goal, value in zip(self._goal_set.goals, values, strict=True))

    def hard(self, of_goals: Sequence[Whatever]) -> list[Whatever]:
        """The entries of the hard goals, from a sequence in the order of all goals."""
        return [of_goals[k] for k in self._goal_set.hard_at]

    def goals_of(self, numbers: Array, spring_poses: Array | None) -> tuple[Goal, ...]:
        """The goals of one problem from its row of numbers and its springs' poses, or of several from theirs."""
        values = list(self._standing)
        for at, goal, part in zip(self._goal_set.hard_at, self._goal_set.hard, self.parts, strict=True):
            values[at] = numbers[..., part].reshape(*numbers.shape[:-1], *goal.SHAPE)
        for n, (at, goal) in enumerate(zip(self._goal_set.soft_at, self._goal_set.soft, strict=True)):
            if spring_poses is not None and goal.TARGET:
                values[at] = spring_poses[..., n, :]
        return self.goals(values)

    def _with_weights(self, shape: tuple[int, ...], weights: Values) -> tuple[int, ...]:
        for goal, own in zip(self._goal_set.goals, weights, strict=True):
            try:
                shape = np.broadcast_shapes(shape, own.shape)
            except ValueError as problem:
                raise GoalError(f"{goal._label}: weights of shape {own.shape} do not go with {shape}") from problem
        return shape

    def _common(self, start: Pose, values: Values) -> tuple[int, ...]:
        shape = start.shape
        for goal, value in zip(self._goal_set.goals, values, strict=True):
            leading = value.shape[: max(0, value.ndim - len(goal.SHAPE))]
            try:
                shape = np.broadcast_shapes(shape, leading)
            except ValueError as problem:
                name = type(goal).__name__
                raise GoalError(f"{name}: its leading axes {leading} do not go with {shape}") from problem
        return shape


def joined(values: Sequence[Array]) -> Array:
    """The concatenated targets of one solve."""
    return values[0].ravel() if len(values) == 1 else np.concatenate([value.ravel() for value in values])


def is_list(targets: object) -> bool:
    """Whether this is a list with one entry per goal."""
    if isinstance(targets, np.ndarray):
        return targets.ndim > 0
    return isinstance(targets, Sequence) and not isinstance(targets, str)


def _fits(target: object, plain: tuple[int, ...] | None) -> TypeGuard[Array]:
    """Whether a target needs no conversion: the usual case, and a quick test."""
    return type(target) is np.ndarray and target.shape == plain and target.dtype is _DOUBLE


_DOUBLE = np.dtype(float)
_LISTS = frozenset((list, tuple))


def part_of(value: Array, axes: int, shape: tuple[int, ...], part: slice) -> Array:
    """Rows `part` of a flattened batch of `shape`, `[problem, *last axes]`; only they are copied."""
    whole = np.broadcast_to(value, (*shape, *value.shape[value.ndim - axes :]))
    if len(shape) == 1:
        return whole[part]
    return whole[np.unravel_index(np.arange(part.start, part.stop), shape)] if shape else whole[None]


def fresh_rows(array: Array) -> Array:
    """A copy as rows `[problem, n]`, C-contiguous and writable: kernels are compiled for that layout alone, and the
    large ones would take half a minute for another.
    """
    return np.array(array, order="C", ndmin=2)


def standing_values(goals: Sequence[Goal]) -> Values:
    """The goals' own values."""
    return [goal.given for goal in goals]


NINE_TENTHS = 3.8897201698674291
"""The root of (1 + x) e^−x = 1/10: rate times time after which a tenth of a jump remains."""


def eased(
    goals: Sequence[Goal],
    values: Values,
    start: Pose,
    shape: tuple[int, ...],
    ease: float,
    fps: float,
) -> Values:
    """The values of hard goals, `[*shape, ...]` with time last in `shape`, eased from their effectors in `start`.

    ease: seconds after which a tenth of a jump remains. From rest a fixed target is never overshot. With
    d = y − x between the eased and the given target, v the eased one's speed, ω = NINE_TENTHS / ease and c = v + ω d,
    a time t later d is (d + c t) e^−ωt and v is (v − ω c t) e^−ωt; of rotations d and v are rotation vectors.
    Raises GoalError for an invalid ease.
    """
    if not (is_number(ease) and 0 <= ease < math.inf):
        raise GoalError(f"ease is a time in seconds of at least 0, not {ease!r}")
    if ease * fps == 0 or not math.prod(shape):  # no easing, or one that underflows; or nothing to ease
        return values
    rate = NINE_TENTHS / (ease * fps)
    return [
        _eased(goal, np.broadcast_to(value, (*shape, *goal.SHAPE)), start, rate) if goal.KIND.can_blend else value
        for goal, value in zip(goals, values, strict=True)
    ]


def _eased(goal: Goal, value: Array, start: Pose, rate: float) -> Array:
    """One goal's targets `[..., frame, *SHAPE]`."""
    axes = len(goal.SHAPE)
    first = value[(..., 0, *[slice(None)] * axes)]
    begin = np.broadcast_to(goal.met_by(start, first), first.shape)
    return goal.KIND.blended(
        partial(_filtered, _ease_points, rate), partial(_filtered, _ease_turns, rate), value, begin
    )


def _filtered(ease: Callable[..., None], rate: float, value: Array, begin: Array) -> Array:
    """`value [..., frame, n]` by one of the kernels below."""
    out = np.empty(value.shape)
    rows = (-1, *value.shape[-2:])
    flat = out.reshape(rows)
    ease(np.array(value).reshape(rows), np.array(begin).reshape(-1, value.shape[-1]), rate, flat)
    return flat.reshape(value.shape)


@inner_kernel
def _damped(d, w, rate):
    """(distance, speed) a frame later, critically damped; speeds are per frame."""
    c, fade = w + rate * d, math.exp(-rate)
    return (d + c) * fade, (w - rate * c) * fade


@kernel
def _ease_points(value, begin, rate, out):
    """`value [trajectory, frame, n]` → `out`; the first frame is `begin [trajectory, n]`."""
    for p in range(value.shape[0]):
        for i in range(value.shape[2]):
            at, w = begin[p, i], 0.0
            out[p, 0, i] = at
            for n in range(1, value.shape[1]):
                d, w = _damped(at - value[p, n, i], w, rate)
                at = value[p, n, i] + d
                out[p, n, i] = at


@kernel
def _ease_turns(value, begin, rate, out):
    """The same for rotations `value [trajectory, frame, 4]`, along the shorter arc."""
    for p in range(value.shape[0]):
        w, x, y, z = begin[p, 0], begin[p, 1], begin[p, 2], begin[p, 3]
        u, v, s = 0.0, 0.0, 0.0
        for n in range(value.shape[1]):
            if n > 0:
                tw, tx, ty, tz = value[p, n, 0], value[p, n, 1], value[p, n, 2], value[p, n, 3]
                a, b, c = log_wxyz(*multiply_wxyz(w, x, y, z, tw, -tx, -ty, -tz))
                a, u = _damped(a, u, rate)
                b, v = _damped(b, v, rate)
                c, s = _damped(c, s, rate)
                ew, ex, ey, ez = exp_wxyz(a, b, c)
                w, x, y, z = multiply_wxyz(ew, ex, ey, ez, tw, tx, ty, tz)
            out[p, n, 0], out[p, n, 1], out[p, n, 2], out[p, n, 3] = w, x, y, z
