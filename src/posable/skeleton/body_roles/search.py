"""The search for roles: the file's statement, then names checked against the hierarchy, then shape for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from posable.skeleton.body_roles.limbs import foot_roles, forward_of, limbs_of, told_forward
from posable.skeleton.body_roles.shape import (
    Pair,
    Shape,
    across_of,
    arm_roles,
    leg_roles,
    line_of,
    shape_of,
    trunk_roles,
)
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.skeleton.body_roles.words import FINGERS, Word
from posable.spatial import Array

Named = dict[str, int]  # role → joint


def named_roles(body: Body) -> Named:
    """Roles of limbs, fingers, head and face as the names say them. The trunk is not among them."""
    found: Named = {}
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
    """The joints whose name, or else another name, says `part` on `side`; of handles, props and controls none, twist
    bones, ends and helpers only where there is no other.
    """
    found = [i for i in range(len(body.words)) if _word(body, i, part, side) is not None]
    found = [i for i in found if body.uses[i][0] not in ("control", "prop")]
    return [i for i in found if body.bodily[i]] or found


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


def _leg(body: Body, side: str) -> Named:
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


def _arm(body: Body, side: str) -> Named:
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


def _picked(body: Body, choices: dict[str, list[int]]) -> Named:
    return {role: _segment(body, joints) for role, joints in choices.items() if joints}


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


_LEG, _ARM = ("upper_leg", "lower_leg", "foot", "toes"), ("shoulder", "upper_arm", "lower_arm", "hand")
_STATED, _NAMED, _DOUBTFUL, _TRUNK, _SHAPED = 1.0, 1.0, 0.5, 0.9, 0.7
_STATED_AT_LEAST = 15  # VRM demands 15 bones: fewer standard names are chance


@dataclass
class Found:
    """Role → joint with how sure each is; whether left and right are known rather than guessed from the facing."""

    joints: dict[str, int] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)
    sides_known: bool = True

    def add(self, roles: Mapping[str, int], sure: float) -> None:
        """Add missing roles, each joint for one role."""
        for role, joint in roles.items():
            if role not in self.joints and joint not in self.joints.values():
                self.joints[role] = joint
                self.confidence[role] = sure


@dataclass(frozen=True)
class Parts:
    """Which joint is which part of the body, as indices.

    Args:
        found: The roles, with how sure each is.
        joints: Every name of a part to its joint: the roles, "root", and the feet of animals ("front_foot_l").
        forward: Unit vector `[3]` in the world along which the figure faces at rest, None where nothing tells.
        body: What it was found from.
    """

    found: Found
    joints: Mapping[str, int]
    forward: Array | None
    body: Body


def find_parts(body: Body) -> Parts:
    """All that can be found of a body."""
    found, shape = search(body), shape_of(body)
    known = found.sides_known
    facing = forward_of(body, shape, found.joints, sides_known=known)
    legs, _ = limbs_of(body, shape, found.joints, facing)
    roots = [j for j, parent in enumerate(body.parents) if parent < 0]
    root = body.chain(found.joints["hips"])[0] if "hips" in found.joints else max(roots, key=body.counts.__getitem__)
    names = [joint.name for joint in body.definitions]
    feet = {role: names.index(joint) for role, joint in foot_roles(legs).items()}
    forward = told_forward(body, shape, found.joints, sides_known=known)
    return Parts(found, {**found.joints, "root": root, **feet}, forward, body)


def search(body: Body) -> Found:
    """All roles that can be found."""
    named = named_roles(body)
    if _contradict_parentage(body, named):
        body = body.nameless()
        named = {}
    shape = shape_of(body)
    found = Found()
    found.add(_stated(body), _STATED)
    if shape.pairs and across_of(body) is None:
        body, found.sides_known = _sided_by_place(body, shape), False
        named = named_roles(body)
    for limb in (_LEG, _ARM):
        for side in "lr":
            _add_limb(body, found, named, [f"{role}_{side}" for role in limb])
    _add_shaped(body, shape, found)
    rest = {role: joint for role, joint in named.items() if role.split("_")[0] in (*FINGERS, "head", "jaw", "eye")}
    found.add(rest, _NAMED)
    trunk = trunk_roles(body, _animal_limbs(body, shape, found) or found.joints)
    for role, joint in trunk.items():
        agreed = body.words[joint].part in _TRUNK_WORDS.get(role, ())
        found.add({role: joint}, _NAMED if agreed else _TRUNK if found.sides_known else _SHAPED)
    if not found.sides_known:
        _with_sides_right(body, shape, found)
    return found


_TRUNK_WORDS = {
    "hips": ("hips",), "spine": ("spine", "chest"), "chest": ("spine", "chest"), "upper_chest": ("spine", "chest"),
    "neck": ("neck",), "head": ("head",),
}  # fmt: skip


def _contradict_parentage(body: Body, named: Mapping[str, int]) -> bool:
    """Whether most limbs as named do not hang together: such names mean nothing."""
    limbs = [[named.get(f"{part}_{side}") for part in limb] for limb in (_LEG, _ARM) for side in "lr"]
    steps = [step for limb in limbs for step in pairwise(joint for joint in limb if joint is not None)]
    return 2 * sum(body.is_above(upper, lower) for upper, lower in steps) < len(steps)


def _stated(body: Body) -> dict[str, int]:
    """The table of a VRM, whose standard names are aliases of the joints."""
    stated = {}
    for i, joint in enumerate(body.definitions):
        for alias in joint.aliases:
            role = _role_of_standard_name(alias)
            if role:
                stated.setdefault(role, i)
    return stated if len(stated) >= _STATED_AT_LEAST else {}


def _role_of_standard_name(alias: str) -> str:
    """ "leftUpperLeg" → "upper_leg_l"; fingers and others are left to the names."""
    side = "l" if alias.startswith("left") else "r" if alias.startswith("right") else ""
    bare = alias.removeprefix("left").removeprefix("right")
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in bare).strip("_")
    trunk = ("hips", "spine", "chest", "upper_chest", "neck", "head", "jaw")
    if side and snake in (*_LEG, *_ARM, "eye"):
        return f"{snake}_{side}"
    return snake if not side and snake in trunk else ""


def _add_limb(body: Body, found: Found, named: Mapping[str, int], roles: list[str]) -> None:
    """Add the roles of one limb, less sure of those that do not hang on the one before."""
    last = None
    for role in roles:
        joint = named.get(role)
        if joint is None:
            continue
        hangs = last is None or body.is_above(last, joint)
        found.add({role: joint}, _NAMED if hangs else _DOUBTFUL)
        last = joint if hangs else last


def _add_shaped(body: Body, shape: Shape, found: Found) -> None:
    """Legs and arms by shape where the names do not tell them: whole limbs of a biped only."""
    if len(shape.legs) != 1:
        return
    others = [pair for pair in shape.others if _reach(body, pair) > 0.15 * body.size and _is_up(body, shape, pair)]
    arms = max(others, key=lambda pair: _reach(body, pair), default=None)
    for pair, limb in ((shape.legs[0], _LEG), (arms, _ARM)):
        if pair is None or all(f"{role}_{side}" in found.joints for role in limb[1:3] for side in "lr"):
            continue
        shaped = _sides(body, shape, pair, limb)
        if all(f"{role}_{side}" in shaped for role in limb[1:2] for side in "lr"):
            for role in [f"{part}_{side}" for part in limb for side in "lr"]:
                found.joints.pop(role, None)
                found.confidence.pop(role, None)
            found.add(shaped, _SHAPED)


def _animal_limbs(body: Body, shape: Shape, found: Found) -> dict[str, int]:
    """The first and the last legs of an animal as arms and legs, for the trunk between them."""
    if len(shape.legs) < 2 or "upper_leg_l" in found.joints:
        return {}
    forward = forward_of(body, shape, found.joints, sides_known=found.sides_known)
    order = sorted(
        shape.legs, key=lambda pair: float((body.positions[pair.first] + body.positions[pair.second]) @ forward)
    )
    limbs = {"upper_leg_l": order[0].first, "upper_leg_r": order[0].second}
    if order[-1].parent != order[0].parent:
        limbs |= {"upper_arm_l": order[-1].first, "upper_arm_r": order[-1].second}
    return limbs | {role: joint for role, joint in found.joints.items() if role == "head"}


def _is_up(body: Body, shape: Shape, pair: Pair) -> bool:
    """Whether a pair leaves the body above the knees: what lies on the ground is a rig's handle, not an arm."""
    leg = shape.legs[0]
    return body.heights[pair.first] - body.lowest[leg.first] > 0.5 * (body.heights[leg.first] - body.lowest[leg.first])


