"""The stage: drawing has its own coordinates: z up, the ground at z = 0, the figure about 1 high in any file's unit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.spatial import Array

_STAGE_FROM_UP = {"z": np.eye(3), "y": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])}  # figures face +x on the stage


@dataclass(frozen=True, eq=False)
class Stage:
    """stage point = rotation @ (world point - origin) / size. `radius`: extent of the action, in stage lengths."""

    origin: Array
    turn: Array
    size: float
    radius: float

    @classmethod
    def around(cls, points: ArrayLike, up: str, feet: ArrayLike | None = None, ground: float | None = None) -> Stage:
        """The stage on which all `points [point, 3]` stand; of these, `feet [point, 3]` are to be on its ground.

        ground: its height in the world, where that is known.
        """
        turn = _STAGE_FROM_UP[up]
        local = np.asarray(points, float).reshape(-1, 3) @ turn.T
        low, high = local.min(axis=0), local.max(axis=0)
        extent = high - low
        size = float(max(extent[2], 0.4 * extent.max())) or 1.0
        if ground is None:
            stands = low[2] if feet is None else (np.asarray(feet, float) @ turn.T)[:, 2].min()
            ground = _ground(float(stands), float(low[2]), float(high[2]))
        middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, ground])
        radius = math.hypot(extent[0], extent[1]) / 2 / size
        return cls(middle @ turn, turn, size, radius)

    def place(self, points: ArrayLike) -> NDArray[np.float32]:
        """World points `[..., 3]` on the stage, float32."""
        return np.ascontiguousarray((np.asarray(points, float) - self.origin) @ (self.turn.T / self.size), np.float32)

    def place_directions(self, directions: ArrayLike) -> Array:
        """World directions `[..., 3]` on the stage."""
        return np.asarray(directions, float) @ self.turn.T


def _ground(stands: float, lowest: float, highest: float) -> float:
    """The world's zero where the figure stands on it or jumps a little above it; else what it stands on, unless that
    is high up in it.
    """
    height = highest - lowest
    if -0.01 * height <= stands <= 0.5 * height:
        return 0.0
    return stands if stands - lowest <= 0.5 * height else lowest
