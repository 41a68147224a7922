"""Compiled: the forces of the goals summed over the tree, the gradient, and the freedoms at active limits."""

from __future__ import annotations

from posable.compiled.decorators import inner_kernel
from posable.compiled.spatial_vectors import dot, spatial_vector, zero_vector
from posable.goals.term_arrays import JOINT, LEVEL, OTHER, is_contact, is_point, is_turn
from posable.skeleton.tables import BALL, CODE, DOF, LOWER, UPPER
from posable.solvers.default.kernels.active_limits import held_by_cone
from posable.solvers.default.kernels.coupled_rows import add_coupled_forces
from posable.solvers.default.kernels.linearize import add_bend, add_weights, shifted_residual, springs_pull, yields
from posable.solvers.default.kernels.workspace import (
    ABOVE_SPAN,
    ACTS,
    BEND,
    COORDINATE_AT,
    END_MOTION,
    FIRST_MOTION,
    FORCE,
    FREE_TO_MOVE,
    FREEDOM_AT,
    GRADIENT,
    HELD,
    INERTIA,
    LOCKED,
    PASSES,
    SOFT,
    STATE,
    TIP,
    UNIT,
    S,
)

# Compiled: contact forces separate penetrating bodies.
#
# The shared row of two bodies would couple them (see `coupled_rows`), at a cost that grows with the cube of the
# contacts. Instead each body has the row for itself, twice as stiff: (a + b)² ≤ 2 a² + 2 b², so the model lies above
# the true one, a predicted gain is a lower bound, and the tree stays a tree.


@inner_kernel
def add_contact(p, w, side, k):
    """The force of a contact on its bodies."""
    at = side * p.terms.shape[0] + k
    if w.residual[at, 0] == 0.0:
        return
    amount = w.shift[k, ACTS] * shifted_residual(p, w, side, k, 0)
    for part in range(2):
        j = p.terms[k, JOINT + part]
        if j >= 0:
            w.body[j, FORCE] = w.body[j, FORCE] + w.rows[at, 3 * part] * amount


@inner_kernel
def stiffen_contact(p, w, side, k):
    """Add the contribution of a contact to the inertia of its bodies."""
    at = side * p.terms.shape[0] + k
    if w.residual[at, 0] == 0.0:
        return
    weight = w.shift[k, ACTS] * (2.0 if p.terms[k, OTHER] >= 0 else 1.0)
    for part in range(2):
        j = p.terms[k, JOINT + part]
        if j >= 0:
            row = w.rows[at, 3 * part] * weight
            for b in range(6):
                w.body[j, INERTIA + b] = w.body[j, INERTIA + b] + row * w.numbers[at, 3 * part, b]


@inner_kernel
def pull_of(p, w, side, k, i):
    """The force that term `k` exerts along its row `i`."""
    return w.shift[k, ACTS] * shifted_residual(p, w, side, k, i)


@inner_kernel
def sum_forces(p, w, side, level, curved, springs, coupling, coupled):
    """Fill the downhill gradient of every freedom and, where `curved`, the curvature of position goals."""
    body, freedom = w.body, w.freedom
    zero = zero_vector()
    for n in range(p.spans.shape[0]):
        j = p.spans[n, TIP]
        body[j, FORCE] = zero
        if curved:
            for b in range(6):
                body[j, BEND + b] = zero
    _add_all_forces(p, w, side, level, curved, springs, coupled)
    for d in range(freedom.shape[1]):
        freedom[GRADIENT, d] = 0.0
    force = zero
    for n in range(p.spans.shape[0] - 1, -1, -1):
        j, parent = p.spans[n, TIP], p.spans[n, ABOVE_SPAN]
        force = force + body[j, FORCE]
        for m in range(p.spans[n, FIRST_MOTION], p.spans[n, END_MOTION]):
            along = dot(w.motion[m, S], force)
            _add_gradient(freedom, m, along, coupling)
        if curved:
            _hand_on_bend(body, j, parent)
        if not p.spans[n, PASSES]:
            if parent >= 0:
                body[parent, FORCE] = body[parent, FORCE] + force
            force = zero
    if springs is not None and springs_pull(p, level):
        for d in range(freedom.shape[1]):
            freedom[GRADIENT, d] += freedom[SOFT, d]


@inner_kernel
def is_coupled(coupling):
    """Whether there is a coupling among the tables of a kernel that is compiled for one."""
    return coupling.dof.shape[0] > 0


