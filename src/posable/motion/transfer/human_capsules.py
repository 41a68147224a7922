"""Capsules of human proportion for a robot's bodies of which the file states neither a shape nor an inertia."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from posable.figures import Roles
from posable.goals.keep_apart import Capsule, rigid_bodies
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

_LIMBS = {
    ("upper_leg", "lower_leg"): 0.15, ("upper_arm", "lower_arm"): 0.14, ("lower_arm", "hand"): 0.12,
}  # fmt: skip
"""Radius of a segment as a share of its length: of people 0.20, 0.16 and 0.15 (ANSUR II, Gordon et al. 2014). Robots
are slimmer, and a guess should not push apart what does not touch. Shins are left out: feet would step aside."""
_CHEST, _BESIDE, _HEAD = 0.33, 0.11, 0.25
"""Of the distance between the shoulders: half the depth of a chest, how far its two capsules are beside the spine, and
the radius of a head."""
_SAME = 0.05  # of a segment: joints so near its end belong to the next one


def completed(skeleton: Skeleton, roles: Roles, found: Sequence[tuple[Capsule, ...]]) -> list[tuple[Capsule, ...]]:
    """`found`, and capsules of human proportion on the bodies of limbs, trunk and head that have none."""
    body, own = rigid_bodies(skeleton), list(found)
    solid = {int(body[joint]) for joint, capsules in enumerate(found) if capsules}
    world = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    for joint, start, end, radius in _bodies(skeleton, roles, world[:, :3, 3]):
        if int(body[joint]) not in solid and radius > 0:
            ends = (np.array([start, end]) - world[joint, :3, 3]) @ world[joint, :3, :3]
            own[joint] = (*own[joint], (*ends.ravel().tolist(), radius))
    return own


def _bodies(skeleton: Skeleton, roles: Roles, at: Array) -> Iterator[tuple[int, Array, Array, float]]:
    """(the joint that moves it, both ends `[3]` in the world, the radius) of every body."""
    for (first, last), share in _LIMBS.items():
        for side in "lr":
            if f"{first}_{side}" in roles and f"{last}_{side}" in roles:
                start, end = (roles.index(f"{part}_{side}") for part in (first, last))
                length = float(np.linalg.norm(at[end] - at[start]))
                above = [j for j in skeleton.chain(end)[:-1] if np.linalg.norm(at[end] - at[j]) > _SAME * length]
                yield above[-1], at[start], at[end], share * length
    shoulders = [at[roles.index(f"upper_arm_{side}")] for side in "lr" if f"upper_arm_{side}" in roles]
    trunk = next((role for role in ("upper_chest", "chest", "spine", "hips") if role in roles), "")
    if len(shoulders) == 2 and trunk:
        width, top = float(np.linalg.norm(shoulders[0] - shoulders[1])), np.mean(shoulders, axis=0)
        for sign in (1.0, -1.0):
            beside = sign * _BESIDE * width * roles.left
            yield roles.index(trunk), at[roles.index("hips")] + beside, top + beside, _CHEST * width
        if "head" in roles:
            middle = at[roles.index("head")] + _HEAD * width * roles.up
            yield roles.index("head"), middle, middle, _HEAD * width
