"""Pictures of textured skins against the images' own texels, read by the test itself."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.gltf_models import Model
from formats.plain_gltf import PlainGltf
from numpy.typing import NDArray
from PIL import Image
from view.drawables import FACES, skinned

import posable
from posable.skin import look as looks
from posable.skin.look import Look, Material, halved
from posable.view import Camera
from posable.view.pictures import Shot
from posable.view.renderer import MOVING, STILL, Quality
from posable.view.scene import Scene

SIZE = (240, 240)
CAMERA = Camera((0, 1, 9), (0, 1, 0), field_of_view=30)
CORNERS = np.array([(-1, 0, 0), (1, 0, 0), (1, 2, 0), (-1, 2, 0)], float)
UV = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)  # v downwards: the image stands upright
NOISE = np.random.default_rng(4).integers(0, 256, (5, 4, 4)).astype(np.uint8)
NOISE[..., 3] = 255


def linear(srgb: Any) -> NDArray:
    c = np.asarray(srgb, float) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def srgb(light: Any) -> NDArray:
    light = np.clip(light, 0, 1)
    return 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def quad(uv: NDArray = UV, tints: Any = None, **material: Any) -> posable.Figure:
    """A square that faces the camera, seen as it is."""
    tint = np.ones((4, 4), np.float32) if tints is None else np.asarray(tints, np.float32)
    made = Material(**{"image": NOISE, "unlit": True, "smooth": False, **material})
    look = Look((made,), np.zeros(2, np.int32), uv[FACES].astype(np.float32), tint)
    return skinned(CORNERS, FACES, look=look)


def taken(figure: posable.Figure, quality: Quality = STILL, camera: Camera = CAMERA, size: Any = SIZE) -> NDArray:
    return Shot.of(Scene(figure), [figure.rest], size, (), camera, quality, skeleton=False).take(figure.rest, ()) * 1.0


def at(image: NDArray, u: float, v: float) -> NDArray:
    """What the picture shows of the point of the square that is u from its left and v from its top edge."""
    x, y, _ = CAMERA.project(np.array((2 * u - 1, 2 - 2 * v, 0.0)), (image.shape[1], image.shape[0]))
    return image[int(y), int(x)]


GRID = [((column + 0.5) / 4, (row + 0.5) / 5) for row in range(5) for column in range(4)]


@pytest.mark.parametrize("quality", [STILL, MOVING])
def test_an_unlit_surface_shows_its_texels(quality: Quality) -> None:
    image = taken(quad(), quality)
    for u, v in GRID:
        assert at(image, u, v) == pytest.approx(NOISE[int(v * 5), int(u * 4), :3], abs=1)


WRAPS = {
    "repeat": lambda k, n: k % n,
    "clamp": lambda k, n: min(max(k, 0), n - 1),
    "mirror": lambda k, n: n - 1 - k % n if (k // n) % 2 else k % n,
}


@pytest.mark.parametrize("across", WRAPS)
@pytest.mark.parametrize("down", WRAPS)
def test_beyond_its_edges_an_image_goes_on_as_the_file_says(across: Any, down: Any) -> None:
    image = taken(quad(UV * 4 - (1.5, 2.0), wrap=(across, down)), size=(480, 480))
    for k in range(16):
        for m in range(20):
            u, v = (k + 0.5) / 16, (m + 0.5) / 20
            column, row = WRAPS[across](k - 6, 4), WRAPS[down](m - 10, 5)
            assert at(image, u, v) == pytest.approx(NOISE[row, column, :3], abs=1)


def test_texels_fade_into_one_another_as_light() -> None:
    image = taken(quad(smooth=True), size=(960, 960))
    middle = srgb((linear(NOISE[1, 1, :3]) + linear(NOISE[1, 2, :3])) / 2)
    assert at(image, 0.5, 0.3) == pytest.approx(middle, abs=6)
    assert at(image, 0.375, 0.3) == pytest.approx(NOISE[1, 1, :3], abs=6)


def test_what_is_seen_small_is_the_mean_light_and_does_not_shimmer() -> None:
    checker = np.zeros((256, 256, 4), np.uint8)
    checker[(np.indices((256, 256)).sum(axis=0) % 2).astype(bool)] = 255
    checker[..., 3] = 255
    inside = slice(80, 160)
    for smooth in (True, False):
        figure = quad(image=checker, smooth=smooth)
        for off in (0.0, 0.003, 0.0071):
            camera = Camera((off, 1, 9), (off, 1, 0), field_of_view=30)
            seen = taken(figure, MOVING, camera)[inside, inside]
            assert seen == pytest.approx(np.full_like(seen, srgb(0.5)), abs=2)


def test_what_is_seen_slanted_stays_sharp_across() -> None:
    """Stripes that run away from the eye are told apart where a patch as long as it is wide would be one grey."""
    stripes = np.full((64, 64, 4), 255, np.uint8)
    stripes[:, ::2, :3] = 0
    figure = quad(image=stripes, smooth=True)
    low = Camera((0, -2.5, 0.65), (0, 1, 0), field_of_view=40)
    seen = taken(figure, STILL, low, (480, 480))
    row = int(low.project(np.array((0, 0.6, 0.0)), (480, 480))[1])
    assert np.ptp(seen[row, 200:280, 0]) > 100


def test_image_factor_and_vertex_colours_multiply_as_light() -> None:
    tints = np.array([(1, 0.5, 0.25, 1)] * 2 + [(0.1, 0.8, 1.0, 1)] * 2)
    image = taken(quad(tints=tints, factor=(0.9, 0.7, 0.4, 1.0)))
    for u, v in GRID:
        light = (
            linear(NOISE[int(v * 5), int(u * 4), :3]) * (0.9, 0.7, 0.4) * (v * tints[0, :3] + (1 - v) * tints[2, :3])
        )
        assert at(image, u, v) == pytest.approx(srgb(light), abs=2.5)


def test_a_lit_texture_is_shaded_as_paint_of_its_colours() -> None:
    """A square of texels against a grid of small squares painted at their vertices."""
    textured = taken(quad(unlit=False))
    rows = []
    for n, (u, v) in enumerate(GRID):
        box = np.array([(u - 0.125, v + 0.1), (u + 0.125, v + 0.1), (u + 0.125, v - 0.1), (u - 0.125, v - 0.1)])
        rows.append((np.column_stack([2 * box[:, 0] - 1, 2 - 2 * box[:, 1], 0 * box[:, 0]]), FACES + 4 * n))
    vertices, faces = (np.concatenate(part) for part in zip(*rows, strict=True))
    colors = np.concatenate([np.tile(NOISE[int(v * 5), int(u * 4), :3] / 255, (4, 1)) for u, v in GRID])
    painted = taken(skinned(vertices, faces, colors=colors))
    for u, v in GRID:
        assert at(textured, u, v) == pytest.approx(at(painted, u, v), abs=2)


def test_a_mask_cuts_holes() -> None:
    cut = NOISE.copy()
    cut[::2, ::2, 3], cut[1::2, 1::2, 3] = 127, 129
    image, empty = taken(quad(image=cut, alpha="mask")), taken(quad(alpha="mask", cutoff=2.0))
    for u, v in GRID:
        column, row = int(u * 4), int(v * 5)
        wanted = at(empty, u, v) if column % 2 == row % 2 == 0 else cut[row, column, :3]
        assert at(image, u, v) == pytest.approx(wanted, abs=3)


@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("quality", [STILL, MOVING])
def test_what_lets_light_through_shows_what_is_behind(alpha: float, quality: Quality) -> None:
    red, blue = np.array((200, 40, 30)), np.array((20, 60, 220))
    materials = tuple(
        Material(unlit=True, factor=(*linear(own), share), alpha=kind)  # type: ignore[arg-type]
        for own, share, kind in ((blue, 1.0, "opaque"), (red, alpha, "blend"))
    )
    vertices, faces = np.concatenate([CORNERS, CORNERS + np.array((0, 0, 0.5))]), np.concatenate([FACES, FACES + 4])
    look = Look(
        materials, np.array([0, 0, 1, 1], np.int32), np.zeros((4, 3, 2), np.float32), np.ones((8, 4), np.float32)
    )
    image = taken(skinned(vertices, faces, look=look), quality)
    middle = linear(image[100:140, 100:140]).mean(axis=(0, 1))
    assert middle == pytest.approx(alpha * linear(red) + (1 - alpha) * linear(blue), abs=0.01)


def test_what_is_not_there_casts_no_shadow() -> None:
    floor = []
    for alpha in (0, 255):
        image = NOISE.copy()
        image[..., 3] = alpha
        floor.append(taken(quad(image=image, alpha="mask"), camera=Camera((0, 4, 9), (0, 0.6, 0), field_of_view=30)))
    beyond = floor[0][140:], floor[1][140:]
    assert np.abs(beyond[1] - beyond[0]).max() > 20
    assert len(Scene(quad(image=image, alpha="mask")).mesh.casting) == 2
    assert len(Scene(quad(image=NOISE * 0, alpha="mask")).mesh.casting) == 0


def test_a_look_of_another_mesh_is_refused() -> None:
    figure = quad()
    with pytest.raises(posable.SkinError, match="its look is of another mesh, not of 2 faces of 4 vertices"):
        replace(figure.skins[0], look=replace(figure.skins[0].look, of_face=np.zeros(3, np.int32)))  # type: ignore[type-var]


def test_images_are_scaled_down_by_the_mean_of_their_light(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "LARGEST", 8)
    pixels = np.random.default_rng(3).integers(0, 256, (13, 20, 4)).astype(np.uint8)
    pixels[..., 3] = 255
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    small, count = looks.opened(out.getvalue(), 1000)
    assert (small.shape, count) == ((4, 5, 4), 260)
    mean = linear(pixels[:4, :4, :3].reshape(-1, 3)).mean(axis=0)
    assert small[0, 0, :3] == pytest.approx(srgb(mean), abs=1.5)


def test_what_is_transparent_has_no_colour_in_the_mean() -> None:
    image = np.array([[[255, 0, 0, 255], [0, 255, 0, 0]], [[0, 255, 0, 0], [0, 255, 0, 0]]], np.uint8)
    assert halved(image)[0, 0].tolist() == [255, 0, 0, 64]


# Files


def textured(folder: Path, image: NDArray, transform: dict[str, Any] | None = None, **node: Any) -> posable.Figure:
    """The square as a glTF file with a texture; the node's transform is `node`."""
    model, out = Model(), io.BytesIO()
    Image.fromarray(image).save(out, "PNG")
    attributes = {"POSITION": model.accessor(CORNERS), "TEXCOORD_0": model.accessor(UV)}
    model.add(
        "meshes", primitives=[{"attributes": attributes, "indices": model.accessor(FACES.ravel(), "u2"), "material": 0}]
    )
    model.add("images", bufferView=model.view(out.getvalue()), mimeType="image/png")
    model.add("samplers", magFilter=9728, minFilter=9987)
    model.add("textures", source=0, sampler=0)
    texture: dict[str, Any] = {"index": 0}
    if transform:
        texture["extensions"] = {"KHR_texture_transform": transform}
    model.add("materials", pbrMetallicRoughness={"baseColorTexture": texture}, extensions={"KHR_materials_unlit": {}})
    model.add("nodes", name="base", children=[1])
    model.add("nodes", name="square", mesh=0, **node)
    model.add("scenes", nodes=[0])
    model.raw["scene"] = 0
    return posable.load(model.glb(folder))


