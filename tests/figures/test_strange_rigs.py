"""Rigs that names do not explain: numbers, other languages, handles, loose feet, twist bones, swapped sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import posable
from benchmarks.motion.conventions import expected, person
from posable import Axis, Joint, Skeleton
from posable.figures.model import Clips
from posable.skeleton.body_roles.limbs import forward_of
from posable.skeleton.body_roles.shape import shape_of
from posable.skeleton.body_roles.skeleton_facts import Seen

PARTS = (
    "hips", "spine", "chest", "neck", "head", "Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg",
    "Foot", "Toes",
)  # fmt: skip
LANGUAGES = {
    "German": ("Becken Wirbelsäule Brust Hals Kopf Schlüsselbein Oberarm Unterarm Hand Oberschenkel Unterschenkel Fuß "
               "Zehen", "{part}_{side}", "links", "rechts"),
    "French": ("Bassin Colonne Poitrine Cou Tête Clavicule Bras AvantBras Main Cuisse Jambe Pied Orteils",
               "{part}_{side}", "G", "D"),
    "Spanish": ("cadera columna pecho cuello cabeza clavícula brazo antebrazo mano muslo pantorrilla pie punta",
                "{part}.{side}", "izq", "der"),
    "Italian": ("bacino colonna petto collo testa clavicola braccio avambraccio mano coscia polpaccio piede punta",
                "{part}_{side}", "sx", "dx"),
    "Portuguese": ("quadril coluna peito pescoço cabeça clavícula braço antebraço mão coxa canela pé dedos",
                   "{part}_{side}", "esq", "direita"),
    "Russian": ("таз позвоночник грудь шея голова ключица плечо предплечье кисть бедро голень стопа носок",
                "{side} {part}", "левая", "правая"),
    "romaji": ("koshi senaka mune kubi atama kata ude hiji tekubi momo hiza ashikubi tsumasaki", "{side}_{part}",
               "hidari", "migi"),
    "MMD": ("センター 上半身 上半身2 首 頭 肩 腕 ひじ 手首 足 ひざ 足首 つま先", "{side}{part}", "左", "右"),
    "Chinese": ("骨盆 脊椎 胸 颈 头 锁骨 上臂 前臂 手 大腿 小腿 脚 脚趾", "{side}{part}", "左", "右"),
    "pinyin": ("pengu jizhui xiong bozi tou jian dabi xiaobi shou datui xiaotui jiao jiaozhi", "{side}_{part}", "zuo",
               "you"),
}  # fmt: skip
_WORDS = "Hips Spine Chest Neck Head Shoulder UpperArm LowerArm Hand UpperLeg LowerLeg Foot Toes"
ENGLISH = (_WORDS, "{part}.{side}", "L", "R")


def names_of(words: str, form: str, left: str, right: str) -> dict[str, str]:
    """The names of a person's joints by part."""
    named: dict[str, str] = {}
    for part, word in zip(PARTS, words.split(), strict=True):
        if part[0].islower():
            named[part] = word
        else:
            named |= {
                f"left{part}": form.format(part=word, side=left),
                f"right{part}": form.format(part=word, side=right),
            }
    return named


def someone(changes: dict[str, str | None] | None = None, more: Sequence[Joint] = ()) -> Skeleton:
    """A person with English names; some joints hang on others than usual (None: a root), at their usual places."""
    skeleton, changes = person(names_of(*ENGLISH)), changes or {}
    places = dict(zip(skeleton.joints, posable.Pose(skeleton, skeleton.rest_coordinates).origins, strict=True))
    joints = []
    for joint in skeleton.definitions:
        parent = changes.get(joint.name, joint.parent)
        step = places[joint.name] - (places[parent] if parent else 0)
        joints.append(replace(joint, parent=parent, position=tuple(step.tolist())))
    root = [joint for joint in joints if joint.parent is None]
    return Skeleton([*root, *(joint for joint in joints if joint.parent is not None), *more])


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_are_named_in_many_languages(language: str) -> None:
    table = names_of(*LANGUAGES[language])
    right = expected(table)
    found = posable.roles(person(table))
    assert {role: found.get(role) for role in right} == right
    unsure = {"toes_l", "toes_r"} if language == "Portuguese" else set()  # "dedos" are fingers, too
    assert {role for role, sure in found.confidence.items() if sure < found.SURE} == unsure


