"""The trunk of a four-legged figure, its neck, head and tail: by its belly and its back, over either legs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.upright_voxels import Voxels
from posable.skin.solid import NEIGHBOURS, Ways, middle_line
from posable.spatial import Array

_ROOT, _ROOT_BACK = 0.68, 0.06  # of the distance from belly to back: up; behind the hip joints
_NECK_ROOT, _SAG = 0.50, 0.05  # likewise; how much lower than the neck's root the chest is
_STEEP, _STEEPEST = 0.2, 1.2  # nearer to the back a neck leaves the trunk that rises more, for how far it is ahead
_NECK = 0.7  # of the distance from the shoulders to the front of the fore legs
_FLESH = 0.42  # of the back's height: what of a chest is deeper hangs on the bones, and moves no joint
_NEAR, _BETWEEN = 2, 0.25  # voxels beside the mirror plane; of the distance between the legs: where the trunk is seen
_LEAST_BELLY, _MOST_BELLY = 0.8, 1.4  # times the height of the belly in the middle that it may have beside the legs
_SPINE, _CHEST = 0.2, 0.57  # of the distance from hips to shoulders
_SNOUT = 2.0  # times how far ahead a part of the head is, against how far it is from the neck's root
_LEAST = 20  # voxels of a head or a tail
_EAR, _WITHOUT_EARS = 0.12, 0.85  # of the trunk's thickness: thinner are ears; of neck and head: what else there is
_HEAD, _SKULL = 0.57, 0.54  # of the distance from the neck to the snout; of the trunk's thickness, a head's length
TAIL = ("tail_1", "tail_2", "tail_3", "tail_tip")
"""Names of a tail's joints and its tip."""


@dataclass(frozen=True)
class Trunk:
    """What the trunk is over the hind legs and over the fore legs.

    low, high: of the hindmost and the foremost part, the heights of its belly and its back.
    """

    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def thick(self) -> float:
        """How deep it is, from belly to back."""
        return max(0.5 * (sum(self.high) - sum(self.low)), 2.0)

    def at(self, end: int, share: float) -> float:
        """The height at a share of the distance from belly to back; end: 0 over the hind legs, 1 over the fore legs."""
        deep = self.high[end] - self.low[end]
        return self.low[end] + share * (min(deep, _FLESH * self.high[end]) if end else deep)


def trunk_over(half: Voxels, hind: float, fore: float, belly: int) -> Trunk:
    """Belly and back ahead of the hind legs, and behind the fore legs, on the mirror plane.

    hind, fore: how far ahead the legs stand. belly: its height in the middle.
    """
    filled: Voxels = np.any(half[:_NEAR], axis=0)
    filled[: int(_LEAST_BELLY * belly)] = False
    beside = _BETWEEN * abs(fore - hind)
    lows, highs = [], []
    for first, last in ((hind, hind + beside), (fore - beside, fore)):
        columns = filled[:, max(int(first), 0) : max(int(last), int(first) + 1) + 1]
        columns = columns[:, columns.any(axis=0)]
        low = float(np.median(np.argmax(columns, axis=0))) if columns.size else float(belly)
        high = float(np.median(len(columns) - 1 - np.argmax(columns[::-1], axis=0))) if columns.size else 2.0 * belly
        lows.append(float(np.clip(low, _LEAST_BELLY * belly, _MOST_BELLY * belly)))
        highs.append(max(min(high, half.shape[1] - 1.0), lows[-1] + 2))
    return Trunk((lows[0], lows[1]), (highs[0], highs[1]))


