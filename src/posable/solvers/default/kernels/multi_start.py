"""Compiled: the order of attempts, and the choice among the poses found; for one solve and for SIMD lanes alike."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, shared_kernel
from posable.skeleton.forward import difference, step_joint
from posable.skeleton.limits import clamp_joint, lean_ball, may_touch, swing_and_twist
from posable.skeleton.tables import BALL, CODE, COORDINATE, DOF, FREE, LOWER, UPPER
from posable.solvers.default.kernels.active_limits import AT_LIMIT
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED, STALLED
from posable.solvers.default.kernels.workspace import LEADS, LOCKED, SLIDING, UNIT, USED, put

FIRST, ESCAPE, RESTART, POLISH, RETURN = 0.0, 1.0, 2.0, 3.0, 4.0

# Columns of the search state: the kind of the running attempt, the numbers of restarts, of escapes and of attempts that
# reached, the total of iterations, the outcome so far, the least cost, the least distance to the start of those that
# reached, and whether the best pose is that of the first attempt; then the pose at which that one ended.
STAGE, ATTEMPT, ESCAPES, FOUND, SPENT, OUTCOME, LEAST, NEAREST, FROM_START, SEARCH = range(10)

ENOUGH = 2  # restarts that must reach before the nearest of them is taken
MOST_ESCAPES = 5  # how often an attempt continues after limits have stopped it
ACROSS = 0.3  # distance beyond the middle of the range, relative to the distance on this side
RESTART_ITERATIONS = 70  # iterations of a restart before the best one is polished
NEARLY = 1.05  # of the least cost so far: a slow restart is continued if it may end below this
NO_BETTER = 1e-7  # relative gain that a restart needs to replace the pose of the first attempt


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
        if not p.used[n, LEADS]:
            continue
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
    """The distance of two poses: the length of the scaled tangent between them."""
    difference(t, one, other, tangent)
    total = 0.0
    for i in range(tangent.shape[0]):
        total += (tangent[i] / p.freedom[i, UNIT]) ** 2
    return total


@shared_kernel
def escape(t, p, q):
    """Move the freedoms at a limit across the middle of their range; False without any.

    Usually a limit that it has run into keeps a descent from its goal, and beyond the middle lies the other solution
    for that joint.
    """
    any_held = False
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        if t.joint[j, CODE] == BALL:
            locked = p.freedom[d, LOCKED] + p.freedom[d + 1, LOCKED] + p.freedom[d + 2, LOCKED] > 0.0
            any_held |= not locked and t.cones[j, 7] >= 0.0 and _escape_cone(t.cones[j], q, c)
            continue
        if t.joint[j, CODE] == FREE:
            continue
        for k in range(t.joint[j + 1, DOF] - d):
            low, high = t.bound[d + k, LOWER], t.bound[d + k, UPPER]
            if p.freedom[d + k, LOCKED] > 0.0 or not high - low < math.inf:
                continue
            near, middle = 1e-9 * (high - low), 0.5 * (low + high)
            if q[c + k] <= low + near or q[c + k] >= high - near:
                q[c + k] = middle - ACROSS * (q[c + k] - middle)
                any_held = True
    return any_held


@inner_kernel
def _escape_cone(cone, q, c):
    """As `escape`: a ball's swing and twist, each where it is at its limit."""
    if not may_touch(cone, q[c], q[c + 1], q[c + 2], q[c + 3], AT_LIMIT):
        return False
    swing, twist, _, _, _ = swing_and_twist(cone, q[c], q[c + 1], q[c + 2], q[c + 3])
    middle, high = 0.5 * (cone[8] + cone[9]), 0.5 * (cone[9] - cone[8])
    leans = swing >= cone[7] - AT_LIMIT
    turns = abs(twist - middle) >= high - AT_LIMIT and high < math.pi - AT_LIMIT
    to = middle - ACROSS * (twist - middle) if turns else twist
    lean_ball(cone, q, c, -0.5 * ACROSS * swing if leans else 0.5 * swing, twist, to)
    return leans or turns


@inner_kernel
def begin_search(search):
    """Reset the search state."""
    for i in range(SEARCH):
        search[i] = 0.0
    search[STAGE], search[OUTCOME], search[LEAST], search[NEAREST] = FIRST, STALLED, math.inf, math.inf


@inner_kernel
def allowed(search, most):
    """How many iterations the attempt may take."""
    return min(most, RESTART_ITERATIONS) if search[STAGE] in (ESCAPE, RESTART) else most


