"""What rigs brought that nobody here had seen: words in another order, a hand alone, legs that are roots of their own,
a skin on a single joint, copies of legs.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from figures.detached_rigs import model
from figures.test_strange_rigs import ENGLISH, names_of, someone

import posable
from posable import Axis, Joint, Skeleton
from posable.cli.info import _limbs
from posable.errors import SkeletonError
from posable.figures.detached import find_detached
from posable.skeleton.body_roles.skeleton_facts import Seen
from posable.skeleton.body_roles.words import read_names

ORDERS = ("leg_upper leg_lower arm_upper arm_lower", "LegUpper LegLower ArmUpper ArmLower")
PARTS = ("UpperLeg", "LowerLeg", "UpperArm", "LowerArm")


@pytest.mark.parametrize("order", ORDERS)
def test_words_may_stand_in_either_order_beside_a_hip(order: str) -> None:
    """The hip was the thigh and the thigh the shin, 95 % sure."""
    words = dict(zip(PARTS, order.split(), strict=True))
    table = {f"{part}.{side}": f"{word}.{side}" for part, word in words.items() for side in "LR"}
    joints = []
    for joint in someone().definitions:
        parent = table.get(joint.parent or "", joint.parent)
        if joint.name.startswith("UpperLeg"):
            side = joint.name[-1]
            joints.append(Joint(f"hip.{side}", "free", None, (0.0, 1.15, 0.0)))
            out = 0.2 if side == "L" else -0.2
            joint, parent = replace(joint, position=(out, -0.2, 0.0)), f"hip.{side}"
        joints.append(replace(joint, name=table.get(joint.name, joint.name), parent=parent))
    found = posable.roles(Skeleton(joints))
    for role, part in (("upper_leg", 0), ("lower_leg", 1), ("upper_arm", 2), ("lower_arm", 3)):
        assert found[f"{role}_l"] == f"{order.split()[part]}.L"


@pytest.mark.parametrize(
    "names",
    ["hip_{row}_{side} knee_{row}_{side} toe_{row}_{side}", "coxa_T{n}_{side} tibia_T{n}_{side} foot_T{n}_{side}"],
)
def test_the_front_legs_of_an_animal_are_not_its_legs(names: str) -> None:
    """Those of a spider and a fly were, 95 % sure; the last are."""
    joints = [Joint("torso", "free", None, (0.0, 0.5, 0.0))]
    for n, row, ahead in ((1, "front", 0.4), (2, "back", -0.4)):
        for side, out in (("left", 0.2), ("right", -0.2)):
            parent, steps = "torso", ((out, 0.0, ahead), (out, 0.05, 0.0), (0.0, -0.5, 0.0))
            for name, step in zip(names.format(row=row, side=side, n=n).split(), steps, strict=True):
                joints.append(Joint(name, "ball", parent, step))
                parent = name
    found = posable.roles(Skeleton(joints))
    assert not any("front" in joint or "T1" in joint for joint in found.values())


def hand() -> Skeleton:
    joints = [Joint("arm", "free"), Joint("hand", "ball", "arm", (0.0, 0.0, -0.2))]
    for k, finger in enumerate(("index", "middle", "ring", "pinky")):
        steps = {"base": ("hand", (0.03 * (k - 1.5), 0, -0.1)), "mid": ("base", (0, 0, -0.04)),
                 "tip": ("mid", (0, 0, -0.03))}  # fmt: skip
        for part, (above, step) in steps.items():
            parent = above if above == "hand" else f"{finger}_{above}"
            joints.append(Joint(f"{finger}_{part}", "ball", parent, step))
    return Skeleton(joints)


def test_the_fingers_of_a_hand_alone_are_no_arms() -> None:
    """Index and ring finger were arms, and the middle bone of the ring finger the left middle finger."""
    assert dict(posable.roles(hand())) == {}


def test_the_middle_bone_of_a_finger_is_that_fingers() -> None:
    more = []
    for side, out in (("L", 1.0), ("R", -1.0)):
        for k, finger in enumerate(("index", "ring")):
            above = f"Hand.{side}"
            for part in ("base", "mid", "tip"):
                more.append(Joint(f"{finger}_{part}.{side}", "ball", above, (0.05 * out, 0.0, 0.02 * (1 - k))))
                above = more[-1].name
    found = posable.roles(someone(more=more))
    assert [found[f"{finger}_2_l"] for finger in ("index", "ring")] == ["index_mid.L", "ring_mid.L"]
    assert "middle_1_l" not in found


def test_copies_of_a_leg_that_move_no_skin_are_no_legs() -> None:
    """A person with a mechanism beside its bones had three rows of legs."""
    rig = someone()
    copied = {f"{part}.{side}": f"ORG-{part}.{side}" for part in ("UpperLeg", "LowerLeg", "Foot") for side in "LR"}
    copies = [
        replace(joint, name=copied[joint.name], parent=copied.get(joint.parent or "", joint.parent))
        for joint in rig.definitions
        if joint.name in copied
    ]
    whole = Skeleton([*rig.definitions, *copies])
    whole.notice(Seen(weights=np.array([float(not name.startswith("ORG-")) for name in whole.joints])))
    found = posable.roles(whole)
    assert [limb.name for limb in found.legs] == ["leg_l", "leg_r"]
    assert dict(found) == dict(posable.roles(rig))


def test_a_skin_on_one_joint_of_many_tells_nothing_of_the_others() -> None:
    """A hat alone, or weights that an exporter could not make: all other joints were helpers."""
    rig = someone()
    rig.notice(Seen(weights=np.array([float(name == "Head") for name in rig.joints])))
    assert dict(posable.roles(rig)) == dict(posable.roles(someone()))
    assert posable.joint_uses(rig).having("deforming") == posable.joint_uses(someone()).having("deforming")


def four_legged(moving: str) -> Skeleton:
    """Four legs, of which only the joints whose names begin with one of `moving` move the skin."""
    joints = [Joint("body", "free", None, (0, 0.8, 0)), Joint("head", "ball", "body", (0, 0.2, 0.6))]
    for row, ahead in (("front", 0.4), ("hind", -0.4)):
        for side, out in (("l", 0.15), ("r", -0.15)):
            above, step = "body", (out, -0.1, ahead)
            for part in ("a", "b", "c", "d"):
                joints.append(Joint(f"{row}_{side}_{part}", "ball", above, step))
                above, step = joints[-1].name, (0.0, -0.22, 0.0)
    skeleton = Skeleton(joints)
    skeleton.notice(Seen(weights=np.array([float(name.split("_")[-1] in moving.split()) for name in skeleton.joints])))
    return skeleton


def test_a_walk_refuses_legs_of_a_single_joint() -> None:
    """It ended in an IndexError."""
    figure = posable.Figure(four_legged("body head a"))
    with pytest.raises(SkeletonError, match=r"a walk needs legs that bend, and leg_\d_[lr] is \w+ alone.*roles"):
        posable.walk(figure)


def rooted_legs(folder: Path) -> posable.Figure:
    """A person whose thighs are roots of the file, as is its body."""
    made = model(())
    nodes = made.raw["nodes"]
    names = [node.get("name") for node in nodes]
    hips, root = names.index("Hips"), names.index("Root")
    thighs = [names.index(f"thigh.{side}") for side in "LR"]
    nodes[hips]["children"] = [child for child in nodes[hips]["children"] if child not in thighs]
    nodes[root]["children"].remove(hips)
    made.raw["scenes"][0]["nodes"] = [root, hips, *thighs, *made.raw["scenes"][0]["nodes"][1:]]
    world = {"Hips": (0.0, 1.0, 0.0), "thigh.L": (0.1, 0.95, 0.0), "thigh.R": (-0.1, 0.95, 0.0)}
    for name, at in world.items():
        nodes[names.index(name)]["translation"] = list(at)
    made.raw.pop("animations")
    made.raw["skins"][0].pop("inverseBindMatrices")
    return posable.load(made.glb(folder))


def test_legs_that_are_roots_of_their_own_follow_the_body(tmp_path: Path) -> None:
    """Such a figure had no hips and could not walk."""
    figure = rooted_legs(tmp_path)
    names, parents = figure.skeleton.joints, figure.skeleton.parents
    assert [names[parents[figure.skeleton.index(f"thigh.{side}")]] for side in "LR"] == ["Hips", "Hips"]
    assert any("are roots of their own in the file; here they follow Hips" in note for note in figure.notes)
    assert posable.roles(figure)["hips"] == "Hips"
    assert find_detached(figure) == {}
    clip = posable.walk(figure, steps=3)
    feet = clip.poses.origins[:, figure.skeleton.index("foot.L"), 2]
    assert np.ptp(feet) > 0.3


def test_a_hand_beside_its_arm_has_no_reach_to_tell() -> None:
    """`posable info` ended in a ValueError; the other hand is told as before."""
    figure = posable.Figure(someone({"Hand.L": "Hips"}))
    assert posable.roles(figure)["hand_l"] == "Hand.L"
    assert {limb["limb"] for limb in _limbs(figure)} == {"right hand", "right foot", "left foot"}


def test_an_english_person_is_as_before() -> None:
    assert posable.roles(someone())["upper_leg_l"] == names_of(*ENGLISH)["leftUpperLeg"]


def test_a_face_that_begins_where_its_head_does_is_not_the_head() -> None:
    """Rigify's face stands on the last bone of the spine: the skull stayed behind, 90 % sure."""
    named = {"Head": "spine.006"}
    joints = [replace(joint, name=named.get(joint.name, joint.name)) for joint in someone().definitions]
    face = [Joint("face", "ball", "spine.006"), Joint("nose", "ball", "face", (0.0, 0.08, 0.12))]
    found = posable.roles(Skeleton([*joints, *face, Joint("chin", "ball", "face", (0.0, 0.02, 0.1))]))
    assert (found["head"], found["neck"]) == ("spine.006", "Neck")


