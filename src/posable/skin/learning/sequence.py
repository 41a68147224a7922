"""Example poses made fit for computing: centred, of size 1, and turned onto the rest pose frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array

_SAME_UNIT = 1.25  # frames that are this many times the rest pose's size, or less, are in its unit


@dataclass(frozen=True)
class Sequence:
    """Rest points and frames in which lengths are shares of the box diagonal and every frame lies on the rest pose.

    A rigid motion of a frame, another unit, another place then change the two matrices alone.

    points: `[vertex, 4]` at rest, homogeneous. frames: `[frame, vertex, 3]`.
    here_from_rest: `[4, 4]`. world_from_here: `[frame, 4, 4]`. scale: the frames' unit in the rest's.
    """

    points: Array
    frames: Array
    here_from_rest: Array
    world_from_here: Array
    scale: float

    @cached_property
    def flat(self) -> Array:
        """`[vertex, 3·frame]`: what each vertex does."""
        return np.ascontiguousarray(self.frames.transpose(1, 0, 2).reshape(len(self.points), -1))

    @cached_property
    def squares(self) -> Array:
        """`[vertex]`: the sum of the squares of its coordinates over the frames."""
        return np.einsum("vc,vc->v", self.flat, self.flat)

    @property
    def diagonal(self) -> float:
        """The rest pose's box diagonal, in the frames' unit."""
        return float(self.scale / self.here_from_rest[0, 0])

    @property
    def other_unit(self) -> bool:
        """Whether the frames are in another unit of length than the rest pose."""
        return self.scale != 1.0

    def rescaled(self, ratio: float) -> Sequence:
        """The same, the frames' unit being `ratio` times what it was taken for."""
        world = self.world_from_here.copy()
        world[:, :3, :3] *= ratio
        return replace(self, frames=self.frames / ratio, world_from_here=world, scale=self.scale * ratio)

    def of(self, vertices: NDArray[np.int64]) -> Sequence:
        """The same for some of the vertices."""
        return replace(self, points=self.points[vertices], frames=np.ascontiguousarray(self.frames[:, vertices]))


def normalized_sequence(rest: Array, frames: Array, scale: float | None = None) -> Sequence:
    """`rest [vertex, 3]` and `frames [frame, vertex, 3]`, finite, as a Sequence.

    scale: as known; where None, 1 unless the frames are plainly in another unit.
    """
    center = rest.mean(axis=0)
    offset = rest - center
    middles = frames.mean(axis=1)
    if scale is None:
        spread = np.sqrt(np.einsum("fvc,fvc->", frames, frames - middles[:, None]) / len(frames))
        scale = unit_or_one(float(spread / (np.linalg.norm(offset) or 1.0)))
    diagonal = float(np.linalg.norm(np.ptp(rest, axis=0))) or 1.0
    turn = nearest_rotation(np.einsum("va,fvb->fba", offset, frames - middles[:, None]))
    here_from_rest = np.eye(4) / diagonal
    here_from_rest[:3, 3], here_from_rest[3, 3] = -center / diagonal, 1.0
    world = np.tile(np.eye(4), (len(frames), 1, 1))
    world[:, :3, :3], world[:, :3, 3] = turn * scale * diagonal, middles
    here = np.einsum("fba,fvb->fva", turn, frames - middles[:, None]) / (scale * diagonal)
    points = np.concatenate([offset / diagonal, np.ones((len(rest), 1))], axis=1)
    return Sequence(points, here, here_from_rest, world, scale)


def unit_or_one(scale: float) -> float:
    """The frames' unit in the rest pose's, or 1 where `scale` is that of a shape that moves rather than of a unit."""
    return 1.0 if 1 / _SAME_UNIT < scale < _SAME_UNIT or not scale > 0 else scale


def nearest_rotation(matrix: Array) -> Array:
    """The rotations R `[..., 3, 3]` with the largest Σ R∘matrix, never a reflection (Kabsch 1976)."""
    u, _, vt = np.linalg.svd(matrix)
    u[..., 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return u @ vt
