"""Compiled: forward kinematics of a pose, the residuals of the goals, and the motion of every freedom."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel, shared_kernel
from posable.compiled.spatial_vectors import dot, spatial_vector
from posable.goals.evaluation import fill_term
from posable.goals.gravity import FLOOR
from posable.goals.term_arrays import COUNTS, LEVEL, SOFTER, TOLERANCE, WEIGHT
from posable.skeleton.forward import move_axes_together, place_joints, rest_turn, rotation_at
from posable.skeleton.tables import ANCHOR, AXIS, BALL, CODE, COORDINATE, DOF, FREE, PARENT, SLIDES
from posable.solvers.default.kernels.active_limits import find_basis
from posable.solvers.default.kernels.workspace import (
    ABOVE,
    ACTS,
    BELOW,
    BEND,
    DRAW,
    FORCE,
    KEPT,
    LOCKED,
    SHIFT,
    SOFT,
    STIFFNESS,
    TRIED_SOFT,
    UNIT,
    USED,
    VELOCITY,
    S,
)
from posable.spatial.kernels import cross, log_wxyz, multiply_rotations, multiply_wxyz, rotate

# Compiled: the forces of the soft goals on every freedom.


@inner_kernel
def springs_pull(p, level):
    """Whether this level is that of the springs, which are softer than all goals."""
    return level == p.levels + 1


@inner_kernel
def pull_springs(t, p, freedom, q, spring_poses):
    """Fill the pull and the stiffness per freedom; return the springs' energy. spring_poses: `[spring,
    coordinates]`.
    """
    cost = 0.0
    for d in range(freedom.shape[1]):
        freedom[TRIED_SOFT, d] = freedom[STIFFNESS, d] = 0.0
    for n in range(spring_poses.shape[0]):
        for j in range(t.frame.shape[0]):
            c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
            plain = t.joint[j + 1, DOF] - d
            if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
                plain = 3 if t.joint[j, CODE] == FREE else 0
                e = c + plain
                w, x, y, z = multiply_wxyz(
                    q[e], -q[e + 1], -q[e + 2], -q[e + 3],
                    spring_poses[n, e], spring_poses[n, e + 1], spring_poses[n, e + 2], spring_poses[n, e + 3],
                )  # fmt: skip
                x, y, z = log_wxyz(w, x, y, z)
                cost += _pull(p, freedom, n, d + plain, x)
                cost += _pull(p, freedom, n, d + plain + 1, y)
                cost += _pull(p, freedom, n, d + plain + 2, z)
            for k in range(plain):
                cost += _pull(p, freedom, n, d + k, spring_poses[n, c + k] - q[c + k])
    return cost


@inner_kernel
def _pull(p, freedom, n, d, away):
    """Add one spring to freedom `d`, at the distance `away` from its target; returns its energy."""
    weight, unit = p.springs[n, DRAW, d], p.freedom[d, UNIT]
    beyond = away - p.springs[n, BELOW, d] if away > 0.0 else away + p.springs[n, ABOVE, d]
    if weight == 0.0 or beyond * away <= 0.0:
        return 0.0
    left = beyond / unit
    freedom[TRIED_SOFT, d] += weight * left
    freedom[STIFFNESS, d] += weight
    return 0.5 * weight * left * left


@inner_kernel
def turn_pull(t, basis, freedom):
    """Express the pull on coned balls in their bases."""
    for d in range(freedom.shape[1]):
        freedom[SOFT, d] = freedom[TRIED_SOFT, d]
    for j in range(t.frame.shape[0]):
        if t.joint[j, CODE] == BALL:
            d = t.joint[j, DOF]
            x, y, z = freedom[TRIED_SOFT, d], freedom[TRIED_SOFT, d + 1], freedom[TRIED_SOFT, d + 2]
            for k in range(3):
                freedom[SOFT, d + k] = basis[j, k] * x + basis[j, 3 + k] * y + basis[j, 6 + k] * z


# Compiled: the weight of the links, a force on each through its centre of mass.


@inner_kernel
def weighs(p):
    """Whether gravity acts."""
    return p.pull[0, 0] != 0.0 or p.pull[0, 1] != 0.0 or p.pull[0, 2] != 0.0


@inner_kernel
def height_energy(p, turns, origins):
    """The potential energy of the pose, relative to a floor far below."""
    if not weighs(p):
        return 0.0
    energy = FLOOR * (abs(p.pull[0, 0]) + abs(p.pull[0, 1]) + abs(p.pull[0, 2]))
    for j in range(p.bodies.shape[0]):
        m = p.bodies[j, 0] * p.scale
        x, y, z = rotate(rotation_at(turns, j), p.bodies[j, 1], p.bodies[j, 2], p.bodies[j, 3])
        energy -= m * p.pull[0, 0] * (x + origins[j, 0])
        energy -= m * p.pull[0, 1] * (y + origins[j, 1])
        energy -= m * p.pull[0, 2] * (z + origins[j, 2])
    return energy


@inner_kernel
def _weight_of(p, w, j):
    """The force of link `j`'s weight: (c × f, f)."""
    m = p.bodies[j, 0]
    fx, fy, fz = m * p.pull[0, 0], m * p.pull[0, 1], m * p.pull[0, 2]
    nx, ny, nz = cross(w.centers[j, 0], w.centers[j, 1], w.centers[j, 2], fx, fy, fz)
    return spatial_vector(nx, ny, nz, fx, fy, fz)


@inner_kernel
def add_weights(p, w, curved):
    """Add the links' weight to the forces on their bodies and, where `curved`, to the curvature."""
    if not weighs(p):
        return
    for j in range(p.bodies.shape[0]):
        w.body[j, FORCE] = w.body[j, FORCE] + _weight_of(p, w, j)
        if curved:
            c, m = w.centers, p.bodies[j, 0]
            fx, fy, fz = m * p.pull[0, 0], m * p.pull[0, 1], m * p.pull[0, 2]
            add_bend(w.body, j, c[j, 0], c[j, 1], c[j, 2], fx, fy, fz)


@inner_kernel
def add_bend(b, j, px, py, pz, fx, fy, fz):
    """Add the change of the moment of a force F at the point p of a body: G ω + F × v, G = (F·p) 1 − p Fᵀ."""
    along = fx * px + fy * py + fz * pz
    b[j, BEND] = b[j, BEND] + spatial_vector(along - px * fx, -py * fx, -pz * fx, 0.0, 0.0, 0.0)
    b[j, BEND + 1] = b[j, BEND + 1] + spatial_vector(-px * fy, along - py * fy, -pz * fy, 0.0, 0.0, 0.0)
    b[j, BEND + 2] = b[j, BEND + 2] + spatial_vector(-px * fz, -py * fz, along - pz * fz, 0.0, 0.0, 0.0)
    b[j, BEND + 3] = b[j, BEND + 3] + spatial_vector(0.0, fz, -fy, 0.0, 0.0, 0.0)
    b[j, BEND + 4] = b[j, BEND + 4] + spatial_vector(-fz, 0.0, fx, 0.0, 0.0, 0.0)
    b[j, BEND + 5] = b[j, BEND + 5] + spatial_vector(fy, -fx, 0.0, 0.0, 0.0, 0.0)


@inner_kernel
def energy_won(p, w, share):
    """The decrease of potential energy, to first order, by `share` of the step."""
    won = 0.0
    if weighs(p):
        for j in range(p.bodies.shape[0]):
            won += share * dot(_weight_of(p, w, j), w.body[j, VELOCITY])
    return won


@inner_kernel
def evaluate(t, p, w, q, side, level, springs):
    """Compute the frames at `q`, fill residuals and rows of one `side`. Returns (cost, whether all goals are met,
    whether harder goals keep their residuals).

    level: the goals of this priority and of the harder ones count; that of the springs is the last (`springs_pull`).
    """
    move_axes_together(t, q, w.moved, w.blocks)
    place_joints(t, p.used, q, w.moved, w.turns, w.origins, w.axes, w.anchors)
    cost, met, kept = measure(p, w, side, level)
    if springs is not None and springs_pull(p, level):
        cost += pull_springs(t, p, w.freedom, q, springs) + height_energy(p, w.turns, w.origins)
    return cost, met, kept


@shared_kernel
def evaluate_again(t, p, w, q, side, level, springs):
    """`evaluate` where another priority was evaluated before; not inlined, shared by cold paths."""
    weigh_terms(p, w, level)
    return evaluate(t, p, w, q, side, level, springs)


@shared_kernel
def weigh_terms(p, w, level):
    """Fill the weights of all terms for one priority, whose goals are softer than the harder ones, all of which weigh
    as if they were of the first.

    If each weighed less than the one before, the last would pull so little that their steps, along the curved surface
    that the others leave, would become too short to get anywhere.
    """
    for k in range(p.terms.shape[0]):
        own, weight = p.terms[k, LEVEL], p.measures[k, WEIGHT]
        for _ in range(own - 1 if own == level else own):
            weight /= SOFTER
        w.shift[k, ACTS] = weight


@inner_kernel
def measure(p, w, side, level):
    """As `evaluate`, with the frames already computed and without the springs' energy.

    A goal that does not count as missed acts at its own level alone: later levels keep the residual that it had there.
    """
    cost = 0.0
    met = kept = True
    first = side * p.terms.shape[0]
    for k in range(p.terms.shape[0]):
        own = p.terms[k, LEVEL]
        if own > level:
            continue
        fill_term(p, w.turns, w.origins, w.wanted, k, w.residual[first + k], w.numbers[first + k])
        square = away = wanted = 0.0
        for i in range(3):
            r = w.residual[first + k, i]
            square += r * r
            away += (r - w.shift[k, KEPT + i]) ** 2
            wanted += shifted_residual(p, w, side, k, i) ** 2
        cost += 0.5 * w.shift[k, ACTS] * wanted
        # Slightly inside the tolerance, so that another program's rounding agrees; a NaN is never within it.
        tolerance = 0.99 * p.measures[k, TOLERANCE]
        if own == level or p.terms[k, COUNTS]:
            met = met and math.sqrt(square) <= tolerance
        if own < level:
            kept = kept and math.sqrt(away) <= tolerance
    return cost, met, kept


@inner_kernel
def shifted_residual(p, w, side, k, i):
    """The residual of term `k` along its row `i`, shifted by its multiplier (see `solve_softer`)."""
    return w.residual[side * p.terms.shape[0] + k, i] - w.shift[k, KEPT + i] + w.shift[k, SHIFT + i]


@inner_kernel
def yields(shift, k):
    """Whether the residual of term `k` is shifted."""
    shifted = False
    for i in range(ACTS):
        shifted = shifted or shift[k, i] != 0.0
    return shifted


@inner_kernel
def find_motions(t, p, w, q):
    """Start a step from the pose evaluated last: fill S of every motion of the used joints, the cones' bases and sides,
    and the bodies' centres of mass.
    """
    scale = p.scale
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        m = p.first_motion[j]
        if t.joint[j, CODE] == BALL:
            d = t.joint[j, DOF]
            free = not (p.freedom[d, LOCKED] or p.freedom[d + 1, LOCKED] or p.freedom[d + 2, LOCKED])
            find_basis(t.cones[j], q, t.joint[j, COORDINATE], free, w.basis[j])
            r = rotation_at(w.turns, j)
            x, y, z = rotate(r, t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
            x, y, z = scale * (x + w.origins[j, 0]), scale * (y + w.origins[j, 1]), scale * (z + w.origins[j, 2])
            b = w.basis[j]
            r = multiply_rotations(r, (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]))
            _turning_motions(r, w.motion_numbers, m, x, y, z)
        elif t.joint[j, CODE] == FREE:
            r = rest_turn(t.frame, j)
            if t.joint[j, PARENT] >= 0:
                r = multiply_rotations(rotation_at(w.turns, t.joint[j, PARENT]), r)
            for k in range(3):
                _put_motion(w.motion_numbers, m + k, 0.0, 0.0, 0.0, r[k], r[3 + k], r[6 + k])
            x, y, z = scale * w.origins[j, 0], scale * w.origins[j, 1], scale * w.origins[j, 2]
            _turning_motions(rotation_at(w.turns, j), w.motion_numbers, m + 3, x, y, z)
        else:
            for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
                x, y, z = w.axes[a, 0], w.axes[a, 1], w.axes[a, 2]
                if t.axis_number[a, SLIDES]:
                    _put_motion(w.motion_numbers, m, 0.0, 0.0, 0.0, x, y, z)
                else:
                    ax, ay, az = scale * w.anchors[a, 0], scale * w.anchors[a, 1], scale * w.anchors[a, 2]
                    vx, vy, vz = cross(ax, ay, az, x, y, z)
                    _put_motion(w.motion_numbers, m, x, y, z, vx, vy, vz)
                m += 1
    for j in range(p.bodies.shape[0]):
        x, y, z = rotate(rotation_at(w.turns, j), p.bodies[j, 1], p.bodies[j, 2], p.bodies[j, 3])
        w.centers[j, 0] = scale * (x + w.origins[j, 0])
        w.centers[j, 1] = scale * (y + w.origins[j, 1])
        w.centers[j, 2] = scale * (z + w.origins[j, 2])


@inner_kernel
def _put_motion(motion, m, wx, wy, wz, vx, vy, vz):
    motion[m, S, 0], motion[m, S, 1], motion[m, S, 2] = wx, wy, wz
    motion[m, S, 3], motion[m, S, 4], motion[m, S, 5] = vx, vy, vz


@inner_kernel
def _turning_motions(r, motion, m, ox, oy, oz):
    """Three rotations about the world point o, whose axes are the columns of r."""
    for k in range(3):
        x, y, z = r[k], r[3 + k], r[6 + k]
        vx, vy, vz = cross(ox, oy, oz, x, y, z)
        _put_motion(motion, m + k, x, y, z, vx, vy, vz)
