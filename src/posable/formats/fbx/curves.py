"""Animation curves of FBX: keys with tangents, interpolation between them, and extrapolation.

Keys are kept as in the file; slopes are computed when a time between two keys is evaluated. Auto and TCB tangents,
weights and extrapolation match Autodesk's programs; the formulas of auto tangents are those that ufbx (S. Silvola)
found by comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.formats.fbx.tree import Element, Packed
from posable.spatial import Array

CONSTANT, NEXT, LINEAR, CUBIC = 0, 1, 2, 3
"""Interpolation from a key to the next: constant, the next value, linear, or a Bézier curve."""
THIRD = 0.333333
FLAG = {
    "constant": 0x2, "linear": 0x4, "cubic": 0x8, "next": 0x100, "tcb": 0x200, "user": 0x400, "clamp": 0x1000,
    "free": 0x2000, "clamp_progressive": 0x4000, "weighted_right": 0x1000000, "weighted_left": 0x2000000,
}  # fmt: skip
_FLAT_DIFFERENCE = 0.0  # a clamped key whose value differs no more from that of a neighbour is flat
_ROUNDS = 11

Beyond = tuple[str, int]
"""Extrapolation outside the keys: a letter (C, R, M, A, K) and the number of repetitions, -1 for endless."""


@dataclass(frozen=True, eq=False)
class Tangents:
    """Slopes `[key]` arriving and leaving, in units a second, and their lengths as shares of the interval."""

    left: Array
    right: Array
    left_weight: Array
    right_weight: Array


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve.

    times: `[key]` ticks, ascending. stated: `[key]` values as the file holds them, often float32. modes: `[key]`
    CONSTANT … CUBIC, or one for all. slopes: works out the tangents. ticks: of a second. before, after: how it goes on
    outside.
    """

    times: Array
    stated: NDArray[Any]
    modes: NDArray[np.int64] | int
    slopes: Callable[[], Tangents]
    ticks: int
    before: Beyond = ("C", -1)
    after: Beyond = ("C", -1)

    @cached_property
    def values(self) -> Array:
        """`[key]` values."""
        return self.stated.astype(float)

    @cached_property
    def tangents(self) -> Tangents:
        """The tangents of all keys."""
        return self.slopes()

    def at(self, times: Array) -> NDArray[Any]:
        """Values at `times [...]` in ticks."""
        count = len(self.times)
        if count < 2:
            return np.full(len(times), self.stated[0] if count else 0.0, float)
        if count == len(times) and (self.times is times or np.array_equal(self.times, times)):
            return self.stated
        result = self._inside(times)
        for outside, pre in ((times < self.times[0], True), (times > self.times[-1], False)):
            if (self.before if pre else self.after)[0] != "C" and outside.any():
                result[outside] = self._outside(times[outside], pre)
        return result

    def _inside(self, times: Array) -> Array:
        """Values where there are keys on both sides; the first or last beyond them."""
        if isinstance(self.modes, int) and self.modes == LINEAR:
            return np.interp(times, self.times, self.values)
        times = np.clip(times, self.times[0], self.times[-1])
        key = np.searchsorted(self.times, times, side="right") - 1
        between = self.times[key] != times
        result = self.values[key]
        if not between.any():
            return result
        mode = np.broadcast_to(np.asarray(self.modes), self.times.shape)[key]
        span = self.times[np.minimum(key + 1, len(self.times) - 1)] - self.times[key]
        share = (times - self.times[key]) / np.where(between, span, 1.0)
        for kind in (NEXT, LINEAR, CUBIC):
            own = np.flatnonzero(between & (mode == kind))
            if not len(own):
                continue
            at = key[own]
            if kind == CUBIC:
                result[own] = self._bezier(at, share[own])
            else:
                part = 1.0 if kind == NEXT else share[own]
                result[own] = self.values[at] * (1 - part) + self.values[at + 1] * part
        return result

    def _bezier(self, key: NDArray[np.int64], share: Array) -> Array:
        slopes, seconds = self.tangents, (self.times[key + 1] - self.times[key]) / self.ticks
        leaving, arriving = slopes.right_weight[key], slopes.left_weight[key + 1]
        t = _bezier_share(leaving, 1.0 - arriving, share)
        u = 1.0 - t
        start, end = self.values[key], self.values[key + 1]
        first = start + leaving * seconds * slopes.right[key]
        second = end - arriving * seconds * slopes.left[key + 1]
        return u**3 * start + 3 * (u * u * t * first + u * t * t * second) + t**3 * end

    def _outside(self, times: Array, pre: bool) -> Array:
        kind, most = self.before if pre else self.after
        first, last = float(self.times[0]), float(self.times[-1])
        end = 0 if pre else -1
        if kind == "K":
            slope = (self.tangents.right if pre else self.tangents.left)[end]
            return self.values[end] + slope * (times - self.times[end]) / self.ticks
        span = last - first
        if most == 0 or span < 1 or kind not in "RMA":
            return np.full(len(times), self.values[end])
        past = first - times if pre else times - last
        turn = np.floor(past / span)
        into = past - turn * span
        if most > 0:
            over = turn >= most
            turn, into = np.where(over, most - 1, turn), np.where(over, span, into)
        if kind == "M":
            into = np.where(turn % 2 == 0, span - into, into)
        result = self._inside(np.clip(first + (span - into if pre else into), first, last))
        if kind == "A":
            rise = self.values[-1] - self.values[0]
            result = result + (-rise if pre else rise) * (turn + 1)
        return result


