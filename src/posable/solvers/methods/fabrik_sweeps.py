"""Compiled: one iteration of FABRIK on a tree of rotating joints, which carry the bodies between them.

A sweep from the ends to the base moves each body so that its end meets its target and its base stays as near as
possible to its former position; one from the base to the ends rotates each joint so that the joints on its body come as
near as possible to their positions after the first sweep. A ball is one point of both bodies that it joins, a hinge two
points of its axis.
"""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.skeleton.forward import make_moved, move_axes_together, place_joints, rotation_at
from posable.skeleton.tables import ANCHOR, CODE, SCALAR
from posable.solvers.methods.procrustes import (
    MARK,
    fit_joint,
    make_pairs,
    motion_at,
    moved,
    moved_back,
    put_mark,
    put_motion,
    transposed,
    turn_best,
)
from posable.spatial.kernels import cross, multiply_rotations, rotate

# Columns of a row, one for each rotating joint, parents first; -1 for none.
JOINT, ABOVE, FIRST_AXIS, LAST_AXIS, CHILD, NEXT, EFFECTOR, SEVERAL = range(8)
# Columns of an effector, a tip of joint OF on the body of row BODY.
OF, BODY, NEXT_EFFECTOR, TURNS = range(4)
# Points of a row: of its joint as the body above has it and as its own body has it; the second ones are on a hinge.
UPPER, UPPER_SECOND, LOWER, LOWER_SECOND = 0, 3, 6, 9
AXIS_SHARE = 0.1  # weight of the second point of a hinge against the first
END_SHARE = 10.0  # weight of an effector against a joint before it, for a hinge that serves both
_STRAIGHT = 1e-6  # of the length: a point nearer to a line is on it
_KICK = 0.1  # of the length


@inner_kernel
def _identity():
    return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


@inner_kernel
def _point(points, n, which):
    return points[n, which], points[n, which + 1], points[n, which + 2]


