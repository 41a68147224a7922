"""How a skin looks: its materials, and where on their images each face lies; colours as light and in files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import SkinError
from posable.spatial import Array

LARGEST = 2048
"""Rows and columns that images are scaled down to: an atlas of this size has more texels than a picture has pixels."""
_SLAB = 256  # rows scaled down in one go, so that little memory is taken
Wrap = Literal["repeat", "clamp", "mirror"]
Alpha = Literal["opaque", "mask", "blend"]
Image = NDArray[np.uint8]


def linear_colors(srgb: ArrayLike) -> Array:
    """Linear light of sRGB colours `[..., 3]`, clipped to 0 … 1 (IEC 61966-2-1)."""
    c = np.clip(np.asarray(srgb, float), 0, 1)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def srgb_colors(linear: Array) -> Array:
    """sRGB of linear light `[..., 3]` ≥ 0."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055)


LIGHT = linear_colors(np.arange(256) / 255).astype(np.float32)
"""`[256]`: the linear light of each sRGB byte."""
_MIDDLES = ((LIGHT[1:] + LIGHT[:-1]) / 2).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Material:
    """What a surface throws back. image: `[row, column, 4]` sRGB and alpha, or None. factor: linear red, green, blue,
    and alpha, which the image is multiplied with. wrap: beyond the image's columns and rows. smooth: texels fade into
    one another where they are seen large. unlit: seen as it is, without light and shadow. alpha: "mask" is cut out
    where alpha is below `cutoff`, "blend" lets through what alpha leaves.
    """

    image: Image | None = None
    factor: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    wrap: tuple[Wrap, Wrap] = ("repeat", "repeat")
    smooth: bool = True
    unlit: bool = False
    alpha: Alpha = "opaque"
    cutoff: float = 0.5

    @property
    def plain(self) -> bool:
        """Whether colours at the vertices say all of it."""
        return self.image is None and not self.unlit and self.alpha == "opaque"

    @cached_property
    def levels(self) -> list[Image]:
        """The image, and every half of it down to one texel (Williams, Pyramidal Parametrics, 1983)."""
        levels = [np.full((1, 1, 4), 255, np.uint8) if self.image is None else self.image]
        while max(levels[-1].shape[:2]) > 1:
            levels.append(halved(levels[-1]))
        return levels


@dataclass(frozen=True, eq=False)
class Look:
    """The materials of a skin's faces.

    of_face: `[face]` into `materials`. uvs: `[face, 3, 2]` where the corners lie on the image, v downwards, 0 … 1.
    tints: `[vertex, 4]` linear light and alpha that the material is multiplied with.
    """

    materials: tuple[Material, ...]
    of_face: NDArray[np.int32]
    uvs: NDArray[np.float32]
    tints: NDArray[np.float32]

    def check(self, name: str, vertices: int, faces: int) -> None:
        """Raise SkinError unless the arrays fit a skin of so many vertices and faces."""
        inside = (
            self.of_face.shape == (faces,) and not ((self.of_face < 0) | (self.of_face >= len(self.materials))).any()
        )
        fits = self.tints.shape == (vertices, 4)
        if not (inside and fits and self.uvs.shape == (faces, 3, 2)):
            raise SkinError(f"skin {name!r}: its look is of another mesh, not of {faces} faces of {vertices} vertices")

    def turned(self) -> Look:
        """For faces whose corners are counted in the opposite order."""
        return replace(self, uvs=self.uvs[:, ::-1])

    @classmethod
    def joined(cls, parts: Sequence[Look]) -> Look | None:
        """Of parts in the order of their vertices and faces; None if colours at the vertices say all of it."""
        if all(material.plain for part in parts for material in part.materials):
            return None
        firsts = np.cumsum([0, *(len(part.materials) for part in parts)])
        of_face = [part.of_face + np.int32(first) for part, first in zip(parts, firsts[:-1], strict=True)]
        return cls(
            tuple(material for part in parts for material in part.materials),
            np.concatenate(of_face),
            np.concatenate([part.uvs for part in parts]),
            np.concatenate([part.tints for part in parts]),
        )


def opened(content: bytes, most: int) -> tuple[Image, int]:
    """An image file's content as `[row, column, 4]`, scaled down where it is larger than LARGEST, and the number of its
    pixels. most: pixels that are accepted, checked before memory is taken. Raises ValueError.
    """
    from PIL import Image as Pillow

    try:
        with Pillow.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP")) as image:
            pixels, size = image.width * image.height, f"{image.width} × {image.height}"
            raw = np.asarray(image.convert("RGBA")) if pixels <= most else None
    except Exception as problem:  # decoders raise all kinds of exceptions for invalid images
        raise ValueError(f"is not a readable image ({str(problem)[:80]})") from problem
    if raw is None:
        raise ValueError(f"has {size} pixels; posable accepts at most {most:,} here")
    return _bounded(raw), pixels


def _bounded(image: Image) -> Image:
    """`image [row, column, 4]` halved until it has at most LARGEST rows and columns."""
    while max(image.shape[:2]) > LARGEST:
        image = halved(image)
    return np.ascontiguousarray(image)


def halved(image: Image) -> Image:
    """An image of half the rows and columns, upwards to whole ones: the mean light of four texels, what is transparent
    not counted.
    """
    rows, columns = image.shape[0] + 1 >> 1, image.shape[1] + 1 >> 1
    out = np.empty((rows, columns, 4), np.uint8)
    for first in range(0, rows, _SLAB):
        slab = image[2 * first : 2 * (first + _SLAB)]
        slab = np.pad(slab, ((0, len(slab) % 2), (0, slab.shape[1] % 2), (0, 0)), "edge")
        four = [slab[a::2, b::2] for a in (0, 1) for b in (0, 1)]
        alpha = [own[..., 3:].astype(np.float32) for own in four]
        total = sum(alpha)
        known = np.maximum(total, 1e-3)
        shares = [np.where(total > 0, own / known, 0.25) for own in alpha]
        light = sum(share * LIGHT[own[..., :3]] for share, own in zip(shares, four, strict=True))
        out[first : first + _SLAB, :, :3] = np.searchsorted(_MIDDLES, light)
        out[first : first + _SLAB, :, 3:] = np.asarray(total) / 4 + 0.5
    return out
