"""Weights as data: those of each problem, in place of the goals' own weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import GoalError, refuse_masked
from posable.goals import Goal
from posable.solvers.default.least_squares import Compiled, LeastSquares
from posable.solvers.engine import NO_FAULT, Batch, Engine, Fault, with_locked
from posable.solvers.packing import Targets, is_list, part_of
from posable.solvers.per_chain import PerChain, end_of
from posable.solvers.problem import Structure, build_structure
from posable.spatial import Array

_REMEMBERED_PARTS = 256  # about 100 kB each; a slider or a recording with gaps may need thousands


class BuildsEngines(Protocol):
    """A method."""

    def engine(self, structure: Structure) -> Engine:
        """The engine for the goals of a structure."""
        ...


class Part(NamedTuple):
    """The goals that some weights leave switched on, and the engine that solves them."""

    engine: Engine
    targets: Targets
    kept: NDArray[np.int64]  # which goals
    numbers: NDArray[np.int64]  # the columns of their targets among the numbers of all
    springs: NDArray[np.int64]  # which of the soft goals

    def batch(self, batch: Batch, which: NDArray[np.int64], weights: Array | None) -> Batch:
        """The problems `which` as this part's engine reads them; a single start is that of all."""
        starts = batch.starts if len(batch.starts) == 1 else batch.starts[which]
        numbers = batch.numbers[np.ix_(which, self.numbers)]
        if not len(self.numbers):
            numbers = np.zeros((len(which), 3))  # never empty, so that kernels may read on
        soft = batch.springs is not None and len(self.springs) > 0
        springs = batch.springs[np.ix_(which, self.springs)] if batch.springs is not None and soft else None
        return Batch(np.array(starts), numbers, springs, weights)


class Weighted:
    """An engine for batches with weights. Goals of weight 0 are left out, and cost nothing.

    The compiled engine reads the other weights as numbers, so that there is one part for each set of goals switched
    on; other engines get one for each row of weights.
    """

    def __init__(self, structure: Structure, method: BuildsEngines, engine: Engine) -> None:
        self.structure = structure
        self._method = method
        self._reads_weights = isinstance(engine, Compiled)
        self._targets = Targets(structure.skeleton, structure.goal_set)
        self._kept = lru_cache(_REMEMBERED_PARTS)(lambda row: self._build(np.frombuffer(row)))

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        """As `Engine.run`, each problem by its own row of weights."""
        weights = self._checked(batch)
        fault = NO_FAULT
        for row, which in _alike(weights > 0 if self._reads_weights else weights):
            part = self._part(row)
            given = part.batch(batch, which, weights[np.ix_(which, part.kept)] if self._reads_weights else None)
            own = np.empty((len(which), out.shape[1])), np.zeros((len(which), 3), np.int64)
            ways = np.empty((len(which), part.engine.most_traced() if traces.shape[1] else 0, out.shape[1]))
            if len(given.starts) != len(which):
                given = given._replace(starts=np.repeat(given.starts, len(which), axis=0))
            fault = max(fault, part.engine.run(given, *own, ways))
            out[which], counts[which] = own
            traces[which, : ways.shape[1]] = ways[:, : traces.shape[1]]
        return self._named(fault, batch)

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        """As `Engine.follow`, each frame by its own row of weights."""
        weights = self._checked(batch)
        if self._reads_weights:
            part = self._part(np.any(weights > 0, axis=0))
            given = part.batch(batch, np.arange(len(out)), weights[:, part.kept])
            return self._named(part.engine.follow(given, steps, out, counts), batch)
        changes, fault = np.flatnonzero((weights[1:] != weights[:-1]).any(axis=1)) + 1, NO_FAULT
        for first, end in pairwise([0, *changes.tolist(), len(out)]):
            part = self._part(weights[first])
            start = out[first - 1 : first] if first else batch.starts
            given = part.batch(batch._replace(starts=start), np.arange(first, end), None)
            fault = max(fault, part.engine.follow(given, steps, out[first:end], counts[first:end]))
        return self._named(fault, batch)

    def most_traced(self) -> int:
        """The largest number of entries of a trace."""
        return self._part(np.ones(len(self.structure.goal_set.goals))).engine.most_traced()

    def exactly(self, weights: Array) -> Part:
        """The part for one row of weights `[goal]`, which become the goals' own."""
        return self._build(weights)

    def _checked(self, batch: Batch) -> Array:
        """The weights; GoalError by name for invalid targets of goals that are switched off."""
        assert batch.weights is not None
        if not batch.weights.all():
            self._targets.goals_of(batch.numbers, batch.springs)
        return batch.weights

    def _named(self, fault: Fault, batch: Batch) -> Fault:
        """NO_FAULT; a fault of a part is raised as GoalError by name."""
        if fault != NO_FAULT:
            self._targets.goals_of(batch.numbers, batch.springs)
        return fault

    def _part(self, row: NDArray) -> Part:
        return self._kept(np.asarray(row, float).tobytes())

    def _build(self, weights: Array) -> Part:
        s, goals = self.structure, self.structure.goal_set.goals
        kept = np.flatnonzero(weights > 0)
        numbers = [np.arange(own.start, own.stop) for own in self._targets.parts]
        columns = [own for k, own in zip(s.goal_set.hard_at, numbers, strict=True) if weights[k] > 0]
        own = build_structure(s.skeleton, [goals[k].with_weight(float(weights[k])) for k in kept], s.options)
        own = with_locked(own, ~s.free)
        hard = zip(s.goal_set.hard_at, s.goal_set.hard, strict=True)
        off = {end_of(s.skeleton, goal) for k, goal in hard if not weights[k]}
        still = off - {end_of(s.skeleton, goal) for goal in own.goal_set.hard}
        method = self._method.without(s.skeleton, still) if isinstance(self._method, PerChain) else self._method
        asks = bool(own.goal_set.goals)  # without goals, a method has nothing to do
        return Part(
            (method if asks else LeastSquares()).engine(own),
            Targets(s.skeleton, own.goal_set),
            kept,
            np.concatenate([np.empty(0, np.int64), *columns]).astype(np.int64),
            np.flatnonzero(weights[list(s.goal_set.soft_at)] > 0),
        )


