"""Compiled: the damped Gauss–Newton (or Newton) step of a tree in linear time.

Each goal acts as a mass fixed to its body and each residual as a force on it, so that the step is the joint
acceleration of an articulated body (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7) with rotor inertia Λ.
"""

from __future__ import annotations

from posable.compiled.decorators import inner_kernel
from posable.compiled.simd_batch import lane
from posable.compiled.spatial_vectors import dot, zero_vector
from posable.goals.term_arrays import JOINT, LEVEL, OTHER, is_contact
from posable.solvers.default.kernels.forces import add_contact, pull_of, stiffen_contact
from posable.solvers.default.kernels.linearize import add_weights, springs_pull
from posable.solvers.default.kernels.workspace import (
    ABOVE_SPAN,
    ACROSS,
    ACTS,
    BEND,
    DAMPING,
    END_MOTION,
    FIRST_MOTION,
    FORCE,
    FREE_TO_MOVE,
    GIVEN,
    HELD,
    INERTIA,
    INVERSE,
    PASSES,
    PULL,
    SOFT,
    STATE,
    STEP,
    TIP,
    TOGETHER,
    VELOCITY,
    S,
    U,
)


@inner_kernel
def add_goals(p, w, side, level, springs):
    """I and f of the goals on their own bodies; zero where several sums will meet."""
    body, zero = w.body, zero_vector()
    for n in range(p.spans.shape[0]):
        for b in range(FORCE + 1):
            body[p.spans[n, TIP], b] = zero
    for k in range(p.terms.shape[0]):
        if p.terms[k, LEVEL] > level:
            continue
        if is_contact(p.terms, k):
            add_contact(p, w, side, k)
            stiffen_contact(p, w, side, k)
        if p.terms[k, OTHER] >= 0 or is_contact(p.terms, k):
            continue
        j, weight, at = p.terms[k, JOINT], w.shift[k, ACTS], side * p.terms.shape[0] + k
        x, y, z = w.rows[at, 0], w.rows[at, 1], w.rows[at, 2]
        body[j, FORCE] = body[j, FORCE] + (
            x * pull_of(p, w, side, k, 0) + y * pull_of(p, w, side, k, 1) + z * pull_of(p, w, side, k, 2)
        )
        x, y, z = x * weight, y * weight, z * weight
        for b in range(6):
            body[j, INERTIA + b] = body[j, INERTIA + b] + (
                x * w.numbers[at, 0, b] + y * w.numbers[at, 1, b] + z * w.numbers[at, 2, b]
            )
    if springs is not None and springs_pull(p, level):
        add_weights(p, w, False)


@inner_kernel
def times(s, c0, c1, c2, c3, c4, c5):
    """The matrix of six columns times the vector s."""
    return ((c0 * lane(s, 0) + c1 * lane(s, 1)) + (c2 * lane(s, 2) + c3 * lane(s, 3))) + (
        c4 * lane(s, 4) + c5 * lane(s, 5)
    )


@inner_kernel
def _three_free(freedom, m):
    """Whether motion `m` and the two before it are free to move."""
    return (
        freedom[STATE, m] == FREE_TO_MOVE
        and freedom[STATE, m - 1] == FREE_TO_MOVE
        and freedom[STATE, m - 2] == FREE_TO_MOVE
    )


