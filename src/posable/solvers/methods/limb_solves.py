"""Compiled: limbs of many poses are bent to their targets, and the joints at their ends turned."""

from __future__ import annotations

import math

import numpy as np

from posable.goals.targets import FINE
from posable.skeleton.forward import turn_at
from posable.skeleton.packed import ANCHOR, CODE, DOF
from posable.skeleton.tables import SCALAR
from posable.solvers.closed import bending
from posable.solvers.closed.limb_poses import (
    END,
    LIMB,
    bend_pose,
    describe_limb,
    left_of,
    make_placed,
    place_chain,
    point_of,
)
from posable.solvers.descent import REACHED, STATIONARY
from posable.solvers.engine import ITERATIONS, OUTCOME, TRACED
from posable.solvers.methods.fitting import MARK, begin, fit_joint, make_pairs, put_mark, transposed
from posable.spatial.compile import inner_kernel, kernel
from posable.spatial.kernels import log_wxyz, multiply_turns, rotate, wxyz_of_turn

PLACE, TURN, POLE, CARRIED = LIMB, LIMB + 1, LIMB + 2, LIMB + 3  # further columns of a limb: terms, and a flag
TIP, SOFTNESS, TWIST = 0, 3, 4  # columns of its settings


@inner_kernel
def softened(distance, length, softness):
    """How far a soft limb goes for a target at this distance: from (1 − softness) of its length on ever less, and
    nearly its length for the farthest.
    """
    start = length * (1.0 - softness)
    if softness <= 0.0 or distance <= start:
        return distance
    return start + (length - start) * (1.0 - math.exp((start - distance) / (length - start)))


@inner_kernel
def _apart(row, a, b):
    x, y, z = row[b] - row[a], row[b + 1] - row[a + 1], row[b + 2] - row[a + 2]
    return math.sqrt(x * x + y * y + z * z)


@inner_kernel
def _aim(row, setting, wanted, place):
    """Put the softened target into the row."""
    for i in range(3):
        row[bending.TARGET + i] = wanted[place, i]
    if setting[SOFTNESS] > 0.0:
        length = _apart(row, bending.UPPER, bending.MIDDLE) + _apart(row, bending.MIDDLE, bending.END)
        distance = _apart(row, bending.UPPER, bending.TARGET)
        share = softened(distance, length, setting[SOFTNESS]) / max(distance, 1e-300)
        for i in range(3):
            u = row[bending.UPPER + i]
            row[bending.TARGET + i] = u + share * (row[bending.TARGET + i] - u)


@inner_kernel
def _point_side(row, limb, turn, wanted):
    """Put into the row to where the middle joint points: the pole, or where the turned end carries its side."""
    pole = bending.POLE
    row[pole], row[pole + 1], row[pole + 2] = 0.0, 0.0, 0.0
    if limb[POLE] >= 0:
        for i in range(3):
            row[pole + i] = wanted[limb[POLE], i] - row[bending.UPPER + i]
    elif limb[CARRIED]:
        share, square = 0.0, 0.0
        for i in range(3):
            line = row[bending.END + i] - row[bending.UPPER + i]
            share += line * (row[bending.MIDDLE + i] - row[bending.UPPER + i])
            square += line * line
        share /= max(square, 1e-300)
        x, y, z = (
            row[bending.MIDDLE] - row[bending.UPPER] - share * (row[bending.END] - row[bending.UPPER]),
            row[bending.MIDDLE + 1] - row[bending.UPPER + 1] - share * (row[bending.END + 1] - row[bending.UPPER + 1]),
            row[bending.MIDDLE + 2] - row[bending.UPPER + 2] - share * (row[bending.END + 2] - row[bending.UPPER + 2]),
        )
        r = multiply_turns(wanted_turn(wanted, limb[TURN]), transposed(turn))
        row[pole], row[pole + 1], row[pole + 2] = rotate(r, x, y, z)


@inner_kernel
def wanted_turn(wanted, k):
    """The turn that term `k` asks for."""
    w = wanted[k]
    return w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11]


@inner_kernel
def angle_between_turns(a, b):
    """The angle of the turn from one rotation to the other."""
    w, x, y, z = wxyz_of_turn(multiply_turns(b, transposed(a)))
    x, y, z = log_wxyz(w, x, y, z)
    return math.sqrt(x * x + y * y + z * z)


@inner_kernel
def turn_end(t, j, may, wanted, s, marks, pairs, before, q):
    """Turn joint `j` as the rotation `wanted` asks, as far as it can; not a ball that is frozen, be it in part."""
    last = t.joint[j + 1, DOF]
    if last == t.joint[j, DOF]:
        return
    if t.joint[j, CODE] != SCALAR and not (may[last - 3] and may[last - 2] and may[last - 1]):
        return
    for c in range(q.shape[0]):
        before[c] = q[c]
    turn = turn_at(s.turns, j)
    center = point_of(s, j, t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
    for i in range(3):
        for side in range(2):
            k = 1.0 if side else -1.0
            point = (center[0] + k * turn[i], center[1] + k * turn[3 + i], center[2] + k * turn[6 + i])
            place = (center[0] + k * wanted[i], center[1] + k * wanted[3 + i], center[2] + k * wanted[6 + i])
            put_mark(marks, 2 * i + side, point, place, 1.0)
    fit_joint(t, before, j, may, turn, center, s.axes, s.anchors, marks, 6, True, pairs, q)


@kernel
def solve_limbs(t, terms, used, limbs, settings, may, tolerances, starts, numbers, out, counts):
    """All limbs of every problem: `starts [problem, coordinates]` → `out`, `counts`; the first fault of a target.

    used: `[joint, 1]` the joints to place. may: `[dof]`. tolerances: of lengths and of angles.
    """
    s, pairs, marks = make_placed(t), make_pairs(), np.empty((6, MARK))
    wanted, before = np.empty((terms.shape[0], 12)), np.empty(starts.shape[1])
    for p in range(starts.shape[0]):
        q = out[p]
        code, term = begin(t, terms, starts[p], numbers[p], wanted, q)
        if code != FINE:
            return code, p, term
        met = True
        for n in range(limbs.shape[0]):
            limb, setting = limbs[n], settings[n]
            place_chain(t, used, q, s)
            describe_limb(t, limb, q, setting, s)
            _aim(s.row, setting, wanted, limb[PLACE])
            _point_side(s.row, limb, turn_at(s.turns, limb[END]), wanted)
            s.row[bending.TWIST] = setting[TWIST]
            held = bend_pose(t, limb, s, q)
            for i in range(3):
                s.row[bending.TARGET + i] = wanted[limb[PLACE], i]
            if limb[TURN] >= 0:
                place_chain(t, used, q, s)
                asked = wanted_turn(wanted, limb[TURN])
                turn_end(t, limb[END], may, asked, s, marks, pairs, before, q)
                held = True
            met = left_of(t, limb, s, setting, held, used, q) <= tolerances[0] and met
            if limb[TURN] >= 0:
                asked = wanted_turn(wanted, limb[TURN])
                met = angle_between_turns(turn_at(s.turns, limb[END]), asked) <= tolerances[1] and met
        counts[p, OUTCOME], counts[p, ITERATIONS], counts[p, TRACED] = REACHED if met else STATIONARY, 1, 0
    return FINE, 0, 0
