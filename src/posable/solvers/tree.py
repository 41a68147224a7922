"""Compiled: the damped Gauss–Newton (or Newton) step of a tree in linear time.

Each goal plays the part of a mass fixed to its body and each residual that of a force on it, so that the step is the
joint acceleration of an articulated body (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7) with rotor
inertia Λ.
"""

from __future__ import annotations

from posable.skeleton.packed import PARENT
from posable.solvers.work import (
    DAMPING,
    FORCE,
    GIVEN,
    HELD,
    INERTIA,
    LEVER,
    PULL,
    RESIDUAL,
    ROWS,
    SOFT,
    STATE,
    STEP,
    VELOCITY,
    D,
    S,
    U,
    u,
)
from posable.spatial.compile import inner_kernel


@inner_kernel
def add_goals(p, term, body):
    """I and f of the goals on their own bodies; zero elsewhere."""
    for n in range(p.used.shape[0]):
        for i in range(INERTIA, FORCE + 6):
            body[p.used[n], i] = 0.0
    for k in range(p.terms.shape[0]):
        j, weight = p.terms[k, 1], p.measures[k, 0]
        x, y, z = term[k, RESIDUAL], term[k, RESIDUAL + 1], term[k, RESIDUAL + 2]
        for a in range(6):
            ra, rb, rc = weight * term[k, ROWS + a], weight * term[k, ROWS + 6 + a], weight * term[k, ROWS + 12 + a]
            body[j, FORCE + a] += ra * x + rb * y + rc * z
            for b in range(6):
                body[j, INERTIA + 6 * a + b] += (
                    ra * term[k, ROWS + b] + rb * term[k, ROWS + 6 + b] + rc * term[k, ROWS + 12 + b]
                )


@inner_kernel
def bend(body, motion, j, m, curved):
    """U = I S of motion `m`, and where `curved` the second derivative of the position goals below: + (G ω + F × v_O,
    0).
    """
    for a in range(6):
        value = 0.0
        for b in range(6):
            value += body[j, INERTIA + 6 * a + b] * motion[m, S + b]
        motion[m, U + a] = value
    if curved:
        wx, wy, wz = motion[m, S], motion[m, S + 1], motion[m, S + 2]
        vx, vy, vz = motion[m, S + 3], motion[m, S + 4], motion[m, S + 5]
        fx, fy, fz = body[j, PULL], body[j, PULL + 1], body[j, PULL + 2]
        motion[m, U] += body[j, LEVER] * wx + body[j, LEVER + 1] * wy + body[j, LEVER + 2] * wz + fy * vz - fz * vy
        motion[m, U + 1] += (
            body[j, LEVER + 3] * wx + body[j, LEVER + 4] * wy + body[j, LEVER + 5] * wz + fz * vx - fx * vz
        )
        motion[m, U + 2] += (
            body[j, LEVER + 6] * wx + body[j, LEVER + 7] * wy + body[j, LEVER + 8] * wz + fx * vy - fy * vx
        )


@inner_kernel
def tree_step(joint, p, term, body, motion, freedom, curved, soft):
    """Fill step and velocities; False where the curvature is not positive (more damping is needed).

    Leaves to root: U = I S, D = SᵀU + Λ, u = Sᵀf + g, I ← I − U Uᵀ/D, f ← f − U u/D, and both are added to the parent.
    Root to leaves: δ = (u − Uᵀv)/D, v ← v + S δ. A held freedom is skipped; one given as δ = c passes f − I S c.
    """
    add_goals(p, term, body)
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n]
        for m in range(p.first_motion[j + 1] - 1, p.first_motion[j] - 1, -1):
            if freedom[STATE, m] == HELD:
                continue
            bend(body, motion, j, m, curved)
            if freedom[STATE, m] == GIVEN:
                for a in range(6):
                    body[j, FORCE + a] -= motion[m, U + a] * freedom[STEP, m]
                continue
            curvature = freedom[DAMPING, m]
            pull = freedom[SOFT, m] if soft else 0.0
            for a in range(6):
                curvature += motion[m, S + a] * motion[m, U + a]
                pull += motion[m, S + a] * body[j, FORCE + a]
            if not curvature > 0.0:
                return False
            motion[m, D], motion[m, u] = curvature, pull
            for a in range(6):
                share = motion[m, U + a] / curvature
                body[j, FORCE + a] -= share * pull
                for b in range(6):
                    body[j, INERTIA + 6 * a + b] -= share * motion[m, U + b]
        if joint[j, PARENT] >= 0:
            for i in range(INERTIA, FORCE + 6):
                body[joint[j, PARENT], i] += body[j, i]
    for n in range(p.used.shape[0]):
        j = p.used[n]
        for a in range(6):
            body[j, VELOCITY + a] = body[joint[j, PARENT], VELOCITY + a] if joint[j, PARENT] >= 0 else 0.0
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            if freedom[STATE, m] == HELD:
                freedom[STEP, m] = 0.0
                continue
            if freedom[STATE, m] != GIVEN:
                value = motion[m, u]
                for a in range(6):
                    value -= motion[m, U + a] * body[j, VELOCITY + a]
                freedom[STEP, m] = value / motion[m, D]
            for a in range(6):
                body[j, VELOCITY + a] += motion[m, S + a] * freedom[STEP, m]
    return True
