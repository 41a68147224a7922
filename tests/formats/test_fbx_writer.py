"""FBX out: what posable writes anew, and what it keeps of a file that was read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from formats.fbx_texts import curve, document, model, moving
from formats.test_fbx import ARM, TREE, judged, judged_worlds, opened

import posable
from posable import Clip, Figure
from posable.errors import PosableError
from posable.figures import Clips, Shape
from posable.formats import load, save
from posable.formats.fbx import read_tree
from posable.formats.fbx.tree import Element, Packed
from posable.formats.fbx.writing import smooth_angles
from posable.progress import progress_heard
from posable.skin import Skin


def waved(figure: Figure, frames: int = 12, fps: float = 24.0) -> Clip:
    """A clip in which every freedom swings."""
    rng = np.random.default_rng(1)
    phase = rng.uniform(0, 6, figure.skeleton.dof)
    swing = 0.4 * np.sin(phase + np.arange(frames)[:, None] / 5)
    return Clip(figure.skeleton, figure.rest.plus(swing).q, fps, "wave")


def assert_same_worlds(found: np.ndarray, wanted: np.ndarray) -> None:
    size = np.linalg.norm(np.ptp(wanted[..., :3, 3].reshape(-1, 3), axis=0))
    np.testing.assert_allclose(found[..., :3, 3], wanted[..., :3, 3], atol=2e-6 * size)
    np.testing.assert_allclose(found[..., :3, :3], wanted[..., :3, :3], atol=5e-6)


@pytest.mark.parametrize("name", ["mannequin", "snake", "arm6"])
def test_a_figure_comes_back_with_rest_clips_and_skin(tmp_path: Path, name: str) -> None:
    figure = posable.figure(name)
    clip = waved(figure)
    save(tmp_path / "made.fbx", figure, clip)
    again = load(tmp_path / "made.fbx")
    order = [again.skeleton.index(one) for one in figure.skeleton.joints]
    assert again.skeleton.up == figure.skeleton.up and not again.notes
    assert_same_worlds(again.rest.world_from_joint[order], figure.rest.world_from_joint)
    (found,) = again.clips
    assert (found.name, found.fps, len(found)) == ("wave", 24, 12)
    assert_same_worlds(found.poses.world_from_joint[:, order], clip.poses.world_from_joint)
    for before, after in zip(figure.skins, again.skins, strict=False):
        np.testing.assert_allclose(after.deform(found.poses[7]), before.deform(clip.poses[7]), atol=2e-5)


def test_ufbx_sees_what_was_written(tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    clip = waved(figure, fps=30.0)
    save(tmp_path / "made.fbx", figure, clip)
    said = judged(tmp_path / "made.fbx")
    worlds = judged_worlds(said, [np.array(said["moved"][str(i)]) for i in range(len(said["names"]))])
    assert said["meters"] == 1 and said["fps"] == 30
    for j, name in enumerate(figure.skeleton.joints):
        found = np.broadcast_to(worlds[said["names"].index(name)], (12, 3))
        np.testing.assert_allclose(found, clip.poses.origins[:, j], atol=1e-5 * figure.height)


def test_skins_with_other_bind_matrices_share_one_for_each_joint(tmp_path: Path) -> None:
    """Blender and engines have one rest pose of a bone: what is bound in its joint's frame stands there as well."""
    figure = posable.figure("mannequin")
    head = figure.skeleton.index("head")
    vertices = np.array([[0.1, 0.2, 0], [-0.1, 0.2, 0], [0, 0.3, 0.1]])
    hat = Skin.rigid(figure.skeleton, "head", vertices, np.array([[0, 1, 2]]))
    hat = replace(hat, inverse_bind=np.tile(np.eye(4), (len(figure.skeleton.joints), 1, 1)), name="hat")
    clip = waved(figure)
    save(tmp_path / "made.fbx", replace(figure, skins=(*figure.skins, hat)), clip)
    links: dict[str, list[np.ndarray]] = {}
    for one in read_tree(tmp_path / "made.fbx").find("Objects").all("Deformer"):
        if one.text(2) == "Cluster":
            links.setdefault(one.text(1).partition("\0")[0], []).append(one.array("TransformLink"))
    assert len(links["head"]) == 2
    np.testing.assert_allclose(links["head"][0], links["head"][1], atol=1e-9)
    again = load(tmp_path / "made.fbx")
    wanted = clip.poses[7].world_from_joint[head]
    found = again.skins[1].deform(again.clips[0].poses[7])
    np.testing.assert_allclose(found, vertices @ wanted[:3, :3].T + wanted[:3, 3], atol=1e-5)


