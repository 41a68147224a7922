"""Comfort: joints near a comfortable value or within a comfortable range."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posable.errors import GoalError, is_number
from posable.goals.rows import Spring
from posable.goals.soft import SoftGoal, elasticities
from posable.skeleton import Skeleton
from posable.spatial import Array

Value = float | Sequence[float] | None
WeightedValue = Value | tuple[Value, float]


@dataclass(frozen=True, eq=False)
class Comfort(SoftGoal):
    """A soft goal: joints are pulled to a comfortable value, or into a comfortable range within which nothing pulls.

    If the figure states any elasticity (`Joint.elasticity`), joints are pulled in proportion to it, so that a bend
    spreads over many joints, more over the limp ones.

    Args:
        values: By joint or single axis, a value, or (value, weight): {"elbow": 0.4, "neck": ((1, 0, 0, 0), 3.0)}. A
            value is a number (radians, or the length unit of a slide), a range ((from, to), weight), wxyz for a ball or
            a free joint's rotation, or None for the joint's own range (`Joint.comfort`) or else its rest:
            {"root": None} holds a free root, which is left alone unless it is named. The weight multiplies that of the
            goal; 1 if left out. If None, all joints, at None.
        weight: Strength against other soft goals, above 0.

    Raises:
        GoalError: For a weight that is not above 0, or an invalid value, range or wxyz.
        UnknownJointError: When it is solved on a figure without such a joint.

    Example:
        >>> relaxed = posable.Comfort({"forearm_r": ((0.1, 0.6), 1.0), "head": ((1, 0, 0, 0), 3.0), "root": None})
    """

    values: Mapping[str, WeightedValue] | None = None
    weight: float = 1e-3

    def __post_init__(self) -> None:
        self._check_soft_weight()
        if self.values is not None and not isinstance(self.values, Mapping):
            raise GoalError(f"Comfort: values are {{joint: value}}, as in {{'knee': 0.4}}, not {self.values!r}")
        self._read()

    def _read(self) -> tuple[tuple[str, tuple[float, ...] | None, float], ...]:
        """(joint or axis, its value, its weight) each. Raises GoalError."""
        return tuple((name, *_value_and_weight(name, given)) for name, given in (self.values or {}).items())

    def structure(self) -> Hashable:
        return Comfort, self.weight, self.values is None, self._read()

    def spring(self, skeleton: Skeleton) -> Spring:
        q, weight = np.array(skeleton.rest_coordinates), np.zeros(skeleton.dof)
        low, high, own = np.full(skeleton.dof, np.nan), np.full(skeleton.dof, np.nan), elasticities(skeleton)
        if self.values is None:
            weight = np.where(np.repeat(*_floating(skeleton)), 0.0, own)
        for name, pair in _stated(skeleton).items():
            freedoms = np.flatnonzero(skeleton.freedom_mask([name]))
            low[freedoms], high[freedoms] = pair
            if self.values is None:
                weight[freedoms] = own[freedoms]
        for name, value, share in self._read():
            freedoms = np.flatnonzero(skeleton.freedom_mask([name]))
            weight[freedoms] = share * np.where(own[freedoms] > 0, own[freedoms], 1.0)
            if value is not None and len(value) == 4:
                q[_rotation_of(skeleton, name)] = np.divide(value, np.linalg.norm(value))
                weight[freedoms[:-3]] = 0.0  # the position of a free joint
                low[freedoms] = high[freedoms] = 0.0
            elif value is not None:
                low[freedoms], high[freedoms] = value[0], value[-1]
        return _spring(skeleton, q, low, high, weight * float(self.weight))


def _value_and_weight(name: str, given: WeightedValue) -> tuple[tuple[float, ...] | None, float]:
    """(value, weight) of what was given for a joint. Raises GoalError."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    value, share = given if isinstance(given, Sequence) and len(given) == 2 else (given, 1.0)
    if not (is_number(share) and 0 < float(share) < np.inf):  # type: ignore[arg-type]
        raise GoalError(
            f"Comfort: the weight of {name!r}, after its value, is a number above 0, not {share!r}; "
            "a range is ((from, to), weight)"
        )
    if value is None:
        return None, float(share)  # type: ignore[arg-type]
    numbers = np.atleast_1d(np.asarray(value, float)) if _is_numeric(value) else np.array([np.nan])
    if numbers.shape not in ((1,), (2,), (4,)) or not np.isfinite(numbers).all():
        raise GoalError(f"Comfort: {name!r} needs a value, a range ((from, to), weight) or wxyz, not {given!r}")
    if numbers.shape == (4,) and np.linalg.norm(numbers) < 1e-9:
        raise GoalError(f"Comfort: {name!r} has wxyz of length 0; the neutral one is (1, 0, 0, 0)")
    if numbers.shape == (2,) and numbers[0] > numbers[1]:
        raise GoalError(f"Comfort: {name!r} needs a range with the lower end first, not {value!r}")
    return tuple(numbers.tolist()), float(share)  # type: ignore[arg-type]


def _floating(skeleton: Skeleton) -> tuple[list[bool], list[int]]:
    """For each joint whether it floats, and its number of degrees of freedom."""
    return [joint.floating for joint in skeleton.definitions], [joint.dof for joint in skeleton.definitions]


def _spring(skeleton: Skeleton, q: Array, low: Array, high: Array, weight: Array) -> Spring:
    """A range becomes its middle and a band; a ball's ranges lie about its rotation in `q`."""
    below, above = np.zeros(skeleton.dof), np.zeros(skeleton.dof)
    coordinates = skeleton.tables.first_coordinate
    for j, joint in enumerate(skeleton.definitions):
        for k, d in enumerate(skeleton.freedom_range(j)):
            if np.isnan(low[d]):
                continue
            if joint.has_quaternion and k >= joint.dof - 3:
                below[d], above[d] = -low[d], high[d]
            else:
                center = (low[d] + high[d]) / 2
                q[coordinates[j] + k] = center
                below[d], above[d] = center - low[d], high[d] - center
    return Spring(q, below, above, weight)


def _stated(skeleton: Skeleton) -> dict[str, tuple[float, float]]:
    """The comfortable ranges that the joints themselves state, by degree of freedom."""
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
