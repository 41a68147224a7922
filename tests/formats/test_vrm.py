"""VRM 0.x and 1.0: the parts of the body have their standard names, and writing keeps the file a VRM."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from formats.gltf_models import Model, arm, changed
from formats.plain_gltf import split_glb
from formats.test_gltf_keep import some_clip, some_pose

from posable.clips import Clip
from posable.errors import FileError, UnsupportedFileError
from posable.figures import Figure
from posable.formats import load, save
from posable.formats.gltf.container import BINARY_CHUNK, join
from posable.skeleton import Cone, Pose, Skeleton

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


# What a VRM holds besides its figure, as exporters and people write it: odd numbers, escapes, letters of all kinds.
REST = """{ "VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": 1}, "spine": {"node": 2}}},
    "meta": {"name": "Zoë \\u00e9 左", "authors": ["a", "\\ud83d\\ude00"], "licenseUrl": "https:\\/\\/vrm.dev",
      "otherPermission": null, "thumbnailImage": 0},
    "firstPerson": {"meshAnnotations": [{"node": 3, "type": "both"}]},
    "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 6.0e-2, 0.0],
      "rangeMapHorizontalInner": {"inputMaxValue": 9E1}},
    "expressions": {"preset": {"happy": {"isBinary": false,
      "morphTargetBinds": [{"node": 3, "index": 0, "weight": 1.0}],
      "materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 0.50, 1e0, 1]}]}}, "custom": {}}},
  "VRMC_springBone": {"specVersion": "1.0", "colliders": [{"node": 1, "shape": {"sphere": {"offset": [0.0, -0, 0],
      "radius": 0.100}}, "extensions": {"VRMC_springBone_extended_collider": {"shape": {"plane": {}}}}}],
    "colliderGroups": [{"name": "g", "colliders": [0]}],
    "springs": [{"name": "hair", "joints": [{"node": 1, "hitRadius": 0.02, "stiffness": 1, "gravityPower": 1e-7,
      "gravityDir": [0, -1, 0], "dragForce": 0.4}, {"node": 2}], "colliderGroups": [0], "center": 0}]},
  "XYZ_unknown": {"deep": [[[{"a": 12345678901234567890123}]], 0.1000000000000000055511151231257827, 1E+30, true] } }"""
OF_NODES = """{"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {"roll": {"source": 1,
  "rollAxis": "X", "weight": 1.0}}},
  "XYZ_node":  {"x": 1.50}}"""
OF_MATERIALS = """[{"name": "m", "extensions": {"VRMC_materials_mtoon": {"specVersion": "1.0",
  "shadeColorFactor": [0.50, 1, 1], "shadingToonyFactor": 0.90, "outlineWidthMode": "worldCoordinates"},
  "KHR_materials_unlit": { }},
  "extras": {"é": [1.0]}}]"""


def rich(folder: Path, extensions: str = REST) -> Path:
    """A VRM with all that posable does not read, in the spelling above."""
    model = avatar({"VRMC_vrm": 0})
    model.raw["materials"] = 0
    model.raw["nodes"][2] |= {"extensions": 0, "extras": {"mine": [1.0, None]}}
    path = model.glb(folder, "rich.vrm")
    raw, binary = split_glb(path.read_bytes())
    text = json.dumps(raw).replace('"extensions": {"VRMC_vrm": 0}', f'"extensions": {extensions}')
    text = text.replace('"materials": 0', f'"materials": {OF_MATERIALS}').replace(
        '"extensions": 0', f'"extensions":{OF_NODES}'
    )
    path.write_bytes(join(path, text.encode(), ((BINARY_CHUNK, binary), (0x12345678, b"\\0own chunk"))))
    return path


def changes(figure: Figure) -> dict[str, tuple[Figure, Pose | Clip | None]]:
    """Everything that may be written into a file that was read."""
    skin = figure.skins[0]
    definitions = figure.skeleton.definitions
    limited = replace(definitions[2], cone=Cone((0.0, 1.0, 0.0), 1.0))
    return {
        "nothing": (figure, None),
        "a pose": (figure, some_pose(figure)),
        "a clip": (figure, some_clip(figure)),
        "limits": (figure.on(Skeleton((*definitions[:2], limited, *definitions[3:]), figure.skeleton.up)), None),
        "weights": (replace(figure, skins=(replace(skin, weights=skin.weights[::-1]), *figure.skins[1:])), None),
    }


@pytest.mark.parametrize("what", ["nothing", "a pose", "a clip", "limits", "weights"])
@pytest.mark.parametrize("version", ["0", "1"])
def test_everything_else_keeps_its_bytes(tmp_path: Path, version: str, what: str) -> None:
    """Extensions of the file, of nodes and of materials, extras, chunks and buffers, to the letter."""
    own = REST
    if version == "0":
        own = REST.replace(
            '"VRMC_vrm": {', '"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}]}, "was": {'
        )
        own = own.replace('"VRMC_springBone"', '"blendShapeMaster"').replace('"custom": {}}},', '"custom": {}}}},')
    path = rich(tmp_path, own)
    figure = load(path)
    changed_figure, motion = changes(figure)[what]
    save(tmp_path / "out.vrm", changed_figure, motion)
    before, after = path.read_bytes(), (tmp_path / "out.vrm").read_bytes()
    for text in (own, OF_NODES, OF_MATERIALS):
        assert before.count(text.encode()) == after.count(text.encode()) == 1
    assert after.endswith(before[before.index(b"\\0own chunk") - 8 :])
    (old, buffer), (new, longer) = split_glb(before), split_glb(after)
    assert longer[: len(buffer)] == buffer
    assert new["extensions"] == old["extensions"]
    assert new["nodes"][2]["extras"]["mine"] == [1.0, None]
    assert [node.get("name") for node in new["nodes"]] == [node.get("name") for node in old["nodes"]]
    assert (before == after) == (what == "nothing")
    assert load(tmp_path / "out.vrm").skeleton.joints == figure.skeleton.joints
