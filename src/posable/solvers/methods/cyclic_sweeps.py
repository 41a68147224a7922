"""Compiled sweeps of cyclic coordinate descent: each move in turn takes its optimal value."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.skeleton.forward import rotation_at
from posable.skeleton.limits import clamp_ball
from posable.skeleton.tables import LOWER, UPPER
from posable.solvers.methods.effector_state import (
    UNMOVED,
    after,
    carry_by_shift,
    carry_by_turn,
    center_of,
    eased,
    find_backs,
    frame_above,
    lever,
    make_state,
    motion_at,
    move_point,
    place,
    put_motion,
    seen_from,
    shifted,
)
from posable.solvers.methods.pattern_move import cost_left, pattern_move
from posable.solvers.methods.procrustes import add_pair, best_turn
from posable.solvers.methods.sweep_dofs import (
    APART,
    AXIS,
    BEFORE,
    COORDINATE,
    DOF,
    EASE,
    JOINT,
    KIND,
    LOCKED,
    RIGID,
    SHARE,
    SHIFT,
    SLIDE,
    TURN,
)
from posable.spatial.kernels import (
    cross,
    exp_wxyz,
    log_wxyz,
    multiply_rotations,
    multiply_wxyz,
    rotate,
    rotate_back,
    rotation_about,
    rotation_of_wxyz,
)

_ROUNDING = 1e-14  # a pull below this share of its parts counts as zero


@kernel
def sweep(t, m, wanted, q, base_first, max_turn, most, costs):
    """One sweep of every problem of `q [problem, coordinates]`, in place.

    most: how often a sweep with a large remaining error may be extrapolated, doubling the step each time.
    costs: `[problem, 2]` the weighted squared error before and after.
    """
    own, trial, start = np.empty(q.shape[1]), np.empty(q.shape[1]), np.empty(q.shape[1])
    s, blocks = make_state(t, m)
    drift, pending, memory = np.empty((len(m.table), 12)), np.empty(t.axis.shape[0]), np.empty((3, 4, 4))
    way = np.empty((2, t.bound.shape[0]))
    for p in range(q.shape[0]):
        own[:] = q[p]
        start[:] = own
        place(t, m, own, s, blocks)
        costs[p, 0] = cost_left(m, s, wanted.position[p], wanted.rotation[p])
        _sweep(t, m, s, own, wanted.position[p], wanted.rotation[p], base_first, max_turn, drift, pending, memory)
        costs[p, 1] = cost_left(m, s, wanted.position[p], wanted.rotation[p])
        pattern_move(t, m, s, blocks, start, own, wanted.position[p], wanted.rotation[p], most, way, trial, costs[p])
        q[p] = own


@inner_kernel
def _sweep(t, m, s, own, place, turn, base_first, max_turn, drift, pending, memory):
    """Every move once.

    drift: the rigid motion, since the sweep began, of the bodies below a move; in a sweep from the tip, the bodies
    above a move have not moved yet.
    """
    moves = m.table.shape[0]
    pending[:] = 0.0
    for k in range(moves):
        put_motion(drift, k, UNMOVED)
    for n in range(moves):
        k = n if base_first else moves - 1 - n
        before, a = m.table[k, BEFORE], m.table[k, AXIS]
        g = motion_at(drift, before) if before >= 0 else UNMOVED
        if m.table[k, KIND] == TURN and pending[a] != 0.0:
            g = _turned(g, s, a, pending[a])
        if m.table[k, LOCKED] == 0:
            g = _make_move(t, m, k, s, own, g, place, turn, max_turn, pending, memory)
        put_motion(drift, k, g)


@inner_kernel
def _turned(g, s, a, angle):
    """First the rigid motion `g`, then a rotation about the axis `a` that it has moved."""
    x, y, z = rotate(g, s.axes[a, 0], s.axes[a, 1], s.axes[a, 2])
    cx, cy, cz = move_point(g, s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2])
    return after(g, rotation_about(x, y, z, math.sin(angle), math.cos(angle)), cx, cy, cz)


@shared_kernel
def _make_move(t, m, k, s, own, g, place, turn, max_turn, pending, memory):
    """Bring move `k` to its optimum while all others are fixed; the bodies below follow. Returns the motion
    after it.
    """
    kind = m.table[k, KIND]
    if kind == TURN:
        return _turn_axis(t, m, k, s, own, g, place, turn, max_turn, pending)
    if kind == SLIDE:
        return _slide_axis(t, m, k, s, own, g, place)
    if kind == SHIFT:
        return _shift(t, m, k, s, own, g, place)
    return _turn_ball(t, m, k, s, own, g, place, turn, max_turn, memory)


@inner_kernel
def _turn_axis(t, m, k, s, own, g, place, turn, max_turn, pending):
    """Rotate about an axis by the angle that maximises A cos δ + B sin δ, as far as the limits allow."""
    a, c, d = m.table[k, AXIS], m.table[k, COORDINATE], m.table[k, DOF]
    ax, ay, az = rotate(g, s.axes[a, 0], s.axes[a, 1], s.axes[a, 2])
    cx, cy, cz = move_point(g, s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2])
    find_backs(m, k, s, g)
    along, aside = _pulls(m, k, s, ax, ay, az, cx, cy, cz, place, turn)
    angle = _best_angle(along, aside, t.bound[d, LOWER] - own[c], t.bound[d, UPPER] - own[c])
    angle = max(-max_turn, min(max_turn, m.resistance[k, SHARE] * angle))
    angle = eased(angle, own[c], t.bound[d, LOWER], t.bound[d, UPPER], m.resistance[k, EASE])
    if angle == 0.0:
        return g
    own[c] += angle
    r = rotation_about(ax, ay, az, math.sin(angle), math.cos(angle))
    carry_by_turn(m, k, s, r, cx, cy, cz)
    for e in range(m.joint.shape[0]):
        if m.way[k, e] >= 0:
            pending[m.way[k, e]] = -angle
    return after(g, r, cx, cy, cz)


@inner_kernel
def _pulls(m, k, s, ax, ay, az, cx, cy, cz, place, turn):
    """(A, B), summed over the positions of all effectors and the axes of their frames: a vector v with the target n
    gives v·n − (a·v)(a·n) and a·(v × n). A pull within rounding counts as zero.
    """
    along = aside = size = 0.0
    for e in range(m.joint.shape[0]):
        way = m.way[k, e]
        if way == APART:
            continue
        vx, vy, vz = lever(way, s, e, cx, cy, cz)
        nx, ny, nz = (
            place[e, 0] - s.points[e, 0] + vx,
            place[e, 1] - s.points[e, 1] + vy,
            place[e, 2] - s.points[e, 2] + vz,
        )
        one, other = _pull(ax, ay, az, vx, vy, vz, nx, ny, nz)
        along += m.weight[e, 0] * one
        aside += m.weight[e, 0] * other
        size += m.weight[e, 0] * math.sqrt((vx * vx + vy * vy + vz * vz) * (nx * nx + ny * ny + nz * nz))
        if way != RIGID or m.weight[e, 1] == 0.0:
            continue
        for i in range(3):
            f = s.frames[e]
            one, other = _pull(ax, ay, az, f[0, i], f[1, i], f[2, i], turn[e, 0, i], turn[e, 1, i], turn[e, 2, i])
            along += m.weight[e, 1] * one
            aside += m.weight[e, 1] * other
            size += m.weight[e, 1]
    if math.hypot(along, aside) <= _ROUNDING * size:
        return 1.0, 0.0
    return along, aside


@inner_kernel
def _pull(ax, ay, az, vx, vy, vz, nx, ny, nz):
    """The coefficients of cosine and sine when v rotates towards n about the axis a."""
    x, y, z = cross(vx, vy, vz, nx, ny, nz)
    level = (ax * vx + ay * vy + az * vz) * (ax * nx + ay * ny + az * nz)
    return vx * nx + vy * ny + vz * nz - level, ax * x + ay * y + az * z


@inner_kernel
def _best_angle(along, aside, least, most):
    """The angle between `least` and `most` that maximises along · cos + aside · sin; of equal ones the smallest."""
    angle = math.atan2(aside, along)
    if least <= angle <= most:
        return angle
    other = angle - math.copysign(2.0 * math.pi, angle)
    if least <= other <= most:
        return other
    low = along * math.cos(least) + aside * math.sin(least)
    high = along * math.cos(most) + aside * math.sin(most)
    if math.isinf(least) or (not math.isinf(most) and high > low):
        return most
    return least


@inner_kernel
def _slide_axis(t, m, k, s, own, g, place):
    """Slide by the weighted mean of the residuals along the axis."""
    a, c, d = m.table[k, AXIS], m.table[k, COORDINATE], m.table[k, DOF]
    ax, ay, az = rotate(g, s.axes[a, 0], s.axes[a, 1], s.axes[a, 2])
    x, y, z = _mean_left(m, k, s, place)
    step = m.resistance[k, SHARE] * (ax * x + ay * y + az * z)
    step = eased(step, own[c], t.bound[d, LOWER], t.bound[d, UPPER], m.resistance[k, EASE])
    own[c] += step
    carry_by_shift(m, k, s, step * ax, step * ay, step * az)
    return shifted(g, step * ax, step * ay, step * az)


@inner_kernel
def _mean_left(m, k, s, place):
    """The weighted mean of the position residuals of the effectors below move `k`."""
    x = y = z = total = 0.0
    for e in range(m.joint.shape[0]):
        if m.way[k, e] != APART:
            weight = m.weight[e, 0]
            x += weight * (place[e, 0] - s.points[e, 0])
            y += weight * (place[e, 1] - s.points[e, 1])
            z += weight * (place[e, 2] - s.points[e, 2])
            total += weight
    if total == 0.0:
        return 0.0, 0.0, 0.0
    return x / total, y / total, z / total


@inner_kernel
def _shift(t, m, k, s, own, g, place):
    """Move a free joint by the weighted mean of the residuals, along those of its axes that are free."""
    c, d = m.table[k, COORDINATE], m.table[k, DOF]
    r = multiply_rotations(g, frame_above(t, s, m.table[k, JOINT]))
    x, y, z = _mean_left(m, k, s, place)
    x, y, z = rotate_back(r, x, y, z)
    share = m.resistance[k, SHARE]
    x, y, z = share * x * m.free[d], share * y * m.free[d + 1], share * z * m.free[d + 2]
    own[c] += x
    own[c + 1] += y
    own[c + 2] += z
    x, y, z = rotate(r, x, y, z)
    carry_by_shift(m, k, s, x, y, z)
    return shifted(g, x, y, z)


@inner_kernel
def _turn_ball(t, m, k, s, own, g, place, turn, max_turn, memory):
    """Rotate a ball by the best rotation, as far as its cone allows."""
    j, c = m.table[k, JOINT], m.table[k, COORDINATE]
    cx, cy, cz = center_of(t, s, j)
    cx, cy, cz = move_point(g, cx, cy, cz)
    pairs = memory[2]
    size = _pairs(m, k, s, cx, cy, cz, place, turn, pairs)
    if size == 0.0:
        return g
    w, x, y, z = best_turn(pairs, memory[0], memory[1])
    x, y, z = log_wxyz(w, x, y, z)
    angle = math.sqrt(x * x + y * y + z * z)
    if angle <= _ROUNDING:
        return g
    share = min(m.resistance[k, SHARE], max_turn / angle)
    w, x, y, z = exp_wxyz(share * x, share * y, share * z)
    frame = multiply_rotations(g, rotation_at(s.turns, j))
    x, y, z = rotate_back(frame, x, y, z)
    r = rotation_of_wxyz(w, x, y, z)
    sw, sx, sy, sz = own[c], own[c + 1], own[c + 2], own[c + 3]
    w, x, y, z = multiply_wxyz(sw, sx, sy, sz, w, x, y, z)
    scale = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    own[c], own[c + 1], own[c + 2], own[c + 3] = scale * w, scale * x, scale * y, scale * z
    if t.cones[j, 7] >= 0.0 and clamp_ball(t.cones[j], own, c):
        w, x, y, z = multiply_wxyz(sw, -sx, -sy, -sz, own[c], own[c + 1], own[c + 2], own[c + 3])
        r = rotation_of_wxyz(w, x, y, z)
    inverse = (frame[0], frame[3], frame[6], frame[1], frame[4], frame[7], frame[2], frame[5], frame[8])
    r = seen_from(inverse, r)
    before = pairs[0, 0] + pairs[1, 1] + pairs[2, 2]
    if _agreement(pairs, r) < before:  # the rotation that the cone allows is worse than none
        own[c], own[c + 1], own[c + 2], own[c + 3] = sw, sx, sy, sz
        return g
    carry_by_turn(m, k, s, r, cx, cy, cz)
    return after(g, r, cx, cy, cz)


@inner_kernel
def _agreement(pairs, r):
    """Σ weight n · (R v), which the best rotation maximises."""
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += pairs[i, j] * r[3 * i + j]
    return total


@inner_kernel
def _pairs(m, k, s, cx, cy, cz, place, turn, pairs):
    """Fill the matrix of vectors and their targets; returns its size for comparison with rounding, 0 if it is empty."""
    for row in range(3):
        for column in range(3):
            pairs[row, column] = 0.0
    size = 0.0
    for e in range(m.joint.shape[0]):
        if m.way[k, e] == APART:
            continue
        vx, vy, vz = lever(RIGID, s, e, cx, cy, cz)
        add_pair(pairs, m.weight[e, 0], vx, vy, vz, place[e, 0] - cx, place[e, 1] - cy, place[e, 2] - cz)
        size += m.weight[e, 0] * (vx * vx + vy * vy + vz * vz)
        if m.weight[e, 1] > 0.0:
            for i in range(3):
                f = s.frames[e]
                add_pair(pairs, m.weight[e, 1], f[0, i], f[1, i], f[2, i], turn[e, 0, i], turn[e, 1, i], turn[e, 2, i])
            size += m.weight[e, 1]
    return size
