"""The default method: damped Gauss–Newton on the tree, with limits, restarts and soft goals, in one compiled call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.compiled import PLAIN_KERNELS
from posable.solvers.closed import ClosedForm
from posable.solvers.default.flat_tables import flatten
from posable.solvers.default.kernels.restarts import solve_all
from posable.solvers.default.single_solve import is_lone, make_block, solve_one
from posable.solvers.default.weight_rows import weight_rows
from posable.solvers.engine import NO_FAULT, TRACED, Batch, Engine, Fault
from posable.solvers.problem import Coupling, Structure
from posable.spatial import Array

# The default method's engine: everything of one solve, or of one trajectory, inside one compiled call.


_MANY = 64  # problems for which the kernel that solves them side by side is worth compiling

_NONE = np.empty(0, np.int64)
_UNCOUPLED, _NO_TIES = Coupling(_NONE, np.empty(0), _NONE, np.empty(0)), _NONE


class Compiled:
    """Damped Gauss–Newton on the tree; in lanes where many plain problems come, by formulas where there are some."""

    def __init__(self, structure: Structure, closed: bool = True) -> None:
        self.structure = structure
        s = structure
        self._tables = flatten(s.skeleton.packed, s.problem, s.options)
        self._may_be_closed = closed
        self.is_lone = is_lone(s)
        self._blocks: list[Array] = []  # those that no thread is working in

    def most_traced(self) -> int:
        return self.structure.options.max_iterations * 15 + 2

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        starts, weights = batch.starts, self._telling(batch.weights)
        if len(starts) == 1 and self.is_lone and not traces.shape[1] and weights is None:
            out[0] = starts[0]
            code, term, *counts[0, :TRACED] = self.one(batch.numbers[0], out[0])
            counts[0, TRACED] = 0
            return code, 0, term
        if len(starts) >= _MANY and not traces.shape[1] and self._side_by_side and weights is None:
            from posable.solvers.default.kernels.simd_solve import solve_many

            return solve_many(*self._tables, self._alone, starts, batch.numbers, out, counts, traces)
        if weights is None and self.structure.is_plain:
            fault = self._alone(starts, batch.numbers, out, counts, traces)
        else:
            fault = self._with_all(False, batch._replace(weights=weights), None, out, counts, traces)
        if traces.shape[1] and fault == NO_FAULT:
            _end_traces(out, counts, traces)
        return fault

    def _telling(self, weights: Array | None) -> Array | None:
        """The weights, None where they change nothing: of a single goal that is switched on."""
        alone = len(self.structure.wishes.goals) <= 1
        return None if weights is None or (alone and bool(np.all(weights > 0))) else weights

    def one(self, numbers: Array, q: Array) -> tuple[int, int, int, int]:
        """One problem without a trace, where `is_lone`: as `solve_one`."""
        try:
            block = self._blocks.pop()
        except IndexError:
            block = make_block(self.structure)
        ended = solve_one(block, self._arm, numbers, q)
        self._blocks.append(block)
        return ended

    def _alone(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        return solve_all(*self._tables, self._arm, starts, numbers, out, counts, traces)

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        from posable.solvers.default.kernels.trajectory import track_all

        batch = batch._replace(weights=self._telling(batch.weights))
        if self.structure.is_plain and steps is None and batch.weights is None:
            return track_all(*self._tables, batch.starts[0], batch.numbers, out, counts)
        return self._with_all(True, batch, steps, out, counts, np.empty((len(out), 0, out.shape[1])))

    def _with_all(
        self,
        follows: bool,
        batch: Batch,
        steps: Array | None,
        out: Array,
        counts: NDArray[np.int64],
        traces: Array,
    ) -> Fault:
        """By the kernel for all that is not plain; empty tables in place of those that there are not."""
        from posable.solvers.default.kernels.trajectory import solve_or_track

        s, (ints, floats) = self.structure, self._tables
        springs = np.empty((len(out), 0, s.skeleton.coordinates)) if batch.springs is None else batch.springs
        steps = np.empty((0, s.skeleton.dof)) if steps is None else steps
        weights = np.empty((len(out), 0))
        if batch.weights is not None:
            weights, floats = weight_rows(s, batch.weights), floats.copy()  # the kernel writes them there
        extras = s.coupling or _UNCOUPLED, _NO_TIES if s.ties is None else s.ties, springs, weights, steps
        return solve_or_track(follows, ints, floats, *extras, batch.starts, batch.numbers, out, counts, traces)

    def on(self, structure: Structure) -> Compiled:
        return Compiled(structure, closed=False)

    @cached_property
    def _arm(self) -> Array | None:
        """The constants of the closed form of the one arm whose end is to be placed, if that is all that is asked."""
        s, goals = self.structure, self.structure.wishes.goals
        if not self._may_be_closed or len(goals) != 1 or s.coupling is not None or s.ties is not None:
            return None
        rows = s.wishes.rows
        if [row.is_point for row in rows] != [True, False] or any(any(row.constants) for row in rows):
            return None
        if not all(row.is_plain and row.weight and not row.level for row in rows) or not s.free.all():
            return None
        found = ClosedForm.of(s.skeleton, goals[0].joint)
        return None if found is None else np.array(found.arm)

    @cached_property
    def _side_by_side(self) -> bool:
        """Whether many problems can be solved in lanes."""
        if PLAIN_KERNELS:
            return False
        from posable.solvers.default.kernels.simd_solve import is_plain

        s = self.structure
        return s.is_plain and self._arm is None and not s.wishes.custom and is_plain(s.skeleton.packed, s.problem)


def _end_traces(out: Array, counts: NDArray[np.int64], traces: Array) -> None:
    """The answer ends the trace: it need not be the pose visited last."""
    for n, traced in enumerate(counts[:, TRACED]):
        if not traced or not np.array_equal(traces[n, traced - 1], out[n]):
            traces[n, traced] = out[n]
            counts[n, TRACED] += 1


@dataclass(frozen=True)
class LeastSquares:
    """Levenberg–Marquardt descent whose steps come from the articulated-body recursion, linear in the number of joints.

    Hard goals are met first; soft ones (Stay, Comfort, Torsion, higher priority numbers) act in the freedom that is
    left. Limits are an active set, never passed.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> solution = posable.solve(figure.rest, goals, method=posable.LeastSquares())
    """

    def engine(self, structure: Structure) -> Engine:
        """What solves the goals of a structure: compiled code, but for Custom goals."""
        if structure.wishes.custom:
            from posable.solvers.reference.solve import Reference

            return Reference(structure)
        return Compiled(structure)
