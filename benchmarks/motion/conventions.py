"""People whose joints are named by the conventions of the reference table, standing in a T-pose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from posable import Joint, Skeleton

TRUNK = ("root", "hips", "spine", "spine2", "chest", "spine4", "upperChest", "neck", "neck2", "head")
LEG = ("HipOffset", "UpperLeg", "UpperLegTwist", "LowerLeg", "Foot", "Metatarsals", "Toes")
ARM = ("Shoulder", "UpperArm", "UpperArmTwist", "LowerArm", "LowerArmTwist", "Wrist", "Hand")
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")
PLACES = {
    "root": (0, 0, 0), "hips": (0, 0.95, 0), "pelvis": (0, 0.95, 0), "spine": (0, 1.05, 0), "spine2": (0, 1.12, 0),
    "chest": (0, 1.18, 0), "spine4": (0, 1.24, 0), "upperChest": (0, 1.3, 0), "neck": (0, 1.5, 0),
    "neck2": (0, 1.55, 0), "head": (0, 1.6, 0.02), "jaw": (0, 1.62, 0.05), "Eye": (0.03, 1.67, 0.08),
    "HipOffset": (0, 0.95, 0), "UpperLeg": (0.1, 0.9, 0), "UpperLegTwist": (0.1, 0.7, 0), "LowerLeg": (0.1, 0.48, 0.01),
    "Foot": (0.1, 0.08, -0.02), "Metatarsals": (0.1, 0.05, 0.03), "Toes": (0.1, 0.02, 0.12),
    "Shoulder": (0.03, 1.42, 0), "UpperArm": (0.18, 1.42, 0), "UpperArmTwist": (0.3, 1.42, 0),
    "LowerArm": (0.45, 1.42, 0), "LowerArmTwist": (0.57, 1.42, 0), "Wrist": (0.69, 1.42, 0), "Hand": (0.7, 1.42, 0),
    "HandEnd": (0.8, 1.42, 0), "Fingers": (0.75, 1.42, 0),
}  # fmt: skip


def tables(reference: dict) -> dict[str, dict[str, str]]:
    """Convention → part → name, for the conventions whose parts the table tells."""
    found = {name: table["map"] for name, table in reference["tables"].items() if "map" in table}
    found["smplx_fingers"] = {part: name for part, name in found["smpl_24"].items() if "HandEnd" not in part} | found[
        "smplx_fingers"
    ]
    found["unitree_g1_links_for_GMR"] |= {  # the table says: right_* alike
        part.replace("left", "right"): name.replace("left", "right")
        for part, name in found["unitree_g1_links_for_GMR"].items()
        if part.startswith("left")
    }
    return found


def expected(table: dict[str, str]) -> dict[str, str]:
    """Our role → name, of the parts that are roles."""
    found = {}
    for part, name in table.items():
        if re.search("Twist|Offset|Metacarpal|Metatarsals|Wrist|End|Fingers|spine\\d|neck2|root|pelvis", part):
            continue
        side, bare = _side_of(part)
        snake = re.sub("(?<!^)([A-Z]|\\d)", r"_\1", bare).lower()
        found[f"{snake}_{side}" if side else snake] = name
    return found


def person(table: dict[str, str]) -> Skeleton:
    """A skeleton with the names of the table."""
    joints: list[Joint] = []
    places: dict[str, tuple[float, float, float]] = {}
    for part, parent in _tree(table):
        place = _place(part)
        above = places.get(parent or "", (0.0, 0.0, 0.0))
        name = table[part]
        kind = "free" if parent is None else "ball"
        step = tuple(p - a for p, a in zip(place, above, strict=True))
        joints.append(Joint(name, kind, None if parent is None else table[parent], (step[0], step[1], step[2])))
        places[part] = place
    return Skeleton(joints)


def _side_of(part: str) -> tuple[str, str]:
    for word, side in (("left", "l"), ("right", "r")):
        if part.startswith(word):
            return side, part.removeprefix(word)
    return "", part


def _place(part: str) -> tuple[float, float, float]:
    side, bare = _side_of(part)
    finger = next((one for one in FINGERS if bare.startswith(one)), None)
    if finger:
        number = 0 if bare.endswith("Metacarpal") else int(bare[-1])
        x, y, z = 0.74 + 0.03 * number, 1.42, 0.04 - 0.02 * FINGERS.index(finger)
    else:
        x, y, z = PLACES[bare]
    return (-x if side == "r" else x), y, z


def _tree(table: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    """(part, parent) of all parts of the table, parents first."""
    last = None
    for part in TRUNK:
        if part in table:
            yield part, last
            last = part
            if part == "hips" and "pelvis" in table:
                yield "pelvis", part
    top = next(part for part in ("upperChest", "chest", "spine", "hips") if part in table)
    for part in ("jaw", "leftEye", "rightEye"):
        if part in table:
            yield part, "head" if "head" in table else top
    for side in ("left", "right"):
        yield from _limb(table, side, LEG, "pelvis" if "pelvis" in table else "hips")
        yield from _limb(table, side, ARM, top)
        hand = f"{side}Hand"
        yield from ((f"{side}{end}", hand) for end in ("HandEnd", "Fingers") if f"{side}{end}" in table)
        for finger in FINGERS:
            yield from _limb(table, side, tuple(f"{finger}{k}" for k in ("Metacarpal", 1, 2, 3)), hand)


def _limb(table: dict[str, str], side: str, parts: tuple[str, ...], parent: str) -> Iterator[tuple[str, str]]:
    for part in parts:
        if f"{side}{part}" in table:
            yield f"{side}{part}", parent
            parent = f"{side}{part}"


def renamed(skeleton: Skeleton, names: Sequence[str]) -> Skeleton:
    """The same joints under other names, without aliases."""
    new = dict(zip(skeleton.joints, names, strict=True))
    joints = []
    for joint in skeleton.definitions:
        axes = tuple(
            replace(axis, follow=axis.follow and replace(axis.follow, joint=new[axis.follow.joint]))
            for axis in joint.axes
        )
        parent = None if joint.parent is None else new[joint.parent]
        joints.append(replace(joint, name=new[joint.name], parent=parent, aliases=(), axes=axes))
    return Skeleton(joints, skeleton.up)