def test_a_texture_from_a_file_with_its_transform(tmp_path: Path) -> None:
    """Scale, then rotation, then offset, as KHR_texture_transform has it."""
    transform = {"offset": [0.5, 0.2], "scale": [2.0, 1.0], "rotation": np.pi / 2}
    image = taken(textured(tmp_path, NOISE, transform))
    for u, v in [((k + 0.5) / 10, (m + 0.5) / 8) for k in range(10) for m in range(8)]:
        s, t = 2 * u, v
        column, row = int((t + 0.5) % 1 * 4), int((0.2 - s) % 1 * 5)
        assert at(image, u, v) == pytest.approx(NOISE[row, column, :3], abs=1)


def test_a_mirrored_node_shows_its_image_mirrored(tmp_path: Path) -> None:
    image = taken(textured(tmp_path, NOISE, scale=[-1.0, 1.0, 1.0]))
    for u, v in GRID:
        assert at(image, u, v) == pytest.approx(NOISE[int(v * 5), 3 - int(u * 4), :3], abs=1)


@pytest.mark.parametrize("name", ["characters/Fox.glb", "characters/CesiumMan.glb", "rigs/mech_pack_George.glb"])
def test_a_character_shows_the_texels_of_its_file(shared: Path, name: str) -> None:
    """At the middles of the largest faces that nothing hides; the file is read by the test, not by posable."""
    figure = posable.load(shared / name)
    skins = tuple(
        replace(skin, look=replace(skin.look, materials=tuple(replace(m, unlit=True) for m in skin.look.materials)))
        for skin in figure.skins
        if skin.look is not None
    )
    assert len(skins) == len(figure.skins)
    figure, file = replace(figure, skins=skins), PlainGltf(shared / name)
    texels = image_of(file)
    camera, size = Camera.framing(Scene(figure).outline(figure.rest), "y"), (1920, 1440)
    picture = taken(figure, STILL, camera, size)
    checked = right = 0
    for skin, coordinates in zip(skins, coordinates_of(file), strict=True):
        places = skin.deform(figure.rest).astype(float)
        corners = camera.project(places, size)[skin.faces]
        every = np.concatenate([camera.project(one.deform(figure.rest), size)[one.faces] for one in skins])
        uv = coordinates[skin.faces].mean(axis=1)
        areas = turn(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        for f in np.argsort(areas)[:120]:  # rows count downwards: faces towards the eye turn the other way
            middle = camera.project(places[skin.faces[f]].mean(axis=0), size)
            spread = turn(*np.diff(coordinates[skin.faces[f]] * texels.shape[1::-1], axis=0)[:, None])[0] / areas[f]
            near = about(texels, uv[f], 2 + int(2 * abs(spread) ** 0.5))
            if areas[f] > -50 or np.ptp(near, axis=0).max() > 24 or hidden(every, middle):
                continue
            checked += 1
            seen = picture[int(middle[1]), int(middle[0])]
            right += bool(((seen >= near.min(axis=0) - 3) & (seen <= near.max(axis=0) + 3)).all())
    assert checked >= 12 and right == checked, (checked, right)


def about(texels: NDArray, uv: NDArray, reach: int) -> NDArray:
    """`[texel, 3]` all within `reach` of a place on a repeated image, as whole numbers that may be subtracted."""
    rows, columns = (
        np.arange(int(uv[1 - k] * n) - reach, int(uv[1 - k] * n) + reach + 1) % n
        for k, n in enumerate(texels.shape[:2])
    )
    return texels[np.ix_(rows, columns)].reshape(-1, 3).astype(int)


def hidden(corners: NDArray, point: NDArray) -> bool:
    """Whether one of the triangles `[face, 3, 3]` (pixel x, y, depth) lies before the point."""
    shares = np.stack([turn(corners[:, k - 2] - point, corners[:, k - 1] - point) for k in range(3)], axis=1)
    inside = (shares > 0).all(axis=1) | (shares < 0).all(axis=1)
    shares = shares[inside] / shares[inside].sum(axis=1, keepdims=True)
    return bool((1 / (shares / corners[inside, :, 2]).sum(axis=1) < 0.999999 * point[2]).any())


def turn(one: NDArray, other: NDArray) -> NDArray:
    """Twice the area that two vectors span in the picture."""
    return one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]


def image_of(file: PlainGltf) -> NDArray[np.uint8]:
    """The only image of a file."""
    (image,) = file.raw["images"]
    view = file.raw["bufferViews"][image["bufferView"]]
    content = file.buffers[0][view.get("byteOffset", 0) :][: view["byteLength"]]
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def coordinates_of(file: PlainGltf) -> list[NDArray]:
    """`[vertex, 2]` of the mesh of each node that has one, in the order of the nodes."""
    meshes = [file.raw["meshes"][node["mesh"]] for node in file.nodes if "mesh" in node]
    return [
        np.concatenate([file.accessor(part["attributes"]["TEXCOORD_0"]) for part in mesh["primitives"]])
        for mesh in meshes
    ]
