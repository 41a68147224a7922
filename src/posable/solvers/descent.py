"""Compiled: damped descent from one start, the limits an active set, until reached, stationary or exhausted."""

from __future__ import annotations

import math

from posable.skeleton.forward import step_joint
from posable.skeleton.limits import clamp_joint
from posable.skeleton.packed import CODE, COORDINATE, DOF, LOWER, UPPER
from posable.skeleton.tables import BALL, FREE
from posable.solvers.dense import dense_step
from posable.solvers.linearize import evaluate, find_motions, hold_at_limits, sum_forces, turn_soft_pull
from posable.solvers.tree import tree_step
from posable.solvers.work import (
    BASIS,
    DAMPING,
    FREE_TO_MOVE,
    GIVEN,
    RESIDUAL,
    ROWS,
    SOFT,
    STATE,
    STEP,
    STIFFNESS,
    TANGENT,
    TRIAL,
    VELOCITY,
    put,
)
from posable.spatial.compile import inlined_kernel, inner_kernel

REACHED, STATIONARY, STALLED, EXHAUSTED = 0, 1, 2, 3

_LARGEST_TURN = 1.5  # radians that one freedom may turn in a step: beyond that the linear picture means nothing
_FLAT = 1e-8  # gradient against the size of the error that counts as none
_SLOW = 0.02  # a gain under this share ...
_PATIENCE = 4  # ... so many times in a row drops a restart
_ROUNDS = 6  # rounds of the active set within one step
_FAILURES = 14  # rejected steps in a row, the damping growing each time, that mean there is no better pose near
_FIRST_DAMPING = 0.05
_LEAST_DAMPING = 1e-9


@inner_kernel
def propose(t, p, w, q, curved, soft, coupling):
    """The damped step within the limits: freedoms that would pass a limit are given exactly the way to it, and the
    rest anew.
    """
    freedom = w.freedom
    for _ in range(_ROUNDS):
        if coupling is None:
            good = tree_step(t.joint, p, w.term, w.body, w.motion, freedom, curved, soft)
        else:
            good = dense_step(t.joint, p, w, curved, coupling)
        if not good:
            return False
        changed = False
        for n in range(p.used.shape[0]):
            j = p.used[n]
            if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
                continue
            c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
            for k in range(t.joint[j + 1, DOF] - d):
                i = d + k
                if freedom[STATE, i] != FREE_TO_MOVE:
                    continue
                to = q[c + k] + freedom[STEP, i] * p.unit[i]
                if to > t.bound[i, UPPER] or to < t.bound[i, LOWER]:
                    bound = t.bound[i, UPPER] if to > t.bound[i, UPPER] else t.bound[i, LOWER]
                    freedom[STATE, i] = GIVEN
                    freedom[STEP, i] = (bound - q[c + k]) / p.unit[i]
                    changed = True
        if not changed:
            break
    return True


@inner_kernel
def apply_step(t, p, body, freedom, q, out, share):
    """out = q moved by `share` of the step, clamped to the limits. Only used joints move."""
    for c in range(q.shape[0]):
        out[c] = q[c]
    tangent = freedom[TANGENT]
    for n in range(p.used.shape[0]):
        j = p.used[n]
        d = t.joint[j, DOF]
        moves = False
        for i in range(d, t.joint[j + 1, DOF]):
            tangent[i] = share * freedom[STEP, i] * p.unit[i]
            moves = moves or tangent[i] != 0.0
        if not moves:  # what is held stays to the last bit
            continue
        if t.joint[j, CODE] == BALL and t.cones[j, 7] >= 0.0:
            x, y, z = tangent[d], tangent[d + 1], tangent[d + 2]
            for k in range(3):
                tangent[d + k] = (
                    body[j, BASIS + 3 * k] * x + body[j, BASIS + 3 * k + 1] * y + body[j, BASIS + 3 * k + 2] * z
                )
        step_joint(t, q, tangent, j, out)
        clamp_joint(t, out, j)


