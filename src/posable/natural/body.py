"""A person's body in a common form: the same segments, frames and measures for every figure with the roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.figures import roles
from posable.figures.effectors import pelvis
from posable.natural.told_kernel import Body
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_between

SIDED = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
SEGMENTS = ("hips", "chest", "head", *(f"{part}_{side}" for side in "lr" for part in SIDED))
"""The rigid parts. The joints between hips and chest, and between chest and head, rotate in equal shares."""
PARENTS = (-1, 0, 1, *(1, 3, 4, 5, 0, 7, 8, 9), *(1, 11, 12, 13, 0, 15, 16, 17))
"""The parent of each segment."""
POINTS = (
    "hand_l", "hand_r", "foot_l", "foot_r", "head", "chest", "hips",
    "lower_arm_l", "lower_arm_r", "lower_leg_l", "lower_leg_r", "toes_l", "toes_r",
)  # fmt: skip
"""The joints whose positions may be given."""
TURNS = POINTS[:7]
"""The segments whose rotations may be given."""
ENDS = {"hand_l", "hand_r", "foot_l", "foot_r", "toes_l", "toes_r", "head"}
"""Points that stand for all joints below them."""
_REQUIRED_PARTS = ("hips", *(f"{part}_{side}" for side in "lr" for part in ("upper_arm", "lower_arm", "hand")),
           *(f"{part}_{side}" for side in "lr" for part in ("upper_leg", "lower_leg", "foot")))  # fmt: skip
_LEAN_SHARE = 0.2  # a foot leans with its leg if the leg's rotation reduces its sideways part to this share
_FREE = tuple(f"upper_{limb}_{side}" for limb in ("arm", "leg") for side in "lr")
_CHEST_TO_HEAD = 1.27  # chest to head, as a multiple of hips to chest, for figures without a head
_KNUCKLES = ("index_1", "middle_1", "ring_1", "little_1")


@lru_cache(maxsize=64)
def body_of(skeleton: Skeleton) -> Body | None:
    """The common form of a person's skeleton or a humanoid robot's.

    None if a part of a person other than the head is missing, or if a hip or a shoulder has a single axis.
    """
    found = roles(skeleton)
    if not all(role in found for role in _REQUIRED_PARTS):
        return None
    joints = {role: skeleton.index(name) for role, name in found.items()}
    top = next((role for role in ("upper_chest", "chest", "spine") if role in joints), None)
    if top is None:
        return None
    joints |= {"chest": joints[top], "hips": skeleton.index(pelvis(skeleton, found))}
    axes = np.stack([found.left, found.up, found.forward], axis=1)
    rest = np.array(Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    positions = {role: axes.T @ rest[joint, :3, 3] for role, joint in joints.items()}
    own = {segment: joints[segment] for segment in SEGMENTS if segment in joints}
    hinges = {segment: _hinges(skeleton, own, segment) for segment in own}
    if any(sum(skeleton.definitions[j].dof for j in (own[role], *hinges[role])) < 2 for role in _FREE):
        return None
    turned_by, share = _turned_by(skeleton, joints, own)
    bones, bent_by = _bones(skeleton, joints, rest)
    for segment, above in hinges.items():
        turned_by[above], share[above] = (SEGMENTS.index(segment), -1), 0.0
    common = axes.T @ rest[:, :3, :3]
    for segment, rotation in _rotations_to_common(positions).items():
        for joint in (own[segment], *hinges[segment]) if segment in own else ():
            common[joint] = rotation @ common[joint]
    leg = float(np.mean([_leg_length(positions, side) for side in "lr"]))
    free = [j for j in skeleton.chain(joints["hips"]) if skeleton.definitions[j].floating]
    return Body(
        axes[None],
        np.array([leg]),
        _measures(positions) / leg,
        turned_by,
        share,
        np.ascontiguousarray(common),
        bones,
        bent_by,
        np.array([own.get(segment, -1) for segment in SEGMENTS]),
        np.array([joints.get(point, -1) for point in POINTS]),
        np.array([SEGMENTS.index(rotation) for rotation in TURNS]),
        np.array([free[-1] if free else -1]),
        np.array(skeleton.rest_coordinates),
    )


def _leg_length(positions: Mapping[str, Array], side: str) -> float:
    hip, knee, ankle = (positions[f"{part}_{side}"] for part in SIDED[4:7])
    return float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))


def _hinges(skeleton: Skeleton, own: Mapping[str, int], segment: str) -> list[int]:
    """The hinges that rotate a robot's segment, except the last, which is the segment's own; for hips beside the
    legs, the joint that carries both.
    """
    found, others = [], set(own.values())
    joint = own[segment]
    if segment == "hips":
        chain = skeleton.chain(joint)
        found += chain[chain.index(skeleton.index(roles(skeleton)["hips"])) : -1]
    while skeleton.definitions[joint].dof == 1:
        joint = int(skeleton.parents[joint])
        if joint < 0 or joint in others or skeleton.definitions[joint].dof != 1:
            break
        found.append(joint)
    return found


def joints_between(skeleton: Skeleton, lower: int, upper: int) -> Sequence[int]:
    """The joints above `lower` up to `upper`, which is one of them; none where `lower` does not carry it."""
    chain = skeleton.chain(upper)
    return chain[chain.index(lower) + 1 :] if lower in chain else []


def _turned_by(
    skeleton: Skeleton, joints: Mapping[str, int], own: Mapping[str, int]
) -> tuple[NDArray[np.int64], Array]:
    turned_by, share = np.full((len(skeleton.joints), 2), -1), np.zeros(len(skeleton.joints))
    for lower, upper in (("hips", "chest"), ("chest", "head")):
        if upper not in joints:
            continue
        chain = joints_between(skeleton, joints[lower], joints[upper])
        for count, joint in enumerate(chain, 1):
            turned_by[joint] = SEGMENTS.index(lower), SEGMENTS.index(upper)
            share[joint] = count / len(chain)
    for segment, joint in own.items():
        turned_by[joint], share[joint] = SEGMENTS.index(segment), 0.0
    return turned_by, share


def _bones(skeleton: Skeleton, joints: Mapping[str, int], rest: Array) -> tuple[Array, NDArray[np.int64]]:
    bones, bent_by = np.zeros((len(skeleton.joints), 3)), np.full(len(skeleton.joints), -1)
    for side in "lr":
        for limb in (SIDED[1:4], SIDED[4:7]):
            upper, lower, end = (joints[f"{part}_{side}"] for part in limb)
            for joint, after in ((upper, lower), (lower, end)):
                bones[joint] = normalized(rest[joint, :3, :3].T @ (rest[after, :3, 3] - rest[joint, :3, 3]))
            hinge = skeleton.definitions[lower]
            rotations = [axis for axis in hinge.axes if not axis.slide]
            if skeleton.definitions[upper].has_quaternion and skeleton.parents[lower] == upper and len(rotations) == 1:
                bent_by[upper] = lower
    return bones, bent_by


def _rotations_to_common(positions: Mapping[str, Array]) -> dict[str, Array]:
    """Segment → `[3, 3]` its rotation from rest to the common T-pose: arms sideways, legs down, feet ahead."""
    rotations: dict[str, Array] = {}
    for side, out in (("l", 1.0), ("r", -1.0)):
        sideways = np.array([out, 0.0, 0.0])
        _align_chain(positions, [f"{part}_{side}" for part in SIDED[1:4]], sideways, rotations)
        _align_chain(positions, [f"{part}_{side}" for part in SIDED[4:7]], np.array([0.0, -1.0, 0.0]), rotations)
        hand, foot, toes = f"hand_{side}", f"foot_{side}", f"toes_{side}"
        knuckles = [
            positions[f"{name}_{side}"] - positions[hand] for name in _KNUCKLES if f"{name}_{side}" in positions
        ]
        if knuckles:
            rotations[hand] = _aligned(rotations[hand], np.mean(knuckles, axis=0), sideways)
        ahead = positions[toes] - positions[foot] if toes in positions else np.zeros(3)
        leans = abs((rotations[foot] @ ahead)[0]) < _LEAN_SHARE * abs(ahead[0])  # the foot leans with a leg held out
        above = rotations[foot] if leans else np.eye(3)
        level = above.T @ ((above @ ahead) * [1.0, 0.0, 1.0])
        rotations[foot] = rotations[toes] = _aligned(above, level, np.array([0.0, 0.0, 1.0]))
    return rotations


def _align_chain(
    positions: Mapping[str, Array], chain: Sequence[str], desired: Array, rotations: dict[str, Array]
) -> None:
    above = np.eye(3)
    for role, after in pairwise(chain):
        above = rotations[role] = _aligned(above, positions[after] - positions[role], desired)
    rotations[chain[-1]] = above


def _aligned(above: Array, direction: Array, desired: Array) -> Array:
    """The rotation `above` followed by the smallest one that takes `direction` to `desired`."""
    if np.linalg.norm(direction) < 1e-9:
        return above
    return matrix_from_wxyz(wxyz_between(normalized(above @ direction), desired)) @ above


def _measures(positions: Mapping[str, Array]) -> Array:
    """Thigh, upper arm, forearm, hips to chest, chest to head, half the width and height of hips, of shoulders."""
    lengths = [("upper_leg_l", "lower_leg_l"), ("upper_arm_l", "lower_arm_l"), ("lower_arm_l", "hand_l"),
               ("hips", "chest"), ("chest", "head")]  # fmt: skip
    hip, shoulder = positions["upper_leg_l"] - positions["hips"], positions["upper_arm_l"] - positions["chest"]
    measured = [float(np.linalg.norm(positions[b] - positions[a])) if b in positions else np.nan for a, b in lengths]
    measured[-1] = measured[-1] if "head" in positions else _CHEST_TO_HEAD * measured[-2]
    return np.array([*measured, *hip[:2], *shoulder[:2]])


def common_rotations(body: Body, poses: Pose) -> Array:
    """`[..., segment, 3, 3]` rotations of the segments in the figure's axes, the identity in the common T-pose.

    A segment that the figure lacks moves with its parent.
    """
    frames, axes = poses.world_from_joint, body.axes[0]
    rotations = np.empty((*poses.shape, len(SEGMENTS), 3, 3))
    for segment, joint in enumerate(body.segments.tolist()):
        own = joint >= 0
        rotations[..., segment, :, :] = (
            axes.T @ frames[..., joint, :3, :3] @ body.common[joint].T
            if own
            else rotations[..., PARENTS[segment], :, :]
        )
    return rotations


def in_parents(rotations: Array) -> Array:
    """`[..., segment, 3, 3]` each segment's rotation in its parent's frame; the hips' without their heading."""
    own = rotations.copy()
    for segment, parent in enumerate(PARENTS):
        if parent >= 0:
            own[..., segment, :, :] = np.swapaxes(rotations[..., parent, :, :], -1, -2) @ rotations[..., segment, :, :]
    own[..., 0, :, :] = about_up(-facing(rotations)) @ rotations[..., 0, :, :]
    return own


def facing(rotations: Array) -> Array:
    """`[...]` heading of the hips: their angle about the vertical from forward."""
    ahead = rotations[..., 0, :, 2]
    return np.arctan2(ahead[..., 0], ahead[..., 2])


def about_up(angle: Array) -> Array:
    """`[..., 3, 3]` rotations about the vertical."""
    rotations = np.zeros((*angle.shape, 3, 3), angle.dtype)
    rotations[..., 0, 0] = rotations[..., 2, 2] = np.cos(angle)
    rotations[..., 0, 2], rotations[..., 2, 0] = np.sin(angle), -np.sin(angle)
    rotations[..., 1, 1] = 1.0
    return rotations
