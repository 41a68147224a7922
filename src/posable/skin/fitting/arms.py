"""The arms of a two-legged figure: limbs that reach far from the trunk, or that hang against it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.chain import Tube, tube_from
from posable.skin.fitting.upright_voxels import Voxels
from posable.skin.solid import Indices, Ways
from posable.spatial import Array

_ELBOW, _WRIST = 0.48, 0.71  # of the distance from shoulder to wrist; from shoulder to fingertip
_TRUNK = 2.0  # times the arm's section: what is smaller where the arm opens is a sleeve or the shoulder's muscle
_FOREARM, _FINGERS = np.linspace(0.35, 0.5, 11), np.linspace(0.9, 1.0, 11)  # of the same: where no wrist is
_HANGING = 0.5  # likelihood of an arm under which one that lies against the body is looked for
_RATHER = 0.2  # likelihood of an arm that stands off, from which on none hangs
_SURE = 0.8  # likelihood of an arm from which on no other is tried
_BEGINS = 0.5  # of what is over the crotch: where arms begin
_UPPER_ARM, _UNDER = (
    (0.5, 2.0),
    2.0,
)  # of a forearm's length; times an arm's thickness: elbows lie so near the upper arm
_ASTRAY = 0.75  # the cosine to the upper arm from which on a forearm goes on as that does
_LOW_CROTCH, _LOWER = (
    (0.2, 0.45),
    (0.3, _BEGINS),
)  # crotch, of the height: where that is low, arms begin down from there


@dataclass
class Arm:
    """A candidate for the left arm, and how likely it is one: 0 … 1."""

    tube: Tube
    likelihood: float


def arm_of(half: Voxels, crotch: int, leg: Voxels, tips: int = 4) -> Arm | None:
    """The most likely arm among the limbs that reach farthest from the middle of the trunk.

    crotch: how high that is. leg: the voxels of the leg, which is none.
    """
    ways = Ways(half)
    across, up = ways.voxels[:, 0], ways.voxels[:, 1]
    sources = np.flatnonzero((across == 0) & (up >= crotch))
    if not len(sources):
        return None
    far = ways.from_any(sources)
    free = np.isfinite(far) & ~leg[tuple(ways.voxels.T)]
    found: list[Arm] = []
    for _ in range(tips):
        if not free.any():
            break
        tip = int(np.flatnonzero(free)[np.argmax(far[free])])
        tube = tube_from(ways, tip, sources, 1.5 * far[tip] + 4)
        if tube is None:
            break
        found.append(Arm(tube, _arm_likelihood(tube, crotch, half.shape[1])))
        if tube.held and found[-1].likelihood < _SURE:  # a forearm that stands across its upper arm looks held too
            whole = tube_from(ways, tip, sources, 1.5 * far[tip] + 4, holds=False)
            found += [Arm(whole, _arm_likelihood(whole, crotch, half.shape[1]))] if whole is not None else []
        if found[-1].likelihood > _SURE:
            break
        free &= ~tube.voxels & (_apart(ways.voxels, tip) > 0.3 * far[tip])
    best = max(found, key=lambda arm: arm.likelihood, default=None)
    return best if best is not None and best.likelihood > _SURE else _or_hanging(best, half, crotch)


def _or_hanging(best: Arm | None, half: Voxels, crotch: int) -> Arm | None:
    """The arm, or the one that lies against the body, or what both are together."""
    hanging = _hanging(half, crotch)
    if best is None or hanging is None:
        return best or hanging
    bent = _bent(best.tube, hanging.tube)
    if bent is not None:
        return max(best, Arm(bent, _arm_likelihood(bent, crotch, half.shape[1])), key=lambda arm: arm.likelihood)
    if best.likelihood >= _HANGING or hanging.likelihood <= best.likelihood:
        return best
    if _stands_off(best, hanging, half):
        return Arm(best.tube, hanging.likelihood)  # both say that there is one, and this one where
    return hanging


def _bent(forearm: Tube, hanging: Tube) -> Tube | None:
    """A forearm that stands off, up to its elbow and on along the upper arm, which hangs against the body; None where
    it begins elsewhere, or goes on as what hangs does.
    """
    tip, elbow, shoulder = forearm.centers[0], forearm.centers[forearm.opening], hanging.centers[-1]
    over = hanging.centers[:, 1] > elbow[1] + 2 * forearm.radius  # lower down the forearm is part of what hangs
    upper, lower = hanging.centers[over], elbow - tip
    if not over.any() or (shoulder - elbow) @ lower > _ASTRAY * np.linalg.norm(shoulder - elbow) * np.linalg.norm(
        lower
    ):
        return None
    up, long = float(shoulder[1] - elbow[1]), float(np.linalg.norm(lower))
    near = (np.abs(upper[0] - elbow)[[0, 2]] < _UNDER * hanging.radius).all()
    if not near or not _UPPER_ARM[0] * long < up < _UPPER_ARM[1] * long:
        return None
    first = forearm.opening
    centers = np.r_[forearm.centers[:first], upper]
    along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(centers, axis=0), axis=1))] + forearm.along[0]
    areas = np.r_[forearm.areas[:first], np.full(len(upper), forearm.girth)]
    inside = forearm.voxels | hanging.voxels
    return replace(forearm, along=along, centers=centers, areas=areas, opening=len(along) - 1, voxels=inside)


def _stands_off(arm: Arm, hanging: Arm, half: Voxels) -> bool:
    """Whether a limb that is rather like an arm reaches aside, as far as what would hang and no higher than its top."""
    band = np.argwhere(half)[hanging.tube.voxels]
    tip, root = arm.tube.centers[0], arm.tube.centers[arm.tube.opening]
    aside = tip[0] - root[0] > np.linalg.norm((tip - root)[1:])
    return bool(aside and arm.likelihood > _RATHER and tip[0] > 0.9 * band[:, 0].max() and tip[1] <= band[:, 1].max())


def _hanging(half: Voxels, crotch: int) -> Arm | None:
    """An arm that lies against the body: the outermost part of it from the shoulder's top down to the hand.

    Its likelihood is how much of it is set off from the body by a gap or a groove.
    """
    height = half.shape[1]
    wide = _outermost(half)
    heights = np.arange(int(crotch + 0.35 * (height - crotch)), int(0.96 * height))
    if len(heights) < 5:
        return None
    above = np.maximum.accumulate(wide[::-1])[::-1][heights]
    below = np.array([wide[max(int(0.7 * y), 0) : y + 1].max() for y in heights])
    neck = int(heights[np.argmin(wide[heights] / np.maximum(np.minimum(above, below), 1))])
    broad = float(np.percentile(wide[int(0.65 * neck) : neck], 80))
    top = neck
    while top > crotch and wide[top] < 0.85 * broad:
        top -= 1
    end = max(int(top - 0.45 * neck), 2)
    rows = np.arange(top - 1, end, -1)
    rows = rows[np.logical_and.accumulate(wide[rows] >= 0.75 * broad)]
    if len(rows) < 0.2 * neck or broad < 4:
        return None
    return _arm_down(half, rows, wide, broad, height)


def _outermost(half: Voxels) -> Array:
    """`[up]`: how far the figure reaches to the side at each height."""
    across: Voxels = np.any(half, axis=2)
    return np.max(np.arange(1, len(across) + 1)[:, None] * across, axis=0).astype(float)


def _arm_down(half: Voxels, rows: Indices, wide: Array, broad: float, height: int) -> Arm:
    """The band of the outermost voxels at `rows`, from the shoulder down."""
    inner, clear = [], 0
    for y in rows:
        deep = half[:, y].sum(axis=1).astype(float)
        first, last = int(0.35 * wide[y]), int(wide[y])
        dip = first + int(np.argmin(deep[first : max(last - 2, first + 1)]))
        if deep[dip] < 0.8 * min(deep[dip:last].max(initial=0.0), deep[: dip + 1].max()):
            inner.append(last - dip)
            clear += 1
    thick = float(np.clip(np.median(inner) if inner else 0.0, 0.28 * broad, 0.45 * broad))
    band = np.zeros_like(half)
    centers, areas = [], []
    for y in rows:
        first = max(int(wide[y] - thick), 0)
        band[first:, y] = half[first:, y]
        own = np.argwhere(band[:, y])
        centers.append((own[:, 0].mean(), y, own[:, 1].mean()))
        areas.append(len(own))
    line, sizes = np.array(centers[::-1]), np.array(areas[::-1], float)
    along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    girth = float(np.pi * (thick / 2) ** 2)
    tube = Tube(along, line, sizes, len(line) - 1, girth, 1.0, band[half])
    length = float(np.exp(-0.5 * (np.log(along[-1] / height / 0.33) / 0.5) ** 2))
    return Arm(tube, length * (0.25 + 0.45 * clear / len(rows)))


def _apart(voxels: Indices, one: int) -> Array:
    return np.linalg.norm(voxels - voxels[one], axis=1)


def _arm_likelihood(tube: Tube, crotch: int, height: int) -> float:
    """By its slenderness, its length, where it begins, how it rises (ears do) and how flat it is (brims are)."""
    root, tip = tube.centers[tube.opening], tube.centers[0]
    reach = float(tube.along[tube.opening]) / height
    rise = np.degrees(np.arctan2(tip[1] - root[1], np.hypot(tip[0] - root[0], tip[2] - root[2])))
    begins = (root[1] - crotch) / max(height - crotch, 1)
    low = float(np.interp(crotch / height, _LOW_CROTCH, _LOWER))
    slender = 1 / (1 + np.exp(-(tube.slenderness - 3.0) / 0.5))
    parts = (
        (np.log(max(reach, 1e-3) / 0.35), 0.6),
        (begins - np.clip(begins, low, _BEGINS), 0.3),
        (max(rise - 10, 0.0), 30.0),
    )
    return float(slender * tube.roundness * np.exp(-0.5 * sum((value / spread) ** 2 for value, spread in parts)))


def arm_points(arm: Arm, half: Voxels) -> Places:
    """Shoulder, elbow, wrist and fingertip of the left arm."""
    tube = arm.tube
    way, inward = float(tube.along[tube.opening]), _sleeve(arm.tube) + 0.5 * tube.radius
    shoulder = tube.at(way - 1) + inward * tube.direction()
    raised = _raised(shoulder, tube, half)
    total = way + inward + float(np.linalg.norm(raised - shoulder))
    line = replace(
        tube,
        along=np.r_[tube.along[: tube.opening], total],
        areas=np.r_[tube.areas[: tube.opening], tube.girth],
        centers=np.r_[tube.centers[: tube.opening], [raised]],
    )
    wrist = _wrist(line, total)
    return {
        "upper_arm": raised,
        "forearm": line.at(total * (1 - _elbow(line, total, wrist))),
        "hand": line.at(total * (1 - wrist)),
        "hand_tip": tube.centers[0],
    }


def _sleeve(tube: Tube) -> float:
    """How far past its opening the section is not much larger than the arm's: there a short sleeve is, or a shoulder
    wider than the slender arm.
    """
    small = np.flatnonzero(tube.areas <= _TRUNK * tube.girth)
    return max(float(tube.along[small[-1]] - tube.along[tube.opening]), 0.0) if len(small) else 0.0


def arms_unseen(height: int, trunk: Places) -> Places:
    """The arms of a person who stands with arms half down."""
    shoulder = trunk["neck"] + np.array([0.10, -0.035, 0.0]) * height
    along = np.array([0.7, -0.7, 0.05]) * height
    names = {"upper_arm": 0.0, "forearm": 0.17, "hand": 0.31, "hand_tip": 0.41}
    return {name: shoulder + way * along for name, way in names.items()}


def clavicle(points: Places) -> Array:
    """Where the collar bone begins, for the shoulder."""
    shoulder = points["upper_arm"]
    return shoulder * (0.15, 1, 1) + np.array([0.0, 0.05, 0.3]) * shoulder[0]


def _raised(shoulder: Array, tube: Tube, half: Voxels) -> Array:
    """The shoulder of an arm that hangs: not in the armpit, where it opens, but under the top of the shoulder."""
    up = tube.direction()
    hangs = float(np.clip((up[1] - 0.5) / 0.3, 0, 1))
    across = int(np.clip(round(shoulder[0]), 0, len(half) - 1))
    deep = slice(max(int(shoulder[2] - tube.radius), 0), int(shoulder[2] + tube.radius) + 1)
    column = np.flatnonzero(np.any(half[across, :, deep], axis=1))
    column = column[column >= shoulder[1] - 1]
    if not len(column) or not hangs:
        return shoulder
    gaps = np.flatnonzero(np.diff(column) > 1)
    top = float(column[gaps[0]] if len(gaps) else column[-1])
    rise = np.clip(top - 1.1 * tube.radius - shoulder[1], 0, 4 * tube.radius) * hangs
    return shoulder + rise * np.array([np.clip(up[0] / max(up[1], 0.3), -0.3, 0.3), 1, np.clip(up[2], -0.3, 0.3)])


def _elbow(tube: Tube, total: float, wrist: float) -> float:
    """The fraction from shoulder to fingertip at which a bent line follows the arm best, near where elbows are."""
    fractions = wrist * np.linspace(_ELBOW - 0.24, _ELBOW + 0.2, 35)
    along = np.linspace(0.0, wrist, 40)
    line = np.array([tube.at(total * (1 - f)) for f in along])
    cost = 0.5 * ((fractions / wrist - _ELBOW) / 0.07) ** 2
    for k, fraction in enumerate(fractions):
        knots = np.array([line[0], tube.at(total * (1 - fraction)), line[-1]])
        bent = np.array([np.interp(along, [0.0, fraction, wrist], knots[:, axis]) for axis in range(3)]).T
        off = np.linalg.norm(line - bent, axis=1)
        cost[k] += 0.5 * float(np.mean(off**2)) / max(0.01 * total, 0.5) ** 2
    return float(fractions[int(np.argmin(cost))])


def _wrist(tube: Tube, total: float) -> float:
    """The fraction at which the arm is thin between a thicker hand and a thicker forearm, near where wrists are."""
    fractions = np.linspace(0.5, 0.9, 41)
    areas = np.array([np.interp(total * (1 - f), tube.along, tube.areas) for f in fractions])
    tip, lower = (np.interp(total * (1 - f), tube.along, tube.areas) for f in (_FINGERS, _FOREARM))
    hand = np.maximum(np.maximum.accumulate(areas[::-1])[::-1], np.max(tip))
    forearm = np.maximum.accumulate(np.maximum(areas, np.max(lower)))
    thin = np.clip(areas / np.minimum(hand, forearm), 0.3, 1.0)
    cost = 0.5 * ((fractions - _WRIST) / 0.085) ** 2 + 2 * np.log(thin)
    return float(fractions[int(np.argmin(cost))])
