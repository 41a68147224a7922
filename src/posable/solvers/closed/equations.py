"""The few equations to which closed forms reduce: in one angle, or in two on one circle."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel
from posable.solvers.closed.links import COS_ALPHA, JOINT, JOINTS, SIN_ALPHA

ALIGNED = 1e-10  # a shorter vector has no direction
NEARLY_ALIGNED = 5e-6  # a shorter vector may have none, after a double root that has half the digits
_TOUCH = 1e-10  # a polynomial this near to zero where its slope is zero has a double root there
_BEYOND = 1e-6  # tolerance of a cosine beyond its range: a target out of reach by rounding is at the end of the reach


@inner_kernel
def on_circle(a, b, c):
    """The two unit vectors (x, y), (x', y') with a x + b y = c, and how many there are: 0, 1 where they meet, or 2.

    A line that misses the circle by rounding touches it.
    """
    length = math.sqrt(a * a + b * b)
    if not abs(c) <= length * (1.0 + _BEYOND) + 1e-300 or length == 0.0:
        return 0, 0.0, 0.0, 0.0, 0.0
    a, b, c = a / length, b / length, c / length
    square = (1.0 - c) * (1.0 + c)
    if square <= 0.0:
        c = 1.0 if c > 0.0 else -1.0
        return 1, a * c, b * c, a * c, b * c
    s = math.sqrt(square)
    return 2, a * c - b * s, b * c + a * s, a * c + b * s, b * c - a * s


@inner_kernel
def turn_between(ax, ay, bx, by):
    """(cosine, sine, whether they are determined) of the plane's rotation of a to b; not if one has no length."""
    c, s = ax * bx + ay * by, ax * by - ay * bx
    square = c * c + s * s
    if not square > ALIGNED**4:
        return 1.0, 0.0, False
    size = math.sqrt(square)
    return c / size, s / size, True


@inner_kernel
def _value(p, degree, x):
    value = p[degree]
    for k in range(degree - 1, -1, -1):
        value = value * x + p[k]
    return value


@inner_kernel
def _root_between(p, degree, low, high, value_low):
    """The one root of a polynomial between `low` and `high`, where it changes sign: Newton's steps, else halves."""
    x = 0.5 * (low + high)
    for _ in range(200):
        value, slope = p[degree], 0.0
        for k in range(degree - 1, -1, -1):
            slope = slope * x + value
            value = value * x + p[k]
        if value == 0.0:
            return x
        if (value > 0.0) == (value_low > 0.0):
            low = x
        else:
            high = x
        following = x - value / slope if slope != 0.0 else low
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - x) <= 4e-16 * abs(x) or following in (low, high):
            return following
        x = following
    return x


@inner_kernel
def quartic_roots(p, roots, derivative, edges):
    """The real roots of p[0] + … + p[4] x⁴, and where it comes to zero within rounding, into `roots`; how many.

    Between the roots of its derivative a polynomial has one root or none; so from degree 1 up to 4. p[4] must not be
    small against the others. There may be 7; `derivative [5]` and `edges [7]` are scratch.
    """
    bound = 1.0 + max(abs(p[0]), abs(p[1]), abs(p[2]), abs(p[3])) / abs(p[4])
    found, pieces = 0, 1
    for degree in range(1, 5):
        for k in range(degree + 1):  # the derivative of order 4 − degree
            derivative[k] = p[k + 4 - degree]
            for m in range(4 - degree):
                derivative[k] *= k + 4 - degree - m
        for k in range(found):
            edges[k + 1] = roots[k]
        edges[0], edges[found + 1] = -bound, bound
        pieces, found = found + 1, 0
        for piece in range(pieces):
            at_low = _value(derivative, degree, edges[piece])
            at_high = _value(derivative, degree, edges[piece + 1])
            if (at_low < 0.0) != (at_high < 0.0):
                roots[found] = _root_between(derivative, degree, edges[piece], edges[piece + 1], at_low)
                found += 1
    for k in range(1, pieces):
        if abs(_value(p, 4, edges[k])) <= _TOUCH * abs(p[4]) * (1.0 + edges[k] ** 4):
            roots[found] = edges[k]
            found += 1
    return found


# The last three angles of an arm, from their common rotation.


@inner_kernel
def middle_angle(n33, arm, first):
    """(number of solutions, cosine, sine ≥ 0) of the middle one of three angles that bring z to height `n33`.

    Z(first) X(α) Z(middle) X(α') z has height cos α cos α' − sin α sin α' cos(middle).
    """
    j = JOINTS + JOINT * first
    ca, sa = arm[j + COS_ALPHA], arm[j + SIN_ALPHA]
    cb, sb = arm[j + JOINT + COS_ALPHA], arm[j + JOINT + SIN_ALPHA]
    c = (ca * cb - n33) / (sa * sb)
    if not abs(c) <= 1.0 + 1e-6:
        return 0, 0.0, 0.0
    s = math.sqrt(max(0.0, (1.0 - c) * (1.0 + c)))
    size = math.sqrt(c * c + s * s)
    return 2 if s > ALIGNED else 1, c / size, s / size


@inner_kernel
def middle_direction(c, s, arm, first):
    """The vector that Z(first) rotates: X(α) Z(middle) X(α') z, without its height."""
    j = JOINTS + JOINT * first
    ca, sa = arm[j + COS_ALPHA], arm[j + SIN_ALPHA]
    cb, sb = arm[j + JOINT + COS_ALPHA], arm[j + JOINT + SIN_ALPHA]
    return s * sb, -ca * c * sb - sa * cb


@inner_kernel
def last_angle(n, c4, s4, c5, s5, arm, first):
    """(cosine, sine) of the last of three angles, given the two before: the rest of the rotation `n`."""
    j = JOINTS + JOINT * first
    ca, sa = arm[j + COS_ALPHA], arm[j + SIN_ALPHA]
    # x after the first two angles, and y after the second link too
    px, py, pz = c5, ca * s5, sa * s5
    px, py = c4 * px - s4 * py, s4 * px + c4 * py
    c = px * n[0] + py * n[3] + pz * n[6]
    s = -(px * n[1] + py * n[4] + pz * n[7])
    size = math.sqrt(c * c + s * s)
    return c / size, s / size


@inner_kernel
def turned_back(n, c, s, ca, sa):
    """X(α)ᵀ Z(angle)ᵀ n."""
    n0, n1, n2 = c * n[0] + s * n[3], c * n[1] + s * n[4], c * n[2] + s * n[5]
    n3, n4, n5 = c * n[3] - s * n[0], c * n[4] - s * n[1], c * n[5] - s * n[2]
    return (
        n0, n1, n2,
        ca * n3 + sa * n[6], ca * n4 + sa * n[7], ca * n5 + sa * n[8],
        ca * n[6] - sa * n3, ca * n[7] - sa * n4, ca * n[8] - sa * n5,
    )  # fmt: skip
