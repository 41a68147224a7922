"""A list of goals prepared for a skeleton, to be solved repeatedly with new targets without setting up again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.compiled.threads import cores, in_threads
from posable.errors import GoalError, check_kind
from posable.goals.term_arrays import FINE, NO_CAPSULE, NOT_FINITE, NOT_RIGID
from posable.skeleton import Pose
from posable.solvers.default.kernels.descent import HALTED
from posable.solvers.default.kernels.trajectory import speed_steps
from posable.solvers.default.least_squares import Compiled, LeastSquares
from posable.solvers.diagnosis import Diagnosis
from posable.solvers.engine import OUTCOME, Batch, Fault, takes_long
from posable.solvers.packing import Targets, Values, eased, fresh_rows, joined, part_of
from posable.solvers.problem import Structure
from posable.solvers.proposals import Origin, Proposals
from posable.solvers.solution import Solution
from posable.solvers.weights import BuildsEngines, Weighted, read_weights, weight_table
from posable.spatial import Array

OneSolve = Callable[[Array, Array], tuple[int, int, int, int]]
"""As `Compiled.one`."""

_FAULTS = {
    NOT_FINITE: "holds a number that is not finite or beyond 1e15",
    NOT_RIGID: "is not a rotation",
    NO_CAPSULE: "holds a capsule whose radius is not above 0",
}
_COPIED_AT_ONCE = 4096  # problems whose starts and targets are copied at once
_PER_THREAD = 8  # problems below which a second thread costs more than it saves
_MOST_TRACED = 200_000_000  # coordinates in all traces
_PER_PART = 64  # problems below which idle lanes cost more than smaller parts save


def check_start(start: object) -> None:
    """GoalError unless it is a pose."""
    check_kind(start, Pose, "the start is a Pose", "a figure's is figure.rest", GoalError)


class Prepared:
    """Goals on a skeleton, ready to be solved for many targets; made by `posable.prepare`.

    Example:
        >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))])
        >>> solution = prepared.solve(figure.rest, [(-0.4, 1.3, 0.3)])
    """

    def __init__(self, structure: Structure, method: BuildsEngines) -> None:
        self.structure = structure
        self.skeleton = structure.skeleton
        self.engine = engine = method.engine(structure)
        self._method = method
        self.restarts = structure.options.restarts if isinstance(method, LeastSquares) else 0
        self.targets = Targets(self.skeleton, self.structure.goal_set)
        default = isinstance(method, LeastSquares) and not structure.goal_set.custom
        self._proposals = Proposals.among(structure, default)
        self._one = engine.one if isinstance(engine, Compiled) and engine.route.is_single else None
        self._coordinates = self.skeleton.coordinates
        self._takes_long = takes_long(structure, 1)
        self._no_trace = np.empty((1, 0, self._coordinates))

    def __repr__(self) -> str:
        names = ", ".join(type(goal).__name__ for goal in self.structure.goal_set.goals)
        return f"Prepared({self.skeleton!r}: {names}; by {self.engine.route})"

    def __dir__(self) -> list[str]:
        """The names that completion offers: its methods, not its parts."""
        return [name for name in super().__dir__() if name.startswith("_") or name in ("skeleton", "solve", "track")]

    def solve(
        self,
        start: Pose,
        targets: Sequence[ArrayLike | None] | None = None,
        trace: bool = False,
        *,
        weights: Sequence[ArrayLike | None] | None = None,
        since: Sequence[ArrayLike | None] | None = None,
        origin: tuple[Pose, Sequence[ArrayLike | None]] | None = None,
    ) -> Solution:
        """The pose that meets the goals for these targets; see `posable.solve`.

        Args:
            start: One pose or a batch `[...]`.
            targets: One array per goal, in the order of the goals: `[..., *shape of its target]`, of a Stay its pose's
                q; None keeps the target that was prepared. The leading axes are those of a batch.
            trace: Whether to keep every intermediate pose in `solution.trace`.
            weights: One array `[...]` per goal, with the axes of the batch, in place of the goal's own weight (of a
                `Place`, the larger of its two, whose ratio stays); None keeps it. 0 switches a goal off, as if it were
                not in the list.
            since: In a drag, the targets for which `start` was solved: a `Natural` among the goals then moves the rest
                of the body by the change since then, and not repeatedly by the part that cannot be met. One pose only.
            origin: In a drag, with `since`: the pose in which it began and the targets for which that was solved. The
                freedom that the goals leave then returns to that pose as the targets return, regardless of their path.

        Raises:
            GoalError: Naming the goal whose target or weight is wrong.

        Example:
            >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", (0.0, 0.0, 0.0))])
            >>> prepared.solve(figure.rest, [np.array([[-0.3, 1.3, 0.3], [-0.4, 1.2, 0.2]])]).pose.shape
            (2,)
        """
        if since is not None and self._proposals is not None:
            known = None if origin is None else (origin[0], self.targets.values(origin[1]))
            return self._solve_on(start, self.targets.values(targets), weights, self.targets.values(since), known)
        if weights is not None:
            return self._solve_weighted(start, self.targets.values(targets), weights, trace)
        if targets is not None and not trace and self._one is not None and self.targets.is_single(targets, start):
            return self._solve_single(self._one, start, targets)
        return self.solve_values(start, self.targets.values(targets), trace)

    def solve_values(self, start: Pose, values: Values, trace: bool = False) -> Solution:
        """As `solve`, from the values of the goals in the world."""
        if not trace and self._one is not None and self.targets.is_single(values, start):
            return self._solve_single(self._one, start, values)
        began = perf_counter()
        self.check_start(start)
        shape = self.targets.shape(start, values)
        if not shape:
            numbers, springs = self.targets.rows(values, (), slice(0, 1))
            return self._solve_one(start, values, numbers, springs, trace, began)
        return self._solve_batch(start, shape, values, None, trace, began)

    def _solve_weighted(
        self, start: Pose, values: Values, weights: Sequence[ArrayLike | None], trace: bool
    ) -> Solution:
        given = self._weights(weights)
        shape = self.targets.shape(start, values, given)
        if given is None:
            return self.solve_values(start, values, trace)
        began = perf_counter()
        self.check_start(start)
        return self._solve_batch(start, shape, values, given, trace, began)

    def _solve_on(
        self,
        start: Pose,
        values: Values,
        weights: Sequence[ArrayLike | None] | None,
        since: Values,
        origin: tuple[Pose, Values] | None,
    ) -> Solution:
        """One solve of a drag: the change of the targets moves the start first, partly towards the origin."""
        assert self._proposals is not None
        began = perf_counter()
        given = None if weights is None else self._weights(weights)
        self.check_start(start)
        (before, _), (now, springs) = (self.targets.rows(one, (), slice(0, 1)) for one in (since, values))
        first = None
        if origin is not None:
            self.check_start(origin[0])
            first = Origin(np.array(origin[0].q), self.targets.rows(origin[1], (), slice(0, 1))[0][0])
        part_weights = None if given is None else np.array(given, float)[None]
        begun, step = self._proposals.begin_step(np.array(start.q), now, before, springs, part_weights, first)
        if weights is None and self._one is not None:
            found = self._ended(self._one, now[0], begun, values, began)
        else:
            moved, plain = Pose.trusted(self.skeleton, begun), self._without_proposals
            found = (
                plain.solve_values(moved, values) if weights is None else plain.solve(moved, values, weights=weights)
            )
        short = self._proposals.shortened(step, found.pose.q, bool(found.reached))
        if short is None:
            return found
        return Solution(
            Pose.trusted(self.skeleton, short.q), self, values, short.counts, perf_counter() - began, weights=given
        )

    @cached_property
    def _without_proposals(self) -> Prepared:
        """The same with the same engine, but without proposed starting poses."""
        plain = copy(self)
        plain._proposals = None
        return plain

    def _weights(self, weights: Sequence[ArrayLike | None]) -> list[Array] | None:
        """The weights, one array per goal; None for the goals' own."""
        given = read_weights(self.structure.goal_set.goals, weights)
        pairs = zip(given, self.structure.goal_set.goals, strict=True)
        return None if all(own.ndim == 0 and own == goal.own_weight for own, goal in pairs) else given

    def _solve_one(
        self, start: Pose, values: Values, numbers: Array, springs: Array | None, trace: bool, began: float
    ) -> Solution:
        begun = self._begin(fresh_rows(start.q), numbers, springs)
        if self._one is not None and not trace:
            return self._ended(self._one, numbers[0], begun[0], values, began)
        out, counts = np.empty((1, self._coordinates)), np.zeros((1, 3), np.int64)
        traces = self._traces(1, self.engine.most_traced()) if trace else self._no_trace
        batch = Batch(begun, numbers, springs)

        def run(_: slice) -> None:
            self._check(self.engine.run(batch, out, counts, traces))

        if self._takes_long:
            self._share(run, 1, 1, counts)
        else:
            run(slice(0, 1))
        pose = Pose.trusted(self.skeleton, out[0])
        return Solution(pose, self, values, counts, perf_counter() - began, traces if trace else None)

    def _solve_single(self, one: OneSolve, start: Pose, targets: Sequence[Array]) -> Solution:
        """One solve of plain goals, with as little Python as possible, since the solve itself hardly takes longer."""
        began = perf_counter()
        if start.skeleton is not self.skeleton:
            self.check_start(start)
        values = [target.copy() for target in targets]  # the caller may reuse its arrays
        return self._ended(one, joined(values), start.q.copy(), values, began)

    def _ended(self, one: OneSolve, numbers: Array, q: Array, values: Values, began: float) -> Solution:
        """One solve by `one`, of the targets `numbers`, which begins at `q` and leaves the solution there."""
        code, term, outcome, spent = one(numbers, q)
        if code != FINE:
            self._check((code, 0, term))
        pose = Pose.trusted(self.skeleton, q)
        return Solution(pose, self, values, ((outcome, spent, 0),), perf_counter() - began)

    def _solve_batch(
        self,
        start: Pose,
        shape: tuple[int, ...],
        values: Values,
        weights: list[Array] | None,
        trace: bool,
        began: float,
    ) -> Solution:
        """A batch. Starts and targets are copied a block at a time: memory stays flat."""
        count = math.prod(shape)
        out, counts = np.empty((count, self._coordinates)), np.zeros((count, 3), np.int64)
        engine = self.engine if weights is None else self.weighted
        traces = self._traces(count, engine.most_traced() * trace)

        def run(part: slice) -> None:
            for first in range(part.start, part.stop, _COPIED_AT_ONCE):
                if counts[first, OUTCOME] == HALTED:
                    return
                block = slice(first, min(first + _COPIED_AT_ONCE, part.stop))
                numbers, springs = self.targets.rows(values, shape, block)
                part_weights = weight_table(weights, shape, block)
                starts = self._begin(fresh_rows(part_of(start.q, 1, shape, block)), numbers, springs, part_weights)
                batch = Batch(starts, numbers, springs, part_weights)
                self._check(engine.run(batch, out[block], counts[block], traces[block]), first)

        self._share(run, count, 1, counts)
        pose = Pose.trusted(self.skeleton, out.reshape(*shape, self._coordinates))
        return Solution(pose, self, values, counts, perf_counter() - began, traces if trace else None, weights)

    def track(
        self,
        start: Pose,
        targets: Sequence[ArrayLike | None] | None = None,
        *,
        weights: Sequence[ArrayLike | None] | None = None,
        fps: float = 30.0,
        speed: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        ease: float = 0.0,
    ) -> Solution:
        """The poses that follow targets over time, each from the one before: no restarts, no flips.

        With a `Natural` among the goals they are the steps of a drag that begins at the first frame; with limits of
        speed or acceleration it only resists.

        Args:
            start: The pose before the first frame, or a batch of them, one for each trajectory.
            targets: As for `solve`; the last leading axis is time, and those before it are a batch of trajectories.
            weights: As for `solve`, the last axis being time.
            fps: Frames per second.
            speed: The largest speed of the degrees of freedom, a number or `[dof]`, in rad/s and lengths/s. It
                takes precedence over the goals, and joint limits take precedence over it.
            acceleration: The largest acceleration, likewise, per s².
            ease: Seconds after which a tenth of a jump of the targets remains; 0 follows them at once.

        Raises:
            GoalError: Naming the goal whose target or weight is wrong, or the invalid limit or time.
        """
        given = None if weights is None else self._weights(weights)
        values = self.targets.values(targets)
        steps = speed_steps(self.skeleton, fps, speed, acceleration)
        began = perf_counter()
        self.check_start(start)
        first = Pose.trusted(self.skeleton, start.q[..., None, :]) if start.shape else start
        shape = self.targets.shape(first, values, given)
        if not shape:
            raise GoalError("a trajectory needs targets with an axis of time, (frames, ...)")
        if not shape[-1]:
            raise GoalError("a trajectory has at least one frame, and the axis of time of these targets is empty")
        values = eased(self.structure.goal_set.goals, values, start, shape, ease, fps)
        engine = self.engine if given is None else self.weighted
        frames, count, trajectories = shape[-1], math.prod(shape), math.prod(shape[:-1])
        out, counts = np.empty((count, self._coordinates)), np.zeros((count, 3), np.int64)
        starts = fresh_rows(part_of(start.q, 1, shape[:-1], slice(0, trajectories)))

        def run(part: slice) -> None:
            for n in range(part.start, part.stop):
                if counts[n * frames, OUTCOME] == HALTED:
                    return
                own = slice(n * frames, (n + 1) * frames)
                numbers, springs = self.targets.rows(values, shape, own)
                batch = Batch(starts[n : n + 1], numbers, springs, weight_table(given, shape, own))
                if self._proposals is None or steps is not None:
                    fault = engine.follow(batch, steps, out[own], counts[own])
                else:
                    fault = self._proposals.follow(engine, batch, out[own], counts[own])
                self._check(fault, own.start, shape)

        self._share(run, trajectories, frames, counts)
        pose = Pose.trusted(self.skeleton, out.reshape(*shape, self._coordinates))
        return Solution(pose, self, values, counts, perf_counter() - began, weights=given, followed=True)

    @cached_property
    def weighted(self) -> Weighted:
        """The engine for weights that are given as numbers."""
        return Weighted(self.structure, self._method, self.engine)

    def statuses(
        self, values: Values, weights: list[Array] | None, pose: Pose, outcomes: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """`[problem]` the status of each solve of a batch; weights: as solved with."""
        shape = pose.shape
        if weights is None:
            return Diagnosis(self.engine, self.targets, values, pose, outcomes).statuses()
        found = np.zeros(len(outcomes), np.int64)
        flat = pose.q.reshape(len(outcomes), self._coordinates)
        for n in np.flatnonzero(outcomes):
            one = slice(n, n + 1)
            part = self.weighted.exactly(np.array([part_of(own, 0, shape, one)[0] for own in weights]))
            given, ended = self.targets.values_of(values, shape, one), Pose.trusted(self.skeleton, flat[n])
            kept = [given[k] for k in part.kept]
            found[n] = Diagnosis(part.engine, part.targets, kept, ended, outcomes[one]).statuses()[0]
        return found

    def _begin(self, starts: Array, numbers: Array, springs: Array | None, weights: Array | None = None) -> Array:
        """`[problem, coordinates]` the starting poses of solves with these given starts; weights: `[problem, goal]`."""
        return starts if self._proposals is None else self._proposals.begin(starts, numbers, springs, weights)

    def _traces(self, count: int, most: int) -> Array:
        """Room for the traces of `count` problems. Raises GoalError where it would take too much memory."""
        if count * most * self._coordinates > _MOST_TRACED:
            raise GoalError(
                f"the traces of {count:,} solves may take {most:,} poses each; ask for fewer with max_iterations"
            )
        return np.empty((count, most, self._coordinates))

    def check_start(self, start: Pose) -> None:
        """GoalError unless it is a pose, and one of this skeleton."""
        check_start(start)
        if start.skeleton is not self.skeleton and not start.skeleton.shares_poses(self.skeleton):
            raise GoalError("the start pose belongs to another skeleton than the one the goals were prepared for")

    def _check(self, fault: Fault, first: int = 0, shape: tuple[int, ...] = ()) -> None:
        """GoalError for the target that the kernel found wrong.

        first: the problem of its first row. shape: of the trajectories, `(..., frames)`, if any.
        """
        code, row, term = fault
        if code == FINE:
            return
        goal_set = self.structure.goal_set
        goals = [goal for goal, rows in zip(goal_set.hard, goal_set.rows_of, strict=True) for _ in rows]
        goal, problem = goals[term], first + row
        what = _FAULTS[code]
        which = f" (problem {problem} of the batch)" if problem else ""
        if shape:
            *trajectory, frame = (int(k) for k in np.unravel_index(problem, shape))
            which = f" (frame {frame}{f' of trajectory {str(trajectory)[1:-1]}' if trajectory else ''})"
        raise GoalError(f"{goal._label}: {goal.TARGET} {what}{which}")

    def _share(self, run: Callable[[slice], None], count: int, each: int, counts: NDArray[np.int64]) -> None:
        """`run` on parts of `count` problems, every one worth `each` solves, on every core."""
        if self.structure.goal_set.custom:  # Python code: more threads would only wait for each other
            return run(slice(0, count))
        threads = min(cores(), count, max(1, count * each // _PER_THREAD))
        parts = 1 if threads <= 1 else min(4 * threads, count, max(threads, count * each // _PER_PART))

        def halt() -> None:
            counts[:, OUTCOME] = HALTED

        return in_threads(run, count, parts, threads, halt, waits=takes_long(self.structure, count * each))
