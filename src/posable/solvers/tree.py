"""Compiled: the damped Gauss–Newton (or Newton) step of a tree in linear time.

Each goal plays the part of a mass fixed to its body and each residual that of a force on it, so that the step is the joint
acceleration of an articulated body (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7) with rotor inertia Λ.
"""

from __future__ import annotations

from posable.solvers.work import GIVEN, HELD
from posable.spatial.compile import kernel


@kernel
def add_goals(p, w):
    """I and f of the goals on their own bodies; zero elsewhere."""
    for n in range(p.used.shape[0]):
        j = p.used[n]
        w.inertia[j, :, :] = 0.0
        w.force[j, :] = 0.0
    for k in range(p.kinds.shape[0]):
        j = p.joints[k]
        weight = p.weights[k]
        rows = w.rows[k]
        x, y, z = w.residual[k, 0], w.residual[k, 1], w.residual[k, 2]
        for a in range(6):
            for b in range(6):
                w.inertia[j, a, b] += weight * (rows[a] * rows[b] + rows[6 + a] * rows[6 + b] + rows[12 + a] * rows[12 + b])
            w.force[j, a] += weight * (rows[a] * x + rows[6 + a] * y + rows[12 + a] * z)


@kernel
def bend(w, j, m, curved):
    """U[m] = I S, and where `curved` also the second derivative of the position goals below: (G ω + F × v_O, 0)."""
    S = w.motions[m]
    U = w.U[m]
    inertia = w.inertia[j]
    for a in range(6):
        U[a] = (
            inertia[a, 0] * S[0] + inertia[a, 1] * S[1] + inertia[a, 2] * S[2]
            + inertia[a, 3] * S[3] + inertia[a, 4] * S[4] + inertia[a, 5] * S[5]
        )  # fmt: skip
    if curved:
        G, F = w.lever[j], w.pull[j]
        U[0] += G[0] * S[0] + G[1] * S[1] + G[2] * S[2] + F[1] * S[5] - F[2] * S[4]
        U[1] += G[3] * S[0] + G[4] * S[1] + G[5] * S[2] + F[2] * S[3] - F[0] * S[5]
        U[2] += G[6] * S[0] + G[7] * S[1] + G[8] * S[2] + F[0] * S[4] - F[1] * S[3]


@kernel
def dot6(a, b):
    """Σ aᵢ bᵢ over six numbers."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@kernel
def tree_step(t, p, w, curved, soft):
    """Fill `w.step` and `w.velocity`; False where the curvature is not positive (more damping is needed).

    Leaves to root: U = I S, D = SᵀU + Λ, u = Sᵀf + g, I ← I − U Uᵀ/D, f ← f − U u/D, and both are added to the parent.
    Root to leaves: δ = (u − Uᵀv)/D, v ← v + S δ. A held freedom is skipped; one given as δ = c passes f − I S c.
    """
    add_goals(p, w)
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n]
        inertia, force = w.inertia[j], w.force[j]
        for m in range(p.first_motion[j + 1] - 1, p.first_motion[j] - 1, -1):
            if w.state[m] == HELD:
                continue
            bend(w, j, m, curved)
            S, U = w.motions[m], w.U[m]
            if w.state[m] == GIVEN:
                for a in range(6):
                    force[a] -= U[a] * w.step[m]
                continue
            D = dot6(S, U) + w.damping[m]
            if not D > 0.0:
                return False
            u = dot6(S, force) + (w.soft[m] if soft else 0.0)
            w.D[m], w.u[m] = D, u
            for a in range(6):
                share = U[a] / D
                force[a] -= share * u
                for b in range(6):
                    inertia[a, b] -= share * U[b]
        above = t.parent[j]
        if above >= 0:
            for a in range(6):
                w.force[above, a] += force[a]
                for b in range(6):
                    w.inertia[above, a, b] += inertia[a, b]
    for n in range(p.used.shape[0]):
        j = p.used[n]
        velocity = w.velocity[j]
        above = t.parent[j]
        for a in range(6):
            velocity[a] = w.velocity[above, a] if above >= 0 else 0.0
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            if w.state[m] == HELD:
                w.step[m] = 0.0
                continue
            S = w.motions[m]
            if w.state[m] != GIVEN:
                w.step[m] = (w.u[m] - dot6(w.U[m], velocity)) / w.D[m]
            for a in range(6):
                velocity[a] += S[a] * w.step[m]
    return True