def test_morphs_colours_and_shapes_are_written(tmp_path: Path) -> None:
    figure = posable.figure("tentacle")
    (skin, *_) = figure.skins
    moved = np.zeros((1, len(skin.vertices), 3), np.float32)
    moved[0, 3] = (0, 0, 0.5)
    colors = np.tile(np.float32([0.2, 0.4, 0.6]), (len(skin.vertices), 1))
    skin = replace(skin, morphs=moved, morph_names=("bulge",), colors=colors)
    shape = Shape(figure.skeleton.joints[1], "sphere", (0.05,))
    save(tmp_path / "made.fbx", replace(figure, skins=(skin,), shapes=(shape,)))
    again = load(tmp_path / "made.fbx")
    assert len(again.skins) == 2 and again.skins[0].morph_names == ("bulge",)
    np.testing.assert_allclose(again.skins[0].morphs, moved, atol=1e-6)  # type: ignore[arg-type]
    np.testing.assert_allclose(again.skins[0].colors, colors, atol=1e-6)  # type: ignore[arg-type]


def test_a_z_up_figure_and_one_pose(tmp_path: Path) -> None:
    said = (("UpAxis", 2), ("FrontAxis", 1), ("FrontAxisSign", -1))
    settings = "".join(f'P: "{name}", "int", "Integer", "",{value}\n' for name, value in said)
    figure = opened(tmp_path, document(ARM, TREE, settings=settings))
    pose = figure.rest.plus(0.3 * np.ones(figure.skeleton.dof))
    save(tmp_path / "again.fbx", replace(figure, source=None), pose)
    again = load(tmp_path / "again.fbx")
    assert again.skeleton.up == "z"
    np.testing.assert_allclose(again.rest.world_from_joint, pose.world_from_joint, atol=1e-12)
    with pytest.raises(PosableError, match=r"one pose, not a batch of shape \(2,\)"):
        save(tmp_path / "again.fbx", figure, figure.rest.plus(np.zeros((2, figure.skeleton.dof))))


# A file that was read.


def kept_file(folder: Path) -> Path:
    """A file with a light, a material's property, and a curve, beside an arm with pivots."""
    arm = model(
        1, "upper", ("Lcl Translation", (0, 100, 0)), ("PreRotation", (20, 0, 30)), ("RotationPivot", (0, 5, 0))
    )
    arm += model(2, "lower", ("Lcl Translation", (30, 0, 0)), ("PostRotation", (0, 40, 0)), ("Lcl Scaling", (2, 2, 2)))
    other = (
        'NodeAttribute: 9, "NodeAttribute::", "Light" {\nProperties70: {\nP: "Intensity", "Number", "", "A",7\n}\n}\n'
    )
    objects, links = moving(curve(30, [(0, 0), (1, 10)]), '"OP",30,22,"d|X"')
    path = folder / "kept.fbx"
    path.write_bytes(
        document(arm + model(3, "lamp", kind="Light") + other + objects, f'{TREE}\n"OO",3,0\n"OO",9,3\n{links}')
    )
    return path


def alike(one: Element, other: Element) -> bool:
    """Whether two elements say the same."""
    return _plain(one) == _plain(other)


def _plain(element: Element) -> object:
    values = [v.numbers().tolist() if isinstance(v, Packed) else np.asarray(v).tolist() for v in element.values]
    return element.name, values, [_plain(child) for child in element.children]


def test_a_pose_changes_two_properties_and_nothing_else(tmp_path: Path) -> None:
    figure = load(kept_file(tmp_path))
    save(tmp_path / "same.fbx", figure)
    pose = figure.rest.plus(np.linspace(0.1, 0.5, figure.skeleton.dof))
    save(tmp_path / "posed.fbx", figure, pose)
    before, after = (read_tree(tmp_path / name) for name in ("same.fbx", "posed.fbx"))
    changed = []
    for one, other in zip(before.top, after.top, strict=True):
        for a, b in zip(one.children, other.children, strict=True):
            if not alike(a, b):
                changed.append(b.text(1).partition("\0")[0])
    assert changed == ["upper", "lower"]
    np.testing.assert_allclose(load(tmp_path / "posed.fbx").rest.world_from_joint, pose.world_from_joint, atol=1e-9)


