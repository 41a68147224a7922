"""Torsion: joints as straight as the other goals allow."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from posable.goals.rows import Spring
from posable.goals.soft import SoftGoal, elasticities
from posable.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Torsion(SoftGoal):
    """A soft goal: rotating joints are pulled to angle zero, balls to their rest rotation, so that a chain untangles.

    Slides and free roots are not pulled. Joints with an elasticity (`Joint.elasticity`) resist in proportion to it.

    Args:
        weight: Strength against other soft goals, above 0.

    Raises:
        GoalError: For a weight that is not above 0.

    Example:
        >>> tentacle = posable.figure("tentacle")
        >>> goals = [posable.Reach("tip", (0.5, 0.5, 0.3)), posable.Torsion()]
        >>> solution = posable.solve(tentacle.rest, goals)
    """

    weight: float = 1e-3

    def __post_init__(self) -> None:
        self._check_soft_weight()

    def structure(self) -> Hashable:
        return Torsion, self.weight

    def spring(self, skeleton: Skeleton) -> Spring:
        q = np.zeros(skeleton.coordinates)
        q[skeleton.quaternion_columns[:, :1]] = 1.0
        weight = np.where(skeleton.slides, 0.0, self.weight * elasticities(skeleton))
        for j, joint in enumerate(skeleton.definitions):
            if joint.floating:
                weight[list(skeleton.freedom_range(j))] = 0.0
        zero = np.zeros(skeleton.dof)
        return Spring(q, zero, zero, weight)
