"""Writing into a glTF that was read: what was asked is there, and every other byte of JSON and buffers is as it was."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest
from formats.gltf_models import Model, arm
from formats.plain_gltf import PlainGltf, make_glb, split_glb

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure
from posable.formats import load, save
from posable.skeleton import Cone, Pose, Skeleton

BINARY = (
    "CesiumMan.glb", "Fox.glb", "InfiniteSkinnedTentacle.glb", "Knight.glb", "MH_game_engine.glb",
    "Q_PlatformerHumanoid.glb", "Q_Snake.glb", "Q_Spider.glb", "Q_Wolf.glb", "RobotExpressive.glb", "quad_skin.glb",
    "cryptovoxels.vrm",
)  # fmt: skip
TEXT = ("SimpleSkin.gltf", "rigged_simple.gltf", "unassigned-skeleton.gltf")


def some_pose(figure: Figure, seed: int = 0) -> Pose:
    skeleton = figure.skeleton
    step = 0.3 * np.random.default_rng(seed).standard_normal(skeleton.dof) * skeleton.tables.active
    return figure.rest.plus(step)


def some_clip(figure: Figure, name: str = "new") -> Clip:
    q = np.stack([figure.rest.q, some_pose(figure, 1).q, some_pose(figure, 2).q, figure.rest.q])
    return Clip(figure.skeleton, q, 24.0, name)


@pytest.mark.parametrize("name", BINARY)
def test_nothing_asked_nothing_changed(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "characters" / name
    save(tmp_path / name, load(source))
    before, after = split_glb(source.read_bytes()), split_glb((tmp_path / name).read_bytes())
    assert list(after[0]) == list(before[0])
    assert json.dumps(after[0]) == json.dumps(before[0])
    assert after[1] == before[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", BINARY)
def test_a_pose_changes_nodes_alone_and_comes_back(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "characters" / name
    figure = load(source)
    pose = some_pose(figure)
    save(tmp_path / name, figure, pose)
    before, after = split_glb(source.read_bytes()), split_glb((tmp_path / name).read_bytes())
    rest = after[0]
    changed = [i for i, (a, b) in enumerate(zip(before[0]["nodes"], rest["nodes"], strict=True)) if a != b]
    assert changed
    for i in changed:
        moved = {"translation", "rotation"} | ({"scale", "matrix"} if "matrix" in before[0]["nodes"][i] else set())
        same = [{k: v for k, v in raw["nodes"][i].items() if k not in moved} for raw in (before[0], rest)]
        assert same[0] == same[1]
    assert {**rest, "nodes": 0} == {**before[0], "nodes": 0}
    assert after[1] == before[1]
    again = load(tmp_path / name)
    assert np.abs(again.rest.world_from_joint - pose.world_from_joint).max() < 1e-6 * figure.skeleton.reach
    for one, two in zip(figure.skins, again.skins, strict=True):
        assert np.abs(one.deform(pose) - two.deform(again.rest)).max() < 1e-6 * figure.skeleton.reach


@pytest.mark.slow
@pytest.mark.parametrize("name", BINARY)
def test_a_clip_is_appended_and_comes_back(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "characters" / name
    figure = load(source)
    clip = some_clip(figure)
    save(tmp_path / name, figure, clip)
    before, after = split_glb(source.read_bytes()), split_glb((tmp_path / name).read_bytes())
    rest = after[0]
    for key, entries in before[0].items():
        if key in ("accessors", "bufferViews", "animations"):
            assert rest[key][: len(entries)] == entries
        elif key == "buffers":
            assert [{**b, "byteLength": 0} for b in rest[key]] == [{**b, "byteLength": 0} for b in entries]
        elif key != "nodes":
            assert rest[key] == entries, key
    assert after[1][: len(before[1])] == before[1]
    again = load(tmp_path / name)
    back = again.clips["new"]
    assert (back.fps, len(back), len(again.clips)) == (24.0, 4, len(figure.clips) + 1)
    assert np.abs(back.poses.world_from_joint - clip.poses.world_from_joint).max() < 1e-6 * figure.skeleton.reach


@pytest.mark.parametrize("name", [n for n in BINARY + TEXT if n not in ("Knight.glb", "InfiniteSkinnedTentacle.glb")])
def test_others_open_it_and_it_is_sound(shared: Path, tmp_path: Path, name: str) -> None:
    figure = load(shared / "characters" / name)
    path = tmp_path / Path(name).with_suffix(".glb")
    save(path, figure, some_clip(figure))
    opened = pygltflib.GLTF2().load(path)
    assert opened is not None
    assert opened.animations[-1].name == "new"
    check_structure(path)


def check_structure(path: Path) -> None:
    """What the specification asks of the container and of every accessor that was added."""
    content = path.read_bytes()
    raw, binary = split_glb(content)
    assert len(content) % 4 == 0
    assert int.from_bytes(content[8:12], "little") == len(content)
    plain = PlainGltf(path)
    for animation in raw.get("animations", [])[-1:]:
        targets = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
        assert len(set(targets)) == len(targets) > 0
        for channel in animation["channels"]:
            assert "matrix" not in raw["nodes"][channel["target"]["node"]]
        for sampler in animation["samplers"]:
            keys, values = plain.accessor(sampler["input"]), plain.accessor(sampler["output"])
            stated = raw["accessors"][sampler["input"]]
            assert (stated["min"], stated["max"]) == ([keys.min()], [keys.max()])
            assert (np.diff(keys[:, 0]) > 0).all()
            assert len(keys) == len(values)
            if values.shape[1] == 4:
                np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1, atol=1e-6)
                assert (np.sum(values[1:] * values[:-1], axis=1) >= 0).all(), "a sign turns between two keys"
    for accessor in raw["accessors"]:
        offset = accessor.get("byteOffset", 0) + raw["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
        assert offset % {5120: 1, 5121: 1, 5122: 2, 5123: 2}.get(accessor["componentType"], 4) == 0
    for view in raw["bufferViews"]:
        if view["buffer"] == 0 and binary:
            assert view.get("byteOffset", 0) + view["byteLength"] <= raw["buffers"][0]["byteLength"] <= len(binary)


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("suffix", [".gltf", ".glb"])
def test_gltf_becomes_one_file_that_holds_everything(shared: Path, tmp_path: Path, name: str, suffix: str) -> None:
    figure = load(shared / "characters" / name)
    path = tmp_path / f"alone{suffix}"
    clip = some_clip(figure)
    save(path, figure, clip)
    before, after = PlainGltf(shared / "characters" / name), PlainGltf(path)
    assert [len(b) for b in before.buffers][1:] == [len(b) for b in after.buffers][1 : len(before.buffers)]
    for old, new in zip(before.buffers, after.buffers, strict=False):
        assert new[: len(old)] == old
    if suffix == ".glb":  # the first buffer moves into the binary chunk, and new bytes follow it there
        assert "uri" not in after.raw["buffers"][0]
        assert len(after.buffers) == len(before.buffers)
    back = load(path)
    assert np.abs(back.clips["new"].poses.origins - clip.poses.origins).max() < 1e-6 * figure.skeleton.reach
    assert len(back.clips) == len(figure.clips) + 1


def test_a_gltf_kept_as_text_leaves_its_buffers_as_they_stand(shared: Path, tmp_path: Path) -> None:
    source = shared / "characters/SimpleSkin.gltf"
    figure = load(source)
    save(tmp_path / "posed.gltf", figure, some_pose(figure))
    before, after = json.loads(source.read_text()), json.loads((tmp_path / "posed.gltf").read_text())
    assert {**after, "nodes": 0} == {**before, "nodes": 0}


def beside(folder: Path) -> Path:
    """A .gltf whose buffer and texture lie beside it."""
    model = arm()
    model.add("images", uri="skin.png")
    model.add("images", uri="missing.png")
    raw = model.complete()
    raw["buffers"][0]["uri"] = "arm.bin"
    (folder / "arm.bin").write_bytes(model.binary)
    (folder / "skin.png").write_bytes(b"a picture")
    (folder / "arm.gltf").write_text(json.dumps(raw))
    return folder / "arm.gltf"


@pytest.mark.parametrize("suffix", [".gltf", ".glb"])
def test_what_lay_beside_is_carried_inside(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    source = beside(tmp_path / "here")
    figure = load(source)
    path = tmp_path / "there" / f"alone{suffix}"
    save(path, figure, some_pose(figure))
    again, plain = load(path), PlainGltf(path)
    np.testing.assert_array_equal(again.skins[0].vertices, figure.skins[0].vertices)
    images = plain.raw["images"]
    assert images[0]["uri"] == "data:image/png;base64," + base64.b64encode(b"a picture").decode()
    assert images[1]["uri"] == "missing.png"
    assert plain.buffers[0][: len((source.parent / "arm.bin").read_bytes())] == (source.parent / "arm.bin").read_bytes()


def test_glb_becomes_text_that_holds_everything(shared: Path, tmp_path: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    save(tmp_path / "fox.gltf", figure, some_clip(figure))
    again = load(tmp_path / "fox.gltf")
    assert [clip.name for clip in again.clips] == ["Survey", "Walk", "Run", "new"]
    np.testing.assert_array_equal(again.skins[0].vertices, figure.skins[0].vertices)
    assert len(json.loads((tmp_path / "fox.gltf").read_text())["buffers"]) == 2


def test_chunks_that_posable_does_not_know_are_kept(tmp_path: Path) -> None:
    content = arm().glb(tmp_path).read_bytes() + (8).to_bytes(4, "little") + b"NOTEremember"
    (tmp_path / "odd.glb").write_bytes(content[:8] + len(content).to_bytes(4, "little") + content[12:])
    figure = load(tmp_path / "odd.glb")
    save(tmp_path / "kept.glb", figure, some_clip(figure))
    assert (tmp_path / "kept.glb").read_bytes().endswith(b"\x08\0\0\0NOTEremember")
    assert load(tmp_path / "kept.glb").clips["new"]


def test_a_binary_chunk_that_no_buffer_uses_is_left_alone(tmp_path: Path) -> None:
    model = arm()
    raw = json.loads(model.gltf(tmp_path).read_text())
    (tmp_path / "odd.glb").write_bytes(make_glb(raw, b"spare"))
    figure = load(tmp_path / "odd.glb")
    save(tmp_path / "kept.glb", figure, some_clip(figure))
    raw, binary = split_glb((tmp_path / "kept.glb").read_bytes())
    assert binary == b"spare\0\0\0"
    assert len(raw["buffers"]) == 2
    assert load(tmp_path / "kept.glb").clips["new"]


def test_a_file_without_buffers_gets_one(tmp_path: Path) -> None:
    model = Model()
    model.add("nodes", name="a", children=[1])
    model.add("nodes", name="b", translation=[0, 1, 0])
    figure = load(model.glb(tmp_path))
    save(tmp_path / "out.glb", figure, some_clip(figure))
    assert len(split_glb((tmp_path / "out.glb").read_bytes())[0]["buffers"]) == 1
    assert load(tmp_path / "out.glb").clips["new"].fps == 24


def test_clips_get_names_of_their_own(shared: Path, tmp_path: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    save(tmp_path / "fox.glb", figure, some_clip(figure, "Walk"))
    assert [clip.name for clip in load(tmp_path / "fox.glb").clips] == ["Survey", "Walk", "Run", "Walk_2"]
    save(tmp_path / "fox.glb", figure, some_clip(figure, ""))
    assert load(tmp_path / "fox.glb").clips[-1].name == "posable"


def test_clips_that_were_given_to_the_figure_are_written_once(shared: Path, tmp_path: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    clip = some_clip(figure, "wave")
    save(tmp_path / "fox.glb", replace(figure, clips=(*figure.clips, clip)), clip)
    assert [c.name for c in load(tmp_path / "fox.glb").clips] == ["Survey", "Walk", "Run", "wave"]


def test_a_clip_in_which_nothing_moves_is_a_clip(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path))
    save(tmp_path / "out.glb", figure, Clip(figure.skeleton, np.tile(figure.rest.q, (3, 1)), 10, "still"))
    still = load(tmp_path / "out.glb").clips["still"]
    assert (len(still), still.fps) == (3, 10)


def test_uneven_frame_rates_come_back_exactly(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path))
    q = np.stack([some_pose(figure, k).q for k in range(400)])
    for fps in (7.0, 29.97, 33.3, 12.34567, 1000.0):
        save(tmp_path / "out.glb", figure, Clip(figure.skeleton, q, fps, "c"))
        back = load(tmp_path / "out.glb").clips["c"]
        assert (back.fps, len(back)) == (fps, 400)
        np.testing.assert_allclose(np.abs(np.sum(back.q[:, -4:] * q[:, -4:], axis=1)), 1, atol=1e-6)


def test_new_limits_are_kept_in_extras_and_come_back(shared: Path, tmp_path: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    cone = Cone((0, 1, 0), 0.5, (-0.1, 0.2))
    joints = [replace(j, cone=cone, stiffness=2.0) if j.kind == "ball" else j for j in figure.skeleton.definitions]
    limited = figure.on(Skeleton(joints))
    pose = some_pose(limited)
    save(tmp_path / "fox.glb", limited, pose)
    again = load(tmp_path / "fox.glb")
    assert [replace(j, rest=None) for j in again.skeleton.definitions] == [
        replace(j, rest=None) if j.kind == "ball" else k
        for j, k in zip(joints, again.skeleton.definitions, strict=True)
    ]
    tangent = Pose(limited.skeleton, again.rest.q).minus(pose)
    balls = [
        i for i, name in enumerate(limited.skeleton.freedoms) if limited.skeleton.cones.get(name.rpartition(".")[0])
    ]
    assert np.abs(tangent[balls]).max() < 1e-9


def test_other_extras_survive(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["extras"] = {"mine": [1, {"a": "ü"}], "n": 1e-7}
    model.raw["asset"]["extras"] = {"mine": 1}
    model.raw["extensions"] = {"MY_thing": {"deep": [[[1]]]}}
    figure = load(model.glb(tmp_path))
    joints = [replace(j, stiffness=1.0) if j.name == "lower" else j for j in figure.skeleton.definitions]
    save(tmp_path / "out.glb", figure.on(Skeleton(joints)))
    raw, _ = split_glb((tmp_path / "out.glb").read_bytes())
    assert raw["extensions"] == model.raw["extensions"]
    assert raw["asset"] == model.raw["asset"]
    assert raw["nodes"][2]["extras"]["mine"] == [1, {"a": "ü"}]
    assert load(tmp_path / "out.glb").skeleton.definitions == tuple(joints)


def test_extras_that_are_no_object_are_left_alone(tmp_path: Path) -> None:
    model = arm()
    model.raw["asset"]["extras"] = "mine"
    save(tmp_path / "out.glb", load(model.glb(tmp_path)))
    assert split_glb((tmp_path / "out.glb").read_bytes())[0]["asset"]["extras"] == "mine"


def test_a_batch_of_poses_is_refused(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path))
    batch = Pose(figure.skeleton, np.tile(figure.rest.q, (3, 1)))
    with pytest.raises(
        PosableError, match=r"a file stores one pose, not a batch of shape \(3,\); give one of them, or a clip: "
    ):
        save(tmp_path / "out.glb", figure, batch)
    with pytest.raises(PosableError, match="a file stores one pose, not a batch"):
        save(tmp_path / "out.glb", replace(figure, source=None), batch)


def test_a_figure_with_another_skin_is_written_afresh(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path))
    other = replace(figure.skins[0], vertices=figure.skins[0].vertices * 2)
    save(tmp_path / "out.glb", replace(figure, skins=(other,)))
    np.testing.assert_array_equal(load(tmp_path / "out.glb").skins[0].vertices, other.vertices)


def test_a_figure_turned_upright_is_written_afresh(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path))
    skeleton = Skeleton(figure.skeleton.definitions, "z")
    save(tmp_path / "out.glb", replace(figure, skeleton=skeleton, skins=tuple(s.on(skeleton) for s in figure.skins)))
    assert load(tmp_path / "out.glb").skeleton == skeleton


def test_a_clip_that_was_changed_is_added_beside_the_old_one(shared: Path, tmp_path: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    slower = [replace(clip, fps=12.0) if clip.name == "Walk" else clip for clip in figure.clips]
    save(tmp_path / "fox.glb", replace(figure, clips=tuple(slower)))
    again = load(tmp_path / "fox.glb")
    assert [clip.name for clip in again.clips] == ["Survey", "Walk", "Run", "Walk_2"]
    assert again.clips["Walk_2"].seconds == pytest.approx(2 * again.clips["Walk"].seconds)


def test_clips_on_other_kinds_of_joints_are_the_files_own(shared: Path, tmp_path: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    root = next(j for j in figure.skeleton.definitions if j.kind == "free" and j.active is None)
    joints = [replace(j, kind="ball") if j is root else j for j in figure.skeleton.definitions]
    skeleton = Skeleton(joints)
    clips = tuple(Clip(skeleton, np.tile(skeleton.rest_coordinates, (2, 1)), c.fps, c.name) for c in figure.clips)
    skins = tuple(skin.on(skeleton) for skin in figure.skins)
    save(tmp_path / "fox.glb", replace(figure, skeleton=skeleton, skins=skins, clips=clips))
    again = load(tmp_path / "fox.glb")
    assert again.skeleton.definitions[again.skeleton.index(root.name)].kind == "ball"
    assert len(again.clips) == 3


def test_a_shear_is_kept_in_a_pose(tmp_path: Path) -> None:
    model = arm()
    del model.raw["nodes"][2]["translation"]
    model.raw["nodes"][2]["matrix"] = [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 2, 0, 1]
    figure = load(model.glb(tmp_path))
    pose = some_pose(figure)
    save(tmp_path / "out.glb", figure, pose)
    again = load(tmp_path / "out.glb")
    after, before = again.skins[0].matrices(again.rest), figure.skins[0].matrices(pose)
    used = figure.skins[0].used_joints  # what the others would do to vertices that follow them is not in the file
    np.testing.assert_allclose(after[used], before[used], atol=1e-9)


@pytest.mark.parametrize("images", [[3], [{"uri": []}], [{"uri": 3}], [{}]])
def test_strange_images_do_not_disturb(tmp_path: Path, images: list[Any]) -> None:
    model = arm()
    model.raw["images"] = images
    save(tmp_path / "out.glb", load(model.glb(tmp_path)))
    assert split_glb((tmp_path / "out.glb").read_bytes())[0]["images"] == images
