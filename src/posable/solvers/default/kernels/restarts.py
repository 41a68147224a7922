"""Compiled: a whole solve — the descent, seeded restarts, the softer goals — over a flat batch of problems."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inlined_kernel, inner_kernel, kernel, maker_kernel, shared_kernel
from posable.compiled.records import keep
from posable.goals.term_arrays import FINE, LEVEL, TOLERANCE, WEIGHT, read_targets
from posable.skeleton.limits import clamp
from posable.solvers.closed.branches import closed_branches
from posable.solvers.closed.links import MOST_BRANCHES, SCRATCH
from posable.solvers.default.flat_tables import MOST, RESTARTS, SEED, unflatten
from posable.solvers.default.kernels.descent import HALTED, REACHED, STALLED, descend, freeze_converged
from posable.solvers.default.kernels.linearize import evaluate_again, pull_springs, springs_pull, weighs
from posable.solvers.default.kernels.multi_start import (
    ESCAPE,
    OUTCOME,
    RESTART,
    SEARCH,
    SPENT,
    STAGE,
    allowed,
    bar_of,
    begin_search,
    freezes_converged,
    is_of_start,
    next_attempt,
)
from posable.solvers.default.kernels.workspace import ATTEMPT, DRAW, KEPT, SHIFT, TANGENT, make_work, put

_SOFT_ROUNDS = 12


@inner_kernel
def forget(shift, first):
    """Set three numbers of every term to zero, from SHIFT or KEPT on."""
    for k in range(shift.shape[0]):
        for i in range(3):
            shift[k, first + i] = 0.0


@inner_kernel
def forget_shifts(shift):
    """Reset the multipliers: no goal yields to another."""
    forget(shift, SHIFT)
    forget(shift, KEPT)


@inlined_kernel
def solve_hard(t, p, w, start, springs, coupling, coupled, most, restarts, seed, search, q, trace, counts):
    """Meet the goals of priority 0, into `q`, attempt by attempt. Returns (outcome, iterations in all, trace entries).

    search: the state of the search (`multi_start`). counts: of the problem, whose outcome may become HALTED at any
    time, or None.
    """
    other = w.pose[ATTEMPT]
    forget_shifts(w.shift)
    traced = min(1, trace.shape[0])
    begin_search(search)
    put(other, start)
    goes_on = True
    while goes_on:
        stage = search[STAGE]
        room = trace.shape[0] if is_of_start(search) else 0
        result, spent, cost, traced, _, _ = descend(
            t, p, w, other, 0, springs, coupling, coupled, allowed(search, most), bar_of(search), trace, traced, room
        )
        tangent = w.freedom[TANGENT]
        goes_on = next_attempt(t, p, tangent, search, start, restarts, seed, result, spent, cost, other, q)
        if result == REACHED and stage in (ESCAPE, RESTART) and trace.shape[0] > 1:
            put(trace[1], q)
            traced = 2
        if goes_on and freezes_converged(search):
            freeze_converged(t, p, w, springs, q, other)
        if counts is not None:
            goes_on = goes_on and counts[0] != HALTED
    return int(search[OUTCOME]), int(search[SPENT]), traced


@shared_kernel
def solve_softer(t, p, w, springs, coupling, coupled, level, most, q, trace, traced):
    """Improve the goals up to `level`, or the springs on theirs, in the freedom that the harder goals leave.

    Augmented Lagrangian: each round descends on all goals with the harder ones' residuals shifted by the sum of their
    violations so far, which balances the softer goals' pull, so that the harder ones end within their tolerance of
    their former residuals. If they do not, they are restored by a descent of their own, and the former pose stays
    unless the softer goals still gain. Springs that do not pull change nothing. Returns (iterations, trace entries).
    """
    if springs_pull(p, level) and not weighs(p) and pull_springs(t, p, w.freedom, q, springs) == 0.0:
        return 0, traced
    other = w.pose[ATTEMPT]
    put(other, q)
    evaluate_again(t, p, w, q, 0, level, springs)
    forget(w.shift, SHIFT)
    for k in range(w.shift.shape[0]):
        short = 0.0  # met goals must stay met, unmet ones keep their residual
        if p.terms[k, LEVEL] < level:
            size = math.sqrt(w.residual[k, 0] ** 2 + w.residual[k, 1] ** 2 + w.residual[k, 2] ** 2)
            short = 1.0 if size > p.measures[k, TOLERANCE] else 0.0
        for i in range(3):
            w.shift[k, KEPT + i] = short * w.residual[k, i]
    iterations = 0
    for _ in range(_SOFT_ROUNDS):
        _, spent, _, traced, side, kept = descend(
            t, p, w, other, level, springs, coupling, coupled, most, math.inf, trace, traced, trace.shape[0]
        )
        iterations += spent
        if kept:
            put(q, other)
            return iterations, traced
        first = side * p.terms.shape[0]
        for k in range(w.shift.shape[0]):
            if p.terms[k, LEVEL] < level:
                for i in range(3):
                    w.shift[k, SHIFT + i] += w.residual[first + k, i] - w.shift[k, KEPT + i]
    forget(w.shift, SHIFT)
    _, spent, _, traced, _, _ = descend(
        t, p, w, other, level - 1, springs, coupling, coupled, most, math.inf, trace, traced, trace.shape[0]
    )
    before, _, _ = evaluate_again(t, p, w, q, 0, level, springs)
    cost, _, kept = evaluate_again(t, p, w, other, 0, level, springs)
    if kept and cost < before:
        put(q, other)
    return iterations + spent, traced


@inner_kernel
def solve_all_softer(t, p, w, springs, coupling, coupled, most, q, outcome, trace, traced):
    """The softer goals, priority by priority, the springs last. Returns (outcome, iterations, trace entries).

    springs: None without softer goals, so that nothing is compiled for them.
    """
    if springs is None:
        return outcome, 0, traced
    iterations = 0
    for level in range(1, p.levels + 1 + min(1, springs.shape[0])):
        spent, traced = solve_softer(t, p, w, springs, coupling, coupled, level, most, q, trace, traced)
        iterations += spent
    if p.levels > 0 and outcome == REACHED:
        outcome = REACHED if all_met(t, p, w, springs, q) else STALLED
    return outcome, iterations, traced


@inner_kernel
def all_met(t, p, w, springs, q):
    """Whether all goals that count are met, regardless of priority."""
    return evaluate_again(t, p, w, q, 0, p.levels + 2, springs)[1]


@inner_kernel
def solve_closed(t, p, w, arm, start, q, branches, scratch):
    """The nearest of the arm's closed-form poses, into `q`; False where none is within the limits.

    The first two terms are the position and the rotation of one `Place`.
    """
    if arm is None:
        return False
    v, back = w.wanted, 1.0 / p.scale
    turn = (v[1, 3], v[1, 4], v[1, 5], v[1, 6], v[1, 7], v[1, 8], v[1, 9], v[1, 10], v[1, 11])
    put(branches[0], start)
    if closed_branches(arm, turn, back * v[0, 0], back * v[0, 1], back * v[0, 2], start, branches, scratch) == 0:
        return False
    put(q, branches[0])
    return evaluate_again(t, p, w, q, 0, 0, None)[1]


@inner_kernel
def weigh(p, row):
    """Give the goals the weights `row` of one problem (`weight_rows`). Returns whether a soft goal acts."""
    at, acts = 0, False
    for k in range(p.terms.shape[0]):
        p.measures[k, WEIGHT], p.measures[k, TOLERANCE] = row[at], row[at + 1]
        at += 2
    for n in range(p.springs.shape[0]):
        for d in range(p.springs.shape[2]):
            p.springs[n, DRAW, d] = row[at]
            acts = acts or row[at] != 0.0
            at += 1
    for i in range(3):
        p.pull[0, i] = row[at + i]
        acts = acts or row[at + i] != 0.0
    return acts


@inner_kernel
def acting(p, springs, weights, n):
    """How many springs act in problem `n`, whose weights become those of the goals."""
    if weights.shape[1] > 0 and not weigh(p, weights[n]):
        return 0
    return springs.shape[1]


@maker_kernel
def solve_rows(ints, floats, coupling, coupled, springs, weights, arm, starts, targets, out, counts, traces):
    """One solve per row of `starts [problem, coordinates]`; results into the arrays of the same length: `out` and
    `counts [problem, 3]` of outcome, iterations, trace entries.

    ints, floats: of `flatten`. arm: the constants of a closed form, or None. targets: `[problem, numbers]`, the goals'
    numbers in a row. coupling, coupled, springs `[problem, spring, coordinates]`, weights `[problem, numbers]` (of
    `weight_rows`; written into `floats`): all None, or all given and some of them empty. Returns (a code, the problem,
    the term) of the first invalid target. It stops early where an outcome has become HALTED.
    """
    t, p = unflatten(ints, floats)
    w, memory = make_work(t, p, coupling, coupled)
    rows, room = (MOST_BRANCHES + 1, SCRATCH) if arm is not None else (0, 0)
    branches, scratch = np.empty((rows, starts.shape[1])), np.empty(room)
    most, restarts, seed = ints[MOST], ints[RESTARTS], np.uint64(ints[SEED])
    search = np.empty(SEARCH + starts.shape[1])
    for n in range(starts.shape[0]):
        if counts[n, 0] == HALTED:
            break
        code, term = read_targets(p.terms, targets[n], p.scale, w.wanted)
        if code != FINE:
            keep(memory)
            return code, n, term
        start = starts[n]
        clamp(t, start)
        if traces.shape[1] > 0:
            put(traces[n, 0], start)
        spring_poses = springs[n, : acting(p, springs, weights, n)] if springs is not None else None
        if traces.shape[1] == 0 and solve_closed(t, p, w, arm, start, out[n], branches, scratch):
            counts[n, 0], counts[n, 1], counts[n, 2] = REACHED, 0, 0
            continue
        outcome, spent, traced = solve_hard(
            t, p, w, start, spring_poses, coupling, coupled, most, restarts, seed, search, out[n], traces[n], counts[n]
        )
        if counts[n, 0] == HALTED:
            break
        outcome, more, traced = solve_all_softer(
            t, p, w, spring_poses, coupling, coupled, most, out[n], outcome, traces[n], traced
        )
        counts[n, 0], counts[n, 1], counts[n, 2] = outcome, spent + more, traced
    keep(memory)
    return FINE, 0, 0


@kernel
def solve_all(ints, floats, arm, starts, targets, out, counts, traces):
    """`solve_rows` of plain problems (`Structure.is_plain`)."""
    return solve_rows(ints, floats, None, None, None, None, arm, starts, targets, out, counts, traces)
