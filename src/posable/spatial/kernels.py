"""Compiled rotation formulas: scalars in, tuples out, so that larger kernels read like the mathematics."""

from __future__ import annotations

import math
from typing import Any

from posable.compiled.decorators import inner_kernel, overload
from posable.compiled.simd_batch import lanes
from posable.compiled.simd_masks import angle_of, everywhere, select, square_root
from posable.spatial.rotations import hamilton_product, nine_from_wxyz

multiply_wxyz = inner_kernel(hamilton_product)
rotation_of_wxyz = inner_kernel(nine_from_wxyz)


@inner_kernel
def rotation_about(x, y, z, s, c):
    """The rotation matrix, nine numbers row by row, by the angle with sine s and cosine c about the unit axis
    (Rodrigues).
    """
    t = 1.0 - c
    return (
        t * x * x + c, t * x * y - s * z, t * x * z + s * y,
        t * x * y + s * z, t * y * y + c, t * y * z - s * x,
        t * x * z - s * y, t * y * z + s * x, t * z * z + c,
    )  # fmt: skip


@inner_kernel
def multiply_rotations(a, b):
    """The product of two 3×3 matrices given as nine numbers."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@inner_kernel
def rotate(r, x, y, z):
    """A vector rotated by a matrix of nine numbers."""
    return r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z


@inner_kernel
def rotate_back(r, x, y, z):
    """A vector rotated by the inverse (the transpose) of a matrix of nine numbers."""
    return r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z


@inner_kernel
def cross(ax, ay, az, bx, by, bz):
    """The vector product a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@inner_kernel
def exp_wxyz(x, y, z):
    """The unit quaternion of the rotation vector (x, y, z)."""
    square = x * x + y * y + z * z
    if square < 1e-8:  # the series is exact to rounding here, and smooth through zero
        s = 0.5 - square / 48.0
        return 1.0 - square / 8.0, s * x, s * y, s * z
    angle = math.sqrt(square)
    s = math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), s * x, s * y, s * z


@inner_kernel
def log_wxyz(w, x, y, z):
    """The rotation vector, of length 0…π, of a unit quaternion."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    if sine < 1e-9:
        return 2.0 * x, 2.0 * y, 2.0 * z
    scale = 2.0 * math.atan2(sine, w) / sine
    return scale * x, scale * y, scale * z


@inner_kernel
def log_of_one_rotation(r):
    """The rotation vector r of a rotation matrix and c = 1/θ² − cot(θ/2)/(2θ), θ its length 0…π, of which Jr⁻¹(r) is
    made.

    Up to 120° from the part of the matrix that is not symmetric, whose vector is sin θ times the axis; beyond, where
    that vanishes, from the quaternion.
    """
    cosine = 0.5 * (r[0] + r[4] + r[8] - 1.0)
    if cosine > -0.5:
        x, y, z = 0.5 * (r[7] - r[5]), 0.5 * (r[2] - r[6]), 0.5 * (r[3] - r[1])
        square = x * x + y * y + z * z
        if square < 1e-6 and cosine > 0.0:
            scale = 1.0 + square / 6.0 + 0.075 * square * square
            return scale * x, scale * y, scale * z, 1.0 / 12.0 + square / 720.0
        sine = math.sqrt(square)
        angle = math.atan2(sine, cosine)
        scale = angle / sine
        return scale * x, scale * y, scale * z, 1.0 / (angle * angle) - 0.5 * (1.0 + cosine) / (angle * sine)
    w, x, y, z = wxyz_of_rotation(r)
    sine = math.sqrt(x * x + y * y + z * z)
    x, y, z = log_wxyz(w, x, y, z)
    angle = math.sqrt(x * x + y * y + z * z)
    return x, y, z, 1.0 / (angle * angle) - 0.5 * abs(w) / (angle * sine)


@inner_kernel
def wxyz_of_rotation(r):
    """A unit quaternion of a rotation matrix given as nine numbers (Shepperd 1978)."""
    trace = r[0] + r[4] + r[8]
    if trace > r[0] and trace > r[4] and trace > r[8]:
        w, x, y, z = 1.0 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]
    elif r[0] >= r[4] and r[0] >= r[8]:
        w, x, y, z = r[7] - r[5], 1.0 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]
    elif r[4] >= r[8]:
        w, x, y, z = r[2] - r[6], r[1] + r[3], 1.0 + r[4] - r[0] - r[8], r[5] + r[7]
    else:
        w, x, y, z = r[3] - r[1], r[2] + r[6], r[5] + r[7], 1.0 + r[8] - r[0] - r[4]
    size = math.sqrt(w * w + x * x + y * y + z * z)
    return w / size, x / size, y / size, z / size


# The rotation vector of a rotation matrix, of one or of several side by side.


def log_of_rotation(r: Any) -> Any:
    """The rotation vector r of a rotation matrix and c = 1/θ² − cot(θ/2)/(2θ), θ its length 0…π, of which Jr⁻¹(r) is
    made; numbers or lanes. For kernels.
    """
    raise NotImplementedError("only kernels take the logarithm of nine numbers")


@overload(log_of_rotation, jit_options={"forceinline": True})
def _log_of_rotation(r):
    chosen: Any = _log_of_rotations if r.dtype == lanes else log_of_one_rotation
    return chosen.py_func


@inner_kernel
def _log_of_rotations(r):
    """`log_of_one_rotation` for lanes: both formulas are evaluated, and a mask selects one."""
    trace = r[0] + r[4] + r[8]
    cosine = 0.5 * (trace - 1.0)
    near = cosine > -0.5
    first = (r[0] >= r[4]) & (r[0] >= r[8])
    second = r[4] >= r[8]
    ax, ay, az = r[7] - r[5], r[2] - r[6], r[3] - r[1]
    xy, xz, yz = r[1] + r[3], r[2] + r[6], r[5] + r[7]
    w = select(first, ax, select(second, ay, az))
    x = select(first, 1.0 + r[0] - r[4] - r[8], select(second, xy, xz))
    y = select(first, xy, select(second, 1.0 + r[4] - r[0] - r[8], yz))
    z = select(first, xz, select(second, yz, 1.0 + r[8] - r[0] - r[4]))
    back = select(w < 0.0, everywhere(-1.0), everywhere(1.0))
    x, y, z = select(near, 0.5 * ax, back * x), select(near, 0.5 * ay, back * y), select(near, 0.5 * az, back * z)
    w = select(near, cosine, back * w)
    square = x * x + y * y + z * z
    sine = square_root(square)
    angle = angle_of(sine, w)
    angle = select(near, angle, 2.0 * angle)
    small = near & (square < 1e-6) & (cosine > 0.0)
    scale = select(small, 1.0 + square * (1.0 / 6.0) + 0.075 * square * square, angle / sine)
    cotangent = select(near, 1.0 + cosine, w) / sine
    c = select(small, 1.0 / 12.0 + square * (1.0 / 720.0), 1.0 / (angle * angle) - 0.5 * cotangent / angle)
    return scale * x, scale * y, scale * z, c