def test_a_robot_with_numbered_joints_has_its_knees_where_it_bends() -> None:
    found = posable.roles(numbered_robot())
    wanted = {
        "upper_leg_l": "leg_left_3", "lower_leg_l": "leg_left_4", "foot_l": "leg_left_6", "upper_arm_l": "arm_left_3",
        "lower_arm_l": "arm_left_4", "hand_l": "arm_left_7", "lower_leg_r": "leg_right_4", "lower_arm_r": "arm_right_4",
    }  # fmt: skip
    assert {role: found.get(role) for role in wanted} == wanted
    assert all(found.confidence[role] > found.SURE for role in wanted)
    assert "toes_l" not in found
    np.testing.assert_array_equal(found.forward, (1, 0, 0))


def numbered_robot() -> Skeleton:
    """Legs of six hinges and arms of seven, all numbered, as Talos has them; a gripper of two fingers."""
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    joints = [Joint("base", "fixed"), Joint("torso_1", parent="base", position=(0, 0, 0.07), axes=(Axis(z),))]
    joints.append(Joint("head_1", parent="torso_1", position=(0, 0, 0.4), axes=(Axis(y),)))
    for side, s in (("left", 1), ("right", -1)):
        leg = [
            (z, (0, 0.085 * s, -0.27)),
            (x, (0, 0, 0)),
            (y, (0, 0, 0)),
            (y, (0, 0, -0.38)),
            (y, (0, 0, -0.33)),
            (x, (0, 0, 0)),
        ]
        arm = [
            (z, (0, 0.16 * s, 0.23)), (x, (0, 0.13 * s, 0.05)), (z, (0, 0, 0)), (y, (0.02, 0, -0.27)),
            (z, (-0.02, 0, -0.26)), (x, (0, 0, 0)), (y, (0, 0, 0)),
        ]  # fmt: skip
        for limb, parent, chain in ((f"leg_{side}", "base", leg), (f"arm_{side}", "torso_1", arm)):
            names = [f"{limb}_{k}" for k in range(1, len(chain) + 1)]
            for name, above, (axis, step) in zip(names, [parent, *names], chain, strict=False):
                joints.append(Joint(name, parent=above, position=step, axes=(Axis(axis),)))
        for k in (1, 2):
            finger = Joint(f"gripper_{side}_{k}", parent=f"arm_{side}_7", position=(0, 0.02 * k, -0.1), axes=(Axis(x),))
            joints.append(finger)
    return Skeleton(joints, "z")


@pytest.mark.parametrize(("part", "role"), [("Foot", "foot"), ("Hand", "hand")])
def test_a_foot_or_a_hand_that_hangs_on_the_root_is_that_of_its_limb(part: str, role: str) -> None:
    found = posable.roles(someone({f"{part}.L": "Hips", f"{part}.R": "Hips"}))
    for side in "lr":
        assert found[f"{role}_{side}"] == f"{part}.{side.upper()}"
        assert found.confidence[f"{role}_{side}"] > found.SURE


def test_swapped_sides_are_told_by_toes_and_knees_and_asked_about() -> None:
    straight = someone()
    swapped = {"L": "R", "R": "L"}
    joints = [
        replace(joint, name=_swapped(joint.name, swapped), parent=joint.parent and _swapped(joint.parent, swapped))
        for joint in straight.definitions
    ]
    found = posable.roles(Skeleton(joints))
    assert found["hand_l"] == "Hand.R"
    np.testing.assert_array_equal(found.forward, (0, 0, 1))
    assert max(found.confidence[role] for role in found if role[-2:] in ("_l", "_r")) < found.SURE


def _swapped(name: str, sides: dict[str, str]) -> str:
    bare, dot, side = name.partition(".")
    return bare + dot + sides.get(side, side)


def test_names_moved_by_one_joint_are_not_believed() -> None:
    skeleton = someone()
    names = [skeleton.joints[-1], *skeleton.joints[:-1]]
    table = dict(zip(skeleton.joints, names, strict=True))
    moved = Skeleton(
        [replace(j, name=table[j.name], parent=j.parent and table[j.parent]) for j in skeleton.definitions]
    )
    found = posable.roles(moved)
    wrong = {role for role, joint in found.items() if joint != table[posable.roles(skeleton)[role]]}
    assert max((found.confidence[role] for role in wrong), default=0) < found.SURE


