"""OBJ files with an .mtl beside them: colours and images reach pictures; what cannot be used is noted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import posable
from posable.formats import obj_looks
from posable.formats.obj_looks import read_look
from posable.view import Camera

SQUARES = """mtllib looks.mtl
v -2 0 0\nv 0 0 0\nv 2 0 0\nv -2 2 0\nv 0 2 0\nv 2 2 0
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
usemtl photo one
f 1/1 2/2 5/3 4/4
usemtl paint
f 2/1 3/2 6/3 5/4
"""
LOOKS = "newmtl photo one\nmap_Kd -clamp on -s 1 1 1 my photo.png\nnewmtl paint\nKd 0.2 0.6 0.9\nd 1.0\n"
PHOTO = np.array([[[250, 20, 20], [20, 240, 20]], [[20, 20, 230], [230, 220, 30]]], np.uint8)


def written(folder: Path, looks: str = LOOKS, photo: NDArray | None = PHOTO) -> Path:
    (folder / "two.obj").write_text(SQUARES)
    (folder / "looks.mtl").write_text(looks)
    if photo is not None:
        Image.fromarray(photo).save(folder / "my photo.png")
    return folder / "two.obj"


def figure_of(path: Path) -> posable.Figure:
    mesh = posable.load_mesh(path)
    skeleton = posable.Skeleton([posable.Joint("low", "ball", position=(0, 0, 0), tips=((0, 2, 0),))])
    return posable.as_figure(path, posable.bind(mesh, skeleton))


def test_a_picture_shows_the_image_of_an_obj(tmp_path: Path) -> None:
    figure, camera, size = figure_of(written(tmp_path)), Camera((0, 1, 9), (0, 1, 0)), (320, 240)
    image = posable.picture(figure, size=size, camera=camera, skeleton=False).astype(int)

    def at(x: float, y: float) -> NDArray:
        column, row, _ = camera.project(np.array((x, y, 0.0)), size)
        return image[int(row), int(column)]

    for (x, y), color in {(-1.5, 1.5): 0, (-0.5, 1.5): 1, (-1.5, 0.5): 2, (-0.5, 0.5): 3}.items():
        assert np.argsort(at(x, y)).tolist()[2] == np.argsort(PHOTO.reshape(4, 3)[color]).tolist()[2], (x, y)
    blue = at(1.0, 1.0)
    assert blue[2] > blue[1] > blue[0] + 40


def test_the_look_of_an_obj(tmp_path: Path) -> None:
    notes: list[str] = []
    look = read_look(written(tmp_path), 6, notes)
    assert look is not None and not notes
    assert look.of_face.tolist() == [0, 0, 1, 1]
    assert look.uvs[0].tolist() == [[0, 1], [1, 1], [1, 0]], "v is downwards"
    assert look.materials[0].image is not None
    np.testing.assert_array_equal(look.materials[0].image[..., :3], PHOTO)
    assert look.materials[1].factor[:3] == pytest.approx((0.0331, 0.3185, 0.7874), abs=1e-3)  # linear light


def test_colours_alone_are_kept_beside_what_lets_light_through(tmp_path: Path) -> None:
    glass = LOOKS.replace("map_Kd -clamp on -s 1 1 1 my photo.png", "Tr 0.75")
    look = read_look(written(tmp_path, glass), 6, [])
    assert look is not None
    assert look.materials[0].alpha == "blend" and look.materials[0].factor[3] == pytest.approx(0.25)


TROUBLE = {
    "no image": ("nowhere.png", "the image 'nowhere.png' of looks.mtl is left out: "),
    "another folder": ("../my photo.png", "the image '../my photo.png' of looks.mtl is left out: "),
    "no picture": ("looks.mtl", "the image 'looks.mtl' of looks.mtl is left out: is not a readable image"),
}


@pytest.mark.parametrize(("name", "note"), TROUBLE.values(), ids=TROUBLE)
def test_images_that_cannot_be_had_are_noted(tmp_path: Path, name: str, note: str) -> None:
    (tmp_path / "inner").mkdir()
    figure = figure_of(written(tmp_path / "inner", LOOKS.replace("my photo.png", name)))
    assert any(one.startswith(note) for one in figure.notes), figure.notes
    posable.picture(figure, size=(32, 32))


def test_an_image_is_measured_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obj_looks, "MAX_PIXELS", 3)
    notes: list[str] = []
    look = read_look(written(tmp_path), 6, notes)
    assert look is not None and all(material.image is None for material in look.materials)
    assert notes[0].endswith("has 2 × 2 pixels; posable accepts at most 3 here")


def test_without_its_library_an_obj_is_plain(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "looks.mtl").unlink()
    notes: list[str] = []
    assert read_look(path, 6, notes) is None
    assert notes[0].startswith("materials of 'looks.mtl' are left out: ")


def test_too_many_materials_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obj_looks, "MAX_MATERIALS", 1)
    notes: list[str] = []
    assert read_look(written(tmp_path), 6, notes) is None
    assert "has more than 1 materials" in notes[0]
