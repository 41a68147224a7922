"""Proofs that a place cannot be reached: the annulus of a chain of rigid pieces of known lengths."""

from __future__ import annotations

import math

import numpy as np

from posable.skeleton import Pose
from posable.skeleton.tables import FREE
from posable.solvers.problem import Problem
from posable.spatial import Array


def least_distance(pose: Pose, problem: Problem, joint: int, tip: Array, target: Array) -> float:
    """A distance that the point `tip` of `joint` keeps from `target` in every pose, limits or not; 0 where nothing is proved.

    The pieces between the joints that may turn keep their lengths, so the point stays within the sum of them of the first
    joint that may, and no nearer than the longest piece less all the others. A slide, or a free joint that may move,
    proves nothing; what is locked counts as rigid in the pose it has.
    """
    pieces = _piece_lengths(pose, problem, joint, tip)
    if pieces is None:
        return 0.0
    lengths, base = pieces
    nearest, farthest = annulus(lengths)
    away = float(np.linalg.norm(target - base))
    return max(0.0, away - farthest, nearest - away)


def _piece_lengths(pose: Pose, problem: Problem, joint: int, tip: Array) -> tuple[list[float], Array] | None:
    """Lengths of the rigid pieces from the first turning joint to the tip, and where that joint is."""
    t = pose.skeleton.tables
    matrices = pose.world_from_joint
    end = matrices[joint, :3, :3] @ tip + matrices[joint, :3, 3]
    lengths: list[float] = []
    base = end
    for j in reversed(pose.skeleton.chain(joint)):
        first, last = int(problem.first_motion[j]), int(problem.first_motion[j + 1])
        moving = [m for m in range(first, last) if not problem.locked[m]]
        if not moving:
            continue
        if any(_proves_nothing(pose, j, m - first) for m in moving):
            return None
        pivot = matrices[j, :3, 3] + matrices[j, :3, :3] @ _pivot(pose, j)
        lengths.append(float(np.linalg.norm(base - pivot)))
        base = pivot
    return lengths, base


def _proves_nothing(pose: Pose, j: int, motion: int) -> bool:
    """A slide changes the length of its piece; several turns about different points do so too."""
    t = pose.skeleton.tables
    if t.code[j] == FREE:
        return motion < 3
    axes = pose.skeleton.definitions[j].axes
    return bool(axes) and (axes[motion].slide or (len(axes) > 1 and any(any(axis.anchor) for axis in axes)))


def _pivot(pose: Pose, j: int) -> Array:
    """A point of the joint's frame about which it turns."""
    axes = pose.skeleton.definitions[j].axes
    return np.asarray(axes[0].anchor if axes else pose.skeleton.tables.anchor[j], float)


def annulus(lengths: list[float]) -> tuple[float, float]:
    """The nearest and farthest that the end of a chain of balls with these piece lengths can be from its base."""
    total = math.fsum(lengths)
    return max(0.0, 2 * max(lengths, default=0.0) - total), total
