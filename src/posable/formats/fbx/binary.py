"""The binary form of FBX, in and out: records with lengths, the ends of which are offsets from the file's start.

Source: the Blender Foundation's notes on the format, "FBX binary file format specification" (2013).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from posable.errors import FileError
from posable.files import check_count
from posable.formats.fbx.tree import DTYPES, MADE, MAX_DEPTH, MAX_ELEMENTS, OFTEN, PARSED, Budget, Element, Packed, Tree
from posable.progress import tell_progress

MAGIC = b"Kaydara FBX Binary  \0"
_HEADER = 27
_WIDE = 7500
"""From this version on offsets are 64 bits wide."""
_SCALARS = {"C": "B", "B": "B", "Z": "B", "Y": "h", "I": "i", "F": "f", "D": "d", "L": "q"}
_SIZES = {code: struct.calcsize("<" + kind) for code, kind in _SCALARS.items()}
_SOME = 64
_SHORT_BYTES = 100  # bytes of values that often stand in a file more than once
_MANY = 16
"""So many values of one type are read as one array: old versions have no arrays."""


def read_binary(path: Path, content: bytes) -> Tree:
    """The tree of a binary file. Raises FileError where lengths do not fit."""
    if len(content) < _HEADER:
        raise FileError(path, "ends within its header; export it again")
    order = ">" if content[22] else "<"
    version = struct.unpack_from(order + "I", content, 23)[0]
    return Tree(path, version, False, _Reader(path, content, order, version >= _WIDE).top(), len(content))


class _Reader:
    def __init__(self, path: Path, content: bytes, order: str, wide: bool) -> None:
        self.path, self.content, self.order = path, content, order
        self.head = struct.Struct(order + ("QQQB" if wide else "IIIB"))
        self.scalars = {code: struct.Struct(order + kind) for code, kind in _SCALARS.items()}
        self.length, self.array = struct.Struct(order + "I"), struct.Struct(order + "III")
        self.budget, self.names, self.count = Budget.of(path, len(content)), dict[bytes, str](), 0
        self.known: dict[tuple[bytes, int], tuple[str, Sequence[Any]]] = {}

    def top(self) -> list[Element]:
        try:
            return self._children(_HEADER, len(self.content), MAX_DEPTH + 1)
        except (struct.error, IndexError):
            raise self._cut(len(self.content)) from None

    def _cut(self, place: int) -> FileError:
        return FileError(self.path, f"is damaged or cut off at byte {place:,}; export it again")

    def _children(self, place: int, end: int, depth: int) -> list[Element]:
        """The records from `place` to an empty one, or `end`."""
        if not depth:
            raise FileError(self.path, f"nests its elements more than {MAX_DEPTH} deep; export it again")
        found, content, size = [], self.content, self.head.size
        while place < end:
            stop, count, length, letters = self.head.unpack_from(content, place)
            if not stop:
                return found
            begin = place + size + letters
            inner = begin + length
            if not begin <= inner <= stop <= end:
                raise self._cut(place)
            raw = content[place + size : begin]
            name = self.names.get(raw)
            if name is None:
                name = self.names.setdefault(raw, raw.decode("utf-8", "surrogateescape"))
            codes, values = self._values(begin, inner, count) if count else ("", ())
            self.count += 1
            if not self.count % OFTEN:
                tell_progress(self.path, PARSED * place / len(content))
            children = self._children(inner, stop, depth - 1) if stop > inner else None
            found.append(Element(name, codes, values, children))
            place = stop
        check_count(self.path, self.count, MAX_ELEMENTS, "elements")
        if depth > MAX_DEPTH:  # the top-level list has its own end
            raise self._cut(end)
        return found

    def _values(self, place: int, end: int, count: int) -> tuple[str, Sequence[Any]]:
        """The type codes and values from `place` to `end`; short ones that stood before are the same objects."""
        short = self.content[place:end] if end - place < _SHORT_BYTES else b""
        found = self.known.get((short, count)) if short else None
        if found is None:
            found = self._read_values(place, end, count)
            if short:
                self.known[short, count] = found
        return found

    def _read_values(self, place: int, end: int, count: int) -> tuple[str, Sequence[Any]]:
        content, codes, values = self.content, [], []
        if count > end - place:
            raise self._cut(place)
        if count > _MANY and (alike := self._alike(place, end, count)) is not None:
            return alike
        for _ in range(count):
            code = chr(content[place])
            place += 1
            if (size := _SIZES.get(code)) is not None:
                values.append(self.scalars[code].unpack_from(content, place)[0])
            elif code in "SR":
                size = 4 + self.length.unpack_from(content, place)[0]
                raw = content[place + 4 : place + size]
                values.append(raw if code == "R" else raw.decode("utf-8", "surrogateescape"))
            elif code in DTYPES:
                number, encoding, packed = self.array.unpack_from(content, place)
                size = 12 + (packed if encoding else number * np.dtype(DTYPES[code]).itemsize)
                raw = content[place + 12 : place + size]
                values.append(Packed(code, number, encoding, raw, self.order, self.budget))
            else:
                raise self._cut(place)
            codes.append(code)
            place += size
            if place > end:
                raise self._cut(place)
        return "".join(codes), tuple(values)

    def _alike(self, place: int, end: int, count: int) -> tuple[str, Sequence[Any]] | None:
        """Many numbers of one type, each with its code, as one array; None where they are not."""
        code = chr(self.content[place])
        size = 1 + _SIZES.get(code, 0)
        if size == 1 or code in "CBZ" or count * size != end - place:
            return None
        rows = np.frombuffer(self.content, np.uint8, count * size, place).reshape(count, size)
        if not (rows[:, 0] == ord(code)).all():
            return None
        self.budget.take(count * 8)
        kind = np.dtype(self.order + self.scalars[code].format[1:])
        numbers = np.ascontiguousarray(rows[:, 1:]).view(kind)[:, 0]
        whole = code in "YIL"
        return ("l" if whole else "d"), [numbers.astype(np.int64 if whole else np.float64)]


# Writing.


_FOOT = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
_LAST = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")


def write_binary(path: Path, version: int, top: Iterable[Element]) -> bytes:
    """The bytes of a file, little-endian, arrays of some size packed. path: the file, for progress."""
    out = bytearray(MAGIC + b"\x1a\0" + struct.pack("<I", version))
    head = struct.Struct("<QQQB" if version >= _WIDE else "<IIIB")
    for element in top:
        _write(out, element, head, path if element.name == "Objects" else None)
    out += bytes(head.size) + _FOOT + bytes(4)
    out += bytes(-len(out) % 16 or 16) + struct.pack("<I", version) + bytes(120) + _LAST
    return bytes(out)


def _write(out: bytearray, element: Element, head: struct.Struct, path: Path | None = None) -> None:
    start, name = len(out), element.name.encode("utf-8", "surrogateescape")
    out += bytes(head.size) + name
    begin = len(out)
    for code, value in zip(element.codes, element.values, strict=True):
        out += _value(code, value)
    length = len(out) - begin
    for k, child in enumerate(element.children):
        _write(out, child, head)
        if path is not None and not k % _SOME:
            tell_progress(path, MADE + (1 - MADE) * k / len(element.children))
    if element.children or not element.values:
        out += bytes(head.size)
    head.pack_into(out, start, len(out), len(element.values), length, len(name))


def _value(code: str, value: Any) -> bytes:
    if code in _SCALARS:
        return code.encode() + struct.pack("<" + _SCALARS[code], value)
    if code in "SR":
        raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        return code.encode() + struct.pack("<I", len(raw)) + raw
    if isinstance(value, Packed):
        if value.order == "<":
            return code.encode() + struct.pack("<III", value.count, value.encoding, len(value.raw)) + value.raw
        value = value.numbers()
    raw = np.ascontiguousarray(value, "<" + DTYPES[code]).tobytes()
    packed = zlib.compress(raw, 1) if len(raw) > 128 else raw
    return code.encode() + struct.pack("<III", len(value), int(packed is not raw), len(packed)) + packed
