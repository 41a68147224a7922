"""Compiled forward kinematics, tangent steps and Jacobians of one pose; `Pose` loops them over batches."""

from __future__ import annotations

from posable.skeleton.tables import BALL, FREE
from posable.spatial.compile import kernel
from posable.spatial.kernels import (
    cross,
    exp_wxyz,
    log_wxyz,
    multiply_turns,
    multiply_wxyz,
    rotate,
    turn_about,
    turn_of_wxyz,
)


@kernel
def axis_value(t, q, a):
    """Where axis `a` stands: radians or length."""
    return t.gain[a] * q[t.axis_coordinate[a]] + t.gain2[a] * q[t.axis_coordinate2[a]] + t.shift[a]


@kernel
def turn_at(turns, j):
    """The matrix of row `j` as nine numbers."""
    return (
        turns[j, 0, 0], turns[j, 0, 1], turns[j, 0, 2],
        turns[j, 1, 0], turns[j, 1, 1], turns[j, 1, 2],
        turns[j, 2, 0], turns[j, 2, 1], turns[j, 2, 2],
    )  # fmt: skip


@kernel
def place_joints(t, q, turns, origins, axes, anchors):
    """Fill `turns [joint, 3, 3]`, `origins [joint, 3]` (world) and, per axis, its world direction and a world point on it.

    world_from_joint = world_from_parent · rest · motion; an axis moves what comes after it: M ← M · A, with
    A = turn about the line through its anchor, or slide along its direction.
    """
    for j in range(t.parent.shape[0]):
        r = turn_at(t.turn, j)
        x, y, z = t.offset[j, 0], t.offset[j, 1], t.offset[j, 2]
        p = t.parent[j]
        if p >= 0:
            above = turn_at(turns, p)
            x, y, z = rotate(above, x, y, z)
            x, y, z = x + origins[p, 0], y + origins[p, 1], z + origins[p, 2]
            r = multiply_turns(above, r)
        c = t.first_coordinate[j]
        if t.code[j] == BALL:
            ax, ay, az = t.anchor[j, 0], t.anchor[j, 1], t.anchor[j, 2]
            dx, dy, dz = rotate(r, ax, ay, az)
            r = multiply_turns(r, turn_of_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3]))
            ex, ey, ez = rotate(r, ax, ay, az)
            x, y, z = x + dx - ex, y + dy - ey, z + dz - ez
        elif t.code[j] == FREE:
            dx, dy, dz = rotate(r, q[c], q[c + 1], q[c + 2])
            x, y, z = x + dx, y + dy, z + dz
            r = multiply_turns(r, turn_of_wxyz(q[c + 3], q[c + 4], q[c + 5], q[c + 6]))
        else:
            for a in range(t.first_axis[j], t.first_axis[j + 1]):
                value = axis_value(t, q, a)
                dx, dy, dz = rotate(r, t.direction[a, 0], t.direction[a, 1], t.direction[a, 2])
                axes[a, 0], axes[a, 1], axes[a, 2] = dx, dy, dz
                px, py, pz = rotate(r, t.axis_anchor[a, 0], t.axis_anchor[a, 1], t.axis_anchor[a, 2])
                anchors[a, 0], anchors[a, 1], anchors[a, 2] = x + px, y + py, z + pz
                if t.slides[a]:
                    x, y, z = x + value * dx, y + value * dy, z + value * dz
                else:
                    r = multiply_turns(r, turn_about(t.direction[a, 0], t.direction[a, 1], t.direction[a, 2], value))
                    ex, ey, ez = rotate(r, t.axis_anchor[a, 0], t.axis_anchor[a, 1], t.axis_anchor[a, 2])
                    x, y, z = x + px - ex, y + py - ey, z + pz - ez
        turns[j, 0, 0], turns[j, 0, 1], turns[j, 0, 2] = r[0], r[1], r[2]
        turns[j, 1, 0], turns[j, 1, 1], turns[j, 1, 2] = r[3], r[4], r[5]
        turns[j, 2, 0], turns[j, 2, 1], turns[j, 2, 2] = r[6], r[7], r[8]
        origins[j, 0], origins[j, 1], origins[j, 2] = x, y, z


