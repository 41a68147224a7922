"""Builds a glTF file: its JSON, and the bytes of its accessors, which are only appended to."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.formats.gltf.container import BINARY_CHUNK, DRACO, data_uri, dump_json, join
from posable.formats.gltf.extras import extras_of
from posable.skeleton import Skeleton
from posable.skin import Skin
from posable.spatial import Array

VERTICES, INDICES = 34962, 34963
_CODES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """A glTF file under construction.

    raw: the JSON, mutable. chunks: of a GLB, (type, content); new bytes are appended to the binary one.

    binary: GLB; otherwise a .gltf, where new bytes become a separate buffer in base64.
    """

    def __init__(self, raw: dict[str, Any], chunks: tuple[tuple[int, bytes], ...], *, binary: bool) -> None:
        self.raw = raw
        self._chunks = dict(enumerate(chunks))
        self._binary = binary
        self._place = (
            next((i for i, (kind, _) in self._chunks.items() if kind == BINARY_CHUNK), None) if binary else None
        )
        buffers = raw.get("buffers", [])
        taken = bool(buffers) and "uri" not in buffers[0]
        self._buffer: int | None = 0 if self._place is not None and taken else None
        self._start = self._chunks[self._place][1] if self._place is not None and (taken or not buffers) else b""
        self._new = bytearray()

    def accessor(self, array: NDArray, *, target: int | None = None, bounds: bool = False) -> int:
        """Add `array [element, components]` (u1, u2, u4 or f4); returns its accessor's index. bounds: store min and
        max.
        """
        code = array.dtype.str[1:]
        accessor = {
            "bufferView": self.view(array, target=target),
            "componentType": _CODES[code],
            "count": len(array),
            "type": _TYPES[array.shape[1]],
        }
        if bounds:
            accessor |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        return self.add("accessors", accessor)

    def view(self, array: NDArray, *, target: int | None = None, stride: int | None = None) -> int:
        """Add the bytes of an array; returns the index of their buffer view. stride: bytes from element to element."""
        view = {"buffer": self._used_buffer(), "byteOffset": self._append(array.tobytes()), "byteLength": array.nbytes}
        said = {"byteStride": stride, "target": target}
        return self.add("bufferViews", view | {key: value for key, value in said.items() if value is not None})

    def add(self, key: str, entry: dict[str, Any]) -> int:
        """Append to a top-level list; returns the index."""
        entries = self.raw.setdefault(key, [])
        entries.append(entry)
        return len(entries) - 1

    def _used_buffer(self) -> int:
        if self._buffer is None:
            if not self._binary or self.raw.get("buffers"):
                self._place = None  # only the first buffer can be in the binary chunk
            elif self._place is None:
                self._place = len(self._chunks)
            self._buffer = self.add("buffers", {"byteLength": 0})
        return self._buffer

    def _append(self, content: bytes) -> int:
        self._new += bytes(-(len(self._start) + len(self._new)) % 4)
        offset = len(self._start) + len(self._new)
        self._new += content
        return offset

    def content(self, path: Path, dump: Callable[[Path, dict[str, Any]], bytes] = dump_json) -> bytes:
        """The whole file. dump: makes the text of the JSON. Raises FileError if it cannot be written."""
        if self._buffer is not None and self._new:
            buffer = self.raw["buffers"][self._buffer]
            buffer["byteLength"] = len(self._start) + len(self._new)
            if self._place is None:
                buffer["uri"] = data_uri(bytes(self._new))
            else:
                self._chunks[self._place] = (BINARY_CHUNK, self._start + bytes(self._new))
        text = dump(path, self.raw)
        return join(path, text, tuple(self._chunks.values())) if self._binary else text


# The rig: nodes for joints, bind matrices of a skin, joints and weights of vertices.


def add_joints(builder: Builder, skeleton: Skeleton, position: Array, wxyz: Array) -> list[int]:
    """Add a node for every joint at `position`, `wxyz` in its parent; returns the nodes of the roots.

    `extras.posable` of each stores what glTF cannot express.
    """
    first = len(builder.raw.get("nodes", ()))
    for j, joint in enumerate(skeleton.definitions):
        node: dict[str, Any] = {"name": joint.name}
        if children := skeleton.children(j):
            node["children"] = [first + child for child in children]
        node["translation"] = position[j].tolist()
        node["rotation"] = np.roll(wxyz[j], -1).tolist()
        node["extras"] = {"posable": extras_of(joint)}
        builder.add("nodes", node)
    return [first + int(j) for j in np.flatnonzero(skeleton.parents < 0)]


def add_bind(builder: Builder, skin: Skin, used: NDArray[np.int64], name: str, nodes: NDArray[np.int64]) -> int:
    """Add the glTF skin of the `used` joints; returns its index. nodes: `[joint]` of all joints of the skeleton."""
    columns = skin.inverse_bind[used].transpose(0, 2, 1).reshape(-1, 16)
    matrices = builder.accessor(columns.astype("<f4"))
    return builder.add("skins", {"name": name, "joints": nodes[used].tolist(), "inverseBindMatrices": matrices})


def add_influences(
    builder: Builder, attributes: dict[str, Any], skin: Skin, used: NDArray[np.int64], rows: slice = slice(None)
) -> None:
    """Replace joints and weights, in sets of four, of a primitive whose vertices are `rows` of the skin's."""
    for name in [name for name in attributes if name.startswith(("JOINTS_", "WEIGHTS_"))]:
        del attributes[name]
    joints, weights = skin.joints[rows], skin.weights[rows]
    local = np.searchsorted(used, np.where(weights > 0, joints, used[0]))
    kind = "u1" if len(used) <= 256 else "u2"
    for k in range(0, local.shape[1], 4):
        share = np.zeros((2, len(local), 4))
        share[0, :, : local.shape[1] - k] = np.where(weights > 0, local, 0)[:, k : k + 4]
        share[1, :, : local.shape[1] - k] = weights[:, k : k + 4]
        attributes[f"JOINTS_{k // 4}"] = builder.accessor(share[0].astype(f"<{kind}"), target=VERTICES)
        attributes[f"WEIGHTS_{k // 4}"] = builder.accessor(share[1].astype("<f4"), target=VERTICES)


def bind_node(builder: Builder, node: int, skin: Skin, nodes: NDArray[np.int64], start: int = 0) -> None:
    """Bind the mesh of a node, whose vertices are those of the skin from `start` on; other nodes keep theirs.

    nodes: `[joint]` of the skeleton's joints.
    """
    raw: dict[str, Any] = builder.raw
    used, said = skin.used_joints, raw["nodes"][node]
    said["skin"] = add_bind(builder, skin, used, said.get("name", f"node_{node}"), nodes)
    if sum(other.get("mesh") == said["mesh"] for other in raw["nodes"]) > 1:
        said["mesh"] = builder.add("meshes", deepcopy(raw["meshes"][said["mesh"]]))
    for primitive in raw["meshes"][said["mesh"]]["primitives"]:
        if primitive.get("mode", _TRIANGLES[0]) in _TRIANGLES:
            count = raw["accessors"][primitive["attributes"]["POSITION"]]["count"]
            packed = primitive.get("extensions", {}).get(DRACO, {}).get("attributes", {})
            for name in [name for name in packed if name.startswith(("JOINTS_", "WEIGHTS_"))]:
                del packed[name]  # what follows is stored uncompressed
            add_influences(builder, primitive["attributes"], skin, used, slice(start, start + count))
            start += count


_TRIANGLES = (4, 5, 6)
