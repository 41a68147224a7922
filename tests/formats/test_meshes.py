"""Meshes opened without a rig."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.errors import FileError


def test_an_obj(tmp_path: Path) -> None:
    (tmp_path / "roof.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    mesh = posable.load_mesh(tmp_path / "roof.obj")
    assert mesh.name == "roof" and mesh.up == "y"
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.diagonal == pytest.approx(np.sqrt(2))


def test_a_figure_stands_at_rest_without_its_rig(tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    posable.save(tmp_path / "man.glb", figure)
    mesh = posable.load_mesh(tmp_path / "man.glb")
    skin = figure.skins[0]
    np.testing.assert_allclose(mesh.vertices, skin.deform(figure.rest), atol=1e-6)
    assert (mesh.faces == skin.faces).all() and mesh.colors is not None


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("bare.obj", "v 0 0 0\n", "bare.obj: has no triangles; export the mesh with it"),
        ("bones.bvh", None, "bones.bvh: has no mesh; export the mesh with it"),
        ("none.obj", "", "none.obj: "),
    ],
)
def test_refused(tmp_path: Path, name: str, content: str | None, words: str) -> None:
    if content is None:
        posable.save(tmp_path / name, posable.figure("snake"))
    else:
        (tmp_path / name).write_text(content)
    with pytest.raises(FileError, match=f"^{words}"):
        posable.load_mesh(tmp_path / name)


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.obj: no such file"):
        posable.load_mesh(tmp_path / "nowhere.obj")


BOX = """
v 0 0 0\nv 1 0 0\nv 1 3 0\nv 0 3 0\nv 0 0 1\nv 1 0 1\nv 1 3 1\nv 0 3 1
vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 1 0\nvt 1 1
f 1/1 2/2 3/3 4/4\nf 6/2 5/5 8/6 7/3\nf 5/1 1/2 4/3 8/4\nf 2/2 6/5 7/6 3/3\nf 4/1 3/2 7/3 8/4\nf 5/1 6/2 2/3 1/4
"""


def attributes(path: Path) -> dict[str, np.ndarray]:
    """The positions, texture coordinates and triangles of the first primitive, read without posable."""
    raw = path.read_bytes()
    size = int.from_bytes(raw[12:16], "little")
    content, body = json.loads(raw[20 : 20 + size]), raw[28 + size :]

    def read(accessor: int) -> np.ndarray:
        one = content["accessors"][accessor]
        view = content["bufferViews"][one["bufferView"]]
        kind = {5126: "<f4", 5125: "<u4", 5123: "<u2"}[one["componentType"]]
        wide = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[one["type"]]
        start = view.get("byteOffset", 0) + one.get("byteOffset", 0)
        return np.frombuffer(body, kind, one["count"] * wide, start).reshape(-1, wide)

    primitive = content["meshes"][0]["primitives"][0]
    own = primitive["attributes"]
    faces = read(primitive["indices"]).reshape(-1, 3)
    return {"positions": read(own["POSITION"]), "uvs": read(own["TEXCOORD_0"]), "faces": faces}


def test_an_obj_that_is_bound_keeps_its_texture_coordinates(tmp_path: Path) -> None:
    path = tmp_path / "box.obj"
    path.write_text(BOX)
    mesh = posable.load_mesh(path)
    bones = [posable.Joint("low", "ball"), posable.Joint("high", "ball", "low", (0.5, 1.5, 0.5))]
    figure = posable.as_figure(path, posable.bind(mesh, posable.Skeleton(bones)))
    assert figure.skins[0].uvs is not None and figure.skins[0].uvs.shape == (12, 3, 2)
    posable.save(tmp_path / "box.glb", figure)
    found = attributes(tmp_path / "box.glb")
    lines = [line.split() for line in BOX.split("\n") if line]
    places = np.array([[float(x) for x in words[1:]] for words in lines if words[0] == "v"])
    known = np.array([[float(x) for x in words[1:]] for words in lines if words[0] == "vt"])
    wanted = []
    for words in (words for words in lines if words[0] == "f"):
        a, b, c, d = ([int(index) - 1 for index in word.split("/")] for word in words[1:])
        wanted += [(a, b, c), (a, c, d)]
    for triangle, corners in zip(found["faces"], wanted, strict=True):
        for vertex, (place, uv) in zip(triangle, corners, strict=True):
            np.testing.assert_allclose(found["positions"][vertex], places[place], atol=1e-6)
            np.testing.assert_allclose(found["uvs"][vertex], (known[uv, 0], 1 - known[uv, 1]), atol=1e-6)
    again = posable.load(tmp_path / "box.glb")
    posable.save(tmp_path / "again.glb", again)
    np.testing.assert_array_equal(attributes(tmp_path / "again.glb")["uvs"], found["uvs"])
