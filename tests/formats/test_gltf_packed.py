"""Compressed glTF: meshopt's streams against meshoptimizer's decoder; files packed by gltfpack and glTF-Transform."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.mutation import Outcome
from formats.plain_gltf import make_glb, split_glb
from formats.test_gltf_keep import some_pose
from real_files import RealFiles

import posable
from posable.errors import FileError, FileTooLargeError, MissingExtraError
from posable.formats.gltf import accessors, meshopt
from posable.formats.gltf.container import DRACO, Item
from posable.formats.gltf.without_draco import without_draco

DATA = Path(__file__).parents[1] / "data/packed"
STREAMS: list[dict[str, Any]] = json.loads((DATA / "meshopt_streams.json").read_text())
PACKED = ("quad_skin_draco.glb", "quad_skin_meshopt.glb", "quad_skin_meshopt_khr.glb")


@pytest.fixture
def no_draco(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "DracoPy", None)


def skip_without_draco(name: str) -> None:
    if "draco" in name:
        pytest.importorskip("DracoPy", reason="DracoPy is not installed")


def said(stream: dict[str, Any], **changes: Any) -> Item:
    own = {key: stream[key] for key in ("count", "mode", "filter")} | {"byteStride": stream["stride"]}
    return Item(Path("packed.glb"), own | changes, "bufferViews[0].extensions.EXT_meshopt_compression")


@pytest.mark.parametrize("k", range(len(STREAMS)))
def test_streams_unpack_as_meshoptimizers_decoder_has_them(k: int) -> None:
    stream = STREAMS[k]
    found = meshopt.unpacked(said(stream), memoryview(base64.b64decode(stream["packed"])))
    assert found == base64.b64decode(stream["bytes"])


@pytest.mark.parametrize("k", range(0, len(STREAMS), 3))
def test_damaged_streams_are_refused_or_read(k: int) -> None:
    """Cut anywhere, and with bytes changed: never beyond the source, always as many bytes as were asked for."""
    stream, rng = STREAMS[k], np.random.default_rng(k)
    whole, refused = base64.b64decode(stream["packed"]), 0
    size = stream["count"] * stream["stride"]
    cuts = [whole[:n] for n in rng.integers(0, len(whole), 40)]
    changed = np.tile(np.frombuffer(whole, np.uint8), (200, 1))
    changed[np.arange(200), rng.integers(0, len(whole), 200)] = rng.integers(0, 256, 200)
    for damaged in (*cuts, *(row.tobytes() for row in changed)):
        try:
            assert len(meshopt.unpacked(said(stream), memoryview(damaged))) == size
        except FileError as problem:
            assert "its compressed bytes are damaged; export or copy the file again" in str(problem)
            refused += 1
    assert refused > 5


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"mode": "WAVELETS"}, "'WAVELETS' is not a mode or filter of meshopt; export the file again"),
    ({"filter": "SEPIA"}, "'SEPIA' is not a mode or filter of meshopt; export the file again"),
    ({"byteStride": 6}, "elements of 6 bytes, which ATTRIBUTES cannot hold; export the file again"),
    ({"filter": "QUATERNION"}, "has elements of 12 bytes, which QUATERNION cannot hold; export the file again"),
    ({"mode": "TRIANGLES", "byteStride": 4, "count": 4}, "has 4 elements of 4 bytes, which TRIANGLES cannot hold"),
    ({"mode": "TRIANGLES", "byteStride": 4, "count": 3}, "its compressed bytes are damaged"),
    ({"mode": "INDICES", "byteStride": 4, "count": 3}, "its compressed bytes are damaged"),
    ({"count": 10_000}, "its compressed bytes are damaged"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_what_an_extension_may_not_say(changes: dict[str, Any], message: str) -> None:
    stream = next(one for one in STREAMS if one["stride"] == 12)
    with pytest.raises(FileError, match=message):
        meshopt.unpacked(said(stream, **changes), memoryview(base64.b64decode(stream["packed"])))


@pytest.mark.parametrize("name", PACKED)
def test_packed_files_hold_the_figure(shared: RealFiles, name: str) -> None:
    skip_without_draco(name)
    figure, packed = posable.load(shared / "characters/quad_skin.glb"), posable.load(DATA / name)
    assert packed.skeleton.joints[1:] == figure.skeleton.joints[1:]
    (skin,), (again,) = figure.skins, packed.skins
    order = np.lexsort(np.round(again.deform(packed.rest)).T)
    wanted = np.lexsort(np.round(skin.deform(figure.rest)).T)
    assert np.abs(again.deform(packed.rest)[order] - skin.deform(figure.rest)[wanted]).max() < 1e-4 * figure.height
    assert sorted(map(sorted, order.argsort()[again.faces].tolist())) == sorted(
        map(sorted, wanted.argsort()[skin.faces].tolist())
    )


def test_a_packed_character_moves_as_the_plain_one(shared: RealFiles) -> None:
    """The robot, quantised and packed by glTF-Transform: its clips are thinned there, its meshes rounded."""
    figure = posable.load(shared / "characters/RobotExpressive.glb")
    packed = posable.load(shared / "characters/RobotExpressive_quantized.glb")
    assert [clip.name for clip in packed.clips] == [clip.name for clip in figure.clips]
    assert [(skin.name, len(skin.morph_names)) for skin in packed.skins] == [
        (skin.name, len(skin.morph_names)) for skin in figure.skins
    ]
    for skin, again in zip(figure.skins, packed.skins, strict=True):
        low, high = skin.deform(figure.rest).min(axis=0), skin.deform(figure.rest).max(axis=0)
        assert np.abs(again.deform(packed.rest).min(axis=0) - low).max() < 1e-4 * figure.height
        assert np.abs(again.deform(packed.rest).max(axis=0) - high).max() < 1e-4 * figure.height
    dance, same = figure.clips["Dance"], packed.clips["Dance"]
    joints = [name for name in figure.skeleton.joints if name in packed.skeleton.joints]
    rows, others = ([one.skeleton.index(name) for name in joints] for one in (figure, packed))
    off = dance.poses.origins[:, rows] - same.poses.origins[:, others]
    assert np.abs(off).max() < 1e-3 * figure.skeleton.reach


@pytest.mark.parametrize("name", PACKED)
def test_rewritten_they_stay_packed(tmp_path: Path, name: str) -> None:
    skip_without_draco(name)
    figure = posable.load(DATA / name)
    pose = some_pose(figure, 1)
    clip = posable.Clip(figure.skeleton, np.stack([figure.rest.q, pose.q]), 30.0, "new")
    posable.save(tmp_path / "out.glb", figure, clip)
    again = posable.load(tmp_path / "out.glb")
    np.testing.assert_array_equal(again.skins[0].vertices, figure.skins[0].vertices)
    assert np.abs(again.clips[0].poses.origins[1] - pose.origins).max() < 1e-5 * figure.skeleton.reach
    (before, chunk), (after, longer) = (split_glb(path.read_bytes()) for path in (DATA / name, tmp_path / "out.glb"))
    assert after["extensionsRequired"] == before["extensionsRequired"]
    assert after["bufferViews"][: len(before["bufferViews"])] == before["bufferViews"]
    assert longer[: before["buffers"][0]["byteLength"]] == chunk[: before["buffers"][0]["byteLength"]]


def test_without_draco_a_file_holds_the_same_and_needs_no_decoder(tmp_path: Path) -> None:
    pytest.importorskip("DracoPy", reason="DracoPy is not installed")
    packed = DATA / "quad_skin_draco.glb"
    (tmp_path / "plain.glb").write_bytes(plain := without_draco(packed.read_bytes()))
    raw, _ = split_glb(plain)
    assert DRACO not in str(raw) and without_draco(plain) == plain
    for view in raw["bufferViews"]:
        assert view.get("byteOffset", 0) + view["byteLength"] <= raw["buffers"][view["buffer"]]["byteLength"]
        assert view.get("byteStride", 4) % 4 == 0
    (skin,), (same,) = posable.load(packed).skins, posable.load(tmp_path / "plain.glb").skins
    for name in ("vertices", "faces", "joints", "weights"):
        np.testing.assert_array_equal(getattr(same, name), getattr(skin, name))


@pytest.mark.parametrize("name", PACKED)
def test_new_weights_replace_packed_ones(tmp_path: Path, name: str) -> None:
    skip_without_draco(name)
    figure = posable.load(DATA / name)
    (skin,) = figure.skins
    other = replace(skin, joints=skin.joints[:, ::-1], weights=skin.weights[::-1])
    posable.save(tmp_path / "out.glb", replace(figure, skins=(other,)))
    again = posable.load(tmp_path / "out.glb").skins[0]
    pose = some_pose(figure, 2)
    np.testing.assert_allclose(again.deform(pose), other.deform(pose), atol=1e-5 * figure.height)


@pytest.mark.usefixtures("no_draco")
def test_without_dracopy_the_error_names_the_extra() -> None:
    cure = r'a mesh compressed by Draco needs an optional package: pip install "posable\[draco\]"'
    with pytest.raises(MissingExtraError, match=cure):
        posable.load(DATA / "quad_skin_draco.glb")


@pytest.mark.usefixtures("no_draco")
def test_a_plain_copy_beside_dracos_is_taken(shared: RealFiles, tmp_path: Path) -> None:
    raw, binary = split_glb((shared / "characters/quad_skin.glb").read_bytes())
    for primitive in raw["meshes"][0]["primitives"]:
        primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    (tmp_path / "both.glb").write_bytes(make_glb(raw, binary))
    plain = posable.load(shared / "characters/quad_skin.glb")
    np.testing.assert_array_equal(posable.load(tmp_path / "both.glb").skins[0].vertices, plain.skins[0].vertices)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda raw: raw["accessors"][1].update(count=5), "does not hold 5 elements of this type; export it again"),
        (lambda raw: raw["accessors"][0].update(count=9), "does not hold 9 elements of this type; export it again"),
        (lambda raw: raw["accessors"][1].update(componentType=5121), "numbers that do not fit its componentType"),
        (
            lambda raw: raw["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"][
                "attributes"
            ].update(POSITION=77),
            "does not hold 4 elements",
        ),
        (lambda raw: raw["bufferViews"][1].update(byteLength=40), "its compressed bytes are damaged; export or copy"),
    ],
)
def test_draco_that_does_not_fit_is_refused(tmp_path: Path, change: Callable[[Any], None], message: str) -> None:
    skip_without_draco("draco")
    raw, binary = split_glb((DATA / "quad_skin_draco.glb").read_bytes())
    change(raw)
    (tmp_path / "bad.glb").write_bytes(make_glb(raw, binary))
    with pytest.raises(FileError, match=message):
        posable.load(tmp_path / "bad.glb")


def test_claims_are_checked_before_memory_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw, binary = split_glb((DATA / "quad_skin_meshopt.glb").read_bytes())
    for view in raw["bufferViews"]:
        view["extensions"]["EXT_meshopt_compression"]["count"] = 3 * 10**9
    (tmp_path / "bad.glb").write_bytes(make_glb(raw, binary))
    with pytest.raises(FileTooLargeError, match=r"declares .* unpacked bytes; posable accepts at most"):
        posable.load(tmp_path / "bad.glb")
    monkeypatch.setattr(accessors, "MAX_UNPACKED", 40)
    monkeypatch.setattr(accessors, "_UNPACKED_PER_BYTE", 0)
    with pytest.raises(FileTooLargeError, match=r"declares .* unpacked bytes"):  # several views together
        posable.load(DATA / "quad_skin_meshopt.glb")


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("name", PACKED)
def test_damaged_packed_files(attack: Callable[..., Outcome], name: str) -> None:
    skip_without_draco(name)
    outcome = attack(".glb", [DATA / name])
    assert outcome.refused > 20
    assert outcome.loaded > 0
