"""What a solver hands back: the same for every method."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.goals import Goal, Stay
from posable.goals.terms import POSITION
from posable.skeleton import Pose
from posable.solvers.holding import limits_that_hold
from posable.solvers.problem import Wishes
from posable.solvers.status import Status
from posable.spatial import Array


class GoalResult(NamedTuple):
    """How one goal came out: arrays `[...]` for a batch, numbers for one solve; None where a goal has no such error."""

    kind: str
    joint: str
    distance: Array | float | None
    """Metres (the figure's length unit) left."""
    angle: Array | float | None
    """Radians left."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pose found, what became of each goal, and why it ended so.

    pose: one pose, or a batch with the leading axes of start and targets. iterations: in all, restarts included.
    seconds: wall time of the solve. trace: with trace=True every intermediate pose, start first, on a leading axis;
    batches padded with the last.
    """

    pose: Pose
    wishes: Wishes = field(repr=False)
    iterations: NDArray[np.int64] | int
    seconds: float
    trace: Pose | None
    unmet: NDArray[np.bool_] = field(repr=False)
    judge: Callable[[], NDArray[np.int64]] = field(repr=False)

    @cached_property
    def status(self) -> Status | NDArray[np.int64]:
        """A `Status`, or for a batch an integer array `[...]` of the same numbers. What failed is looked into at first
        use.
        """
        codes = self.judge()
        return codes.reshape(self.pose.shape) if self.pose.shape else Status(int(codes[0]))

    @cached_property
    def goals(self) -> tuple[GoalResult, ...]:
        """How far each goal is from being met, in the order in which they were given; measured on the pose itself."""
        return tuple(_result(goal, self.pose) for goal in self.wishes.goals)

    @cached_property
    def at_limit(self) -> NDArray[np.bool_]:
        """`[..., dof]`: the freedoms that stand at a limit through which the unmet goals would push them.

        For a coned ball, x stands for its swing and y for its twist.
        """
        return limits_that_hold(self.pose, self.wishes.hard, self.unmet)

    @cached_property
    def singular(self) -> tuple[str, ...]:
        """The joints of position goals whose pose has lost a direction: a straight arm, say (of a batch: of any)."""
        return tuple(goal.joint for goal in self.wishes.hard if _is_singular(goal, self.pose))

    def describe(self, index: tuple[int, ...] = ()) -> str:
        """The outcome in a sentence for a person. index: which of a batch (the first if there are several and none is
        named).
        """
        from posable.solvers.description import describe

        return describe(self, index or (0,) * len(self.pose.shape))


def _result(goal: Goal | Stay, pose: Pose) -> GoalResult:
    kind = type(goal).__name__
    if isinstance(goal, Stay):
        return GoalResult(kind, "", None, None)
    index = pose.skeleton.index(goal.joint)
    distance = angle = None
    left = goal.residual(pose)
    for k, row in enumerate(goal.rows(pose.skeleton)):
        size = np.linalg.norm(left[..., 3 * k : 3 * k + 3], axis=-1)
        value = size if pose.shape else float(size)
        if row.kind == POSITION:
            distance = value
        else:
            angle = value
    return GoalResult(kind, pose.skeleton.joints[index], distance, angle)


def _is_singular(goal: Goal, pose: Pose) -> bool:
    rows = [k for k, row in enumerate(goal.rows(pose.skeleton)) if row.kind == POSITION and row.weight > 0]
    if not rows:
        return False
    jacobian = goal.jacobian(pose)[..., 3 * rows[0] : 3 * rows[0] + 3, :]
    values = np.linalg.svd(jacobian, compute_uv=False)
    rank_possible = min(3, jacobian.shape[-1])
    return bool((values[..., rank_possible - 1] <= 1e-6 * np.maximum(values[..., 0], math.ulp(1.0))).any())
