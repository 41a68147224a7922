"""The search for roles by the file's statement, names and shape; their agreement gives the confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from posable.skeleton.body_roles.certainty import (
    AGREED,
    ARM,
    DOUBTED,
    GUESSED,
    LEG,
    NAMED,
    PARTLY,
    SHAPED,
    STATED,
    Found,
    are_off,
    check_sides,
    doubt_uneven,
    of_hand,
    stated,
)
from posable.skeleton.body_roles.hinges import line_of
from posable.skeleton.body_roles.limbs import (
    evident_forward,
    foot_roles,
    forward_of,
    limbs_of,
)
from posable.skeleton.body_roles.lone_hand import HAND_WORDS, hand_of, is_one_hand
from posable.skeleton.body_roles.naming import TRUNK, agreement, by_row, has_many_hinges, named_roles
from posable.skeleton.body_roles.shape import LEG_WORDS, Pair, Shape, across_of, shape_of
from posable.skeleton.body_roles.shaped_parts import arm_roles, ends_at_wrist, leg_roles, trunk_roles
from posable.skeleton.body_roles.skeleton_facts import SAME_PLACE, Body
from posable.skeleton.body_roles.words import FINGERS, Word
from posable.spatial import Array

_CORE: dict[tuple[str, ...], tuple[str, ...]] = {LEG: LEG[:3], ARM: ARM[1:]}
_AGREEING_SHARE = 0.6  # of the names that agree with their parents; if fewer do, names are ignored
_WELL_AGREEING_SHARE = 0.8  # if fewer agree, the roles found without names are compared


@dataclass(frozen=True)
class Parts:
    """Which joint is which part of the body, as indices.

    Args:
        found: The roles, with a confidence each.
        joints: Every name of a part to its joint: the roles, "root", and the feet of animals ("front_foot_l").
        forward: Unit vector `[3]` in the world, along which the figure faces at rest; None if unknown.
        body: The facts from which they were found.
        elsewhere: The joints of further figures in the file.
    """

    found: Found
    joints: Mapping[str, int]
    forward: Array | None
    body: Body
    elsewhere: frozenset[int]


def find_parts(body: Body) -> Parts:
    """All roles of a body, found without its names if these contradict the hierarchy."""
    body = body if agreement(body) >= _AGREEING_SHARE else body.nameless()
    shape = shape_of(body)
    found = search(body, shape)
    known = found.sides_known
    facing = forward_of(body, shape, found.joints, sides_known=known)
    legs, _ = limbs_of(body, shape, found.joints, facing)
    roots = [j for j, parent in enumerate(body.parents) if parent < 0]
    root = body.chain(found.joints["hips"])[0] if "hips" in found.joints else max(roots, key=body.counts.__getitem__)
    names = [joint.name for joint in body.definitions]
    feet = {role: names.index(joint) for role, joint in foot_roles(legs).items()}
    forward = evident_forward(body, shape, found.joints, sides_known=known)
    return Parts(found, {**found.joints, "root": root, **feet}, forward, body, shape.elsewhere)


def search(body: Body, shape: Shape | None = None) -> Found:
    """All roles that can be found. shape: the body's, None to find it here."""
    if hand := hand_of(body):
        return of_hand(hand)
    found, agreeing = Found(), agreement(body)
    found.add(stated(body), STATED)
    shape = shape or shape_of(body)
    body = _without_others(body, shape)
    if len(shape.legs) == 1:
        body = by_row(body)
    elif shape.legs:
        body = _of_hind_legs(body, shape)
    if shape.pairs and across_of(body) is None:
        body, found.sides_known = _sided_by_place(body, shape), False
    named = named_roles(body)
    shaped = _shaped(body, shape)
    for limb in (LEG, ARM):
        for side in "lr":
            _add_limb(body, found, limb, side, named, shaped)
    _add_rest(body, found, named)
    _add_trunk(body, shape, found)
    if agreeing < _WELL_AGREEING_SHARE or are_off(body, named, shaped):
        found.doubt([role for role, joint in found.joints.items() if joint not in stated(body).values()], DOUBTED)
    doubt_uneven(body, found)
    check_sides(body, shape, found)
    return found