def _reach(body: Body, pair: Pair) -> float:
    line = line_of(body, pair.first)
    return sum(body.distance(a, b) for a, b in pairwise(line))


def _sides(body: Body, shape: Shape, pair: Pair, limb: tuple[str, ...]) -> dict[str, int]:
    """The roles of both limbs of a pair; where no name tells the sides, the first is left until the facing is known."""
    found: dict[str, int] = {}
    across = across_of(body)
    swapped = across is not None and across @ shape.lateral < 0
    for side, joint in zip("rl" if swapped else "lr", (pair.first, pair.second), strict=True):
        roles = leg_roles(body, shape, joint) if limb is _LEG else arm_roles(body, shape, joint)
        found |= {f"{role}_{side}": one for role, one in roles.items()}
    return found


def _with_sides_right(body: Body, shape: Shape, found: Found) -> None:
    """Swap left and right of the roles found by shape if the figure faces the opposite direction."""
    forward = forward_of(body, shape, found.joints, sides_known=False)
    if np.cross(body.up, forward) @ shape.lateral < 0:
        swap = {
            role: f"{role[:-1]}{'r' if role[-1] == 'l' else 'l'}" for role in found.joints if role[-2:] in ("_l", "_r")
        }
        found.joints = {swap.get(role, role): joint for role, joint in found.joints.items()}
        found.confidence = {swap.get(role, role): sure for role, sure in found.confidence.items()}


def _sided_by_place(body: Body, shape: Shape) -> Body:
    """The body with sides derived from positions, for names that give parts but not sides."""
    middle = float(np.median(body.positions @ shape.lateral))
    words = tuple(
        _sided(word, float(body.positions[i] @ shape.lateral) - middle, body.size) for i, word in enumerate(body.words)
    )
    return replace(body, words=words)


def _sided(word: Word, offset: float, size: float) -> Word:
    beside = word.part and not word.side and abs(offset) > 0.01 * size
    return replace(word, side="l" if offset > 0 else "r") if beside else word
