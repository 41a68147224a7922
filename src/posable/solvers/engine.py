"""The interface of engines, one for each method: rows of numbers in, poses out."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.goals.term_arrays import FINE
from posable.solvers.default.kernels.workspace import LOCKED
from posable.solvers.problem import Structure
from posable.spatial import Array

OUTCOME, ITERATIONS, TRACED = range(3)
"""Columns of `counts`: the outcome of a solve (as in `descent`), its iterations, its trace entries."""


Fault = tuple[int, int, int]
"""An invalid target: a code of `goals.term_arrays`, its row, and the term."""

NO_FAULT: Fault = (FINE, 0, 0)


_SECONDS_PER_JOINT = 3.5e-6  # upper estimate for one attempt
_NOT_PLAIN_FACTOR = 10.0  # of that estimate, if goals are not plain
_LONG_WAIT = 4.0  # processor seconds: a longer wait must react to Ctrl-C


def takes_long(structure: Structure, solves: int) -> bool:
    """Whether this number of solves, if all failed, might occupy a processor for longer than Ctrl-C should wait."""
    attempts = solves * (1 + structure.options.restarts) * len(structure.skeleton.joints)
    return attempts * _SECONDS_PER_JOINT * (1.0 if structure.is_plain else _NOT_PLAIN_FACTOR) > _LONG_WAIT


def with_locked(structure: Structure, locked: NDArray[np.bool_]) -> Structure:
    """The structure with some more of the degrees of freedom `[dof]` locked."""
    freedom = structure.problem.freedom.copy()
    freedom[locked, LOCKED] = 1.0
    return structure._replace(problem=structure.problem._replace(freedom=freedom))


class Batch(NamedTuple):
    """Problems of one structure as rows of numbers."""

    starts: Array
    """`[problem, coordinates]`; of a trajectory, one row."""
    numbers: Array
    """`[problem, numbers]`, the concatenated targets of the hard goals."""
    springs: Array | None
    """`[problem, spring, coordinates]`, the poses of the soft goals' springs; None without any."""
    weights: Array | None = None
    """`[problem, goal]` in place of the goals' own weights, None to keep these. Only `Weighted` and the compiled engine
    take them."""


class Engine(Protocol):
    """Solves one structure of goals. The results go into `out [problem, coordinates]` and `counts [problem, 3]`, which
    are zero at first; where an outcome becomes HALTED while it works, it may stop."""

    @property
    def structure(self) -> Structure: ...

    @property
    def route(self) -> Any:
        """The code that solves; `str` describes it."""
        ...

    def most_traced(self) -> int:
        """The largest number of entries of a trace."""
        ...

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        """Every problem from its own start. traces: `[problem, entry, coordinates]`, without entries if none are
        wanted.
        """
        ...

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        """A trajectory: each problem from the end of the one before, without restarts. steps: `[2, dof]` the largest
        step a frame and the largest change of it.
        """
        ...

    def on(self, structure: Structure) -> Engine:
        """The same method for a structure with other limits or other goals switched off."""
        ...


def follow_by_runs(engine: Engine, batch: Batch, out: Array, counts: NDArray[np.int64]) -> Fault:
    """The fallback for `follow`: run every problem from the end of the one before."""
    no_trace = np.empty((1, 0, out.shape[1]))
    for n in range(len(out)):
        own, springs = slice(n, n + 1), None if batch.springs is None else batch.springs[n : n + 1]
        start = out[n - 1 : n] if n else batch.starts
        engine.run(Batch(start, batch.numbers[own], springs), out[own], counts[own], no_trace)
    return NO_FAULT
