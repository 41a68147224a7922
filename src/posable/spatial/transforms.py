"""Rigid transforms as 4×4 matrices over any leading axes; `world_from_joint` takes joint coordinates to world ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posable.spatial.rotations import Array, matrix_from_wxyz


def transform(position: ArrayLike = (0, 0, 0), wxyz: ArrayLike = (1, 0, 0, 0)) -> Array:
    """Transforms `[..., 4, 4]` that turn by unit quaternions `wxyz [..., 4]` and then move by `position [..., 3]`."""
    position = np.asarray(position, float)
    turn = matrix_from_wxyz(wxyz)
    result = np.zeros((*np.broadcast_shapes(position.shape[:-1], turn.shape[:-2]), 4, 4))
    result[..., :3, :3] = turn
    result[..., :3, 3] = position
    result[..., 3, 3] = 1.0
    return result


def rigid_inverse(matrix: ArrayLike) -> Array:
    """Inverses of rigid transforms `[..., 4, 4]`."""
    matrix = np.asarray(matrix, float)
    turn = np.swapaxes(matrix[..., :3, :3], -1, -2)
    result = np.zeros_like(matrix)
    result[..., :3, :3] = turn
    result[..., :3, 3] = -np.einsum("...ij,...j->...i", turn, matrix[..., :3, 3])
    result[..., 3, 3] = 1.0
    return result


def apply_transform(matrix: ArrayLike, points: ArrayLike) -> Array:
    """Points `[..., 3]` moved by transforms `[..., 4, 4]`."""
    matrix = np.asarray(matrix, float)
    return np.einsum("...ij,...j->...i", matrix[..., :3, :3], np.asarray(points, float)) + matrix[..., :3, 3]
