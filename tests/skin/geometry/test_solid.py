"""The room inside a mesh: closed, open, turned inside out, doubled, in pieces."""

from __future__ import annotations

import numpy as np
import pytest
from smooth_body import smooth_body

from posable.errors import SkinError
from posable.skin import Mesh
from posable.skin.solid import solid_of

_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_FACES = np.array([triangle for a, b, c, d in _SIDES for triangle in ((a, b, c), (a, c, d))])


def _box(low: tuple[float, float, float], size: tuple[float, float, float]) -> np.ndarray:
    return np.array(low) + _CORNERS * size


def _together(*boxes: np.ndarray) -> Mesh:
    faces = [_FACES + 8 * k for k in range(len(boxes))]
    return Mesh(np.concatenate(boxes), np.concatenate(faces))


def _volume(mesh: Mesh) -> float:
    solid = solid_of(mesh)
    return float(solid.inside.sum()) * solid.size**3


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (_together(_box((0, 0, 0), (1, 2, 0.5))), 1.0),
        (_together(_box((0, 0, 0), (1, 2, 0.5)), _box((0.5, 0.5, 0.1), (1.5, 1, 0.3))), 1.0 + 1.0 * 1 * 0.3),
        (_together(_box((0, 0, 0), (1, 2, 1)), _box((0.2, 0.2, 0.2), (0.5, 0.5, 0.5))), 2.0),
        (_together(_box((0, 0, 0), (1, 1, 1)), _box((2, 0, 0), (1, 1, 1))), 2.0),
    ],
    ids=["box", "overlapping", "one in the other", "apart"],
)
def test_the_volume_is_that_of_all_pieces_together(mesh: Mesh, volume: float) -> None:
    assert _volume(mesh) == pytest.approx(volume, rel=0.03)


@pytest.mark.parametrize("missing", range(6))
def test_a_box_without_a_side_is_still_full(missing: int) -> None:
    faces = np.delete(_FACES, (2 * missing, 2 * missing + 1), axis=0)
    assert _volume(Mesh(_box((0, 0, 0), (1, 2, 0.5)), faces)) == pytest.approx(1.0, rel=0.03)


def test_a_box_turned_inside_out_or_with_some_faces_turned_is_full() -> None:
    faces = _FACES[:, ::-1].copy()
    assert _volume(Mesh(_box((0, 0, 0), (1, 2, 0.5)), faces)) == pytest.approx(1.0, rel=0.03)
    faces[[1, 4, 7]] = faces[[1, 4, 7]][:, ::-1]
    assert _volume(Mesh(_box((0, 0, 0), (1, 2, 0.5)), faces)) == pytest.approx(1.0, rel=0.03)


def test_a_sheet_has_no_inside() -> None:
    sheet = Mesh(_CORNERS[:4] * (0, 1, 1), np.array([(0, 1, 3), (0, 3, 2)]))
    solid = solid_of(sheet)
    assert not solid.inside.any() and solid.surface.any()


def test_the_voxels_of_a_body_are_where_its_flesh_is() -> None:
    skin = smooth_body().skins[0]
    mesh = Mesh.of(skin)
    solid = solid_of(mesh)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    volume = np.einsum("fk,fk->", a, np.cross(b, c)) / 6
    assert solid.inside.sum() * solid.size**3 == pytest.approx(volume, rel=0.01)
    there = np.array([(0.0, 1.2, 0.0), (0.0, 1.65, 0.0), (0.5, 1.2, 0.0)])
    assert [bool(solid.inside[tuple(voxel)]) for voxel in solid.voxels(there)] == [True, True, False]
    assert np.abs(solid.places(solid.voxels(there)) - there).max() <= solid.size / 2 + 1e-12


def test_what_encloses_nothing_is_refused() -> None:
    with pytest.raises(SkinError, match="has no faces, so nothing is inside it"):
        solid_of(Mesh(_CORNERS, np.empty((0, 3), int), "cloud"))
    with pytest.raises(SkinError, match="a single point"):
        solid_of(Mesh(np.zeros((3, 3)), np.array([(0, 1, 2)])))
