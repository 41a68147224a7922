"""The mannequin's skeleton: where its joints are, how far they move, what its parts weigh.

Lengths in metres for a person of 1.75 m and 70 kg, y up, facing +z, left at +x. At rest every joint's frame is
parallel to the world's; hinge angles count from the straight limb, so that 0 is a straight elbow, knee or finger and
the rest is slightly bent.

Limits: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording" (1965): elbow
0…150°, wrist flexion 80° and extension 70°, forearm rotation ±80°, shoulder flexion and abduction 180°, extension 60°,
rotation 70° inwards and 90° outwards, finger joints 90°, 100° and 90° with 45° of extension at the knuckle, thumb 50°
and 80°, hip flexion 120° and extension 30°, rotation ±45°, knee 0…135°, ankle 20° up and 50° down, inversion 35° and
eversion 15°, great toe 70° up and 45° down, neck 45° in each direction and 60° of rotation, back 80° forwards, 25°
backwards, 35° sideways, 45° of rotation. A ball joint's cone is round, so it takes the middle of unequal directions;
the forearm's rotation is the wrist's twist; the back's and the neck's ranges are shared by two joints each. The knee
bends to 155°, as the body's weight bends it in kneeling and squatting: A. Hemmerich et al., J. Orthopaedic Research 24
(2006). For collar bones, eyes and finger spread, which no table has, the ranges are our own. Masses and centres: de
Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29 (1996).
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from posable.skeleton import Axis, Cone, Joint, Skeleton
from posable.skeleton.hand_proportions import BENDS, KNEE, KNUCKLES, PHALANGES, THUMB_BENDS
from posable.spatial import Array, normalized, wxyz_about, wxyz_between

# Where the mannequin's joints are at rest: 1.75 m, arms half down; metres, y up, facing +z, left at +x.


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


BODY_MASS = 70.0
_X = np.array([1.0, 0.0, 0.0])
_ALONG_SPINE = (0.0, 1.0, 0.0)


def human_skeleton() -> Skeleton:
    """The joints of the mannequin, parents first: trunk and head, then the left side, then its mirror image."""
    left = [_eye(), *_arm(), *(joint for finger in FINGERS for joint in _finger(finger)), *_leg()]
    return Skeleton([*_trunk(), *left, *(_mirrored(joint) for joint in left)], up="y")


def _trunk() -> list[Joint]:
    p = points()
    bow = _wxyz(wxyz_about(_X, math.radians(12)))
    back = Cone(_ALONG_SPINE, math.radians(30), _degrees(-22, 22), center=bow)
    neck = Cone(_ALONG_SPINE, math.radians(25), _degrees(-25, 25))
    head = Cone(_ALONG_SPINE, math.radians(20), _degrees(-35, 35))
    return [
        Joint("root", "free", None, _point(p["root"]), aliases=("pelvis", "hips"), **_mass(11.17, (0, -0.02, 0))),
        Joint("spine", "ball", "root", _point(p["spine"] - p["root"]), cone=back, **_mass(16.33, (0, 0.06, 0.01))),
        Joint("chest", "ball", "spine", _point(p["chest"] - p["spine"]), cone=back, **_mass(15.96, (0, 0.14, 0.01))),
        Joint("neck", "ball", "chest", _point(p["neck"] - p["chest"]), cone=neck, **_mass(1.2, (0, 0.04, 0.01))),
        Joint(
            "head",
            "ball",
            "neck",
            _point(p["head"] - p["neck"]),
            cone=head,
            tips=((0.0, 0.19, 0.0),),
            **_mass(5.74, (0, 0.08, 0.01)),
        ),
    ]


def _eye() -> Joint:
    """A hinge for left and right, then one for up and down."""
    p = points()
    axes = (_axis((0, 1, 0), -35, 35), _axis((1, 0, 0), -25, 30))
    return Joint("eye_l", "universal", "head", _point(p["eye"] - p["head"]), axes=axes, **_mass(0.0))


def _arm() -> list[Joint]:
    p = points()
    upper, lower = p["forearm"] - p["upper_arm"], p["hand"] - p["forearm"]
    collar = (_axis((0, 0, 1), -10, 30), _axis((0, -1, 0), -20, 25))
    middle = _wxyz(wxyz_between(upper, (0.70, -0.10, 0.66)))
    shoulder = Cone(_point(normalized(upper)), math.radians(115), _degrees(-90, 70), center=middle)
    wrist = Cone(_point(normalized(lower)), math.radians(65), _degrees(-80, 80))
    elbow = _bent(np.cross(normalized(upper), FORWARD), (0, 150), math.degrees(ELBOW_BEND))
    to_shoulder = _point(p["upper_arm"] - p["clavicle"])
    to_wrist_mass = 0.4574 * lower
    return [
        Joint("clavicle_l", "universal", "chest", _point(p["clavicle"] - p["chest"]), axes=collar, **_mass(0.0)),
        Joint("upper_arm_l", "ball", "clavicle_l", to_shoulder, cone=shoulder, **_mass(2.71, 0.5772 * upper)),
        Joint("forearm_l", "hinge", "upper_arm_l", _point(upper), **elbow, **_mass(1.62, to_wrist_mass)),
        Joint("hand_l", "ball", "forearm_l", _point(lower), cone=wrist, **_mass(0.61, 0.79 * 0.094 * hand_axes()[0])),
    ]


def _finger(finger: str) -> list[Joint]:
    """The knuckle (bends, then spreads) and two hinges; the index finger's tip is a joint too, for pressing bells."""
    wrist, chain = points()["hand"], finger_points()[finger]
    direction, bend = finger_directions(finger)
    flexion, curl = np.cross(direction, bend), finger_curl(finger)
    first = math.radians(curl[0])
    spread = _axis(math.cos(first) * bend - math.sin(first) * direction, -20, 20, "spread")
    ranges = THUMB_BENDS if finger == "thumb" else BENDS
    knuckle = _bent(flexion, ranges[0], curl[0])
    knuckle |= {"axes": (*knuckle["axes"], spread), "rest": (*knuckle["rest"], 0.0)}
    tip = (_point(chain[3] - chain[2]),)
    joints = [
        Joint(f"{finger}_1_l", "universal", "hand_l", _point(chain[0] - wrist), **knuckle, **_mass(0.0)),
        Joint(
            f"{finger}_2_l",
            "hinge",
            f"{finger}_1_l",
            _point(chain[1] - chain[0]),
            **_bent(flexion, ranges[1], curl[1]),
            **_mass(0.0),
        ),
        Joint(
            f"{finger}_3_l",
            "hinge",
            f"{finger}_2_l",
            _point(chain[2] - chain[1]),
            **_bent(flexion, ranges[2], curl[2]),
            **_mass(0.0),
            tips=tip,
        ),
    ]
    return [*joints, Joint("index_tip_l", "fixed", "index_3_l", tip[0], **_mass(0.0))] if finger == "index" else joints


