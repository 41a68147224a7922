"""The default method: damped Gauss–Newton on the tree, with limits, restarts and soft goals, in one compiled call."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from posable.errors import GoalError
from posable.goals import Goal, Stay
from posable.goals.goal import is_number
from posable.skeleton import Pose
from posable.solvers.descent import REACHED
from posable.solvers.diagnosis import Diagnosis
from posable.solvers.problem import batch_shape, build_problem, parameters_of, read_goals, stays_of
from posable.solvers.restarts import __file__ as restarts_file
from posable.solvers.restarts import solve_all
from posable.solvers.solution import Solution
from posable.spatial import Array
from posable.spatial.compile import announce_compilation

_PER_THREAD = 8  # problems below which a second thread costs more than it gives


@dataclass(frozen=True)
class LeastSquares:
    """Levenberg–Marquardt descent whose steps come from the articulated-body recursion, linear in the number of joints.

    Hard goals are met first; soft ones (Stay) act in the freedom that is left. Limits are an active set, never passed.
    """

    def solve(
        self,
        start: Pose,
        goals: Sequence[Goal | Stay],
        *,
        tolerance: float = 1e-6,
        angle_tolerance: float = 1e-5,
        max_iterations: int = 100,
        restarts: int = 20,
        seed: int = 0,
        frozen: Sequence[str] = (),
        trace: bool = False,
    ) -> Solution:
        """See `posable.solve`."""
        began = time.perf_counter()
        for what, value, least in (("max_iterations", max_iterations, 1), ("restarts", restarts, 0), ("seed", seed, 0)):
            if not (is_number(value) and int(value) == value and least <= value < 2**63):
                raise GoalError(f"{what} must be a whole number of at least {least}, not {value!r}")
        skeleton = start.skeleton
        wishes = read_goals(skeleton, goals)
        problem, coupling = build_problem(skeleton, wishes, frozen, tolerance, angle_tolerance)
        shape = batch_shape(start, wishes)
        starts = np.empty((*shape, skeleton.coordinates))
        starts[...] = start.q
        starts = starts.reshape(-1, skeleton.coordinates)
        parameters, stays = parameters_of(wishes, shape), stays_of(wishes, skeleton, shape)
        count, entries = len(starts), (max_iterations * 15 + 2) * trace
        out, traces = np.empty_like(starts), np.empty((count, entries, skeleton.coordinates))
        outcomes, iterations, traced = (np.zeros(count, np.int64) for _ in range(3))
        announce_compilation(restarts_file)

        def run(part: slice) -> None:
            into = (out[part], outcomes[part], iterations[part], traces[part], traced[part])
            asked = (
                starts[part],
                parameters[part],
                None if stays is None else stays[part],
                max_iterations,
                restarts,
                np.uint64(seed),
            )
            solve_all(skeleton.packed, problem, coupling, *asked, *into)

        _in_threads(run, count)
        pose = Pose.trusted(skeleton, out.reshape(*shape, skeleton.coordinates))
        diagnosis = Diagnosis(wishes, problem, coupling, parameters, pose, outcomes, max_iterations, restarts, seed)
        return Solution(
            pose,
            wishes,
            iterations.reshape(shape) if shape else int(iterations[0]),
            time.perf_counter() - began,
            _trace_pose(pose, traces, traced) if trace else None,
            (outcomes != REACHED).reshape(shape),
            diagnosis.statuses,
        )


def _in_threads(run: Callable[[slice], None], count: int) -> None:
    threads = min(os.cpu_count() or 1, count // _PER_THREAD)
    if threads < 2:
        run(slice(0, count))
        return
    edges = np.linspace(0, count, 4 * threads + 1).astype(int)
    parts = [slice(a, b) for a, b in pairwise(edges.tolist())]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, parts))


def _trace_pose(pose: Pose, traces: Array, traced: np.ndarray) -> Pose:
    """`[entry, ...]`: every visited pose, the final one last, shorter ones padded with it."""
    longest = int(traced.max(initial=0)) + 1
    flat = pose.q.reshape(len(traces), pose.q.shape[-1])
    q = np.repeat(flat[None], longest, axis=0)
    for n, own in enumerate(traced):
        q[:own, n] = traces[n, :own]
    return Pose.trusted(pose.skeleton, q.reshape(longest, *pose.q.shape))
