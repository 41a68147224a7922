"""Robots that lean as a whole by what their waist cannot: shoulders are over the hips as the source's are."""

from __future__ import annotations

import numpy as np

from posable.clips import Clip
from posable.motion.transfer.copying import carrier, set_rotations, travelling_joint
from posable.motion.transfer.measured import ARM, LEG, SIDES, Body
from posable.motion.transfer.target_rotations import Rotations
from posable.skeleton import Pose
from posable.spatial import Array, normalized, wxyz_between, wxyz_multiply

_ROUNDS = 4  # most: the waist follows the root and yields a little at its limits
_NEAR = 0.01  # rad: nearer need not be


def leaned(desired: Rotations, clip: Clip, source: Body, target: Body) -> Rotations:
    """The desired rotations with a robot's root leaned until its shoulders lie from its hips as the source's do.

    Legs and arms keep their directions, as those are desired in the world: the hinges of the hips take the lean back.
    """
    ends = [f"{limb[0]}_{side}" for limb in (LEG, ARM) for side in SIDES]
    if not target.made_of_hinges or not all(role in body.joints for role in ends for body in (source, target)):
        return desired
    skeleton, root = target.skeleton, travelling_joint(target)
    own = {joint: desired[joint] for joint in (target.joints["hips"], *target.trunk[-1:]) if joint in desired}
    held = [joint for joint in own if carrier(skeleton, joint) == root]
    if not held:
        return desired
    wanted = _upward(source, clip.poses) @ source.axes @ target.axes.T
    for _ in range(_ROUNDS):
        q = np.repeat(skeleton.rest_coordinates[None], len(clip), axis=0)
        set_rotations(own, q, target)
        upward = _upward(target, Pose(skeleton, q))
        if np.sum(upward * wanted, axis=1).min() > np.cos(_NEAR):
            break
        more = wxyz_between(upward, wanted)
        own |= {joint: wxyz_multiply(more, own[joint]) for joint in held}
    return {**desired, **own}


def _upward(body: Body, pose: Pose) -> Array:
    """`[frame, 3]` unit vectors from between the hips to between the shoulders."""
    hips, shoulders = (sum(body.positions(pose, f"{limb[0]}_{side}") for side in SIDES) for limb in (LEG, ARM))
    return normalized(shoulders - hips)
