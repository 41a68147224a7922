"""The built-in mannequin, and poses of it in which only some joints are moved."""

from __future__ import annotations

from functools import cache

import numpy as np

import posable
from posable import Pose, Skeleton

TRUNK = ("root", "spine", "chest")
ARM_R = ("clavicle_r", "upper_arm_r", "forearm_r", "hand_r")


@cache
def mannequin() -> Skeleton:
    """The skeleton of the built-in person, with capsules around its links."""
    return posable.with_capsules(posable.figure("mannequin")).skeleton


def standing(skeleton: Skeleton | None = None) -> Pose:
    """Its rest pose."""
    return Pose(skeleton or mannequin(), mannequin().rest_coordinates)


def moved(rng: np.random.Generator, joints: tuple[str, ...], count: int) -> Pose:
    """`[count]` poses within the limits in which only `joints` differ from the rest pose."""
    elsewhere = mannequin().random_pose(rng, (count,))
    pose = Pose(mannequin(), np.repeat(standing().q[None], count, axis=0))
    for name in joints:
        pose = pose.with_joint(name, elsewhere.of(name))
    return pose


def place(pose: Pose, joint: str) -> np.ndarray:
    """Where a joint is, `[..., 3]`."""
    return pose.origins[..., pose.skeleton.index(joint), :]


def turn(pose: Pose, joint: str) -> np.ndarray:
    """How a joint is turned in the world, `[..., 3, 3]`."""
    return pose.world_from_joint[..., pose.skeleton.index(joint), :3, :3]


def biggest_steps(pose: Pose) -> np.ndarray:
    """The largest step of a joint between neighbours of the leading axis."""
    return np.abs(pose[1:].minus(pose[:-1])).max(axis=-1)
