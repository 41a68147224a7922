"""The loops of a whole-clip solve over frames, rows and degrees of freedom, compiled."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.evaluation import fill_term
from posable.goals.term_arrays import read_targets
from posable.skeleton.batches import make_geometry
from posable.skeleton.forward import jacobian_of_point, make_moved, move_axes_together, place_joints, step
from posable.spatial.kernels import cross


@kernel
def correct(t, source, wanted, low, high, free, columns, least, most, correction, q):
    """`correction [frame, free]` becomes `wanted` within `low` and `high`, and `q [frame, coordinate]` the poses
    `source ⊕ correction`, of which `columns` stay between `least` and `most` to the last bit in spite of rounding.
    """
    tangent = np.zeros(t.bound.shape[0])
    for f in range(source.shape[0]):
        for c in range(free.shape[0]):
            x = min(max(wanted[f, c], low[f, c]), high[f, c])
            correction[f, c] = x
            tangent[free[c]] = x
        step(t, source[f], tangent, q[f])
        for k in range(columns.shape[0]):
            q[f, columns[k]] = min(max(q[f, columns[k]], least[k]), most[k])


@kernel
def evaluate_frames(p, joints, matrices, targets, residual, rows):
    """The terms in every frame; see `evaluate_terms`.

    joints: those that the terms read, of `matrices [frame, joint, 4, 4]`. rows: `[frame, term, 3 · part, 6]`, as many
    parts as any term has.
    """
    turns, origins = np.zeros((matrices.shape[1], 3, 3)), np.zeros((matrices.shape[1], 3))
    wanted, own = np.empty((p.terms.shape[0], 12)), np.zeros((9, 6))
    for f in range(matrices.shape[0]):
        for j in joints:
            for i in range(3):
                for k in range(3):
                    turns[j, i, k] = matrices[f, j, i, k]
                origins[j, i] = matrices[f, j, i, 3]
        read_targets(p.terms, targets[f], p.scale, wanted)
        for k in range(p.terms.shape[0]):
            own[:] = 0.0
            fill_term(p, turns, origins, wanted, k, residual[f, k], own)
            for i in range(rows.shape[2]):
                for c in range(6):
                    rows[f, k, i, c] = own[i, c]


@kernel
def add_goals(weights, residual, costs):
    """Add to `costs [frame]` half of the weighted squares of `residual [frame, term, 3]`; weights: `[frame, term]`."""
    for f in range(weights.shape[0]):
        total = 0.0
        for k in range(weights.shape[1]):
            x, y, z = residual[f, k, 0], residual[f, k, 1], residual[f, k, 2]
            total += weights[f, k] * (x * x + y * y + z * z)
        costs[f] += 0.5 * total


@kernel
def add_above(violations, costs):
    """Add to `costs [frame]` half of the squares of `violations [frame, row]` that are above zero."""
    for f in range(violations.shape[0]):
        total = 0.0
        for k in range(violations.shape[1]):
            x = max(violations[f, k], 0.0)
            total += x * x
        costs[f] += 0.5 * total


@kernel
def add_penalties(c, stay, smooth, costs):
    """Add to `costs [frame]` the penalties on corrections `c [frame, free]`; see `BandedSystem`."""
    for f in range(c.shape[0]):
        total = 0.0
        for k in range(c.shape[1]):
            total += stay[k] * c[f, k] * c[f, k]
        if 0 < f < c.shape[0] - 1:
            for k in range(c.shape[1]):
                second = c[f - 1, k] - 2.0 * c[f, k] + c[f + 1, k]
                total += smooth[k] * second * second
        costs[f] += 0.5 * total


@kernel
def add_slope(c, stay, smooth, gradient):
    """Add to `gradient [frame, free]` the derivative of the penalties; see `add_penalties`."""
    for f in range(c.shape[0]):
        for k in range(c.shape[1]):
            gradient[f, k] += stay[k] * c[f, k]
        if 0 < f < c.shape[0] - 1:
            for k in range(c.shape[1]):
                x = smooth[k] * (c[f - 1, k] - 2.0 * c[f, k] + c[f + 1, k])
                gradient[f - 1, k] += x
                gradient[f, k] -= 2.0 * x
                gradient[f + 1, k] += x


@kernel
def fill_screws(t, q, leaves, wide, source, scale, out):
    """`q [pose, coordinates]` → `out [row, pose, 6, wide]` motions (ω, v) about the world's origin by freedoms `wide`.

    source: `[row, wide]` which of `leaves` each column is the motion of, below 0 for one that moves nothing. scale: of
    lengths.
    """
    own, turns, origins, axes, anchors = make_geometry(t, q)
    moved, blocks = make_moved(t)
    jacobian = np.empty((leaves.shape[0], 6, t.bound.shape[0]))
    for p in range(q.shape[0]):
        for c in range(q.shape[1]):
            own[c] = q[p, c]
        move_axes_together(t, own, moved, blocks)
        place_joints(t, None, own, moved, turns, origins, axes, anchors)
        for leaf in range(leaves.shape[0]):
            jacobian_of_point(t, turns, origins, axes, anchors, leaves[leaf], 0.0, 0.0, 0.0, jacobian[leaf])
        for row in range(out.shape[0]):
            for c in range(out.shape[3]):
                leaf, d = source[row, c], wide[c]
                for k in range(3):
                    out[row, p, k, c] = jacobian[leaf, 3 + k, d] if leaf >= 0 else 0.0
                    out[row, p, 3 + k, c] = scale * jacobian[leaf, k, d] if leaf >= 0 else 0.0


@kernel
def turn_balls(screws, tangents, freedoms, columns):
    """Motions by rotations become those by their corrections: as q ⊕ dq = source ⊕ (c + dc) with dq = Jr(c) dc.

    screws: `[row, frame, 6, wide]`; tangents: `[frame, dof]` the corrections c; freedoms, columns: `[ball]` where the
    three of each begin in both.
    """
    for f in range(tangents.shape[0]):
        for ball in range(freedoms.shape[0]):
            d, first = freedoms[ball], columns[ball]
            m = _right_jacobian(tangents[f, d], tangents[f, d + 1], tangents[f, d + 2])
            for row in range(screws.shape[0]):
                for k in range(6):
                    own = screws[row, f, k]
                    x, y, z = own[first], own[first + 1], own[first + 2]
                    own[first] = x * m[0] + y * m[3] + z * m[6]
                    own[first + 1] = x * m[1] + y * m[4] + z * m[7]
                    own[first + 2] = x * m[2] + y * m[5] + z * m[8]


@inner_kernel
def _right_jacobian(x, y, z):
    """Jr(r), row by row, with exp(r + dr) = exp(r) exp(Jr dr) (Chirikjian 2011, ch. 10)."""
    square = x * x + y * y + z * z
    a, b = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    if square > 1e-6:
        angle = math.sqrt(square)
        a, b = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
    return (
        1.0 - b * (y * y + z * z), a * z + b * x * y, b * x * z - a * y,
        b * x * y - a * z, 1.0 - b * (x * x + z * z), a * x + b * y * z,
        a * y + b * x * z, b * y * z - a * x, 1.0 - b * (x * x + y * y),
    )  # fmt: skip


@kernel
def add_normal_equations(weights, residual, rows, bodies, screws, row_of, above, blocks, gradient):
    """Add JᵀWJ to `blocks [frame, free, free]` and JᵀWr to `gradient [frame, free]`.

    weights: `[frame, term]`; residual: `[frame, term, 3]`; J of a term is minus its `rows [frame, term, 3 · part, 6]`
    on the motions of its `bodies [term, part]`, below 0 for none. Those are `screws [row, frame, 6, free]`, of which
    `row_of [joint]` is a body's, by the freedoms `above [joint, free]`.
    """
    free = gradient.shape[1]
    j = np.empty((3, free))
    for f in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            w = weights[f, k]
            if w == 0.0:
                continue
            j[:] = 0.0
            for part in range(bodies.shape[1]):
                body = bodies[k, part]
                if body < 0:
                    continue
                motion = screws[row_of[body], f]
                for i in range(3):
                    for a in range(6):
                        x = rows[f, k, 3 * part + i, a]
                        if x != 0.0:
                            for c in range(free):
                                j[i, c] -= x * motion[a, c] * above[body, c]
            for i in range(3):
                wr = w * residual[f, k, i]
                for c in range(free):
                    x = j[i, c]
                    if x != 0.0:
                        gradient[f, c] += wr * x
                        x *= w
                        for d in range(free):
                            blocks[f, c, d] += x * j[i, d]


@kernel
def add_forces(jacobian, slot, at, position, direction, body, screws, row_of, above):
    """jacobian[at, slot] += how far a point of the body at `position` moves along `direction` in frame `at`; each is
    one entry of several: see `add_normal_equations`.
    """
    for n in range(at.shape[0]):
        p = (position[n, 0], position[n, 1], position[n, 2])
        along = (direction[n, 0], direction[n, 1], direction[n, 2])
        _add_force(jacobian[at[n], slot[n]], p, along, screws[row_of[body[n]], at[n]], above[body[n]])


@inner_kernel
def _add_force(out, p, along, motion, own):
    """out `[free]` += how far the point p of a body with this `motion [6, free]` moves along a direction."""
    x, y, z = cross(p[0], p[1], p[2], along[0], along[1], along[2])
    for c in range(out.shape[0]):
        total = x * motion[0, c] + y * motion[1, c] + z * motion[2, c]
        out[c] += own[c] * (total + along[0] * motion[3, c] + along[1] * motion[4, c] + along[2] * motion[5, c])


@kernel
def fill_pairs(slots, given, ends, scale, roots, pairs, screws, row_of, above, violations, jacobian):
    """The rows of pairs of bodies that have slots; see `RowBuilder.add_pairs`."""
    for f in range(slots.shape[0]):
        for k in range(slots.shape[1]):
            s = slots[f, k]
            if s < 0:
                continue
            violations[f, s] = given[f, k]
            e, one, two = ends[f, k], pairs[k, 0], pairs[k, 1]
            p, q = (scale * e[0], scale * e[1], scale * e[2]), (scale * e[3], scale * e[4], scale * e[5])
            x, y, z = p[0] - q[0], p[1] - q[1], p[2] - q[2]
            size = math.sqrt(x * x + y * y + z * z)
            factor = roots[k] / size if size > 0.0 else 0.0
            n = (factor * x, factor * y, factor * z)
            _add_force(jacobian[f, s], p, (-n[0], -n[1], -n[2]), screws[row_of[one], f], above[one])
            _add_force(jacobian[f, s], q, n, screws[row_of[two], f], above[two])


@kernel
def choose_slots(violations, least, slots):
    """`slots [frame, row]` become the slots of rows above `least [row]`, in order in each frame, and -1 for others; the
    most in any frame.
    """
    most = 0
    for f in range(violations.shape[0]):
        used = 0
        for k in range(violations.shape[1]):
            slots[f, k] = -1
            if violations[f, k] > least[k]:
                slots[f, k] = used
                used += 1
        most = max(most, used)
    return most


@kernel
def count_rows(active, violations, jacobian, blocks, gradient, out, slope):
    """`out` and `slope` become the normal equations with the rows `[frame, slot]` that count; see `LinearizedRows`."""
    free = gradient.shape[1]
    for f in range(active.shape[0]):
        for c in range(free):
            slope[f, c] = gradient[f, c]
            for d in range(free):
                out[f, c, d] = blocks[f, c, d]
        for s in range(active.shape[1]):
            if active[f, s]:
                for c in range(free):
                    x = jacobian[f, s, c]
                    if x != 0.0:
                        slope[f, c] += x * violations[f, s]
                        for d in range(free):
                            out[f, c, d] += x * jacobian[f, s, d]


@kernel
def choose_rows(violations, jacobian, move, active):
    """`active [frame, slot]` become those above zero after a step `move [frame, free]`; half the squares of those that
    come or go.
    """
    worth = 0.0
    for f in range(violations.shape[0]):
        for s in range(violations.shape[1]):
            after = _after(violations, jacobian, move, f, s)
            if (after > 0.0) != active[f, s]:
                active[f, s] = after > 0.0
                worth += 0.5 * after * after
    return worth


@kernel
def fall_of_rows(violations, jacobian, move):
    """By how much half the squares of rows above zero are less after a step `move [frame, free]`."""
    total = 0.0
    for f in range(violations.shape[0]):
        for s in range(violations.shape[1]):
            before, after = max(violations[f, s], 0.0), max(_after(violations, jacobian, move, f, s), 0.0)
            total += 0.5 * (before * before - after * after)
    return total


@inner_kernel
def _after(violations, jacobian, move, f, s):
    """The violation of a slot after a step; -inf in empty slots."""
    total = violations[f, s]
    for c in range(move.shape[1]):
        total += jacobian[f, s, c] * move[f, c]
    return total


@kernel
def add_resistance(correction, low, high, gradient, blocks, penalties, damping, held, more):
    """Add to `more [frame, free]` the damping `[frame]` times the diagonal, which is that of the blocks and the
    penalties; and `held` times it where a descent would push a freedom over its bound (as `pushed_over`).
    """
    for f in range(gradient.shape[0]):
        for c in range(gradient.shape[1]):
            size, x, g = blocks[f, c, c] + penalties[f, c], correction[f, c], gradient[f, c]
            more[f, c] += damping[f] * size
            if (x <= low[f, c] and g > 0.0) or (x >= high[f, c] and g < 0.0):
                more[f, c] += held * size


@kernel
def quadratic(blocks, gradient, step):
    """gradient · step + ½ step · blocks · step, over all frames."""
    total = 0.0
    for f in range(step.shape[0]):
        for c in range(step.shape[1]):
            half = 0.0
            for d in range(step.shape[1]):
                half += blocks[f, c, d] * step[f, d]
            total += (gradient[f, c] + 0.5 * half) * step[f, c]
    return total
