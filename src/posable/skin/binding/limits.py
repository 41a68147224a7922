"""Weights made fit for use: smooth, few, summing to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.surface import Surface
from posable.skin.geometry.smoothing import edges, smoothing_step
from posable.skin.mesh import Indices
from posable.spatial import Array

_DROPPED, _WHOLE = 0.025, 0.05  # weights below the first go, from the second on they stay, between them they fade in


def smoothed(weights: Array, surface: Surface, rounds: int) -> Array:
    """`weights [place, bone]` after `rounds`, in each of which a place goes half way to the mean of its neighbours."""
    if not rounds:
        return weights
    step = smoothing_step(len(weights), *edges(len(weights), surface.faces))
    for _ in range(rounds):
        weights = step @ weights
    return weights


def faded(weights: Array) -> Array:
    """Without the traces of far bones, as Blender's binding leaves them out; a row of nothing but traces is kept."""
    slope = _WHOLE / (_WHOLE - _DROPPED)
    kept = np.where(weights < _WHOLE, np.maximum(weights - _DROPPED, 0) * slope, weights)
    return np.where(kept.any(axis=1, keepdims=True), kept, np.maximum(weights, 0))


def strongest(weights: Array, influences: int) -> tuple[Indices, NDArray[np.float32]]:
    """(columns, weights), both `[place, influence]`: the largest of each row, largest first, brought to sum 1."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :influences]
    kept = np.take_along_axis(weights, order, axis=1)
    kept = kept[:, : max(int((kept > 0).sum(axis=1).max(initial=0)), 1)]
    order = np.where(kept > 0, order[:, : kept.shape[1]], order[:, :1])  # what weighs nothing names no new joint
    return order, (kept / kept.sum(axis=1, keepdims=True)).astype(np.float32)
