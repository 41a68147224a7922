"""Custom: any error function of a pose."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError, is_number
from posable.goals.goal import Goal
from posable.goals.rows import check_level
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class Custom(Goal):
    """The numbers that `function(pose)` returns, one or several, should become zero.

    A solve with it runs in Python: some 20 µs for each call of the function, and without a `jacobian_function` two
    calls for each degree of freedom in every iteration.

    Args:
        function: Takes one Pose, returns a number or `[m]`. Lengths count against other goals as shares of the figure's
            reach do, so divide them by `skeleton.reach`.
        jacobian_function: Takes one Pose, returns `[m, dof]`, the derivative along `pose.plus`; None for central
            differences.
        weight: Factor of the squared error; 0 switches the goal off.
        tolerance: The norm of the numbers within which the goal counts as met.
        priority: 0 is met first; a higher number acts only in the freedom that the lower ones leave.
        soft: Whether it is minimised only in the freedom that all other goals leave, beside the soft goals. It is
            never counted as missed then.
        max_evaluations: Calls of the functions in one solve after which it stops with the best pose so far, and the
            status OUT_OF_ITERATIONS unless that pose is proved to be the best possible one.

    Raises:
        GoalError: If a function is not callable or a number is out of range; in the solve, if the function returns
            numbers that are not finite or not always equally many.

    Example:
        >>> level = posable.Custom(lambda pose: pose.world_from_joint[-1, 1, 0], soft=True)
    """

    function: Callable[[Pose], ArrayLike]
    jacobian_function: Callable[[Pose], ArrayLike] | None = None
    weight: float = 1.0
    tolerance: float = 1e-6
    priority: int = 0
    soft: bool = False
    max_evaluations: int = 50_000

    joint = ""

    def __post_init__(self) -> None:
        for what in (self.function, self.jacobian_function):
            if not callable(what) and (what is not None or what is self.function):
                raise GoalError(f"Custom needs a function of a pose, not {what!r}")
        for name in ("weight", "tolerance"):
            value = getattr(self, name)
            if not (is_number(value) and 0 <= value < np.inf):
                raise GoalError(f"{self._label}: {name} must be a number of at least 0, not {value!r}")
        check_level(self)
        if not isinstance(self.soft, bool):
            raise GoalError(f"{self._label}: soft is True or False, not {self.soft!r}")
        if isinstance(self.max_evaluations, bool) or not (
            isinstance(self.max_evaluations, int) and self.max_evaluations > 0
        ):
            raise GoalError(
                f"{self._label}: max_evaluations must be a whole number above 0, not {self.max_evaluations!r}"
            )

    @property
    def _label(self) -> str:
        return f"Custom({getattr(self.function, '__name__', 'function')})"

    def structure(self) -> Custom:
        """The goal itself: another function is another problem."""
        return self

    def residual(self, pose: Pose) -> Array:
        """The numbers `[m]` at one pose. Raises GoalError where they are not finite."""
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
        goal, dof = self.always(len(self.residual(pose))), pose.skeleton.dof
        steps = _STEP * np.eye(dof)
        moved = pose.plus(np.concatenate([steps, -steps]))
        _ = moved.world_from_joint  # computed for all poses at once; each has its part
        numbers = np.array([goal.residual(moved[k]) for k in range(2 * dof)]).reshape(2, dof, -1)
        return (numbers[0] - numbers[1]).T / (2 * _STEP)

    def own_numbers(self, pose: Pose) -> tuple[Array | None, float]:
        flat = Pose.trusted(pose.skeleton, pose.q.reshape(-1, pose.q.shape[-1]))
        numbers = np.array([self.residual(flat[k]) for k in range(len(flat))])
        return numbers.reshape(*pose.shape, -1), math.inf if self.soft else self.tolerance

    def counts(self, skeleton: Skeleton) -> tuple[bool, bool]:
        del skeleton
        return self.weight > 0, self.weight > 0

    def _numbers(self, value: ArrayLike, axes: int) -> Array:
        try:
            numbers = np.asarray(value, float)
        except (TypeError, ValueError) as problem:
            raise GoalError(f"{self._label} gave {value!r}, which are not numbers") from problem
        numbers = np.atleast_1d(numbers) if axes == 1 else np.atleast_2d(numbers)
        if numbers.ndim != axes or not np.isfinite(numbers).all():
            raise GoalError(f"{self._label} gave {value!r}; finite numbers with {axes} axes are wanted")
        return numbers
