"""Roles from names, checked against the hierarchy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from posable.skeleton.body_roles.hinges import bends, line_of
from posable.skeleton.body_roles.skeleton_facts import SAME_PLACE, Body
from posable.skeleton.body_roles.words import FINGERS, Word

Named = dict[str, int]  # role → joint


def named_roles(body: Body) -> Named:
    """Roles of limbs, fingers, head and face by their names. The trunk is not among them."""
    found: Named = {}
    for side in "lr":
        for role, joint in {**_leg(body, side), **_arm(body, side), **_face(body, side)}.items():
            found[f"{role}_{side}"] = joint
        hand = found.get(f"hand_{side}")
        found |= {f"{role}_{side}": joint for role, joint in _fingers(body, side, hand).items()}
    for side, other in ("lr", "rl"):
        _mend_lone_shoulder(body, found, side, other)
    for role in ("head", "jaw"):
        joints = joints_named(body, role, "")
        if joints:
            found[role] = _first(body, joints) if role == "jaw" else _segment(body, joints)
    return found


def _mend_lone_shoulder(body: Body, found: Named, side: str, other: str) -> None:
    """A joint without an arm below gets the role of a shoulder where the other side's shoulder has the same name."""
    alone = not any(f"{part}_{side}" in found for part in ("shoulder", "lower_arm", "hand"))
    upper, collar = found.get(f"upper_arm_{side}"), found.get(f"shoulder_{other}")
    if alone and upper is not None and collar is not None and body.words[upper].words == body.words[collar].words:
        found[f"shoulder_{side}"] = found.pop(f"upper_arm_{side}")


_MAX_COUNTED = 4
_FRAME_DISTANCE = 0.12  # of the size: a fixed frame this far from the joint that moves it ends a bone
_LIMBS = (
    ("clavicle", "shoulder", "upper_arm", "arm", "lower_arm", "elbow", "wrist", "hand", "palm", *FINGERS, "finger"),
    ("hips", "upper_leg", "leg", "lower_leg", "ankle", "foot", "metatarsal", "toes"),
)  # from the trunk outwards
TRUNK = ("spine", "chest", "neck", "head", "jaw")
_BESIDE = {"shoulder", "arm", "hand", "wrist", "palm", "elbow", "lower_arm", "leg", "foot", "ankle", *FINGERS, "finger"}
"""Parts whose words denote several joints, so that their order carries little information."""
_LEAST_NAMES = 4  # that can be compared


def agreement(body: Body) -> float:
    """The share of names that agree with the nearest named joint above: a shin is below a thigh, a hand not below a
    head.
    """
    good = total = 0
    nearest: list[int] = []  # the nearest named joint from each joint on up
    for joint, parent in enumerate(body.parents):
        above = nearest[parent] if parent >= 0 else -1
        if body.words[joint].part and above >= 0:
            total += 1
            good += _go_together(body.words[above], body.words[joint])
        nearest.append(joint if body.words[joint].part else above)
    return good / total if total >= _LEAST_NAMES else 1.0


def _go_together(above: Word, below: Word) -> bool:
    if above.side and below.side and above.side != below.side:
        return False
    if above.part in (*TRUNK, "eye") or (above.part == "hips" and not above.side):
        low = below.part in (*_LIMBS[1], "spine", "chest")
        return not (low and above.part in ("neck", "head"))
    if above.row and below.row:
        return above.row == below.row
    limb = next((limb for limb in _LIMBS if above.part in limb), ())
    if below.part not in limb:
        return False
    first, second = limb.index(above.part), limb.index(below.part)
    return first <= second or ({above.part, below.part} <= _BESIDE and first - second <= 2)


_ARM_OF_LEG = {"upper_leg": "upper_arm", "lower_leg": "lower_arm", "foot": "hand", "ankle": "wrist", "leg": "arm"}


def by_row(body: Body) -> Body:
    """The names of a biped that names front and back legs: the front legs are its arms."""
    rows = {"front" if word.row in ("front", "fore") else "back" for word in body.words if word.row not in _NO_ROW}
    if len(rows) < 2:
        return body
    words = tuple(
        replace(
            word, row="", part=_ARM_OF_LEG.get(word.part, word.part) if word.row in ("front", "fore") else word.part
        )
        if word.row not in _NO_ROW
        else word
        for word in body.words
    )
    return replace(body, words=words)


_NO_ROW = ("", "mid", "middle", "f", "h", "b", "r")


_BONES = ("upper_leg", "lower_leg", "upper_arm", "lower_arm")  # which a robot's hinges carry, not frames on them


def joints_named(body: Body, part: str, side: str) -> list[int]:
    """The joints whose name, or else another name, means `part` on `side`. Handles, props and controls are excluded;
    twist bones, ends, helpers and a robot's fixed frames are used only if there is no other.
    """
    found = [i for i in body.called.get((part, side), ()) if body.uses[i][0] not in ("control", "prop")]
    found = [i for i in found if body.bodily[i]] or found
    return ([i for i in found if body.hinged[i]] or found) if part in _BONES else found


