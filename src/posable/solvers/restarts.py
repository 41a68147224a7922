"""Compiled: a whole solve — the descent, seeded restarts, the soft goals — over a flat batch of problems."""

from __future__ import annotations

import math

import numpy as np

from posable.skeleton.forward import difference, step_joint
from posable.skeleton.limits import clamp, clamp_joint
from posable.skeleton.packed import CODE, COORDINATE, DOF, LOWER, UPPER
from posable.skeleton.tables import BALL, FREE
from posable.solvers.descent import REACHED, STALLED, descend
from posable.solvers.linearize import evaluate
from posable.solvers.work import ATTEMPT, KEPT, SHIFT, TANGENT, TRIED, make_work, put
from posable.spatial.compile import inlined_kernel, inner_kernel, kernel

FIRST, RESTART, POLISH, HARD_DONE, SOFT, MEND = 0, 1, 2, 3, 4, 5

_ENOUGH = 2  # restarts that reach before the nearest of them is taken
_SOFT_ROUNDS = 12
_FEW = 30  # iterations of a restart before the best one is polished


@inner_kernel
def next_random(state):
    """A number in 0…1 and the generator's next state (SplitMix64, Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inner_kernel
def scatter(t, p, tangent, start, spread, state, out):
    """Coordinates within the limits, at random around `start`; spread 1 is the whole range."""
    put(out, start)
    for i in range(tangent.shape[0]):
        tangent[i] = 0.0
    for n in range(p.used.shape[0]):
        j = p.used[n]
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        for k in range(t.joint[j + 1, DOF] - d):
            u = next_random(state)
            i = d + k
            if p.locked[i] or (t.joint[j, CODE] == FREE and k < 3):
                continue
            if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
                tangent[i] = spread * 1.8 * (2.0 * u - 1.0)
                continue
            low, high = t.bound[i, LOWER], t.bound[i, UPPER]
            widest = math.pi * p.unit[i] if p.unit[i] == 1.0 else 0.5 * p.unit[i]
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
        total += (tangent[i] / p.unit[i]) ** 2
    return total


@inner_kernel
def _shift_residuals(term, share):
    """Add what is left over to the shift of every hard residual; share 0 takes the shift away."""
    for k in range(term.shape[0]):
        for i in range(3):
            term[k, SHIFT + i] = share * (term[k, SHIFT + i] + term[k, TRIED + i])


@inlined_kernel
def solve_one(t, p, w, start, parameters, stays, n, coupling, most, restarts, seed, q, trace):
    """One solve into `q`. Returns (outcome, iterations in all, trace entries).

    Stages: the start; seeded restarts, of which the nearest to the start is kept once `_ENOUGH` have reached; if none
    has, the best one is polished to stationarity. Then, with the hard goals met, rounds for the soft ones (augmented
    Lagrangian): each descends on both with the hard residuals shifted by what was left over so far, so that the soft
    goals' pull is balanced and the hard ones end within their tolerance. Were they not to, the pose from before the
    soft rounds stands.
    """
    state = np.empty(1, np.uint64)
    state[0] = seed
    kept, other = w.pose[KEPT], w.pose[ATTEMPT]
    _shift_residuals(w.term, 0.0)
    iterations, found, rounds = 0, 0, 0
    traced = min(1, trace.shape[0])
    best, nearest, outcome = math.inf, math.inf, STALLED
    attempt = 0
    stage = FIRST
    put(other, start)
    while True:
        soft = stage == SOFT
        patient = stage != RESTART and not (stage == FIRST and restarts > 0)
        few = min(most, _FEW) if stage == RESTART else most
        room = trace.shape[0] if stage != RESTART else 0
        result, spent, cost, traced = descend(
            t, p, w, other, parameters, stays, n, soft, coupling, few, patient, trace, traced, room
        )
        iterations += spent
        if stage in (FIRST, RESTART):
            if result == REACHED:
                away = distance_between(t, p, w.freedom[TANGENT], start, other) if stage == RESTART else 0.0
                outcome = REACHED
                found += 1
                if away < nearest:
                    nearest = away
                    put(q, other)
                if stage == RESTART and trace.shape[0] > 1:
                    put(trace[1], q)
                    traced = 2
            elif found == 0 and cost < best * (1.0 - 1e-9):
                best, outcome = cost, result
                put(q, other)
            if found >= _ENOUGH or (found > 0 and (stage == FIRST or attempt >= restarts)):
                stage = HARD_DONE
            elif attempt < restarts:
                spread = min(1.0, 0.35 + 0.15 * attempt)
                attempt += 1
                stage = RESTART
                scatter(t, p, w.freedom[TANGENT], start, spread, state, other)
                continue
            elif restarts > 0:
                stage = POLISH
                put(other, q)
                continue
            else:
                stage = HARD_DONE
        elif stage == POLISH:
            put(q, other)
            outcome = result
            stage = HARD_DONE
        elif stage == SOFT:
            rounds += 1
            _, met = evaluate(t, p, w, other, parameters, stays, n, soft)
            if met:
                put(q, other)
                return REACHED, iterations, traced
            _shift_residuals(w.term, 1.0 if rounds < _SOFT_ROUNDS else 0.0)
            if rounds >= _SOFT_ROUNDS:
                stage = MEND
            continue
        elif result == REACHED:
            put(q, other)
            return REACHED, iterations, traced
        else:
            put(q, kept)
            return REACHED, iterations, traced
        if outcome != REACHED or stays is None:
            return outcome, iterations, traced
        put(kept, q)
        put(other, q)
        stage = SOFT


@kernel
def solve_all(
    t, p, coupling, starts, parameters, stays, most, restarts, seed, out, outcomes, iterations, traces, traced
):
    """One solve per row of `starts [problem, coordinates]`; results into the arrays of the same length."""
    w = make_work(t, p, coupling)
    for n in range(starts.shape[0]):
        start = starts[n]
        clamp(t, start)
        if traces.shape[1] > 0:
            put(traces[n, 0], start)
        outcomes[n], iterations[n], traced[n] = solve_one(
            t, p, w, start, parameters[n], stays, n, coupling, most, restarts, seed, out[n], traces[n]
        )
