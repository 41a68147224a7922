"""Where the joints of a four-legged figure are: from its legs, the belly between them, and what is ahead of them.

Proportions are means over the dogs, cats, horses and cattle of anatomy books, loose as animals differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.animal_legs import Leg, fore_leg, grown, hind_leg, legs_below
from posable.skin.fitting.animal_trunk import TAIL, tail_joints, trunk_joints, trunk_over
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels

_BELLY = 0.42  # of the height, ears included
_BEYOND = 0.12  # of the height: what is farther from the legs is head and neck, or tail
_CONFLICT, _TORN = 0.1, 0.2  # how much thicker the end behind may be; the factor on being sure where it is more
_SLENDER, _DEEP = 0.30, 0.42  # of the height: trunks in which hips and shoulders are sure, and in which they are not


def find_quadruped(stage: Stage) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    belly = _belly(half)
    legs = legs_below(half, belly)
    trunk = trunk_over(half, legs[0].ahead, legs[-1].ahead, belly)
    legs = [grown(half, leg, legs, round(low)) for leg, low in zip(legs, trunk.low, strict=False)]
    apart = legs[-1].ahead - legs[0].ahead
    legs = [legs[0].narrowed(1.0, apart), *(leg.narrowed(-1.0, 0.0) for leg in legs[1:])]
    fore, hind = legs[-1], legs[0]
    places = fore_leg(fore, trunk) | hind_leg(hind, trunk)
    places |= trunk_joints(half, places, trunk, fore.front[-1])
    places |= tail_joints(half, np.array([0.0, places["root"][1], hind.back[-1]]), belly, trunk.thick)
    for name in QUADRUPED.sides:
        places[name] = places[name] + (stage.half_offset, 0.0, 0.0)
    neck = float(np.linalg.norm(places["head_tip"] - places["neck"])) / half.shape[1]
    back = max(trunk.high)
    return places, _evidence(legs, belly, trunk.thick, half.shape[1], neck), _ahead(half, legs, back)


def _belly(half: Voxels) -> int:
    """The height from which on the mirror plane is filled over much of the figure's length."""
    height, length = half.shape[1:]
    filled = half[0].sum(axis=1) >= 0.3 * length
    run = max(2, height // 25)
    rows = [y for y in range(max(2, height // 20), height - run) if filled[y : y + run].all()]
    return rows[0] if rows else max(int(_BELLY * height), 2)


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
    return [*limbs.long_trunk(body, TAIL), *sides[0], *sides[1]]


QUADRUPED = Template(
    find_quadruped,
    ("root", "spine", "chest", "neck", "head", "head_tip", *TAIL),
    ("upper_arm", "forearm", "hand", "hand_tip", "thigh", "shin", "foot", "toe", "toe_tip"),
    (
        ("root", "spine", "chest", "neck", "head", "head_tip"),
        ("root", *TAIL),
        ("upper_arm", "forearm", "hand", "hand_tip"),
        ("thigh", "shin", "foot", "toe", "toe_tip"),
    ),
    ("hand", "hand_tip", "toe", "toe_tip"),
    _joints,
    level=("upper_arm", "thigh"),
)
