"""Compiled forward kinematics, tangent steps and Jacobians of one pose; `Pose` loops them over batches."""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import inner_kernel, maker_kernel
from posable.compiled.simd_batch import COUNT, sine_cosine
from posable.compiled.views import as_lanes, window
from posable.skeleton.tables import (
    ANCHOR,
    ANCHORED,
    AXIS,
    AXIS_ANCHOR,
    AXIS_ANCHORED,
    AXIS_COORDINATE,
    AXIS_COORDINATE2,
    AXIS_DOF,
    AXIS_DOF2,
    CODE,
    COORDINATE,
    DIRECTION,
    DOF,
    FREE,
    GAIN,
    GAIN2,
    OFFSET,
    PARENT,
    SCALAR,
    SHIFT,
    SLIDES,
    TURN,
    TURNED,
)
from posable.spatial.kernels import (
    cross,
    exp_wxyz,
    log_wxyz,
    multiply_rotations,
    multiply_wxyz,
    rotate,
    rotation_about,
    rotation_of_wxyz,
)


@inner_kernel
def rotation_at(turns, j):
    """The matrix of row `j` as nine numbers."""
    return (
        turns[j, 0, 0], turns[j, 0, 1], turns[j, 0, 2],
        turns[j, 1, 0], turns[j, 1, 1], turns[j, 1, 2],
        turns[j, 2, 0], turns[j, 2, 1], turns[j, 2, 2],
    )  # fmt: skip


@inner_kernel
def put_turn(turns, j, r):
    """Write nine numbers as the matrix of row `j`."""
    turns[j, 0, 0], turns[j, 0, 1], turns[j, 0, 2] = r[0], r[1], r[2]
    turns[j, 1, 0], turns[j, 1, 1], turns[j, 1, 2] = r[3], r[4], r[5]
    turns[j, 2, 0], turns[j, 2, 1], turns[j, 2, 2] = r[6], r[7], r[8]


@inner_kernel
def vector_at(rows, j, first):
    """Three numbers of row `j`, from column `first` on."""
    return rows[j, first], rows[j, first + 1], rows[j, first + 2]


@inner_kernel
def rest_turn(frame, j):
    """The rest rotation of joint `j` in its parent, as nine numbers."""
    return (
        frame[j, TURN], frame[j, TURN + 1], frame[j, TURN + 2],
        frame[j, TURN + 3], frame[j, TURN + 4], frame[j, TURN + 5],
        frame[j, TURN + 6], frame[j, TURN + 7], frame[j, TURN + 8],
    )  # fmt: skip


@inner_kernel
def turned_about(r, x, y, z, turn, anchor):
    """The frame (r, x, y, z) after its own `turn` about the point `anchor` in it."""
    dx, dy, dz = rotate(r, anchor[0], anchor[1], anchor[2])
    r = multiply_rotations(r, turn)
    ex, ey, ez = rotate(r, anchor[0], anchor[1], anchor[2])
    return r, x + dx - ex, y + dy - ey, z + dz - ez


@inner_kernel
def move_axes(t, q, moved):
    """Fill `moved [3, axis]`: the angle or displacement of each axis, and the sine and cosine of that."""
    for a in range(t.axis.shape[0]):
        moved[0, a] = axis_value(t, q, a)
        moved[1, a], moved[2, a] = sine_cosine(moved[0, a])


@inner_kernel
def move_axes_together(t, q, moved, blocks):
    """As `move_axes`, for one pose, eight axes at a time: `blocks [3, axis / 8]` is the memory of `moved` as lanes."""
    for a in range(t.axis.shape[0]):
        moved[0, a] = axis_value(t, q, a)
    for block in range(blocks.shape[1]):
        blocks[1, block], blocks[2, block] = sine_cosine(blocks[0, block])


