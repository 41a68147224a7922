"""Forward kinematics of large batches, several poses side by side in the lanes of the processor's registers."""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import as_lanes, gather, store_frames
from posable.skeleton.forward import move_axes, place_joints


@kernel
def place_batch(t, q, flat, rows):
    """`q [pose, coordinates]`, at least COUNT poses → `flat`, the numbers of `[pose, joint, rows, 4]` in order.

    The last block overlaps the one before where the poses are no multiple of COUNT.
    """
    poses, joints = q.shape[0], t.frame.shape[0]
    columns = as_lanes(np.empty((q.shape[1], COUNT)))
    turns = as_lanes(np.empty((joints, 3, 3, COUNT)))
    origins = as_lanes(np.empty((joints, 3, COUNT)))
    moved = as_lanes(np.empty((3, t.axis.shape[0], COUNT)))
    coordinates = q.reshape(-1)
    for block in range(0, poses, COUNT):
        first = min(block, poses - COUNT)
        for c in range(q.shape[1]):
            columns[c] = gather(coordinates, first * q.shape[1] + c, q.shape[1])
        move_axes(t, columns, moved)
        place_joints(t, None, columns, moved, turns, origins, None, None)
        for j in range(joints):
            frame = (
                turns[j, 0, 0], turns[j, 0, 1], turns[j, 0, 2], origins[j, 0],
                turns[j, 1, 0], turns[j, 1, 1], turns[j, 1, 2], origins[j, 1],
                turns[j, 2, 0], turns[j, 2, 1], turns[j, 2, 2], origins[j, 2],
            )  # fmt: skip
            store_frames(flat, (first * joints + j) * rows * 4, joints * rows * 4, frame, rows == 4)