def test_a_clip_is_added_and_the_other_kept(tmp_path: Path) -> None:
    figure = load(kept_file(tmp_path))
    clip = waved(figure, fps=30.0)
    save(tmp_path / "more.fbx", figure, clip)
    again = load(tmp_path / "more.fbx")
    assert [one.name for one in again.clips] == ["walk", "wave"]
    np.testing.assert_allclose(again.clips["walk"].poses.origins, figure.clips["walk"].poses.origins, atol=1e-9)
    assert_same_worlds(again.clips["wave"].poses.world_from_joint, clip.poses.world_from_joint)
    objects = read_tree(tmp_path / "more.fbx").find("Objects")
    rows = [row for one in objects.all("Model") for row in one.children[0].children]
    assert {row.codes for row in rows if row.text() in ("PreRotation", "Lcl Translation")} == {"SSSSDDD"}
    light = next(one for one in objects.children if one.text(2) == "Light" and one.name == "NodeAttribute")
    assert alike(light.children[0].children[0], Element("P", "SSSSD", ("Intensity", "Number", "", "A", 7.0)))


def test_changed_weights_are_bound_again(tmp_path: Path) -> None:
    figure = posable.figure("tentacle")
    save(tmp_path / "first.fbx", figure)
    read = load(tmp_path / "first.fbx")
    (skin, *others) = read.skins
    joints = np.roll(skin.joints, 1, axis=1)
    joints[:, 0] = 2
    painted = replace(skin, joints=joints)
    save(tmp_path / "second.fbx", replace(read, skins=(painted, *others)))
    again = load(tmp_path / "second.fbx")
    pose = read.rest.plus(0.2 * np.ones(read.skeleton.dof))
    np.testing.assert_allclose(again.skins[0].deform(pose), painted.deform(pose), atol=1e-5)


def test_an_old_file_is_written_anew(tmp_path: Path, shared: Path) -> None:
    figure = load(shared / "fbx/maya_scale_no_inherit_6100_ascii.fbx")
    save(tmp_path / "new.fbx", figure)
    assert read_tree(tmp_path / "new.fbx").version == 7400
    again = load(tmp_path / "new.fbx")
    np.testing.assert_allclose(again.clips[0].poses.origins, figure.clips[0].poses.origins, atol=1e-6)


OLD = """; FBX 6.1.0 project file
FBXHeaderExtension: {
FBXHeaderVersion: 1003
FBXVersion: 6100
}
Objects: {
Model: "Model::hip", "LimbNode" {
Properties60: {
Property: "Lcl Translation", "Lcl Translation", "A+",0,90,10
Property: "Lcl Rotation", "Lcl Rotation", "A+",0,0,30
}
}
Model: "Model::holder", "Null" {
Properties60: {
Property: "Lcl Translation", "Lcl Translation", "A+",0,0,20
}
}
Model: "Model::eye", "Camera" {
Properties60: {
Property: "PostRotation", "Vector3D", "",0,-90,0
Property: "RotationActive", "bool", "",1
Property: "Lcl Translation", "Lcl Translation", "A+",5,0,0
Property: "FocalLength", "Number", "A+",50
Property: "FieldOfView", "FieldOfView", "A+",30
Property: "NearPlane", "double", "",12
Property: "FarPlane", "double", "",5000
Property: "Position", "Vector", "A+N",1,2,3
Property: "CameraProjectionType", "enum", "",1
}
}
Model: "Model::lamp", "Light" {
Properties60: {
Property: "Lcl Translation", "Lcl Translation", "A+",0,300,0
Property: "Color", "Color", "A+N",0.25,0.5,1
Property: "LightType", "enum", "",2
Property: "Cone angle", "Cone angle", "A+",60
Property: "HotSpot", "Number", "A+",40
}
}
}
Connections: {
Connect: "OO", "Model::hip", "Model::Scene"
Connect: "OO", "Model::holder", "Model::hip"
Connect: "OO", "Model::eye", "Model::holder"
Connect: "OO", "Model::lamp", "Model::Scene"
}
"""


def same_scenery(path: Path, folder: Path, *places: int) -> None:
    """ufbx sees the same cameras and lights in the file and in what posable makes of it, but for some numbers."""
    save(folder / "out.fbx", load(path))
    before, after = (dict(judged(one)["seen"]) for one in (path, folder / "out.fbx"))
    assert before and before.keys() == after.keys()
    for name, numbers in before.items():
        known = [k for k in range(len(numbers)) if k not in places]
        np.testing.assert_allclose(np.array(after[name])[known], np.array(numbers)[known], rtol=1e-5, atol=1e-6)


