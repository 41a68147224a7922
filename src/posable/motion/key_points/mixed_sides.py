"""Left and right of a person that an estimator mixes up for some frames, as where it takes the front for the back, and
the mean of two estimates.

All paired points then jump across the body at once, and back again later: the likeliest sequence of sound and mixed-up
frames (Viterbi 1967), by how far the points jump.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posable.motion.key_points.convention_tables import KeyPoints
from posable.spatial import Array

_JUMPS, _FURTHEST = 0.1, 0.5  # of the person's size: a change of sides costs as much as such a jump; no jump costs more
_MIXED = 1e-4  # of the person's size: what a mixed-up frame costs
_APART = 0.04  # of the person's size: how far two estimates of a point that is seen well differ at most
_LASTING = 0.25  # s for which a person is remembered who is not seen
_LAGS = (1, 2, 3)  # frames before each that it is compared with, since some are half mixed up
_LEAST = 3  # pairs of points that must be seen


def with_sides_mended(points: KeyPoints) -> tuple[KeyPoints, tuple[str, ...]]:
    """The points with their sides put right in frames in which they are mixed up, and notes."""
    pairs = _pairs(points)
    if len(pairs) < _LEAST or len(points) < 3:
        return points, ()
    mixed = _mixed(points, np.array(pairs))
    if not mixed.any():
        return points, ()
    mended = _exchanged(points, mixed)
    seconds = np.flatnonzero(mixed)[[0, -1]] / points.fps
    note = f"left and right were mixed up in {mixed.sum()} of {len(mixed)} frames ({seconds[0]:.2f} to "
    return mended, (f"{note}{seconds[1]:.2f} s); they were put right",)


def averaged(points: KeyPoints, others: KeyPoints) -> KeyPoints:
    """The mean of two estimates of the same frames, each with its sides mended, then with left and right as in the
    first; where only one sees a point, that one. A point counts less the more they differ.
    """
    (points, _), (others, _) = (with_sides_mended(one) for one in (points, others))
    crossed = _exchanged(others, np.ones(len(others), bool))
    stays, changes = (_apart(points, one).sum(axis=1) for one in (others, crossed))
    others = _exchanged(others, changes < stays)
    image = None if points.image is None or others.image is None else _mean(points.image, others.image)
    seen = np.stack([np.isfinite(one.positions).all(axis=2) for one in (points, others)])
    sure = np.sum(seen * [points.weights, others.weights], axis=0) / np.maximum(seen.sum(axis=0), 1)
    sure /= 1.0 + (_apart(points, others) / _APART) ** 2
    return replace(points, positions=_mean(points.positions, others.positions), confidence=sure, image=image)


def _apart(points: KeyPoints, others: KeyPoints) -> Array:
    """`[frame, point]` how far two estimates differ, relative to the person's size; 0 where one is missing."""
    places, own = (one.positions if one.image is None else one.image for one in (points, others))
    seen = np.asarray(np.isfinite(places).all(axis=2))
    return np.nan_to_num(np.linalg.norm(places - own, axis=2)) / _size(places, seen)


def _mean(one: Array, other: Array) -> Array:
    """Of two arrays, NaN where both are."""
    return np.where(np.isnan(one), other, np.where(np.isnan(other), one, (one + other) / 2))


def _pairs(points: KeyPoints) -> list[tuple[int, int]]:
    return [
        (k, points.names.index(other))
        for k, name in enumerate(points.names)
        if name.startswith("left_") and (other := f"right_{name[5:]}") in points.names
    ]


def _exchanged(points: KeyPoints, frames: NDArray[np.bool_]) -> KeyPoints:
    """The same with left and right exchanged in some frames."""
    order = np.arange(len(points.names))
    for left, right in _pairs(points):
        order[[left, right]] = right, left
    which = np.where(frames[:, None], order, np.arange(len(order)))
    rows = np.arange(len(points))[:, None]
    image = None if points.image is None else points.image[rows, which]
    return replace(points, positions=points.positions[rows, which], confidence=points.weights[rows, which], image=image)


def _mixed(points: KeyPoints, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """`[frame]` where left and right are mixed up."""
    places: Array = points.positions if points.flat or points.image is None else points.image
    seen = (points.weights > 0) & np.isfinite(places).all(axis=2)
    both = np.logical_and.reduce(seen[:, pairs], axis=2)
    known = np.flatnonzero(both.sum(axis=1) >= _LEAST)
    mixed = np.zeros(len(points), bool)
    near = places[known][:, pairs] / _size(places, seen)  # [known frame, pair, side, axis]
    moves = [_moves(near, both[known], known, lag, _LASTING * points.fps) for lag in _LAGS]
    stays, changes = (np.stack(own, axis=1) for own in zip(*moves, strict=True))
    if (changes < stays).any():
        mixed[known] = _likeliest(stays, changes)
    return mixed


def _moves(
    near: Array, both: NDArray[np.bool_], known: NDArray[np.int64], lag: int, lasting: float
) -> tuple[Array, Array]:
    """`[known frame]` how far pairs move from the known frame `lag` before, on average: as given, and with changed
    sides; 0 where that is too long ago.
    """
    stays, changes = np.zeros((2, len(known)))
    sure = both[lag:] & both[:-lag] & (known[lag:] - known[:-lag] <= max(lasting, lag))[:, None]
    share = sure / np.maximum(sure.sum(axis=1, keepdims=True), 1)
    for out, now in ((stays, near), (changes, near[:, :, ::-1])):
        far = np.minimum(np.linalg.norm(now[lag:] - near[:-lag], axis=3), _FURTHEST).mean(axis=2)
        out[lag:] = np.sum(share * np.where(sure, far, 0.0), axis=1)
    return stays, changes


def _likeliest(stays: Array, changes: Array) -> NDArray[np.bool_]:
    """`[known frame]` which ones are mixed up in the likeliest sequence that begins and ends with sound ones: one jump
    alone does not tell which side of it is wrong. stays, changes: `[known frame, lag]`, see `_moves`.
    """
    states = np.arange(1 << len(_LAGS))  # which of the last frames are mixed up, the newest in the lowest bit
    bits = (states[:, None] >> np.arange(len(_LAGS))) & 1  # [state, lag]
    after = ((states << 1)[:, None] | np.array([0, 1])) & states[-1]
    changed = (bits[:, 0, None] != np.array([0, 1])) * _JUMPS + np.array([0.0, _MIXED])
    cost, before = np.where(states == 0, 0.0, np.inf), list[NDArray[np.int64]]()
    for stay, change in zip(stays[1:], changes[1:], strict=True):
        through = np.full((len(states), len(states)), np.inf)
        moved = np.stack([np.where(bits == new, stay, change).mean(axis=1) for new in (0, 1)], axis=1)
        through[states[:, None], after] = cost[:, None] + moved + changed
        before.append(through.argmin(axis=0))
        cost = through.min(axis=0)
    mixed = np.zeros(len(stays), bool)
    state = int(np.where(bits[:, 0] == 0, cost, np.inf).argmin())
    for n in range(len(stays) - 1, 0, -1):
        mixed[n] = bool(state & 1)
        state = int(before[n - 1][state])
    return mixed


def _size(places: Array, seen: NDArray[np.bool_]) -> float:
    """How far a person's points spread, as a rule."""
    spread = [np.ptp(own[known], axis=0).max() for own, known in zip(places, seen, strict=True) if known.any()]
    return max(float(np.median(spread)) if spread else 0.0, 1e-12)