# What joints are there for.


def handles() -> list[Joint]:
    """What an animator has beside the bones of a person."""
    places = {"IKFoot.L": (0.1, -0.87, 0), "IKFoot.R": (-0.1, -0.87, 0), "PoleTarget.L": (0.1, -0.5, 0.9),
              "PoleTarget.R": (-0.1, -0.5, 0.9), "ctrl_all": (0, -0.9, 0.5)}  # fmt: skip
    return [Joint(name, "free", "Hips", at) for name, at in places.items()]


def test_handles_are_controls_and_no_parts_of_the_body() -> None:
    skeleton = someone(more=handles())
    uses = posable.joint_uses(skeleton)
    assert uses.having("control") == tuple(joint.name for joint in handles())
    assert dict(posable.roles(skeleton)) == dict(posable.roles(someone()))


def test_the_skin_tells_handles_whatever_they_are_called() -> None:
    skeleton = someone()
    table = {name: f"j{k}" for k, name in enumerate(skeleton.joints)}
    joints = [Joint("top", "free", None, (0, 0, 0))]
    joints += [
        replace(j, name=table[j.name], parent=table[j.parent] if j.parent else "top") for j in skeleton.definitions
    ]
    joints += [Joint(f"h{k}", "free", "top", tuple(np.add(j.position, (0, 0.95, 0)))) for k, j in enumerate(handles())]
    whole = Skeleton(joints)
    whole.notice(Seen(weights=np.array([float(joint.name.startswith("j")) for joint in joints])))
    uses = posable.joint_uses(whole)
    assert uses["top"] == "helper"
    assert uses.having("control") == tuple(f"h{k}" for k in range(len(handles())))
    found = posable.roles(whole)
    assert found["foot_l"] == table["Foot.L"] and found["hand_r"] == table["Hand.R"]


def test_figures_hand_on_what_their_skin_shows() -> None:
    skeleton = Skeleton([Joint("a", "free"), Joint("b", "ball", "a", (0, 1, 0)), Joint("c", "ball", "b", (0, 1, 0))])
    assert posable.joint_uses(skeleton)["c"] == "deforming"
    vertices = np.eye(3)
    posable.Figure(skeleton, skins=(posable.Skin.rigid(skeleton, "b", vertices, [[0, 1, 2]]),))
    uses = posable.joint_uses(skeleton)
    assert (uses["a"], uses["b"], uses["c"]) == ("helper", "deforming", "end")
    assert "moves no skin" in uses.why["c"]


@pytest.mark.parametrize(
    ("name", "parent", "at", "use"),
    [
        ("upperarm_bit", "UpperArm.L", (0.13, 0, 0), "twist"),
        ("UpperArmTwist.L", "UpperArm.L", (0.05, 0.1, 0), "twist"),
        ("HandSlot.L", "Hand.L", (0.05, 0, 0), "prop"),
        ("Sword", "Hand.R", (-0.05, 0, 0), "prop"),
        ("Head_End", "Head", (0, 0.2, 0), "end"),
        ("FootIK.L", "Hips", (0.1, -0.9, 0), "control"),
        ("camera_offset", "Head", (0, 0.1, 0.1), "helper"),
        ("Ponytail", "Head", (0, 0.1, -0.1), "deforming"),
    ],
)
def test_what_a_joint_is_there_for(name: str, parent: str, at: tuple[float, float, float], use: str) -> None:
    skeleton = someone(more=[Joint(name, "ball", parent, at)])
    assert posable.joint_uses(skeleton)[name] == use
    assert dict(posable.roles(skeleton)) == dict(posable.roles(someone()))


def test_a_figure_with_a_second_tree_keeps_its_roles() -> None:
    sword = [Joint("Sword", "free", None, (0.7, 1.4, 0.1)), Joint("blade", "fixed", "Sword", (0, 0.8, 0))]
    skeleton = someone(more=sword)
    uses = posable.joint_uses(skeleton)
    assert uses["Sword"] == uses["blade"] == "prop"
    assert dict(posable.roles(skeleton)) == dict(posable.roles(someone()))


