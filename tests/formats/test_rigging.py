"""A glTF without a rig gets one and keeps all else; other files become plain figures."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.errors import SkinError
from posable.skin import Skin

PLACES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], np.float32)
FACES = np.array([[0, 1, 2], [1, 4, 2], [0, 3, 1]], np.uint16)
LOOKS = {
    "materials": [{"name": "tartan", "pbrMetallicRoughness": {"baseColorFactor": [0.2, 0.4, 0.1, 1.0]}}],
    "extras": {"shop": "kept"},
}


def bare_gltf(path: Path) -> Path:
    """One mesh of two primitives, shown by two nodes, one of them turned and scaled below another."""
    content = PLACES.tobytes() + FACES.tobytes()
    primitive = {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}
    raw = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "room", "children": [1, 2], "translation": [0.5, 0, 0]},
            {"name": "near", "mesh": 0},
            {"name": "far", "mesh": 0, "translation": [0, 0, 3], "rotation": [0, 0.6, 0, 0.8], "scale": [2, 2, 2]},
        ],
        "meshes": [{"name": "box", "primitives": [primitive, dict(primitive)]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
            {"bufferView": 1, "componentType": 5123, "count": 9, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 60}, {"buffer": 0, "byteOffset": 60, "byteLength": 18}],
        "buffers": [
            {"byteLength": 78, "uri": "data:application/octet-stream;base64," + base64.b64encode(content).decode()}
        ],
        **LOOKS,
    }
    path.write_text(json.dumps(raw))
    return path


def bound_to_arm(mesh: posable.Mesh) -> Skin:
    """Any weights on two joints, one a limited hinge."""
    hinge = posable.Axis((0, 0, 1), lower=-1.0, upper=2.0)
    skeleton = posable.Skeleton(
        [posable.Joint("low", "free", None), posable.Joint("high", "hinge", "low", (0, 1, 0), axes=(hinge,))]
    )
    share = np.random.default_rng(0).dirichlet((1, 1), len(mesh.vertices))
    bind = np.linalg.inv(posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    index = np.tile([0, 1], (len(share), 1))
    return Skin(skeleton, mesh.vertices, mesh.faces, index, share, bind, notes=("one note",))  # type: ignore[arg-type]


def test_a_gltf_keeps_its_looks_and_moves_as_the_skin_does(tmp_path: Path) -> None:
    path = bare_gltf(tmp_path / "bare.gltf")
    skin = bound_to_arm(posable.load_mesh(path))
    figure = posable.as_figure(path, skin)
    assert figure.skeleton == skin.skeleton  # limits and order included
    assert "one note" in figure.notes
    posable.save(tmp_path / "rigged.glb", figure)
    again = posable.load(tmp_path / "rigged.glb")
    for found in (figure, again):
        for pose in (figure.rest, figure.skeleton.random_pose(np.random.default_rng(1))):
            places = np.concatenate([one.deform(posable.Pose(found.skeleton, pose.q)) for one in found.skins])
            np.testing.assert_allclose(places, skin.deform(pose), atol=1e-5)
    raw = json.loads(
        (tmp_path / "rigged.glb").read_bytes()[20:].split(b"\x00")[0].split(b"BIN")[0].rsplit(b"}", 1)[0] + b"}"
    )
    before = json.loads(path.read_text())
    assert {key: raw[key] for key in LOOKS} == LOOKS
    assert raw["meshes"][0] == before["meshes"][0]  # what the file had stays; the bound meshes are new
    assert [node["name"] for node in raw["nodes"]] == ["room", "near", "far", "low", "high"]
    assert all(one["material"] == 0 for mesh in raw["meshes"] for one in mesh["primitives"])


def test_other_files_become_plain_figures(tmp_path: Path) -> None:
    (tmp_path / "roof.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n")
    skin = bound_to_arm(posable.load_mesh(tmp_path / "roof.obj"))
    figure = posable.as_figure(tmp_path / "roof.obj", skin)
    assert figure.skins == (skin,) and figure.notes == ("one note",) and figure.source is None
    rig = posable.figure("mannequin")
    posable.save(tmp_path / "man.glb", rig)
    skin = bound_to_arm(posable.load_mesh(tmp_path / "man.glb"))
    assert posable.as_figure(tmp_path / "man.glb", skin).skins == (skin,)


def test_another_mesh_is_refused(tmp_path: Path) -> None:
    path = bare_gltf(tmp_path / "bare.gltf")
    mesh = posable.load_mesh(path)
    skin = bound_to_arm(posable.Mesh(mesh.vertices, mesh.faces[:3]))
    with pytest.raises(
        SkinError, match=r"bare\.gltf has another mesh than the skin '.*'; bind the mesh that load_mesh reads from it"
    ):
        posable.as_figure(path, skin)
