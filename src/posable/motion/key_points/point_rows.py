"""Camera observations of points on a body as rows of a whole-clip solve: accurate across the ray, uncertain
along it.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.motion.markers.marker_model import Indices
from posable.motion.whole_clip.clip_rows import Motions
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

    def __init__(self, skeleton: Skeleton, seen: Seen) -> None:
        self._scale = 1.0 / skeleton.reach
        self.carriers, self.offsets, self.weights = seen.carriers, seen.offsets, seen.weights
        self._maps, self._aims = seen.maps, seen.aims
        self._loose = np.ascontiguousarray(seen.loose)
        across = np.swapaxes(seen.loose, 2, 3) * seen.weights[..., None, None]
        self._inverse = np.linalg.pinv((across @ seen.loose).sum(axis=1), rcond=1e-9, hermitian=True)
        self._pull = self._inverse[:, None] @ across
        """`[frame, seen, 3, 3]`: the displacement is the sum of pull · residual."""

    def holding(self, held: Held) -> PointRows:
        """The same with held points after the observed ones, for rows without any."""
        found, whole = copy(self), np.broadcast_to(np.eye(3), (*held.weights.shape, 3, 3))
        found.carriers = np.concatenate([self.carriers, held.carriers])
        found.offsets = np.concatenate([self.offsets, held.offsets])
        found.weights = np.concatenate([self.weights, held.weights], axis=1)
        found._maps = np.concatenate([self._maps, whole], axis=1)
        found._aims = np.concatenate([self._aims, held.places], axis=1)
        return found

    @property
    def bodies(self) -> set[int]:
        return set(self.carriers.tolist())

    def positions(self, pose: Pose) -> Array:
        """`[frame, point, 3]`."""
        return positions_of(pose, self.carriers, self.offsets)

    def evaluate(self, pose: Pose) -> tuple[Array, Array]:
        positions = self.positions(pose)
        residual = np.empty_like(positions)
        _fill_residuals(positions, self._maps, self._aims, self._pull, self._loose, self._scale, residual)
        return residual, self._scale * positions

    def normal_equations(self, pose: Pose, residual: Array, rows: Array, motions: Motions) -> tuple[Array, Array]:
        del pose
        above = motions.above[self.carriers]
        blocks, gradient = np.empty((len(rows), motions.free, motions.free)), np.empty((len(rows), motions.free))
        own = (motions.rows[0], above, _below_both(above))
        _fill_normal_equations(
            self.weights, residual, rows, self._maps, self._loose, self._inverse, *own, blocks, gradient
        )
        return blocks, gradient


def _below_both(above: Array) -> NDArray[np.bool_]:
    """`[free, free]` whether the second of two freedoms moves all points that the first one moves, and these are some.

    above: `[point, free]` 1 for a freedom that moves the point.
    """
    return ((1.0 - above).T @ above == 0).T & (above.sum(axis=0) > 0)[:, None]


def positions_of(pose: Pose, carriers: Indices, offsets: Array) -> Array:
    """`[frame, point, 3]` of points on a body."""
    world = pose.world_from_joint[:, carriers]
    return (world[..., :3, :3] @ offsets[:, :, None])[..., 0] + world[..., :3, 3]


@kernel
def _fill_residuals(positions, maps, aims, pull, loose, scale, out):
    """scale · (maps · position − aims) after the displacement of all observed points that makes it least."""
    away, own = np.empty(3), np.empty(3)
    for f in range(out.shape[0]):
        away[:] = 0.0
        for k in range(out.shape[1]):
            for i in range(3):
                own[i] = -aims[f, k, i]
                for j in range(3):
                    own[i] += maps[f, k, i, j] * positions[f, k, j]
            for i in range(3):
                out[f, k, i] = scale * own[i]
                if k < pull.shape[1]:
                    for j in range(3):
                        away[i] += pull[f, k, i, j] * own[j]
        for k in range(pull.shape[1]):
            for i in range(3):
                for j in range(3):
                    out[f, k, i] -= scale * loose[f, k, i, j] * away[j]


@kernel
def _fill_normal_equations(weights, residual, positions, maps, loose, inverse, screws, above, within, blocks, gradient):
    """JᵀWJ and JᵀWr of residuals with the derivative J = (1 − L inverse LᵀW) A by the corrections, W r free of L.

    A of a point is its map on its motion v + ω × position. As all points move by the same screws, the sums of the
    points below a freedom are formed first, 6 × 6 each, as of composite bodies (Featherstone 2008, ch. 6). L: `loose
    [frame, seen, 3, 3]`. inverse: `[frame, 3, 3]`, that of LᵀWL. screws: `[frame, 6, free]` (ω, v). above: `[point,
    free]`; within: see `_below_both`.
    """
    points, free, seen = above.shape[0], above.shape[1], loose.shape[1]
    arms, own, forces, ties = (
        np.empty((3, 6)),
        np.empty((points, 6, 6)),
        np.empty((points, 6)),
        np.zeros((points, 3, 6)),
    )
    total, across, pulled = np.empty((6, 6)), np.empty((3, free)), np.empty(3)
    for f in range(weights.shape[0]):
        for k in range(points):
            _fill_point(weights[f, k], residual[f, k], positions[f, k], maps[f, k], arms, own[k], forces[k])
            if k < seen:
                _fill_tie(weights[f, k], loose[f, k], arms, ties[k])
        for c in range(free):
            if c == 0 or not _same(above, c, c - 1):
                total[:] = 0.0
                for k in range(points):
                    if above[k, c] != 0.0:
                        total += own[k]
            _fill_row(c, total, screws[f], within, blocks[f])
            gradient[f, c], across[:, c] = 0.0, 0.0
            for k in range(points):
                if above[k, c] != 0.0:
                    for a in range(6):
                        gradient[f, c] += forces[k, a] * screws[f, a, c]
                        for i in range(3):
                            across[i, c] += ties[k, i, a] * screws[f, a, c]
        for c in range(free):
            for d in range(free):
                if within[d, c] and not within[c, d]:
                    blocks[f, c, d] = blocks[f, d, c]
        for c in range(free):
            for i in range(3):
                pulled[i] = (
                    inverse[f, i, 0] * across[0, c] + inverse[f, i, 1] * across[1, c] + inverse[f, i, 2] * across[2, c]
                )
            if pulled[0] != 0.0 or pulled[1] != 0.0 or pulled[2] != 0.0:
                for d in range(free):
                    blocks[f, c, d] -= pulled[0] * across[0, d] + pulled[1] * across[1, d] + pulled[2] * across[2, d]


@inner_kernel
def _fill_tie(weight, loose, arms, out):
    """out: weight · looseᵀ arms."""
    for i in range(3):
        for a in range(6):
            out[i, a] = weight * (loose[0, i] * arms[0, a] + loose[1, i] * arms[1, a] + loose[2, i] * arms[2, a])


@inner_kernel
def _fill_row(c, total, screws, within, out):
    """out[c]: what the composite body below the freedom c makes of its motion, along the freedoms above it."""
    for d in range(out.shape[1]):
        out[c, d] = 0.0
    for a in range(6):
        moved = 0.0
        for b in range(6):
            moved += total[a, b] * screws[b, c]
        for d in range(out.shape[1]):
            if within[c, d]:
                out[c, d] += moved * screws[a, d]


@inner_kernel
def _same(above, c, d):
    """Whether two freedoms move the same points."""
    for k in range(above.shape[0]):  # noqa: SIM110 - compiled
        if above[k, c] != above[k, d]:
            return False
    return True


@inner_kernel
def _fill_point(weight, residual, position, m, arms, own, force):
    """arms: the derivative of a mapped point by (ω, v); own: weight · armsᵀ arms; force: weight · armsᵀ residual."""
    x, y, z = position[0], position[1], position[2]
    for i in range(3):
        arms[i, 0], arms[i, 1], arms[i, 2] = (
            m[i, 2] * y - m[i, 1] * z,
            m[i, 0] * z - m[i, 2] * x,
            m[i, 1] * x - m[i, 0] * y,
        )
        arms[i, 3], arms[i, 4], arms[i, 5] = m[i, 0], m[i, 1], m[i, 2]
    for a in range(6):
        force[a] = weight * (arms[0, a] * residual[0] + arms[1, a] * residual[1] + arms[2, a] * residual[2])
        for b in range(6):
            own[a, b] = weight * (arms[0, a] * arms[0, b] + arms[1, a] * arms[1, b] + arms[2, a] * arms[2, b])
