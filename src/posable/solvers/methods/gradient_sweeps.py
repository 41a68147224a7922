"""Compiled: sweeps of numerical gradient descent over the weighted distances, angles and bends of poses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.compiled.simd_batch import sine_cosine
from posable.goals.evaluation import fill_term
from posable.goals.soft import outside
from posable.goals.term_arrays import SOFTER, read_targets
from posable.skeleton import Pose
from posable.skeleton.forward import axis_value, difference, place_joints, step_joint
from posable.skeleton.limits import clamp_joint
from posable.skeleton.tables import AXIS, COORDINATE
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array


class Sweep(NamedTuple):
    """The constants of all sweeps of a solve."""

    order: NDArray[np.int64]  # [position, 2] freedom and joint, in the order in which they are moved
    first: NDArray[np.int64]  # [position + 2] offsets of the joints that it carries; the last ones are all joints
    carried: NDArray[np.int64]  # [..., 1] joints, parents first
    unit: Array  # [dof] 1 for rotations, the figure's reach for slides
    shares: Array  # [term] weight of its size in the error
    allowed: Array  # [term] the size within which it is met
    springs: Array  # [spring, 3, dof] a band's width below and above, and the weight of a freedom's distance from it
    sampling: float  # radians or reaches
    slowing: float  # the hard goals' error under which the steps shrink with it; 0 for never
    largest: float  # radians or reaches that one step may move a freedom by
    normalized: bool  # whether the partials of a sweep are taken at its start and divided by the gradient's length


class Memory(NamedTuple):
    """Workspace for one problem."""

    own: Array  # [coordinates] the pose in hand
    kept: Array  # [coordinates] that of one joint before it is moved
    v: Array  # [dof]
    away: Array  # [dof]
    moved: Array  # [3, axis]
    turns: Array  # [joint, 3, 3]
    origins: Array  # [joint, 3]
    wanted: Array  # [term, 12]
    r: Array  # [3]
    rows: Array  # [9, 6]
    slopes: Array  # [position]


@kernel
def sweep_all(t, p, s, m, targets, spring_poses, rates, q, errors):
    """One sweep of every problem: `q [problem, coordinates]` is moved; `errors [problem, 2]` before and after it.

    partial = (E(θ ⊕ h e_i) − E(θ)) / h; θ_i −= rate · partial, clamped; it ends as soon as all terms are met.
    """
    count = s.order.shape[0]
    for n in range(q.shape[0]):
        read_targets(p.terms, targets[n], p.scale, m.wanted)
        for c in range(q.shape[1]):
            m.own[c] = q[n, c]
        error, hard, arrived = _error(t, p, s, m, count, spring_poses[n])
        errors[n, 0] = error
        square = 0.0
        if s.normalized and not arrived:
            for k in range(count):
                m.slopes[k] = (_tried(t, p, s, m, k, spring_poses[n]) - error) / s.sampling
                square += m.slopes[k] * m.slopes[k]
                _move(t, s, m, k, 0.0)
            _error(t, p, s, m, count, spring_poses[n])
        for k in range(count):
            if arrived:
                break
            if s.normalized:
                slope = m.slopes[k] / math.sqrt(square) if square > 0.0 else 0.0
                _keep(t, s, m, k)
            else:
                slope = (_tried(t, p, s, m, k, spring_poses[n]) - error) / s.sampling
            calm = min(1.0, hard / s.slowing) if s.slowing > 0.0 else 1.0
            _move(t, s, m, k, min(max(-rates[n] * calm * slope, -s.largest), s.largest))
            clamp_joint(t, m.own, s.order[k, 1])
            error, hard, arrived = _error(t, p, s, m, k, spring_poses[n])
        errors[n, 1] = error
        for c in range(q.shape[1]):
            q[n, c] = m.own[c]


@inner_kernel
def _tried(t, p, s, m, k, spring_poses):
    """The error one sampling distance further along freedom `k` of the order; the current pose is there afterwards."""
    _keep(t, s, m, k)
    _move(t, s, m, k, s.sampling)
    return _error(t, p, s, m, k, spring_poses)[0]


@inner_kernel
def _keep(t, s, m, k):
    """Save the coordinates of the joint of `k`."""
    j = s.order[k, 1]
    for c in range(t.joint[j, COORDINATE], t.joint[j + 1, COORDINATE]):
        m.kept[c] = m.own[c]


@inner_kernel
def _move(t, s, m, k, by):
    """Move freedom `k` of the order by `by` radians or reaches from its saved value."""
    d = s.order[k, 0]
    m.v[d] = by * s.unit[d]
    step_joint(t, m.kept, m.v, s.order[k, 1], m.own)
    m.v[d] = 0.0


@shared_kernel
def _error(t, p, s, m, k, spring_poses):
    """(E, that of the hard goals alone, whether they are met), after updating the frames of the joints that `k`
    carries.
    """
    used = s.carried[s.first[k] : s.first[k + 1]]
    for n in range(used.shape[0]):
        j = used[n, 0]
        for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
            m.moved[0, a] = axis_value(t, m.own, a)
            m.moved[1, a], m.moved[2, a] = sine_cosine(m.moved[0, a])
    place_joints(t, used, m.own, m.moved, m.turns, m.origins, None, None)
    hard = 0.0
    arrived = s.shares.shape[0] > 0
    for k in range(s.shares.shape[0]):
        fill_term(p, m.turns, m.origins, m.wanted, k, m.r, m.rows)
        size = math.sqrt(m.r[0] * m.r[0] + m.r[1] * m.r[1] + m.r[2] * m.r[2])
        hard += s.shares[k] * size
        if not size <= s.allowed[k]:
            arrived = False
    error = hard
    for i in range(s.springs.shape[0]):
        difference(t, m.own, spring_poses[i], m.away)
        for d in range(s.unit.shape[0]):
            over = m.away[d] - s.springs[i, 0, d] if m.away[d] > 0.0 else -m.away[d] - s.springs[i, 1, d]
            if over > 0.0:
                error += s.springs[i, 2, d] * over
    return error, hard, arrived


# Sweeps of numerical gradient descent over errors that are Python functions.


class Look(NamedTuple):
    """The error of a batch of poses."""

    error: Array  # [problem]
    calm: Array  # [problem] factor of the steps
    arrived: NDArray[np.bool_]  # [problem]


def sweep_in_python(look: Callable[[Pose], Look], s: Sweep, pose: Pose, rates: Array) -> tuple[Pose, Array]:
    """As `gradient_sweeps.sweep_all`, for another error: (poses, errors `[problem, 2]` before and after)."""
    seen = look(pose)
    before = seen.error
    slopes = _gradient(look, s, pose, before) if s.normalized else None
    for k, (d, _) in enumerate(s.order.tolist()):
        if seen.arrived.all():
            break
        slope = _slope(look, s, pose, seen.error, d) if slopes is None else slopes[:, k]
        by = np.clip(-rates * seen.calm * slope, -s.largest, s.largest)
        pose = _moved(s, pose, d, np.where(seen.arrived, 0.0, by)).clamped()
        seen = look(pose)
    return pose, np.stack([before, seen.error], axis=1)


def _gradient(look: Callable[[Pose], Look], s: Sweep, pose: Pose, error: Array) -> Array:
    """`[problem, position]` the gradient of length 1, or 0 where it vanishes."""
    slopes = np.stack([_slope(look, s, pose, error, d) for d in s.order[:, 0].tolist()], axis=1)
    length = np.linalg.norm(slopes, axis=1, keepdims=True)
    return slopes / np.where(length > 0.0, length, 1.0)


def _slope(look: Callable[[Pose], Look], s: Sweep, pose: Pose, error: Array, d: int) -> Array:
    return (look(_moved(s, pose, d, np.full(len(pose), s.sampling))).error - error) / s.sampling


def _moved(s: Sweep, pose: Pose, d: int, by: Array) -> Pose:
    """Freedom `d` moved by radians or reaches `[problem]`."""
    v = np.zeros((len(pose), len(s.unit)))
    v[:, d] = by * s.unit[d]
    return pose.plus(v)


# The default error of gradient descent: weighted distances, angles and bends.


def term_shares(structure: Structure) -> Array:
    """`[term]` the weight of a length, or an angle, of each hard goal's term: weight / reach, or weight / π."""
    reach, on = structure.skeleton.reach, structure.switched_on
    shares = [row.weight * SOFTER**row.level / (reach if row.is_length else np.pi) for row in structure.goal_set.rows]
    return np.array(shares) * on


