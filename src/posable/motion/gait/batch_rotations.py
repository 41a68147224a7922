"""Rotations of many frames at once, in the figure's own axes: x to the left, y up, z forward."""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import lean_kernel
from posable.spatial import Array, normalized
from posable.spatial.curves import smoothstep
from posable.spatial.kernels import cross as cross_numbers
from posable.spatial.kernels import multiply_wxyz


def about_x(angle: Array) -> Array:
    """Quaternions `[..., 4]` about x; positive tips forward."""
    return _about(angle, 1)


def about_up(angle: Array) -> Array:
    """Quaternions `[..., 4]` about y; positive rotates to the left."""
    return _about(angle, 2)


def about_z(angle: Array) -> Array:
    """Quaternions `[..., 4]` about z; positive raises the left side."""
    return _about(angle, 3)


def _about(angle: Array, axis: int) -> Array:
    half = np.asarray(angle) / 2
    out = np.zeros((*half.shape, 4))
    out[..., 0], out[..., axis] = np.cos(half), np.sin(half)
    return out


def about_axis(axis: Array, angle: Array) -> Array:
    """Quaternions `[..., 4]` of rotations by `angle [...]` about a unit axis."""
    half = np.asarray(angle) / 2
    out = np.empty((*half.shape, 4))
    out[..., 0], out[..., 1:] = np.cos(half), np.sin(half)[..., None] * axis
    return out


def multiply(left: Array, right: Array) -> Array:
    """The product `[..., 4]`: `right` first, then `left`."""
    left, right, out = _rows(left, right, 4)
    _multiply(left, right, out.reshape(-1, 4))
    return out


def inverse(rotation: Array) -> Array:
    """The inverse of unit quaternions."""
    return rotation * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(rotation: Array, vector: Array) -> Array:
    """Vectors `[..., 3]` rotated by quaternions `[..., 4]`: v + 2 w (u × v) + 2 u × (u × v)."""
    rotation, vector, out = _rows(rotation, vector, 3)
    _rotate(rotation, vector, out.reshape(-1, 3))
    return out


def cross(a: Array, b: Array) -> Array:
    """a × b over leading axes, without the cost of np.cross."""
    a, b, out = _rows(a, b, 3)
    _cross(a, b, out.reshape(-1, 3))
    return out


def _rows(a: Array, b: Array, size: int) -> tuple[Array, Array, Array]:
    """Both operands as rows, one row or as many as the result has, and the array of the result `[..., size]`."""
    if a.ndim > 2 or b.ndim > 2:
        leading = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
        a, b = np.broadcast_to(a, (*leading, a.shape[-1])), np.broadcast_to(b, (*leading, b.shape[-1]))
    leading = b.shape[:-1] if a.ndim == 1 or (b.ndim == 2 and len(a) == 1) else a.shape[:-1]
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1]), np.empty((*leading, size))


@lean_kernel
def _multiply(left, right, out):
    for k in range(len(out)):
        a, b = left[k % len(left)], right[k % len(right)]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = multiply_wxyz(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


@lean_kernel
def _rotate(rotation, vector, out):
    for k in range(len(out)):
        u, v = rotation[k % len(rotation)], vector[k % len(vector)]
        x, y, z = cross_numbers(u[1], u[2], u[3], v[0], v[1], v[2])
        x, y, z = 2.0 * x, 2.0 * y, 2.0 * z
        across = cross_numbers(u[1], u[2], u[3], x, y, z)
        out[k, 0], out[k, 1], out[k, 2] = (
            v[0] + u[0] * x + across[0],
            v[1] + u[0] * y + across[1],
            v[2] + u[0] * z + across[2],
        )


@lean_kernel
def _cross(a, b, out):
    for k in range(len(out)):
        u, v = a[k % len(a)], b[k % len(b)]
        out[k, 0], out[k, 1], out[k, 2] = cross_numbers(u[0], u[1], u[2], v[0], v[1], v[2])


def dot(a: Array, b: Array) -> Array:
    """Scalar products over the last axis."""
    return np.einsum("...i,...i->...", a, b)


def tilted(normal: Array) -> Array:
    """The smallest rotation `[..., 4]` from straight up to `normal [..., 3]`, which points up."""
    unit = normalized(normal)
    half = np.stack([1 + unit[..., 1], unit[..., 2], np.zeros(unit.shape[:-1]), -unit[..., 0]], axis=-1)
    return normalized(half)


def ramp(x: Array, low: float, high: float) -> Array:
    """0 below `low`, 1 above `high`, with continuous speed."""
    return smoothstep((x - low) / (high - low))


def ramp_sum(x: Array, low: float, high: float) -> Array:
    """The integral of `ramp`."""
    size = high - low
    t = np.clip((x - low) / size, 0.0, 1.0)
    return size * (t**3 - t**4 / 2) + np.maximum(x - high, 0.0)
