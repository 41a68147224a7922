"""What to reach for where nobody said."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import posable

DOORBELL = (-0.25, 1.3, 0.45)  # metres: before the mannequin, which faces +z, to its right, at the height of its chest
_HANDS = ("hand", "wrist", "gripper", "tool", "finger", "palm", "paw", "claw", "foot", "flange", "ee")
_NUDGE = 0.15  # of the length of the limb


def front_of(figure: posable.Figure, joint: str) -> np.ndarray:
    """`[3]` where the figure faces at rest (+z where y is up, +x where z is up), in the frame of `joint`."""
    front = (0.0, 0.0, 1.0) if figure.skeleton.up == "y" else (1.0, 0.0, 0.0)
    return np.asarray(front) @ figure.rest.world_from_joint[figure.skeleton.index(joint), :3, :3]


def doorbell_goals() -> list[posable.Goal]:
    """The mannequin's fingertip to a doorbell, its eyes on it."""
    return [posable.Reach("index_tip_r", DOORBELL), posable.LookAt("head", DOORBELL)]


def nearby_goal(start: posable.Pose, frozen: Sequence[str]) -> posable.Reach:
    """An end of the figure, a hand if there is one, to a place about 15 % of its limb's length away that it can reach.

    Raises PosableError where nothing can move.
    """
    skeleton = start.skeleton
    movable = skeleton.tables.active & ~skeleton.freedom_mask(frozen)
    ends = [
        (i, length)
        for i, length in enumerate(_limb_lengths(skeleton, movable))
        if length > 0 and (_likeness(skeleton.joints[i]) == 2 or not skeleton.children(i))
    ]
    if not ends:
        raise posable.PosableError("nothing can move here: every freedom is fixed, frozen or inactive")
    end = max(ends, key=lambda one: (_likeness(skeleton.joints[one[0]]), one[1]))
    return posable.Reach(skeleton.joints[end[0]], tuple(_reachable(start, *end, movable)))


def _likeness(name: str) -> int:
    """2 for the name of a hand or the like, 1 where it is a part of the name (a finger, say), 0 else."""
    from posable.skeleton import name_key

    return 2 if name_key(name)[0] in _HANDS else int(any(word in name.lower() for word in _HANDS))


def _limb_lengths(skeleton: posable.Skeleton, movable: np.ndarray) -> list[float]:
    """Per joint: the length of the bones between it and the first joint above it that can move; 0 where none can."""
    lengths: list[float] = []
    moved: list[bool] = []
    for i, joint in enumerate(skeleton.definitions):
        p = skeleton.parents[i]
        under = p >= 0 and moved[p]
        slides = joint.kind == "slide" and movable[list(skeleton.freedom_range(i))].any()
        lengths.append((lengths[p] + math.hypot(*joint.position) if under else 0.0) + 0.1 * slides * skeleton.reach)
        moved.append(under or bool(movable[list(skeleton.freedom_range(i))].any()))
    return lengths


def _reachable(start: posable.Pose, end: int, length: float, movable: np.ndarray) -> np.ndarray:
    """Where the end stands after a small permitted random step: of 64 ways, seeded, the nearest to 15 % of the limb."""
    skeleton = start.skeleton
    rng = np.random.default_rng(0)
    wild = skeleton.random_pose(rng, (64,))
    steps = np.linspace(0.02, 1.0, 50)[:, None, None] * np.where(movable, wild.minus(start), 0.0)
    places = start.plus(steps).clamped().origins[..., end, :].reshape(-1, 3)
    away = np.linalg.norm(places - start.origins[end], axis=-1)
    return np.round(places[np.argmin(np.abs(away - _NUDGE * length))], 4)