# One limb: by names alone, by shape alone, and the choice between them.


def _add_limb(
    body: Body, found: Found, limb: tuple[str, ...], side: str, named: Mapping[str, int], shaped: Mapping[str, int]
) -> None:
    """Add the roles of one limb: by names where they fit the body, else by shape."""
    by_name = {part: named[f"{part}_{side}"] for part in limb if f"{part}_{side}" in named}
    by_shape = {part: shaped[f"{part}_{side}"] for part in limb if f"{part}_{side}" in shaped}
    core = _CORE[limb]
    loose = by_name and _hanging_loose(body, core, by_name)
    if set(core) <= {*by_name} and (loose or _fits(body, [by_name[part] for part in core])):
        telling = all(body.said_of(by_name[part]) & _OWN_WORDS[part] for part in core)
        sure = _sureness(body, core, by_name, by_shape, telling=telling)
        chosen = by_name
        sure = PARTLY if loose and telling else sure
        if not telling and sure < PARTLY and _fits_shape(body, core, by_shape):
            chosen, sure = by_shape, DOUBTED
        found.add({f"{part}_{side}": joint for part, joint in chosen.items()}, sure)
        toes = by_shape.get("toes")
        if toes is not None and _is_same(body, core, by_name, by_shape) and not body.said_of(toes):
            found.add({f"toes_{side}": toes}, SHAPED)
    elif core[2] not in by_name and _ends_named(body, core, by_name):
        found.add({f"{part}_{side}": joint for part, joint in by_name.items()}, NAMED)
    elif set(core[:2]) <= {*by_shape} and (len({*core} & {*by_name}) < 2 or _fits_shape(body, core, by_shape)):
        told = all(_says(body, joint, part, side) for part, joint in by_shape.items() if part in core)
        against = any(body.words[joint].part and not _says(body, joint, part, side) for part, joint in by_shape.items())
        sure = PARTLY if told else GUESSED if against else SHAPED
        found.add({f"{part}_{side}": joint for part, joint in by_shape.items()}, sure)
        end = by_name.get(core[2])
        if core[2] not in by_shape and end is not None and body.is_above(by_shape[core[1]], end):
            found.add({f"{core[2]}_{side}": end}, DOUBTED)
    else:
        _add_pieces(body, found, limb, side, by_name)


def _ends_named(body: Body, core: tuple[str, ...], by_name: Mapping[str, int]) -> bool:
    """Whether unambiguous names give both bones of a limb that has no joint for its hand or foot."""
    if not all(part in by_name and body.said_of(by_name[part]) & _OWN_WORDS[part] for part in core[:2]):
        return False
    upper, lower = (by_name[part] for part in core[:2])
    far = body.distance(upper, lower) > 0.02 * body.size
    bare = not len(body.tips[lower]) and not any(body.bodily[joint] for joint in body.below(lower) if joint != lower)
    return body.is_above(upper, lower) and far and (bare or ends_at_wrist(body, upper, lower, 1 / _MAX_BONE_RATIO))


def _add_pieces(body: Body, found: Found, limb: tuple[str, ...], side: str, by_name: Mapping[str, int]) -> None:
    """Add the named parts of an incomplete limb, with less confidence if they are not below the part before."""
    last, upper = None, by_name.get("upper_arm")
    blade = upper is not None and "lower_arm" not in by_name and "shoulder" in body.said_of(upper)  # of an animal
    for part in limb:
        if part in by_name:
            joint = by_name[part]
            hangs = last is None or (body.is_above(last, joint) and body.distance(last, joint) > 0.01 * body.size)
            found.add({f"{part}_{side}": joint}, NAMED if hangs and not blade else GUESSED)
            last = joint if hangs else last


_MAX_BONE_RATIO = 4.0  # between the two bones of a limb
_MAX_REACH_BEYOND = 1.6  # of both bones: largest extent of a hand or a foot


