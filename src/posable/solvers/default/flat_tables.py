"""Many arrays packed in two: each array argument of a kernel costs 0.1 µs a call, and a whole solve takes 5 µs.

`flatten` concatenates the skeleton's and the problem's arrays; the kernel gets them back by `unflatten`. The head of
`ints` holds the offset and the shape of each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inlined_kernel
from posable.compiled.views import window
from posable.skeleton.tables import Packed
from posable.solvers.problem import Options, Problem

_ARRAYS = 17
_FIRST_MOTION, _SPRINGS = 13, 15
# Columns of the head, per array.
_FROM, _ROWS, _COLUMNS, _DEPTH = range(4)
MOST, RESTARTS, SEED = 4 * _ARRAYS, 4 * _ARRAYS + 1, 4 * _ARRAYS + 2
_MOTIONS, _LEVELS, _HEAD = 4 * _ARRAYS + 3, 4 * _ARRAYS + 4, 4 * _ARRAYS + 5


def flatten(t: Packed, p: Problem, options: Options) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(ints, floats) for `unflatten`; the first of the floats is the problem's scale."""
    head = np.zeros(_HEAD, np.int64)
    parts: dict[str, list[NDArray]] = {"i": [head], "f": [np.array([p.scale])]}
    sizes = {"i": _HEAD, "f": 1}
    tables = (p.terms, p.measures, p.used, p.spans, p.plain, p.turning, p.freedom)
    arrays = [*t, *tables, p.first_motion[None], p.bodies, p.springs, p.pull]
    for k, array in enumerate(arrays):
        kind = array.dtype.kind
        shape = (*array.shape, 1) if array.ndim == 2 else array.shape
        head[4 * k : 4 * k + 4] = sizes[kind], *shape
        parts[kind].append(array.ravel())
        sizes[kind] += array.size
    head[MOST], head[RESTARTS], head[SEED] = options.max_iterations, options.restarts, options.seed
    head[_MOTIONS], head[_LEVELS] = p.motions, p.levels
    ints = np.concatenate(parts["i"]).astype(np.int64)
    ints[:_HEAD] = head
    return ints, np.concatenate(parts["f"])


@inlined_kernel
def _table(head, numbers, k):
    """Array `k` as `[rows, columns]`."""
    return window(numbers, head[4 * k + _FROM], (head[4 * k + _ROWS], head[4 * k + _COLUMNS]))


@inlined_kernel
def unflatten(ints, floats):
    """(skeleton's tables, problem), as they were given to `flatten`."""
    t = Packed(
        _table(ints, ints, 0),
        _table(ints, floats, 1),
        _table(ints, ints, 2),
        _table(ints, floats, 3),
        _table(ints, floats, 4),
        _table(ints, floats, 5),
    )
    p = Problem(
        floats[0],
        _table(ints, ints, 6),
        _table(ints, floats, 7),
        _table(ints, ints, 8),
        _table(ints, ints, 9),
        _table(ints, ints, 10),
        _table(ints, ints, 11),
        _table(ints, floats, 12),
        window(ints, ints[4 * _FIRST_MOTION + _FROM], (ints[4 * _FIRST_MOTION + _COLUMNS],)),
        ints[_MOTIONS],
        ints[_LEVELS],
        _table(ints, floats, 14),
        window(
            floats,
            ints[4 * _SPRINGS + _FROM],
            (ints[4 * _SPRINGS + _ROWS], ints[4 * _SPRINGS + _COLUMNS], ints[4 * _SPRINGS + _DEPTH]),
        ),
        _table(ints, floats, 16),
    )
    return t, p
