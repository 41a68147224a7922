"""The way from one pose to another, as a clip that starts and stops softly."""

from __future__ import annotations

import numpy as np

import posable

_HOLD = 0.5  # seconds at the end, to see the result


def eased(start: posable.Pose, end: posable.Pose, seconds: float, fps: float = 30.0) -> posable.Clip:
    """The clip start ⊕ s(t) · (end ⊖ start), s = 10 t³ − 15 t⁴ + 6 t⁵: minimum jerk (Flash & Hogan 1985).

    It gets there in `seconds` and then stays for half a second. Both poses must belong to one skeleton.
    """
    frames = round((seconds + _HOLD) * fps) + 1
    t = np.minimum(np.arange(frames) / (seconds * fps), 1.0)
    course = t**3 * (10 + t * (6 * t - 15))
    return posable.Clip(start.skeleton, start.plus(course[:, None] * end.minus(start)).q, fps, "reach")
