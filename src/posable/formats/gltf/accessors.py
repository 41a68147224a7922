"""Accessors of a glTF file as arrays: every type, strided, sparse, normalised.

Source: glTF 2.0 specification, section 3.6.2; KHR_mesh_quantization only allows more types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.files import check_count
from posable.formats.gltf.container import MESHOPT, Document, Item
from posable.formats.gltf.meshopt import unpacked

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SHAPES = {
    "SCALAR": (1, 1),
    "VEC2": (1, 2),
    "VEC3": (1, 3),
    "VEC4": (1, 4),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
MAX_ELEMENTS = 8 * 2**20
"""Maximum number of values of all that meshes, skins and animations refer to, beyond _PER_BYTE for each byte of the
file: accessors may have no data (zeros), and many primitives may share one."""
_PER_BYTE = 4
MAX_UNPACKED = 64 * 2**20
"""Maximum number of bytes that compressed buffer views unpack to, beyond _UNPACKED_PER_BYTE for each of the file."""
_UNPACKED_PER_BYTE = 32


def check_totals(document: Document) -> None:
    """Check how many numbers the file asks for in all, before any is decoded. Raises FileTooLargeError."""
    sizes = [_claimed(item.value) for item in document.accessors]
    total = sum(
        sizes[reference]
        for reference in _references(document.root.value)
        if isinstance(reference, int) and 0 <= reference < len(sizes)
    )
    check_count(document.path, total, MAX_ELEMENTS + _PER_BYTE * document.size, "numbers in its meshes and animations")


def _claimed(accessor: Any) -> int:
    """How many numbers an accessor claims to hold; a wrong one raises an error where it is read."""
    count = accessor.get("count") if isinstance(accessor, dict) else None
    columns, rows = SHAPES.get(str(accessor.get("type")), (1, 1)) if isinstance(accessor, dict) else (1, 1)
    return max(count, 0) * columns * rows if isinstance(count, int) else 0


def _references(root: Any) -> Iterator[Any]:
    """The accessor of everything that is decoded, as often as it is."""
    for primitive in (one for mesh in _all(root, "meshes") for one in _all(mesh, "primitives")):
        yield primitive.get("indices")
        for attributes in (primitive.get("attributes"), *_all(primitive, "targets")):
            yield from attributes.values() if isinstance(attributes, dict) else ()
    for animation in _all(root, "animations"):
        samplers = _all(animation, "samplers")
        used = (channel.get("sampler") for channel in _all(animation, "channels"))
        yield from (samplers[k].get("output") for k in used if isinstance(k, int) and 0 <= k < len(samplers))
        yield from {k for sampler in samplers if isinstance(k := sampler.get("input"), int)}
    skins = _all(root, "skins")
    bound = (node.get("skin") for node in _all(root, "nodes") if "mesh" in node)
    yield from (skins[k].get("inverseBindMatrices") for k in bound if isinstance(k, int) and 0 <= k < len(skins))


def _all(owner: Any, key: str) -> list[dict[str, Any]]:
    """The objects in an array of a JSON object; none where the value is something else."""
    found = owner.get(key)
    return [one if isinstance(one, dict) else {} for one in found] if isinstance(found, list) else []


def read_accessor(document: Document, reference: Item, *types: str, finite: bool = True) -> NDArray:
    """The accessor that `reference` names: `[element, components]`, matrices `[element, row, column]`.

    Floats and normalised integers come as float64, other integers as int64. types: the allowed types.
    Raises FileError (wrong type, beyond its buffer, not finite) or FileTooLargeError.
    """
    number = reference.index(len(document.accessors), "accessors")
    item = document.accessors[number]
    kind = item.at("type").text()
    if kind not in SHAPES or (types and kind not in types):
        wanted = " or ".join(types or SHAPES)
        raise item.problem(f"has type {kind[:20]!r} where {reference.place} needs {wanted}; export the file again")
    count = item.at("count").whole()
    code = _component(item)
    raw = document.arrays[number] if number in document.arrays else _dense(document, item, count, code, kind)
    if (sparse := item.find("sparse")) is not None:
        raw = _with_sparse(document, sparse, raw, code, kind)
    values = _decoded(raw, code, item.flag_at("normalized"))
    if finite and not np.isfinite(values).all():
        raise item.problem("contains numbers that are not finite; export the file again")
    return values.transpose(0, 2, 1) if kind.startswith("MAT") else values[:, 0, :]


def _component(item: Item, allowed: tuple[int, ...] = tuple(COMPONENTS)) -> int:
    code = item.at("componentType").whole()
    if code not in allowed:
        raise item.problem(f"componentType is {code}; it may be {', '.join(map(str, allowed))}; export the file again")
    return code


def _dense(document: Document, item: Item, count: int, code: int, kind: str) -> NDArray:
    columns, rows = SHAPES[kind]
    if item.find("bufferView") is not None:
        return _view(document, item, count, code, kind)
    check_count(item.path, count * columns * rows, MAX_ELEMENTS, f"numbers in {item.place}")
    return np.zeros((count, columns, rows), COMPONENTS[code])


def _view(document: Document, item: Item, count: int, code: int, kind: str) -> NDArray:
    """`[element, column, row]` in buffer order; matrix columns begin at multiples of four bytes."""
    columns, rows = SHAPES[kind]
    content, tight_or_stride = _bytes_of_view(document, item)
    size = np.dtype(COMPONENTS[code]).itemsize
    column = size * rows if columns == 1 else -(-size * rows // 4) * 4
    element = (columns - 1) * column + size * rows
    stride = tight_or_stride or columns * column
    offset = item.whole_at("byteOffset", 0)
    if stride < element:
        raise item.problem(f"its elements of {element} bytes have a stride of {stride} bytes; export the file again")
    if count and offset + stride * (count - 1) + element > len(content):
        raise item.problem(
            f"{count:,} elements reach beyond their {len(content):,} bytes of buffer; export or copy the file again"
        )
    shape = (count, columns, rows)
    if not count:
        return np.zeros(shape, COMPONENTS[code])
    return np.array(np.ndarray(shape, COMPONENTS[code], content, offset, (stride, column, size)))


def _bytes_of_view(document: Document, item: Item) -> tuple[memoryview, int]:
    """The bytes of `item.bufferView` and its byteStride, default 0."""
    number = item.at("bufferView").index(len(document.views), "bufferViews")
    view = document.views[number]
    packed = next((own for name, own in view.members("extensions").items() if name in MESHOPT), None)
    if packed is None:
        return _stored(document, view), view.whole_at("byteStride", 0)
    if number not in document.unpacked:
        size = packed.at("count").whole() * packed.at("byteStride").whole()
        total = size + sum(map(len, document.unpacked.values()))
        check_count(document.path, total, MAX_UNPACKED + _UNPACKED_PER_BYTE * document.size, "unpacked bytes")
        document.unpacked[number] = unpacked(packed, _stored(document, packed))
    return memoryview(document.unpacked[number]), view.whole_at("byteStride", 0)


def _stored(document: Document, place: Item) -> memoryview:
    """The part of a buffer that a view, or its compression, names."""
    content = document.buffers[place.at("buffer").index(len(document.buffers), "buffers")]
    if content is None:
        raise place.problem("its buffer has no content (neither a uri nor a binary chunk); export the file again")
    start, length = place.whole_at("byteOffset", 0), place.at("byteLength").whole()
    if start + length > len(content):
        raise place.problem(f"reaches beyond its buffer of {len(content):,} bytes; export or copy the file again")
    return memoryview(content)[start : start + length]


def bytes_of_view(document: Document, item: Item) -> bytes:
    """The bytes of the buffer view that `item` names (an image, say)."""
    return bytes(_bytes_of_view(document, item)[0])


def _with_sparse(document: Document, sparse: Item, raw: NDArray, code: int, kind: str) -> NDArray:
    count = sparse.at("count").whole()
    places, values = sparse.at("indices"), sparse.at("values")
    at = _view(document, places, count, _component(places, (5121, 5123, 5125)), "SCALAR").reshape(-1).astype(np.int64)
    if at.size and at.max() >= len(raw):
        raise places.problem(f"names element {at.max()}, but there are {len(raw)}; export the file again")
    raw = np.array(raw)
    raw[at] = _view(document, values, count, code, kind)
    return raw


def _decoded(raw: NDArray, code: int, normalized: bool) -> NDArray:
    if code == 5126:
        return raw.astype(np.float64)
    if not normalized:
        return raw.astype(np.int64)
    return np.maximum(raw.astype(np.float64) / np.iinfo(raw.dtype).max, -1.0)