def _first(body: Body, joints: Sequence[int]) -> int:
    return min(joints, key=lambda joint: (len(body.chain(joint)), joint))


def _last(body: Body, joints: Sequence[int]) -> int:
    """The last of the topmost joint's line."""
    first = _first(body, joints)
    return max(
        (joint for joint in joints if joint == first or body.is_above(first, joint)),
        key=lambda j: (len(body.chain(j)), -j),
    )


def _segment(body: Body, joints: Sequence[int]) -> int:
    """Of joints with one name, the one that carries the segment: the last of hinges, else the first."""
    first = _first(body, joints)
    return _last(body, joints) if body.hinged[first] else first


def _leg(body: Body, side: str) -> Named:
    def some(part: str) -> list[int]:
        return joints_named(body, part, side)

    bare = _counted(body, some("leg"))
    upper = _without_coxae(body, some("upper_leg")) or some("hips") or bare[:1]
    lower = some("lower_leg") or [joint for joint in bare if joint not in upper][:1]
    foot, toes = some("ankle") or some("foot"), some("toes")
    if some("ankle") and not toes:
        toes = [joint for joint in some("foot") if body.definitions[joint].dof or not body.hinged[foot[0]]]
    elif not foot and not some("lower_leg") and len(bare) > 2:
        foot = bare[2:3]
    found = _picked(body, {"upper_leg": upper, "lower_leg": lower, "foot": foot})
    if not toes and len(foot) > 1 and not body.hinged[foot[0]]:
        toes = [joint for joint in foot if joint != found["foot"]]
    elif not toes and foot == bare[2:3]:
        toes = bare[3:4]
    toe = _moving(body, _middle_toe(body, toes)) if toes else None
    return found if toe is None or toe in found.values() else found | {"toes": toe}


def _without_coxae(body: Body, thighs: Sequence[int]) -> list[int]:
    """Without the coxae of insects, which carry the femora: "coxa" alone is a thigh, in Portuguese."""
    femora = [joint for joint in thighs if "coxa" not in body.words[joint].words]
    return femora if any(body.is_above(joint, femur) for joint in thighs for femur in femora) else [*thighs]


def _counted(body: Body, joints: Sequence[int]) -> list[int]:
    """Joints named only "leg" or "arm", from the trunk out: thigh, shin and foot; empty if there are too many."""
    ordered = sorted((joint for joint in joints if body.bodily[joint]), key=lambda joint: len(body.chain(joint)))
    hinges = [joint for joint in ordered if body.hinged[joint]]
    return ordered if len(ordered) <= _MAX_COUNTED and len(hinges) <= 1 else []


def _middle_toe(body: Body, toes: Sequence[int]) -> int:
    """The toe joint nearest the foot; of several beside each other the middle one."""
    level = min(len(body.chain(toe)) for toe in toes)
    nearest = [toe for toe in toes if len(body.chain(toe)) == level]
    centre = body.positions[nearest].mean(axis=0)
    return min(nearest, key=lambda toe: float(((body.positions[toe] - centre) ** 2).sum()))


def _arm(body: Body, side: str) -> Named:
    def some(part: str) -> list[int]:
        return joints_named(body, part, side)

    bare = _counted(body, some("arm"))
    clavicle, shoulder, elbow, forearm = some("clavicle"), some("shoulder"), some("elbow"), some("lower_arm")
    if forearm and _all_beside(body, elbow) and not _all_beside(body, forearm):
        elbow = []  # a bone that only swells or smooths the elbow is not the forearm
    upper = some("upper_arm") or (bare[:1] if bare and (clavicle or shoulder or len(bare) > 1 or elbow) else [])
    if not upper:
        upper, shoulder = shoulder or bare[:1], []
    shoulder = clavicle or shoulder
    lower = elbow or forearm or [joint for joint in bare if joint not in upper][:1]
    hand = (some("wrist") if elbow else []) or some("hand") or some("wrist") or some("palm")
    if not hand and not elbow and not forearm and len(bare) > 2:
        hand = bare[2:3]
    return _picked(body, {"shoulder": shoulder, "upper_arm": upper, "lower_arm": lower, "hand": hand})


def _all_beside(body: Body, joints: Sequence[int]) -> bool:
    """Whether all of them are twist bones, ends or helpers."""
    return not any(body.bodily[joint] for joint in joints)


def _picked(body: Body, choices: dict[str, list[int]]) -> Named:
    """One joint for each role: of those with its name the one that carries the segment; never two coincident ones."""
    found: Named = {}
    for role, joints in sorted(choices.items(), key=lambda choice: choice[0] == "shoulder"):
        if joints:
            bending = _bending(body, joints) if role == "lower_arm" else None
            far = np.inf if role in _BONES else _FRAME_DISTANCE
            joint = _moving(body, _segment(body, joints), far) if bending is None else bending
            if joint not in found.values():
                found[role] = joint
    collar, upper = found.get("shoulder"), found.get("upper_arm")
    if collar is not None and upper is not None and body.hinged[upper] and _one_place(body, collar, upper):
        del found["shoulder"]
    return found


