"""Compiled: arms that reach for their targets on their own, before anything else of the body goes along."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel
from posable.goals.term_arrays import read_targets
from posable.natural.posed_kernel import turn_joints
from posable.natural.told_kernel import JOINT, POSITION, SLOT, TERM, read_known
from posable.skeleton.forward import (
    move_axes_together,
    place_joints,
    put_turn,
    rotation_at,
    vector_at,
)
from posable.skeleton.tables import AXIS, CODE, DIRECTION, SCALAR
from posable.spatial.kernels import cross, multiply_rotations, rotate, rotation_about

HANDS, ELBOWS = (0, 1), (7, 8)
"""The points that they are, left and right."""
CHEST, UPPER_ARMS = 1, (4, 12)
TRUNK, ASKED_ARM, IDLE_ARM, IDLE_LEG = range(4)
"""What a segment belongs to; legs that a goal asks for count as the trunk. Idle is a limb that none asks for."""
EASES, REACHES = 0.85, 0.98
"""Of the arm: from the first on it follows its target less and less, and it never gets longer than the second, as the
elbow of a nearly straight arm bends by any angle for no distance at all."""
FASTEST = 2.5
"""Radians by which an elbow bends at most for each length of the arm that its hand is off the target."""
NEAR, NEARER = 0.45, 0.3
"""Of the arm: nearer to the shoulder than the first it does less, nearer than the second nothing, as it is folded."""
APART, TOUCHING = 0.35, 0.15
"""Of the leg: nearer than the first to the trunk's middle it does less, nearer than the second nothing: for a hand that
comes near the trunk that has to move, and so it has for one that reaches behind."""
BEHIND = 0.2
"""Of the leg: how far behind its shoulder a target is for which the arm does nothing; ahead of that it does all."""
TURNS, MOST = 1.5, 2.6
"""Radians that an arm swings by: beyond the first it does less, beyond the second nothing; 180° has no axis."""
BACKWARDS = 0.05
"""Radians by which an elbow has to be bent backwards to go on so; else it bends as elbows do."""
STRAIGHT = math.pi - 0.005
"""Radians between upper arm and forearm from which on an arm is straight: there the tenth digit of a position would be
the fifth of an angle."""
SIDEWAYS = 0.05
"""The sine of an elbow's bend from which on the plane of the bend says more than the usual one how it goes on."""
FAR = 0.5
"""Of the arm: where a solve does not go on from another and the hand is nearer than that, the arm does less, as the
network knows better how people share a little among arm and trunk."""
THERE = 1e-9
"""Of the leg: a hand that is so near its target stays."""
NO_TURN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@inner_kernel
def eased(x):
    """0 … 1, smooth at both ends."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)


@inner_kernel
def _length(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@inner_kernel
def _elbow_axis(t, b, w, side, lower, upper_bone, lower_bone):
    """The axis in the world about which an elbow bends, as a vector of any length; 0 for none.

    A hinge has its own. A ball bends in the plane in which it is bent, or where it is straight as elbows do: in the
    common T-pose the forearms come forward. About the axis a straight arm bends by a positive angle.
    """
    common, sign = rotation_at(b.common, lower), -1.0 if side == 0 else 1.0
    nx, ny, nz = rotate(rotation_at(w.turns, lower), sign * common[3], sign * common[4], sign * common[5])
    if t.joint[lower, CODE] == SCALAR and t.joint[lower + 1, AXIS] - t.joint[lower, AXIS] == 1:
        ax, ay, az = rotate(rotation_at(w.turns, lower), *vector_at(t.axis, t.joint[lower, AXIS], DIRECTION))
        sign = -1.0 if ax * nx + ay * ny + az * nz < 0.0 else 1.0
        return sign * ax, sign * ay, sign * az
    ux, uy, uz = upper_bone
    lx, ly, lz = lower_bone
    size = _length(ux, uy, uz) * _length(lx, ly, lz)
    cx, cy, cz = cross(ux, uy, uz, lx, ly, lz)
    return cx / size + SIDEWAYS * nx, cy / size + SIDEWAYS * ny, cz / size + SIDEWAYS * nz


@inner_kernel
def _bend(axis, upper_bone, lower_bone, reach):
    """The angle about the elbow's axis after which the end is `reach` from the shoulder, or as nearly as it can be.

    With e from the elbow to the end, s to the shoulder and R(φ) about the axis a, R(φ) e · s = A cos φ + B sin φ + C
    has to be (|e|² + |s|² − reach²) / 2. It is now at φ = 0; an elbow goes on on the side on which it is bent.
    """
    ax, ay, az = axis
    size = _length(ax, ay, az)
    if size < 1e-9:
        return 0.0, axis
    ax, ay, az = ax / size, ay / size, az / size
    sx, sy, sz = -upper_bone[0], -upper_bone[1], -upper_bone[2]
    ex, ey, ez = lower_bone
    along = (ax * sx + ay * sy + az * sz) * (ax * ex + ay * ey + az * ez)
    cx, cy, cz = cross(ax, ay, az, ex, ey, ez)
    cosine = ex * sx + ey * sy + ez * sz - along
    sine = cx * sx + cy * sy + cz * sz
    size = math.sqrt(cosine * cosine + sine * sine)
    if size < 1e-12:
        return 0.0, (ax, ay, az)
    wanted = 0.5 * (ex * ex + ey * ey + ez * ez + sx * sx + sy * sy + sz * sz - reach * reach) - along
    now, then = math.atan2(sine, cosine), math.acos(max(-1.0, min(1.0, wanted / size)))
    if now < 0.0 and now > BACKWARDS - math.pi:
        return min(then, STRAIGHT) - min(-now, STRAIGHT), (ax, ay, az)
    return min(now if now > 0.0 else math.pi, STRAIGHT) - min(then, STRAIGHT), (ax, ay, az)


@inner_kernel
def _swing(from_x, from_y, from_z, to_x, to_y, to_z):
    """Angle and axis of the smallest rotation from one direction to another; no angle where it has no axis."""
    x, y, z = cross(from_x, from_y, from_z, to_x, to_y, to_z)
    across = _length(x, y, z)
    along = from_x * to_x + from_y * to_y + from_z * to_z
    if across < 1e-12 * max(abs(along), 1e-12):
        return 0.0, (0.0, 1.0, 0.0)
    return math.atan2(across, along), (x / across, y / across, z / across)


@inner_kernel
def _followed(reach):
    """The length to which an arm follows a target, both in lengths of the arm."""
    if reach < EASES:
        return reach
    return EASES + (REACHES - EASES) * (1.0 - math.exp((EASES - reach) / (REACHES - EASES)))


@inner_kernel
def _apart(b, w, to, shoulder):
    """0 … 1: how much an arm can do on its own for a target, by how far that is from the trunk and ahead of it."""
    hx, hy, hz = vector_at(w.origins, b.segments[0], 0)
    lx, ly, lz = vector_at(w.origins, b.segments[UPPER_ARMS[0]], 0)
    rx, ry, rz = vector_at(w.origins, b.segments[UPPER_ARMS[1]], 0)
    ux, uy, uz = 0.5 * (lx + rx) - hx, 0.5 * (ly + ry) - hy, 0.5 * (lz + rz) - hz
    dx, dy, dz = to[0] - hx, to[1] - hy, to[2] - hz
    up = min(1.0, max(0.0, (ux * dx + uy * dy + uz * dz) / max(ux * ux + uy * uy + uz * uz, 1e-12)))
    away = _length(dx - up * ux, dy - up * uy, dz - up * uz) / b.leg[0]
    chest = b.segments[CHEST]
    common = rotation_at(b.common, chest)
    fx, fy, fz = rotate(rotation_at(w.turns, chest), common[6], common[7], common[8])
    ahead = fx * (to[0] - shoulder[0]) + fy * (to[1] - shoulder[1]) + fz * (to[2] - shoulder[2])
    return eased((away - TOUCHING) / (APART - TOUCHING)) * eased(1.0 + ahead / (BEHIND * b.leg[0]))


@inner_kernel
def _reach(t, b, w, side, end, to, on, strength):
    """The rotations in the world, in `w.new`, by which the segments of an arm bring `end`, which the hand carries, to
    `to`, as far as the arm should.
    """
    first = UPPER_ARMS[side]
    upper, lower = b.segments[first], b.segments[first + 1]
    sx, sy, sz = vector_at(w.origins, upper, 0)
    ex, ey, ez = vector_at(w.origins, lower, 0)
    ux, uy, uz = ex - sx, ey - sy, ez - sz
    lx, ly, lz = end[0] - ex, end[1] - ey, end[2] - ez
    dx, dy, dz = to[0] - sx, to[1] - sy, to[2] - sz
    whole = _length(ux, uy, uz) + _length(lx, ly, lz)
    if whole < 1e-9:
        return
    far, now = _length(dx, dy, dz) / whole, _length(ux + lx, uy + ly, uz + lz) / whole
    share = strength * eased((far - NEARER) / (NEAR - NEARER)) * _apart(b, w, to, (sx, sy, sz))
    off = _length(end[0] - to[0], end[1] - to[1], end[2] - to[2]) / whole
    if not on:
        share *= eased(off / FAR)
    axis = _elbow_axis(t, b, w, side, lower, (ux, uy, uz), (lx, ly, lz))
    bend, axis = _bend(axis, (ux, uy, uz), (lx, ly, lz), whole * (now + _followed(far) - _followed(now)))
    bend *= share / (1.0 + (bend / (FASTEST * off)) ** 4) ** 0.25
    bent = rotation_about(axis[0], axis[1], axis[2], math.sin(bend), math.cos(bend))
    lx, ly, lz = rotate(bent, lx, ly, lz)
    angle, about = _swing(ux + lx, uy + ly, uz + lz, dx, dy, dz)
    angle *= share * eased((MOST - angle) / (MOST - TURNS))
    swung = rotation_about(about[0], about[1], about[2], math.sin(angle), math.cos(angle))
    put_turn(w.new, first, swung)
    for s in (first + 1, first + 2):
        put_turn(w.new, s, multiply_rotations(swung, bent))


@inner_kernel
def _asks_for_hands(known):
    asks = False
    for k in range(known.shape[0]):
        asks = asks or (known[k, POSITION] and known[k, TERM] >= 0 and known[k, SLOT] <= HANDS[1])
    return asks


@inner_kernel
def reach_by_arms(t, b, w, memory, terms, known, local, numbers, on, free, strength, start, q):
    """Fill `q` with the pose `start` whose hands that have targets are nearer to them by their arms alone, where no
    goal says where the elbow is. free: `[dof]` what rotates arms; the other arguments as for `begin`.
    """
    for c in range(q.shape[0]):
        q[c] = start[c]
    if not _asks_for_hands(known):
        return
    moved, blocks = memory
    move_axes_together(t, q, moved, blocks)
    place_joints(t, None, q, moved, w.turns, w.origins, None, None)
    read_targets(terms, numbers, 1.0, w.wanted)
    read_known(b, w, known, local)
    for s in range(b.segments.shape[0]):
        put_turn(w.old, s, NO_TURN)
        put_turn(w.new, s, NO_TURN)
    reaches = False
    for k in range(known.shape[0]):
        slot, joint, term = known[k, SLOT], known[k, JOINT], known[k, TERM]
        if not known[k, POSITION] or term < 0 or slot > HANDS[1] or w.said[ELBOWS[slot], 0]:
            continue
        if w.said[slot, 1]:  # the wrist rotates the hand about itself
            end, to = vector_at(w.origins, b.points[slot], 0), vector_at(w.place, slot, 0)
        else:
            x, y, z = rotate(rotation_at(w.turns, joint), local[k, 0], local[k, 1], local[k, 2])
            end = (x + w.origins[joint, 0], y + w.origins[joint, 1], z + w.origins[joint, 2])
            to = vector_at(w.wanted, term, 0)
        if _length(end[0] - to[0], end[1] - to[1], end[2] - to[2]) > THERE * b.leg[0]:
            _reach(t, b, w, slot, end, to, on, strength)
            reaches = True
    if reaches:
        turn_joints(t, b, w, NO_TURN, True, free, q)
