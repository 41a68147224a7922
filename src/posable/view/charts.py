"""Charts: curves, dots and fields of values in a plane, drawn like the pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError, UnsupportedFileError
from posable.spatial import Array
from posable.view.overlay import Color, Ink
from posable.view.pictures import check_size, draw_to
from posable.view.renderer import Image

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

Span = tuple[float, float]
COLORS: dict[str, Color] = {
    "ink": (22, 52, 84),
    "grey": (150, 158, 168),
    "red": (226, 62, 28),
    "orange": (235, 140, 25),
    "green": (34, 145, 60),
    "blue": (36, 92, 214),
    "violet": (108, 66, 193),
}
_PAPER, _GRID = (250, 249, 246), (225, 224, 219)
_LOW, _MIDDLE, _HIGH = (28, 66, 110), (120, 176, 178), (252, 236, 200)
_STEPS = (1, 2, 2.5, 5, 10)


class Chart:
    """A chart with axes to draw on; `image` is `[height, width, 3]` sRGB bytes.

    Args:
        x: Range of the horizontal axis.
        y: Range of the vertical axis.
        size: Width and height in pixels.
        title: Title above the chart.
        names: Labels of both axes.
        alike: Give both axes the same scale, for drawings of objects; the wider axis is extended.

    Raises:
        PosableError: For an empty range or an invalid size.
    """

    def __init__(
        self,
        x: Span,
        y: Span,
        size: tuple[int, int] = (640, 480),
        *,
        title: str = "",
        names: tuple[str, str] = ("", ""),
        alike: bool = False,
    ) -> None:
        check_size(size)
        if not (np.isfinite([*x, *y]).all() and x[0] < x[1] and y[0] < y[1]):
            raise PosableError(f"a chart's axes run from a number to a larger one, not {x} and {y}")
        self.image: Image = np.empty((size[1], size[0], 3), np.uint8)
        self.image[:] = _PAPER
        scale = size[1] / 480
        self._text_size = max(13.0 * scale, 9.0)
        self._low = np.array((46.0, 14.0 + (20 if title or names[1] else 0))) * scale
        self._high = np.array(size) - np.array((16.0, 34.0 + (16 if names[0] else 0))) * scale
        self._span = np.array([x, y], float)
        if alike:
            per = np.ptp(self._span, axis=1) / (self._high - self._low)
            middle, half = self._span.mean(axis=1), per.max() * (self._high - self._low) / 2
            self._span = np.stack([middle - half, middle + half], axis=1)
        self._frame(title, names)

    def pixels(self, points: ArrayLike) -> Array:
        """Where points `[..., 2]` are in the image, x to the right and y down."""
        share = (np.asarray(points, float) - self._span[:, 0]) / np.ptp(self._span, axis=1)
        return self._low + np.stack([share[..., 0], 1 - share[..., 1]], axis=-1) * (self._high - self._low)

    def line(
        self, points: ArrayLike, color: str = "ink", width: float = 2.5, *, dash: float = 0.0, opacity: float = 0.95
    ) -> None:
        """A line through points `[point, 2]`, cut off at the edges. Widths and dashes are as of 720 rows."""
        places = self.pixels(points).reshape(-1, 2)
        ink = self._ink()
        for start, end in pairwise(places):
            ink.line(start, end, width, dash)
        self._lay(ink, color, opacity)

    def dots(
        self, points: ArrayLike, color: str = "ink", radius: float = 5.0, *, hollow: bool = False, opacity: float = 0.95
    ) -> None:
        """A disc, or a ring, at each of the points `[..., 2]`."""
        ink = self._ink()
        for place in self.pixels(points).reshape(-1, 2):
            if hollow:
                ink.ring(place, radius, 2.0)
            else:
                ink.dot(place, radius)
        self._lay(ink, color, opacity)

    def field(self, value: Callable[[Array], ArrayLike], bands: int = 14, opacity: float = 1.0) -> None:
        """The plane in colors, dark where `value` (points `[..., 2]` to numbers `[...]`) is small, in even bands."""
        low, high = np.round(self._low).astype(int), np.round(self._high).astype(int)
        rows, columns = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
        share = (np.stack([columns, rows], axis=-1) - self._low) / (self._high - self._low)
        points = self._span[:, 0] + np.stack([share[..., 0], 1 - share[..., 1]], axis=-1) * np.ptp(self._span, axis=1)
        values = np.asarray(value(points), float)
        level = (values - values.min()) / (float(np.ptp(values)) or 1.0)
        level = np.floor(level * bands).clip(0, bands - 1) / max(bands - 1, 1)
        paints = [np.interp(level, (0, 0.5, 1), (a, b, c)) for a, b, c in zip(_LOW, _MIDDLE, _HIGH, strict=True)]
        below = self.image[low[1] : high[1], low[0] : high[0]]
        below[:] = (below * (1 - opacity) + np.stack(paints, axis=-1) * opacity + 0.5).astype(np.uint8)

    def note(self, place: ArrayLike, text: str, color: str = "ink", *, anchor: str = "lm") -> None:
        """Words at a point; `anchor` says which part of them is there, as Pillow has it ("lm": the left middle)."""
        self._write(self.pixels(place), text, _known(color), anchor)

    def save(self, path: str | Path, *, overwrite: bool = True) -> None:
        """As a .png. Raises UnsupportedFileError for another ending, FileError."""
        if Path(path).suffix.lower() != ".png":
            raise UnsupportedFileError(path, "a chart is written as .png; give it that ending")
        draw_to(path, lambda: self.image, overwrite=overwrite)

    def _ink(self) -> Ink:
        return Ink(self.image)

    def _lay(self, ink: Ink, color: str, opacity: float) -> None:
        """Onto the inside alone: what lies beyond the axes is not shown."""
        before = self.image.copy()
        ink.lay(_known(color), opacity)
        (left, top), (right, bottom) = np.floor(self._low).astype(int) - 1, np.ceil(self._high).astype(int) + 2
        inside = self.image[top:bottom, left:right].copy()
        self.image[:] = before
        self.image[top:bottom, left:right] = inside

    def _frame(self, title: str, names: tuple[str, str]) -> None:
        ink, corner = Ink(self.image), self._span[:, 0]
        for axis in (0, 1):
            for value in _ticks(self._span[axis], 7 if axis == 0 else 6):
                foot, end = corner.copy(), corner.copy()
                foot[axis] = end[axis] = value
                end[1 - axis] = self._span[1 - axis, 1]
                ink.line(self.pixels(foot), self.pixels(end), 1.0)
                shift = (0.0, 0.35 * self._text_size) if axis == 0 else (-0.4 * self._text_size, 0.0)
                self._write(self.pixels(foot) + shift, f"{value:.10g}", COLORS["grey"], "ma" if axis == 0 else "rm")
        ink.lay(_GRID, 1.0)
        middle = (self._low + self._high) / 2
        if title:
            self._write(np.array((middle[0], 0.35 * self._low[1] + 3)), title, COLORS["ink"], "mm")
        below = np.array((self._high[0], self.image.shape[0] - 0.15 * self._text_size))
        self._write(below, names[0], COLORS["ink"], "rd")
        self._write(self._low - (0.0, 0.3 * self._text_size), names[1], COLORS["ink"], "ld")

    def _write(self, place: Array, text: str, color: Color, anchor: str) -> None:
        from PIL import Image as Pillow
        from PIL import ImageDraw

        drawn = Pillow.fromarray(self.image)
        ImageDraw.Draw(drawn).text(tuple(place.tolist()), text, fill=color, font=font(self._text_size), anchor=anchor)
        self.image[:] = np.asarray(drawn)


def _known(color: str) -> Color:
    if color not in COLORS:
        raise PosableError(f"{color!r} is not a color of a chart; choose from {', '.join(COLORS)}")
    return COLORS[color]


def _ticks(span: Array, most: int) -> Sequence[float]:
    """Round numbers within the span, at most `most`."""
    rough = float(np.ptp(span)) / most
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(s * power for s in _STEPS if s * power >= rough * (1 - 1e-9))
    first, last = np.ceil(span[0] / step - 1e-9), np.floor(span[1] / step + 1e-9)
    return [float(k * step) + 0.0 for k in np.arange(first, last + 1)]


def font(size: float) -> FreeTypeFont | ImageFont:
    """The letters of all words in pictures, `size` pixels high."""
    from PIL import ImageFont

    return ImageFont.load_default(size)
