"""Compiled: where everything is, what every freedom does, and what the goals still want."""

from __future__ import annotations

import math

from posable.goals.terms import POSITION, term
from posable.skeleton.forward import place_joints, rest_turn, turn_at
from posable.skeleton.limits import swing_and_twist
from posable.skeleton.packed import ANCHOR, AXIS, CODE, COORDINATE, DOF, LOWER, PARENT, SLIDES, UPPER
from posable.skeleton.tables import BALL, FREE
from posable.solvers.work import (
    BASIS,
    FREE_TO_MOVE,
    GRADIENT,
    HELD,
    LEVER,
    PULL,
    RESIDUAL,
    ROWS,
    SHIFT,
    SOFT,
    STATE,
    STIFFNESS,
    SWING_SIDE,
    TOTAL,
    TRIED,
    TRIED_ROWS,
    TRIED_SOFT,
    TWIST_SIDE,
    S,
)
from posable.spatial.compile import inner_kernel
from posable.spatial.kernels import cross, log_wxyz, multiply_turns, multiply_wxyz, rotate

AT_LIMIT = 1e-9  # radians from a cone's limit that count as standing at it


@inner_kernel
def evaluate(t, p, w, q, parameters, stays, n, soft):
    """Place the joints at `q`, fill the tried residuals and rows, and return (cost, all goals within tolerance)."""
    place_joints(t, q, w.turns, w.origins, w.axes, w.anchors)
    cost = 0.0
    reached = True
    for k in range(p.terms.shape[0]):
        j = p.terms[k, 1]
        turn = turn_at(w.turns, j)
        numbers = term(p.terms[k, 0], turn, w.origins[j, 0], w.origins[j, 1], w.origins[j, 2], parameters[k], p.scale)
        square = 0.0
        wanted = 0.0
        for i in range(21):
            w.term[k, TRIED + i] = numbers[i]
        for i in range(3):
            square += numbers[i] * numbers[i]
            wanted += (numbers[i] + w.term[k, SHIFT + i]) ** 2
        cost += 0.5 * p.measures[k, 0] * wanted
        # A hair inside the tolerance, so that another program's rounding agrees; a NaN is never within it.
        reached = reached and math.sqrt(square) <= 0.99 * p.measures[k, 1]
    if stays is not None:  # noqa: SIM102  without soft goals, None, nothing is compiled for them
        if soft:
            cost += _soft_pull(t, p, w.freedom, q, stays[n])
    return cost, reached


@inner_kernel
def _soft_pull(t, p, freedom, q, stays):
    """Fill the pull of the soft goals, per freedom; return their cost."""
    cost = 0.0
    for d in range(freedom.shape[1]):
        freedom[TRIED_SOFT, d] = freedom[STIFFNESS, d] = 0.0
    for n in range(stays.shape[0]):
        weight = p.stay_weights[n]
        for j in range(t.frame.shape[0]):
            c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
            plain = t.joint[j + 1, DOF] - d
            if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
                plain = 3 if t.joint[j, CODE] == FREE else 0
                e = c + plain
                away = multiply_wxyz(
                    q[e],
                    -q[e + 1],
                    -q[e + 2],
                    -q[e + 3],
                    stays[n, e],
                    stays[n, e + 1],
                    stays[n, e + 2],
                    stays[n, e + 3],
                )
                turn = log_wxyz(away[0], away[1], away[2], away[3])
                for k in range(3):
                    freedom[TRIED_SOFT, d + plain + k] += weight * turn[k]
                    freedom[STIFFNESS, d + plain + k] += weight
                    cost += 0.5 * weight * turn[k] * turn[k]
            for k in range(plain):
                left = (stays[n, c + k] - q[c + k]) / p.unit[d + k]
                freedom[TRIED_SOFT, d + k] += weight * left
                freedom[STIFFNESS, d + k] += weight
                cost += 0.5 * weight * left * left
    return cost


