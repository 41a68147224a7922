"""Forward kinematics of batches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError
from posable.skeleton.batches import world_matrices
from posable.spatial import Array

if TYPE_CHECKING:
    from posable.skeleton.skeleton import Skeleton


def forward_kinematics(skeleton: Skeleton, q: ArrayLike, out: Array | None = None) -> Array:
    """`q [..., coordinates]` → world_from_joint `[..., joint, 4, 4]`, in `out` if given. Raises PoseError on shapes."""
    q = np.asarray(q, float)
    if q.shape[-1:] != (skeleton.coordinates,):
        raise PoseError(
            f"a pose of this skeleton has {skeleton.coordinates} coordinates, not an array of shape {q.shape}"
        )
    shape = (*q.shape[:-1], len(skeleton.joints), 4, 4)
    if out is not None and not (out.shape == shape and out.flags.c_contiguous and out.flags.writeable):
        raise PoseError(f"`out` must be a contiguous, writeable array of shape {shape}")
    result = np.empty(shape) if out is None else out
    rows = flat_rows(q, q.shape[:-1])
    world_matrices(skeleton.tables, rows, result.reshape(len(rows), *shape[-3:]))
    return result


def flat_rows(array: Array, shape: tuple[int, ...]) -> Array:
    """`array [..., n]` broadcast to `[*shape, n]`, as contiguous rows `[poses, n]`.

    Always read-only, so that kernels are compiled for one kind of array.
    """
    count, size = math.prod(shape), array.shape[-1]
    rows = np.ascontiguousarray(np.broadcast_to(array, (*shape, size))).reshape(count, size).view()
    rows.setflags(write=False)
    return rows
