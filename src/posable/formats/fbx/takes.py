"""Animation curves of versions before 7000: one list of numbers, with letters for the interpolation of each key."""

from __future__ import annotations

import numpy as np

from posable.formats.fbx.curves import (
    CONSTANT,
    CUBIC,
    FLAG,
    LINEAR,
    NEXT,
    THIRD,
    Curve,
    Neighbours,
    Tangents,
    auto_slope,
    read_beyond,
)
from posable.formats.fbx.tree import Element
from posable.spatial import Array


def read_old_curve(element: Element, ticks: int) -> Curve | None:
    """A curve of a channel with a Key list; None where the list does not fit."""
    own, counted = element.find("Key"), element.find("KeyCount")
    rows = _old_keys(own.numbers().tolist(), counted.whole()) if own is not None and counted is not None else []
    if not rows:
        return None
    table = np.array(rows)
    table = table[np.argsort(table[:, 0], kind="stable")]
    times, values, modes = table[:, 0], table[:, 1], table[:, 2].astype(np.int64)
    before, after = read_beyond(element, "Pre-Extrapolation"), read_beyond(element, "Post-Extrapolation")
    return Curve(times, values, modes, lambda: _old_tangents(times / ticks, values, table), ticks, before, after)


def _old_tangents(seconds: Array, values: Array, table: Array) -> Tangents:
    near = Neighbours.of(seconds, values)
    straight, auto = table[:, 2] == LINEAR, table[:, 7] > 0
    ahead = np.where(near.gap_after > 0, near.rise_after / np.where(near.gap_after > 0, near.gap_after, 1.0), 0.0)
    right, after = np.where(straight, ahead, table[:, 3]), np.where(straight, ahead, table[:, 4])
    left = np.concatenate([[0.0], after[:-1]])
    left_weight = np.concatenate([[THIRD], table[:-1, 6]])
    flags = np.full(len(values), FLAG["clamp_progressive"] | FLAG["free"])
    slope = auto_slope(near, flags, np.zeros(len(values)), left_weight, table[:, 5])
    slope[[0, -1]] = 0.0
    return Tangents(np.where(auto, slope, left), np.where(auto, slope, right), left_weight, table[:, 5])


_SLOPES = {"s": 2, "b": 2, "p": 2, "t": 3, "a": 0}
"""How many numbers follow each kind of slope."""
_WEIGHTS = {"n": 0, "c": 0, "a": 2, "l": 1, "r": 1}


def _old_keys(said: list[float], count: int) -> list[tuple[float, ...]]:
    """(time, value, mode, slope, next slope, weight, next weight, auto) of every key; empty for an invalid list."""
    rows, place = [], 0
    try:
        while len(rows) < count:
            time, value, letter = said[place], said[place + 1], chr(int(said[place + 2]))
            place += 3
            mode, slopes, weights, auto = LINEAR, (0.0, 0.0), [THIRD, THIRD], False
            if letter == "C":
                mode = NEXT if said[place] == ord("n") else CONSTANT
                place += 1
            elif letter == "U":
                mode, kind = CUBIC, chr(int(said[place]))
                numbers = said[place + 1 : place + 1 + _SLOPES[kind]]
                place += 1 + _SLOPES[kind]
                slopes = (numbers[0], numbers[1]) if kind in "sb" else slopes
                auto = kind == "a"
                for _ in range({"p": 2, "t": 0}.get(kind, 1)):
                    place = _old_weights(said, place, weights)
            elif letter != "L":
                return []
            rows.append((time, value, mode, *slopes, *weights, auto))
    except (IndexError, KeyError, ValueError, OverflowError):
        return []
    return rows if np.isfinite(rows).all() else []


def _old_weights(said: list[float], place: int, weights: list[float]) -> int:
    """Read one group of weights into `weights`; returns where it ends."""
    kind = chr(int(said[place]))
    numbers = said[place + 1 : place + 1 + _WEIGHTS[kind]]
    if kind in "ar":
        weights[0] = numbers[0]
    if kind in "al":
        weights[1] = numbers[-1]
    return place + 1 + _WEIGHTS[kind]
