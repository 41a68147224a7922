"""The rows that goals hand to solvers, and what a solver needs to know of whoever states them."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from posable.errors import GoalError
from posable.skeleton import Skeleton
from posable.spatial import Array

LARGEST = 1e15
CONSTANTS = 16


class Row(NamedTuple):
    """One term of a goal, for kernels: up to three numbers to be brought to zero."""

    kind: int
    joint: int
    weight: float
    form: int
    """How the goal's target numbers are read."""
    constants: tuple[float, ...] = ()
    """What the kind needs besides the target, at most CONSTANTS numbers; a local point or direction first."""
    other: int = -1
    """A second joint that takes part, or -1."""
    third: int = -1
    level: int = 0
    """0 is met first, the others only in the freedom that is left."""
    counts: bool = True
    """Whether the solve has reached only once this is within its tolerance; what does not count has a level above 0."""
    slack: float = 0.0
    """What may be left besides the tolerance, in reaches."""
    at: int = 0
    """Where among the goal's numbers those of the term begin."""


class Mark(NamedTuple):
    """Something to show in a picture: a "point", a "frame" or a "sight" line at `place [3]`, for a joint."""

    kind: str
    joint: str
    place: Array
    wxyz: Array | None = None


class StatesRows(Protocol):
    """What states rows: a goal."""

    SHAPE: ClassVar[tuple[int, ...]]
    """The last axes of the target."""

    @property
    def given(self) -> Array:
        """The target, `[..., *SHAPE]`."""
        ...

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        """The terms for the compiled solver."""
        ...


def body_masses(skeleton: Skeleton) -> Array:
    """`[joint, 4]`: the share of the whole mass, and its centre in the joint's frame. Raises GoalError without mass."""
    rows = np.array([((joint.mass or 0.0), *joint.mass_center) for joint in skeleton.definitions])
    total = rows[:, 0].sum()
    if not (is_number(total) and total > 0):
        raise GoalError(
            "no joint of this figure has a mass, which Balance and Gravity need; state masses in its file, or use "
            "posable.with_masses(figure)"
        )
    rows[:, 0] /= total
    return rows


def check_level(goal: Any) -> None:
    """GoalError unless the goal's `priority` is one."""
    value = goal.priority
    if not (is_number(value) and 0 <= value < 8 and value == int(value)):
        raise GoalError(f"{goal._label}: priority must be a whole number from 0 (met first) to 7, not {value!r}")


def is_number(value: object) -> bool:
    """Whether `value` is a plain real number."""
    return type(value) in _PLAIN or (isinstance(value, _REAL) and type(value) is not bool)


_PLAIN, _REAL = (float, int), (int, float, np.integer, np.floating)