def bend_shares(structure: Structure) -> Array:
    """`[spring, dof]` the weight of a freedom's distance from its band: weight / π (slides: / reach), per freedom."""
    skeleton = structure.skeleton
    span = np.where(skeleton.slides, skeleton.reach, np.pi)
    weights = np.array([spring.weight for spring in structure.goal_set.springs]).reshape(-1, skeleton.dof)
    return weights / span / np.maximum(1, (weights > 0).sum(axis=1, keepdims=True))


def goals_error(task: Task, measured: Measured) -> Array:
    """`[problem]` the part of the hard and the Custom goals."""
    custom = [goal.weight for goal in task.structure.goal_set.custom]
    return measured.left @ np.concatenate([term_shares(task.structure), custom])


def plain_error(task: Task, pose: Pose, measured: Measured) -> Array:
    """`[problem]` E = Σ weight · distance/reach + Σ weight · angle/π + Σ weight · mean |away|/π + Σ weight · |custom|.

    The sums go over the hard goals' lengths, their angles, the soft goals, the Custom goals.
    """
    error = goals_error(task, measured)
    if task.springs is None:
        return error
    shares = bend_shares(task.structure)
    for n, spring in enumerate(task.structure.goal_set.springs):
        away = outside(spring, Pose.trusted(task.skeleton, task.springs[:, n]).minus(pose))
        error = error + np.abs(away) @ shares[n]
    return error
