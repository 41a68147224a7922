"""Where the joints of a bird are: two legs under a trunk that is long from front to back, a neck ahead, a tail behind,
and wings that are spread or lie against the trunk.

Proportions are loose means over the waders, songbirds, ducks and penguins of anatomy books.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.body_parts import LEFT, Places
from posable.skin.fitting.legs import Legs, ahead_of, legs_of
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.skin.solid import NEIGHBOURS, Ways, middle_line
from posable.spatial import Array

_CORE = 0.25  # of the largest section from side to side: where it is smaller, the wing begins
_SPREAD = 1.3  # times the trunk's half width, that wings reach
_WINGS = {"wing_1": 0.0, "wing_2": 0.3, "wing_3": 0.58, "wing_tip": 1.0}  # of the distance from shoulder to tip
_LEADING = 0.7  # of a wing's depth from its rear edge: where its bones are
_SHOULDER, _KNEE = 0.22, 0.25  # of the trunk's length, ahead of its middle; of the distance from ankle to hip, down
_HIP = 0.06  # of the trunk's length, behind its middle
_ANKLE, _LOW = 0.45, 0.12  # of the legs' height; of it, a foot's
_UPRIGHT = 0.1  # the cosine to the ground from which on a trunk does not stand as a person's does
_DEEP = 0.33  # of the height: trunks of people are less from front to back
_MIDDLE = 0.45  # of the trunk's length from its rear, which is thinner than its breast
_THICK = 0.85  # times the greatest distance from the surface: what is as deep within is trunk, or a head
_SKULL = 0.15  # of the largest section: what is smaller is a beak
_SHANK = 1.3  # times the shank's least depth: where the leg is deeper, it is the foot
_FEET = 0.08  # of the height: what is lower is feet, or a tail on the floor
_LEAST = 20  # voxels of a neck
_GAP = (0.06, 0.08)  # of the height: how far over the legs' parting a trunk begins at most, and what that may be more
_LONG_TAIL = 1.0  # of the trunk's length: tails of birds are shorter as a rule
NECK = ("neck", "head", "head_tip")


def find_bird(stage: Stage) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    legs, wing, trunk, deep, (low, middle, high), neck, clear = two_legged_of(half)
    places = {"root": middle, "chest": middle + 0.5 * (high - middle)}
    places |= neck | {
        "tail": low + 0.12 * (middle - low),
        "tail_tip": _rear(half[: wing + 1] & ~legs.mask[: wing + 1], low),
    }
    sides, spread = _wing(half, wing, middle, high - low)
    sides |= bird_leg(legs, middle - _HIP * (high - low))
    places |= {name: place + np.array([stage.half_offset, 0.0, 0.0]) for name, place in sides.items()}
    tail = float(np.linalg.norm(places["tail_tip"] - places["tail"]) / max(np.linalg.norm(high - low), 1.0))
    found = [*_evidence(half, legs, trunk, high - low, clear, spread, tail), on_its_legs(deep, low, middle, legs)]
    return places, found, trunk_ahead(trunk, legs, middle)


class TwoLegged(NamedTuple):
    """The parts of an animal on two legs whose trunk lies.

    reach: voxels from the mirror plane to the trunk's side. deep: how thick the trunk is. ends: its rear, middle and
    front. clear: how clearly a neck is seen.
    """

    legs: Legs
    reach: int
    trunk: Voxels
    deep: Array
    ends: tuple[Array, Array, Array]
    neck: Places
    clear: float


def two_legged_of(half: Voxels) -> TwoLegged:
    """The parts of a bird and of a theropod, from one half of its voxels."""
    legs = legs_of(_without_tail(half))
    reach = _trunk_reach(half, legs)
    trunk = half[: reach + 1].copy()
    trunk[:, : legs.crotch] = False
    deep = _depth_of(trunk)
    low, middle, high = _trunk_ends(deep, legs.axis[-1, 1:])
    return TwoLegged(legs, reach, trunk, deep, (low, middle, high), *_neck_of(deep, middle, high))


def _without_tail(half: Voxels) -> Voxels:
    """Without what lies near the floor in the middle, where a tail closes the gap between the legs."""
    from scipy.ndimage import label

    found: Any = label(half[:, : max(2, int(_FEET * half.shape[1]))], NEIGHBOURS)
    middle = np.unique(found[0][0])
    feet = np.flatnonzero((~np.isin(found[0], middle)).any(axis=(0, 1)))
    if not len(feet):
        return half
    out = half.copy()
    room = int(_FEET * half.shape[1])
    out[:, :, : max(int(feet[0]) - room, 0)] = False
    out[:, :, int(feet[-1]) + room + 1 :] = False
    return out


def _trunk_reach(half: Voxels, legs: Legs) -> int:
    """How far the trunk reaches to the side."""
    area = half[:, legs.crotch :].sum(axis=(1, 2)).astype(float)
    large = np.flatnonzero(area >= _CORE * area[: max(len(area) // 4, 2)].max())
    gaps = np.flatnonzero(np.diff(large) > 1)
    return int(large[gaps[0]] if len(gaps) else large[-1])


def _depth_of(trunk: Voxels) -> Array:
    """`[across, up, ahead]`: how far each voxel is from the surface, with the right side in mind."""
    from scipy.ndimage import distance_transform_edt

    found: Any = distance_transform_edt(np.pad(np.concatenate([trunk[::-1], trunk]), 1))
    return np.asarray(found)[1 + len(trunk) : -1, 1:-1, 1:-1]


def _trunk_ends(deep: Array, legs: Array) -> tuple[Array, Array, Array]:
    """Rear, middle and front of what is thick (neck and tail are not) and nearest to the legs."""
    from scipy.ndimage import label

    thick: Any = label(deep >= _THICK * deep.max(), NEIGHBOURS)
    parts = [np.argwhere(thick[0] == k + 1) for k in range(int(thick[1]))]
    above = [float(np.linalg.norm(part[:, 1:] - legs, axis=1).min()) for part in parts if len(part) > _LEAST]
    large = [part for part in parts if len(part) > _LEAST]
    core = (large[int(np.argmin(above))] if large else np.argwhere(deep > 0)).astype(float) * (0.0, 1.0, 1.0)
    middle = core.mean(axis=0)
    values, axes = np.linalg.eigh(np.cov(core[:, 1:].T))
    axis = axes[:, -1] if values[-1] > 1.15 * values[0] else np.array([0.5, 0.866])
    axis = axis * (np.sign(axis[1]) if abs(axis[1]) > 0.25 else np.sign(axis[0]))
    step = np.array([0.0, *axis])
    along, rim = (core - middle) @ step, 0.5 * float(deep.max())
    low, high = middle + (along.min() - 1.4 * rim) * step, middle + (along.max() + rim) * step
    return low, low + _MIDDLE * (high - low), high


def _neck_of(deep: Array, middle: Array, high: Array) -> tuple[Places, float]:
    """From the front of the trunk along what lies beyond it; and how clearly the head is set off, 0 … 1."""
    reach = float(np.linalg.norm(high - middle))
    rows = np.argwhere(deep > 0)
    beyond = (rows[:, 1:] - middle[1:]) @ ((high - middle)[1:] / max(reach, 1e-9))
    upper = rows[:, 1] > middle[1] - 0.3 * reach
    region = np.zeros(deep.shape, np.bool_)
    region[tuple(rows[(beyond > 0.55 * reach) & upper].T)] = True
    if region.sum() < _LEAST:
        return {name: high + share * (high - middle) for name, share in zip(NECK, (0.0, 0.3, 0.6), strict=True)}, 0.0
    ways = Ways(region)
    start = middle + 0.55 * (high - middle)
    line = middle_line(ways, int(np.argmin(np.linalg.norm(ways.voxels - start, axis=1))))[0] * (0.0, 1.0, 1.0)
    near = [(slice(0, 3), *(slice(max(c - 3, 0), c + 4) for c in place[1:])) for place in np.rint(line).astype(int)]
    areas = np.array([float(deep[own].max(initial=0.0)) for own in near]) ** 2
    skull, neck = _skull(areas)
    thin, wide = areas[neck], areas[: neck + 1].max()
    first = int(np.argmax(areas[: neck + 1] <= thin + 0.3 * (wide - thin)))
    last = neck + int(np.flatnonzero(areas[neck : skull + 1] <= thin + 0.3 * max(areas[skull] - thin, 0))[-1])
    clear = max(1 - thin / max(areas[skull], 1.0), 0.5 * (1 - thin / max(wide, 1.0)))
    found = {"neck": line[first], "head": line[last], "head_tip": line[-1]}
    return found, float(np.clip(clear, 0, 1))


def _skull(areas: Array) -> tuple[int, int]:
    """(the largest section near the end, the smallest between it and the trunk)."""
    count = len(areas)
    best, pair = 1.0, (int(0.7 * count), int(0.4 * count))
    for neck in range(max(int(0.15 * count), 1), max(int(0.85 * count), 2)):
        if neck + 1 >= count:
            break
        skull = neck + 1 + int(np.argmax(areas[neck + 1 :]))
        gain = min(areas[skull], areas[:neck].max()) / max(areas[neck], 1.0)
        if gain > best and areas[skull] > _SKULL * areas.max():
            best, pair = gain, (skull, neck)
    return pair


def _rear(trunk: Voxels, low: Array) -> Array:
    """The tip of the tail: what is farthest behind."""
    rows = np.argwhere(trunk[: max(3, len(trunk) // 4)])
    if not len(rows):
        return low - (0.0, 0.0, 1.0)
    behind = rows[rows[:, 2] <= rows[:, 2].min() + 1]
    tip = behind.mean(axis=0) * (0.0, 1.0, 1.0)
    return tip if tip[2] < low[2] - 1 else low - (0.0, 0.0, 1.0)


def _wing(half: Voxels, begins: int, middle: Array, trunk: Array) -> tuple[Places, bool]:
    """From shoulder to tip, and whether it is spread. trunk: from its rear to its front."""
    reach = int(np.flatnonzero(half.any(axis=(1, 2)))[-1])
    above = np.cross(trunk, LEFT)
    if reach < _SPREAD * (begins + 1) + 2:
        shoulder = middle + _SHOULDER * trunk + 0.1 * above + 0.75 * begins * LEFT
        steps = {"wing_1": 0.0, "wing_2": -0.35, "wing_3": -0.1, "wing_tip": -0.95}
        return {name: shoulder + share * trunk for name, share in steps.items()}, False
    found: Places = {}
    for name, share in _WINGS.items():
        across = min(int(begins + max(share, 0.06) * (reach - begins)), reach - 1)
        there = np.argwhere(half[across : across + 2]).astype(float)
        rear, front = np.quantile(there[:, 2], (0.02, 0.98))
        ahead = rear + _LEADING * (front - rear)
        found[name] = np.array([across, np.median(there[there[:, 2] >= ahead - 3, 1]), ahead])
    found["wing_1"][0] = 0.8 * begins
    return found, True


def bird_leg(legs: Legs, hips: Array) -> Places:
    """Hip and knee within the feathers, the ankle where the leg bends back most, toes on the floor."""
    high, axis = legs.crotch, legs.axis
    foot = np.argwhere(legs.mask[:, : max(2, int(_LOW * high) + 1)]).astype(float)
    deep = legs.mask.any(axis=0).sum(axis=1)[:high].astype(float)
    shank = deep[: max(int(0.7 * high), 1)]
    narrow = np.flatnonzero((shank > 0) & (shank <= _SHANK * shank[shank > 0].min(initial=np.inf)))
    at = axis[int(narrow[0]) if len(narrow) else int(0.25 * high)]
    foot = foot if len(foot) else at[None]
    low = max(int(0.3 * high), min(int(at[1]), int(0.6 * high)))
    upper = max(int(0.75 * high), low + 1)
    off = np.linspace(axis[low, 2], axis[upper - 1, 2], upper - low) - axis[low:upper, 2]
    bent = (low + int(np.argmax(off)) + int(_ANKLE * high)) // 2 if off.max() > 1.5 else int(_ANKLE * high)
    ankle = axis[min(bent, len(axis) - 1)]
    hip = hips + axis[-1, 0] * LEFT
    knee = hip + (1 - _KNEE) * (axis[-1] - hip)
    toe = np.array([at[0], 0.5 * _LOW * high, at[2]])
    tip = np.array([foot[:, 0].mean(), 0.0, foot[:, 2].max()])
    return {"thigh": hip, "shin": knee, "foot": ankle, "toe": toe, "toe_tip": tip}


def trunk_ahead(trunk: Voxels, legs: Legs, middle: Array) -> float:
    """How surely it looks ahead: toes point there, and what is high is ahead of what is low: head and tail."""
    rows = np.argwhere(trunk).astype(float)
    top = rows[rows[:, 1] > middle[1] + 0.5 * (rows[:, 1].max() - middle[1])]
    low = rows[rows[:, 1] < middle[1]]
    rise = (top[:, 2].mean() - low[:, 2].mean()) / trunk.shape[1] if len(top) and len(low) else 0.0
    return float(np.clip(ahead_of(legs) / 0.4, -1, 1) + np.clip(rise / 0.1, -1, 1))


def lies_long(trunk: Voxels, along: Array) -> Evidence:
    """Whether the trunk, with all that is on its line, lies and is long from front to back. along: from its rear to its
    front.
    """
    lies = float(abs(along[2]) / max(np.linalg.norm(along), 1e-9))
    deep = np.ptp(np.flatnonzero(trunk.any(axis=(0, 1)))) / trunk.shape[1] if trunk.any() else 0.0
    strength = float(np.clip(min((deep - _DEEP) / 0.3, (lies - _UPRIGHT) / 0.3), 0, 1))
    return Evidence("its trunk is not as long from front to back as one that lies on two legs", strength, 0.15)


def on_its_legs(deep: Array, low: Array, middle: Array, legs: Legs) -> Evidence:
    """Whether what is thickest begins where the legs part: the large head of a person does not."""
    gap = float((min(low[1], middle[1]) - deep.max() - legs.crotch) / deep.shape[1])
    return Evidence("its trunk stands high over the legs; it may be a head", 1 - (gap - _GAP[0]) / _GAP[1], 0.2)


def legs_on(half: Voxels, crotch: int) -> int:
    """How many legs stand on this side: pieces of like size under the trunk, apart from the middle."""
    from scipy.ndimage import label

    found: Any = label(half[:, : max(2, crotch // 2)], NEIGHBOURS)
    sizes = np.bincount(found[0].ravel())
    sizes[np.unique(found[0][0])] = 0
    sizes[0] = 0
    return int((sizes > 0.3 * max(int(sizes.max()), _LEAST)).sum())


def _evidence(
    half: Voxels, legs: Legs, trunk: Voxels, along: Array, clear: float, spread: bool, tail: float
) -> list[Evidence]:
    return [
        Evidence("no gap is seen between two legs", float(legs.seen), 0.1, ("thigh", "foot")),
        lies_long(trunk, along),
        Evidence("it stands on more than two legs", float(legs_on(half, legs.crotch) < 2), 0.1, ("thigh", "foot")),
        Evidence("no head is set off from the trunk by a neck", float(np.clip(clear / 0.35, 0, 1)), 0.5, NECK[:2]),
        Evidence(
            "the wings lie against the trunk; theirs are a guess",
            1.0 if spread else 0.45,
            0.85,
            tuple(_WINGS)[:3],
        ),
        Evidence("its tail is long for one joint; a theropod's has several", 1 - (tail - _LONG_TAIL) / 0.5, 0.7),
    ]


def _joints(body: limbs.Body) -> list[Joint]:
    joints = [body.free("root", ("body",))]
    for name, parent, end, swing in (
        ("chest", "root", "neck", 20), ("neck", "chest", "head", 60), ("head", "neck", "head_tip", 60),
        ("tail", "root", "tail_tip", 40),
    ):  # fmt: skip
        tip = end if end.endswith("_tip") else ""
        joints.append(body.ball(name, parent, body.towards(name, end), swing, (-40, 40), tip=tip))
    for side in "lr":
        one, two, three, tip = (f"{name}_{side}" for name in _WINGS)
        joints.append(body.ball(one, "chest", body.towards(one, two), 110, (-60, 60)))
        joints.append(body.ball(two, one, body.towards(two, three), 100, (-60, 60)))
        joints.append(body.ball(three, two, body.towards(three, tip), 120, (-60, 60), tip=tip))
        joints += limbs.hind_leg(body, side)
    return joints


BIRD = Template(
    find_bird,
    ("root", "chest", *NECK, "tail", "tail_tip"),
    (*_WINGS, "thigh", "shin", "foot", "toe", "toe_tip"),
    (
        ("root", "chest", *NECK),
        ("root", "tail", "tail_tip"),
        tuple(_WINGS),
        ("thigh", "shin", "foot", "toe", "toe_tip"),
    ),
    ("toe", "toe_tip"),
    _joints,
)
