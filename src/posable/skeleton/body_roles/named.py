"""Roles from names: the words of one side put together, so that a "shoulder" is what its neighbours make it."""

from __future__ import annotations

from collections.abc import Sequence

from posable.skeleton.body_roles.skeleton_facts import FINGERS, Body, Word

Found = dict[str, int]  # role → joint


def named_roles(body: Body) -> Found:
    """Roles of limbs, fingers, head and face as the names say them. The trunk is not among them."""
    found: Found = {}
    for side in "lr":
        for role, joint in {**_leg(body, side), **_arm(body, side), **_face(body, side)}.items():
            found[f"{role}_{side}"] = joint
        hand = found.get(f"hand_{side}")
        found |= {f"{role}_{side}": joint for role, joint in _fingers(body, side, hand).items()}
    for role in ("head", "jaw"):
        joints = joints_named(body, role, "")
        if joints:
            found[role] = _first(body, joints) if role == "jaw" else _last(body, joints)
    return found


def joints_named(body: Body, part: str, side: str) -> list[int]:
    """The joints whose name, or else another name, says `part` on `side`; twist bones only where there is no other."""
    found = [(i, word) for i in range(len(body.words)) if (word := _word(body, i, part, side)) is not None]
    plain = [i for i, word in found if not word.helper or body.hinged[i]]
    return plain or [i for i, _ in found]


def _word(body: Body, joint: int, part: str, side: str) -> Word | None:
    own = body.words[joint]
    said = [own] if own.part else body.aliases[joint]
    return next((word for word in said if word.part == part and word.side == side and not word.row), None)


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


def _leg(body: Body, side: str) -> Found:
    def some(part: str) -> list[int]:
        return joints_named(body, part, side)

    bare = sorted(some("leg"), key=lambda joint: len(body.chain(joint)))
    upper = some("upper_leg") or some("hips") or bare[:1]
    lower = some("lower_leg") or [joint for joint in bare if joint not in upper][:1]
    foot, toes = some("ankle") or some("foot"), some("toes")
    if some("ankle") and not toes:
        toes = some("foot")
    elif not foot and not some("lower_leg") and len(bare) > 2:
        foot = bare[2:3]
    found = _picked(body, {"upper_leg": upper, "lower_leg": lower, "foot": foot})
    if not toes and len(foot) > 1 and not body.hinged[foot[0]]:
        toes = [joint for joint in foot if joint != found["foot"]]
    elif not toes and foot == bare[2:3]:
        toes = bare[3:4]
    return found | ({"toes": _middle_toe(body, toes)} if toes else {})


def _middle_toe(body: Body, toes: Sequence[int]) -> int:
    """The toe joint nearest the foot; of several beside each other the middle one."""
    level = min(len(body.chain(toe)) for toe in toes)
    nearest = [toe for toe in toes if len(body.chain(toe)) == level]
    centre = body.positions[nearest].mean(axis=0)
    return min(nearest, key=lambda toe: float(((body.positions[toe] - centre) ** 2).sum()))


def _arm(body: Body, side: str) -> Found:
    def some(part: str) -> list[int]:
        return joints_named(body, part, side)

    bare = sorted(some("arm"), key=lambda joint: len(body.chain(joint)))
    clavicle, shoulder, elbow = some("clavicle"), some("shoulder"), some("elbow")
    upper = some("upper_arm") or (bare[:1] if bare and (clavicle or shoulder or len(bare) > 1 or elbow) else [])
    if not upper:
        upper, shoulder = shoulder or bare[:1], []
    shoulder = clavicle or shoulder
    lower = elbow or some("lower_arm") or [joint for joint in bare if joint not in upper][:1]
    hand = (some("wrist") if elbow else []) or some("hand") or some("wrist") or some("palm")
    if not hand and not elbow and not some("lower_arm") and len(bare) > 2:
        hand = bare[2:3]
    return _picked(body, {"shoulder": shoulder, "upper_arm": upper, "lower_arm": lower, "hand": hand})


def _picked(body: Body, choices: dict[str, list[int]]) -> Found:
    return {role: _segment(body, joints) for role, joints in choices.items() if joints}


def _face(body: Body, side: str) -> Found:
    eyes = joints_named(body, "eye", side)
    return {"eye": _first(body, eyes)} if eyes else {}


def _fingers(body: Body, side: str, hand: int | None) -> Found:
    chains = {finger: joints_named(body, finger, side) for finger in FINGERS}
    for number, joints in _numbered_fingers(body, side).items():
        chains[FINGERS[number]] = chains[FINGERS[number]] or joints
    found: Found = {}
    for finger, joints in chains.items():
        joints = [j for j in joints if finger == "thumb" or not _says(body, j, "metacarpal")]
        joints = [j for j in joints if hand is None or body.is_above(hand, j)] or joints
        line = sorted(_line(body, joints), key=lambda joint: len(body.chain(joint)))
        found |= {f"{finger}_{k}": joint for k, joint in enumerate(line[:3], 1)}
    return found


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
        digits = _word(body, joint, "finger", side)
        if digits and digits.numbers:
            numbers[joint] = digits.numbers[0]
    single = {number for number in numbers.values() if len(number) == 1}
    first = {j: int(number[0] if number[0] in single else number) for j, number in numbers.items()}
    base = 0 if 0 in first.values() else 1
    found: dict[int, list[int]] = {}
    for joint, number in first.items():
        if 0 <= number - base < len(FINGERS):
            found.setdefault(number - base, []).append(joint)
    return found
