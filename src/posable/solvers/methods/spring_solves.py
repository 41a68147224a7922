"""Compiled: all joints of a chain bend by one share of what they are bent at rest; the base turns the end to its
target.
"""

from __future__ import annotations

import math

import numpy as np

from posable.goals.targets import FINE
from posable.skeleton.forward import turn_at
from posable.skeleton.limits import clamp_joint
from posable.skeleton.packed import CODE, COORDINATE
from posable.skeleton.tables import SCALAR
from posable.solvers.closed.limb_poses import make_placed, place_chain, point_of
from posable.solvers.engine import OUTCOME
from posable.solvers.methods.chain_poses import aim, finish, gap, pivot_of
from posable.solvers.methods.fitting import MARK, begin, make_pairs, turned_ball
from posable.spatial.compile import inner_kernel, kernel
from posable.spatial.kernels import cross, exp_wxyz, multiply_wxyz, turn_about

_SCANNED = 64  # shares of the largest bend that are looked at for the first that fits
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
    """How far the end is from the base when the joints are bent so."""
    bend_all(t, joints, straight, bends, share, q)
    place_chain(t, used, q, s)
    return gap(pivot_of(t, s, base), point_of(s, end, tip[0], tip[1], tip[2]))


@inner_kernel
def _share_for(t, used, base, joints, straight, bends, end, tip, most, wanted, s, q):
    """The least share with the end at the wanted distance from the base, or where it comes nearest to that."""
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
    step = most / _SCANNED  # too near even for the strongest bend: its best
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
    """Turn a ball at the base about the line to the target: the middle to the pole, and the twist."""
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
        t, before, base, turn_at(s.turns, base), center, turn_about(x, y, z, math.sin(angle), math.cos(angle)), q
    )


@kernel
def spring_all(t, terms, used, bases, joints, straight, bends, most, numbers_of, tip, twist, may, tolerances, starts,
               numbers, out, counts):  # fmt: skip
    """`starts [problem, coordinates]` → `out`, `counts`; the first fault of a target.

    bases: joints at the base, parents first; joints: those that bend. straight, bends: `[coordinates]` where each joint
    is straight and what it is bent from there at rest; a ball's as a rotation vector. most: the largest share.
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
