"""Where a figure faces that is to be drawn: its front view shows its face, whatever the axes of its file are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posable.figures import Figure, roles
from posable.skeleton import Pose
from posable.spatial import Array

_KEPT = 0.5  # cos 60°: up to here to either side a figure that rotates is still seen from where it faces at rest
_LEVEL = 0.3  # the length of the mean facing over the ground; poses with less lie, or face all directions


def front_of(figure: Figure, poses: Sequence[Pose]) -> Array | None:
    """`[3]` the horizontal axis of the world, or the opposite of one, nearest to where the figure faces in `poses`.

    None where no part of its body is known. Axes, for the squares of the ground then stand in a picture as they always
    do; and while the figure faces within 60° of its front at rest, it is that front.
    """
    found = roles(figure)
    if not found:
        return None
    rest = _nearest_axis(found.forward)
    if "hips" not in found:
        return rest
    hips = found.index("hips")
    in_hips = figure.rest.world_from_joint[hips, :3, :3].T @ found.forward
    facing = np.mean([pose.world_from_joint[hips, :3, :3] @ in_hips for pose in poses], axis=0)
    level = facing - (facing @ found.up) * found.up
    length = float(np.linalg.norm(level))
    return rest if length < _LEVEL or level @ rest >= _KEPT * length else _nearest_axis(level)


def _nearest_axis(direction: Array) -> Array:
    axis = int(np.abs(direction).argmax())
    return np.sign(direction[axis]) * np.eye(3)[axis]