@inner_kernel
def axis_value(t, q, a):
    """The angle or displacement of axis `a`: mimics and absolute angles depend on one or two coordinates."""
    return (
        t.axis[a, GAIN] * q[t.axis_number[a, AXIS_COORDINATE]]
        + t.axis[a, GAIN2] * q[t.axis_number[a, AXIS_COORDINATE2]]
        + t.axis[a, SHIFT]
    )


@maker_kernel
def make_moved(t):
    """Memory for `move_axes_together`: (moved, blocks)."""
    blocks = (t.axis.shape[0] + COUNT - 1) // COUNT
    memory = np.zeros(3 * blocks * COUNT)
    return window(memory, 0, (3, blocks * COUNT)), as_lanes(window(memory, 0, (3, blocks, COUNT)))


@inner_kernel
def place_joints(t, used, q, moved, turns, origins, axes, anchors):
    """Fill world `turns [joint, 3, 3]`, `origins [joint, 3]`; per axis, its world direction and a world point on it.

    world_from_joint = world_from_parent · rest · motion; an axis moves what comes after it: M ← M · A, with
    A = rotation about the line through its anchor, or slide along its direction. `axes` and `anchors` may be None.
    moved: of `move_axes`.
    used: `[..., 1 or more]` the joints to compute in the first column, parents first; all of them if None.
    The kernels that it calls take numbers instead of `t`, which would be reference-counted at every joint.
    """
    for n in range(t.frame.shape[0] if used is None else used.shape[0]):
        j = n if used is None else used[n, 0]
        r = rest_turn(t.frame, j)
        x, y, z = vector_at(t.frame, j, OFFSET)
        p, c = t.joint[j, PARENT], t.joint[j, COORDINATE]
        if p >= 0:
            above = rotation_at(turns, p)
            x, y, z = rotate(above, x, y, z)
            x, y, z = x + origins[p, 0], y + origins[p, 1], z + origins[p, 2]
            r = multiply_rotations(above, r) if t.joint[j, TURNED] else above
        if t.joint[j, CODE] == FREE:
            dx, dy, dz = rotate(r, q[c], q[c + 1], q[c + 2])
            x, y, z = x + dx, y + dy, z + dz
            c += 3
        if t.joint[j, CODE] != SCALAR:
            turn = rotation_of_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3])
            if t.joint[j, ANCHORED]:
                r, x, y, z = turned_about(r, x, y, z, turn, vector_at(t.frame, j, ANCHOR))
            else:
                r = multiply_rotations(r, turn)
        for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
            direction, anchor = vector_at(t.axis, a, DIRECTION), vector_at(t.axis, a, AXIS_ANCHOR)
            if axes is not None:
                axes[a, 0], axes[a, 1], axes[a, 2] = rotate(r, direction[0], direction[1], direction[2])
                dx, dy, dz = rotate(r, anchor[0], anchor[1], anchor[2])
                anchors[a, 0], anchors[a, 1], anchors[a, 2] = x + dx, y + dy, z + dz
            if t.axis_number[a, SLIDES]:
                dx, dy, dz = rotate(r, direction[0], direction[1], direction[2])
                x, y, z = x + moved[0, a] * dx, y + moved[0, a] * dy, z + moved[0, a] * dz
                continue
            turn = rotation_about(direction[0], direction[1], direction[2], moved[1, a], moved[2, a])
            if t.axis_number[a, AXIS_ANCHORED]:
                r, x, y, z = turned_about(r, x, y, z, turn, anchor)
            else:
                r = multiply_rotations(r, turn)
        put_turn(turns, j, r)
        origins[j, 0], origins[j, 1], origins[j, 2] = x, y, z


