"""Newton's method with the generalised inverse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError, is_number
from posable.skeleton import Pose
from posable.solvers.methods.jacobian_steps import Asked, JacobianMethod, inverse_step
from posable.solvers.methods.method import State
from posable.solvers.methods.task import Measured, Task
from posable.spatial import Array


@dataclass(frozen=True)
class Newton(JacobianMethod):
    """Full steps of Newton's method for f(θ) = 0, f being the residual: θ ← θ − J⁺ f(θ).

    Near a solution the error is squared at every step; far from one, or near a stretched pose, a step may lead
    anywhere. Source: Ben-Israel 1966, with the generalised inverse.

    Args:
        stop: "residual" ends within the tolerance; "change" when f changes by less than `epsilon` from step to step.
        epsilon: In reaches of the figure and radians, each term of f by the root of its weight; used by "change"
            alone.

    Raises:
        MethodError: For an unknown stop or an epsilon that is not above 0.
    """

    stop: Literal["residual", "change"] = "residual"
    epsilon: float = 1e-6

    def __post_init__(self) -> None:
        if self.stop not in ("residual", "change"):
            raise MethodError(f'Newton: stop must be "residual" or "change", not {self.stop!r}')
        if not (is_number(self.epsilon) and 0 < self.epsilon < np.inf):
            raise MethodError(f"Newton: epsilon must be a number above 0, not {self.epsilon!r}")

    def hard_step(self, asked: Asked) -> Array:
        return inverse_step(asked.jacobian, asked.left)

    def begin(self, task: Task, pose: Pose) -> State:
        """The state of all Jacobian methods, and f at the step before, NaN at the start."""
        return (*super().begin(task, pose), np.full_like(_scaled(task.measure(pose)), np.inf))

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        new, state = super().advance(task, pose, measured, state)
        return new, (*state[:2], _scaled(measured))

    def has_arrived(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        if self.stop == "residual":
            return super().has_arrived(task, pose, measured, state)
        return np.linalg.norm(_scaled(measured) - state[2], axis=1) < self.epsilon


def _scaled(measured: Measured) -> Array:
    """f `[problem, row]`, by the root of the weights, lengths in reaches."""
    return np.sqrt(measured.weights) * measured.residual
