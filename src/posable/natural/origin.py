"""The rest of a dragged body returns to where the drag began, as far as the targets allow."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.natural.arm_kernel import IDLE_ARM, UPPER_ARMS
from posable.natural.posed_kernel import between
from posable.natural.told_kernel import transposed
from posable.skeleton import Skeleton
from posable.skeleton.forward import (
    difference,
    make_moved,
    move_axes_together,
    place_joints,
    put_turn,
    rest_turn,
    rotation_at,
    step,
)
from posable.skeleton.tables import CODE, COORDINATE, DOF, FREE, PARENT, SCALAR
from posable.spatial import Array
from posable.spatial.kernels import log_of_rotation, multiply_rotations, wxyz_of_rotation

RETURNS = 0.05
"""Radians: while a joint rotates this far, the distance to the pose that is proposed from the origin falls to 37 %."""
FASTER = 3.0
"""Times the step of the drag itself by which a joint is rotated for that at most, so that nothing leaps."""
ALONE = 0.4
"""Of what a joint would return alone, no faster than the step of the drag: an arm that is far from what is proposed
holds up the whole body, and the trunk would stay bent. With 1, arms did not come back so well."""
SWINGS = 2.0
"""The same for an upper arm that no goal asks for and that hangs: with 3 one swung by 20° in a step of a fast drag."""
_WHOLLY = 1e9
"""A step so large that nothing bounds what returns in it."""


def drawn_to_origin(skeleton: Skeleton, start: Array, begun: Array, proposed: Array) -> Array:
    """`[coordinates]`: the pose `begun`, moved towards `proposed` by a share that grows with the step from `start`.

    Steps alone leave the pose where the path has led it: a redundant arm that follows a closed path does not come back
    (Klein and Huang, Review of pseudoinverse control, 1983). `proposed` depends on the targets alone.
    """
    tangent, drawn = np.empty(skeleton.dof), np.empty_like(begun)
    _draw(skeleton.packed, start, begun, proposed, np.logical_not(skeleton.slides).astype(float), tangent, drawn)
    return drawn


@inner_kernel
def draw_to_origin(t, start, begun, proposed, angles, tangent, out):
    """`drawn_to_origin`. angles: `[dof]` 1 for the freedoms that are angles, 0 for lengths. tangent: scratch.

    Returns the largest angle of the step from `start` to `begun`.
    """
    difference(t, start, begun, tangent)
    most = _largest(tangent, angles)
    difference(t, begun, proposed, tangent)
    together = _returning(most, _largest(tangent, angles), FASTER)
    for j in range(t.frame.shape[0]):
        own = slice(t.joint[j, DOF], t.joint[j + 1, DOF])
        alone = ALONE * _returning(most, _largest(tangent[own], angles[own]), 1.0)
        for d in range(own.start, own.stop):
            tangent[d] *= max(together, alone)
    step(t, begun, tangent, out)
    return most


@inner_kernel
def _returning(most, far, fastest):
    """0 … 1: by which share of the angle `far` something returns in a step of a drag by the angle `most`."""
    return min(1.0 - math.exp(-most / RETURNS), fastest * most / max(far, 1e-12))


@inner_kernel
def draw_back(t, b, w, memory, limbs, free, start, begun, proposed, angles, out):
    """Fill `out [coordinates]` with the pose `begun`, drawn towards what is proposed from the origin of the drag.

    Upper arms that no goal asks for come to hang in the world as they do there: the solver bends the trunk further
    than was proposed and takes them along, at every step a little more, until they stand out like wings.
    """
    _hang(t, b, w, memory, limbs, free, False, _WHOLLY, proposed)
    most = draw_to_origin(t, start, begun, proposed, angles, w.tangent, out)
    _hang(t, b, w, memory, limbs, free, True, most, out)


@inner_kernel
def hang_again(t, b, w, memory, limbs, free, begun, q):
    """Rotate upper arms that no goal asks for in the world as in `begun` where a solve has gone on to the pose `q`: it
    bends the trunk that was drawn back, and takes them along.
    """
    _hang(t, b, w, memory, limbs, free, False, _WHOLLY, begun)
    _hang(t, b, w, memory, limbs, free, True, _WHOLLY, q)


@inner_kernel
def _hang(t, b, w, memory, limbs, free, is_after, most, q):
    """Keep how the upper arms rotate that hang in the pose `q`, or rotate them in it as was kept, as a step by `most`
    allows.
    """
    moved, blocks = memory
    move_axes_together(t, q, moved, blocks)
    place_joints(t, None, q, moved, w.turns, w.origins, None, None)
    for s in UPPER_ARMS:
        if _hangs(t, b, limbs, free, s):
            if is_after:
                _rotate_towards(t, w, b.segments[s], rotation_at(w.old, s), most, q)
            else:
                put_turn(w.old, s, rotation_at(w.turns, b.segments[s]))


@inner_kernel
def _rotate_towards(t, w, j, wanted, most, q):
    """Rotate the ball or free joint `j` towards the rotation `wanted` in the world, as a step by `most` allows."""
    basis, r = rest_turn(t.frame, j), rotation_at(w.turns, j)
    c = t.joint[j, COORDINATE] + (3 if t.joint[j, CODE] == FREE else 0)
    if t.joint[j, PARENT] >= 0:
        basis = multiply_rotations(rotation_at(w.turns, t.joint[j, PARENT]), basis)
    x, y, z, _ = log_of_rotation(multiply_rotations(transposed(r), wanted))
    r = between(r, wanted, _returning(most, math.sqrt(x * x + y * y + z * z), SWINGS))
    q[c], q[c + 1], q[c + 2], q[c + 3] = wxyz_of_rotation(multiply_rotations(transposed(basis), r))


@inner_kernel
def _hangs(t, b, limbs, free, s):
    """Whether the upper arm `s` rotates as a ball does, no goal asks for it and nothing holds it."""
    j = b.segments[s]
    if j < 0 or limbs[s] != IDLE_ARM or t.joint[j, CODE] == SCALAR:
        return False
    d = t.joint[j, DOF] + (3 if t.joint[j, CODE] == FREE else 0)
    return free[d] and free[d + 1] and free[d + 2]


@inner_kernel
def _largest(tangent, angles):
    most = 0.0
    for i in range(tangent.shape[0]):
        most = max(most, abs(tangent[i]) * angles[i])
    return most


@kernel
def hang_arms(t, b, work, limbs, free, begun, q):
    """`hang_again`, with memory of its own."""
    hang_again(t, b, work, make_moved(t), limbs, free, begun, q)


@kernel
def _draw(t, start, begun, proposed, angles, tangent, out):
    draw_to_origin(t, start, begun, proposed, angles, tangent, out)
