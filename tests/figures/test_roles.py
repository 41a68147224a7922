"""Which joint is which part of the body: by the names of all conventions, on real figures, by shape alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import posable
from benchmarks.motion.conventions import expected, person, renamed, tables
from posable import FileError, RoleError, Roles, UnknownJointError, roles
from posable.figures import BODY_ROLES

NAMED = [
    "mixamo", "vrm1", "vroid_nodes", "godot_humanoid", "unity_humanbodybones", "unreal_ue4", "unreal_ue5",
    "daz_genesis8", "cmu_asf", "cmu_bvh_cgspeed", "smpl_24", "smplx_fingers", "lafan1_bvh", "fair1_animated_drawings",
    "rokoko_newton", "biped_3dsmax", "rigify_deform", "auto_rig_pro", "biovision_classic", "xsens_mvn",
    "motionbuilder_humanik", "unitree_g1_links_for_GMR",
]  # fmt: skip


def every_table(shared: Path) -> dict[str, dict[str, str]]:
    """The names of every convention."""
    return tables(json.loads((shared / "reference/joint_names.json").read_text()))


@pytest.mark.parametrize("convention", NAMED)
def test_every_role_of_every_convention_is_found(shared: Path, convention: str) -> None:
    table = every_table(shared)[convention]
    found = roles(person(table))
    assert dict(found) == expected(table)
    assert set(found.confidence) == set(found)
    assert min(found.confidence.values()) >= 0.9
    np.testing.assert_array_equal(found.forward, (0, 0, 1))
    np.testing.assert_array_equal(found.left, (1, 0, 0))


def test_the_list_covers_the_reference(shared: Path) -> None:
    assert sorted(NAMED) == sorted(every_table(shared))


REAL = [
    "characters/CesiumMan.glb", "characters/Knight.glb", "characters/MH_game_engine.glb",
    "characters/Q_PlatformerHumanoid.glb", "characters/RobotExpressive.glb", "characters/cryptovoxels.vrm",
    "characters/test.vrma", "mocap/cmu_12_01_walk.bvh", "mocap/cmu_02_01.bvh", "mocap/cmu_03_02.bvh",
    "mocap/mh_walk1.bvh", "mocap/mh_dance1.bvh", "mocap/mh_pose_run01.bvh", "mocap/test_freebvh.bvh",
    "mocap/zombie.bvh", "mocap/wave_hello.bvh", "robots/g1_29dof.xml", "robots/g1_29dof_rev_1_0.urdf",
    "robots/h1.urdf", "robots/simple_humanoid.urdf", "robots/dmc_humanoid.xml", "mocap/asfamc/02.asf",
]  # fmt: skip


def _numbered(names: tuple[str, ...]) -> list[str]:
    return [f"j{i}" for i in range(len(names))]


def _permuted(names: tuple[str, ...]) -> list[str]:
    return list(np.random.default_rng(len(names)).permutation(names))


@pytest.mark.slow
@pytest.mark.parametrize("rename", [_numbered, _permuted])
def test_shape_alone_finds_nine_of_ten_body_roles_and_is_less_sure(
    shared: Path, rename: Callable[[tuple[str, ...]], list[str]]
) -> None:
    total = right = 0
    for name in REAL:
        skeleton = posable.load(shared / name).skeleton
        known = roles(skeleton)
        names = rename(skeleton.joints)
        found = roles(renamed(skeleton, names))
        before = dict(zip(names, skeleton.joints, strict=True))
        wanted = [role for role in known if role in BODY_ROLES]
        total += len(wanted)
        right += sum(role in found and before[found[role]] == known[role] for role in wanted)
        assert max(found.confidence.values()) <= 0.7
        assert found.forward @ known.forward > 0.99
    assert right >= 0.94 * total


def test_names_without_sides_get_them_from_their_places(shared: Path) -> None:
    table = every_table(shared)["mixamo"]
    bare = {part: name.replace("Left", "").replace("Right", "") for part, name in table.items()}
    numbered = {part: f"{name}.{i}" for i, (part, name) in enumerate(bare.items())}
    assert dict(roles(person(numbered))) == expected(numbered)


def test_robots_have_one_leg_of_many_hinges(shared: Path) -> None:
    found = roles(posable.load(shared / "robots/g1_29dof_rev_1_0.urdf"))
    assert found["upper_leg_l"] == "left_hip_yaw_joint"
    assert found["foot_r"] == "right_ankle_roll_joint"
    assert found["chest"] == "waist_pitch_joint"
    assert found["hand_l"] == "left_wrist_yaw_joint"
    assert [leg.name for leg in found.legs] == ["leg_l", "leg_r"]
    assert found.legs[0].joints[0] == "left_hip_pitch_joint"
    assert len(found.legs[0].joints) == 6
    np.testing.assert_array_equal(found.forward, (1, 0, 0))


def test_an_animal_has_legs_in_rows(shared: Path) -> None:
    wolf = roles(posable.load(shared / "characters/Q_Wolf.glb"))
    assert [(leg.joints[0], leg.side, leg.row) for leg in wolf.legs] == [
        ("FrontShoulder.L", "l", 0),
        ("FrontShoulder.R", "r", 0),
        ("BackShoulder.L", "l", 1),
        ("BackShoulder.R", "r", 1),
    ]
    spider = roles(posable.load(shared / "characters/Q_Spider.glb"))
    fronts = [leg.joints[0] for leg in spider.legs if leg.side == "l"]
    assert fronts == ["FrontLeg.L", "MidFrontLeg.L", "MidBackLeg.L", "BackLeg.L"]
    np.testing.assert_array_equal(spider.forward, (0, 0, 1))


def test_a_stated_table_counts_and_a_vrm_0_looks_backwards(shared: Path) -> None:
    found = roles(posable.load(shared / "characters/cryptovoxels.vrm"))
    assert found["upper_arm_l"] == "Left arm"
    assert found.confidence["upper_arm_l"] == 1.0
    np.testing.assert_array_equal(found.forward, (0, 0, -1))


def test_a_role_that_is_not_there_says_what_is(shared: Path) -> None:
    found = roles(posable.load(shared / "robots/h1.urdf"))
    assert "hand_l" not in found
    assert found.get("hand_l") is None
    with pytest.raises(RoleError, match=r"no joint for 'hand_l' \(it has hips, .*roles.replace\(hand_l=") as caught:
        _ = found["hand_l"]
    assert isinstance(caught.value, KeyError)
    with pytest.raises(RoleError, match="unknown role 'hand_left'; did you mean hand_l or"):
        _ = found["hand_left"]
    with pytest.raises(RoleError, match=r"unknown role 'qqq'; see posable\.Roles"):
        found.replace(qqq="pelvis")
    with pytest.raises(UnknownJointError, match="no joint is called 'left_elbo'"):
        found.replace(hand_l="left_elbo")


def test_roles_are_replaced_and_limbs_follow(shared: Path) -> None:
    found = roles(posable.load(shared / "robots/h1.urdf"))
    changed = found.replace(
        hand_l="left_elbow_link", lower_arm_l="left_shoulder_yaw_joint", head=None, upper_arm_l=None
    )
    assert changed["hand_l"] == "left_elbow_joint"
    assert changed.confidence["hand_l"] == 1.0
    assert [arm.name for arm in changed.arms] == ["arm_r"]


def test_the_table_round_trips_as_text(shared: Path, tmp_path: Path) -> None:
    figure = posable.load(shared / "characters/cryptovoxels.vrm")
    found = roles(figure)
    (tmp_path / "roles.toml").write_text(found.text(), encoding="utf-8")
    again = Roles.load(tmp_path / "roles.toml", figure)
    assert dict(again) == dict(found)
    assert again.legs == found.legs
    np.testing.assert_array_equal(again.forward, found.forward)
    assert set(again.confidence.values()) == {1.0}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('foot_left = "Foot"', r"roles.toml:2: 'foot_left' is not a known key; did you mean foot_l"),
        ('foot_l = "Left ankl"', r"roles.toml:2: foot_l: no joint is called 'Left ankl'; similar names: .*Left ankle"),
        ("foot_l = 3", r"roles.toml:2: foot_l must be a string in quotes, not 3"),
        ("forward = [0, 1, 0]", r"roles.toml:2: forward must be a horizontal direction"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(shared: Path, tmp_path: Path, line: str, message: str) -> None:
    figure = posable.load(shared / "characters/cryptovoxels.vrm")
    (tmp_path / "roles.toml").write_text(f'hips = "Hips"\n{line}\n')
    with pytest.raises(FileError, match=message):
        Roles.load(tmp_path / "roles.toml", figure)


def test_asking_whether_a_role_is_known_raises_no_error_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    found = posable.roles(posable.figure("mannequin"))
    monkeypatch.setattr("posable.errors.near_names", lambda *_: pytest.fail("the nearest names were looked for"))
    assert "hand_r" in found
    assert "tail" not in found
