"""Whether a limb passes through the body. This is only reported, unless the option *Keep apart* prevents it.

A dragged hand goes in front of the body: the page has the capsules for that, and moves the target itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypedDict

import numpy as np

import posable
from posable.goals.capsules import gaps
from posable.goals.keep_apart import gaps_at_rest, moving_pairs
from posable.spatial import Array, apply_transform
from posable.studio.document import Document

_LEAST_ARM_RATIO = 2.0  # length of an arm, in widest radii of the body: shorter arms are inside the head at all times
_LEAST_DEPTH = 0.02  # of the figure's height: a smaller overlap is soft tissue that yields
_LEAST_REST_GAP = 1e-3  # of the figure's height: capsules that are closer at rest are not compared


class Capsules(NamedTuple):
    """joints: `[capsule]`. shapes: `[capsule, 7]` in their frames. one, other: `[pair]` capsules that may meet."""

    joints: np.ndarray
    shapes: Array
    one: np.ndarray
    other: np.ndarray


class BodyCapsules(TypedDict):
    """What a dragged hand goes in front of. shapes: two ends and a radius for each joint. hands: their thickness."""

    joints: list[int]
    shapes: list[float]
    hands: dict[str, float]


def passing_through(document: Document) -> tuple[str, str, float]:
    """The two joints whose bodies overlap most, and the depth; ("", "", 0) if none overlap, or no bodies are known."""
    body = None if document.options.keep_apart or document.demo else _capsules(document.figure)
    if body is None:
        return "", "", 0.0
    frames = document.pose.world_from_joint[body.joints]
    placed = np.array(body.shapes)
    for end in (slice(0, 3), slice(3, 6)):
        placed[:, end] = apply_transform(frames, body.shapes[:, end])
    between = gaps(placed[body.one], placed[body.other])
    least = int(between.argmin())
    if between[least] > -_LEAST_DEPTH * document.figure.height:
        return "", "", 0.0
    names = document.figure.skeleton.joints
    return names[body.joints[body.one[least]]], names[body.joints[body.other[least]]], -float(between[least])


@lru_cache(maxsize=16)
def _solid(figure: posable.Figure) -> posable.Skeleton | None:
    """The skeleton with capsules; None if its bodies are unknown."""
    try:
        return posable.with_capsules(figure).skeleton
    except posable.PosableError:
        return None


@lru_cache(maxsize=16)
def _capsules(figure: posable.Figure) -> Capsules | None:
    """The capsules that may meet, of a person whose arms reach round the body; None for others."""
    skeleton, roles = figure.skeleton, posable.roles(figure)
    arm = [skeleton.index(roles[name]) for name in ("upper_arm_l", "lower_arm_l", "hand_l") if name in roles]
    if len(arm) < 3 or len(roles.legs) != 2:
        return None
    solid = _solid(figure)
    if solid is None:
        return None
    own = [(j, capsule) for j, joint in enumerate(solid.definitions) for capsule in joint.capsules]
    places = figure.rest.origins[arm]
    long = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
    if not own or long < _LEAST_ARM_RATIO * max(capsule[6] for _, capsule in own):
        return None
    one, other = moving_pairs(solid, own)
    joints, limb = np.array([j for j, _ in own]), _limbs(skeleton, roles)
    folds = (limb[joints[one]] >= 0) & (limb[joints[one]] == limb[joints[other]])
    free = ~folds & (np.minimum(*gaps_at_rest(solid, own, one, other)) > _LEAST_REST_GAP * figure.height)
    if not free.any():
        return None
    one, other = one[free], other[free]
    rank = np.where(limb < 0, len(_LIMBS), limb)[joints]  # arms are named first, then legs
    one, other = np.where(rank[one] <= rank[other], one, other), np.where(rank[one] <= rank[other], other, one)
    return Capsules(joints, np.array([shape for _, shape in own]), one, other)


@lru_cache(maxsize=16)
def body_capsules(figure: posable.Figure) -> BodyCapsules | None:
    """The capsules of trunk, head and legs of a figure with arms and two legs; None for others."""
    skeleton, roles = figure.skeleton, posable.roles(figure)
    shoulders = [skeleton.index(roles[name]) for name in ("upper_arm_l", "upper_arm_r") if name in roles]
    if not shoulders or len(roles.legs) != 2:
        return None
    solid = _solid(figure)
    if solid is None:
        return None
    own = [(j, np.array(capsule)) for j, joint in enumerate(solid.definitions) for capsule in joint.capsules]
    above = [set(skeleton.chain(name)) for name in skeleton.joints]
    on_arm = [any(shoulder in chain for shoulder in shoulders) for chain in above]
    thick = {j: max(float(shape[6]) for k, shape in own if k == j) for j, _ in own if on_arm[j]}
    body = [(j, shape) for j, shape in own if not on_arm[j]]
    if not body or not thick:
        return None
    hands = {}
    for j, name in enumerate(skeleton.joints):
        if on_arm[j] and j not in shoulders:
            hands[name] = next((thick[k] for k in sorted(above[j], reverse=True) if k in thick), 0.0)
    return {
        "joints": [j for j, _ in body],
        "shapes": np.concatenate([shape for _, shape in body]).round(5).tolist(),
        "hands": hands,
    }


_LIMBS = tuple(
    (f"{first}_{side}", f"{end}_{side}")
    for first, end in (("upper_arm", "hand"), ("upper_leg", "foot"))
    for side in "lr"
)


def _limbs(skeleton: posable.Skeleton, roles: posable.Roles) -> np.ndarray:
    """`[joint]` the limb of a joint, with fingers and toes; -1 for others. A folded limb may overlap itself."""
    found = np.full(len(skeleton.joints), -1)
    for number, (first, end) in enumerate(_LIMBS):
        if first in roles and end in roles:
            start = skeleton.index(roles[first])
            found[[start in skeleton.chain(joint) for joint in skeleton.joints]] = number
    return found
