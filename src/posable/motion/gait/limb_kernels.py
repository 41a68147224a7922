"""How a leg's first bone turns, frame by frame: compiled, as walks ask for it again and again for a few frames."""

import math

from posable.spatial.compile import inner_kernel, lean_kernel
from posable.spatial.kernels import cross as cross_numbers
from posable.spatial.kernels import wxyz_of_turn


@inner_kernel
def unit(x, y, z):
    """The direction of a vector; 0 of what has none."""
    size = math.sqrt(x * x + y * y + z * z)
    scale = 1.0 / size if size > 0.0 else 0.0
    return x * scale, y * scale, z * scale


@inner_kernel
def carried(a, b):
    """The rotation matrix, nine numbers, that takes three unit vectors square to each other to three others: Σ b aᵀ."""
    return (
        b[0][0] * a[0][0] + b[1][0] * a[1][0] + b[2][0] * a[2][0],
        b[0][0] * a[0][1] + b[1][0] * a[1][1] + b[2][0] * a[2][1],
        b[0][0] * a[0][2] + b[1][0] * a[1][2] + b[2][0] * a[2][2],
        b[0][1] * a[0][0] + b[1][1] * a[1][0] + b[2][1] * a[2][0],
        b[0][1] * a[0][1] + b[1][1] * a[1][1] + b[2][1] * a[2][1],
        b[0][1] * a[0][2] + b[1][1] * a[1][2] + b[2][1] * a[2][2],
        b[0][2] * a[0][0] + b[1][2] * a[1][0] + b[2][2] * a[2][0],
        b[0][2] * a[0][1] + b[1][2] * a[1][1] + b[2][2] * a[2][1],
        b[0][2] * a[0][2] + b[1][2] * a[1][2] + b[2][2] * a[2][2],
    )


@lean_kernel
def facing(span, gap, ahead, axis, out):
    """Turns `out [n, 4]` that lay `span [n, 3]` along `gap [n, 3]`, and the knee's unit `axis [3]`, which goes with the
    span, as square to `ahead [n, 3]` as it can be.

    With d along the gap, u square to it and to ahead, and w = d × u, what the axis has across the span comes to lie at
    an angle from u whose sine is −a (d·ahead) / (b w·ahead), a and b being the axis' parts along and across the span.
    """
    side = 1.0 if axis[0] >= 0.0 else -1.0
    for k in range(len(out)):
        e = unit(span[k, 0], span[k, 1], span[k, 2])
        d = unit(gap[k, 0], gap[k, 1], gap[k, 2])
        along = e[0] * axis[0] + e[1] * axis[1] + e[2] * axis[2]
        across = math.sqrt(max(1.0 - along * along, 1e-12))
        f = (axis[0] - along * e[0]) / across, (axis[1] - along * e[1]) / across, (axis[2] - along * e[2]) / across
        ux, uy, uz = cross_numbers(ahead[k, 0], ahead[k, 1], ahead[k, 2], d[0], d[1], d[2])
        u = unit(side * ux, side * uy, side * uz)
        w = cross_numbers(d[0], d[1], d[2], u[0], u[1], u[2])
        slope = w[0] * ahead[k, 0] + w[1] * ahead[k, 1] + w[2] * ahead[k, 2]
        slope = slope if abs(slope) > 1e-9 else 1.0
        level = d[0] * ahead[k, 0] + d[1] * ahead[k, 1] + d[2] * ahead[k, 2]
        sine = min(max(-along * level / (across * slope), -0.9), 0.9)
        cosine = math.sqrt(1.0 - sine * sine)
        g = cosine * u[0] + sine * w[0], cosine * u[1] + sine * w[1], cosine * u[2] + sine * w[2]
        h = cross_numbers(e[0], e[1], e[2], f[0], f[1], f[2])
        c = cross_numbers(d[0], d[1], d[2], g[0], g[1], g[2])
        turn = wxyz_of_turn(carried((e, f, h), (d, g, c)))
        sign = 1.0 if turn[0] >= 0.0 else -1.0
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = sign * turn[0], sign * turn[1], sign * turn[2], sign * turn[3]