def test_a_jaw_alone_on_its_head_is_not_the_head() -> None:
    joints = [replace(joint, name=joint.name.replace("Head", "spine.006")) for joint in someone().definitions]
    assert (
        posable.roles(Skeleton([*joints, Joint("jaw", "ball", "spine.006", (0.0, 0.02, 0.1))]))["head"] == "spine.006"
    )


def test_a_shoulder_without_an_arm_is_no_arm_for_sure() -> None:
    """The shoulder blade of a four-legged animal was its upper arm, 95 % sure."""
    kept = [joint for joint in someone().definitions if "Arm" not in joint.name and "Hand" not in joint.name]
    blades = [Joint(f"Shoulder.{side}", "ball", "Chest", (x, 0.1, 0.0)) for side, x in (("L", 0.1), ("R", -0.1))]
    joints = [joint for joint in kept if not joint.name.startswith("Shoulder")]
    found = posable.roles(Skeleton([*joints, *blades]))
    assert max(found.confidence.get(f"upper_arm_{side}", 0.0) for side in "lr") <= 0.5


def test_bones_that_share_a_twist_are_not_the_arm_nor_hide_the_neck() -> None:
    """As Character Creator writes them. The collar bone was the upper arm, the forearm the hand, and no neck was found.

    A bone beside each joint, to smooth it, has the joint's name ("ElbowShareBone"), twist bones end at the forearm like
    fingers at a palm, and the neck is twist bones alone.
    """
    table = {
        "UpperArm": "Upperarm", "LowerArm": "Forearm", "Shoulder": "Clavicle", "UpperLeg": "Thigh",
        "LowerLeg": "Calf", "Toes": "ToeBase",
    }  # fmt: skip
    names = {"Hips": "CC_Base_Hip", "Spine": "CC_Base_Waist", "Chest": "CC_Base_Spine01", "Neck": "CC_Base_NeckTwist01"}
    new = {}
    for joint in someone().definitions:
        part, _, side = joint.name.partition(".")
        new[joint.name] = f"CC_Base_{side}_{table.get(part, part)}" if side else names.get(part, f"CC_Base_{part}")
    joints = [
        replace(joint, name=new[joint.name], parent=joint.parent and new[joint.parent])
        for joint in someone().definitions
    ]
    at = dict(zip((joint.name for joint in joints), joints, strict=True))
    for side in "LR":
        for bone, below in (("Upperarm", "Forearm"), ("Forearm", "Hand"), ("Thigh", "Calf"), ("Calf", "Foot")):
            step = np.array(at[f"CC_Base_{side}_{below}"].position)
            for number, share in (("01", 0.3), ("02", 0.7)):
                name = f"CC_Base_{side}_{bone}Twist{number}"
                joints.append(Joint(name, "ball", f"CC_Base_{side}_{bone}", tuple((share * step).tolist())))
        for bone, smoothed in (("Forearm", "Elbow"), ("Calf", "Knee"), ("Foot", "ToeBase")):
            joints.append(Joint(f"CC_Base_{side}_{smoothed}ShareBone", "ball", f"CC_Base_{side}_{bone}"))
    figure = Skeleton(joints)
    found, uses = posable.roles(figure), posable.joint_uses(figure)
    right = {"neck": "CC_Base_NeckTwist01"}
    for side in "LR":
        for role, part in (
            ("shoulder", "Clavicle"), ("upper_arm", "Upperarm"), ("lower_arm", "Forearm"), ("hand", "Hand"),
            ("upper_leg", "Thigh"), ("lower_leg", "Calf"), ("foot", "Foot"), ("toes", "ToeBase"),
        ):  # fmt: skip
            right[f"{role}_{side.lower()}"] = f"CC_Base_{side}_{part}"
    assert {role: found.get(role) for role in right} == right
    assert all(found.confidence[role] == (0.95 if role == "neck" else 1.0) for role in right)
    assert uses["CC_Base_NeckTwist01"] == "deforming"
    assert uses["CC_Base_L_UpperarmTwist01"] == uses["CC_Base_L_ElbowShareBone"] == "twist"


