"""Residuals and their Jacobians from Python, through the same compiled formulas that the solver calls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posable.goals.goal import PARAMETERS, Row
from posable.goals.terms import term
from posable.skeleton import Pose, Skeleton
from posable.skeleton.forward import turn_at
from posable.skeleton.tables import SCALAR
from posable.spatial import Array
from posable.spatial.compile import kernel


@kernel
def _evaluate(kind, matrices, parameters, residual, rows):
    """One term over a batch of `matrices [pose, 4, 4]`, in the figure's own length unit."""
    for k in range(matrices.shape[0]):
        m = matrices[k]
        numbers = term(kind, turn_at(matrices, k), m[0, 3], m[1, 3], m[2, 3], parameters[k], 1.0)
        for i in range(3):
            residual[k, i] = numbers[i]
        for i in range(18):
            rows[k, i] = numbers[3 + i]


def _terms(rows: Sequence[Row], pose: Pose) -> list[tuple[Row, Array, Array]]:
    """Per row: the residual `[..., 3]` and its derivative `[..., 3, 6]` on the body's motion (ω, v) about the world's
    origin.
    """
    found = []
    for row in rows:
        shape = np.broadcast_shapes(pose.shape, row.parameters.shape[:-1])
        matrices, parameters = np.empty((*shape, 4, 4)), np.empty((*shape, PARAMETERS))
        matrices[...], parameters[...] = pose.world_from_joint[..., row.joint, :, :], row.parameters
        residual, on_motion = np.empty((*shape, 3)), np.empty((*shape, 18))
        flat = (matrices.reshape(-1, 4, 4), parameters.reshape(-1, PARAMETERS))
        _evaluate(row.kind, *flat, residual.reshape(-1, 3), on_motion.reshape(-1, 18))
        found.append((row, residual, -on_motion.reshape(*shape, 3, 6)))
    return found


def residuals(rows: Sequence[Row], pose: Pose) -> Array:
    """`[..., 3 · rows]`."""
    return np.concatenate([residual for _, residual, _ in _terms(rows, pose)], axis=-1)


def residual_jacobians(rows: Sequence[Row], pose: Pose) -> Array:
    """`[..., 3 · rows, dof]`."""
    blocks = []
    for row, _, on_motion in _terms(rows, pose):
        velocity = pose.jacobian(pose.skeleton.joints[row.joint])
        turning, moving = velocity[..., 3:, :], velocity[..., :3, :]
        at_world_origin = moving - np.cross(
            turning, pose.origins[..., row.joint, :, None], axisa=-2, axisb=-2, axisc=-2
        )
        blocks.append(on_motion @ np.concatenate([turning, at_world_origin], axis=-2))
    return np.concatenate(blocks, axis=-2)


def stay_jacobians(skeleton: Skeleton, residual: Array) -> Array:
    """−1 on the diagonal, −Jr⁻¹(r) for the rotations of balls and free joints."""
    result = np.zeros((*residual.shape, skeleton.dof))
    result[..., np.arange(skeleton.dof), np.arange(skeleton.dof)] = -1.0
    for j in np.flatnonzero(skeleton.tables.code != SCALAR):
        end = int(skeleton.tables.first_dof[j + 1])
        result[..., end - 3 : end, end - 3 : end] = -_inverse_left_jacobian(residual[..., end - 3 : end])
    return result


def _inverse_left_jacobian(r: Array) -> Array:
    """The derivative of log(exp(−ω) exp(r)) by −ω at 0: 1 − ½[r]× + c[r]×² (Chirikjian 2011, ch. 10)."""
    square = np.sum(r * r, axis=-1)[..., None, None]
    angle = np.sqrt(np.where(square > 1e-6, square, 1.0))
    c = np.where(square > 1e-6, 1 / angle**2 - 0.5 / (angle * np.tan(angle / 2)), 1 / 12 + square / 720)
    across = np.zeros((*r.shape, 3))
    across[..., 0, 1], across[..., 0, 2], across[..., 1, 2] = -r[..., 2], r[..., 1], -r[..., 0]
    across = across - np.swapaxes(across, -1, -2)
    return np.eye(3) - across / 2 + c * (across @ across)
