"""Compiled: the one dispatch over kinds of terms."""

from __future__ import annotations

from posable.compiled.decorators import inner_kernel
from posable.goals.capsules import OTHER_ONE, RADIUS, end_of_capsule, fill_apart
from posable.goals.term_arrays import CONSTANT, JOINT, KIND, OTHER, THIRD
from posable.goals.terms import (
    APART,
    BALANCE,
    LEANING,
    POLE,
    POSITION,
    REGION,
    ROTATION,
    SIGHT,
    fill_leaning,
    fill_pole,
    fill_position,
    fill_region,
    fill_rotation,
    fill_sight,
)
from posable.skeleton.forward import turn_at
from posable.spatial.kernels import multiply_turns, rotate


@inner_kernel
def fill_term(p, turns, origins, wanted, k, r, rows):
    """Residual `r [3]` and `rows [9, 6 or more]` of term `k` at the geometry `turns`, `origins`.

    p: terms, measures, bodies and scale. wanted: `[term, 12]`, place in reaches and turn. A joint that carries the
    target has rows 3–5; those of a centre of mass are not filled, since every body has some.
    """
    kind, j, other, third = p.terms[k, KIND], p.terms[k, JOINT], p.terms[k, OTHER], p.terms[k, THIRD]
    c, scale = p.measures[k, CONSTANT:], p.scale
    to = (
        wanted[k, 0], wanted[k, 1], wanted[k, 2], wanted[k, 3], wanted[k, 4], wanted[k, 5],
        wanted[k, 6], wanted[k, 7], wanted[k, 8], wanted[k, 9], wanted[k, 10], wanted[k, 11],
    )  # fmt: skip
    if kind == BALANCE:
        _fill_balance(p, turns, origins, c, to, r)
        return
    turn = turn_at(turns, j)
    ox, oy, oz = _place(origins, j, scale)
    if kind == APART:
        _fill_contact(p, turns, origins, turn, (ox, oy, oz), to, k, r, rows)
        return
    if kind == POLE:
        fill_pole((ox, oy, oz), _place(origins, other, scale), _place(origins, third, scale), to, r, rows)
        return
    base = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    if other >= 0:
        base = turn_at(turns, other)
        if kind != SIGHT:
            to = _carried(base, _place(origins, other, scale), to)
    if kind in (POSITION, REGION):
        x, y, z = rotate(turn, c[0], c[1], c[2])
        x, y, z = ox + scale * x, oy + scale * y, oz + scale * z
        if kind == POSITION:
            fill_position(x, y, z, to, r, rows)
        else:
            fill_region(x, y, z, base, c[3:], to, scale, r, rows)
    elif kind == ROTATION:
        fill_rotation(turn, to, r, rows)
    elif kind == LEANING:
        fill_leaning(turn, c, to, r, rows)
    else:
        fill_sight(turn, ox, oy, oz, base, c, to, r, rows)
    if other >= 0 and kind != SIGHT:
        _fill_carrier(kind, r, rows)


@inner_kernel
def _fill_contact(p, turns, origins, turn, origin, to, k, r, rows):
    """A capsule of a body at `origin` and that of another body, or the obstacle that is the target."""
    other, c, scale = p.terms[k, OTHER], p.measures[k, CONSTANT:], p.scale
    q, q1, radius = (to[0], to[1], to[2]), (to[3], to[4], to[5]), to[6]
    if other >= 0:
        base, place = turn_at(turns, other), _place(origins, other, scale)
        q = end_of_capsule(base, place, c, OTHER_ONE, scale)
        q1 = end_of_capsule(base, place, c, OTHER_ONE + 3, scale)
        radius = scale * c[OTHER_ONE + RADIUS]
    fill_apart(turn, origin, c, q, q1, radius, scale, r, rows)


@inner_kernel
def _place(origins, j, scale):
    return scale * origins[j, 0], scale * origins[j, 1], scale * origins[j, 2]


@inner_kernel
def _carried(turn, origin, to):
    """A target given in the frame of a joint, in the world."""
    x, y, z = rotate(turn, to[0], to[1], to[2])
    r = multiply_turns(turn, (to[3], to[4], to[5], to[6], to[7], to[8], to[9], to[10], to[11]))
    x, y, z = origin[0] + x, origin[1] + y, origin[2] + z
    return x, y, z, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]


@inner_kernel
def _fill_carrier(kind, r, rows):
    """Rows 3–5, of the joint that carries the target.

    A motion of both bodies together changes nothing but turns r along: (J + J') (ω, v) = r × ω. Swing and twist do not
    even turn.
    """
    for i in range(3):
        for a in range(6):
            rows[3 + i, a] = -rows[i, a]
    if kind != LEANING:
        rows[3, 1] -= r[2]
        rows[3, 2] += r[1]
        rows[4, 0] += r[2]
        rows[4, 2] -= r[0]
        rows[5, 0] -= r[1]
        rows[5, 1] += r[0]


@inner_kernel
def _fill_balance(p, turns, origins, c, to, r):
    """r = target − centre of mass, in the directions that c marks."""
    x = y = z = 0.0
    for j in range(p.bodies.shape[0]):
        share = p.bodies[j, 0]
        if share > 0.0:
            cx, cy, cz = rotate(turn_at(turns, j), p.bodies[j, 1], p.bodies[j, 2], p.bodies[j, 3])
            x += share * p.scale * (cx + origins[j, 0])
            y += share * p.scale * (cy + origins[j, 1])
            z += share * p.scale * (cz + origins[j, 2])
    r[0], r[1], r[2] = c[0] * (to[0] - x), c[1] * (to[1] - y), c[2] * (to[2] - z)
