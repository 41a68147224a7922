"""Compiled: a whole solve — the descent, seeded restarts, the softer goals — over a flat batch of problems."""

from __future__ import annotations

import math

import numpy as np

from posable.goals.columns import LEVEL, TOLERANCE
from posable.goals.targets import FINE, read_targets
from posable.skeleton.forward import difference, step_joint
from posable.skeleton.limits import clamp, clamp_joint
from posable.skeleton.packed import CODE, COORDINATE, DOF, LOWER, UPPER
from posable.skeleton.tables import BALL, FREE
from posable.solvers.arena import MOST, RESTARTS, SEED, unflatten
from posable.solvers.closed.branches import closed_branches
from posable.solvers.closed.layout import MOST_BRANCHES, SCRATCH
from posable.solvers.columns import LOCKED, SLIDING, UNIT, USED
from posable.solvers.descent import EXHAUSTED, REACHED, STALLED, descend
from posable.solvers.linearize import evaluate
from posable.solvers.settled import keep_settled
from posable.solvers.work import ATTEMPT, KEPT, SHIFT, TANGENT, make_work, put
from posable.spatial.compile import inlined_kernel, inner_kernel, kernel, shared_kernel
from posable.spatial.records import keep

FIRST, ESCAPE, RESTART, POLISH = 0, 1, 2, 3

_ENOUGH = 2  # restarts that reach before the nearest of them is taken
_ESCAPES = 3  # times that an attempt goes on from where limits have stopped it
_ACROSS = 0.3  # how far beyond the middle of its range, against how far it stood on this side
_ALL_ANEW = 4  # every such restart moves the limbs that have arrived too
_SOFT_ROUNDS = 12
_FEW = 30  # iterations of a restart before the best one is polished