@inner_kernel
def _fill_points(t, rows, unit, turns, origins, axes, anchors, points):
    """Fill the world positions of the joints of the rows."""
    for n in range(rows.shape[0]):
        j = rows[n, JOINT]
        if t.joint[j, CODE] != SCALAR:
            x, y, z = rotate(rotation_at(turns, j), t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
            for i in range(4):
                points[n, 3 * i], points[n, 3 * i + 1], points[n, 3 * i + 2] = (
                    x + origins[j, 0], y + origins[j, 1], z + origins[j, 2]
                )  # fmt: skip
            continue
        for side in range(2):
            a = rows[n, FIRST_AXIS + side]
            for i in range(3):
                points[n, 6 * side + i] = anchors[a, i]
                points[n, 6 * side + 3 + i] = anchors[a, i] + unit * axes[a, i]


@inner_kernel
def _far(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@inner_kernel
def _lengths(rows, points, tip):
    """The length of the single chain of all rows, from the first joint to the tip."""
    total = 0.0
    for n in range(1, rows.shape[0]):
        total += _far(_point(points, n - 1, LOWER), _point(points, n, UPPER))
    return total + _far(_point(points, rows.shape[0] - 1, LOWER), tip)


@inner_kernel
def _kick(rows, points, axes, tip, target, length):
    """The displacement that moves the joints off their common line with the target; zero if they are not collinear."""
    base = _point(points, 0, UPPER)
    x, y, z = target[0] - base[0], target[1] - base[1], target[2] - base[2]
    size = math.sqrt(x * x + y * y + z * z)
    if size < _STRAIGHT * length:
        x, y, z = tip[0] - base[0], tip[1] - base[1], tip[2] - base[2]
        size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-280 or size >= length:
        return 0.0, 0.0, 0.0
    x, y, z = x / size, y / size, z / size
    for n in range(1, rows.shape[0] + 1):
        p = tip if n == rows.shape[0] else _point(points, n, UPPER)
        a, b, c = cross(x, y, z, p[0] - base[0], p[1] - base[1], p[2] - base[2])
        if math.sqrt(a * a + b * b + c * c) > _STRAIGHT * length:
            return 0.0, 0.0, 0.0
    a, b, c = 0.0, 0.0, 0.0
    for n in range(rows.shape[0]):
        if rows[n, FIRST_AXIS] >= 0 and a * a + b * b + c * c < 1e-3:
            k = rows[n, FIRST_AXIS]
            a, b, c = cross(axes[k, 0], axes[k, 1], axes[k, 2], x, y, z)
    if a * a + b * b + c * c < 1e-3:
        a, b, c = cross(x, y, z, 0.0, 0.0, 1.0) if abs(x) > abs(z) else cross(x, y, z, 1.0, 0.0, 0.0)
    scale = _KICK * length / math.sqrt(a * a + b * b + c * c)
    return scale * a, scale * b, scale * c


@inner_kernel
def _looks_far(rows, n):
    """Whether the joint of a row is a hinge, which can rarely bring the next joint to its target: it is rotated for all
    the joints beyond.
    """
    return rows[n, FIRST_AXIS] >= 0 and rows[n, FIRST_AXIS] == rows[n, LAST_AXIS]


@inner_kernel
def _seconds(rows, n):
    return 1 if rows[n, FIRST_AXIS] < 0 else 2


@inner_kernel
def _mark_above(rows, points, n, carried, kick, marks, k):
    """Marks for the joint of row `n`, which should keep its position while the body below moves as `carried`."""
    for second in range(_seconds(rows, n)):
        point = _point(points, n, LOWER + 3 * second)
        asked = (point[0] + kick[0], point[1] + kick[1], point[2] + kick[2])
        share = AXIS_SHARE if second else 1.0
        k = put_mark(marks, k, moved_back(carried[0], carried[1], asked), point, share)
    return k


@inner_kernel
def _mark_child(rows, points, m, carried, motions, share, marks, k):
    """Marks for the joint of row `m`, whose target is its position on its own body."""
    r, o = motion_at(motions, m)
    for second in range(_seconds(rows, m)):
        point = _point(points, m, UPPER + 3 * second)
        place = moved_back(carried[0], carried[1], moved(r, o, point))
        k = put_mark(marks, k, point, place, share * (AXIS_SHARE if second else 1.0))
    return k


@inner_kernel
def _mark_tip(effectors, unit, wanted, turns, tips, e, carried, share, marks, k):
    """Marks for an effector at its target position and, if given, its target rotation."""
    tip, target = _point(tips, e, 0), (wanted[e, 0], wanted[e, 1], wanted[e, 2])
    k = put_mark(marks, k, tip, moved_back(carried[0], carried[1], target), share)
    if effectors[e, TURNS]:
        turn = rotation_at(turns, effectors[e, OF])
        for side in range(6):  # both directions of each axis, so that a displacement causes no rotation
            i, far = side // 2, unit if side % 2 else -unit
            point = (tip[0] + far * turn[i], tip[1] + far * turn[3 + i], tip[2] + far * turn[6 + i])
            place = (
                target[0] + far * wanted[e, 3 + i],
                target[1] + far * wanted[e, 6 + i],
                target[2] + far * wanted[e, 9 + i],
            )
            k = put_mark(marks, k, point, moved_back(carried[0], carried[1], place), share)
    return k


@inner_kernel
def _after_joint(r, o, a, b):
    """The motion (r, o) after (a, b): first (a, b)."""
    return multiply_rotations(r, a), moved(r, o, b)


@inner_kernel
def _mark_below(rows, effectors, weights, unit, wanted, turns, points, tips, n, carried, motions, loads, marks):
    """Marks for all joints on the body of row `n`, and beyond where its joint looks far. carried: the motion that
    follows the unknown one.
    """
    count, m, end = np.int64(0), rows[n, CHILD], n
    while m >= 0:
        count = _mark_child(rows, points, m, carried, motions, loads[m], marks, count)
        if _looks_far(rows, n) and not rows[end, SEVERAL]:
            end = m
            m = rows[m, CHILD] if not rows[m, SEVERAL] else -1
        else:
            m = rows[m, NEXT]
    e = rows[end, EFFECTOR] if not rows[end, SEVERAL] else rows[n, EFFECTOR]
    share = END_SHARE if _looks_far(rows, n) else 1.0
    while e >= 0:
        count = _mark_tip(effectors, unit, wanted, turns, tips, e, carried, share * weights[e], marks, count)
        e = effectors[e, NEXT_EFFECTOR]
    return count


@inner_kernel
def _carry_end(rows, effectors, wanted, turns, points, tips, e, kick, marks, pairs):
    """The motion that brings an effector to its target: with its rotation, or with the joint above near its
    position.
    """
    n, tip = effectors[e, BODY], _point(tips, e, 0)
    if effectors[e, TURNS]:
        w = wanted[e]
        r = (w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11])
        r = multiply_rotations(r, transposed(rotation_at(turns, effectors[e, OF])))
    else:
        still = _identity()
        shift = (wanted[e, 0] - tip[0], wanted[e, 1] - tip[1], wanted[e, 2] - tip[2])
        count = _mark_above(rows, points, n, (still[0], shift), kick, marks, 0)
        r = transposed(turn_best(tip, marks, count, False, pairs))
    x, y, z = rotate(r, tip[0], tip[1], tip[2])
    return r, (wanted[e, 0] - x, wanted[e, 1] - y, wanted[e, 2] - z)


@inner_kernel
def _meet(rows, effectors, weights, unit, wanted, turns, points, tips, n, motions, loads, marks, pairs):
    """The motion of a body with several children: the mean of their joints goes to the mean of their targets, and the
    body takes the best rotation for all, with its own joint near its position.
    """
    still = _identity()
    count = _mark_below(rows, effectors, weights, unit, wanted, turns, points, tips, n, still, motions, loads, marks)
    x, y, z, a, b, c, mass = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        share = marks[k, 6]
        x, y, z = x + share * marks[k, 0], y + share * marks[k, 1], z + share * marks[k, 2]
        a, b, c = a + share * marks[k, 3], b + share * marks[k, 4], c + share * marks[k, 5]
        mass += share
    x, y, z, a, b, c = x / mass, y / mass, z / mass, a / mass, b / mass, c / mass
    own = _point(points, n, LOWER)
    count = put_mark(marks, count, own, own, mass / count)
    for k in range(count):
        marks[k, 3] += x - a
        marks[k, 4] += y - b
        marks[k, 5] += z - c
    r = turn_best((x, y, z), marks, count, True, pairs)
    u, v, w = rotate(r, x, y, z)
    put_motion(motions, n, r, (a - u, b - v, c - w))


@inner_kernel
def _reach_out(t, rows, effectors, weights, may, unit, q, wanted, turns, axes, anchors, points, tips, kick, motions,
               loads, marks, pairs, out):  # fmt: skip
    """From the ends to the base: fill `motions [row, 12]` of the bodies."""
    for n in range(rows.shape[0]):
        loads[n] = 0.0
    for e in range(effectors.shape[0]):
        r, o = _carry_end(rows, effectors, wanted, turns, points, tips, e, kick, marks, pairs)
        put_motion(motions, effectors[e, BODY], r, o)
        loads[effectors[e, BODY]] += weights[e]
    for n in range(rows.shape[0] - 1, -1, -1):
        if rows[n, SEVERAL]:
            _meet(rows, effectors, weights, unit, wanted, turns, points, tips, n, motions, loads, marks, pairs)
        r, o = motion_at(motions, n)
        above, count = rows[n, ABOVE], np.int64(0)
        up = above
        while up >= 0:
            asked = kick if up else (0.0, 0.0, 0.0)
            count = _mark_above(rows, points, up, (r, o), asked, marks, count)
            up = rows[up, ABOVE] if _looks_far(rows, n) else -1
        if above < 0:
            continue
        # the change of the joint that would keep the body above near its position
        j, at = rows[n, JOINT], _point(points, n, UPPER)
        a, b = fit_joint(t, q, j, may, rotation_at(turns, j), at, axes, anchors, marks, count, False, pairs, out)
        back = transposed(a)
        x, y, z = rotate(back, b[0], b[1], b[2])
        r, o = _after_joint(r, o, back, (-x, -y, -z))
        put_motion(motions, above, r, o)
        loads[above] += loads[n]


@inner_kernel
def _come_back(t, rows, effectors, weights, may, unit, q, wanted, turns, axes, anchors, points, tips, far, motions,
               placed, loads, marks, pairs, out):  # fmt: skip
    """From the base to the ends: rotate the joints, into `out`. far: all bones are aimed straight at the target."""
    for n in range(rows.shape[0]):
        above, j = rows[n, ABOVE], rows[n, JOINT]
        r, o = _identity()
        if above >= 0:
            r, o = motion_at(placed, above)
        count = _mark_below(
            rows, effectors, weights, unit, wanted, turns, points, tips, n, (r, o), motions, loads, marks
        )
        if far:
            x, y, z = moved_back(r, o, (wanted[0, 0], wanted[0, 1], wanted[0, 2]))
            marks[0, 3], marks[0, 4], marks[0, 5] = x, y, z
        together = rows[n, SEVERAL] != 0 or (rows[n, EFFECTOR] >= 0)
        a, b = fit_joint(
            t,
            q,
            j,
            may,
            rotation_at(turns, j),
            _point(points, n, UPPER),
            axes,
            anchors,
            marks,
            count,
            together,
            pairs,
            out,
        )
        r, o = _after_joint(r, o, a, b)
        put_motion(placed, n, r, o)


@kernel
def iterate(t, rows, effectors, local_tips, weights, may, unit, single_chain, q, places, wanted_turns, out):
    """One iteration of every problem: `q [problem, coordinates]` → `out`.

    `places [problem, effector, 3]`. wanted_turns: `[problem, effector, 3, 3]`. unit: distance of the second point of a
    hinge from the first.
    single_chain: whether the tree is one chain of balls without limits to one effector, which is straightened at once
    towards a target out of reach.
    """
    own = np.empty(q.shape[1])
    joints, count, ends = t.frame.shape[0], rows.shape[0], effectors.shape[0]
    turns, origins = np.empty((joints, 3, 3)), np.empty((joints, 3))
    axes, anchors = np.empty((t.axis.shape[0], 3)), np.empty((t.axis.shape[0], 3))
    moving, blocks = make_moved(t)
    points, tips = np.empty((count, 12)), np.empty((ends, 3))
    motions, placed, loads = np.empty((count, 12)), np.empty((count, 12)), np.empty(count)
    pairs = make_pairs()
    marks = np.empty((2 * count + 7 * ends + 4, MARK))
    wanted = np.empty((ends, 12))
    for p in range(q.shape[0]):
        for c in range(q.shape[1]):
            own[c] = q[p, c]
            out[p, c] = q[p, c]
        move_axes_together(t, own, moving, blocks)
        place_joints(t, None, own, moving, turns, origins, axes, anchors)
        _fill_points(t, rows, unit, turns, origins, axes, anchors, points)
        for e in range(ends):
            for i in range(3):
                wanted[e, i] = places[p, e, i]
                for k in range(3):
                    wanted[e, 3 + 3 * i + k] = wanted_turns[p, e, i, k]
            j = effectors[e, OF]
            x, y, z = rotate(rotation_at(turns, j), local_tips[e, 0], local_tips[e, 1], local_tips[e, 2])
            tips[e, 0], tips[e, 1], tips[e, 2] = x + origins[j, 0], y + origins[j, 1], z + origins[j, 2]
        kick, far = (0.0, 0.0, 0.0), False
        if ends == 1:
            tip, target = _point(tips, 0, 0), (wanted[0, 0], wanted[0, 1], wanted[0, 2])
            length = _lengths(rows, points, tip)
            far = single_chain and _far(_point(points, 0, UPPER), target) >= length
            kick = _kick(rows, points, axes, tip, target, length)
        _reach_out(t, rows, effectors, weights, may, unit, own, wanted, turns, axes, anchors, points, tips, kick,
                   motions, loads, marks, pairs, out[p])  # fmt: skip
        _come_back(t, rows, effectors, weights, may, unit, own, wanted, turns, axes, anchors, points, tips, far,
                   motions, placed, loads, marks, pairs, out[p])  # fmt: skip
