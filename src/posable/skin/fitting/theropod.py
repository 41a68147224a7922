"""Where the joints of a two-legged animal with a long tail are: raptors, tyrannosaurs, kangaroos, dragons that stand.

Its trunk and its legs are a bird's; ahead of the legs are two arms, behind them the tail.
"""

from __future__ import annotations

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.animal_trunk import TAIL, tail_joints
from posable.skin.fitting.arms import arm_of, arm_points
from posable.skin.fitting.bird import (
    NECK,
    bird_leg,
    legs_on,
    lies_long,
    on_its_legs,
    trunk_ahead,
    two_legged_of,
)
from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.legs import Legs
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.spatial import Array

_SPINE, _CHEST, _HIP = 0.35, 0.75, 0.06  # of the distance from hips to neck; of the trunk's length, behind its middle
_LONG_TAIL = (0.4, 1.0)  # of the trunk's length: from where on a tail is long, and sure to be
_SLIM = (0.7, 1.2)  # length by width: at the first it is too wide, at the second long for sure
_ARMS = (0.08, 0.7)  # of the height: arms this long are seen, and so long at most
_GUESS = {"upper_arm": (0.5, 0.3), "forearm": (0.65, 0.75), "hand": (1.0, 0.9), "hand_tip": (1.2, 0.95)}
"""Of the trunk's half width: how far ahead of the chest, and how far down, arms are that are not seen."""


def find_theropod(stage: Stage) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    legs, reach, trunk, deep, (low, middle, high), neck, clear = two_legged_of(half)
    hips = middle - _HIP * (high - low)
    places = {"root": hips, "spine": hips + _SPINE * (neck["neck"] - hips)} | neck
    places["chest"] = hips + _CHEST * (neck["neck"] - hips)
    places |= tail_joints(half, low, legs.crotch, float(deep.max()))
    places |= bird_leg(legs, hips)
    places["shin"] = _knee(legs, places["thigh"], places["foot"])
    arm, seen = _arm(half, legs, places, reach)
    places |= arm
    for name in THEROPOD.sides:
        places[name] = places[name] + (stage.half_offset, 0.0, 0.0)
    tail = _length(places, TAIL) / max(float(np.linalg.norm(high - low)), 1.0)
    found = [lies_long(trunk, high - low), on_its_legs(deep, low, middle, legs)]
    return places, [*_evidence(half, legs, clear, tail, seen), *found], trunk_ahead(trunk, legs, middle)


def _knee(legs: Legs, hip: Array, hock: Array) -> Array:
    """Halfway up from the hock to the hip, in the leg's middle; in the trunk as far ahead as the leg is below."""
    height = 0.5 * (hip[1] + hock[1])
    row = int(np.clip(height, 0, len(legs.axis) - 1))
    return np.array([legs.axis[row, 0], height, legs.axis[row, 2]])


def _arm(half: Voxels, legs: Legs, trunk: Places, wide: int) -> tuple[Places, float]:
    """Shoulder, elbow, wrist and fingertip, and how clearly an arm is seen: what reaches from the trunk ahead of the
    legs.
    """
    front = half.copy()
    front[:, :, : int(max(legs.axis[-1, 2], trunk["spine"][2]))] = False
    chest, arm = trunk["chest"], arm_of(front, 0, np.zeros_like(front)) if front[0].any() else None
    if arm is not None:
        found = arm_points(arm, front)
        long = _length(found, ("upper_arm", "forearm", "hand", "hand_tip")) / half.shape[1]
        off = float(np.linalg.norm(found["upper_arm"] - trunk["head"])) < float(np.linalg.norm(trunk["head"] - chest))
        if _ARMS[0] < long < _ARMS[1] and found["hand_tip"][1] < chest[1] and not off:
            return found, 1.0
    out = np.array([0.7 * wide, 0.0, 0.0])
    return {name: chest + out + wide * np.array([0.0, -down, ahead]) for name, (ahead, down) in _GUESS.items()}, 0.0


def _length(places: Places, names: tuple[str, ...]) -> float:
    """Along the joints, 0 without them."""
    line = np.array([places[name] for name in names if name in places])
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) if len(line) else 0.0


def _evidence(half: Voxels, legs: Legs, clear: float, tail: float, arm: float) -> list[Evidence]:
    slim = half.shape[2] / (2 * half.shape[0])
    return [
        Evidence("it is wider than it is long", float(np.interp(slim, _SLIM, (0.0, 1.0))), 0.2),
        Evidence("no gap is seen between two legs", float(legs.seen), 0.1, ("thigh", "foot")),
        Evidence("it stands on more than two legs", float(legs_on(half, legs.crotch) < 2), 0.1, ("thigh", "foot")),
        Evidence("no long tail is seen behind the legs", float(np.interp(tail, _LONG_TAIL, (0.0, 1.0))), 0.1, TAIL[:3]),
        Evidence("no head is set off from the trunk by a neck", float(np.clip(clear / 0.35, 0, 1)), 0.6, NECK[:2]),
        Evidence("no arms are seen ahead of the legs; theirs are a guess", arm, 0.4, ("upper_arm", "forearm", "hand")),
    ]


def _joints(body: limbs.Body) -> list[Joint]:
    sides = [[*limbs.fore_leg(body, side), *limbs.hind_leg(body, side)] for side in "lr"]
    return [*limbs.long_trunk(body, TAIL), *sides[0], *sides[1]]


THEROPOD = Template(
    find_theropod,
    ("root", "spine", "chest", *NECK, *TAIL),
    ("upper_arm", "forearm", "hand", "hand_tip", "thigh", "shin", "foot", "toe", "toe_tip"),
    (
        ("root", "spine", "chest", *NECK),
        ("root", *TAIL),
        ("upper_arm", "forearm", "hand", "hand_tip"),
        ("thigh", "shin", "foot", "toe", "toe_tip"),
    ),
    ("toe", "toe_tip"),
    _joints,
    level=("upper_arm", "thigh"),
)
