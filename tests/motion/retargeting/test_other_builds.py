"""Where limbs point that are divided otherwise at knee and elbow, or that a stout body pushes away."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np

import posable
from posable import Clip, Skeleton
from posable.motion import Retargeting, retargeting
from posable.motion.gait_metrics import self_penetration
from posable.motion.transfer.measured import ARM, LEG
from posable.spatial import normalized

LIMBS = {"arms": ARM, "legs": LEG}


@cache
def _walk() -> Clip:
    clip = posable.load(posable.sample("walk.bvh")).clips[0].resample(30.0)
    return replace(clip, q=clip.q[:90], events=())


def _built(longer: dict[str, float], belly: float = 0.0) -> Skeleton:
    """The mannequin with bones that end in these roles so much longer; with a ball of that radius around the spine, and
    elbows that rotate freely, as those of characters do.
    """
    own = posable.figure("mannequin").skeleton
    roles = posable.roles(own)
    factors = {roles[f"{role}_{side}"]: factor for role, factor in longer.items() for side in "lr"}
    joints = [
        replace(joint, position=tuple(factors.get(joint.name, 1.0) * np.array(joint.position)), capsules=())
        for joint in own.definitions
    ]
    if belly:
        for role, ball in (
            ("spine", (*[0.0] * 6, belly)),
            *((f"lower_arm_{side}", (*[0.0] * 6, 0.04)) for side in "lr"),
        ):
            k = own.index(roles[role])
            free = {"kind": "ball", "axes": (), "rest": None} if role.startswith("lower_arm") else {}
            joints[k] = replace(joints[k], capsules=(ball,), **free)
    return Skeleton(joints, own.up)


def _off(found: Retargeting, limb: str) -> list[float]:
    """The mean degrees between the bones of person and figure, from the first bone of the limb to the last."""
    angles = []
    for start, end in pairwise(LIMBS[limb]):
        both = []
        for side in "lr":
            ways = [
                normalized(body.positions(c.poses, f"{end}_{side}") - body.positions(c.poses, f"{start}_{side}"))
                @ body.axes
                for c, body in ((_walk(), found.source), (found.clip, found.target))
            ]
            both.append(np.degrees(np.arccos(np.clip(np.sum(ways[0] * ways[1], axis=1), -1, 1))).mean())
        angles.append(float(np.mean(both)))
    return angles


def test_arms_divided_otherwise_at_the_elbow_point_as_the_persons() -> None:
    """A forearm twice as long as the upper arm. The hand where the whole arm's length puts it would cost 4 and 7°."""
    found = retargeting(_walk(), _built({"lower_arm": 0.6, "hand": 1.3}))
    assert max(_off(found, "arms")) < 1


def test_legs_divided_otherwise_at_the_knee_point_as_the_persons() -> None:
    """But for feet that stand. The ankles where the whole leg's length puts them would cost 5 and 6°."""
    found = retargeting(_walk(), _built({"lower_leg": 1.5}))
    assert max(_off(found, "legs")) < 3


def test_forearms_point_as_the_persons_where_a_belly_pushes_upper_arms_away() -> None:
    skeleton = _built({}, belly=0.33)
    found = retargeting(_walk(), skeleton)
    upper, fore = _off(found, "arms")
    assert self_penetration(found.copy).max() > 0.05  # m
    assert self_penetration(found.clip).max() < 0.005
    assert upper > 10
    assert fore < 0.2 * upper