def _bezier_share(first: Array, second: Array, wanted: Array) -> Array:
    """The parameter at which cubic Béziers from 0 over `first` and `second` to 1 reach `wanted`, all `[item]`."""
    a, b, c = 3 * first - 3 * second + 1, 3 * second - 6 * first, 3 * first
    t = wanted.copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(_ROUNDS):
            t = t - (((a * t + b) * t + c) * t - wanted) / ((3 * a * t + 2 * b) * t + c)
        miss = np.abs(((a * t + b) * t + c) * t - wanted)
    lost = ~((miss < 1e-12) & (t >= 0) & (t <= 1))
    if lost.any():  # Newton left the interval: halve it
        low, high = np.zeros(lost.sum()), np.ones(lost.sum())
        for _ in range(50):
            middle = (low + high) / 2
            below = ((a[lost] * middle + b[lost]) * middle + c[lost]) * middle < wanted[lost]
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        t[lost] = low
    return t


def read_beyond(element: Element, name: str) -> Beyond:
    """The extrapolation of a curve's Pre-Extrapolation or Post-Extrapolation."""
    own = element.find(name)
    kind = None if own is None else own.find("Type")
    if own is None or kind is None or not kind.values:
        return "C", -1
    letter = kind.values[0]
    letter = chr(letter) if isinstance(letter, int) and 0 < letter < 128 else str(letter)[:1]
    repeated = own.find("Repetition")
    count = -1 if repeated is None else repeated.whole(0, -1)
    return (letter if letter in "RMAK" else "C"), max(count, -1)


# Keys of versions from 7000 on: times, values, and attributes that several keys may share.


def read_curve(element: Element, ticks: int, shared: dict[bytes, KeyTimes], *, bits: bool) -> Curve | None:
    """A curve of an AnimationCurve element; None where its keys do not fit together.

    shared: key times that curves before had, by their packed bytes. bits: whether whole numbers state the bits of
    floats, as ASCII files of versions from 7200 on do.
    """
    found, values = _times(element.find("KeyTime"), shared), element.array("KeyValueFloat")
    if found is None or values is None or len(found.times) != len(values) or not len(values):
        return None
    if not (found.finite and np.isfinite(values).all()):
        return None
    times = found.times
    flags, repeats = element.array("KeyAttrFlags"), element.array("KeyAttrRefCount")
    if flags is None or repeats is None or len(flags) != len(repeats) or not len(flags):
        flags, repeats = np.array([FLAG["linear"]]), np.array([len(times)])
    flags = flags.astype(np.int64)
    modes = np.array([_mode(one) for one in flags.tolist()])
    alike = len(flags) == 1 or bool((modes == modes[0]).all())
    owner = np.zeros(0, np.int64) if alike and len(flags) == 1 else _owners(repeats, len(times))
    order = None if found.ascending else np.argsort(times, kind="stable")
    if order is not None:
        times, values, owner = times[order], values[order], owner[order] if len(owner) else owner

    def slopes() -> Tangents:
        each = owner if len(owner) else np.zeros(len(times), np.int64)
        rows = _attributes(element, len(flags), bits)[each]
        return _solved(times / ticks, values.astype(float), modes[each], flags[each], rows)

    before, after = read_beyond(element, "Pre-Extrapolation"), read_beyond(element, "Post-Extrapolation")
    kinds: Any = int(modes[0]) if alike else modes[owner]
    return Curve(times, values, kinds, slopes, ticks, before, after)


