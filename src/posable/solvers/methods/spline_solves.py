"""Compiled: lay the joints of a chain along a curve, bone by bone."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.term_arrays import FINE
from posable.skeleton.forward import rotation_at
from posable.skeleton.tables import CODE, SCALAR
from posable.solvers.closed.limb import make_placed, place_chain
from posable.solvers.engine import OUTCOME
from posable.solvers.methods.chain_kernels import aim, bone_end, finish, gap, pivot_of
from posable.solvers.methods.procrustes import MARK, begin, make_pairs, turn_from_to, turned_ball
from posable.spatial.kernels import rotate, rotation_about

_HALVES = 60


@inner_kernel
def _point(curve, i):
    return curve[i, 0], curve[i, 1], curve[i, 2]


@inner_kernel
def lay_bones(curve, lengths, places):
    """Fill `places [bone, 3]`, the ends of the bones whose joints are all on the polyline `curve`, extended straight
    beyond its end. Returns the position of the last one along it, in segments of the polyline.

    Each joint is the first point of the curve, on from the one before, at the bone's length from that one.
    """
    center, i, at, last = _point(curve, 0), 0, 0.0, curve.shape[0] - 2
    for k in range(lengths.shape[0]):
        while i < last and gap(center, _point(curve, i + 1)) < lengths[k]:
            i, at = i + 1, 0.0
        # |a + u d − center| = length on the segment from a along d
        a, b = _point(curve, i), _point(curve, i + 1)
        dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        ex, ey, ez = a[0] - center[0], a[1] - center[1], a[2] - center[2]
        square, mixed = dx * dx + dy * dy + dz * dz, dx * ex + dy * ey + dz * ez
        rest = ex * ex + ey * ey + ez * ez - lengths[k] * lengths[k]
        u = (-mixed + math.sqrt(max(mixed * mixed - square * rest, 0.0))) / max(square, 1e-300)
        at = u
        center = (a[0] + u * dx, a[1] + u * dy, a[2] + u * dz)
        places[k, 0], places[k, 1], places[k, 2] = center
    return i + at


@inner_kernel
def _half_opening(lengths, curvature):
    """Half the angle that bones of these lengths subtend as chords of a circle."""
    total = 0.0
    for k in range(lengths.shape[0]):
        total += math.asin(min(0.5 * curvature * lengths[k], 1.0))
    return total


@inner_kernel
def lay_arc(lengths, total, base, target, bow, places):
    """Lay the bones along the arc of a circle from the base to the target, straight where it is too far.

    A chord l of a circle of curvature c subtends 2 asin(c l / 2); the chord of their sum θ has length 2 sin(θ/2) / c.
    bow: `[2, 3]` the line from base to end at rest and the side to which it bows.
    """
    distance, longest = gap(base, target), 0.0
    for k in range(lengths.shape[0]):
        longest = max(longest, lengths[k])
    low, high = 0.0, 2.0 / longest
    for _ in range(_HALVES if distance < total else 0):
        curvature = 0.5 * (low + high)
        half = _half_opening(lengths, curvature)
        if half < math.pi and 2.0 * math.sin(half) > distance * curvature:
            low = curvature
        else:
            high = curvature
    line = (target[0] - base[0], target[1] - base[1], target[2] - base[2])
    r = turn_from_to(_point(bow, 0), line)
    x, y, z = rotate(r, bow[1, 0], bow[1, 1], bow[1, 2])
    ex, ey, ez = line[0] / max(distance, 1e-300), line[1] / max(distance, 1e-300), line[2] / max(distance, 1e-300)
    half, opened, gone = _half_opening(lengths, low), 0.0, 0.0
    for k in range(lengths.shape[0]):
        opened += 2.0 * math.asin(min(0.5 * low * lengths[k], 1.0))
        gone += lengths[k]
        along, height = gone, 0.0
        if low * total > 1e-9:  # else the arc is straight to rounding
            along = (math.sin(opened - half) + math.sin(half)) / low
            height = 2.0 * math.sin(0.5 * opened) * math.sin(half - 0.5 * opened) / low
        places[k, 0] = base[0] + along * ex + height * x
        places[k, 1] = base[1] + along * ey + height * y
        places[k, 2] = base[2] + along * ez + height * z


@inner_kernel
def _place_curve(given, base, scale, curve):
    """The given curve, moved to begin at the base and scaled about it."""
    for i in range(given.shape[0]):
        for k in range(3):
            curve[i, k] = base[k] + scale * (given[i, k] - given[0, k])


@inner_kernel
def _roll(t, j, s, axis, angle, before, q):
    """Rotate a ball about its bone."""
    size = math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2])
    if angle == 0.0 or size < 1e-280:
        return
    for c in range(q.shape[0]):
        before[c] = q[c]
    x, y, z = axis[0] / size, axis[1] / size, axis[2] / size
    about = rotation_about(x, y, z, math.sin(angle), math.cos(angle))
    turned_ball(t, before, j, rotation_at(s.turns, j), pivot_of(t, s, j), about, q)


@kernel
def curve_scale(given, lengths):
    """The scale of the curve with which bones of these lengths, placed along it, end at its end."""
    curve, places, still = np.empty(given.shape), np.empty((lengths.shape[0], 3)), (0.0, 0.0, 0.0)
    arc, total = 0.0, 0.0
    for i in range(given.shape[0] - 1):
        arc += gap(_point(given, i), _point(given, i + 1))
    for k in range(lengths.shape[0]):
        total += lengths[k]
    low, high = 0.0, 2.0 * total / arc
    for _ in range(200):
        _place_curve(given, still, high, curve)
        if lay_bones(curve, lengths, places) <= given.shape[0] - 1.0:
            break
        low, high = high, 2.0 * high
    for _ in range(_HALVES):
        middle = 0.5 * (low + high)
        _place_curve(given, still, middle, curve)
        if lay_bones(curve, lengths, places) > given.shape[0] - 1.0:
            low = middle
        else:
            high = middle
    return high


@kernel
def spline_all(t, terms, used, joints, given, bow, scale, twist, numbers_of, tip, may, tolerances, starts, numbers,
               out, counts):  # fmt: skip
    """`starts [problem, coordinates]` → `out`, `counts`; the first fault of a target.

    joints: of the chain, parents first. given: `[point, 3]` the curve, empty for an arc to the target.
    bow: of `lay_arc`. scale: of the given curve. twist: of the first and the last bone.
    numbers_of: the end joint and its terms.
    """
    s, pairs, marks, count = make_placed(t), make_pairs(), np.empty((6, MARK)), joints.shape[0]
    wanted, before = np.empty((terms.shape[0], 12)), np.empty(starts.shape[1])
    lengths, places = np.empty(count), np.empty((count, 3))
    curve = np.empty(given.shape)
    end, place, turn = numbers_of[0], numbers_of[1], numbers_of[2]
    for p in range(starts.shape[0]):
        q = out[p]
        code, term = begin(t, terms, starts[p], numbers[p], wanted, q)
        if code != FINE:
            return code, p, term
        place_chain(t, used, q, s)
        base, total = pivot_of(t, s, joints[0]), 0.0
        for k in range(count):
            lengths[k] = gap(pivot_of(t, s, joints[k]), bone_end(t, s, joints, k, end, tip))
            total += lengths[k]
        if given.shape[0]:
            _place_curve(given, base, scale, curve)
            lay_bones(curve, lengths, places)
        else:
            target = (wanted[place, 0], wanted[place, 1], wanted[place, 2])
            lay_arc(lengths, total, base, target, bow, places)
        rolled = 0.0
        for k in range(count):
            place_chain(t, used, q, s)
            at = bone_end(t, s, joints, k, end, tip)
            asked = (places[k, 0], places[k, 1], places[k, 2])
            aim(t, joints[k], may, s, at, asked, marks, pairs, before, q)
            if t.joint[joints[k], CODE] != SCALAR:
                place_chain(t, used, q, s)
                center = pivot_of(t, s, joints[k])
                bone = (asked[0] - center[0], asked[1] - center[1], asked[2] - center[2])
                roll = twist[0] + (twist[1] - twist[0]) * k / max(count - 1, 1)
                _roll(t, joints[k], s, bone, roll - rolled, before, q)
                rolled = roll
        counts[p, OUTCOME] = finish(t, used, end, tip, place, turn, may, tolerances, wanted, s, marks, pairs, before, q)
    return FINE, 0, 0
