"""Meshes of a glTF file: triangles merged into one mesh with influences; colours from materials and textures.

Factors and vertex colours are linear light, textures sRGB; the result is sRGB. Unreadable images are noted and
skipped.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, PosableError
from posable.files import check_count
from posable.formats.defaults import linear_colors, srgb_colors
from posable.formats.gltf.accessors import bytes_of_view, read_accessor
from posable.formats.gltf.container import Document, Item
from posable.formats.gltf.draco import unpack

MAX_PIXELS = 4096 * 4096
"""Maximum number of pixels of all images, beyond _PER_BYTE for each byte of the file: a small file may claim a large
image."""
_PER_BYTE = 64
_CLAMP, _MIRROR = 33071, 33648


class Materials:
    """The materials of one file during reading: each image is opened once."""

    def __init__(self, document: Document, notes: list[str]) -> None:
        self._document = document
        self._notes = notes
        self._images: dict[int, NDArray[np.uint8] | None] = {}

    def colors(self, primitive: Item, count: int) -> NDArray[np.float32] | None:
        """sRGB `[vertex, 3]` of a primitive, None if it is plain white."""
        try:
            linear = self._linear(primitive, count)
        except PosableError as problem:
            self._note(f"colours of {primitive.place} are left out: {_reason(problem)}")
            return None
        return None if linear is None else srgb_colors(linear).astype(np.float32)

    def _linear(self, primitive: Item, count: int) -> NDArray[np.float64] | None:
        attributes, color = primitive.at("attributes"), None
        if (own := attributes.find("COLOR_0")) is not None:
            values = read_accessor(self._document, own, "VEC3", "VEC4")
            if len(values) != count:
                raise own.problem(f"has {len(values)} elements for {count} vertices")
            color = np.clip(values[:, :3].astype(float), 0, 1)
        if (material := primitive.find("material")) is None:
            return color
        materials = self._document.root.entries("materials")
        surface = materials[material.index(len(materials), "materials")].find("pbrMetallicRoughness")
        if surface is None:
            return color
        factor = np.clip(surface.numbers_at("baseColorFactor", (1.0, 1.0, 1.0, 1.0))[:3], 0, 1)
        texture = surface.find("baseColorTexture")
        painted = None if texture is None else self._texture(texture, attributes, count)
        if color is None and painted is None and (factor == 1).all():
            return None
        return (1.0 if color is None else color) * factor * np.ones((count, 3)) * (1.0 if painted is None else painted)

    def _texture(self, texture: Item, attributes: Item, count: int) -> NDArray[np.float64] | None:
        """Linear colours of the texture at the vertices, None if the image cannot be read."""
        moved = texture.members("extensions").get("KHR_texture_transform")
        channel = (
            texture.whole_at("texCoord", 0)
            if moved is None
            else moved.whole_at("texCoord", texture.whole_at("texCoord", 0))
        )
        coordinates = attributes.find(f"TEXCOORD_{channel}")
        textures = self._document.root.entries("textures")
        used = textures[texture.at("index").index(len(textures), "textures")]
        if coordinates is None or (source := _source(used)) is None:
            return None
        image = self._image(source)
        if image is None:
            return None
        uv = read_accessor(self._document, coordinates, "VEC2").astype(float)
        if len(uv) != count:
            raise coordinates.problem(f"has {len(uv)} elements for {count} vertices")
        uv = uv if moved is None else _transformed(moved, uv)
        rows = _texels(uv[:, 1], image.shape[0], self._wrap(used, "wrapT"))
        columns = _texels(uv[:, 0], image.shape[1], self._wrap(used, "wrapS"))
        return linear_colors(image[rows, columns] / 255.0)

    def _wrap(self, texture: Item, key: str) -> int:
        samplers = self._document.root.entries("samplers")
        reference = texture.find("sampler")
        return 0 if reference is None else samplers[reference.index(len(samplers), "samplers")].whole_at(key, 0)

    def _image(self, reference: Item) -> NDArray[np.uint8] | None:
        images = self._document.root.entries("images")
        index = reference.index(len(images), "images")
        if index not in self._images:
            try:
                taken = sum(image.size // 3 for image in self._images.values() if image is not None)
                self._images[index] = _opened(self._document, images[index], taken)
            except PosableError as problem:
                self._images[index] = None
                self._note(f"images[{index}] cannot be used for colours: {_reason(problem)}")
        return self._images[index]

    def _note(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)


def _reason(problem: PosableError) -> str:
    return problem.problem if isinstance(problem, FileError) else str(problem)


def _source(texture: Item) -> Item | None:
    extensions = texture.members("extensions")
    webp = extensions.get("EXT_texture_webp")
    return webp.find("source") if webp is not None else texture.find("source")


def _opened(document: Document, item: Item, taken: int) -> NDArray[np.uint8]:
    """The image as `[row, column, 3]`, its size checked before decoding. taken: the pixels of the others."""
    from PIL import Image

    uri = item.find("uri")
    content = bytes_of_view(document, item) if uri is None else document.uri(uri)
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP")) as image:
            most = MAX_PIXELS + _PER_BYTE * document.size - taken
            if image.width * image.height > most:
                raise item.problem(f"has {image.width} × {image.height} pixels; posable accepts at most {most:,} here")
            return np.asarray(image.convert("RGB"))
    except FileError:
        raise
    except Exception as problem:  # decoders raise all kinds of exceptions for invalid images
        raise item.problem(f"is not a readable image ({str(problem)[:80]})") from problem


def _transformed(moved: Item, uv: NDArray[np.float64]) -> NDArray[np.float64]:
    """KHR_texture_transform: scale, then rotation, then offset."""
    offset, scale = moved.numbers_at("offset", (0.0, 0.0)), moved.numbers_at("scale", (1.0, 1.0))
    angle = moved.at("rotation").number() if moved.find("rotation") is not None else 0.0
    c, s = np.cos(angle), np.sin(angle)
    return (uv * scale) @ np.array([[c, s], [-s, c]]).T + offset


def _texels(at: NDArray[np.float64], size: int, wrap: int) -> NDArray[np.int64]:
    """The nearest texel of coordinates in 0…1, clamped, mirrored or repeated outside."""
    if wrap == _CLAMP:
        at = np.clip(at, 0, 1)
    elif wrap == _MIRROR:
        at = 1 - np.abs(np.mod(at, 2) - 1)
    else:
        at = np.mod(at, 1)
    return np.clip((at * size).astype(np.int64), 0, size - 1)


MAX_VERTICES = 5_000_000
MAX_MORPHED = 20_000_000  # vertices × morph targets of one primitive
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_MODE_NAMES = {0: "points", 1: "lines", 2: "lines", 3: "lines"}


@dataclass(frozen=True, eq=False)
class Mesh:
    """One mesh. joints (indices into a skin's) and weights `[vertex, influence]`: None if a primitive has none.

    morphs: `[target, vertex, 3]`.
    """

    name: str
    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    normals: NDArray[np.float32] | None
    colors: NDArray[np.float32] | None
    joints: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None
    morphs: NDArray[np.float32] | None = None
    morph_names: tuple[str, ...] = ()


def read_mesh(document: Document, item: Item, materials: Materials, notes: list[str]) -> Mesh | None:
    """The triangles of a mesh, None if it has none. Raises FileError, or FileTooLargeError before allocation."""
    name = item.text_at("name") or item.place
    parts = []
    for primitive in item.entries("primitives"):
        mode = primitive.whole_at("mode", _TRIANGLES)
        if mode in (_TRIANGLES, _STRIP, _FAN):
            parts.append(_part(document, primitive, mode, materials))
        else:
            notes.append(
                f"mesh {name!r}: {_MODE_NAMES.get(mode, f'mode {mode}')} are left out; posable reads triangles"
            )
    parts = [part for part in parts if len(part.vertices)]
    return replace(_merged(name, parts), **_morphs(item, parts)) if parts else None


def _morphs(item: Item, parts: list[Mesh]) -> dict[str, Any]:
    """The morph targets of all primitives together; none if the primitives differ in their number."""
    counts = {0 if part.morphs is None else len(part.morphs) for part in parts}
    if len(counts) > 1 or counts == {0}:
        return {}
    count = counts.pop()
    extras = item.find("extras")
    named = extras.find("targetNames") if extras is not None and isinstance(extras.value, dict) else None
    told = named.value if named is not None and isinstance(named.value, list) else []
    names = [str(told[k]) if k < len(told) else f"target_{k}" for k in range(count)]
    unique = [name if names.index(name) == k else f"{name}_{k}" for k, name in enumerate(names)]
    return {"morphs": np.concatenate([part.morphs for part in parts], axis=1), "morph_names": tuple(unique)}  # type: ignore[arg-type]


def _part(document: Document, primitive: Item, mode: int, materials: Materials) -> Mesh:
    unpack(document, primitive)
    attributes = primitive.at("attributes")
    vertices = read_accessor(document, attributes.at("POSITION"), "VEC3").astype(np.float32)
    check_count(document.path, len(vertices), MAX_VERTICES, f"vertices in {primitive.place}")
    if not np.isfinite(vertices).all():
        raise primitive.problem("a vertex is not finite; export the file again")
    joints, weights = _influences(document, attributes, len(vertices))
    targets = primitive.entries("targets")
    check_count(document.path, len(targets) * len(vertices), MAX_MORPHED, f"morphed vertices in {primitive.place}")
    normals = attributes.find("NORMAL")
    faces = _faces(document, primitive, mode, len(vertices))
    return Mesh(
        "",
        vertices,
        faces,
        None if normals is None else _normals(document, normals, len(vertices)),
        materials.colors(primitive, len(vertices)),
        joints,
        weights,
        np.stack([_offsets(document, target, len(vertices)) for target in targets]) if targets else None,
    )


def _offsets(document: Document, target: Item, count: int) -> NDArray[np.float32]:
    """Displacements of a primitive's vertices by one morph target."""
    reference = target.find("POSITION")
    if reference is None:
        return np.zeros((count, 3), np.float32)
    return np.nan_to_num(per_vertex(document, reference, count, "VEC3"), posinf=0, neginf=0).astype(np.float32)


def per_vertex(document: Document, reference: Item, count: int, *types: str) -> NDArray:
    """An attribute `[vertex, components]`, NaN allowed. Raises FileError unless it has one element per vertex."""
    values = read_accessor(document, reference, *types, finite=False)
    if len(values) != count:
        raise reference.problem(f"has {len(values)} elements for {count} vertices; export the file again")
    return values


def _normals(document: Document, reference: Item, count: int) -> NDArray[np.float32]:
    return np.nan_to_num(per_vertex(document, reference, count, "VEC3"), posinf=0, neginf=0).astype(np.float32)


def _influences(
    document: Document, attributes: Item, count: int
) -> tuple[NDArray[np.int64] | None, NDArray[np.float64] | None]:
    joints, weights, k = [], [], 0
    while (indices := attributes.find(f"JOINTS_{k}")) is not None:
        joints.append(per_vertex(document, indices, count, "VEC4"))
        weights.append(per_vertex(document, attributes.at(f"WEIGHTS_{k}"), count, "VEC4"))
        k += 1
    if not joints:
        return None, None
    return np.concatenate(joints, axis=1).astype(np.int64), np.concatenate(weights, axis=1).astype(np.float64)


def _faces(document: Document, primitive: Item, mode: int, count: int) -> NDArray[np.int32]:
    indices = primitive.find("indices")
    order = np.arange(count) if indices is None else read_accessor(document, indices, "SCALAR")[:, 0]
    if order.dtype.kind == "f" or (len(order) and not (order.min() >= 0 and order.max() < count)):
        raise primitive.problem(f"its indices must lie in 0 … {count - 1}; export the file again")
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3).astype(np.int32)
    k = np.arange(max(len(order) - 2, 0))
    corners = [k, k + 1 + k % 2, k + 2 - k % 2] if mode == _STRIP else [k + 1, k + 2, 0 * k]
    return order[np.stack(corners, axis=1)].astype(np.int32)


def _merged(name: str, parts: list[Mesh]) -> Mesh:
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    colors = None
    if any(part.colors is not None for part in parts):
        colors = np.concatenate([np.ones_like(p.vertices) if p.colors is None else p.colors for p in parts])
    return Mesh(
        name,
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]).astype(np.int32),
        _together([part.normals for part in parts]),
        colors,
        _together(_widened([part.joints for part in parts])),
        _together(_widened([part.weights for part in parts])),
    )


def _together(arrays: list[NDArray | None]) -> NDArray | None:
    present = [array for array in arrays if array is not None]
    return np.concatenate(present) if len(present) == len(arrays) else None


def _widened(arrays: list[NDArray | None]) -> list[NDArray | None]:
    widest = max((array.shape[1] for array in arrays if array is not None), default=0)
    return [None if a is None else np.pad(a, ((0, 0), (0, widest - a.shape[1]))) for a in arrays]
