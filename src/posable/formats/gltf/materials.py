"""Materials of a glTF file: colours at the vertices, and looks that pictures are drawn with.

Factors and vertex colours are linear light, textures sRGB; colours at the vertices are sRGB. Unreadable images are
noted and skipped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, PosableError
from posable.formats.gltf.accessors import bytes_of_view, read_accessor
from posable.formats.gltf.container import Document, Item
from posable.skin.look import Alpha, Image, Look, Material, Wrap, linear_colors, opened, srgb_colors

MAX_PIXELS = 4096 * 4096
"""Maximum number of pixels of all images, beyond _PER_BYTE for each byte of the file: a small file may claim a large
image."""
_PER_BYTE = 64
_WRAPS: dict[int, Wrap] = {33071: "clamp", 33648: "mirror"}
_NEAREST = 9728
_ALPHAS: dict[str, Alpha] = {"MASK": "mask", "BLEND": "blend"}
_MAX_TEXTURE_COORDINATE = 1e6  # texture coordinates, beyond which single precision finds no texel


class Paint(NamedTuple):
    """What a primitive's vertices get: colors, sRGB `[vertex, 3]`, None if it is plain white; and what its look is made
    of: uvs `[vertex, 2]`, None without an image, and tints `[vertex, 4]`.
    """

    colors: NDArray[np.float32] | None
    material: Material
    uvs: NDArray[np.float32] | None
    tints: NDArray[np.float32]

    def look(self, faces: NDArray[np.int32]) -> Look:
        """The look of a primitive with these faces, which take no memory where they are plain."""
        none = np.broadcast_to(np.zeros(1, np.float32), (len(faces), 3, 2))
        uvs = none if self.uvs is None else self.uvs[faces]
        return Look((self.material,), np.zeros(len(faces), np.int32), uvs, self.tints)


class Materials:
    """The materials of one file during reading: each image is opened once."""

    def __init__(self, document: Document, notes: list[str]) -> None:
        self._document = document
        self._notes = notes
        self._images: dict[int, Image | None] = {}
        self._pixels = 0
        self._known: dict[int, tuple[Material, Item | None]] = {}

    def of(self, primitive: Item, count: int) -> Paint:
        """The paint of a primitive of `count` vertices; plain white where the file's is broken."""
        try:
            return self._paint(primitive, count)
        except PosableError as problem:
            self._note(f"colours of {primitive.place} are left out: {_reason(problem)}")
            return Paint(None, Material(), None, _white(count))

    def _paint(self, primitive: Item, count: int) -> Paint:
        attributes, tints, bare = primitive.at("attributes"), _white(count), True
        if (own := attributes.find("COLOR_0")) is not None:
            values = read_accessor(self._document, own, "VEC3", "VEC4")
            if len(values) != count:
                raise own.problem(f"has {len(values)} elements for {count} vertices")
            tints = np.ones((count, 4), np.float32)
            tints[:, : values.shape[1]] = np.clip(values, 0, 1)
            bare = False
        material, texture = self._material(primitive)
        uvs = None if texture is None else self._coordinates(texture, attributes, count)
        light = tints[:, :3].astype(float) * material.factor[:3]
        if uvs is None:
            material = replace(material, image=None)
        else:
            light = light * linear_colors(_texels(material, uvs) / 255.0)
        plain = bare and uvs is None and min(material.factor[:3]) == 1
        colors = None if plain else srgb_colors(light).astype(np.float32)
        return Paint(colors, material, None if uvs is None else uvs.astype(np.float32), tints)

    def _material(self, primitive: Item) -> tuple[Material, Item | None]:
        """A primitive's material, and its reference to a texture that can be read."""
        if (reference := primitive.find("material")) is None:
            return Material(), None
        items = self._document.root.entries("materials")
        index = reference.index(len(items), "materials")
        if index not in self._known:
            self._known[index] = self._read(items[index])
        return self._known[index]

    def _read(self, item: Item) -> tuple[Material, Item | None]:
        alpha, cutoff = _ALPHAS.get(item.text_at("alphaMode"), "opaque"), item.find("alphaCutoff")
        unlit = "KHR_materials_unlit" in item.members("extensions")
        made = Material(unlit=unlit, alpha=alpha, cutoff=0.5 if cutoff is None else cutoff.number())
        if (surface := item.find("pbrMetallicRoughness")) is None:
            return made, None
        factor = np.clip(surface.numbers_at("baseColorFactor", (1.0, 1.0, 1.0, 1.0)), 0, 1).tolist()
        made, texture = replace(made, factor=tuple(factor)), surface.find("baseColorTexture")
        if texture is None:
            return made, None
        textures = self._document.root.entries("textures")
        used = textures[texture.at("index").index(len(textures), "textures")]
        source = _source(used)
        image = None if source is None else self._image(source)
        if image is None:
            return made, None
        wrap = self._sampled(used, "wrapS"), self._sampled(used, "wrapT")
        smooth = self._sampled(used, "magFilter") != _NEAREST
        wraps = tuple(_WRAPS.get(one, "repeat") for one in wrap)
        return replace(made, image=image, wrap=cast(tuple[Wrap, Wrap], wraps), smooth=smooth), texture

    def _coordinates(self, texture: Item, attributes: Item, count: int) -> NDArray[np.float64] | None:
        """`[vertex, 2]` where the vertices lie on the image, None where the primitive does not say."""
        moved = texture.members("extensions").get("KHR_texture_transform")
        channel = texture.whole_at("texCoord", 0)
        channel = channel if moved is None else moved.whole_at("texCoord", channel)
        coordinates = attributes.find(f"TEXCOORD_{channel}")
        if coordinates is None:
            return None
        uv = read_accessor(self._document, coordinates, "VEC2").astype(float)
        if len(uv) != count:
            raise coordinates.problem(f"has {len(uv)} elements for {count} vertices")
        uv = uv if moved is None else _transformed(moved, uv)
        return np.clip(np.nan_to_num(uv), -_MAX_TEXTURE_COORDINATE, _MAX_TEXTURE_COORDINATE)

    def _sampled(self, texture: Item, key: str) -> int:
        samplers = self._document.root.entries("samplers")
        reference = texture.find("sampler")
        return 0 if reference is None else samplers[reference.index(len(samplers), "samplers")].whole_at(key, 0)

    def _image(self, reference: Item) -> Image | None:
        images = self._document.root.entries("images")
        index = reference.index(len(images), "images")
        if index not in self._images:
            try:
                self._images[index] = self._opened(images[index])
            except PosableError as problem:
                self._images[index] = None
                self._note(f"images[{index}] cannot be used for colours: {_reason(problem)}")
        return self._images[index]

    def _opened(self, item: Item) -> Image:
        """The image, its size checked before it is decoded."""
        uri = item.find("uri")
        content = bytes_of_view(self._document, item) if uri is None else self._document.uri(uri)
        most = MAX_PIXELS + _PER_BYTE * self._document.size - self._pixels
        try:
            image, pixels = opened(content, most)
        except ValueError as problem:
            raise item.problem(str(problem)) from problem
        self._pixels += pixels
        return image

    def _note(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)


