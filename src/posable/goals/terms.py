"""Compiled: the formulas of every residual and of its derivative, stated once each.

A term is three numbers r to be brought to zero, and three rows J on the motion (ω, v) of its body about the world's
origin: to first order, a small motion leaves r − J (ω, v). Where a second or third body takes part it has three rows of
its own. Positions are measured in units of the figure's reach.

Every function fills `r [3]` and `rows [9, 6 or more]` of one term: rows 0–2 for the first body, 3–5 and 6–8 for the
others. `c` are the constants of the term, a local point or direction first; `to` is the target, a position and a
rotation (x, y, z, nine numbers), in the world.
"""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel
from posable.skeleton.limits import nearest_twist, swing_and_twist
from posable.spatial.kernels import cross, log_of_rotation, multiply_rotations, rotate, rotate_back, wxyz_of_rotation

POSITION, ROTATION, SIGHT, REGION, LEANING, POLE, BALANCE, APART = range(8)
POINT, WXYZ, FRAME, CAPSULE, NOWHERE = range(5)
SEGMENT, BOX, CONE = 1.0, 2.0, 3.0

STRAIGHT = 0.1  # radians of bend below which the side of a limb has a weight above 1
STRAIGHTEST = 0.02  # and below which the weight does not grow any more


@inner_kernel
def put_row(rows, i, wx, wy, wz, vx, vy, vz):
    """Write one row of J."""
    rows[i, 0], rows[i, 1], rows[i, 2] = wx, wy, wz
    rows[i, 3], rows[i, 4], rows[i, 5] = vx, vy, vz


@inner_kernel
def fill_position(x, y, z, to, r, rows):
    """r = target − point, for a point (x, y, z) of the body. J = [−[point]×, 1]."""
    r[0], r[1], r[2] = to[0] - x, to[1] - y, to[2] - z
    put_row(rows, 0, 0.0, z, -y, 1.0, 0.0, 0.0)
    put_row(rows, 1, -z, 0.0, x, 0.0, 1.0, 0.0)
    put_row(rows, 2, y, -x, 0.0, 0.0, 0.0, 1.0)


@inner_kernel
def fill_rotation(turn, to, r, rows):
    """r = log(R_target Rᵀ), in the world's frame. J = [Jr⁻¹(r), 0].

    Jr⁻¹(r) = 1 + ½[r]× + c[r]×², c = 1/θ² − cot(θ/2)/(2θ) (Chirikjian 2011, ch. 10).
    """
    wanted = (to[3], to[4], to[5], to[6], to[7], to[8], to[9], to[10], to[11])
    back = (turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8])
    x, y, z, c = log_of_rotation(multiply_rotations(wanted, back))
    r[0], r[1], r[2] = x, y, z
    put_row(rows, 0, 1.0 - c * (y * y + z * z), c * x * y - 0.5 * z, c * x * z + 0.5 * y, 0.0, 0.0, 0.0)
    put_row(rows, 1, c * x * y + 0.5 * z, 1.0 - c * (x * x + z * z), c * y * z - 0.5 * x, 0.0, 0.0, 0.0)
    put_row(rows, 2, c * x * z - 0.5 * y, c * y * z + 0.5 * x, 1.0 - c * (x * x + y * y), 0.0, 0.0, 0.0)


