"""Sweeps of numerical gradient descent over errors that only Python knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose
from posable.solvers.methods.gradient_sweeps import Sweep
from posable.spatial import Array


class Look(NamedTuple):
    """What is seen of a batch of poses."""

    error: Array  # [problem]
    calm: Array  # [problem] what the steps are to be shortened by
    arrived: NDArray[np.bool_]  # [problem]


def sweep_in_python(look: Callable[[Pose], Look], s: Sweep, pose: Pose, rates: Array) -> tuple[Pose, Array]:
    """As `gradient_sweeps.sweep_all`, for another error: (poses, errors `[problem, 2]` before and after)."""
    seen = look(pose)
    before = seen.error
    slopes = _gradient(look, s, pose, before) if s.normalized else None
    for k, (d, _) in enumerate(s.order.tolist()):
        if seen.arrived.all():
            break
        slope = _slope(look, s, pose, seen.error, d) if slopes is None else slopes[:, k]
        by = np.clip(-rates * seen.calm * slope, -s.largest, s.largest)
        pose = _moved(s, pose, d, np.where(seen.arrived, 0.0, by)).clamped()
        seen = look(pose)
    return pose, np.stack([before, seen.error], axis=1)


def _gradient(look: Callable[[Pose], Look], s: Sweep, pose: Pose, error: Array) -> Array:
    """`[problem, turn]` of length 1, or 0 where it vanishes."""
    slopes = np.stack([_slope(look, s, pose, error, d) for d in s.order[:, 0].tolist()], axis=1)
    length = np.linalg.norm(slopes, axis=1, keepdims=True)
    return slopes / np.where(length > 0.0, length, 1.0)


def _slope(look: Callable[[Pose], Look], s: Sweep, pose: Pose, error: Array, d: int) -> Array:
    return (look(_moved(s, pose, d, np.full(len(pose), s.sampling))).error - error) / s.sampling


def _moved(s: Sweep, pose: Pose, d: int, by: Array) -> Pose:
    """Freedom `d` moved by radians or reaches `[problem]`."""
    v = np.zeros((len(pose), len(s.unit)))
    v[:, d] = by * s.unit[d]
    return pose.plus(v)
