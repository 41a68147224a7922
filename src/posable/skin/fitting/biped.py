"""Where the joints of a two-legged figure are: from the gap between its legs, its arms and its neck.

What cannot be seen is taken from the proportions of people (Drillis and Contini, "Body segment parameters", 1966).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.arms import Arm, arm_of, arm_points, arms_unseen, clavicle
from posable.skin.fitting.body_parts import FINGER_LINES, FINGER_NAMES, finger_joints, finger_places
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.skin.solid import NEIGHBOURS
from posable.spatial import Array

Points = dict[str, Array]

_CROTCH = 0.47  # of the height, where no gap between the legs is seen
_HIP_ABOVE_CROTCH, _ROOT_ABOVE_CROTCH = 0.42, 0.45  # of a thigh's width
_KNEE, _ANKLE = 0.50, 0.085  # of the distance from hip to ankle; of the hip's height
_HIP, _BIG_HEAD = 0.67, 0.76  # of the shoulders' height; of the height: where lower necks are, legs are shorter
_CROTCH_SURE = 0.45  # of the height: a gap that reaches higher ends at no skirt's hem
_UNDER_HEM = 0.82  # of the hips' height by proportion: what a hem leaves lower is not the crotch
_STEP = 0.5  # how far the shoulders' edge speaks for a neck, where the head is not wider than that
_FALLS = 0.9  # times the section two steps higher: a skirt is as wide at its hem, a pelvis is not
_FLARE, _FLARE_REACH = 3.5, 0.16  # times the leg's section, and of the height over the crotch: so far a skirt swells
_UNDER_FLARE = 0.6  # of the hips' height by proportion: what a skirt of that width leaves lower is not the crotch
_HEM = 1.45  # times the legs' section: from there on what joins them is a skirt
_LEAN = 0.025  # of the height: how far the back is off the line from hips to neck
_DEPTH = 0.12  # of the height, from the shoulders ahead and back: what is farther is carried on the back or in front
_SPINE, _CHEST = 0.20, 0.48  # of the distance from root to neck
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
    crotch = max(above[0] if seen else int(_CROTCH * height), 2)
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
    return Legs(crotch, seen, mask, axis, float(np.median(widths)), broad, hem, flare, ends)


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
    """How much farther the foot reaches ahead of the shin than behind it, over its length: -1 … 1."""
    instep = int(min(_instep(legs), 0.7 * legs.crotch))
    foot = np.argwhere(legs.mask[:, : max(2, int(0.12 * legs.crotch), int(0.6 * instep))])
    if not len(foot):
        return 0.0
    low = max(int(0.14 * legs.crotch), instep)
    shin = float(np.mean(legs.axis[low : low + max(int(0.11 * legs.crotch), 1) + 1, 2]))
    front, back = foot[:, 2].max() - shin, shin - foot[:, 2].min()
    return float((front - back) / max(front + back, 1.0))


def _bent_ahead(points: Points, height: int) -> float:
    """How far the knee stands ahead of the line from hip to ankle, in heights."""
    hip, knee, ankle = (points[name] for name in ("thigh", "shin", "foot"))
    share = (hip[1] - knee[1]) / max(hip[1] - ankle[1], 1.0)
    return float((knee[2] - hip[2] - share * (ankle[2] - hip[2])) / height)


def leg_points(legs: Legs, hip_height: float | None = None) -> Points:
    """Hip, knee, ankle, ball and tip of the left leg."""
    hip_height = legs.crotch + _HIP_ABOVE_CROTCH * legs.width if hip_height is None else hip_height
    hip = _extended(legs, hip_height)
    instep = _instep(legs)
    ankle_height = max(_ANKLE * hip_height, min(0.75 * instep, 0.2 * hip_height))
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
    ahead = float(np.mean(legs.axis[rows, 2]) + slope * (height - np.mean(rows)))
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


def _hip_in_skirt(legs: Legs, trunk: Points, shoulder: Array | None, height: int) -> float:
    """The hips' height where cloth hides them: for the shoulders' height, lower where the head is large."""
    neck = float(trunk["neck"][1])
    shoulders = float(shoulder[1]) if shoulder is not None else 0.95 * neck
    share = _HIP - 0.65 * max(0.0, _BIG_HEAD - neck / height)
    return max(share * shoulders, legs.crotch + _HIP_ABOVE_CROTCH * legs.width)


def _instep(legs: Legs) -> float:
    """How high the foot reaches: from there on the leg is little longer from front to back than at its thinnest."""
    long = legs.mask.any(axis=0).sum(axis=1)[: legs.crotch].astype(float)
    high = max(int(0.6 * legs.crotch), 2)
    sole = int(np.argmax(long[: max(int(0.35 * legs.crotch), 2)]))
    shin = long[sole:high]
    least = float(shin[shin > 0].min(initial=np.inf))
    narrow = np.flatnonzero((shin > 0) & (shin <= 1.25 * least))
    return float(sole + narrow[0]) if len(narrow) else 0.0


def trunk_points(half: Voxels, legs: Legs, shoulder: Array | None, arm: Arm | None, hip: Array) -> tuple[Points, float]:
    """Root, spine, chest, neck, head and the head's top; and how clearly the neck is seen, 0 … 1."""
    height = half.shape[1]
    body = half.copy()
    ahead = shoulder[2] if shoulder is not None else hip[2]
    body[:, :, : max(int(ahead - _DEPTH * height), 0)] = False
    body[:, :, int(ahead + _DEPTH * height) + 1 :] = False
    if arm is not None:
        ways = np.argwhere(half)
        limb = ways[arm.tube.voxels]
        body[tuple(limb.T)] = False
    wide = max(2, round(shoulder[0])) if shoulder is not None else max(2, int(0.12 * height))
    slices = body[:wide].sum(axis=(0, 2)).astype(float)
    shoulders = shoulder[1] if shoulder is not None else legs.crotch + 0.62 * (height - legs.crotch)
    neck_height, clear = _neck(slices, float(shoulders), height)
    root = hip[1] + (_ROOT_ABOVE_CROTCH - _HIP_ABOVE_CROTCH) * legs.width
    chin = neck_height + 0.07 * (height - neck_height)
    levels = {
        "root": root,
        "spine": root + _SPINE * (neck_height - root),
        "chest": root + _CHEST * (neck_height - root),
        "neck": chin - 0.022 * height,
        "head": min(chin + 0.015 * height, 0.5 * (neck_height + height)),
    }
    deep = _depths(body[: max(2, wide // 2)])
    thinnest = float(np.mean(deep[int(max(neck_height - 0.04 * height, 0)) : int(neck_height) + 1]))
    if shoulder is not None:
        thinnest = float(np.clip(thinnest, shoulder[2] - _LEAN * height, shoulder[2] + _LEAN * height))
    depths = {"neck": thinnest, "head": thinnest}
    for name in ("root", "spine", "chest"):
        share = (levels[name] - hip[1]) / max(levels["neck"] - hip[1], 1.0)
        line = hip[2] + share * (thinnest - hip[2])
        depths[name] = float(
            np.clip(deep[int(np.clip(levels[name], 0, height - 1))], line - _LEAN * height, line + _LEAN * height)
        )
    top = float(np.flatnonzero(body[:2].any(axis=(0, 2)))[-1]) if body[:2].any() else height - 1.0
    levels["head_tip"] = max(top, levels["head"] + 1) + 0.5
    places = {name: (0.0, y, depths.get(name, deep[int(np.clip(y, 0, height - 1))])) for name, y in levels.items()}
    return {name: np.array(place) for name, place in places.items()}, clear


def _neck(slices: Array, shoulders: float, height: int) -> tuple[float, float]:
    """(height of the thinnest section above the shoulders, how much thinner it is than head and chest: 0 … 1)."""
    heights = np.arange(int(max(shoulders - 0.03 * height, 1)), int(min(shoulders + 0.22 * height, 0.97 * height)))
    if not len(heights):  # nothing is over the shoulders
        return float(min(shoulders, height - 1.0)), 0.0
    below = max(float(slices[int(0.5 * shoulders) : int(shoulders) + 1].max(initial=1.0)), 1.0)
    above = np.maximum.accumulate(slices[::-1])[::-1]
    thin = slices[heights] / np.maximum(np.minimum(below, above[heights]), 1.0)
    cost = 0.5 * ((heights - shoulders - 0.05 * height) / (0.035 * height)) ** 2 + 4 * thin
    best = int(np.argmin(cost))
    step = _STEP * (1 - slices[heights[best]] / below)  # a neck as wide as its head is seen by the shoulders alone
    return float(heights[best]), float(np.clip(max(1 - thin[best], step), 0, 1))


def _depths(body: Voxels) -> Array:
    """`[up]`: the middle of the trunk from front to back at each height, smoothed over what is near."""
    from scipy.ndimage import gaussian_filter1d

    weight = body.sum(axis=(0, 2)).astype(float)
    ahead = (body.sum(axis=0) * np.arange(body.shape[2])).sum(axis=1)
    wide = 0.01 * body.shape[1]
    return gaussian_filter1d(ahead, wide, mode="nearest") / np.maximum(
        gaussian_filter1d(weight, wide, mode="nearest"), 1e-9
    )


def find_biped(stage: Stage) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    height = stage.height
    legs = legs_of(half)
    arm = arm_of(half, legs.crotch, legs.mask)
    points = arm_points(arm, half) if arm is not None else {}
    points |= leg_points(legs)
    trunk, clear = trunk_points(half, legs, points.get("upper_arm"), arm, points["thigh"])
    hidden = _hip_in_skirt(legs, trunk, points.get("upper_arm"), height)
    low = points["thigh"][1] / hidden
    if (legs.hem and low < _UNDER_HEM) or (legs.broad and legs.flare > _FLARE and low < _UNDER_FLARE):
        points |= leg_points(legs, hidden)
        trunk, clear = trunk_points(half, legs, points.get("upper_arm"), arm, points["thigh"])
    if arm is None:
        points |= arms_unseen(height, trunk)
    points |= trunk
    points["clavicle"] = clavicle(points)
    for name in BIPED.sides:
        points[name] = points[name] + (stage.half_offset, 0.0, 0.0)
    return points, _evidence(legs, arm, clear, height), _ahead(half, legs, points)


def _ahead(half: Voxels, legs: Legs, points: Points) -> float:
    """How surely it looks ahead: by its feet, by its hands, and by its face, which is ahead of the neck."""
    height = half.shape[1]
    head = np.argwhere(half[:, int(points["head"][1]) :])
    face = (head[:, 2].mean() - points["neck"][2]) / height if len(head) else 0.0
    hands = (points["hand"][2] - points["upper_arm"][2]) / height
    knees = _bent_ahead(points, height)
    parts = (
        (ahead_of(legs), 0.0, 0.3, 1.0),
        (knees, 0.03, 0.06, 0.6),
        (hands, 0.03, 0.06, 0.4),
        (face, 0.008, 0.015, 0.5),
    )
    return float(sum(weight * np.sign(x) * np.clip(abs(x) / full - low / full, 0, 1) for x, low, full, weight in parts))


def _evidence(legs: Legs, arm: Arm | None, clear: float, height: int) -> list[Evidence]:
    share = legs.crotch / height
    return [
        Evidence(
            "no gap is seen between the legs; hips and knees stand where a person's are",
            1.0 if legs.seen else 0.0,
            0.35,
            ("thigh", "shin"),
        ),
        Evidence(
            f"the legs are {share:.0%} of the height, which is unusual",
            float(np.exp(-0.5 * (np.log(share / _CROTCH) / 1.5) ** 2)),
            0.4,
            ("thigh",),
        ),
        Evidence(
            "no arms are seen that stand off the body; they are placed by a person's proportions",
            arm.likelihood if arm else 0.0,
            0.05,
            ("upper_arm", "forearm", "hand"),
        ),
        Evidence("head and trunk are one: the neck is a guess", min(1.0, clear / 0.4), 0.6, ("neck", "head")),
        Evidence("a skirt or coat hides the hips", 0.45 if legs.broad else 1.0, 0.85, ("thigh", "shin")),
    ]


def _joints(body: limbs.Body) -> list[Joint]:
    left, right = ([*limbs.arm(body, side), *limbs.leg(body, side)] for side in "lr")
    return [*limbs.trunk(body), *left, *right]


BIPED = Template(
    find_biped,
    ("root", "spine", "chest", "neck", "head", "head_tip"),
    ("clavicle", "upper_arm", "forearm", "hand", "hand_tip", "thigh", "shin", "foot", "toe", "toe_tip"),
    (
        ("root", "spine", "chest", "neck", "head", "head_tip"),
        ("upper_arm", "forearm", "hand", "hand_tip"),
        ("thigh", "shin", "foot", "toe", "toe_tip"),
    ),
    ("foot", "toe", "toe_tip"),
    _joints,
    True,
)


def find_fingered(stage: Stage) -> Found:
    """As `find_biped`, with fingers."""
    points, evidence, ahead = find_biped(stage)
    off = np.array([stage.half_offset, 0.0, 0.0])
    fingers = finger_places(stage.half, {name: point - off for name, point in points.items()})
    return points | {name: point + off for name, point in fingers.items()}, evidence, ahead


def _fingered_joints(body: limbs.Body) -> list[Joint]:
    sides = [[*limbs.arm(body, side, tip=False), *finger_joints(body, side), *limbs.leg(body, side)] for side in "lr"]
    return [*limbs.trunk(body), *sides[0], *sides[1]]


FINGERED = Template(
    find_fingered,
    BIPED.middle,
    (*BIPED.sides, *FINGER_NAMES),
    (*BIPED.lines, *FINGER_LINES),
    BIPED.standing,
    _fingered_joints,
    True,
)
