"""Colours at the vertices: vertex colour × factor × texture, from wherever the image lies; trouble is a note."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.gltf_models import Model, arm
from numpy.typing import NDArray
from PIL import Image

from posable.figures import Figure
from posable.formats import load
from posable.formats.gltf import materials

PIXELS = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]], [[10, 20, 30], [100, 150, 200], [255, 255, 255]]], np.uint8)
UV = [[0.1, 0.1], [0.5, 0.2], [0.9, 0.4], [0.1, 0.9], [1.5, 0.6], [-0.1, 1.7]]
REPEATED = PIXELS[[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]


def image(kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.fromarray(PIXELS).save(out, kind, lossless=True) if kind == "WEBP" else Image.fromarray(PIXELS).save(
        out, kind
    )
    return out.getvalue()


def painted(**texture: Any) -> Model:
    """The arm with a textured material; the image is yet to come."""
    model = arm()
    primitive = model.raw["meshes"][0]["primitives"][0]
    primitive["attributes"]["TEXCOORD_0"] = model.accessor(UV)
    primitive["material"] = model.add("materials", pbrMetallicRoughness={"baseColorTexture": {"index": 0, **texture}})
    model.add("textures", source=0)
    return model


def inside(model: Model, content: bytes | None = None) -> Model:
    model.add("images", bufferView=model.view(image() if content is None else content), mimeType="image/png")
    return model


def colors(figure: Figure) -> NDArray:
    found = figure.skins[0].colors
    assert found is not None
    return found * 255


def linear(srgb: NDArray) -> NDArray:
    c = np.asarray(srgb) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def srgb(light: NDArray) -> NDArray:
    return 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def test_a_plain_mesh_has_no_colours(tmp_path: Path) -> None:
    assert load(arm().glb(tmp_path)).skins[0].colors is None


def test_white_materials_are_no_colours(tmp_path: Path) -> None:
    model = arm()
    model.raw["meshes"][0]["primitives"][0]["material"] = model.add("materials", pbrMetallicRoughness={})
    assert load(model.glb(tmp_path)).skins[0].colors is None


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("place", ["view", "data", "beside"])
def test_textures_wherever_they_lie(tmp_path: Path, place: str, kind: str) -> None:
    model = painted()
    content = image(kind)
    if place == "view":
        inside(model, content)
    elif place == "data":
        model.add("images", uri="data:image/png;base64," + base64.b64encode(content).decode())
    else:
        (tmp_path / "my skin.png").write_bytes(content)
        model.add("images", uri="my%20skin.png")
    figure = load(model.glb(tmp_path))
    expected = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))[[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]
    np.testing.assert_allclose(colors(figure), expected, atol=0.01)
    assert figure.notes == ()


def test_vertex_colours_factors_and_textures_multiply_as_light(tmp_path: Path) -> None:
    model = inside(painted())
    shade = np.linspace(0, 1, 24).reshape(6, 4)
    primitive = model.raw["meshes"][0]["primitives"][0]
    primitive["attributes"]["COLOR_0"] = model.accessor(np.round(shade * 255), "u1", normalized=True)
    model.raw["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [0.5, 0.25, 1.0, 0.3]
    expected = linear(REPEATED) * (0.5, 0.25, 1.0) * np.round(shade * 255)[:, :3] / 255
    np.testing.assert_allclose(colors(load(model.glb(tmp_path))), srgb(expected), atol=0.01)


def test_factors_and_vertex_colours_alone(tmp_path: Path) -> None:
    model = arm()
    primitive = model.raw["meshes"][0]["primitives"][0]
    primitive["attributes"]["COLOR_0"] = model.accessor([[0.2, 0.4, 0.6]] * 6)
    np.testing.assert_allclose(colors(load(model.glb(tmp_path))), srgb(np.array([[0.2, 0.4, 0.6]] * 6)), atol=0.01)
    primitive["material"] = model.add("materials", pbrMetallicRoughness={"baseColorFactor": [0.5, 1, 1, 1]})
    np.testing.assert_allclose(colors(load(model.glb(tmp_path)))[0], srgb(np.array([0.1, 0.4, 0.6])), atol=0.01)
    primitive["material"] = model.add("materials", name="without")
    np.testing.assert_allclose(colors(load(model.glb(tmp_path)))[0], srgb(np.array([0.2, 0.4, 0.6])), atol=0.01)


def test_primitives_without_colours_are_white_beside_those_with(tmp_path: Path) -> None:
    model = inside(painted())
    primitive = model.raw["meshes"][0]["primitives"][0]
    model.raw["meshes"][0]["primitives"].append({k: v for k, v in primitive.items() if k != "material"})
    np.testing.assert_allclose(colors(load(model.glb(tmp_path)))[6:], 255)


@pytest.mark.parametrize(
    ("wrap", "columns"), [(10497, [0, 1, 2, 0, 1, 2]), (33071, [0, 1, 2, 0, 2, 0]), (33648, [0, 1, 2, 0, 1, 0])]
)
def test_textures_repeat_clamp_or_mirror(tmp_path: Path, wrap: int, columns: list[int]) -> None:
    model = inside(painted())
    model.raw["textures"][0]["sampler"] = model.add("samplers", wrapS=wrap)
    np.testing.assert_allclose(colors(load(model.glb(tmp_path))), PIXELS[[0, 0, 0, 1, 1, 1], columns], atol=0.01)


def test_texture_transforms_and_other_coordinates(tmp_path: Path) -> None:
    quarter = {"offset": [0.1, 0.9], "rotation": np.pi / 2, "scale": [0.5, 0.25], "texCoord": 1}
    model = inside(painted(extensions={"KHR_texture_transform": quarter}))
    uv = np.array([[u, v] for u in (0.2, 0.6, 1.2) for v in (0.3, 0.8)])
    model.raw["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = model.accessor(uv)
    u, v = np.mod(0.25 * uv[:, 1] + 0.1, 1), np.mod(-0.5 * uv[:, 0] + 0.9, 1)  # the extension's matrix, turned by 90°
    expected = PIXELS[(v * 2).astype(int), (u * 3).astype(int)]
    np.testing.assert_allclose(colors(load(model.glb(tmp_path))), expected, atol=0.01)


def test_webp_textures(tmp_path: Path) -> None:
    model = inside(painted(), image("WEBP"))
    model.raw["textures"][0] = {"extensions": {"EXT_texture_webp": {"source": 0}}}
    np.testing.assert_allclose(colors(load(model.glb(tmp_path))), REPEATED, atol=0.01)


def test_a_texture_without_coordinates_or_image_is_white(tmp_path: Path) -> None:
    model = inside(painted(texCoord=3))
    assert load(model.glb(tmp_path)).skins[0].colors is None
    model.raw["textures"][0] = {}
    assert load(model.glb(tmp_path)).skins[0].colors is None


TROUBLE = [
    ({"uri": "nowhere.png"}, "images[0] cannot be used for colours: no such file"),
    ({"uri": "../up.png"}, "images[0] cannot be used for colours: refers to '../up.png', outside its own folder"),
    ({"uri": "data:image/png;base64,AAAA"}, "images[0] cannot be used for colours: images[0]: is not a readable image"),
    ({}, "images[0] cannot be used for colours: images[0]: 'bufferView' is missing"),
    ({"bufferView": 99}, "images[0] cannot be used for colours: images[0].bufferView: is 99, but the file has"),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "note"), TROUBLE)
def test_images_that_cannot_be_had_are_noted_once(tmp_path: Path, entry: dict[str, Any], note: str) -> None:
    model = painted()
    model.raw["images"] = [entry]
    model.raw["meshes"][0]["primitives"] *= 2
    (tmp_path / "inner").mkdir()
    figure = load(model.glb(tmp_path / "inner"))
    assert figure.skins[0].colors is None
    assert len(figure.notes) == 1
    assert figure.notes[0].startswith(note)


def test_materials_that_make_no_sense_are_noted(tmp_path: Path) -> None:
    model = arm()
    model.raw["meshes"][0]["primitives"][0]["material"] = 7
    figure = load(model.glb(tmp_path))
    assert figure.notes == (
        "colours of meshes[0].primitives[0] are left out: meshes[0].primitives[0].material: is 7, but the file has "
        "0 materials; export the file again",
    )


def test_images_are_measured_before_they_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(materials, "MAX_PIXELS", 5)
    monkeypatch.setattr(materials, "_PER_BYTE", 0)
    figure = load(inside(painted()).glb(tmp_path))
    assert "images[0]: has 3 × 2 pixels; posable accepts at most 5" in figure.notes[0]


def test_attributes_of_the_wrong_length_are_noted(tmp_path: Path) -> None:
    model = inside(painted())
    attributes = model.raw["meshes"][0]["primitives"][0]["attributes"]
    attributes["TEXCOORD_0"] = model.accessor(UV[:4])
    assert "attributes.TEXCOORD_0: has 4 elements for 6 vertices" in load(model.glb(tmp_path)).notes[0]
    attributes["COLOR_0"] = model.accessor([[1, 1, 1]])
    assert "attributes.COLOR_0: has 1 elements for 6 vertices" in load(model.glb(tmp_path)).notes[0]


def test_a_real_character_is_painted(shared: Path) -> None:
    figure = load(shared / "characters/Fox.glb")
    fur = colors(figure)
    assert len(np.unique(fur.round(), axis=0)) > 3
    assert fur[:, 0].mean() > fur[:, 2].mean() + 30  # a fox is red
