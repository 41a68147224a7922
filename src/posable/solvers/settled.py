"""Compiled: a limb that has arrived need not be moved for one that has not."""

from __future__ import annotations

from posable.goals.columns import JOINT, KIND, WEIGHT
from posable.goals.terms import APART
from posable.skeleton.packed import COORDINATE, DOF, PARENT
from posable.solvers.columns import USED
from posable.solvers.linearize import evaluate_again
from posable.spatial.compile import shared_kernel

_MUCH = 0.01  # a goal with a larger share of the error has not arrived


@shared_kernel
def keep_settled(t, p, w, springs, best, q):
    """Where a new attempt is to begin at `q`: bring the joints that carry a goal with little of the error back to where
    they stand in `best`, so that only what carries the others alone is tried anew. Where every joint carries such a
    one, or all goals are of one joint, nothing is brought back.
    """
    several = False
    for k in range(p.terms.shape[0]):
        several = several or (p.terms[k, KIND] != APART and p.terms[k, JOINT] != p.terms[0, JOINT])
    if not several:
        return
    cost, _, _ = evaluate_again(t, p, w, best, 0, 0, springs)
    settled = w.settled
    for n in range(p.used.shape[0]):
        settled[p.used[n, USED], 0] = 0.0
    for k in range(p.terms.shape[0]):
        if p.terms[k, KIND] != APART:
            settled[p.terms[k, JOINT], 0] = 1.0
    for k in range(p.terms.shape[0]):
        square = w.residual[k, 0] ** 2 + w.residual[k, 1] ** 2 + w.residual[k, 2] ** 2
        if p.measures[k, WEIGHT] * square > _MUCH * cost:
            settled[p.terms[k, JOINT], 0] = 0.0
    loose = False
    for n in range(p.used.shape[0] - 1, -1, -1):
        j = p.used[n, USED]
        if settled[j, 0] == 0.0:
            loose = loose or t.joint[j + 1, DOF] > t.joint[j, DOF]
        elif t.joint[j, PARENT] >= 0:
            settled[t.joint[j, PARENT], 0] = 1.0
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        if loose and settled[j, 0] > 0.0:
            for c in range(t.joint[j, COORDINATE], t.joint[j + 1, COORDINATE]):
                q[c] = best[c]
