"""Forward kinematics of batches."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError
from posable.skeleton.batches import world_matrices
from posable.skeleton.skeleton import Skeleton
from posable.spatial import Array


def forward_kinematics(skeleton: Skeleton, q: ArrayLike, out: Array | None = None) -> Array:
    """`q [..., coordinates]` → world_from_joint `[..., joint, 4, 4]`, written into `out` if given. Raises PoseError on shapes."""
    q = np.ascontiguousarray(q, float)
    if q.shape[-1:] != (skeleton.coordinates,):
        raise PoseError(
            f"a pose of this skeleton has {skeleton.coordinates} coordinates, not an array of shape {q.shape}"
        )
    shape = (*q.shape[:-1], len(skeleton.joints), 4, 4)
    result = np.empty(shape) if out is None else out
    world_matrices(skeleton.tables, q.reshape(-1, q.shape[-1]), result.reshape(-1, *shape[-3:]))
    return result
