"""Custom: any error function of a pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.goal import Goal
from posable.goals.rows import check_level, is_number
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class Custom(Goal):
    """The numbers that `function(pose)` gives, one or several, are to be zero.

    function: takes one Pose, gives a number or `[m]`. jacobian: optional, takes one Pose, gives `[m, dof]`, the
        derivative along `pose.plus`; central differences are taken otherwise.
    weight: scales the squared error. tolerance: the length of the error within which it counts as met.
    priority: 0 is met first; a higher number acts only in the freedom that the lower ones leave. soft: it is met only
        as far as the freedom goes that all other goals leave, beside the soft goals, and never counts as missed.
    It runs in Python once and more per iteration, so a solve with it takes milliseconds.
    Raises GoalError for what is not callable, a negative weight or tolerance; when it is solved, for what the function
    gives if that is no finite numbers, always equally many.
    """

    function: Callable[[Pose], ArrayLike]
    jacobian_function: Callable[[Pose], ArrayLike] | None = None
    weight: float = 1.0
    tolerance: float = 1e-6
    priority: int = 0
    soft: bool = False

    joint = ""

    def __post_init__(self) -> None:
        for what in (self.function, self.jacobian_function or self.function):
            if not callable(what):
                raise GoalError(f"Custom needs a function of a pose, not {what!r}")
        for name in ("weight", "tolerance"):
            value = getattr(self, name)
            if not (is_number(value) and 0 <= value < np.inf):
                raise GoalError(f"{self._label}: {name} must be a number of at least 0, not {value!r}")
        check_level(self)
        if not isinstance(self.soft, bool):
            raise GoalError(f"{self._label}: soft is True or False, not {self.soft!r}")

    @property
    def _label(self) -> str:
        return f"Custom({getattr(self.function, '__name__', 'function')})"

    def structure(self) -> Custom:
        """Itself: another function is another problem."""
        return self

    def residual(self, pose: Pose) -> Array:
        """What is left, `[m]`, for one pose. Raises GoalError for what are no finite numbers."""
        return self._numbers(self.function(pose), 1)

    def always(self, count: int) -> Custom:
        """The same goal; its residual raises GoalError where it is not `count` numbers."""

        @wraps(self.function)
        def function(pose: Pose) -> Array:
            numbers = self.residual(pose)
            if len(numbers) != count:
                raise GoalError(f"{self._label} gave {count} numbers for one pose and {len(numbers)} for another")
            return numbers

        return replace(self, function=function)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[m, dof]`, for one pose."""
        if self.jacobian_function is not None:
            numbers, wanted = (
                self._numbers(self.jacobian_function(pose), 2),
                (len(self.residual(pose)), pose.skeleton.dof),
            )
            if numbers.shape != wanted:
                raise GoalError(f"{self._label}: its jacobian must have the shape {wanted}, not {numbers.shape}")
            return numbers
        goal, columns = self.always(len(self.residual(pose))), []
        for k in range(pose.skeleton.dof):
            v = np.zeros(pose.skeleton.dof)
            v[k] = _STEP
            columns.append((goal.residual(pose.plus(v)) - goal.residual(pose.plus(-v))) / (2 * _STEP))
        return np.stack(columns, axis=-1)

    def counts(self, skeleton: Skeleton) -> tuple[bool, bool]:
        del skeleton
        return self.weight > 0, self.weight > 0

    def _numbers(self, value: ArrayLike, axes: int) -> Array:
        try:
            numbers = np.asarray(value, float)
        except (TypeError, ValueError) as problem:
            raise GoalError(f"{self._label} gave {value!r}, which are no numbers") from problem
        numbers = np.atleast_1d(numbers) if axes == 1 else np.atleast_2d(numbers)
        if numbers.ndim != axes or not np.isfinite(numbers).all():
            raise GoalError(f"{self._label} gave {value!r}; finite numbers with {axes} axes are wanted")
        return numbers
