"""Compiled: the joints of a figure turned so that the segments of its body have given rotations."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel
from posable.natural.told_kernel import transposed
from posable.skeleton.forward import axis_value, put_turn, rest_turn, rotation_at, vector_at
from posable.skeleton.tables import (
    AXIS,
    AXIS_COORDINATE,
    CODE,
    COORDINATE,
    DIRECTION,
    DOF,
    FREE,
    GAIN,
    PARENT,
    SCALAR,
    SLIDES,
)
from posable.spatial.kernels import (
    cross,
    exp_wxyz,
    log_of_rotation,
    multiply_rotations,
    rotate,
    rotate_back,
    rotation_about,
    rotation_of_wxyz,
    wxyz_of_rotation,
)

STRAIGHT = 0.02  # 1 - cos² of the bend of a limb from which on the side counts half to which it bends


@inner_kernel
def between(a, b, share):
    """The rotation that lies at `share` of the arc from `a` to `b`."""
    if share == 0.0:
        return a
    x, y, z, _ = log_of_rotation(multiply_rotations(transposed(a), b))
    return multiply_rotations(a, rotation_of_wxyz(*exp_wxyz(share * x, share * y, share * z)))


@inner_kernel
def _wanted(b, w, j, face, keeps):
    """The rotation in the world that joint `j` is to have for the segments to be turned as `w.new` says."""
    first, second, back = b.turned_by[j, 0], b.turned_by[j, 1], transposed(face)
    wanted = between(rotation_at(w.new, first), rotation_at(w.new, second), b.share[j])
    if keeps:
        was = between(rotation_at(w.old, first), rotation_at(w.old, second), b.share[j])
        change = multiply_rotations(back, multiply_rotations(multiply_rotations(wanted, transposed(was)), face))
        return multiply_rotations(change, rotation_at(w.turns, j))
    return multiply_rotations(multiply_rotations(back, wanted), rotation_at(b.common, j))


@inner_kernel
def _twisted(t, b, wanted, upper, lower, below):
    """The rotation `wanted` of the ball `upper`, rotated about its bone until its hinge `lower` can bring the bone
    below it to where the rotation `below` of that one has it.

    The hinge's axis a keeps its angle with the bone e that it rotates: what is sought is the rotation φ about the upper
    bone with a(φ) · e = c, which is A cos φ + B sin φ = C. The smaller φ is taken, and less of it for a straight limb.
    """
    axis = t.joint[lower, AXIS]
    hx, hy, hz = vector_at(t.axis, axis, DIRECTION)
    ex, ey, ez = vector_at(b.bones, lower, 0)
    c = hx * ex + hy * ey + hz * ez
    ex, ey, ez = rotate(below, ex, ey, ez)
    ux, uy, uz = rotate(wanted, *vector_at(b.bones, upper, 0))
    ax, ay, az = rotate(wanted, *rotate(rest_turn(t.frame, lower), hx, hy, hz))
    along = ux * ax + uy * ay + uz * az
    reach = ux * ex + uy * ey + uz * ez
    sx, sy, sz = cross(ux, uy, uz, ax, ay, az)
    cosine = ax * ex + ay * ey + az * ez - along * reach
    sine = sx * ex + sy * ey + sz * ez
    size = math.sqrt(cosine * cosine + sine * sine)
    if size < 1e-6:
        return wanted
    open_by = math.acos(max(-1.0, min(1.0, (c - along * reach) / size)))
    middle = math.atan2(sine, cosine)
    best = 4.0
    for way in (middle + open_by, middle - open_by):
        way -= 2.0 * math.pi * math.floor((way + math.pi) / (2.0 * math.pi))
        best = way if abs(way) < abs(best) else best
    bend = 1.0 - reach * reach
    best *= bend / (bend + STRAIGHT)
    return multiply_rotations(rotation_about(ux, uy, uz, math.sin(best), math.cos(best)), wanted)


@inner_kernel
def _bend(t, b, q, lower, basis, below, free):
    """Rotate the hinge `lower` so that its bone points as near as it can to where the rotation `below` has it."""
    a, d = t.joint[lower, AXIS], t.joint[lower, DOF]
    hx, hy, hz = vector_at(t.axis, a, DIRECTION)
    ex, ey, ez = vector_at(b.bones, lower, 0)
    to = rotate_back(basis, *rotate(below, ex, ey, ez))
    sx, sy, sz = cross(hx, hy, hz, ex, ey, ez)
    along, reach = hx * ex + hy * ey + hz * ez, hx * to[0] + hy * to[1] + hz * to[2]
    cosine = ex * to[0] + ey * to[1] + ez * to[2] - along * reach
    sine = sx * to[0] + sy * to[1] + sz * to[2]
    c = t.axis_number[a, AXIS_COORDINATE]
    if free[d] and t.axis[a, GAIN] == 1.0 and cosine * cosine + sine * sine > 1e-12:
        q[c] += math.atan2(sine, cosine) - axis_value(t, q, a)


@inner_kernel
def _turn_axes(t, q, j, basis, wanted, free):
    """Set the angles of joint `j` by which its own axes rotate it as nearly as each alone can; returns its rotation."""
    r = basis
    left = multiply_rotations(transposed(basis), wanted)
    for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
        if t.axis_number[a, SLIDES]:
            continue
        dx, dy, dz = vector_at(t.axis, a, DIRECTION)
        c = t.axis_number[a, AXIS_COORDINATE]
        own = t.joint[j, COORDINATE] <= c < t.joint[j + 1, COORDINATE]
        if own and t.axis[a, GAIN] == 1.0 and free[t.joint[j, DOF] + c - t.joint[j, COORDINATE]]:
            w, x, y, z = wxyz_of_rotation(left)
            angle = 2.0 * math.atan2(x * dx + y * dy + z * dz, w)
            angle -= 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))
            q[c] += angle - axis_value(t, q, a)
        angle = axis_value(t, q, a)
        turn = rotation_about(dx, dy, dz, math.sin(angle), math.cos(angle))
        left = multiply_rotations(transposed(turn), left)
        r = multiply_rotations(r, turn)
    return r


@inner_kernel
def turn_joints(t, b, w, face, keeps, free, q):
    """Rotate the joints of `q` so that the segments have the rotations `w.new`; the frames of the start are in `w`."""
    for j in range(t.frame.shape[0]):
        basis, p = rest_turn(t.frame, j), t.joint[j, PARENT]
        if p >= 0:
            basis = multiply_rotations(rotation_at(w.turned, p), basis)
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        if t.joint[j, CODE] == FREE:
            c, d = c + 3, d + 3
        if b.turned_by[j, 0] >= 0:
            wanted = _wanted(b, w, j, face, keeps)
            if t.joint[j, CODE] == SCALAR and p >= 0 and b.bent_by[p] == j:
                _bend(t, b, q, j, basis, wanted, free)
            elif t.joint[j, CODE] == SCALAR:
                put_turn(w.turned, j, _turn_axes(t, q, j, basis, wanted, free))
                continue
            elif free[d] and free[d + 1] and free[d + 2]:
                if b.bent_by[j] >= 0:
                    wanted = _twisted(t, b, wanted, j, b.bent_by[j], _wanted(b, w, b.bent_by[j], face, keeps))
                q[c], q[c + 1], q[c + 2], q[c + 3] = wxyz_of_rotation(multiply_rotations(transposed(basis), wanted))
        if t.joint[j, CODE] == SCALAR:
            put_turn(w.turned, j, _turn_axes(t, q, j, basis, basis, w.none))
        else:
            put_turn(w.turned, j, multiply_rotations(basis, rotation_of_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3])))
