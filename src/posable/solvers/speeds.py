"""How fast joints may be, as steps between frames."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import is_number
from posable.skeleton import Skeleton
from posable.spatial import Array


def speed_steps(
    skeleton: Skeleton, fps: float, speed: ArrayLike | None, acceleration: ArrayLike | None
) -> Array | None:
    """`[2, dof]` the largest step a frame and the largest change of it; None where there are no limits."""
    if not (is_number(fps) and 0 < fps < np.inf):
        raise GoalError(f"fps must be a number above 0, not {fps!r}")
    if speed is None and acceleration is None:
        return None
    steps = np.full((2, skeleton.dof), np.inf)
    for k, (what, value) in enumerate((("speed", speed), ("acceleration", acceleration))):
        if value is not None:
            try:
                steps[k] = np.asarray(value, float) / fps ** (k + 1)
            except (TypeError, ValueError) as problem:
                raise GoalError(f"{what} must be a number or {skeleton.dof} numbers, not {value!r}") from problem
            if not (steps[k] > 0).all():
                raise GoalError(f"{what} must be above 0 everywhere, not {value!r}")
    return steps
