"""Compiled: the damped step of eight solves side by side, dense.

The step of `tree_step` and `descent`, written for few freedoms: (JᵀWJ + Λ) δ = JᵀWr, factored from the leaves to the
root, so that a tree's zeros stay zeros and the sums are those of the tree's recursion. Freedoms that are held or given
in a lane are masked out of its matrix.
"""

from __future__ import annotations

from posable.compiled.decorators import inner_kernel
from posable.compiled.simd_masks import bits_of, everywhere, larger, magnitude, mask_of, select, smaller
from posable.goals.term_arrays import WEIGHT, is_point
from posable.skeleton.tables import LOWER, SLIDES, UPPER
from posable.solvers.default.kernels.descent import FLOOR, LARGEST_TURN, ROUNDS, STIFF
from posable.solvers.default.kernels.simd_workspace import (
    COST,
    DAMPING,
    FREE,
    GAIN,
    GIVEN,
    GRADIENT,
    LOOSE,
    PLACE,
    PLAN_AXIS,
    PLAN_COORDINATE,
    PLAN_DOF,
    RESISTING,
    SLOW,
    SOLVED,
    STEP,
    TRIED,
    UNKNOWN,
)
from posable.solvers.default.kernels.workspace import EASE, RESISTANCE, UNIT
from posable.spatial.kernels import cross


@inner_kernel
def find_jacobian(t, p, w, accepted):
    """Fill, in the accepted lanes, ω of every freedom, J of every term and its residual, for the pose tried last; then
    the downhill gradient in all lanes.
    """
    for k in range(p.terms.shape[0]):
        for i in range(3):
            w.residual[k, i] = select(accepted, w.fresh[k, i], w.residual[k, i])
    for m in range(w.plan.shape[0]):
        a = w.plan[m, PLAN_AXIS]
        x, y, z = w.axes[a, 0], w.axes[a, 1], w.axes[a, 2]
        vx, vy, vz = x, y, z
        if t.axis_number[a, SLIDES]:
            x, y, z = everywhere(0.0), everywhere(0.0), everywhere(0.0)
        else:
            vx, vy, vz = cross(p.scale * w.anchors[a, 0], p.scale * w.anchors[a, 1], p.scale * w.anchors[a, 2], x, y, z)
        w.turning[m, 0] = select(accepted, x, w.turning[m, 0])
        w.turning[m, 1] = select(accepted, y, w.turning[m, 1])
        w.turning[m, 2] = select(accepted, z, w.turning[m, 2])
        gradient = everywhere(0.0)
        for k in range(p.terms.shape[0]):
            if not w.carries[m, k]:
                continue
            lever, jacobian = w.lever[k], w.jacobian[m, k]
            jx = lever[0, 0] * x + lever[0, 1] * y + lever[0, 2] * z
            jy = lever[1, 0] * x + lever[1, 1] * y + lever[1, 2] * z
            jz = lever[2, 0] * x + lever[2, 1] * y + lever[2, 2] * z
            if is_point(p.terms, k):
                jx, jy, jz = jx + vx, jy + vy, jz + vz
            jx, jy, jz = (
                select(accepted, jx, jacobian[0]),
                select(accepted, jy, jacobian[1]),
                select(accepted, jz, jacobian[2]),
            )
            jacobian[0], jacobian[1], jacobian[2] = jx, jy, jz
            r = w.residual[k]
            gradient = gradient + p.measures[k, WEIGHT] * (jx * r[0] + jy * r[1] + jz * r[2])
        w.freedom[GRADIENT, m] = gradient


@inner_kernel
def find_held(t, p, w):
    """Mark the freedoms without an active limit (1, else 0); returns the norm of the projected gradient."""
    left = everywhere(0.0)
    for m in range(w.plan.shape[0]):
        d = w.plan[m, PLAN_DOF]
        at, gradient, near = (
            w.pose[PLACE, w.plan[m, PLAN_COORDINATE]],
            w.freedom[GRADIENT, m],
            1e-12 * p.freedom[d, UNIT],
        )
        held = ((gradient > 0.0) & (at >= t.bound[d, UPPER] - near)) | (
            (gradient < 0.0) & (at <= t.bound[d, LOWER] + near)
        )
        w.freedom[LOOSE, m] = select(held, 0.0, 1.0)
        left = larger(left, select(held, 0.0, magnitude(gradient)))
    return left


