"""Where the joints of a four-legged figure are: from its legs, the belly between them, and what is ahead of them.

Proportions are means over the dogs, cats, horses and cattle of anatomy books, loose as animals differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.skin.solid import NEIGHBOURS, Ways, middle_line
from posable.spatial import Array

_BELLY = 0.42  # of the height, ears included
_HIP, _ROOT, _ROOT_BACK = 0.40, 0.68, 0.06  # of the distance from belly to back
_SHOULDER, _NECK_ROOT, _SAG = 0.27, 0.50, 0.05  # likewise; how much lower than the neck's root the chest is
_STEEP, _STEEPEST = 0.2, 1.2  # nearer to the back a neck leaves the trunk that rises more, for how far it is ahead
_NECK = 0.7  # of the distance from the shoulders to the front of the fore legs
_FLESH = 0.42  # of the back's height: what of a chest is deeper hangs on the bones, and moves no joint
_NEAR, _BETWEEN = (
    2,
    0.25,
)  # voxels beside the mirror plane; of the distance between the legs, where the trunk is looked at
_LEAST_BELLY, _MOST_BELLY = 0.8, 1.4  # times the height of the belly in the middle that it may have beside the legs
_FEET, _ELBOW = (1.25, 1.7), (0.58, 0.90)  # how long feet are, in depths of the shank; of the belly's height
_WRIST, _ELBOW_BACK = 0.20, 0.02  # of the belly's height; of the height, behind the leg's middle
_ELBOWS, _ELBOW_SPREAD = (0.4, 1.0), 0.12  # of the belly's height: where elbows are, and how far they are off the usual
_BENT = 0.025  # of the belly's height: how far a leg's middle may well be off the line through its joints
_HOCK, _STOUT = (0.03, 0.05), (0.26, 0.36)  # of the belly's height: bulges of hocks; depths of shanks that are columns
_ANKLE, _COLUMN = 0.28, 0.5  # of columns: the ankle, of the belly's height; the knee, of the hip's
_KNEE_AHEAD = 0.76  # of the distance from the back of the thigh to its front
_KNEE, _STIFLE = 0.51, 0.93  # of the distance down from hip to hock; of the belly's height: the mean of both
_SPINE, _CHEST = 0.2, 0.57  # of the distance from hips to shoulders
_THIGH, _LONG_THIGH = 3.0, 0.32  # times a shank's depth, or of the distance between the legs, that a thigh may have
_BEYOND = 0.12  # of the height: what is farther from the legs is head and neck, or tail
_CONFLICT, _TORN = 0.1, 0.2  # how much thicker the end behind may be; the factor on being sure where it is more
_SNOUT = 2.0  # times how far ahead a part of the head is, against how far it is from the neck's root
_INNER = 0.25  # of how far out a leg is: what is nearer to the mirror plane is none
_MIDDLE = 0.04  # of a leg's voxels at most lie on the mirror plane
_LEAST = 20  # voxels of a head or a tail
_EAR, _WITHOUT_EARS = 0.12, 0.85  # of the trunk's thickness: thinner are ears; of neck and head: what else there is
_HEAD, _SKULL = 0.57, 0.58  # of the distance from the neck to the snout; of the trunk's thickness, a head's length
_SLENDER, _DEEP = 0.30, 0.42  # of the height: trunks in which hips and shoulders are sure, and in which they are not


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

        ahead: 1 where the trunk is ahead of the leg, -1 where it is behind. apart: how far the legs are from each other.
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
        """The height at a share of the way from belly to back; end: 0 over the hind legs, 1 over the fore legs."""
        deep = self.high[end] - self.low[end]
        return self.low[end] + share * (min(deep, _FLESH * self.high[end]) if end else deep)


def find_quadruped(stage: Stage) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    belly = _belly(half)
    legs = _legs(half, belly)
    trunk = _trunk_over(half, legs, belly)
    legs = [_grown(half, leg, legs, round(low)) for leg, low in zip(legs, trunk.low, strict=False)]
    apart = legs[-1].ahead - legs[0].ahead
    legs = [legs[0].narrowed(1.0, apart), *(leg.narrowed(-1.0, 0.0) for leg in legs[1:])]
    fore, hind = legs[-1], legs[0]
    places = _fore_leg(fore, trunk) | _hind_leg(hind, trunk)
    places |= _trunk(half, places, trunk, fore.front[-1])
    places |= _tail(half, np.array([0.0, places["root"][1], hind.back[-1]]), belly, trunk.thick)
    for name in QUADRUPED.sides:
        places[name] = places[name] + (stage.half_offset, 0.0, 0.0)
    neck = float(np.linalg.norm(places["head_tip"] - places["neck"])) / half.shape[1]
    back = max(trunk.high)
    return places, _evidence(legs, belly, trunk.thick, half.shape[1], neck), _ahead(half, legs, back)


def _trunk_over(half: Voxels, legs: list[Leg], belly: int) -> Trunk:
    """Belly and back ahead of the hind legs, and behind the fore legs, on the mirror plane."""
    filled = half[:_NEAR].any(axis=0)
    filled[: int(_LEAST_BELLY * belly)] = False
    hind, fore = legs[0].ahead, legs[-1].ahead
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


def _grown(half: Voxels, leg: Leg, legs: list[Leg], belly: int) -> Leg:
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


def _belly(half: Voxels) -> int:
    """The height from which on the mirror plane is filled over much of the figure's length."""
    height, length = half.shape[1:]
    filled = half[0].sum(axis=1) >= 0.3 * length
    run = max(2, height // 25)
    rows = [y for y in range(max(2, height // 20), height - run) if filled[y : y + run].all()]
    return rows[0] if rows else max(int(_BELLY * height), 2)


def _legs(half: Voxels, belly: int) -> list[Leg]:
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


def _fore_leg(leg: Leg, trunk: Trunk) -> Places:
    count = len(leg.axis)
    top = leg.axis[int(0.85 * count) :].mean(axis=0)
    wrist = leg.axis[int(_WRIST * (count - 1))]
    tip = np.array([leg.paw[0], 0.0, leg.voxels[leg.voxels[:, 1] <= 0.2 * count, 2].max(initial=leg.paw[2])])
    shoulder = np.array([top[0], trunk.at(1, _SHOULDER), top[2]])
    usual = _usual_elbow(leg)
    back = np.interp(
        usual, _ELBOW, (0.0, _ELBOW_BACK * count / _BELLY)
    )  # the joint of a leg's middle does not point back
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


def _hind_leg(leg: Leg, trunk: Trunk) -> Places:
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


def _trunk(half: Voxels, legs: Places, trunk: Trunk, breast: float) -> Places:
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
    """Without what is nowhere as thick as so many voxels' radius: ears, horns, antlers and hair; all of it where that is
    more than they may be, as a slender neck is.
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


def _tail(half: Voxels, start: Array, belly: int, thick: float) -> Places:
    """Along what lies behind the hind legs, where `start` is, if it is long enough for a tail."""
    region = half.copy()
    region[:, :, max(int(start[2]), 0) :] = False
    region[:, : int(0.3 * belly)] = False
    line = _line(region, start)
    if line is None or np.linalg.norm(line[-1] - line[0]) < 0.5 * thick:
        return {}
    return {name: _on(line, share) for name, share in zip(_TAIL, (0.0, 0.33, 0.67, 1.0), strict=True)}


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


def _ahead(half: Voxels, legs: list[Leg], back: float) -> float:
    """How surely it looks ahead: paws point there, hocks do not, the head rises over the back, has more room than a
    tail, and is thicker. Where what is thicker is behind, nothing is sure.
    """
    height = half.shape[1]
    paws = np.mean([leg.paw[2] - leg.axis[len(leg.axis) // 3, 2] for leg in legs]) / height
    over = half[:, int(min(back + 0.04 * height, height - 1)) :].sum(axis=(0, 1))
    middle = int((legs[0].ahead + legs[-1].ahead) / 2)
    hocks = (legs[0].knuckle[0] - legs[-1].knuckle[1]) / height
    low = int(0.5 * len(legs[0].axis))
    ends = (
        half[:, low:, int(legs[-1].ahead + _BEYOND * height) :],
        half[:, low:, : max(int(legs[0].ahead - _BEYOND * height), 0)],
    )
    parts = (
        (paws / 0.04, 1.0),
        (hocks / 0.03, 0.5),
        (_more(float(over[middle:].sum()), float(over[:middle].sum())), 1.0),
        (_more(float(ends[0].sum()), float(ends[1].sum())), 0.75),
        (_more(_thickness(ends[0][:, :, ::-1]), _thickness(ends[1])) / 0.25, 1.0),
    )
    sure = float(sum(weight * np.clip(part, -1, 1) for part, weight in parts)) / 2
    return sure if sure * parts[-1][0] > -_CONFLICT * abs(sure) else _TORN * sure


def _thickness(end: Voxels) -> float:
    """The radius of the thickest part in the outer half of an end, of which the first slices ahead are the outermost;
    in voxels.
    """
    from scipy.ndimage import distance_transform_edt

    used = np.flatnonzero(end.any(axis=(0, 1)))
    if not len(used):
        return 0.0
    outer = end[:, :, used[0] : used[len(used) // 2] + 1]
    both = np.pad(np.concatenate([outer[::-1], outer]), ((1, 1), (1, 1), (1, 0)))
    found: Any = distance_transform_edt(both)
    return float(found.max())


def _more(one: float, other: float) -> float:
    return (one - other) / max(one + other, 1.0)


def _evidence(legs: list[Leg], belly: int, thick: float, height: int, neck: float) -> list[Evidence]:
    long = (legs[-1].ahead - legs[0].ahead) / height
    share = belly / height
    return [
        Evidence(
            "fewer than four legs are seen; the others are a guess",
            float(len(legs) > 1),
            0.1,
            ("upper_arm", "hand", "thigh", "foot"),
        ),
        Evidence(
            f"the belly is at {share:.0%} of the height, which is unusual",
            float(np.exp(-0.5 * (np.log(share / _BELLY) / 0.8) ** 2)),
            0.2,
        ),
        Evidence(
            "the legs stand close to one another, or far apart, for the figure's height",
            float(np.exp(-0.5 * (np.log(max(long, 1e-3) / 0.6) / 0.6) ** 2)),
            0.2,
            ("upper_arm", "thigh"),
        ),
        Evidence(  # hips, shoulders and neck are not seen in it but placed by shares of it, so they are off with it
            "the trunk is deep for the figure's height: hips, shoulders and neck in it are less sure",
            (_DEEP - thick / height) / (_DEEP - _SLENDER),
            0.8,
            ("root", "thigh", "upper_arm", "neck"),
        ),
        Evidence("neck and head are long for two joints", 1 - max(neck - 0.9, 0.0) / 0.3, 0.5, ("neck", "head")),
    ]


def _joints(body: limbs.Body) -> list[Joint]:
    sides = [[*limbs.fore_leg(body, side), *limbs.hind_leg(body, side)] for side in "lr"]
    return [*limbs.long_trunk(body, _TAIL), *sides[0], *sides[1]]


_TAIL = ("tail_1", "tail_2", "tail_3", "tail_tip")
QUADRUPED = Template(
    find_quadruped,
    ("root", "spine", "chest", "neck", "head", "head_tip", *_TAIL),
    ("upper_arm", "forearm", "hand", "hand_tip", "thigh", "shin", "foot", "toe", "toe_tip"),
    (
        ("root", "spine", "chest", "neck", "head", "head_tip"),
        ("root", *_TAIL),
        ("upper_arm", "forearm", "hand", "hand_tip"),
        ("thigh", "shin", "foot", "toe", "toe_tip"),
    ),
    ("hand", "hand_tip", "toe", "toe_tip"),
    _joints,
    level=("upper_arm", "thigh"),
)
