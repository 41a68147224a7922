"""How much higher feet swing over what stands in their way: smooth, and never less than it takes.

The course of a swing, x from 0 to 1, is looked at over u = ln(x / (1 − x)), which spreads its ends out: a foot that has
just left the ground gains height as quickly as an edge right before it asks for, one in mid-swing slowly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from posable.spatial import Array

_ENDS, _SAMPLES = 4.8, 97  # u from −4.8 to 4.8: x from 0.8 to 99.2 % of the swing
_WIDTH = 9  # samples to either side within which height is gained and lost: 0.9 of u


@dataclass(frozen=True, eq=False)
class Lifts:
    """height: `[swing, sample]`, leg lengths, by which each swing is raised."""

    height: Array

    @classmethod
    def none(cls, swings: int) -> Lifts:
        return cls(np.zeros((swings, _SAMPLES)))

    @staticmethod
    def course() -> Array:
        """x of the samples."""
        return 1 / (1 + np.exp(-np.linspace(-_ENDS, _ENDS, _SAMPLES)))

    def at(self, swing: np.ndarray, x: Array) -> Array:
        """`[n]` at the part `x [n]` of each swing."""
        inside = np.clip(x, 1e-6, 1 - 1e-6)
        place = (np.log(inside / (1 - inside)) / _ENDS + 1) / 2 * (_SAMPLES - 1)
        low = np.clip(np.floor(place).astype(int), 0, _SAMPLES - 2)
        share = np.clip(place - low, 0.0, 1.0)
        return self.height[swing, low] * (1 - share) + self.height[swing, low + 1] * share

    def over(self, lack: Array) -> Lifts:
        """Raised further by at least `lack [swing, sample]` everywhere, smoothly, and not at all at the ends."""
        wide = np.pad(np.maximum(lack, 0.0), [(0, 0), (2 * _WIDTH, 2 * _WIDTH)])
        most = sliding_window_view(wide, 2 * _WIDTH + 1, axis=1).max(axis=-1)
        weight = 1 + np.cos(np.linspace(-np.pi, np.pi, 2 * _WIDTH + 1))
        more = sliding_window_view(most, 2 * _WIDTH + 1, axis=1) @ (weight / weight.sum())
        more[:, [0, -1]] = 0.0
        return Lifts(self.height + more)
