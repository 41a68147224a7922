"""The container of glTF: JSON, checked on access, and buffers, in one GLB file or in a .gltf with data beside it.

Formula source: glTF 2.0 specification, sections 3.6 (buffers) and 4 (GLB). The JSON text and the chunks are kept
unchanged.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import struct
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from numpy.typing import NDArray

from posable.errors import FileError, FileTooLargeError, UnsupportedFileError
from posable.files import MAX_FILE_BYTES, check_count, read_bytes, sibling

MAX_JSON_BYTES = 256 * 2**20
MAX_JSON_VALUES = 4_000_000
_KINDS = {dict: "an object {…}", list: "a list […]", str: "text", bool: "true or false", type(None): "null"}


def parse_json(path: Path, text: bytes) -> Item:
    """The root of a JSON text. Raises FileError if it is invalid, nested too deeply or not finite; FileTooLargeError if
    too long.
    """
    if len(text) > MAX_JSON_BYTES:
        raise FileTooLargeError(path, f"has {len(text):,} bytes of JSON; posable accepts at most {MAX_JSON_BYTES:,}")
    values = sum(map(text.count, (b",", b"[", b"{")))
    if values > MAX_JSON_VALUES:
        raise FileTooLargeError(
            path, f"has some {values:,} values in its JSON; posable accepts at most {MAX_JSON_VALUES:,}"
        )
    try:
        value = json.loads(text.decode("utf-8-sig"), parse_constant=_refused_constant, parse_float=_finite)
    except RecursionError as problem:
        raise FileError(path, "its JSON is nested too deeply to be glTF; export it again") from problem
    except json.JSONDecodeError as problem:
        raise FileError(path, f"its JSON is invalid: {problem.msg}; export it again", line=problem.lineno) from problem
    except ValueError as problem:
        raise FileError(path, f"its JSON is invalid: {problem}; export it again") from problem
    if not isinstance(value, dict):
        raise FileError(path, f"its JSON is {_kind(value)} instead of an object; this is not a glTF file")
    return Item(path, value)


def dump_json(path: Path, value: Any) -> bytes:
    """The shortest JSON text of `value`, key order kept."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    except RecursionError as problem:
        raise FileError(path, "the file's JSON is nested too deeply to be written again") from problem
    except ValueError as problem:
        raise FileError(path, "cannot be written: the figure has lengths that glTF's numbers cannot hold") from problem


