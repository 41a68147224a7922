"""Steps of a drag in which no joint of a robot or a creature swings round for little gain.

A person's joints never do: see `solvers/short_steps.py`, whose bounds are used here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import posable
from posable.solvers.short_steps import LEAPS, QUICKEST, SWIFT
from posable.studio.document import Document
from posable.studio.residuals import residuals

_LEAST_IMPROVEMENT = 0.01  # reaches and radians: a joint may swing round if the goals come nearer by this
_MAX_HELD_SETS = 4  # tries: when joints are held, others may swing instead and are held too


class Reached(NamedTuple):
    """A pose, and how far it misses its goals, in reaches and radians."""

    pose: posable.Pose
    missed: float


def steadied(
    start: posable.Pose, found: Reached, moved: float, held: Callable[[frozenset[str]], Reached]
) -> tuple[posable.Pose, bool] | None:
    """A pose that replaces one to which joints swing round, and whether another solve goes on; None if none swings.

    With those joints held the goals may be met as well, or nearly so. Otherwise all joints move by a part of the step,
    and the next solve goes on.

    moved: how far the targets have moved, in reaches or radians. held: solves again with the given joints held.
    """
    swings = more = _swinging_joints(start, found.pose, moved)
    if not swings:
        return None
    other = found
    for _ in range(_MAX_HELD_SETS):
        other = held(swings)
        more = _swinging_joints(start, other.pose, moved)
        if not more:
            break
        swings |= more
    if not more and other.missed < found.missed + _LEAST_IMPROVEMENT:
        return other.pose, False
    taken = found.pose.minus(start)
    share = max(QUICKEST * moved, SWIFT) / float(np.abs(taken[~start.skeleton.slides]).max())
    return start.plus(min(share, 1.0) * taken), True


def _swinging_joints(start: posable.Pose, end: posable.Pose, moved: float) -> frozenset[str]:
    """The joints that leap between two poses."""
    skeleton, taken = start.skeleton, np.abs(end.minus(start))
    taken[skeleton.slides] = 0.0
    least = min(max(angle, times * QUICKEST * moved) for angle, times in LEAPS)
    if taken.max(initial=0.0) <= least:
        return frozenset()
    own = (skeleton.freedom_range(j) for j in range(len(skeleton.joints)))
    return frozenset(joint for joint, rows in zip(skeleton.joints, own, strict=True) if (taken[rows] > least).any())


def reached(document: Document, pose: posable.Pose) -> Reached:
    """A pose with how far it misses the active goals."""
    acts = np.array([goal.acts for goal in document.goals], bool)
    distances, angles = residuals(document, pose)
    farthest = float(distances[acts].max(initial=0.0)) / document.figure.skeleton.reach
    return Reached(pose, farthest + float(angles[acts].max(initial=0.0)))


def step_of(before: list[Any], targets: list[Any], reach: float) -> float:
    """The largest motion of a target, in reaches or radians."""
    most = 0.0
    for old, new in zip(before, targets, strict=True):
        if old is not None and new is not None:
            gap = np.subtract(new, old)
            moved = gap[:3, 3] if gap.shape == (4, 4) else gap if gap.shape == (3,) else np.zeros(3)
            turned = gap[:3, :3] if gap.shape == (4, 4) else 2 * gap if gap.shape == (4,) else np.zeros(3)
            most = max(most, float(np.linalg.norm(moved)) / reach, float(np.abs(turned).max()))
    return most
