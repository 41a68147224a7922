"""Proofs that a place cannot be reached: the annulus of a chain of rigid pieces of known lengths."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose
from posable.skeleton.tables import FREE
from posable.spatial import Array

_PARALLEL = 1e-9


def least_distance(
    pose: Pose, first_motion: NDArray[np.int64], locked: NDArray[np.bool_], joint: int, tip: Array, target: Array
) -> float:
    """A distance that the point `tip` of `joint` keeps from `target` in every pose, limits or not.

    The pieces between the joints that may turn keep their lengths, so the point stays within the sum of them of the
    first joint that may, and no nearer than the longest piece less all the others. Where all turn about parallel
    axes, the point keeps its height along these too, and the annulus is that of the lengths across. A slide, or a free
    joint that may move, proves nothing (0); what is locked counts as rigid in the pose it has.
    """
    pieces = _pieces(pose, first_motion, locked, joint, tip)
    if pieces is None:
        return 0.0
    vectors, base, axis = pieces
    away, height = target - base, 0.0
    if axis is not None:
        height = float((away - vectors.sum(axis=0)) @ axis)
        away = away - (away @ axis) * axis
        vectors = vectors - np.outer(vectors @ axis, axis)
    nearest, farthest = annulus([float(length) for length in np.linalg.norm(vectors, axis=1)])
    distance = float(np.linalg.norm(away))
    return math.hypot(height, max(0.0, distance - farthest, nearest - distance))


def annulus(lengths: list[float]) -> tuple[float, float]:
    """The nearest and farthest that the end of a chain of balls with these piece lengths can be from its base."""
    total = math.fsum(lengths)
    return max(0.0, 2 * max(lengths, default=0.0) - total), total


def _pieces(
    pose: Pose, first_motion: NDArray[np.int64], locked: NDArray[np.bool_], joint: int, tip: Array
) -> tuple[Array, Array, Array | None] | None:
    """The rigid pieces `[piece, 3]` as they stand, where the first turning joint is, and the direction of all axes
    where they are parallel. None where nothing can be proved."""
    matrices = pose.world_from_joint
    base = matrices[joint, :3, :3] @ tip + matrices[joint, :3, 3]
    vectors: list[Array] = []
    directions: list[Array | None] = []
    for j in reversed(pose.skeleton.chain(joint)):
        first, last = int(first_motion[j]), int(first_motion[j + 1])
        moving = [m - first for m in range(first, last) if not locked[m]]
        if not moving:
            continue
        if any(_proves_nothing(pose, j, motion) for motion in moving):
            return None
        pivot = matrices[j, :3, 3] + matrices[j, :3, :3] @ _pivot(pose, j)
        vectors += [base - pivot, *_slack(pose, j)]
        directions.append(_single_axis(pose, j))
        base = pivot
    return np.array(vectors).reshape(-1, 3), base, _common(directions)


def _proves_nothing(pose: Pose, j: int, motion: int) -> bool:
    """A slide changes the length of its piece."""
    if pose.skeleton.tables.code[j] == FREE:
        return motion < 3
    axes = pose.skeleton.definitions[j].axes
    return bool(axes) and axes[motion].slide


def _slack(pose: Pose, j: int) -> list[Array]:
    """How much farther turns about different points take the end than the same turns about the first of these points:
    for each, at most twice the way between the two."""
    anchors = np.array([axis.anchor for axis in pose.skeleton.definitions[j].axes]).reshape(-1, 3)
    length = 2 * float(np.linalg.norm(anchors - anchors[:1], axis=1).sum())
    return [np.array([length, 0.0, 0.0])] if length > 0 else []


def _pivot(pose: Pose, j: int) -> Array:
    """A point of the joint's frame about which it turns."""
    axes = pose.skeleton.definitions[j].axes
    return np.asarray(axes[0].anchor if axes else pose.skeleton.tables.anchor[j], float)


def _single_axis(pose: Pose, j: int) -> Array | None:
    """The world direction of a joint with one axis."""
    axes = pose.skeleton.definitions[j].axes
    return pose.world_from_joint[j, :3, :3] @ np.array(axes[0].direction) if len(axes) == 1 else None


def _common(directions: list[Array | None]) -> Array | None:
    """The direction to which all are parallel."""
    if not directions or any(one is None for one in directions):
        return None
    stacked = np.array(directions)
    across = np.linalg.norm(np.cross(stacked, stacked[0]), axis=1).max()
    return stacked[0] if across < _PARALLEL else None
