"""Where the mannequin's joints are at rest: 1.75 m, arms half down; metres, y up, facing +z, left at +x."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from posable.skeleton.hand import KNUCKLES, PHALANGES
from posable.spatial import Array, normalized

FINGERS = ("thumb", "index", "middle", "ring", "pinky")
FORWARD = np.array([0.0, 0.0, 1.0])
ELBOW_BEND = math.radians(14)
_ARM_DOWN = math.radians(48)
_ARM = np.array([math.cos(_ARM_DOWN), -math.sin(_ARM_DOWN), 0.0])
_FOREARM = math.cos(ELBOW_BEND) * _ARM + math.sin(ELBOW_BEND) * FORWARD

_SPREAD = {"index": 7.0, "middle": 0.5, "ring": -6.0, "pinky": -13.5}  # degrees towards the thumb
_CURL = (16.0, 18.0, 12.0)  # degrees at rest
_THUMB_CURL = (10.0, 12.0, 10.0)


@cache
def hand_axes() -> tuple[Array, Array, Array]:
    """Unit vectors of the left hand at rest: along it, towards the thumb, out of the palm."""
    palm = np.cross(_ARM, FORWARD)
    return _FOREARM, np.cross(palm, _FOREARM), palm


@cache
def finger_points() -> dict[str, Array]:
    """`[4, 3]` per finger of the left hand at rest: its three joints and its tip."""
    wrist = points()["hand"]
    basis = np.array(hand_axes())
    found = {}
    for finger in FINGERS:
        direction, bend = finger_directions(finger)
        place, angle = wrist + np.array(KNUCKLES[finger]) @ basis, 0.0
        chain = [place]
        for length, curl in zip(PHALANGES[finger], finger_curl(finger), strict=True):
            angle += math.radians(curl)
            place = place + length * (math.cos(angle) * direction + math.sin(angle) * bend)
            chain.append(place)
        found[finger] = np.array(chain)
    return found


def finger_directions(finger: str) -> tuple[Array, Array]:
    """Unit vectors of a left finger: where it points when straight, and to which side it bends."""
    along, thumb_side, palm = hand_axes()
    if finger == "thumb":
        direction = normalized(0.72 * along + 0.62 * thumb_side + 0.22 * palm)
        bend = 0.55 * palm - 0.75 * thumb_side
        return direction, normalized(bend - (bend @ direction) * direction)
    spread = math.radians(_SPREAD[finger])
    return math.cos(spread) * along + math.sin(spread) * thumb_side, palm


def finger_curl(finger: str) -> tuple[float, float, float]:
    """Degrees by which the three joints of a finger are bent at rest."""
    return _THUMB_CURL if finger == "thumb" else _CURL


@cache
def points() -> dict[str, Array]:
    """Where the joints of the middle and of the left side are at rest, without the fingers."""
    shoulder = np.array([0.186, 1.404, -0.012])
    elbow = shoulder + 0.295 * _ARM
    wrist = elbow + 0.255 * _FOREARM
    fixed = {
        "root": (0, 0.965, -0.005),
        "spine": (0, 1.06, -0.015),
        "chest": (0, 1.20, -0.020),
        "neck": (0, 1.465, -0.025),
        "head": (0, 1.560, -0.005),
        "eye": (0.031, 1.650, 0.076),
        "clavicle": (0.022, 1.415, 0.030),
        "thigh": (0.090, 0.925, 0.000),
        "shin": (0.098, 0.500, 0.012),
        "foot": (0.106, 0.080, -0.028),
        "toe": (0.124, 0.024, 0.105),
        "toe_tip": (0.132, 0.022, 0.175),
    }
    return {name: np.array(place, float) for name, place in fixed.items()} | {
        "upper_arm": shoulder,
        "forearm": elbow,
        "hand": wrist,
    }
