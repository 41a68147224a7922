"""Adjacency of surface points, and the smoothing step for values on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posable.skin.mesh import Indices

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def edges(count: int, faces: NDArray[Any]) -> tuple[Indices, Indices]:
    """Both directions of every edge between two of `count` points, once: (from, to), in the order of the points."""
    ends = np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
    ends = ends[ends[:, 0] != ends[:, 1]]
    key = np.unique(np.concatenate([ends[:, 0] * count + ends[:, 1], ends[:, 1] * count + ends[:, 0]]))
    return key // count, key % count


def smoothing_step(count: int, start: Indices, end: Indices) -> csr_array:
    """`[place, place]`: each point moves halfway to the mean of its neighbours; one without any stays.

    start, end: what `edges` says. Each row sums to 1.
    """
    from scipy.sparse import csr_array, diags_array

    beside = np.bincount(start, minlength=count)
    half = csr_array((0.5 / beside[start], (start, end)), shape=(count, count))
    return (half + diags_array(np.where(beside > 0, 0.5, 1.0))).tocsr()
