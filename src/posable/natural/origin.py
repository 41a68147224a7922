"""The rest of a dragged body returns to where the drag began, as far as the targets allow."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.skeleton import Skeleton
from posable.skeleton.forward import difference, step
from posable.spatial import Array

RETURNS = 0.05
"""Radians: while a joint rotates this far, the distance to the pose that is proposed from the origin falls to 37 %."""
FASTER = 3.0
"""Times the step of the drag itself by which a joint is rotated for that at most, so that nothing leaps."""


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
    """`drawn_to_origin`. angles: `[dof]` 1 for the freedoms that are angles, 0 for lengths. tangent: scratch."""
    difference(t, start, begun, tangent)
    most = _largest(tangent, angles)
    difference(t, begun, proposed, tangent)
    far = _largest(tangent, angles)
    share = min(1.0 - math.exp(-most / RETURNS), FASTER * most / max(far, 1e-12))
    for i in range(tangent.shape[0]):
        tangent[i] *= share
    step(t, begun, tangent, out)


@inner_kernel
def _largest(tangent, angles):
    most = 0.0
    for i in range(tangent.shape[0]):
        most = max(most, abs(tangent[i]) * angles[i])
    return most


@kernel
def _draw(t, start, begun, proposed, angles, tangent, out):
    draw_to_origin(t, start, begun, proposed, angles, tangent, out)
