"""Left and right: pairs of joints that are mirror images."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkeletonError
from posable.skeleton.names import name_key
from posable.skeleton.skeleton import Pose, Skeleton
from posable.spatial import Array

_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}
_MARKS = re.compile(r"left|right|(?<![a-zA-Z])[lr]|[lr](?![a-zA-Z])", re.IGNORECASE)
_NEAR = 0.02  # of the figure's reach: how far from its mirror image a joint may rest


class Symmetry(NamedTuple):
    """Which joint is the mirror image of which.

    Args:
        partner: `[joint]` index of the mirror image; a joint in the middle has its own.
        left: Unit vector in the world at rest, from the right side to the left.
        middle: A point of the mirror plane.
    """

    partner: NDArray[np.int64]
    left: Array
    middle: Array


def symmetry_of(skeleton: Skeleton) -> Symmetry:
    """Pair joints by their names (left and right, l and r), then by their rest positions.

    From the root down: the mirror image of a joint hangs on the mirror image of its parent, or on its parent. Joints
    without a partner are in the middle.

    Args:
        skeleton: The skeleton.

    Raises:
        SkeletonError: If no joint has a mirror image.

    Example:
        >>> symmetry = posable.skeleton.symmetry_of(figure.skeleton)
        >>> figure.skeleton.joints[symmetry.partner[figure.skeleton.index("hand_l")]]
        'hand_r'
    """
    origins = Pose(skeleton, skeleton.rest_coordinates).origins
    named = _named_partners(skeleton)
    if (named != np.arange(len(named))).any():
        plane = _plane(skeleton, origins, named)
        return Symmetry(_completed(skeleton, origins, named, plane), *plane)
    level = [axis for k, axis in enumerate(np.eye(3)) if k != "xyz".index(skeleton.up)]
    both = [_completed(skeleton, origins, named, (axis, origins[0])) for axis in level]
    partner = max(both, key=lambda found: int((found != named).sum()))
    if (partner == named).all():
        raise SkeletonError("no joint of this skeleton has a mirror image, neither by its name nor by where it rests")
    return Symmetry(partner, *_plane(skeleton, origins, partner))


def _plane(skeleton: Skeleton, origins: Array, partner: NDArray[np.int64]) -> tuple[Array, Array]:
    """(from right to left, a point in the middle)."""
    lefts = np.array([j for j, other in enumerate(partner) if _is_left(skeleton, origins, j, int(other))], np.int64)
    rights = partner[lefts]
    left = _upright_across((origins[lefts] - origins[rights]).sum(axis=0), skeleton.up)
    return left, np.mean((origins[lefts] + origins[rights]) / 2, axis=0)


def _is_left(skeleton: Skeleton, origins: Array, joint: int, other: int) -> bool:
    """Of two partners, the one that its name calls left; of two without such names, the one farther along the axes."""
    if joint == other:
        return False
    sides = [_side(skeleton.joints[j]) for j in (joint, other)]
    if "left" in sides or "right" in sides:
        return sides[0] == "left" or sides[1] == "right"
    return tuple(origins[joint]) > tuple(origins[other])


def _side(name: str) -> str:
    """The last part of a name's key, or the first letter of a name with no other parts."""
    key = name_key(name)
    return key[-1] if key and key[-1] in ("left", "right") else {"l": "left", "r": "right"}.get(name[:1].lower(), "")


def _named_partners(skeleton: Skeleton) -> NDArray[np.int64]:
    """`[joint]`: the joint whose name differs in the side alone and that hangs on the partner of its parent."""
    own = np.arange(len(skeleton.joints))
    partner = own.copy()
    index = {name: j for j, name in enumerate(skeleton.joints)}
    for j, name in enumerate(skeleton.joints):
        above = int(skeleton.parents[j])
        wanted = int(partner[above]) if above >= 0 else -1
        for swapped in _swapped_names(name):
            other = index.get(swapped, -1)
            if other != -1 and int(skeleton.parents[other]) in (wanted, above):
                partner[j] = other
                break
    mutual = partner[partner] == own
    return np.where(mutual, partner, own)


def _swapped_names(name: str) -> list[str]:
    """The name with one mark of a side exchanged: left for right, l for r at the start or end of a word."""
    found = []
    for mark in _MARKS.finditer(name):
        text = mark.group()
        other = _OTHER[text.lower()]
        other = other.upper() if text.isupper() else other.title() if text[0].isupper() else other
        found.append(name[: mark.start()] + other + name[mark.end() :])
    return found


def _completed(
    skeleton: Skeleton, origins: Array, named: NDArray[np.int64], plane: tuple[Array, Array]
) -> NDArray[np.int64]:
    """The partners, with those that rest at each other's mirror images across the plane."""
    (across, middle), near = plane, _NEAR * skeleton.reach
    off = (origins - middle) @ across
    image = origins - 2 * off[:, None] * across
    own, partner = np.arange(len(origins)), named.copy()
    for j in range(1, len(origins)):
        above = int(skeleton.parents[j])
        if partner[j] != j or above < 0 or (partner[above] == above and abs(off[j]) < near):
            continue
        there = [k for k in skeleton.children(int(partner[above])) if k != j and partner[k] in (k, j)]
        apart = [float(np.linalg.norm(image[j] - origins[k])) for k in there]
        if apart and min(apart) < near:
            partner[j] = there[int(np.argmin(apart))]
    return np.where(partner[partner] == own, partner, own)


def _upright_across(apart: Array, up: str) -> Array:
    """The direction across, level, and along a world axis where it is within a few degrees of one."""
    level = apart * (1 - np.eye(3)["xyz".index(up)])
    length = float(np.linalg.norm(level))
    if length == 0:
        raise SkeletonError("left and right joints of this skeleton coincide at rest, so its mirror plane is unknown")
    level = level / length
    axis = int(np.argmax(np.abs(level)))
    snapped = np.sign(level[axis]) * np.eye(3)[axis]
    return snapped if level @ snapped > 0.995 else level
