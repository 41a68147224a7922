"""The depth of key points in a picture, and the up direction, by a network trained on recordings of people."""

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
"""The input points of the network."""
GROUPS = (("nose", "ear_l", "ear_r"), ("heel_l", "heel_r", "toe_l", "toe_r"), ("crown",))
"""Points that a convention either has or lacks together."""
SPACING, BEFORE = 1 / 15, 4
"""Seconds between two input moments, and their number before and after the current one."""

UNFAMILIAR = 2.0
"""Factor of the uncertainty on the training recordings: a person may move unlike all of those."""

Floats = NDArray[np.floating]


class Depths(NamedTuple):
    """The output of the network for each frame.

    depth: `[frame, point]` towards the viewer from the middle of the hips, in the unit of the points; spread: its
    uncertainty. up: `[frame, 3]` unit vectors, x to the right, y up in the picture, z to the viewer.
    """

    depth: Array
    spread: Array
    up: Array


def described(flat: Floats, known: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """(the network's input `[batch, number]`, the sizes `[batch]` in which its depths are measured).

    flat: `[batch, moment, point, 2]` in a plane across the view, y up; known: `[batch, moment, point]`.
    """
    seen = known[..., None].astype(np.float32)
    count = np.maximum(seen.sum(axis=2, keepdims=True), 1.0)
    near = (flat - (flat * seen).sum(axis=2, keepdims=True) / count) * seen
    size = np.sqrt((near**2).sum(axis=(1, 2, 3)) / np.maximum(seen.sum(axis=(1, 2, 3)), 1.0))
    near = near / np.maximum(size, 1e-9)[:, None, None, None]
    inputs = np.concatenate([near.reshape(len(flat), -1), 0.5 * known.reshape(len(flat), -1)], axis=1)
    return inputs.astype(np.float32), size


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    kept = resources.files("posable.motion.key_points").joinpath("depth.npz").read_bytes()
    with np.load(io.BytesIO(kept), allow_pickle=False) as read:
        return {name: read[name].astype(np.float32) for name in read.files}


def depths(flat: Array, known: NDArray[np.bool_], fps: float) -> Depths:
    """The network's depths of points `[frame, point, 2]` in a plane across the view, y up.

    known: `[frame, point]`, which of POINTS are seen.
    """
    weights, frames, points = _weights(), np.arange(len(flat)), len(POINTS)
    steps = np.round(np.arange(-BEFORE, BEFORE + 1) * SPACING * fps).astype(int)
    window = np.clip(frames[:, None] + steps, 0, len(flat) - 1)
    inputs, lengths = described(np.where(known[..., None], flat, 0.0)[window], known[window])
    size = lengths.astype(float)
    for layer in ("first", "second"):
        inputs = inputs @ weights[layer] + weights[f"{layer}_bias"]
        inputs = np.where(inputs > 0, inputs, np.float32(0.1) * inputs)
    outputs = np.asarray(inputs @ weights["last"] + weights["last_bias"], float)
    up = outputs[:, 2 * points : 2 * points + 3]
    return Depths(
        outputs[:, :points] * size[:, None],
        UNFAMILIAR * np.exp(np.clip(outputs[:, points : 2 * points], -5.0, 1.0)) * size[:, None],
        up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9),
    )
