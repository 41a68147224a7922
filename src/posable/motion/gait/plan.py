"""Footsteps first: when each foot lands and lifts, and where; and how far the body has come by then.

Time is told as a phase in strides, lengths in leg lengths, places in the figure's directions at the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.motion.gait.body import Leg
from posable.motion.gait.ground import Ground
from posable.motion.gait.style import Style
from posable.motion.gait.track import Track
from posable.motion.gait.turning import ramp, ramp_sum
from posable.spatial import Array

_LEAD = 0.2  # strides from the first frame to the first foot that lifts
_SETTLE = 0.7  # strides from the last foot that lands to the last frame
_LATE = 0.06  # strides by which the last step may come late, as where a gait limps
_SHIFT = -0.065  # of a leg: the middle of a step lies so much behind the hips
_FAR = 1e9
_ROOM, _USUAL_WIDTH = 0.85, 0.55  # between broad feet, foot breadths; the width that asks for it
_SEARCH, _TRIES = 0.3, 61  # leg lengths to either side in which a foot looks for even ground, and how finely
_MARGIN, _ROUGH = 0.005, 0.02  # leg lengths beyond heel and tip; what is even
_INSIDE, _OUTSIDE, _CLOSE = 30.0, 10.0, 5.0  # a heel or tip in a riser, over an edge, close to a riser: in whole ways


@dataclass(frozen=True, eq=False)
class Contacts:
    """One leg's, in order. land, lift: `[contact]` phases. spot: `[contact, 3]` the ground under the ball of the foot.

    yaw: heading of the foot. normal: `[contact, 3]` of the ground. share: `[contact]` of a whole step that led here.
    """

    land: Array
    lift: Array
    spot: Array
    yaw: Array
    normal: Array
    share: Array


@dataclass(frozen=True, eq=False)
class Plan:
    """The whole walk. start, end: phases of the first and last frame. stride: leg lengths.

    lands, downs: per leg, the phase at which it lands and the share of the stride it is down.
    """

    style: Style
    track: Track
    ground: Ground
    start: float
    end: float
    up: tuple[float, float] | None  # phases between which the body gathers speed, None where it is under way already
    down: tuple[float, float] | None  # and loses it
    stride: float
    lands: tuple[float, ...]
    downs: tuple[float, ...]
    contacts: tuple[Contacts, ...] = ()

    @property
    def biped(self) -> bool:
        return len(self.lands) == 2

    def along(self, phase: Array) -> Array:
        """How far along the track the body is, leg lengths."""
        gone = phase if self.up is None else ramp_sum(phase, *self.up)
        return self.stride * (gone if self.down is None else gone - ramp_sum(phase, *self.down))

    def way(self, phase: Array) -> Array:
        """0 where the body stands, 1 where it is under way."""
        gone = np.ones_like(phase) if self.up is None else ramp(phase, *self.up)
        return gone if self.down is None else gone - ramp(phase, *self.down)


def make_plan(
    style: Style, legs: tuple[Leg, ...], track: Track, ground: Ground, steps: int, *, starts: bool, stops: bool,
    leads: int = 1,
) -> Plan:  # fmt: skip
    """Plan `steps` steps along the track (two make a stride). leads: the leg that lifts first, by its number."""
    lands, downs = (tuple(values) for values in style.phases())
    stride = 2 * style.pace.step
    ramp = 0.5 if len(legs) == 2 else 1.0
    first = (lands[leads] + downs[leads]) % 1.0
    begin = first - _LEAD if starts else 0.0
    landing = first + 1 - downs[leads] if starts else 0.5
    last = landing + (steps - 1) / 2
    end = last + _SETTLE if stops else last if starts else steps / 2
    up = (max(landing - 1.2 * ramp, begin), max(landing + ramp, begin + 1.5 * ramp)) if starts else None
    down = (last - 1.4 * ramp, last + 0.4 * ramp) if stops else None
    plan = Plan(style, track, ground, begin, end, up, down, stride, lands, downs)
    contacts = tuple(_contacts(plan, leg, k, last if stops else None, starts=starts) for k, leg in enumerate(legs))
    return replace(plan, contacts=contacts)


def _contacts(plan: Plan, leg: Leg, number: int, last: float | None, *, starts: bool) -> Contacts:
    down = plan.downs[number]
    count = np.arange(np.floor(plan.start) - 2, np.ceil(plan.end) + 3)
    land = count + plan.lands[number]
    lift = land + down
    if starts:
        keep = lift >= plan.start + _LEAD - 1e-9
        land, lift = land[keep], lift[keep]
        land[0] = -_FAR
    if last is not None:
        keep = land <= last + _LATE
        land, lift = land[keep], lift[keep]
        lift[-1] = _FAR
    return _placed(plan, leg, land, lift)


def _placed(plan: Plan, leg: Leg, land: Array, lift: Array) -> Contacts:
    """Where the feet stand: under the place where the body is in the middle of the contact."""
    standing = (land <= -_FAR) | (lift >= _FAR)
    middle = np.where(land <= -_FAR, plan.start, np.where(lift >= _FAR, plan.end + 1, (land + lift) / 2))
    along = plan.along(middle)
    place, heading = plan.track.at(along)
    if plan.biped:
        side = np.full(len(along), _track_side(leg, plan.style["width"]))
        ahead = leg.ball[2] + np.where(standing | plan.track.spot, 0.0, _SHIFT)
    else:
        side, ahead = np.full(len(along), leg.ball[0]), np.full(len(along), leg.ball[2])
    side = side + astray(plan, middle) * (~standing)
    sine, cosine = np.sin(heading), np.cos(heading)
    spot = np.zeros((len(along), 3))
    spot[:, 0] = place[:, 0] + cosine * side + sine * ahead
    spot[:, 2] = place[:, 1] - sine * side + cosine * ahead
    if not plan.ground.level:
        spot += _footing(plan, leg, spot, heading)
    spot[:, 1], normal = plan.ground.at(spot)
    yaw = heading + (leg.side * plan.style["toe_out"] if plan.biped else 0.0)
    way = np.linalg.norm(np.diff(spot[:, [0, 2]], axis=0), axis=1) / plan.stride + plan.track.spot
    return Contacts(land, lift, spot, yaw, normal, np.minimum(np.concatenate([[1.0 - standing[0]], way]), 1.0))


def _track_side(leg: Leg, width: float) -> float:
    """How far to the left of the middle a foot goes: broad feet walk wide enough to pass each other."""
    apart = _ROOM * leg.breadth / 2 * min(width / _USUAL_WIDTH, 1.0) if width > 0 else 0.0
    return leg.side * max(leg.side * leg.hip[0] * width, apart)


def _footing(plan: Plan, leg: Leg, spot: Array, heading: Array) -> Array:
    """How far to move each spot along the heading so that heel, ball and tip stand on one plane, as on a stair.

    A foot longer than its tread hangs over the edge: a tip or heel in a riser would be worse.
    """
    ahead = np.stack([np.sin(heading), 0 * heading, np.cos(heading)], axis=-1)
    shifts = np.linspace(-_SEARCH, _SEARCH, _TRIES)
    centers = spot[:, None] + shifts[:, None] * ahead[:, None]
    height, normal = plan.ground.at(centers)
    slope = -(normal * ahead[:, None]).sum(axis=-1) / normal[..., 1]
    cost = np.abs(shifts) / _SEARCH + np.zeros_like(height)
    toes_out = plan.style["toe_out"] if plan.biped else 0.0
    corner = leg.breadth / 2 * abs(float(np.sin(toes_out)))  # how far a corner of the sole goes ahead of its middle
    for end, way in ((leg.heel[2] - leg.ball[2], -1), (leg.tip[2] - leg.ball[2], 1)):
        for room, sign, worth in (
            (_MARGIN + corner, 1, _INSIDE),
            (2 * _MARGIN + corner, 1, _CLOSE),
            (_MARGIN, -1, _OUTSIDE),
        ):
            reach = end + way * room
            there, _ = plan.ground.at(centers + reach * ahead[:, None])
            cost += worth * (sign * (there - height - slope * reach) > _ROUGH)
    best = np.argmin(cost, axis=1)
    return shifts[best][:, None] * ahead


def astray(plan: Plan, phase: Array) -> Array:
    """How far to the left an unsteady walker leaves the line, leg lengths."""
    return 0.11 * plan.style["wander"] * (np.sin(2.9 * phase + 1.0) + np.sin(4.7 * phase))
