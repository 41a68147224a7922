"""Pseudo-inverse stepping: the doorbell arm's method."""

from __future__ import annotations

from dataclasses import dataclass

from posable.errors import MethodError, is_number
from posable.solvers.methods.jacobian_steps import Asked, JacobianMethod, inverse_step
from posable.spatial import Array


@dataclass(frozen=True)
class PseudoInverse(JacobianMethod):
    """Each step closes a share of the effector's residual by the least change of the joints: δ = J⁺ gain e.

    The distance is measured before a step, and the step from within the tolerance is still taken. Every pose of the
    path is a frame of the animation: ask for trace=True.
    Source: Whitney 1969, with the Moore–Penrose inverse J⁺.

    Args:
        gain: The share of the residual that a step should close, above 0 and at most 1; smaller is slower and
        straighter.

    Raises:
        MethodError: For an invalid gain.
    """

    gain: float = 0.1

    STEPS_ONCE_MORE = True

    def __post_init__(self) -> None:
        if not (is_number(self.gain) and 0 < self.gain <= 1):
            raise MethodError(f"PseudoInverse: gain must be a number above 0 and at most 1, not {self.gain!r}")

    def hard_step(self, asked: Asked) -> Array:
        return inverse_step(asked.jacobian, self.gain * asked.left)
