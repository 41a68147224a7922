"""Compiled: the numbers that goals are given, checked and made ready once for each solve."""

from __future__ import annotations

import math

from posable.goals.columns import FORM, OFFSET
from posable.goals.terms import CAPSULE, FRAME, NOWHERE, WXYZ
from posable.spatial.compile import inner_kernel
from posable.spatial.kernels import turn_of_wxyz

FINE, NOT_FINITE, NOT_RIGID, NO_CAPSULE = range(4)
_LARGEST = 1e15


@inner_kernel
def read_targets(terms, targets, scale, wanted):
    """Fill `wanted [term, 12]`: place in reaches and turn; of a capsule its start, end and radius in reaches. Returns
    (a code, the term that it is about).
    """
    for k in range(terms.shape[0]):
        if terms[k, FORM] == NOWHERE:
            continue
        first = terms[k, OFFSET]
        turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        x, y, z = targets[first], targets[first + 1], targets[first + 2]
        largest = max(abs(x), max(abs(y), abs(z)))
        total = x + y + z
        if terms[k, FORM] == CAPSULE:
            code = _read_capsule(targets, first, scale, wanted, k)
            if code != FINE:
                return code, k
            continue
        if terms[k, FORM] == FRAME:
            for i in range(3, 12):
                total += targets[first + i]
            x, y, z = targets[first + 3], targets[first + 7], targets[first + 11]
            largest = max(abs(x), max(abs(y), abs(z)))
            turn = (
                targets[first], targets[first + 1], targets[first + 2],
                targets[first + 4], targets[first + 5], targets[first + 6],
                targets[first + 8], targets[first + 9], targets[first + 10],
            )  # fmt: skip
            if total - total == 0.0 and not is_rotation(turn):
                return NOT_RIGID, k
        elif terms[k, FORM] == WXYZ:
            w, a, b, c = x, y, z, targets[first + 3]
            size = math.sqrt(w * w + a * a + b * b + c * c)
            total += c
            if size < 1e-9:
                return NOT_RIGID, k
            turn = turn_of_wxyz(w / size, a / size, b / size, c / size)
            x, y, z = 0.0, 0.0, 0.0
        if not (total - total == 0.0 and largest <= _LARGEST):
            return NOT_FINITE, k
        wanted[k, 0], wanted[k, 1], wanted[k, 2] = scale * x, scale * y, scale * z
        for i in range(9):
            wanted[k, 3 + i] = turn[i]
    return FINE, 0


@inner_kernel
def is_rotation(r):
    """Whether nine numbers are a rotation to 1e-6."""
    off = abs(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] - 1.0)
    off = max(off, abs(r[3] * r[3] + r[4] * r[4] + r[5] * r[5] - 1.0))
    off = max(off, abs(r[0] * r[3] + r[1] * r[4] + r[2] * r[5]))
    off = max(off, abs(r[6] - (r[1] * r[5] - r[2] * r[4])))
    off = max(off, abs(r[7] - (r[2] * r[3] - r[0] * r[5])))
    off = max(off, abs(r[8] - (r[0] * r[4] - r[1] * r[3])))
    return off <= 1e-6


@inner_kernel
def _read_capsule(targets, first, scale, wanted, k):
    """Start, end and radius in reaches; a code."""
    for i in range(7):
        if not abs(targets[first + i]) <= _LARGEST:
            return NOT_FINITE
        wanted[k, i] = scale * targets[first + i]
    return FINE if targets[first + 6] > 0.0 else NO_CAPSULE
