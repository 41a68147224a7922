"""Compiled parts of a sweep over the joints: the state of the effectors, and how one joint's move changes it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from posable.compiled.decorators import inner_kernel, maker_kernel
from posable.skeleton.forward import make_moved, move_axes_together, place_joints, rest_turn, rotation_at
from posable.skeleton.tables import ANCHOR, PARENT, TURNED
from posable.solvers.methods.sweep_dofs import APART, RIGID
from posable.spatial import Array
from posable.spatial.kernels import multiply_rotations, rotate

UNMOVED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
"""The identity as a rigid motion: nine numbers of the rotation, three of the translation."""


class WorldState(NamedTuple):
    """One pose in the world. The joints' frames are those at the start of a sweep, the effectors' follow every move."""

    turns: Array  # [joint, 3, 3]
    origins: Array  # [joint, 3]
    axes: Array  # [axis, 3]
    anchors: Array  # [axis, 3]
    points: Array  # [effector, 3]
    frames: Array  # [effector, 3, 3]
    backs: Array  # [effector, 3] for absolute angles: the point beyond which the bodies keep their orientation
    moved: Array  # [3, axis]


@maker_kernel
def make_state(t, m):
    """Memory for `place`: (state, blocks), the latter as of `make_moved`."""
    joints, axes, effectors = t.frame.shape[0], t.axis.shape[0], m.joint.shape[0]
    moved, blocks = make_moved(t)
    state = WorldState(
        np.empty((joints, 3, 3)),
        np.empty((joints, 3)),
        np.empty((axes, 3)),
        np.empty((axes, 3)),
        np.empty((effectors, 3)),
        np.empty((effectors, 3, 3)),
        np.empty((effectors, 3)),
        moved,
    )
    return state, blocks


@inner_kernel
def place(t, m, own, s, blocks):
    """Fill the state `s` of the pose `own`."""
    move_axes_together(t, own, s.moved, blocks)
    place_joints(t, None, own, s.moved, s.turns, s.origins, s.axes, s.anchors)
    for e in range(m.joint.shape[0]):
        j = m.joint[e]
        x, y, z = rotate(rotation_at(s.turns, j), m.tip[e, 0], m.tip[e, 1], m.tip[e, 2])
        s.points[e, 0], s.points[e, 1], s.points[e, 2] = x + s.origins[j, 0], y + s.origins[j, 1], z + s.origins[j, 2]
        for row in range(3):
            for column in range(3):
                s.frames[e, row, column] = s.turns[j, row, column]


@inner_kernel
def lever(way, s, e, cx, cy, cz):
    """From a centre to the point that a rotation about it moves: the effector, or that of `backs`."""
    if way == RIGID:
        return s.points[e, 0] - cx, s.points[e, 1] - cy, s.points[e, 2] - cz
    return s.backs[e, 0] - cx, s.backs[e, 1] - cy, s.backs[e, 2] - cz


@inner_kernel
def carry_by_turn(m, k, s, r, cx, cy, cz):
    """Rotate the effectors below move `k` by `r` about a centre."""
    for e in range(m.joint.shape[0]):
        way = m.way[k, e]
        if way == APART:
            continue
        vx, vy, vz = lever(way, s, e, cx, cy, cz)
        x, y, z = rotate(r, vx, vy, vz)
        s.points[e, 0] += x - vx
        s.points[e, 1] += y - vy
        s.points[e, 2] += z - vz
        if way == RIGID:
            for column in range(3):
                x, y, z = rotate(r, s.frames[e, 0, column], s.frames[e, 1, column], s.frames[e, 2, column])
                s.frames[e, 0, column], s.frames[e, 1, column], s.frames[e, 2, column] = x, y, z


@inner_kernel
def carry_by_shift(m, k, s, x, y, z):
    """Translate the effectors below move `k`."""
    for e in range(m.joint.shape[0]):
        if m.way[k, e] != APART:
            s.points[e, 0] += x
            s.points[e, 1] += y
            s.points[e, 2] += z


@inner_kernel
def eased(step, value, lower, upper, ease):
    """A step that ends at the limit; within `ease` before it the remaining distance shrinks as e^(−step/ease)."""
    if step == 0.0:
        return 0.0
    room = upper - value if step > 0.0 else value - lower
    if room <= 0.0:
        return 0.0
    size = abs(step)
    if ease > 0.0 and room < math.inf:
        openly = min(size, max(room - ease, 0.0))
        near = min(room, ease)
        size = openly + near * (1.0 - math.exp(-(size - openly) / ease))
    return math.copysign(min(size, room), step)


@inner_kernel
def seen_from(r, turn):
    """A world rotation `turn` expressed in the frame `r`: rᵀ · `turn` · r."""
    inverse = (r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8])
    return multiply_rotations(multiply_rotations(inverse, turn), r)


@inner_kernel
def frame_above(t, s, j):
    """The frame in which joint `j` moves: its rest frame, carried by the joint above."""
    r = rest_turn(t.frame, j)
    p = t.joint[j, PARENT]
    if p < 0:
        return r
    return multiply_rotations(rotation_at(s.turns, p), r) if t.joint[j, TURNED] else rotation_at(s.turns, p)


@inner_kernel
def center_of(t, s, j):
    """The world point about which the ball joint `j` rotates."""
    x, y, z = rotate(rotation_at(s.turns, j), t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
    return x + s.origins[j, 0], y + s.origins[j, 1], z + s.origins[j, 2]


@inner_kernel
def motion_at(drift, k):
    """The rigid motion in row `k`: nine numbers of the rotation, three of the translation."""
    d = drift[k]
    return d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11]


@inner_kernel
def put_motion(drift, k, g):
    """Write a rigid motion."""
    d = drift[k]
    d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11] = g


@inner_kernel
def move_point(g, x, y, z):
    """A point moved by a rigid motion."""
    x, y, z = rotate(g, x, y, z)
    return x + g[9], y + g[10], z + g[11]


@inner_kernel
def after(g, r, cx, cy, cz):
    """First the rigid motion `g`, then a rotation `r` about a centre."""
    both = multiply_rotations(r, g)
    x, y, z = rotate(r, g[9] - cx, g[10] - cy, g[11] - cz)
    return (
        both[0], both[1], both[2], both[3], both[4], both[5], both[6], both[7], both[8], x + cx, y + cy, z + cz
    )  # fmt: skip


@inner_kernel
def shifted(g, x, y, z):
    """First the rigid motion `g`, then a translation."""
    return g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8], g[9] + x, g[10] + y, g[11] + z


@inner_kernel
def find_backs(m, k, s, g):
    """The present positions of the absolute axes that compensate move `k`."""
    for e in range(m.joint.shape[0]):
        b = m.way[k, e]
        if b >= 0:
            x, y, z = move_point(g, s.anchors[b, 0], s.anchors[b, 1], s.anchors[b, 2])
            s.backs[e, 0], s.backs[e, 1], s.backs[e, 2] = x, y, z
