"""Compiled: what is known of a pose, given to the network, and what that answers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel
from posable.natural.network_kernel import MIRRORED, Weights, balance, mirror_told
from posable.skeleton.forward import put_turn, rotation_at, vector_at
from posable.spatial import Array
from posable.spatial.kernels import cross, multiply_rotations, rotate, rotate_back, rotation_about, rotation_of_wxyz

NOW, BEFORE = 0, 1
"""Rows of what the network is given: all that is known, and the same before that changed."""
SLOT, JOINT, TERM, POSITION, ROTATION, GAZE = range(6)
"""Columns of `known`: point, joint of the goal, the term whose target it is (-1: as at the start), and whether that
says where it is, how it is turned, at what it looks."""
_MOST = 1.2  # radians by which a head rotates to see something: for more, the rest of the body does
HEAD_POINT = 4
"""The point that the head is."""
SHOULDERS = 3, 11
LIFTS, MOST_LIFTED = -0.5, 0.5
"""Radians: an arm above the horizontal by more than the first lifts its shoulder, by no more than the second."""
SURE = 0.6
"""The columns of a proposed rotation are about 1 long where the network knows, and shorter where it does not."""


class Body(NamedTuple):
    """The arrays that the kernels read.

    In the figure's axes (left, up, forward) a segment in the common T-pose has the rotation 1. A joint's rotation in
    the world is axes · C · common[joint], C being that of the segment `turned_by[joint, 0]`, or a share of the arc from
    it to that of `turned_by[joint, 1]`.
    """

    axes: Array  # [1, 3, 3] columns: left, up, forward in the world
    leg: Array  # [1] from hip over knee to ankle: the unit of length
    measures: Array  # [9] lengths of the body, in legs
    turned_by: NDArray[np.int64]  # [joint, 2] segments, -1 for a joint that stays as it is
    share: Array  # [joint]
    common: Array  # [joint, 3, 3]
    bones: Array  # [joint, 3] from thighs, shins and arms to the next joint, in the joint's frame; 0 for others
    bent_by: NDArray[np.int64]  # [joint] the hinge right below a ball by which its limb bends; -1 for others
    segments: NDArray[np.int64]  # [segment] their joints, -1 for those that the figure does not have
    points: NDArray[np.int64]  # [point] joints, or -1
    turning: NDArray[np.int64]  # [rotation] segments whose rotations may be given
    root: NDArray[np.int64]  # [1] the free joint that carries the hips, or -1
    rest: Array  # [coordinate]


class Network(NamedTuple):
    """Two hidden layers. It is given what is known, as `describe` says it, and answers with the first two
    columns of each segment's rotation in its parent's, and where the hips are from the middle of what is known.
    """

    first: Weights  # [input, hidden]
    first_bias: Weights
    second: Weights  # [hidden, hidden]
    second_bias: Weights
    last: Weights  # [hidden, output]
    last_bias: Weights
    measures: Array  # [2, 9] the mean and the spread of the bodies' measures that it has seen
    mean: Array  # [segment, 3, 3] how they are usually turned in their parents; of the hips without their facing
    spread: Array  # [segment] radians
    relaxed: Array  # [segment, 3, 3] the same as `mean` of people whose arms hang


class Work(NamedTuple):
    """Memory for one start."""

    turns: Array  # [joint, 3, 3]
    origins: Array  # [joint, 3]
    turned: Array  # [joint, 3, 3]
    wanted: Array  # [term, 12] the targets of the goals, position and rotation
    before: Array  # [term, 12] those before, in a drag
    place: Array  # [point, 3]
    turn: Array  # [point, 3, 3]
    said: NDArray[np.int64]  # [point, 2] whether position and rotation are known
    old: Array  # [segment, 3, 3]
    new: Array
    proposed: Array  # for what is known at the start
    x: Weights  # [4, input] for what is known now, and before or at the start; then both mirrored
    hidden: Weights  # [2 layers, 4, hidden]
    y: Weights  # [4, output]
    tangent: Array  # [dof]
    none: NDArray[np.bool_]  # [dof]


@inner_kernel
def transposed(r):
    return r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]


@inner_kernel
def _turned_to(turn, fx, fy, fz, dx, dy, dz):
    """The rotation `turn` and then the smallest that takes its direction f onto the direction d, in the world."""
    fx, fy, fz = rotate(turn, fx, fy, fz)
    size = math.sqrt((fx * fx + fy * fy + fz * fz) * (dx * dx + dy * dy + dz * dz))
    if size < 1e-12:
        return turn
    x, y, z = cross(fx, fy, fz, dx, dy, dz)
    w = size + fx * dx + fy * dy + fz * dz
    size = math.sqrt(w * w + x * x + y * y + z * z)
    across = math.sqrt(x * x + y * y + z * z)
    if across < 1e-9 * size:
        return turn
    half = min(math.atan2(across, w), 0.5 * _MOST)
    part = math.sin(half) / across
    return multiply_rotations(rotation_of_wxyz(math.cos(half), part * x, part * y, part * z), turn)


@inner_kernel
def read_known(b, w, known, local):
    """Fill what is known: `w.place [point, 3]`, `w.turn [point, 3, 3]` in the world, and whether it is, from the
    targets in `w.wanted`.
    """
    w.said[:] = 0
    for k in range(known.shape[0]):
        slot, joint, term = known[k, SLOT], known[k, JOINT], known[k, TERM]
        own = b.points[slot]
        mine = rotation_at(w.turns, own)
        x, y, z = vector_at(w.origins, own, 0)
        if known[k, GAZE]:
            w.said[slot, 1] = 1
            tx, ty, tz = vector_at(w.wanted, term, 0)
            f = rotate_back(mine, *rotate(rotation_at(w.turns, joint), local[k, 0], local[k, 1], local[k, 2]))
            mine = _turned_to(mine, f[0], f[1], f[2], tx - x, ty - y, tz - z)
        elif known[k, ROTATION]:
            w.said[slot, 1] = 1
            if term >= 0:
                to = w.wanted[term]
                wanted = (to[3], to[4], to[5], to[6], to[7], to[8], to[9], to[10], to[11])
                mine = multiply_rotations(wanted, multiply_rotations(transposed(rotation_at(w.turns, joint)), mine))
        elif w.said[slot, 1]:
            mine = rotation_at(w.turn, slot)
        put_turn(w.turn, slot, mine)
        if known[k, POSITION]:
            w.said[slot, 0] = 1
            if term >= 0:
                x, y, z = _carried_to(w, own, joint, term, mine, (local[k, 0], local[k, 1], local[k, 2]))
            w.place[slot, 0], w.place[slot, 1], w.place[slot, 2] = x, y, z


@inner_kernel
def _carried_to(w, own, joint, term, mine, local):
    """Where the joint `own`, turned as `mine`, is for the point `local` of the joint that it carries to be at the
    target of the term.
    """
    px, py, pz = rotate(rotation_at(w.turns, joint), local[0], local[1], local[2])
    px, py, pz = px + w.origins[joint, 0], py + w.origins[joint, 1], pz + w.origins[joint, 2]
    px, py, pz = px - w.origins[own, 0], py - w.origins[own, 1], pz - w.origins[own, 2]
    px, py, pz = rotate(mine, *rotate_back(rotation_at(w.turns, own), px, py, pz))
    tx, ty, tz = vector_at(w.wanted, term, 0)
    return tx - px, ty - py, tz - pz


@inner_kernel
def place_ends(b, w, face, known, local):
    """Where the ends of limbs are in `w.place` whose goals are of what they carry, as fingertips, if they are turned as
    their segments in `w.new`, and not as at the start. Returns whether there are any.
    """
    found = False
    for k in range(known.shape[0]):
        slot, joint, term = known[k, SLOT], known[k, JOINT], known[k, TERM]
        own, point = b.points[slot], (local[k, 0], local[k, 1], local[k, 2])
        is_asked = known[k, POSITION] and term >= 0 and slot < b.turning.shape[0] and not w.said[slot, 1]
        if is_asked and (joint != own or point != (0.0, 0.0, 0.0)):
            c = multiply_rotations(rotation_at(w.new, b.turning[slot]), rotation_at(b.common, own))
            x, y, z = _carried_to(w, own, joint, term, multiply_rotations(transposed(face), c), point)
            w.place[slot, 0], w.place[slot, 1], w.place[slot, 2] = x, y, z
            found = True
    return found


@inner_kernel
def as_at_start(b, w):
    """What is known as it is in the start, whose frames are in `w.turns` and `w.origins`."""
    for slot in range(b.points.shape[0]):
        own = b.points[slot]
        if own >= 0 and w.said[slot, 0]:
            w.place[slot, 0], w.place[slot, 1], w.place[slot, 2] = vector_at(w.origins, own, 0)
        if own >= 0 and w.said[slot, 1]:
            put_turn(w.turn, slot, rotation_at(w.turns, own))


@inner_kernel
def largest_change(b, w):
    """How far the start is off what is known, in legs or radians, the larger."""
    most = 0.0
    for slot in range(b.points.shape[0]):
        own = b.points[slot]
        for i in range(3):
            if w.said[slot, 0]:
                most = max(most, abs(w.place[slot, i] - w.origins[own, i]) / b.leg[0])
            if w.said[slot, 1]:
                for k in range(3):
                    most = max(most, abs(w.turn[slot, i, k] - w.turns[own, i, k]))
    return most


@inner_kernel
def find_facing(b, hips, common):
    """The rotation from the world into the frame that faces as the hips do, their rotation being `hips`."""
    axes = rotation_at(b.axes, 0)
    c = multiply_rotations(transposed(axes), multiply_rotations(hips, transposed(common)))
    size = math.sqrt(c[2] * c[2] + c[8] * c[8])
    sine, cosine = (c[2] / size, c[8] / size) if size > 1e-6 else (0.0, 1.0)
    back = (cosine, 0.0, -sine, 0.0, 1.0, 0.0, sine, 0.0, cosine)
    return multiply_rotations(back, transposed(axes))


@inner_kernel
def describe(b, net, w, face, hinted, row):
    """Fill `w.x[row]`, what the network is given; returns the middle of the known positions."""
    count, leg, x = 0, b.leg[0], w.x[row]
    mx, my, mz = 0.0, 0.0, 0.0
    for slot in range(b.points.shape[0]):
        if w.said[slot, 0]:
            count += 1
            mx, my, mz = mx + w.place[slot, 0], my + w.place[slot, 1], mz + w.place[slot, 2]
    if count == 0:
        mx, my, mz = vector_at(w.origins, b.segments[0], 0)
        count = 1
    mx, my, mz = mx / count, my / count, mz / count
    x[:] = 0.0
    points, turns = b.points.shape[0], b.turning.shape[0]
    for slot in range(points):
        if w.said[slot, 0]:
            dx, dy, dz = rotate(face, w.place[slot, 0] - mx, w.place[slot, 1] - my, w.place[slot, 2] - mz)
            x[3 * slot], x[3 * slot + 1], x[3 * slot + 2] = dx / leg, dy / leg, dz / leg
            x[3 * points + slot] = 0.5
    at = 4 * points
    for slot in range(turns):
        if w.said[slot, 1]:
            c = multiply_rotations(
                multiply_rotations(face, rotation_at(w.turn, slot)), transposed(rotation_at(b.common, b.points[slot]))
            )
            for i in range(3):
                x[at + 6 * slot + i], x[at + 6 * slot + 3 + i] = 0.7 * c[3 * i], 0.7 * c[3 * i + 1]
            x[at + 6 * turns + slot] = 0.5
    at += 7 * turns
    for i in range(b.measures.shape[0]):
        x[at + i] = (b.measures[i] - net.measures[0, i]) / net.measures[1, i]
    at += b.measures.shape[0]
    if hinted:
        for slot in range(points):
            if b.points[slot] >= 0:
                ox, oy, oz = vector_at(w.origins, b.points[slot], 0)
                dx, dy, dz = rotate(face, ox - mx, oy - my, oz - mz)
                x[at + 3 * slot], x[at + 3 * slot + 1], x[at + 3 * slot + 2] = dx / leg, dy / leg, dz / leg
        x[at + 3 * points] = 0.5
    mirror_told(points, turns, x, w.x[row + MIRRORED])
    return mx, my, mz


@inner_kernel
def more_than_gaze(b, w):
    """0 … 1: how much of the change from what was known before to what is known now is not where the head looks."""
    moved, looked, points = 0.0, 0.0, b.points.shape[0]
    for i in range(3 * points):
        moved = max(moved, abs(float(w.x[NOW, i]) - float(w.x[BEFORE, i])))
    for slot in range(b.turning.shape[0]):
        for i in range(6):
            at = 4 * points + 6 * slot + i
            change = abs(float(w.x[NOW, at]) - float(w.x[BEFORE, at]))
            if slot == HEAD_POINT:
                looked = max(looked, change)
            else:
                moved = max(moved, change)
    return moved / (moved + looked) if looked > 0.0 else 1.0


@inner_kernel
def _understand(b, net, y, out):
    """The segments' rotations `out [segment, 3, 3]`, each in its parent's frame, from the numbers of the network.

    Far from all that it has learnt its columns get short, and would flip over at no length: as far as one is shorter
    than SURE, the mean counts.
    """
    for s in range(b.segments.shape[0]):
        ax, ay, az = _sure(float(y[6 * s]), float(y[6 * s + 1]), float(y[6 * s + 2]), _mean_column(net, s, 0))
        size = 1.0 / math.sqrt(ax * ax + ay * ay + az * az)
        ax, ay, az = size * ax, size * ay, size * az
        bx, by, bz = float(y[6 * s + 3]), float(y[6 * s + 4]), float(y[6 * s + 5])
        along = ax * bx + ay * by + az * bz
        bx, by, bz = _sure(bx - along * ax, by - along * ay, bz - along * az, _mean_column(net, s, 1))
        along = ax * bx + ay * by + az * bz
        bx, by, bz = bx - along * ax, by - along * ay, bz - along * az
        size = 1.0 / math.sqrt(bx * bx + by * by + bz * bz)
        bx, by, bz = size * bx, size * by, size * bz
        cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        put_turn(out, s, (ax, bx, cx, ay, by, cy, az, bz, cz))


@inner_kernel
def _mean_column(net, s, column):
    """A column of a segment's mean rotation."""
    return net.mean[s, 0, column], net.mean[s, 1, column], net.mean[s, 2, column]