def _fits(body: Body, joints: list[int]) -> bool:
    """Whether hip, knee and ankle, or shoulder, elbow and wrist, form a chain with the two bones of a limb."""
    upper, middle, end = joints
    if not (body.is_above(upper, middle) and body.is_above(middle, end)):
        return False
    a, b = body.distance(upper, middle), body.distance(middle, end)
    beyond = max(body.distance(end, joint) for joint in body.below(end))
    return 0.02 * body.size < max(a, b) < _MAX_BONE_RATIO * min(a, b) and beyond < _MAX_REACH_BEYOND * (a + b)


def _fits_shape(body: Body, core: tuple[str, ...], by_shape: Mapping[str, int]) -> bool:
    return set(core) <= {*by_shape} and _fits(body, [by_shape[part] for part in core])


def _hanging_loose(body: Body, core: tuple[str, ...], by_name: Mapping[str, int]) -> bool:
    """Whether the named foot or hand has another parent, but is where the shin or forearm would end."""
    if not set(core) <= {*by_name}:
        return False
    upper, middle, end = (by_name[part] for part in core)
    if not body.is_above(upper, middle) or body.is_above(upper, end) or body.uses[end][0] != "deforming":
        return False
    going_on = [joint for joint in body.below(middle) if body.bodily[joint] and joint != middle]
    near = all(body.distance(joint, end) < 0.1 * body.distance(middle, end) + 0.01 * body.size for joint in going_on)
    a, b = body.distance(upper, middle), body.distance(middle, end)
    light = max(body.distance(end, joint) for joint in body.below(end)) < _MAX_REACH_BEYOND * (a + b)
    low = core != _CORE[LEG] or body.heights[end] < body.heights[middle]
    return near and light and low and max(a, b) < _MAX_BONE_RATIO * min(a, b)


def _sureness(
    body: Body, core: tuple[str, ...], by_name: Mapping[str, int], by_shape: Mapping[str, int], *, telling: bool
) -> float:
    """The confidence of a limb whose names fit: by whether each name is unambiguous, and whether shape agrees."""
    if _is_same(body, core, by_name, by_shape):
        return AGREED if telling else PARTLY
    if not telling or not by_shape:
        return NAMED if telling else DOUBTED
    own, other = by_name[core[2]], by_shape.get(core[2], -1)
    in_line = other >= 0 and (body.is_above(own, other) or body.is_above(other, own))
    return PARTLY if in_line and _is_same(body, core[:2], by_name, by_shape) else DOUBTED


_OWN_WORDS = {
    "upper_leg": {"upper_leg", "hips"}, "lower_leg": {"lower_leg", "leg"}, "foot": {"foot", "ankle"},
    "upper_arm": {"upper_arm", "shoulder", "arm"}, "lower_arm": {"lower_arm", "elbow"},
    "hand": {"hand", "wrist", "palm"}, "shoulder": {"shoulder", "clavicle"}, "toes": {"toes"},
}  # fmt: skip
_ALSO = {
    "upper_leg": {"leg"}, "foot": {"leg"}, "toes": {"leg", "foot"}, "shoulder": {"arm"}, "lower_arm": {"arm"},
    "hand": {"arm"},
}  # fmt: skip


def _says(body: Body, joint: int, part: str, side: str) -> bool:
    """Whether the name of `joint` agrees with `part` on `side`, or at least with its limb."""
    word = body.words[joint]
    return word.side in ("", side) and bool(body.said_of(joint) & (_OWN_WORDS[part] | _ALSO.get(part, set())))


def _is_same(body: Body, core: tuple[str, ...], by_name: Mapping[str, int], by_shape: Mapping[str, int]) -> bool:
    """Whether shape finds the same middle and end of a limb."""
    return all(
        part in by_shape and body.distance(by_name[part], by_shape[part]) < 2 * SAME_PLACE * body.size
        for part in core[1:]
    )


# Shape alone.