def test_of_several_copies_of_a_body_the_deforming_one_counts() -> None:
    """As Rigify leaves them: what deforms, what it was made from, and the mechanism between."""
    copies = []
    for prefix in ("ORG-", "MCH-", "DEF-"):
        for joint in someone().definitions:
            parent = prefix + joint.parent if joint.parent else "root"
            copies.append(replace(joint, name=prefix + joint.name, parent=parent))
    skeleton = Skeleton([Joint("root", "free"), *copies])
    assert dict(posable.roles(skeleton)) == {role: f"DEF-{joint}" for role, joint in posable.roles(someone()).items()}


def test_toes_without_a_foot_point_nowhere() -> None:
    """They once met an error of array shapes; where the sides are not known the facing is asked of feet and toes."""
    body = someone().parts.body
    joints = {role: joint for role, joint in someone().parts.found.joints.items() if not role.startswith("foot")}
    told = forward_of(body, shape_of(body), joints, sides_known=False)
    np.testing.assert_array_equal(told, (0, 0, 1))


def _numbered_without_toes(ahead: float) -> Skeleton:
    """A person with straight legs who looks along z times `ahead`; names and toes tell nothing."""
    kept = [joint for joint in someone().definitions if "Toes" not in joint.name]
    names = {joint.name: f"joint_{k:02d}" for k, joint in enumerate(kept)}
    joints = []
    for joint in kept:
        x, y, z = joint.position
        straight = 0.0 if joint.name.split(".")[0] in ("LowerLeg", "Foot") else z
        parent = names[joint.parent] if joint.parent else None
        joints.append(
            replace(joint, name=names[joint.name], parent=parent, position=(x * ahead, y, straight * ahead), tips=())
        )
    return Skeleton(joints)


@pytest.mark.parametrize("ahead", [1.0, -1.0])
def test_knees_that_a_clip_bends_tell_where_a_figure_looks(ahead: float) -> None:
    """At rest nothing does; bent a little backwards, as straight knees give way, they do not tell either."""
    kept = [name for name in someone().joints if "Toes" not in name]
    knees = [kept.index(f"LowerLeg.{side}") for side in "LR"]
    for flexion, told in ((-5.0, False), (50.0, True)):
        skeleton = _numbered_without_toes(ahead)
        assert posable.roles(skeleton).forward @ (0, 0, 1) > 0.99
        q = np.repeat(skeleton.rest_coordinates[None], 10, axis=0)
        angle = np.deg2rad(flexion) * ahead * np.linspace(0, 1, 10)
        for knee in knees:
            first = skeleton.tables.first_coordinate[knee]
            q[:, first], q[:, first + 1] = np.cos(angle / 2), np.sin(angle / 2)
        posable.Figure(skeleton, clips=Clips([posable.Clip(skeleton, q, 30.0)]))
        found = posable.roles(skeleton)
        assert found.forward @ (0, 0, ahead if told else 1.0) > 0.99
        left = found["lower_leg_l"] == skeleton.joints[knees[0]]
        assert left == (told or ahead > 0)
        assert found.confidence["lower_leg_l"] < found.SURE


def _robot_arms(joints: Sequence[tuple[str, tuple[float, float, float], tuple[float, float, float], str]]) -> Skeleton:
    """A robot on two legs whose arms are hinges: (name, position, axis, name of its link)."""
    found = [Joint("pelvis", "free"), _bends("torso", "pelvis", (0.0, 0.0, 0.1), (0.0, 0.0, 1.0), "")]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        above = "pelvis"
        for name, z in (("hip", 0.0), ("knee", -0.4), ("ankle", -0.4)):
            at = (0.0, 0.1 * sign if name == "hip" else 0.0, z)
            found.append(_bends(f"{side}_{name}", above, at, (0.0, 1.0, 0.0), ""))
            above = f"{side}_{name}"
        above = "torso"
        for name, (x, y, z), axis, link in joints:
            found.append(_bends(f"{side}_{name}", above, (x, sign * y, z), axis, link and f"{side}_{link}"))
            above = f"{side}_{name}"
        found.append(Joint(f"{side}_palm", "fixed", above, (0.0, 0.2 * sign, 0.0)))
    return Skeleton(found, up="z")


