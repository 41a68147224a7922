"""What a glTF reader is told about files that cannot be used: the place, what is wrong there, and the cure."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.gltf_models import Model, arm, changed
from formats.plain_gltf import make_glb

from posable.errors import FileError, FileTooLargeError, UnsupportedFileError
from posable.formats import load, save
from posable.formats.gltf.container import MAX_JSON_VALUES


def refused(path: Path, message: str, kind: type[FileError] = FileError) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        load(path)


def content(tmp_path: Path, raw: bytes, name: str = "bad.glb") -> Path:
    path = tmp_path / name
    path.write_bytes(raw)
    return path


GOOD = make_glb({"asset": {"version": "2.0"}, "nodes": [{}]})
CONTAINERS = [
    (GOOD[:12], "is truncated: a GLB has at least 20 bytes"),
    (GOOD[:-4], "is truncated: it declares 64 bytes and has 60"),
    (GOOD[:4] + struct.pack("<I", 1) + GOOD[8:], "is GLB version 1; posable reads 2"),
    (GOOD[:12] + struct.pack("<I", 9999) + GOOD[16:], "a chunk of 9,999 bytes reaches beyond the end of the file"),
    (GOOD[:16] + b"BIN\0" + GOOD[20:], "its first chunk is not JSON, so it is not a GLB"),
    (GOOD[:8] + struct.pack("<I", 12) + GOOD[12:], "its first chunk is not JSON"),
    (b"", "is empty; export or copy it again"),
    (b" ", "its JSON is invalid"),
    (b"\xff\xfe\x00", "its JSON is invalid"),
    (b'{"asset": {"version": "2.0"}\n "nodes"}', "bad.glb:2: its JSON is invalid: Expecting ',' delimiter"),
    (b"[" * 200_000, "its JSON is nested too deeply to be glTF"),
    (b"[]", "its JSON is a list […] instead of an object"),
    (b'{"asset": NaN}', "its JSON is invalid: NaN is not a JSON number"),
    (b'{"asset": 1e999}', "its JSON is invalid: the number 1e999 is too large"),
    (b"{}", "has no 'asset', so it is not a glTF 2.0 file"),
    (b'{"asset": {}}', "is glTF none; posable reads 2.0"),
    (b'{"asset": {"version": "1.0"}}', "is glTF 1.0; posable reads 2.0: open it in Blender and export glTF 2.0"),
    (b'{"asset": {"version": "2.0", "minVersion": "2.1"}}', "is glTF 2.0; posable reads 2.0"),
    (b'{"asset": {"version": "2.0"}}', "has no nodes, so there is no figure in it; export the model with its armature"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "message"), CONTAINERS)
def test_containers(tmp_path: Path, raw: bytes, message: str) -> None:
    refused(content(tmp_path, raw), message)


def test_too_many_json_values_are_counted_before_they_are_made(tmp_path: Path) -> None:
    refused(
        content(tmp_path, b"[" + b"0," * MAX_JSON_VALUES),
        "values in its JSON; posable accepts at most",
        FileTooLargeError,
    )


UNSUPPORTED = {
    "EXT_mesh_gpu_instancing": "requires the extension EXT_mesh_gpu_instancing, which posable does not support",
    "MY_own": "requires the extension MY_own, which posable does not support: export it again without that extension",
}


@pytest.mark.parametrize(("name", "message"), UNSUPPORTED.items())
def test_required_extensions_that_are_not_supported(tmp_path: Path, name: str, message: str) -> None:
    model = arm()
    model.raw["extensionsRequired"] = [name]
    refused(model.glb(tmp_path), message, UnsupportedFileError)


@pytest.mark.parametrize("name", ["KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_transform", "VRMC_vrm"])
def test_required_extensions_that_change_no_geometry_are_fine(tmp_path: Path, name: str) -> None:
    model = arm()
    model.raw["extensionsRequired"] = [name]
    assert len(load(model.glb(tmp_path)).skins) == 1


def test_extensions_that_are_used_but_not_required_are_fine(tmp_path: Path) -> None:
    model = arm()
    model.raw["extensionsUsed"] = ["MY_own"]
    assert len(load(model.glb(tmp_path)).skins) == 1


WRONG: list[tuple[str, Any, str]] = [
    ("nodes", {}, "nodes: must be a list […], not an object {…}; export the file again"),
    ("nodes/0", 3, "nodes[0]: must be an object {…}, not the number 3"),
    ("nodes/0/name", 3, "nodes[0].name: must be text, not the number 3"),
    ("nodes/0/children", [1, 9], "nodes[0].children[1]: is 9, but the file has 4 nodes"),
    ("nodes/0/children", [1, 2], "node 2 is a child of both nodes[0] and nodes[1]; a node has one parent"),
    ("nodes/2/children", [0], "nodes[0]: is its own ancestor: the nodes form a cycle"),
    ("nodes/1/translation", [0, 1], "nodes[1].translation: must have 3 numbers, not 2"),
    ("nodes/1/translation", [0, 1, "2"], "nodes[1].translation[2]: must be a number, not text"),
    ("nodes/1/translation", [0, 1, True], "nodes[1].translation[2]: must be a number, not true or false"),
    ("nodes/1/translation", [0, 1, 10**400], "nodes[1].translation[2]: is too large"),
    ("nodes/1/rotation", [0, 0, 0, 0], "nodes[1]: its rotation has length 0; the neutral one is [0, 0, 0, 1]"),
    ("nodes/1/matrix", [0] * 15, "nodes[1].matrix: must have 16 numbers, not 15"),
    ("nodes/1/scale", [1e200, 1e200, 1e200], "its nodes have positions or scales above 1e+100"),
    ("nodes/1/translation", [1e101, 0, 0], "its nodes have positions or scales above 1e+100"),
    ("nodes/3/mesh", 1, "nodes[3].mesh: is 1, but the file has 1 meshes"),
    ("nodes/3/skin", 1, "nodes[3].skin: is 1, but the file has 1 skins"),
    ("skins/0/joints", [1, 4], "skins[0].joints[1]: is 4, but the file has 4 nodes"),
    ("skins/0/joints", [1], "nodes[3]: its mesh follows joint 1 of skins[0], which has 1"),
    ("skins/0/joints", [], "nodes[3]: its mesh follows joint 1 of skins[0], which has 0"),
    ("skins/0/joints", [1, 2, 0], "skins[0].inverseBindMatrices: has 2 matrices for 3 joints"),
    ("skins/0/joints", [1, 1], "skins[0]: names one joint twice with different bind matrices"),
    ("meshes/0/primitives/0/attributes/POSITION", ..., "meshes[0].primitives[0].attributes: 'POSITION' is missing"),
    ("meshes/0/primitives/0/attributes/WEIGHTS_0", ..., "meshes[0].primitives[0].attributes: 'WEIGHTS_0' is missing"),
    ("meshes/0/primitives/0/attributes/WEIGHTS_0", 3, "accessors[3]: has type 'SCALAR' where"),
    ("meshes/0/primitives/0/indices", 0, "has type 'VEC3' where meshes[0].primitives[0].indices needs SCALAR"),
    ("meshes/0/primitives/0/attributes", {"POSITION": 4}, "accessors[4]: has type 'MAT4' where"),
    ("scenes/0/nodes", [7], "scenes[0].nodes[0]: is 7, but the file has 4 nodes"),
    ("buffers", [{"byteLength": 10**6}], "buffers[0]: declares 1,000,000 bytes, but only"),
]  # fmt: skip


@pytest.mark.parametrize(("way", "value", "message"), WRONG)
def test_wrong_values_are_named_with_their_place(tmp_path: Path, way: str, value: Any, message: str) -> None:
    model = arm()
    if way == "nodes/1/scale":
        model.raw["nodes"][2]["scale"] = value
    if way.startswith("buffers"):
        model.complete = lambda: {**model.raw, "buffers": value}  # type: ignore[method-assign]
    else:
        changed(model, way, value)
    refused(model.glb(tmp_path), message)


def test_too_many_nodes(tmp_path: Path) -> None:
    model = Model()
    model.raw["nodes"] = [{}] * 100_001
    refused(model.glb(tmp_path), "declares 100,001 nodes; posable accepts at most 100,000", FileTooLargeError)


def test_attributes_of_unequal_length(tmp_path: Path) -> None:
    model = arm(weights=[[1, 0, 0, 0]] * 5)
    refused(model.glb(tmp_path), "attributes.WEIGHTS_0: has 5 elements for 6 vertices; export the file again")


def test_faces_of_vertices_that_are_not_there(tmp_path: Path) -> None:
    model = arm()
    model.raw["meshes"][0]["primitives"][0]["indices"] = model.accessor([0, 1, 6], "u2")
    refused(model.glb(tmp_path), "meshes[0].primitives[0]: its indices must lie in 0 … 5")


def test_vertices_that_are_not_finite(tmp_path: Path) -> None:
    model = arm()
    model.raw["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = model.accessor([[np.inf, 0, 0]] * 6)
    refused(model.glb(tmp_path), "contains numbers that are not finite")


def test_a_mesh_claimed_too_often(tmp_path: Path) -> None:
    model = Model()
    model.add("nodes", name="root", children=list(range(1, 30)))
    model.raw["nodes"] += [{"mesh": 0} for _ in range(29)]
    model.add("accessors", componentType=5121, count=200_000, type="VEC3")
    model.add("meshes", primitives=[{"attributes": {"POSITION": 0}}])
    refused(
        model.glb(tmp_path), "vertices in all its meshes together; posable accepts at most 5,000,000", FileTooLargeError
    )


def test_more_bind_matrices_than_memory(tmp_path: Path) -> None:
    model = Model()
    model.raw["nodes"] = [{"mesh": 0} for _ in range(2000)]
    model.add("meshes", primitives=[])
    refused(model.glb(tmp_path), "declares 4,000,000 bind matrices (meshes × joints)", FileTooLargeError)


ANIMATIONS: list[tuple[Any, Any, dict[str, Any], str]] = [
    ([0, 1], [[0, 0, 0]], {}, "animations[0].samplers[0]: has 1 values for 2 keys, and needs 2"),
    ([0, 1], [[0, 0, 0]] * 2, {"mode": "CUBICSPLINE"}, "samplers[0]: has 2 values for 2 keys, and needs 6"),
    ([0, 1], [[0, 0, 0]] * 2, {"mode": "BEZIER"}, "interpolation is 'BEZIER'; it may be LINEAR, STEP, CUBICSPLINE"),
    ([1, 0], [[0, 0, 0]] * 2, {}, "animations[0].samplers[0].input: its key times do not ascend"),
    (np.zeros((0, 1)), np.zeros((0, 3)), {}, "animations[0].samplers[0].input: has no keys"),
    ([0, np.nan], [[0, 0, 0]] * 2, {}, "contains numbers that are not finite"),
    ([[0, 0, 0]], [[0, 0, 0]], {}, "has type 'VEC3' where animations[0].samplers[0].input needs SCALAR"),
    ([0], [[0, 0, 0, 1]], {}, "has type 'VEC4' where animations[0].samplers[0].output needs VEC3"),
]  # fmt: skip


@pytest.mark.parametrize(("times", "values", "more", "message"), ANIMATIONS)
def test_wrong_animations(tmp_path: Path, times: Any, values: Any, more: dict[str, Any], message: str) -> None:
    model = arm()
    model.animation(1, "translation", times, values, **more)
    refused(model.glb(tmp_path), message)


def test_rotation_keys_of_no_length(tmp_path: Path) -> None:
    model = arm()
    model.animation(1, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0, 0]])
    refused(model.glb(tmp_path), "animations[0].samplers[0]: a rotation key has length 0")


def test_wrong_indices_in_animations(tmp_path: Path) -> None:
    model = arm()
    model.animation(9, "rotation", [0, 1], [[0, 0, 0, 1]] * 2)
    refused(model.glb(tmp_path), "animations[0].channels[0].target.node: is 9, but the file has 4 nodes")
    model.raw["animations"][0]["channels"][0] = {"sampler": 3, "target": {"node": 1, "path": "rotation"}}
    refused(model.glb(tmp_path), "channels[0].sampler: is 3, but the file has 1 samplers in this animation")


def test_animations_of_a_billion_frames(tmp_path: Path) -> None:
    model = arm()
    model.animation(1, "translation", [0, 0.01, 1e8], [[0, 1, 0]] * 3)
    refused(model.glb(tmp_path), "numbers in the frames of its animations; posable accepts at most", FileTooLargeError)


URIS = [
    ("nowhere.bin", "no such file"),
    ("../arm.bin", "refers to '../arm.bin', outside its own folder; put the file beside it"),
    ("https://example.org/arm.bin", "refers to 'https://example.org/arm.bin'; posable does not access the network"),
    ("data:application/octet-stream,abc", "buffers[0].uri: is a data URI that is not base64"),
    ("data:application/octet-stream;base64,A", "buffers[0].uri: is a broken base64 data URI"),
    ("data:application/octet-stream;base64,AAAA", "buffers[0]: declares 344 bytes, but only 3 are there"),
    (None, "bufferViews[0]: its buffer has no content (neither a uri nor a binary chunk)"),
]  # fmt: skip


@pytest.mark.parametrize(("uri", "message"), URIS)
def test_wrong_uris(tmp_path: Path, uri: Any, message: str) -> None:
    raw = arm().complete()
    if uri is not None:
        raw["buffers"][0]["uri"] = uri
    (tmp_path / "model").mkdir()
    (tmp_path / "arm.bin").write_bytes(b"x")
    path = tmp_path / "model/arm.gltf"
    path.write_text(json.dumps(raw))
    refused(path, message)


EXTRAS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "hinge"}, "nodes[2].extras.posable: joint 'lower': a hinge joint has 1 turning and 0 sliding axes"),
    ({"kind": "knee"}, "nodes[2].extras.posable: joint 'lower': unknown kind 'knee'"),
    ({"kind": 3}, "nodes[2].extras.posable.kind: must be text, not the number 3"),
    ({"kind": "ball", "ease": "much"}, "nodes[2].extras.posable.ease: must be a number, not text"),
    ({"kind": "ball", "position": [1]}, "nodes[2].extras.posable.position: must have 3 numbers, not 1"),
    ({"kind": "ball", "comfort": [[1]]}, "posable.comfort[0]: must be [lower, upper], null where there is no limit"),
    ({"kind": "ball", "cone": {"axis": [0, 0, 0]}}, "nodes[2].extras.posable.cone: a cone needs"),
    ({"kind": "hinge", "axes": [{"direction": [0, 0, 0]}]}, "nodes[2].extras.posable.axes[0]: an axis needs"),
    ({"kind": "hinge", "axes": [{}]}, "nodes[2].extras.posable.axes[0]: 'direction' is missing"),
    (
        {"kind": "hinge", "axes": [{"direction": [0, 0, 1], "follow": {"joint": "nobody"}}]},
        "joint 'lower' mimics 'nobody', but no joint of that name has such an axis",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("own", "message"), EXTRAS)
def test_joints_described_wrongly(tmp_path: Path, own: dict[str, Any], message: str) -> None:
    model = arm()
    model.raw["nodes"][2]["extras"] = {"posable": own}
    refused(model.glb(tmp_path), message)


def test_shapes_described_wrongly(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["mesh"] = 0
    model.raw["meshes"][0]["extras"] = {"posable": {"shapes": [{"kind": "box", "size": [1]}]}}
    refused(
        model.glb(tmp_path), "meshes[0].extras.posable.shapes[0]: shape on 'lower': a box has 3 sizes of at least 0"
    )


@pytest.mark.parametrize("extras", [None, 3, [], {"posable": None}, {"posable": 3}, {"other": {"kind": "ball"}}])
def test_extras_of_others_are_nothing_to_posable(tmp_path: Path, extras: Any) -> None:
    model = arm()
    for node in model.raw["nodes"]:
        node["extras"] = extras
    model.raw["asset"]["extras"] = extras
    assert load(model.glb(tmp_path)).skeleton == load(arm().glb(tmp_path, "plain.glb")).skeleton


def test_halves_of_characters_become_whole_names(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["name"] = "\ud800x"
    figure = load(model.glb(tmp_path))
    assert figure.skeleton.joints[2] == "?x"
    save(tmp_path / "out.glb", figure)
    assert load(tmp_path / "out.glb").skeleton == figure.skeleton


def test_many_nodes_of_one_name(tmp_path: Path) -> None:
    model = Model()
    model.raw["nodes"] = [{"name": "same"}] * 3_000
    assert load(model.glb(tmp_path)).skeleton.joints[-1] == "same_3000"
