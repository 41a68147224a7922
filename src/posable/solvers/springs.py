"""Compiled: the pull of the soft goals on every freedom."""

from __future__ import annotations

from posable.skeleton.packed import CODE, COORDINATE, DOF
from posable.skeleton.tables import BALL, FREE
from posable.solvers.columns import ABOVE, BELOW, DRAW, UNIT
from posable.solvers.work import SOFT, STIFFNESS, TRIED_SOFT
from posable.spatial.compile import inner_kernel
from posable.spatial.kernels import log_wxyz, multiply_wxyz


@inner_kernel
def springs_pull(p, level):
    """Whether this level is the springs' own: all goals are harder than they."""
    return level == p.levels + 1


@inner_kernel
def pull_springs(t, p, freedom, q, wished):
    """Fill the pull and the stiffness per freedom; return the springs' energy. wished: `[spring, coordinates]`."""
    cost = 0.0
    for d in range(freedom.shape[1]):
        freedom[TRIED_SOFT, d] = freedom[STIFFNESS, d] = 0.0
    for n in range(wished.shape[0]):
        for j in range(t.frame.shape[0]):
            c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
            plain = t.joint[j + 1, DOF] - d
            if t.joint[j, CODE] == BALL or t.joint[j, CODE] == FREE:
                plain = 3 if t.joint[j, CODE] == FREE else 0
                e = c + plain
                w, x, y, z = multiply_wxyz(
                    q[e], -q[e + 1], -q[e + 2], -q[e + 3],
                    wished[n, e], wished[n, e + 1], wished[n, e + 2], wished[n, e + 3],
                )  # fmt: skip
                x, y, z = log_wxyz(w, x, y, z)
                cost += _pull(p, freedom, n, d + plain, x)
                cost += _pull(p, freedom, n, d + plain + 1, y)
                cost += _pull(p, freedom, n, d + plain + 2, z)
            for k in range(plain):
                cost += _pull(p, freedom, n, d + k, wished[n, c + k] - q[c + k])
    return cost


@inner_kernel
def _pull(p, freedom, n, d, away):
    """Add one spring to freedom `d`, which is `away` from where it is wished; its energy."""
    weight, unit = p.springs[n, DRAW, d], p.freedom[d, UNIT]
    beyond = away - p.springs[n, BELOW, d] if away > 0.0 else away + p.springs[n, ABOVE, d]
    if weight == 0.0 or beyond * away <= 0.0:
        return 0.0
    left = beyond / unit
    freedom[TRIED_SOFT, d] += weight * left
    freedom[STIFFNESS, d] += weight
    return 0.5 * weight * left * left


@inner_kernel
def turn_pull(t, basis, freedom):
    """Bring the pull on coned balls into their bases."""
    for d in range(freedom.shape[1]):
        freedom[SOFT, d] = freedom[TRIED_SOFT, d]
    for j in range(t.frame.shape[0]):
        if t.joint[j, CODE] == BALL:
            d = t.joint[j, DOF]
            x, y, z = freedom[TRIED_SOFT, d], freedom[TRIED_SOFT, d + 1], freedom[TRIED_SOFT, d + 2]
            for k in range(3):
                freedom[SOFT, d + k] = basis[j, k] * x + basis[j, 3 + k] * y + basis[j, 6 + k] * z
