"""Skinned tubes around a chain of joints: the bodies of snakes and tentacles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.skeleton import Pose, Skeleton
from posable.skin import Skin
from posable.spatial import Array, normalized, rigid_inverse

# Binding a mesh to a skeleton as it stands at rest.


def bound_at_rest(
    skeleton: Skeleton, vertices: ArrayLike, faces: ArrayLike, joints: ArrayLike, weights: ArrayLike, colors: ArrayLike
) -> Skin:
    """A skin whose vertices `[vertex, 3]` are in the world while the skeleton rests; other arrays as in `Skin`."""
    inverse_bind = rigid_inverse(Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    return Skin(
        skeleton,
        np.asarray(vertices, np.float32),
        np.asarray(faces, np.int32),
        np.asarray(joints, np.int32),
        np.asarray(weights, np.float32),
        inverse_bind,
        colors=np.asarray(colors, np.float32),
        name="skin",
    )


@dataclass(frozen=True)
class Tube:
    """A closed tube along the straight chain.

    positions: `[ring]` distance of each ring along the chain from its first joint, increasing. sides, lifts: `[ring]`
    half its width and half its height. colors: `[ring, around, 3]`. start, end: distances of its two poles.
    """

    positions: Array
    sides: Array
    lifts: Array
    colors: Array
    start: float
    end: float

    def vertices(self, along: Array, beside: Array) -> Array:
        """`[2 + ring · around, 3]`: the poles, then the rings, the chain in direction `along`, widths in `beside`."""
        angle = 2 * np.pi * np.arange(self.colors.shape[1]) / self.colors.shape[1]
        up = np.cross(along, beside)
        across = (
            self.sides[:, None, None] * np.cos(angle)[:, None] * beside
            + self.lifts[:, None, None] * np.sin(angle)[:, None] * up
        )
        rings = self.positions[:, None, None] * along + across
        return np.concatenate([[self.start * along, self.end * along], rings.reshape(-1, 3)])

    def faces(self) -> NDArray[np.int64]:
        """`[face, 3]` of the closed tube, outwards."""
        rings, around = self.colors.shape[:2]
        index = 2 + np.arange(rings * around).reshape(rings, around)
        a, b = index[:-1], np.roll(index[:-1], -1, axis=1)
        c, d = index[1:], np.roll(index[1:], -1, axis=1)
        walls = [np.stack([a, b, d], axis=-1), np.stack([a, d, c], axis=-1)]
        first, last = index[0], index[-1]
        caps = [
            np.stack([np.zeros(around, np.int64), np.roll(first, -1), first], axis=-1),
            np.stack([np.ones(around, np.int64), last, np.roll(last, -1)], axis=-1),
        ]
        return np.concatenate([part.reshape(-1, 3) for part in (*walls, *caps)])

    def along(self) -> Array:
        """`[vertex]` how far along the chain each vertex is."""
        return np.concatenate([[self.start, self.end], np.repeat(self.positions, self.colors.shape[1])])

    def vertex_colors(self) -> Array:
        """`[vertex, 3]`."""
        return np.concatenate([self.colors[0, :1], self.colors[-1, :1], self.colors.reshape(-1, 3)])


def tube_skin(skeleton: Skeleton, chain: Sequence[str], tube: Tube, beside: Sequence[float]) -> Skin:
    """A tube around the joints of `chain`, which lie on one line while coordinates are 0, bound as the skeleton rests.

    Each vertex follows the two bones whose middles it lies between, in proportion. beside: the direction of the width.
    """
    joints = np.array([skeleton.index(joint) for joint in chain])
    straight = Pose(skeleton, np.zeros(skeleton.coordinates))
    origins = straight.origins[joints]
    along = normalized(origins[-1] - origins[0])
    starts = (origins - origins[0]) @ along
    vertices = origins[0] + tube.vertices(along, np.asarray(beside, float))
    pair, weights = _hats(np.append((starts[:-1] + starts[1:]) / 2, max(tube.end, starts[-1])), tube.along())
    moves = Pose(skeleton, skeleton.rest_coordinates).world_from_joint[joints] @ np.linalg.inv(
        straight.world_from_joint[joints]
    )
    moved = np.einsum("vkab,vb->vka", moves[pair][..., :3], np.column_stack([vertices, np.ones(len(vertices))])[:, :3])
    moved = np.einsum("vk,vka->va", weights, moved[..., :3] + moves[pair][..., :3, 3])
    return bound_at_rest(skeleton, moved, tube.faces(), joints[pair], weights, tube.vertex_colors())


def _hats(middles: Array, along: Array) -> tuple[NDArray[np.int64], Array]:
    """The two bones `[vertex, 2]` closest to each vertex and their weights: 1 at a bone's middle, 0 at the next
    one's.
    """
    last = len(middles) - 1
    place = np.interp(along, middles, np.arange(last + 1.0))
    below = np.minimum(place.astype(np.int64), last - 1)
    share = place - below
    return np.column_stack([below, below + 1]), np.column_stack([1 - share, share])
