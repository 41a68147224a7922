"""A made-up tube of balls in a row: rest pose, frames, and the weights and motion that made them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.spatial import Array, matrix_from_wxyz, wxyz_from_rotation_vector


class Tube(NamedTuple):
    """`rest [vertex, 3]`, `frames [frame, vertex, 3]`, `weights [vertex, joint]`, `transforms [frame, joint, 4, 4]`."""

    rest: Array
    frames: Array
    weights: Array
    transforms: Array
    centers: Array

    @property
    def diagonal(self) -> float:
        return float(np.linalg.norm(np.ptp(self.rest, axis=0)))


def tube(joints: int = 4, frames: int = 12, vertices: int = 300, seed: int = 0, bend: float = 0.7) -> Tube:
    """Joint k turns about (0, k, 0) on joint k − 1; between two joints the weights pass over linearly."""
    rng = np.random.default_rng(seed)
    angle, height = rng.uniform(0, 2 * np.pi, vertices), rng.uniform(0, joints, vertices)
    rest = np.stack([0.3 * np.cos(angle), height, 0.3 * np.sin(angle)], axis=1)
    weights = np.clip(1.25 - 1.5 * np.abs(height[:, None] - np.arange(joints) - 0.5), 0, 1)
    weights[:, 0][height < 0.5], weights[:, -1][height > joints - 0.5] = 1.0, 1.0
    weights /= weights.sum(axis=1, keepdims=True)
    centers = np.stack([np.zeros(joints), np.arange(joints, dtype=float), np.zeros(joints)], axis=1)
    turns = matrix_from_wxyz(wxyz_from_rotation_vector(bend * rng.normal(size=(frames, joints, 3))))
    transforms = np.tile(np.eye(4), (frames, joints, 1, 1))
    for k in range(joints):
        own = np.tile(np.eye(4), (frames, 1, 1))
        own[:, :3, :3] = turns[:, k]
        own[:, :3, 3] = centers[k] - turns[:, k] @ centers[k]
        transforms[:, k] = transforms[:, k - 1] @ own if k else own
    return Tube(rest, blended(rest, weights, transforms), weights, transforms, centers)


def blended(rest: Array, weights: Array, transforms: Array) -> Array:
    """`[frame, vertex, 3]` by the plain sum."""
    points = np.concatenate([rest, np.ones((len(rest), 1))], axis=1)
    return np.einsum("vj,fjab,vb->fva", weights, transforms[:, :, :3], points, optimize=True)


def rms(found: Array, wanted: Array) -> float:
    """The root of the mean squared distance."""
    return float(np.sqrt(np.sum((found - wanted) ** 2, axis=-1).mean()))


def edges(parents: ArrayLike) -> set[frozenset[int]]:
    """The pairs of joints that a tree joins, whichever of them is its root."""
    return {frozenset((k, int(p))) for k, p in enumerate(np.asarray(parents)) if p >= 0}
