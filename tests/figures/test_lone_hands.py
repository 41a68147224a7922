"""Figures that are a hand alone: robots' hands, hands that are tracked, hands of no names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from figures.test_strange_rigs import someone

import posable
from posable import Axis, Joint, Skeleton

FINGERS = ("index", "middle", "ring", "little")
BENT = (0.0, 1.6)  # the limits of a finger's hinge, radians


def hinge(name: str, parent: str, step: tuple[float, float, float], axis: str = "x") -> Joint:
    lower, upper = BENT if axis == "x" else (-0.3, 0.3)
    direction = (1.0, 0.0, 0.0) if axis == "x" else (0.0, 1.0, 0.0)
    return Joint(name, "hinge", parent, step, axes=(Axis(direction, lower=lower, upper=upper),))


def robot_hand(names: dict[str, str], out: float = 1.0, numbered: bool = False) -> Skeleton:
    """A hand that points along z and closes towards -y, fixed to a forearm; out: a right one's thumb is at +x."""
    joints = [Joint("forearm", "fixed"), hinge("wrist", "forearm", (0, 0, 0.2)), hinge("palm", "wrist", (0, 0, 0.03))]
    for k, finger in enumerate(FINGERS):
        above, steps = "palm", ((out * 0.02 * (1.5 - k), 0, 0.1), (0, 0, 0), (0, 0, 0.045), (0, 0, 0.025))
        for part, step in zip(("knuckle", "proximal", "middle", "distal"), steps, strict=True):
            joints.append(hinge(f"{names[finger]}{part}", above, step, "y" if part == "knuckle" else "x"))
            above = joints[-1].name
    above = "palm"
    for part, step in (("base", 0.035), ("proximal", 0.0), ("hub", 0.04), ("middle", 0.0), ("distal", 0.03)):
        at = (out * step, 0.0, 0.6 * step)
        joints.append(hinge(f"{names['thumb']}{part}", above, at))
        above = joints[-1].name
    if numbered:
        new = {joint.name: f"joint_{k}" for k, joint in enumerate(joints)}
        joints = [replace(j, name=new[j.name], parent=new.get(j.parent or "")) for j in joints]
    return Skeleton(joints)


LETTERS = {"index": "FF", "middle": "MF", "ring": "RF", "little": "LF", "thumb": "TH"}


def test_two_letters_name_the_fingers_of_a_robots_hand() -> None:
    """Two fingers were arms, and the rest nothing; RF was a right front leg."""
    found = posable.roles(robot_hand({finger: letters.lower() for finger, letters in LETTERS.items()}))
    assert found["lower_arm_r"] == "forearm" and found["hand_r"] == "palm"
    assert [found[f"{finger}_1_r"] for finger in FINGERS] == [f"{x}fproximal" for x in "fmrl"]
    assert [found[f"thumb_{k}_r"] for k in (1, 2, 3)] == ["thproximal", "thmiddle", "thdistal"]
    assert not found.legs and not found.arms
    assert min(found.confidence.values()) >= posable.Roles.SURE


@pytest.mark.parametrize(("out", "side"), [(1.0, "r"), (-1.0, "l")])
def test_a_hand_of_numbers_is_found_by_its_shape_and_its_side_by_the_limits(out: float, side: str) -> None:
    """Fingers were arms. Shape alone is worth a question."""
    names = {finger: finger for finger in (*FINGERS, "thumb")}
    named, found = robot_hand(names, out), posable.roles(robot_hand(names, out, numbered=True))
    for finger in FINGERS:
        at = [named.joints.index(f"{finger}{part}") for part in ("proximal", "middle", "distal")]
        assert [found[f"{finger}_{k}_{side}"] for k in (1, 2, 3)] == [f"joint_{k}" for k in at]
    assert found[f"hand_{side}"] == "joint_2"
    assert set(found.confidence.values()) == {0.7}


def test_a_side_that_names_say_against_the_shape_is_doubted() -> None:
    names = {finger: f"right_{finger}_" for finger in (*FINGERS, "thumb")}
    found = {out: posable.roles(robot_hand(names, out)) for out in (1.0, -1.0)}
    assert [set(one.confidence.values()) for one in found.values()] == [{1.0}, {0.75}]
    assert all("index_1_r" in one and "index_1_l" not in one for one in found.values())


def tracked(out: float) -> posable.Figure:
    """The joints of a hand as browsers name them, none of which hangs on another."""
    joints = [Joint("Armature", "free"), Joint("wrist", "free", "Armature")]
    for k, finger in enumerate(("index", "middle", "ring", "pinky")):
        for n, part in enumerate(("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal")):
            at = (out * 0.02 * (1.5 - k), -0.004 * n * n, 0.03 + 0.035 * n)
            joints.append(Joint(f"{finger}-finger-{part}", "free", "Armature", at))
    for n, part in enumerate(("metacarpal", "phalanx-proximal", "phalanx-distal")):
        joints.append(Joint(f"thumb-{part}", "free", "Armature", (out * (0.03 + 0.02 * n), -0.01, 0.02 + 0.02 * n)))
    return posable.Figure(Skeleton(joints[:2] + joints[:1:-1]))


@pytest.mark.parametrize(("out", "side"), [(1.0, "r"), (-1.0, "l")])
def test_bones_beside_each_other_make_fingers_by_name_and_distance(out: float, side: str) -> None:
    """Half of the fingers were left, half right ones."""
    figure = tracked(out)
    found = posable.roles(figure)
    parts = ("phalanx-proximal", "phalanx-intermediate", "phalanx-distal")
    assert [found[f"little_{k}_{side}"] for k in (1, 2, 3)] == [f"pinky-finger-{part}" for part in parts]
    assert found[f"hand_{side}"] == "wrist" and len(found) == 16
    assert set(found.confidence.values()) == {0.75}  # the side, by how the fingers are bent


