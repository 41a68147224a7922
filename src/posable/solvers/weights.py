"""Compiled: the weight of the links, a force on each through its centre of mass."""

from __future__ import annotations

from posable.goals.gravity import FLOOR
from posable.skeleton.forward import turn_at
from posable.solvers.work import BEND, FORCE, VELOCITY
from posable.spatial.compile import inner_kernel
from posable.spatial.kernels import cross, rotate
from posable.spatial.six import dot, six


@inner_kernel
def weighs(p):
    """Whether gravity acts."""
    return p.pull[0, 0] != 0.0 or p.pull[0, 1] != 0.0 or p.pull[0, 2] != 0.0


@inner_kernel
def height_energy(p, turns, origins):
    """The potential energy where the joints stand, counted from a floor far below."""
    if not weighs(p):
        return 0.0
    energy = FLOOR * (abs(p.pull[0, 0]) + abs(p.pull[0, 1]) + abs(p.pull[0, 2]))
    for j in range(p.bodies.shape[0]):
        m = p.bodies[j, 0] * p.scale
        x, y, z = rotate(turn_at(turns, j), p.bodies[j, 1], p.bodies[j, 2], p.bodies[j, 3])
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
    return six(nx, ny, nz, fx, fy, fz)


@inner_kernel
def add_weights(p, w, curved):
    """The links' weight among the forces on their bodies and, where `curved`, what it adds to the curvature."""
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
    """What the curvature of a force F at the point p of a body adds to its moment: G ω + F × v, G = (F·p) 1 − p Fᵀ."""
    along = fx * px + fy * py + fz * pz
    b[j, BEND] = b[j, BEND] + six(along - px * fx, -py * fx, -pz * fx, 0.0, 0.0, 0.0)
    b[j, BEND + 1] = b[j, BEND + 1] + six(-px * fy, along - py * fy, -pz * fy, 0.0, 0.0, 0.0)
    b[j, BEND + 2] = b[j, BEND + 2] + six(-px * fz, -py * fz, along - pz * fz, 0.0, 0.0, 0.0)
    b[j, BEND + 3] = b[j, BEND + 3] + six(0.0, fz, -fy, 0.0, 0.0, 0.0)
    b[j, BEND + 4] = b[j, BEND + 4] + six(-fz, 0.0, fx, 0.0, 0.0, 0.0)
    b[j, BEND + 5] = b[j, BEND + 5] + six(fy, -fx, 0.0, 0.0, 0.0, 0.0)


@inner_kernel
def energy_won(p, w, share):
    """How much energy the weights lose, to first order, by `share` of the step."""
    won = 0.0
    if weighs(p):
        for j in range(p.bodies.shape[0]):
            won += share * dot(_weight_of(p, w, j), w.body[j, VELOCITY])
    return won
