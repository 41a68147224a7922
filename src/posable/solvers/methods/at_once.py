"""Methods that need no iterations: every problem is solved in one step, all of a batch in one compiled call."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from posable.goals.targets import FINE
from posable.goals.terms import POLE
from posable.skeleton import Pose
from posable.solvers.descent import REACHED, STATIONARY
from posable.solvers.engine import ITERATIONS, OUTCOME, TRACED, Engine, Fault
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.stepping import Stepping
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array


class Formula(Protocol):
    """What such a method plans."""

    def solve(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64]) -> Fault:
        """Fill `out [problem, coordinates]` and `counts`; the first target that is not as it must be."""
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
        task.plan.solve(np.array(pose.q), np.array(task.numbers), out, np.empty((len(out), 3), np.int64))
        return Pose.trusted(pose.skeleton, out), state


class AtOnce(Stepping):
    """Runs the formula of an `AtOnceMethod`."""

    def most_traced(self) -> int:
        return 2

    def run(
        self, starts: Array, numbers: Array, springs: Array | None, out: Array, counts: NDArray[np.int64], traces: Array
    ) -> Fault:
        del springs
        counts[:, TRACED], counts[:, ITERATIONS] = 0, 1
        fault = self.plan.solve(starts, numbers, out, counts)
        if fault[0] != FINE:
            return fault
        if any(row.kind == POLE and row.counts for row in self.structure.wishes.rows):
            met = Task(self.structure, numbers, None).measure(Pose.trusted(self.structure.skeleton, np.array(out))).met
            counts[:, OUTCOME] = np.where(met, REACHED, STATIONARY)
        if traces.shape[1]:
            traces[:, 0], traces[:, 1] = Pose.trusted(self.structure.skeleton, np.array(starts)).clamped().q, out
            counts[:, TRACED] = 2
        return fault

    def on(self, structure: Structure) -> Stepping:
        return AtOnce(structure, self.method)
