"""Comfort: joints near a comfortable value or within a comfortable range."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from posable.errors import GoalError
from posable.goals.rows import Spring
from posable.goals.soft import SoftGoal, elasticities
from posable.skeleton import Skeleton
from posable.spatial import Array

Value = float | tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Comfort(SoftGoal):
    """A soft goal: joints are drawn to a comfortable value, or into a comfortable range inside which nothing pulls.

    Args:
        values: By joint or single axis, {"elbow": 0.4, "knee": (0.1, 0.6), "head": (1, 0, 0, 0)}: a value (radians, or
            the length unit of a slide), a range (from, to), or wxyz for a ball. If None, what the skeleton's own joints
            state (`Joint.comfort`), and the rest pose for those that state nothing; elastic joints
            (`Joint.elasticity`) resist in proportion to it, so that a bend spreads over many, more over the limp ones.
        weight: Strength against other soft goals, above 0.

    Raises:
        GoalError: For a weight that is not above 0, or an invalid value, range or wxyz.
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> relaxed = posable.Comfort({"forearm_r": (0.1, 0.6)})
    """

    values: Mapping[str, Value] | None = None
    weight: float = 1e-3

    def __post_init__(self) -> None:
        self._check_soft_weight()
        if self.values is not None and not isinstance(self.values, Mapping):
            raise GoalError(f"Comfort: values are {{joint: value}}, as in {{'knee': 0.4}}, not {self.values!r}")
        for name, value in (self.values or {}).items():
            numbers = np.atleast_1d(np.asarray(value, float)) if _is_numeric(value) else np.array([np.nan])
            if numbers.shape not in ((1,), (2,), (4,)) or not np.isfinite(numbers).all():
                raise GoalError(f"Comfort: {name!r} needs a value, a range (from, to) or wxyz, not {value!r}")
            if numbers.shape == (4,) and np.linalg.norm(numbers) < 1e-9:
                raise GoalError(f"Comfort: {name!r} has wxyz of length 0; the neutral one is (1, 0, 0, 0)")
            if numbers.shape == (2,) and numbers[0] > numbers[1]:
                raise GoalError(f"Comfort: {name!r} needs a range with the lower end first, not {value!r}")

    def structure(self) -> Hashable:
        values = ((name, tuple(np.ravel(np.asarray(value, float)))) for name, value in (self.values or {}).items())
        return Comfort, self.weight, self.values is None, tuple(values)

    def spring(self, skeleton: Skeleton) -> Spring:
        low = np.full(skeleton.dof, np.nan)
        high = low.copy()
        q = np.array(skeleton.rest_coordinates)
        own = _stated(skeleton) if self.values is None else self.values
        for name, value in own.items():
            numbers = np.atleast_1d(np.asarray(value, float))
            freedoms = np.flatnonzero(skeleton.freedom_mask([name]))
            if len(numbers) == 4:
                q[_rotation_of(skeleton, name)] = numbers / np.linalg.norm(numbers)
                low[freedoms] = high[freedoms] = 0.0
            else:
                low[freedoms], high[freedoms] = numbers[0], numbers[-1]
        return _spring(skeleton, q, low, high, self)


def _spring(skeleton: Skeleton, q: Array, low: Array, high: Array, goal: Comfort) -> Spring:
    """A range becomes its middle and a band; a ball's ranges lie about its rotation in `q`."""
    weight = np.where(np.isnan(low), 0.0, float(goal.weight))
    below, above = np.zeros(skeleton.dof), np.zeros(skeleton.dof)
    coordinates = skeleton.tables.first_coordinate
    for j, joint in enumerate(skeleton.definitions):
        own = skeleton.freedom_range(j)
        for k, d in enumerate(own):
            if np.isnan(low[d]):
                if goal.values is None and not joint.floating:
                    weight[d] = float(goal.weight)
            elif joint.has_quaternion and k >= joint.dof - 3:
                below[d], above[d] = -low[d], high[d]
            else:
                center = (low[d] + high[d]) / 2
                q[coordinates[j] + k] = center
                below[d], above[d] = center - low[d], high[d] - center
    if goal.values is None:
        weight = weight * elasticities(skeleton)
    return Spring(q, below, above, weight)


def _stated(skeleton: Skeleton) -> dict[str, Value]:
    """What the joints themselves say, per freedom."""
    return {
        f"{joint.name}.{name}": pair
        for joint in skeleton.definitions
        for name, pair in zip(joint.freedom_names, joint.comfort or (), strict=False)
    }


def _rotation_of(skeleton: Skeleton, name: str) -> slice:
    j = skeleton.index(name)
    if not skeleton.definitions[j].has_quaternion:
        raise GoalError(f"Comfort: {name!r} is not a ball joint, so it takes no wxyz")
    end = int(skeleton.tables.first_coordinate[j + 1])
    return slice(end - 4, end)


def _is_numeric(value: object) -> bool:
    try:
        np.asarray(value, float)
    except (TypeError, ValueError):
        return False
    return True
