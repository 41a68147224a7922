"""Targets that are eased into: they start where the figure is and follow the given ones, critically damped."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.errors import GoalError
from posable.goals import Goal
from posable.goals.rows import is_number
from posable.skeleton import Pose
from posable.solvers.packing import Values
from posable.spatial import Array
from posable.spatial.kernels import exp_wxyz, log_wxyz, multiply_wxyz

NINE_TENTHS = 3.8897201698674291
"""The root of (1 + x) e^−x = 1/10: what the rate times the time is when a tenth of a jump is left."""


def eased(
    goals: Sequence[Goal],
    values: Values,
    start: Pose,
    shape: tuple[int, ...],
    ease: float,
    fps: float,
) -> Values:
    """What hard goals are given, `[*shape, ...]` with time last in `shape`, eased from where `start` has them.

    ease: seconds; a tenth of a jump is left after so long. A target that stands is never overshot from rest. With
    d = y − x between the eased and the given target, v the eased one's speed, ω = NINE_TENTHS / ease and c = v + ω d,
    a time t later d is (d + c t) e^−ωt and v is (v − ω c t) e^−ωt; of rotations d and v are rotation vectors.
    Raises GoalError for an ease that is no time.
    """
    if not (is_number(ease) and 0 <= ease < math.inf):
        raise GoalError(f"ease is a time in seconds of at least 0, not {ease!r}")
    if ease == 0:
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
    """(what is left, speed) a frame later, critically damped; speeds are a frame."""
    c, fade = w + rate * d, math.exp(-rate)
    return (d + c) * fade, (w - rate * c) * fade


@kernel
def _ease_points(value, begin, rate, out):
    """`value [trajectory, frame, n]` → `out`; it stands at `begin [trajectory, n]` in the first frame."""
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
    """The same for rotations `value [trajectory, frame, 4]`, the shorter way round."""
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
