"""Example poses made fit for computing: centred, of size 1, and turned onto the rest pose frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skin.bound_frames import nearest_rotation
from posable.skin.mesh import Mesh, whole
from posable.spatial import Array

_SAME_UNIT = 1.25  # frames that are this many times the rest pose's size, or less, are in its unit


@dataclass(frozen=True)
class Sequence:
    """Rest points and frames in which lengths are shares of the box diagonal and every frame lies on the rest pose.

    A rigid motion of a frame, another unit, another position then change the two matrices alone.

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


# What callers give, checked once: sizes before memory is spent, then numbers.


_MOST_NUMBERS = 100_000_000  # coordinates in all frames
_MOST_JOINTS = 1000


def checked_mesh(rest: Any) -> Mesh:
    """The rest pose as a mesh; bare vertices `[vertex, 3]` are one without faces."""
    bare = isinstance(rest, (list, np.ndarray))
    mesh = Mesh(_numbers("rest", np.asanyarray(rest)), np.zeros((0, 3), np.int32)) if bare else Mesh.of(rest)
    if not len(mesh.vertices):
        raise SkinError(f"mesh {mesh.name!r} has no vertices; there is nothing to learn")
    return mesh


def checked_frames(frames: Any, vertices: int) -> Array:
    """`[frame, vertex, 3]`, at least two frames of the rest pose's vertices."""
    array = np.asanyarray(frames)
    if array.ndim != 3 or array.shape[2:] != (3,):
        raise SkinError(f"frames have shape {array.shape}, not (frames, vertices, 3)")
    if array.shape[1] != vertices:
        raise SkinError(
            f"the frames have {array.shape[1]} vertices and the rest pose has {vertices}; give the same mesh"
        )
    if len(array) < 2:
        raise SkinError(f"{len(array)} frame shows no motion to learn from; give at least 2")
    if array.size > _MOST_NUMBERS:
        raise SkinError(f"{array.size:,} coordinates; posable learns from at most {_MOST_NUMBERS:,}: leave frames out")
    return _finite("frames", array, "of frame {0}, vertex {1}")


def checked_count(joints: Any, vertices: int) -> int:
    """How many joints, at most."""
    if isinstance(joints, bool) or not isinstance(joints, (int, np.integer)):
        raise SkinError(f"joints is a whole number, or None for as many as it takes, not {joints!r}")
    if not 1 <= joints <= min(vertices, _MOST_JOINTS):
        raise SkinError(f"joints must be 1 … {min(vertices, _MOST_JOINTS)} for {vertices} vertices, not {joints}")
    return int(joints)


def checked_influences(influences: Any) -> int:
    """How many joints a vertex may follow."""
    return whole(influences, "influences is a whole number, 1 … 16", 1, 16)


def checked_transforms(transforms: Any, frames: int) -> Array:
    """`[frame, joint, 4, 4]` from that or `[frame, joint, 3, 4]`."""
    array = np.asanyarray(transforms)
    if array.ndim != 4 or array.shape[0] != frames or array.shape[2:] not in ((3, 4), (4, 4)) or not array.shape[1]:
        raise SkinError(f"transforms have shape {array.shape}, not ({frames} frames, joints, 4, 4)")
    if array.shape[1] > _MOST_JOINTS:
        raise SkinError(f"transforms of {array.shape[1]:,} joints; posable learns at most {_MOST_JOINTS:,}")
    whole = np.tile(np.eye(4), (*array.shape[:2], 1, 1))
    whole[:, :, :3] = _finite("transforms", array[:, :, :3], "of frame {0}, joint {1}")
    return whole


def checked_weights(weights: Any, vertices: int) -> Array:
    """`[vertex, joint]`, ≥ 0, each row summing to 1."""
    array = np.asanyarray(weights)
    if array.ndim != 2 or len(array) != vertices or not array.shape[1]:
        raise SkinError(f"weights have shape {array.shape}, not ({vertices} vertices, joints)")
    if array.shape[1] > _MOST_JOINTS:
        raise SkinError(f"weights of {array.shape[1]:,} joints; posable learns at most {_MOST_JOINTS:,}")
    dense = _finite("weights", array, "of vertex {0}, joint {1}")
    total = dense.sum(axis=1)
    wrong = np.flatnonzero((dense < 0).any(axis=1) | (np.abs(total - 1) > 1e-3))
    if len(wrong):
        raise SkinError(
            f"the weights of vertex {wrong[0]} must be ≥ 0 and sum to 1, not {total[wrong[0]]:g}; see mend_weights"
        )
    return dense / total[:, None]


def checked_parents(parents: Any, joints: int) -> NDArray[np.int64]:
    """`[joint]`, one root of −1, no circle."""
    array = np.asarray(parents)
    if array.shape != (joints,) or array.dtype.kind not in "iu" or not ((array >= -1) & (array < joints)).all():
        raise SkinError(f"parents are {joints} joints' numbers, -1 for the root, not {parents!r}")
    reached = array
    for _ in range(joints):
        reached = np.where(reached >= 0, array[reached], -1)
    if (array == -1).sum() != 1 or (reached >= 0).any():
        raise SkinError("parents must be one tree: one root (-1), and no joint above itself")
    return array.astype(np.int64)


def _numbers(what: str, array: NDArray[Any]) -> Array:
    try:
        return np.ascontiguousarray(array, np.float64)
    except (TypeError, ValueError) as problem:
        raise SkinError(f"{what}: no array of numbers: {problem}") from problem


def _finite(what: str, array: NDArray[Any], place: str) -> Array:
    numbers = _numbers(what, array)
    if not np.isfinite(numbers).all():
        where = place.format(*np.argwhere(~np.isfinite(numbers))[0])
        raise SkinError(f"{what}: a number {where} is not finite; leave it out or export it again")
    return numbers