@kernel
def step_joint(t, q, v, j, out):
    """Move joint `j` of `q` along the tangent `v`: out = q ⊕ v. Rotations step by the exponential map in the joint's own frame."""
    c, d = t.first_coordinate[j], t.first_dof[j]
    if t.code[j] == BALL or t.code[j] == FREE:
        if t.code[j] == FREE:
            for k in range(3):
                out[c + k] = q[c + k] + v[d + k]
            c, d = c + 3, d + 3
        ew, ex, ey, ez = exp_wxyz(v[d], v[d + 1], v[d + 2])
        w, x, y, z = multiply_wxyz(q[c], q[c + 1], q[c + 2], q[c + 3], ew, ex, ey, ez)
        scale = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)  # one Newton step keeps the length at 1
        out[c], out[c + 1], out[c + 2], out[c + 3] = scale * w, scale * x, scale * y, scale * z
    else:
        for k in range(t.first_dof[j + 1] - d):
            out[c + k] = q[c + k] + v[d + k]


@kernel
def step(t, q, v, out):
    """out = q ⊕ v for one pose."""
    for j in range(t.parent.shape[0]):
        step_joint(t, q, v, j, out)


@kernel
def difference(t, start, end, out):
    """The tangent `out [dof]` that leads from `start` to `end`: start ⊕ out = end, rotations the shorter way."""
    for j in range(t.parent.shape[0]):
        c, d = t.first_coordinate[j], t.first_dof[j]
        if t.code[j] == BALL or t.code[j] == FREE:
            if t.code[j] == FREE:
                for k in range(3):
                    out[d + k] = end[c + k] - start[c + k]
                c, d = c + 3, d + 3
            w, x, y, z = multiply_wxyz(
                start[c], -start[c + 1], -start[c + 2], -start[c + 3], end[c], end[c + 1], end[c + 2], end[c + 3]
            )
            out[d], out[d + 1], out[d + 2] = log_wxyz(w, x, y, z)
        else:
            for k in range(t.first_dof[j + 1] - d):
                out[d + k] = end[c + k] - start[c + k]


@kernel
def jacobian_of_point(t, turns, origins, axes, anchors, joint, px, py, pz, out):
    """Fill `out [6, dof]`: velocity of a world point fixed to `joint` (rows 0–2) and its angular velocity (rows 3–5)."""
    out[:, :] = 0.0
    j = joint
    while j >= 0:
        d = t.first_dof[j]
        if t.code[j] == BALL or t.code[j] == FREE:
            r = turn_at(turns, j)
            if t.code[j] == FREE:
                p = t.parent[j]
                for k in range(3):
                    for row in range(3):
                        if p >= 0:
                            out[row, d + k] = (
                                turns[p, row, 0] * t.turn[j, 0, k]
                                + turns[p, row, 1] * t.turn[j, 1, k]
                                + turns[p, row, 2] * t.turn[j, 2, k]
                            )
                        else:
                            out[row, d + k] = t.turn[j, row, k]
                d += 3
            dx, dy, dz = rotate(r, t.anchor[j, 0], t.anchor[j, 1], t.anchor[j, 2])
            cx, cy, cz = origins[j, 0] + dx, origins[j, 1] + dy, origins[j, 2] + dz
            for k in range(3):
                ax, ay, az = r[k], r[3 + k], r[6 + k]
                lx, ly, lz = cross(ax, ay, az, px - cx, py - cy, pz - cz)
                out[0, d + k], out[1, d + k], out[2, d + k] = lx, ly, lz
                out[3, d + k], out[4, d + k], out[5, d + k] = ax, ay, az
        else:
            for a in range(t.first_axis[j], t.first_axis[j + 1]):
                ax, ay, az = axes[a, 0], axes[a, 1], axes[a, 2]
                wx, wy, wz = ax, ay, az
                lx, ly, lz = ax, ay, az
                if t.slides[a]:
                    wx, wy, wz = 0.0, 0.0, 0.0
                else:
                    lx, ly, lz = cross(ax, ay, az, px - anchors[a, 0], py - anchors[a, 1], pz - anchors[a, 2])
                for d, g in ((t.axis_dof[a], t.gain[a]), (t.axis_dof2[a], t.gain2[a])):
                    out[0, d] += g * lx
                    out[1, d] += g * ly
                    out[2, d] += g * lz
                    out[3, d] += g * wx
                    out[4, d] += g * wy
                    out[5, d] += g * wz
        j = t.parent[j]