def _white(count: int) -> NDArray[np.float32]:
    return np.broadcast_to(np.ones(1, np.float32), (count, 4))


def _reason(problem: PosableError) -> str:
    return problem.problem if isinstance(problem, FileError) else str(problem)


def _source(texture: Item) -> Item | None:
    extensions = texture.members("extensions")
    webp = extensions.get("EXT_texture_webp")
    return webp.find("source") if webp is not None else texture.find("source")


def _transformed(moved: Item, uv: NDArray[np.float64]) -> NDArray[np.float64]:
    """KHR_texture_transform: scale, then rotation, then offset."""
    offset, scale = moved.numbers_at("offset", (0.0, 0.0)), moved.numbers_at("scale", (1.0, 1.0))
    angle = moved.at("rotation").number() if moved.find("rotation") is not None else 0.0
    c, s = np.cos(angle), np.sin(angle)
    return (uv * scale) @ np.array([[c, s], [-s, c]]).T + offset


def _texels(material: Material, uvs: NDArray[np.float64]) -> Image:
    """`[vertex, 3]` the nearest texels."""
    assert material.image is not None
    at = [_texel(uvs[:, 1 - k], material.image.shape[k], material.wrap[1 - k]) for k in (0, 1)]
    return material.image[at[0], at[1], :3]


def _texel(at: NDArray[np.float64], size: int, wrap: Wrap) -> NDArray[np.int64]:
    """The nearest texel of coordinates in 0…1, clamped, mirrored or repeated outside."""
    if wrap == "clamp":
        at = np.clip(at, 0, 1)
    elif wrap == "mirror":
        at = 1 - np.abs(np.mod(at, 2) - 1)
    else:
        at = np.mod(at, 1)
    return np.clip((at * size).astype(np.int64), 0, size - 1)