def read_weights(goals: Sequence[Goal], weights: Sequence[ArrayLike | None]) -> list[Array]:
    """One array `[...]` per goal, None for its own weight. Raises GoalError naming the goal."""
    if not is_list(weights):
        raise GoalError(f"weights are a list of one per goal, in their order, not {weights!r}")
    if len(weights) != len(goals):
        raise GoalError(f"{len(weights)} weights for {len(goals)} goals; give one each, None to keep the goal's own")
    return [_read(goal, given) for goal, given in zip(goals, weights, strict=True)]


def _read(goal: Goal, given: ArrayLike | None) -> Array:
    if given is None:
        return np.asarray(goal.own_weight)
    refuse_masked(given, GoalError, f"{goal._label}: weights")
    try:
        values = np.asarray(given)
        if values.dtype.kind not in "fiu":
            raise TypeError(f"{values.dtype} is not a number")
    except (TypeError, ValueError) as problem:
        raise GoalError(f"{goal._label}: weights must be numbers, not {given!r}") from problem
    if not (np.isfinite(values) & (values >= 0)).all():
        raise GoalError(f"{goal._label}: weights must be finite numbers of at least 0, not {given!r}")
    return values.astype(float)


def weight_table(weights: Sequence[Array] | None, shape: tuple[int, ...], part: slice) -> Array | None:
    """`[problem, goal]` for a part of the batch."""
    return None if weights is None else np.stack([part_of(own, 0, shape, part) for own in weights], axis=1)


def _alike(rows: NDArray) -> list[tuple[NDArray, NDArray[np.int64]]]:
    """Each distinct row, and its indices."""
    if len(rows) == 1:
        return [(rows[0], np.zeros(1, np.int64))]
    distinct, where = np.unique(rows, axis=0, return_inverse=True)
    where = where.reshape(-1)
    return [(row, np.flatnonzero(where == n)) for n, row in enumerate(distinct)]
