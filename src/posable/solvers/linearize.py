"""Compiled: where everything is, what every freedom does, and what the goals still want."""

from __future__ import annotations

import math

from posable.goals.terms import POSITION, term
from posable.skeleton.forward import place_joints, turn_at
from posable.skeleton.limits import swing_and_twist
from posable.skeleton.tables import BALL, FREE
from posable.solvers.work import FREE_TO_MOVE, HELD
from posable.spatial.compile import inlined_kernel, kernel
from posable.spatial.kernels import cross, log_wxyz, multiply_turns, multiply_wxyz, rotate, turn_of_wxyz

AT_LIMIT = 1e-9  # radians from a cone's limit, or a share of the figure's reach from a slide's, that count as standing at it


@kernel
def evaluate(t, p, w, q, parameters, stays, soft):
    """Place the joints at `q`, fill residuals and rows, and return (cost, all goals within tolerance)."""
    place_joints(t, q, w.turns, w.origins, w.axes, w.anchors)
    cost = 0.0
    reached = True
    for k in range(p.kinds.shape[0]):
        j = p.joints[k]
        numbers = term(p.kinds[k], turn_at(w.turns, j), w.origins[j, 0], w.origins[j, 1], w.origins[j, 2], parameters[k], p.scale)
        square = 0.0
        wanted = 0.0
        for i in range(3):
            w.tried_residual[k, i] = numbers[i]
            square += numbers[i] * numbers[i]
            shifted = numbers[i] + w.shift[k, i]
            wanted += shifted * shifted
        for i in range(18):
            w.tried_rows[k, i] = numbers[3 + i]
        cost += 0.5 * p.weights[k] * wanted
        # A hair inside the tolerance, so that another program's rounding agrees; a NaN is never within it.
        reached = reached and math.sqrt(square) <= 0.99 * p.tolerances[k]
    if soft:
        cost += _soft_pull(t, p, w, q, stays)
    return cost, reached


@kernel
def _soft_pull(t, p, w, q, stays):
    """Fill the pull of the soft goals, per freedom; return their cost."""
    cost = 0.0
    w.tried_soft[:] = 0.0
    w.stiffness[:] = 0.0
    for n in range(stays.shape[0]):
        weight = p.stay_weights[n]
        for j in range(t.parent.shape[0]):
            c, d = t.first_coordinate[j], t.first_dof[j]
            plain = t.first_dof[j + 1] - d
            if t.code[j] == BALL or t.code[j] == FREE:
                plain = 3 if t.code[j] == FREE else 0
                e = c + plain
                away = multiply_wxyz(q[e], -q[e + 1], -q[e + 2], -q[e + 3], stays[n, e], stays[n, e + 1], stays[n, e + 2], stays[n, e + 3])
                turn = log_wxyz(away[0], away[1], away[2], away[3])
                for k in range(3):
                    w.tried_soft[d + plain + k] += weight * turn[k]
                    w.stiffness[d + plain + k] += weight
                    cost += 0.5 * weight * turn[k] * turn[k]
            for k in range(plain):
                left = (stays[n, c + k] - q[c + k]) / p.unit[d + k]
                w.tried_soft[d + k] += weight * left
                w.stiffness[d + k] += weight
                cost += 0.5 * weight * left * left
    return cost


@kernel
def find_motions(t, p, w, q):
    """Start a step from the pose evaluated last: fill S of every motion of the used joints, the cones' bases and states."""
    for k in range(p.kinds.shape[0]):
        for i in range(3):
            w.residual[k, i] = w.tried_residual[k, i] + w.shift[k, i]
        for i in range(18):
            w.rows[k, i] = w.tried_rows[k, i]
    for n in range(p.used.shape[0]):
        j = p.used[n]
        m = p.first_motion[j]
        if t.code[j] == BALL:
            _cone_basis(t, p, w, q, j)
            x, y, z = rotate(turn_at(w.turns, j), t.anchor[j, 0], t.anchor[j, 1], t.anchor[j, 2])
            _turning_motions(w, j, m, p.scale * (x + w.origins[j, 0]), p.scale * (y + w.origins[j, 1]), p.scale * (z + w.origins[j, 2]))
        elif t.code[j] == FREE:
            r = turn_at(t.turn, j)
            if t.parent[j] >= 0:
                r = multiply_turns(turn_at(w.turns, t.parent[j]), r)
            for k in range(3):
                w.motions[m + k, :] = 0.0
                w.motions[m + k, 3], w.motions[m + k, 4], w.motions[m + k, 5] = r[k], r[3 + k], r[6 + k]
            _turning_motions(w, j, m + 3, p.scale * w.origins[j, 0], p.scale * w.origins[j, 1], p.scale * w.origins[j, 2])
        else:
            for a in range(t.first_axis[j], t.first_axis[j + 1]):
                x, y, z = w.axes[a, 0], w.axes[a, 1], w.axes[a, 2]
                if t.slides[a]:
                    _set_motion(w, m, 0.0, 0.0, 0.0, x, y, z)
                else:
                    vx, vy, vz = cross(p.scale * w.anchors[a, 0], p.scale * w.anchors[a, 1], p.scale * w.anchors[a, 2], x, y, z)
                    _set_motion(w, m, x, y, z, vx, vy, vz)
                m += 1