@inner_kernel
def _find_hessian(p, w, curved):
    """Fill H = JᵀWJ and, in the lanes that are `curved`, what the goals' second derivatives add (see `forces`)."""
    bends, none = bits_of(curved) != 0, everywhere(0.0)
    for m in range(w.plan.shape[0]):
        for i in range(m + 1):
            w.hessian[m, i] = none
        for k in range(p.terms.shape[0]):
            if not w.carries[m, k]:
                continue
            a, weight = w.jacobian[m, k], p.measures[k, WEIGHT]
            x, y, z = weight * a[0], weight * a[1], weight * a[2]
            tx, ty, tz = x, y, z
            if is_point(p.terms, k):
                r = w.residual[k]
                tx, ty, tz = cross(r[0], r[1], r[2], x, y, z)
            tx, ty, tz = select(curved, tx, none), select(curved, ty, none), select(curved, tz, none)
            for i in range(m + 1):
                b = w.jacobian[i, k]  # 0 where the freedom does not move the goal's joint
                entry = x * b[0] + y * b[1] + z * b[2]
                if bends and w.carries[i, k]:
                    along = w.turning[i]
                    if is_point(p.terms, k):
                        entry = entry + (along[0] * tx + along[1] * ty + along[2] * tz)
                    else:
                        entry = entry + ((along[0] - b[0]) * tx + (along[1] - b[1]) * ty + (along[2] - b[2]) * tz)
                w.hessian[m, i] = w.hessian[m, i] + entry


@inner_kernel
def _find_resistance(t, p, w):
    """The resistance of every freedom, with ease near the limit that it moves to."""
    for m in range(w.plan.shape[0]):
        d = w.plan[m, PLAN_DOF]
        resisting = everywhere(p.freedom[d, RESISTANCE])
        ease = p.freedom[d, EASE]
        if ease > 0.0:
            at = w.pose[PLACE, w.plan[m, PLAN_COORDINATE]]
            room = select(w.freedom[GRADIENT, m] > 0.0, t.bound[d, UPPER] - at, at - t.bound[d, LOWER])
            short = 1.0 - room / ease
            resisting = select(short > 0.0, resisting * (1.0 + STIFF * short * short), resisting)
        w.freedom[RESISTING, m] = resisting


@inner_kernel
def _factor(w, damping, any_given):
    """Solve (H + Λ) x = gradient for the free freedoms, into UNKNOWN; returns where the curvature is positive."""
    f, factor, count = w.freedom, w.factor, w.plan.shape[0]
    for m in range(count):
        f[UNKNOWN, m] = f[GRADIENT, m]
    for m in range(count):
        own = f[FREE, m]
        for i in range(m + 1):
            factor[m, i] = w.hessian[m, i] * (own * f[FREE, i])
        factor[m, m] = factor[m, m] + select(own > 0.5, damping * f[RESISTING, m], 1.0)
    if any_given:
        for m in range(count):
            for i in range(m):
                f[UNKNOWN, m] = f[UNKNOWN, m] - w.hessian[m, i] * f[GIVEN, i]
                f[UNKNOWN, i] = f[UNKNOWN, i] - w.hessian[m, i] * f[GIVEN, m]
    for m in range(count):
        f[UNKNOWN, m] = f[FREE, m] * f[UNKNOWN, m] + f[GIVEN, m]
    positive = mask_of(-1)
    for m in range(count - 1, -1, -1):
        positive = positive & (factor[m, m] > 0.0)
        inverse = 1.0 / factor[m, m]
        x = f[UNKNOWN, m]
        for i in range(m - 1, -1, -1):
            share = factor[m, i] * inverse
            for k in range(i + 1):
                factor[i, k] = factor[i, k] - share * factor[m, k]
            factor[m, i] = share
            f[UNKNOWN, i] = f[UNKNOWN, i] - share * x
        f[UNKNOWN, m] = x * inverse
    for m in range(count):
        x = f[UNKNOWN, m]
        for i in range(m):
            x = x - factor[m, i] * f[UNKNOWN, i]
        f[UNKNOWN, m] = x
    return positive


