"""Two bones in space: the bend of the middle joint, then the rotation of the upper joint that aims at the target.

All vectors are world vectors at the start pose; all angles are relative to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.compiled.decorators import inner_kernel, kernel
from posable.compiled.simd_batch import sine_cosine
from posable.errors import GoalError, SkeletonError
from posable.solvers.closed.branches import nearest_turn
from posable.solvers.closed.equations import on_circle
from posable.spatial import Array
from posable.spatial.kernels import cross, multiply_rotations, multiply_wxyz, rotate, rotation_about, rotation_of_wxyz

# Columns of a limb: points and directions of three numbers each, then angles.
UPPER, MIDDLE, AXIS, END, TARGET, POLE = 0, 3, 6, 9, 12, 15
HINGE_AXES = 18  # three directions
HINGES = 27  # 0 where the upper joint is a ball
BEND = 28  # the middle joint's angle at the start, and its limits
ANGLES = 31  # the same for each upper hinge
TWIST = 40  # a rotation about the line to the target, added to that of the pole or the start
LIMB = 41
# Columns of an answer.
BENT, TURNED = 0, 1  # the middle joint's change; a quaternion, or up to three changes of angles
ENDED = 5  # the resulting end, relative to the upper joint
ANSWER = 8

_KEEP_BEND = 100.0  # the weight of a change of the bend against one of the upper joint: an elbow stays on its side
_NOTHING = 1e-12  # of the limb's length: a shorter vector has no direction


@inner_kernel
def _vector(row, first):
    return row[first], row[first + 1], row[first + 2]


@inner_kernel
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner_kernel
def _minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inner_kernel
def _cross(a, b):
    return cross(a[0], a[1], a[2], b[0], b[1], b[2])


@inner_kernel
def _turn(axis, angle):
    s, c = sine_cosine(angle)
    return rotation_about(axis[0], axis[1], axis[2], s, c)


@inner_kernel
def _turned(axis, angle, v):
    return rotate(_turn(axis, angle), v[0], v[1], v[2])


@inner_kernel
def _angle_about(axis, a, b):
    """The angle about the unit axis that brings a nearest to b; 0 if one of them is along the axis."""
    along_a, along_b = _dot(axis, a), _dot(axis, b)
    cosine, sine = _dot(a, b) - along_a * along_b, _dot(axis, _cross(a, b))
    size = math.sqrt(_dot(a, a) * _dot(b, b))
    return math.atan2(sine, cosine) if math.sqrt(cosine * cosine + sine * sine) > _NOTHING * size else 0.0


@inner_kernel
def _half_angle_about(axis, a, b):
    """Cosine and sine of half of that angle."""
    along_a, along_b = _dot(axis, a), _dot(axis, b)
    cosine, sine = _dot(a, b) - along_a * along_b, _dot(axis, _cross(a, b))
    length = math.sqrt(cosine * cosine + sine * sine)
    if length <= _NOTHING * math.sqrt(_dot(a, a) * _dot(b, b)):
        return 1.0, 0.0
    if cosine >= 0.0:
        c = math.sqrt(0.5 * (1.0 + cosine / length))
        return c, 0.5 * sine / (length * c)
    s = math.copysign(math.sqrt(0.5 * (1.0 - cosine / length)), sine)
    return 0.5 * sine / (length * s), s


@inner_kernel
def _angles_reaching(along, across, height):
    """The two angles θ with along cos θ + across sin θ = height, or the nearest approach."""
    most = math.sqrt(along * along + across * across)
    found, c, s, c_other, s_other = on_circle(along, across, min(max(height, -most), most))
    if found == 0:
        return 0.0, 0.0
    return math.atan2(s, c), math.atan2(s_other, c_other)


@inner_kernel
def _bends(row, distance):
    """The two changes of the middle joint that put the end at this distance from the upper joint, or nearest to it;

    then the change that straightens the limb.
    """
    axis, middle = _vector(row, AXIS), _vector(row, MIDDLE)
    upper, lower = _minus(_vector(row, UPPER), middle), _minus(_vector(row, END), middle)
    along = _dot(upper, axis) * _dot(lower, axis)
    height = 0.5 * (_dot(upper, upper) + _dot(lower, lower) - distance * distance) - along
    ahead, across = _dot(upper, lower) - along, _dot(upper, _cross(axis, lower))
    one, other = _angles_reaching(ahead, across, height)
    return one, other, math.atan2(-across, -ahead)


@inner_kernel
def _backwards(row, bend, straight):
    """Whether the middle joint is bent in its shorter direction, as a hyperextended knee."""
    straight = nearest_turn(row[BEND] + straight, 0.5 * (row[BEND + 1] + row[BEND + 2]), -math.inf, math.inf)[0]
    below, above = straight - row[BEND + 1], row[BEND + 2] - straight
    if below < 0.25 * above:
        return row[BEND] + bend < straight
    return above < 0.25 * below and row[BEND] + bend > straight


@inner_kernel
def _side(row, bend, end, size):
    """The direction from the line of upper joint and end to the middle joint, or to where bending would move it."""
    middle = _minus(_vector(row, MIDDLE), _vector(row, UPPER))
    share = _dot(middle, end) / max(_dot(end, end), 1e-300)
    off = (middle[0] - share * end[0], middle[1] - share * end[1], middle[2] - share * end[2])
    if _dot(off, off) > (1e-9 * size) ** 2:
        return off
    off = _cross(end, _vector(row, AXIS))
    straight = row[BEND] + bend > 0.5 * (row[BEND + 1] + row[BEND + 2])
    return (-off[0], -off[1], -off[2]) if straight else off


@inner_kernel
def _swing(row, end, wanted):
    """The smallest rotation (wxyz) of the direction `end` to `wanted`."""
    w = _dot(end, wanted) + math.sqrt(_dot(end, end) * _dot(wanted, wanted))
    x, y, z = _cross(end, wanted)
    size = math.sqrt(w * w + x * x + y * y + z * z)
    if size > 1e-9 * math.sqrt(_dot(end, end) * _dot(wanted, wanted)):
        return w / size, x / size, y / size, z / size
    # opposite: by π about a perpendicular axis, the middle joint's where it is perpendicular
    axis = _vector(row, AXIS)
    share = _dot(axis, end) / _dot(end, end)
    x, y, z = axis[0] - share * end[0], axis[1] - share * end[1], axis[2] - share * end[2]
    size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-6:
        x, y, z = _cross(end, (0.0, 0.0, 1.0) if abs(end[0]) > abs(end[2]) else (1.0, 0.0, 0.0))
        size = math.sqrt(x * x + y * y + z * z)
    return 0.0, x / size, y / size, z / size


@inner_kernel
def _turn_to_target(row, bend, end, wanted, size):
    """The rotation (wxyz) of the upper joint that aims `end` along `wanted` and the middle joint at the pole."""
    short = _NOTHING * size
    if _dot(end, end) <= short * short or _dot(wanted, wanted) <= short * short:
        w, x, y, z = 1.0, 0.0, 0.0, 0.0
        wanted = end
    else:
        w, x, y, z = _swing(row, end, wanted)
    pole, length = _vector(row, POLE), math.sqrt(_dot(wanted, wanted))
    angle, poled = row[TWIST], _dot(pole, pole) > 0.0
    if not (poled or angle != 0.0) or length <= short:
        return w, x, y, z
    axis = (wanted[0] / length, wanted[1] / length, wanted[2] / length)
    tw, half = (math.cos(0.5 * angle), math.sin(0.5 * angle)) if angle != 0.0 else (1.0, 0.0)
    if poled:
        side = _side(row, bend, end, size)
        side = rotate(rotation_of_wxyz(w, x, y, z), side[0], side[1], side[2])
        c, s = _half_angle_about(axis, side, pole)
        tw, half = tw * c - half * s, tw * s + half * c
    return multiply_wxyz(tw, half * axis[0], half * axis[1], half * axis[2], w, x, y, z)


@inner_kernel
def _hinge_angles(row, hinges, way, bend, end, wanted, size):
    """Changes of the upper hinges, `hinges` of them, for one of the two solutions."""
    a, b, c = _vector(row, HINGE_AXES), _vector(row, HINGE_AXES + 3), _vector(row, HINGE_AXES + 6)
    if hinges == 1:
        return _angle_about(a, end, wanted), 0.0, 0.0
    turn = rotation_of_wxyz(1.0, 0.0, 0.0, 0.0)
    if hinges == 2:
        # the second hinge sets the end's height along the first, which then rotates it to the target
        scale = math.sqrt(_dot(end, end) / max(_dot(wanted, wanted), 1e-300))
        moved, height = end, scale * _dot(a, wanted)
    else:
        w, x, y, z = _turn_to_target(row, bend, end, wanted, size)
        turn = rotation_of_wxyz(w, x, y, z)
        moved = c
        wanted = rotate(turn, c[0], c[1], c[2])
        height = _dot(a, wanted)
    level = _dot(a, b) * _dot(b, moved)
    first, second = _angles_reaching(_dot(a, moved) - level, _dot(a, _cross(b, moved)), height - level)
    second = second if way else first
    first = _angle_about(a, _turned(b, second, moved), wanted)
    if hinges == 2:
        return first, second, 0.0
    # the third hinge does the remaining rotation, measured on a direction across its axis
    u = _cross(c, (0.0, 0.0, 1.0) if abs(c[0]) > abs(c[2]) else (1.0, 0.0, 0.0))
    left = rotate(turn, u[0], u[1], u[2])
    left = _turned(b, -second, _turned(a, -first, left))
    return first, second, _angle_about(c, u, left)


@inner_kernel
def _within(row, first, change):
    """The change of an angle brought into its limits: by multiples of 2π, or to the nearer limit."""
    if row[first + 1] <= row[first] + change <= row[first + 2] and abs(change) <= math.pi:
        return change
    angle, inside = nearest_turn(row[first] + change, row[first], row[first + 1], row[first + 2])
    if inside:
        return angle - row[first]
    below, above = row[first + 1] - row[first] - change, row[first] + change - row[first + 2]
    below, above = (
        below - 2.0 * math.pi * math.floor(below / (2.0 * math.pi)),
        above - 2.0 * math.pi * math.floor(above / (2.0 * math.pi)),
    )
    return (row[first + 1] if below < above else row[first + 2]) - row[first]


@inner_kernel
def _turn_of_hinges(row, first, second, third):
    turn = _turn(_vector(row, HINGE_AXES), first)
    if row[HINGES] > 1.0:
        turn = multiply_rotations(turn, _turn(_vector(row, HINGE_AXES + 3), second))
    if row[HINGES] > 2.0:
        turn = multiply_rotations(turn, _turn(_vector(row, HINGE_AXES + 6), third))
    return turn


@inner_kernel
def bend_limb(row, answer):
    """Fill `answer` for the limb in `row`: of all solutions within the limits the one that ends nearest to the target.

    Of several such, the one with the middle joint furthest towards the pole, unless the upper joint can rotate it there
    anyway; else one that is not bent backwards, and nearest to the start.
    """
    shoulder, middle, axis = _vector(row, UPPER), _vector(row, MIDDLE), _vector(row, AXIS)
    forearm, upper_arm = _minus(_vector(row, END), middle), _minus(middle, shoulder)
    wanted, pole = _minus(_vector(row, TARGET), shoulder), _vector(row, POLE)
    size = math.sqrt(_dot(forearm, forearm)) + math.sqrt(_dot(upper_arm, upper_arm))
    if row[HINGES] == 1.0:  # the component along the hinges is out of reach in any case
        a = _vector(row, HINGE_AXES)
        along = _dot(a, upper_arm) + _dot(a, forearm) - _dot(a, wanted)
        wanted = (wanted[0] + along * a[0], wanted[1] + along * a[1], wanted[2] + along * a[2])
    distance = math.sqrt(_dot(wanted, wanted))
    bends = _bends(row, distance)
    held = row[HINGES] != 0.0 and row[HINGES] != 3.0 and _dot(pole, pole) > 0.0
    near_first = abs(bends[0]) <= abs(bends[1])
    least, best = 1e300, 1e300
    ways = 1 if row[HINGES] < 2.0 else 2 if row[HINGES] == 2.0 else 4  # for each of the two bends
    for way in range(8):
        if way % 4 >= ways:
            continue
        other = bends[1 if near_first else 0]
        if way > 0 and row[HINGES] == 0.0 and least < 1e-9 * size and _KEEP_BEND * other * other >= best:
            break
        bend = _within(row, BEND, other if way > 3 else bends[0 if near_first else 1])
        x, y, z = _turned(axis, bend, forearm)
        end = (upper_arm[0] + x, upper_arm[1] + y, upper_arm[2] + z)
        backwards = _backwards(row, bend, bends[2])
        if row[HINGES] == 0.0:
            # a ball can aim the end in any direction, so the distance is known beforehand
            left = abs(math.sqrt(_dot(end, end)) - distance)
            at_least = _KEEP_BEND * bend * bend + (1e4 if backwards else 0.0)
            if left > least + 1e-9 * size or (left > least - 1e-9 * size and at_least >= best):
                continue
            w, x, y, z = _turn_to_target(row, bend, end, wanted, size)
            turn = rotation_of_wxyz(w, x, y, z)
            cost = _KEEP_BEND * bend * bend + 8.0 * (1.0 - min(abs(w), 1.0))  # about the squared angle
        else:
            # where three hinges cannot reach the rotation, the first two try alone
            hinges = 2 if row[HINGES] == 3.0 and way % 4 > 1 else int(row[HINGES])
            w, x, y = _hinge_angles(row, hinges, way % 2, bend, end, wanted, size)
            w, x, y, z = _within(row, ANGLES, w), _within(row, ANGLES + 3, x), _within(row, ANGLES + 6, y), 0.0
            turn = _turn_of_hinges(row, w, x, y)
            cost = _KEEP_BEND * bend * bend + w * w + x * x + y * y + (1e4 if hinges < row[HINGES] else 0.0)
        if backwards:
            cost += 1e4
        ended = rotate(turn, end[0], end[1], end[2])
        missed = _minus(ended, wanted)
        left = math.sqrt(_dot(missed, missed))
        if held:
            cost = -_dot(pole, rotate(turn, upper_arm[0], upper_arm[1], upper_arm[2]))
        if left < least - 1e-9 * size or (left < least + 1e-9 * size and cost < best - 1e-9 * abs(best)):
            least, best = min(left, least), cost
            answer[BENT], answer[TURNED], answer[TURNED + 1] = bend, w, x
            answer[TURNED + 2], answer[TURNED + 3] = y, z
            answer[ENDED], answer[ENDED + 1], answer[ENDED + 2] = ended


# Two bones in a plane by the law of cosines.


class TwoBoneAngles(NamedTuple):
    """Both solutions of two bones in a plane."""

    angles: Array  # [..., 2 solutions, 2]: that of the first bone from x, then that of the second from the first
    distance_left: Array  # [...] 0 where the target is reached


def two_bone_angles(target: ArrayLike, first: ArrayLike, second: ArrayLike) -> TwoBoneAngles:
    """The angles at which two bones of lengths `first` and `second`, hinged at the origin, end at `target [..., 2]`.

    With θT the target's direction, d its distance, the first bone stands at θT ± acos((L1² + d² − L2²) / (2 L1 d)); the
    elbow's inner angle is acos((L1² + L2² − d²) / (2 L1 L2)), and the second bone's angle from the first that minus π
    (solution 0, with +), or π minus it (solution 1). The angles come from the sides' lengths by Kahan's formula, which
    is accurate near the straight and the folded arm. Reachable if |L1 − L2| ≤ d ≤ L1 + L2; if not, the closest pose,
    twice, and the remaining distance. Lengths broadcast over the leading axes.
    Raises GoalError for an invalid target, SkeletonError for an invalid length.
    """
    target, first, second = np.asarray(target, float), np.asarray(first, float), np.asarray(second, float)
    if target.ndim < 1 or target.shape[-1] != 2 or not np.isfinite(target).all():
        raise GoalError("the target of two bones in a plane is 2 finite numbers, [..., 2]")
    for length in (first, second):
        if not (np.isfinite(length) & (length >= 0)).all():
            raise SkeletonError("a bone's length is a finite number, 0 or more")
    shape = np.broadcast_shapes(target.shape[:-1], first.shape, second.shape)
    rows = np.empty((math.prod(shape), 4))
    rows[:, :2] = np.broadcast_to(target, (*shape, 2)).reshape(-1, 2)
    rows[:, 2], rows[:, 3] = np.broadcast_to(first, shape).ravel(), np.broadcast_to(second, shape).ravel()
    out = np.empty((len(rows), 5))
    _two_bone_rows(rows, out)
    return TwoBoneAngles(out[:, :4].reshape(*shape, 2, 2), out[:, 4].reshape(shape))


@inner_kernel
def two_bones(x, y, first, second):
    """(θ1, θ2) of both solutions, then the remaining distance."""
    distance, direction = math.hypot(x, y), math.atan2(y, x)
    if distance >= first + second:
        lift, inner, left = 0.0, math.pi, distance - first - second
    elif distance <= abs(first - second):
        lift = 0.0 if first > second else math.pi if first < second else 0.5 * math.pi
        inner, left = 0.0, abs(first - second) - distance
    else:
        lift, inner, left = angle_between(first, distance, second), angle_between(first, second, distance), 0.0
    return direction + lift, inner - math.pi, direction - lift, math.pi - inner, left


@inner_kernel
def angle_between(a, b, c):
    """The angle of a triangle between the sides of lengths a and b, opposite to c (Kahan 2000)."""
    if a < b:
        a, b = b, a
    least = c - (a - b) if b >= c else b - (a - c)
    over, under = ((a - b) + c) * least, (a + (b + c)) * ((a - c) + b)
    return 2.0 * math.atan2(math.sqrt(max(over, 0.0)), math.sqrt(max(under, 0.0)))


@kernel
def _two_bone_rows(rows, out):
    for i in range(rows.shape[0]):
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = two_bones(
            rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3]
        )
