"""Compiled: the network of natural poses, of what is known and of its mirror image at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, steady_kernel

MIRRORED = 2
"""How many rows of what the network is given there are; as many are mirrored, behind them."""
_LEAK = 0.1

Weights = NDArray[np.float32]


@steady_kernel
def _layer(weights, biases, x, y, bends):
    """y = weights x + biases of each row; where it bends, what is negative counts a tenth.

    In single precision a pose would be off by 1e-6 where products are fused with sums, which not every machine can.
    Four inputs at a time, in this order: each y is read and written a quarter as often, and compilers make vectors.
    All rows at once, as reading the weights takes most of the time: four take half as long again as two.
    """
    for row in range(4):
        for i in range(y.shape[1]):
            y[row, i] = biases[i]
    whole = x.shape[1] - x.shape[1] % 4
    for k in range(0, whole, 4):
        if _says_something(x, k):
            w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
            a0, a1, a2, a3 = x[0, k], x[0, k + 1], x[0, k + 2], x[0, k + 3]
            b0, b1, b2, b3 = x[1, k], x[1, k + 1], x[1, k + 2], x[1, k + 3]
            c0, c1, c2, c3 = x[2, k], x[2, k + 1], x[2, k + 2], x[2, k + 3]
            d0, d1, d2, d3 = x[3, k], x[3, k + 1], x[3, k + 2], x[3, k + 3]
            a, b, c, d = y[0], y[1], y[2], y[3]
            for i in range(a.shape[0]):
                p, q, r, s = w0[i], w1[i], w2[i], w3[i]
                a[i] = (((a[i] + a0 * p) + a1 * q) + a2 * r) + a3 * s
                b[i] = (((b[i] + b0 * p) + b1 * q) + b2 * r) + b3 * s
                c[i] = (((c[i] + c0 * p) + c1 * q) + c2 * r) + c3 * s
                d[i] = (((d[i] + d0 * p) + d1 * q) + d2 * r) + d3 * s
    for k in range(whole, x.shape[1]):
        for row in range(4):
            for i in range(y.shape[1]):
                y[row, i] += x[row, k] * weights[k, i]
    if bends:
        for row in range(4):
            for i in range(y.shape[1]):
                y[row, i] = y[row, i] if y[row, i] > 0.0 else np.float32(_LEAK) * y[row, i]


@inner_kernel
def _says_something(x, k):
    """Whether one of four inputs is not 0 in some row."""
    for row in range(4):
        if x[row, k] != 0.0 or x[row, k + 1] != 0.0 or x[row, k + 2] != 0.0 or x[row, k + 3] != 0.0:
            return True
    return False


@inner_kernel
def run(net, w):
    """The network: `w.x` → `w.y`, all rows."""
    _layer(net.first, net.first_bias, w.x, w.hidden[0], True)
    _layer(net.second, net.second_bias, w.hidden[0], w.hidden[1], True)
    _layer(net.last, net.last_bias, w.hidden[1], w.y, False)


@inner_kernel
def _other_point(slot):
    """The point that a point is where left and right are exchanged: `natural.body.POINTS`."""
    return slot ^ 1 if slot < 4 else slot if slot < 7 else 7 + ((slot - 7) ^ 1)


@inner_kernel
def _other_segment(s):
    """As `_other_point`, of `natural.body.SEGMENTS`."""
    return s if s < 3 else s + 8 if s < 11 else s - 8


@inner_kernel
def _mirror_place(x, at, out, to):
    out[to], out[to + 1], out[to + 2] = -x[at], x[at + 1], x[at + 2]


@inner_kernel
def mirror_told(points, turns, x, out):
    """Fill `out` with what `describe` says of the mirrored figure, of which it says `x`."""
    of_turns = 4 * points
    of_body = of_turns + 7 * turns
    before = x.shape[0] - 3 * points - 1
    for slot in range(points):
        other = _other_point(slot)
        _mirror_place(x, 3 * slot, out, 3 * other)
        _mirror_place(x, before + 3 * slot, out, before + 3 * other)
        out[3 * points + other] = x[3 * points + slot]
    for slot in range(turns):
        other = _other_point(slot)
        _mirror_columns(x, of_turns + 6 * slot, out, of_turns + 6 * other)
        out[of_turns + 6 * turns + other] = x[of_turns + 6 * turns + slot]
    for i in range(of_body, before):
        out[i] = x[i]
    out[x.shape[0] - 1] = x[x.shape[0] - 1]


@inner_kernel
def _mirror_columns(x, at, out, to):
    """The first two columns of a rotation."""
    out[to], out[to + 1], out[to + 2] = x[at], -x[at + 1], -x[at + 2]
    _mirror_place(x, at + 3, out, to + 3)


@inner_kernel
def balance(segments, y, mirrored):
    """Make of an answer and that to the mirrored question the mean of the answer and the mirror image of the other: of
    what is mirrored it is mirrored, and of two hands raised alike the head looks ahead, not 10° aside.
    """
    half = np.float32(0.5)
    for s in range(segments):
        at, other = 6 * s, 6 * _other_segment(s)
        for i in range(6):
            sign = np.float32(1.0 if i == 0 or i > 3 else -1.0)
            y[at + i] = half * (y[at + i] + sign * mirrored[other + i])
    for i in range(3):
        at = 6 * segments + i
        y[at] = half * (y[at] + np.float32(1.0 if i else -1.0) * mirrored[at])
