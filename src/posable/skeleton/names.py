"""Joints by names as people write them: `hand.R`, `RightHand`, `mixamorig:RightHand` are the same.

A name that no joint of the figure has may be a role: `hand_r` and "right hand" find it whatever the file calls it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from posable.errors import SkeletonError, UnknownJointError, near_names
from posable.skeleton.body_roles.skeleton_facts import ROLE_NAMES

_SIDES = {"l": "left", "left": "left", "lft": "left", "r": "right", "right": "right", "rgt": "right"}
_NOISE = {"mixamorig", "def", "jnt", "joint", "bip", "bone", "armature", "bn", "j"}
_PREFIX = re.compile(r"^(cc_base_|bip0*1[ _])", re.IGNORECASE)  # Character Creator, 3ds Max Biped
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")

_SAME_PART = {
    "pelvis": "hips", "clavicle": "shoulder", "collar": "shoulder", "elbow": "lowerarm", "forearm": "lowerarm",
    "wrist": "hand", "thigh": "upperleg", "knee": "lowerleg", "shin": "lowerleg", "calf": "lowerleg", "ankle": "foot",
    "toe": "toes", "toebase": "toes", "eyeball": "eye",
}  # fmt: skip
"""Other words for roles, as `name_key` writes both."""


def name_key(name: str) -> tuple[str, ...]:
    """Return the words of a name, regardless of case, separators, order of the side and namespace: ("hand", "right").

    Args:
        name: A joint's name as a file or a person writes it.

    Returns:
        The words in lower case, the side last if there is one; () for a name without letters or digits.

    Example:
        >>> posable.skeleton.name_key("mixamorig:RightHand") == posable.skeleton.name_key("hand.R")
        True
    """
    bare = _PREFIX.sub("", re.split(r"[:|/]", name)[-1] or name)
    words = [word.lower() for word in _WORD.findall(bare)]
    sides = {_SIDES[word] for word in words if word in _SIDES}
    words = [word.lstrip("0") or "0" if word.isdigit() else word for word in words if word not in _SIDES]
    kept = [word for word in words if word not in _NOISE] or words
    return tuple(filter(None, ("".join(kept), *sorted(sides))))


def role_key(name: str) -> tuple[str, ...]:
    """The role that a name means, the same for "left foot", "foot_l" and "LeftAnkle"."""
    words = name_key(name)
    return (_SAME_PART.get(words[0], words[0]), *words[1:]) if words else ()


_ROLE_KEYS = {role_key(role) for role in ROLE_NAMES}


def find_joint(
    name: str, joints: Sequence[str], aliases: Mapping[str, int], parts: Callable[[], Mapping[str, int]] = dict
) -> int:
    """Return the index of the joint that `name` means: an exact name, an alias, an equivalent name, or a role.

    Args:
        name: The name to look for.
        joints: Names of all joints, in order.
        aliases: Every exact name and its joint's index.
        parts: Finds the joints of the parts of the body, {role: index}; called if no name matches, or several do.

    Raises:
        UnknownJointError: If no joint or several match; it names the closest ones, and the joints of roles.
        SkeletonError: If `name` is not a string.

    Example:
        >>> posable.skeleton.find_joint("RightHand", ["hips", "hand.R"], {"hips": 0, "hand.R": 1})
        1
    """
    if not isinstance(name, str):
        raise SkeletonError(f"a joint is named, as in {joints[0]!r}, not {name!r}; skeleton.joints lists the names")
    if name in aliases:
        return aliases[name]
    key = name_key(name)
    found = {index for spelled, index in aliases.items() if key and name_key(spelled) == key}
    if len(found) == 1:
        return found.pop()
    asked, roles = role_key(name), parts()
    has_role = next((index for role, index in roles.items() if asked and role_key(role) == asked), None)
    if has_role is not None and (not found or has_role in found):
        return has_role
    if not found and not near_names(name, [*aliases, *roles]):  # a part without its side: "wrist" may be either hand
        found = {index for role, index in roles.items() if asked and role_key(role)[:1] == asked}
    raise UnknownJointError(
        name,
        aliases,
        clashing=[joints[index] for index in sorted(found)],
        roles={role: joints[index] for role, index in roles.items()},
        is_role=asked in _ROLE_KEYS,
    )
