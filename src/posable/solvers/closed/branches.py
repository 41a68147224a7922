"""All branches of an arm, compiled: one of them for other kernels, one over a batch for Python."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel, lean_kernel, shared_kernel
from posable.compiled.simd_batch import sine_cosine
from posable.compiled.views import window
from posable.goals.term_arrays import FINE, NOT_FINITE, NOT_RIGID, is_rotation
from posable.solvers.closed.links import (
    CANDIDATES,
    COORDINATE,
    COS_ALPHA,
    COS_BETA,
    FAMILY,
    FIRST_TO_THIRD_PARALLEL,
    FIRST_TO_THIRD_PARALLEL_EARLY,
    JOINT,
    JOINTS,
    LEFT,
    LOWER,
    MIRRORED,
    ONE_OVER_SIZE,
    POLISHING,
    RIGHT,
    SCRATCH,
    SECOND_TO_FOURTH_PARALLEL,
    SHIFT,
    SIGN,
    SIN_ALPHA,
    SIN_BETA,
    UPPER,
    A,
    D,
    note_start,
)
from posable.solvers.closed.parallel import (
    early_parallel_branches,
    early_parallel_branches_fourth,
    later_parallel_branches,
)
from posable.solvers.closed.spherical import spherical_branches
from posable.spatial.kernels import cross, multiply_rotations, rotate, rotate_back

# What becomes of a branch: compared with the target, polished, brought into the limits, sorted in.


_EXACT = 4e-14  # a residual that is rounding, in sizes of the arm and in radians
_ENOUGH = 1e-9  # a larger residual is not a solution
_SAME = 1e-6  # branches nearer than this are the same
_ROUNDING = 1e-10  # radians: an angle this near to a limit is inside
_DAMPING = 1e-15
_POLISHES = 4
_TURN = 2.0 * math.pi


@inner_kernel
def link_turned(r, x, y, z, c, s, arm, j):
    """The frame (r, x, y, z) after the rotation (cosine, sine) and the link of the joint whose numbers begin at `j`."""
    ax, ay, az = c * r[0] + s * r[1], c * r[3] + s * r[4], c * r[6] + s * r[7]
    bx, by, bz = c * r[1] - s * r[0], c * r[4] - s * r[3], c * r[7] - s * r[6]
    a, d, ca, sa = arm[j + A], arm[j + D], arm[j + COS_ALPHA], arm[j + SIN_ALPHA]
    x, y, z = x + d * r[2] + a * ax, y + d * r[5] + a * ay, z + d * r[8] + a * az
    bx, by, bz, cx, cy, cz = (
        ca * bx + sa * r[2], ca * by + sa * r[5], ca * bz + sa * r[8],
        ca * r[2] - sa * bx, ca * r[5] - sa * by, ca * r[8] - sa * bz,
    )  # fmt: skip
    cb, sb = arm[j + COS_BETA], arm[j + SIN_BETA]
    return (
        (cb * ax - sb * cx, bx, cb * cx + sb * ax, cb * ay - sb * cy, by, cb * cy + sb * ay, cb * az - sb * cz, bz,
         cb * cz + sb * az),
        x, y, z,
    )  # fmt: skip


@inner_kernel
def _missed(r, x, y, z, target):
    """The largest difference between the numbers of a frame and those of the target."""
    most = max(abs(x - target[9]), abs(y - target[10]), abs(z - target[11]))
    for k in range(9):
        most = max(most, abs(r[k] - target[k]))
    return most


@inner_kernel
def _polish(arm, target, row, free):
    """Newton's steps on the coordinates in `row`, damped where the arm is singular; returns the residual."""
    axes, matrix = window(free, 0, (6, 6)), window(free, 36, (6, 6))
    step, best = window(free, 72, (6,)), window(free, 78, (6,))
    least = np.inf
    for _ in range(_POLISHES + 1):
        r, x, y, z = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), 0.0, 0.0, 0.0
        for k in range(6):
            j = JOINTS + JOINT * k
            axes[k, 0], axes[k, 1], axes[k, 2] = r[2], r[5], r[8]
            axes[k, 3], axes[k, 4], axes[k, 5] = x, y, z
            s, c = sine_cosine(arm[j + SIGN] * (row[int(arm[j + COORDINATE])] - arm[j + SHIFT]))
            r, x, y, z = link_turned(r, x, y, z, c, s, arm, j)
        missed = _missed(r, x, y, z, target)
        if not missed < least:
            break
        least = missed
        for k in range(6):
            best[k] = row[int(arm[JOINTS + JOINT * k + COORDINATE])]
        if missed <= _EXACT:
            break
        _newton_step(axes, matrix, step, r, x, y, z, target)
        for k in range(6):
            j = JOINTS + JOINT * k
            row[int(arm[j + COORDINATE])] += arm[j + SIGN] * step[k]
    for k in range(6):
        row[int(arm[JOINTS + JOINT * k + COORDINATE])] = best[k]
    return least


