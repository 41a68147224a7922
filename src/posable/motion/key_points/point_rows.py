"""What a camera says of points on a body, as rows of a whole-clip solve: across the ray well, along it badly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.compiled.decorators import kernel
from posable.motion.markers.marker_model import Indices
from posable.motion.whole_clip.clip_rows import Motions
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


class Seen(NamedTuple):
    """Points on a body, and where they were seen.

    carriers: `[point]` joints. offsets: `[point, 3]` in their frames. maps: `[frame, point, 3, 3]` and aims:
    `[frame, point, 3]`, such that maps · position = aims in a fit. weights: `[frame, point]`. depth: `[frame, 3]` a
    direction along which only differences between points are known; 0 for none.
    """

    carriers: Indices
    offsets: Array
    maps: Array
    aims: Array
    weights: Array
    depth: Array

    def at(self, frames: Indices) -> Seen:
        """In these frames alone."""
        return self._replace(
            maps=self.maps[frames], aims=self.aims[frames], weights=self.weights[frames], depth=self.depth[frames]
        )


class PointRows:
    """The rows of `seen`: in each frame maps · position − aims, less what their weighted mean has along `depth`."""

    def __init__(self, skeleton: Skeleton, seen: Seen) -> None:
        self.seen, self.weights = seen, seen.weights
        self._scale = 1.0 / skeleton.reach

    @property
    def bodies(self) -> set[int]:
        return set(self.seen.carriers.tolist())

    def positions(self, pose: Pose) -> Array:
        """`[frame, point, 3]`."""
        world = pose.world_from_joint[:, self.seen.carriers]
        return (world[..., :3, :3] @ self.seen.offsets[:, :, None])[..., 0] + world[..., :3, 3]

    def evaluate(self, pose: Pose) -> tuple[Array, Array]:
        positions, seen = self.positions(pose), self.seen
        residual = (seen.maps @ positions[..., None])[..., 0] - seen.aims
        share = seen.weights / np.maximum(seen.weights.sum(axis=1, keepdims=True), 1e-300)
        mean = np.sum(share * (residual @ seen.depth[..., None])[..., 0], axis=1)
        residual -= (mean[:, None] * seen.depth)[:, None]
        return self._scale * residual, self._scale * positions

    def jacobian(self, pose: Pose, rows: Array, motions: Motions) -> Array:
        del pose
        out = np.empty((*rows.shape[:2], 3, motions.free))
        for k, joint in enumerate(self.seen.carriers.tolist()):
            _move_point(motions[joint], rows, self.seen.maps, k, out)
        _center(out, self.seen.weights, self.seen.depth)
        return out.reshape(len(rows), -1, motions.free)


@kernel
def _move_point(motion, positions, maps, point, out):
    """out[:, point] = maps · (v + ω × position): the derivative of a mapped point. motion: `[frame, 6, free]`."""
    for t in range(motion.shape[0]):
        x, y, z = positions[t, point, 0], positions[t, point, 1], positions[t, point, 2]
        m = maps[t, point]
        for c in range(motion.shape[2]):
            wx, wy, wz = motion[t, 0, c], motion[t, 1, c], motion[t, 2, c]
            vx = motion[t, 3, c] + wy * z - wz * y
            vy = motion[t, 4, c] + wz * x - wx * z
            vz = motion[t, 5, c] + wx * y - wy * x
            for i in range(3):
                out[t, point, i, c] = m[i, 0] * vx + m[i, 1] * vy + m[i, 2] * vz


@kernel
def _center(out, weights, depth):
    """Take from out `[frame, point, 3, free]` what its weighted mean has along `depth [frame, 3]`."""
    for t in range(out.shape[0]):
        dx, dy, dz = depth[t, 0], depth[t, 1], depth[t, 2]
        total = weights[t].sum()
        if dx * dx + dy * dy + dz * dz == 0.0 or total <= 0.0:
            continue
        for c in range(out.shape[3]):
            mean = 0.0
            for k in range(out.shape[1]):
                mean += weights[t, k] * (out[t, k, 0, c] * dx + out[t, k, 1, c] * dy + out[t, k, 2, c] * dz)
            mean /= total
            for k in range(out.shape[1]):
                out[t, k, 0, c] -= mean * dx
                out[t, k, 1, c] -= mean * dy
                out[t, k, 2, c] -= mean * dz