@inner_kernel
def nearest_in_region(c, ex, ey, ez):
    """The nearest point to e in the region, and its derivative by e, nine numbers; region axes.

    c: the kind of region and its numbers. Outside a cone the nearest point lies at g·e on the generator g in the plane
    of e and the axis; it moves along g and, as that plane rotates, across it.
    """
    if c[0] == SEGMENT:
        x, y, z = c[1], c[2], c[3]
        square = x * x + y * y + z * z
        along = (x * ex + y * ey + z * ez) / max(square, 1e-300)
        if along <= 0.0 or along >= 1.0:
            at = 1.0 if along >= 1.0 else 0.0
            return at * x, at * y, at * z, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        s = 1.0 / square
        return (
            along * x, along * y, along * z,
            (s * x * x, s * x * y, s * x * z, s * y * x, s * y * y, s * y * z, s * z * x, s * z * y, s * z * z),
        )  # fmt: skip
    if c[0] == BOX:
        turn = (c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12])
        x, y, z = rotate_back(turn, ex, ey, ez)
        ix = 1.0 if abs(x) < c[1] else 0.0
        iy = 1.0 if abs(y) < c[2] else 0.0
        iz = 1.0 if abs(z) < c[3] else 0.0
        x, y, z = max(-c[1], min(c[1], x)), max(-c[2], min(c[2], y)), max(-c[3], min(c[3], z))
        inside = (ix, 0.0, 0.0, 0.0, iy, 0.0, 0.0, 0.0, iz)
        back = (turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8])
        x, y, z = rotate(turn, x, y, z)
        return x, y, z, multiply_rotations(multiply_rotations(turn, inside), back)
    ax, ay, az = c[1], c[2], c[3]
    height = ax * ex + ay * ey + az * ez
    ux, uy, uz = ex - height * ax, ey - height * ay, ez - height * az
    out = math.sqrt(ux * ux + uy * uy + uz * uz)
    if c[4] * out <= c[5] * height or (c[4] < 0.0 and out <= 0.0):
        return ex, ey, ez, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    ux, uy, uz = ux / out, uy / out, uz / out
    gx, gy, gz = c[4] * ax + c[5] * ux, c[4] * ay + c[5] * uy, c[4] * az + c[5] * uz
    along = gx * ex + gy * ey + gz * ez
    if along <= 0.0:
        return 0.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    f = along * c[5] / out
    xy, xz = gx * gy - f * (ax * ay + ux * uy), gx * gz - f * (ax * az + ux * uz)
    yz = gy * gz - f * (ay * az + uy * uz)
    return (
        along * gx, along * gy, along * gz,
        (
            gx * gx + f * (1.0 - ax * ax - ux * ux), xy, xz,
            xy, gy * gy + f * (1.0 - ay * ay - uy * uy), yz,
            xz, yz, gz * gz + f * (1.0 - az * az - uz * uz),
        ),
    )  # fmt: skip


@inner_kernel
def fill_region(x, y, z, axes, c, to, scale, r, rows):
    """r = nearest allowed point − point; the region lies at the target along `axes`. J = (1 − ∂nearest) [−[p]×, 1]."""
    ex, ey, ez = rotate_back(axes, (x - to[0]) / scale, (y - to[1]) / scale, (z - to[2]) / scale)
    nx, ny, nz, d = nearest_in_region(c, ex, ey, ez)
    rx, ry, rz = rotate(axes, scale * (nx - ex), scale * (ny - ey), scale * (nz - ez))
    r[0], r[1], r[2] = rx, ry, rz
    back = (axes[0], axes[3], axes[6], axes[1], axes[4], axes[7], axes[2], axes[5], axes[8])
    m = multiply_rotations(multiply_rotations(axes, d), back)
    for i in range(3):
        a = (1.0 if i == 0 else 0.0) - m[3 * i]
        b = (1.0 if i == 1 else 0.0) - m[3 * i + 1]
        e = (1.0 if i == 2 else 0.0) - m[3 * i + 2]
        wx, wy, wz = cross(x, y, z, a, b, e)
        put_row(rows, i, wx, wy, wz, a, b, e)


