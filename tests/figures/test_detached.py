"""Rigs whose feet, toes or hands hang on the armature: they follow their limb, and files stay as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from formats.gltf_models import Model
from formats.plain_gltf import PlainGltf

import posable
from posable.figures.detached import find_detached
from posable.spatial import matrix_from_wxyz, rigid_inverse, wxyz_between, wxyz_from_matrix
from posable.studio import codec
from posable.studio.opening import document_of
from posable.studio.session import Session

Point = tuple[float, float, float]
SIDES = {"L": 1.0, "R": -1.0}
ENDS = ("foot", "toes", "hand")  # what may hang on the armature
REAL = (
    "characters/RobotExpressive.glb", "characters/Q_Wolf.glb", "characters/Q_Spider.glb", "characters/Q_Snake.glb",
    "rigs/mech_pack_George.glb", "rigs/dinosaurs_pack_Velociraptor.glb", "rigs/dinosaurs_pack_Triceratops.glb",
)  # fmt: skip


def bones(loose: tuple[str, ...], words: dict[str, str]) -> dict[str, tuple[str, Point, Point]]:
    """name → (parent, head, tail) of a person as Blender has it, each bone's y axis along it."""
    found: dict[str, tuple[str, Point, Point]] = {
        "Root": ("", (0, 0, 0), (0, 0, -0.3)),
        "Hips": ("Root", (0, 1.0, 0), (0, 1.1, 0)),
        "Spine": ("Hips", (0, 1.1, 0), (0, 1.3, 0)),
        "Chest": ("Spine", (0, 1.3, 0), (0, 1.5, 0)),
        "Neck": ("Chest", (0, 1.5, 0), (0, 1.6, 0)),
        "Head": ("Neck", (0, 1.6, 0), (0, 1.85, 0)),
    }
    for side, x in SIDES.items():

        def add(part: str, parent: str, head: Point, tail: Point, side: str = side, x: float = x) -> None:
            parent = "Root" if part in loose else parent if parent in found else f"{words.get(parent, parent)}.{side}"
            name = f"{words.get(part, part)}.{side}"
            found[name] = (parent, (x * head[0], *head[1:]), (x * tail[0], *tail[1:]))

        add("thigh", "Hips", (0.1, 0.95, 0), (0.1, 0.5, 0.03))
        add("shin", "thigh", (0.1, 0.5, 0.03), (0.1, 0.09, -0.03))
        add("foot", "shin", (0.1, 0.09, -0.03), (0.1, 0.02, 0.1))
        add("toes", "foot", (0.1, 0.02, 0.1), (0.1, 0.02, 0.18))
        add("upper_arm", "Chest", (0.17, 1.45, 0), (0.42, 1.4, -0.02))
        add("forearm", "upper_arm", (0.42, 1.4, -0.02), (0.66, 1.38, 0.02))
        add("hand", "forearm", (0.66, 1.38, 0.02), (0.8, 1.37, 0.03))
    return found


def frames_of(rig: dict[str, tuple[str, Point, Point]]) -> dict[str, np.ndarray]:
    """The bones in the world, `[4, 4]` each."""
    found = {}
    for name, (_, head, tail) in rig.items():
        found[name] = np.eye(4)
        found[name][:3, :3] = matrix_from_wxyz(wxyz_between((0, 1, 0), np.subtract(tail, head)))
        found[name][:3, 3] = head
    return found


