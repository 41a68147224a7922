"""What a whole-clip solve lowers: the cost of corrections to a clip, and its model near a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.clips import Clip
from posable.errors import GoalError
from posable.goals import Goal
from posable.motion.whole_clip.banded_system import Bands
from posable.motion.whole_clip.clip_rows import Bodies, ClipRows, run_of
from posable.motion.whole_clip.inequality_rows import OneSided, Rows, joined
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized
from posable.spatial.marquardt import HOLDS, Mask, pushed_over

_AROUND = 0.13  # s about a frame within which it is damped, and its step shortened, with it
_SHORTER, _TRIES = 0.3, 5  # of a step, about frames that it makes worse; how often it is tried
_LOOKS = 3  # how often it is looked which one-sided rows count after a step
_ROUNDING = 1e-9
"""Radians by which a cone must have stopped a ball to count as a limit that holds it."""


class State(NamedTuple):
    """Where a descent is."""

    correction: Array  # [frame, free], within the limits
    pose: Pose
    left: Array  # [frame, term, 3]
    rows: Array  # [frame, term, 9, 6]
    costs: Array  # [frame]
    outward: Array  # [frame, free], the unit directions in which cones stopped their balls


@dataclass(frozen=True, eq=False)
class Model:
    """The cost near a state, quadratic but for its one-sided rows: blocks `[frame, free, free]` and gradient `[frame,
    free]` of the rest.
    """

    problem: ClipProblem
    state: State
    blocks: Array
    gradient: Array
    rows: Rows

    def solve(self, damping: Array) -> Array | None:
        """`[frame, free]` the step made with those one-sided rows that are above zero after it."""
        active, bands, step = self.rows.over > 0, self.problem.bands, None
        for _ in range(_LOOKS):
            blocks, gradient = self._with_rows(active)
            diagonal = np.diagonal(blocks, axis1=1, axis2=2) + bands.diagonal
            held, stiff = self.problem.stiffness(self.state, gradient, diagonal)
            step = bands.solve(blocks + stiff, held + damping[:, None] * diagonal, -gradient)
            if step is None:
                return None
            before, active = active, self._over_after(step) > 0
            if (active == before).all():
                break
        return step

    def _with_rows(self, active: Mask) -> tuple[Array, Array]:
        """(blocks, gradient) with the rows that count, `[frame, slot]`."""
        slopes = np.where(active[..., None], self.rows.slopes, 0.0)
        across = np.swapaxes(slopes, 1, 2)
        over = np.where(active, self.rows.over, 0.0)[..., None]
        return self.blocks + across @ slopes, self.gradient + (across @ over)[..., 0]

    def _over_after(self, step: Array) -> Array:
        """`[frame, slot]` by how much rows are above zero after a step."""
        return self.rows.over + (self.rows.slopes @ step[..., None])[..., 0]

    def fall(self, step: Array) -> float:
        """By how much the cost falls with a step."""
        curved = (self.blocks @ step[..., None])[..., 0]
        rows = np.maximum(self.rows.over, 0.0) ** 2 - np.maximum(self._over_after(step), 0.0) ** 2
        tied = self.problem.bands.costs(step).sum()
        return float(0.5 * rows.sum() - np.sum((self.gradient + 0.5 * curved) * step) - tied)


class ClipProblem:
    """What is solved: the goals' rows and the one-sided ones, the ties over time, the limits. Arguments and errors are
    those of `solve_clip`. fps: frames a second; free: `[free]` the freedoms that move.
    """

    def __init__(
        self,
        source: Clip,
        goals: Sequence[Goal],
        weights: Sequence[ArrayLike | None] | None,
        free: Sequence[str] | None,
        stay: ArrayLike,
        smooth: ArrayLike,
        one_sided: Sequence[OneSided],
    ) -> None:
        skeleton, frames, self.fps = source.skeleton, len(source), source.fps
        self.free = _free_freedoms(skeleton, free)
        self._one_sided = tuple(one_sided)
        self.source = source.poses
        self.rows = ClipRows(skeleton, goals, weights, frames)
        every = self.rows.bodies.union(*(rows.bodies for rows in one_sided))
        self._bodies = Bodies(skeleton, every, self.free)
        unit = np.where(skeleton.slides, 1.0 / skeleton.reach, 1.0)[self.free] ** 2
        stay, smooth = (_per_freedom(skeleton, name, v)[self.free] for name, v in (("stay", stay), ("smooth", smooth)))
        self.bands = Bands(frames, stay * unit, smooth * unit * source.fps**4)
        columns = skeleton.tables.axis_columns[self.free]
        scalar = columns >= 0
        columns = columns[scalar]
        self._columns, self._bounds = columns, (skeleton.lower[self.free[scalar]], skeleton.upper[self.free[scalar]])
        self.low, self.high = np.full((2, frames, len(self.free)), [[[-np.inf]], [[np.inf]]])
        self.low[:, scalar], self.high[:, scalar] = (bound - self.source.q[:, columns] for bound in self._bounds)
        self.coned = _coned(skeleton, self.free)

    def costs(self, pose: Pose, left: Array, correction: Array) -> Array:
        """`[frame]` of goals and one-sided rows, and of the corrections themselves."""
        over = sum(np.sum(np.maximum(rows.over(pose), 0.0) ** 2, axis=1) for rows in self._one_sided)
        return 0.5 * (np.sum(self.rows.weights[..., None] * left**2, axis=(1, 2)) + over) + self.bands.costs(correction)

    def at(self, correction: Array) -> State:
        """The state of the nearest corrections within the limits."""
        correction = np.clip(correction, self.low, self.high)
        pose = self.source.plus(self._spread(correction))
        if self.coned:
            inside = pose.clamped().minus(self.source)
            for own, at in self.coned:
                correction[:, at] = inside[:, own]
            pose = self.source.plus(self._spread(correction))
        pose = self._inside(pose)
        left, rows = self.rows.evaluate(pose)
        return State(correction, pose, left, rows, self.costs(pose, left, correction), np.zeros_like(correction))

    def _inside(self, pose: Pose) -> Pose:
        """The pose with its free turns and slides within their limits to the last bit, which a sum can miss."""
        q = np.array(pose.q)
        q[:, self._columns] = np.clip(q[:, self._columns], *self._bounds)
        return Pose.trusted(pose.skeleton, q)

    def _spread(self, correction: Array) -> Array:
        tangent = np.zeros((len(correction), self.source.skeleton.dof))
        tangent[:, self.free] = correction
        return tangent

    def system(self, state: State) -> Model:
        """The cost near a state, by the corrections."""
        root = np.repeat(np.sqrt(self.rows.weights), 3, axis=1)
        motions = self._bodies.motions(state.pose, self._spread(state.correction))
        jacobian = self.rows.jacobian(state.pose, state.rows, motions)
        jacobian *= root[..., None]
        near = [rows.near(state.pose, motions) for rows in self._one_sided]
        across = np.swapaxes(jacobian, 1, 2)
        pull = (across @ (root * state.left.reshape(root.shape))[..., None])[..., 0]
        rows = joined(near, len(root), motions.free)
        return Model(self, state, across @ jacobian, pull + self.bands.gradient(state.correction), rows)

    def stiffness(self, state: State, gradient: Array, diagonal: Array) -> tuple[Array, Array]:
        """What limits hold: `[frame, free]` how much stiffer a freedom at a bound is that the descent would push over
        it, and blocks `[frame, free, free]` that stiffen balls across the limit of their cones.
        """
        held = np.where(pushed_over(state.correction, self.low, self.high, gradient), HOLDS * diagonal, 0.0)
        blocks = np.zeros((*gradient.shape, gradient.shape[1]) if self.coned else (1, 1, 1))
        for _, at in self.coned:
            normal = state.outward[:, at]
            pushed = np.sum(normal * gradient[:, at], axis=1) < 0
            size = np.where(pushed, 1e4 * diagonal[:, at].max(axis=1), 0.0)
            blocks[:, at.start : at.stop, at.start : at.stop] = (size[:, None] * normal)[..., None] * normal[:, None]
        return held, blocks

    def attempt(self, state: State, step: Array) -> tuple[State, Mask]:
        """(where the step leads, shortened about the frames that it makes worse, or the same state where that costs no
        less; `[frame]` those near which the whole step makes any worse).
        """
        from scipy.ndimage import gaussian_filter1d, maximum_filter1d, minimum_filter1d

        near, share, first = max(round(_AROUND * self.fps), 1), np.ones(len(step)), np.zeros(len(step), bool)
        for attempt in range(_TRIES):
            wanted = state.correction + share[:, None] * step
            found = self.at(wanted)
            worse = found.costs > state.costs
            first = worse if attempt == 0 else first
            if found.costs.sum() < state.costs.sum():
                self._mark_stops(wanted, found)
                state = found
                break
            shorter = minimum_filter1d(np.where(worse, _SHORTER * share, share), 2 * near + 1)
            share = gaussian_filter1d(shorter, near / 2)
        return state, np.asarray(maximum_filter1d(first, 2 * near + 1), bool)

    def _mark_stops(self, wanted: Array, found: State) -> None:
        """Note where cones stopped their balls on the way to `wanted`."""
        for _, at in self.coned:
            over = wanted[:, at] - found.correction[:, at]
            stopped = np.linalg.norm(over, axis=1, keepdims=True) > _ROUNDING
            found.outward[:, at] = np.where(stopped, normalized(over), 0.0)


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


def _coned(skeleton: Skeleton, free: NDArray[np.int64]) -> list[tuple[slice, slice]]:
    """(in the tangent, among `free`) of every ball with a cone that moves."""
    every = [np.array(skeleton.freedom_range(joint)) for joint in skeleton.cones]
    return [(run_of(own), run_of(np.searchsorted(free, own))) for own in every if np.isin(own, free).all()]


def _per_freedom(skeleton: Skeleton, name: str, value: ArrayLike) -> Array:
    found = np.asarray(value, float)
    if found.shape not in ((), (skeleton.dof,)) or not (np.isfinite(found).all() and (found >= 0).all()):
        raise GoalError(f"{name} is a number of at least 0, or one for each of the {skeleton.dof} freedoms")
    return np.broadcast_to(found, (skeleton.dof,))
