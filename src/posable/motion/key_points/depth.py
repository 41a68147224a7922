"""How deep the key points of a picture are, and which way is up: what recordings of people say."""

from __future__ import annotations

import io
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array

POINTS = (
    "nose", "ear_l", "ear_r", "crown", "shoulder_l", "shoulder_r", "elbow_l", "elbow_r", "wrist_l", "wrist_r",
    "hip_l", "hip_r", "knee_l", "knee_r", "ankle_l", "ankle_r", "heel_l", "heel_r", "toe_l", "toe_r",
)  # fmt: skip
"""The points that the network is told."""
GROUPS = (("nose", "ear_l", "ear_r"), ("heel_l", "heel_r", "toe_l", "toe_r"), ("crown",))
"""Those that a convention has or lacks together."""
SPACING, BEFORE = 1 / 15, 4
"""Seconds from one told moment to the next, and how many there are before and after the one that is asked of."""

UNFAMILIAR = 2.0
"""How much more uncertain than on recordings that it has learnt from: a person may do what none of those did."""

Floats = NDArray[np.floating]


class Depths(NamedTuple):
    """What the network says of each frame.

    depth: `[frame, point]` towards the viewer from the middle of the hips, in the unit of the points; spread: its
    uncertainty. up: `[frame, 3]` unit vectors, x to the right, y up in the picture, z to the viewer.
    """

    depth: Array
    spread: Array
    up: Array


def described(flat: Floats, known: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """(what the network is told `[batch, number]`, the sizes `[batch]` that its depths are told in).

    flat: `[batch, moment, point, 2]` in a plane across the view, y up; known: `[batch, moment, point]`.
    """
    said = known[..., None].astype(np.float32)
    count = np.maximum(said.sum(axis=2, keepdims=True), 1.0)
    near = (flat - (flat * said).sum(axis=2, keepdims=True) / count) * said
    size = np.sqrt((near**2).sum(axis=(1, 2, 3)) / np.maximum(said.sum(axis=(1, 2, 3)), 1.0))
    near = near / np.maximum(size, 1e-9)[:, None, None, None]
    told = np.concatenate([near.reshape(len(flat), -1), 0.5 * known.reshape(len(flat), -1)], axis=1)
    return told.astype(np.float32), size


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    kept = resources.files("posable.motion.key_points").joinpath("depth.npz").read_bytes()
    with np.load(io.BytesIO(kept), allow_pickle=False) as read:
        return {name: read[name].astype(np.float32) for name in read.files}


def depths(flat: Array, known: NDArray[np.bool_], fps: float) -> Depths:
    """What recordings of people say of points `[frame, point, 2]` in a plane across the view, y up.

    known: `[frame, point]`, which of POINTS are seen.
    """
    weights, frames, points = _weights(), np.arange(len(flat)), len(POINTS)
    steps = np.round(np.arange(-BEFORE, BEFORE + 1) * SPACING * fps).astype(int)
    window = np.clip(frames[:, None] + steps, 0, len(flat) - 1)
    told, lengths = described(np.where(known[..., None], flat, 0.0)[window], known[window])
    size = lengths.astype(float)
    for layer in ("first", "second"):
        told = told @ weights[layer] + weights[f"{layer}_bias"]
        told = np.where(told > 0, told, np.float32(0.1) * told)
    said = np.asarray(told @ weights["last"] + weights["last_bias"], float)
    up = said[:, 2 * points : 2 * points + 3]
    return Depths(
        said[:, :points] * size[:, None],
        UNFAMILIAR * np.exp(np.clip(said[:, points : 2 * points], -5.0, 1.0)) * size[:, None],
        up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9),
    )
