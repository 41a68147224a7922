"""Turns of many frames at once, in the figure's own directions: x to the left, y up, z forward."""

from __future__ import annotations

import numpy as np

from posable.spatial import Array, normalized
from posable.spatial.curves import smoothstep


def about_x(angle: Array) -> Array:
    """Quaternions `[..., 4]`; positive tips what is upright forward."""
    zero = np.zeros_like(angle)
    return np.stack([np.cos(angle / 2), np.sin(angle / 2), zero, zero], axis=-1)


def about_up(angle: Array) -> Array:
    """Quaternions `[..., 4]`; positive turns to the left."""
    zero = np.zeros_like(angle)
    return np.stack([np.cos(angle / 2), zero, np.sin(angle / 2), zero], axis=-1)


def about_z(angle: Array) -> Array:
    """Quaternions `[..., 4]`; positive lifts the left side."""
    zero = np.zeros_like(angle)
    return np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=-1)


def about_axis(axis: Array, angle: Array) -> Array:
    """Quaternions `[..., 4]` of turns by `angle [...]` about one unit axis."""
    return np.concatenate([np.cos(angle / 2)[..., None], np.sin(angle / 2)[..., None] * axis], axis=-1)


def multiply(left: Array, right: Array) -> Array:
    """The product `[..., 4]`: first right, then left."""
    lw, lx, ly, lz = left[..., 0], left[..., 1], left[..., 2], left[..., 3]
    rw, rx, ry, rz = right[..., 0], right[..., 1], right[..., 2], right[..., 3]
    out = np.empty(np.broadcast_shapes(left.shape, right.shape))
    out[..., 0] = lw * rw - lx * rx - ly * ry - lz * rz
    out[..., 1] = lw * rx + lx * rw + ly * rz - lz * ry
    out[..., 2] = lw * ry - lx * rz + ly * rw + lz * rx
    out[..., 3] = lw * rz + lx * ry - ly * rx + lz * rw
    return out


def inverse(turn: Array) -> Array:
    """The inverse of unit quaternions."""
    return turn * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(turn: Array, vector: Array) -> Array:
    """Vectors `[..., 3]` turned by quaternions `[..., 4]`: v + 2 w (u × v) + 2 u × (u × v)."""
    w, u = turn[..., :1], turn[..., 1:]
    once = 2 * cross(u, vector)
    return vector + w * once + cross(u, once)


def cross(a: Array, b: Array) -> Array:
    """a × b over leading axes, without the cost of np.cross."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def dot(a: Array, b: Array) -> Array:
    """Scalar products over the last axis."""
    return np.einsum("...i,...i->...", a, b)


def tilted(normal: Array) -> Array:
    """The smallest turn `[..., 4]` from straight up to `normal [..., 3]`, which points up."""
    unit = normalized(normal)
    half = np.stack([1 + unit[..., 1], unit[..., 2], np.zeros(unit.shape[:-1]), -unit[..., 0]], axis=-1)
    return normalized(half)


def ramp(x: Array, low: float, high: float) -> Array:
    """0 below `low`, 1 above `high`, with no jump in speed."""
    return smoothstep((x - low) / (high - low))


def ramp_sum(x: Array, low: float, high: float) -> Array:
    """The integral of `ramp`."""
    size = high - low
    t = np.clip((x - low) / size, 0.0, 1.0)
    return size * (t**3 - t**4 / 2) + np.maximum(x - high, 0.0)
