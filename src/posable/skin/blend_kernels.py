"""Compiled skin blending. Everything is single precision; the joints' matrices are made in double and rounded once.

Influences come strongest first, so that the first is the pivot to which the signs of dual quaternions are aligned.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from posable.compiled.decorators import inner_kernel, lean_kernel
from posable.compiled.simd_float import carried, dual_at, entries, matrix_at, moved, plus_scaled, scaled
from posable.spatial.kernels import cross, wxyz_of_turn


@lean_kernel
def fill_columns(world, bind, used, out):
    """`world [pose, joint, 4, 4]` times `bind [joint, 4, 4]` of the `used` joints → `out [pose, 16 × used]`."""
    for p in range(world.shape[0]):
        for u in range(used.shape[0]):
            j = used[u]
            for c in range(4):
                for r in range(3):
                    sum_ = world[p, j, r, 3] if c == 3 else 0.0
                    for k in range(3):
                        sum_ += world[p, j, r, k] * bind[j, k, c]
                    out[p, 16 * u + 4 * c + r] = sum_
                out[p, 16 * u + 4 * c + 3] = 0.0


@lean_kernel
def fill_duals(world, bind, used, out):
    """The same of rigid `bind`, as dual quaternions: `out [pose, 8 × used]`, q and ½ t q."""
    for p in range(world.shape[0]):
        for u in range(used.shape[0]):
            j = used[u]
            a, b = world[p, j], bind[j]
            turn = (
                a[0, 0] * b[0, 0] + a[0, 1] * b[1, 0] + a[0, 2] * b[2, 0],
                a[0, 0] * b[0, 1] + a[0, 1] * b[1, 1] + a[0, 2] * b[2, 1],
                a[0, 0] * b[0, 2] + a[0, 1] * b[1, 2] + a[0, 2] * b[2, 2],
                a[1, 0] * b[0, 0] + a[1, 1] * b[1, 0] + a[1, 2] * b[2, 0],
                a[1, 0] * b[0, 1] + a[1, 1] * b[1, 1] + a[1, 2] * b[2, 1],
                a[1, 0] * b[0, 2] + a[1, 1] * b[1, 2] + a[1, 2] * b[2, 2],
                a[2, 0] * b[0, 0] + a[2, 1] * b[1, 0] + a[2, 2] * b[2, 0],
                a[2, 0] * b[0, 1] + a[2, 1] * b[1, 1] + a[2, 2] * b[2, 1],
                a[2, 0] * b[0, 2] + a[2, 1] * b[1, 2] + a[2, 2] * b[2, 2],
            )
            x = a[0, 0] * b[0, 3] + a[0, 1] * b[1, 3] + a[0, 2] * b[2, 3] + a[0, 3]
            y = a[1, 0] * b[0, 3] + a[1, 1] * b[1, 3] + a[1, 2] * b[2, 3] + a[1, 3]
            z = a[2, 0] * b[0, 3] + a[2, 1] * b[1, 3] + a[2, 2] * b[2, 3] + a[2, 3]
            q, i, j, k = wxyz_of_turn(turn)
            first = 8 * u
            out[p, first], out[p, first + 1], out[p, first + 2], out[p, first + 3] = q, i, j, k
            out[p, first + 4] = -0.5 * (x * i + y * j + z * k)
            out[p, first + 5] = 0.5 * (x * q + y * k - z * j)
            out[p, first + 6] = 0.5 * (y * q + z * i - x * k)
            out[p, first + 7] = 0.5 * (z * q + x * j - y * i)


@inner_kernel
def fill_signs(duals, p, signs):
    """`signs [joint, joint]`: -1 where two joints' quaternions point away from each other (q and −q are the same
    rotation).
    """
    for i in range(signs.shape[0]):
        for j in range(signs.shape[1]):
            dot = duals[p, 8 * i] * duals[p, 8 * j]
            for k in range(1, 4):
                dot += duals[p, 8 * i + k] * duals[p, 8 * j + k]
            signs[i, j] = -1.0 if dot < 0 else 1.0


@inner_kernel
def matrix_sum(columns, p, joints, weights, v):
    """Σ wₖ Mₖ of one vertex."""
    total = scaled(weights[v, 0], matrix_at(columns, p, joints[v, 0]))
    for k in range(1, joints.shape[1]):
        total = plus_scaled(total, weights[v, k], matrix_at(columns, p, joints[v, k]))
    return total


@inner_kernel
def dual_sum(duals, signs, p, joints, weights, v):
    """Σ ±wₖ qₖ of one vertex, each aligned to the first."""
    pivot = joints[v, 0]
    total = scaled(weights[v, 0], dual_at(duals, p, pivot))
    for k in range(1, joints.shape[1]):
        j = joints[v, k]
        total = plus_scaled(total, weights[v, k] * signs[pivot, j], dual_at(duals, p, j))
    return total


@lean_kernel
def blend_linear(vertices, joints, weights, columns, out):
    """v' = (Σ wₖ Mₖ) v, `out [pose, vertex, 3]`."""
    for p in range(columns.shape[0]):
        for v in range(vertices.shape[0]):
            total = matrix_sum(columns, p, joints, weights, v)
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = moved(total, vertices[v, 0], vertices[v, 1], vertices[v, 2])