@inner_kernel
def predicted_gain(p, term, body, freedom, share, soft):
    """How much the linear model says that `share` of the step wins."""
    gain = 0.0
    for k in range(p.terms.shape[0]):
        j = p.terms[k, 1]
        for i in range(3):
            moved = 0.0
            for a in range(6):
                moved += term[k, ROWS + 6 * i + a] * body[j, VELOCITY + a]
            r = term[k, RESIDUAL + i]
            gain += 0.5 * p.measures[k, 0] * (r * r - (r - share * moved) ** 2)
    if soft:
        for i in range(freedom.shape[1]):
            step = share * freedom[STEP, i]
            gain += step * (freedom[SOFT, i] - 0.5 * freedom[STIFFNESS, i] * step)
    return gain


@inner_kernel
def descend(t, p, w, q, parameters, stays, n, soft, coupling, most, patient, trace, traced, room):
    """Improve `q` in place. Returns (outcome, iterations, cost, trace entries).

    Levenberg–Marquardt with damping μ·cost, so that it vanishes with the error; once progress is slow the position
    goals' second derivative comes in, since Gauss–Newton crawls where the error stays large (out of reach).
    most: iterations allowed. patient: go on to stationarity; else give up a slow start early.
    trace: `[entries, coordinates]`, filled from `traced` on, up to `room` entries.
    """
    mu, cost, gain = _FIRST_DAMPING, math.inf, 0.0
    slow = failures = iteration = 0
    trial = w.pose[TRIAL]
    put(trial, q)
    while True:
        new_cost, reached = evaluate(t, p, w, trial, parameters, stays, n, soft)
        done = reached and not soft
        if new_cost < cost or done:  # a NaN is never better
            if cost < math.inf:
                won = cost - new_cost
                iteration += 1
                ratio = won / gain if gain > 0.0 else 1.0
                mu = max(0.25 * mu, _LEAST_DAMPING) if ratio > 0.5 else (mu if ratio > 0.2 else 2.0 * mu)
                slow = slow + 1 if won < _SLOW * cost else 0
                settled = won <= 1e-15 * cost
                if traced < room:
                    put(trace[traced], trial)
                    traced += 1
            else:
                settled = False
            cost = new_cost
            put(q, trial)
            failures = 0
            if done:
                return REACHED, iteration, cost, traced
            if settled:
                return STATIONARY, iteration, cost, traced
            if iteration >= most:
                return EXHAUSTED, iteration, cost, traced
            if slow >= _PATIENCE and not patient:
                return STALLED, iteration, cost, traced
            find_motions(t, p, w, q)
            if stays is not None:
                turn_soft_pull(t, w.body, w.freedom)
            sum_forces(t.joint, p, w, soft, coupling)
            if hold_at_limits(t, p, w.body, w.freedom, q) <= _FLAT * math.sqrt(2.0 * cost) + 1e-300:
                return STATIONARY, iteration, cost, traced
        else:
            failures += 1
            hold_at_limits(t, p, w.body, w.freedom, q)
            mu = max(8.0 * mu, 1e-6)
            if failures > _FAILURES or gain <= 1e-15 * cost or not cost < math.inf:
                return STATIONARY, iteration, cost, traced
        gain = _try_step(t, p, w, q, trial, mu * cost + 1e-12, slow >= 2, soft, coupling)


@inlined_kernel
def _try_step(t, p, w, q, trial, damping, curved, soft, coupling):
    """Put the damped step from `q` into `trial`; returns the gain that the linear model promises.

    Where the curvature is not positive even with much damping, the step does without it.
    """
    freedom = w.freedom
    for attempt in range(4):
        if attempt > 0:
            hold_at_limits(t, p, w.body, freedom, q)
        for i in range(freedom.shape[1]):
            freedom[DAMPING, i] = damping + (freedom[STIFFNESS, i] if soft else 0.0)
        if propose(t, p, w, q, curved and attempt < 3, soft, coupling):
            break
        if attempt < 2:
            damping = max(16.0 * damping, 1e-6)
    size = 1e-300
    for i in range(freedom.shape[1]):
        size = max(size, abs(freedom[STEP, i]))
    share = min(1.0, _LARGEST_TURN / size)
    apply_step(t, p, w.body, freedom, q, trial, share)
    return predicted_gain(p, w.term, w.body, freedom, share, soft)
