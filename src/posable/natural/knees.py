"""Knees bend forwards: a straight knee of a ball joint could as well bend backwards."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.figures import roles
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized

_STRAIGHT = 0.05  # sine of the bend at rest below which a knee bends to the body's front


class _Leg(NamedTuple):
    """The indices of the leg's joints, and the knee's bend axis in the frame of the first."""

    hip: int
    knee: int
    ankle: int
    axis: Array

    def bones(self, pose: Pose) -> tuple[Array, Array]:
        """`[..., 3]` thigh and shin in the world."""
        hip, knee, ankle = (pose.origins[..., joint, :] for joint in self[:3])
        return knee - hip, ankle - knee

    def bend(self, pose: Pose) -> tuple[Array, Array]:
        """(`[...]` radians, below 0 if the knee is bent backwards; `[..., 3]` the unit axis in the world)."""
        upper, lower = self.bones(pose)
        axis = pose.world_from_joint[..., self.hip, :3, :3] @ self.axis
        return np.arctan2((np.cross(upper, lower) * axis).sum(-1), (upper * lower).sum(-1)), axis


@lru_cache(maxsize=64)
def _legs(skeleton: Skeleton) -> tuple[_Leg, ...]:
    """The legs with hip, knee and ankle; a knee bends as at rest, or ahead where the leg is straight."""
    named, rest = roles(skeleton), Pose(skeleton, skeleton.rest_coordinates)
    legs: list[_Leg] = []
    for side in "lr":
        parts = [f"{part}_{side}" for part in ("upper_leg", "lower_leg", "foot")]
        if all(part in named for part in parts):
            hip, knee, ankle = (named.index(part) for part in parts)
            upper, lower = (normalized(bone) for bone in _Leg(hip, knee, ankle, np.zeros(3)).bones(rest))
            across = np.cross(upper, lower)
            if np.linalg.norm(across) < _STRAIGHT:
                across = np.cross(named.forward, upper)
            axis = rest.world_from_joint[hip, :3, :3].T @ normalized(across)
            legs.append(_Leg(hip, knee, ankle, axis))
    return tuple(legs)


def with_bent_knees(pose: Pose, least: float, moving: Collection[int], free: NDArray[np.bool_]) -> Pose:
    """The pose with straight knees bent a little.

    Args:
        pose: One pose, or a batch.
        least: Radians by which a knee is bent at least.
        moving: Joints that may move; a leg without any of them is left as it is.
        free: `[dof]` what may move.
    """
    skeleton, step = pose.skeleton, np.zeros((*pose.shape, pose.skeleton.dof))
    for leg in _legs(skeleton):
        if not set(skeleton.chain(leg.ankle)).intersection(moving):
            continue
        bend, axis = leg.bend(pose)
        more = np.clip(least - bend, 0.0, 2 * least)
        if not more.any():
            continue
        for joint, share in ((leg.hip, -0.5), (leg.knee, 1.0)):
            own = [d for d in skeleton.freedom_range(joint) if free[d] and not skeleton.slides[d]]
            turns = pose.jacobian(skeleton.joints[joint])[..., 3:, own]
            step[..., own] = (turns * axis[..., None]).sum(-2) * (share * more)[..., None]
    return pose.plus(step).clamped() if step.any() else pose
