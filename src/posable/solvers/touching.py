"""Compiled: which freedoms of a pose stand at a limit."""

from __future__ import annotations

from posable.skeleton.limits import swing_and_twist
from posable.skeleton.tables import BALL, FREE
from posable.spatial.compile import kernel

_NEAR = 1e-9


@kernel
def limit_sides(t, q, reach, out):
    """`q [pose, coordinates]` → `out [pose, dof]`; a ball's swing in its first entry, its twist in its second."""
    for n in range(q.shape[0]):
        for j in range(t.parent.shape[0]):
            c, d = t.first_coordinate[j], t.first_dof[j]
            if t.code[j] == BALL:
                if t.cones[j, 7] >= 0.0:
                    row = t.cones[j]
                    swing, twist, _, _, _ = swing_and_twist(row, q[n, c], q[n, c + 1], q[n, c + 2], q[n, c + 3])
                    out[n, d] = row[7] < 3.14159 and swing >= row[7] - _NEAR
                    out[n, d + 1] = row[9] - row[8] < 6.28318 and (twist >= row[9] - _NEAR or twist <= row[8] + _NEAR)
            elif t.code[j] != FREE:
                for k in range(t.first_dof[j + 1] - d):
                    near = 1e-12 * max(1.0, reach)
                    out[n, d + k] = q[n, c + k] >= t.upper[d + k] - near or q[n, c + k] <= t.lower[d + k] + near
