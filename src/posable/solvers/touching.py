"""Compiled: which freedoms of a pose stand at a limit, and at which side."""

from __future__ import annotations

import numpy as np

from posable.skeleton.packed import CODE, COORDINATE, DOF, LOWER, UPPER
from posable.skeleton.tables import BALL, FREE
from posable.solvers.cones import cone_basis
from posable.solvers.work import BASIS, SWING_SIDE, TWIST_SIDE
from posable.spatial.compile import kernel


@kernel
def limit_sides(t, q, reach, out, directions):
    """`q [pose, coordinates]` → `out [pose, dof]`: 0, ±1 at the upper or lower limit, 2 at both.

    A coned ball has its swing in its first entry and its twist in its second, and in `directions [pose, dof, 3]` those,
    one a row, that change swing, twist and neither.
    """
    basis = np.zeros(BASIS)
    near = 1e-12 * max(1.0, reach)
    for n in range(q.shape[0]):
        for j in range(t.frame.shape[0]):
            c, d = t.joint[j, COORDINATE], t.joint[j, DOF]
            if t.joint[j, CODE] == BALL:
                if t.cones[j, 7] >= 0.0:
                    cone_basis(t.cones[j], q[n], c, basis)
                    out[n, d], out[n, d + 1] = basis[SWING_SIDE], basis[TWIST_SIDE]
                    for k in range(3):
                        for i in range(3):
                            directions[n, d + k, i] = basis[3 * i + k]
            elif t.joint[j, CODE] != FREE:
                for k in range(t.joint[j + 1, DOF] - d):
                    high = q[n, c + k] >= t.bound[d + k, UPPER] - near
                    low = q[n, c + k] <= t.bound[d + k, LOWER] + near
                    out[n, d + k] = 2.0 if high and low else (1.0 if high else (-1.0 if low else 0.0))
