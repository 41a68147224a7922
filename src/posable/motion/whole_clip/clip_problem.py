"""The least-squares problem of a whole-clip solve: the cost of corrections, and its banded model near a state."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.clips import Clip
from posable.errors import GoalError
from posable.motion.whole_clip.banded_kernels import fill_bands, find_ties, make_bands, solve_banded
from posable.motion.whole_clip.clip_kernels import (
    add_above,
    add_goals,
    add_penalties,
    add_resistance,
    add_slope,
    choose_rows,
    correct,
    count_rows,
    fall_of_rows,
    quadratic,
)
from posable.motion.whole_clip.clip_rows import Inequalities, LinearizedRows, Rows, bodies_of, joined, run_of
from posable.motion.whole_clip.speed_limits import SpeedLimits
from posable.skeleton import Pose, Skeleton
from posable.skeleton.batches import flat_rows
from posable.spatial import Array, normalized
from posable.spatial.marquardt import HOLDS, Mask


class BandedSystem:
    """The penalties ½ Σ stay · c² + ½ Σ smooth · (second differences of c)² on corrections `c [frame, free]`, and their
    matrix.

    stay, smooth: `[free]`. The matrix plus one symmetric block per frame is solved by a banded Cholesky factor.
    """

    def __init__(self, frames: int, stay: Array, smooth: Array) -> None:
        self.stay, self.smooth = stay, smooth
        self._second = np.stack(_second_differences(frames))
        self._bands: dict[int, Array] = {}
        self.diagonal = stay + self._second[0][:, None] * smooth
        """`[frame, free]` of the matrix without the blocks."""

    def costs(self, c: Array) -> Array:
        """`[frame]` the penalties; a second difference counts for the frame in its middle."""
        found = np.zeros(len(c))
        add_penalties(c, self.stay, self.smooth, found)
        return found

    def add_gradient(self, c: Array, gradient: Array) -> None:
        """Add the derivative of `costs` to `gradient [frame, free]`."""
        add_slope(c, self.stay, self.smooth, gradient)

    def solve(self, blocks: Array, more: Array, right: Array, after: Array | None = None) -> Array | None:
        """x `[frame, free]` with (matrix + blocks `[frame, free, free]` + diagonal `more`) x = right.

        after: `[frame, free]` more entries of the matrix, between a frame and the next.

        None where the matrix is not positive definite after rounding. Groups of freedoms between which no block has an
        entry in any frame are solved by themselves: the cost grows with the cube of their size.
        """
        frames, n = right.shape
        tied = np.zeros((n, n), bool)
        find_ties(blocks, tied)
        found = np.empty((frames, n))
        diagonal, after = self.diagonal + more, np.empty((0, n)) if after is None else after
        for own in _groups(tied.tobytes(), n):
            x, bands = np.empty(frames * len(own)), self._bands.get(len(own))
            if bands is None:  # one problem is solved a hundred times
                bands = self._bands[len(own)] = make_bands(frames, len(own))
            fill_bands(own, diagonal, self._second, self.smooth, blocks, after, right, bands, x)
            if not solve_banded(bands, 2 * len(own) + 1, x):
                return None
            found[:, own] = x.reshape(frames, len(own))
        return found


@lru_cache(maxsize=64)
def _groups(tied: bytes, n: int) -> list[NDArray[np.int64]]:
    """The connected components of a symmetric relation `[n, n]`."""
    ties, left, found = np.frombuffer(tied, bool).reshape(n, n), set(range(n)), []
    while left:
        group, ahead = set[int](), {min(left)}
        while ahead:
            group |= ahead
            ahead = set(np.flatnonzero(ties[sorted(ahead)].any(axis=0)).tolist()) - group
        found.append(np.array(sorted(group)))
        left -= group
    return found


def _second_differences(frames: int) -> tuple[Array, Array, Array]:
    """The diagonal of DᵀD and the two below it, each `[frame]`, D the second differences."""
    zero, one, two = np.zeros(frames), np.zeros(frames), np.zeros(frames)
    if frames > 2:
        inner = slice(1, -1)
        zero[:-2] += 1.0
        zero[inner] += 4.0
        zero[2:] += 1.0
        one[:-2] -= 2.0
        one[inner] -= 2.0
        two[:-2] += 1.0
    return zero, one, two


_WINDOW = 0.13  # s: frames this close to one that a step makes worse are damped, and their step shortened, with it
_SHORTER, _TRIES = 0.3, 5  # factor of a step near frames that it makes worse; how often it is shortened
_ACTIVE_SET_ROUNDS = 3  # how often the inequalities that count are updated within a step
_LITTLE = 1e-4  # of the cost: what inequalities that come or go are worth that are not worth another round
_ROUNDING = 1e-9
"""Radians by which a cone must have stopped a ball joint to count as an active limit."""


class State(NamedTuple):
    """The state of a descent."""

    correction: Array  # [frame, free], within the limits
    pose: Pose
    residual: Array  # [frame, term, 3]
    rows: Array  # [frame, term, 9, 6]
    costs: Array  # [frame]
    outward: Array  # [frame, free], the unit directions in which cones stopped their ball joints


@dataclass(frozen=True, eq=False)
class Model:
    """The cost near a state: quadratic, with blocks `[frame, free, free]` and gradient `[frame, free]`, except for the
    inequalities.
    """

    problem: ClipProblem
    state: State
    blocks: Array
    gradient: Array
    rows: LinearizedRows

    def solve(self, damping: Array) -> Array | None:
        """`[frame, free]` the step made with the inequalities that are above zero after it."""
        active, step, now = self.rows.violations > 0, None, self.state.correction
        speeds, fast = self.problem.speeds, self.problem.speeds.active(now)
        little = _LITTLE * float(self.state.costs.sum())
        for left in reversed(range(_ACTIVE_SET_ROUNDS)):
            step = self._step(active, fast, damping)
            if step is None or not left:
                return step
            faster = speeds.active(now + step)
            changed = choose_rows(*self.rows, step, active) + speeds.worth(now + step, fast, faster)
            fast = faster
            if changed <= little:
                break
        return step

    def _step(self, active: Mask, fast: Array, damping: Array) -> Array | None:
        """`[frame, free]` with these inequalities, and the excess of speeds with these signs."""
        problem, banded = self.problem, self.problem.banded
        blocks, gradient = self._counted
        count_rows(active, *self.rows, self.blocks, self.gradient, blocks, gradient)
        more, between = np.zeros(gradient.shape), None
        if fast.any():
            between = np.zeros(gradient.shape)
            problem.speeds.add_to(self.state.correction, fast, gradient, more, between)
        problem.add_stiffness(self.state, gradient, blocks, damping, more)
        return banded.solve(blocks, more, -gradient, between)

    @cached_property
    def _counted(self) -> tuple[Array, Array]:
        """Memory for the blocks and the gradient with the inequalities that count."""
        return np.empty(self.blocks.shape), np.empty(self.gradient.shape)

    def fall(self, step: Array) -> float:
        """The decrease of the cost by a step."""
        penalties = self.problem.banded.costs(step).sum()
        speeds, correction = self.problem.speeds, self.state.correction
        penalties += np.sum(speeds.costs(correction + step) - speeds.costs(correction))
        return float(fall_of_rows(*self.rows, step) - quadratic(self.blocks, self.gradient, step) - penalties)


class ClipProblem:
    """The rows of goals and inequalities, the penalties over time, the limits. Arguments and errors are those of
    `solve_clip`. fps: frames per second; free: `[free]` the degrees of freedom that move.
    """

    def __init__(
        self,
        source: Clip,
        rows: Rows,
        free: Sequence[str] | None,
        stay: ArrayLike,
        smooth: ArrayLike,
        inequalities: Sequence[Inequalities] = (),
        speed: ArrayLike = np.inf,
    ) -> None:
        skeleton, frames, self.fps = source.skeleton, len(source), source.fps
        self.free = _free_freedoms(skeleton, free)
        self._inequalities = tuple(inequalities)
        self.source = source.poses
        self.rows = rows
        every = set(rows.bodies).union(*(more.bodies for more in inequalities))
        self._bodies = bodies_of(skeleton, frozenset(every), tuple(self.free.tolist()))
        unit = np.where(skeleton.slides, 1.0 / skeleton.reach, 1.0)[self.free] ** 2
        stay, smooth = (_per_freedom(skeleton, name, v)[self.free] for name, v in (("stay", stay), ("smooth", smooth)))
        self.banded = BandedSystem(frames, stay * unit, smooth * unit * source.fps**4)
        columns = skeleton.tables.axis_columns[self.free]
        scalar = columns >= 0
        columns = columns[scalar]
        self._columns, self._bounds = columns, (skeleton.lower[self.free[scalar]], skeleton.upper[self.free[scalar]])
        self.low, self.high = np.full((2, frames, len(self.free)), [[[-np.inf]], [[np.inf]]])
        self.low[:, scalar], self.high[:, scalar] = (bound - self.source.q[:, columns] for bound in self._bounds)
        self.coned = _coned(skeleton, self.free)
        fastest = _per_freedom(skeleton, "speed", speed)[self.free] / source.fps
        self.speeds = SpeedLimits.of(self.source.q[:, columns], np.flatnonzero(scalar), fastest)

    def with_rows(self, rows: Rows) -> ClipProblem:
        """The same problem with other rows on the same bodies, or fewer."""
        found = copy(self)
        found.rows = rows
        return found

    def costs(self, pose: Pose, residual: Array, correction: Array) -> Array:
        """`[frame]` of goals, inequalities and penalties."""
        found = self.banded.costs(correction)
        add_goals(self.rows.weights, residual, found)
        for rows in self._inequalities:
            add_above(rows.violations(pose), found)
        return found + self.speeds.costs(correction)

    def at(self, correction: Array) -> State:
        """The state at the closest corrections within the limits."""
        correction, pose = self._corrected(correction)
        if self.coned:
            inside = pose.clamped().minus(self.source)
            for own, at in self.coned:
                correction[:, at] = inside[:, own]
            correction, pose = self._corrected(correction)
        residual, rows = self.rows.evaluate(pose)
        costs = self.costs(pose, residual, correction)
        return State(correction, pose, residual, rows, costs, np.zeros_like(correction))

    def _corrected(self, wanted: Array) -> tuple[Array, Pose]:
        """(the corrections nearest to `wanted` between the bounds, the poses with them)."""
        skeleton, correction, q = self.source.skeleton, np.empty(wanted.shape), np.empty(self.source.q.shape)
        source = flat_rows(self.source.q, self.source.shape)
        bounds = (self.low, self.high, self.free, self._columns, *self._bounds)
        correct(skeleton.packed, source, np.ascontiguousarray(wanted), *bounds, correction, q)
        return correction, Pose.trusted(skeleton, q)

    def _spread(self, correction: Array) -> Array:
        tangent = np.zeros((len(correction), self.source.skeleton.dof))
        tangent[:, self.free] = correction
        return tangent

    def system(self, state: State) -> Model:
        """The model of the cost near a state, by the corrections."""
        motions = self._bodies.motions(state.pose, self._spread(state.correction))
        inequalities = [rows.linearized(state.pose, motions) for rows in self._inequalities]
        blocks, gradient = self.rows.normal_equations(state.pose, state.residual, state.rows, motions)
        self.banded.add_gradient(state.correction, gradient)
        return Model(self, state, blocks, gradient, joined(inequalities, len(gradient), motions.free))

    def add_stiffness(self, state: State, gradient: Array, blocks: Array, damping: Array, more: Array) -> None:
        """Add the damping `[frame]` and the stiffness of active limits: to the diagonal `more [frame, free]` that of
        degrees of freedom at a bound over which the descent would push them, to `blocks [frame, free, free]` that of
        ball joints across the limit of their cones.
        """
        penalties = self.banded.diagonal
        add_resistance(state.correction, self.low, self.high, gradient, blocks, penalties, damping, HOLDS, more)
        for _, at in self.coned:
            normal = state.outward[:, at]
            pushed = np.sum(normal * gradient[:, at], axis=1) < 0
            if not pushed.any():
                continue
            diagonal = np.diagonal(blocks[:, at, at], axis1=1, axis2=2) + penalties[:, at]
            size = np.where(pushed, 1e4 * diagonal.max(axis=1), 0.0)
            blocks[:, at, at] += (size[:, None] * normal)[..., None] * normal[:, None]

    def attempt(self, state: State, step: Array) -> tuple[State, Mask]:
        """(the state after the step, shortened near the frames that it makes worse, or the same state where that does
        not lower the cost; `[frame]` the frames near any that the whole step makes worse).
        """
        from scipy.ndimage import gaussian_filter1d, maximum_filter1d, minimum_filter1d

        near, share, first = max(round(_WINDOW * self.fps), 1), np.ones(len(step)), np.zeros(len(step), bool)
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
        return state, np.asarray(maximum_filter1d(first, 2 * near + 1), bool) if first.any() else first

    def _mark_stops(self, wanted: Array, found: State) -> None:
        """Note where cones stopped their ball joints between there and `wanted`."""
        for _, at in self.coned:
            beyond = wanted[:, at] - found.correction[:, at]
            stopped = np.linalg.norm(beyond, axis=1, keepdims=True) > _ROUNDING
            found.outward[:, at] = np.where(stopped, normalized(beyond), 0.0)


def _free_freedoms(skeleton: Skeleton, names: Sequence[str] | None) -> NDArray[np.int64]:
    """The named ones that are active; all three or none of a ball joint with a cone."""
    mask = np.ones(skeleton.dof, bool) if names is None else skeleton.freedom_mask(names)
    mask &= skeleton.tables.active
    for joint in skeleton.cones:
        own = list(skeleton.freedom_range(joint))
        mask[own] = mask[own].all()
    if not mask.any():
        raise GoalError("no freedom may move in this whole-clip solve; name joints that can")
    return np.flatnonzero(mask)


def _coned(skeleton: Skeleton, free: NDArray[np.int64]) -> list[tuple[slice, slice]]:
    """(in the tangent, among `free`) of every ball joint with a cone that moves."""
    every = [np.array(skeleton.freedom_range(joint)) for joint in skeleton.cones]
    return [(run_of(own), run_of(np.searchsorted(free, own))) for own in every if np.isin(own, free).all()]


def _per_freedom(skeleton: Skeleton, name: str, value: ArrayLike) -> Array:
    found = np.asarray(value, float)
    bounded = name == "speed" or np.isfinite(found).all()
    if found.shape not in ((), (skeleton.dof,)) or not (bounded and (found >= 0).all()):
        raise GoalError(f"{name} is a number of at least 0, or one for each of the {skeleton.dof} freedoms")
    return np.broadcast_to(found, (skeleton.dof,))
