"""How far aside a person looks: trunk, neck and head rotate together, and no further than a person's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from posable.figures import roles
from posable.goals import Goal
from posable.natural.body import body_of, joints_between
from posable.natural.human_limits import BACK, NECK
from posable.skeleton import Pose
from posable.spatial import Array, matrix_from_wxyz, wxyz_about

FURTHEST = math.radians(BACK.twist + NECK.twist)
"""Between the direction of the hips and that of the gaze, without the eyes."""
_BEHIND = math.radians(140)
"""From here on a gaze goes over that shoulder: towards a point right behind, the shortest path is over the crown."""
_UPRIGHT = math.cos(math.radians(45))  # of the hips; how far a person who lies looks is another matter
_LEVEL = math.radians(60)  # above and below, no side is behind


def gazes_in_range(goals: Sequence[Goal], start: Pose) -> list[Goal]:
    """The goals, where a gaze of a person's head that would have to rotate further than a person's stops there.

    Trunk, neck and head take shares of it as their ranges are. Gazes with shares or a limit of their own, of other
    joints, of other figures, and of persons who do not stand or sit upright stay as they are.

    Args:
        goals: Any goals.
        start: A single pose, from which they are solved.
    """
    skeleton = start.skeleton
    body = body_of(skeleton)
    if body is None:
        return list(goals)
    hips, chest, head = (int(body.segments[part]) for part in range(3))
    found = roles(skeleton)
    rest = Pose(skeleton, skeleton.rest_coordinates).world_from_joint[hips, :3, :3]
    turned = start.world_from_joint[hips, :3, :3] @ rest.T
    if head < 0 or found.up @ turned @ found.up < _UPRIGHT:
        return list(goals)
    share = _shares(start, (hips, chest, head))
    ahead, aside = turned @ found.forward, turned @ found.left

    def in_range(joint: str, point: Array) -> dict[str, Any]:
        if skeleton.index(joint) != head or not share:
            return {}
        away = point - start.origins[head]
        yaw = math.atan2(away @ aside, away @ ahead)
        direction = away / max(float(np.linalg.norm(away)), 1e-12)
        if direction @ ahead >= math.cos(FURTHEST) or abs(direction @ found.up) > math.sin(_LEVEL):
            return {}
        back = math.copysign(max(abs(yaw) - _BEHIND, 0.0), -yaw)
        nearer = start.origins[head] + matrix_from_wxyz(wxyz_about(found.up, back)) @ away
        return {"point": nearer, "share": share, "limit": FURTHEST}

    return [goal.with_gaze(in_range) for goal in goals]


def _shares(start: Pose, joints: tuple[int, int, int]) -> dict[str, float]:
    """The shares of the joints between hips and head; none for a robot, whose hinges have ranges of their own."""
    skeleton = start.skeleton
    hips, chest, head = joints
    shares: dict[str, float] = {}
    for chain, most in ((joints_between(skeleton, hips, chest), BACK), (joints_between(skeleton, chest, head), NECK)):
        bending = [j for j in chain if skeleton.definitions[j].dof]
        if any(not skeleton.definitions[j].has_quaternion for j in bending):
            return {}
        shares |= {skeleton.joints[j]: most.twist / (BACK.twist + NECK.twist) / len(bending) for j in bending}
    shares.pop(skeleton.joints[head], None)
    return shares