@kernel
def _set_motion(w, m, wx, wy, wz, vx, vy, vz):
    w.motions[m, 0], w.motions[m, 1], w.motions[m, 2] = wx, wy, wz
    w.motions[m, 3], w.motions[m, 4], w.motions[m, 5] = vx, vy, vz


@kernel
def _turning_motions(w, j, m, ox, oy, oz):
    """Three motions that turn joint `j` about the world point o, along the columns of its basis."""
    r = turn_at(w.turns, j)
    for k in range(3):
        x, y, z = rotate(r, w.basis[j, 0, k], w.basis[j, 1, k], w.basis[j, 2, k])
        vx, vy, vz = cross(ox, oy, oz, x, y, z)
        _set_motion(w, m + k, x, y, z, vx, vy, vz)


@kernel
def _cone_basis(t, p, w, q, j):
    """Turn a coned ball's basis so that the first motion changes the swing alone and the second the twist alone.

    With a the cone's axis and a' its place at the centre, both in the joint's frame: d(swing) = ω · (a' × a)/|a' × a| and
    d(twist) = ω · (a + a')/(1 + a · a'). Where single axes are frozen the basis stays and only clamping keeps the cone.
    """
    d = t.first_dof[j]
    w.cone_state[j, 0] = w.cone_state[j, 1] = 0.0
    if t.cones[j, 7] < 0.0 or p.locked[d] or p.locked[d + 1] or p.locked[d + 2]:
        return
    c = t.first_coordinate[j]
    row = t.cones[j]
    swing, twist, bx, by, bz = swing_and_twist(row, q[c], q[c + 1], q[c + 2], q[c + 3])
    ax, ay, az = row[0], row[1], row[2]
    sx, sy, sz = cross(bx, by, bz, ax, ay, az)
    size = math.sqrt(sx * sx + sy * sy + sz * sz)
    if size < 1e-7:  # straight at the centre (or behind): any direction across will do
        if abs(ax) < 0.6:
            sx, sy, sz = cross(ax, ay, az, 1.0, 0.0, 0.0)
        else:
            sx, sy, sz = cross(ax, ay, az, 0.0, 1.0, 0.0)
        size = math.sqrt(sx * sx + sy * sy + sz * sz)
        tx, ty, tz = ax, ay, az
    else:
        tx, ty, tz = ax + bx, ay + by, az + bz
        if tx * tx + ty * ty + tz * tz < 1e-14:
            tx, ty, tz = ax, ay, az
    sx, sy, sz = sx / size, sy / size, sz / size
    along = tx * sx + ty * sy + tz * sz
    tx, ty, tz = tx - along * sx, ty - along * sy, tz - along * sz
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / size, ty / size, tz / size
    ux, uy, uz = cross(sx, sy, sz, tx, ty, tz)
    w.basis[j, 0, 0], w.basis[j, 1, 0], w.basis[j, 2, 0] = sx, sy, sz
    w.basis[j, 0, 1], w.basis[j, 1, 1], w.basis[j, 2, 1] = tx, ty, tz
    w.basis[j, 0, 2], w.basis[j, 1, 2], w.basis[j, 2, 2] = ux, uy, uz
    if swing >= row[7] - AT_LIMIT:
        w.cone_state[j, 0] = 1.0 if row[7] > AT_LIMIT else 2.0  # 2: no swing at all
    if row[9] - row[8] <= AT_LIMIT:
        w.cone_state[j, 1] = 2.0
    elif twist >= row[9] - AT_LIMIT and row[9] < math.pi - AT_LIMIT:
        w.cone_state[j, 1] = 1.0
    elif twist <= row[8] + AT_LIMIT and row[8] > -math.pi + AT_LIMIT:
        w.cone_state[j, 1] = -1.0


