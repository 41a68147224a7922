"""The last three angles of an arm, from the turn that they have to make together."""

from __future__ import annotations

import math

from posable.solvers.closed.equations import ALIGNED
from posable.solvers.closed.layout import COS_ALPHA, JOINT, JOINTS, SIN_ALPHA
from posable.spatial.compile import inner_kernel


@inner_kernel
def middle_angle(n33, arm, first):
    """(number of solutions, cosine, sine ≥ 0) of the middle one of three angles that turn z to height `n33`.

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
    """What Z(first) turns into place: X(α) Z(middle) X(α') z, without its height."""
    j = JOINTS + JOINT * first
    ca, sa = arm[j + COS_ALPHA], arm[j + SIN_ALPHA]
    cb, sb = arm[j + JOINT + COS_ALPHA], arm[j + JOINT + SIN_ALPHA]
    return s * sb, -ca * c * sb - sa * cb


@inner_kernel
def last_angle(n, c4, s4, c5, s5, arm, first):
    """(cosine, sine) of the last of three angles, given the two before: the rest of the turn `n`."""
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