@inner_kernel
def _add_gradient(freedom, m, along, coupling):
    """Add the gradient along motion `m` to its freedoms."""
    if coupling is not None and is_coupled(coupling):
        freedom[GRADIENT, coupling.dof[m]] += coupling.gain[m] * along
        freedom[GRADIENT, coupling.dof2[m]] += coupling.gain2[m] * along
        return
    freedom[GRADIENT, m] = along


@inner_kernel
def _add_all_forces(p, w, side, level, curved, springs, coupled):
    """The forces of all terms, and of the links' weight, on their bodies."""
    for k in range(p.terms.shape[0]):
        if p.terms[k, LEVEL] <= level:
            if is_contact(p.terms, k):
                add_contact(p, w, side, k)
            elif p.terms[k, OTHER] < 0:
                _add_force(p, w, side, k, curved)
    if coupled is not None:
        add_coupled_forces(p, w, side, level, coupled)
    if springs is not None and springs_pull(p, level):
        add_weights(p, w, curved)


@inner_kernel
def _add_force(p, w, side, k, curved):
    """The force of term `k` on its body, and the curvature: of a position goal, which pulls at a point, and of a
    rotation goal.
    """
    j, at = p.terms[k, JOINT], side * p.terms.shape[0] + k
    fx, fy, fz = pull_of(p, w, side, k, 0), pull_of(p, w, side, k, 1), pull_of(p, w, side, k, 2)
    w.body[j, FORCE] = w.body[j, FORCE] + w.rows[at, 0] * fx + w.rows[at, 1] * fy + w.rows[at, 2] * fz
    if not curved:
        return
    if is_point(p.terms, k):
        px, py, pz = w.numbers[at, 1, 2], w.numbers[at, 2, 0], w.numbers[at, 0, 1]  # J = [−[p]×, 1] holds the point
        add_bend(w.body, j, px, py, pz, fx, fy, fz)
    elif is_turn(p.terms, k) and not yields(w.shift, k):
        _add_turn_bend(w.body, j, w.numbers[at], w.shift[k, ACTS])


@inner_kernel
def _add_turn_bend(b, j, rows, weight):
    """The contribution of the second derivative of ½ w |log(R_target Rᵀ)|² beyond w JᵀJ.

    With the axis a of a motion and b of one farther from the root, ∂b = a × b, ∂r = −J a and the gradient −w r · b, so
    that the second derivative is w aᵀ J b: it adds w (J − JᵀJ) on the path from b to a.
    """
    for i in range(3):
        x, y, z = rows[0, i], rows[1, i], rows[2, i]
        u = x - rows[0, 0] * x - rows[1, 0] * y - rows[2, 0] * z
        v = y - rows[0, 1] * x - rows[1, 1] * y - rows[2, 1] * z
        t = z - rows[0, 2] * x - rows[1, 2] * y - rows[2, 2] * z
        b[j, BEND + i] = b[j, BEND + i] + spatial_vector(weight * u, weight * v, weight * t, 0.0, 0.0, 0.0)


@inner_kernel
def _hand_on_bend(body, j, parent):
    if parent >= 0:
        for b in range(6):
            body[parent, BEND + b] = body[parent, BEND + b] + body[j, BEND + b]


@inner_kernel
def hold_at_limits(t, p, basis, freedom, q):
    """Mark which freedoms are held: frozen ones, and those at a limit through which the gradient would push them.

    Returns the norm of the projected gradient: 0 at a stationary pose.
    """
    left = 0.0
    for n in range(p.plain.shape[0]):
        i, at = p.plain[n, FREEDOM_AT], q[p.plain[n, COORDINATE_AT]]
        gradient, low, high = freedom[GRADIENT, i], t.bound[i, LOWER], t.bound[i, UPPER]
        near = 1e-12 * p.freedom[i, UNIT]
        outwards = ((gradient > 0.0) & (at >= high - near)) | ((gradient < 0.0) & (at <= low + near))
        held = (p.freedom[i, LOCKED] > 0.0) | (high <= low) | outwards
        freedom[STATE, i] = HELD if held else FREE_TO_MOVE
        left = max(left, 0.0 if held else abs(gradient))
    for n in range(p.turning.shape[0]):
        j = p.turning[n, 0]
        d = t.joint[j, DOF]
        for k in range(t.joint[j + 1, DOF] - d):
            gradient = freedom[GRADIENT, d + k]
            held = p.freedom[d + k, LOCKED] > 0.0
            if t.joint[j, CODE] == BALL:
                held = held or held_by_cone(basis[j], gradient, k)
            freedom[STATE, d + k] = HELD if held else FREE_TO_MOVE
            if not held:
                left = max(left, abs(gradient))
    return left