def trunk_joints(half: Voxels, legs: Places, trunk: Trunk, breast: float) -> Places:
    """breast: where the front of the fore legs meets it, ahead.

    From the hips to the chest the back falls or rises, and is level from there on, as artists draw it; the steeper the
    head is held, the nearer to the back the neck leaves.
    """
    hips, shoulders = legs["thigh"][2], legs["upper_arm"][2]
    root = np.array([0.0, trunk.at(0, _ROOT), hips - _ROOT_BACK * trunk.thick])
    neck = np.array([0.0, trunk.at(1, 0.5), shoulders + _NECK * max(breast - shoulders, 0.0)])
    head = _head(half, neck, min(trunk.thick, _FLESH * trunk.high[1]))
    steep = (head["head"][1] - neck[1]) / max(head["head"][2] - shoulders, 1.0)
    neck[1] = trunk.at(1, _NECK_ROOT + _STEEP * float(np.clip(steep, 0.0, _STEEPEST)))
    chest = np.array([0.0, neck[1] - _SAG * trunk.thick, hips + _CHEST * (shoulders - hips)])
    return {"root": root, "spine": root + _SPINE / _CHEST * (chest - root), "chest": chest, "neck": neck} | head


def _head(half: Voxels, neck: Array, thick: float) -> Places:
    """Along what lies ahead of and above the neck's root, as far as it goes."""
    region = half.copy()
    region[:, : int(neck[1] - 0.25 * thick), : int(neck[2] + 0.7 * thick)] = False
    region[:, :, : int(neck[2])] = False
    line = _line(_without_ears(region, neck, _EAR * thick), neck, _SNOUT)
    if line is None:
        rise = np.array([0.0, 0.5 * thick, 0.5 * thick])
        return {"head": neck + rise, "head_tip": neck + 2 * rise}
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    share = max(_HEAD, 1 - _SKULL * thick / max(length, 1.0))
    return {"head": _on(line, share), "head_tip": _on(line, 1.0)}


def _without_ears(region: Voxels, neck: Array, least: float) -> Voxels:
    """Without what is nowhere as thick as so many voxels' radius: ears, horns, antlers and hair; all of it where that
    is more than they may be, as a slender neck is.
    """
    from scipy.ndimage import distance_transform_edt, label

    both = np.pad(np.concatenate([region[::-1], region]), 1)
    deep: Any = distance_transform_edt(both)
    for radius in (least, 0.5 * least):
        away: Any = distance_transform_edt(deep < radius)
        found: Any = label(region & (away <= radius)[1:-1, 1:-1, 1:-1][len(region) :], NEIGHBOURS)
        places = np.argwhere(found[0])
        if len(places):
            nearest = places[int(np.argmin(np.linalg.norm(places - neck, axis=1)))]
            kept = found[0] == found[0][tuple(nearest)]
            if kept.sum() >= _WITHOUT_EARS * region.sum():
                return kept
    return region


def tail_joints(half: Voxels, start: Array, belly: int, thick: float) -> Places:
    """Along what lies behind the hind legs, where `start` is, if it is long enough for a tail."""
    region = half.copy()
    region[:, :, max(int(start[2]), 0) :] = False
    region[:, : int(0.3 * belly)] = False
    line = _line(region, start)
    if line is None or np.linalg.norm(line[-1] - line[0]) < 0.5 * thick:
        return {}
    return {name: _on(line, share) for name, share in zip(TAIL, (0.0, 0.33, 0.67, 1.0), strict=True)}


def _line(region: Voxels, start: Array, ahead: float = 0.0) -> Array | None:
    """`[k, 3]`: the middle line through a region from where it is nearest to `start`, on the mirror plane.

    It ends where it is farthest; ahead: how much being ahead counts for that, so that a snout does and no crown.
    """
    if region.sum() < _LEAST:
        return None
    ways = Ways(region)
    source = int(np.argmin(np.linalg.norm(ways.voxels - start, axis=1)))
    line = middle_line(ways, source)[0] * (0.0, 1.0, 1.0)
    if not ahead:
        return line
    far = ways.from_any(np.array([source]))
    end = int(np.argmax(np.where(np.isfinite(far), far + ahead * ways.voxels[:, 2], -np.inf)))
    steps = max(round(len(line) * far[end] / max(far[np.isfinite(far)].max(), 1.0)), 2)
    return np.concatenate([line[: steps - 1], ways.voxels[end][None] * (0.0, 1.0, 1.0)])


def _on(line: Array, share: float) -> Array:
    at = share * (len(line) - 1)
    return np.array([np.interp(at, np.arange(len(line)), line[:, k]) for k in range(3)])
