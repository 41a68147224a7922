"""Meshes opened without a rig."""

from __future__ import annotations

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
