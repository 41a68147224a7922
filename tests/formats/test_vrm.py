"""VRM 0.x and 1.0: the parts of the body have their standard names, and writing keeps the file a VRM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from formats.gltf_models import Model, arm, changed
from formats.plain_gltf import split_glb
from formats.test_gltf_keep import some_clip, some_pose

from posable.errors import FileError, UnsupportedFileError
from posable.formats import load, save

ZERO = {"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}, {"bone": "spine", "node": 2}]}}}
ONE = {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 1}, "spine": {"node": 2}}}}}


def avatar(extensions: dict[str, Any]) -> Model:
    model = arm()
    model.raw["extensions"] = extensions
    return model


@pytest.mark.parametrize(
    ("extensions", "facing"),
    [(ZERO, "VRM 0.x: the figure looks along -z"), (ONE, "VRM 1.0: the figure looks along +z")],
)
def test_parts_of_the_body_are_found_by_their_standard_names(
    tmp_path: Path, extensions: dict[str, Any], facing: str
) -> None:
    figure = load(avatar(extensions).glb(tmp_path, "a.vrm"))
    assert [joint.aliases for joint in figure.skeleton.definitions] == [(), ("hips",), ("spine",)]
    assert figure.skeleton.index("spine") == 2
    assert figure.notes == (facing,)


def test_a_vrm_named_glb_has_the_names_too(tmp_path: Path) -> None:
    assert load(avatar(ONE).glb(tmp_path)).skeleton.index("hips") == 1


def test_one_node_may_be_two_parts_and_a_part_may_be_missing(tmp_path: Path) -> None:
    bones = [{"bone": "neck", "node": 2}, {"bone": "head", "node": 2}, {"bone": "jaw", "node": -1}]
    figure = load(avatar({"VRM": {"humanoid": {"humanBones": bones}}}).glb(tmp_path, "a.vrm"))
    assert figure.skeleton.definitions[2].aliases == ("neck", "head")


def test_a_file_without_the_extension_is_plain_gltf(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path, "a.vrm"))
    assert figure.notes == ("the file has no VRM extension; it is read as plain glTF",)
    with pytest.raises(UnsupportedFileError, match="only a figure that was read from a VRM can be written as one"):
        save(tmp_path / "b.vrm", figure)


@pytest.mark.parametrize(
    ("way", "value", "message"),
    [
        ("extensions/VRM/humanoid/humanBones/0/node", 9, r"humanBones\[0\].node: is 9, but the file has 4 nodes"),
        ("extensions/VRM/humanoid/humanBones/0/bone", 9, r"humanBones\[0\].bone: must be text, not the number 9"),
        ("extensions/VRM/humanoid/humanBones/0", {}, r"humanBones\[0\]: 'bone' is missing"),
        ("extensions/VRM/humanoid", 9, r"extensions.VRM.humanoid: must be an object"),
        ("extensions/VRM", 9, r"extensions.VRM: must be an object"),
    ],
)
def test_wrong_maps_are_refused(tmp_path: Path, way: str, value: Any, message: str) -> None:
    bones = [{"bone": "hips", "node": 1}]
    model = changed(avatar({"VRM": {"humanoid": {"humanBones": bones}}}), way, value)
    with pytest.raises(FileError, match=message):
        load(model.glb(tmp_path, "a.vrm"))


def test_a_real_avatar(shared: Path, tmp_path: Path) -> None:
    source = shared / "characters/cryptovoxels.vrm"
    figure = load(source)
    raw, _ = split_glb(source.read_bytes())
    bones = raw["extensions"]["VRM"]["humanoid"]["humanBones"]
    assert len(bones) > 15
    for bone in bones:
        named = figure.skeleton.joints[figure.skeleton.index(bone["bone"])]
        assert named == raw["nodes"][bone["node"]]["name"]
    save(tmp_path / "posed.vrm", figure, some_pose(figure))
    save(tmp_path / "moving.vrm", figure, some_clip(figure))
    for name in ("posed.vrm", "moving.vrm"):
        assert split_glb((tmp_path / name).read_bytes())[0]["extensions"] == raw["extensions"]
    assert load(tmp_path / "moving.vrm").skeleton.aliases == figure.skeleton.aliases
