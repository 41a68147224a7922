"""Compiled pattern moves: a sweep with a large remaining error is extrapolated (Hooke & Jeeves 1961)."""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.skeleton.forward import difference, step_joint
from posable.skeleton.limits import clamp
from posable.solvers.methods.effector_state import make_state, place
from posable.solvers.methods.sweep_dofs import JOINT, LOCKED

_SLOW = 0.25  # of the squared distance left after a sweep: more than half the distance


@inner_kernel
def cost_left(m, s, place, turn):
    """The weighted sum of squared residuals: of the positions, and of the ends of the frames' axes."""
    cost = 0.0
    for e in range(m.joint.shape[0]):
        for i in range(3):
            cost += m.weight[e, 0] * (place[e, i] - s.points[e, i]) ** 2
            for k in range(3):
                cost += m.weight[e, 1] * (turn[e, i, k] - s.frames[e, i, k]) ** 2
    return cost


@inner_kernel
def pattern_move(t, m, s, blocks, start, own, places, turns, most, along, trial, costs):
    """Add the change from `start` to `own` once more, twice, four times ..., into `own`, as long as the error falls.

    costs: `[2]` the error at the start, and at `own`, which is updated.
    """
    if costs[1] <= _SLOW * costs[0]:
        return
    difference(t, start, own, along[0])
    for n in range(most):
        for d in range(along.shape[1]):
            along[1, d] = 2.0**n * along[0, d]
        for c in range(own.shape[0]):
            trial[c] = own[c]
        for k in range(m.table.shape[0]):
            if m.table[k, LOCKED] == 0:
                step_joint(t, own, along[1], m.table[k, JOINT], trial)
        clamp(t, trial)
        place(t, m, trial, s, blocks)
        cost = cost_left(m, s, places, turns)
        if cost >= costs[1]:
            return
        costs[1] = cost
        for c in range(own.shape[0]):
            own[c] = trial[c]


@kernel
def pattern_moves(t, m, wanted, before, q, most, costs):
    """Extrapolate sweeps that led from `before` to `q [problem, coordinates]`, in place.

    costs: `[problem, 2]` the weighted squared error before and now.
    """
    s, blocks = make_state(t, m)
    trial, along = np.empty(q.shape[1]), np.empty((2, t.bound.shape[0]))
    for p in range(q.shape[0]):
        place(t, m, before[p], s, blocks)
        costs[p, 0] = cost_left(m, s, wanted.position[p], wanted.rotation[p])
        place(t, m, q[p], s, blocks)
        costs[p, 1] = cost_left(m, s, wanted.position[p], wanted.rotation[p])
        pattern_move(
            t, m, s, blocks, before[p], q[p], wanted.position[p], wanted.rotation[p], most, along, trial, costs[p]
        )