def _mode(flags: int) -> int:
    if flags & FLAG["constant"]:
        return NEXT if flags & FLAG["next"] else CONSTANT
    return CUBIC if flags & FLAG["cubic"] else LINEAR


class KeyTimes(NamedTuple):
    """Times of keys, and what is known of them."""

    times: Array
    finite: bool
    ascending: bool

    @classmethod
    def of(cls, numbers: NDArray[Any]) -> KeyTimes:
        """Those that an element holds."""
        times = numbers.astype(float)
        return cls(times, bool(np.isfinite(times).all()), not (times[1:] < times[:-1]).any())


def _times(own: Element | None, shared: dict[bytes, KeyTimes]) -> KeyTimes | None:
    """Key times as floats; the same for the same bytes."""
    if own is None:
        return None
    packed = own.values[0] if own.values and isinstance(own.values[0], Packed) else None
    if packed is None:
        return KeyTimes.of(own.numbers())
    if packed.raw not in shared:
        shared[packed.raw] = KeyTimes.of(packed.numbers())
    found = shared[packed.raw]
    return found if len(found.times) == packed.count else KeyTimes.of(packed.numbers())


def _owners(repeats: NDArray[Any], count: int) -> NDArray[np.int64]:
    """`[key]` the attributes of each key; in the file each applies to a stated number of keys."""
    ends = np.cumsum(np.clip(repeats.astype(float), 0, count))
    return np.minimum(np.searchsorted(ends, np.arange(count), side="right"), len(repeats) - 1)


def _attributes(element: Element, count: int, bits: bool) -> NDArray[np.float32]:
    """`[attribute, 4]`: slopes or auto biases, and packed weights, or tension, continuity and bias."""
    rows = element.array("KeyAttrDataFloat")
    if rows is None or len(rows) != 4 * count:
        return np.zeros((count, 4), np.float32)
    stated = bits and rows.dtype.kind in "iu"
    return (rows.astype(np.uint32).view(np.float32) if stated else rows.astype(np.float32)).reshape(-1, 4)


def _solved(
    seconds: Array, values: Array, modes: NDArray[np.int64], flags: NDArray[np.int64], shared: NDArray[np.float32]
) -> Tangents:
    """The tangents of keys by their flags. An interval's arriving slope and weight are in the key before it."""
    bits = np.ascontiguousarray(shared[:, 2]).view(np.uint32)
    right, after = (np.nan_to_num(shared[:, k].astype(float)) for k in (0, 1))
    weight = np.where(flags & FLAG["weighted_right"] > 0, (bits & 0xFFFF) * 1e-4, THIRD)
    weight_after = np.where(flags & FLAG["weighted_left"] > 0, (bits >> 16) * 1e-4, THIRD)
    gap = np.diff(seconds, append=seconds[-1:])
    rise = np.diff(values, append=values[-1:])
    ahead = np.where(gap > 0, rise / np.where(gap > 0, gap, 1.0), 0.0)
    cubic = modes == CUBIC
    tcb = cubic & (flags & FLAG["tcb"] > 0)
    right = np.where(cubic, right, np.where(modes == LINEAR, ahead, 0.0))
    after = np.where(cubic & ~tcb, after, np.where(modes == LINEAR, ahead, 0.0))
    weight, weight_after = np.where(cubic, weight, THIRD), np.where(cubic & ~tcb, weight_after, THIRD)
    left = np.concatenate([[0.0], after[:-1]])
    left_weight = np.concatenate([[THIRD], weight_after[:-1]])
    if tcb.any():
        left[tcb], right[tcb] = (one[tcb] for one in _tcb(shared.astype(float), gap, ahead))
    auto = cubic & ~tcb & (flags & FLAG["user"] == 0)
    if auto.any():
        left, right = _auto(Neighbours.of(seconds, values), auto, flags, left, right, left_weight, weight)
    return Tangents(left, right, left_weight, weight)


def _tcb(shared: Array, gap: Array, ahead: Array) -> tuple[Array, Array]:
    """Slopes by tension, continuity and bias (Kochanek & Bartels 1984)."""
    tension, continuity, bias = shared[:, 0], shared[:, 1], shared[:, 2]
    behind = np.concatenate([[0.0], ahead[:-1]])
    edge = np.concatenate([[True], gap[:-1] <= 0]) | (gap <= 0)
    factor = np.where(edge, 1.0, 0.5) * (1 - tension)
    more, less = 1 + continuity, 1 - continuity
    left = factor * ((1 + bias) * less * behind + (1 - bias) * more * ahead)
    right = factor * ((1 + bias) * more * behind + (1 - bias) * less * ahead)
    return left, right


