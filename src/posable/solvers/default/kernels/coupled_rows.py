"""Compiled: goals that couple bodies — relative ones, poles, the centre of mass.

Their rows B lie outside the sparsity of the tree's matrix H, so the step has two parts: δ₀ = H⁻¹ g of the other goals
alone, then δ = δ₀ + H⁻¹ Bᵀ y with (B H⁻¹ Bᵀ + C⁻¹) y = r − B δ₀, C the weights (Woodbury; each H⁻¹ b is one more pass
over the factorised tree).
"""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel
from posable.compiled.spatial_vectors import dot, spatial_vector, zero_vector
from posable.goals.term_arrays import CONSTANT, JOINT, LEVEL, is_on_mass
from posable.skeleton.tables import PARENT
from posable.solvers.default.kernels.linearize import shifted_residual
from posable.solvers.default.kernels.workspace import (
    ACTS,
    EXTRA,
    FORCE,
    FREE_TO_MOVE,
    INVERSE,
    STATE,
    STEP,
    USED,
    VELOCITY,
    S,
    U,
)


@inner_kernel
def add_row_force(p, w, side, k, i, amount, column):
    """Add to `column` of the bodies the force `amount` along row `i` of coupled term `k`."""
    body = w.body
    if is_on_mass(p.terms, k):
        for j in range(p.bodies.shape[0]):
            if p.bodies[j, 0] > 0.0:
                row = _balance_row(p, w, k, i, j)
                body[j, column] = body[j, column] + row * amount
        return
    at = side * p.terms.shape[0] + k
    for part in range(3):
        j = p.terms[k, JOINT + part]
        if j >= 0:
            body[j, column] = body[j, column] + w.rows[at, 3 * part + i] * amount


@inner_kernel
def _balance_row(p, w, k, i, j):
    """Row `i` of the centre of mass on body `j`: m (c × e, e)."""
    m = p.bodies[j, 0] * p.measures[k, CONSTANT + i]
    x, y, z = m * w.centers[j, 0], m * w.centers[j, 1], m * w.centers[j, 2]
    if i == 0:
        return spatial_vector(0.0, z, -y, m, 0.0, 0.0)
    if i == 1:
        return spatial_vector(-z, 0.0, x, 0.0, m, 0.0)
    return spatial_vector(y, -x, 0.0, 0.0, 0.0, m)


@inner_kernel
def along_row(p, w, side, k, i, column):
    """The velocity along row `i` of coupled term `k`, from the velocities in `column`."""
    total = 0.0
    if is_on_mass(p.terms, k):
        for j in range(p.bodies.shape[0]):
            if p.bodies[j, 0] > 0.0:
                total += dot(_balance_row(p, w, k, i, j), w.body[j, column])
        return total
    at = side * p.terms.shape[0] + k
    for part in range(3):
        j = p.terms[k, JOINT + part]
        if j >= 0:
            total += dot(w.rows[at, 3 * part + i], w.body[j, column])
    return total


@inner_kernel
def add_coupled_forces(p, w, side, level, coupled):
    """The forces of all coupled rows on their bodies, for the gradient."""
    for n in range(coupled.shape[0]):
        k = coupled[n]
        if p.terms[k, LEVEL] <= level:
            for i in range(3):
                add_row_force(p, w, side, k, i, w.shift[k, ACTS] * shifted_residual(p, w, side, k, i), FORCE)


@inner_kernel
def _respond(joint, p, w, into):
    """into [dof] = H⁻¹ of the forces in EXTRA, with the factors of the last tree step; velocities into EXTRA."""
    body, motion, factor, state = w.body, w.motion, w.factor, w.freedom[STATE]
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n, USED]
        force = body[j, EXTRA]
        for m in range(p.first_motion[j + 1] - 1, p.first_motion[j] - 1, -1):
            into[m] = 0.0
            if state[m] == FREE_TO_MOVE:
                into[m] = dot(motion[m, S], force) * factor[m, INVERSE]
                force = force - motion[m, U] * into[m]
        if joint[j, PARENT] >= 0:
            body[joint[j, PARENT], EXTRA] = body[joint[j, PARENT], EXTRA] + force
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        velocity = zero_vector()
        if joint[j, PARENT] >= 0:
            velocity = body[joint[j, PARENT], EXTRA]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            if state[m] == FREE_TO_MOVE:
                into[m] -= dot(motion[m, U], velocity) * factor[m, INVERSE]
                velocity = velocity + motion[m, S] * into[m]
        body[j, EXTRA] = velocity


@inner_kernel
def coupled_step(joint, p, w, side, level, coupled):
    """Correct the step of the tree for the coupled rows. False where the system is not positive."""
    coupled_system, dof, rows = w.coupled_system, w.freedom.shape[1], w.coupled_system.shape[0]
    last = dof + rows
    for a in range(rows):
        k = coupled[a // 3]
        active = p.terms[k, LEVEL] <= level and w.shift[k, ACTS] > 0.0
        for d in range(dof):
            coupled_system[a, d] = 0.0
        if active:
            for n in range(p.used.shape[0]):
                w.body[p.used[n, USED], EXTRA] = zero_vector()
            add_row_force(p, w, side, k, a % 3, 1.0, EXTRA)
            _respond(joint, p, w, coupled_system[a])
        for b in range(rows):
            other = coupled[b // 3]
            counts = active and p.terms[other, LEVEL] <= level
            coupled_system[b, dof + a] = along_row(p, w, side, other, b % 3, EXTRA) if counts else 0.0
        coupled_system[a, last] = 0.0
        if active:
            coupled_system[a, last] = shifted_residual(p, w, side, k, a % 3) - along_row(p, w, side, k, a % 3, VELOCITY)
        coupled_system[a, dof + a] += 1.0 / w.shift[k, ACTS] if active else 1.0
    if not _solve_coupled(coupled_system, dof, rows):
        return False
    for a in range(rows):
        for d in range(dof):
            w.freedom[STEP, d] += coupled_system[a, last] * coupled_system[a, d]
    _move(joint, p, w)
    return True


@inner_kernel
def _solve_coupled(coupled_system, dof, rows):
    """Solve the symmetric system in columns dof… for the last column, in place (Cholesky)."""
    last = dof + rows
    for i in range(rows):
        for k in range(i + 1):
            value = coupled_system[i, dof + k]
            for m in range(k):
                value -= coupled_system[i, dof + m] * coupled_system[k, dof + m]
            if k < i:
                coupled_system[i, dof + k] = value / coupled_system[k, dof + k]
            elif value > 0.0:
                coupled_system[i, dof + i] = math.sqrt(value)
            else:
                return False
    for i in range(rows):
        for m in range(i):
            coupled_system[i, last] -= coupled_system[i, dof + m] * coupled_system[m, last]
        coupled_system[i, last] /= coupled_system[i, dof + i]
    for i in range(rows - 1, -1, -1):
        for m in range(i + 1, rows):
            coupled_system[i, last] -= coupled_system[m, dof + i] * coupled_system[m, last]
        coupled_system[i, last] /= coupled_system[i, dof + i]
    return True


@inner_kernel
def _move(joint, p, w):
    """The velocities of the corrected step."""
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        velocity = zero_vector()
        if joint[j, PARENT] >= 0:
            velocity = w.body[joint[j, PARENT], VELOCITY]
        for m in range(p.first_motion[j], p.first_motion[j + 1]):
            velocity = velocity + w.motion[m, S] * w.freedom[STEP, m]
        w.body[j, VELOCITY] = velocity
