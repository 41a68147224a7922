"""A glTF file in the making: its JSON, and the bytes that accessors point into, which only ever grow at their end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from posable.formats.gltf_container import BINARY_CHUNK, data_uri, join
from posable.formats.gltf_json import dump_json

VERTICES, INDICES = 34962, 34963
_CODES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """`raw` is the JSON, free to be changed. chunks: of a GLB, (type, content); new bytes go to the binary one's end.

    binary: GLB; otherwise a .gltf, where new bytes become a buffer of their own in base64.
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
        """Keep `array [element, components]` (u1, u2, u4 or f4); its accessor's index. bounds: say the extremes."""
        code = array.dtype.str[1:]
        view = {"buffer": self._used_buffer(), "byteOffset": self._append(array.tobytes()), "byteLength": array.nbytes}
        if target is not None:
            view["target"] = target
        accessor = {
            "bufferView": self.add("bufferViews", view),
            "componentType": _CODES[code],
            "count": len(array),
            "type": _TYPES[array.shape[1]],
        }
        if bounds:
            accessor |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        return self.add("accessors", accessor)

    def add(self, key: str, entry: dict[str, Any]) -> int:
        """Append to a top-level list; the index of the entry."""
        entries = self.raw.setdefault(key, [])
        entries.append(entry)
        return len(entries) - 1

    def _used_buffer(self) -> int:
        if self._buffer is None:
            if not self._binary or self.raw.get("buffers"):
                self._place = None  # only the first buffer can lie in the binary chunk
            elif self._place is None:
                self._place = len(self._chunks)
            self._buffer = self.add("buffers", {"byteLength": 0})
        return self._buffer

    def _append(self, content: bytes) -> int:
        self._new += bytes(-(len(self._start) + len(self._new)) % 4)
        offset = len(self._start) + len(self._new)
        self._new += content
        return offset

    def content(self, path: Path) -> bytes:
        """The whole file. Raises FileError where it cannot be written."""
        if self._buffer is not None and self._new:
            buffer = self.raw["buffers"][self._buffer]
            buffer["byteLength"] = len(self._start) + len(self._new)
            if self._place is None:
                buffer["uri"] = data_uri(bytes(self._new))
            else:
                self._chunks[self._place] = (BINARY_CHUNK, self._start + bytes(self._new))
        text = dump_json(path, self.raw)
        return join(path, text, tuple(self._chunks.values())) if self._binary else text
