"""Rigs whose feet, toes or hands hang on the armature: they follow their limb, and files stay as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from figures.detached_rigs import ENDS, bvh, model, without_clips
from formats.gltf_models import Model
from formats.plain_gltf import PlainGltf

import posable
from posable.figures.detached import find_detached
from posable.spatial import rigid_inverse
from posable.studio import codec
from posable.studio.opening import document_of
from posable.studio.session import Session

REAL = (
    "characters/RobotExpressive.glb", "characters/Q_Wolf.glb", "characters/Q_Spider.glb", "characters/Q_Snake.glb",
    "rigs/mech_pack_George.glb", "rigs/dinosaurs_pack_Velociraptor.glb", "rigs/dinosaurs_pack_Triceratops.glb",
)  # fmt: skip


def loaded(folder: Path, made: Model) -> posable.Figure:
    return posable.load(made.glb(folder))


def hung(figure: posable.Figure) -> dict[str, str]:
    """Joint → parent, for those that the file hangs elsewhere."""
    own, file = figure.skeleton.parents, figure.source.bones.parents(figure.source.nodes)
    return {figure.skeleton.joints[j]: figure.skeleton.joints[own[j]] for j in np.flatnonzero(own != file)}


def off_limb(figure: posable.Figure, poses: posable.Pose) -> float:
    """How far any hung joint is from its place on its limb at rest, in heights."""
    index, rest = figure.skeleton.index, figure.rest.world_from_joint
    world = poses.world_from_joint.reshape(-1, *rest.shape)
    worst = 0.0
    for joint, limb in hung(figure).items():
        local = rigid_inverse(world[:, index(limb)]) @ world[:, index(joint)]
        before = rigid_inverse(rest[index(limb)]) @ rest[index(joint)]
        worst = max(worst, float(np.abs(local - before)[:, :3, 3].max()))
    return worst / figure.height


def longest_edge(figure: posable.Figure, poses: posable.Pose) -> float:
    """The longest edge of the skins over the longest at rest."""

    def edges(pose: posable.Pose) -> float:
        corners = [skin.deform(pose)[..., skin.faces, :] for skin in figure.skins]
        return max(float(np.linalg.norm(np.roll(c, 1, -2) - c, axis=-1).max()) for c in corners)

    return edges(poses) / edges(figure.rest)


HANGS = {
    "foot.L": "shin.L",
    "foot.R": "shin.R",
    "toes.L": "foot.L",
    "toes.R": "foot.R",
    "hand.L": "forearm.L",
    "hand.R": "forearm.R",
}


def expected(loose: tuple[str, ...]) -> dict[str, str]:
    return {joint: limb for joint, limb in HANGS.items() if joint.split(".")[0] in loose}


@pytest.mark.parametrize("loose", [ENDS, ("foot",), ("hand",), ("toes",), ("foot", "toes")])
@pytest.mark.parametrize("ends", [True, False])
def test_they_hang_on_the_limb_that_they_end(tmp_path: Path, loose: tuple[str, ...], ends: bool) -> None:
    figure = loaded(tmp_path, model(loose, ends=ends))
    assert hung(figure) == expected(loose)
    assert sum("stand at the end of a limb" in note for note in figure.notes) == 1
    roles = posable.roles(figure)
    assert [roles[role] for role in ("foot_l", "toes_r", "hand_l")] == ["foot.L", "toes.R", "hand.L"]
    assert min(roles.confidence[role] for role in ("foot_l", "toes_r", "hand_l")) == 1.0


def test_names_are_not_needed(tmp_path: Path) -> None:
    words = {"foot": "a", "toes": "b", "hand": "c", "shin": "d", "thigh": "e", "forearm": "f", "upper_arm": "g"}
    for ends in (True, False):
        found = hung(loaded(tmp_path, model(ends=ends, words=words)))
        assert found == {"a.L": "d.L", "a.R": "d.R", "b.L": "a.L", "b.R": "a.R", "c.L": "f.L", "c.R": "f.R"}


def test_roles_tell_of_feet_beside_the_line_of_the_shin(tmp_path: Path) -> None:
    made = model(("foot",), ends=False)
    for node in made.raw["nodes"]:
        if node.get("name", "").startswith("foot"):
            node["translation"][1] -= 0.1  # along the root's y axis: in front of where the shin points
    made.raw.pop("animations")
    assert made.raw["skins"][0].pop("inverseBindMatrices")  # all joints in one place when bound, which says nothing
    assert hung(loaded(tmp_path, made)) == expected(("foot",))


def test_a_twist_bone_on_the_shin_does_not_hide_its_end(tmp_path: Path) -> None:
    made = model(("foot",), words={"foot": "a", "toes": "b"})
    shin = next(node for node in made.raw["nodes"] if node.get("name") == "shin.L")
    twist = made.add("nodes", name="twist.L", translation=[0.0, 0.2, 0.0])
    shin["children"].append(twist)
    made.raw["skins"][0]["joints"].append(twist)
    made.raw["skins"][0].pop("inverseBindMatrices")
    assert hung(loaded(tmp_path, made)) == {"a.L": "shin.L", "a.R": "shin.R"}


def test_a_whole_rig_stays_as_it_is(tmp_path: Path) -> None:
    figure = loaded(tmp_path, model(()))
    assert hung(figure) == {}
    assert find_detached(figure) == {}
    assert not any("end of a limb" in note for note in figure.notes)


def test_helpers_that_carry_no_skin_stay_where_they_are(tmp_path: Path) -> None:
    made = model(())
    target = made.add("nodes", name="target.L", translation=[0.1, -0.18, 0.02])  # where the toes end
    made.raw["nodes"][0]["children"].append(target)
    made.raw["skins"][0]["joints"].append(target)
    made.raw["skins"][0].pop("inverseBindMatrices")
    figure = loaded(tmp_path, made)
    tip = figure.skeleton.definitions[figure.skeleton.index("toes.L")].tips[0]
    toes, there = (figure.rest.world_from_joint[figure.skeleton.index(name)] for name in ("toes.L", "target.L"))
    np.testing.assert_allclose(toes @ (*tip, 1.0), there[:, 3], atol=1e-6)
    assert hung(figure) == {}


def test_a_foot_off_its_limb_at_rest_is_known_by_how_it_was_bound(tmp_path: Path) -> None:
    made = model(("foot",), words={"foot": "a", "toes": "b"})
    foot = next(node for node in made.raw["nodes"] if node.get("name") == "a.L")
    foot["translation"] = np.add(foot["translation"], (0.0, 0.25, 0.3)).tolist()
    assert hung(loaded(tmp_path, made)) == {"a.L": "shin.L", "a.R": "shin.R"}


def test_clips_play_as_the_file_says(tmp_path: Path) -> None:
    path = model().glb(tmp_path)
    figure, plain = posable.load(path), PlainGltf(path)
    (clip,) = figure.clips
    assert off_limb(figure, clip.poses) > 0.05  # the file itself takes the foot off its limb
    order = [figure.source.bones.joint_of[node] for node in plain.raw["skins"][0]["joints"]]
    plain_skin = plain.joint_matrices(plain.world({}), 0)
    np.testing.assert_allclose(figure.skins[0].matrices(figure.rest)[order], plain_skin, atol=1e-6)
    for frame, pose in enumerate(clip.poses[k] for k in range(len(clip))):
        worlds = plain.world(plain.at(0, frame / clip.fps))
        for joint, node in enumerate(figure.source.bones.nodes):
            np.testing.assert_allclose(pose.world_from_joint[joint], worlds[node], rtol=0, atol=2e-6)


def test_a_file_is_written_with_its_own_tree(tmp_path: Path) -> None:
    path = model().glb(tmp_path)
    figure = posable.load(path)
    lifted = figure.rest.plus(np.where(figure.skeleton.tables.active, 0.2, 0.0))
    clip = posable.Clip(figure.skeleton, np.stack([figure.rest.q, lifted.q]), 30.0, "lift")
    posable.save(tmp_path / "clip.glb", figure, clip)
    before, after = PlainGltf(path), PlainGltf(tmp_path / "clip.glb")
    assert [node.get("children") for node in after.nodes] == [node.get("children") for node in before.nodes]
    assert after.raw["animations"][0] == before.raw["animations"][0]
    for frame, pose in enumerate((figure.rest, lifted)):
        worlds = after.world(after.at(1, frame / 30.0))
        for joint, node in enumerate(figure.source.bones.nodes):
            np.testing.assert_allclose(pose.world_from_joint[joint], worlds[node], rtol=0, atol=1e-6)
    again = posable.load(tmp_path / "clip.glb")
    assert again.skeleton.joints == figure.skeleton.joints
    assert again.skeleton.freedoms == figure.skeleton.freedoms
    assert hung(again) == hung(figure)
    np.testing.assert_allclose(again.clips["lift"].poses.origins, clip.poses.origins, rtol=0, atol=1e-6)
    posable.save(tmp_path / "pose.glb", figure, lifted)
    plain = PlainGltf(tmp_path / "pose.glb")
    worlds = plain.world({})
    for joint, node in enumerate(figure.source.bones.nodes):
        np.testing.assert_allclose(lifted.world_from_joint[joint], worlds[node], rtol=0, atol=1e-6)


def test_changed_joints_of_a_hung_limb_come_back(tmp_path: Path) -> None:
    figure = loaded(tmp_path, model())
    stiff = [replace(j, stiffness=2.0) if j.name in ("foot.L", "shin.L") else j for j in figure.skeleton.definitions]
    posable.save(tmp_path / "stiff.glb", figure.on(posable.Skeleton(stiff, "y")))
    again = posable.load(tmp_path / "stiff.glb")
    assert hung(again) == hung(figure)
    assert [j.stiffness for j in again.skeleton.definitions] == [j.stiffness for j in stiff]
    np.testing.assert_allclose(again.rest.world_from_joint, figure.rest.world_from_joint, rtol=0, atol=1e-6)


def test_recordings_have_them_on_their_limbs(tmp_path: Path) -> None:
    for name, loose in (("whole", ()), ("loose", ("foot", "hand"))):
        (tmp_path / f"{name}.bvh").write_text(bvh(loose))
    whole, figure = posable.load(tmp_path / "whole.bvh"), posable.load(tmp_path / "loose.bvh")
    parents = {joint.name: joint.parent for joint in figure.skeleton.definitions}
    assert parents == {joint.name: joint.parent for joint in whole.skeleton.definitions}
    roles = posable.roles(figure)
    assert roles.joints == posable.roles(whole).joints
    raised = figure.clips[0].poses[2].origins
    np.testing.assert_allclose(raised[roles.index("foot_l")], figure.rest.origins[roles.index("foot_l")], atol=1e-6)
    assert raised[roles.index("lower_leg_l")][2] > 0.2
    posable.save(tmp_path / "again.bvh", figure)
    again = posable.load(tmp_path / "again.bvh")
    np.testing.assert_allclose(
        again.clips[0].poses.origins[:, [again.skeleton.index(name) for name in figure.skeleton.joints]],
        figure.clips[0].poses.origins,
        atol=1e-5,
    )


@cache
def _walk() -> posable.Clip:
    return posable.load(posable.sample("walk.bvh")).clips[0]


@pytest.mark.slow
def test_reach_retarget_and_walk_treat_it_as_one_that_is_whole(tmp_path: Path) -> None:
    loose, whole = loaded(tmp_path, model()), loaded(tmp_path, model(()))
    order = [whole.skeleton.index(name) for name in loose.skeleton.joints]
    goal = posable.Reach("foot.L", (0.15, 0.3, 0.2))
    poses = [
        tuple(posable.solve(figure.rest, [goal], frozen=["Root"]).pose for figure in (loose, whole)),
        tuple(posable.retarget(_walk(), figure).poses for figure in (loose, whole)),
        tuple(posable.walk(figure, steps=3).poses for figure in (loose, whole)),
        tuple(posable.plant_feet(posable.retarget(_walk(), figure)).poses for figure in (loose, whole)),
    ]
    for mine, true in poses:
        assert off_limb(loose, mine) < 1e-6
        np.testing.assert_allclose(mine.origins, true.origins[..., order, :], rtol=0, atol=1e-6)
        assert longest_edge(loose, mine) == pytest.approx(longest_edge(whole, true), rel=1e-4)


def test_what_no_clip_takes_off_its_limb_is_a_ball_that_keeps_its_limits(tmp_path: Path) -> None:
    figure = loaded(tmp_path, without_clips())
    assert {figure.skeleton.definitions[figure.skeleton.index(joint)].kind for joint in hung(figure)} == {"ball"}
    cone = posable.Cone((0, 1, 0), swing=0.4)
    turned = [replace(joint, cone=cone) if joint.name == "foot.L" else joint for joint in figure.skeleton.definitions]
    posable.save(tmp_path / "cone.glb", figure.on(posable.Skeleton(turned, "y")))
    again = posable.load(tmp_path / "cone.glb")
    assert hung(again) == hung(figure)
    assert again.skeleton.cones["foot.L"] == cone
    np.testing.assert_allclose(again.rest.world_from_joint, figure.rest.world_from_joint, rtol=0, atol=1e-6)


def test_a_dragged_foot_takes_its_leg_along(tmp_path: Path) -> None:
    path = without_clips().glb(tmp_path)
    session = Session(document_of(posable.load(path), "model.glb"))
    number, goal = next((k, g) for k, g in enumerate(session.document.goals) if g.name == "left foot")
    x, y, z = np.add(goal.position, (0.05, 0.2, 0.1)).tolist()
    session.drag(codec.GoalMessage(number, codec.GESTURE_BEGINS, 1, (x, y, z), (1, 0, 0, 0)))
    figure, pose = session.document.figure, session.document.pose
    assert np.linalg.norm(pose.origins[figure.skeleton.index("foot.L")] - (x, y, z)) < 1e-4
    assert off_limb(figure, pose) < 1e-6
    sent = codec.unpack_pose(session.pose_message(0))
    assert sent.translations is not None  # the foot's node moves in its parent, the root
    moved = {
        node: {"translation": sent.translations[j], "rotation": np.roll(sent.rotations[j], -1)}
        for j, node in enumerate(session.nodes.nodes)
    }
    worlds = PlainGltf(path).world(moved)
    for joint, node in enumerate(session.nodes.nodes):
        np.testing.assert_allclose(worlds[node], pose.world_from_joint[joint], atol=1e-5)


@pytest.mark.parametrize("name", REAL)
def test_real_rigs_walk_and_keep_their_feet(shared: Path, name: str) -> None:
    figure = posable.load(shared / name)
    assert hung(figure)
    if len(posable.roles(figure).legs) < 2:
        return
    walk = posable.walk(figure, steps=4)
    assert off_limb(figure, walk.poses) < 1e-6
    assert longest_edge(figure, walk.poses) < 1.5


@pytest.mark.parametrize("name", ["mech_pack_Mike", "mech_pack_Stan"])
def test_feet_that_carry_no_skin_follow_shins_that_carry_it(shared: Path, name: str) -> None:
    assert hung(posable.load(shared / f"rigs/{name}.glb")) == {"Foot.L": "LowerLeg.L", "Foot.R": "LowerLeg.R"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "characters/RobotExpressive.glb",
        "rigs/mech_pack_George.glb",
        "rigs/mech_pack_Mike.glb",
        "rigs/mech_pack_Stan.glb",
    ],
)
def test_real_rigs_are_retargeted_on_their_feet(shared: Path, name: str) -> None:
    figure = posable.load(shared / name)
    clip = posable.retarget(_walk(), figure)
    assert off_limb(figure, clip.poses) < 1e-6
    assert longest_edge(figure, clip.poses) < 1.1
