"""Compiled: which freedoms of a pose are at a limit, and on which side."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.skeleton.limits import may_touch, swing_and_twist
from posable.skeleton.tables import BALL, CODE, COORDINATE, DOF, FREE, LOWER, UPPER
from posable.solvers.default.kernels.workspace import BASIS, ROUND, SWING_ROOM, SWING_SIDE, TWIST_ROOM, TWIST_SIDE
from posable.spatial.kernels import cross

# Compiled: the directions in which a ball may move at the limits of its cone.


AT_LIMIT = 1e-9  # radians from a cone's limit that count as being at it
_NEAR = 0.07  # radians from a limit within which a step is bounded by it


@inner_kernel
def find_basis(cone, q, c, free, basis):
    """The basis of a ball's three motions and the sides of its cone that are active: the joint's own axes and none
    where no limit is near, or where single axes are frozen (then only clamping keeps the cone).
    """
    if cone[7] >= 0.0 and free and may_touch(cone, q[c], q[c + 1], q[c + 2], q[c + 3], _NEAR):
        cone_basis(cone, q, c, basis)
        return
    for i in range(9):
        basis[i] = 1.0 if i % 4 == 0 else 0.0
    basis[SWING_SIDE] = basis[TWIST_SIDE] = basis[ROUND] = 0.0
    basis[SWING_ROOM] = basis[TWIST_ROOM] = basis[TWIST_ROOM + 1] = math.inf


@inner_kernel
def cone_basis(cone, q, c, basis):
    """Rotate a coned ball's basis so that the first motion changes the swing alone and the second the twist alone.

    With a the cone's axis and a' that axis at the centre, both in the joint's frame: d(swing) = ω · (a' × a)/|a' × a|
    and d(twist) = ω · (a + a')/(1 + a · a').
    """
    swing, twist, bx, by, bz = swing_and_twist(cone, q[c], q[c + 1], q[c + 2], q[c + 3])
    ax, ay, az = cone[0], cone[1], cone[2]
    sx, sy, sz = cross(bx, by, bz, ax, ay, az)
    tx, ty, tz = ax + bx, ay + by, az + bz
    if math.sqrt(sx * sx + sy * sy + sz * sz) < 1e-7:  # straight at the centre, or behind: any direction across will do
        sx, sy, sz = cross(ax, ay, az, 1.0, 0.0, 0.0) if abs(ax) < 0.6 else cross(ax, ay, az, 0.0, 1.0, 0.0)
        tx, ty, tz = ax, ay, az
    size = math.sqrt(sx * sx + sy * sy + sz * sz)
    sx, sy, sz = sx / size, sy / size, sz / size
    along = tx * sx + ty * sy + tz * sz
    tx, ty, tz = tx - along * sx, ty - along * sy, tz - along * sz
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / size, ty / size, tz / size
    ux, uy, uz = cross(sx, sy, sz, tx, ty, tz)
    basis[0], basis[3], basis[6] = sx, sy, sz
    basis[1], basis[4], basis[7] = tx, ty, tz
    basis[2], basis[5], basis[8] = ux, uy, uz
    widest, low, high = cone[7], cone[8], cone[9]
    bent = math.cos(0.5 * swing)  # |a + a'|/(1 + a · a') = 1/cos(swing/2)
    basis[SWING_ROOM] = max(widest - swing, 0.0)
    basis[TWIST_ROOM] = bent * max(high - twist, 0.0) if high < math.pi - AT_LIMIT else math.inf
    basis[TWIST_ROOM + 1] = bent * max(twist - low, 0.0) if low > -math.pi + AT_LIMIT else math.inf
    basis[SWING_SIDE] = basis[TWIST_SIDE] = 0.0
    basis[ROUND] = max(math.cos(swing), 0.0) / max(math.sin(swing), AT_LIMIT)
    if swing >= widest - AT_LIMIT:
        basis[SWING_SIDE] = 1.0 if widest > AT_LIMIT else 2.0
    if high - low <= AT_LIMIT:
        basis[TWIST_SIDE] = 2.0
    elif twist >= high - AT_LIMIT and high < math.pi - AT_LIMIT:
        basis[TWIST_SIDE] = 1.0
    elif twist <= low + AT_LIMIT and low > -math.pi + AT_LIMIT:
        basis[TWIST_SIDE] = -1.0


@inner_kernel
def held_by_cone(basis, gradient, k):
    """Whether motion `k` of a cone's basis (swing, twist, the third) is stopped by the cone."""
    swing_side, twist_side = basis[SWING_SIDE], basis[TWIST_SIDE]
    if k == 0:
        return swing_side == 2.0 or (swing_side == 1.0 and gradient > 0.0)
    if k == 1:
        return twist_side == 2.0 or (twist_side == 1.0 and gradient > 0.0) or (twist_side == -1.0 and gradient < 0.0)
    return swing_side == 2.0


@inner_kernel
def fill_sides(t, q, reach, basis, sides):
    """`sides [dof]` of one pose: 0, ±1 at the upper or lower limit, 2 at both; `basis [joint, BASIS]` of coned balls.

    A coned ball has its swing in its first entry and its twist in its second.
    """
    near = 1e-12 * max(1.0, reach)
    for j in range(t.frame.shape[0]):
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        if t.joint[j, CODE] == BALL:
            if t.cones[j, 7] >= 0.0:
                cone_basis(t.cones[j], q, c, basis[j])
                sides[d], sides[d + 1] = basis[j, SWING_SIDE], basis[j, TWIST_SIDE]
        elif t.joint[j, CODE] != FREE:
            for k in range(t.joint[j + 1, DOF] - d):
                high = q[c + k] >= t.bound[d + k, UPPER] - near
                low = q[c + k] <= t.bound[d + k, LOWER] + near
                sides[d + k] = 2.0 if high and low else (1.0 if high else (-1.0 if low else 0.0))


@kernel
def limit_sides(t, q, reach, out, directions):
    """`q [pose, coordinates]` → `out [pose, dof]` as `fill_sides`.

    directions: `[pose, dof, 3]` of a coned ball those, one a row, that change swing, twist and neither.
    """
    basis = np.zeros((t.frame.shape[0], BASIS))
    for n in range(q.shape[0]):
        fill_sides(t, q[n], reach, basis, out[n])
        for j in range(t.frame.shape[0]):
            if t.joint[j, CODE] == BALL and t.cones[j, 7] >= 0.0:
                for k in range(3):
                    for i in range(3):
                        directions[n, t.joint[j, DOF] + k, i] = basis[j, 3 * i + k]
