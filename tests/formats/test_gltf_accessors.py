"""Every accessor type, sparse, strided, normalised, quantised, wherever the bytes lie; and those that lie nowhere."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.gltf_models import CODES, Model, arm
from numpy.typing import NDArray

from posable.errors import FileError, FileTooLargeError
from posable.formats import load
from posable.formats.gltf.accessors import read_accessor
from posable.formats.gltf.container import Item, open_document

SHAPES = {
    "SCALAR": (1, 1),
    "VEC2": (1, 2),
    "VEC3": (1, 3),
    "VEC4": (1, 4),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}


def read(model: Model, folder: Path, index: int = 0, *types: str) -> NDArray:
    document = open_document(model.glb(folder))
    return read_accessor(document, Item(document.path, index, "here"), *types)


def packed(values: NDArray, kind: str) -> bytes:
    """`[element, column, row]` as glTF lays them out: columns of matrices at multiples of four bytes."""
    out = b""
    for element in values.astype(f"<{kind}"):
        for column in element:
            out += column.tobytes()
            out += bytes(-len(column.tobytes()) % 4) if len(element) > 1 else b""
    return out


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", CODES)
def test_every_type_of_every_component(tmp_path: Path, kind: str, shape: str) -> None:
    columns, rows = SHAPES[shape]
    values = np.arange(5 * columns * rows).reshape(5, columns, rows)
    model = Model()
    view = model.view(packed(values, kind))
    model.add("accessors", bufferView=view, componentType=CODES[kind], count=5, type=shape)
    expected = values.transpose(0, 2, 1) if columns > 1 else values[:, 0]
    found = read(model, tmp_path)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == (np.float64 if kind == "f4" else np.int64)


@pytest.mark.parametrize(
    ("kind", "stored", "meant"),
    [
        ("i1", [-128, -127, 0, 127], [-1, -1, 0, 1]),
        ("u1", [0, 51, 255], [0, 0.2, 1]),
        ("i2", [-32768, -32767, 32767], [-1, -1, 1]),
        ("u2", [0, 13107, 65535], [0, 0.2, 1]),
    ],
)
def test_normalised_integers(tmp_path: Path, kind: str, stored: list[int], meant: list[float]) -> None:
    model = Model()
    model.accessor(stored, kind, normalized=True)
    np.testing.assert_allclose(read(model, tmp_path)[:, 0], meant, atol=1e-15)


def test_strides_and_offsets(tmp_path: Path) -> None:
    model = Model()
    rows = b"".join(struct.pack("<4xh3f2x", -i, i, i + 0.5, 2 * i) for i in range(4))
    view = model.view(b"skip" + rows, byteStride=20)
    model.raw["bufferViews"][view]["byteOffset"] += 4
    model.raw["bufferViews"][view]["byteLength"] -= 4
    model.add("accessors", bufferView=view, byteOffset=6, componentType=5126, count=4, type="VEC3")
    np.testing.assert_allclose(read(model, tmp_path), [[i, i + 0.5, 2 * i] for i in range(4)])


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("kind", ["u1", "u2", "u4"])
def test_sparse_accessors_with_and_without_bytes_below(tmp_path: Path, kind: str, dense: bool) -> None:
    model = Model()
    model.accessor(np.ones((6, 3)))
    if not dense:
        del model.raw["accessors"][0]["bufferView"]
    model.raw["accessors"][0]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": model.view(np.array([1, 4], kind).tobytes()), "componentType": CODES[kind]},
        "values": {"bufferView": model.view(struct.pack("<6f", 1, 2, 3, 4, 5, 6))},
    }
    expected = np.full((6, 3), float(dense))
    expected[[1, 4]] = [[1, 2, 3], [4, 5, 6]]
    np.testing.assert_array_equal(read(model, tmp_path), expected)


def test_an_accessor_without_bytes_is_zeros(tmp_path: Path) -> None:
    model = Model()
    model.add("accessors", componentType=5123, count=3, type="VEC2")
    np.testing.assert_array_equal(read(model, tmp_path), np.zeros((3, 2)))


def test_an_empty_accessor_is_empty(tmp_path: Path) -> None:
    model = Model()
    model.accessor(np.ones((1, 3)))
    model.raw["accessors"][0]["count"] = 0
    assert read(model, tmp_path).shape == (0, 3)


def test_quantised_meshes_are_read(tmp_path: Path) -> None:
    model = arm()
    model.raw |= {"extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"]}
    attributes = model.raw["meshes"][0]["primitives"][0]["attributes"]
    points = np.array([[x, y, 0] for y in (0, 2, 4) for x in (-1, 1)])
    attributes["POSITION"] = model.accessor(points, "i2")
    attributes["NORMAL"] = model.accessor([[0, 0, 127]] * 6, "i1", normalized=True)
    skin = load(model.glb(tmp_path)).skins[0]
    np.testing.assert_array_equal(skin.vertices, points)
    assert skin.normals is not None
    np.testing.assert_array_equal(skin.normals, [[0, 0, 1]] * 6)


def test_buffers_inside_beside_and_in_the_binary_chunk_are_the_same(tmp_path: Path) -> None:
    model = arm()
    chunk, inside = load(model.glb(tmp_path)), load(model.gltf(tmp_path))
    raw = model.complete()
    raw["buffers"][0]["uri"] = "my%20buffer.bin"
    (tmp_path / "my buffer.bin").write_bytes(model.binary)
    (tmp_path / "beside.gltf").write_text(json.dumps(raw))
    beside = load(tmp_path / "beside.gltf")
    for one in (inside, beside):
        np.testing.assert_array_equal(one.skins[0].vertices, chunk.skins[0].vertices)
        np.testing.assert_array_equal(one.skins[0].inverse_bind, chunk.skins[0].inverse_bind)


def with_accessor(**change: Any) -> Model:
    model = Model()
    model.accessor(np.ones((4, 3)))
    model.raw["accessors"][0] |= change
    return model


REFUSED = [
    (with_accessor(type="VEC5"), r"accessors\[0\]: has type 'VEC5' where here needs VEC3; export"),
    (with_accessor(type="VEC2"), r"accessors\[0\]: has type 'VEC2' where here needs VEC3; export"),
    (with_accessor(componentType=5124), r"accessors\[0\]: componentType is 5124; it may be 5120, 5121, .*5126"),
    (with_accessor(count=5), r"accessors\[0\]: 5 elements reach beyond their 48 bytes of buffer"),
    (with_accessor(count=10**30), r"accessors\[0\]: 1,000,.* elements reach beyond their 48 bytes"),
    (with_accessor(byteOffset=4), r"accessors\[0\]: 4 elements reach beyond"),
    (with_accessor(count=-1), r"accessors\[0\].count: must be a whole number of at least 0, not -1"),
    (with_accessor(count=1.5), r"accessors\[0\].count: must be a whole number of at least 0, not 1.5"),
    (with_accessor(count="4"), r"accessors\[0\].count: must be a number, not text"),
    (with_accessor(count=None), r"accessors\[0\].count: must be a number, not null"),
    (with_accessor(bufferView=7), r"accessors\[0\].bufferView: is 7, but the file has 1 bufferViews"),
    (with_accessor(normalized=1), r"accessors\[0\].normalized: must be true or false, not the number 1"),
    (with_accessor(sparse=[]), r"accessors\[0\].sparse: must be an object {…}, not a list"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "message"), REFUSED)
def test_wrong_accessors_are_refused_with_their_place(tmp_path: Path, model: Model, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read(model, tmp_path, 0, "VEC3")


def refuse(model: Model, folder: Path, message: str, index: int = 0) -> None:
    with pytest.raises(FileError, match=message):
        read(model, folder, index)


def test_an_index_beyond_the_accessors(tmp_path: Path) -> None:
    refuse(with_accessor(), tmp_path, "here: is 3, but the file has 1 accessors", 3)


def test_views_beyond_their_buffers(tmp_path: Path) -> None:
    model = with_accessor()
    model.raw["bufferViews"][0]["byteLength"] = 49
    refuse(model, tmp_path, re.escape("bufferViews[0]: reaches beyond its buffer of 48 bytes"))
    model.raw["bufferViews"][0] |= {"byteLength": 48, "buffer": 1}
    refuse(model, tmp_path, re.escape("bufferViews[0].buffer: is 1, but the file has 1 buffers"))


def test_strides_too_small(tmp_path: Path) -> None:
    model = with_accessor()
    model.raw["bufferViews"][0]["byteStride"] = 8
    refuse(model, tmp_path, re.escape("accessors[0]: its elements of 12 bytes have a stride of 8 bytes"))


def test_sparse_elements_that_are_not_there(tmp_path: Path) -> None:
    model = with_accessor()
    places = {"bufferView": model.view(b"\x04"), "componentType": 5121}
    values = {"bufferView": model.view(bytes(12))}
    model.raw["accessors"][0]["sparse"] = {"count": 1, "indices": places, "values": values}
    refuse(model, tmp_path, re.escape("accessors[0].sparse.indices: names element 4, but there are 4"))


def test_numbers_that_are_not_finite(tmp_path: Path) -> None:
    model = Model()
    model.accessor([[0.0, np.nan, 1.0]])
    refuse(model, tmp_path, re.escape("accessors[0]: contains numbers that are not finite"))


def test_claims_without_bytes_are_counted_before_memory_is_taken(tmp_path: Path) -> None:
    model = Model()
    model.add("accessors", componentType=5126, count=10**12, type="MAT4")
    with pytest.raises(
        FileTooLargeError, match=r"16,000,000,000,000 numbers in accessors\[0\]; posable accepts at most"
    ):
        read(model, tmp_path)
