"""The default method: damped Gauss–Newton on the tree, with limits, restarts and soft goals, in one compiled call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posable.compiled import PLAIN_KERNELS
from posable.compiled.decorators import as_python, lean_kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import as_whole, window
from posable.goals.term_arrays import FINE, TOLERANCE, WEIGHT, read_targets
from posable.skeleton.limits import clamp
from posable.solvers.closed import ClosedForm
from posable.solvers.closed.links import MOST_BRANCHES, SCRATCH
from posable.solvers.default.flat_tables import MOST, RESTARTS, SEED, flatten, unflatten
from posable.solvers.default.kernels.descent import REACHED
from posable.solvers.default.kernels.multi_start import SEARCH
from posable.solvers.default.kernels.restarts import solve_all, solve_closed, solve_hard
from posable.solvers.default.kernels.workspace import cut_work, put, work_at, work_size
from posable.solvers.engine import NO_FAULT, TRACED, Batch, Engine, Fault, takes_long
from posable.solvers.problem import Coupling, Structure, soft_scale
from posable.spatial import Array

# One plain problem per call: its constants and the workspace, in one block of memory that is reused. Each array
# argument of a call from Python costs 0.05 µs, and making the workspace costs more than a step of an arm.
#
# The head of a block: the lengths of its parts, and whether the workspace has been cut up.
_WORK, _INTS, _FLOATS, _IS_CUT = range(4)


def make_block(structure: Structure) -> Array:
    """The memory of `solve_one`: head, workspace, the numbers of `flatten`, room for attempts and for closed forms."""
    s = structure
    ints, floats = flatten(s.skeleton.packed, s.problem, s.options)
    scratch = as_python(work_size)(s.skeleton.packed, s.problem, None, None)
    coordinates = s.skeleton.coordinates
    room = SEARCH + 2 * coordinates + (MOST_BRANCHES + 1) * coordinates + SCRATCH
    size = COUNT + scratch + len(ints) + len(floats) + room
    memory = np.zeros(size + COUNT)
    block = memory[-memory.ctypes.data // 8 % COUNT :][:size]  # so that vectors lie within cache lines
    block[[_WORK, _INTS, _FLOATS]] = scratch, len(ints), len(floats)
    block[COUNT + scratch :][: len(ints)] = ints.view(float)
    block[COUNT + scratch + len(ints) :][: len(floats)] = floats
    return block


@lean_kernel
def solve_one(block, arm, numbers, q):
    """Solve for the targets `numbers`, starting from `q [coordinates]`, which receives the solution.

    arm: the constants of a closed form, or None. Returns (a code, the term that it concerns, outcome, iterations).
    """
    at, size = COUNT, int(block[_WORK])
    scratch, at = window(block, at, (size,)), at + size
    ints, at = as_whole(window(block, at, (int(block[_INTS]),))), at + int(block[_INTS])
    floats, at = window(block, at, (int(block[_FLOATS]),)), at + int(block[_FLOATS])
    t, p = unflatten(ints, floats)
    if block[_IS_CUT] == 0.0:
        cut_work(scratch, t, p, None, None)
        block[_IS_CUT] = 1.0
    w = work_at(scratch)
    code, term = read_targets(p.terms, numbers, p.scale, w.wanted)
    if code != FINE:
        return code, term, 0, 0
    count = q.shape[0]
    start, at = window(block, at, (count,)), at + count
    search, at = window(block, at, (SEARCH + count,)), at + SEARCH + count
    clamp(t, q)
    put(start, q)
    if arm is not None:
        branches, at = window(block, at, (MOST_BRANCHES + 1, count)), at + (MOST_BRANCHES + 1) * count
        if solve_closed(t, p, w, arm, start, q, branches, window(block, at, (SCRATCH,))):
            return FINE, 0, REACHED, 0
    no_trace = window(block, 0, (0, count))
    outcome, spent, _ = solve_hard(
        t, p, w, start, None, None, None, ints[MOST], ints[RESTARTS], np.uint64(ints[SEED]), search, q, no_trace, None
    )
    return FINE, 0, outcome, spent


def weight_rows(s: Structure, weights: Array) -> Array:
    """`[problem, numbers]` for `restarts.weigh`, from `weights [problem, goal]`: weight and tolerance of every term,
    the springs' weights for each freedom, the pull of gravity. The goals of the structure have the weight 1.
    """
    count, hard, soft = len(weights), list(s.goal_set.hard_at), list(s.goal_set.soft_at)
    own = np.repeat(weights[:, hard], [len(rows) for rows in s.goal_set.rows_of], axis=1)
    tolerances = np.where(own > 0, s.problem.measures[:, TOLERANCE], np.inf)
    terms = np.stack([own * s.problem.measures[:, WEIGHT], tolerances], axis=-1)
    draws = weights[:, soft, None] * np.array([spring.weight for spring in s.goal_set.springs]).reshape(
        -1, s.skeleton.dof
    )
    forces = [goal.weight_force(s.skeleton) for goal in s.goal_set.soft]
    pulls = weights[:, soft] @ np.array([np.zeros(3) if one is None else one for one in forces]).reshape(-1, 3)
    scale = np.array([soft_scale(draw, pull) for draw, pull in zip(draws, pulls, strict=True)])
    parts = terms, draws * scale[:, None, None], pulls * scale[:, None]
    return np.concatenate([part.reshape(count, -1) for part in parts], axis=1)


# The default method's engine: a whole solve, or a whole trajectory, in one compiled call.


_SIMD_BATCH = 64  # the least number of problems that repay compiling the SIMD kernel

_NONE = np.empty(0, np.int64)
_UNCOUPLED, _NOTHING_COUPLED = Coupling(_NONE, np.empty(0), _NONE, np.empty(0)), _NONE


class Route:
    """The code that solves the problems of a structure; the choice is made here alone."""

    def __init__(self, structure: Structure, closed: bool = True) -> None:
        self._structure, self._may_be_closed = structure, closed
        self.is_plain = structure.is_plain and not structure.goal_set.custom
        self.is_single = self.is_plain and not PLAIN_KERNELS and not takes_long(structure, 1)

    def __str__(self) -> str:
        if not self.is_plain:
            return "kernel for all goals"
        first = "closed form, then " if self.arm is not None else ""
        batches = "; SIMD batches" if self.in_simd else ""
        return f"{first}{'single solve' if self.is_single else 'kernel for plain goals'}{batches}"

    @cached_property
    def arm(self) -> Array | None:
        """The constants of the closed form of an arm, if the only goal is the frame of its end."""
        s, goals = self._structure, self._structure.goal_set.goals
        if not self._may_be_closed or len(goals) != 1 or s.coupling is not None or s.coupled is not None:
            return None
        rows = s.goal_set.rows
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
        if len(starts) >= _SIMD_BATCH and not traces.shape[1] and weights is None and self.route.in_simd:
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
        """The weights; None where they change nothing, as that of a single goal which is switched on."""
        alone = len(self.structure.goal_set.goals) <= 1
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
        """By the kernel for all problems that are not plain; missing tables are empty."""
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
    """End the traces with the solutions, which need not be the poses visited last."""
    for n, traced in enumerate(counts[:, TRACED]):
        if not traced or not np.array_equal(traces[n, traced - 1], out[n]):
            traces[n, traced] = out[n]
            counts[n, TRACED] += 1


@dataclass(frozen=True)
class LeastSquares:
    """Levenberg–Marquardt descent whose steps come from the articulated-body recursion, linear in the number of joints.

    Hard goals are met first; soft ones (Stay, Comfort, Torsion, higher priority numbers) act in the remaining freedom.
    Limits are an active set, never passed.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3))]
        >>> solution = posable.solve(figure.rest, goals, method=posable.LeastSquares())
    """

    def engine(self, structure: Structure) -> Engine:
        """The engine for a structure: compiled code, except with Custom goals."""
        if structure.goal_set.custom:
            from posable.solvers.reference.solve import Reference

            return Reference(structure)
        return Compiled(structure)
