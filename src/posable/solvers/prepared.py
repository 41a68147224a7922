"""A list of goals made ready for a skeleton: solved again and again with other targets, and nothing set up anew."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import GoalError
from posable.goals import Custom, Goal, Place, SoftGoal
from posable.goals.goal import is_number
from posable.goals.targets import FINE, NOT_FINITE
from posable.skeleton import Pose, Skeleton
from posable.solvers.arena import flatten
from posable.solvers.closed import ClosedForm
from posable.solvers.columns import LOCKED
from posable.solvers.options import Options
from posable.solvers.packing import Targets, Values, part_of
from posable.solvers.problem import build_problem, read_goals
from posable.solvers.restarts import __file__ as restarts_file
from posable.solvers.restarts import solve_all
from posable.solvers.solution import Solution
from posable.spatial import Array
from posable.spatial.compile import announce_compilation

_BLOCK = 4096  # problems whose starts and targets are copied at once
_MANY = 64  # problems for which the kernel that solves them side by side is worth compiling
_PER_THREAD = 8  # problems below which a second thread costs more than it gives
_PER_PART = 64  # problems below which lanes that run empty cost more than smaller parts give


class Prepared:
    """What `posable.prepare` gives: goals on a skeleton, ready to be solved for many targets."""

    def __init__(self, skeleton: Skeleton, goals: Sequence[Goal | SoftGoal | Custom], options: Options) -> None:
        self.skeleton = skeleton
        self.options = options
        self.wishes = read_goals(skeleton, goals)
        self.problem, self.coupling, self.ties = build_problem(skeleton, self.wishes, options)
        self.targets = Targets(skeleton, self.wishes)
        self._coordinates = skeleton.coordinates
        self._entries = options.max_iterations * 15 + 2
        self._no_trace = np.empty((1, 0, skeleton.coordinates))
        self.soft = True if self.problem.levels or self.wishes.soft else None  # None: nothing is compiled for it
        self._constant = (*flatten(skeleton.packed, self.problem, options), self.coupling, self.ties, self.soft)
        arm = self._closed_form()
        self._arm = None if arm is None else np.array(arm.arm)

    def _closed_form(self) -> ClosedForm | None:
        """The closed form of the one arm whose end is to be placed, if that is all that is asked."""
        goal = self.wishes.goals[0] if len(self.wishes.goals) == 1 else None
        if not isinstance(goal, Place) or self.coupling is not None or self.ties is not None or goal.within is not None:
            return None
        free = self.problem.freedom[:, LOCKED] == 0
        if goal.priority or not (goal.position_weight and goal.rotation_weight and free.all()):
            return None
        return ClosedForm.of(self.skeleton, goal.joint)

    def __repr__(self) -> str:
        names = ", ".join(type(goal).__name__ for goal in self.wishes.goals)
        return f"Prepared({self.skeleton!r}: {names})"

    def solve(self, start: Pose, targets: Sequence[ArrayLike | None] | None = None, trace: bool = False) -> Solution:
        """The pose that meets the goals for these targets; see `posable.solve`.

        targets: one array per goal, in the order of the goals: `[..., *what the goal takes]`, a Stay its pose's q; None
        for what keeps the target that it was prepared with. The leading axes are those of a batch.
        Raises GoalError naming the goal whose target is wrong.
        """
        if not trace and targets is not None and self.targets.is_lone(start, targets):
            began = perf_counter()
            self.check_start(start)
            target = np.array(targets[0])
            return self._solve_one(start, [target], target.reshape(1, -1), None, False, began)
        return self.solve_values(start, self.targets.values(targets), trace)

    def solve_values(self, start: Pose, values: Values, trace: bool = False) -> Solution:
        """As `solve`, from what the goals are given in the world."""
        began = perf_counter()
        self.check_start(start)
        if self.wishes.custom:
            return self._solve_custom(start, values, trace, began)
        shape = self.targets.shape(start, values)
        if not shape:
            numbers, springs = self.targets.rows(values, (), slice(0, 1))
            return self._solve_one(start, values, numbers, springs, trace, began)
        announce_compilation(restarts_file)
        out, counts, traces = self._solve_batch(start, shape, values, trace)
        pose = Pose.trusted(self.skeleton, out.reshape(*shape, self._coordinates))
        return Solution(pose, self, values, counts, perf_counter() - began, traces if trace else None)

    def _solve_one(
        self, start: Pose, values: Values, numbers: Array, springs: Array | None, trace: bool, began: float
    ) -> Solution:
        """One solve: as little Python as can be, since the solve itself takes no longer."""
        announce_compilation(restarts_file)
        out, counts = np.empty((1, self._coordinates)), np.empty((1, 3), np.int64)
        traces = np.empty((1, self._entries, self._coordinates)) if trace else self._no_trace
        starts = np.array(start.q, ndmin=2)
        outcome = solve_all(*self._constant, self._arm, starts, numbers, springs, out, counts, traces)
        if outcome[0] != FINE:
            self._refuse(*outcome)
        pose = Pose.trusted(self.skeleton, out[0])
        return Solution(pose, self, values, counts, perf_counter() - began, traces if trace else None)

    def track(
        self,
        start: Pose,
        targets: Sequence[ArrayLike | None] | None = None,
        *,
        fps: float = 30.0,
        speed: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
    ) -> Solution:
        """The poses that follow targets over time, each from the one before: no restarts, no flips.

        targets: as for `solve`, the last leading axis being time; axes before it are a batch of trajectories. One
        compiled call a trajectory.
        speed, acceleration: the most that the freedoms may do, a number or `[dof]`, rad/s and lengths/s (and per s²) at
        `fps` frames a second; they come before the goals, the limits of the joints before both.
        Raises GoalError naming the goal whose target is wrong, or what is no limit.
        """
        values = self.targets.values(targets)
        return self.track_values(start, values, speed_steps(self.skeleton, fps, speed, acceleration))

    def track_values(self, start: Pose, values: Values, steps: Array | None) -> Solution:
        """As `track`, from what the goals are given in the world and `[2, dof]` limits a frame."""
        from posable.solvers.tracking import __file__ as tracking_file
        from posable.solvers.tracking import track_all

        began = perf_counter()
        self.check_start(start)
        if self.wishes.custom:
            return self._solve_custom(start, values, False, began, in_turn=True)
        announce_compilation(tracking_file)
        first = Pose.trusted(self.skeleton, start.q[..., None, :]) if start.shape else start
        shape = self.targets.shape(first, values)
        if not shape:
            raise GoalError("a trajectory needs targets with an axis of time, (frames, ...)")
        frames, count = shape[-1], math.prod(shape)
        out, counts = np.empty((count, self._coordinates)), np.empty((count, 3), np.int64)
        trajectories = math.prod(shape[:-1])
        starts = np.array(part_of(start.q, 1, shape[:-1], slice(0, trajectories)))

        def run(part: slice) -> None:
            for n in range(part.start, part.stop):
                own = slice(n * frames, (n + 1) * frames)
                numbers, springs = self.targets.rows(values, shape, own)
                into = out[own], counts[own]
                code, frame, term = track_all(*self._constant, starts[n], numbers, springs, steps, *into)
                if code != FINE:
                    self._refuse(code, own.start + frame, term)

        in_threads(run, trajectories, each=frames)
        pose = Pose.trusted(self.skeleton, out.reshape(*shape, self._coordinates))
        return Solution(pose, self, values, counts, perf_counter() - began)

    def check_start(self, start: Pose) -> None:
        """GoalError unless the pose is one of this skeleton."""
        if start.skeleton is not self.skeleton and not start.skeleton.shares_poses(self.skeleton):
            raise GoalError("the start pose belongs to another skeleton than the one the goals were prepared for")

    def _solve_custom(self, start: Pose, values: Values, trace: bool, began: float, in_turn: bool = False) -> Solution:
        """Custom goals one problem after the other; in_turn: each from the one before, with no restarts."""
        from posable.solvers.custom import solve_custom

        shape = self.targets.shape(start, values)
        count = math.prod(shape)
        numbers, springs = self.targets.rows(values, shape, slice(0, count))
        starts = part_of(start.q, 1, shape, slice(0, count))
        free = self.problem.freedom[:, LOCKED] == 0
        options = replace(self.options, restarts=0) if in_turn else self.options
        results = []
        for n in range(len(numbers)):
            q = results[-1].pose.q if in_turn and results else starts[n]
            goals = self.targets.goals_of(numbers[n], None if springs is None else springs[n])
            results.append(solve_custom(Pose.trusted(self.skeleton, np.array(q)), goals, free, options))
        counts = np.array([(r.outcome, r.iterations, len(r.trace)) for r in results], np.int64).reshape(-1, 3)
        q = np.array([r.pose.q for r in results]).reshape(*shape, self._coordinates)
        traces = np.zeros((len(results), int(counts[:, 2].max(initial=1)), self._coordinates))
        for n, result in enumerate(results):
            traces[n, : len(result.trace)] = result.trace
        seconds = perf_counter() - began
        pose = Pose.trusted(self.skeleton, q)
        return Solution(pose, self, values, counts, seconds, traces if trace else None)

    def _solve_batch(
        self, start: Pose, shape: tuple[int, ...], values: Values, trace: bool
    ) -> tuple[Array, NDArray[np.int64], Array]:
        """(poses, counts, traces), flat. Starts and targets are copied a block at a time: memory stays flat."""
        count = math.prod(shape)
        out, counts = np.empty((count, self._coordinates)), np.empty((count, 3), np.int64)
        traces = np.empty((count, self._entries * trace, self._coordinates))

        solve = self._kernel(count, trace)

        def run(part: slice) -> None:
            for first in range(part.start, part.stop, _BLOCK):
                block = slice(first, min(first + _BLOCK, part.stop))
                numbers, springs = self.targets.rows(values, shape, block)
                starts = np.array(part_of(start.q, 1, shape, block))
                code, row, term = solve(starts, numbers, springs, out[block], counts[block], traces[block])
                if code != FINE:
                    self._refuse(code, first + row, term)

        in_threads(run, count)
        return out, counts, traces

    @cached_property
    def _side_by_side(self) -> bool:
        """Whether many problems can be solved in lanes."""
        from posable.solvers.side_by_side import is_plain

        simple = self.coupling is None and self.ties is None and self.soft is None and self._arm is None
        return simple and not self.wishes.custom and is_plain(self.skeleton.packed, self.problem)

    def _kernel(self, count: int, trace: bool) -> Callable[..., tuple[int, int, int]]:
        """`solve_all`, or what gives its answers side by side where the problems are many and plain."""
        alone = partial(solve_all, *self._constant, self._arm)
        if trace or count < _MANY or not self._side_by_side:
            return alone
        from posable.solvers.side_by_side import solve_many

        return partial(solve_many, *self._constant[:2], alone)

    def _refuse(self, code: int, row: int, term: int) -> None:
        """GoalError for the target that the kernel found wrong."""
        goal = self.wishes.hard[self.wishes.goal_of_row[term]]
        what = "holds a number that is not finite or beyond 1e15" if code == NOT_FINITE else "is no rotation"
        which = f" (problem {row} of the batch)" if row else ""
        raise GoalError(f"{goal._label}: {goal.TARGET} {what}{which}")


def speed_steps(
    skeleton: Skeleton, fps: float, speed: ArrayLike | None, acceleration: ArrayLike | None
) -> Array | None:
    """`[2, dof]` the largest step a frame and the largest change of it; None where there are no limits."""
    if not (is_number(fps) and 0 < fps < np.inf):
        raise GoalError(f"fps must be a number above 0, not {fps!r}")
    if speed is None and acceleration is None:
        return None
    steps = np.full((2, skeleton.dof), np.inf)
    for k, (what, value) in enumerate((("speed", speed), ("acceleration", acceleration))):
        if value is not None:
            try:
                steps[k] = np.asarray(value, float) / fps ** (k + 1)
            except (TypeError, ValueError) as problem:
                raise GoalError(f"{what} must be a number or {skeleton.dof} numbers, not {value!r}") from problem
            if not (steps[k] > 0).all():
                raise GoalError(f"{what} must be above 0 everywhere, not {value!r}")
    return steps


def in_threads(run: Callable[[slice], None], count: int, each: int = 1) -> None:
    """`run` on parts of `count` problems, every one worth `each` solves, on every core."""
    threads = min(cores(), count, max(1, count * each // _PER_THREAD))
    if threads <= 1:
        run(slice(0, count))
        return
    parts = min(4 * threads, count, max(threads, count * each // _PER_PART))
    edges = np.linspace(0, count, parts + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, [slice(a, b) for a, b in pairwise(edges)]))


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
