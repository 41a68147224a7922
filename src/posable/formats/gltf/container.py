"""The container of glTF: JSON and buffers, in one GLB file or in a .gltf with data inside or beside it.

Formula source: glTF 2.0 specification, sections 3.6 (buffers) and 4 (GLB). The JSON text and the chunks are kept
unchanged.
"""

from __future__ import annotations

import base64
import binascii
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from posable.errors import FileError, UnsupportedFileError
from posable.files import MAX_FILE_BYTES, check_count, read_bytes, sibling
from posable.formats.gltf.json import Item, parse_json

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
_HARMLESS_EXACTLY = {"KHR_mesh_quantization", "MSFT_texture_dds", "KHR_node_visibility"}
_COMPRESSION = {"EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_draco_mesh_compression"}


@dataclass(frozen=True, eq=False)
class Document:
    """A glTF file, unchanged.

    text: the JSON. root: the JSON parsed. chunks: of a GLB, (type, content) after the JSON. buffers: content by
    index, None if missing. beside: content of external files by URI.
    """

    path: Path
    text: bytes
    root: Item
    chunks: tuple[tuple[int, bytes], ...]
    buffers: tuple[bytes | None, ...]
    beside: dict[str, bytes]

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
        """Bytes of the file and of what has been read beside it."""
        return len(self.text) + sum(len(one) for _, one in self.chunks) + sum(map(len, self.beside.values()))

    def uri(self, place: Item) -> bytes:
        """The content of the URI at `place`: inline data, or a file beside. Raises FileError."""
        return _resolved(place, self.beside)


def open_document(path: str | Path) -> Document:
    """Open a GLB or .gltf, detected by content.

    Raises FileError, UnsupportedFileError (glTF 1, compression) or FileTooLargeError.
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
        if name in _COMPRESSION:
            cure = (
                "export it again without compression (Blender: compression off; or gltf-transform copy in.glb out.glb)"
            )
            raise UnsupportedFileError(root.path, f"requires {name}, which posable does not unpack: {cure}")
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
