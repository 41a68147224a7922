"""Where the joints of a two-legged figure are: from the gap between its legs, its arms and its neck.

What cannot be seen is taken from the proportions of people (Drillis and Contini, "Body segment parameters", 1966).
"""

from __future__ import annotations

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.arms import Arm, arm_of, arm_points, arms_unseen, clavicle
from posable.skin.fitting.body_parts import FINGER_LINES, FINGER_NAMES, finger_joints, finger_places
from posable.skin.fitting.legs import CROTCH, HIP_ABOVE_CROTCH, Legs, ahead_of, foot_seen, leg_points, legs_of
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.spatial import Array

Points = dict[str, Array]

_HIP, _BIG_HEAD = 0.67, 0.76  # of the shoulders' height; of the height: where lower necks are, legs are shorter
_LEGS = 1.8  # spread of the share that legs have of the height, as its logarithm: cartoon figures have a quarter
_STUMPS = 0.7  # of the height: heads that begin lower stand on legs without feet as often as not
_UNDER_HEM = 0.82  # of the hips' height by proportion: what a hem leaves lower is not the crotch
_STEP = 0.5  # how far the shoulders' edge speaks for a neck, where the head is not wider than that
_FLARE = 3.5  # times the leg's section: what swells so far over the crotch is a skirt
_UNDER_FLARE = 0.6  # of the hips' height by proportion: what a skirt of that width leaves lower is not the crotch
_LEAN = 0.025  # of the height: how far the back is off the line from hips to neck
_DEPTH = 0.12  # of the height, from the shoulders ahead and back: what is farther is carried on the back or in front
_SPINE, _CHEST = 0.20, 0.48  # of the distance from root to neck


def _bent_ahead(points: Points, height: int) -> float:
    """How far the knee stands ahead of the line from hip to ankle, in heights."""
    hip, knee, ankle = (points[name] for name in ("thigh", "shin", "foot"))
    share = (hip[1] - knee[1]) / max(hip[1] - ankle[1], 1.0)
    return float((knee[2] - hip[2] - share * (ankle[2] - hip[2])) / height)


def _hip_in_skirt(legs: Legs, trunk: Points, shoulder: Array | None, height: int) -> float:
    """The hips' height where nothing of them is seen: for the shoulders' height, lower where the head is large."""
    neck = float(trunk["neck"][1])
    shoulders = float(shoulder[1]) if shoulder is not None else 0.95 * neck
    share = _HIP - 0.65 * max(0.0, _BIG_HEAD - neck / height)
    least = legs.crotch + HIP_ABOVE_CROTCH * legs.width if legs.seen else 0.0
    return max(share * shoulders, least)


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
    root = hip[1]  # as often over the hip joints as under them, in artists' figures
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
    if not legs.seen or (legs.hem and low < _UNDER_HEM) or (legs.broad and legs.flare > _FLARE and low < _UNDER_FLARE):
        points |= leg_points(legs, hidden)
        trunk, clear = trunk_points(half, legs, points.get("upper_arm"), arm, points["thigh"])
    if arm is None:
        points |= arms_unseen(height, trunk)
    points |= trunk
    points["clavicle"] = clavicle(points)
    for name in BIPED.sides:
        points[name] = points[name] + (stage.half_offset, 0.0, 0.0)
    evidence = [*_evidence(legs, arm, clear, height), _of_feet(legs, points["neck"][1] / height)]
    return points, evidence, _ahead(half, legs, points)


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
            float(np.exp(-0.5 * (np.log(share / CROTCH) / _LEGS) ** 2)),
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


def _of_feet(legs: Legs, neck: float) -> Evidence:
    """That legs end in feet, where the head is not so large that they may well be stumps. neck: of the height."""
    return Evidence(
        "no foot is seen at the end of the legs; they may be cut off",
        foot_seen(legs) if neck > _STUMPS and legs.seen else 1.0,
        0.6,
        ("foot",),
    )


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
