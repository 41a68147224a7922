"""The empty stage and its coordinates (z up, the figure about 1 high): a soft gradient, a round floor with a grid."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.skin.look import linear_colors, srgb_colors
from posable.spatial import Array
from posable.view.light import Lens

_Map = NDArray[np.floating[Any]]
_STAGE_FROM_UP = {"z": np.eye(3), "y": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])}  # figures face +x on the stage


@dataclass(frozen=True, eq=False)
class Stage:
    """stage point = rotation @ (world point - origin) / size. `radius`: extent of the action, in stage lengths."""

    origin: Array
    turn: Array
    size: float
    radius: float

    @classmethod
    def around(cls, points: ArrayLike, up: str, feet: ArrayLike | None = None, ground: float | None = None) -> Stage:
        """The stage on which all `points [point, 3]` stand; of these, `feet [point, 3]` are to be on its ground.

        ground: its height in the world, where that is known.
        """
        turn = _STAGE_FROM_UP[up]
        local = np.asarray(points, float).reshape(-1, 3) @ turn.T
        low, high = local.min(axis=0), local.max(axis=0)
        extent = high - low
        size = float(max(extent[2], 0.4 * extent.max())) or 1.0
        if ground is None:
            stands = low[2] if feet is None else (np.asarray(feet, float) @ turn.T)[:, 2].min()
            ground = _ground(float(stands), float(low[2]), float(high[2]))
        middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, ground])
        radius = math.hypot(extent[0], extent[1]) / 2 / size
        return cls(middle @ turn, turn, size, radius)

    def place(self, points: ArrayLike) -> NDArray[np.float32]:
        """World points `[..., 3]` on the stage, float32."""
        return np.ascontiguousarray((np.asarray(points, float) - self.origin) @ (self.turn.T / self.size), np.float32)

    def place_directions(self, directions: ArrayLike) -> Array:
        """World directions `[..., 3]` on the stage."""
        return np.asarray(directions, float) @ self.turn.T


def _ground(stands: float, lowest: float, highest: float) -> float:
    """The world's zero where the figure stands on it or jumps a little above it; else what it stands on, unless that
    is high up in it.
    """
    height = highest - lowest
    if -0.01 * height <= stands <= 0.5 * height:
        return 0.0
    return stands if stands - lowest <= 0.5 * height else lowest


# sRGB, 0…1
_TOP, _BOTTOM = (0.71, 0.76, 0.82), (0.915, 0.92, 0.925)
_FLOOR, _LINE = (0.965, 0.958, 0.945), (0.60, 0.64, 0.69)
_LINEAR = linear_colors(np.linspace(0, 1, 16385)).astype(np.float32)  # of sRGB: a power for each pixel takes longer
_BAND = 32  # rows at a time: what is worked out of them stays in the processor's cache
_CELLS = 0.25  # the grid's spacing is the round number of the file's units nearest to this many stage lengths


def srgb_code(steps: int = 8192) -> NDArray[np.float32]:
    """`[steps + 1]`: the sRGB byte level, 0…255, of linear light k / steps."""
    return (255 * srgb_colors(np.arange(steps + 1) / steps)).astype(np.float32)


def backdrop(
    stage: Stage, lens: Lens, samples: int, size: tuple[int, int], pool: Executor
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Linear light `[row, column, 3]` of the empty stage, and `[row, column]` how much of each pixel is floor, 0…1."""
    width, height = size
    light, floors = np.empty((height, width, 3), np.float32), np.empty((height, width), np.float32)

    def band(first: int) -> None:
        rows = slice(first, min(first + _BAND, height))
        light[rows], floors[rows] = _rows(stage, lens, samples, size, rows)

    list(pool.map(band, range(0, height, _BAND)))
    return light, floors


def _rows(stage: Stage, lens: Lens, samples: int, size: tuple[int, int], rows: slice) -> tuple[_Map, _Map]:
    """Those rows of the backdrop, in single precision, which is far finer than a level of the picture."""
    down = np.arange(rows.start, rows.stop, dtype=np.float32)[:, None]
    row, column = down / max(size[1] - 1, 1), np.linspace(-1, 1, size[0], dtype=np.float32)
    glow = np.exp(-((column / 1.1) ** 2)) * np.exp(-(((row - 0.55) / 0.75) ** 2))
    away_from_top = 0.25 * row + 0.75 * glow
    x, y, spread = _floor_points(lens, samples, size[0], down)
    away = np.sqrt(x * x + y * y)
    outer = stage.radius + 1.7
    fade = np.where(np.isfinite(away), _smooth((outer - away) / (outer - 0.25 * stage.radius)), 0.0)
    lines = _grid(x, y, spread, _round_spacing(stage.size) / stage.size) * fade**2 * 0.42
    seen = np.empty((*fade.shape, 3), np.float32)
    for k in range(3):
        wall = _TOP[k] + (_BOTTOM[k] - _TOP[k]) * away_from_top
        seen[..., k] = wall + (_FLOOR[k] + (_LINE[k] - _FLOOR[k]) * lines - wall) * (0.92 * fade)
    return _LINEAR[(seen * (len(_LINEAR) - 1) + 0.5).astype(np.int32)], np.sqrt(fade)


def _floor_points(lens: Lens, samples: int, width: int, row: _Map) -> tuple[_Map, _Map, _Map]:
    """Where the rays through the pixels' middles meet the ground, x and y, and how far apart; inf where they miss.

    row: `[row, 1]` of the picture.
    """
    middle = (samples - 1) / 2
    column = np.arange(width, dtype=np.float32) * samples + middle
    ray = [lens.corner[k] + column * lens.across[k] + (row * samples + middle) * lens.down[k] for k in range(3)]
    hits = (ray[2] < -1e-6) & (lens.eye[2] > 0)
    fall = np.where(hits, -ray[2], 1.0)
    way = np.where(hits, lens.eye[2] / fall, np.inf)
    with np.errstate(invalid="ignore"):
        x, y = (np.where(hits, lens.eye[k] + way * ray[k], np.inf) for k in (0, 1))
        slope = np.linalg.norm(lens.down) * samples / fall
        length = np.sqrt(ray[0] ** 2 + ray[1] ** 2 + ray[2] ** 2)
        return x, y, np.where(hits, way * slope * length, np.inf)


def _grid(x: _Map, y: _Map, spread: _Map, spacing: float) -> _Map:
    """0…1: how much a pixel `spread` wide is covered by grid lines; nothing where they would run together."""
    thickness = 0.011 * spacing
    total = np.zeros_like(x)
    for place in (x, y):
        with np.errstate(invalid="ignore"):
            off = np.abs(place / spacing - np.round(place / spacing)) * spacing
        width = np.maximum(thickness, 0.8 * spread)
        total = np.maximum(
            total, np.nan_to_num(np.clip(1 - off / width, 0, 1) * np.minimum(thickness / width * 1.6, 1))
        )
    return total


def _round_spacing(size: float) -> float:
    """1, 2 or 5 times a power of ten, in the file's units."""
    wanted = _CELLS * size
    power = 10.0 ** math.floor(math.log10(wanted))
    return min((power * k for k in (1, 2, 5, 10)), key=lambda spacing: abs(math.log(spacing / wanted)))


def _smooth(x: _Map) -> _Map:
    """0 below 0, 1 above 1, without a corner between."""
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)