@dataclass(frozen=True, eq=False)
class Neighbours:
    """What an auto tangent looks at: gaps in seconds and rises to the keys before and after, `[key]`, 0 at the ends."""

    gap_before: Array
    gap_after: Array
    rise_before: Array
    rise_after: Array

    @classmethod
    def of(cls, seconds: Array, values: Array) -> Neighbours:
        gap, rise = np.diff(seconds), np.diff(values)
        none = np.zeros(1)
        return cls(*(np.concatenate(pair) for pair in ((none, gap), (gap, none), (none, rise), (rise, none))))


def _auto(
    near: Neighbours,
    auto: NDArray[np.bool_],
    flags: NDArray[np.int64],
    left: Array,
    right: Array,
    left_weight: Array,
    weight: Array,
) -> tuple[Array, Array]:
    """Slopes of keys with auto tangents. What the file states as their slopes is a bias (−left, right)."""
    alike = np.abs(left + right) <= 1e-4
    slope_right = auto_slope(near, flags, right, left_weight, weight)
    slope_left = np.where(alike, slope_right, auto_slope(near, flags, -left, left_weight, weight))
    first, last = near.gap_before <= 0, near.gap_after <= 0
    ends = np.where(first, _end_slope(flags, right, near.rise_after, near.gap_after), 0.0)
    ends = np.where(~first & last, _end_slope(flags, -left, near.rise_before, near.gap_before), ends)
    slope_left, slope_right = (np.where(first | last, ends, one) for one in (slope_left, slope_right))
    return np.where(auto, slope_left, left), np.where(auto, slope_right, right)


def auto_slope(near: Neighbours, flags: NDArray[np.int64], bias: Array, left_weight: Array, weight: Array) -> Array:
    """The auto slope of keys between two others, `[key]`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        behind, ahead = near.rise_before / near.gap_before, near.rise_after / near.gap_after
        whole = near.gap_before + near.gap_after
        slope = (near.rise_before + near.rise_after) / whole
        delta = near.gap_before / whole
        blended = 0.5 * slope + 0.5 * (behind * (1 - delta) + ahead * delta)
        share = np.abs(bias) / 100
        toward = np.where(bias > 0, ahead, behind)
        biased = np.where(share > 1e-4, blended * (1 - share) + toward * share, blended)
        away = toward - blended
        sign = np.where(np.where(np.abs(away) > 1e-5, away, bias) > 0, 1.0, -1.0)
        biased = biased + np.where(share > 5, (share - 5) ** 2 * sign * 40, 0.0)
        slope = np.where(flags & FLAG["free"] > 0, slope, biased)
        slope = _limited(near, flags, slope, left_weight, weight)
    flat = np.minimum(np.abs(near.rise_before), np.abs(near.rise_after)) <= _FLAT_DIFFERENCE
    return np.where((flags & FLAG["clamp"] > 0) & flat, 0.0, slope)


def _limited(near: Neighbours, flags: NDArray[np.int64], slope: Array, left_weight: Array, weight: Array) -> Array:
    """Slopes that overshoot neither neighbour, for keys that ask for it."""
    sign = np.where(slope >= 0, 1.0, -1.0)
    most = np.abs(slope)
    for rise, reach in ((near.rise_before, left_weight * near.gap_before), (near.rise_after, weight * near.gap_after)):
        limit = np.where(reach > 0, sign * rise / np.where(reach > 0, reach, 1.0), 0.0)
        most = np.minimum(most, np.maximum(np.nan_to_num(limit), 0.0))
    return np.where(flags & FLAG["clamp_progressive"] > 0, sign * most, slope)


def _end_slope(flags: NDArray[np.int64], bias: Array, rise: Array, gap: Array) -> Array:
    """The auto slope of a curve's first or last key: straight to its only neighbour."""
    share = np.abs(bias) / 100 - 5
    more = np.where((share > 0) & (flags & FLAG["free"] == 0), share**2 * np.where(bias > 0, 1.0, -1.0) * 40, 0.0)
    flat = (flags & FLAG["clamp_progressive"] > 0) | ((flags & FLAG["clamp"] > 0) & (np.abs(rise) <= _FLAT_DIFFERENCE))
    return np.where(flat | (gap <= 0), 0.0, rise / np.where(gap > 0, gap, 1.0) + more)
