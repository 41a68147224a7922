"""Pieces of ground as triangles, to be drawn: in ground coordinates, two along the ground, then the height."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.spatial import Array

MOST_LINES = 2000
"""Of a grid or of stairs, that are drawn at most."""

_MOST_TILES = 20_000


class Patch(NamedTuple):
    """A piece of ground. corners: `[face, 3, 3]`, counter-clockwise seen from above; odd: `[face]`, whether its tile is
    one of the dark ones, as on a chess board.
    """

    corners: Array
    odd: NDArray[np.bool_]


def span_of(places: Array, room: float, tile: float) -> tuple[Array, Array, float]:
    """(the least, the largest of `places [point, 2]` with `room` about them, tiles so wide that they are not too many).

    A tile grows twofold, so that its edges stay edges.
    """
    low, high = places.min(axis=0) - room, places.max(axis=0) + room
    while np.prod(np.ceil((high - low) / tile) + 1) > _MOST_TILES:
        tile *= 2
    return low, high, tile


def multiples(low: float, high: float, step: float) -> Array:
    """Of `step`, from the last at or below `low` to the first at or above `high`."""
    return step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)


def sheet(places: Array, down: Array, along: Array) -> Patch:
    """The cells between `places [row, column, 3]`, without those of no area or over a hole (NaN).

    down, along: `[row − 1]` and `[column − 1]`, the numbers of the tiles that cells belong to.
    """
    a, b, c, d = places[:-1, :-1], places[1:, :-1], places[1:, 1:], places[:-1, 1:]
    cells = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 6, 3)
    whole = np.isfinite(cells).all(axis=(1, 2))
    corners = cells[whole].reshape(-1, 3, 3)
    odd = np.repeat(np.add.outer(down, along).ravel()[whole] % 2 == 1, 2)
    solid = np.linalg.norm(across(corners), axis=1) > 0
    return Patch(corners[solid], odd[solid])


def tiles(lines: Array, tile: float) -> Array:
    """The numbers of the tiles between lines, `[line − 1]`."""
    return np.floor(0.5 * (lines[1:] + lines[:-1]) / tile + 1e-9)


def across(corners: Array) -> Array:
    """`[face, 3]` normals of triangles `[face, 3, 3]`, twice as long as their areas."""
    edges = corners[:, 1:] - corners[:, :1]
    return np.cross(edges[:, 0], edges[:, 1])


def cut(corners: Array, low: Array, high: Array) -> Patch:
    """Triangles `[face, 3, 3]` cut off at the edges of a rectangle (Sutherland & Hodgman 1974)."""
    inside = ((corners[..., :2] >= low) & (corners[..., :2] <= high)).all(axis=(1, 2))
    pieces = [corners[inside]]
    for polygon in corners[~inside]:
        for axis, sign, edge in ((0, 1, low[0]), (1, 1, low[1]), (0, -1, -high[0]), (1, -1, -high[1])):
            polygon = _clipped(polygon, sign * polygon[:, axis] - edge)
        fan = [polygon[[0, k, k + 1]] for k in range(1, len(polygon) - 1)]
        pieces += [np.array(fan)] if fan else []
    whole = np.concatenate(pieces)
    return Patch(whole, np.zeros(len(whole), bool))


def _clipped(polygon: Array, over: Array) -> Array:
    """The part of `polygon [corner, 3]` where what goes from corner to corner as `over [corner]` is not below 0."""
    kept = []
    for here, there, a, b in zip(polygon, np.roll(polygon, -1, axis=0), over, np.roll(over, -1), strict=True):
        kept += [here] if a >= 0 else []
        kept += [here + (there - here) * (a / (a - b))] if (a >= 0) != (b >= 0) else []
    return np.array(kept).reshape(-1, 3)
