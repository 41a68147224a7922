"""Meshes without a rig: what is refused, normals, seams and pieces."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from posable.errors import SkinError
from posable.skin import Mesh

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
OUTWARD = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def apart(vertices: np.ndarray, faces: np.ndarray) -> Mesh:
    """The same triangles, no two of which share a vertex."""
    return Mesh(vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3))


def test_normals_look_outward_and_do_not_stop_at_doubled_vertices() -> None:
    mesh = Mesh(TETRAHEDRON, OUTWARD)
    third = np.sqrt(1 / 3)
    np.testing.assert_allclose(mesh.normals[0], [-third] * 3, atol=1e-12)
    assert ((mesh.vertices - mesh.vertices.mean(axis=0)) * mesh.normals).sum(axis=1).min() > 0
    doubled = apart(TETRAHEDRON, OUTWARD)
    np.testing.assert_allclose(doubled.normals, mesh.normals[OUTWARD].reshape(-1, 3), atol=1e-12)


def test_pieces_join_at_doubled_vertices_and_the_largest_is_first() -> None:
    far = TETRAHEDRON + 5
    vertices = np.concatenate([far[:3], TETRAHEDRON[OUTWARD].reshape(-1, 3), [[9.0, 9, 9]]])
    faces = np.concatenate([[[0, 1, 2]], np.arange(12).reshape(-1, 3) + 3])
    assert Mesh(vertices, faces).pieces.tolist() == [1] * 3 + [0] * 12 + [2]


def test_a_mesh_of_what_others_call_a_mesh() -> None:
    mesh = Mesh(TETRAHEDRON, OUTWARD)
    assert Mesh.of(mesh) is mesh
    for other in ((TETRAHEDRON, OUTWARD), SimpleNamespace(vertices=TETRAHEDRON, faces=OUTWARD)):
        same = Mesh.of(other)
        assert (same.vertices == mesh.vertices).all() and (same.faces == mesh.faces).all()
    with pytest.raises(
        SkinError, match=r"'dict' is not a mesh; pass \(vertices, faces\), or read a file with posable\.load_mesh"
    ):
        Mesh.of({})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"vertices": [[0, 0, np.nan]]}, "a vertex is not three finite numbers"),
        ({"vertices": [[0, 0]]}, r"vertices has shape \(1, 2\), not \(vertices, 3\)"),
        ({"vertices": [["a", 0, 0]]}, "vertices is not a regular array of numbers"),
        ({"faces": [[0, 1, 4]]}, r"a face names a vertex outside 0 … 3"),
        ({"faces": [[0, 1, -1]]}, r"a face names a vertex outside 0 … 3"),
        ({"colors": [[0, 0, 0]]}, "1 colors do not fit 4 vertices"),
        ({"up": "x"}, "the up axis is 'y' or 'z', not 'x'"),
    ],
)
def test_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(SkinError, match=f"mesh 'duck': .*{words}"):
        Mesh(**{"vertices": TETRAHEDRON, "faces": OUTWARD, "name": "duck", **change})


def test_no_vertices_at_all() -> None:
    mesh = Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))
    assert mesh.diagonal == 0 and not len(mesh.pieces) and not len(mesh.normals)


def test_a_mesh_is_turned_upright_along_another_axis_and_back() -> None:
    mesh = Mesh(np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]]), np.array([[0, 1, 2]]), "leaf")
    turned = mesh.turned("z")
    assert turned.up == "z" and mesh.turned("y") is mesh
    np.testing.assert_array_equal(turned.vertices[0], [1, -3, 2])
    np.testing.assert_array_equal(turned.turned("y").vertices, mesh.vertices)
    np.testing.assert_allclose(np.linalg.det(turned.vertices), np.linalg.det(mesh.vertices))  # turned, not mirrored