@inner_kernel
def fill_leaning(turn, c, to, r, rows):
    """r = (−excess swing, −excess twist, 0) of the rotation against the target's; J = the axes that change them.

    As with the limits of a ball: d(swing) = ω · (a' × a)/|a' × a|, d(twist) = ω · (a + a')/(1 + a · a') in the joint's
    frame, a the cone's axis and a' that axis at the centre.
    """
    wanted = (to[3], to[6], to[9], to[4], to[7], to[10], to[5], to[8], to[11])
    w, x, y, z = wxyz_of_rotation(multiply_rotations(wanted, turn))
    swing, twist, bx, by, bz = swing_and_twist(c, w, x, y, z)
    ax, ay, az = c[0], c[1], c[2]
    for i in range(3):
        r[i] = 0.0
        put_row(rows, i, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if swing > c[7]:
        sx, sy, sz = cross(bx, by, bz, ax, ay, az)
        size = math.sqrt(sx * sx + sy * sy + sz * sz)
        if size < 1e-9:  # leaning straight back: any direction across will do
            sx, sy, sz = cross(ax, ay, az, 1.0, 0.0, 0.0) if abs(ax) < 0.6 else cross(ax, ay, az, 0.0, 1.0, 0.0)
            size = math.sqrt(sx * sx + sy * sy + sz * sz)
        sx, sy, sz = rotate(turn, sx / size, sy / size, sz / size)
        r[0] = c[7] - swing
        put_row(rows, 0, sx, sy, sz, 0.0, 0.0, 0.0)
    kept = nearest_twist(twist, c[8], c[9])
    if kept != twist:
        along = max(1.0 + ax * bx + ay * by + az * bz, 1e-9)
        tx, ty, tz = rotate(turn, (ax + bx) / along, (ay + by) / along, (az + bz) / along)
        r[1] = kept - twist
        if abs(r[1]) > math.pi:  # the opposite direction is shorter
            r[1] -= math.copysign(2.0 * math.pi, r[1])
        put_row(rows, 1, tx, ty, tz, 0.0, 0.0, 0.0)


@inner_kernel
def fill_sight(turn, ox, oy, oz, base, c, to, r, rows):
    """r = the smallest rotation of the forward direction f of the body onto the direction d to a world point.

    r = φ u with u = f × d, φ = θ/sin θ; the derivative follows u, φ and, through the body's own position o, d:
    ḟ = ω × f, ḋ = −(1 − d dᵀ) ȯ / |point − o|, φ' = (θ cos θ − sin θ)/sin³θ along cos θ. With a limit L about the
    direction g of the base, cos L g + sin L e replaces d beyond it, e the direction across g towards d.
    c: f in the body's frame, cos L, sin L (both 0 for none), g in the base's frame.
    """
    fx, fy, fz = rotate(turn, c[0], c[1], c[2])
    dx, dy, dz = to[0] - ox, to[1] - oy, to[2] - oz
    away = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-12)
    dx, dy, dz = dx / away, dy / away, dz / away
    bx, by, bz = dx, dy, dz
    gx, gy, gz, ex, ey, ez, across = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if c[3] != 0.0 or c[4] != 0.0:
        gx, gy, gz = rotate(base, c[5], c[6], c[7])
        level = dx * gx + dy * gy + dz * gz
        if level < c[3]:
            ex, ey, ez = dx - level * gx, dy - level * gy, dz - level * gz
            across = math.sqrt(ex * ex + ey * ey + ez * ez)
            if across < 1e-9:
                ex, ey, ez = cross(gx, gy, gz, 1.0, 0.0, 0.0) if abs(gx) < 0.6 else cross(gx, gy, gz, 0.0, 1.0, 0.0)
                across = math.sqrt(ex * ex + ey * ey + ez * ez)
            ex, ey, ez = ex / across, ey / across, ez / across
            dx, dy, dz = c[3] * gx + c[4] * ex, c[3] * gy + c[4] * ey, c[3] * gz + c[4] * ez
    ux, uy, uz = cross(fx, fy, fz, dx, dy, dz)
    cosine = fx * dx + fy * dy + fz * dz
    s = math.sqrt(ux * ux + uy * uy + uz * uz)
    angle = math.atan2(s, cosine)
    behind = s < 1e-9 and cosine < 0.0
    if behind:  # any perpendicular axis will do
        ux, uy, uz = cross(fx, fy, fz, 1.0, 0.0, 0.0) if abs(fx) < 0.6 else cross(fx, fy, fz, 0.0, 1.0, 0.0)
        size = math.sqrt(ux * ux + uy * uy + uz * uz)
        ux, uy, uz = ux / size, uy / size, uz / size
        angle = math.pi
    phi = angle if behind else (angle / s if s > 1e-6 else 1.0 + s * s / 6.0)
    slope = (angle * cosine - s) / (s * s * s) if s > 1e-3 else -1.0 / 3.0
    r[0], r[1], r[2] = phi * ux, phi * uy, phi * uz
    for column in range(9):  # ω and v of the body, ω of the base
        k = column % 3
        x = 1.0 if k == 0 else 0.0
        y = 1.0 if k == 1 else 0.0
        z = 1.0 if k == 2 else 0.0
        hx = hy = hz = 0.0
        fdx = fdy = fdz = gdx = gdy = gdz = 0.0
        if column < 6:
            mx, my, mz = x, y, z
            if column < 3:
                fdx, fdy, fdz = cross(x, y, z, fx, fy, fz)
                mx, my, mz = cross(x, y, z, ox, oy, oz)
            along = bx * mx + by * my + bz * mz
            hx, hy, hz = (along * bx - mx) / away, (along * by - my) / away, (along * bz - mz) / away
        else:
            gdx, gdy, gdz = cross(x, y, z, gx, gy, gz)
        if across > 0.0:
            level = bx * gx + by * gy + bz * gz
            rate = hx * gx + hy * gy + hz * gz + bx * gdx + by * gdy + bz * gdz
            px, py, pz = hx - rate * gx - level * gdx, hy - rate * gy - level * gdy, hz - rate * gz - level * gdz
            grow = ex * px + ey * py + ez * pz
            hx = c[3] * gdx + c[4] * (px - grow * ex) / across
            hy = c[3] * gdy + c[4] * (py - grow * ey) / across
            hz = c[3] * gdz + c[4] * (pz - grow * ez) / across
        if behind:
            turned = ux * x + uy * y + uz * z if column < 3 else 0.0
            jx, jy, jz = turned * ux, turned * uy, turned * uz
        else:
            qx, qy, qz = cross(fdx, fdy, fdz, dx, dy, dz)
            sx, sy, sz = cross(fx, fy, fz, hx, hy, hz)
            rate = slope * (fdx * dx + fdy * dy + fdz * dz + fx * hx + fy * hy + fz * hz)
            jx, jy, jz = -(phi * (qx + sx) + rate * ux), -(phi * (qy + sy) + rate * uy), -(phi * (qz + sz) + rate * uz)
        first = 0 if column < 6 else 3
        at = column if column < 6 else k
        rows[first, at], rows[first + 1, at], rows[first + 2, at] = jx, jy, jz
    for i in range(3, 6):
        rows[i, 3] = rows[i, 4] = rows[i, 5] = 0.0


