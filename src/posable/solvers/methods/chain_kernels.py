"""Compiled: bend the limbs of many poses to their targets, and rotate the joints at their ends."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.term_arrays import FINE
from posable.skeleton.forward import rotation_at
from posable.skeleton.limits import clamp_joint
from posable.skeleton.tables import ANCHOR, AXIS, CODE, COORDINATE, DOF, SCALAR
from posable.solvers.closed import bending
from posable.solvers.closed.limb import (
    END,
    LIMB,
    bend_pose,
    describe_limb,
    left_of,
    make_placed,
    place_chain,
    point_of,
)
from posable.solvers.default.kernels.descent import REACHED, STATIONARY
from posable.solvers.engine import ITERATIONS, OUTCOME, TRACED
from posable.solvers.methods.procrustes import MARK, begin, fit_joint, make_pairs, put_mark, transposed, turned_ball
from posable.spatial.kernels import (
    cross,
    exp_wxyz,
    log_wxyz,
    multiply_rotations,
    multiply_wxyz,
    rotate,
    rotation_about,
    wxyz_of_rotation,
)

PLACE, TURN, POLE, CARRIED = LIMB, LIMB + 1, LIMB + 2, LIMB + 3  # further columns of a limb: terms, and a flag
TIP, SOFTNESS, TWIST = 0, 3, 4  # columns of its settings


@inner_kernel
def softened(distance, length, softness):
    """The reach of a soft limb for a target at this distance: less than the distance from (1 − softness) of its length
    on, and approaching its length.
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
    """Put the direction of the middle joint into the row: the pole, or the side that the rotated end prescribes."""
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
        r = multiply_rotations(wanted_turn(wanted, limb[TURN]), transposed(turn))
        row[pole], row[pole + 1], row[pole + 2] = rotate(r, x, y, z)


@inner_kernel
def wanted_turn(wanted, k):
    """The target rotation of term `k`."""
    w = wanted[k]
    return w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11]


@inner_kernel
def angle_between_turns(a, b):
    """The angle between two rotations."""
    w, x, y, z = wxyz_of_rotation(multiply_rotations(b, transposed(a)))
    x, y, z = log_wxyz(w, x, y, z)
    return math.sqrt(x * x + y * y + z * z)


@inner_kernel
def turn_end(t, j, may, wanted, s, marks, pairs, before, q):
    """Rotate joint `j` towards the rotation `wanted`, as far as it can; not a ball that is frozen, even in part."""
    last = t.joint[j + 1, DOF]
    if last == t.joint[j, DOF]:
        return
    if t.joint[j, CODE] != SCALAR and not (may[last - 3] and may[last - 2] and may[last - 1]):
        return
    for c in range(q.shape[0]):
        before[c] = q[c]
    turn = rotation_at(s.turns, j)
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

    used: `[joint, 1]` the joints to compute. may: `[dof]`. tolerances: of lengths and of angles.
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
            _point_side(s.row, limb, rotation_at(s.turns, limb[END]), wanted)
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
                met = angle_between_turns(rotation_at(s.turns, limb[END]), asked) <= tolerances[1] and met
        counts[p, OUTCOME], counts[p, ITERATIONS], counts[p, TRACED] = REACHED if met else STATIONARY, 1, 0
    return FINE, 0, 0


# Compiled parts of methods that pose one chain of joints: positions of its joints, aiming them, the residual.


@inner_kernel
def pivot_of(t, s, j):
    """The point about which joint `j` rotates, in the world."""
    if t.joint[j, CODE] != SCALAR:
        return point_of(s, j, t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
    a = t.joint[j, AXIS]
    return s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2]


@inner_kernel
def bone_end(t, s, joints, k, end, tip):
    """The end of the bone of the chain's joint number `k`: the next joint, or the tip."""
    if k + 1 < joints.shape[0]:
        return pivot_of(t, s, joints[k + 1])
    return point_of(s, end, tip[0], tip[1], tip[2])


@inner_kernel
def gap(a, b):
    """The distance between two points."""
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@inner_kernel
def aim(t, j, may, s, point, place, marks, pairs, before, q):
    """Rotate joint `j` so that a point that it carries is nearest to a position."""
    for c in range(q.shape[0]):
        before[c] = q[c]
    put_mark(marks, 0, point, place, 1.0)
    fit_joint(
        t, before, j, may, rotation_at(s.turns, j), pivot_of(t, s, j), s.axes, s.anchors, marks, 1, False, pairs, q
    )


@inner_kernel
def finish(t, used, end, tip, place, turn, may, tolerances, wanted, s, marks, pairs, before, q):
    """Rotate the end to its target; returns the outcome of the solve."""
    place_chain(t, used, q, s)
    met = True
    if turn >= 0:
        asked = wanted_turn(wanted, turn)
        turn_end(t, end, may, asked, s, marks, pairs, before, q)
        place_chain(t, used, q, s)
        met = angle_between_turns(rotation_at(s.turns, end), asked) <= tolerances[1]
    at = point_of(s, end, tip[0], tip[1], tip[2])
    met = gap(at, (wanted[place, 0], wanted[place, 1], wanted[place, 2])) <= tolerances[0] and met
    return REACHED if met else STATIONARY


# Compiled: all joints of a chain bend by the same share of their bends at rest; the base aims the end at its target.


_SCANNED = 64  # shares of the largest bend that are scanned for the first solution
_HALVES = 60
_ROUNDS = 50  # of the hinges of a base


