"""Compiled: eight solves side by side in SIMD lanes; the results are those of `restarts`.

Every lane has its own state and takes the next problem when its own is done, so that none idles. Rare events (a new
problem, a restart) are handled one lane at a time, by the code of the single solve.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.compiled.records import keep
from posable.compiled.simd_batch import COUNT, lane, sine_cosine
from posable.compiled.simd_masks import bits_of, everywhere, larger, magnitude, mask_of, select, square_root
from posable.goals.term_arrays import CONSTANT, FINE, JOINT, KIND, OTHER, TOLERANCE, WEIGHT, is_point, read_targets
from posable.goals.terms import POSITION, ROTATION, fill_position, fill_rotation
from posable.skeleton.forward import axis_value, place_joints, rotation_at
from posable.skeleton.limits import clamp
from posable.skeleton.tables import AXIS, CODE, DOF, SCALAR, Packed
from posable.solvers.default.flat_tables import MOST as MOST_ITERATIONS
from posable.solvers.default.flat_tables import RESTARTS, SEED, unflatten
from posable.solvers.default.kernels.descent import (
    EASIER,
    EXHAUSTED,
    FLAT,
    HALTED,
    LEAST_DAMPING,
    PATIENCE,
    PROMISE,
    REACHED,
    STALLED,
    STATIONARY,
    first_damping,
)
from posable.solvers.default.kernels.descent import (
    FAILURES as MOST_FAILURES,
)
from posable.solvers.default.kernels.descent import (
    SLOW as SLOW_GAIN,
)
from posable.solvers.default.kernels.multi_start import OUTCOME, SPENT, allowed, bar_of, begin_search, next_attempt
from posable.solvers.default.kernels.simd_steps import find_held, find_jacobian, try_step
from posable.solvers.default.kernels.simd_workspace import (
    BAR,
    COST,
    DAMPING,
    FAILURES,
    GAIN,
    ITERATION,
    MOST,
    PLACE,
    PLAN_COORDINATE,
    SLOW,
    TRIED,
    make_lane_work,
    make_plan,
)
from posable.solvers.default.kernels.workspace import USED
from posable.solvers.problem import Problem
from posable.spatial import Array
from posable.spatial.kernels import rotate

LEFT = -1


@inner_kernel
def _evaluate(t, p, w):
    """Compute the frames at the trial poses, fill residuals and levers. Returns (cost, where all goals are met)."""
    q = w.pose[TRIED]
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
            w.moved[0, a] = axis_value(t, q, a)
            w.moved[1, a], w.moved[2, a] = sine_cosine(w.moved[0, a])
    place_joints(t, p.used, q, w.moved, w.turns, w.origins, w.axes, w.anchors)
    cost, met = everywhere(0.0), mask_of(-1)
    for k in range(p.terms.shape[0]):
        j, v, r = p.terms[k, JOINT], w.wanted[k], w.fresh[k]
        turn = rotation_at(w.turns, j)
        to = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11])
        if is_point(p.terms, k):
            c, scale = p.measures[k], p.scale
            x, y, z = rotate(turn, c[CONSTANT], c[CONSTANT + 1], c[CONSTANT + 2])
            x, y, z = (
                scale * w.origins[j, 0] + scale * x,
                scale * w.origins[j, 1] + scale * y,
                scale * w.origins[j, 2] + scale * z,
            )
            fill_position(x, y, z, to, r, w.rows)
        else:
            fill_rotation(turn, to, r, w.rows)
        for i in range(3):
            for a in range(3):
                w.lever[k, i, a] = w.rows[i, a]
        square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
        cost = cost + (0.5 * p.measures[k, WEIGHT]) * square
        met = met & (square_root(square) <= 0.99 * p.measures[k, TOLERANCE])
    return cost, met


@inner_kernel
def _advance(t, p, w, new_cost, met):
    """Accept or reject the trial poses, as `descent.descend` does. Returns (where the attempt has ended, outcome)."""
    s = w.state
    cost, gain, damping = s[COST], s[GAIN], s[DAMPING]
    started = cost < math.inf
    accepted = (new_cost < cost) | met
    stepped = accepted & started
    won = cost - new_cost
    ratio = select(gain > 0.0, won / gain, 1.0)
    easier = select(
        ratio > 0.5, larger(EASIER * damping, everywhere(LEAST_DAMPING)), select(ratio > 0.2, damping, 2.0 * damping)
    )
    harder = larger(8.0 * damping, everywhere(1e-6))
    s[DAMPING] = select(accepted, select(started, easier, damping), harder)
    s[SLOW] = select(stepped, select(won < SLOW_GAIN * cost, s[SLOW] + 1.0, 0.0), s[SLOW])
    s[ITERATION] = select(stepped, s[ITERATION] + 1.0, s[ITERATION])
    s[FAILURES] = select(accepted, 0.0, s[FAILURES] + 1.0)
    failed = (s[FAILURES] > MOST_FAILURES) | (magnitude(gain) <= 1e-15 * cost) | ~started
    uphill = ~accepted & ~failed & (gain < 0.0) & (s[BAR] < 0.0)
    stationary = stepped & (won <= 1e-15 * cost)
    cost = select(accepted, new_cost, cost)
    s[COST] = cost
    for m in range(w.plan.shape[0]):
        c = w.plan[m, PLAN_COORDINATE]
        w.pose[PLACE, c] = select(accepted, w.pose[TRIED, c], w.pose[PLACE, c])
    find_jacobian(t, p, w, accepted)
    flat = find_held(t, p, w) <= FLAT * square_root(2.0 * cost) + 1e-300
    exhausted = s[ITERATION] >= s[MOST]
    dropped = (s[SLOW] >= PATIENCE) & (cost - PROMISE * won >= s[BAR])
    outcome = select(exhausted, float(EXHAUSTED), select(dropped, float(STALLED), float(STATIONARY)))
    outcome = select(stationary | ~accepted, float(STATIONARY), outcome)
    outcome = select(uphill, float(STALLED), outcome)
    outcome = select(met, float(REACHED), outcome)
    return (accepted & (met | stationary | exhausted | dropped | flat)) | (failed & ~accepted) | uphill, outcome


@inner_kernel
def _begin_attempt(p, w, i, pose, most):
    """Let lane `i` descend from a pose."""
    for c in range(pose.shape[0]):
        w.pose_numbers[PLACE, c, i] = w.pose_numbers[TRIED, c, i] = pose[c]
    s, search = w.state_numbers, w.search[i]
    s[COST, i], s[DAMPING, i], s[GAIN, i] = math.inf, first_damping(p), 0.0
    s[SLOW, i] = s[FAILURES, i] = s[ITERATION, i] = 0.0
    s[MOST, i] = allowed(search, most)
    s[BAR, i] = bar_of(search)


@inner_kernel
def _begin_problem(t, p, w, i, start, target, most):
    """Let lane `i` take a problem. Returns (a code, the term that it concerns)."""
    code, term = read_targets(p.terms, target, p.scale, w.target)
    for k in range(w.target.shape[0]):
        for a in range(12):
            w.wanted_numbers[k, a, i] = w.target[k, a]
    clamp(t, start)
    begin_search(w.search[i])
    _begin_attempt(p, w, i, start, most)
    return code, term


@inner_kernel
def _end_attempt(t, p, w, i, start, restarts, seed, result, q):
    """Whether lane `i` makes another attempt, whose start is then in `w.one`."""
    one = w.one[0]
    for c in range(one.shape[0]):
        one[c] = w.pose_numbers[PLACE, c, i]
    spent, cost = w.state_numbers[ITERATION, i], w.state_numbers[COST, i]
    return next_attempt(t, p, w.tangent[0], w.search[i], start, restarts, seed, result, spent, cost, one, q)


@kernel
def solve_lanes(ints, floats, starts, targets, out, counts):
    """As `restarts.solve_all`, for plain problems (see `side_by_side.is_plain`).

    Where goals are of several joints, only the first attempt is made; problems that need more get the outcome LEFT.
    """
    t, p = unflatten(ints, floats)
    plan, carries = make_plan(t, p)
    w, memory = make_lane_work(t, p, plan, carries)
    most, restarts, seed = ints[MOST_ITERATIONS], ints[RESTARTS], np.uint64(ints[SEED])
    one_joint = True
    for k in range(p.terms.shape[0]):
        one_joint = one_joint and p.terms[k, JOINT] == p.terms[0, JOINT]
    problem, upcoming, active, code, term = np.empty(COUNT, np.int64), 0, 0, FINE, 0
    while True:
        for i in range(COUNT):
            waits = upcoming < starts.shape[0] and counts[upcoming, 0] != HALTED
            if code == FINE and waits and not (active >> i) & 1:
                code, term = _begin_problem(t, p, w, i, starts[upcoming], targets[upcoming], most)
                problem[i], upcoming, active = upcoming, upcoming + 1, active | (1 << i)
        if code != FINE or active == 0:
            break
        cost, met = _evaluate(t, p, w)
        ended, outcome = _advance(t, p, w, cost, met)
        ending = bits_of(ended) & active
        going = active & ~ending
        for i in range(COUNT):
            if (ending >> i) & 1:
                n, result = problem[i], int(lane(outcome, i))
                goes_on = _end_attempt(t, p, w, i, starts[n], restarts, seed, result, out[n])
                if goes_on and one_joint and counts[n, 0] != HALTED:
                    _begin_attempt(p, w, i, w.one[0], most)
                else:
                    counts[n, 0] = LEFT if goes_on else int(w.search[i, OUTCOME])
                    counts[n, 1], counts[n, 2] = int(w.search[i, SPENT]), 0
                    active &= ~(1 << i)
        try_step(t, p, w, mask_of(going))
    for array in (plan, carries):
        keep(array)
    keep(memory)
    return code, upcoming - 1, term


# Many plain problems at once: in lanes, and the remaining ones one after the other.


_FEW = 256  # problems between two checks for an interrupt of the caller
_MOST_FREEDOMS = 16  # the step is dense: its time grows with their cube


def is_plain(t: Packed, p: Problem) -> bool:
    """Whether `solve_lanes` can solve the problem, which has no coupling, no coupled rows and no soft goals:
    a few goals of position and rotation in the world, on hinges, slides and joints that consist of them.
    """
    used = p.used[:, USED]
    freedoms = int((t.joint[used + 1, DOF] - t.joint[used, DOF]).sum())
    simple = np.isin(p.terms[:, KIND], (POSITION, ROTATION)) & (p.terms[:, OTHER] < 0)
    return bool((t.joint[used, CODE] == SCALAR).all() and 0 < freedoms <= _MOST_FREEDOMS and simple.all())


def solve_many(
    ints: NDArray[np.int64],
    floats: Array,
    alone: Callable[..., tuple[int, int, int]],
    starts: Array,
    targets: Array,
    out: Array,
    counts: NDArray[np.int64],
    traces: Array,
) -> tuple[int, int, int]:
    """As `solve_all`; `alone` is its part without the arrays of a batch."""
    refused = solve_lanes(ints, floats, starts, targets, out, counts)
    left = np.flatnonzero(counts[:, 0] == LEFT)
    for few in (left[k : k + _FEW] for k in range(0, len(left), _FEW)):
        if refused[0] != FINE or (counts[few, 0] == HALTED).any():
            break
        into = np.empty((len(few), out.shape[1])), np.zeros((len(few), 3), np.int64)
        alone(starts[few], targets[few], *into, traces[few])
        out[few], counts[few] = into
    return refused
