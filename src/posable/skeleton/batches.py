"""The one-pose kernels over batches of poses: a few one by one, many side by side in SIMD lanes and on every core."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled import PLAIN_KERNELS
from posable.compiled.decorators import kernel, maker_kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.threads import cores, in_threads
from posable.compiled.views import as_lanes, gather, store_frames
from posable.skeleton.forward import (
    difference,
    jacobian_of_point,
    make_moved,
    move_axes,
    move_axes_together,
    place_joints,
    rotation_at,
    step,
)
from posable.skeleton.limits import clamp
from posable.skeleton.tables import Packed
from posable.spatial import Array
from posable.spatial.kernels import rotate


@kernel
def place_batch(t, q, flat, rows):
    """`q [pose, coordinates]`, at least COUNT poses → `flat`, the numbers of `[pose, joint, rows, 4]` in order.

    The last block overlaps the one before unless the number of poses is a multiple of COUNT.
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


MANY_POSES = 64
"""The least number of poses that are computed side by side; fewer do not repay the seconds of compiling that, once."""

_JOINTS_PER_THREAD = 20_000  # joints × poses that take some tenths of a millisecond, several times a thread's start


def flat_rows(array: Array, shape: tuple[int, ...]) -> Array:
    """`array [..., n]` broadcast to `[*shape, n]`, as contiguous rows `[poses, n]`.

    Always read-only, so that kernels are compiled for one kind of array.
    """
    count, size = math.prod(shape), array.shape[-1]
    if array.shape[:-1] != shape:
        array = np.broadcast_to(array, (*shape, size))
    rows = np.ascontiguousarray(array).reshape(count, size).view()
    rows.setflags(write=False)
    return rows


def fill_frames(t: Packed, q: Array, out: NDArray[Any], threads: int | None = None) -> NDArray[Any]:
    """`q [..., coordinates]` → `out [..., joint, 4, 4]` or `[..., joint, 3, 4]`, contiguous; at most `threads` share
    it, None for all cores.
    """
    rows = flat_rows(q, q.shape[:-1])
    frames = out.reshape(len(rows), *out.shape[-3:])
    if PLAIN_KERNELS or len(rows) < MANY_POSES:
        world_matrices(t, rows, frames)
    else:
        _fill_many(t, rows, frames, threads or cores())
    return out


def _fill_many(t: Packed, q: Array, frames: NDArray[Any], threads: int) -> None:

    parts = min(threads, max(1, q.shape[0] * frames.shape[1] // _JOINTS_PER_THREAD), q.shape[0] // MANY_POSES)

    def place(own: slice) -> None:
        place_batch(t, q[own], frames[own].reshape(-1), frames.shape[2])

    in_threads(place, len(q), parts, parts)


@maker_kernel
def make_geometry(t, q):
    """Memory for the frames of one pose and its coordinates: `place_joints` is compiled for one kind of array only."""
    joints, axes = t.frame.shape[0], t.axis.shape[0]
    return (
        np.empty(q.shape[1]),
        np.empty((joints, 3, 3)),
        np.empty((joints, 3)),
        np.empty((axes, 3)),
        np.empty((axes, 3)),
    )


@kernel
def world_matrices(t, q, out):
    """`q [pose, coordinates]` → `out [pose, joint, 4, 4]`, or `[pose, joint, 3, 4]` without the last row."""
    own, turns, origins, axes, anchors = make_geometry(t, q)
    moved, blocks = make_moved(t)
    for p in range(q.shape[0]):
        for c in range(q.shape[1]):
            own[c] = q[p, c]
        move_axes_together(t, own, moved, blocks)
        place_joints(t, None, own, moved, turns, origins, axes, anchors)
        for j in range(turns.shape[0]):
            for row in range(3):
                for column in range(3):
                    out[p, j, row, column] = turns[j, row, column]
                out[p, j, row, 3] = origins[j, row]
            if out.shape[2] == 4:
                out[p, j, 3, 0], out[p, j, 3, 1], out[p, j, 3, 2], out[p, j, 3, 3] = 0.0, 0.0, 0.0, 1.0


@kernel
def jacobians(t, q, joint, tip, out):
    """`q [pose, coordinates]` → `out [pose, 6, dof]` of the point `tip` (in the joint's frame) fixed to `joint`."""
    own, turns, origins, axes, anchors = make_geometry(t, q)
    moved, blocks = make_moved(t)
    for p in range(q.shape[0]):
        for c in range(q.shape[1]):
            own[c] = q[p, c]
        move_axes_together(t, own, moved, blocks)
        place_joints(t, None, own, moved, turns, origins, axes, anchors)
        x, y, z = rotate(rotation_at(turns, joint), tip[0], tip[1], tip[2])
        x, y, z = x + origins[joint, 0], y + origins[joint, 1], z + origins[joint, 2]
        jacobian_of_point(t, turns, origins, axes, anchors, joint, x, y, z, out[p])


@kernel
def steps(t, q, v, out):
    """q ⊕ v, pose by pose."""
    for p in range(q.shape[0]):
        step(t, q[p], v[p], out[p])


@kernel
def differences(t, start, end, out):
    """The tangents from `start` to `end`, pose by pose."""
    for p in range(start.shape[0]):
        difference(t, start[p], end[p], out[p])


@kernel
def clamp_all(t, q):
    """Move every pose to the nearest one within the limits."""
    for p in range(q.shape[0]):
        clamp(t, q[p])