@inner_kernel
def find_motions(t, p, w, q):
    """Start a step from the pose evaluated last: fill S of every motion of the used joints, the cones' bases and
    sides.
    """
    for k in range(w.term.shape[0]):
        for i in range(3):
            w.term[k, RESIDUAL + i] = w.term[k, TRIED + i] + w.term[k, SHIFT + i]
        for i in range(18):
            w.term[k, ROWS + i] = w.term[k, TRIED_ROWS + i]
    scale = p.scale
    for n in range(p.used.shape[0]):
        j = p.used[n]
        m = p.first_motion[j]
        if t.joint[j, CODE] == BALL:
            if t.cones[j, 7] >= 0.0 and not (
                p.locked[t.joint[j, DOF]] or p.locked[t.joint[j, DOF] + 1] or p.locked[t.joint[j, DOF] + 2]
            ):
                cone_basis(t.cones, q, t.joint[j, COORDINATE], w.body, j)
            x, y, z = rotate(turn_at(w.turns, j), t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
            x, y, z = scale * (x + w.origins[j, 0]), scale * (y + w.origins[j, 1]), scale * (z + w.origins[j, 2])
            _turning_motions(w.turns, w.body, w.motion, j, m, x, y, z)
        elif t.joint[j, CODE] == FREE:
            r = rest_turn(t.frame, j)
            if t.joint[j, PARENT] >= 0:
                r = multiply_turns(turn_at(w.turns, t.joint[j, PARENT]), r)
            for k in range(3):
                _set_motion(w.motion, m + k, 0.0, 0.0, 0.0, r[k], r[3 + k], r[6 + k])
            x, y, z = scale * w.origins[j, 0], scale * w.origins[j, 1], scale * w.origins[j, 2]
            _turning_motions(w.turns, w.body, w.motion, j, m + 3, x, y, z)
        else:
            for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
                x, y, z = w.axes[a, 0], w.axes[a, 1], w.axes[a, 2]
                if t.axis_number[a, SLIDES]:
                    _set_motion(w.motion, m, 0.0, 0.0, 0.0, x, y, z)
                else:
                    ax, ay, az = scale * w.anchors[a, 0], scale * w.anchors[a, 1], scale * w.anchors[a, 2]
                    vx, vy, vz = cross(ax, ay, az, x, y, z)
                    _set_motion(w.motion, m, x, y, z, vx, vy, vz)
                m += 1


@inner_kernel
def _set_motion(motion, m, wx, wy, wz, vx, vy, vz):
    motion[m, S], motion[m, S + 1], motion[m, S + 2] = wx, wy, wz
    motion[m, S + 3], motion[m, S + 4], motion[m, S + 5] = vx, vy, vz


@inner_kernel
def _turning_motions(turns, body, motion, j, m, ox, oy, oz):
    """Three motions that turn joint `j` about the world point o, along the columns of its basis."""
    r = turn_at(turns, j)
    for k in range(3):
        x, y, z = rotate(r, body[j, BASIS + k], body[j, BASIS + 3 + k], body[j, BASIS + 6 + k])
        vx, vy, vz = cross(ox, oy, oz, x, y, z)
        _set_motion(motion, m + k, x, y, z, vx, vy, vz)


@inner_kernel
def cone_basis(cones, q, c, body, j):
    """Turn a coned ball's basis so that the first motion changes the swing alone and the second the twist alone.

    With a the cone's axis and a' its place at the centre, both in the joint's frame: d(swing) = ω · (a' × a)/|a' × a|
    and d(twist) = ω · (a + a')/(1 + a · a'). Where single axes are frozen the basis stays and only clamping keeps the
    cone.
    """
    swing, twist, bx, by, bz = swing_and_twist(cones[j], q[c], q[c + 1], q[c + 2], q[c + 3])
    ax, ay, az = cones[j, 0], cones[j, 1], cones[j, 2]
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
    body[j, BASIS], body[j, BASIS + 3], body[j, BASIS + 6] = sx, sy, sz
    body[j, BASIS + 1], body[j, BASIS + 4], body[j, BASIS + 7] = tx, ty, tz
    body[j, BASIS + 2], body[j, BASIS + 5], body[j, BASIS + 8] = ux, uy, uz
    widest, low, high = cones[j, 7], cones[j, 8], cones[j, 9]
    body[j, SWING_SIDE] = body[j, TWIST_SIDE] = 0.0
    if swing >= widest - AT_LIMIT:
        body[j, SWING_SIDE] = 1.0 if widest > AT_LIMIT else 2.0
    if high - low <= AT_LIMIT:
        body[j, TWIST_SIDE] = 2.0
    elif twist >= high - AT_LIMIT and high < math.pi - AT_LIMIT:
        body[j, TWIST_SIDE] = 1.0
    elif twist <= low + AT_LIMIT and low > -math.pi + AT_LIMIT:
        body[j, TWIST_SIDE] = -1.0


@inner_kernel
def sum_forces(joint, p, w, soft, coupling):
    """Sum f, and the curvature of the position goals, over subtrees; then the downhill gradient of every freedom."""
    body, freedom = w.body, w.freedom
    for n in range(p.used.shape[0]):
        for i in range(TOTAL, PULL + 3):
            body[p.used[n], i] = 0.0
    for k in range(p.terms.shape[0]):
        _add_force(p, w.term, body, k)
    for d in range(freedom.shape[1]):
        freedom[GRADIENT, d] = 0.0
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            along = 0.0
            for i in range(6):
                along += w.motion[m, S + i] * body[j, TOTAL + i]
            if coupling is None:
                freedom[GRADIENT, m] = along
            else:
                freedom[GRADIENT, coupling.dof[m]] += coupling.gain[m] * along
                freedom[GRADIENT, coupling.dof2[m]] += coupling.gain2[m] * along
        if joint[j, PARENT] >= 0:
            for i in range(TOTAL, PULL + 3):
                body[joint[j, PARENT], i] += body[j, i]
    if soft:
        for d in range(freedom.shape[1]):
            freedom[GRADIENT, d] += freedom[SOFT, d]


@inner_kernel
def _add_force(p, term, body, k):
    """The force of term `k` on its body, and of a position goal its lever and pull."""
    j, weight = p.terms[k, 1], p.measures[k, 0]
    rx, ry, rz = term[k, RESIDUAL], term[k, RESIDUAL + 1], term[k, RESIDUAL + 2]
    for i in range(6):
        body[j, TOTAL + i] += weight * (
            term[k, ROWS + i] * rx + term[k, ROWS + 6 + i] * ry + term[k, ROWS + 12 + i] * rz
        )
    if p.terms[k, 0] != POSITION:
        return
    px, py, pz = term[k, ROWS + 8], -term[k, ROWS + 2], term[k, ROWS + 1]  # J = [-[p]x, 1] holds the point itself
    along = rx * px + ry * py + rz * pz
    body[j, LEVER] += weight * (along - px * rx)
    body[j, LEVER + 1] -= weight * px * ry
    body[j, LEVER + 2] -= weight * px * rz
    body[j, LEVER + 3] -= weight * py * rx
    body[j, LEVER + 4] += weight * (along - py * ry)
    body[j, LEVER + 5] -= weight * py * rz
    body[j, LEVER + 6] -= weight * pz * rx
    body[j, LEVER + 7] -= weight * pz * ry
    body[j, LEVER + 8] += weight * (along - pz * rz)
    body[j, PULL] += weight * rx
    body[j, PULL + 1] += weight * ry
    body[j, PULL + 2] += weight * rz


@inner_kernel
def turn_soft_pull(t, body, freedom):
    """Bring the soft pull of coned balls into their bases."""
    for d in range(freedom.shape[1]):
        freedom[SOFT, d] = freedom[TRIED_SOFT, d]
    for j in range(t.frame.shape[0]):
        if t.joint[j, CODE] == BALL and t.cones[j, 7] >= 0.0:
            d = t.joint[j, DOF]
            x, y, z = freedom[TRIED_SOFT, d], freedom[TRIED_SOFT, d + 1], freedom[TRIED_SOFT, d + 2]
            for k in range(3):
                freedom[SOFT, d + k] = body[j, BASIS + k] * x + body[j, BASIS + 3 + k] * y + body[j, BASIS + 6 + k] * z


@inner_kernel
def hold_at_limits(t, p, body, freedom, q):
    """Mark which freedoms are held: frozen ones, and those at a limit that the gradient would push them through.

    Returns the size of the gradient that is left: 0 where nothing more can be won to first order.
    """
    left = 0.0
    for n in range(p.used.shape[0]):
        j = p.used[n]
        c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
        for k in range(t.joint[j + 1, DOF] - d):
            i = d + k
            gradient = freedom[GRADIENT, i]
            held = p.locked[i]
            if t.joint[j, CODE] == BALL:
                held = held or (
                    t.cones[j, 7] >= 0.0 and _held_by_cone(body[j, SWING_SIDE], body[j, TWIST_SIDE], gradient, k)
                )
            elif t.joint[j, CODE] != FREE:
                near = 1e-12 * p.unit[i]
                held = held or t.bound[i, UPPER] <= t.bound[i, LOWER]
                held = held or (gradient > 0.0 and q[c + k] >= t.bound[i, UPPER] - near)
                held = held or (gradient < 0.0 and q[c + k] <= t.bound[i, LOWER] + near)
            freedom[STATE, i] = HELD if held else FREE_TO_MOVE
            if not held:
                left = max(left, abs(gradient))
    return left


@inner_kernel
def _held_by_cone(swing_side, twist_side, gradient, k):
    """Whether motion `k` of a cone's basis (swing, twist, the third) is stopped by the cone."""
    if k == 0:
        return swing_side == 2.0 or (swing_side == 1.0 and gradient > 0.0)
    if k == 1:
        return twist_side == 2.0 or (twist_side == 1.0 and gradient > 0.0) or (twist_side == -1.0 and gradient < 0.0)
    return swing_side == 2.0
