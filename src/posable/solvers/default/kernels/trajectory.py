"""Compiled: a whole trajectory, each frame from the one before, without restarts.

The first step of a frame is a plain Gauss–Newton step from the end of the last frame, whose geometry is still in
memory, plus the correction that the last frame needed after its own first step, the bend of the path. On a smooth path
that meets the goals at once, so that a frame costs one factorisation and one evaluation. Every step comes from the
goals, never from the last motion itself: a figure whose goals rest comes to rest too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posable.compiled.decorators import inlined_kernel, inner_kernel, kernel, maker_kernel
from posable.compiled.records import keep
from posable.compiled.views import window
from posable.errors import GoalError, is_number
from posable.goals.term_arrays import FINE, read_targets
from posable.skeleton import Skeleton
from posable.skeleton.forward import difference, step_joint
from posable.skeleton.limits import clamp, clamp_joint
from posable.skeleton.tables import BALL, CODE, COORDINATE, DOF, FREE, LOWER, UPPER, Packed
from posable.solvers.default.flat_tables import MOST, unflatten
from posable.solvers.default.kernels.descent import FLOOR, HALTED, REACHED, STALLED, descend, try_step
from posable.solvers.default.kernels.forces import hold_at_limits, sum_forces
from posable.solvers.default.kernels.linearize import evaluate, evaluate_again, find_motions, measure
from posable.solvers.default.kernels.restarts import acting, all_met, forget_shifts, solve_all_softer, solve_rows
from posable.solvers.default.kernels.workspace import ATTEMPT, TANGENT, TRIAL, USED, cut_work, put, work_size
from posable.spatial import Array

_DAMPING = 1e-3  # times the error: negligible on the path, and enough where the error is large
_LONGEST = 0.5  # a correction longer than this share of the first step is not the bend of a smooth path


@inner_kernel
def follow(t, p, w, q, bend, springs, coupling, coupled):
    """The first step of a frame, into `q` where it gains; without the bend it is in ATTEMPT. Returns whether the goals
    are met.
    """
    trial, tangent = w.pose[TRIAL], w.freedom[TANGENT]
    cost, met, _ = measure(p, w, 0, 0)
    if met:
        return True
    find_motions(t, p, w, q)
    sum_forces(p, w, 0, 0, False, springs, coupling, coupled)
    hold_at_limits(t, p, w.basis, w.freedom, q)
    try_step(t, p, w, q, trial, 0, 0, _DAMPING * cost + FLOOR, False, springs, coupling, coupled)
    put(w.pose[ATTEMPT], trial)
    difference(t, q, trial, tangent)
    step, bent = 0.0, 0.0
    for d in range(tangent.shape[0]):
        step += tangent[d] * tangent[d]
        bent += bend[d] * bend[d]
    if bent <= _LONGEST * _LONGEST * step:
        for n in range(p.used.shape[0]):
            step_joint(t, trial, bend, p.used[n, USED], trial)
            clamp_joint(t, trial, p.used[n, USED])
    new_cost, met, _ = evaluate(t, p, w, trial, 1, 0, springs)
    if met or new_cost < cost:
        put(q, trial)
    return met


@inner_kernel
def fit_bounds(t, tight, q, before, steps, changing):
    """The limits of this frame: the joints' own, tightened by the limits of speed and acceleration.

    steps `[2, dof]`: the largest step, and where `changing` the largest change of it, a frame; infinite where free.
    """
    for j in range(t.frame.shape[0]):
        c = t.joint[j, COORDINATE] - t.joint[j, DOF]
        for d in range(t.joint[j, DOF], t.joint[j + 1, DOF]):
            at = q[c + d]
            low, high = at - steps[0, d], at + steps[0, d]
            last = at - before[c + d] if changing else 0.0
            if changing:
                low, high = max(low, at + last - steps[1, d]), min(high, at + last + steps[1, d])
            low, high = max(low, t.bound[d, LOWER]), min(high, t.bound[d, UPPER])
            if low > high:  # too fast to stop before the limit, which comes first
                low = high = max(t.bound[d, LOWER], min(t.bound[d, UPPER], at + last))
            tight[d, LOWER], tight[d, UPPER] = low, high


@inner_kernel
def slow_down(t, q, before, last, steps, changing, tangent):
    """Shorten the steps of balls and free joints, which have no bounds per freedom; True if any was too long."""
    slowed = False
    difference(t, before, q, tangent)
    for j in range(t.frame.shape[0]):
        if t.joint[j, CODE] != BALL and t.joint[j, CODE] != FREE:
            continue
        for d in range(t.joint[j, DOF], t.joint[j + 1, DOF]):
            high, low = steps[0, d], -steps[0, d]
            if changing:
                high, low = min(high, last[d] + steps[1, d]), max(low, last[d] - steps[1, d])
            kept = max(low, min(high, tangent[d]))
            slowed = slowed or kept != tangent[d]
            tangent[d] = kept
        step_joint(t, before, tangent, j, q)
        clamp_joint(t, q, j)
    return slowed


@inlined_kernel
def with_bounds(t, bounds):
    """The same tables with other limits."""
    return Packed(t.joint, t.frame, t.axis_number, t.axis, bounds, t.cones)


@inner_kernel
def track_room(t, p, coupling, coupled):
    """The number of doubles that `track_in` needs."""
    return work_size(t, p, coupling, coupled) + 2 * t.joint[t.frame.shape[0], COORDINATE] + 5 * t.bound.shape[0]


@inlined_kernel
def _cut_track(room, t, p, count, coupling, coupled):
    """The memory of `track_in`: the scratch, the pose and the one before, the bend of the path, the last step and one
    more tangent, and a copy of the limits.
    """
    dof, at = t.bound.shape[0], work_size(t, p, coupling, coupled)
    w = cut_work(window(room, 0, (at,)), t, p, coupling, coupled)
    bounds = window(room, at, (dof, 2))
    for d in range(dof):
        bounds[d, LOWER], bounds[d, UPPER] = t.bound[d, LOWER], t.bound[d, UPPER]
    at += 2 * dof
    bend, last, tangent = window(room, at, (dof,)), window(room, at + dof, (dof,)), window(room, at + 2 * dof, (dof,))
    at += 3 * dof
    return w, window(room, at, (count,)), window(room, at + count, (count,)), bend, last, tangent, bounds


@inner_kernel
def track_in(room, t, p, most, coupling, coupled, springs, weights, steps, start, targets, out, counts):
    """As `track_rows`, in memory `room [track_room]`, zeroed. most: iterations of a frame."""
    tables = t
    w, q, before, bend, last, tangent, bounds = _cut_track(room, tables, p, start.shape[0], coupling, coupled)
    no_trace = window(room, 0, (0, start.shape[0]))
    t = with_bounds(tables, bounds)
    put(q, start)
    put(before, start)
    clamp(tables, q)
    placed = False
    limited = steps is not None and steps.shape[0] > 0
    for n in range(targets.shape[0]):
        code, term = read_targets(p.terms, targets[n], p.scale, w.wanted)
        if code != FINE or counts[n, 0] == HALTED:
            return code, n, term
        spring_poses = springs[n, : acting(p, springs, weights, n)] if springs is not None else None
        if steps is not None and limited and n > 0:
            fit_bounds(tables, bounds, q, before, steps, n > 1)
        put(before, q)
        if limited and clamp(t, q):  # a freedom that cannot stop at once moves on, with or without a goal
            placed = False
        if not placed:
            forget_shifts(w.shift)
            evaluate_again(t, p, w, q, 0, 0, spring_poses)
        outcome, spent = REACHED, 1
        if not follow(t, p, w, q, bend, spring_poses, coupling, coupled):
            ended = descend(t, p, w, q, 0, spring_poses, coupling, coupled, most, np.inf, no_trace, 0, 0)
            outcome, spent = ended[0], ended[1]
            difference(t, w.pose[ATTEMPT], q, bend)
        placed = outcome == REACHED
        if springs is not None and (springs.shape[1] > 0 or p.levels > 0):
            outcome, _, _ = solve_all_softer(t, p, w, spring_poses, coupling, coupled, most, q, outcome, no_trace, 0)
            placed = False
        if steps is not None and limited and n > 0:
            if slow_down(t, q, before, last, steps, n > 1, tangent):
                outcome, placed = REACHED if all_met(t, p, w, spring_poses, q) else STALLED, False
            difference(t, before, q, last)
        put(out[n], q)
        counts[n, 0], counts[n, 1], counts[n, 2] = outcome, spent, 0
    return FINE, 0, 0


@maker_kernel
def track_rows(ints, floats, coupling, coupled, springs, weights, steps, start, targets, out, counts):
    """One frame per row of `targets [frame, numbers]`, into `out [frame, coordinates]` and `counts [frame, 3]`.

    steps: `[2, dof]` the largest step of a freedom in a frame, and the largest change of its step. The first frame may
    be anywhere. coupling, coupled, springs `[frame, spring, coordinates]`, weights `[frame, numbers]`, steps: all None,
    or all given and some of them empty, as in `solve_rows`. Returns (a code, the frame, the term) of the first invalid
    target.
    """
    t, p = unflatten(ints, floats)
    room = np.zeros(track_room(t, p, coupling, coupled))
    ended = track_in(room, t, p, ints[MOST], coupling, coupled, springs, weights, steps, start, targets, out, counts)
    keep(room)
    return ended


@kernel
def track_all(ints, floats, start, targets, out, counts):
    """`track_rows` of plain problems (`Structure.is_plain`) without limits of speed."""
    return track_rows(ints, floats, None, None, None, None, None, start, targets, out, counts)


@kernel
def solve_or_track(
    follows, ints, floats, coupling, coupled, springs, weights, steps, starts, targets, out, counts, traces
):
    """`track_rows` or `solve_rows` of all other problems: one kernel for both and for all of them, since it takes long
    to compile. `follows`: whether each starts where the one before has ended.
    """
    if follows:
        return track_rows(ints, floats, coupling, coupled, springs, weights, steps, starts[0], targets, out, counts)
    return solve_rows(ints, floats, coupling, coupled, springs, weights, None, starts, targets, out, counts, traces)


# Limits of speed and acceleration, as steps between frames.


def speed_steps(
    skeleton: Skeleton, fps: float, speed: ArrayLike | None, acceleration: ArrayLike | None
) -> Array | None:
    """`[2, dof]` the largest step a frame and the largest change of it; None without limits."""
    if not (is_number(fps) and 0 < fps <= 1e9):
        raise GoalError(f"fps must be a number above 0 and at most 1e9, not {fps!r}")
    if speed is None and acceleration is None:
        return None
    steps = np.full((2, skeleton.dof), np.inf)
    for k, (what, value) in enumerate((("speed", speed), ("acceleration", acceleration))):
        if value is not None:
            try:
                steps[k] = np.asarray(value, float) / fps ** (k + 1)
            except (TypeError, ValueError) as problem:
                raise GoalError(f"{what} must be a number or {skeleton.dof} numbers, not {value!r}") from problem
            if not (steps[k] > 0).all():
                raise GoalError(f"{what} must be above 0 everywhere, not {value!r}")
    return steps
