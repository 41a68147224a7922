"""A figure walks in the plain form: legs in the plane, feet rigid on the shins, the standing toe pinned."""

from __future__ import annotations

import numpy as np

from posable.errors import PosableError
from posable.figures import Figure
from posable.motion.gait.body import Body, Leg
from posable.motion.gait.from_recording import curve
from posable.motion.gait.joint_turns import about_x, rotate
from posable.motion.gait.plan import Plan
from posable.motion.gait.planar import QuadraticGait
from posable.motion.gait.style import Style
from posable.motion.gait.upper_body import arm_turns, arms_of
from posable.skeleton import Axis, Joint, Skeleton
from posable.spatial import Array

_DOWN = -np.pi / 2
_PARTS = ("thigh", "knee", "ankle")
_SIDEWAYS = Axis((1.0, 0.0, 0.0))


def plain_turns(
    body: Body, style: Style, plan: Plan, steps: int, frames: int
) -> tuple[dict[int, Array], dict[int, Array]]:
    """(turns, places) of the joints over `steps` steps of `frames` frames, and one more frame.

    The right leg is in front as the walk begins. The shin reaches from the knee to the sole, the foot from below the
    knee to the tip of the toes, so that the toe that is pinned is the figure's own.
    """
    _check_legs(body, "quadratic")
    leg = body.legs[0]
    knee = leg.points[1]
    lengths = {
        "thigh": _across(knee - leg.hip), "shin": knee[1] - leg.tip[1], "foot": leg.tip[2] - knee[2],
    }  # fmt: skip
    plain = QuadraticGait.of(style.gait, style.pace.step * body.length, **lengths)
    angles, _, hip = plain.frames(steps, frames)
    turns: dict[int, Array] = {}
    for number, own in enumerate((1, 0)):
        one = body.legs[own]
        for joint, angle in zip(one.joints, _bent(one.points, angles[:, number]), strict=True):
            turns[joint] = angle
    still = np.zeros(len(hip))
    turns[body.mover] = about_x(still)
    middle = np.mean([leg.hip for leg in body.legs], axis=0)
    place = np.stack([still + middle[0], hip[:, 1] + leg.tip[1], hip[:, 0]], axis=-1)
    places = {body.mover: place + body.rest_places[body.mover] - middle}
    _add_arms(turns, body, plan, plan.lands[1] + np.arange(len(hip)) / frames / 2)
    return turns, places


def curve_turns(
    body: Body, style: Style, plan: Plan, steps: int, frames: int
) -> tuple[dict[int, Array], dict[int, Array]]:
    """As `plain_turns`, the legs' angles being harmonics of the stride; the left foot lands first.

    The body is carried by the sole that is lowest, which stays where it is.
    """
    _check_legs(body, "curves")
    phase = np.arange(steps * frames + 1) / frames / 2
    turns = {body.mover: about_x(np.zeros(len(phase)))}
    soles = []
    for leg, late in zip(body.legs, (0.0, 0.5), strict=True):
        three = [np.radians(curve(getattr(style.gait, f"{part}_curve"), phase - late)) for part in _PARTS]
        thigh, shin, pitch = three[0], three[0] - three[1], three[0] - three[1] + three[2]
        rests = [np.arctan2(bone[2], -bone[1]) for bone in np.diff(leg.points, axis=0)]
        turns |= {leg.joints[0]: about_x(rests[0] - thigh), leg.joints[1]: about_x(rests[1] - shin)}
        turns[leg.foot] = about_x(-pitch)
        if leg.toes >= 0:
            turns[leg.toes] = about_x(-np.maximum(pitch, 0.0))
        soles.append(_hanging(leg, [turns[joint] for joint in (*leg.joints, leg.foot)]))
    places = {body.mover: body.rest_places[body.mover] + _carried(np.stack(soles), body.legs[0].hip)}
    _add_arms(turns, body, plan, phase)
    return turns, places


def _hanging(leg: Leg, turns: list[Array]) -> Array:
    """`[frame, 2, 3]` heel and ball of a sole as they hang from the hip."""
    thigh, shin, foot = turns
    ankle = rotate(thigh, leg.points[1] - leg.hip) + rotate(shin, leg.ankle - leg.points[1])
    under = np.array([leg.ball[0], leg.tip[1], leg.ball[2]])
    return np.stack([ankle + rotate(foot, point - leg.ankle) for point in (leg.heel, under)], axis=1)


def _carried(soles: Array, hip: Array) -> Array:
    """How far the body is from rest `[frame, 3]`, the lowest of `soles [leg, frame, 2, 3]` standing still."""
    points = np.moveaxis(soles, 0, 1).reshape(soles.shape[1], -1, 3)
    lowest = np.argmin(points[..., 1], axis=1)
    rows = np.arange(len(points))
    ahead = points[rows[:-1], lowest[:-1], 2] - points[rows[1:], lowest[:-1], 2]
    way = np.zeros((len(points), 3))
    way[:, 1] = -points[rows, lowest, 1] - hip[1]
    way[1:, 2] = np.cumsum(ahead)
    return way


def _check_legs(body: Body, form: str) -> None:
    if not body.biped or any(len(leg.joints) != 2 for leg in body.legs):
        raise PosableError(f"the {form} form is for two legs of thigh and shin; use form = 'rich'")


def _add_arms(turns: dict[int, Array], body: Body, plan: Plan, phase: Array) -> None:
    for arm in arms_of(body):
        turns.update(arm_turns(arm, plan, phase, about_x(np.zeros(len(phase)))))


def _across(vector: Array) -> float:
    """Its length in the plane of walking."""
    return float(np.hypot(vector[1], vector[2]))


def _bent(points: Array, angles: Array) -> list[Array]:
    """Turns of thigh and shin whose rest is `points [hip, knee, ankle]`; the shin's direction is that of its sole."""
    thigh = points[1] - points[0]
    rest = np.arctan2(thigh[1], thigh[2])
    return [about_x(-(angles[:, 0] - rest)), about_x(-(angles[:, 1] - _DOWN))]


def planar_walker(thigh: float = 0.45, shin: float = 0.43, foot: float = 0.15) -> Figure:
    """Build the figure of the planar form: hips and two legs of hinges, with feet at right angles to the shins.

    It faces +z with y up, and stands on its toes and on the ends of its shins.

    Args:
        thigh: Length of the thigh, in the figure's own unit.
        shin: Length of the shin.
        foot: Length of the foot.

    Returns:
        The figure.
    """
    joints = [Joint("hips", "free", None, (0.0, thigh + shin, 0.0))]
    for side, x in (("l", 0.05), ("r", -0.05)):
        joints += [
            Joint(f"thigh_{side}", "hinge", "hips", (x, 0.0, 0.0), axes=(_SIDEWAYS,)),
            Joint(f"shin_{side}", "hinge", f"thigh_{side}", (0.0, -thigh, 0.0), axes=(_SIDEWAYS,)),
            Joint(f"foot_{side}", "fixed", f"shin_{side}", (0.0, -shin, 0.0), tips=((0.0, 0.0, foot),)),
        ]
    return Figure(Skeleton(joints), name="planar_walker")
