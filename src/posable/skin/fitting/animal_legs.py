"""The legs of a four-legged figure: which voxels are theirs, and where in them the joints are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posable.skin.fitting.animal_trunk import Trunk
from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.upright_voxels import Voxels
from posable.skin.solid import NEIGHBOURS
from posable.spatial import Array

_HIP = 0.40  # of the distance from belly to back
_SHOULDER = 0.27  # of the distance from belly to back
_FEET, _ELBOW = (1.25, 1.7), (0.58, 0.90)  # how long feet are, in depths of the shank; of the belly's height
_WRIST, _ELBOW_BACK = 0.20, 0.048  # of the belly's height: up; behind the leg's middle
_ELBOWS, _ELBOW_SPREAD = (0.4, 1.0), 0.12  # of the belly's height: where elbows are, and how far they are off the usual
_BENT = 0.025  # of the belly's height: how far a leg's middle may well be off the line through its joints
_HOCK, _STOUT = (0.03, 0.05), (0.26, 0.36)  # of the belly's height: bulges of hocks; depths of shanks that are columns
_ANKLE, _COLUMN = 0.28, 0.5  # of columns: the ankle, of the belly's height; the knee, of the hip's
_KNEE_AHEAD = 0.76  # of the distance from the back of the thigh to its front
_KNEE, _STIFLE = 0.51, 0.93  # of the distance down from hip to hock; of the belly's height: the mean of both
_THIGH, _LONG_THIGH = 3.0, 0.32  # times a shank's depth, or of the distance between the legs, that a thigh may have
_INNER = 0.25  # of how far out a leg is: what is nearer to the mirror plane is none
_MIDDLE = 0.04  # of a leg's voxels at most lie on the mirror plane


@dataclass
class Leg:
    """One leg of the left half. voxels: `[n, 3]`. axis, back, front: `[up]` positions at each height below the
    belly.
    """

    voxels: Array
    axis: Array
    back: Array
    front: Array

    @property
    def ahead(self) -> float:
        """How far ahead it stands."""
        return float(np.median(self.axis[:, 2]))

    def narrowed(self, ahead: float, apart: float) -> Leg:
        """Without what of the trunk hangs on it: no deeper than legs are for their shank's depth, from its outer edge.

        ahead: 1 where the trunk is ahead of the leg, -1 where it is behind. apart: how far it is from the other leg.
        """
        deep, count = self.front - self.back, len(self.axis)
        shank = float(np.median(deep[int(0.25 * count) : max(int(0.65 * count), int(0.25 * count) + 1)]))
        most = max(_THIGH * shank, _LONG_THIGH * apart) + 1
        wide = deep > most
        axis, back, front = self.axis.copy(), self.back.copy(), self.front.copy()
        if ahead > 0:
            front = np.where(wide, back + most, front)
        else:
            back = np.where(wide, front - most, back)
        axis[wide, 2] = (0.5 * (back + front))[wide]
        return Leg(self.voxels, axis, back, front)

    @property
    def shank(self) -> float:
        """How deep it is below its middle, from front to back."""
        rows = slice(int(0.2 * len(self.axis)), int(0.45 * len(self.axis)) + 1)
        return float(np.median(self.front[rows] - self.back[rows])) + 1

    @property
    def knuckle(self) -> tuple[float, float]:
        """How far it bulges behind, and ahead, of the line between its edge's ends: hocks are behind."""
        low, high = int(0.25 * len(self.axis)), max(int(0.8 * len(self.axis)), int(0.25 * len(self.axis)) + 1)
        share = np.linspace(0, 1, high - low)
        lines = [edge[low] + share * (edge[high - 1] - edge[low]) for edge in (self.back, self.front)]
        return float((lines[0] - self.back[low:high]).max()), float((self.front[low:high] - lines[1]).max())

    @property
    def paw(self) -> Array:
        """The middle of what is nearest to the floor."""
        low = self.voxels[self.voxels[:, 1] <= 0.12 * len(self.axis)]
        return low.mean(axis=0) if len(low) else self.axis[0]


def legs_below(half: Voxels, belly: int) -> list[Leg]:
    """The one or two largest pieces below the belly that stand on the floor, the hindmost first."""
    from scipy.ndimage import label

    for cut in (1.0, 0.8, 0.6, 0.45):
        found: Any = label(half[:, : max(int(cut * belly), 2)], NEIGHBOURS)
        pieces = [np.argwhere(found[0] == k + 1) for k in range(int(found[1]))]
        floor = max(2, 0.1 * half.shape[1])
        standing = [
            piece for piece in pieces if piece[:, 1].min() < floor and piece[:, 0].mean() > 0.02 * half.shape[1]
        ]
        apart = [
            piece for piece in standing if np.mean(piece[:, 0] == 0) < _MIDDLE
        ]  # a tail on the floor is in the middle
        if len(apart) < 2 and cut > 0.45:
            continue
        standing = apart if len(apart) >= 2 else standing
        standing.sort(key=len, reverse=True)
        standing = [piece for piece in standing if len(piece) > 0.2 * len(standing[0])]
        if len(standing) >= 2:
            break
    legs = [_leg(piece.astype(float), belly) for piece in standing[:2]] or [
        _leg(np.argwhere(half).astype(float), belly)
    ]
    return sorted(legs, key=lambda leg: leg.ahead)


