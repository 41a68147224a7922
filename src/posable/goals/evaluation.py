"""Residuals and their Jacobians from Python, through the same compiled formulas that the solver calls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.goals.dispatch import fill_term
from posable.goals.rows import Row, StatesRows, body_masses
from posable.goals.term_arrays import CONSTANT, read_targets, term_table
from posable.goals.terms import BALANCE
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array


class Terms(NamedTuple):
    """What several goals state, as kernels read it; lengths in the figure's own unit where `scale` is 1."""

    terms: NDArray[np.int64]
    measures: Array
    bodies: Array
    scale: float


@kernel
def _evaluate(p, turns, origins, targets, residual, rows):
    """All terms over a batch of poses: `turns [pose, joint, 3, 3]`, `origins [pose, joint, 3]`."""
    wanted = np.empty((p.terms.shape[0], 12))
    for n in range(turns.shape[0]):
        read_targets(p.terms, targets[n], p.scale, wanted)
        for k in range(p.terms.shape[0]):
            fill_term(p, turns[n], origins[n], wanted, k, residual[n, k], rows[n, k])


def terms_of(
    goals: Sequence[StatesRows],
    rows: Sequence[Sequence[Row]],
    skeleton: Skeleton,
    tolerance: float,
    angle_tolerance: float,
) -> Terms:
    """The terms of goals, lengths (and the tolerance) in the figure's own unit."""
    balanced = any(row.kind == BALANCE for own in rows for row in own)
    masses = body_masses(skeleton) if balanced else np.zeros((0, 4))
    return Terms(*term_table(goals, rows, tolerance, angle_tolerance), masses, 1.0)


def evaluate_terms(p: Terms, matrices: Array, numbers: Array) -> tuple[Array, Array]:
    """(residuals `[problem, term, 3]`, rows `[problem, term, 9, 6]`) where the joints are at `matrices [problem, joint,
    4, 4]` and the goals' numbers are `[problem, numbers]`.
    """
    residual, rows = np.zeros((len(matrices), len(p.terms), 3)), np.zeros((len(matrices), len(p.terms), 9, 6))
    turns, origins = np.array(matrices[:, :, :3, :3]), np.array(matrices[:, :, :3, 3])
    _evaluate(p, turns, origins, np.array(numbers), residual, rows)
    return residual, rows


def term_jacobians(p: Terms, stated: Sequence[Row], pose: Pose, rows: Array) -> Array:
    """`[..., 3 · terms, dof]` the derivative of the residuals, from the rows of `evaluate_terms`."""
    return np.concatenate([-sum(parts) for parts in term_blocks(p, stated, pose, rows)], axis=-2)


def term_blocks(p: Terms, stated: Sequence[Row], pose: Pose, rows: Array) -> list[list[Array]]:
    """Of every term, what each of its bodies does to close the residual: minus its derivative, `[..., 3, dof]` each."""
    blocks = []
    for k, row in enumerate(stated):
        if row.kind == BALANCE:
            blocks.append([-_balance_jacobian(pose, p.bodies, p.measures[k, CONSTANT : CONSTANT + 3])])
            continue
        own = [(rows[..., k, 3 * part : 3 * part + 3, :], joint) for part, joint in enumerate(_bodies(row))]
        blocks.append([on_motion @ motion_jacobian(pose, joint) for on_motion, joint in own])
    return blocks


def _fill(goal: StatesRows, pose: Pose) -> tuple[Terms, tuple[Row, ...], Array, Array]:
    """(terms, what they state, residuals `[..., term, 3]`, rows `[..., term, 9, 6]`), in the figure's length unit."""
    stated = goal.rows(pose.skeleton)
    given = goal.given
    shape = np.broadcast_shapes(pose.shape, given.shape[: given.ndim - len(goal.SHAPE)])
    matrices = np.broadcast_to(pose.world_from_joint, (*shape, *pose.world_from_joint.shape[-3:]))
    matrices = matrices.reshape(math.prod(shape), *matrices.shape[-3:])
    targets = np.broadcast_to(given, (*shape, *goal.SHAPE)).reshape(len(matrices), math.prod(goal.SHAPE))
    p = terms_of([goal], [stated], pose.skeleton, 1.0, 1.0)
    residual, rows = evaluate_terms(p, matrices, targets)
    return p, stated, residual.reshape(*shape, *residual.shape[1:]), rows.reshape(*shape, *rows.shape[1:])


def residuals(goal: StatesRows, pose: Pose) -> Array:
    """`[..., 3 · terms]`."""
    residual = _fill(goal, pose)[2]
    return residual.reshape(*residual.shape[:-2], 3 * residual.shape[-2])


def residual_jacobians(goal: StatesRows, pose: Pose) -> Array:
    """`[..., 3 · terms, dof]`."""
    p, stated, _, rows = _fill(goal, pose)
    return term_jacobians(p, stated, pose, rows)


def _bodies(row: Row) -> list[int]:
    return [joint for joint in (row.joint, row.other, row.third) if joint >= 0]


def motion_jacobian(pose: Pose, joint: int) -> Array:
    """`[..., 6, dof]` motion (ω, v) of a joint about the world's origin."""
    velocity = pose.jacobian(pose.skeleton.joints[joint])
    turning, moving = velocity[..., 3:, :], velocity[..., :3, :]
    across = np.cross(turning, pose.origins[..., joint, :, None], axisa=-2, axisb=-2, axisc=-2)
    return np.concatenate([turning, moving - across], axis=-2)


def _balance_jacobian(pose: Pose, masses: Array, directions: Array) -> Array:
    names = pose.skeleton.joints
    total = sum(m * pose.jacobian(names[j], c)[..., :3, :] for j, (m, *c) in enumerate(masses.tolist()) if m > 0)
    return -directions[:, None] * total


def spring_jacobians(skeleton: Skeleton, away: Array) -> Array:
    """The derivative of the tangent `away [..., dof]` to a fixed pose, by the pose: −1 on the diagonal, −Jr⁻¹(r) for
    the rotations of balls and free joints.
    """
    result = np.zeros((*away.shape, skeleton.dof))
    result[..., np.arange(skeleton.dof), np.arange(skeleton.dof)] = -1.0
    for first, _, last in skeleton.tables.rotation_freedoms:
        own = slice(first, last + 1)
        result[..., own, own] = -_inverse_left_jacobian(away[..., own])
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