def test_the_coxa_of_an_insect_carries_its_thigh() -> None:
    """A fly's coxae were thighs and its tibiae shins, for sure."""
    joints = [Joint("thorax", "free", position=(0, 1, 0))]
    for row, ahead in enumerate((0.6, 0.0, -0.6)):
        for side, out in (("left", 1.0), ("right", -1.0)):
            above = "thorax"
            for part, at in (
                ("coxa", (0.4 * out, 0, ahead)), ("femur", (0.3 * out, 0, 0)), ("tibia", (0.8 * out, 0.5, 0)),
                ("tarsus", (0.6 * out, -1.5, 0)),
            ):  # fmt: skip
                joints.append(Joint(f"{part}_T{row + 1}_{side}", "ball", above, at))
                above = joints[-1].name
    found = posable.roles(Skeleton(joints))
    assert (found["upper_leg_l"], found["lower_leg_l"]) == ("femur_T3_left", "tibia_T3_left")


@pytest.mark.parametrize(("first", "foot", "thigh"), [(0.4, 0.1, "a"), (0.06, 0.4, "b")])
def test_a_leg_of_three_hinges_ends_in_an_ankle_or_in_a_point(first: float, foot: float, thigh: str) -> None:
    """The third hinge is an ankle where the bones before it are alike and what is below is short; a cheetah's shins
    were thighs.
    """
    joints = [Joint("base", "free", position=(0, 0, 1))]
    for side, out in (("1", 0.1), ("2", -0.1)):
        above = "base"
        for part, at in (("a", (0, out, 0)), ("b", (0, 0, -first)), ("c", (0, 0, -0.4))):
            joints.append(Joint(f"{part}{side}", parent=above, position=at, axes=(Axis((0, 1, 0)),)))
            above = joints[-1].name
        joints[-1] = replace(joints[-1], tips=((0.05, 0, -foot),))
    found = posable.roles(Skeleton(joints, "z"))
    names = [found.get(role, "")[:1] for role in ("upper_leg_l", "lower_leg_l", "foot_l")]
    assert names == (["a", "b", "c"] if thigh == "a" else ["b", "c", ""])