def test_a_grip_of_bones_that_are_loose_is_refused() -> None:
    """They would have turned where they are."""
    with pytest.raises(posable.PoseError, match="'thumb-phalanx-proximal' does not hang on the bone before it"):
        posable.grip(tracked(1.0), "fist", "r")


def test_a_robots_hand_closes() -> None:
    figure = posable.Figure(robot_hand({finger: letters.lower() for finger, letters in LETTERS.items()}))
    fist = posable.grip(figure, "fist", "r")
    tips = [figure.skeleton.index(f"{x}fdistal") for x in "fmrl"]
    assert (fist.origins[tips, 1] < figure.rest.origins[tips, 1] - 0.02).all()
    assert (np.abs(fist.origins[:3] - figure.rest.origins[:3]) < 1e-9).all()


@pytest.mark.parametrize("name", ["{finger}_{k}", "bone_{n}"])
@pytest.mark.parametrize("in_palm", [True, False])
def test_a_finger_of_four_bones_begins_in_the_palm_or_ends_with_a_tip(name: str, in_palm: bool) -> None:
    """By where its first bone is: the longest is the palm's, or the first of the finger."""
    joints = [Joint("wrist_0", "free")]
    for x, finger in zip((0.03, 0.01, -0.01, -0.03, 0.05), (*FINGERS, "thumb"), strict=True):
        long = ((x / 2, 0, 0.03), (x / 2, 0, 0.06)) if in_palm else ((x, 0, 0.09),)
        steps = [*long, (0, 0, 0.042), (0, -0.003, 0.026), (0, 0, 0.02)][:4]
        if finger == "thumb":
            steps = [(0.03, -0.02, 0.02), (0.03, -0.01, 0.03), (0.02, 0, 0.03)]
        for k, step in enumerate(steps):
            above = joints[-1].name if k else "wrist_0"
            joints.append(Joint(name.format(finger=finger, k=k, n=len(joints)), "ball", above, step))
    found = posable.roles(Skeleton(joints))
    first = [joint.name for joint in joints].index(found["index_1_r"])
    assert [found[f"index_{k}_r"] for k in (1, 2, 3)] == [joint.name for joint in joints[first : first + 3]]
    assert first == 1 + in_palm and found["thumb_1_r"] == joints[-3].name


@pytest.mark.parametrize(("count", "sure"), [(4, 0.95), (7, 0.75)])
def test_of_a_finger_of_many_hinges_it_is_open_which_are_its_knuckles(count: int, sure: float) -> None:
    """TIAGo's, of two hinges to each knuckle, were 95 % sure. The first of four only spreads the finger."""
    more: list[Joint] = []
    for side, out in (("L", 1.0), ("R", -1.0)):
        for k in range(count):
            at = (out * (0.005 if k == 1 else 0.02), 0.0, 0.0)
            above = f"index_{k - 1}.{side}" if k else f"Hand.{side}"
            more.append(Joint(f"index_{k}.{side}", "hinge", above, at, axes=(Axis((0.0, 0.0, 1.0)),)))
    found = posable.roles(someone(more=more))
    assert [found[f"index_{k}_l"] for k in (1, 2, 3)] == [f"index_{k}.L" for k in range(count - 3, count)]
    assert {found.confidence[f"index_{k}_l"] for k in (1, 2, 3)} == {sure}


LEGS = ((0.06, 0, 0.2), (-0.06, 0, 0.2), (0.06, 0, -0.2), (-0.06, 0, -0.2))
TEETH = ((0.15, 0, 0.1), (0.05, 0, 0.1), (-0.05, 0, 0.1), (-0.15, 0, 0.1))


@pytest.mark.parametrize("four", [LEGS, TEETH])
def test_four_legs_and_a_head_and_a_rake_with_a_handle_are_no_hands(
    four: tuple[tuple[float, float, float], ...],
) -> None:
    joints = [Joint("joint_0", "free", None, (0.0, 0.5, 0.0))]
    for at in (*four, (0, 0.1, -0.1)):
        above = "joint_0"
        for step in (at, (0, -0.2, 0), (0, -0.2, 0)) if at[1] == 0 else (at, (0, 0.1, -0.1), (0, 0.1, -0.1)):
            joints.append(Joint(f"joint_{len(joints)}", "ball", above, step))
            above = joints[-1].name
    assert not any("hand" in role or "thumb" in role for role in posable.roles(Skeleton(joints)))


def test_a_little_finger_in_two_german_words() -> None:
    """The other four fingers were found, and the little one was not."""
    words = {"index": "Zeigefinger", "middle": "Mittelfinger", "ring": "Ringfinger", "little": "Kleiner_Finger"}
    joints = [Joint("Hand_L", "free")]
    for n, (finger, word) in enumerate(words.items()):
        for k in (1, 2, 3):
            parent = "Hand_L" if k == 1 else f"{words[finger]}{k - 1}_L"
            joints.append(Joint(f"{word}{k}_L", "ball", parent, (0.09 if k == 1 else 0.03, 0.0, 0.02 * n * (k == 1))))
    joints += [Joint("Daumen1_L", "ball", "Hand_L", (0.03, -0.01, -0.04)), Joint("Hand_R", "free")]
    found = posable.roles(Skeleton(joints))
    assert [found.get(f"little_{k}_l") for k in (1, 2, 3)] == [f"Kleiner_Finger{k}_L" for k in (1, 2, 3)]
