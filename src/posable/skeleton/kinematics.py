"""Forward kinematics of batches: a few poses one by one, many side by side and on every core."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import PoseError, check_kind, refuse_masked
from posable.skeleton.batches import fill_frames
from posable.skeleton.skeleton import Skeleton
from posable.skeleton.twists import turn_shared

_PRECISIONS = np.dtype(np.float64).char + np.dtype(np.float32).char


def forward_kinematics(
    skeleton: Skeleton, q: ArrayLike, out: NDArray[Any] | None = None, threads: int | None = None
) -> NDArray[Any]:
    """Compute the frames of all joints in the world, world_from_joint `[..., joint, 4, 4]`.

    Args:
        skeleton: The skeleton.
        q: Coordinates `[..., coordinates]` in radians, lengths and unit quaternions wxyz.
        out: Array to fill and return, `[..., joint, 4, 4]`, or `[..., joint, 3, 4]` without the last row, float64 or
            float32. Reusing one is several times faster than new memory.
        threads: How many threads may share a large batch; None for all cores.

    Raises:
        PoseError: If shapes or types do not fit.

    Example:
        >>> poses = figure.skeleton.random_pose(np.random.default_rng(0), (1000,))
        >>> frames = posable.forward_kinematics(figure.skeleton, poses.q)
    """
    check_kind(skeleton, Skeleton, "frames are those of a Skeleton", "a figure's is figure.skeleton", PoseError)
    refuse_masked(q, PoseError, "what a pose is made of")
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
    return turn_shared(skeleton.twists, q, fill_frames(skeleton.packed, q, out, threads))


def forward_kinematics_blocks(
    skeleton: Skeleton, q: ArrayLike, block: int = 256, rows: int = 4, dtype: type = np.float64
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Compute forward kinematics `block` poses at a time, in memory that stays in the processor's cache.

    Args:
        skeleton: The skeleton.
        q: Coordinates `[pose, coordinates]`.
        block: Poses per block.
        rows: 4, or 3 without the last row of each matrix.
        dtype: float64 or float32.

    Yields:
        (slice of the poses, their world_from_joint `[pose, joint, rows, 4]`). The next block overwrites the matrices:
        use or copy them first. One thread.

    Raises:
        PoseError: If shapes or types do not fit.

    Example:
        >>> q = np.broadcast_to(figure.rest.q, (1000, figure.skeleton.coordinates))
        >>> for frames, blocks in posable.skeleton.forward_kinematics_blocks(figure.skeleton, q):
        ...     pass  # blocks: [pose, joint, 4, 4] of q[frames]
    """
    q = np.asarray(q, float)
    if q.ndim != 2 or block < 1:
        raise PoseError(f"blocks take poses × coordinates and at least 1 pose each, not {q.shape} and {block}")
    frames = np.empty((min(block, len(q)), len(skeleton.joints), rows, 4), dtype)
    for first in range(0, len(q), block):
        which = slice(first, min(first + block, len(q)))
        yield which, forward_kinematics(skeleton, q[which], frames[: which.stop - first], threads=1)


def _check_out(out: NDArray[Any], shape: tuple[int, ...]) -> None:
    fits = out.shape in ((*shape, 4, 4), (*shape, 3, 4)) and out.dtype.char in _PRECISIONS
    if not (fits and out.flags.c_contiguous and out.flags.writeable):
        wanted = f"a contiguous, writeable float64 or float32 array of shape {(*shape, 4, 4)} or {(*shape, 3, 4)}"
        raise PoseError(f"out must be {wanted}, not {out.dtype} {out.shape}")


def joints_below(skeleton: Skeleton, joint: int) -> list[int]:
    """Return a joint and all its descendants.

    Args:
        skeleton: The skeleton.
        joint: The index of the topmost joint.

    Returns:
        Their indices, parents first.

    Example:
        >>> arm = posable.skeleton.joints_below(figure.skeleton, figure.skeleton.index("upper_arm_r"))
    """
    found = {int(joint)}
    for j, parent in enumerate(skeleton.parents.tolist()):
        if parent in found:
            found.add(j)
    return sorted(found)
