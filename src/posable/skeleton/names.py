"""Finding a joint by a name that a person would write: `hand.R`, `RightHand`, `mixamorig:RightHand` are the same."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from posable.errors import SkeletonError, UnknownJointError

_SIDES = {"l": "left", "left": "left", "lft": "left", "r": "right", "right": "right", "rgt": "right"}
_NOISE = {"mixamorig", "def", "jnt", "joint", "bip", "bone", "armature", "bn", "j"}
_PREFIX = re.compile(r"^(cc_base_|bip0*1[ _])", re.IGNORECASE)  # Character Creator, 3ds Max Biped
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")


def name_key(name: str) -> tuple[str, ...]:
    """Return what a name says, regardless of case, separators, order of the side and namespace: ("hand", "right").

    Args:
        name: A joint's name as a file or a person writes it.

    Returns:
        The words in lower case, the side last if there is one; () for a name without letters or digits.
    """
    bare = _PREFIX.sub("", re.split(r"[:|/]", name)[-1] or name)
    words = [word.lower() for word in _WORD.findall(bare)]
    sides = {_SIDES[word] for word in words if word in _SIDES}
    words = [word.lstrip("0") or "0" if word.isdigit() else word for word in words if word not in _SIDES]
    kept = [word for word in words if word not in _NOISE] or words
    return tuple(filter(None, ("".join(kept), *sorted(sides))))


def find_joint(name: str, joints: Sequence[str], aliases: Mapping[str, int]) -> int:
    """Return the index of the joint that `name` means: an exact name, an alias, or the only one that says the same.

    Args:
        name: The name to look for.
        joints: Names of all joints, in order.
        aliases: Every exact name and its joint's index.

    Raises:
        UnknownJointError: If no joint or several match; it names the closest ones.
        SkeletonError: If `name` is not a string.
    """
    if not isinstance(name, str):
        raise SkeletonError(f"a joint is named, as in {joints[0]!r}, not {name!r}; skeleton.joints lists the names")
    if name in aliases:
        return aliases[name]
    key = name_key(name)
    found = {index for spelled, index in aliases.items() if key and name_key(spelled) == key}
    if len(found) == 1:
        return found.pop()
    raise UnknownJointError(name, aliases, clashing=[joints[index] for index in sorted(found)])
