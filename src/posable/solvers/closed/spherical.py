"""Branches of an arm whose last three axes meet in one point: first that point, then the rotation (Pieper 1968)."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel
from posable.compiled.views import window
from posable.solvers.closed.equations import (
    ALIGNED,
    NEARLY_ALIGNED,
    last_angle,
    middle_angle,
    middle_direction,
    on_circle,
    quartic_roots,
    turn_between,
    turned_back,
)
from posable.solvers.closed.links import (
    ANY_THREE,
    COS_ALPHA,
    FAMILY,
    FIRST_AND_SECOND_PARALLEL,
    JOINT,
    JOINTS,
    SECOND_AND_THIRD_PARALLEL,
    SIN_ALPHA,
    A,
    D,
    note,
)

_BEYOND = -1e-6  # a square above this counts as zero: a fully stretched limb
_FIRST, _SECOND, _THIRD, _FOURTH = JOINTS, JOINTS + JOINT, JOINTS + 2 * JOINT, JOINTS + 3 * JOINT


@inner_kernel
def _third_link(arm):
    """(u, v, w): the meeting point after the third joint's rotation is (c u − s v, s u + c v, w)."""
    d4 = arm[_FOURTH + D]
    return arm[_THIRD + A], -arm[_THIRD + SIN_ALPHA] * d4, arm[_THIRD + D] + arm[_THIRD + COS_ALPHA] * d4


@inner_kernel
def _seen_from_second(arm, c3, s3):
    """The meeting point g in the frame after the second joint, with that joint at zero."""
    u, v, w = _third_link(arm)
    fy = s3 * u + c3 * v
    if arm[FAMILY] == SECOND_AND_THIRD_PARALLEL:
        return arm[_SECOND + A] + c3 * u - s3 * v, fy, arm[_SECOND + D] + w
    ca, sa = arm[_SECOND + COS_ALPHA], arm[_SECOND + SIN_ALPHA]
    return arm[_SECOND + A] + c3 * u - s3 * v, ca * fy - sa * w, arm[_SECOND + D] + sa * fy + ca * w


@inner_kernel
def _point_equations(arm, x, y, z):
    """|g|² = k[0] + k[1] c + k[2] s and its height k[3] + k[4] c + k[5] s, over the third angle; |point|²."""
    u, v, w = _third_link(arm)
    a, d, ca, sa = arm[_SECOND + A], arm[_SECOND + D], arm[_SECOND + COS_ALPHA], arm[_SECOND + SIN_ALPHA]
    return (
        a * a + d * d + u * u + v * v + w * w + 2.0 * d * ca * w,
        2.0 * (a * u + d * sa * v),
        2.0 * (d * sa * u - a * v),
        d + ca * w,
        sa * v,
        sa * u,
        x * x + y * y + z * z,
    )


@inner_kernel
def spherical_branches(arm, target, start, candidates, free):
    """Fill `candidates`; returns their number. `free` is scratch."""
    places = window(free, 24, (8, 4))
    if arm[FAMILY] == SECOND_AND_THIRD_PARALLEL:
        found = _usual(arm, target, places)
    elif arm[FAMILY] == ANY_THREE:
        found = _general(arm, target, places, free)
    else:
        found = _special(arm, target, places)
    count = np.int64(0)
    for i in range(found):
        count = _turn_wrist(
            arm, target, start, places[i, 0], places[i, 1], places[i, 2], places[i, 3], candidates, count
        )
    return count


@inner_kernel
def _place(places, count, c, s, along, across):
    """Store a third angle and the resulting meeting point on the first link; returns the new count."""
    places[count, 0], places[count, 1], places[count, 2], places[count, 3] = c, s, along, across
    return count + 1


@inner_kernel
def _usual(arm, target, places):
    """The second and third axis are parallel: the height and the distance determine the plane of the second axis."""
    u, v, w = _third_link(arm)
    x, y, z = target[9], target[10], target[11]
    a1, a2 = arm[_FIRST + A], arm[_SECOND + A]
    height = arm[_SECOND + D] + w
    across = (z - arm[_FIRST + COS_ALPHA] * height) / arm[_FIRST + SIN_ALPHA]
    square = x * x + y * y + z * z - height * height - across * across
    if not square >= _BEYOND:
        return 0
    ahead = math.sqrt(max(square, 0.0))
    count = np.int64(0)
    for side in range(2 if ahead > ALIGNED else 1):
        along = (ahead if side == 0 else -ahead) - a1
        left = along * along + across * across - a2 * a2 - u * u - v * v
        found, c, s, c_other, s_other = on_circle(2.0 * a2 * u, -2.0 * a2 * v, left)
        for k in range(found):
            if k == 1:
                c, s = c_other, s_other
            count = _place(places, count, c, s, along, across)
    return count


@inner_kernel
def _special(arm, target, places):
    """The first two axes are parallel (the height determines the third angle), or meet (the distance does)."""
    x, y, z = target[9], target[10], target[11]
    k = _point_equations(arm, x, y, z)
    parallel = arm[FAMILY] == FIRST_AND_SECOND_PARALLEL
    if parallel:
        found, c, s, c_other, s_other = on_circle(k[4], k[5], z - k[3])
    else:
        found, c, s, c_other, s_other = on_circle(k[1], k[2], k[6] - k[0])
    count = np.int64(0)
    for root in range(found):
        if root == 1:
            c, s = c_other, s_other
        gx, gy, gz = _seen_from_second(arm, c, s)
        if parallel:
            a1 = arm[_FIRST + A]
            known = (k[6] - a1 * a1 - gx * gx - gy * gy - gz * gz) / (2.0 * a1)
        else:
            known = (z - arm[_FIRST + COS_ALPHA] * gz) / arm[_FIRST + SIN_ALPHA]
        square = gx * gx + gy * gy - known * known
        if square >= _BEYOND:
            other = math.sqrt(max(square, 0.0))
            for _ in range(2 if other > ALIGNED else 1):
                along, across = (known, other) if parallel else (other, known)
                count = _place(places, count, c, s, along, across)
                other = -other
    return count


