"""Compiled: a loss pulled back through solutions that meet their goals, and the derivative of these by targets."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.evaluation import fill_term
from posable.goals.term_arrays import JOINT, OTHER, THIRD, read_targets
from posable.skeleton.batches import make_geometry
from posable.skeleton.forward import jacobian_of_point, make_moved, move_axes_together, place_joints
from posable.skeleton.tables import CODE, FREE, PARENT

SINGULAR = 1e-12
"""Relative to the largest: squared singular values below this count as 0,"""
UNSURE = 1e-8
"""and those between the two mean that the pose is close to losing a direction."""
STILL = 1e-12
"""The squared share of a freedom in meeting the goals below which it has none."""


@inner_kernel
def _fill_jacobian(t, p, turns, origins, axes, anchors, root, rows, motion, jacobian):
    """`jacobian [m, dof]` of the residuals along plus, times their roots; rows: of `fill_term`."""
    for m in range(jacobian.shape[0]):
        for d in range(jacobian.shape[1]):
            jacobian[m, d] = 0.0
    for k in range(p.terms.shape[0]):
        for part in range(3):
            joint = p.terms[k, (JOINT, OTHER, THIRD)[part]]
            if joint < 0:
                continue
            jacobian_of_point(t, turns, origins, axes, anchors, joint, 0.0, 0.0, 0.0, motion)
            for i in range(3):
                for a in range(3):
                    turn, move = rows[k, 3 * part + i, a], rows[k, 3 * part + i, 3 + a]
                    if turn == 0.0 and move == 0.0:
                        continue
                    for d in range(jacobian.shape[1]):
                        jacobian[3 * k + i, d] -= root[3 * k + i] * (turn * motion[3 + a, d] + move * motion[a, d])


@inner_kernel
def _factor(jacobian, give, g, order, left):
    """The pivoted Cholesky factor of J G Jᵀ into the lower part of `g [m, m]`, rows in `order`. Returns (its rank,
    whether it is close to losing one).
    """
    size = g.shape[0]
    for a in range(size):
        order[a] = a
        for b in range(a + 1):
            total = 0.0
            for d in range(give.shape[0]):
                total += jacobian[a, d] * give[d] * jacobian[b, d]
            g[a, b] = g[b, a] = total
        left[a] = g[a, a]
    most, unsure = 0.0, False
    for a in range(size):
        most = max(most, left[a])
    for k in range(size):
        best = k
        for a in range(k + 1, size):
            best = a if left[a] > left[best] else best
        if left[best] <= SINGULAR * most or most == 0.0:
            return k, unsure
        unsure = unsure or left[best] < UNSURE * most
        order[k], order[best] = order[best], order[k]
        left[k], left[best] = left[best], left[k]
        for b in range(size):
            g[k, b], g[best, b] = g[best, b], g[k, b]
        for a in range(size):
            if a < k:
                continue
            g[a, k], g[a, best] = g[a, best], g[a, k]
        g[k, k] = math.sqrt(left[k])
        for a in range(k + 1, size):
            total = g[a, k]
            for b in range(k):
                total -= g[a, b] * g[k, b]
            g[a, k] = total / g[k, k]
            left[a] -= g[a, k] * g[a, k]
    return size, unsure


@inner_kernel
def _factor_again(g, rank, h):
    """Where `g` has a lower rank than rows: the Cholesky factor of LᵀL into `h [m, m]`, L its own."""
    size = g.shape[0]
    for a in range(rank):
        for b in range(a + 1):
            total = 0.0
            for m in range(a, size):
                total += g[m, a] * g[m, b]
            for k in range(b):
                total -= h[a, k] * h[b, k]
            h[a, b] = math.sqrt(total) if a == b else total / h[b, b]


@inner_kernel
def _solve_least(g, h, rank, x, z):
    """Replace `x [m]` by the least y for which J G Jᵀ y is nearest to it: L (LᵀL)⁻² Lᵀ x."""
    size = g.shape[0]
    for a in range(rank):
        z[a] = 0.0
        for m in range(a, size):
            z[a] += g[m, a] * x[m]
    for _ in range(2):
        for a in range(rank):
            for k in range(a):
                z[a] -= h[a, k] * z[k]
            z[a] /= h[a, a]
        for a in range(rank - 1, -1, -1):
            for k in range(a + 1, rank):
                z[a] -= h[k, a] * z[k]
            z[a] /= h[a, a]
    for m in range(size):
        x[m] = 0.0
        for a in range(min(m + 1, rank)):
            x[m] += g[m, a] * z[a]


@inner_kernel
def _solve(g, h, rank, x, z):
    """Replace `x [m]` by the least y with J G Jᵀ y = x."""
    if rank < g.shape[0]:
        _solve_least(g, h, rank, x, z)
        return
    for k in range(rank):
        x[k] /= g[k, k]
        for a in range(k + 1, rank):
            x[a] -= g[a, k] * x[k]
    for k in range(rank - 1, -1, -1):
        for a in range(k + 1, rank):
            x[k] -= g[a, k] * x[a]
        x[k] /= g[k, k]


@inner_kernel
def _share(jacobian, give, g, order, rank, d, directions, is_ball, x):
    """The squared share of a freedom, or of a direction of a ball, in meeting the goals: 0 … 1."""
    for k in range(rank):
        m = order[k]
        if is_ball:
            first = d - is_ball + 1
            x[k] = 0.0
            for i in range(3):
                x[k] += directions[d, i] * jacobian[m, first + i]
        else:
            x[k] = jacobian[m, d]
    total = 0.0
    for k in range(rank):
        x[k] /= g[k, k]
        total += x[k] * x[k]
        for a in range(k + 1, rank):
            x[a] -= g[a, k] * x[k]
    return give[d] * total


@inner_kernel
def _exists(jacobian, give, g, order, rank, sides, directions, balls, x):
    """Whether no freedom at a limit would move with the targets, since it could do so to one side only."""
    for d in range(give.shape[0]):
        if sides[d] == 0.0 or give[d] == 0.0:
            continue
        if _share(jacobian, give, g, order, rank, d, directions, balls[d], x) > STILL:
            return False
    return True


@inner_kernel
def _pull(jacobian, give, g, h, order, rank, root, v, x, y, z, force, start):
    """The loss `v [dof]` by the residuals and by the start."""
    for k in range(order.shape[0]):
        x[k] = 0.0
        for d in range(give.shape[0]):
            x[k] += jacobian[order[k], d] * give[d] * v[d]
    _solve(g, h, rank, x, z)
    for k in range(order.shape[0]):
        y[order[k]] = x[k]
    for m in range(order.shape[0]):
        force[m] = -root[m] * y[m]
    for d in range(give.shape[0]):
        start[d] = v[d]
        if give[d] > 0.0:
            for m in range(order.shape[0]):
                start[d] -= jacobian[m, d] * y[m]


@inner_kernel
def _move(jacobian, give, g, h, order, rank, asked, x, z, moves):
    """The derivative of the freedoms by the changes `asked [m, column]` of the residuals."""
    for c in range(asked.shape[1]):
        for k in range(order.shape[0]):
            x[k] = asked[order[k], c]
        _solve(g, h, rank, x, z)
        for d in range(give.shape[0]):
            total = 0.0
            for k in range(order.shape[0]):
                total += jacobian[order[k], d] * x[k]
            moves[d, c] = -give[d] * total


@kernel
def pull_met(t, p, q, numbers, root, give, expected, sides, directions, balls, v, asked, force, start, places, offsets,
             moves, exists):  # fmt: skip
    """Poses that meet their goals, one by one; see `implicit._Met`.

    q: `[pose, coordinates]`. numbers: `[pose, number]`. root: `[pose, m]` of what every number counts. give: `[dof]`,
    0 for what is locked. expected: the rank that the goals have but where a direction is lost. sides, directions: of
    `limit_sides`. balls: `[dof]` 1, 2 or 3 for the first, second or third freedom of a ball with a cone, else 0.
    v: `[pose, dof]` a loss along plus. asked: `[pose, m, column]` changes of the residuals, times their roots.
    Filled: force `[pose, m]` the loss by the residuals, start `[pose, dof]`, `places [pose, term, 3]` the loss by the
    world positions of the terms' targets, offsets `[pose, joint, 3]`, moves `[pose, dof, column]`, exists `[pose]`.
    """
    dof, size, terms = give.shape[0], root.shape[1], p.terms.shape[0]
    own, turns, origins, axes, anchors = make_geometry(t, q)
    moved, blocks = make_moved(t)
    wanted, rows, residual = np.empty((terms, 12)), np.zeros((terms, 9, 6)), np.zeros(3)
    motion, jacobian, g, h = np.empty((6, dof)), np.empty((size, dof)), np.empty((size, size)), np.empty((size, size))
    order, left, x, y, z = np.empty(size, np.int64), np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    wrench = np.empty((t.frame.shape[0], 6))
    for n in range(q.shape[0]):
        for c in range(q.shape[1]):
            own[c] = q[n, c]
        move_axes_together(t, own, moved, blocks)
        place_joints(t, None, own, moved, turns, origins, axes, anchors)
        read_targets(p.terms, numbers[n], p.scale, wanted)
        for k in range(terms):
            fill_term(p, turns, origins, wanted, k, residual, rows[k])
        _fill_jacobian(t, p, turns, origins, axes, anchors, root[n], rows, motion, jacobian)
        rank, unsure = _factor(jacobian, give, g, order, left)
        if rank < size:
            _factor_again(g, rank, h)
        exists[n] = not unsure and rank >= expected
        if exists[n]:
            exists[n] = _exists(jacobian, give, g, order, rank, sides[n], directions[n], balls, x)
        _pull(jacobian, give, g, h, order, rank, root[n], v[n], x, y, z, force[n], start[n])
        _move(jacobian, give, g, h, order, rank, asked[n], x, z, moves[n])
        _pull_places(p, rows, force[n], places[n])
        _pull_offsets(t, p, turns, rows, force[n], wrench, offsets[n])


@inner_kernel
def _pull_places(p, rows, force, places):
    """`places [term, 3]`: a displacement of a target equals the opposite displacement of all bodies of its term."""
    for k in range(p.terms.shape[0]):
        for a in range(3):
            places[k, a] = 0.0
            for part in range(3):
                if p.terms[k, (JOINT, OTHER, THIRD)[part]] >= 0:
                    for i in range(3):
                        places[k, a] += rows[k, 3 * part + i, 3 + a] * force[3 * k + i]


@inner_kernel
def _pull_offsets(t, p, turns, rows, force, wrench, offsets):
    """`offsets [joint, 3]`: `force [m]` on the residuals, pulled back to the joints' offsets."""
    for j in range(wrench.shape[0]):
        for a in range(3):
            wrench[j, a] = 0.0
    for k in range(p.terms.shape[0]):
        for part in range(3):
            joint = p.terms[k, (JOINT, OTHER, THIRD)[part]]
            if joint >= 0:
                for a in range(3):
                    for i in range(3):
                        wrench[joint, a] -= rows[k, 3 * part + i, 3 + a] * force[3 * k + i]
    for j in range(wrench.shape[0] - 1, -1, -1):
        above = t.joint[j, PARENT]
        for a in range(3):
            offsets[j, a] = wrench[j, a]
        if above >= 0:
            for a in range(3):
                wrench[above, a] += wrench[j, a]
                offsets[j, a] = 0.0
                for i in range(3):
                    offsets[j, a] += turns[above, i, a] * wrench[j, i]
        if t.joint[j, CODE] == FREE:  # its coordinates hold its position
            for a in range(3):
                offsets[j, a] = 0.0
