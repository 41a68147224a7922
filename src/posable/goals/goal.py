"""What all goals share: how they check what they are given, and the rows they hand to the solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import GoalError
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

PARAMETERS = 7
LARGEST = 1e15


class Row(NamedTuple):
    """One term of a goal, for kernels: its kind, joint index, weight and parameters `[..., 7]` (three local, up to
    four wanted).
    """

    kind: int
    joint: int
    weight: float
    parameters: Array


class Mark(NamedTuple):
    """Something to show in a picture: a "point", a "frame" or a "sight" line at `place [3]`, for a joint."""

    kind: str
    joint: str
    place: Array
    wxyz: Array | None = None


@dataclass(frozen=True, eq=False)
class Goal:
    """A wish for one joint. The weight scales the squared error against the other goals; 0 switches the goal off."""

    joint: str

    def rows(self, skeleton: Skeleton) -> tuple[Row, ...]:
        """The terms for the compiled solver. Raises UnknownJointError."""
        raise NotImplementedError

    def residual(self, pose: Pose) -> Array:
        """What is left to do, `[..., 3 per term]`: metres towards the target, rotation vectors (rad) in the world's
        frame.
        """
        from posable.goals.evaluation import residuals

        return residuals(self.rows(pose.skeleton), pose)

    def jacobian(self, pose: Pose) -> Array:
        """The derivative of `residual` along `pose.plus`, `[..., 3 per term, dof]`."""
        from posable.goals.evaluation import residual_jacobians

        return residual_jacobians(self.rows(pose.skeleton), pose)

    def marks(self, pose: Pose) -> tuple[Mark, ...]:
        """What a picture shows of this goal (the first one, where it has several targets)."""
        raise NotImplementedError

    def _checked(self, what: str, value: ArrayLike, size: int | tuple[int, ...]) -> Array:
        """`value` as a read-only array that ends in the wanted shape, finite; GoalError otherwise."""
        wanted = (size,) if isinstance(size, int) else size
        try:
            array = np.array(value, float)
        except (TypeError, ValueError) as problem:
            raise GoalError(f"{self._label}: {what} must be numbers, not {value!r}") from problem
        if array.shape[-len(wanted) :] != wanted:
            raise GoalError(f"{self._label}: {what} must end in shape {wanted}, not {array.shape}")
        if not np.isfinite(array).all():
            raise GoalError(f"{self._label}: {what} holds a number that is not finite")
        if (np.abs(array) > LARGEST).any():
            raise GoalError(f"{self._label}: {what} holds a number beyond {LARGEST:g}, which cannot be meant")
        array.setflags(write=False)
        return array

    def _checked_weight(self, what: str, value: float) -> None:
        if not (is_number(value) and 0 <= value < np.inf):
            raise GoalError(f"{self._label}: {what} must be a number of at least 0, not {value!r}")

    def _checked_rotation(self, what: str, value: ArrayLike) -> Array:
        wxyz = self._checked(what, value, 4)
        length = np.linalg.norm(wxyz, axis=-1, keepdims=True)
        if (length < 1e-9).any():
            raise GoalError(f"{self._label}: {what} is a quaternion of length 0; the neutral one is (1, 0, 0, 0)")
        wxyz = wxyz / length
        wxyz.setflags(write=False)
        return wxyz

    @property
    def _label(self) -> str:
        return f"{type(self).__name__}({self.joint!r})"


def pack(local: ArrayLike, wanted: ArrayLike) -> Array:
    """Parameters `[..., 7]`: three local numbers, then the wanted ones, zeros after."""
    wanted = np.asarray(wanted, float)
    parameters = np.zeros((*wanted.shape[:-1], PARAMETERS))
    parameters[..., :3] = local
    parameters[..., 3 : 3 + wanted.shape[-1]] = wanted
    return parameters


def is_number(value: object) -> bool:
    """Whether `value` is a plain real number."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
