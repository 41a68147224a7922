"""Compiled parts of methods that pose one chain of joints: where its joints are, aiming them, what is left."""

from __future__ import annotations

import math

from posable.skeleton.forward import turn_at
from posable.skeleton.packed import ANCHOR, AXIS, CODE
from posable.skeleton.tables import SCALAR
from posable.solvers.closed.limb_poses import place_chain, point_of
from posable.solvers.descent import REACHED, STATIONARY
from posable.solvers.methods.fitting import fit_joint, put_mark
from posable.solvers.methods.limb_solves import angle_between_turns, turn_end, wanted_turn
from posable.spatial.compile import inner_kernel


@inner_kernel
def pivot_of(t, s, j):
    """The point about which joint `j` turns, in the world."""
    if t.joint[j, CODE] != SCALAR:
        return point_of(s, j, t.frame[j, ANCHOR], t.frame[j, ANCHOR + 1], t.frame[j, ANCHOR + 2])
    a = t.joint[j, AXIS]
    return s.anchors[a, 0], s.anchors[a, 1], s.anchors[a, 2]


@inner_kernel
def bone_end(t, s, joints, k, end, tip):
    """Where the bone of the chain's joint number `k` ends: at the next joint, or at the tip."""
    if k + 1 < joints.shape[0]:
        return pivot_of(t, s, joints[k + 1])
    return point_of(s, end, tip[0], tip[1], tip[2])


@inner_kernel
def gap(a, b):
    """The distance of two points."""
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@inner_kernel
def aim(t, j, may, s, point, place, marks, pairs, before, q):
    """Turn joint `j` so that a point that it carries is nearest to a place."""
    for c in range(q.shape[0]):
        before[c] = q[c]
    put_mark(marks, 0, point, place, 1.0)
    fit_joint(t, before, j, may, turn_at(s.turns, j), pivot_of(t, s, j), s.axes, s.anchors, marks, 1, False, pairs, q)


@inner_kernel
def finish(t, used, end, tip, place, turn, may, tolerances, wanted, s, marks, pairs, before, q):
    """Turn the end as asked, and say how the solve ended."""
    place_chain(t, used, q, s)
    met = True
    if turn >= 0:
        asked = wanted_turn(wanted, turn)
        turn_end(t, end, may, asked, s, marks, pairs, before, q)
        place_chain(t, used, q, s)
        met = angle_between_turns(turn_at(s.turns, end), asked) <= tolerances[1]
    at = point_of(s, end, tip[0], tip[1], tip[2])
    met = gap(at, (wanted[place, 0], wanted[place, 1], wanted[place, 2])) <= tolerances[0] and met
    return REACHED if met else STATIONARY
