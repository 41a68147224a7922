"""Compiled: where everything is, what the goals still want, and what every freedom does."""

from __future__ import annotations

import math

from posable.goals.columns import COUNTS, LEVEL, TOLERANCE, WEIGHT
from posable.goals.dispatch import fill_term
from posable.skeleton.forward import move_axes_together, place_joints, rest_turn, turn_at
from posable.skeleton.packed import ANCHOR, AXIS, CODE, COORDINATE, DOF, PARENT, SLIDES
from posable.skeleton.tables import BALL, FREE
from posable.solvers.columns import LOCKED, USED
from posable.solvers.cones import find_basis
from posable.solvers.springs import pull_springs, springs_pull
from posable.solvers.weights import height_energy
from posable.solvers.work import KEPT, SHIFT, S
from posable.spatial.compile import inner_kernel, shared_kernel
from posable.spatial.kernels import cross, multiply_turns, rotate


@inner_kernel
def evaluate(t, p, w, q, side, level, springs):
    """Place the joints at `q`, fill residuals and rows of one `side`. Returns (cost, whether all is met, whether what
    harder goals have won is kept).

    level: the goals of this priority and of the harder ones count; the springs' comes after them all (`springs_pull`).
    """
    move_axes_together(t, q, w.moved, w.blocks)
    place_joints(t, p.used, q, w.moved, w.turns, w.origins, w.axes, w.anchors)
    cost, met, kept = measure(p, w, side, level)
    if springs is not None and springs_pull(p, level):
        cost += pull_springs(t, p, w.freedom, q, springs) + height_energy(p, w.turns, w.origins)
    return cost, met, kept


@shared_kernel
def evaluate_again(t, p, w, q, side, level, springs):
    """`evaluate`, where it is not in haste: compiled once for all who call it."""
    return evaluate(t, p, w, q, side, level, springs)


@inner_kernel
def measure(p, w, side, level):
    """As `evaluate`, with the joints placed already and without the springs' energy.

    What does not count is asked for at its own level alone: the levels after it begin with what it has won.
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
            wanted += still_wanted(p, w, side, k, i) ** 2
        cost += 0.5 * p.measures[k, WEIGHT] * wanted
        # A hair inside the tolerance, so that another program's rounding agrees; a NaN is never within it.
        tolerance = 0.99 * p.measures[k, TOLERANCE]
        if own == level or p.terms[k, COUNTS]:
            met = met and math.sqrt(square) <= tolerance
        if own < level:
            kept = kept and math.sqrt(away) <= tolerance
    return cost, met, kept


@inner_kernel
def still_wanted(p, w, side, k, i):
    """What term `k` still wants along its row `i`, shifted by what softer goals leave to it."""
    return w.residual[side * p.terms.shape[0] + k, i] - w.shift[k, KEPT + i] + w.shift[k, SHIFT + i]


@inner_kernel
def yields(shift, k):
    """Whether what term `k` wants is shifted."""
    shifted = False
    for i in range(shift.shape[1]):
        shifted = shifted or shift[k, i] != 0.0
    return shifted


@inner_kernel
def find_motions(t, p, w, q):
    """Start a step from the pose evaluated last: fill S of every motion of the used joints, the cones' bases and
    sides, and the bodies' centres of mass.
    """
    scale = p.scale
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        m = p.first_motion[j]
        if t.joint[j, CODE] == BALL:
            d = t.joint[j, DOF]
            free = not (p.freedom[d, LOCKED] or p.freedom[d + 1, LOCKED] or p.freedom[d + 2, LOCKED])
            find_basis(t.cones[j], q, t.joint[j, COORDINATE], free, w.basis[j])
            r = turn_at(w.turns, j)
            x, y, z = rotate(r, t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
            x, y, z = scale * (x + w.origins[j, 0]), scale * (y + w.origins[j, 1]), scale * (z + w.origins[j, 2])
            b = w.basis[j]
            r = multiply_turns(r, (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]))
            _turning_motions(r, w.motion_numbers, m, x, y, z)
        elif t.joint[j, CODE] == FREE:
            r = rest_turn(t.frame, j)
            if t.joint[j, PARENT] >= 0:
                r = multiply_turns(turn_at(w.turns, t.joint[j, PARENT]), r)
            for k in range(3):
                _put_motion(w.motion_numbers, m + k, 0.0, 0.0, 0.0, r[k], r[3 + k], r[6 + k])
            x, y, z = scale * w.origins[j, 0], scale * w.origins[j, 1], scale * w.origins[j, 2]
            _turning_motions(turn_at(w.turns, j), w.motion_numbers, m + 3, x, y, z)
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
        x, y, z = rotate(turn_at(w.turns, j), p.bodies[j, 1], p.bodies[j, 2], p.bodies[j, 3])
        w.centers[j, 0] = scale * (x + w.origins[j, 0])
        w.centers[j, 1] = scale * (y + w.origins[j, 1])
        w.centers[j, 2] = scale * (z + w.origins[j, 2])


@inner_kernel
def _put_motion(motion, m, wx, wy, wz, vx, vy, vz):
    motion[m, S, 0], motion[m, S, 1], motion[m, S, 2] = wx, wy, wz
    motion[m, S, 3], motion[m, S, 4], motion[m, S, 5] = vx, vy, vz


@inner_kernel
def _turning_motions(r, motion, m, ox, oy, oz):
    """Three motions that turn about the world point o, along the columns of r."""
    for k in range(3):
        x, y, z = r[k], r[3 + k], r[6 + k]
        vx, vy, vz = cross(ox, oy, oz, x, y, z)
        _put_motion(motion, m + k, x, y, z, vx, vy, vz)
