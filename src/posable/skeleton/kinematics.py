"""Forward kinematics of batches: a few poses one by one, many side by side and on every core."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.compiled import PLAIN_KERNELS
from posable.compiled.threads import cores, in_threads
from posable.errors import PoseError
from posable.skeleton.batches import world_matrices
from posable.spatial import Array

if TYPE_CHECKING:  # the skeleton hands out poses, and poses come here
    from posable.skeleton.skeleton import Skeleton

MANY_POSES = 64
"""From here on poses are placed side by side; fewer are not worth the seconds that compiling this takes, once."""

_JOINTS_PER_THREAD = 20_000  # joints × poses that take some tenths of a millisecond, several times a thread's start

_PRECISIONS = np.dtype(np.float64).char + np.dtype(np.float32).char


def forward_kinematics(
    skeleton: Skeleton, q: ArrayLike, out: NDArray[Any] | None = None, threads: int | None = None
) -> NDArray[Any]:
    """`q [..., coordinates]` → world_from_joint `[..., joint, 4, 4]`.

    out: an array to fill and hand back, `[..., joint, 4, 4]` or without the last row `[..., joint, 3, 4]`, float64 or
        float32; filled again and again it is several times faster than fresh memory.
    threads: at most so many share a large batch; None for all cores.
    Raises PoseError where shapes or types do not fit.
    """
    q = np.asarray(q, float)
    if q.shape[-1:] != (skeleton.coordinates,):
        raise PoseError(
            f"a pose of this skeleton has {skeleton.coordinates} coordinates, not an array of shape {q.shape}"
        )
    if threads is not None and threads < 1:
        raise PoseError(f"threads must be at least 1, not {threads}")
    if out is None:
        out = np.empty((*q.shape[:-1], len(skeleton.joints), 4, 4))
    _check_out(out, (*q.shape[:-1], len(skeleton.joints)))
    rows = flat_rows(q, q.shape[:-1])
    frames = out.reshape(len(rows), *out.shape[-3:])
    if PLAIN_KERNELS or len(rows) < MANY_POSES:
        world_matrices(skeleton.packed, rows, frames)
    else:
        _place_many(skeleton, rows, frames, threads or cores())
    return out


def forward_kinematics_blocks(
    skeleton: Skeleton, q: ArrayLike, block: int = 256, rows: int = 4, dtype: type = np.float64
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Forward kinematics of `q [pose, coordinates]`, `block` poses at a time: which, and where.

    Each block is (the slice of its poses, their world_from_joint `[pose, joint, rows, 4]`), a view of the same memory,
    small enough to stay in the processor's cache, and overwritten by the next: use it, or copy it, before going on.
    rows: 4, or 3 without the last. dtype: float64 or float32. One thread.
    Raises PoseError where shapes or types do not fit.
    """
    q = np.asarray(q, float)
    if q.ndim != 2 or block < 1:
        raise PoseError(f"blocks take poses × coordinates and at least 1 pose each, not {q.shape} and {block}")
    frames = np.empty((min(block, len(q)), len(skeleton.joints), rows, 4), dtype)
    for first in range(0, len(q), block):
        which = slice(first, min(first + block, len(q)))
        yield which, forward_kinematics(skeleton, q[which], frames[: which.stop - first], threads=1)


def flat_rows(array: Array, shape: tuple[int, ...]) -> Array:
    """`array [..., n]` broadcast to `[*shape, n]`, as contiguous rows `[poses, n]`.

    Always read-only, so that kernels are compiled for one kind of array.
    """
    count, size = math.prod(shape), array.shape[-1]
    if array.shape[:-1] != shape:
        array = np.broadcast_to(array, (*shape, size))
    rows = np.ascontiguousarray(array).reshape(count, size).view()
    rows.setflags(write=False)
    return rows


def _check_out(out: NDArray[Any], shape: tuple[int, ...]) -> None:
    fits = out.shape in ((*shape, 4, 4), (*shape, 3, 4)) and out.dtype.char in _PRECISIONS
    if not (fits and out.flags.c_contiguous and out.flags.writeable):
        wanted = f"a contiguous, writeable float64 or float32 array of shape {(*shape, 4, 4)} or {(*shape, 3, 4)}"
        raise PoseError(f"out must be {wanted}, not {out.dtype} {out.shape}")


def _place_many(skeleton: Skeleton, q: Array, frames: NDArray[Any], threads: int) -> None:
    from posable.skeleton.simd_forward import place_batch  # not before a large batch comes: few programs need it

    parts = min(threads, max(1, q.shape[0] * len(skeleton.joints) // _JOINTS_PER_THREAD), q.shape[0] // MANY_POSES)

    def place(own: slice) -> None:
        place_batch(skeleton.packed, q[own], frames[own].reshape(-1), frames.shape[2])

    in_threads(place, len(q), parts, parts)
