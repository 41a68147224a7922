"""Compiled limits: swing and twist of a ball joint, and moving coordinates within the limits."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel, shared_kernel
from posable.skeleton.tables import BALL, CODE, COORDINATE, DOF, FREE, LOWER, UPPER
from posable.spatial.kernels import cross, exp_wxyz, multiply_wxyz, rotate_back, rotation_of_wxyz

_ROUNDING = 1e-12  # radians: what is just at a limit is inside


@inner_kernel
def from_center(row, w, x, y, z):
    """Rotation wxyz relative to the centre of the cone `row` of the tables."""
    return multiply_wxyz(row[3], -row[4], -row[5], -row[6], w, x, y, z)


@inner_kernel
def swing_and_twist(row, w, x, y, z):
    """(swing angle, twist angle, leaning direction) of rotation wxyz against the cone `row` of the tables.

    The direction is the cone's axis at the centre, seen in the joint's own frame. With q = centre · swing · twist, the
    swing is the angle between the two axes, the twist twice atan2(component of the vector part along the axis, w).
    """
    rw, rx, ry, rz = from_center(row, w, x, y, z)
    along = rx * row[0] + ry * row[1] + rz * row[2]
    twist = 2.0 * math.atan2(along, rw)
    if twist > math.pi:
        twist -= 2.0 * math.pi
    elif twist < -math.pi:
        twist += 2.0 * math.pi
    bx, by, bz = rotate_back(rotation_of_wxyz(rw, rx, ry, rz), row[0], row[1], row[2])
    sx, sy, sz = cross(row[0], row[1], row[2], bx, by, bz)
    sine = math.sqrt(sx * sx + sy * sy + sz * sz)
    swing = math.atan2(sine, row[0] * bx + row[1] * by + row[2] * bz)
    return swing, twist, bx, by, bz


@inner_kernel
def may_touch(row, w, x, y, z, margin):
    """Whether rotation wxyz is at or over the limits of the cone `row`, or less than about `margin` radians inside.

    Without trigonometry: cos(swing) = 2 (w² + a²) − 1 with a the part along the axis, and a half twist φ of tangent
    a/w lies on the inner side of a limit l when sin(φ − l) has the right sign.
    """
    rw, rx, ry, rz = from_center(row, w, x, y, z)
    along = rx * row[0] + ry * row[1] + rz * row[2]
    if rw < 0.0:
        rw, along = -rw, -along
    near = 0.5 * margin
    over_low = along * row[12] - rw * row[11] <= near
    over_high = rw * row[13] - along * row[14] <= near
    return over_low or over_high or 2.0 * (rw * rw + along * along) - 1.0 <= row[10] + margin


@inner_kernel
def nearest_twist(twist, lower, upper):
    """The twist within lower … upper that is nearest around the circle; all in -π … π."""
    if lower <= twist <= upper:
        return twist
    below, above = lower - twist, twist - upper
    if below < 0.0:
        below += 2.0 * math.pi
    if above < 0.0:
        above += 2.0 * math.pi
    return lower if below < above else upper


@inner_kernel
def lean_ball(row, q, c, half, twist, to):
    """Set the swing of ball coordinates q[c:c+4], whose twist is `twist`, to twice the angle `half`, along or against
    their leaning direction, and their twist to `to`.
    """
    # The swing alone: the relative rotation with its twist taken out; its axis is square to the cone's.
    rw, rx, ry, rz = from_center(row, q[c], q[c + 1], q[c + 2], q[c + 3])
    tw, tx, ty, tz = exp_wxyz(-twist * row[0], -twist * row[1], -twist * row[2])
    sw, sx, sy, sz = multiply_wxyz(rw, rx, ry, rz, tw, tx, ty, tz)
    size = max(math.sqrt(sx * sx + sy * sy + sz * sz), 1e-300)
    scale = math.sin(half) / size * (1.0 if sw >= 0.0 else -1.0)
    sw, sx, sy, sz = math.cos(half), scale * sx, scale * sy, scale * sz
    tw, tx, ty, tz = exp_wxyz(to * row[0], to * row[1], to * row[2])
    sw, sx, sy, sz = multiply_wxyz(sw, sx, sy, sz, tw, tx, ty, tz)
    w, x, y, z = multiply_wxyz(row[3], row[4], row[5], row[6], sw, sx, sy, sz)
    q[c], q[c + 1], q[c + 2], q[c + 3] = w, x, y, z


@shared_kernel
def clamp_ball(row, q, c):
    """Move the ball coordinates q[c:c+4] inside the cone: the swing and the twist each to its nearest allowed angle.

    True if they were outside by more than rounding.
    """
    if not may_touch(row, q[c], q[c + 1], q[c + 2], q[c + 3], 1e-9):
        return False
    swing, twist, _, _, _ = swing_and_twist(row, q[c], q[c + 1], q[c + 2], q[c + 3])
    over_swing = swing > row[7] + _ROUNDING
    over_twist = twist < row[8] - _ROUNDING or twist > row[9] + _ROUNDING
    if not (over_swing or over_twist):
        return False
    kept = nearest_twist(twist, row[8], row[9]) if over_twist else twist
    lean_ball(row, q, c, 0.5 * min(swing, row[7]), twist, kept)
    return True


@inner_kernel
def clamp_joint(t, q, j):
    """Move the coordinates of joint `j` to the nearest ones within its limits; True if they were outside."""
    c = t.joint[j, COORDINATE]
    if t.joint[j, CODE] == BALL:
        return t.cones[j, 7] >= 0.0 and clamp_ball(t.cones[j], q, c)
    if t.joint[j, CODE] == FREE:
        return False
    moved = False
    d = t.joint[j, DOF]
    for k in range(t.joint[j + 1, DOF] - d):
        if q[c + k] < t.bound[d + k, LOWER]:
            q[c + k] = t.bound[d + k, LOWER]
            moved = True
        elif q[c + k] > t.bound[d + k, UPPER]:
            q[c + k] = t.bound[d + k, UPPER]
            moved = True
    return moved


@inner_kernel
def clamp(t, q):
    """Move one pose's coordinates within the limits, joint by joint; True if any were outside."""
    moved = False
    for j in range(t.frame.shape[0]):
        if clamp_joint(t, q, j):
            moved = True
    return moved
