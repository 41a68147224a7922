"""Vertex colours of a glTF mesh: vertex colour × base colour factor × base colour texture.

Factors and vertex colours are linear light, textures sRGB; the result is sRGB. Unreadable images are noted and
skipped.
"""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, PosableError
from posable.formats.gltf.accessors import bytes_of_view, read_accessor
from posable.formats.gltf.container import Document
from posable.formats.gltf.json import Item

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
        return None if linear is None else _srgb(linear).astype(np.float32)

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
        return _linear(image[rows, columns] / 255.0)

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


def _linear(srgb: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def _srgb(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055)
