"""The motion of pelvis, trunk, head and arms over the feet: bounce, sway, list, rotation, and a steady head."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from posable.motion.gait.anatomy import Body
from posable.motion.gait.batch_rotations import about_axis, about_up, about_x, about_z, cross, multiply, rotate
from posable.motion.gait.plan import Plan, astray
from posable.spatial import Array, normalized, wxyz_from_matrix

_CYCLE = 2 * np.pi
_LIST_AT = 0.339  # strides after a foot lands: the other side of the pelvis is lowest
_SWAY_LEAD = 0.02
_RISE_LAG = 0.068  # strides after the middle of a stance: the hips are highest
_PITCH_LEAD = 0.01  # strides before the middle of a stance: the trunk leans most, so that the head rises less and later
_GAZE = np.radians(1.2)  # nod of a rising head, so that the gaze stays on its target
_REELS = 0.5  # deviation of an unsteady body, as a share of that of the feet that catch it
_LEAVES, _ARRIVES = 0.2, 0.3  # strides after the first and before the last frame, in which a body stays over its feet
_SLOPE_REACH = 0.25  # strides to either side, over which the slope under a body is measured
_SLOPE_LEAN = 0.35  # share of the ground's slope by which people lean against it


@dataclass(frozen=True, eq=False)
class TrunkMotion:
    """The trunk at each phase.

    position: `[n, 3]` of the pelvis; its height follows from the legs. rise: `[n]` its bounce. heading, pelvis, chest,
    head: rotations `[n, 4]` since rest.
    """

    position: Array
    rise: Array
    heading: Array
    pelvis: Array
    chest: Array
    head: Array

    def __getitem__(self, rows: slice) -> TrunkMotion:
        return TrunkMotion(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})


def trunk_at(plan: Plan, phase: Array) -> TrunkMotion:
    """The trunk over its feet at `phase [n]`."""
    style, moving = plan.style, plan.moving(phase)
    along = plan.along(phase)
    position, yaw = plan.track.at(along)
    if not plan.ground.level:  # hips follow feet whose footholds were shifted
        ahead = _between_feet(plan, phase, [c.shift for c in plan.contacts])
        position = position + ahead[:, None] * np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)
    own = phase - plan.lands[0]
    wave = np.cos(_CYCLE * own)
    mid = _CYCLE * (own - plan.downs[0] / 2)
    two = 1.0 if plan.biped else 0.0
    sway = (two * style["sway"] * np.cos(mid + _CYCLE * _SWAY_LEAD) + _REELS * astray(plan, phase)) * moving
    x, z = position[:, 0] + np.cos(yaw) * sway, position[:, 1] - np.sin(yaw) * sway
    position = np.stack([x, ground_under(plan, phase), z], axis=-1)
    lists = two * style["list"] * np.cos(_CYCLE * (own - _LIST_AT)) * moving
    pelvis_yaw = yaw - two * style["rotation"] * wave * moving
    heading = about_up(yaw)
    tip = two * style["tilt"] + _slope(plan, phase)
    pelvis = multiply(about_up(pelvis_yaw), multiply(about_z(lists), about_x(tip)))
    chest_yaw = two * style["twist"] * wave * moving
    rock = -two * _rock(plan, mid) * moving - _unsteady(plan, phase)
    beat = 2 * _CYCLE * (own - plan.downs[0] / 2)
    pitch = two * style["pitch"] * np.cos(beat + 2 * _CYCLE * _PITCH_LEAD) * moving
    lean = style["lean"] * (0.5 + 0.5 * moving) * two + tip * (1 - two) + pitch
    chest = multiply(about_up(yaw + chest_yaw), multiply(about_z(rock), about_x(lean)))
    bob = style["head_bob"]
    nod = style["nod"] + bob * lean + two * _GAZE * np.cos(beat - 2 * _CYCLE * _RISE_LAG) * moving
    head = multiply(about_up(yaw + bob * chest_yaw), multiply(about_z(bob * rock), about_x(nod)))
    return TrunkMotion(position, _rise(plan, own, moving), heading, pelvis, chest, head)


def _rise(plan: Plan, own: Array, moving: Array) -> Array:
    """Bounce of the hips: highest in the middle of a stance, or in the air for a gait with a flight phase."""
    pace = plan.style.pace
    flight = -1.0 if pace.stance < 0.5 else 1.0
    beats = 2 if plan.biped else 2 * len({round(land % 0.5, 3) for land in plan.lands})
    size = plan.style["bounce"] * pace.arc / 2 / (1 if plan.biped else 2)
    return flight * size * np.cos(beats * _CYCLE * (own - plan.downs[0] / 2 - _RISE_LAG)) * moving


def _rock(plan: Plan, mid: Array) -> Array:
    """Lean of the trunk over the standing leg; the two sides may differ."""
    left, right = plan.style.rock(1), plan.style.rock(-1)
    return np.cos(mid) * (left + right) / 2 + (left - right) / 4 * (1 + np.cos(2 * mid))


def _unsteady(plan: Plan, phase: Array) -> Array:
    """Roll of an unsteady trunk, radians: slow waves that do not repeat; zero while the figure stands."""
    return 0.25 * plan.style["wander"] * plan.moving(phase) * (np.sin(2.1 * phase) + 0.6 * np.sin(3.7 * phase + 2.0))


def ground_under(plan: Plan, phase: Array) -> Array:
    """Height of the ground under the body: a smooth curve through the footholds."""
    if plan.ground.level:
        return np.zeros_like(phase)
    return _between_feet(plan, phase, [c.foothold[:, 1] for c in plan.contacts])


def _between_feet(plan: Plan, phase: Array, values: list[Array]) -> Array:
    """Values `[contact]` of each leg's contacts as a smooth curve through the middles of all contacts."""
    from scipy.interpolate import PchipInterpolator

    first = -np.inf if plan.up is None else plan.start + _LEAVES
    last = np.inf if plan.down is None else plan.end - _ARRIVES
    middle = np.concatenate([np.clip((c.land + c.lift) / 2, first, last) for c in plan.contacts])
    order, given = np.argsort(middle, kind="stable"), np.concatenate(values)
    middle, given = middle[order], given[order]
    cells = np.round(middle * 4).astype(int)  # feet that stand at the same time are averaged
    knots = np.unique(cells)
    at = np.array([middle[cells == cell].mean() for cell in knots])
    mean = np.array([given[cells == cell].mean() for cell in knots])
    if len(at) < 2:
        return np.full_like(phase, mean[0])
    return PchipInterpolator(at, mean)(np.clip(phase, at[0], at[-1]))


