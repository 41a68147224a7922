"""Heels of pinned feet: they rise as far as the hips' goal requires, and come down with it again.

A foot that stands flat rolls about its ball, and the rotation of its goal states how far: a rotation that only tips the
sole forward is a raised heel. So heels need no state besides the goals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import posable
from posable.spatial import rigid_inverse, wxyz_from_matrix
from posable.studio.document import Document, StudioGoal, wxyz_of
from posable.studio.posing import frame_of
from posable.studio.standing import Standing, hips_of, standing
from posable.studio.timeline import curve_of, target_of

_MAX_ANGLE = float(np.radians(60.0))  # between the sole and the ground
_SEARCH_HALF_WIDTH = float(np.radians(3.0))  # of the first search, around the present angle
_ANGLE_TOLERANCE = float(np.radians(0.02))
_LEAST_GAIN = 0.02  # leg lengths by which a radian of heel must bring the ankle nearer, else the heel stays down
_MET_ERROR = 5e-5  # leg lengths
_GOLDEN_SECTION = (np.sqrt(5.0) - 1.0) / 2.0


class Heels(NamedTuple):
    """A foot over time. feet: `[time, 4, 4]` its frames. joint: of its toes; None without. toes: `[time, 4]` their
    rotations, wxyz.
    """

    feet: np.ndarray
    joint: str | None
    toes: np.ndarray


def with_heels(
    document: Document, before: Document | None = None, only: Callable[[StudioGoal], bool] = lambda _: True
) -> Document:
    """The document with the heels of its pinned feet as high as the hips' goal needs them.

    before: if hips and foot have the same goals in this document, the heel stays as it is. only: selects the goals that
    may be such feet.
    """
    known = {id(goal) for goal in before.goals} if before else set[int]()
    for goal in document.goals:
        hips = hips_of(document, goal.joint) if only(goal) else None
        stands = standing(document, goal) if hips is not None else None
        if stands is None or hips is None or {id(hips), id(goal)} <= known:
            continue
        angle = needed(document, hips, stands, stands.angle)
        if abs(angle - stands.angle) > _ANGLE_TOLERANCE / 4:
            document = document.with_goal(_rolled(goal, stands.raised(angle)))
    return document


def stays(document: Document, foot: StudioGoal) -> bool:
    """Whether a pinned foot has no keys, or keys that are all in one position, so that it may roll there. Over a clip
    it must have none, as a key there also fixes the sole.
    """
    if not (foot.pinned and foot.enabled):
        return False
    return not foot.keys or (document.clip is None and len({target_of(key) for key in foot.keys}) == 1)


def heels_over_time(document: Document, foot: StudioGoal, times: np.ndarray) -> Heels | None:
    """A pinned foot that stays in one position while keys move the hips; None if it does not roll."""
    if not stays(document, foot):
        return None
    if foot.keys:
        foot = replace(foot, position=foot.keys[0].position, rotation=foot.keys[0].rotation)
    hips, stands = hips_of(document, foot.joint), standing(document, foot)
    if hips is None or not hips.keys or stands is None:
        return None
    rows = curve_of(document, hips).at(times).q
    frames, angle, before = [], stands.angle, None
    for row in rows:
        if before is None or not np.array_equal(row, before):
            x, y, z, *rotation = row[:7].tolist()
            there = replace(hips, position=(x, y, z), rotation=(rotation[0], rotation[1], rotation[2], rotation[3]))
            angle, before = needed(document, there, stands, angle), row
        frames.append(stands.raised(angle))
    toes = wxyz_from_matrix(stands.toes(document.figure))
    return Heels(np.array(frames), stands.sole.toes, np.tile(toes, (len(times), 1)))


def needed(document: Document, hips: StudioGoal, stands: Standing, near: float) -> float:
    """The least angle of a heel with which its leg lets the hips reach their goal, or come nearest to it.

    near: the angle around which the search begins.
    """
    figure, sole = document.figure, stands.sole
    leg = _leg(figure.skeleton, hips.joint, sole.foot)
    if leg is None:
        return 0.0
    carrier, frames = frame_of(hips), document.pose.world_from_joint
    if hips.rotation_weight == 0:
        carrier[:3, :3] = frames[figure.skeleton.index(hips.joint), :3, :3]
    carrier = carrier @ rigid_inverse(frames[figure.skeleton.index(hips.joint)]) @ frames[leg.carrier]
    # Every raised frame is a combination of three, as every point of the foot moves on a circle.
    flat, quarter, half = rigid_inverse(carrier) @ [stands.raised(angle) for angle in (0.0, np.pi / 2, np.pi)]
    middle = (flat + half) / 2
    start = leg.of(document.pose)

    def cost(angle: float) -> float:
        target = middle + np.cos(angle) * (flat - middle) + np.sin(angle) * (quarter - middle)
        found = leg.prepared.solve(start, [target]).pose.world_from_joint[-1]
        turned = np.linalg.norm(found[:3, :3] - target[:3, :3]) / np.sqrt(2.0)
        off = float(np.linalg.norm(found[:3, 3] - target[:3, 3]) / sole.length + turned)
        return 0.0 if off < _MET_ERROR else off

    if cost(0.0) == 0.0:
        return 0.0
    low, high = max(0.0, near - _SEARCH_HALF_WIDTH), min(_MAX_ANGLE, near + _SEARCH_HALF_WIDTH)
    found = _minimum(lambda angle: cost(angle) + _LEAST_GAIN * angle, low, high)
    is_there = (low == 0.0 or found > low + _ANGLE_TOLERANCE) and (
        high == _MAX_ANGLE or found < high - _ANGLE_TOLERANCE
    )
    return found if is_there else _minimum(lambda angle: cost(angle) + _LEAST_GAIN * angle, 0.0, _MAX_ANGLE)


def _minimum(cost: Callable[[float], float], low: float, high: float) -> float:
    """The position of the minimum of a cost that has only one (golden-section search)."""
    inner = [high - _GOLDEN_SECTION * (high - low), low + _GOLDEN_SECTION * (high - low)]
    costs = [cost(one) for one in inner]
    while high - low > _ANGLE_TOLERANCE:
        if costs[0] <= costs[1]:
            high, inner[1], costs[1] = inner[1], inner[0], costs[0]
            inner[0] = high - _GOLDEN_SECTION * (high - low)
            costs[0] = cost(inner[0])
        else:
            low, inner[0], costs[0] = inner[0], inner[1], costs[1]
            inner[1] = low + _GOLDEN_SECTION * (high - low)
            costs[1] = cost(inner[1])
    return (low + high) / 2


def _rolled(goal: StudioGoal, frame: np.ndarray) -> StudioGoal:
    x, y, z = frame[:3, 3].tolist()
    return replace(goal, position=(x, y, z), rotation=wxyz_of(frame[:3, :3]))


class _Leg(NamedTuple):
    """A leg by itself, in the frame of the joint that carries it. carrier, joints: indices in the whole skeleton."""

    carrier: int
    joints: tuple[int, ...]
    prepared: posable.Prepared

    def of(self, pose: posable.Pose) -> posable.Pose:
        """The leg in a pose of the whole figure."""
        first = pose.skeleton.tables.first_coordinate
        q = [value for joint in self.joints for value in pose.q[first[joint] : first[joint + 1]]]
        return posable.Pose(self.prepared.skeleton, np.array(q))


@lru_cache(maxsize=16)
def _leg(skeleton: posable.Skeleton, hips: str, foot: str) -> _Leg | None:
    """The leg below the hips' joint, or below the joint that carries both if the leg hangs beside the hips."""
    chain, above = [int(joint) for joint in skeleton.chain(foot)], skeleton.chain(hips)
    shared = [joint for joint in chain[:-1] if joint in above]
    if not shared:
        return None
    joints = tuple(chain[len(shared) :])
    own = [skeleton.definitions[joint] for joint in joints]
    alone = posable.Skeleton([replace(own[0], parent=None), *own[1:]], skeleton.up)
    goal = posable.Place(foot, np.eye(4))
    prepared = posable.prepare(alone, [goal], tolerance=1e-5 * alone.reach, max_iterations=40, restarts=0)
    return _Leg(shared[-1], joints, prepared)