def _leg() -> list[Joint]:
    p = points()
    upper, lower = p["shin"] - p["thigh"], p["foot"] - p["shin"]
    knee_bend = math.degrees(math.acos(float(normalized(upper) @ normalized(lower))))
    middle = _wxyz(wxyz_between(upper, (0.13, -0.70, 0.70)))
    hip = Cone(_point(normalized(upper)), math.radians(75), _degrees(-45, 45), center=middle)
    ankle = (_axis((1, 0, 0), -20, 50), _axis((0, 0, 1), -35, 15))
    tip = (_point(p["toe_tip"] - p["toe"]),)
    toe = (_axis((1, 0, 0), -70, 45),)
    return [
        Joint("thigh_l", "ball", "root", _point(p["thigh"] - p["root"]), cone=hip, **_mass(14.16, 0.4095 * upper)),
        Joint("shin_l", "hinge", "thigh_l", _point(upper), **_bent(_X, KNEE, knee_bend), **_mass(4.33, 0.4395 * lower)),
        Joint("foot_l", "universal", "shin_l", _point(lower), axes=ankle, **_mass(1.37, (0.005, -0.045, 0.065))),
        Joint("toe_l", "hinge", "foot_l", _point(p["toe"] - p["foot"]), axes=toe, tips=tip, **_mass(0.0)),
    ]


def _bent(axis: ArrayLike, limits: tuple[float, float], rest: float) -> dict[str, Any]:
    """A hinge that rests at `rest` degrees with its frame parallel to the world's."""
    turn = _wxyz(wxyz_about(axis, -math.radians(rest)))
    return {"axes": (_axis(axis, *limits),), "wxyz": turn, "rest": (math.radians(rest),)}


def _axis(direction: ArrayLike, lower: float, upper: float, name: str = "") -> Axis:
    return Axis(_point(direction), lower=math.radians(lower), upper=math.radians(upper), name=name)


def _mass(percent: float, center: ArrayLike = (0, 0, 0)) -> dict[str, Any]:
    return {"mass": percent / 100 * BODY_MASS, "mass_center": _point(center)}


def _point(vector: ArrayLike) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in np.asarray(vector, float))
    return x, y, z


def _wxyz(turn: ArrayLike) -> tuple[float, float, float, float]:
    w, x, y, z = (float(c) for c in np.asarray(turn, float))
    return w, x, y, z


def _degrees(lower: float, upper: float) -> tuple[float, float]:
    return math.radians(lower), math.radians(upper)


def _mirrored(joint: Joint) -> Joint:
    """The joint of the right side: points change the sign of x, rotations that of y and z, angles are the same."""
    cone = joint.cone
    return replace(
        joint,
        name=f"{joint.name[:-2]}_r",
        parent=joint.parent and joint.parent.removesuffix("_l") + "_r" * joint.parent.endswith("_l"),
        position=_across(joint.position),
        wxyz=_turned_across(joint.wxyz),
        axes=tuple(replace(axis, direction=_turn_across(axis.direction)) for axis in joint.axes),
        cone=cone
        and replace(
            cone, axis=_across(cone.axis), twist=(-cone.twist[1], -cone.twist[0]), center=_turned_across(cone.center)
        ),
        mass_center=_across(joint.mass_center),
        tips=tuple(_across(tip) for tip in joint.tips),
    )


def _across(point: tuple[float, float, float]) -> tuple[float, float, float]:
    return -point[0], point[1], point[2]


def _turn_across(axis: tuple[float, float, float]) -> tuple[float, float, float]:
    return axis[0], -axis[1], -axis[2]


def _turned_across(wxyz: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return wxyz[0], wxyz[1], -wxyz[2], -wxyz[3]
