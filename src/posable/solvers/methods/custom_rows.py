"""Custom goals as rows beside those of the others: Python, one problem after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from posable.errors import GoalError
from posable.goals import Custom
from posable.skeleton import Pose
from posable.spatial import Array


class CustomRows(NamedTuple):
    """What several Custom goals give for a batch of poses."""

    residual: Array  # [problem, row]
    left: Array  # [problem, goal] the length of each goal's rows
    weights: Array  # [row]


def custom_rows(goals: Sequence[Custom], pose: Pose) -> CustomRows:
    """The rows at the poses `[problem]`. Raises GoalError for what are no finite numbers, always equally many."""
    parts = [_same_everywhere(goal, [goal.residual(pose[n]) for n in range(len(pose))]) for goal in goals]
    left = np.stack([np.linalg.norm(part, axis=1) for part in parts], axis=1)
    weights = [np.full(part.shape[1], float(goal.weight)) for goal, part in zip(goals, parts, strict=True)]
    return CustomRows(np.concatenate(parts, axis=1), left, np.concatenate(weights))


def custom_jacobians(goals: Sequence[Custom], pose: Pose) -> Array:
    """`[problem, row, dof]` the derivatives of the residuals."""
    return np.stack([np.concatenate([goal.jacobian(pose[n]) for goal in goals]) for n in range(len(pose))])


def _same_everywhere(goal: Custom, rows: list[Array]) -> Array:
    """`[problem, row]`; no rows where there are no problems."""
    sizes = {len(row) for row in rows}
    if len(sizes) > 1:
        raise GoalError(f"{goal._label} gave {min(sizes)} numbers for one pose and {max(sizes)} for another")
    return np.array(rows).reshape(len(rows), max(sizes, default=0))
