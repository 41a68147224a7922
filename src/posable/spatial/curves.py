"""Smooth steps from 0 to 1, for blends without a visible start or end."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posable.spatial.rotations import Array


def smoothstep(x: ArrayLike) -> Array:
    """0 below 0, 1 above 1, between without a jump in speed: 3x² − 2x³."""
    x = np.clip(np.asarray(x, float), 0.0, 1.0)
    return x * x * (3 - 2 * x)


def smootherstep(x: ArrayLike) -> Array:
    """0 below 0, 1 above 1, with no jump in the first two derivatives: 6x⁵ − 15x⁴ + 10x³, the course of minimum jerk
    (Flash & Hogan 1985).
    """
    x = np.clip(np.asarray(x, float), 0.0, 1.0)
    return x * x * x * (10 + x * (6 * x - 15))