@inner_kernel
def random_at(seed, k):
    """Number `k`, in 0…1, of the series that belongs to `seed` (SplitMix64, Steele et al. 2014)."""
    z = seed + np.uint64(k + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@shared_kernel
def scatter(t, p, tangent, start, spread, seed, attempt, out):
    """Coordinates within the limits, at random around `start`; spread 1 is the whole range."""
    put(out, start)
    for i in range(tangent.shape[0]):
        tangent[i] = 0.0
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        for k in range(t.joint[j + 1, DOF] - d):
            i = d + k
            u = random_at(seed, attempt * tangent.shape[0] + i)
            if p.freedom[i, LOCKED] > 0.0 or (t.joint[j, CODE] == FREE and k < 3):
                continue
            if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
                tangent[i] = spread * 1.8 * (2.0 * u - 1.0)
                continue
            low, high = t.bound[i, LOWER], t.bound[i, UPPER]
            widest = 0.5 * p.freedom[i, UNIT] if p.freedom[i, SLIDING] > 0.0 else math.pi
            low = max(low, start[c + k] - widest)
            high = min(high, start[c + k] + widest)
            tangent[i] = spread * (low + u * (high - low) - start[c + k])
        step_joint(t, start, tangent, j, out)
        clamp_joint(t, out, j)


@inner_kernel
def distance_between(t, p, tangent, one, other):
    """How far two poses are apart: the length of the scaled tangent between them."""
    difference(t, one, other, tangent)
    total = 0.0
    for i in range(tangent.shape[0]):
        total += (tangent[i] / p.freedom[i, UNIT]) ** 2
    return total


@shared_kernel
def escape(t, p, q):
    """Move the freedoms that stand at a limit across the middle of their range; False where there are none.

    What keeps a descent from its goal is as a rule a limit that it has run into, and beyond the middle is the other
    way to bend that joint.
    """
    any_held = False
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
            continue
        for k in range(t.joint[j + 1, DOF] - d):
            low, high = t.bound[d + k, LOWER], t.bound[d + k, UPPER]
            if p.freedom[d + k, LOCKED] > 0.0 or not high - low < math.inf:
                continue
            near, middle = 1e-9 * (high - low), 0.5 * (low + high)
            if q[c + k] <= low + near or q[c + k] >= high - near:
                q[c + k] = middle - _ACROSS * (q[c + k] - middle)
                any_held = True
    return any_held


@inner_kernel
def forget_shifts(shift):
    """No goal yields to another."""
    for k in range(shift.shape[0]):
        for i in range(6):
            shift[k, i] = 0.0


@inlined_kernel
def solve_hard(t, p, w, start, coupling, ties, most, restarts, seed, q, trace):
    """Meet the goals of priority 0, into `q`. Returns (outcome, iterations in all, trace entries).

    Stages: the start, and from where it gets stuck at limits a few times on across their range; seeded restarts, of
    which the nearest to the start is kept once `_ENOUGH` have reached; if none has, the best one is polished to
    stationarity.
    """
    other = w.pose[ATTEMPT]
    forget_shifts(w.shift)
    iterations = found = attempt = escapes = 0
    traced = min(1, trace.shape[0])
    best, nearest, outcome = math.inf, math.inf, STALLED
    stage = FIRST
    put(other, start)
    while True:
        room = trace.shape[0] if stage in (FIRST, POLISH) else 0
        few = min(most, _FEW) if stage in (ESCAPE, RESTART) else most
        result, spent, cost, traced, _, _ = descend(
            t, p, w, other, 0, None, coupling, ties, few, stage == POLISH, trace, traced, room
        )
        iterations += spent
        if stage == POLISH:
            put(q, other)
            return result, iterations, traced
        if result == REACHED:
            away = distance_between(t, p, w.freedom[TANGENT], start, other) if stage == RESTART else 0.0
            outcome = REACHED
            found += 1
            if away < nearest:
                nearest = away
                put(q, other)
            if stage != FIRST and trace.shape[0] > 1:
                put(trace[1], q)
                traced = 2
        elif found == 0 and cost < best * (1.0 - 1e-9):
            best, outcome = cost, result
            put(q, other)
        if found >= _ENOUGH or (found > 0 and (stage != RESTART or attempt >= restarts)):
            return outcome, iterations, traced
        if stage != RESTART and result != EXHAUSTED and escapes < _ESCAPES and escape(t, p, other):
            escapes += 1
            stage = ESCAPE
            keep_settled(t, p, w, q, other)
        elif attempt < restarts:
            spread = min(1.0, 0.35 + 0.15 * attempt)
            attempt += 1
            stage = RESTART
            scatter(t, p, w.freedom[TANGENT], start, spread, seed, attempt, other)
            if found == 0 and attempt % _ALL_ANEW > 0:
                keep_settled(t, p, w, q, other)
        elif stage == FIRST and result != STALLED:
            return outcome, iterations, traced
        else:
            stage = POLISH
            put(other, q)


@shared_kernel
def solve_softer(t, p, w, springs, coupling, ties, level, most, q, trace, traced):
    """Win what the goals up to `level`, and the springs if any, can have in the freedom that the harder goals leave.

    Augmented Lagrangian: each round descends on all with the harder goals' residuals shifted by what was left over so
    far, so that the softer goals' pull is balanced and the harder ones end within their tolerance of what they had
    won. Were they not to, they take back what is theirs, and the pose from before stands if nothing else is won then.
    Returns (iterations, trace entries).
    """
    other = w.pose[ATTEMPT]
    put(other, q)
    evaluate(t, p, w, q, 0, level, springs)
    for k in range(w.shift.shape[0]):
        short = 0.0  # what is met is to be met, what is not is to stay as it is
        if p.terms[k, LEVEL] < level or springs is not None:
            size = math.sqrt(w.residual[k, 0] ** 2 + w.residual[k, 1] ** 2 + w.residual[k, 2] ** 2)
            short = 1.0 if size > p.measures[k, TOLERANCE] else 0.0
        for i in range(3):
            w.shift[k, SHIFT + i] = 0.0
            w.shift[k, KEPT + i] = short * w.residual[k, i]
    iterations = 0
    for _ in range(_SOFT_ROUNDS):
        _, spent, _, traced, side, kept = descend(
            t, p, w, other, level, springs, coupling, ties, most, True, trace, traced, trace.shape[0]
        )
        iterations += spent
        if kept:
            put(q, other)
            return iterations, traced
        first = side * p.terms.shape[0]
        for k in range(w.shift.shape[0]):
            if p.terms[k, LEVEL] < level or springs is not None:
                for i in range(3):
                    w.shift[k, SHIFT + i] += w.residual[first + k, i] - w.shift[k, KEPT + i]
    harder = level if springs is not None else level - 1
    for k in range(w.shift.shape[0]):
        for i in range(3):
            w.shift[k, SHIFT + i] = 0.0
    _, spent, _, traced, _, _ = descend(
        t, p, w, other, harder, None, coupling, ties, most, True, trace, traced, trace.shape[0]
    )
    wished, _, _ = evaluate(t, p, w, q, 0, level, springs)
    cost, _, kept = evaluate(t, p, w, other, 0, level, springs)
    if kept and cost < wished:
        put(q, other)
    return iterations + spent, traced


@inner_kernel
def solve_all_softer(t, p, w, springs, coupling, ties, soft, most, q, outcome, trace, traced):
    """The softer goals, priority by priority, the springs last. Returns (outcome, iterations, trace entries).

    soft: None where there are none, so that nothing is compiled for them.
    """
    if soft is None:
        return outcome, 0, traced
    iterations = 0
    for level in range(1, p.levels + 1):
        spent, traced = solve_softer(t, p, w, None, coupling, ties, level, most, q, trace, traced)
        iterations += spent
    if springs is not None:
        spent, traced = solve_softer(t, p, w, springs, coupling, ties, p.levels, most, q, trace, traced)
        iterations += spent
    if p.levels > 0 and outcome == REACHED:
        _, met, _ = evaluate(t, p, w, q, 0, p.levels + 1, None)
        outcome = REACHED if met else STALLED
    return outcome, iterations, traced


@inner_kernel
def solve_closed(t, p, w, arm, start, q, branches, scratch):
    """The nearest of the arm's poses that are known by formulas, into `q`; False where there is none within the limits.

    The first two terms are the place and the turn of one `Place`.
    """
    if arm is None:
        return False
    v, back = w.wanted, 1.0 / p.scale
    turn = (v[1, 3], v[1, 4], v[1, 5], v[1, 6], v[1, 7], v[1, 8], v[1, 9], v[1, 10], v[1, 11])
    put(branches[0], start)
    if closed_branches(arm, turn, back * v[0, 0], back * v[0, 1], back * v[0, 2], start, branches, scratch) == 0:
        return False
    put(q, branches[0])
    return evaluate(t, p, w, q, 0, 0, None)[1]


@kernel
def solve_all(ints, floats, coupling, ties, soft, arm, starts, targets, springs, out, counts, traces):
    """One solve per row of `starts [problem, coordinates]`; results into the arrays of the same length: `out` and
    `counts [problem, 3]` of outcome, iterations, trace entries.

    ints, floats: of `flatten`. arm: the constants of a closed form, or None. targets: `[problem, numbers]`, the goals'
    numbers in a row. Returns (a code, the problem, the term) of the first target that is not as it must be.
    """
    t, p = unflatten(ints, floats)
    w, memory = make_work(t, p, coupling, ties)
    rows, room = (MOST_BRANCHES + 1, SCRATCH) if arm is not None else (0, 0)
    branches, scratch = np.empty((rows, starts.shape[1])), np.empty(room)
    most, restarts, seed = ints[MOST], ints[RESTARTS], np.uint64(ints[SEED])
    for n in range(starts.shape[0]):
        code, term = read_targets(p.terms, targets[n], p.scale, w.wanted)
        if code != FINE:
            keep(memory)
            return code, n, term
        start = starts[n]
        clamp(t, start)
        if traces.shape[1] > 0:
            put(traces[n, 0], start)
        wished = springs[n] if springs is not None else None
        if traces.shape[1] == 0 and solve_closed(t, p, w, arm, start, out[n], branches, scratch):
            counts[n, 0], counts[n, 1], counts[n, 2] = REACHED, 0, 0
            continue
        outcome, spent, traced = solve_hard(t, p, w, start, coupling, ties, most, restarts, seed, out[n], traces[n])
        outcome, more, traced = solve_all_softer(
            t, p, w, wished, coupling, ties, soft, most, out[n], outcome, traces[n], traced
        )
        counts[n, 0], counts[n, 1], counts[n, 2] = outcome, spent + more, traced
    keep(memory)
    return FINE, 0, 0