@inner_kernel
def step_joint(t, q, v, j, out):
    """Move joint `j` of `q` along the tangent `v`: out = q ⊕ v; rotations step in their own frame."""
    c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
    if t.joint[j, CODE] != SCALAR:
        if t.joint[j, CODE] == FREE:
            for k in range(3):
                out[c + k] = q[c + k] + v[d + k]
            c, d = c + 3, d + 3
        ew, ex, ey, ez = exp_wxyz(v[d], v[d + 1], v[d + 2])
        w, x, y, z = multiply_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3], ew, ex, ey, ez)
        scale = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)  # one Newton step keeps the length at 1
        out[c], out[c + 1], out[c + 2], out[c + 3] = scale * w, scale * x, scale * y, scale * z
    else:
        for k in range(t.joint[j + 1, DOF] - d):
            out[c + k] = q[c + k] + v[d + k]


@inner_kernel
def step(t, q, v, out):
    """out = q ⊕ v for one pose."""
    for j in range(t.frame.shape[0]):
        step_joint(t, q, v, j, out)


@inner_kernel
def difference(t, start, end, out):
    """The tangent `out [dof]` that leads from `start` to `end`: start ⊕ out = end, rotations along the shorter arc."""
    for j in range(t.frame.shape[0]):
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        if t.joint[j, CODE] != SCALAR:
            if t.joint[j, CODE] == FREE:
                for k in range(3):
                    out[d + k] = end[c + k] - start[c + k]
                c, d = c + 3, d + 3
            w, x, y, z = multiply_wxyz(
                start[c], -start[c + 1], -start[c + 2], -start[c + 3], end[c], end[c + 1], end[c + 2], end[c + 3]
            )
            out[d], out[d + 1], out[d + 2] = log_wxyz(w, x, y, z)
        else:
            for k in range(t.joint[j + 1, DOF] - d):
                out[d + k] = end[c + k] - start[c + k]


@inner_kernel
def jacobian_of_point(t, turns, origins, axes, anchors, joint, px, py, pz, out):
    """Fill `out [6, dof]`: velocity of a world point fixed to `joint` (rows 0–2), angular velocity (3–5)."""
    for row in range(6):
        for d in range(out.shape[1]):
            out[row, d] = 0.0
    j = joint
    while j >= 0:
        d = t.joint[j, DOF]
        if t.joint[j, CODE] == FREE:
            r = rest_turn(t.frame, j)
            if t.joint[j, PARENT] >= 0:
                r = multiply_rotations(rotation_at(turns, t.joint[j, PARENT]), r)
            for k in range(3):
                out[0, d + k], out[1, d + k], out[2, d + k] = r[k], r[3 + k], r[6 + k]
            d += 3
        if t.joint[j, CODE] == SCALAR:
            for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
                _add_axis(t, axes, anchors, a, px, py, pz, out)
        else:
            r = rotation_at(turns, j)
            cx, cy, cz = rotate(r, t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
            cx, cy, cz = px - origins[j, 0] - cx, py - origins[j, 1] - cy, pz - origins[j, 2] - cz
            for k in range(3):
                ax, ay, az = r[k], r[3 + k], r[6 + k]
                out[0, d + k], out[1, d + k], out[2, d + k] = cross(ax, ay, az, cx, cy, cz)
                out[3, d + k], out[4, d + k], out[5, d + k] = ax, ay, az
        j = t.joint[j, PARENT]


@inner_kernel
def _add_axis(t, axes, anchors, a, px, py, pz, out):
    """Add the motion of axis `a` to the columns of the one or two freedoms that move it."""
    wx, wy, wz = axes[a, 0], axes[a, 1], axes[a, 2]
    lx, ly, lz = wx, wy, wz
    if t.axis_number[a, SLIDES]:
        wx, wy, wz = 0.0, 0.0, 0.0
    else:
        lx, ly, lz = cross(wx, wy, wz, px - anchors[a, 0], py - anchors[a, 1], pz - anchors[a, 2])
    for d, g in ((t.axis_number[a, AXIS_DOF], t.axis[a, GAIN]), (t.axis_number[a, AXIS_DOF2], t.axis[a, GAIN2])):
        out[0, d] += g * lx
        out[1, d] += g * ly
        out[2, d] += g * lz
        out[3, d] += g * wx
        out[4, d] += g * wy
        out[5, d] += g * wz