def _refused_constant(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {digits[:20]} is too large")
    return value


def _kind(value: object) -> str:
    return _KINDS.get(type(value)) or f"the number {str(value)[:20]}"


class Item:
    """A JSON value with its file and path ("skins[0].joints[3]"), which the FileErrors of all methods name."""

    __slots__ = ("path", "place", "value")

    def __init__(self, path: Path, value: Any, place: str = "") -> None:
        self.path = path
        self.value = value
        self.place = place

    def problem(self, what: str) -> FileError:
        """The error to raise for this value."""
        return FileError(self.path, f"{self.place}: {what}" if self.place else what)

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.problem(f"must be an object {{…}}, not {_kind(self.value)}; export the file again")
        return self.value

    def find(self, key: str) -> Item | None:
        """The value under `key`, None if missing."""
        members = self._object()
        return Item(self.path, members[key], f"{self.place}.{key}" if self.place else key) if key in members else None

    def at(self, key: str) -> Item:
        """The required value under `key`."""
        found = self.find(key)
        if found is None:
            raise self.problem(f"{key!r} is missing; export the file again")
        return found

    def members(self, key: str) -> dict[str, Item]:
        """The members of the object under `key`; empty if missing."""
        found = self.find(key)
        return {} if found is None else {name: found.at(name) for name in found._object()}

    def entries(self, key: str) -> list[Item]:
        """The entries of the list under `key`; empty if missing."""
        found = self.find(key)
        return [] if found is None else found.listed()

    def listed(self) -> list[Item]:
        """The entries of this value, which must be a list."""
        if not isinstance(self.value, list):
            raise self.problem(f"must be a list […], not {_kind(self.value)}; export the file again")
        return [Item(self.path, value, f"{self.place}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        """This value as text, with unpaired surrogates replaced."""
        if not isinstance(self.value, str):
            raise self.problem(f"must be text, not {_kind(self.value)}; export the file again")
        return self.value.encode("utf-8", "replace").decode()

    def number(self) -> float:
        """This value as a finite number."""
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool):
            raise self.problem(f"must be a number, not {_kind(self.value)}; export the file again")
        try:
            return float(self.value)
        except OverflowError as problem:
            raise self.problem("is too large; export the file again") from problem

    def numbers(self, count: int) -> tuple[float, ...]:
        """This value as a list of `count` finite numbers."""
        entries = self.listed()
        if len(entries) != count:
            raise self.problem(f"must have {count} numbers, not {len(entries)}; export the file again")
        return tuple(entry.number() for entry in entries)

    def whole(self) -> int:
        """This value as an integer of at least 0."""
        number = self.number()
        if number < 0 or number != int(number):
            raise self.problem(f"must be a whole number of at least 0, not {number:g}; export the file again")
        return int(self.value)

    def index(self, count: int, things: str) -> int:
        """This value as an index into `count` things."""
        number = self.whole()
        if number >= count:
            raise self.problem(f"is {number}, but the file has {count} {things}; export the file again")
        return number

    def whole_at(self, key: str, default: int) -> int:
        """The integer under `key`, `default` if missing."""
        found = self.find(key)
        return default if found is None else found.whole()

    def text_at(self, key: str, default: str = "") -> str:
        """The text under `key`, `default` if missing."""
        found = self.find(key)
        return default if found is None else found.text()

    def numbers_at(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers under `key`, as many as in `default`, which is used if they are missing."""
        found = self.find(key)
        return default if found is None else found.numbers(len(default))

    def flag_at(self, key: str) -> bool:
        """True or false under `key`; false if missing."""
        found = self.find(key)
        if found is None:
            return False
        if not isinstance(found.value, bool):
            raise found.problem(f"must be true or false, not {_kind(found.value)}; export the file again")
        return found.value


JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
_HARMLESS = (
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
    "VRM",
    "KHR_audio",
)
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
DRACO = "KHR_draco_mesh_compression"
_HARMLESS_EXACTLY = {"KHR_mesh_quantization", "MSFT_texture_dds", "KHR_node_visibility", *MESHOPT, DRACO}


@dataclass(frozen=True, eq=False)
class Document:
    """A glTF file, unchanged.

    text: the JSON. root: the JSON parsed. chunks: of a GLB, (type, content) after the JSON. buffers: content by
    index, None if missing. beside: content of external files by URI. unpacked: the content of compressed buffer views,
    by index, and arrays: that of accessors whose meshes are compressed, as far as they were asked for.
    """

    path: Path
    text: bytes
    root: Item
    chunks: tuple[tuple[int, bytes], ...]
    buffers: tuple[bytes | None, ...]
    beside: dict[str, bytes]
    unpacked: dict[int, bytes] = field(default_factory=dict)
    arrays: dict[int, NDArray[Any]] = field(default_factory=dict)

    @cached_property
    def accessors(self) -> list[Item]:
        """The accessors, by index."""
        return self.root.entries("accessors")

    @cached_property
    def views(self) -> list[Item]:
        """The buffer views, by index."""
        return self.root.entries("bufferViews")

    @cached_property
    def nodes(self) -> list[Item]:
        """The nodes, by index."""
        return self.root.entries("nodes")

    @property
    def size(self) -> int:
        """Bytes of the file and of the files read beside it."""
        return len(self.text) + sum(len(one) for _, one in self.chunks) + sum(map(len, self.beside.values()))

    def uri(self, place: Item) -> bytes:
        """The content of the URI at `place`: inline data, or a file beside. Raises FileError."""
        return _resolved(place, self.beside)


def open_document(path: str | Path) -> Document:
    """Open a GLB or .gltf, detected by content.

    Raises FileError, UnsupportedFileError (glTF 1, an extension) or FileTooLargeError.
    """
    return parse_document(Path(path), read_bytes(path))


def parse_document(path: Path, content: bytes) -> Document:
    """As `open_document`, for the content of a file; `path` names it in errors and locates the files beside it."""
    text, chunks = _split(path, content) if content[:4] == b"glTF" else (content, ())
    root = parse_json(path, text)
    _check_version(root)
    _check_extensions(root)
    binary = next((chunk for kind, chunk in chunks if kind == BINARY_CHUNK), None)
    beside: dict[str, bytes] = {}
    buffers = tuple(_buffer(item, binary if i == 0 else None, beside) for i, item in enumerate(root.entries("buffers")))
    return Document(path, text, root, chunks, buffers, beside)


def _split(path: Path, content: bytes) -> tuple[bytes, tuple[tuple[int, bytes], ...]]:
    if len(content) < 20:
        raise FileError(path, "is truncated: a GLB has at least 20 bytes; export or copy it again")
    version, length = struct.unpack_from("<II", content, 4)
    if version != 2:
        raise UnsupportedFileError(
            path, f"is GLB version {version}; posable reads 2: open it in Blender and export glTF 2.0"
        )
    if length > len(content):
        raise FileError(
            path, f"is truncated: it declares {length:,} bytes and has {len(content):,}; export or copy it again"
        )
    chunks, start = [], 12
    while start + 8 <= length:
        size, kind = struct.unpack_from("<II", content, start)
        if start + 8 + size > length:
            raise FileError(
                path, f"a chunk of {size:,} bytes reaches beyond the end of the file; export or copy it again"
            )
        chunks.append((kind, content[start + 8 : start + 8 + size]))
        start += 8 + size
    if not chunks or chunks[0][0] != JSON_CHUNK:
        raise FileError(path, "its first chunk is not JSON, so it is not a GLB; export it again")
    return chunks[0][1], tuple(chunks[1:])


def join(path: Path, text: bytes, chunks: tuple[tuple[int, bytes], ...]) -> bytes:
    """A GLB of JSON text and chunks, padded as the format wants it."""
    padded = [
        (JSON_CHUNK, text + b" " * (-len(text) % 4)),
        *((kind, chunk + bytes(-len(chunk) % 4)) for kind, chunk in chunks),
    ]
    length = 12 + sum(8 + len(chunk) for _, chunk in padded)
    check_count(path, length, 2**32 - 1, "bytes of GLB")
    parts = [b"glTF", struct.pack("<II", 2, length)]
    for kind, chunk in padded:
        parts += [struct.pack("<II", len(chunk), kind), chunk]
    return b"".join(parts)


def data_uri(content: bytes, media: str = "application/octet-stream") -> str:
    """`content` as a base64 data URI."""
    return f"data:{media};base64,{base64.b64encode(content).decode()}"


def _check_version(root: Item) -> None:
    asset = root.find("asset")
    if asset is None:
        raise root.problem("has no 'asset', so it is not a glTF 2.0 file; export it again")
    version = asset.text_at("version", "none")
    if version.split(".")[0] != "2" or asset.text_at("minVersion", "2.0") not in ("2.0", "2"):
        raise UnsupportedFileError(
            root.path, f"is glTF {version}; posable reads 2.0: open it in Blender and export glTF 2.0"
        )


def _check_extensions(root: Item) -> None:
    for item in root.entries("extensionsRequired"):
        name = item.text()
        if name not in _HARMLESS_EXACTLY and not name.startswith(_HARMLESS):
            cure = "export it again without that extension"
            raise UnsupportedFileError(
                root.path, f"requires the extension {name[:80]}, which posable does not support: {cure}"
            )


def _buffer(item: Item, binary: bytes | None, beside: dict[str, bytes]) -> bytes | None:
    length = item.at("byteLength").whole()
    uri = item.find("uri")
    content = binary if uri is None else _resolved(uri, beside)
    if content is None:
        return None
    if length > len(content):
        raise item.problem(
            f"declares {length:,} bytes, but only {len(content):,} are there; export or copy the file again"
        )
    return content[:length]


def _resolved(place: Item, beside: dict[str, bytes]) -> bytes:
    uri = place.text()
    if uri.startswith("data:"):
        head, comma, body = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            raise place.problem("is a data URI that is not base64; export the file again")
        try:
            return base64.b64decode(unquote(body) if "%" in body else body, validate=True)
        except (binascii.Error, ValueError) as problem:
            raise place.problem("is a broken base64 data URI; export the file again") from problem
    if "://" in uri:
        raise place.problem(
            f"refers to {uri[:80]!r}; posable does not access the network: put the file beside this one"
        )
    if uri not in beside:
        left = MAX_FILE_BYTES - sum(len(content) for content in beside.values())
        beside[uri] = read_bytes(sibling(place.path, unquote(uri)), left)
    return beside[uri]
