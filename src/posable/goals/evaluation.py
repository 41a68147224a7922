"""The one dispatch over kinds of terms, compiled, and residuals and Jacobians from Python by the same formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.capsules import OTHER_ONE, RADIUS, end_of_capsule, fill_apart
from posable.goals.rows import Row, StatesRows, body_masses
from posable.goals.term_arrays import CONSTANT, JOINT, KIND, OTHER, THIRD, read_targets, term_table
from posable.goals.terms import (
    APART,
    BALANCE,
    LEANING,
    POLE,
    POSITION,
    REGION,
    ROTATION,
    SIGHT,
    fill_leaning,
    fill_pole,
    fill_position,
    fill_region,
    fill_rotation,
    fill_sight,
)
from posable.skeleton import Pose, Skeleton
from posable.skeleton.forward import rotation_at
from posable.spatial import Array
from posable.spatial.kernels import multiply_rotations, rotate


@inner_kernel
def fill_term(p, turns, origins, wanted, k, r, rows):
    """Residual `r [3]` and `rows [9, 6 or more]` of term `k` at the geometry `turns`, `origins`.

    p: terms, measures, bodies and scale. wanted: `[term, 12]`, position in reaches and rotation. A joint that carries
    the target has rows 3–5; those of a centre of mass are not filled, since every body takes part.
    """
    kind, j, other, third = p.terms[k, KIND], p.terms[k, JOINT], p.terms[k, OTHER], p.terms[k, THIRD]
    c, scale = p.measures[k, CONSTANT:], p.scale
    to = (
        wanted[k, 0], wanted[k, 1], wanted[k, 2], wanted[k, 3], wanted[k, 4], wanted[k, 5],
        wanted[k, 6], wanted[k, 7], wanted[k, 8], wanted[k, 9], wanted[k, 10], wanted[k, 11],
    )  # fmt: skip
    if kind == BALANCE:
        _fill_balance(p, turns, origins, c, to, r)
        return
    turn = rotation_at(turns, j)
    ox, oy, oz = _place(origins, j, scale)
    if kind == APART:
        _fill_contact(p, turns, origins, turn, (ox, oy, oz), to, k, r, rows)
        return
    if kind == POLE:
        fill_pole((ox, oy, oz), _place(origins, other, scale), _place(origins, third, scale), to, r, rows)
        return
    base = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    if other >= 0:
        base = rotation_at(turns, other)
        if kind != SIGHT:
            to = _carried(base, _place(origins, other, scale), to)
    if kind in (POSITION, REGION):
        x, y, z = rotate(turn, c[0], c[1], c[2])
        x, y, z = ox + scale * x, oy + scale * y, oz + scale * z
        if kind == POSITION:
            fill_position(x, y, z, to, r, rows)
        else:
            fill_region(x, y, z, base, c[3:], to, scale, r, rows)
    elif kind == ROTATION:
        fill_rotation(turn, to, r, rows)
    elif kind == LEANING:
        fill_leaning(turn, c, to, r, rows)
    else:
        fill_sight(turn, ox, oy, oz, base, c, to, r, rows)
    if other >= 0 and kind != SIGHT:
        _fill_carrier(kind, r, rows)


@inner_kernel
def _fill_contact(p, turns, origins, turn, origin, to, k, r, rows):
    """A capsule of a body at `origin` and that of another body, or the obstacle that is the target."""
    other, c, scale = p.terms[k, OTHER], p.measures[k, CONSTANT:], p.scale
    q, q1, radius = (to[0], to[1], to[2]), (to[3], to[4], to[5]), to[6]
    if other >= 0:
        base, place = rotation_at(turns, other), _place(origins, other, scale)
        q = end_of_capsule(base, place, c, OTHER_ONE, scale)
        q1 = end_of_capsule(base, place, c, OTHER_ONE + 3, scale)
        radius = scale * c[OTHER_ONE + RADIUS]
    fill_apart(turn, origin, c, q, q1, radius, scale, r, rows)


@inner_kernel
def _place(origins, j, scale):
    return scale * origins[j, 0], scale * origins[j, 1], scale * origins[j, 2]


@inner_kernel
def _carried(turn, origin, to):
    """A target given in the frame of a joint, in the world."""
    x, y, z = rotate(turn, to[0], to[1], to[2])
    r = multiply_rotations(turn, (to[3], to[4], to[5], to[6], to[7], to[8], to[9], to[10], to[11]))
    x, y, z = origin[0] + x, origin[1] + y, origin[2] + z
    return x, y, z, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]


@inner_kernel
def _fill_carrier(kind, r, rows):
    """Fill rows 3–5, of the joint that carries the target.

    A common motion of both bodies changes r only by rotating it: (J + J') (ω, v) = r × ω. Swing and twist do not change
    at all.
    """
    for i in range(3):
        for a in range(6):
            rows[3 + i, a] = -rows[i, a]
    if kind != LEANING:
        rows[3, 1] -= r[2]
        rows[3, 2] += r[1]
        rows[4, 0] += r[2]
        rows[4, 2] -= r[0]
        rows[5, 0] -= r[1]
        rows[5, 1] += r[0]


@inner_kernel
def _fill_balance(p, turns, origins, c, to, r):
    """r = target − centre of mass, in the directions that c marks."""
    x = y = z = 0.0
    for j in range(p.bodies.shape[0]):
        share = p.bodies[j, 0]
        if share > 0.0:
            cx, cy, cz = rotate(rotation_at(turns, j), p.bodies[j, 1], p.bodies[j, 2], p.bodies[j, 3])
            x += share * p.scale * (cx + origins[j, 0])
            y += share * p.scale * (cy + origins[j, 1])
            z += share * p.scale * (cz + origins[j, 2])
    r[0], r[1], r[2] = c[0] * (to[0] - x), c[1] * (to[1] - y), c[2] * (to[2] - z)


class Terms(NamedTuple):
    """The terms of several goals, as kernels read them; lengths in the figure's own unit where `scale` is 1."""

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
    """For every term and each of its bodies, minus the derivative of the residual, `[..., 3, dof]` each."""
    blocks = []
    for k, row in enumerate(stated):
        if row.kind == BALANCE:
            blocks.append([-_balance_jacobian(pose, p.bodies, p.measures[k, CONSTANT : CONSTANT + 3])])
            continue
        own = [(rows[..., k, 3 * part : 3 * part + 3, :], joint) for part, joint in enumerate(_bodies(row))]
        blocks.append([on_motion @ motion_jacobian(pose, joint) for on_motion, joint in own])
    return blocks


def _fill(goal: StatesRows, pose: Pose) -> tuple[Terms, tuple[Row, ...], Array, Array]:
    """(terms, the goal's rows, residuals `[..., term, 3]`, rows `[..., term, 9, 6]`), in the figure's length unit."""
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
