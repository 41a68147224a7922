"""Compiled sweeps of virtual forces: every joint in turn yields to the pull of the targets on the effectors."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.skeleton.forward import rotation_at
from posable.skeleton.limits import clamp_ball
from posable.skeleton.tables import LOWER, UPPER
from posable.solvers.methods.effector_state import (
    UNMOVED,
    carry_by_shift,
    carry_by_turn,
    center_of,
    eased,
    find_backs,
    frame_above,
    make_state,
    place,
    seen_from,
)
from posable.solvers.methods.sweep_dofs import (
    APART,
    AXIS,
    COORDINATE,
    DOF,
    EASE,
    JOINT,
    KIND,
    LOCKED,
    SHARE,
    SHIFT,
    SLIDE,
    TURN,
)
from posable.spatial.kernels import (
    cross,
    exp_wxyz,
    multiply_rotations,
    multiply_wxyz,
    rotate,
    rotation_about,
    rotation_of_wxyz,
)

_TWIST = 0.99  # |cos| between axis and bone above which a hinge counts as a twist
_NO_DIRECTION = 1e-18  # squared sine between axis and bone below which their product has no direction
_NO_LENGTH = 1e-12  # of the reach: a bone shorter than this has no direction


@kernel
def pull(t, m, targets, q, out, sensitivity, longest, reach, planar, at_once):
    """One sweep from the tip to the base: `q [problem, coordinates]` → `out`.

    targets: `[problem, effector, 3]`. sensitivity: `[problem]`. longest: a longer force counts as one of this length.
    at_once: the torques of all joints are those at the start of the sweep; else every joint has moved, with the bodies
    below, before the next one feels the pull.
    """
    own = np.empty(q.shape[1])
    s, blocks = make_state(t, m)
    ends = np.empty((m.joint.shape[0], 3))
    for p in range(q.shape[0]):
        settings = (sensitivity[p], reach, planar, at_once, longest)
        own[:] = q[p]
        place(t, m, own, s, blocks)
        joint = -1
        for k in range(m.table.shape[0] - 1, -1, -1):
            if m.table[k, JOINT] != joint:
                joint = m.table[k, JOINT]
                _find_ends(m, k, s, ends)
            if m.table[k, LOCKED] == 0:
                _give_way(t, m, k, s, own, ends, targets[p], settings)
        out[p] = own


@inner_kernel
def _find_ends(m, k, s, ends):
    """The ends of the bones of a joint: the next joint towards each effector, or the effector itself."""
    for e in range(m.joint.shape[0]):
        child = m.bone_end[k, e]
        for i in range(3):
            ends[e, i] = s.origins[child, i] if child >= 0 else s.points[e, i]


@shared_kernel
def _give_way(t, m, k, s, own, ends, targets, settings):
    """Let move `k` yield to the pull."""
    kind, j, a, c, d = m.table[k, KIND], m.table[k, JOINT], m.table[k, AXIS], m.table[k, COORDINATE], m.table[k, DOF]
    if kind == TURN:
        ax, ay, az = s.axes[a, 0], s.axes[a, 1], s.axes[a, 2]
        cx, cy, cz = s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2]
        angle = _torque(m, k, s, ends, targets, ax, ay, az, cx, cy, cz, settings)
        angle = eased(
            m.resistance[k, SHARE] * angle, own[c], t.bound[d, LOWER], t.bound[d, UPPER], m.resistance[k, EASE]
        )
        own[c] += angle
        if not settings[3]:
            find_backs(m, k, s, UNMOVED)
            r = rotation_about(ax, ay, az, math.sin(angle), math.cos(angle))
            _carry(m, k, s, ends, r, cx, cy, cz)
    elif kind == SLIDE:
        ax, ay, az = s.axes[a, 0], s.axes[a, 1], s.axes[a, 2]
        length = _push(m, k, s, targets, ax, ay, az, settings)
        length = eased(
            m.resistance[k, SHARE] * length, own[c], t.bound[d, LOWER], t.bound[d, UPPER], m.resistance[k, EASE]
        )
        own[c] += length
        _shift(m, k, s, ends, length * ax, length * ay, length * az, settings)
    elif kind == SHIFT:
        r = frame_above(t, s, j)
        for i in range(3):
            if m.free[d + i]:
                ax, ay, az = r[i], r[3 + i], r[6 + i]
                length = m.resistance[k, SHARE] * _push(m, k, s, targets, ax, ay, az, settings)
                own[c + i] += length
                _shift(m, k, s, ends, length * ax, length * ay, length * az, settings)
    else:
        _turn_ball(t, m, k, s, own, ends, targets, settings)


@inner_kernel
def _torque(m, k, s, ends, targets, ax, ay, az, cx, cy, cz, settings):
    """The angle by which the pulls on all effectors below rotate an axis."""
    sensitivity, reach, planar, _, longest = settings
    angle = 0.0
    for e in range(m.joint.shape[0]):
        if m.way[k, e] == APART:
            continue
        fx, fy, fz = _force(s, e, targets, longest)
        bx, by, bz = ends[e, 0] - cx, ends[e, 1] - cy, ends[e, 2] - cz
        along = ax * bx + ay * by + az * bz
        if planar:
            bx, by, bz = bx - along * ax, by - along * ay, bz - along * az
        size = math.sqrt(bx * bx + by * by + bz * bz)
        if size <= _NO_LENGTH * reach or (not planar and abs(along) > _TWIST * size):
            bx, by, bz = s.points[e, 0] - cx, s.points[e, 1] - cy, s.points[e, 2] - cz
            size = math.sqrt(bx * bx + by * by + bz * bz)
        if size <= _NO_LENGTH * reach:
            continue
        rx, ry, rz = cross(ax, ay, az, bx, by, bz)
        if rx * rx + ry * ry + rz * rz <= _NO_DIRECTION * size * size:
            continue
        aside = (rx * fx + ry * fy + rz * fz) / size
        if not planar:
            aside = _spatial(ax, ay, az, bx / size, by / size, bz / size, fx, fy, fz, aside)
        angle += m.pull[e] * sensitivity * aside
    return angle


@inner_kernel
def _force(s, e, targets, longest):
    """From an effector to its target."""
    fx, fy, fz = targets[e, 0] - s.points[e, 0], targets[e, 1] - s.points[e, 1], targets[e, 2] - s.points[e, 2]
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    scale = longest / size if size > longest else 1.0
    return scale * fx, scale * fy, scale * fz


@inner_kernel
def _spatial(ax, ay, az, bx, by, bz, fx, fy, fz, side):
    """|f| sin∠(a, f) sin∠(b, f), with the sign of `side`; a and b have length 1."""
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    if size == 0.0 or side == 0.0:
        return 0.0
    x, y, z = cross(ax, ay, az, fx, fy, fz)
    u, v, w = cross(bx, by, bz, fx, fy, fz)
    return math.copysign(math.sqrt((x * x + y * y + z * z) * (u * u + v * v + w * w)) / size, side)


@inner_kernel
def _push(m, k, s, targets, ax, ay, az, settings):
    """The length by which the pulls push along an axis: the same as a point would move on a hinge at the distance of
    the figure's reach.
    """
    length = 0.0
    for e in range(m.joint.shape[0]):
        if m.way[k, e] != APART:
            fx, fy, fz = _force(s, e, targets, settings[4])
            length += m.pull[e] * settings[0] * settings[1] * (ax * fx + ay * fy + az * fz)
    return length


@inner_kernel
def _turn_ball(t, m, k, s, own, ends, targets, settings):
    """Let a ball yield as three hinges about its own axes, the last one first."""
    j, c, d = m.table[k, JOINT], m.table[k, COORDINATE], m.table[k, DOF]
    cx, cy, cz = center_of(t, s, j)
    vector = (0.0, 0.0, 0.0)
    r = rotation_at(s.turns, j)
    for n in range(3):
        i = 2 - n
        if not m.free[d + i]:
            continue
        angle = m.resistance[k, SHARE] * _torque(m, k, s, ends, targets, r[i], r[3 + i], r[6 + i], cx, cy, cz, settings)
        x, y, z = angle * (i == 0), angle * (i == 1), angle * (i == 2)
        if settings[3]:
            vector = (vector[0] + x, vector[1] + y, vector[2] + z)
            continue
        turn = _turn_own(t, own, j, c, x, y, z)
        turn = seen_from((r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]), turn)
        _carry(m, k, s, ends, turn, cx, cy, cz)
        r = multiply_rotations(turn, r)
    if settings[3]:
        _turn_own(t, own, j, c, vector[0], vector[1], vector[2])


@inner_kernel
def _turn_own(t, own, j, c, x, y, z):
    """Rotate the ball coordinates by a rotation vector in the ball's own frame, within its cone; returns the
    rotation.
    """
    sw, sx, sy, sz = own[c], own[c + 1], own[c + 2], own[c + 3]
    w, x, y, z = exp_wxyz(x, y, z)
    w, x, y, z = multiply_wxyz(sw, sx, sy, sz, w, x, y, z)
    scale = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    own[c], own[c + 1], own[c + 2], own[c + 3] = scale * w, scale * x, scale * y, scale * z
    if t.cones[j, 7] >= 0.0:
        clamp_ball(t.cones[j], own, c)
    w, x, y, z = multiply_wxyz(sw, -sx, -sy, -sz, own[c], own[c + 1], own[c + 2], own[c + 3])
    return rotation_of_wxyz(w, x, y, z)


@inner_kernel
def _carry(m, k, s, ends, r, cx, cy, cz):
    """Rotate the effectors below, the ends of the joint's own bones and its own position."""
    carry_by_turn(m, k, s, r, cx, cy, cz)
    for e in range(ends.shape[0]):
        if m.way[k, e] != APART:
            _carry_point(ends[e], r, cx, cy, cz)
    _carry_point(s.origins[m.table[k, JOINT]], r, cx, cy, cz)


@inner_kernel
def _carry_point(point, r, cx, cy, cz):
    x, y, z = rotate(r, point[0] - cx, point[1] - cy, point[2] - cz)
    point[0], point[1], point[2] = x + cx, y + cy, z + cz


@inner_kernel
def _shift(m, k, s, ends, x, y, z, settings):
    """Translate the effectors below, and the joint's own position, unless all joints move at once."""
    if settings[3]:
        return
    carry_by_shift(m, k, s, x, y, z)
    for e in range(ends.shape[0]):
        if m.way[k, e] != APART:
            ends[e, 0] += x
            ends[e, 1] += y
            ends[e, 2] += z
    own = s.origins[m.table[k, JOINT]]
    own[0] += x
    own[1] += y
    own[2] += z