@inner_kernel
def is_of_start(search):
    """Whether the running attempt is the first one, or continues it."""
    polishes = search[STAGE] == POLISH and search[FROM_START] > 0.0
    return search[STAGE] == FIRST or search[STAGE] == RETURN or polishes


@inner_kernel
def bar_of(search):
    """The predicted final cost above which a slow attempt is given up: slightly more than the least so far for a
    restart, since the polish may improve it. The first attempt and its escapes have others after them, and the polish
    must end.
    """
    if search[STAGE] >= POLISH:
        return math.inf
    return NEARLY * search[LEAST] if search[STAGE] == RESTART else -math.inf


@inner_kernel
def _after_polish(search, result, cost, other, q):
    """As `next_attempt`, once the best has been polished: the pose of the first attempt is polished as well."""
    if search[STAGE] == POLISH or cost <= search[LEAST] * (1.0 + NO_BETTER):
        search[OUTCOME], search[LEAST] = result, cost
        put(q, other)
    if search[STAGE] == RETURN or search[FROM_START] > 0.0:
        return False
    search[STAGE] = RETURN
    for c in range(other.shape[0]):
        other[c] = search[SEARCH + c]
    return True


@inner_kernel
def _take_reached(search, away, other, q):
    """Keep the nearest of the poses that reached."""
    search[OUTCOME] = REACHED
    search[FOUND] += 1.0
    if away < search[NEAREST]:
        search[NEAREST] = away
        put(q, other)


@inner_kernel
def next_attempt(t, p, tangent, search, start, restarts, seed, result, spent, cost, other, q):
    """Record an attempt that has ended at `other`, then put the start of the next one there. False without a next one:
    `q` is the solution.

    Stages: the start; seeded restarts, of which the nearest to the start is kept once `ENOUGH` have reached. Each is
    continued a few times after limits stop it: across their range, and a restart alternately from another random pose,
    which finds more than a second try across the same limits. If none has reached, the best one is polished to
    stationarity, and so is the pose of the first attempt, which is the solution unless the best is better.
    """
    search[SPENT] += spent
    if search[STAGE] >= POLISH:
        return _after_polish(search, result, cost, other, q)
    if search[STAGE] == FIRST:
        for c in range(other.shape[0]):
            search[SEARCH + c] = other[c]
    if result == REACHED:
        away = distance_between(t, p, tangent, start, other) if search[ATTEMPT] > 0.0 else 0.0
        _take_reached(search, away, other, q)
    elif search[FOUND] == 0.0 and cost < search[LEAST] * (1.0 - 1e-9):
        search[LEAST], search[OUTCOME] = cost, result
        search[FROM_START] = 1.0 if search[STAGE] == FIRST else 0.0
        put(q, other)
    done = search[ATTEMPT] == 0.0 or search[ATTEMPT] >= restarts
    if search[FOUND] >= ENOUGH or (search[FOUND] > 0.0 and done):
        return False
    stuck = result != EXHAUSTED and result != REACHED and search[ESCAPES] < MOST_ESCAPES
    spread = min(1.0, 0.35 + 0.15 * search[ATTEMPT])
    if stuck and escape(t, p, other):
        search[ESCAPES] += 1.0
        search[STAGE] = ESCAPE
        if search[ATTEMPT] > 0.0 and search[ESCAPES] % 2.0 == 0.0:
            search[STAGE] = RESTART
            draw = int(search[ATTEMPT] + 0.5 * search[ESCAPES] * restarts)
            scatter(t, p, tangent, start, spread, seed, draw, other)
    elif search[ATTEMPT] < restarts:
        search[ATTEMPT] += 1.0
        search[ESCAPES] = 0.0
        search[STAGE] = RESTART
        scatter(t, p, tangent, start, spread, seed, int(search[ATTEMPT]), other)
    elif search[STAGE] == FIRST and result != STALLED:
        return False
    else:
        search[STAGE] = POLISH
        put(other, q)
    return True


@inner_kernel
def freezes_converged(search):
    """Whether the next attempt keeps the joints of converged goals: every escape from a limit does, and every second
    restart. The others find poses that need those joints as well.
    """
    again = search[STAGE] == RESTART and search[ATTEMPT] % 2.0 == 0.0
    return search[FOUND] == 0.0 and (search[STAGE] == ESCAPE or again)
