"""Meshes compressed by Draco (KHR_draco_mesh_compression), unpacked by the library DracoPy, the extra `draco`."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import MissingExtraError
from posable.formats.gltf.accessors import COMPONENTS, SHAPES, bytes_of_view
from posable.formats.gltf.container import DRACO, Document, Item


def unpack(document: Document, primitive: Item) -> None:
    """Unpack the data that only a primitive's compressed form contains, to `document.arrays`.

    Raises FileError where it does not fit its accessors, MissingExtraError without DracoPy.
    """
    own = primitive.members("extensions").get(DRACO)
    if own is None:
        return
    attributes, indices = primitive.members("attributes"), primitive.find("indices")
    packed = {name: number.whole() for name, number in own.members("attributes").items() if name in attributes}
    wanted = [attributes[name] for name in packed] + ([] if indices is None else [indices])
    if all(_accessor(document, one).find("bufferView") is not None for one in wanted):
        return  # stored plainly, too
    mesh = _decoded(own, bytes_of_view(document, own))
    for name, number in packed.items():
        found = mesh.get_attribute_by_unique_id(number)
        _keep(document, attributes[name], None if found is None else np.asarray(found["data"]))
    if indices is not None:
        _keep(document, indices, np.asarray(getattr(mesh, "faces", np.zeros((0, 3)))).reshape(-1, 1))


def _decoded(own: Item, content: bytes) -> Any:
    try:
        library: Any = importlib.import_module("DracoPy")
    except ImportError as problem:
        raise MissingExtraError("draco", "a mesh compressed by Draco") from problem
    try:
        return library.decode(content)
    except Exception as problem:  # it raises all kinds of exceptions
        raise own.problem("its compressed bytes are damaged; export or copy the file again") from problem


def _accessor(document: Document, reference: Item) -> Item:
    return document.accessors[reference.index(len(document.accessors), "accessors")]


def _keep(document: Document, reference: Item, found: NDArray | None) -> None:
    """Store an array `[element, component]` as the content of an accessor."""
    item = _accessor(document, reference)
    columns, rows = SHAPES.get(item.at("type").text(), (1, 1))
    kind = np.dtype(COMPONENTS.get(item.at("componentType").whole(), "<f4"))
    shape = (item.at("count").whole(), columns, rows)
    if found is None or found.size != shape[0] * columns * rows or len(found) != shape[0]:
        raise item.problem(f"its compressed mesh does not hold {shape[0]:,} elements of this type; export it again")
    with np.errstate(invalid="ignore"):
        values = found.astype(kind)
    if kind.kind != "f" and not np.array_equal(values, found):
        raise item.problem("its compressed mesh holds numbers that do not fit its componentType; export it again")
    document.arrays[reference.whole()] = values.reshape(shape)
