"""One Gauss–Newton over all frames of a clip together: goals are met, and the source's detail survives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.clips import Clip
from posable.errors import GoalError
from posable.goals import Goal
from posable.motion.bands import Bands
from posable.motion.clip_rows import ClipRows, OneSided
from posable.skeleton import Pose, Skeleton
from posable.skeleton.tables import SCALAR
from posable.spatial import Array, normalized

_HOLDS = 1e8
"""How much stiffer a freedom is made that its limit holds: it then moves by nothing that counts."""

_ROUNDING = 1e-9
"""Radians by which a cone must have stopped a ball to count as a limit that holds it."""

_LENGTHS = (1.0, 0.5, 0.2)
"""Of a step, that are tried."""

_GIVE_UP = 1e6
"""The damping from which on no step lowers the cost."""


@dataclass(frozen=True, eq=False)
class ClipSolution:
    """A corrected clip and what it cost.

    cost_before, cost_after: of the source as it was, and of `clip`. iterations: Gauss–Newton steps tried.
    distances, angles: `[goal, frame]` what is left of each goal (the figure's length unit, rad), NaN where a goal has
    no such error. weights: `[goal, frame]` as they were given.
    """

    clip: Clip
    cost_before: float
    cost_after: float
    iterations: int
    distances: Array
    angles: Array
    weights: Array

    @cached_property
    def largest_distances(self) -> Array:
        """`[goal]` the largest distance left in the frames in which the goal has weight, NaN where it has none."""
        return _largest(self.distances, self.weights)

    @cached_property
    def largest_angles(self) -> Array:
        """`[goal]` likewise the largest angle left."""
        return _largest(self.angles, self.weights)


def solve_clip(
    source: Clip,
    goals: Sequence[Goal],
    weights: Sequence[ArrayLike] | None = None,
    *,
    free: Sequence[str] | None = None,
    stay: ArrayLike = 1e-3,
    smooth: ArrayLike = 1e-8,
    one_sided: Sequence[OneSided] = (),
    start: Clip | None = None,
    tolerance: float = 1e-4,
    max_iterations: int = 30,
) -> ClipSolution:
    """The clip near `source` that meets the goals best, all frames solved together.

    It minimises ½ Σ_t (Σ_goals w ‖what is left‖² + stay · c² + smooth · c̈²) over the corrections c_t of the free
    freedoms, q_t = source_t ⊕ c_t, with c̈ their second derivative by time (per s²). Lengths count in the figure's
    reaches, so units do not matter; what a term weighs is as in `posable.solve`. Limits of the free freedoms are kept
    exactly, cones of balls too.

    goals: targets with a leading axis of frames, or one for all. weights: for each goal a number or `[frame]`, times
        its own weight; 0 switches it off in that frame.
    free: joints or single axes ("spine.x") that may move; None for all.
    stay, smooth: one number, or `[dof]`. Larger stay keeps nearer to the source; larger smooth spreads a correction
        over more time: about 2π (smooth / stay)^¼ seconds.
    one_sided: rows that count only while they are above zero, besides the goals.
    start: where to begin, the source unless given. tolerance: the relative fall of the cost under which it ends.
    Raises GoalError for goals, weights or penalties that do not fit, UnknownJointError for a joint that is not there.
    """
    problem = _Problem(source, goals, weights, free, stay, smooth, one_sided)
    correction = np.zeros((len(source), len(problem.free)))
    before = problem.cost(source.poses, problem.rows.evaluate(source.poses)[0], correction)
    if start is not None:
        correction = start.poses.minus(source.poses)[:, problem.free]
    state, iterations = _descend(problem, correction, tolerance, max_iterations)
    distances, angles = problem.rows.lengths_and_angles(problem.rows.evaluate(state.pose)[0])
    clip = replace(source, q=state.pose.q)
    return ClipSolution(clip, before, state.cost, iterations, distances, angles, problem.rows.over_time)


class _Problem:
    """What is solved: the goals' rows, the ties over time, the limits."""

    def __init__(
        self,
        source: Clip,
        goals: Sequence[Goal],
        weights: Sequence[ArrayLike] | None,
        free: Sequence[str] | None,
        stay: ArrayLike,
        smooth: ArrayLike,
        one_sided: Sequence[OneSided],
    ) -> None:
        skeleton, frames = source.skeleton, len(source)
        if weights is not None and len(weights) != len(goals):
            raise GoalError(f"{len(weights)} weights over time for {len(goals)} goals; give one each")
        self.free = _free_freedoms(skeleton, free)
        wide = _with_whole_balls(skeleton, self.free)
        self._wide, self._narrow = wide, np.searchsorted(wide, self.free)
        self._one_sided = tuple(one_sided)
        self.source = source.poses
        self.rows = ClipRows(skeleton, goals, [1.0] * len(goals) if weights is None else weights, frames, wide)
        unit = np.where(skeleton.slides, 1.0 / skeleton.reach, 1.0)[self.free] ** 2
        stay, smooth = (_per_freedom(skeleton, name, v)[self.free] for name, v in (("stay", stay), ("smooth", smooth)))
        self.bands = Bands(frames, stay * unit, smooth * unit * source.fps**4)
        scalar, columns = _scalar_columns(skeleton, self.free)
        self._columns, self._bounds = columns, (skeleton.lower[self.free[scalar]], skeleton.upper[self.free[scalar]])
        self.low, self.high = np.full((2, frames, len(self.free)), [[[-np.inf]], [[np.inf]]])
        self.low[:, scalar], self.high[:, scalar] = (bound - self.source.q[:, columns] for bound in self._bounds)
        self._balls = _balls(skeleton, wide)
        self._coned = _coned(skeleton, self.free)

    def cost(self, pose: Pose, left: Array, correction: Array) -> float:
        over = sum(float(np.sum(rows.over(pose) ** 2)) for rows in self._one_sided)
        return 0.5 * (float(np.sum(self.rows.weights[..., None] * left**2)) + over) + self.bands.cost(correction)

    def at(self, correction: Array) -> _State:
        """The state of the nearest corrections within the limits."""
        correction = np.clip(correction, self.low, self.high)
        pose = self.source.plus(self._spread(correction))
        if self._coned:
            inside = pose.clamped().minus(self.source)
            for own, at in self._coned:
                correction[:, at] = inside[:, own]
            pose = self.source.plus(self._spread(correction))
        pose = self._inside(pose)
        left, rows = self.rows.evaluate(pose)
        return _State(correction, pose, left, rows, self.cost(pose, left, correction), np.zeros_like(correction))

    def _inside(self, pose: Pose) -> Pose:
        """The pose with its free turns and slides within their limits to the last bit, which a sum can miss."""
        q = np.array(pose.q)
        q[:, self._columns] = np.clip(q[:, self._columns], *self._bounds)
        return Pose.trusted(pose.skeleton, q)

    def _spread(self, correction: Array) -> Array:
        tangent = np.zeros((len(correction), self.source.skeleton.dof))
        tangent[:, self.free] = correction
        return tangent

    def normal(self, state: _State) -> tuple[Array, Array]:
        """(blocks `[frame, free, free]`, gradient `[frame, free]`) of the cost by the corrections."""
        left, jacobian = self._weighted(state)
        tangent = self._spread(state.correction)
        for own, at in self._balls:  # q ⊕ dq = source ⊕ (c + dc) with dq = Jr(c) dc
            jacobian[:, :, at] = jacobian[:, :, at] @ _right_jacobian(tangent[:, own])
        if len(self._narrow) < jacobian.shape[2]:
            jacobian = jacobian[:, :, self._narrow]
        across = np.swapaxes(jacobian, 1, 2)
        pull = (across @ left[..., None])[..., 0]
        return across @ jacobian, pull + self.bands.gradient(state.correction)

    def _weighted(self, state: _State) -> tuple[Array, Array]:
        """(what is left `[frame, row]`, its derivative `[frame, row, wide]`), times the roots of the weights."""
        root = np.repeat(np.sqrt(self.rows.weights), 3, axis=1)
        jacobian = self.rows.jacobian(state.pose, state.rows)
        jacobian *= root[..., None]
        found = [(root * state.left.reshape(root.shape), jacobian)]
        found += [rows.slopes(state.pose, self._wide) for rows in self._one_sided]
        if sum(left.shape[1] > 0 for left, _ in found) < 2:
            return found[0]
        left, slopes = zip(*found, strict=True)
        return np.concatenate(left, axis=1), np.concatenate(slopes, axis=1)

    def stiffness(self, state: _State, gradient: Array, diagonal: Array) -> tuple[Array, Array]:
        """What limits hold: `[frame, free]` how much stiffer a freedom at a bound is that the descent would push over
        it, and blocks `[frame, free, free]` that stiffen balls across the limit of their cones.
        """
        low, high = state.correction <= self.low, state.correction >= self.high
        held = np.where((low & (gradient > 0)) | (high & (gradient < 0)), _HOLDS * diagonal, 0.0)
        blocks = np.zeros((*gradient.shape, gradient.shape[1]) if self._coned else (1, 1, 1))
        for _, at in self._coned:
            normal = state.outward[:, at]
            pushed = np.sum(normal * gradient[:, at], axis=1) < 0
            size = np.where(pushed, 1e4 * diagonal[:, at].max(axis=1), 0.0)
            blocks[:, at.start : at.stop, at.start : at.stop] = (size[:, None] * normal)[..., None] * normal[:, None]
        return held, blocks

    def lower(self, state: _State, step: Array) -> _State:
        """Where the step leads, or the same state where that costs no less."""
        wanted = state.correction + step
        found = self.at(wanted)
        if found.cost >= state.cost:
            return state
        for _, at in self._coned:
            over = wanted[:, at] - found.correction[:, at]
            stopped = np.linalg.norm(over, axis=1, keepdims=True) > _ROUNDING
            found.outward[:, at] = np.where(stopped, normalized(over), 0.0)
        return found


class _State(NamedTuple):
    correction: Array  # [frame, free], within the limits
    pose: Pose
    left: Array  # [frame, term, 3]
    rows: Array  # [frame, term, 9, 6]
    cost: float
    outward: Array  # [frame, free], the unit directions in which cones stopped their balls


def _descend(problem: _Problem, correction: Array, tolerance: float, most: int) -> tuple[_State, int]:
    """Levenberg's damped Gauss–Newton, each step brought back within the limits and taken only if the cost falls.

    The damping follows how much of the promised fall came about (Nielsen 1999), so that steps do not swing to and fro.
    """
    state, damping, grows, tried, share, length = problem.at(correction), 1e-4, 2.0, 0, 1.0, 1.0
    while tried < most:
        blocks, gradient = problem.normal(state)
        diagonal = np.diagonal(blocks, axis1=1, axis2=2) + problem.bands.diagonal
        held, stiff = problem.stiffness(state, gradient, diagonal)
        blocks += stiff
        found = state
        while found is state and tried < most and damping < _GIVE_UP:
            tried += 1
            more = held + damping * diagonal
            step = problem.bands.solve(blocks, more, -gradient)
            if step is not None:
                for length in _LENGTHS:  # a shorter step is tried sooner than a new one is solved for
                    found = problem.lower(state, length * step)
                    if found is not state:
                        break
                share = 2 * (state.cost - found.cost) / max(float(np.sum(step * (more * step - gradient))), 1e-300)
            if found is state:
                damping, grows = damping * grows, 2 * grows
            else:
                damping, grows = max(damping * max(0.1, 1 - (2 * share - 1) ** 3), 1e-9), 2.0
        if found is state:
            break
        fallen, state = state.cost - found.cost, found
        if fallen <= tolerance * state.cost and length == 1:
            break
    return state, tried


def _free_freedoms(skeleton: Skeleton, names: Sequence[str] | None) -> NDArray[np.int64]:
    """Those named and active; of a ball with a cone, all three or none."""
    mask = np.ones(skeleton.dof, bool) if names is None else skeleton.freedom_mask(names)
    mask &= skeleton.tables.active
    for joint in skeleton.cones:
        own = list(skeleton.freedom_range(joint))
        mask[own] = mask[own].all()
    if not mask.any():
        raise GoalError("no freedom may move in this whole-clip solve; name joints that can")
    return np.flatnonzero(mask)


def _rotations(skeleton: Skeleton) -> list[NDArray[np.int64]]:
    """The three freedoms of every ball's and free joint's rotation."""
    ends = skeleton.tables.first_dof[1:][skeleton.tables.code != SCALAR]
    return [np.arange(end - 3, end) for end in ends]


def _with_whole_balls(skeleton: Skeleton, free: NDArray[np.int64]) -> NDArray[np.int64]:
    whole = [own for own in _rotations(skeleton) if np.isin(own, free).any()]
    return np.unique(np.concatenate([free, *whole]))


def _balls(skeleton: Skeleton, wide: NDArray[np.int64]) -> list[tuple[slice, slice]]:
    """(in the tangent, among `wide`) of every rotation that moves."""
    moving = [own for own in _rotations(skeleton) if np.isin(own, wide).all()]
    return [(_run(own), _run(np.searchsorted(wide, own))) for own in moving]


def _coned(skeleton: Skeleton, free: NDArray[np.int64]) -> list[tuple[slice, slice]]:
    """(in the tangent, among `free`) of every ball with a cone that moves."""
    every = [np.array(skeleton.freedom_range(joint)) for joint in skeleton.cones]
    return [(_run(own), _run(np.searchsorted(free, own))) for own in every if np.isin(own, free).all()]


def _run(indices: NDArray[np.int64]) -> slice:
    return slice(int(indices[0]), int(indices[-1]) + 1)


def _scalar_columns(skeleton: Skeleton, free: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """(which of `free` are turns and slides `[free]`, where those stand in `pose.q`)."""
    tables = skeleton.tables
    joint = np.repeat(np.arange(len(tables.code)), np.diff(tables.first_dof))[free]
    scalar = tables.code[joint] == SCALAR
    return scalar, (tables.first_coordinate[joint] + free - tables.first_dof[joint])[scalar]


def _per_freedom(skeleton: Skeleton, name: str, value: ArrayLike) -> Array:
    found = np.asarray(value, float)
    if found.shape not in ((), (skeleton.dof,)) or not (np.isfinite(found).all() and (found >= 0).all()):
        raise GoalError(f"{name} is a number of at least 0, or one for each of the {skeleton.dof} freedoms")
    return np.broadcast_to(found, (skeleton.dof,))


def _right_jacobian(r: Array) -> Array:
    """Jr(r) `[..., 3, 3]` with exp(r + dr) = exp(r) exp(Jr dr) (Chirikjian 2011, ch. 10)."""
    square = np.sum(r * r, axis=-1)[..., None, None]
    angle = np.sqrt(np.where(square > 1e-6, square, 1.0))
    a = np.where(square > 1e-6, (1 - np.cos(angle)) / angle**2, 0.5 - square / 24)
    b = np.where(square > 1e-6, (angle - np.sin(angle)) / angle**3, 1 / 6 - square / 120)
    cross = np.zeros((*r.shape, 3))
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -r[..., 2], r[..., 1], -r[..., 0]
    cross = cross - np.swapaxes(cross, -1, -2)
    return np.eye(3) - a * cross + b * (cross @ cross)


def _largest(errors: Array, weights: Array) -> Array:
    counted = np.where(weights > 0, errors, -np.inf).max(axis=1)
    return np.where(np.isfinite(counted), counted, np.nan)
