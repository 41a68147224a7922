"""What Reach, Orient and Place share: a target relative to a joint or a prop, a region, a priority."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal
from posable.goals.regions import Box, Region, Segment
from posable.skeleton import Cone, Skeleton
from posable.spatial import Array

if TYPE_CHECKING:
    from typing import Any

Relative = str | ArrayLike | None


def check_relative(goal: Any, places: bool, turns: bool) -> None:
    """Check `relative_to`, `within` and `priority` of a goal; a prop's frame becomes a read-only array."""
    if goal.relative_to is not None and not isinstance(goal.relative_to, str):
        frame = goal._checked("relative_to", goal.relative_to, (4, 4))
        check_rigid(goal, "relative_to", frame)
        goal._set("relative_to", frame)
    kinds = ((Segment, Box) if places else ()) + ((Cone,) if turns or places else ())
    if goal.within is not None and not isinstance(goal.within, kinds):
        names = ", ".join(kind.__name__ for kind in kinds)
        raise GoalError(f"{goal._label}: within must be one of {names}, not {goal.within!r}")
    goal._check_level()


def check_rigid(goal: Goal, what: str, matrix: Array) -> None:
    """GoalError unless the matrices are rigid transforms to 1e-6."""
    if matrix.ndim == 2:  # Python is quicker here
        (a, b, c, _), (d, e, f, _), (g, h, i, _), last = matrix.tolist()
        skew = max(
            abs(a * a + b * b + c * c - 1),
            abs(d * d + e * e + f * f - 1),
            abs(g - (b * f - c * e)),
            abs(h - (c * d - a * f)),
            abs(i - (a * e - b * d)),
            abs(a * d + b * e + c * f),
        )
        wrong_row = last != [0.0, 0.0, 0.0, 1.0] and max(abs(x - y) for x, y in zip(last, (0, 0, 0, 1), strict=True))
    else:
        turn = matrix[..., :3, :3]
        skew = np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0.0)
        skew = max(skew, np.abs(np.linalg.det(turn) - 1).max(initial=0.0))
        wrong_row = np.abs(matrix[..., 3, :] - (0, 0, 0, 1)).max(initial=0.0)
    if skew > 1e-6 or wrong_row > 1e-9:
        raise GoalError(f"{goal._label}: {what} is not a rigid transform (rotation part off by {skew:.2g})")


def relative_structure(relative_to: Relative, within: Region | None) -> Hashable:
    """What of the two shapes the rows: a prop's frame does not, it only moves the target."""
    return relative_to if isinstance(relative_to, str) else None, within


def other_joint(relative_to: Relative, skeleton: Skeleton, joint: int, label: str) -> int:
    """The index of the joint that a goal is relative to, or -1."""
    if not isinstance(relative_to, str):
        return -1
    other = skeleton.index(relative_to)
    if other == joint:
        raise GoalError(f"{label}: it cannot be relative to itself")
    return other


def prop(relative_to: Relative) -> Array | None:
    """The frame `[..., 4, 4]` of a prop, None where there is none."""
    return None if relative_to is None or isinstance(relative_to, str) else np.asarray(relative_to)
