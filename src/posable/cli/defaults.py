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


def nearby_goal(start: posable.Pose, frozen: Sequence[str]) -> posable.Goal:
    """An end of the figure, a hand if there is one, to a place about 15 % of its limb's length away that it can reach.

    Places under the figure's lowest joint count as under the ground: taken only where nothing above will do. Where
    joints only turn and none of their ends is known, one of them is to be turned. Raises PosableError where nothing
    can move.
    """
    skeleton = start.skeleton
    movable = skeleton.tables.active & ~skeleton.freedom_mask(frozen)
    tries = _permitted_poses(start, movable).world_from_joint
    limbs = _limb_lengths(skeleton, movable)
    ends = [i for i, name in enumerate(skeleton.joints) if not skeleton.children(i) or _likeness(name) == 2]
    for end in sorted(ends, key=lambda i: (_likeness(skeleton.joints[i]), limbs[i]), reverse=True):
        tip = next(iter(skeleton.definitions[end].tips), (0.0, 0.0, 0.0))
        places = tries[..., end, :3, :3] @ tip + tries[..., end, :3, 3]
        away = np.linalg.norm(places[1:] - places[0, 0], axis=-1)
        if away.max() > 1e-6 * skeleton.reach:
            nudge = _NUDGE * (limbs[end] or skeleton.reach)
            under = _heights(places[1:], skeleton.up) < _heights(start.origins, skeleton.up).min()
            nearest = np.argmin(np.abs(away - nudge) + np.where(under, nudge / 2, 0.0))
            return posable.Reach(skeleton.joints[end], places[1:].reshape(-1, 3)[nearest], tip)
    return _turned(skeleton, tries)


def _heights(places: np.ndarray, up: str) -> np.ndarray:
    """`[...]`: how far `places [..., 3]` are up."""
    return places[..., "xyz".index(up)]


def _permitted_poses(start: posable.Pose, movable: np.ndarray) -> posable.Pose:
    """`[25, 16]` poses within the limits, from the start (first row) further and further along sixteen seeded ways."""
    wild = start.skeleton.random_pose(np.random.default_rng(0), (16,))
    ways = np.where(movable, wild.minus(start), 0.0)
    steps = start.plus(np.linspace(0.0, 0.8, 25)[:, None, None] * ways)
    return posable.Pose(start.skeleton, np.concatenate([steps.q[:1], steps[1:].clamped().q]))


def _turned(skeleton: posable.Skeleton, tries: np.ndarray) -> posable.Goal:
    """The first joint that can turn, as it is turned a little way along the first of the tries."""
    from posable.spatial import wxyz_from_matrix

    turned = np.abs(tries[8, 0, :, :3, :3] - tries[0, 0, :, :3, :3]).max(axis=(-1, -2))
    if turned.max() < 1e-6:
        raise posable.PosableError(
            "nothing can move here: every freedom is fixed, frozen, inactive or held by its limits"
        )
    joint = int(np.argmax(turned > 1e-6))
    return posable.Orient(skeleton.joints[joint], wxyz_from_matrix(tries[8, 0, joint, :3, :3]))


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
        lengths.append(lengths[p] + math.hypot(*joint.position) if under else 0.0)
        moved.append(under or bool(movable[list(skeleton.freedom_range(i))].any()))
    return lengths
