"""Compiled: the step where motions are coupled (mimics, absolute angles), by a dense Cholesky factorisation.

With C mapping freedoms to motions and M the Hessian between motions, the step solves (Cᵀ M C + Λ) δ = gradient.
"""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel
from posable.compiled.spatial_vectors import dot, zero_vector
from posable.goals.term_arrays import LEVEL
from posable.skeleton.tables import PARENT
from posable.solvers.default.kernels.coupled_rows import add_row_force
from posable.solvers.default.kernels.tree_step import add_goals, times
from posable.solvers.default.kernels.workspace import (
    ACTS,
    BEND,
    DAMPING,
    EXTRA,
    FREE_TO_MOVE,
    GIVEN,
    GRADIENT,
    HELD,
    INERTIA,
    STATE,
    STEP,
    TANGENT,
    USED,
    VELOCITY,
    S,
    U,
)


@inner_kernel
def _hessian_of_motions(joint, p, w, side, level, curved):
    """Fill `w.between [motion, motion]`: SᵢᵀUⱼ for every pair on one path to the root, 0 elsewhere."""
    body, motion = w.body, w.motion
    for n in range(p.used.shape[0]):
        for b in range(6):
            body[p.used[n, USED], INERTIA + b] = zero_vector()
    add_goals(p, w, side, level, None)  # forces come by the gradient
    for a in range(w.between.shape[0]):
        for b in range(w.between.shape[0]):
            w.between[a, b] = 0.0
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n, USED]
        b = body[j]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            s = motion[m, S]
            bent = times(s, b[0], b[1], b[2], b[3], b[4], b[5])
            if curved:
                bent = bent + times(s, b[BEND], b[BEND + 1], b[BEND + 2], b[BEND + 3], b[BEND + 4], b[BEND + 5])
            motion[m, U] = bent
            i = j
            while i >= 0:
                last = m + 1 if i == j else p.first_motion[i + 1]
                for other in range(p.first_motion[i], last):
                    value = dot(motion[other, S], bent)
                    w.between[other, m] = value
                    w.between[m, other] = value
                i = joint[i, PARENT]
        if joint[j, PARENT] >= 0:
            for a in range(6):
                body[joint[j, PARENT], INERTIA + a] = body[joint[j, PARENT], INERTIA + a] + b[a]


@inner_kernel
def _hessian_of_freedoms(coupling, between, damping, matrix):
    """`matrix` = Cᵀ M C + Λ."""
    for a in range(matrix.shape[0]):
        for b in range(matrix.shape[0]):
            matrix[a, b] = damping[a] if a == b else 0.0
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


@inner_kernel
def _add_coupled(joint, p, w, side, level, coupling, coupled):
    """`matrix` += weight · b bᵀ for every coupled row b, in freedoms."""
    body, row = w.body, w.freedom[TANGENT]
    for a in range(3 * coupled.shape[0]):
        k = coupled[a // 3]
        if p.terms[k, LEVEL] > level:
            continue
        for n in range(p.used.shape[0]):
            body[p.used[n, USED], EXTRA] = zero_vector()
        for d in range(row.shape[0]):
            row[d] = 0.0
        add_row_force(p, w, side, k, a % 3, 1.0, EXTRA)
        for n in range(p.used.shape[0] - 1, -1, -1):
            j = p.used[n, USED]
            for m in range(p.first_motion[j], p.first_motion[j + 1]):
                along = dot(w.motion[m, S], body[j, EXTRA])
                row[coupling.dof[m]] += coupling.gain[m] * along
                row[coupling.dof2[m]] += coupling.gain2[m] * along
            if joint[j, PARENT] >= 0:
                body[joint[j, PARENT], EXTRA] = body[joint[j, PARENT], EXTRA] + body[j, EXTRA]
        for d in range(row.shape[0]):
            for e in range(row.shape[0]):
                w.matrix[d, e] += w.shift[k, ACTS] * row[d] * row[e]


@inner_kernel
def _solve(A, freedom):
    """Solve A x = gradient for the free freedoms, with the given ones already in x; False if not positive
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
def dense_step(joint, p, w, side, level, curved, coupling, coupled):
    """Fill step and velocities; False where the curvature is not positive (more damping is needed)."""
    _hessian_of_motions(joint, p, w, side, level, curved)
    _hessian_of_freedoms(coupling, w.between, w.freedom[DAMPING], w.matrix)
    if coupled is not None:
        _add_coupled(joint, p, w, side, level, coupling, coupled)
    if not _solve(w.matrix, w.freedom):
        return False
    step = w.freedom[STEP]
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        v = zero_vector()
        if joint[j, PARENT] >= 0:
            v = w.body[joint[j, PARENT], VELOCITY]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            amount = coupling.gain[m] * step[coupling.dof[m]] + coupling.gain2[m] * step[coupling.dof2[m]]
            v = v + w.motion[m, S] * amount
        w.body[j, VELOCITY] = v
    return True
