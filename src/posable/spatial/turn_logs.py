"""The rotation vector of a rotation matrix, of one or of several side by side."""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from posable.spatial.compile import inner_kernel
from posable.spatial.kernels import log_of_one_turn
from posable.spatial.lane_masks import angle_of, everywhere, select, square_root
from posable.spatial.lanes import lanes


def log_of_turn(r: Any) -> Any:
    """The rotation vector r of a rotation matrix and c = 1/θ² − cot(θ/2)/(2θ), θ its length 0…π, of which Jr⁻¹(r) is
    made; numbers or lanes. For kernels.
    """
    raise NotImplementedError("only kernels take the logarithm of nine numbers")


@overload(log_of_turn, jit_options={"forceinline": True})
def _log_of_turn(r):
    chosen: Any = _log_of_turns if r.dtype == lanes else log_of_one_turn
    return chosen.py_func


@inner_kernel
def _log_of_turns(r):
    """The formulas of `log_of_one_turn`, both ways worked out and the right one taken."""
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
