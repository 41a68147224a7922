"""Rigs with a group above every bone, twist bones within limbs, a root that is turned, or a second figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from figures.test_strange_rigs import ENGLISH, names_of, someone

import posable
from benchmarks.motion.conventions import expected
from posable import Joint, Skeleton
from posable.skeleton.body_roles.skeleton_facts import Seen

WANTED = expected(names_of(*ENGLISH))


def grouped(name: Callable[[str], str], *, at_bone: bool = True, skinned: bool = True) -> Skeleton:
    """Someone with one more joint above every bone but the root: where that bone begins, or halfway to it."""
    rig, joints = someone(), []
    for joint in rig.definitions:
        if joint.parent is None:
            joints.append(joint)
            continue
        step = np.array(joint.position) * (1.0 if at_bone else 0.5)
        joints.append(Joint(name(joint.name), "ball", joint.parent, tuple(step.tolist())))
        rest = tuple((np.array(joint.position) - step).tolist())
        joints.append(replace(joint, parent=joints[-1].name, position=rest))
    found = Skeleton(joints)
    if skinned:
        found.notice(Seen(weights=np.array([float(joint in rig.joints) for joint in found.joints])))
    return found


@pytest.mark.parametrize("skinned", [True, False])
@pytest.mark.parametrize("name", ["{}_grp", "{}_offset", "SDK_{}", "null_of_{}"])
def test_groups_above_bones_are_no_parts(name: str, skinned: bool) -> None:
    """Groups were the hands, feet, neck and spine, all of them sure, and the feet the toes."""
    found = posable.roles(grouped(name.format, skinned=skinned))
    assert {role: found.get(role) for role in WANTED} == WANTED
    assert found["spine"] == "Spine"


def test_groups_without_telling_names_are_no_parts_where_a_skin_shows_the_bones() -> None:
    rig = grouped(lambda bone: f"{1000 + sum(map(ord, bone))}{bone[:1]}")
    assert dict(posable.roles(rig)) == dict(posable.roles(someone()))
    assert posable.joint_uses(rig).having("deforming") == posable.joint_uses(someone()).having("deforming")


def test_a_group_that_clips_move_alone_is_a_part() -> None:
    rig = grouped("{}_grp".format)
    moving = np.array([joint.endswith("_grp") for joint in rig.joints])
    rig.notice(Seen(weights=np.array([float(not own) for own in moving]), moving=moving))
    assert posable.joint_uses(rig)["Hand.L_grp"] == "deforming"


@pytest.mark.parametrize("skinned", [True, False])
def test_twist_bones_within_limbs_and_trunk_are_no_parts(skinned: bool) -> None:
    found = posable.roles(grouped("{}_roll".format, at_bone=False, skinned=skinned))
    assert {role: found.get(role) for role in WANTED} == WANTED


@pytest.mark.parametrize("degrees", [20, 37, -60])
def test_a_figure_without_names_may_face_anywhere(degrees: float) -> None:
    """No part was found, or arms were missing and the figure faced along an axis of the world."""
    rig, half = someone(), np.radians(degrees) / 2
    table = {name: f"j{k}" for k, name in enumerate(rig.joints)}
    joints = [replace(j, name=table[j.name], parent=table.get(j.parent or "")) for j in rig.definitions]
    rest = (*joints[0].position, np.cos(half), 0.0, np.sin(half), 0.0)
    found = posable.roles(Skeleton([replace(joints[0], rest=rest), *joints[1:]]))
    plain = posable.roles(Skeleton(joints))
    assert dict(found) == dict(plain) and len(found) >= 20
    turned = np.array([np.sin(2 * half), 0.0, np.cos(2 * half)])
    assert found.forward @ turned > 0.999


@pytest.mark.parametrize("numbered", [True, False])
def test_of_two_figures_in_one_file_the_first_has_the_parts(numbered: bool) -> None:
    """Their four legs were those of one animal, and retargeting refused it as such."""
    rig, joints = someone(), []
    for k, figure in enumerate(("one", "two")):
        names = {name: f"{figure}{n}" if numbered else f"{name}{k or ''}" for n, name in enumerate(rig.joints)}
        for joint in rig.definitions:
            moved = (*joint.position[:2], joint.position[2] + 3.0 * k) if joint.parent is None else joint.position
            joints.append(replace(joint, name=names[joint.name], parent=names.get(joint.parent or ""), position=moved))
    found = posable.roles(Skeleton(joints))
    assert len(found.legs) == len(found.arms) == 2
    assert numbered or dict(found) == dict(posable.roles(rig))
    assert all(joint.startswith("one") if numbered else joint in rig.joints for joint in found.values())