@inner_kernel
def fill_pole(end, middle, first, to, r, rows):
    """r = (φ, h φ, 0), φ the angle about the line first → end from the middle joint to the target; positions (x, y, z).

    φ is the dihedral angle target–first–end–middle; its derivatives by the positions are those of Blondel and Karplus
    (1996): with F = target − first, G = first − end, H = middle − end, A = F × G, B = H × G. h grows as the limb grows
    straight (`_count_straight`), since a straight limb would have every side at no cost.
    """
    fx, fy, fz = to[0] - first[0], to[1] - first[1], to[2] - first[2]
    gx, gy, gz = first[0] - end[0], first[1] - end[1], first[2] - end[2]
    hx, hy, hz = middle[0] - end[0], middle[1] - end[1], middle[2] - end[2]
    ax, ay, az = cross(fx, fy, fz, gx, gy, gz)
    bx, by, bz = cross(hx, hy, hz, gx, gy, gz)
    aa, bb = ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz
    gg = gx * gx + gy * gy + gz * gz
    length = math.sqrt(gg)
    for i in range(3):
        r[i] = 0.0
    for i in range(9):
        put_row(rows, i, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if aa < 1e-20 or length < 1e-9:  # no side: the target is in line with the limb, or the limb has no length
        return
    if bb < 1e-20:
        _fill_straight(end, middle, first, (ax, ay, az), gg, r, rows)
        return
    nx, ny, nz = -gx / length, -gy / length, -gz / length
    cx, cy, cz = cross(bx, by, bz, ax, ay, az)
    r[0] = math.atan2(cx * nx + cy * ny + cz * nz, ax * bx + ay * by + az * bz)
    fg = (fx * gx + fy * gy + fz * gz) / (aa * length)
    hg = (hx * gx + hy * gy + hz * gz) / (bb * length)
    m = length / bb  # the derivative of φ by the middle, along B
    _pole_row(rows, 3, middle, m * bx, m * by, m * bz)
    n = length / aa
    px, py, pz = (n + fg) * ax - hg * bx, (n + fg) * ay - hg * by, (n + fg) * az - hg * bz
    _pole_row(rows, 6, first, px, py, pz)
    _pole_row(rows, 0, end, hg * bx - fg * ax - m * bx, hg * by - fg * ay - m * by, hg * bz - fg * az - m * bz)
    _count_straight(end, middle, first, r, rows)


@inner_kernel
def _count_straight(end, middle, first, r, rows):
    """The second number of a pole, h φ with h = β/√(s + δ²), s the squared sine of the bend at the middle.

    With u = first − middle, v = end − middle, B = u × v: s = B²/(u² v²), ∂s/∂u = 2 v × B/(u² v²) − 2 s u/u², and
    ∂s/∂v = 2 B × u/(u² v²) − 2 s v/v².
    """
    ux, uy, uz = first[0] - middle[0], first[1] - middle[1], first[2] - middle[2]
    vx, vy, vz = end[0] - middle[0], end[1] - middle[1], end[2] - middle[2]
    bx, by, bz = cross(ux, uy, uz, vx, vy, vz)
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    s = (bx * bx + by * by + bz * bz) / (uu * vv)
    h = STRAIGHT / math.sqrt(s + STRAIGHTEST * STRAIGHTEST)
    r[1] = h * r[0]
    k = r[1] / (s + STRAIGHTEST * STRAIGHTEST)  # −2 φ ∂h/∂s
    x, y, z = cross(vx, vy, vz, bx, by, bz)
    over, by_u, by_v = k / (uu * vv), k * s / uu, k * s / vv
    px, py, pz = over * x - by_u * ux, over * y - by_u * uy, over * z - by_u * uz
    x, y, z = cross(bx, by, bz, ux, uy, uz)
    qx, qy, qz = over * x - by_v * vx, over * y - by_v * vy, over * z - by_v * vz
    _pole_row(rows, 7, first, px, py, pz)
    _pole_row(rows, 1, end, qx, qy, qz)
    _pole_row(rows, 4, middle, -px - qx, -py - qy, -pz - qz)
    for part in range(0, 9, 3):
        for i in range(6):
            rows[part + 1, i] += h * rows[part, i]


@inner_kernel
def _fill_straight(end, middle, first, across, square, r, rows):
    """A straight limb has no side: it counts as the worst, φ = π, so that no descent leads there, and its middle is
    drawn off the line, towards the pole. No derivative exists: the rows are those of a displacement of which a quarter
    of the limb counts as a radian.

    across: A of `fill_pole`; square: of the limb's length.
    """
    r[0], r[1] = math.pi, math.pi * STRAIGHT / STRAIGHTEST
    gx, gy, gz = first[0] - end[0], first[1] - end[1], first[2] - end[2]
    x, y, z = cross(gx, gy, gz, across[0], across[1], across[2])
    size = 0.25 * math.sqrt(square * (x * x + y * y + z * z))
    x, y, z = x / size, y / size, z / size
    part = ((first[0] - middle[0]) * gx + (first[1] - middle[1]) * gy + (first[2] - middle[2]) * gz) / square
    _pole_row(rows, 3, middle, x, y, z)
    _pole_row(rows, 6, first, (part - 1.0) * x, (part - 1.0) * y, (part - 1.0) * z)
    _pole_row(rows, 0, end, -part * x, -part * y, -part * z)


@inner_kernel
def _pole_row(rows, i, place, x, y, z):
    """The row of a number that falls by (x, y, z) · v as `place` moves by v."""
    wx, wy, wz = cross(place[0], place[1], place[2], x, y, z)
    put_row(rows, i, wx, wy, wz, x, y, z)
