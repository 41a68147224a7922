"""Branches of an arm with three parallel axes in a row, which do not change heights along them (Elias, Wen 2022)."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel
from posable.solvers.closed.equations import (
    ALIGNED,
    NEARLY_ALIGNED,
    last_angle,
    middle_angle,
    middle_direction,
    on_circle,
    turn_between,
    turned_back,
)
from posable.solvers.closed.links import (
    COS_ALPHA,
    JOINT,
    JOINTS,
    SIN_ALPHA,
    A,
    D,
    note,
)

_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH = (JOINTS + JOINT * k for k in range(5))


@inner_kernel
def later_parallel_branches(arm, target, start, candidates):
    """The second to fourth axes are parallel, the last two meet: fill `candidates`; returns their number.

    The height of the meeting point along the parallel axes depends on the first angle alone.
    """
    x, y, z = target[9], target[10], target[11]
    ca, sa = arm[_FIRST + COS_ALPHA], arm[_FIRST + SIN_ALPHA]
    height = arm[_FOURTH + D] + arm[_FIFTH + D] * arm[_FOURTH + COS_ALPHA] - ca * z
    found, c1, s1, c_other, s_other = on_circle(-sa * y, sa * x, height)
    if x * x + y * y < ALIGNED * ALIGNED and abs(height) < ALIGNED:
        found = 1
        c1, s1 = start[0], start[1]
    count = np.int64(0)
    for k in range(found):
        if k == 1:
            c1, s1 = c_other, s_other
        n = turned_back(target[:9], c1, s1, ca, sa)
        px, py = c1 * x + s1 * y - arm[_FIRST + A], ca * (c1 * y - s1 * x) + sa * z
        solutions, c5, s5 = middle_angle(n[8], arm, 3)
        for _ in range(solutions):
            vx, vy = middle_direction(c5, s5, arm, 3)
            c, s, determined = turn_between(vx, vy, n[2], n[5])
            if determined:
                c6, s6 = last_angle(n, c, s, c5, s5, arm, 3)
                count = _bend(arm, start, px, py, c, s, c1, s1, c5, s5, c6, s6, candidates, count)
            if vx * vx + vy * vy < NEARLY_ALIGNED * NEARLY_ALIGNED:
                count = _aligned(arm, start, n, px, py, c1, s1, c5, s5, candidates, count)
            s5 = -s5
    return count


@inner_kernel
def _aligned(arm, start, n, px, py, c1, s1, c5, s5, candidates, count):
    """The sixth axis is parallel to the others too, and its angle free: the start's, or else one that brings the
    fourth axis to the middle of what the second and third joint reach.
    """
    c6, s6 = start[10], start[11]
    fx, fy = c6 * n[0] - s6 * n[1], c6 * n[3] - s6 * n[4]
    c, s, _ = turn_between(c5, arm[_FOURTH + COS_ALPHA] * s5, fx, fy)
    before = count
    count = _bend(arm, start, px, py, c, s, c1, s1, c5, s5, c6, s6, candidates, count)
    if count > before:
        return count
    mx, my = arm[_FOURTH + A], -arm[_FOURTH + SIN_ALPHA] * arm[_FIFTH + D]
    square, own = px * px + py * py, mx * mx + my * my
    nearest, farthest = abs(arm[_SECOND + A] - arm[_THIRD + A]), arm[_SECOND + A] + arm[_THIRD + A]
    spread = 2.0 * math.sqrt(square * own)
    low, high = max(nearest * nearest, square + own - spread), min(farthest * farthest, square + own + spread)
    found, c, s, c_other, s_other = on_circle(
        px * mx + py * my, py * mx - px * my, 0.5 * (square + own - 0.5 * (low + high))
    )
    for k in range(found):
        if k == 1:
            c, s = c_other, s_other
        c6, s6 = last_angle(n, c, s, c5, s5, arm, 3)
        count = _bend(arm, start, px, py, c, s, c1, s1, c5, s5, c6, s6, candidates, count)
    return count


@inner_kernel
def _bend(arm, start, px, py, c, s, c1, s1, c5, s5, c6, s6, candidates, count):
    """The branches with these angles, of which (c, s) is the sum of the three parallel ones."""
    mx, my = arm[_FOURTH + A], -arm[_FOURTH + SIN_ALPHA] * arm[_FIFTH + D]
    px, py = px - c * mx + s * my, py - s * mx - c * my
    found, ca, sa = elbow(arm[_SECOND + A], arm[_THIRD + A], px, py)
    for _ in range(found):
        cb, sb, determined = turn_between(arm[_SECOND + A] + arm[_THIRD + A] * ca, arm[_THIRD + A] * sa, px, py)
        if not determined:
            cb, sb = start[2], start[3]
        cd, sd = rest_of_sum(c, s, ca, sa, cb, sb)
        count = note(candidates, count, c1, s1, cb, sb, ca, sa, cd, sd, c5, s5, c6, s6)
        sa = -sa
    return count


@inner_kernel
def elbow(first, second, px, py):
    """(number of solutions, cosine, sine ≥ 0) of the bend between two bones of these lengths that end at (px, py)."""
    c = (px * px + py * py - first * first - second * second) / (2.0 * first * second)
    if not abs(c) <= 1.0 + 1e-6:
        return 0, 0.0, 0.0
    s = math.sqrt(max(0.0, (1.0 - c) * (1.0 + c)))
    return 2 if s > ALIGNED else 1, c if s > 0.0 else math.copysign(1.0, c), s


@inner_kernel
def rest_of_sum(c, s, ca, sa, cb, sb):
    """(cosine, sine) of the third angle, given the sum of three and the other two."""
    c, s = c * ca + s * sa, s * ca - c * sa
    return c * cb + s * sb, s * cb - c * sb


@inner_kernel
def early_parallel_branches(arm, target, start, candidates):
    """The first three axes are parallel, the last two meet: fill `candidates`; returns their number.

    The height of the meeting point along the parallel axes determines the fourth angle, their direction the last two.
    """
    ca, sa = arm[_THIRD + COS_ALPHA], arm[_THIRD + SIN_ALPHA]
    cb, sb = arm[_FOURTH + COS_ALPHA], arm[_FOURTH + SIN_ALPHA]
    cd, sd = arm[_FIFTH + COS_ALPHA], arm[_FIFTH + SIN_ALPHA]
    mx, my, mz = arm[_FOURTH + A], -sb * arm[_FIFTH + D], arm[_FOURTH + D] + cb * arm[_FIFTH + D]
    found, c4, s4, c_other, s_other = on_circle(sa * my, sa * mx, target[11] - arm[_THIRD + D] - ca * mz)
    count = np.int64(0)
    for k in range(found):
        if k == 1:
            c4, s4 = c_other, s_other
        wx, wy, wz = s4 * sa, cb * c4 * sa + sb * ca, cb * ca - sb * c4 * sa
        solutions, c5, s5, c5_other, s5_other = on_circle(-sd * wy, sd * wx, target[8] - cd * wz)
        for m in range(solutions):
            if m == 1:
                c5, s5 = c5_other, s5_other
            ty = c5 * wy - s5 * wx
            c6, s6, determined = turn_between(target[6], target[7], c5 * wx + s5 * wy, cd * ty + sd * wz)
            if not determined:
                c6, s6 = start[10], start[11]
            count = _bend_early(arm, target, start, c4, s4, c5, s5, c6, s6, candidates, count)
    return count


@inner_kernel
def early_parallel_branches_fourth(arm, target, start, candidates):
    """The same where the fourth and fifth axes meet: the height gives the sixth angle, the direction the other two."""
    ca, sa = arm[_THIRD + COS_ALPHA], arm[_THIRD + SIN_ALPHA]
    cb, sb = arm[_FOURTH + COS_ALPHA], arm[_FOURTH + SIN_ALPHA]
    cd, sd = arm[_FIFTH + COS_ALPHA], arm[_FIFTH + SIN_ALPHA]
    nx, ny, nz = -arm[_FIFTH + A], -sd * arm[_FIFTH + D], -cd * arm[_FIFTH + D]
    rx, ry, rz = target[6], target[7], target[8]
    height = arm[_THIRD + D] + ca * arm[_FOURTH + D] - target[11] - rz * nz
    found, c6, s6, c_other, s_other = on_circle(rx * nx + ry * ny, rx * ny - ry * nx, height)
    count = np.int64(0)
    for k in range(found):
        if k == 1:
            c6, s6 = c_other, s_other
        # the direction of the parallel axes, in the fifth link before and after its rotation
        qx, qy = c6 * rx - s6 * ry, s6 * rx + c6 * ry
        qy, qz = cd * qy - sd * rz, sd * qy + cd * rz
        c4 = (cb * ca - qz) / (sb * sa)
        if abs(c4) <= 1.0 + 1e-6:
            s4 = math.sqrt(max(0.0, (1.0 - c4) * (1.0 + c4)))
            for _ in range(2 if s4 > ALIGNED else 1):
                c5, s5, determined = turn_between(qx, qy, s4 * sa, cb * c4 * sa + sb * ca)
                if not determined:
                    c5, s5 = start[8], start[9]
                count = _bend_early(arm, target, start, c4, s4, c5, s5, c6, s6, candidates, count)
                s4 = -s4
    return count


@inner_kernel
def _bend_early(arm, target, start, c4, s4, c5, s5, c6, s6, candidates, count):
    """The branches with these last three angles."""
    n = target[:9]  # the target's rotation without those of the last three joints: Z(sum of the first three)
    ca, sa = arm[_THIRD + COS_ALPHA], arm[_THIRD + SIN_ALPHA]
    cb, sb = arm[_FOURTH + COS_ALPHA], arm[_FOURTH + SIN_ALPHA]
    cd, sd = arm[_FIFTH + COS_ALPHA], arm[_FIFTH + SIN_ALPHA]
    # x and y of the last frame, seen from the third: the one that lies more across the axes settles the sum
    bx, by, bz = _seen_from_third(c6, s6, 0.0, c5, s5, cd, sd, c4, s4, cb, sb, ca, sa)
    fx, fy, fz = _seen_from_third(-s6, c6, 0.0, c5, s5, cd, sd, c4, s4, cb, sb, ca, sa)
    if abs(bz) < abs(fz):
        c, s, _ = turn_between(bx, by, n[0], n[3])
    else:
        c, s, _ = turn_between(fx, fy, n[1], n[4])
    mx, my, mz = arm[_FOURTH + A], -sb * arm[_FIFTH + D], arm[_FOURTH + D] + cb * arm[_FIFTH + D]
    # the fifth origin may lie off the fourth link's end by the fifth's own a
    ox, oy, oz = _fifth_offset(arm[_FIFTH + A], c5, s5, cb, sb)
    mx, my, mz = mx + ox, my + oy, mz + oz
    gx, gy = c4 * mx - s4 * my, s4 * mx + c4 * my
    gx, gy = arm[_THIRD + A] + gx, ca * gy - sa * mz
    px, py = target[9] - c * gx + s * gy, target[10] - s * gx - c * gy
    found, cx, sx = elbow(arm[_FIRST + A], arm[_SECOND + A], px, py)
    for _ in range(found):
        cy, sy, determined = turn_between(arm[_FIRST + A] + arm[_SECOND + A] * cx, arm[_SECOND + A] * sx, px, py)
        if not determined:
            cy, sy = start[0], start[1]
        cz, sz = rest_of_sum(c, s, cx, sx, cy, sy)
        count = note(candidates, count, cy, sy, cx, sx, cz, sz, c4, s4, c5, s5, c6, s6)
        sx = -sx
    return count


@inner_kernel
def _fifth_offset(a, c5, s5, cb, sb):
    """X(α₄) Z(5) (a, 0, 0)."""
    return a * c5, cb * a * s5, sb * a * s5


@inner_kernel
def _seen_from_third(x, y, z, c5, s5, cd, sd, c4, s4, cb, sb, ca, sa):
    """X(α₃) Z(4) X(α₄) Z(5) X(α₅) of a vector."""
    y, z = cd * y - sd * z, sd * y + cd * z
    x, y = c5 * x - s5 * y, s5 * x + c5 * y
    y, z = cb * y - sb * z, sb * y + cb * z
    x, y = c4 * x - s4 * y, s4 * x + c4 * y
    return x, ca * y - sa * z, sa * y + ca * z