def test_cameras_and_lights_of_an_old_file_are_written_anew(tmp_path: Path) -> None:
    (tmp_path / "old.fbx").write_text(OLD)
    same_scenery(tmp_path / "old.fbx", tmp_path)
    figure = load(tmp_path / "old.fbx")
    assert figure.skeleton.joints == ("hip",)
    posed = figure.rest.plus(np.array([0, 0, 1.0, 0, 0, 0.5]))
    save(tmp_path / "posed.fbx", figure, posed)
    moved = posed.world_from_joint[0] @ np.linalg.inv(figure.rest.world_from_joint[0])
    eyes = [np.array(dict(judged(tmp_path / name)["seen"])["eye"][:3]) for name in ("old.fbx", "posed.fbx")]
    np.testing.assert_allclose(moved[:3, :3] @ eyes[0] + moved[:3, 3], eyes[1], atol=1e-6)
    assert load(tmp_path / "posed.fbx").skeleton.joints == ("hip",)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("max2009_blob_5800_binary", (11, 12)),  # ufbx does not read the planes of files so old
        ("max2009_blob_6100_ascii", ()),
        ("maya_node_attribute_zoo_6100_binary", ()),
        ("maya_ortho_camera_size_6100_ascii", ()),
        ("synthetic_blender_old_exporter_6100_ascii", ()),
    ],
)
def test_cameras_and_lights_of_real_old_files(shared: Path, tmp_path: Path, name: str, places: tuple[int, ...]) -> None:
    same_scenery(shared / f"fbx/{name}.fbx", tmp_path, *places)


def test_angles_take_the_short_way() -> None:
    """Through a full turn, and past a locked middle angle, no angle jumps."""
    turn = np.stack([np.zeros(100), np.zeros(100), (np.arange(100) * 10 + 180) % 360 - 180], axis=-1)
    assert np.abs(np.diff(smooth_angles(turn[:, None]), axis=0)).max() < 10.1
    over = np.array([[[0.0, 89, 0]], [[180.0, 89, 180]], [[180.0, 80, 180]]])
    np.testing.assert_allclose(smooth_angles(over)[:, 0, 1], [89, 91, 100])


def test_progress_of_long_files_is_told(tmp_path: Path) -> None:
    figure = posable.figure("tentacle")
    clips = [replace(waved(figure, 3000), name=name) for name in ("one", "two")]
    heard: list[tuple[str, float]] = []
    with progress_heard(lambda name, share: heard.append((name, share))):
        save(tmp_path / "long.fbx", replace(figure, clips=Clips(clips)))
        written = len(heard)
        again = load(tmp_path / "long.fbx")
        read = len(heard)
        save(tmp_path / "kept.fbx", again, replace(waved(again), name="three"))
    for part, name in ((heard[:written], "long.fbx"), (heard[written:read], "long.fbx"), (heard[read:], "kept.fbx")):
        shares = [share for _, share in part]
        assert {own for own, _ in part} == {name}
        assert (shares[0], shares[-1]) == (0, 1) and shares == sorted(shares) and len(set(shares)) > 3


def test_a_pose_of_a_motion_gives_way_to_the_stance_in_which_skins_were_bound(tmp_path: Path) -> None:
    """As Maya writes files: the nodes are where the frame has them that was shown last, here of a squat."""
    figure = posable.figure("mannequin")
    squat = np.zeros(figure.skeleton.dof)
    first = figure.skeleton.tables.first_dof
    for joint, angle in (("thigh_l", -1.9), ("thigh_r", -1.9), ("shin_l", 2.4), ("shin_r", 2.4)):
        squat[first[figure.skeleton.index(joint)]] = angle
    folded = figure.rest.plus(squat)
    clip = Clip(figure.skeleton, np.stack([folded.q, figure.rest.q]), 30.0, "squat")
    save(tmp_path / "first.fbx", figure, clip)
    read = load(tmp_path / "first.fbx")
    save(tmp_path / "sits.fbx", read, read.clips[0].poses[0])
    sits = load(tmp_path / "sits.fbx")
    assert any("that in which its skins were bound was taken" in note for note in sits.notes)
    assert_same_worlds(sits.rest.world_from_joint, read.rest.world_from_joint)
    assert_same_worlds(sits.clips[0].poses.world_from_joint, read.clips[0].poses.world_from_joint)
    assert len(posable.retarget(sits.clips[0], to=figure)) == 2  # which needs a stance
    save(tmp_path / "saved.fbx", read, read.clips[0].poses[0].plus(0.02 * np.ones(read.skeleton.dof)))
    saved = load(tmp_path / "saved.fbx")  # a pose that no clip has is one that somebody wants
    assert not any("stance" in note for note in saved.notes)
