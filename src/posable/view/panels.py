"""Several images as one, each with a line of words over it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from posable.view.charts import COLORS, font
from posable.view.overlay import Color
from posable.view.renderer import Image

_GAP = 238  # the grey where there is no panel


def in_rows(images: Sequence[Image], columns: int | None = None) -> Image:
    """Images of one size beside and below one another, a white line between; about as many columns as rows if None."""
    height, width = images[0].shape[:2]
    across = columns or math.ceil(math.sqrt(len(images)))
    whole = np.full((math.ceil(len(images) / across) * height, across * width, 3), _GAP, np.uint8)
    for n, image in enumerate(images):
        row, column = divmod(n, across)
        whole[row * height : (row + 1) * height, column * width : (column + 1) * width] = image
        whole[row * height : (row + 1) * height, (column + 1) * width - 1] = 255
        whole[(row + 1) * height - 1, column * width : (column + 1) * width] = 255
    return whole


def captioned(image: Image, title: str, words: str = "", color: Color = COLORS["ink"]) -> Image:
    """The image with a title over its left, and words of another color over its right."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    drawn = Pillow.fromarray(image)
    pen, size = ImageDraw.Draw(drawn), max(image.shape[0] / 20, 10.0)
    margin = size / 2
    pen.text((margin, margin), title, fill=COLORS["ink"], font=font(size))
    pen.text((image.shape[1] - margin, margin), words, fill=color, font=font(size), anchor="ra")
    return np.array(drawn)
