"""The confidence of a role: stated, confirmed by names and shape, or doubted because of its sides or neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from posable.skeleton.body_roles.limbs import custom_forward, evident_forward, forward_of, hinted_forward
from posable.skeleton.body_roles.lone_hand import Hand
from posable.skeleton.body_roles.shape import Shape
from posable.skeleton.body_roles.skeleton_facts import SAME_PLACE, Body

LEG, ARM = ("upper_leg", "lower_leg", "foot", "toes"), ("shoulder", "upper_arm", "lower_arm", "hand")
_LEAST_STATED = 15  # VRM requires 15 bones: fewer standard names are coincidence

STATED = AGREED = 1.0
NAMED = 0.95  # names that fit the body, where shape finds another joint or none
PARTLY = 0.9  # shape, where names give the limb but not the joint
DOUBTED = 0.75  # one observation contradicts it
SHAPED = 0.7  # shape alone
GUESSED = 0.5  # a name against the hierarchy


@dataclass
class Found:
    """Role → joint with its confidence. sided: whether left and right are known, not guessed from the facing."""

    joints: dict[str, int] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)
    sides_known: bool = True

    def add(self, roles: Mapping[str, int], sure: float) -> None:
        """Add missing roles, each joint for one role."""
        for role, joint in roles.items():
            if role not in self.joints and joint not in self.joints.values():
                self.joints[role] = joint
                self.confidence[role] = sure

    def doubt(self, roles: Iterable[str], sure: float) -> None:
        """Limit the confidence of these to `sure`."""
        for role in roles:
            if role in self.confidence:
                self.confidence[role] = min(sure, self.confidence[role])

    def swap_sides(self) -> None:
        """Exchange left and right."""
        swap = {role: f"{role[:-1]}{'r' if role[-1] == 'l' else 'l'}" for role in self.joints if role[-2:] in _ENDINGS}
        self.joints = {swap.get(role, role): joint for role, joint in self.joints.items()}
        self.confidence = {swap.get(role, role): sure for role, sure in self.confidence.items()}


_ENDINGS = ("_l", "_r")


def stated(body: Body) -> dict[str, int]:
    """The table of a VRM, whose standard names are aliases of the joints."""
    stated = {}
    for i, joint in enumerate(body.definitions):
        for alias in joint.aliases:
            role = _role_of_standard_name(alias)
            if role:
                stated.setdefault(role, i)
    return stated if len(stated) >= _LEAST_STATED else {}


_SIDE_BY = {"name and shape": AGREED, "name": NAMED, "limits": PARTLY, "bend": DOUBTED, "name against shape": DOUBTED}


def of_hand(hand: Hand) -> Found:
    """The roles of a single hand, with the confidence of its fingers and its side."""
    found, sure = Found(), (AGREED if hand.in_row else NAMED) if hand.is_named else SHAPED
    found.add(hand.joints, min(sure, _SIDE_BY.get(hand.side_by, GUESSED)))
    return found


def _role_of_standard_name(alias: str) -> str:
    """ "leftUpperLeg" → "upper_leg_l"; fingers and others are left to the names."""
    side = "l" if alias.startswith("left") else "r" if alias.startswith("right") else ""
    bare = alias.removeprefix("left").removeprefix("right")
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in bare).strip("_")
    trunk = ("hips", "spine", "chest", "upper_chest", "neck", "head", "jaw")
    if side and snake in (*LEG, *ARM, "eye"):
        return f"{snake}_{side}"
    return snake if not side and snake in trunk else ""


def are_off(body: Body, named: Mapping[str, int], shaped: Mapping[str, int]) -> bool:
    """Whether most limbs have their names on other joints than shape finds, as if the names were shifted by one."""
    same = other = 0
    for role in ("lower_leg_l", "lower_leg_r", "lower_arm_l", "lower_arm_r"):
        if role in named and role in shaped:
            near = body.distance(named[role], shaped[role]) < 2 * SAME_PLACE * body.size
            same, other = same + near, other + (not near)
    return other > same


# Left and right.


_LEAST_HINTS = 2  # of toes, face, knees and elbows
_UNEVEN_RATIO = 1.3  # of the longer to the shorter bone of a pair


def doubt_uneven(body: Body, found: Found) -> None:
    """Doubt parts that only one side has, and bones much longer on one side."""
    for limb in (LEG, ARM):
        for above, part in zip((limb[0], *limb), limb, strict=False):
            both = [f"{part}_l", f"{part}_r"]
            lengths = [
                body.distance(found.joints[f"{above}_{side}"], found.joints[role])
                for side, role in zip("lr", both, strict=True)
                if role in found.joints and f"{above}_{side}" in found.joints
            ]
            single = sum(role in found.joints for role in both) == 1
            if single or (len(lengths) == 2 and max(lengths) > _UNEVEN_RATIO * min(lengths) + SAME_PLACE * body.size):
                found.doubt([role for role in both if found.confidence.get(role, 0) < STATED or single], DOUBTED)


def check_sides(body: Body, shape: Shape, found: Found) -> None:
    """Swap left and right if shape alone set them and the figure faces backwards. Also swap them if names set them
    but toes, face and knees all indicate that it faces backwards, as in a mirrored file.
    """
    sided = [role for role in found.joints if role[-2:] in _ENDINGS]
    hinted, hints = hinted_forward(body, shape, found.joints)
    if not found.sides_known:
        forward = forward_of(body, shape, found.joints, sides_known=False)
        if np.cross(body.up, forward) @ shape.lateral < 0:
            found.swap_sides()
        found.doubt(sided, DOUBTED if len(hints) < _LEAST_HINTS else PARTLY)
        return
    evident = evident_forward(body, shape, found.joints, sides_known=True)
    if evident is None:
        return
    against = hinted is not None and evident @ hinted < -0.5 and hints != ["knees"]  # those of birds bend backwards
    if against and len(hints) >= _LEAST_HINTS:
        found.swap_sides()
        found.sides_known = False
        found.doubt(sided, PARTLY if body.seen.mirrored else SHAPED)
    elif against or (evident @ custom_forward(body) < -0.5 and (hinted is None or evident @ hinted < 0.5)):
        found.doubt([role for role in sided if found.confidence[role] < STATED or not stated(body)], DOUBTED)
