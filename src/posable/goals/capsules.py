"""Compiled: capsules — segments with a radius — and the penetration depth of two of them."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.spatial import Array
from posable.spatial.kernels import cross, rotate

RADIUS, OTHER_ONE, MARGIN = 6, 7, 14
"""Among the constants of a pair: start, end and radius of the first capsule, those of the other, and the margin."""


@inner_kernel
def nearest_on_segments(p, d, q, e):
    """The shares (s, t) along the segments p + s d and q + t e at which they are nearest (Ericson, Real-Time Collision
    Detection, 5.1.9).
    """
    rx, ry, rz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    a, b = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    c, f = d[0] * rx + d[1] * ry + d[2] * rz, e[0] * rx + e[1] * ry + e[2] * rz
    if a <= 1e-18 and b <= 1e-18:
        return 0.0, 0.0
    if a <= 1e-18:
        return 0.0, min(1.0, max(0.0, f / b))
    if b <= 1e-18:
        return min(1.0, max(0.0, -c / a)), 0.0
    along = d[0] * e[0] + d[1] * e[1] + d[2] * e[2]
    apart = a * b - along * along
    s = min(1.0, max(0.0, (along * f - c * b) / apart)) if apart > 1e-12 * a * b else 0.5
    t = (along * s + f) / b
    if t < 0.0:
        return min(1.0, max(0.0, -c / a)), 0.0
    if t > 1.0:
        return min(1.0, max(0.0, (along - c) / a)), 1.0
    return s, t


@inner_kernel
def end_of_capsule(turn, origin, c, first, scale):
    """The world position of a body's point; its coordinates in the body's frame begin at `first` of the constants."""
    x, y, z = rotate(turn, c[first], c[first + 1], c[first + 2])
    return origin[0] + scale * x, origin[1] + scale * y, origin[2] + scale * z


@inner_kernel
def fill_apart(turn, origin, c, q, q1, radius, scale, r, rows):
    """r = (penetration depth of the capsules, margin included, 0, 0); zero where they are separate.

    q, q1, radius: the other capsule, in the world. Along n, from it to the first, at their nearest points p and p':
    J = (p × n, n), J' = −(p' × n, n).
    """
    for i in range(3):
        r[i] = 0.0
    p, p1 = end_of_capsule(turn, origin, c, 0, scale), end_of_capsule(turn, origin, c, 3, scale)
    d, e = (p1[0] - p[0], p1[1] - p[1], p1[2] - p[2]), (q1[0] - q[0], q1[1] - q[1], q1[2] - q[2])
    s, t = nearest_on_segments(p, d, q, e)
    px, py, pz = p[0] + s * d[0], p[1] + s * d[1], p[2] + s * d[2]
    qx, qy, qz = q[0] + t * e[0], q[1] + t * e[1], q[2] + t * e[2]
    nx, ny, nz = px - qx, py - qy, pz - qz
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    depth = scale * (c[RADIUS] + c[MARGIN]) + radius - size
    for i in range(6):
        for a in range(6):
            rows[i, a] = 0.0
    if not depth > 0.0:
        return
    if size < 1e-9:  # the segments intersect: any direction across both will do
        nx, ny, nz = cross(d[0], d[1], d[2], e[0], e[1], e[2])
        size = math.sqrt(nx * nx + ny * ny + nz * nz)
        if size < 1e-12:
            nx, ny, nz, size = 0.0, 1.0, 0.0, 1.0
    nx, ny, nz = nx / size, ny / size, nz / size
    r[0] = depth
    for first, sign, at in ((0, 1.0, (px, py, pz)), (3, -1.0, (qx, qy, qz))):
        mx, my, mz = cross(at[0], at[1], at[2], nx, ny, nz)
        rows[first, 0], rows[first, 1], rows[first, 2] = sign * mx, sign * my, sign * mz
        rows[first, 3], rows[first, 4], rows[first, 5] = sign * nx, sign * ny, sign * nz


@kernel
def _gaps(one, other, out):
    for k in range(one.shape[0]):
        a, b = one[k], other[k]
        p, q = (a[0], a[1], a[2]), (b[0], b[1], b[2])
        d, e = (a[3] - a[0], a[4] - a[1], a[5] - a[2]), (b[3] - b[0], b[4] - b[1], b[5] - b[2])
        s, t = nearest_on_segments(p, d, q, e)
        square = 0.0
        for i in range(3):
            square += (p[i] + s * d[i] - q[i] - t * e[i]) ** 2
        out[k] = math.sqrt(square) - a[6] - b[6]


def gaps(one: Array, other: Array) -> Array:
    """`[pair]` the distance between capsules `[pair, 7]` in the world, negative where they overlap."""
    out = np.empty(len(one))
    _gaps(np.ascontiguousarray(one, float), np.ascontiguousarray(other, float), out)
    return out
