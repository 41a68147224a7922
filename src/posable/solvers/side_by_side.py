"""Many plain problems at once: in lanes, and what is left over one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from posable.goals.columns import KIND, OTHER
from posable.goals.targets import FINE
from posable.goals.terms import POSITION, ROTATION
from posable.skeleton.packed import CODE, DOF, Packed
from posable.skeleton.tables import SCALAR
from posable.solvers.columns import USED
from posable.solvers.lanes import LEFT, solve_lanes
from posable.solvers.problem import Problem
from posable.spatial import Array

_MOST_FREEDOMS = 16  # the step is dense: its time grows with their cube


def is_plain(t: Packed, p: Problem) -> bool:
    """Whether `solve_lanes` can solve the problem, which has no coupling, ties or soft goals: goals of place and turn
    in the world, on hinges, slides and what is made of them, and not too many.
    """
    used = p.used[:, USED]
    freedoms = int((t.joint[used + 1, DOF] - t.joint[used, DOF]).sum())
    simple = np.isin(p.terms[:, KIND], (POSITION, ROTATION)) & (p.terms[:, OTHER] < 0)
    return bool((t.joint[used, CODE] == SCALAR).all() and 0 < freedoms <= _MOST_FREEDOMS and simple.all())


def solve_many(
    ints: NDArray[np.int64],
    floats: Array,
    alone: Callable[..., tuple[int, int, int]],
    starts: Array,
    targets: Array,
    springs: Array | None,
    out: Array,
    counts: NDArray[np.int64],
    traces: Array,
) -> tuple[int, int, int]:
    """As `solve_all`, of which `alone` is the part without the arrays of a batch."""
    refused = solve_lanes(ints, floats, starts, targets, out, counts)
    left = np.flatnonzero(counts[:, 0] == LEFT)
    if refused[0] == FINE and len(left):
        into = np.empty((len(left), out.shape[1])), np.empty((len(left), 3), np.int64)
        alone(starts[left], targets[left], springs, *into, traces[left])
        out[left], counts[left] = into
    return refused
