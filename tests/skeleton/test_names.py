"""Names as people and programs write them."""

from __future__ import annotations

import pytest

from posable.errors import UnknownJointError
from posable.skeleton import Joint, Skeleton, find_joint, name_key


@pytest.mark.parametrize(
    ("key", "names"),
    [
        (
            ("hand", "right"),
            (
                "hand.R", "hand_r", "hand.r", "HandR", "RightHand", "right_hand", "R_Hand", "RHand", "r-hand",
                "hand right",
                "mixamorig:RightHand", "mixamorig1:RightHand", "mixamorig_RightHand", "Bip01 R Hand", "Bip001 R Hand",
                "bip01_r_hand", "CC_Base_R_Hand", "J_Bip_R_Hand", "DEF-hand.R", "Armature|RightHand", "jnt_hand_R",
                "HAND_R",
            ),
        ),
        (("handthumb1", "left"), ("LeftHandThumb1", "hand_thumb_01_l", "hand.thumb.1.L", "x:LeftHandThumb1")),
        (("spine2",), ("Spine2", "spine_02", "mixamorig:Spine2", "spine 2", "Bip01 Spine2")),
        (("upperarm", "left"), ("upper_arm.L", "LeftUpperArm", "upperarm_l", "UpperArm_L")),
        (("joint",), ("joint", "Joint")),
        (("1",), ("joint_1", "joint1", "Bone.001")),
        (("左手",), ("左手",)),
        (("手", "right"), ("手.R", "手_r")),
        ((), ("", "___", ":")),
    ],
)  # fmt: skip
def test_names_that_say_the_same(key: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert {name: name_key(name) for name in names} == dict.fromkeys(names, key)


SKELETON = Skeleton(
    [
        Joint("Hips", "free"),
        Joint("LeftHand", "ball", "Hips", aliases=("palm_link",)),
        Joint("RightHand", "ball", "Hips"),
        Joint("Tail.001", "ball", "Hips"),
        Joint("tail_1", "ball", "Hips", aliases=("palm_link", "Hips")),
    ]
)


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("Hips", 0),
        ("hips", 0),
        ("hand.L", 1),
        ("palm_link", 1),
        ("PalmLink", 1),
        ("r_hand", 2),
        ("Tail.001", 3),
        ("tail_1", 4),
    ],
)
def test_found(name: str, index: int) -> None:
    assert SKELETON.index(name) == index
    assert find_joint(name, SKELETON.joints, SKELETON.aliases) == index


def test_names_that_could_be_two_list_both() -> None:
    with pytest.raises(
        UnknownJointError, match=r"'Tail1'; it matches Tail\.001, tail_1; write one of them in full"
    ) as e:
        SKELETON.index("Tail1")
    assert e.value.clashing == e.value.near == ("Tail.001", "tail_1")
    assert e.value.name == "Tail1"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Hand", "no joint is called 'Hand'; did you mean LeftHand or RightHand"),
        ("LeftHnd", "did you mean LeftHand"),
        ("xyzzy", "; the joints are Hips, LeftHand, RightHand, Tail.001, tail_1, palm_link$"),
        ("腕", "no joint is called '腕'; the joints are Hips"),
        ("", "no joint is called ''; the joints are Hips"),
    ],
)
def test_unknown_names_list_the_near_ones(name: str, message: str) -> None:
    with pytest.raises(UnknownJointError, match=message):
        SKELETON.index(name)


def test_one_name_without_letters_does_not_answer_for_another() -> None:
    skeleton = Skeleton([Joint("___", "fixed")])
    assert skeleton.index("___") == 0
    with pytest.raises(UnknownJointError, match="no joint is called ':'"):
        skeleton.index(":")
