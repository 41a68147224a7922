"""The legs of a two-legged figure: where they join, and hip, knee, ankle and foot of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.upright_voxels import Voxels
from posable.skin.solid import NEIGHBOURS
from posable.spatial import Array

CROTCH = 0.47  # of the height, where no gap between the legs is seen
HIP_ABOVE_CROTCH = 0.50  # of a thigh's width
_THICK = 0.6  # of the crotch's height: a stumpy leg's width counts for no more
_KNEE, _ANKLE = 0.50, 0.085  # of the distance from hip to ankle; of the hip's height
_ANKLE_OVER = 0.28  # of a shod foot's length
_FOOT_LOW, _MOST_ANKLE, _FLAT = 0.1, 0.27, 0.22  # of the hip's height; the last is a foot's length
_CROTCH_SURE = 0.45  # of the height: a gap that reaches higher ends at no skirt's hem
_FALLS = 0.9  # times the section two steps higher: a skirt is as wide at its hem, a pelvis is not
_FLARE_REACH = 0.16  # of the height over the crotch: so far a skirt swells
_HEM = 1.45  # times the legs' section: from there on what joins them is a skirt
_UNSEEN = 0.5  # of what a skirt hides: how much of it a leg does not lean on as it is seen below
_LONGER, _AHEAD = 0.4, 0.2  # than the shin; of the foot: from there on a foot is clearly seen
_SHIN = 0.25  # of the crotch's height, over the foot: so much of the shin tells where it goes on to the floor
_BALL = 0.52  # of the distance from ankle to the tip of the foot


@dataclass
class Legs:
    """crotch: how high the gap between the legs reaches, in voxels. seen: whether there is one. broad: whether
    what joins them there is much wider than they are; hem: as a skirt is, which is widest at its end. flare: how many
    times a leg's section is largest a little over the crotch.

    mask: `[across, up, ahead]` of the half. axis: `[up, 3]` middle of the leg's section at each height below the
    crotch. width: of a thigh. room: from where to where the body reaches ahead over the crotch, a quarter off each end.
    """

    crotch: int
    seen: bool
    mask: Voxels
    axis: Array
    width: float
    broad: bool
    hem: bool
    flare: float
    room: tuple[float, float]


def legs_of(half: Voxels) -> Legs:
    """The leg of the left half, up to where it joins the other."""
    height = half.shape[1]
    deep = half.sum(axis=2)
    between, leg = deep[0], deep.max(axis=0)
    bridged = between >= 0.4 * np.maximum(leg, 1)
    run = max(2, int(0.04 * height))
    above = [y for y in range(max(1, int(0.015 * height)), height - run) if bridged[y : y + run].mean() >= 0.8]
    seen = bool(above) and above[0] >= 0.05 * height
    crotch = max(above[0] if seen else int(CROTCH * height), 2)
    mask = _leg_mask(half, crotch)
    axis = np.full((crotch, 3), np.nan)
    for y in range(crotch):
        found = np.argwhere(mask[:, y])
        if len(found):
            axis[y] = found[:, 0].mean(), y, found[:, 1].mean()
    rows = np.flatnonzero(~np.isnan(axis[:, 0]))
    for k in range(3):
        axis[:, k] = np.interp(np.arange(crotch), rows, axis[rows, k]) if len(rows) else 0.0
    axis[:, 1] = np.arange(crotch)
    thigh = slice(int(0.75 * crotch), max(int(0.95 * crotch), int(0.75 * crotch) + 1))
    widths = mask.any(axis=2).sum(axis=0)[thigh]
    over = np.flatnonzero(half[:, crotch : crotch + max(3, int(0.04 * height))].any(axis=(0, 1)))
    ends = (float(np.quantile(over, 0.25)), float(np.quantile(over, 0.75))) if len(over) else (0.0, np.inf)
    broad, hem, flare = _hem_over(half, mask, crotch) if seen else (False, False, 1.0)
    width = min(float(np.median(widths)), _THICK * crotch)
    return Legs(crotch, seen, mask, axis, width, broad, hem, flare, ends)


def _hem_over(half: Voxels, mask: Voxels, crotch: int) -> tuple[bool, bool, float]:
    """(whether the section over the crotch is much larger than the leg's a little under it, whether it is a hem's, how
    many times the leg's section the largest a little over the crotch is).
    """
    step = max(1, round(0.02 * half.shape[1]))
    low = max(crotch - min(3 * step, int(0.4 * crotch)), 0)
    over = [crotch + step, crotch + 3 * step]
    sizes = [_joined_size(one) for one in (mask[:, low : low + step], *(half[:, y : y + step] for y in over))]
    broad = sizes[1] > _HEM * sizes[0] > 0 and crotch < _CROTCH_SURE * half.shape[1]
    higher = [
        _joined_size(half[:, y : y + step]) for y in range(crotch, crotch + round(_FLARE_REACH * half.shape[1]), step)
    ]
    flare = max(higher, default=0.0) / max(min(sizes[0], *higher[:1]), 1.0)
    return broad, broad and sizes[1] > _FALLS * sizes[2], flare


def _joined_size(part: Voxels) -> float:
    """Width times depth of what hangs together next to the middle, seen from above."""
    wide = np.flatnonzero(part.any(axis=(1, 2)))
    if not len(wide):
        return 0.0
    gaps = np.flatnonzero(np.diff(wide) > 1)
    wide = wide[: gaps[0] + 1] if len(gaps) else wide
    return float(wide[-1] + 1) * (float(np.ptp(np.flatnonzero(part[wide].any(axis=(0, 1))))) + 1)


def _leg_mask(half: Voxels, crotch: int) -> Voxels:
    """Below the crotch, the piece that holds most near the floor: hanging hands and coat tails are others."""
    from scipy.ndimage import label

    below = half.copy()
    below[:, crotch:] = False
    found: Any = label(below, NEIGHBOURS)
    labels = found[0]
    near_floor = np.bincount(labels[:, : max(2, crotch // 4)].ravel(), minlength=int(found[1]) + 1)
    near_floor[0] = 0
    return labels == int(np.argmax(near_floor)) if near_floor.any() else below


def ahead_of(legs: Legs) -> float:
    """How much farther the foot reaches ahead of the shin than behind it, over its length: -1 … 1.

    Where all of it is ahead or behind, the leg leans, and is followed down to the floor.
    """
    instep = int(min(_instep(legs), 0.7 * legs.crotch))
    foot = np.argwhere(legs.mask[:, : max(2, int(0.12 * legs.crotch), int(0.6 * instep))])
    if not len(foot):
        return 0.0
    low = max(int(0.14 * legs.crotch), instep)
    rows = np.arange(low, min(low + max(int(0.11 * legs.crotch), 1) + 1, len(legs.axis)))
    shin, first, last = float(np.mean(legs.axis[rows, 2])), foot[:, 2].min(), foot[:, 2].max()
    if not first <= shin <= last:
        above = np.arange(low, min(low + max(int(_SHIN * legs.crotch), 2), len(legs.axis)))
        slope = float(np.polyfit(above, legs.axis[above, 2], 1)[0]) if len(above) > 1 else 0.0
        shin += slope * float(np.mean(foot[:, 1]) - np.mean(rows))
    return float(np.clip((last + first - 2 * shin) / max(last - first, 1.0), -1, 1))


def foot_seen(legs: Legs) -> float:
    """How clearly the leg ends in a foot, 0 … 1: by how much longer that is than the shin is deep, or reaches ahead."""
    deep = legs.mask.any(axis=0).sum(axis=1)[: legs.crotch].astype(float)
    shin = deep[int(0.2 * legs.crotch) : max(int(0.5 * legs.crotch), int(0.2 * legs.crotch) + 1)]
    foot = float(deep[: max(2, int(0.12 * legs.crotch))].max(initial=0.0))
    longer = foot / max(float(np.median(shin)), 1.0) - 1
    return float(np.clip(max(longer / _LONGER, ahead_of(legs) / _AHEAD), 0, 1))


def leg_points(legs: Legs, hip_height: float | None = None) -> Places:
    """Hip, knee, ankle, ball and tip of the left leg."""
    hip_height = legs.crotch + HIP_ABOVE_CROTCH * legs.width if hip_height is None else hip_height
    hip = _extended(legs, hip_height)
    instep = _instep(legs)
    ankle_height = _ankle_height(legs, hip_height, instep)
    above_foot = int(min(max(instep, 1.6 * ankle_height) + 0.02 * legs.crotch, legs.crotch - 1))
    ankle = legs.axis[above_foot] * (1, 0, 1) + (0, ankle_height, 0)
    knee = _knee(legs, hip, ankle)
    foot = np.argwhere(legs.mask[:, : max(2, int(1.2 * ankle_height))])
    front = foot[:, 2].max() if len(foot) else ankle[2] + 2 * ankle_height
    toes = foot[foot[:, 2] >= front - 2, 0].mean() if len(foot) else ankle[0]
    tip = np.array([toes, 0.3 * ankle_height, front + 0.5])
    ball = ankle + _BALL * (tip - ankle)
    ball[1] = 0.35 * ankle_height
    return {"thigh": hip, "shin": knee, "foot": ankle, "toe": ball, "toe_tip": tip}


def _extended(legs: Legs, height: float) -> Array:
    """The leg's axis at a height above the crotch: straight on as the thigh goes, not nearer to the middle."""
    rows = np.arange(int(0.6 * legs.crotch), max(int(0.95 * legs.crotch), int(0.6 * legs.crotch) + 2))
    rows = rows[rows < len(legs.axis)]
    top = np.mean(legs.axis[int(0.85 * legs.crotch) :], axis=0)
    if len(rows) < 4:
        return np.array([top[0], height, top[2]])
    slope = float(np.clip(np.polyfit(rows, legs.axis[rows, 2], 1)[0], -1.2, 1.2))
    over = max(height - legs.crotch - HIP_ABOVE_CROTCH * legs.width, 0.0)
    ahead = float(np.mean(legs.axis[rows, 2]) + slope * (height - _UNSEEN * over - np.mean(rows)))
    return np.array([top[0], height, np.clip(ahead, *legs.room)])


def _knee(legs: Legs, hip: Array, ankle: Array) -> Array:
    """Where a bent line follows the leg best, near where knees are."""
    shares = np.linspace(_KNEE - 0.12, _KNEE + 0.12, 25)
    heights = np.arange(int(ankle[1]) + 1, max(min(int(hip[1]), len(legs.axis)), int(ankle[1]) + 2))
    heights = heights[heights < len(legs.axis)]
    best, least = hip + _KNEE * (ankle - hip), np.inf
    for share in shares:
        height = hip[1] + share * (ankle[1] - hip[1])
        at = legs.axis[int(np.clip(height, 0, len(legs.axis) - 1))] * (1, 0, 1) + (0, height, 0)
        if height > len(legs.axis) - 1:
            at = hip + share * (ankle - hip)
        line = np.array([ankle, at, hip])
        bent = np.array([np.interp(heights, line[:, 1], line[:, k]) for k in (0, 2)]).T
        off = float(np.mean(np.sum((legs.axis[heights][:, [0, 2]] - bent) ** 2, axis=1))) if len(heights) else 0.0
        cost = 0.5 * ((share - _KNEE) / 0.05) ** 2 + 0.5 * off / max(0.012 * hip[1], 0.5) ** 2
        if cost < least:
            best, least = at, cost
    return best


def _ankle_height(legs: Legs, hip_height: float, instep: float) -> float:
    """By the length of the foot, which a boot's shaft or a large head leaves as it is, but not over the instep; by the
    instep where little of the foot is on the floor, as of one whose heel is lifted.
    """
    sole = np.flatnonzero(legs.mask[:, : max(2, int(_FOOT_LOW * hip_height))].any(axis=(0, 1)))
    long = float(np.ptp(sole)) + 1 if len(sole) else 0.0
    usual = _ANKLE * hip_height
    if long < _FLAT * hip_height:
        return max(usual, min(0.75 * instep, 0.2 * hip_height))
    return min(_ANKLE_OVER * long, max(instep, usual), _MOST_ANKLE * hip_height)


def _instep(legs: Legs) -> float:
    """How high the foot reaches: from there on the leg is little longer from front to back than at its thinnest."""
    long = legs.mask.any(axis=0).sum(axis=1)[: legs.crotch].astype(float)
    high = max(int(0.6 * legs.crotch), 2)
    sole = int(np.argmax(long[: max(int(0.35 * legs.crotch), 2)]))
    shin = long[sole:high]
    least = float(shin[shin > 0].min(initial=np.inf))
    narrow = np.flatnonzero((shin > 0) & (shin <= 1.25 * least))
    return float(sole + narrow[0]) if len(narrow) else 0.0
