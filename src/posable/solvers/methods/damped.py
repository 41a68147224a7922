"""Damped least squares, plain and selective."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError, is_number
from posable.solvers.methods.jacobian_steps import RANK, Asked, JacobianMethod
from posable.spatial import Array

_MAX_ROTATION = np.pi / 4  # radians that one step may move a joint by under selective damping: the paper's γ_max


@dataclass(frozen=True)
class DampedLeastSquares(JacobianMethod):
    """Steps that weigh the residual against their own length: δ = Jᵀ (J Jᵀ + damping² 1)⁻¹ e.

    Calm where the pseudo-inverse takes huge steps: near a stretched pose, or out of reach.
    Source: Wampler 1986, Nakamura and Hanafusa 1986; selectively: Buss and Kim 2005.

    Args:
        damping: In reaches per radian; larger is calmer and slower.
        selective: Damp each singular direction by the motion of the effectors instead; `damping` is then not used.

    Raises:
        MethodError: For a damping that is not above 0.
    """

    damping: float = 0.1
    selective: bool = False

    def __post_init__(self) -> None:
        if not (is_number(self.damping) and 0 < self.damping <= 1e100):
            problem = f"damping must be a number above 0 and at most 1e100, not {self.damping!r}"
            raise MethodError(f"DampedLeastSquares: {problem}")
        if not isinstance(self.selective, bool | np.bool_):
            raise MethodError(f"DampedLeastSquares: selective must be True or False, not {self.selective!r}")

    def hard_step(self, asked: Asked) -> Array:
        if self.selective:
            return _selective_step(asked)
        jacobian = asked.jacobian
        square = jacobian @ np.swapaxes(jacobian, 1, 2) + self.damping**2 * np.eye(jacobian.shape[1])
        return (np.swapaxes(jacobian, 1, 2) @ np.linalg.solve(square, asked.left[..., None]))[..., 0]


def _selective_step(asked: Asked) -> Array:
    """Buss and Kim's step.

    Along each singular direction (σ, u, v) the step (uᵀe/σ) v is cut so that no joint moves by
    more than γ = γ_max min(1, N/M): N = Σ |u_l| is the wanted motion of the effectors l, M = Σ_l Σ_j |v_j| |∂s_l/∂θ_j|
    / σ their motion joint by joint. The sum is cut to γ_max.
    """
    jacobian = asked.jacobian
    u, sigma, v = np.linalg.svd(jacobian, full_matrices=False)  # u [row, k], v [k, dof]
    counted = sigma > RANK * sigma.max(axis=1, keepdims=True, initial=0.0)
    inverse = np.where(counted, 1.0 / np.where(counted, sigma, 1.0), 0.0)
    wanted = _lengths(u, asked.ends).sum(axis=1)
    carried = _lengths(jacobian, asked.ends).sum(axis=1)
    gone = inverse * np.einsum("nkd,nd->nk", np.abs(v), carried)
    most = _MAX_ROTATION * np.minimum(1.0, wanted / np.where(gone > 0.0, gone, 1.0))
    steps = (inverse * np.einsum("nrk,nr->nk", u, asked.left))[..., None] * v
    return _cut(_cut(steps, most[..., None]).sum(axis=1), np.array(_MAX_ROTATION))


def _lengths(columns: Array, ends: NDArray[np.int64]) -> Array:
    """`[problem, effector, column]` the lengths of each effector's part of `columns [problem, row, column]`."""
    own = (ends[None] == np.unique(ends)[:, None]).astype(float)
    return np.sqrt(np.einsum("er,nrc->nec", own, columns * columns))


def _cut(step: Array, most: Array) -> Array:
    """ClampMaxAbs: the step `[..., dof]` scaled so that no entry exceeds `most`."""
    longest = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
    return step * np.where(longest > most, most / np.where(longest > 0.0, longest, 1.0), 1.0)
