"""Half bodies: trunk, arms and head are carried over where one of two figures has no legs, and the other parts rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.clips import Clip
from posable.figures import Figure, Roles
from posable.motion.transfer.collision_pairs import bodies
from posable.motion.transfer.copying import largest_rotation, posed_in_place
from posable.motion.transfer.hands_feet import hand_goals, limb_ends
from posable.motion.transfer.limb_joints import Limbs
from posable.motion.transfer.limb_solves import solved_arms, unhurried
from posable.motion.transfer.measured import ARM, LEG, SIDES, Body
from posable.motion.transfer.self_collision import Apart
from posable.motion.transfer.target_rotations import target_rotations_of
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.skeleton import Skeleton
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_from_matrix, wxyz_inverse, wxyz_multiply

_QUICKER, _SLOWEST = 1.5, 0.01  # a hinge moves at most this many times the source's largest step; rad, at least this
_LEAP = 2.5  # times the source's largest rotation per frame: collision avoidance must not cause more


def lacks_legs(roles: Roles) -> bool:
    """Whether a figure surely has both arms, and no leg. Two fingers of a hand are hardly sure."""
    sure = has_arms(roles) and all(roles.confidence[f"{part}_{s}"] >= Roles.SURE for part in ARM[:2] for s in SIDES)
    return sure and not roles.legs and not any(f"{part}_{side}" in roles for part in LEG for side in SIDES)


def has_arms(roles: Roles) -> bool:
    """Whether a figure has both arms."""
    return all(f"{part}_{side}" in roles for part in ARM[:2] for side in SIDES)


def half_body(of: Figure | Skeleton, roles: Roles) -> Body:
    """The proportions of a figure with arms. What it lacks of hips and trunk is what carries its arms."""
    skeleton = of if isinstance(of, Skeleton) else of.skeleton
    chains = [skeleton.chain(roles.index(f"{ARM[0]}_{side}")) for side in SIDES]
    carrier = [joint for joint in chains[0] if joint in chains[1]][-1]
    more: dict[str, str] = {}
    if "hips" not in roles:
        more["hips"] = skeleton.joints[chains[0][0]]
    trunk = ("hips", "spine", "chest", "upper_chest")
    if not any(role in roles for role in trunk[1:]) and skeleton.joints[carrier] != (more | {**roles})["hips"]:
        more["chest"] = skeleton.joints[carrier]
    joints = {**roles, **more}
    return Body(
        skeleton, replace(roles, joints=joints, confidence={**roles.confidence, **dict.fromkeys(more, 0.5)}), ()
    )


def carried_over(clip: Clip, to: Figure | Skeleton, source: Body, target: Body) -> tuple[Clip, ClipSolution]:
    """(the copied clip, the solved one): trunk, arms and head as the source's, relative to where its hips face.

    The target stays where it is at rest: hips rotate and travel over legs, and one of both has none.
    """
    desired = target_rotations_of(clip, source, target)
    hips = target.joints["hips"]
    back = _turned_back(desired.pop(hips), target, hips)
    own = {role for role in target.joints if role[:-2] not in LEG and role[:-2] != "toes"}
    used = {target.joints[role] for role in own} | {*target.trunk, *target.neck}
    desired = {joint: wxyz_multiply(back, one) for joint, one in desired.items() if joint in used}
    fastest = max(_QUICKER * largest_rotation(clip.poses), _SLOWEST)
    capsuled = bodies(to)
    pose = posed_in_place(desired, len(clip), target, fastest, clip.fps, capsuled)
    arms = {target.skeleton.index(name) for arm in target.roles.arms for name in arm.joints}
    arms = {joint for joint in arms if target.skeleton.definitions[joint].dof}
    copy = unhurried(Clip(target.skeleton, pose.q, clip.fps, clip.name, clip.events), target, arms)
    most = max(_LEAP * largest_rotation(clip.poses), largest_rotation(copy.poses))
    goals = hand_goals(copy, target, _hands(clip, copy, source, target, back))
    found = solved_arms(Limbs(copy, target, arms, most), goals, Apart(capsuled, copy, arms))
    return copy, found or solve_clip(copy, [])


def _hands(clip: Clip, copy: Clip, source: Body, target: Body, back: Array) -> dict[str, Array]:
    """Role → `[frame, 3]` where hands are to be: from their shoulders as in the source, turned back as all else."""
    found = {}
    for role, place in limb_ends(clip, copy, source, target, ARM).items():
        start = target.positions(copy.poses, f"{ARM[0]}_{role[-1]}")
        found[role] = start + (matrix_from_wxyz(back) @ (place - start)[..., None])[..., 0]
    return found


def _turned_back(hips: Array, target: Body, joint: int) -> Array:
    """`[frame, 4]` the rotation about the vertical that takes the direction in which the hips face to that at rest."""
    since_rest = wxyz_multiply(hips, wxyz_inverse(wxyz_from_matrix(target.rest[joint, :3, :3])))
    about = since_rest[:, 1:] @ target.roles.up
    return normalized(np.concatenate([since_rest[:, :1], -about[:, None] * target.roles.up], axis=1))
