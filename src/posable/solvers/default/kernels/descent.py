"""Compiled: damped descent from one start with the limits as an active set, until reached, stationary or exhausted."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel, shared_kernel
from posable.compiled.spatial_vectors import dot
from posable.goals.term_arrays import JOINT, LEVEL, OTHER, is_contact, is_on_mass
from posable.skeleton.forward import step_joint
from posable.skeleton.limits import clamp_joint
from posable.skeleton.tables import BALL, CODE, COORDINATE, DOF, LOWER, PARENT, UPPER
from posable.solvers.default.kernels.coupled_rows import along_row, coupled_step
from posable.solvers.default.kernels.dense_step import dense_step
from posable.solvers.default.kernels.forces import hold_at_limits, is_coupled, sum_forces
from posable.solvers.default.kernels.linearize import (
    energy_won,
    evaluate,
    evaluate_again,
    find_motions,
    shifted_residual,
    springs_pull,
    turn_pull,
    weigh_terms,
    weighs,
)
from posable.solvers.default.kernels.tree_step import tree_step
from posable.solvers.default.kernels.workspace import (
    ACTS,
    COORDINATE_AT,
    DAMPING,
    EASE,
    FREE_TO_MOVE,
    FREEDOM_AT,
    GIVEN,
    GRADIENT,
    HELD,
    RESISTANCE,
    ROUND,
    SOFT,
    STATE,
    STEP,
    STIFFNESS,
    SWING_ROOM,
    SWING_SIDE,
    TANGENT,
    TRIAL,
    TWIST_ROOM,
    UNIT,
    USED,
    VELOCITY,
    put,
)

REACHED, STATIONARY, STALLED, EXHAUSTED = 0, 1, 2, 3
HALTED = -2
"""The outcome that tells a kernel to stop: the caller is interrupted, and this and later problems stay unsolved."""

LARGEST_TURN = 1.5  # radians that one freedom may move in a step: beyond that the linear model is invalid
FLAT = 1e-8  # gradient, relative to the error, that counts as zero
SLOW = 0.02  # a gain under this share ...
PATIENCE = 4  # ... this many times in a row ends the attempt,
PROMISE = 8.0  # unless this many more such gains would beat the best so far
ROUNDS = 6  # rounds of the active set within one step
FAILURES = 14  # rejected steps in a row, each with more damping, after which no better pose is expected nearby
FIRST_DAMPING, FEW = 0.2, 20
LEAST_DAMPING = 1e-9
FLOOR = 1e-11  # least damping: without it, directions that no goal constrains would drift by rounding
EASIER = 0.25  # factor of the damping after a step that gained as predicted
FAR = 8.0  # largest damping of a free joint's translation, so that far targets take few iterations
STIFF = 99.0  # factor by which ease raises the resistance of a freedom up to its limit


@inner_kernel
def first_damping(p):
    """μ of a first step: many freedoms share the motion towards a goal, so that each needs as much more damping (a
    straight chain of a thousand hinges is solved in 6 iterations instead of 15).
    """
    freedoms = p.plain.shape[0] + 3 * p.turning.shape[0]
    return FIRST_DAMPING * max(1.0, freedoms / (FEW * max(1, p.terms.shape[0])))


@inner_kernel
def _step(t, p, w, side, level, curved, springs, coupling, coupled):
    """Fill step and velocities, by the method that the figure and its goals need; False where more damping is
    needed.
    """
    if coupling is not None and is_coupled(coupling):
        return dense_step(t.joint, p, w, side, level, curved, coupling, coupled)
    good = tree_step(p, w, side, level, curved, springs)
    if coupled is not None and coupled.shape[0] > 0:
        good = good and coupled_step(t.joint, p, w, side, level, coupled)
    return good


@inner_kernel
def propose(t, p, w, q, side, level, curved, springs, coupling, coupled):
    """The damped step within the limits: freedoms that would pass a limit, also a cone's, get exactly the step to it,
    and the rest is solved again.
    """
    freedom = w.freedom
    for _ in range(ROUNDS):
        if not _step(t, p, w, side, level, curved, springs, coupling, coupled):
            return False
        changed = False
        for n in range(p.plain.shape[0]):
            i, at = p.plain[n, FREEDOM_AT], q[p.plain[n, COORDINATE_AT]]
            to = at + freedom[STEP, i] * p.freedom[i, UNIT]
            beyond = (to > t.bound[i, UPPER]) | (to < t.bound[i, LOWER])
            if beyond and freedom[STATE, i] == FREE_TO_MOVE:
                bound = t.bound[i, UPPER] if to > t.bound[i, UPPER] else t.bound[i, LOWER]
                freedom[STATE, i] = GIVEN
                freedom[STEP, i] = (bound - at) / p.freedom[i, UNIT]
                changed = True
        for n in range(p.turning.shape[0]):
            j = p.turning[n, 0]
            if t.joint[j, CODE] == BALL:
                d, room = t.joint[j, DOF], w.basis[j]
                changed |= _stop(p, freedom, d, room[SWING_ROOM], math.inf)
                changed |= _stop(p, freedom, d + 1, room[TWIST_ROOM], room[TWIST_ROOM + 1])
        if not changed:
            break
    return True


@inner_kernel
def _stop(p, freedom, i, up, down):
    """Shorten the step of freedom `i` to its limit if it is longer; whether it was."""
    to = freedom[STEP, i] * p.freedom[i, UNIT]
    beyond = freedom[STATE, i] == FREE_TO_MOVE and (to > up or -to > down)
    if beyond:
        freedom[STATE, i] = GIVEN
        freedom[STEP, i] = (up if to > up else -down) / p.freedom[i, UNIT]
    return beyond


@inner_kernel
def apply_step(t, p, basis, freedom, q, out, share):
    """out = q moved by `share` of the step, clamped to the limits. Only used joints move."""
    put(out, q)
    for n in range(p.plain.shape[0]):
        i, c = p.plain[n, FREEDOM_AT], p.plain[n, COORDINATE_AT]
        step = share * freedom[STEP, i] * p.freedom[i, UNIT]
        if step != 0.0:  # held freedoms stay bitwise equal
            to = q[c] + step
            to = t.bound[i, LOWER] if to < t.bound[i, LOWER] else to
            out[c] = t.bound[i, UPPER] if to > t.bound[i, UPPER] else to
    tangent = freedom[TANGENT]
    for n in range(p.turning.shape[0]):
        j = p.turning[n, 0]
        d = t.joint[j, DOF]
        moves = False
        for i in range(d, t.joint[j + 1, DOF]):
            tangent[i] = share * freedom[STEP, i] * p.freedom[i, UNIT]
            moves = moves or tangent[i] != 0.0
        if not moves:
            continue
        if t.joint[j, CODE] == BALL:
            x, y, z = tangent[d], tangent[d + 1], tangent[d + 2]
            for k in range(3):
                tangent[d + k] = basis[j, 3 * k] * x + basis[j, 3 * k + 1] * y + basis[j, 3 * k + 2] * z
        step_joint(t, q, tangent, j, out)
        clamp_joint(t, out, j)


@inner_kernel
def predicted_gain(p, w, side, level, share, springs):
    """The gain of `share` of the step that the linear model predicts."""
    gain = 0.0
    for k in range(p.terms.shape[0]):
        if p.terms[k, LEVEL] > level:
            continue
        j, at = p.terms[k, JOINT], side * p.terms.shape[0] + k
        for i in range(3):
            if p.terms[k, OTHER] < 0 and not is_on_mass(p.terms, k):
                moved = share * dot(w.rows[at, i], w.body[j, VELOCITY])
            else:
                moved = share * along_row(p, w, side, k, i, VELOCITY)
            gain += 0.5 * w.shift[k, ACTS] * moved * (2.0 * shifted_residual(p, w, side, k, i) - moved)
    if springs is not None and springs_pull(p, level):
        for i in range(w.freedom.shape[1]):
            step = share * w.freedom[STEP, i]
            gain += step * (w.freedom[SOFT, i] - 0.5 * w.freedom[STIFFNESS, i] * step)
        gain += energy_won(p, w, share)
    return gain


@shared_kernel
def descend(t, p, w, q, level, springs, coupling, coupled, most, bar, trace, traced, room):
    """Improve `q` in place. Returns (outcome, iterations, cost, trace entries, side, whether harder goals stay met).

    Levenberg–Marquardt with damping μ·cost, so that it vanishes with the error. Once progress is slow the goals' second
    derivative is added, since Gauss–Newton converges slowly where the error stays large (out of reach).
    most: iterations allowed. bar: a slow attempt is given up unless it may end below this cost (`bar_of`).
    trace: `[entries, coordinates]`, filled from `traced` on, up to `room` entries. side: which residuals are q's.
    """
    mu, cost, gain = first_damping(p), math.inf, 0.0
    weigh_terms(p, w, level)
    slow = failures = iteration = side = 0
    kept = bends = False
    pulled = springs is not None and springs_pull(p, level)
    trial = w.pose[TRIAL]
    put(trial, q)
    while True:
        new_cost, met, fine = evaluate(t, p, w, trial, 1 - side, level, springs)
        done = met and not pulled
        if new_cost < cost or done:  # a NaN is never better
            stationary, won = False, 0.0
            if cost < math.inf:
                won = cost - new_cost
                iteration += 1
                ratio = won / gain if gain > 0.0 else 1.0
                mu = max(EASIER * mu, LEAST_DAMPING) if ratio > 0.5 else (mu if ratio > 0.2 else 2.0 * mu)
                slow = slow + 1 if won < SLOW * cost else 0
                stationary = won <= 1e-15 * cost
                if traced < room:
                    put(trace[traced], trial)
                    traced += 1
            cost, kept, side, failures = new_cost, fine, 1 - side, 0
            put(q, trial)
            if done:
                return REACHED, iteration, cost, traced, side, kept
            if stationary:
                return STATIONARY, iteration, cost, traced, side, kept
            if iteration >= most:
                return EXHAUSTED, iteration, cost, traced, side, kept
            if slow >= PATIENCE and cost - PROMISE * won >= bar:
                return STALLED, iteration, cost, traced, side, kept
            find_motions(t, p, w, q)
            if springs is not None and pulled:
                turn_pull(t, w.basis, w.freedom)
            bends = slow >= 2 or (pulled and weighs(p))
            sum_forces(p, w, side, level, bends, springs, coupling, coupled)
            if hold_at_limits(t, p, w.basis, w.freedom, q) <= FLAT * math.sqrt(2.0 * cost) + 1e-300:
                return STATIONARY, iteration, cost, traced, side, kept
        else:
            failures += 1
            hold_at_limits(t, p, w.basis, w.freedom, q)
            mu = max(8.0 * mu, 1e-6)
            if failures > FAILURES or abs(gain) <= 1e-15 * cost or not cost < math.inf:
                return STATIONARY, iteration, cost, traced, side, kept
            if gain < 0.0 and bar < 0.0:  # limits make the step an ascent: shorter steps would creep along them
                return STALLED, iteration, cost, traced, side, kept
        gain = try_step(t, p, w, q, trial, side, level, mu * cost + FLOOR, bends, springs, coupling, coupled)


@inner_kernel
def try_step(t, p, w, q, trial, side, level, damping, curved, springs, coupling, coupled):
    """Put the damped step from `q` into `trial`; returns the gain that the linear model predicts.

    Where the curvature is not positive even with much damping, the step ignores it.
    """
    freedom = w.freedom
    for attempt in range(4):
        if attempt > 0:
            hold_at_limits(t, p, w.basis, freedom, q)
        _damp(t, p, w, q, level, damping, springs)
        if propose(t, p, w, q, side, level, curved and attempt < 3, springs, coupling, coupled):
            break
        if attempt < 2:
            damping = max(16.0 * damping, 1e-6)
    size = _largest_turn(t, p, freedom)
    share = min(1.0, LARGEST_TURN / size)
    apply_step(t, p, w.basis, freedom, q, trial, share)
    return predicted_gain(p, w, side, level, share, springs)


@inner_kernel
def _largest_turn(t, p, freedom):
    """The largest entry of the step, except the translation of free joints, in which all goals are linear."""
    size = 1e-300
    for n in range(p.plain.shape[0]):
        size = max(size, abs(freedom[STEP, p.plain[n, FREEDOM_AT]]))
    for n in range(p.turning.shape[0]):
        j = p.turning[n, 0]
        for i in range(t.joint[j + 1, DOF] - 3, t.joint[j + 1, DOF]):
            size = max(size, abs(freedom[STEP, i]))
    return size


@inner_kernel
def _damp(t, p, w, q, level, damping, springs):
    """Λ of every freedom: the damping times its resistance, which grows with ease near the limit it moves to; along a
    cone's limit also, to second order, the cost of the return from the tangent against the outward pull.
    """
    freedom = w.freedom
    for n in range(p.plain.shape[0]):
        i, at = p.plain[n, FREEDOM_AT], q[p.plain[n, COORDINATE_AT]]
        resistance, ease = p.freedom[i, RESISTANCE], p.freedom[i, EASE]
        if ease > 0.0:
            room = t.bound[i, UPPER] - at if freedom[GRADIENT, i] > 0.0 else at - t.bound[i, LOWER]
            if room < ease:
                resistance *= 1.0 + STIFF * (1.0 - room / ease) ** 2
        freedom[DAMPING, i] = damping * resistance
    for n in range(p.turning.shape[0]):
        j = p.turning[n, 0]
        d, end = t.joint[j, DOF], t.joint[j + 1, DOF]
        for i in range(d, end):
            slides = i < end - 3
            freedom[DAMPING, i] = (min(damping, FAR) if slides else damping) * p.freedom[i, RESISTANCE]
        if t.joint[j, CODE] == BALL and w.basis[j, SWING_SIDE] == 1.0 and freedom[STATE, d] == HELD:
            freedom[DAMPING, d + 2] += w.basis[j, ROUND] * freedom[GRADIENT, d]
    if springs is not None and springs_pull(p, level):  # in this case every joint is used
        for i in range(freedom.shape[1]):
            freedom[DAMPING, i] += freedom[STIFFNESS, i]


# Compiled: on a restart, keep the joints of goals that have converged.


_MUCH = 0.01  # a goal with a larger share of the error has not converged


@shared_kernel
def freeze_converged(t, p, w, springs, best, q):
    """In the start `q` of a new attempt, restore from `best` the joints that carry a goal with little error, so that
    only the joints of the other goals start anew. Where every joint carries such a goal, or all goals are of one joint,
    nothing is restored.
    """
    several = False
    for k in range(p.terms.shape[0]):
        several = several or (not is_contact(p.terms, k) and p.terms[k, JOINT] != p.terms[0, JOINT])
    if not several:
        return
    cost, _, _ = evaluate_again(t, p, w, best, 0, 0, springs)
    converged = w.converged
    for n in range(p.used.shape[0]):
        converged[p.used[n, USED], 0] = 0.0
    for k in range(p.terms.shape[0]):
        if not is_contact(p.terms, k):
            converged[p.terms[k, JOINT], 0] = 1.0
    for k in range(p.terms.shape[0]):
        square = w.residual[k, 0] ** 2 + w.residual[k, 1] ** 2 + w.residual[k, 2] ** 2
        if w.shift[k, ACTS] * square > _MUCH * cost:
            converged[p.terms[k, JOINT], 0] = 0.0
    loose = False
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n, USED]
        if converged[j, 0] == 0.0:
            loose = loose or t.joint[j + 1, DOF] > t.joint[j, DOF]
        elif t.joint[j, PARENT] >= 0:
            converged[t.joint[j, PARENT], 0] = 1.0
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        if loose and converged[j, 0] > 0.0:
            for c in range(t.joint[j, COORDINATE], t.joint[j + 1, COORDINATE]):
                q[c] = best[c]
