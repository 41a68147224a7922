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
from posable.solvers.default.single_solve import make_block, solve_one
from posable.solvers.default.weight_rows import weight_rows
from posable.solvers.engine import NO_FAULT, TRACED, Batch, Engine, Fault, takes_long
from posable.solvers.problem import Coupling, Structure
from posable.spatial import Array

# The default method's engine: everything of one solve, or of one trajectory, inside one compiled call.


_MANY = 64  # problems for which the kernel that solves them side by side is worth compiling

_NONE = np.empty(0, np.int64)
_UNCOUPLED, _NOTHING_COUPLED = Coupling(_NONE, np.empty(0), _NONE, np.empty(0)), _NONE


class Route:
    """Which code solves the problems of a structure: the only place where that is decided."""

    def __init__(self, structure: Structure, closed: bool = True) -> None:
        self._structure, self._may_be_closed = structure, closed
        self.is_plain = structure.is_plain and not structure.wishes.custom
        self.is_single = self.is_plain and not PLAIN_KERNELS and not takes_long(structure, 1)

    def __str__(self) -> str:
        if not self.is_plain:
            return "kernel for all goals"
        first = "closed form, then " if self.arm is not None else ""
        batches = "; SIMD batches" if self.in_simd else ""
        return f"{first}{'single solve' if self.is_single else 'kernel for plain goals'}{batches}"

    @cached_property
    def arm(self) -> Array | None:
        """The constants of the closed form of the one arm whose end is to be placed, if that is all that is asked."""
        s, goals = self._structure, self._structure.wishes.goals
        if not self._may_be_closed or len(goals) != 1 or s.coupling is not None or s.coupled is not None:
            return None
        rows = s.wishes.rows
        if [row.is_point for row in rows] != [True, False] or any(any(row.constants) for row in rows):
            return None
        if not all(row.is_plain and row.weight and not row.level for row in rows) or not s.free.all():
            return None
        found = ClosedForm.of(s.skeleton, goals[0].joint)
        return None if found is None else np.array(found.arm)

    @cached_property
    def in_simd(self) -> bool:
        """Whether many problems are solved together, one in each SIMD lane."""
        if PLAIN_KERNELS or not self.is_plain or self.arm is not None:
            return False
        from posable.solvers.default.kernels.simd_solve import is_plain

        return is_plain(self._structure.skeleton.packed, self._structure.problem)


class Compiled:
    """Damped Gauss–Newton on the tree, in compiled code."""

    def __init__(self, structure: Structure, closed: bool = True) -> None:
        self.structure = structure
        self.route = Route(structure, closed)
        self._tables = flatten(structure.skeleton.packed, structure.problem, structure.options)
        self._blocks: list[Array] = []  # those that no thread is working in

    def most_traced(self) -> int:
        return self.structure.options.max_iterations * 15 + 2

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        starts, weights = batch.starts, self._telling(batch.weights)
        if len(starts) == 1 and self.route.is_single and not traces.shape[1] and weights is None:
            out[0] = starts[0]
            code, term, *counts[0, :TRACED] = self.one(batch.numbers[0], out[0])
            counts[0, TRACED] = 0
            return code, 0, term
        if len(starts) >= _MANY and not traces.shape[1] and weights is None and self.route.in_simd:
            from posable.solvers.default.kernels.simd_solve import solve_many

            return solve_many(*self._tables, self._one_by_one, starts, batch.numbers, out, counts, traces)
        if weights is None and self.route.is_plain:
            fault = self._one_by_one(starts, batch.numbers, out, counts, traces)
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
        """One problem without a trace, where the route is a single solve: as `solve_one`."""
        try:
            block = self._blocks.pop()
        except IndexError:
            block = make_block(self.structure)
        ended = solve_one(block, self.route.arm, numbers, q)
        self._blocks.append(block)
        return ended

    def _one_by_one(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        return solve_all(*self._tables, self.route.arm, starts, numbers, out, counts, traces)

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        from posable.solvers.default.kernels.trajectory import track_all

        batch = batch._replace(weights=self._telling(batch.weights))
        if self.route.is_plain and steps is None and batch.weights is None:
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
        extras = s.coupling or _UNCOUPLED, _NOTHING_COUPLED if s.coupled is None else s.coupled, springs, weights, steps
        return solve_or_track(follows, ints, floats, *extras, batch.starts, batch.numbers, out, counts, traces)

    def on(self, structure: Structure) -> Compiled:
        return Compiled(structure, closed=False)


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
