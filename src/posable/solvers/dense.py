"""Compiled: the same step where motions are coupled (mimics, absolute angles), by a dense Cholesky factorisation.

With C taking freedoms to motions and M the Hessian between motions, the step solves (Cᵀ M C + Λ) δ = gradient.
"""

from __future__ import annotations

import math

from posable.solvers.tree import add_goals, bend, dot6
from posable.solvers.work import FREE_TO_MOVE, GIVEN, HELD
from posable.spatial.compile import kernel


@kernel
def _hessian_of_motions(t, p, w, curved):
    """Fill `w.between [motion, motion]`: SᵢᵀUⱼ for every pair on one way to the root, 0 elsewhere."""
    add_goals(p, w)
    w.between[:, :] = 0.0
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            bend(w, j, m, curved)
            i = j
            while i >= 0:
                last = m + 1 if i == j else p.first_motion[i + 1]
                for other in range(p.first_motion[i], last):
                    value = dot6(w.motions[other], w.U[m])
                    w.between[other, m] = value
                    w.between[m, other] = value
                i = t.parent[i]
        above = t.parent[j]
        if above >= 0:
            for a in range(6):
                for b in range(6):
                    w.inertia[above, a, b] += w.inertia[j, a, b]


@kernel
def _hessian_of_freedoms(coupling, w):
    """`w.matrix` = Cᵀ M C + Λ."""
    w.matrix[:, :] = 0.0
    motions = coupling.dof.shape[0]
    for a in range(motions):
        for b in range(motions):
            value = w.between[a, b]
            if value != 0.0:
                i, i2, g, g2 = coupling.dof[a], coupling.dof2[a], coupling.gain[a], coupling.gain2[a]
                k, k2, h, h2 = coupling.dof[b], coupling.dof2[b], coupling.gain[b], coupling.gain2[b]
                w.matrix[i, k] += g * h * value
                w.matrix[i, k2] += g * h2 * value
                w.matrix[i2, k] += g2 * h * value
                w.matrix[i2, k2] += g2 * h2 * value
    for d in range(w.matrix.shape[0]):
        w.matrix[d, d] += w.damping[d]


@kernel
def _solve(w):
    """Solve for the free freedoms in `w.step`, the given ones standing in it already; False if not positive definite."""
    A, x, n = w.matrix, w.step, w.matrix.shape[0]
    for i in range(n):
        if w.state[i] == HELD:
            x[i] = 0.0
    for i in range(n):
        if w.state[i] == FREE_TO_MOVE:
            value = w.gradient[i]
            for k in range(n):
                if w.state[k] == GIVEN:
                    value -= A[i, k] * x[k]
            x[i] = value
    for i in range(n):
        if w.state[i] != FREE_TO_MOVE:
            continue
        for k in range(i + 1):
            if w.state[k] != FREE_TO_MOVE:
                continue
            value = A[i, k]
            for m in range(k):
                if w.state[m] == FREE_TO_MOVE:
                    value -= A[i, m] * A[k, m]
            if k < i:
                A[i, k] = value / A[k, k]
            elif value > 0.0:
                A[i, i] = math.sqrt(value)
            else:
                return False
        value = x[i]
        for m in range(i):
            if w.state[m] == FREE_TO_MOVE:
                value -= A[i, m] * x[m]
        x[i] = value / A[i, i]
    for i in range(n - 1, -1, -1):
        if w.state[i] != FREE_TO_MOVE:
            continue
        value = x[i]
        for m in range(i + 1, n):
            if w.state[m] == FREE_TO_MOVE:
                value -= A[m, i] * x[m]
        x[i] = value / A[i, i]
    return True


@kernel
def dense_step(t, p, w, curved, coupling):
    """Fill `w.step` and `w.velocity`; False where the curvature is not positive (more damping is needed)."""
    _hessian_of_motions(t, p, w, curved)
    _hessian_of_freedoms(coupling, w)
    if not _solve(w):
        return False
    for n in range(p.used.shape[0]):
        j = p.used[n]
        velocity = w.velocity[j]
        above = t.parent[j]
        for a in range(6):
            velocity[a] = w.velocity[above, a] if above >= 0 else 0.0
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            amount = coupling.gain[m] * w.step[coupling.dof[m]] + coupling.gain2[m] * w.step[coupling.dof2[m]]
            for a in range(6):
                velocity[a] += w.motions[m, a] * amount
    return True