@inner_kernel
def _propose(t, p, w, damping, waiting):
    """The step within the limits, in the `waiting` lanes: freedoms that would pass a limit get exactly the step to it,
    and the rest is solved again. Returns where the curvature is positive.
    """
    f, pending, good, any_given = w.freedom, waiting, mask_of(-1), False
    for _ in range(ROUNDS):
        positive = _factor(w, damping, any_given)
        good = good & (positive | ~pending)
        pending = pending & positive
        changed = ~mask_of(-1)
        for m in range(w.plan.shape[0]):
            d = w.plan[m, PLAN_DOF]
            at, unit = w.pose[PLACE, w.plan[m, PLAN_COORDINATE]], p.freedom[d, UNIT]
            solved = select(pending, f[UNKNOWN, m], f[SOLVED, m])
            to = at + solved * unit
            above = to > t.bound[d, UPPER]
            over = (above | (to < t.bound[d, LOWER])) & pending & (f[FREE, m] > 0.5)
            given = (select(above, t.bound[d, UPPER], t.bound[d, LOWER]) - at) / unit
            f[SOLVED, m] = solved
            f[STEP, m] = select(over, given, select(pending, solved, f[STEP, m]))
            f[GIVEN, m] = select(over, given, f[GIVEN, m])
            f[FREE, m] = select(over, 0.0, f[FREE, m])
            changed = changed | over
        pending = pending & changed
        any_given = True
        if bits_of(pending) == 0:
            break
    return good


@inner_kernel
def _find_step(t, p, w, going):
    """The damped step; where the curvature is not positive even with much damping, the step ignores it."""
    f = w.freedom
    curved = (w.state[SLOW] >= 2.0) & going
    damping = w.state[DAMPING] * w.state[COST] + FLOOR
    _find_resistance(t, p, w)
    waiting = going
    for attempt in range(4):
        if attempt == 0 or attempt == 3:
            _find_hessian(p, w, curved & mask_of(0 if attempt == 3 else -1))
        for m in range(w.plan.shape[0]):
            f[FREE, m] = select(waiting, f[LOOSE, m], f[FREE, m])
            f[GIVEN, m] = select(waiting, 0.0, f[GIVEN, m])
        waiting = waiting & ~_propose(t, p, w, damping, waiting)
        if bits_of(waiting) == 0:
            break
        if attempt < 2:
            damping = larger(16.0 * damping, everywhere(1e-6))


@inner_kernel
def try_step(t, p, w, going):
    """Put the damped step into the trial pose, and the gain that the linear model predicts into the state."""
    _find_step(t, p, w, going)
    f, count = w.freedom, w.plan.shape[0]
    size = everywhere(1e-300)
    for m in range(count):
        size = larger(size, magnitude(f[STEP, m]))
    share = smaller(everywhere(1.0), LARGEST_TURN / size)
    for m in range(count):
        c, d = w.plan[m, PLAN_COORDINATE], w.plan[m, PLAN_DOF]
        to = w.pose[PLACE, c] + (share * f[STEP, m]) * p.freedom[d, UNIT]
        to = select(to > t.bound[d, UPPER], t.bound[d, UPPER], select(to < t.bound[d, LOWER], t.bound[d, LOWER], to))
        w.pose[TRIED, c] = select(going, to, w.pose[TRIED, c])
    gain = everywhere(0.0)
    for k in range(p.terms.shape[0]):
        x = y = z = everywhere(0.0)
        for m in range(count):
            j, step = w.jacobian[m, k], share * f[SOLVED, m]
            x, y, z = x + step * j[0], y + step * j[1], z + step * j[2]
        r = w.residual[k]
        won = x * (2.0 * r[0] - x) + y * (2.0 * r[1] - y) + z * (2.0 * r[2] - z)
        gain = gain + 0.5 * p.measures[k, WEIGHT] * won
    w.state[GAIN] = gain