DUTCH = {
    "hips": "bekken", "upper_leg": "bovenbeen links", "lower_leg": "onderbeen links", "foot": "voet links",
    "upper_arm": "bovenarm links", "lower_arm": "onderarm links", "hand": "hand links", "head": "hoofd",
}  # fmt: skip
POLISH = {
    "hips": "miednica", "upper_leg": "lewe udo", "lower_leg": "lewa lydka", "foot": "lewa stopa",
    "upper_arm": "lewe ramie", "lower_arm": "lewe przedramie", "hand": "lewa dlon", "head": "glowa",
}  # fmt: skip
KOREAN = {
    "hips": "골반", "upper_leg": "왼쪽허벅지", "lower_leg": "왼쪽종아리", "foot": "왼발", "ankle": "왼쪽발목",
    "upper_arm": "왼쪽위팔", "lower_arm": "왼쪽아래팔", "hand": "왼손", "wrist": "왼손목", "head": "머리",
}  # fmt: skip


@pytest.mark.parametrize("language", [DUTCH, POLISH, KOREAN])
def test_words_of_further_languages(language: dict[str, str]) -> None:
    words = read_names(list(language.values()) + [one.replace("왼", "오른") for one in language.values()])
    for (part, name), word in zip(language.items(), words, strict=False):
        assert word.part == part, name
        assert word.side == ("" if part in ("hips", "head") else "l"), name
