"""Stay: the whole figure is to keep near a pose, as far as the other goals leave it free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.errors import GoalError
from posable.goals.goal import is_number
from posable.skeleton import Pose
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Stay:
    """Every freedom is to stand as in `pose`: a soft goal, met only in the freedom that the hard ones leave.

    pose: one pose, or a batch. weight: how much against other soft goals.
    The residual is the tangent from the pose in hand to `pose`, `[..., dof]`.
    Raises GoalError for what is not a pose, or a weight that is not above 0.
    """

    pose: Pose
    weight: float = 1e-3

    def __post_init__(self) -> None:
        if not isinstance(self.pose, Pose):
            raise GoalError(f"Stay needs a Pose to stay at, not {type(self.pose).__name__}")
        if not (is_number(self.weight) and 0 < self.weight < np.inf):
            raise GoalError(f"Stay: weight must be a number above 0, not {self.weight!r}")

    def residual(self, pose: Pose) -> Array:
        """What is left to do, `[..., dof]`: the tangent from `pose` to the pose to stay at."""
        return self.pose.minus(pose)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[..., dof, dof]`: −1, and for rotations −Jr⁻¹(r) in the
        joint's frame.
        """
        from posable.goals.evaluation import stay_jacobians

        return stay_jacobians(pose.skeleton, self.residual(pose))

    def marks(self, pose: Pose) -> tuple[()]:
        """Nothing to show."""
        del pose
        return ()