def _shaped(body: Body, shape: Shape) -> dict[str, int]:
    """Legs and arms by shape: whole limbs of a biped only."""
    if len(shape.legs) > 1:
        return {}
    others = [pair for pair in shape.others if _reach(body, pair) > 0.15 * body.size and _is_up(body, shape, pair)]
    others = [pair for pair in others if not _are_fingers(body, pair)]
    arms = max(others, key=lambda pair: _reach(body, pair), default=None)
    found: dict[str, int] = {}
    for pair, limb in ((shape.legs[0] if shape.legs else None, LEG), (arms, ARM)):
        roles = _sides(body, shape, pair, limb) if pair else {}
        if all(f"{role}_{side}" in roles for role in limb[1:2] for side in "lr"):
            found |= roles
    return found


def _is_up(body: Body, shape: Shape, pair: Pair) -> bool:
    """Whether a pair leaves the body above the knees: joints on the ground are a rig's handles, not arms."""
    if not shape.legs:
        return True
    leg = shape.legs[0]
    return body.heights[pair.first] - body.lowest[leg.first] > 0.5 * (body.heights[leg.first] - body.lowest[leg.first])


def _are_fingers(body: Body, pair: Pair) -> bool:
    """Whether names show that a pair is two fingers of a single hand."""
    return all(body.words[joint].part in HAND_WORDS for joint in (pair.first, pair.second))


def _reach(body: Body, pair: Pair) -> float:
    line = line_of(body, pair.first)
    return sum(body.distance(a, b) for a, b in pairwise(line))


def _sides(body: Body, shape: Shape, pair: Pair, limb: tuple[str, ...]) -> dict[str, int]:
    """The roles of both limbs of a pair; if no name gives the sides, the first is left until the facing is known."""
    found: dict[str, int] = {}
    across = across_of(body)
    swapped = across is not None and across @ shape.lateral < 0
    for side, joint in zip("rl" if swapped else "lr", (pair.first, pair.second), strict=True):
        roles = leg_roles(body, shape, joint) if limb is LEG else arm_roles(body, shape, joint)
        found |= {f"{role}_{side}": one for role, one in roles.items()}
    return found


# Head, face, fingers and trunk.


def _add_rest(body: Body, found: Found, named: Mapping[str, int]) -> None:
    """Head, face and fingers, with more confidence if they have the expected parents."""
    for role, joint in named.items():
        kind = role.split("_")[0]
        if kind in FINGERS:
            hand = found.joints.get(f"hand_{role[-1]}")
            sure = DOUBTED if hand is None else NAMED if _belongs(body, hand, joint) else GUESSED
            sure = min(sure, DOUBTED) if has_many_hinges(body, kind, role[-1]) else sure
        elif kind == "head" and _is_handle(body, joint):
            continue
        elif kind in ("head", "jaw", "eye"):
            limbs = [found.joints.get(f"{part}_{side}") for part in ("upper_arm", "upper_leg") for side in "lr"]
            inside = any(limb is not None and (limb == joint or body.is_above(limb, joint)) for limb in limbs)
            doubted = not body.bodily[joint] if kind == "head" else "head" not in named  # grippers have jaws as well
            sure = GUESSED if inside else DOUBTED if doubted else NAMED
        else:
            continue
        found.add({role: joint}, sure)


def _is_handle(body: Body, joint: int) -> bool:
    """Whether a figure with a skin has none on this joint or below it."""
    is_skinned = body.seen.weights is not None and bool(body.seen.weights.sum() > 0)
    return is_skinned and not any(body.bodily[one] for one in body.below(joint))


def _belongs(body: Body, hand: int, finger: int) -> bool:
    """Whether a finger is below the hand, or below the bones of its palm, which may be beside the hand."""
    return body.is_above(hand, finger) or (body.parents[hand] >= 0 and body.is_above(body.parents[hand], finger))


_TRUNK_WORDS = {
    "hips": ("hips",), "spine": ("spine", "chest"), "chest": ("spine", "chest", "shoulder"),
    "upper_chest": ("spine", "chest", "shoulder"), "neck": ("neck", "head"), "head": ("head", "neck"),
}  # fmt: skip


