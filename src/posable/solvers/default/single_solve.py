"""One plain problem a call: all that stays the same, and the scratch, in one block of memory that is kept.

A call from Python costs a twentieth of a microsecond an array, and making the scratch more than a step of an arm.
"""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import as_python, lean_kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import as_whole, window
from posable.goals.term_arrays import FINE, read_targets
from posable.skeleton.limits import clamp
from posable.solvers.closed.links import MOST_BRANCHES, SCRATCH
from posable.solvers.default.flat_tables import MOST, RESTARTS, SEED, flatten, unflatten
from posable.solvers.default.kernels.descent import REACHED
from posable.solvers.default.kernels.multi_start import SEARCH
from posable.solvers.default.kernels.restarts import solve_closed, solve_hard
from posable.solvers.default.kernels.workspace import cut_work, put, work_at, work_size
from posable.solvers.problem import Structure
from posable.spatial import Array

# The head of a block: how long its parts are, and whether the scratch has been cut up.
_WORK, _INTS, _FLOATS, _IS_CUT = range(4)


def make_block(structure: Structure) -> Array:
    """What `solve_one` works in: head, scratch, the numbers of `flatten`, room for attempts and for closed forms."""
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
    """Solve for the targets `numbers`, starting from `q [coordinates]`, which takes the answer.

    arm: the constants of a closed form, or None. Returns (a code, the term that it is about, outcome, iterations).
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
