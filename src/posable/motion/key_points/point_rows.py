"""Camera observations of points on a body as rows of a whole-clip solve: accurate across the ray, uncertain
along it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.compiled.decorators import kernel
from posable.motion.markers.marker_model import Indices
from posable.motion.whole_clip.clip_rows import Motions, normal_equations_of
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


class Seen(NamedTuple):
    """Points on a body and their observed positions.

    carriers: `[point]` joints. offsets: `[point, 3]` in their frames. maps: `[frame, point, 3, 3]` and aims:
    `[frame, point, 3]`, such that maps · position = aims in a fit. weights: `[frame, point]`. loose:
    `[frame, point, 3, 3]`, the change of aims with an unknown common displacement of all points; 0 where it is known.
    """

    carriers: Indices
    offsets: Array
    maps: Array
    aims: Array
    weights: Array
    loose: Array

    def at(self, frames: Indices) -> Seen:
        """The same in these frames alone."""
        kept = {name: getattr(self, name)[frames] for name in ("maps", "aims", "weights", "loose")}
        return self._replace(**kept)


class Held(NamedTuple):
    """Points of a body that stand still at times: like `Seen`, with complete positions `[frame, point, 3]`."""

    carriers: Indices
    offsets: Array
    places: Array
    weights: Array


class PointRows:
    """The rows of observed points, in each frame maps · position − aims after the best common displacement, and those
    of held points.
    """

    def __init__(self, skeleton: Skeleton, seen: Seen, held: Held | None = None) -> None:
        self.count, self._scale, frames = len(seen.carriers), 1.0 / skeleton.reach, len(seen.weights)
        self.carriers, self.offsets, self.weights = seen.carriers, seen.offsets, seen.weights
        self._maps, self._aims = seen.maps, seen.aims
        self._loose = np.ascontiguousarray(seen.loose)
        across = np.swapaxes(seen.loose, 2, 3) * seen.weights[..., None, None]
        self._pull = np.linalg.pinv((across @ seen.loose).sum(axis=1), rcond=1e-9, hermitian=True)[:, None] @ across
        """`[frame, seen, 3, 3]`: the displacement is the sum of pull · residual."""
        if held is not None:
            self.carriers = np.concatenate([seen.carriers, held.carriers])
            self.offsets = np.concatenate([seen.offsets, held.offsets])
            self.weights = np.concatenate([seen.weights, held.weights], axis=1)
            whole = np.broadcast_to(np.eye(3), (frames, len(held.carriers), 3, 3))
            self._maps = np.concatenate([seen.maps, whole], axis=1)
            self._aims = np.concatenate([seen.aims, held.places], axis=1)

    @property
    def bodies(self) -> set[int]:
        return set(self.carriers.tolist())

    def positions(self, pose: Pose) -> Array:
        """`[frame, point, 3]`."""
        return positions_of(pose, self.carriers, self.offsets)

    def evaluate(self, pose: Pose) -> tuple[Array, Array]:
        positions = self.positions(pose)
        residual = (self._maps @ positions[..., None])[..., 0] - self._aims
        away = np.einsum("tpij,tpj->ti", self._pull, residual[:, : self.count])
        residual[:, : self.count] -= np.einsum("tpij,tj->tpi", self._loose, away)
        return self._scale * residual, self._scale * positions

    def normal_equations(self, pose: Pose, residual: Array, rows: Array, motions: Motions) -> tuple[Array, Array]:
        del pose
        out = np.empty((*rows.shape[:2], 3, motions.free))
        for k, joint in enumerate(self.carriers.tolist()):
            _move_point(motions[joint], rows, self._maps, k, out)
        if self._loose.any():
            _displace(out, self._pull, self._loose)
        return normal_equations_of(out.reshape(len(rows), -1, motions.free), self.weights, residual)


def positions_of(pose: Pose, carriers: Indices, offsets: Array) -> Array:
    """`[frame, point, 3]` of points on a body."""
    world = pose.world_from_joint[:, carriers]
    return (world[..., :3, :3] @ offsets[:, :, None])[..., 0] + world[..., :3, 3]


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
def _displace(out, pull, loose):
    """out[:, point] −= loose · Σ pull · out for observed points: the derivative after the displacement."""
    away = np.empty(3)
    for t in range(out.shape[0]):
        for c in range(out.shape[3]):
            away[:] = 0.0
            for k in range(pull.shape[1]):
                for i in range(3):
                    for j in range(3):
                        away[i] += pull[t, k, i, j] * out[t, k, j, c]
            for k in range(pull.shape[1]):
                for i in range(3):
                    for j in range(3):
                        out[t, k, i, c] -= loose[t, k, i, j] * away[j]
