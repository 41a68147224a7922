"""What looks like a part of a body and is none: bumpers beside wheels, jaws of grippers, tables, boxes with skins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable import Axis, Joint, Skeleton
from posable.skeleton.body_roles.skeleton_facts import Seen
from tests.figures.test_strange_rigs import numbered_robot, someone


def on_wheels() -> Skeleton:
    """A robot with two arms on a base with bumpers and laser scanners, which are fixed, and two wheels."""
    y, z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    joints = [Joint("base", "free", rest=(0, 0, 1, 1, 0, 0, 0)), Joint("waist", parent="base", axes=(Axis(z),))]
    joints.append(Joint("head", parent="waist", position=(0, 0, 0.5), axes=(Axis(z),)))
    for side, s in (("left", 1), ("right", -1)):
        joints += [
            Joint(f"bumper_{side}", "fixed", "base", (0.2, 0.2 * s, -0.95)),
            Joint(f"wheel_{side}", parent="base", position=(0.0, 0.2 * s, -0.95), axes=(Axis(y),)),
            Joint(f"laser_{side}", "fixed", "base", (-0.2, 0.2 * s, -0.97)),
        ]
        arm = [("shoulder", (0, 0.2 * s, 0.4)), ("elbow", (0, 0, -0.3)), ("wrist", (0, 0, -0.25))]
        names = [f"{side}_{word}" for word, _ in arm]
        for name, above, (_, at) in zip(names, ["waist", *names], arm, strict=False):
            joints.append(Joint(name, parent=above, position=at, axes=(Axis(y),)))
    return Skeleton(joints, "z")


def test_a_robot_on_wheels_has_arms_and_no_legs() -> None:
    skeleton = on_wheels()
    found = posable.roles(skeleton)
    assert not found.legs
    assert found["lower_arm_l"] == "left_elbow" and found["hand_r"] == "right_wrist"
    with pytest.raises(posable.SkeletonError, match="a walk needs a figure with at least two legs; 0 were found"):
        posable.walk(posable.Figure(skeleton))


def test_a_table_has_no_hips() -> None:
    legs = [Joint(f"leg_{k}", "fixed", "top", (x, y, -0.7)) for k, (x, y) in enumerate(np.ndindex(2, 2))]
    legs = [replace(leg, position=tuple(np.subtract(leg.position, (0.5, 0.5, 0)))) for leg in legs]
    assert not posable.roles(Skeleton([Joint("top", "free", rest=(0, 0, 0.7, 1, 0, 0, 0)), *legs], "z"))


def test_the_jaw_of_a_gripper_is_no_sure_jaw() -> None:
    arm = [Joint("base", "fixed"), Joint("lift", parent="base", position=(0, 0, 0.1), axes=(Axis((0, 1, 0)),))]
    arm.append(Joint("jaw", parent="lift", position=(0.3, 0, 0), axes=(Axis((0, 0, 1)),)))
    found = posable.roles(Skeleton(arm, "z"))
    assert found.confidence.get("jaw", 0.0) <= found.SURE
    person = someone(more=[Joint("Jaw", "ball", "Head", (0, 0.02, 0.05))])
    assert posable.roles(person).confidence["jaw"] > found.SURE


def test_skins_of_boxes_beside_a_robot_tell_nothing_of_its_joints() -> None:
    """As a scene with boxes has them whose robot's meshes are not there."""
    alone = numbered_robot()
    boxes = [Joint(f"box_{k}", "free", None, (1.0 + k, 0, 0.2)) for k in range(2)]
    whole = Skeleton([*alone.definitions, *boxes], "z")
    whole.notice(Seen(weights=np.array([float(name.startswith("box")) for name in whole.joints])))
    assert posable.joint_uses(whole)["leg_left_4"] == "deforming"
    assert dict(posable.roles(whole)) == dict(posable.roles(alone))


def test_a_cart_of_four_wheels_is_refused_by_name() -> None:
    corners = {f"{row}_{side}": (x, y, -0.3) for row, x in (("front", 0.4), ("rear", -0.4))
               for side, y in (("left", 0.25), ("right", -0.25))}  # fmt: skip
    wheels = [
        Joint(f"{name}_wheel", parent="base", position=at, axes=(Axis((0, 1, 0)),)) for name, at in corners.items()
    ]
    cart = posable.Figure(Skeleton([Joint("base", "free", rest=(0, 0, 0.4, 1, 0, 0, 0)), *wheels], "z"))
    with pytest.raises(
        posable.SkeletonError, match="a walk needs legs that step, and these end in wheels: front_left_wheel"
    ):
        posable.walk(cart, "trot")


def test_what_stands_highest_on_a_robot_without_a_head_is_no_sure_neck() -> None:
    """As a Minitaur's, whose legs are folded over its chassis at rest."""
    y, z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    joints = [Joint("chassis", "fixed")]
    for row, ahead in (("front", 0.21), ("back", -0.21)):
        for side, out in (("rightR", -0.12), ("rightL", -0.06), ("leftR", 0.12), ("leftL", 0.06)):
            motor, hip, knee = (f"{part}_{row}_{side}" for part in ("motor", "hip", "knee"))
            hip = hip if side.endswith("R") else f"{motor}_link"
            joints.append(Joint(motor, parent="chassis", position=(ahead, out, 0), axes=(Axis(z),)))
            inwards = np.sign(abs(out) - 0.09) * -0.02 * np.sign(out)
            joints.append(Joint(hip, "fixed", motor, (0, inwards, 0.06)))
            joints.append(Joint(knee, parent=hip, position=(0, 0, 0.05), axes=(Axis(y),)))
    found = posable.roles(Skeleton(joints, "z"))
    assert all(found.confidence.get(role, 0.0) <= found.SURE for role in ("neck", "head"))