@inner_kernel
def tree_step(p, w, side, level, curved, springs):
    """Fill step and velocities; False where the curvature is not positive (more damping is needed).

    Leaves to root: U = I S, D = SᵀU + Λ, u = Sᵀf + g, I ← I − U Uᵀ/D, f ← f − U u/D, and both are added to the parent:
    in registers where it comes next and in memory where several meet.
    Root to leaves: δ = (u − Uᵀv)/D, v ← v + S δ. A held freedom is skipped; one given as δ = c passes f − I S c.
    """
    add_goals(p, w, side, level, springs)
    body, motion, factor, freedom = w.body, w.motion, w.factor, w.freedom
    pulled = springs is not None and springs_pull(p, level)
    zero = zero_vector()
    c0 = c1 = c2 = c3 = c4 = c5 = f = zero
    for n in range(p.spans.shape[0] - 1, -1, -1):
        j, first, last = p.spans[n, TIP], p.spans[n, FIRST_MOTION], p.spans[n, END_MOTION] - 1
        c0, c1, c2 = c0 + body[j, INERTIA], c1 + body[j, INERTIA + 1], c2 + body[j, INERTIA + 2]
        c3, c4, c5 = c3 + body[j, INERTIA + 3], c4 + body[j, INERTIA + 4], c5 + body[j, INERTIA + 5]
        f = f + body[j, FORCE]
        while last >= first:
            if last - first >= 2 and _three_free(freedom, last):
                # Three at once: scalars eliminate their coupling while the vectors are in flight.
                s0, s1, s2 = motion[last, S], motion[last - 1, S], motion[last - 2, S]
                t0 = times(s0, c0, c1, c2, c3, c4, c5)
                t1 = times(s1, c0, c1, c2, c3, c4, c5)
                t2 = times(s2, c0, c1, c2, c3, c4, c5)
                if curved:
                    b = body[j]
                    t0 = t0 + times(s0, b[BEND], b[BEND + 1], b[BEND + 2], b[BEND + 3], b[BEND + 4], b[BEND + 5])
                    t1 = t1 + times(s1, b[BEND], b[BEND + 1], b[BEND + 2], b[BEND + 3], b[BEND + 4], b[BEND + 5])
                    t2 = t2 + times(s2, b[BEND], b[BEND + 1], b[BEND + 2], b[BEND + 3], b[BEND + 4], b[BEND + 5])
                d01, d02, d12 = dot(s1, t0), dot(s2, t0), dot(s2, t1)
                e0 = freedom[DAMPING, last] + dot(s0, t0)
                e1 = freedom[DAMPING, last - 1] + dot(s1, t1)
                e2 = freedom[DAMPING, last - 2] + dot(s2, t2)
                p0, p1, p2 = dot(s0, f), dot(s1, f), dot(s2, f)
                if pulled:
                    p0, p1, p2 = p0 + freedom[SOFT, last], p1 + freedom[SOFT, last - 1], p2 + freedom[SOFT, last - 2]
                i0 = 1.0 / e0
                e1 -= d01 * d01 * i0
                d12 -= d01 * d02 * i0
                i1 = 1.0 / e1
                e2 -= d02 * d02 * i0 + d12 * d12 * i1
                if not (e0 > 0.0 and e1 > 0.0 and e2 > 0.0):
                    return False
                i2 = 1.0 / e2
                p1 -= d01 * i0 * p0
                p2 -= d02 * i0 * p0 + d12 * i1 * p1
                t1 = t1 - t0 * (d01 * i0)
                t2 = t2 - t0 * (d02 * i0) - t1 * (d12 * i1)
                motion[last, U], motion[last - 1, U], motion[last - 2, U] = t0, t1, t2
                factor[last, INVERSE], factor[last - 1, INVERSE], factor[last - 2, INVERSE] = i0, i1, i2
                factor[last, PULL], factor[last - 1, PULL], factor[last - 2, PULL] = p0, p1, p2
                t3, t4, t5 = t0 * i0, t1 * i1, t2 * i2
                f = f - (t3 * p0 + t4 * p1 + t5 * p2)
                c0 = c0 - (t3 * lane(t0, 0) + t4 * lane(t1, 0) + t5 * lane(t2, 0))
                c1 = c1 - (t3 * lane(t0, 1) + t4 * lane(t1, 1) + t5 * lane(t2, 1))
                c2 = c2 - (t3 * lane(t0, 2) + t4 * lane(t1, 2) + t5 * lane(t2, 2))
                c3 = c3 - (t3 * lane(t0, 3) + t4 * lane(t1, 3) + t5 * lane(t2, 3))
                c4 = c4 - (t3 * lane(t0, 4) + t4 * lane(t1, 4) + t5 * lane(t2, 4))
                c5 = c5 - (t3 * lane(t0, 5) + t4 * lane(t1, 5) + t5 * lane(t2, 5))
                factor[last - 2, TOGETHER] = 1.0
                factor[last - 2, ACROSS], factor[last - 2, ACROSS + 1], factor[last - 2, ACROSS + 2] = d01, d02, d12
                last -= 3
                continue
            m, last = last, last - 1
            factor[m, TOGETHER] = 0.0
            if freedom[STATE, m] == HELD:
                continue
            s = motion[m, S]
            bent = times(s, c0, c1, c2, c3, c4, c5)
            if curved:
                b = body[j]
                bent = bent + times(s, b[BEND], b[BEND + 1], b[BEND + 2], b[BEND + 3], b[BEND + 4], b[BEND + 5])
            motion[m, U] = bent
            if freedom[STATE, m] == GIVEN:
                f = f - bent * freedom[STEP, m]
                continue
            curvature = freedom[DAMPING, m] + dot(s, bent)
            pull = dot(s, f)
            if pulled:
                pull += freedom[SOFT, m]
            if not curvature > 0.0:
                return False
            inverse = 1.0 / curvature
            factor[m, INVERSE], factor[m, PULL] = inverse, pull
            share = bent * inverse
            f = f - share * pull
            c0, c1, c2 = c0 - share * lane(bent, 0), c1 - share * lane(bent, 1), c2 - share * lane(bent, 2)
            c3, c4, c5 = c3 - share * lane(bent, 3), c4 - share * lane(bent, 4), c5 - share * lane(bent, 5)
        if not p.spans[n, PASSES]:
            i = p.spans[n, ABOVE_SPAN]
            if i >= 0:
                body[i, INERTIA], body[i, INERTIA + 1] = body[i, INERTIA] + c0, body[i, INERTIA + 1] + c1
                body[i, INERTIA + 2], body[i, INERTIA + 3] = body[i, INERTIA + 2] + c2, body[i, INERTIA + 3] + c3
                body[i, INERTIA + 4], body[i, INERTIA + 5] = body[i, INERTIA + 4] + c4, body[i, INERTIA + 5] + c5
                body[i, FORCE] = body[i, FORCE] + f
            c0 = c1 = c2 = c3 = c4 = c5 = f = zero
    v = zero
    for n in range(p.spans.shape[0]):
        m, end = p.spans[n, FIRST_MOTION], p.spans[n, END_MOTION]
        if not p.spans[n, PASSES]:
            v = zero
            if p.spans[n, ABOVE_SPAN] >= 0:
                v = body[p.spans[n, ABOVE_SPAN], VELOCITY]
        while m < end:
            if factor[m, TOGETHER] > 0.0:
                x2, x1, x0 = dot(motion[m, U], v), dot(motion[m + 1, U], v), dot(motion[m + 2, U], v)
                x2 = (factor[m, PULL] - x2) * factor[m, INVERSE]
                x1 = (factor[m + 1, PULL] - x1 - factor[m, ACROSS + 2] * x2) * factor[m + 1, INVERSE]
                x0 = factor[m + 2, PULL] - x0 - factor[m, ACROSS + 1] * x2 - factor[m, ACROSS] * x1
                x0 *= factor[m + 2, INVERSE]
                freedom[STEP, m], freedom[STEP, m + 1], freedom[STEP, m + 2] = x2, x1, x0
                v = v + motion[m, S] * x2 + motion[m + 1, S] * x1 + motion[m + 2, S] * x0
                m += 3
                continue
            if freedom[STATE, m] == FREE_TO_MOVE:
                freedom[STEP, m] = (factor[m, PULL] - dot(motion[m, U], v)) * factor[m, INVERSE]
            elif freedom[STATE, m] == HELD:
                freedom[STEP, m] = 0.0
            v = v + motion[m, S] * freedom[STEP, m]
            m += 1
        body[p.spans[n, TIP], VELOCITY] = v
    return True