@inner_kernel
def _newton_step(axes, matrix, step, r, x, y, z, target):
    """The step of the six angles that takes the frame to the target: (JᵀJ + damping) step = Jᵀ residual."""
    tx, ty, tz = target[9] - x, target[10] - y, target[11] - z
    wx, wy, wz = 0.0, 0.0, 0.0
    for k in range(3):
        ex, ey, ez = cross(r[k], r[3 + k], r[6 + k], target[k], target[3 + k], target[6 + k])
        wx, wy, wz = wx + 0.5 * ex, wy + 0.5 * ey, wz + 0.5 * ez
    for k in range(6):  # the axes become the columns of the Jacobian: angular, then linear at the end's origin
        axes[k, 3], axes[k, 4], axes[k, 5] = cross(
            axes[k, 0], axes[k, 1], axes[k, 2], x - axes[k, 3], y - axes[k, 4], z - axes[k, 5]
        )
    for k in range(6):
        for m in range(k + 1):
            total = _DAMPING if k == m else 0.0
            for i in range(6):
                total += axes[k, i] * axes[m, i]
            matrix[k, m] = total
        step[k] = (
            axes[k, 0] * wx + axes[k, 1] * wy + axes[k, 2] * wz + axes[k, 3] * tx + axes[k, 4] * ty + axes[k, 5] * tz
        )
    for k in range(6):  # Cholesky, and forward
        for m in range(k + 1):
            total = matrix[k, m]
            for i in range(m):
                total -= matrix[k, i] * matrix[m, i]
            matrix[k, m] = math.sqrt(max(total, _DAMPING)) if k == m else total / matrix[m, m]
        for m in range(k):
            step[k] -= matrix[k, m] * step[m]
        step[k] /= matrix[k, k]
    for k in range(5, -1, -1):
        for m in range(k + 1, 6):
            step[k] -= matrix[m, k] * step[m]
        step[k] /= matrix[k, k]


@inner_kernel
def nearest_turn(angle, start, lower, upper):
    """(the angle modulo 2π that is within the limits and nearest to `start`, whether it exists)."""
    angle += _TURN * math.floor((start - angle) / _TURN + 0.5)
    if angle < lower - _ROUNDING:
        angle += _TURN * math.ceil((lower - _ROUNDING - angle) / _TURN)
    elif angle > upper + _ROUNDING:
        angle -= _TURN * math.ceil((angle - upper - _ROUNDING) / _TURN)
    inside = lower - _ROUNDING <= angle <= upper + _ROUNDING
    return min(max(angle, lower), upper), inside


@inner_kernel
def _far(arm, start_q, row):
    """The squared distance from the start over the six angles."""
    total = 0.0
    for k in range(6):
        i = int(arm[JOINTS + JOINT * k + COORDINATE])
        total += (row[i] - start_q[i]) ** 2
    return total