@lean_kernel
def blend_dual(vertices, joints, weights, duals, signs, out):
    """v' = the point carried by Σ ±wₖ qₖ (Kavan et al. 2008). `signs [joint, joint]` is scratch."""
    for p in range(duals.shape[0]):
        fill_signs(duals, p, signs)
        for v in range(vertices.shape[0]):
            total = dual_sum(duals, signs, p, joints, weights, v)
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = carried(total, vertices[v, 0], vertices[v, 1], vertices[v, 2])


@lean_kernel
def blend_about_centers(offsets, centers, joints, weights, columns, duals, signs, out):
    """v' = R o + (Σ wₖ Mₖ) c, R of Σ ±wₖ qₖ (Le and Hodgins 2016): `centers` c of rotation, `offsets` o from them."""
    for p in range(duals.shape[0]):
        fill_signs(duals, p, signs)
        for v in range(offsets.shape[0]):
            total = matrix_sum(columns, p, joints, weights, v)
            x, y, z = moved(total, centers[v, 0], centers[v, 1], centers[v, 2])
            a, b, c = turned(
                entries(dual_sum(duals, signs, p, joints, weights, v)), offsets[v, 0], offsets[v, 1], offsets[v, 2]
            )
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = x + a, y + b, z + c


@lean_kernel
def normals_linear(normals, joints, weights, columns, out):
    """Normals of the linear blend: the cofactors of Σ wₖ Mₖ, made unit. `out [pose, vertex, 3]`."""
    for p in range(columns.shape[0]):
        for v in range(normals.shape[0]):
            m = entries(matrix_sum(columns, p, joints, weights, v))
            x, y, z = normals[v, 0], normals[v, 1], normals[v, 2]
            ax, ay, az = cross(m[4], m[5], m[6], m[8], m[9], m[10])
            bx, by, bz = cross(m[8], m[9], m[10], m[0], m[1], m[2])
            cx, cy, cz = cross(m[0], m[1], m[2], m[4], m[5], m[6])
            if m[0] * ax + m[1] * ay + m[2] * az < 0:  # a mirrored matrix
                x, y, z = -x, -y, -z
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = unit(
                ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z
            )


@lean_kernel
def normals_dual(normals, joints, weights, duals, signs, out):
    """Normals turned by the rotation of Σ ±wₖ qₖ. `out [pose, vertex, 3]`."""
    for p in range(duals.shape[0]):
        fill_signs(duals, p, signs)
        for v in range(normals.shape[0]):
            total = entries(dual_sum(duals, signs, p, joints, weights, v))
            out[p, v, 0], out[p, v, 1], out[p, v, 2] = turned(total, normals[v, 0], normals[v, 1], normals[v, 2])


@inner_kernel
def turned(dual, x, y, z):
    """A vector turned by the rotation of a dual quaternion of any length: v + 2 r × (r × v + w v) / |q|²."""
    w, i, j, k = dual[0], dual[1], dual[2], dual[3]
    a, b, c = j * z - k * y + w * x, k * x - i * z + w * y, i * y - j * x + w * z
    twice = np.float32(2.0) / (w * w + i * i + j * j + k * k)
    return x + twice * (j * c - k * b), y + twice * (k * a - i * c), z + twice * (i * b - j * a)


@inner_kernel
def unit(x, y, z):
    """The vector made unit; one of no length stays."""
    length = sqrt(x * x + y * y + z * z)
    if length == 0:
        return x, y, z
    return x / length, y / length, z / length
