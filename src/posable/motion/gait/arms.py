"""Arms that hang, swing against the legs, and bend: turns of shoulders, elbows and hands over the frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.motion.gait.body import Body
from posable.motion.gait.plan import Plan
from posable.motion.gait.turning import about_axis, about_z, cross, multiply, rotate
from posable.spatial import Array, normalized, wxyz_from_matrix

_TURN = 2 * np.pi
_ELBOW_LAG = 0.06  # strides that the forearm is behind the upper arm
_HAND_ROOM = 0.1  # arm lengths between the hand and what it hangs beside
_WIDEST = np.radians(50)
_FORWARD = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Arm:
    """One arm at rest. joints: shoulder's collar (or -1), upper arm, forearm, hand (or -1). side: +1 left, -1 right.

    upper, lower: unit directions of the two bones; axis: about which the elbow bends forward; out: the least angle from
    the body, radians.
    """

    side: int
    collar: int
    upper_arm: int
    forearm: int
    upper: Array
    lower: Array
    axis: Array
    out: float


def arms_of(body: Body) -> list[Arm]:
    """The arms of a figure with two legs, as far as its roles name upper and lower arm and hand."""
    found = []
    for letter, side in (("l", 1), ("r", -1)):
        names = [f"{part}_{letter}" for part in ("upper_arm", "lower_arm", "hand")]
        if body.biped and all(name in body.roles for name in names):
            found.append(_arm(body, side, [body.skeleton.index(body.roles[name]) for name in names], letter))
    return found


def _arm(body: Body, side: int, joints: list[int], letter: str) -> Arm:
    shoulder, elbow, hand = body.rest_places[joints]
    upper, lower = normalized(elbow - shoulder), normalized(hand - elbow)
    own = body.skeleton.definitions[joints[1]].axes
    ahead = cross(upper, _FORWARD)
    axis = normalized(ahead) if np.linalg.norm(ahead) > 0.2 else np.array([-1.0, 0.0, 0.0])
    if own and not own[0].slide:
        hinge = rotate(body.rest_turns[joints[1]], np.array(own[0].direction))
        axis = hinge if hinge @ axis >= 0 else -hinge
    size = float(np.linalg.norm(elbow - shoulder) + np.linalg.norm(hand - elbow))
    room = body.width + _HAND_ROOM * size - abs(float(shoulder[0]))
    out = float(np.clip(np.arcsin(np.clip(room / size, -1, 1)), 0.0, _WIDEST))
    collar = f"shoulder_{letter}"
    return Arm(
        side, body.skeleton.index(body.roles[collar]) if collar in body.roles else -1, joints[0], joints[1], upper,
        lower, axis, out,
    )  # fmt: skip


def arm_turns(arm: Arm, plan: Plan, phase: Array, chest: Array) -> dict[int, Array]:
    """Turns away from rest `[n, 4]` per joint, the chest being turned by `chest [n, 4]`."""
    style, way = plan.style, plan.way(phase)
    beat = phase - (plan.lands[1] if arm.side > 0 else plan.lands[0])
    wave = np.cos(_TURN * beat) * way
    swing = style["arm_forward"] * (0.3 + 0.7 * way) + style["arm_swing"] * wave
    bend = style["elbow"] + style["elbow_swing"] * (0.5 + 0.5 * np.cos(_TURN * (beat - _ELBOW_LAG))) * way
    out = np.full_like(swing, max(style["arm_out"], arm.out))
    carried = multiply(chest, _shrug(arm, style["shrug"], len(phase)))
    direction = np.stack([arm.side * np.sin(out), -np.cos(out) * np.cos(swing), np.cos(out) * np.sin(swing)], axis=-1)
    upper = multiply(chest, _aligned(arm, direction))
    rest_bend = float(np.arctan2(arm.axis @ cross(arm.upper, arm.lower), arm.upper @ arm.lower))
    elbow = about_axis(arm.axis, np.maximum(bend, 0.0) - rest_bend)
    turns = {arm.upper_arm: upper, arm.forearm: multiply(upper, elbow)}
    return turns | ({arm.collar: carried} if arm.collar >= 0 else {})


def _shrug(arm: Arm, angle: float, count: int) -> Array:
    return np.broadcast_to(about_z(np.array(arm.side * angle)), (count, 4))


def _aligned(arm: Arm, direction: Array) -> Array:
    """The turn that lays the upper arm along `direction [n, 3]` with the elbow's axis square to straight ahead."""
    level = arm.axis - (arm.axis @ arm.upper) * arm.upper
    rest = np.stack([arm.upper, normalized(level), cross(arm.upper, normalized(level))], axis=-1)
    axis = cross(np.array([0.0, -1.0, 0.0]), _FORWARD)  # of an arm that hangs: to the right
    hanging = np.broadcast_to(axis, direction.shape)
    across = normalized(hanging - (hanging * direction).sum(axis=-1, keepdims=True) * direction)
    there = np.stack([direction, across, cross(direction, across)], axis=-1)
    return wxyz_from_matrix(there @ rest.T)
