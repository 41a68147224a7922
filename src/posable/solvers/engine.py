"""What stands behind everything that is prepared: rows of numbers in, poses out, one engine for each method."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posable.goals.term_arrays import FINE
from posable.solvers.problem import Structure
from posable.spatial import Array

OUTCOME, ITERATIONS, TRACED = range(3)
"""Columns of `counts`: how a solve ended (as in `descent`), how many iterations it took, how many trace entries."""


Fault = tuple[int, int, int]
"""A target that is not as it must be: a code of `goals.targets`, the row that it is in, and the term."""

NO_FAULT: Fault = (FINE, 0, 0)


_PER_JOINT = 3.5e-6  # seconds that an attempt may take for each joint,
_SOFTER = 10.0  # and so many times that where goals are not plain
_NOTICED = 4.0  # processor seconds: longer is not waited for without heeding Ctrl-C


def takes_long(structure: Structure, solves: int) -> bool:
    """Whether so many solves, were they all to fail, may keep a processor for longer than Ctrl-C should wait."""
    attempts = solves * (1 + structure.options.restarts) * len(structure.skeleton.joints)
    return attempts * _PER_JOINT * (1.0 if structure.is_plain else _SOFTER) > _NOTICED


class Batch(NamedTuple):
    """Problems of one structure as rows of numbers."""

    starts: Array
    """`[problem, coordinates]`; of a trajectory, one row."""
    numbers: Array
    """`[problem, numbers]`, the hard goals' targets in a row."""
    springs: Array | None
    """`[problem, spring, coordinates]`, the poses that the soft goals want; None where there are none."""
    weights: Array | None = None
    """`[problem, goal]` in place of the goals' own weights; None where these stand. Only `Weighted` and the compiled
    engine take them."""


class Engine(Protocol):
    """Solves one structure of goals. The results go into `out [problem, coordinates]` and `counts [problem, 3]`, which
    come filled with zeros; where an outcome becomes HALTED while it works, it may leave off."""

    @property
    def structure(self) -> Structure: ...

    @property
    def route(self) -> Any:
        """Which code solves, in words by `str`."""
        ...

    def most_traced(self) -> int:
        """How many entries a trace may have."""
        ...

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        """Every problem from its own start. traces: `[problem, entry, coordinates]`, no entries where none is asked."""
        ...

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        """A trajectory: each problem from where the one before ended, with no restarts. steps: `[2, dof]` the largest
        step a frame and the largest change of it.
        """
        ...

    def on(self, structure: Structure) -> Engine:
        """The same method for a structure that differs from this one in limits or in what is switched off."""
        ...


def follow_by_runs(engine: Engine, batch: Batch, out: Array, counts: NDArray[np.int64]) -> Fault:
    """What `follow` does for an engine that has nothing better: run every problem from where the one before ended."""
    no_trace = np.empty((1, 0, out.shape[1]))
    for n in range(len(out)):
        own, springs = slice(n, n + 1), None if batch.springs is None else batch.springs[n : n + 1]
        start = out[n - 1 : n] if n else batch.starts
        engine.run(Batch(start, batch.numbers[own], springs), out[own], counts[own], no_trace)
    return NO_FAULT