def model(loose: tuple[str, ...] = ENDS, *, ends: bool = True, words: dict[str, str] | None = None) -> Model:
    """The person with a box on each bone, and one triangle across each ankle and wrist; a clip in which the left leg is
    raised and its foot goes elsewhere; ends: leaves have a node at their tail.
    """
    words = words or {}
    rig, made = bones(loose, words), Model()
    world, names = frames_of(rig), [*rig]
    for name, (parent, _, _) in rig.items():
        local = rigid_inverse(world[parent]) @ world[name] if parent else world[name]
        wxyz = wxyz_from_matrix(local[:3, :3])
        made.add(
            "nodes", name=name, translation=local[:3, 3].tolist(), rotation=np.roll(wxyz, -1).tolist(), children=[]
        )
    for name, (parent, head, tail) in rig.items():
        if parent:
            children = made.raw["nodes"][names.index(parent)]["children"]
            first = parent == "Root"  # detached feet before the body
            children.insert(0 if first else len(children), names.index(name))
        if ends and name not in {parent for parent, _, _ in rig.values()}:
            length = float(np.linalg.norm(np.subtract(tail, head)))
            end = made.add("nodes", name=f"{name}_end", translation=[0, length, 0])
            made.raw["nodes"][names.index(name)]["children"].append(end)
    armature = made.add("nodes", name="Armature", children=[0])
    _add_mesh(made, rig, [(words.get(a, a), words.get(b, b)) for a, b in ACROSS])
    inverse = np.array([rigid_inverse(world[name]).T.ravel() for name in names])
    made.add("skins", joints=[*range(len(names))], inverseBindMatrices=made.accessor(inverse))
    mesh = made.add("nodes", mesh=0, skin=0)
    made.raw |= {"scenes": [{"nodes": [armature, mesh]}], "scene": 0}
    _add_clip(made, names, words.get("thigh", "thigh"), words.get("foot", "foot"))
    return made


ACROSS = (("shin", "foot"), ("foot", "toes"), ("forearm", "hand"))


def _add_mesh(made: Model, rig: dict[str, tuple[str, Point, Point]], across: list[tuple[str, str]]) -> None:
    names, shape = [*rig], ((0, 1, 2), (3, 5, 4), (0, 3, 1), (1, 4, 2))
    ends = [(head, tail) for _, head, tail in rig.values()]
    points = [np.array(place) + 0.03 * by for both in ends for place in both for by in np.eye(3)]
    faces = [[6 * k + corner for corner in face] for k in range(len(rig)) for face in shape]
    for above, below in ((names.index(f"{a}.{side}"), names.index(f"{b}.{side}")) for a, b in across for side in SIDES):
        faces.append([6 * above + 3, 6 * below, 6 * below + 1])
    attributes = {
        "POSITION": made.accessor(points),
        "JOINTS_0": made.accessor([[k // 6, 0, 0, 0] for k in range(len(points))], "u1"),
        "WEIGHTS_0": made.accessor([[1, 0, 0, 0]] * len(points)),
    }
    made.add("meshes", primitives=[{"attributes": attributes, "indices": made.accessor(np.ravel(faces), "u2")}])


def _add_clip(made: Model, names: list[str], thigh: str, foot: str) -> None:
    thigh_node, foot_node = names.index(f"{thigh}.L"), names.index(f"{foot}.L")
    start = np.array(made.raw["nodes"][foot_node]["translation"])
    turn = np.array(made.raw["nodes"][thigh_node]["rotation"])
    times, away, raised = np.arange(4) / 24, np.array([0.0, 0.2, 0.1]), np.array([0.1, 0.0, 0.0, 0.0])
    made.animation(foot_node, "translation", times, [start + k * away for k in (0, 0.3, 1, 0)], name="kick")
    bent = [turn + k * raised for k in (0, 1, 2, 0)]
    sampler = {"input": made.accessor(times), "output": made.accessor([b / np.linalg.norm(b) for b in bent])}
    made.raw["animations"][0]["channels"].append({"sampler": 1, "target": {"node": thigh_node, "path": "rotation"}})
    made.raw["animations"][0]["samplers"].append(sampler)


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


@cache
def _walk() -> posable.Clip:
    return posable.load(posable.sample("walk.bvh")).clips[0]


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


def without_clips() -> Model:
    """The person without clips, and without a joint above the root."""
    made = model()
    made.raw.pop("animations")
    armature = next(node for node in made.raw["nodes"] if node.get("name") == "Armature")
    armature["children"] = []
    made.raw["scenes"][0]["nodes"][0] = 0
    return made


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


@pytest.mark.parametrize("name", ["characters/RobotExpressive.glb", "rigs/mech_pack_George.glb"])
def test_real_rigs_are_retargeted_on_their_feet(shared: Path, name: str) -> None:
    figure = posable.load(shared / name)
    clip = posable.retarget(_walk(), figure)
    assert off_limb(figure, clip.poses) < 1e-6
    assert longest_edge(figure, clip.poses) < 1.1
