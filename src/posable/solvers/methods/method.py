"""The base of the classical methods: each states what it cannot solve, and takes one step for a batch of problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError
from posable.goals.term_arrays import FINE
from posable.skeleton import Pose
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED, STATIONARY
from posable.solvers.engine import ITERATIONS, NO_FAULT, OUTCOME, TRACED, Batch, Engine, Fault, follow_by_runs
from posable.solvers.methods.task import Measured, Task
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure
from posable.spatial import Array

# The engine of the classical methods: step, apply the limits, measure, until all problems are done.


_LEAST_STEP = 1e-12  # radians, or reaches: a step that moves every freedom by less does not count


class _Results(NamedTuple):
    """The arrays that receive the results."""

    out: Array
    counts: NDArray[np.int64]
    traces: Array
    score: Array  # [problem] of the best pose so far
    met: NDArray[np.bool_]  # [problem] whether that one meets the goals


class Stepping:
    """Runs a `Method` on a structure of goals."""

    def __init__(self, structure: Structure, method: Method) -> None:
        self.structure = structure
        self.method = method
        refuse(method, structure)
        self.plan = method.plan(structure)
        self.route = type(method).__name__

    def most_traced(self) -> int:
        return self.structure.options.max_iterations + 1

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        # rebuilding the goals from the numbers raises errors by name for invalid ones
        Targets(self.structure.skeleton, self.structure.goal_set).goals_of(batch.numbers, batch.springs)
        task = Task(self.structure, batch.numbers, batch.springs, self.plan)
        pose = Pose.trusted(self.structure.skeleton, np.array(batch.starts)).clamped()
        nothing = np.full(len(batch.starts), np.inf), np.zeros(len(batch.starts), bool)
        _run(self.method, task, pose, _Results(out, counts, traces, *nothing))
        return NO_FAULT

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        if steps is not None:
            raise MethodError(
                f"{type(self.method).__name__} keeps no limits of speed or acceleration; LeastSquares does"
            )
        return follow_by_runs(self, batch, out, counts)

    def on(self, structure: Structure) -> Stepping:
        return Stepping(structure, self.method)


def refuse(method: Method, structure: Structure) -> None:
    """MethodError where the method cannot solve the goals; it names the methods that can."""
    why = method.refusal(structure)
    if why is None:
        return
    kinds = {kind.__name__: kind for kind in _every_kind(Method)}
    able = [name for name in METHOD_NAMES if (kind := kinds[name]) is not type(method) and _can(kind, structure)]
    cure = f"what can: LeastSquares{''.join(f', {name}' for name in able)}"
    raise MethodError(f"{type(method).__name__} cannot be used here: {why}; {cure}")


def _every_kind(base: type[Method]) -> Iterator[type[Method]]:
    """The methods that derive from `base` and from no other method, in the order in which they were imported."""
    for kind in base.__subclasses__():
        yield from _every_kind(kind) if kind.__subclasses__() else (kind,)


def _can(kind: type[Method], structure: Structure) -> bool:
    try:
        return kind().refusal(structure) is None
    except TypeError:  # it has a parameter without a default
        return False


def _run(method: Method, task: Task, pose: Pose, results: _Results) -> None:
    """All problems of a batch together; those that are done leave it."""
    results.counts[:] = (EXHAUSTED, 0, 0)
    going = np.arange(len(pose.q))
    state, measured = method.begin(task, pose), task.measure(pose)
    _keep(results, going, method, task, pose, measured)
    for _ in range(task.structure.options.max_iterations):
        last = method.is_done(task, pose, measured, state)
        _settle(results, going[last])
        if not method.STEPS_ONCE_MORE:  # these take one more step, and that is their last
            stays, last = ~last, last[~last]
            task, pose, state, going = _only(stays, task, pose, state, going)
            measured = task.measure(pose) if not stays.all() else measured
        if not len(going):
            break
        new, state = method.advance(task, pose, measured, state)
        new = new.clamped()
        still = np.abs(new.minus(pose) / task.unit).max(axis=1, initial=0.0) <= _LEAST_STEP
        pose, measured = new, task.measure(new)
        results.counts[going, ITERATIONS] += 1
        _keep(results, going, method, task, pose, measured)
        _settle(results, going[still])
        task, pose, state, going = _only(~(still | last), task, pose, state, going)
        measured = task.measure(pose) if (still | last).any() else measured


def _settle(results: _Results, which: NDArray[np.int64]) -> None:
    """Mark these as stationary."""
    results.counts[which, OUTCOME] = np.where(results.met[which], REACHED, STATIONARY)


def _only(
    stays: NDArray[np.bool_], task: Task, pose: Pose, state: State, going: NDArray[np.int64]
) -> tuple[Task, Pose, State, NDArray[np.int64]]:
    """The remaining problems."""
    if stays.all():
        return task, pose, state, going
    which = np.flatnonzero(stays)
    return task.at(which), pose[which], tuple(part[which] for part in state), going[which]


def _keep(
    results: _Results, going: NDArray[np.int64], method: Method, task: Task, pose: Pose, measured: Measured
) -> None:
    """Store the poses in the traces, and as solutions where they are the best so far."""
    met, score = method.is_met(task, pose, measured), method.score(task, pose, measured)
    best_met = results.met[going]
    better = (met & ~best_met) | ((met == best_met) & (score <= results.score[going]))
    results.out[going[better]] = pose.q[better]
    results.score[going[better]], results.met[going[better]] = score[better], met[better]
    results.counts[going[met], OUTCOME] = REACHED
    if results.traces.shape[1]:
        results.traces[going, results.counts[going, TRACED]] = pose.q
        results.counts[going, TRACED] += 1


METHOD_NAMES = (
    "PseudoInverse",
    "Newton",
    "Transpose",
    "DampedLeastSquares",
    "GradientDescent",
    "Fabrik",
    "CyclicDescent",
    "VirtualForce",
    "TwoBone",
    "SpringIK",
    "SplineIK",
)
"""The classical methods in the order in which they are shown; the default, LeastSquares, is not among them."""

State = tuple[NDArray[Any], ...]
"""The state of a method between steps: arrays with the problems on their first axis."""


class Method:
    """A classical method: from the start, step by step, no restarts; after each step the limits are applied.

    Subclasses are frozen dataclasses of the method's parameters. A solve ends when the goals are met, when nothing
    moves any more, or with `max_iterations`; the best pose visited is the answer, and the trace has every one.
    """

    STEPS_ONCE_MORE: ClassVar[bool] = False
    """Whether the distance is measured before a step, and the step from within the tolerance is still taken."""

    def engine(self, structure: Structure) -> Engine:
        """The engine that solves a structure by this method. Raises MethodError where it cannot."""
        return Stepping(structure, self)

    def refusal(self, structure: Structure) -> str | None:
        """Why the method cannot solve these goals, in the words that complete "it cannot be used here: …"; None if it
        can.
        """
        raise NotImplementedError

    def plan(self, structure: Structure) -> Any:
        """Data computed once for all tasks of a structure; they find it as `task.plan`."""
        del structure
        return None

    def begin(self, task: Task, pose: Pose) -> State:
        """The state at the start."""
        del task, pose
        return ()

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        """One step of every problem. Limits are applied afterwards by the caller."""
        raise NotImplementedError

    def is_done(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        """`[problem]` where no further step is needed: usually because the goals are met."""
        del state
        return self.is_met(task, pose, measured)

    def is_met(self, task: Task, pose: Pose, measured: Measured) -> NDArray[np.bool_]:
        """`[problem]` where the goals count as reached."""
        del task, pose
        return measured.met

    def score(self, task: Task, pose: Pose, measured: Measured) -> Array:
        """`[problem]` the score of a pose, smaller is better; one that meets the goals is always better than one that
        does not.
        """
        del task, pose
        return measured.cost


# Methods that need no iterations: every problem is solved in one step, all of a batch in one compiled call.


class Formula(Protocol):
    """The plan of such a method."""

    def solve(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64]) -> Fault:
        """Fill `out [problem, coordinates]` and `counts`; returns the first invalid target."""
        ...


class AtOnceMethod(Method):
    """A method whose one step is the whole solve."""

    def engine(self, structure: Structure) -> Engine:
        return AtOnce(structure, self)

    def plan(self, structure: Structure) -> Formula:
        raise NotImplementedError

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        del measured
        out = np.empty(pose.q.shape)
        task.plan.solve(np.array(pose.q), np.array(task.numbers), out, np.zeros((len(out), 3), np.int64))
        return Pose.trusted(pose.skeleton, out), state


class AtOnce(Stepping):
    """Runs the formula of an `AtOnceMethod`."""

    def most_traced(self) -> int:
        return 2

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        starts, numbers = batch.starts, batch.numbers
        counts[:, TRACED], counts[:, ITERATIONS] = 0, 1
        fault = self.plan.solve(starts, numbers, out, counts)
        if fault[0] != FINE:
            return fault
        if any(row.is_side and row.counts for row in self.structure.goal_set.rows):
            met = Task(self.structure, numbers, None).measure(Pose.trusted(self.structure.skeleton, np.array(out))).met
            counts[:, OUTCOME] = np.where(met, REACHED, STATIONARY)
        if traces.shape[1]:
            traces[:, 0], traces[:, 1] = Pose.trusted(self.structure.skeleton, np.array(starts)).clamped().q, out
            counts[:, TRACED] = 2
        return fault

    def on(self, structure: Structure) -> Stepping:
        return AtOnce(structure, self.method)
