"""Recorded angles as a few numbers: harmonics of the stride, and the quadratics of the plain form."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from posable.motion.gait.closure import double_support
from posable.motion.gait.quadratic import QuadraticGait, quadratic
from posable.motion.gait.strides import Strides
from posable.spatial import Array

HARMONICS = {"thigh": 3, "knee": 5, "ankle": 5}
"""How many each angle is given."""


def curve(numbers: ArrayLike, phase: ArrayLike) -> Array:
    """The sum mean + cos·c₁ + sin·s₁ + cos 2·c₂ … of `[mean, c₁, s₁, …]` at `phase [...]`, in strides."""
    return _waves(np.asarray(phase, float), len(np.asarray(numbers)) // 2) @ np.asarray(numbers, float)


def _waves(phase: Array, count: int) -> Array:
    turns = 2 * np.pi * phase[..., None] * np.arange(1, count + 1)
    pairs = np.stack([np.cos(turns), np.sin(turns)], axis=-1).reshape(*phase.shape, 2 * count)
    return np.concatenate([np.ones((*phase.shape, 1)), pairs], axis=-1)


def pieces(strides: Strides) -> list[tuple[Array, Array]]:
    """Every whole stride of either leg: (phase `[frame]` from its landing, thigh, knee and ankle `[frame, 3]`, rad)."""
    found = []
    for leg, lands in enumerate(strides.lands):
        for begin, end in pairwise(lands):
            frame = np.arange(int(np.ceil(begin)), int(np.floor(end)) + 1)
            thigh, shin, sole = strides.angles[frame, leg].T
            found.append(((frame - begin) / (end - begin), np.stack([thigh, thigh - shin, sole - shin], axis=-1)))
    return found


def fitted_curves(strides: list[tuple[Array, Array]]) -> dict[str, tuple[float, ...]]:
    """thigh_curve, knee_curve and ankle_curve in degrees, by least squares over all the given strides."""
    phase = np.concatenate([one for one, _ in strides])
    angles = np.degrees(np.concatenate([one for _, one in strides]))
    found = {}
    for k, (name, count) in enumerate(HARMONICS.items()):
        numbers, *_ = np.linalg.lstsq(_waves(phase, count), angles[:, k], rcond=None)
        found[f"{name}_curve"] = tuple(map(float, numbers))
    return found


def fitted_quadratics(
    strides: list[tuple[Array, Array]], step: float, *, thigh: float, shin: float, foot: float
) -> QuadraticGait:
    """The plain form nearest to the strides in the mean: two shins as a step begins, and four parabolas through it."""
    from scipy.optimize import least_squares

    phase = np.concatenate([one for one, _ in strides])
    angles = np.concatenate([one for _, one in strides])
    lengths = {"thigh": thigh, "shin": shin, "foot": foot}
    at = np.where(phase < 0.5, phase, phase - 0.5) * 2
    standing = phase < 0.5
    recorded = np.stack([angles[:, 0], angles[:, 0] - angles[:, 1]], axis=-1) - np.pi / 2

    def gait_of(numbers: Array) -> QuadraticGait:
        ways = tuple((0.5, float(value)) for value in numbers[2:])
        return QuadraticGait(thigh, shin, foot, step, float(numbers[0]), float(numbers[1]), ways)

    def misses(numbers: Array) -> Array:
        a1, a2, _ = double_support((step, 0.0), (0.0, 0.0), numbers[0], numbers[1], **lengths)
        starts, ends = (a1, numbers[0], a2, numbers[1]), (a2, numbers[1], a1, numbers[0])
        four = [quadratic(b, e, 0.5, v, at) for b, e, v in zip(starts, ends, numbers[2:], strict=True)]
        own = np.where(standing[:, None], np.stack(four[:2], axis=-1), np.stack(four[2:], axis=-1))
        return (own - recorded).ravel()

    first = np.array([-1.66, -2.1, -1.47, -1.7, -1.2, -2.4])
    return gait_of(least_squares(misses, first).x)
