"""The Jacobian transpose method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.errors import MethodError, is_number
from posable.solvers.methods.jacobian_steps import Asked, JacobianMethod
from posable.spatial import Array


@dataclass(frozen=True)
class Transpose(JacobianMethod):
    """Every joint moves as a force from the effector to the target would move it: δ = α Jᵀ e.

    α = ⟨e, JJᵀe⟩ / ⟨JJᵀe, JJᵀe⟩ moves the effector, to first order, as near to the target as Jᵀe can.
    Source: Wolovich and Elliott 1984; the step length from Buss, Introduction to inverse kinematics, 2004.

    Args:
        gain: A fixed α instead, above 0, lengths in reaches; too large a gain oscillates or diverges.

    Raises:
        MethodError: For an invalid gain.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> solution = posable.solve(figure.rest, goals, method=posable.solvers.Transpose(), frozen=["root"])
    """

    gain: float | None = None

    def __post_init__(self) -> None:
        if self.gain is not None and not (is_number(self.gain) and 0 < self.gain < np.inf):
            raise MethodError(f"Transpose: gain must be None or a number above 0, not {self.gain!r}")

    def hard_step(self, asked: Asked) -> Array:
        along = np.einsum("nrd,nr->nd", asked.jacobian, asked.left)
        if self.gain is not None:
            return self.gain * along
        moved = np.einsum("nrd,nd->nr", asked.jacobian, along)
        square = (moved * moved).sum(axis=1)
        alpha = (asked.left * moved).sum(axis=1) / np.where(square > 0.0, square, 1.0)
        return alpha[:, None] * along