def _bends(
    name: str, parent: str, at: tuple[float, float, float], axis: tuple[float, float, float], link: str
) -> Joint:
    aliases = (link,) if link else ()
    return Joint(name, parent=parent, position=at, axes=(Axis(axis, lower=-2.0, upper=2.0),), aliases=aliases)


ALONG, ACROSS = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


# The second twists the forearm, halfway along it.
TWISTED_BELOW = [("elbow_pitch", (0.0, 0.25, 0.0), ACROSS, ""), ("elbow_roll", (0.0, 0.1, 0.0), ALONG, "")]
# The first twists the upper arm; the link that the second moves is called a hand.
TWISTED_ABOVE = [("elbow_yaw", (0.0, 0.06, 0.0), ALONG, ""), ("elbow_roll", (0.0, 0.2, 0.0), ACROSS, "hand_link")]
# The same as MJCF has it: bodies are named after what they carry, and their hinges are other names.
BY_BODIES = [("AL", (0.0, 0.06, 0.0), ALONG, "elbow_yaw"), ("hand_link", (0.0, 0.2, 0.0), ACROSS, "elbow_roll")]


@pytest.mark.parametrize(
    ("joints", "elbow"), [(TWISTED_BELOW, "elbow_pitch"), (TWISTED_ABOVE, "elbow_roll"), (BY_BODIES, "hand_link")]
)
def test_of_several_hinges_called_elbow_the_one_that_bends_counts(
    joints: list[tuple[str, tuple[float, float, float], tuple[float, float, float], str]], elbow: str
) -> None:
    shoulder = ("shoulder_pitch", (0.0, 0.15, 0.4), (0.0, 1.0, 0.0), "")
    roll = ("shoulder_roll", (0.0, 0.05, 0.0), (1.0, 0.0, 0.0), "")
    found = posable.roles(_robot_arms([shoulder, roll, *joints]))
    for side, word in (("l", "left"), ("r", "right")):
        assert found[f"lower_arm_{side}"] == f"{word}_{elbow}"
        assert found[f"upper_arm_{side}"] == f"{word}_shoulder_roll"


def test_fixed_frames_of_a_foot_are_no_toes() -> None:
    arms = [("shoulder", (0.0, 0.2, 0.4), ACROSS, ""), ("elbow", (0.0, 0.25, 0.0), ACROSS, "")]
    plain = _robot_arms(arms)
    frames = [Joint(f"{s}_foot_sphere", "fixed", f"{s}_ankle", (0.12, 0.0, -0.05)) for s in ("left", "right")]
    assert "toes_l" not in posable.roles(Skeleton([*plain.definitions, *frames], up="z"))


@pytest.mark.parametrize("frames", [0, 2])
def test_a_robot_whose_chest_is_its_root_moves_it_whatever_fixed_frames_are_between(frames: int) -> None:
    """As Aldebaran's robots have it: base_link, fixed to it the torso, and below that the pelvis."""
    y, z = (0, 1, 0), (0, 0, 1)
    names = ["base_link", *(f"frame_{k}" for k in range(frames))]
    joints = [Joint("base_link", "free", rest=(0, 0, 1, 1, 0, 0, 0))]
    joints += [Joint(name, "fixed", above) for above, name in pairwise(names)]
    joints += [Joint("TrunkYaw", parent=names[-1], position=(0, 0, -0.1), axes=(Axis(z),))]
    joints += [Joint("HeadYaw", parent=names[-1], position=(0, 0, 0.4), axes=(Axis(z),))]
    for side, s in (("L", 1), ("R", -1)):
        arm = {"ShoulderPitch": (0, 0.2 * s, 0.3), "Elbow": (0, 0, -0.25), "Wrist": (0, 0, -0.2)}
        leg = {"HipPitch": (0, 0.1 * s, -0.1), "Knee": (0, 0, -0.35), "Ankle": (0, 0, -0.35)}
        for parent, chain in ((names[-1], arm), ("TrunkYaw", leg)):
            own = [side + word for word in chain]
            for name, above, at in zip(own, [parent, *own], chain.values(), strict=False):
                joints.append(Joint(name, parent=above, position=at, axes=(Axis(y),)))
    found = posable.roles(Skeleton(joints, "z"))
    assert (found["hips"], found["spine"]) == ("TrunkYaw", "base_link")
