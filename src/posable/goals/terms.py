"""What a goal asks of one joint, as numbers for kernels: the formulas of every residual and of its derivative, once
each.

A term is three numbers r to be brought to zero, and three rows J on the motion (ω, v) of its body about the world's
origin: to first order, a small motion leaves r − J (ω, v). Positions are measured in units of the figure's reach.
"""

from __future__ import annotations

import math

from posable.spatial.compile import inner_kernel
from posable.spatial.kernels import cross, log_wxyz, multiply_turns, rotate, turn_of_wxyz, wxyz_of_turn

POSITION, ROTATION, SIGHT = 0, 1, 2


@inner_kernel
def position_term(turn, ox, oy, oz, p, scale):
    """r = target − point, for a point fixed to the body; p = local xyz, target xyz. J = [−[point]×, 1]."""
    x, y, z = rotate(turn, p[0], p[1], p[2])
    x, y, z = scale * (x + ox), scale * (y + oy), scale * (z + oz)
    return (
        scale * p[3] - x, scale * p[4] - y, scale * p[5] - z,
        0.0, z, -y, 1.0, 0.0, 0.0,
        -z, 0.0, x, 0.0, 1.0, 0.0,
        y, -x, 0.0, 0.0, 0.0, 1.0,
    )  # fmt: skip


@inner_kernel
def rotation_term(turn, p):
    """r = log(R_target Rᵀ), in the world's frame; p = local wxyz fixed to the body … target wxyz at 3. J = [Jr⁻¹(r),
    0].

    Jr⁻¹(r) = 1 + ½[r]× + c[r]×², c = 1/θ² − cot(θ/2)/(2θ) (Chirikjian 2011, ch. 10).
    """
    wanted = turn_of_wxyz(p[3], p[4], p[5], p[6])
    back = (turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8])
    w, x, y, z = wxyz_of_turn(multiply_turns(wanted, back))
    x, y, z = log_wxyz(w, x, y, z)
    square = x * x + y * y + z * z
    if square < 1e-6:
        c = 1.0 / 12.0 + square / 720.0
    else:
        angle = math.sqrt(square)
        c = 1.0 / square - 0.5 / (angle * math.tan(0.5 * angle))
    return (
        x, y, z,
        1.0 - c * (y * y + z * z), c * x * y - 0.5 * z, c * x * z + 0.5 * y, 0.0, 0.0, 0.0,
        c * x * y + 0.5 * z, 1.0 - c * (x * x + z * z), c * y * z - 0.5 * x, 0.0, 0.0, 0.0,
        c * x * z - 0.5 * y, c * y * z + 0.5 * x, 1.0 - c * (x * x + y * y), 0.0, 0.0, 0.0,
    )  # fmt: skip


@inner_kernel
def sight_term(turn, ox, oy, oz, p, scale):
    """r = the smallest turn that takes the forward direction f of the body onto the direction d to a world point.

    p = forward xyz (length 1), point xyz. r = φ u with u = f × d, φ = θ/sin θ; the derivative follows u, φ and,
    through the body's own place o, d: ḟ = ω × f, ḋ = −(1 − d dᵀ) ȯ / |point − o|, φ' = (θ cos θ − sin θ)/sin³θ along
    cos θ.
    """
    fx, fy, fz = rotate(turn, p[0], p[1], p[2])
    px, py, pz = scale * ox, scale * oy, scale * oz
    dx, dy, dz = scale * p[3] - px, scale * p[4] - py, scale * p[5] - pz
    away = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-12)
    dx, dy, dz = dx / away, dy / away, dz / away
    ux, uy, uz = cross(fx, fy, fz, dx, dy, dz)
    c = fx * dx + fy * dy + fz * dz
    s = math.sqrt(ux * ux + uy * uy + uz * uz)
    angle = math.atan2(s, c)
    if s < 1e-9 and c < 0.0:  # straight behind: any perpendicular axis will do
        if abs(fx) < 0.6:
            ux, uy, uz = cross(fx, fy, fz, 1.0, 0.0, 0.0)
        else:
            ux, uy, uz = cross(fx, fy, fz, 0.0, 1.0, 0.0)
        size = math.sqrt(ux * ux + uy * uy + uz * uz)
        ux, uy, uz = ux / size, uy / size, uz / size
        return (
            math.pi * ux, math.pi * uy, math.pi * uz,
            ux * ux, ux * uy, ux * uz, 0.0, 0.0, 0.0,
            uy * ux, uy * uy, uy * uz, 0.0, 0.0, 0.0,
            uz * ux, uz * uy, uz * uz, 0.0, 0.0, 0.0,
        )  # fmt: skip
    phi = angle / s if s > 1e-6 else 1.0 + s * s / 6.0
    slope = (angle * c - s) / (s * s * s) if s > 1e-3 else -1.0 / 3.0
    j0 = _sight_column(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope)
    j1 = _sight_column(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope)
    j2 = _sight_column(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope)
    j3 = _sight_column(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope)
    j4 = _sight_column(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope)
    j5 = _sight_column(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope)
    return (
        phi * ux, phi * uy, phi * uz,
        j0[0], j1[0], j2[0], j3[0], j4[0], j5[0],
        j0[1], j1[1], j2[1], j3[1], j4[1], j5[1],
        j0[2], j1[2], j2[2], j3[2], j4[2], j5[2],
    )  # fmt: skip


@inner_kernel
def _sight_column(wx, wy, wz, vx, vy, vz, fx, fy, fz, dx, dy, dz, ux, uy, uz, px, py, pz, away, phi, slope):
    """−dr/dt for one unit motion (ω, v) of the body."""
    gx, gy, gz = cross(wx, wy, wz, fx, fy, fz)
    ox, oy, oz = cross(wx, wy, wz, px, py, pz)
    ox, oy, oz = ox + vx, oy + vy, oz + vz
    along = dx * ox + dy * oy + dz * oz
    hx, hy, hz = (along * dx - ox) / away, (along * dy - oy) / away, (along * dz - oz) / away
    ax, ay, az = cross(gx, gy, gz, dx, dy, dz)
    bx, by, bz = cross(fx, fy, fz, hx, hy, hz)
    rate = slope * (gx * dx + gy * dy + gz * dz + fx * hx + fy * hy + fz * hz)
    return -(phi * (ax + bx) + rate * ux), -(phi * (ay + by) + rate * uy), -(phi * (az + bz) + rate * uz)


@inner_kernel
def term(kind, turn, ox, oy, oz, p, scale):
    """The one dispatch over kinds: 21 numbers, r and then the three rows of J."""
    if kind == POSITION:
        return position_term(turn, ox, oy, oz, p, scale)
    if kind == ROTATION:
        return rotation_term(turn, p)
    return sight_term(turn, ox, oy, oz, p, scale)
