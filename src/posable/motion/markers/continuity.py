"""Which marker goes on where: exchanges of labels from one frame to the next, by the paths of markers alone."""

from __future__ import annotations

import numpy as np

from posable.motion.markers.marker_model import Indices
from posable.spatial import Array

_LEAST = 0.012  # of the reach: smaller steps do not count as jumps, nor nearer markers as a pair
_USUAL = 6.0  # times a marker's usual step off its path
_NEARER = 0.3  # of the distances off their own paths: how near exchanged markers are to one another's
_FLIPPED = (0.35, 0.35)  # likewise of the vector between two, and of the squares of their distances
_OPEN = 1.0  # likewise of the squares, for two whose exchange has no beginning or no end otherwise
_ALONE = 3.0  # times what any other is off its path: a jump of a single marker, not of a limb
LONGEST = 0.1  # s: markers that were last seen longer ago have no path


def followed(targets: Array, seen: np.ndarray, reach: float, fps: float) -> Indices:
    """`[frame, marker]`: the column in which the marker of that column in the first frame is.

    Several markers jump at once onto one another's path where their labels are exchanged, or the vector between two
    reverses: no person does that.

    Args:
        targets: `[frame, marker, 3]`.
        seen: `[frame, marker]`.
        reach: Of the figure, in the unit of the targets.
        fps: Frames per second.
    """
    crossing = np.full((seen.shape[1],) * 2, _FLIPPED[1])
    source = _followed(targets, seen, reach, fps, crossing)
    last = source[-1] if len(source) else np.arange(seen.shape[1])
    open_pairs = [(m, other) for m, other in enumerate(last.tolist()) if m < other and last[other] == m]
    if not open_pairs:
        return source
    for m, other in open_pairs:
        crossing[m, other] = crossing[other, m] = _OPEN
    return _followed(targets, seen, reach, fps, crossing)


def _followed(targets: Array, seen: np.ndarray, reach: float, fps: float, crossing: Array) -> Indices:
    """The same. crossing: `[marker, marker]` the limit of `_flipped`."""
    longest = max(round(LONGEST * fps), 2)
    points = np.where(seen[..., None], targets, np.nan)
    source = np.tile(np.arange(seen.shape[1]), (len(seen), 1))
    led = np.stack([_led(points[:, m], seen[:, m], longest) for m in range(seen.shape[1])], axis=1)
    off = np.linalg.norm(points - led, axis=2)
    usual = np.array([np.median(own[np.isfinite(own)]) if np.isfinite(own).any() else 0.0 for own in off.T])
    least = np.maximum(_LEAST * reach, _USUAL * usual)
    some = [
        frame
        for frame in range(len(seen))
        if _exchanged(points[frame], led[frame], least) is not None
        or _flipped(points[frame], led[frame], _LEAST * reach, crossing) is not None
        or (not seen[frame].all() and (np.nan_to_num(off[frame]) > least).any())
    ]
    for frame in sorted({one + later for one in some for later in range(3) if one + later < len(seen)}):
        before = points[max(frame - 2 - longest, 0) : frame]
        now = np.stack([_led_to(before[:, m]) for m in range(seen.shape[1])])
        order = _exchanged(points[frame], now, least)
        order = _flipped(points[frame], now, _LEAST * reach, crossing) if order is None else order
        order = _onto_missing(points[frame], now, least) if order is None else order
        if order is not None:
            points[frame:] = points[frame:, order]
            source[frame:] = source[frame:, order]
    return source


def _led(path: Array, seen: np.ndarray, longest: int) -> Array:
    """`[frame, 3]` where the last two frames of a marker lead; NaN without them."""
    led, known = np.full(path.shape, np.nan), np.flatnonzero(seen)
    if len(known) > 2:
        gaps = np.diff(known)
        velocity = np.diff(path[known], axis=0) / gaps[:, None]
        near = (gaps[1:] <= longest) & (gaps[:-1] <= longest)
        led[known[2:]] = np.where(near[:, None], path[known[1:-1]] + velocity[:-1] * gaps[1:, None], np.nan)
    return led


def _led_to(before: Array) -> Array:
    """`[3]` where the last two frames of `before [frame, 3]` lead."""
    known = np.flatnonzero(np.isfinite(before[:, 0]))[-2:]
    if len(known) < 2:
        return np.full(3, np.nan)
    first, last = before[known]
    return last + (last - first) * (len(before) - known[1]) / (known[1] - known[0])


def _exchanged(now: Array, led: Array, least: Array) -> Indices | None:
    """The order of columns that puts markers `now [marker, 3]` on the paths that lead to `led`, of those that are far
    off their own; None for the order that they have.
    """
    from scipy.optimize import linear_sum_assignment

    off = np.linalg.norm(now - led, axis=1)
    jumping = np.flatnonzero(np.nan_to_num(off) > least)
    if len(jumping) < 2:
        return None
    rows, columns = linear_sum_assignment(np.linalg.norm(led[jumping, None] - now[None, jumping], axis=2))
    order = np.arange(len(now))
    order[jumping[rows]] = jumping[columns]
    moved = np.flatnonzero(order != np.arange(len(order)))
    onto = np.linalg.norm(led[moved] - now[order[moved]], axis=1)
    clear = len(moved) > 1 and (onto < _NEARER * np.minimum(off[moved], off[order[moved]])).all()
    return order if clear else None


def _onto_missing(now: Array, led: Array, least: Array) -> Indices | None:
    """The same for one that jumps, far more than any other, onto the path of another, which is not seen."""
    off = np.nan_to_num(np.linalg.norm(now - led, axis=1))
    missing = np.flatnonzero(np.isnan(now[:, 0]) & np.isfinite(led[:, 0]))
    jumping, other = np.argsort(off)[:-3:-1]
    if not len(missing) or off[jumping] <= max(least[jumping], _ALONE * off[other]):
        return None
    onto = np.linalg.norm(now[jumping] - led[missing], axis=1)
    if onto.min() >= _NEARER * off[jumping]:
        return None
    order = np.arange(len(now))
    order[[jumping, missing[onto.argmin()]]] = missing[onto.argmin()], jumping
    return order


def _flipped(now: Array, led: Array, least: float, crossing: Array) -> Indices | None:
    """The same for the two between which the vector reverses most clearly: neighbours stray from their paths together,
    so that quick ones are recognised as well. crossing: `[marker, marker]` how near to one another's paths, in shares
    of the squares of the distances off their own.
    """
    between, wanted = now[:, None] - now[None], led[:, None] - led[None]
    same, reversed_ = np.linalg.norm(between - wanted, axis=2), np.linalg.norm(between + wanted, axis=2)
    own = np.sum((now - led) ** 2, axis=1)
    cross = np.sum((now[:, None] - led[None]) ** 2, axis=2)
    far = np.minimum(np.linalg.norm(between, axis=2), np.linalg.norm(wanted, axis=2)) > 2 * least
    clear = far & (reversed_ < _FLIPPED[0] * same) & (cross + cross.T < crossing * (own[:, None] + own[None]))
    if not clear.any():
        return None
    i, j = np.unravel_index(int(np.argmin(np.where(clear, reversed_ / np.maximum(same, 1e-12), np.inf))), clear.shape)
    order = np.arange(len(now))
    order[[i, j]] = order[[j, i]]
    return order
