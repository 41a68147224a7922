"""All branches of an arm, compiled: one of them for other kernels, one over a batch for Python."""

from __future__ import annotations

import numpy as np

from posable.goals.targets import FINE, NOT_FINITE, NOT_RIGID, is_rotation
from posable.solvers.closed.candidates import note_start
from posable.solvers.closed.keeping import keep
from posable.solvers.closed.layout import (
    CANDIDATES,
    FAMILY,
    FIRST_TO_THIRD_PARALLEL,
    FIRST_TO_THIRD_PARALLEL_EARLY,
    LEFT,
    MIRRORED,
    ONE_OVER_SIZE,
    POLISHING,
    RIGHT,
    SCRATCH,
    SECOND_TO_FOURTH_PARALLEL,
)
from posable.solvers.closed.parallel import (
    early_parallel_branches,
    early_parallel_branches_fourth,
    later_parallel_branches,
)
from posable.solvers.closed.spherical import spherical_branches
from posable.spatial.compile import inner_kernel, kernel, lean_kernel, shared_kernel
from posable.spatial.kernels import multiply_turns, rotate, rotate_back
from posable.spatial.windows import window


@inner_kernel
def _transform_at(arm, first):
    return (
        (arm[first], arm[first + 1], arm[first + 2], arm[first + 3], arm[first + 4], arm[first + 5], arm[first + 6],
         arm[first + 7], arm[first + 8]),
        arm[first + 9], arm[first + 10], arm[first + 11],
    )  # fmt: skip


@inner_kernel
def _inside(arm, r, x, y, z):
    """The target as the families want it: twelve numbers, from the frame of the first axis to that of the last."""
    size = arm[ONE_OVER_SIZE]
    x, y, z = x * size, y * size, z * size
    if arm[MIRRORED] != 0.0:
        x, y, z = rotate_back(r, -x, -y, -z)
        r = (r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8])
    right, rx, ry, rz = _transform_at(arm, RIGHT)
    rx, ry, rz = rotate(r, rx, ry, rz)
    x, y, z = x + rx, y + ry, z + rz
    r = multiply_turns(r, right)
    left, lx, ly, lz = _transform_at(arm, LEFT)
    x, y, z = rotate(left, x, y, z)
    return (*multiply_turns(left, r), lx + x, ly + y, lz + z)


@inner_kernel
def closed_branches(arm, turn, x, y, z, start_q, out, scratch):
    """All poses within the limits that bring the end of `arm` to the turn (nine numbers) and place given in its base.

    Fills rows of `out [8 or more, coordinates]`, the nearest to `start_q [coordinates]` first, and returns how many.
    Only the six coordinates of the arm are written in these rows (and in the one after them); the others must be there.
    `scratch [SCRATCH]` may hold anything.
    """
    target = _inside(arm, turn, x, y, z)
    start, candidates = window(scratch, 0, (12,)), window(scratch, 12, (CANDIDATES, 12))
    free = window(scratch, 12 + 12 * CANDIDATES, (POLISHING,))
    note_start(arm, start_q, start)
    family = arm[FAMILY]
    if family == SECOND_TO_FOURTH_PARALLEL:
        found = later_parallel_branches(arm, target, start, candidates)
    elif family == FIRST_TO_THIRD_PARALLEL:
        found = early_parallel_branches(arm, target, start, candidates)
    elif family == FIRST_TO_THIRD_PARALLEL_EARLY:
        found = early_parallel_branches_fourth(arm, target, start, candidates)
    else:
        found = spherical_branches(arm, target, start, candidates, free)
    count = np.int64(0)
    for i in range(found):
        if count < out.shape[0]:
            count = keep(arm, window(scratch, 12 + 12 * i, (12,)), target, start_q, out, count, free)
    return count


@inner_kernel
def _nearer_rotation(r):
    """One Newton step towards the nearest rotation, R (3 − RᵀR) / 2: for numbers that were single precision once."""
    g = multiply_turns((r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]), r)
    half = (
        1.5 - 0.5 * g[0], -0.5 * g[1], -0.5 * g[2], -0.5 * g[3], 1.5 - 0.5 * g[4], -0.5 * g[5], -0.5 * g[6],
        -0.5 * g[7], 1.5 - 0.5 * g[8],
    )  # fmt: skip
    return multiply_turns(r, half)


@shared_kernel
def _branches_of(arm, m, start_q, out, scratch):
    """As `branch_one`: the part that is compiled once."""
    total = 0.0
    for a in range(4):
        for b in range(4):
            total += m[a, b]
    if not abs(total) < np.inf:  # nor for what is no number
        return NOT_FINITE, 0
    turn = (m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2])
    if not is_rotation(turn):
        return NOT_RIGID, 0
    turn = _nearer_rotation(turn)
    for b in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[b, c] = start_q[c]
    count = closed_branches(arm, turn, m[0, 3], m[1, 3], m[2, 3], start_q, out, scratch)
    for b in range(count, out.shape[0]):
        for c in range(out.shape[1]):
            out[b, c] = float("nan")
    return FINE, count


@lean_kernel
def branch_one(arm, base_from_end, start_q, out, scratch):
    """`base_from_end [4, 4]` and `start_q [coordinates]` → `out [8, coordinates]`, of which those past the count are
    not numbers. scratch: `[SCRATCH]`. Returns (FINE, or what is wrong with the target (`goals.targets`), the count).
    """
    return _branches_of(arm, base_from_end, start_q, out, scratch)


@kernel
def branch_rows(arm, base_from_end, start_q, out, count):
    """As `branch_one`, for rows of all; returns FINE, or what is wrong with a target."""
    scratch = np.empty(SCRATCH)
    for i in range(out.shape[0]):
        code, count[i] = _branches_of(arm, base_from_end[i], start_q[i], out[i], scratch)
        if code != FINE:
            return code
    return FINE
