"""A GLB whose meshes are no longer compressed by Draco, for viewers that have no decoder for it."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.formats.gltf.builder import INDICES, VERTICES, Builder
from posable.formats.gltf.container import DRACO, parse_document
from posable.formats.gltf.draco import unpack


def without_draco(content: bytes) -> bytes:
    """The GLB with every mesh stored plainly; the same bytes if none is compressed by Draco.

    Raises FileError for damaged content, MissingExtraError without DracoPy.
    """
    if DRACO.encode() not in content:
        return content
    document = parse_document(Path("figure.glb"), content)
    raw: dict[str, Any] = deepcopy(document.root.value)
    builder = Builder(raw, document.chunks, binary=True)
    indices: set[int] = set()
    for mesh, item in zip(raw.get("meshes", ()), document.root.entries("meshes"), strict=True):
        for primitive, described in zip(mesh["primitives"], item.entries("primitives"), strict=True):
            unpack(document, described)
            if primitive.get("extensions", {}).pop(DRACO, None) is not None and "indices" in primitive:
                indices.add(primitive["indices"])
    for number, values in document.arrays.items():
        target = INDICES if number in indices else VERTICES
        raw["accessors"][number] |= {"bufferView": _add_view(builder, values, target), "byteOffset": 0}
    for key in ("extensionsUsed", "extensionsRequired"):
        if key in raw:
            raw[key] = [name for name in raw[key] if name != DRACO]
            if not raw[key]:
                del raw[key]
    return builder.content(document.path)


def _add_view(builder: Builder, values: NDArray[Any], target: int) -> int:
    """A buffer view with the elements `[element, column, row]`, those of vertices aligned to four bytes."""
    rows = values.reshape(len(values), -1)
    size = rows.dtype.itemsize * rows.shape[1]
    stride = size if target == INDICES else size + -size % 4
    padded = np.zeros((len(rows), stride), np.uint8)
    padded[:, :size] = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), size)
    return builder.view(padded, target=target, stride=stride if target == VERTICES else None)
