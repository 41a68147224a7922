"""The pose in which a skin was bound, as the stance of a figure whose file was saved in the middle of a movement.

Roles, walking, retargeting and the measures of legs and feet assume that a figure stands at rest, with flat feet. The
rest pose of a file is the pose in which its nodes were left, often a frame of a run; its skin stores the pose in which
it was modelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from posable.clips.root_motion import moved
from posable.figures.biped import LEG, axis_of
from posable.figures.model import Figure
from posable.figures.stance import at_rest, stance_fault
from posable.skeleton import Pose, Skeleton
from posable.skeleton.body_roles import MOST_JOINTS
from posable.skeleton.body_roles.limbs import Limb, forward_of, limbs_of
from posable.skeleton.body_roles.shape import shape_of
from posable.skeleton.body_roles.skeleton_facts import Seen
from posable.skeleton.placements import coordinates_of
from posable.skin.bound_frames import length_ratio
from posable.spatial import Array, matrix_from_wxyz, normalized, rigid_inverse, wxyz_between, wxyz_from_matrix

_TILT = 0.2  # rad: tolerated tilt of a person's feet at rest, relative to the pose in which they were bound
_UNLIKE = 0.35  # rad: largest angle between the two legs of a pair of an animal that stands
_UNEVEN = 0.25  # of the shortest leg: most by which the feet of an animal's stance differ in height
_OTHER_HEIGHT = 0.3  # of the legs: a larger change of height means that the bind matrices have another origin
_LOOSE = 0.01  # reaches: joints that can travel and were bound so far from where their parent holds them were there

Frames = Mapping[int, Array]  # joint → its frame `[4, 4]` in the world when the skin was bound


@lru_cache(maxsize=16)
def standing_as_bound(figure: Figure) -> Figure:
    """The figure with the pose in which its skin was bound as its rest pose, its clips and coordinates as they were.

    The figure is returned unchanged if its rest pose is a stance with feet as they were bound, or if the pose of
    binding is not a stance.
    """
    stance = stance_as_bound(figure.skeleton)
    return figure if stance is figure.skeleton else figure.on(stance)


def stance_as_bound(skeleton: Skeleton) -> Skeleton:
    """The same of a skeleton, by the skins of its first figure."""
    if skeleton.seen.bound is None or skeleton.seen.mirrored or len(skeleton.joints) > MOST_JOINTS:
        return skeleton
    return _stance(skeleton, skeleton.seen) or skeleton


@lru_cache(maxsize=32)
def _stance(skeleton: Skeleton, seen: Seen) -> Skeleton | None:
    """The skeleton at rest as it was bound; None if it stands as it is. seen: its own, as equal skeletons may differ.

    The space of the bind matrices is rotated as most joints have rotated since, as the topmost one, as what is above
    that one, or not at all: a figure may lie at rest.
    """
    if seen.bound is None:
        return None
    rest, bound = Pose(skeleton, skeleton.rest_coordinates), seen.bound
    world = rest.world_from_joint
    size, known = length_ratio(bound, world, skeleton.parents), np.flatnonzero(np.isfinite(bound[:, 0, 0]))
    if not size:
        return None
    turns = world[known, :3, :3] @ bound[known, :3, :3].swapaxes(1, 2)
    most, at = _agreed(turns)
    if most == len(known):
        return None
    top = int(np.argmin([len(skeleton.chain(joint)) for joint in known.tolist()]))
    above = world[max(int(skeleton.parents[known[top]]), 0), :3, :3]
    for turn in (turns[at], turns[top], above, np.eye(3)):
        upright = _upright(turn, axis_of(skeleton.up))
        frames = _frames(rest, bound, known.tolist(), size, upright)
        stance = _at_rest(_posed(rest, frames))
        legs = _legs(stance)
        if _stands(stance, legs, frames):
            return _on_the_ground(rest, stance, legs, frames) if _moved(skeleton, stance, legs) else None
    return None


def _agreed(turns: Array) -> tuple[int, int]:
    """(how many of the rotations `[joint, 3, 3]` one of them is like, the first such)."""
    cosines = (np.einsum("iab,jab->ij", turns, turns) - 1.0) / 2.0
    like = (cosines > np.cos(_TILT)).sum(axis=1)
    return int(like.max()), int(like.argmax())


def _upright(turn: Array, up: Array) -> Array:
    """The rotation next to `turn`, which leads from the space of the bind matrices into the world, with one of the axes
    of that space up.
    """
    axes = [sign * axis for axis in np.eye(3) for sign in (1.0, -1.0)]
    axis = max(axes, key=lambda axis: float(up @ turn @ axis))
    return np.asarray(matrix_from_wxyz(wxyz_between(turn @ axis, up)) @ turn, float)


def _frames(rest: Pose, bound: Array, known: Sequence[int], size: float, turn: Array) -> Frames:
    """The bound frames in the world and the unit of the rest pose, the first of them over where it is at rest."""
    frames = {joint: np.array(bound[joint]) for joint in known}
    for frame in frames.values():
        frame[:3, :3] = turn @ frame[:3, :3]
        frame[:3, 3] = size * turn @ frame[:3, 3]
    up, away = axis_of(rest.skeleton.up), rest.origins[known[0]] - frames[known[0]][:3, 3]
    for frame in frames.values():
        frame[:3, 3] += away - away @ up * up
    return frames


def _posed(rest: Pose, frames: Frames) -> Pose:
    """The pose in which joints are as in `frames`; others stay on their parents."""
    skeleton, before = rest.skeleton, rest.world_from_joint
    world, local = np.array(before), np.array(before)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = world[parent] if parent >= 0 else np.eye(4)
        held = above @ (rigid_inverse(before[parent]) @ before[joint] if parent >= 0 else before[joint])
        world[joint] = held
        if joint in frames:
            world[joint, :3, :3] = frames[joint][:3, :3]
            there = frames[joint][:3, 3]
            loose = parent not in frames or np.linalg.norm(there - held[:3, 3]) > _LOOSE * skeleton.reach
            if skeleton.definitions[joint].floating and loose:
                world[joint, :3, 3] = there
        local[joint] = rigid_inverse(above) @ world[joint]
    q = coordinates_of(skeleton, local[None, :, :3, 3], wxyz_from_matrix(local[None, :, :3, :3]))[0]
    return Pose(skeleton, q)


def _at_rest(pose: Pose) -> Skeleton:
    """The skeleton with this pose as its rest pose, and what is known of its file."""
    found = at_rest(pose)
    found.notice(pose.skeleton.seen)
    return found


def _legs(skeleton: Skeleton) -> list[list[int]]:
    """The joints of each leg; those of a person from the hip to the ankle."""
    found, body = skeleton.parts.found, skeleton.parts.body
    roles = [[f"{part}_{side}" for part in LEG] for side in "lr"]
    if all(role in found.joints for leg in roles for role in leg) and "front_foot_l" not in skeleton.parts.joints:
        return [[found.joints[role] for role in leg] for leg in roles]
    shape = shape_of(body)
    legs: tuple[Limb, ...] = limbs_of(
        body, shape, found.joints, forward_of(body, shape, found.joints, sides_known=found.sides_known)
    )[0]
    return [[skeleton.index(name) for name in leg.joints] for leg in legs] if len(legs) > 2 else []


def _stands(stance: Skeleton, legs: Sequence[Sequence[int]], frames: Frames) -> bool:
    """Whether it stands on legs that were bound."""
    if not legs or not all(joint in frames for leg in legs for joint in leg):
        return False
    return not stance_fault(stance, stance.parts.joints) if len(legs) == 2 else _is_level(stance, legs)


def _moved(skeleton: Skeleton, stance: Skeleton, legs: Sequence[Sequence[int]]) -> bool:
    """Whether the file's rest pose is not a stance: of a person with its feet as in `stance`, of an animal with feet at
    one height and legs as on the other side.
    """
    if len(legs) > 2:
        return not _is_level(skeleton, legs) or _unlike(skeleton, legs) > max(_UNLIKE, _unlike(stance, legs))
    if stance_fault(skeleton, stance.parts.joints):
        return True
    up, feet = axis_of(skeleton.up), [leg[-1] for leg in legs]
    now, then = (Pose(one, one.rest_coordinates).world_from_joint[feet, :3, :3] for one in (skeleton, stance))
    return float(np.einsum("a,jab,jcb,c->j", up, then, now, up).min()) < np.cos(_TILT)


def _is_level(skeleton: Skeleton, legs: Sequence[Sequence[int]]) -> bool:
    """Whether all feet are at one height at rest, and below the legs."""
    heights = Pose(skeleton, skeleton.rest_coordinates).origins @ axis_of(skeleton.up)
    low = [min(heights[joint] for joint in leg) for leg in legs]
    tall = min(heights[leg[0]] - least for leg, least in zip(legs, low, strict=True))
    return float(np.ptp(low)) < _UNEVEN * tall


def _unlike(skeleton: Skeleton, legs: Sequence[Sequence[int]]) -> float:
    """The largest angle in radians between a leg, from hip to foot, and its mirror image on the other side, at rest."""
    origins, off = Pose(skeleton, skeleton.rest_coordinates).origins, [0.0]
    for left, right in zip(legs[::2], legs[1::2], strict=False):
        across = normalized(origins[left[0]] - origins[right[0]])
        one, other = (normalized(origins[leg[-1]] - origins[leg[0]]) for leg in (left, right))
        off.append(float(np.arccos(np.clip(one @ (other - 2.0 * (other @ across) * across), -1.0, 1.0))))
    return max(off)


def _on_the_ground(rest: Pose, stance: Skeleton, legs: Sequence[Sequence[int]], frames: Frames) -> Skeleton:
    """With its feet as high as they were bound; where that is far from the rest pose, as high as they are there."""
    pose, up, to = Pose(stance, stance.rest_coordinates), axis_of(stance.up), np.eye(4)
    feet, every = [leg[-1] for leg in legs], [joint for leg in legs for joint in leg]
    heights = pose.origins @ up
    lift = float(np.mean([frames[foot][:3, 3] @ up - heights[foot] for foot in feet]))
    if abs(lift) > _OTHER_HEIGHT * np.ptp(heights[every]):
        lift = min(rest.origins[every] @ up) - min(heights[every])
    to[:3, 3] = lift * up
    return _at_rest(moved(pose, to))
