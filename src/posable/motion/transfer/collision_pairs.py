"""Which bodies of a figure are to stay apart, as capsules, and how near each pair may come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkeletonError
from posable.figures import Figure, with_capsules
from posable.figures import roles as find_roles
from posable.figures.close_capsules import close_capsules, is_rigid
from posable.goals.capsules import gaps
from posable.goals.keep_apart import gaps_at_rest, moving_pairs
from posable.motion.transfer.human_capsules import completed
from posable.motion.whole_clip.clip_rows import moved_by
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, rigid_inverse

_TOUCHING = 1e-9  # reaches: bodies so near at rest may touch
_ONE_POINT = 1e-3  # reaches: hinges so near rotate about one point
_GROWN = 0.1  # of the thinner radius: how much deeper a pair is if it began at its joints that does not overlap for it


@lru_cache(maxsize=4)  # one robot gets many recordings
def bodies(of: Figure | Skeleton) -> Skeleton:
    """The skeleton with capsules: its file's, or fitted to its skin, shapes or solids; a robot's bodies without these
    get human proportions, and other figures without any of them stay as they are.

    Props, such as a held sword, do not belong to the body and get no capsules.
    """
    if isinstance(of, Skeleton):
        return of
    try:
        capsuled = _capsuled(of)
    except SkeletonError:
        return of.skeleton
    every = zip(capsuled.definitions, of.skeleton.parts.body.uses, strict=True)
    return Skeleton([replace(one, capsules=()) if use == "prop" else one for one, (use, _) in every], capsuled.up)


def _capsuled(figure: Figure) -> Skeleton:
    """The skeleton with the file's capsules, with those close around a robot's bodies, or with those of its skin."""
    skeleton = figure.skeleton
    stated = any(joint.capsules for joint in skeleton.definitions)
    if not stated and (is_rigid(figure) or (not figure.skins and _made_of_hinges(skeleton))):
        own = close_capsules(figure)
        own = completed(skeleton, find_roles(figure), own) if _made_of_hinges(skeleton) else own
        both = zip(skeleton.definitions, own, strict=True)
        return Skeleton([replace(joint, capsules=capsules) for joint, capsules in both], skeleton.up)
    return with_capsules(figure).skeleton


@lru_cache(maxsize=4)
def pairs_of(capsuled: Skeleton) -> tuple[NDArray[np.int64], Array, NDArray[np.bool_], Array]:
    """The pairs that are to stay apart: joints `[pair, 2]`, capsules `[pair, 14]`, `[pair, joint]` whether a joint
    moves one against the other, and `[pair]` the gap that they need, at most 0.

    Capsules are thicker than bodies here and there. Where two of a robot overlap at rest by less than the thinner one's
    radius, the bodies come no nearer than that; but those of which one grows out of the other, as an arm out of a
    chest, may: also where only some rotation of the hinges of one shoulder brings its near end into the chest.
    """
    own = [(j, capsule) for j, joint in enumerate(capsuled.definitions) for capsule in joint.capsules]
    one, other = moving_pairs(capsuled, own) if own else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    rest, begun = gaps_at_rest(capsuled, own, one, other) if len(one) else (np.zeros(0), np.zeros(0))
    thick = np.array([capsule[6] for _, capsule in own])
    thinner = np.minimum(thick[one], thick[other])
    least = np.minimum(rest, begun)
    touching = _made_of_hinges(capsuled) & (rest <= 0) & (rest > -thinner) & (begun > rest - _GROWN * thinner)
    kept = ((least > _TOUCHING * capsuled.reach) | touching) & ~_grow_at_a_ball(capsuled, own, one, other)
    one, other = one[kept], other[kept]
    joint_of, capsules = np.array([j for j, _ in own], np.int64), np.array([c for _, c in own]).reshape(-1, 7)
    joints = np.stack([joint_of[one], joint_of[other]], axis=1)
    moved = moved_by(capsuled)
    both = np.concatenate([capsules[one], capsules[other]], axis=1)
    return joints, both, moved[joints[:, 0]] != moved[joints[:, 1]], np.minimum(least[kept], 0.0)


def _grow_at_a_ball(
    skeleton: Skeleton, own: Sequence[tuple[int, tuple[float, ...]]], one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """`[pair]` whether hinges at one point join two bodies, of which one goes on beyond that point and comes into the
    other with its near end by some rotation.
    """
    balls = _balls(skeleton)
    world = Pose(skeleton, skeleton.rest_coordinates).world_from_joint
    found = np.zeros(len(one), bool)
    for k, pair in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
        for (above, body), (below, limb) in ((own[a], own[b]) for a, b in (pair, pair[::-1])):
            if balls.get(below) != above or np.dot(limb[:3], limb[3:6]) >= 0:  # it begins where its joint is
                continue
            near = min(np.linalg.norm(limb[:3]), np.linalg.norm(limb[3:6])) + limb[6]
            centre = rigid_inverse(world[above]) @ world[below, :, 3]
            found[k] = gaps(np.array([body]), np.array([[*centre[:3], *centre[:3], near]]))[0] < 0
    return found


def _balls(skeleton: Skeleton) -> dict[int, int]:
    """The last of several hinges at one point → the joint of the body that they hang on."""
    found: dict[int, int] = {}
    places = Pose(skeleton, skeleton.rest_coordinates).origins
    turns = [joint.manifold.axes == (False,) for joint in skeleton.definitions]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent < 0 or not (turns[joint] and turns[parent]):
            continue
        if (
            np.linalg.norm(places[joint] - places[parent]) < _ONE_POINT * skeleton.reach
            and skeleton.parents[parent] >= 0
        ):
            found[joint] = found.get(parent, int(skeleton.parents[parent]))
    return found


def _made_of_hinges(skeleton: Skeleton) -> bool:
    """Whether no joint but one that travels is a ball joint, as in robots."""
    return all(joint.floating or not joint.has_quaternion for joint in skeleton.definitions)