@inner_kernel
def keep(arm, cosines_sines, target, start_q, out, count, free):
    """Put the branch of these six link angles into `out`, nearest to the start first; the new count of branches.

    It is left out if it misses the target, lies outside the limits or is already in `out`.
    """
    r, x, y, z = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), 0.0, 0.0, 0.0
    row = out[count]
    for k in range(6):
        j = JOINTS + JOINT * k
        c, s = cosines_sines[2 * k], cosines_sines[2 * k + 1]
        r, x, y, z = link_turned(r, x, y, z, c, s, arm, j)
        row[int(arm[j + COORDINATE])] = arm[j + SIGN] * math.atan2(s, c) + arm[j + SHIFT]
    missed = _missed(r, x, y, z, target)
    if not missed <= _EXACT:
        missed = _polish(arm, target, row, free)
    if not missed <= _ENOUGH:
        return count
    for k in range(6):
        j = JOINTS + JOINT * k
        i = int(arm[j + COORDINATE])
        row[i], inside = nearest_turn(row[i], start_q[i], arm[j + LOWER], arm[j + UPPER])
        if not inside:
            return count
    for b in range(count):
        if _alike(arm, out[b], row):
            return count
    far = _far(arm, start_q, row)
    place = count
    while place > 0 and far < _far(arm, start_q, out[place - 1]):
        for k in range(6):
            i = int(arm[JOINTS + JOINT * k + COORDINATE])
            out[place, i], out[place - 1, i] = out[place - 1, i], out[place, i]
        place -= 1
    return count + 1


@inner_kernel
def _alike(arm, one, other):
    """Whether two branches are the same modulo 2π."""
    for k in range(6):
        i = int(arm[JOINTS + JOINT * k + COORDINATE])
        apart = one[i] - other[i]
        if abs(apart - _TURN * math.floor(apart / _TURN + 0.5)) > _SAME:
            return False
    return True


@inner_kernel
def _transform_at(arm, first):
    return (
        (arm[first], arm[first + 1], arm[first + 2], arm[first + 3], arm[first + 4], arm[first + 5], arm[first + 6],
         arm[first + 7], arm[first + 8]),
        arm[first + 9], arm[first + 10], arm[first + 11],
    )  # fmt: skip


@inner_kernel
def _inside(arm, r, x, y, z):
    """The target as the families take it: twelve numbers, from the frame of the first axis to that of the last."""
    size = arm[ONE_OVER_SIZE]
    x, y, z = x * size, y * size, z * size
    if arm[MIRRORED] != 0.0:
        x, y, z = rotate_back(r, -x, -y, -z)
        r = (r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8])
    right, rx, ry, rz = _transform_at(arm, RIGHT)
    rx, ry, rz = rotate(r, rx, ry, rz)
    x, y, z = x + rx, y + ry, z + rz
    r = multiply_rotations(r, right)
    left, lx, ly, lz = _transform_at(arm, LEFT)
    x, y, z = rotate(left, x, y, z)
    return (*multiply_rotations(left, r), lx + x, ly + y, lz + z)


@inner_kernel
def closed_branches(arm, turn, x, y, z, start_q, out, scratch):
    """All poses within the limits that bring the end of `arm` to a rotation (nine numbers) and a position in its base.

    Fills rows of `out [8 or more, coordinates]`, the nearest to `start_q [coordinates]` first, and returns how many.
    Only the six coordinates of the arm are written in these rows (and in the one after them); the others must be set.
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
    """One Newton step towards the nearest rotation, R (3 − RᵀR) / 2: for numbers of single precision."""
    g = multiply_rotations((r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]), r)
    half = (
        1.5 - 0.5 * g[0], -0.5 * g[1], -0.5 * g[2], -0.5 * g[3], 1.5 - 0.5 * g[4], -0.5 * g[5], -0.5 * g[6],
        -0.5 * g[7], 1.5 - 0.5 * g[8],
    )  # fmt: skip
    return multiply_rotations(r, half)


@shared_kernel
def _branches_of(arm, m, start_q, out, scratch):
    """As `branch_one`: the part that is compiled once."""
    total = 0.0
    for a in range(4):
        for b in range(4):
            total += m[a, b]
    if not abs(total) < np.inf:  # NaN included
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
    NaN. scratch: `[SCRATCH]`. Returns (FINE, or a code of the target's fault (`goals.targets`), the count).
    """
    return _branches_of(arm, base_from_end, start_q, out, scratch)


@kernel
def branch_rows(arm, base_from_end, start_q, out, count):
    """As `branch_one`, for rows of all; returns FINE, or a code of a target's fault."""
    scratch = np.empty(SCRATCH)
    for i in range(out.shape[0]):
        code, count[i] = _branches_of(arm, base_from_end[i], start_q[i], out[i], scratch)
        if code != FINE:
            return code
    return FINE