def _slope(plan: Plan, phase: Array) -> Array:
    """Pitch of the body on a slope, radians: an animal's follows the ground, people lean a little against it."""
    if plan.ground.level:
        return np.zeros_like(phase)
    before, after = phase - _SLOPE_REACH, phase + _SLOPE_REACH
    travel = np.maximum(plan.along(after) - plan.along(before), 0.3 * plan.stride)
    slope = np.arctan((ground_under(plan, after) - ground_under(plan, before)) / travel)
    return _SLOPE_LEAN * slope if plan.biped else -slope


# Arms that hang, swing against the legs, and bend: rotations of shoulders, elbows and hands over the frames.


_ELBOW_LAG = 0.06  # strides by which the forearm lags behind the upper arm
_HAND_ROOM = 0.1  # arm lengths between the hand and the thigh
_WIDEST = np.radians(50)
_FORWARD = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Arm:
    """One arm at rest. side: +1 left, -1 right. collar, upper_arm, forearm: joints; collar may be -1.

    upper, lower: unit directions of the two bones. axis: of the elbow, positive bends forward. out: the least angle
    from the body, radians.
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
    """The arms of a biped whose roles name upper arm, lower arm and hand."""
    found = []
    for letter, side in (("l", 1), ("r", -1)):
        names = [f"{part}_{letter}" for part in ("upper_arm", "lower_arm", "hand")]
        if body.biped and all(name in body.roles for name in names):
            found.append(_arm(body, side, [body.skeleton.index(body.roles[name]) for name in names], letter))
    return found


def _arm(body: Body, side: int, joints: list[int], letter: str) -> Arm:
    shoulder, elbow, hand = body.rest_positions[joints]
    upper, lower = normalized(elbow - shoulder), normalized(hand - elbow)
    own = body.skeleton.definitions[joints[1]].axes
    ahead = cross(upper, _FORWARD)
    axis = normalized(ahead) if np.linalg.norm(ahead) > 0.2 else np.array([-1.0, 0.0, 0.0])
    if own and not own[0].slide:
        hinge = rotate(body.rest_rotations[joints[1]], np.array(own[0].direction))
        axis = hinge if hinge @ axis >= 0 else -hinge
    size = float(np.linalg.norm(elbow - shoulder) + np.linalg.norm(hand - elbow))
    room = body.width + _HAND_ROOM * size - abs(float(shoulder[0]))
    out = float(np.clip(np.arcsin(np.clip(room / size, -1, 1)), 0.0, _WIDEST))
    collar = f"shoulder_{letter}"
    return Arm(
        side, body.skeleton.index(body.roles[collar]) if collar in body.roles else -1, joints[0], joints[1], upper,
        lower, axis, out,
    )  # fmt: skip


def arm_rotations(arm: Arm, plan: Plan, phase: Array, chest: Array) -> dict[int, Array]:
    """Rotations since rest `[n, 4]` per joint; `chest [n, 4]` is that of the chest."""
    style, moving = plan.style, plan.moving(phase)
    beat = phase - (plan.lands[1] if arm.side > 0 else plan.lands[0])
    wave = np.cos(_CYCLE * beat) * moving
    swing = style["arm_forward"] * (0.3 + 0.7 * moving) + style["arm_swing"] * wave
    bend = style["elbow"] + style["elbow_swing"] * (0.5 + 0.5 * np.cos(_CYCLE * (beat - _ELBOW_LAG))) * moving
    out = np.full_like(swing, max(style["arm_out"], arm.out))
    carried = multiply(chest, _shrug(arm, style["shrug"], len(phase)))
    direction = np.stack([arm.side * np.sin(out), -np.cos(out) * np.cos(swing), np.cos(out) * np.sin(swing)], axis=-1)
    upper = multiply(chest, _aligned(arm, direction))
    rest_bend = float(np.arctan2(arm.axis @ cross(arm.upper, arm.lower), arm.upper @ arm.lower))
    elbow = about_axis(arm.axis, np.maximum(bend, 0.0) - rest_bend)
    rotations = {arm.upper_arm: upper, arm.forearm: multiply(upper, elbow)}
    return rotations | ({arm.collar: carried} if arm.collar >= 0 else {})


def _shrug(arm: Arm, angle: float, count: int) -> Array:
    return np.broadcast_to(about_z(np.array(arm.side * angle)), (count, 4))


def _aligned(arm: Arm, direction: Array) -> Array:
    """Rotation that takes the upper arm to `direction [n, 3]`, with the elbow's axis perpendicular to forward."""
    level = arm.axis - (arm.axis @ arm.upper) * arm.upper
    rest = np.stack([arm.upper, normalized(level), cross(arm.upper, normalized(level))], axis=-1)
    axis = cross(np.array([0.0, -1.0, 0.0]), _FORWARD)  # of a hanging arm: to the right
    hanging = np.broadcast_to(axis, direction.shape)
    across = normalized(hanging - (hanging * direction).sum(axis=-1, keepdims=True) * direction)
    there = np.stack([direction, across, cross(direction, across)], axis=-1)
    return wxyz_from_matrix(there @ rest.T)
