"""What all goals share: how they check what they are given, and the rows they hand to the solver."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.goals.rows import LARGEST, Mark, Row, check_level, is_number
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


@dataclass(frozen=True, eq=False)
class Goal:
    """A wish for one joint. The weight scales the squared error against the other goals; 0 switches the goal off."""

    joint: str

    TARGET: ClassVar[str] = ""
    """The name of the field that says where to, and of which there may be a batch."""
    SHAPE: ClassVar[tuple[int, ...]] = ()
    """The last axes of that field."""
    WEIGHTS: ClassVar[tuple[str, ...]] = ("weight",)
    """The names of the fields that weigh it."""

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        """The terms for the compiled solver. Raises UnknownJointError."""
        raise NotImplementedError

    def structure(self) -> Hashable:
        """All but the target: goals of the same structure share what a solver prepares."""
        raise NotImplementedError

    @property
    def given(self) -> Array:
        """The target, `[..., *SHAPE]` (in the world, or in the frame of the joint that the goal is relative to)."""
        return getattr(self, self.TARGET)

    @property
    def own_weight(self) -> float:
        """Its weight; the larger where it has two."""
        return float(max(getattr(self, name) for name in self.WEIGHTS))

    def with_weight(self, weight: float) -> Self:
        """The goal with another weight; where it has two, the larger becomes `weight` and their ratio stays."""
        own = self.own_weight
        return replace(
            self, **{name: weight * (getattr(self, name) / own if own > 0 else 1.0) for name in self.WEIGHTS}
        )

    def residual(self, pose: Pose) -> Array:
        """What is left to do, `[..., 3 per term]`: metres towards the target, rotation vectors (rad) in the world's
        frame.
        """
        from posable.goals.evaluation import residuals

        return residuals(self, pose)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[..., 3 per term, dof]`."""
        from posable.goals.evaluation import residual_jacobians

        return residual_jacobians(self, pose)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        """What a picture shows of this goal (the first one, where it has several targets)."""
        raise NotImplementedError

    def _set(self, what: str, value: object) -> None:
        object.__setattr__(self, what, value)

    def _check_target(self) -> None:
        self._check_names(self.joint)
        self._set(self.TARGET, self._checked(self.TARGET, getattr(self, self.TARGET), self.SHAPE))

    def _check_direction(self, what: str) -> None:
        direction = self._checked(what, getattr(self, what), (3,))
        if not math.hypot(*direction.tolist()) > 0:
            raise GoalError(f"{self._label}: {what} has length 0; it is a direction in the joint's frame")
        self._set(what, direction)

    def _checked(self, what: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
        """`value` as a read-only array that ends in the wanted shape, finite; GoalError otherwise."""
        array = self._as_numbers(what, value, copied=True)
        if array.shape[-len(shape) :] != shape:
            raise GoalError(f"{self._label}: {what} must end in shape {shape}, not {array.shape}")
        self._check_numbers(what, array)
        array.setflags(write=False)
        return array

    def _as_numbers(self, what: str, value: ArrayLike, copied: bool = False) -> Array:
        """`value` as float64; GoalError for what is no array of real numbers."""
        try:
            array = np.array(value) if copied else np.asarray(value)
            if array.dtype.kind not in _REAL_KINDS:
                raise TypeError(f"{array.dtype} is no kind of real number")
            return array.astype(float, copy=False)
        except (TypeError, ValueError, OverflowError) as problem:
            raise GoalError(f"{self._label}: {what} must be numbers, not {value!r}") from problem

    def _check_names(self, *joints: object) -> None:
        for joint in joints:
            if not isinstance(joint, str):
                raise GoalError(f"{type(self).__name__}: a joint is a name, as in skeleton.joints, not {joint!r}")

    def _check_numbers(self, what: str, array: Array) -> None:
        if 0 < array.size < 20:  # Python is quicker here
            numbers = array.ravel().tolist()
            largest = max(max(numbers), -min(numbers))
            finite = math.isfinite(sum(numbers)) or all(map(math.isfinite, numbers))
        else:
            largest, finite = np.abs(array).max(initial=0.0), np.isfinite(array).all()
        if not finite:
            raise GoalError(f"{self._label}: {what} holds a number that is not finite")
        if largest > LARGEST:
            raise GoalError(f"{self._label}: {what} holds a number beyond {LARGEST:g}, which cannot be meant")

    def _check_weight(self, what: str) -> None:
        value = getattr(self, what)
        if not (is_number(value) and 0 <= value < np.inf):
            raise GoalError(f"{self._label}: {what} must be a number of at least 0, not {value!r}")

    def _check_level(self) -> None:
        check_level(self)

    @property
    def _label(self) -> str:
        return f"{type(self).__name__}({self.joint!r})"


_REAL_KINDS = "fiubO"  # objects may be numbers too, and are asked
