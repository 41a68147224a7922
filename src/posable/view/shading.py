"""The kernel that turns triangles into pixels, a band of rows at a time: anti-aliased by samples, in linear light."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.spatial.compile import kernel
from posable.view.fragments import Fragments, collect
from posable.view.light import light_up
from posable.view.raster import fill

_DARKEST = 0.9  # what the floor loses where it sees nothing of the room
_DEEPEST = np.array([0.58, 0.54, 0.47], np.float32)  # what it loses, red to blue, in the key lamp's full shadow


@kernel
def _lookup(image, column, row):
    """Bilinear; 0 outside."""
    if not (column >= 0 and row >= 0 and column < image.shape[1] - 1 and row < image.shape[0] - 1):
        return np.float32(0.0)
    x, y = int(column), int(row)
    fx, fy = np.float32(column - x), np.float32(row - y)
    upper = image[y, x] + fx * (image[y, x + 1] - image[y, x])
    lower = image[y + 1, x] + fx * (image[y + 1, x + 1] - image[y + 1, x])
    return upper + fy * (lower - upper)


@kernel
def _add_stage(first, last, samples, free, lens, lamps, backdrop, fades, color):
    """Add the empty stage to `color [pixel, 3]` where it is free, with the shadows that fall on its floor."""
    g, place, ground_shadow, ground_darkness = (
        lamps.map_from_stage, lamps.ground_place, lamps.ground_shadow, lamps.ground_darkness,
    )  # fmt: skip
    eye, corner, across, down = lens.eye, lens.corner, lens.across, lens.down
    one, half, quarter = np.float32(1.0), np.float32(0.5), np.float32(0.25)
    middle = half * np.float32(samples - 1)
    pixel = -1
    for row in range(first, last):
        for column in range(backdrop.shape[1]):
            pixel += 1
            if free[pixel] == 0.0:
                continue
            fade = fades[row, column]
            shadow = dark = np.float32(0.0)
            if fade > 0.0:
                x, y = np.float32(column * samples) + middle, np.float32(row * samples) + middle
                way = -eye[2] / (corner[2] + x * across[2] + y * down[2])
                gx = eye[0] + way * (corner[0] + x * across[0] + y * down[0])
                gy = eye[1] + way * (corner[1] + x * across[1] + y * down[1])
                u, v = g[0, 0] * gx + g[0, 1] * gy + g[0, 3], g[1, 0] * gx + g[1, 1] * gy + g[1, 3]
                shadow = fade * _lookup(ground_shadow, half * u - quarter, half * v - quarter)
                dark = fade * _lookup(ground_darkness, (gx - place[0]) * place[2], (gy - place[1]) * place[3])
            rest = free[pixel] * (one - np.float32(_DARKEST) * dark)
            for n in range(3):
                color[pixel, n] += rest * (one - _DEEPEST[n] * shadow) * backdrop[row, column, n]


@kernel
def _store(color, first, last, code, image):
    """sRGB bytes, the rounding broken up by a fixed fine pattern so that soft gradients show no bands."""
    top = np.float32(code.shape[0] - 1)
    pixel = -1
    for y in range(first, last):
        for x in range(image.shape[1]):
            pixel += 1
            pattern = np.float32(0.06711056) * np.float32(x) + np.float32(0.00583715) * np.float32(y)
            pattern = np.float32(52.9829189) * (pattern - np.float32(int(pattern)))
            pattern -= np.float32(int(pattern))
            for n in range(3):
                value = min(max(color[pixel, n], np.float32(0.0)), np.float32(1.0))
                level = code[int(value * top + np.float32(0.5))] + pattern
                image[y, x, n] = np.uint8(min(level, np.float32(255.0)))


class Scratch(NamedTuple):
    """What one thread needs to draw a band of rows, made once: fresh memory costs more than the drawing."""

    depth: NDArray[np.float32]  # [row × samples, column × samples]
    ids: NDArray[np.int32]
    fragments: Fragments
    free: NDArray[np.float32]  # [pixel]
    color: NDArray[np.float32]  # [pixel, 3]


def scratch(rows: int, width: int, samples: int) -> Scratch:
    """Room for a band of so many pixel rows."""
    shape, most, pixels = (rows * samples, width * samples), rows * width * samples**2, rows * width
    floats, whole = [np.empty(most, np.float32) for _ in range(3)], [np.empty(most, np.int32) for _ in range(2)]
    fragments = Fragments(whole[0], floats[0], floats[1], floats[2], whole[1])
    return Scratch(
        np.empty(shape, np.float32), np.empty(shape, np.int32), fragments,
        np.empty(pixels, np.float32), np.empty((pixels, 3), np.float32),
    )  # fmt: skip


@kernel
def draw_rows(first, last, samples, triangles, surface, lens, lamps, backdrop, fades, code, image, room):
    """Fill and shade the pixel rows first … last - 1 of `image`, with samples × samples per pixel, in scratch `room`.

    backdrop [row, column, 3]: linear light of the empty stage. fades [row, column]: how much of it takes shadows.
    """
    pixels = (last - first) * image.shape[1]
    depth, ids = room.depth[: (last - first) * samples], room.ids[: (last - first) * samples]
    free, color = room.free[:pixels], room.color[:pixels]
    depth[:], ids[:], color[:] = 0.0, -1, 0.0
    fill(triangles, first * samples, np.float32(1e3), depth, ids)
    count = collect(ids, first * samples, samples, surface.faces, free, room.fragments)
    light_up(room.fragments, count, triangles.edges, triangles.front, surface, lens, lamps, color)
    _add_stage(first, last, samples, free, lens, lamps, backdrop, fades, color)
    _store(color, first, last, code, image)