def _add_trunk(body: Body, shape: Shape, found: Found) -> None:
    named_hips = [j for j, word in enumerate(body.words) if word.part == "hips" and not word.side and body.bodily[j]]
    legs = [found.confidence.get(f"upper_leg_{side}", 0.0) for side in "lr"]
    sure_legs = min(legs) > DOUBTED  # the confidence of a trunk without telling names is at most that of its legs
    beast = len(shape.legs) > 1 and any(word.part and word.part not in FINGERS for word in body.words)
    for role, joint in trunk_roles(body, _animal_limbs(body, shape, found) or found.joints).items():
        said = body.said_of(joint)
        agreed = bool(said & {*_TRUNK_WORDS.get(role, ())})
        against = named_hips if role == "hips" else said
        if role in ("neck", "head") and said <= {"spine"}:  # the last of a numbered spine
            against = set()
        sided = body.words[joint].side != ""
        guessed = role in ("neck", "head") and (sided or len(shape.legs) > 1)  # the highest part may be one more leg
        neutral = PARTLY if (sure_legs or (beast and role == "hips")) and not guessed else SHAPED
        sure = NAMED if agreed else DOUBTED if against else neutral
        found.add({role: joint}, sure)


def _animal_limbs(body: Body, shape: Shape, found: Found) -> dict[str, int]:
    """The first and the last legs of an animal as arms and legs, for the trunk between them."""
    if len(shape.legs) < 2 or "upper_leg_l" in found.joints:
        return {}
    forward = forward_of(body, shape, found.joints, sides_known=found.sides_known)
    order = _from_behind(body, shape, forward)
    limbs = {"upper_leg_l": order[0].first, "upper_leg_r": order[0].second}
    if order[-1].parent != order[0].parent:
        limbs |= {"upper_arm_l": order[-1].first, "upper_arm_r": order[-1].second}
    return limbs | {role: joint for role, joint in found.joints.items() if role == "head"}


def _without_others(body: Body, shape: Shape) -> Body:
    """The body without the names of further figures in its file."""
    if not shape.elsewhere:
        return body
    words = tuple(Word() if joint in shape.elsewhere else word for joint, word in enumerate(body.words))
    aliases = tuple(() if joint in shape.elsewhere else own for joint, own in enumerate(body.aliases))
    return replace(body, words=words, aliases=aliases)


def _of_hind_legs(body: Body, shape: Shape) -> Body:
    """The body without the names of an animal's legs, except for the last pair, which has the roles of legs."""
    order = _from_behind(body, shape, forward_of(body, shape, {}, sides_known=True))
    ahead = {joint for pair in order[1:] for one in (pair.first, pair.second) for joint in body.below(one)}
    words, aliases = list(body.words), list(body.aliases)
    for joint in ahead:
        words[joint] = replace(words[joint], part="") if words[joint].part in LEG_WORDS else words[joint]
        aliases[joint] = tuple(one for one in aliases[joint] if one.part not in LEG_WORDS)
    return replace(body, words=tuple(words), aliases=tuple(aliases))


def _from_behind(body: Body, shape: Shape, forward: Array) -> list[Pair]:
    """The pairs of legs, the last first."""
    return sorted(
        shape.legs, key=lambda pair: float((body.positions[pair.first] + body.positions[pair.second]) @ forward)
    )


# Left and right.


def _sided_by_place(body: Body, shape: Shape) -> Body:
    """The body with sides derived from positions, for names that give parts but not sides."""
    middle = float(np.median(body.positions @ shape.lateral))
    unsided = {*TRUNK, *(HAND_WORDS if is_one_hand(body) else ())}
    words = tuple(
        replace(word, side="l" if offset > 0 else "r")
        if word.part and word.part not in unsided and not word.side and abs(offset) > 0.01 * body.size
        else word
        for word, offset in zip(body.words, body.positions @ shape.lateral - middle, strict=True)
    )
    return replace(body, words=words)
