"""Soles that stay over the ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from posable.motion.clip_rows import Motions
from posable.motion.feet.soles import Sole
from posable.motion.feet.terrain import Terrain
from posable.motion.one_sided import Packed, Rows
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

Ground = Callable[[Array], tuple[Array, Array]]
"""From places `[frame, corner, 3]` to (how high the ground is there `[frame, corner]`, NaN for a hole; its unit normals
`[frame, corner, 3]`).
"""


class OverGround:
    """No corner of the soles is in the ground, square to it. grounds: of each foot. weight: of the squared depth."""

    def __init__(self, skeleton: Skeleton, soles: Sequence[Sole], grounds: Sequence[Ground], weight: float) -> None:
        self._soles, self._grounds, self._root = tuple(soles), tuple(grounds), float(np.sqrt(weight))
        self._up, self._joints = "xyz".index(skeleton.up), [skeleton.index(j) for s in soles for j in s.corner_joints]

    @property
    def bodies(self) -> list[int]:
        """As `OneSided` states it: those that carry the soles."""
        return self._joints

    def over(self, pose: Pose) -> Array:
        """As `OneSided` states it: one row a corner."""
        return self._deep(pose)[0]

    def near(self, pose: Pose, motions: Motions) -> Rows:
        """As `OneSided` states it: against the normal."""
        over, corners, normals = self._deep(pose)
        rows = Packed(over, self._root, motions.free)
        for row, at in rows.used():
            place = corners[at, row] / pose.skeleton.reach
            rows.push(row, at, place, -self._root * normals[at, row], motions[self._joints[row]])
        return rows.rows

    def _deep(self, pose: Pose) -> tuple[Array, Array, Array]:
        """(how deep each corner is `[frame, row]`, the corners and normals `[frame, row, 3]`)."""
        corners = [sole.corner_places(pose) for sole in self._soles]
        found = [ground(own) for ground, own in zip(self._grounds, corners, strict=True)]
        corner, normal = np.concatenate(corners, axis=1), np.concatenate([one[1] for one in found], axis=1)
        height = np.concatenate([one[0] for one in found], axis=1)
        deep = (height - corner[..., self._up]) * normal[..., self._up]
        return self._root * np.where(np.isfinite(deep), deep / pose.skeleton.reach, -1.0), corner, normal


def planes_at(terrain: Terrain, corners: Array) -> Ground:
    """The planes that touch the terrain at `corners [frame, corner, 3]`: a step's edge is no cliff to a descent so."""
    k = "xyz".index(terrain.up)
    height, normal = terrain.ground(corners)

    def ground(places: Array) -> tuple[Array, Array]:
        away = places - corners
        away[..., k] = 0.0
        return height - np.sum(normal * away, axis=-1) / normal[..., k], normal

    return ground


def deepest(pose: Pose, soles: Sequence[Sole], terrain: Terrain) -> float:
    """How far any corner of the soles is in the ground, at most; for a leg of 0.88 m."""
    return max(float(np.nanmax(-terrain.gap(sole.corner_places(pose)) / sole.scale)) for sole in soles)