@inner_kernel
def bend_all(t, joints, straight, bends, share, q):
    """Bend the joints by a share of their rest bends, within their limits."""
    for k in range(joints.shape[0]):
        j = joints[k]
        c = t.joint[j, COORDINATE]
        if t.joint[j, CODE] != SCALAR:
            c = t.joint[j + 1, COORDINATE] - 4
            ew, ex, ey, ez = exp_wxyz(share * bends[c], share * bends[c + 1], share * bends[c + 2])
            q[c], q[c + 1], q[c + 2], q[c + 3] = multiply_wxyz(
                straight[c], straight[c + 1], straight[c + 2], straight[c + 3], ew, ex, ey, ez
            )
        else:
            for i in range(c, t.joint[j + 1, COORDINATE]):
                q[i] = straight[i] + share * bends[i]
        clamp_joint(t, q, j)


@inner_kernel
def _length(t, used, base, joints, straight, bends, end, tip, share, s, q):
    """The distance of the end from the base at this bend."""
    bend_all(t, joints, straight, bends, share, q)
    place_chain(t, used, q, s)
    return gap(pivot_of(t, s, base), point_of(s, end, tip[0], tip[1], tip[2]))


@inner_kernel
def _share_for(t, used, base, joints, straight, bends, end, tip, most, wanted, s, q):
    """The least share with the end at the wanted distance from the base, or nearest to it."""
    low, high, best, least = 0.0, -1.0, 0.0, 1e300
    for k in range(_SCANNED + 1):
        share = most * k / _SCANNED
        length = _length(t, used, base, joints, straight, bends, end, tip, share, s, q)
        if abs(length - wanted) < least:
            least, best = abs(length - wanted), share
        if length <= wanted:
            high = share
            break
        low = share
    if high > 0.0:
        for _ in range(_HALVES):
            share = 0.5 * (low + high)
            if _length(t, used, base, joints, straight, bends, end, tip, share, s, q) > wanted:
                low = share
            else:
                high = share
        return 0.5 * (low + high)
    if high == 0.0:
        return 0.0
    step = most / _SCANNED  # too near even for the strongest bend: the best share
    low, high = max(best - step, 0.0), min(best + step, most)
    for _ in range(_HALVES):
        one, other = low + (high - low) / 3.0, high - (high - low) / 3.0
        if _length(t, used, base, joints, straight, bends, end, tip, one, s, q) > _length(
            t, used, base, joints, straight, bends, end, tip, other, s, q
        ):
            low = one
        else:
            high = other
    return 0.5 * (low + high)


@inner_kernel
def _turn_about_line(t, base, middle, target, pole, wanted, twist, s, before, q):
    """Rotate a ball at the base about the line to the target: aim the middle at the pole, then add the twist."""
    center = pivot_of(t, s, base)
    x, y, z = target[0] - center[0], target[1] - center[1], target[2] - center[2]
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-280:
        return
    x, y, z = x / length, y / length, z / length
    angle = twist
    if pole >= 0:
        mx, my, mz = middle[0] - center[0], middle[1] - center[1], middle[2] - center[2]
        px, py, pz = wanted[pole, 0] - center[0], wanted[pole, 1] - center[1], wanted[pole, 2] - center[2]
        a, b, c = cross(mx, my, mz, px, py, pz)
        along = (x * mx + y * my + z * mz) * (x * px + y * py + z * pz)
        angle += math.atan2(x * a + y * b + z * c, mx * px + my * py + mz * pz - along)
    for c in range(q.shape[0]):
        before[c] = q[c]
    turned_ball(
        t,
        before,
        base,
        rotation_at(s.turns, base),
        center,
        rotation_about(x, y, z, math.sin(angle), math.cos(angle)),
        q,
    )


@kernel
def spring_all(t, terms, used, bases, joints, straight, bends, most, numbers_of, tip, twist, may, tolerances, starts,
               numbers, out, counts):  # fmt: skip
    """`starts [problem, coordinates]` → `out`, `counts`; the first fault of a target.

    bases: joints at the base, parents first; joints: those that bend. straight, bends: `[coordinates]` where each joint
    is straight and its bend at rest; a ball's as a rotation vector. most: the largest share.
    numbers_of: the end joint and its terms.
    """
    s, pairs, marks = make_placed(t), make_pairs(), np.empty((6, MARK))
    wanted, before = np.empty((terms.shape[0], 12)), np.empty(starts.shape[1])
    end, place, turn, pole = numbers_of[0], numbers_of[1], numbers_of[2], numbers_of[3]
    base = bases[0]
    for p in range(starts.shape[0]):
        q = out[p]
        code, term = begin(t, terms, starts[p], numbers[p], wanted, q)
        if code != FINE:
            return code, p, term
        target = (wanted[place, 0], wanted[place, 1], wanted[place, 2])
        place_chain(t, used, q, s)
        distance = gap(pivot_of(t, s, base), target)
        share = _share_for(t, used, base, joints, straight, bends, end, tip, most, distance, s, q)
        bend_all(t, joints, straight, bends, share, q)
        for _ in range(1 if bases.shape[0] == 1 and t.joint[base, CODE] != SCALAR else _ROUNDS):
            for k in range(bases.shape[0]):
                place_chain(t, used, q, s)
                aim(t, bases[k], may, s, point_of(s, end, tip[0], tip[1], tip[2]), target, marks, pairs, before, q)
        if t.joint[base, CODE] != SCALAR and (pole >= 0 or twist != 0.0):
            place_chain(t, used, q, s)
            middle = pivot_of(t, s, joints[joints.shape[0] // 2])
            _turn_about_line(t, base, middle, target, pole, wanted, twist, s, before, q)
        counts[p, OUTCOME] = finish(t, used, end, tip, place, turn, may, tolerances, wanted, s, marks, pairs, before, q)
    return FINE, 0, 0