@kernel
def sum_forces(t, p, w, soft, coupling):
    """Sum f, and the curvature of the position goals, over subtrees; then the downhill gradient of every freedom."""
    for n in range(p.used.shape[0]):
        j = p.used[n]
        w.total[j, :] = 0.0
        w.lever[j, :] = 0.0
        w.pull[j, :] = 0.0
    for k in range(p.kinds.shape[0]):
        j = p.joints[k]
        weight = p.weights[k]
        rx, ry, rz = w.residual[k, 0], w.residual[k, 1], w.residual[k, 2]
        row = w.rows[k]
        for i in range(6):
            w.total[j, i] += weight * (row[i] * rx + row[6 + i] * ry + row[12 + i] * rz)
        if p.kinds[k] == POSITION:
            px, py, pz = row[8], -row[2], row[1]  # J = [-[p]x, 1] holds the point itself
            along = rx * px + ry * py + rz * pz
            lever = w.lever[j]
            lever[0] += weight * (along - px * rx)
            lever[1] -= weight * px * ry
            lever[2] -= weight * px * rz
            lever[3] -= weight * py * rx
            lever[4] += weight * (along - py * ry)
            lever[5] -= weight * py * rz
            lever[6] -= weight * pz * rx
            lever[7] -= weight * pz * ry
            lever[8] += weight * (along - pz * rz)
            w.pull[j, 0] += weight * rx
            w.pull[j, 1] += weight * ry
            w.pull[j, 2] += weight * rz
    for d in range(w.gradient.shape[0]):
        w.gradient[d] = 0.0
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            along = 0.0
            for i in range(6):
                along += w.motions[m, i] * w.total[j, i]
            if coupling is None:
                w.gradient[m] = along
            else:
                w.gradient[coupling.dof[m]] += coupling.gain[m] * along
                w.gradient[coupling.dof2[m]] += coupling.gain2[m] * along
        above = t.parent[j]
        if above >= 0:
            for i in range(6):
                w.total[above, i] += w.total[j, i]
            for i in range(9):
                w.lever[above, i] += w.lever[j, i]
            for i in range(3):
                w.pull[above, i] += w.pull[j, i]
    if soft:
        _add_soft_pull(t, p, w)


@inlined_kernel
def _add_soft_pull(t, p, w):
    """Bring the soft pull of coned balls into their bases, and add it to the gradient."""
    w.soft[:] = w.tried_soft
    for n in range(p.used.shape[0]):
        j = p.used[n]
        d = t.first_dof[j]
        if t.code[j] == BALL and t.cones[j, 7] >= 0.0:
            b = w.basis[j]
            x, y, z = w.tried_soft[d], w.tried_soft[d + 1], w.tried_soft[d + 2]
            for k in range(3):
                w.soft[d + k] = b[0, k] * x + b[1, k] * y + b[2, k] * z
    for d in range(w.gradient.shape[0]):
        w.gradient[d] += w.soft[d]


@kernel
def hold_at_limits(t, p, w, q):
    """Mark which freedoms are held: frozen ones, and those at a limit that the gradient would push them through.

    Returns the size of the gradient that is left: 0 where nothing more can be won to first order.
    """
    left = 0.0
    for n in range(p.used.shape[0]):
        j = p.used[n]
        c, d = t.first_coordinate[j], t.first_dof[j]
        coned = t.code[j] == BALL and t.cones[j, 7] >= 0.0
        for k in range(t.first_dof[j + 1] - d):
            i = d + k
            w.state[i] = FREE_TO_MOVE
            if p.locked[i]:
                w.state[i] = HELD
            elif coned:
                if _held_by_cone(w.cone_state[j], w.gradient[i], k):
                    w.state[i] = HELD
            elif t.upper[i] - t.lower[i] <= 0.0:
                w.state[i] = HELD
            elif t.code[j] != BALL and t.code[j] != FREE:
                near = 1e-12 * p.unit[i]
                if (q[c + k] >= t.upper[i] - near and w.gradient[i] > 0.0) or (q[c + k] <= t.lower[i] + near and w.gradient[i] < 0.0):
                    w.state[i] = HELD
            if w.state[i] == FREE_TO_MOVE:
                left = max(left, abs(w.gradient[i]))
    return left


@inlined_kernel
def _held_by_cone(sides, gradient, k):
    """Whether motion `k` of a cone's basis (swing, twist, the third) is stopped by the cone."""
    if k == 0:
        return sides[0] == 2.0 or (sides[0] == 1.0 and gradient > 0.0)
    if k == 1:
        return sides[1] == 2.0 or (sides[1] == 1.0 and gradient > 0.0) or (sides[1] == -1.0 and gradient < 0.0)
    return sides[0] == 2.0
