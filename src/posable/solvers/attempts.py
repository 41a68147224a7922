"""Compiled: which attempt follows which, and which of the poses found is taken; for one solve and for lanes alike."""

from __future__ import annotations

import math

from posable.solvers.descent import EXHAUSTED, REACHED, STALLED
from posable.solvers.restarts import distance_between, escape, scatter
from posable.solvers.work import put
from posable.spatial.compile import inner_kernel, shared_kernel

FIRST, ESCAPE, RESTART, POLISH = 0.0, 1.0, 2.0, 3.0

# Columns of a course: what kind of attempt runs, how many restarts and escapes there have been, how many reached,
# iterations in all, the outcome so far, the least cost, and the least distance to the start of those that reached.
STAGE, ATTEMPT, ESCAPES, FOUND, SPENT, OUTCOME, LEAST, NEAREST = range(8)
COURSE = 8

_ENOUGH = 2  # restarts that reach before the nearest of them is taken
_ESCAPES = 3  # times that an attempt goes on from where limits have stopped it
_FEW = 30  # iterations of a restart before the best one is polished


@inner_kernel
def begin_course(course):
    """Nothing has been tried."""
    for i in range(COURSE):
        course[i] = 0.0
    course[STAGE], course[OUTCOME], course[LEAST], course[NEAREST] = FIRST, STALLED, math.inf, math.inf


@inner_kernel
def allowed(course, most):
    """How many iterations the attempt may take."""
    return min(most, _FEW) if course[STAGE] in (ESCAPE, RESTART) else most


@shared_kernel
def next_attempt(t, p, tangent, course, start, restarts, seed, result, spent, cost, other, q):
    """Take note of an attempt that has ended at `other`; then put there where the next one starts. False if there is
    none: `q` is the answer.

    Stages: the start, and from where it gets stuck at limits a few times on across their range; seeded restarts, of
    which the nearest to the start is kept once `_ENOUGH` have reached; if none has, the best one is polished to
    stationarity.
    """
    course[SPENT] += spent
    if course[STAGE] == POLISH:
        course[OUTCOME] = result
        put(q, other)
        return False
    if result == REACHED:
        away = distance_between(t, p, tangent, start, other) if course[STAGE] == RESTART else 0.0
        course[OUTCOME] = REACHED
        course[FOUND] += 1.0
        if away < course[NEAREST]:
            course[NEAREST] = away
            put(q, other)
    elif course[FOUND] == 0.0 and cost < course[LEAST] * (1.0 - 1e-9):
        course[LEAST], course[OUTCOME] = cost, result
        put(q, other)
    done = course[STAGE] != RESTART or course[ATTEMPT] >= restarts
    if course[FOUND] >= _ENOUGH or (course[FOUND] > 0.0 and done):
        return False
    stuck = course[STAGE] != RESTART and result != EXHAUSTED and course[ESCAPES] < _ESCAPES
    if stuck and escape(t, p, other):
        course[ESCAPES] += 1.0
        course[STAGE] = ESCAPE
    elif course[ATTEMPT] < restarts:
        spread = min(1.0, 0.35 + 0.15 * course[ATTEMPT])
        course[ATTEMPT] += 1.0
        course[STAGE] = RESTART
        scatter(t, p, tangent, start, spread, seed, int(course[ATTEMPT]), other)
    elif course[STAGE] == FIRST and result != STALLED:
        return False
    else:
        course[STAGE] = POLISH
        put(other, q)
    return True