@inner_kernel
def _general(arm, target, places, free):
    """Any three axes: a quartic in the tangent of half the third angle, counted from where its equation is largest.

    With X and Y the point seen from the first link: X = (|point|² − a² − |g|²) / 2a, Y = (z − cos α gz) / sin α, and
    X² + Y² + gz² = |g|².
    """
    k = _point_equations(arm, target[9], target[10], target[11])
    a, ca, sa = arm[_FIRST + A], arm[_FIRST + COS_ALPHA], arm[_FIRST + SIN_ALPHA]
    x0, x1, x2 = (k[6] - a * a - k[0]) / (2.0 * a), -k[1] / (2.0 * a), -k[2] / (2.0 * a)
    y0, y1, y2 = (target[11] - ca * k[3]) / sa, -ca * k[4] / sa, -ca * k[5] / sa
    # The equation over (c, s): q0 + q1 c + q2 s + q3 c² + q4 c s + q5 s² = 0
    q0 = x0 * x0 + y0 * y0 + k[3] * k[3] - k[0]
    q1 = 2.0 * (x0 * x1 + y0 * y1 + k[3] * k[4]) - k[1]
    q2 = 2.0 * (x0 * x2 + y0 * y2 + k[3] * k[5]) - k[2]
    q3 = x1 * x1 + y1 * y1 + k[4] * k[4]
    q4 = 2.0 * (x1 * x2 + y1 * y2 + k[4] * k[5])
    q5 = x2 * x2 + y2 * y2 + k[5] * k[5]
    largest, ec, es = -1.0, 1.0, 0.0
    for i in range(5):
        c, s = math.cos(1.2566370614359172 * i), math.sin(1.2566370614359172 * i)
        value = abs(q0 + q1 * c + q2 * s + q3 * c * c + q4 * c * s + q5 * s * s)
        if value > largest:
            largest, ec, es = value, c, s
    if not largest > 0.0:
        return 0
    # Seen from e: (c, s) = cos e + sin e⊥, cos = (t² − 1) / (1 + t²), sin = 2 t / (1 + t²); t → ∞ is e itself.
    r1, r2 = q1 * ec + q2 * es, q2 * ec - q1 * es
    r3 = q3 * ec * ec + q4 * ec * es + q5 * es * es
    r4 = 2.0 * (q5 - q3) * ec * es + q4 * (ec * ec - es * es)
    r5 = q3 * es * es - q4 * ec * es + q5 * ec * ec
    p, roots = window(free, 0, (5,)), window(free, 5, (7,))
    p[0], p[1], p[3], p[4] = q0 - r1 + r3, 2.0 * (r2 - r4), 2.0 * (r2 + r4), q0 + r1 + r3
    p[2] = 2.0 * (q0 - r3) + 4.0 * r5
    found = quartic_roots(p, roots, window(free, 12, (5,)), window(free, 17, (7,)))
    count = np.int64(0)
    for i in range(found):
        t = roots[i]
        cosine, sine = (t * t - 1.0) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)
        c, s = cosine * ec - sine * es, cosine * es + sine * ec
        along, across = x0 + x1 * c + x2 * s, y0 + y1 * c + y2 * s
        count = _place(places, count, c, s, along, across)
    return count


@inner_kernel
def _turn_wrist(arm, target, start, c3, s3, along, across, candidates, count):
    """The branches with this third angle and the point at (along, across) of the first link, after the second joint."""
    gx, gy, gz = _seen_from_second(arm, c3, s3)
    c2, s2, determined = turn_between(gx, gy, along, across)
    if not determined:
        c2, s2 = start[2], start[3]
    ca, sa = arm[_FIRST + COS_ALPHA], arm[_FIRST + SIN_ALPHA]
    c1, s1, determined = turn_between(arm[_FIRST + A] + along, ca * across - sa * gz, target[9], target[10])
    if not determined:
        c1, s1 = start[0], start[1]
    n = _left_to_wrist(arm, target, c1, s1, c2, s2, c3, s3)
    found, c5, s5 = middle_angle(n[8], arm, 3)
    for _ in range(found):
        vx, vy = middle_direction(c5, s5, arm, 3)
        c4, s4, determined = turn_between(vx, vy, n[2], n[5])
        if determined:
            c6, s6 = last_angle(n, c4, s4, c5, s5, arm, 3)
            count = note(candidates, count, c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6)
        if vx * vx + vy * vy < NEARLY_ALIGNED * NEARLY_ALIGNED:
            c4, s4 = start[6], start[7]
            c6, s6 = last_angle(n, c4, s4, c5, s5, arm, 3)
            count = note(candidates, count, c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6)
        s5 = -s5
    return count


@inner_kernel
def _left_to_wrist(arm, target, c1, s1, c2, s2, c3, s3):
    """The target's rotation in the third link."""
    n = target[:9]
    for k in range(3):
        c, s = (c1, s1) if k == 0 else (c2, s2) if k == 1 else (c3, s3)
        n = turned_back(n, c, s, arm[JOINTS + JOINT * k + COS_ALPHA], arm[JOINTS + JOINT * k + SIN_ALPHA])
    return n