@inner_kernel
def _sure(x, y, z, mean):
    """A vector, and as much of the mean as it is too short."""
    lacks = 2.0 * max(0.0, SURE - math.sqrt(x * x + y * y + z * z))
    return x + lacks * mean[0], y + lacks * mean[1], z + lacks * mean[2]


@inner_kernel
def _lift_shoulders(b, out):
    """Raise the shoulders of raised arms, which stay as they are turned: in the recordings collar bones hardly move.

    Of what an arm rises above LIFTS, a third is its shoulder's (Inman, Saunders and Abbott 1944).
    """
    for k in range(2):
        s, side = SHOULDERS[k], 1.0 - 2.0 * k
        if b.segments[s] >= 0:
            shoulder = rotation_at(out, s)
            arm = multiply_rotations(shoulder, rotation_at(out, s + 1))
            rises = math.asin(min(max(side * arm[3], -1.0), 1.0))
            angle = side * min(max(0.0, rises - LIFTS) / 3.0, MOST_LIFTED)
            lifted = multiply_rotations(rotation_about(0.0, 0.0, 1.0, math.sin(angle), math.cos(angle)), shoulder)
            put_turn(out, s, lifted)
            put_turn(out, s + 1, multiply_rotations(transposed(lifted), arm))


@inner_kernel
def understood(b, net, w, face, row, middle, out):
    """What people do where all is as `w.x[row]` says: the rotations of the segments into `out`; returns where the hips
    are. middle: of the known positions.
    """
    y = w.y[row]
    balance(b.segments.shape[0], y, w.y[row + MIRRORED])
    _understand(b, net, y, out)
    _lift_shoulders(b, out)
    n, leg = 6 * b.segments.shape[0], b.leg[0]
    dx, dy, dz = rotate_back(face, leg * float(y[n]), leg * float(y[n + 1]), leg * float(y[n + 2]))
    return dx + middle[0], dy + middle[1], dz + middle[2]
