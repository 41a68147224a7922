"""Compiled: the same step where motions are coupled (mimics, absolute angles), by a dense Cholesky factorisation.

With C taking freedoms to motions and M the Hessian between motions, the step solves (Cᵀ M C + Λ) δ = gradient.
"""

from __future__ import annotations

import math

from posable.skeleton.packed import PARENT
from posable.solvers.tree import add_goals, bend
from posable.solvers.work import DAMPING, FREE_TO_MOVE, GIVEN, GRADIENT, HELD, INERTIA, STATE, STEP, VELOCITY, S, U
from posable.spatial.compile import inner_kernel


@inner_kernel
def _hessian_of_motions(joint, p, w, curved):
    """Fill `w.between [motion, motion]`: SᵢᵀUⱼ for every pair on one way to the root, 0 elsewhere."""
    add_goals(p, w.term, w.body)
    w.between[:, :] = 0.0
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            bend(w.body, w.motion, j, m, curved)
            i = j
            while i >= 0:
                last = m + 1 if i == j else p.first_motion[i + 1]
                for other in range(p.first_motion[i], last):
                    value = 0.0
                    for a in range(6):
                        value += w.motion[other, S + a] * w.motion[m, U + a]
                    w.between[other, m] = value
                    w.between[m, other] = value
                i = joint[i, PARENT]
        if joint[j, PARENT] >= 0:
            for a in range(36):
                w.body[joint[j, PARENT], INERTIA + a] += w.body[j, INERTIA + a]


@inner_kernel
def _hessian_of_freedoms(coupling, between, damping, matrix):
    """`matrix` = Cᵀ M C + Λ."""
    matrix[:, :] = 0.0
    for a in range(between.shape[0]):
        for b in range(between.shape[0]):
            value = between[a, b]
            if value != 0.0:
                i, i2, g, g2 = coupling.dof[a], coupling.dof2[a], coupling.gain[a], coupling.gain2[a]
                k, k2, h, h2 = coupling.dof[b], coupling.dof2[b], coupling.gain[b], coupling.gain2[b]
                matrix[i, k] += g * h * value
                matrix[i, k2] += g * h2 * value
                matrix[i2, k] += g2 * h * value
                matrix[i2, k2] += g2 * h2 * value
    for d in range(matrix.shape[0]):
        matrix[d, d] += damping[d]


@inner_kernel
def _solve(A, freedom):
    """Solve A x = gradient for the free freedoms, the given ones standing in x already; False if not positive
    definite.
    """
    n = A.shape[0]
    x, state, gradient = freedom[STEP], freedom[STATE], freedom[GRADIENT]
    for i in range(n):
        if state[i] == HELD:
            x[i] = 0.0
    for i in range(n):
        if state[i] == FREE_TO_MOVE:
            value = gradient[i]
            for k in range(n):
                if state[k] == GIVEN:
                    value -= A[i, k] * x[k]
            x[i] = value
    for i in range(n):
        if state[i] != FREE_TO_MOVE:
            continue
        for k in range(i + 1):
            if state[k] != FREE_TO_MOVE:
                continue
            value = A[i, k]
            for m in range(k):
                if state[m] == FREE_TO_MOVE:
                    value -= A[i, m] * A[k, m]
            if k < i:
                A[i, k] = value / A[k, k]
            elif value > 0.0:
                A[i, i] = math.sqrt(value)
            else:
                return False
        value = x[i]
        for m in range(i):
            if state[m] == FREE_TO_MOVE:
                value -= A[i, m] * x[m]
        x[i] = value / A[i, i]
    for i in range(n - 1, -1, -1):
        if state[i] != FREE_TO_MOVE:
            continue
        value = x[i]
        for m in range(i + 1, n):
            if state[m] == FREE_TO_MOVE:
                value -= A[m, i] * x[m]
        x[i] = value / A[i, i]
    return True


@inner_kernel
def dense_step(joint, p, w, curved, coupling):
    """Fill step and velocities; False where the curvature is not positive (more damping is needed)."""
    _hessian_of_motions(joint, p, w, curved)
    _hessian_of_freedoms(coupling, w.between, w.freedom[DAMPING], w.matrix)
    if not _solve(w.matrix, w.freedom):
        return False
    step = w.freedom[STEP]
    for n in range(p.used.shape[0]):
        j = p.used[n]
        for a in range(6):
            w.body[j, VELOCITY + a] = w.body[joint[j, PARENT], VELOCITY + a] if joint[j, PARENT] >= 0 else 0.0
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            amount = coupling.gain[m] * step[coupling.dof[m]] + coupling.gain2[m] * step[coupling.dof2[m]]
            for a in range(6):
                w.body[j, VELOCITY + a] += w.motion[m, S + a] * amount
    return True