def _bending(body: Body, joints: Sequence[int]) -> int | None:
    """Of several hinges named elbow at different positions, the first that bends the arm; the others twist it. None
    if they coincide, or if one is not a hinge.
    """
    line = sorted(joints, key=lambda joint: len(body.chain(joint)))
    if not all(body.hinged[joint] for joint in line) or len(line) < 2 or _one_place(body, line[0], line[-1]):
        return None
    if not all(body.is_above(a, b) for a, b in pairwise(line)):
        return None
    return next((joint for joint in line if bends(body, line_of(body, joint), joint, SAME_PLACE * body.size)), None)


def _one_place(body: Body, a: int, b: int) -> bool:
    return body.distance(a, b) < SAME_PLACE * body.size


def _moving(body: Body, joint: int, far: float = _FRAME_DISTANCE) -> int:
    """The joint that moves a robot's fixed frame: the nearest one above that is not fixed, or the frame itself if none
    is nearer than `far`, a share of the size.
    """
    above = joint
    while above >= 0 and body.definitions[above].kind == "fixed" and len(body.chain(above)) > 1:
        above = body.parents[above]
    return above if body.hinged[above] and body.distance(above, joint) < far * body.size else joint


def _face(body: Body, side: str) -> Named:
    eyes = joints_named(body, "eye", side)
    return {"eye": _first(body, eyes)} if eyes else {}


def _fingers(body: Body, side: str, hand: int | None) -> Named:
    chains = {finger: joints_named(body, finger, side) for finger in FINGERS}
    for number, joints in _numbered_fingers(body, side).items():
        chains[FINGERS[number]] = chains[FINGERS[number]] or joints
    found: Named = {}
    for finger, joints in chains.items():
        joints = [j for j in joints if finger == "thumb" or not _says(body, j, "metacarpal")]
        joints = [j for j in joints if hand is None or body.is_above(hand, j)] or joints
        line = sorted(_line(body, joints), key=lambda joint: len(body.chain(joint)))
        bones = finger_bones(body, line, None if finger == "thumb" else hand)
        found |= {f"{finger}_{k}": joint for k, joint in enumerate(bones, 1)}
    return found


_KNUCKLE_STEP, _COINCIDENT_STEP = 0.45, 0.05  # of a finger's second longest and longest step: one knuckle is shorter


def finger_bones(body: Body, line: Sequence[int], hand: int | None) -> list[int]:
    """At most three joints of a finger, without a first bone that lies in the palm of `hand` (None for thumbs).

    Of hinges in one knuckle, the last is used; of more than three knuckles of hinges, the last three, because the first
    ones spread the finger or bend the palm.
    """
    moving = [joint for joint in line if body.definitions[joint].kind != "fixed"]
    if not moving or not all(body.hinged[joint] for joint in moving):
        far = hand is None or len(line) < 4 or body.distance(hand, line[0]) > body.distance(line[0], line[1])
        return [*line[:3]] if far else [*line[1:4]]
    second, longest = sorted([0.0, 0.0, *(body.distance(a, b) for a, b in pairwise(moving))])[-2:]
    near = max(_KNUCKLE_STEP * second, _COINCIDENT_STEP * longest)
    return [a for a, b in pairwise([*moving, -1]) if b < 0 or body.distance(a, b) >= near][-3:]


_MAX_FINGER_HINGES = 5  # two that spread it or bend the palm, and three knuckles


def has_many_hinges(body: Body, finger: str, side: str) -> bool:
    """Whether a robot's finger has more hinges than a human finger, so that its knuckles are ambiguous."""
    return sum(body.hinged[joint] for joint in joints_named(body, finger, side)) > _MAX_FINGER_HINGES


def _says(body: Body, joint: int, word: str) -> bool:
    return any(word in said.words for said in (body.words[joint], *body.aliases[joint]))


def _line(body: Body, joints: Sequence[int]) -> list[int]:
    """Those of `joints` in one line with the deepest of them."""
    if not joints:
        return []
    deepest = max(joints, key=lambda joint: len(body.chain(joint)))
    return [joint for joint in joints if joint == deepest or body.is_above(joint, deepest)]


def _numbered_fingers(body: Body, side: str) -> dict[int, list[int]]:
    """Fingers that only have numbers: "Finger1" and "Finger11" count from 0, "finger1-1" from 1."""
    numbers: dict[int, str] = {}
    for joint in joints_named(body, "finger", side):
        digits = body.called["finger", side][joint].numbers
        if digits:
            numbers[joint] = digits[0]
    single = {number for number in numbers.values() if len(number) == 1}
    first = {j: int(number[0] if number[0] in single else number) for j, number in numbers.items()}
    base = 0 if 0 in first.values() else 1
    found: dict[int, list[int]] = {}
    for joint, number in first.items():
        if 0 <= number - base < len(FINGERS):
            found.setdefault(number - base, []).append(joint)
    return found