def grown(half: Voxels, leg: Leg, legs: list[Leg], belly: int) -> Leg:
    """The leg up to where its own end of the trunk has its belly."""
    from scipy.ndimage import label

    middle = int(0.5 * (legs[0].ahead + legs[-1].ahead))
    below = half[:, : max(belly, 2)].copy()
    if len(legs) > 1:
        below[:, :, (slice(middle, None) if leg is legs[0] else slice(0, middle))] = False
    found: Any = label(below, NEIGHBOURS)
    own = leg.voxels[leg.voxels[:, 1] < below.shape[1]].astype(int)
    pieces = np.bincount(found[0][tuple(own.T)], minlength=int(found[1]) + 1)
    pieces[0] = 0
    if not pieces.any():
        return leg
    return _leg(np.argwhere(found[0] == int(pieces.argmax())).astype(float), below.shape[1])


def _leg(voxels: Array, belly: int) -> Leg:
    voxels = voxels[voxels[:, 0] >= _INNER * np.median(voxels[:, 0])]  # between them a tail may hang
    rows = [(y, voxels[voxels[:, 1] == y]) for y in range(belly)]
    known = [(y, there.mean(axis=0), there[:, 2].min(), there[:, 2].max()) for y, there in rows if len(there)]
    heights = np.arange(belly)
    known = known or [(0, voxels.mean(axis=0), voxels[:, 2].min(), voxels[:, 2].max())]
    at = np.array([y for y, *_ in known])
    axis = np.array([np.interp(heights, at, [middle[k] for _, middle, *_ in known]) for k in range(3)]).T
    axis[:, 1] = heights
    back = np.interp(heights, at, [low for *_, low, _ in known])
    return Leg(voxels, axis, back, np.interp(heights, at, [high for *_, high in known]))


def fore_leg(leg: Leg, trunk: Trunk) -> Places:
    count = len(leg.axis)
    top = leg.axis[int(0.85 * count) :].mean(axis=0)
    wrist = leg.axis[int(_WRIST * (count - 1))]
    tip = np.array([leg.paw[0], 0.0, leg.voxels[leg.voxels[:, 1] <= 0.2 * count, 2].max(initial=leg.paw[2])])
    shoulder = np.array([top[0], trunk.at(1, _SHOULDER), top[2]])
    usual = _usual_elbow(leg)
    back = np.interp(usual, _ELBOW, (0.0, _ELBOW_BACK * count))  # over hooves it does not point back
    elbow = _elbow(leg, shoulder, wrist, usual) - (0, 0, back)
    return {"upper_arm": shoulder, "forearm": elbow, "hand": wrist, "hand_tip": tip}


def _usual_elbow(leg: Leg) -> float:
    """Of the belly's height: near it over paws, and at the joint in the leg's middle over hooves and columns."""
    foot = leg.voxels[leg.voxels[:, 1] <= 0.12 * len(leg.axis), 2]
    return float(np.interp((np.ptp(foot) + 1) / leg.shank if len(foot) else _FEET[1], _FEET, _ELBOW))


def _elbow(leg: Leg, shoulder: Array, wrist: Array, usual: float) -> Array:
    """Where a line bent back follows the leg best, near where elbows are."""
    count = len(leg.axis)
    heights = np.arange(int(wrist[1]), count)
    best, least = leg.axis[int(usual * (count - 1))], np.inf
    for share in np.linspace(*_ELBOWS, 31):
        at = leg.axis[int(share * (count - 1))]
        bent = np.interp(heights, [wrist[1], at[1], shoulder[1]], [wrist[2], at[2], shoulder[2]])
        off = float(np.mean((leg.axis[heights, 2] - bent) ** 2))
        cost = 0.5 * ((share - usual) / _ELBOW_SPREAD) ** 2 + 0.5 * off / max(_BENT * count, 0.5) ** 2
        if cost < least:
            best, least = at, cost
    return best


def hind_leg(leg: Leg, trunk: Trunk) -> Places:
    """Its hock is where it reaches farthest back; its knee lies between the thigh's middle and its front. A column
    without a hock has its knee in the leg's middle, and its ankle near the floor.
    """
    belly = len(leg.axis)
    hip = np.array(
        [np.median(leg.axis[int(0.6 * belly) : int(0.85 * belly) + 1, 0]), trunk.at(0, _HIP), leg.axis[-1, 2]]
    )
    low, high = int(0.3 * belly), max(int(0.8 * belly), int(0.3 * belly) + 1)
    away = leg.back[low:high] - np.linspace(leg.back[low], leg.back[high - 1], high - low)
    sure = max(np.interp(-away.min() / belly, _HOCK, (0.0, 1.0)), np.interp(leg.shank / belly, _STOUT, (1.0, 0.0)))
    bent = np.clip((low + int(np.argmin(away))) / max(belly, 1), 0.4, 0.75)
    height = int((_ANKLE + sure * (bent - _ANKLE)) * (belly - 1))
    hock = leg.axis[height].copy()
    hock[2] += sure * (leg.back[height] + 0.25 * (leg.front[height] - leg.back[height]) - hock[2])
    knee = hip + _KNEE * (hock - hip)
    knee[1] = _COLUMN * hip[1] + sure * (0.5 * (knee[1] + _STIFLE * belly) - _COLUMN * hip[1])
    row = int(np.clip(knee[1], 0, belly - 1))
    knee[2] = leg.back[row] + (0.5 + sure * (_KNEE_AHEAD - 0.5)) * (leg.front[row] - leg.back[row])
    ball = leg.paw.copy()
    tip = np.array([ball[0], 0.0, leg.voxels[leg.voxels[:, 1] <= 0.2 * belly, 2].max(initial=ball[2])])
    return {"thigh": hip, "shin": knee, "foot": hock, "toe": ball, "toe_tip": tip}
