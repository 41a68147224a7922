"""Footsteps first: when each foot lands and lifts, and where; and how far the body has come by then.

Time is told as a phase in strides, lengths in leg lengths, places in the figure's directions at the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.errors import PosableError
from posable.motion.gait.body import Leg
from posable.motion.gait.footing import Footsteps, Ground, footing
from posable.motion.gait.gait import Gait
from posable.motion.gait.joint_turns import ramp, ramp_sum
from posable.motion.gait.route import Track, straight, turning
from posable.motion.gait.style import Style
from posable.spatial import Array

_LEAD = 0.2  # strides from the first frame to the first foot that lifts
_SETTLE = 0.7  # strides from the last foot that lands to the last frame
_LATE = 0.06  # strides by which the last step may come late, as where a gait limps
_SHIFT = -0.065  # of a leg: the middle of a step lies so much behind the hips
_FAR = 1e9
_ROOM, _USUAL_WIDTH = 0.85, 0.55  # between broad feet, foot breadths; the width that asks for it


@dataclass(frozen=True, eq=False)
class Contacts:
    """One leg's, in order. land, lift: `[contact]` phases. spot: `[contact, 3]` the ground under the ball of the foot.

    yaw: heading of the foot. normal: `[contact, 3]` of the ground. share: `[contact]` of a whole step that led here.
    shift: `[contact]` how far ahead of its place on level ground.
    """

    land: Array
    lift: Array
    spot: Array
    yaw: Array
    normal: Array
    share: Array
    shift: Array


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
    times = [_times(plan, k, last if stops else None, starts=starts) for k in range(len(legs))]
    return replace(plan, contacts=_contacts(plan, legs, times))


def _times(plan: Plan, number: int, last: float | None, *, starts: bool) -> tuple[Array, Array]:
    """When a leg lands and lifts."""
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
    return land, lift


def _contacts(plan: Plan, legs: tuple[Leg, ...], times: list[tuple[Array, Array]]) -> tuple[Contacts, ...]:
    """The contacts of each leg, on the ground. A person's two legs look for their places together."""
    level = [_level(plan, leg, *own) for leg, own in zip(legs, times, strict=True)]
    toe_out = plan.style["toe_out"] if plan.biped else 0.0
    spots = [(one.spot, np.broadcast_to([0.0, 1.0, 0.0], one.spot.shape), 0 * one.heading) for one in level]
    if not plan.ground.level:
        groups = [level] if plan.biped else [[one] for one in level]
        spots = [found for group in groups for found in footing(plan.ground, group, toe_out, plan.stride)]
    contacts = []
    for (land, lift), one, (spot, normal, shift) in zip(times, level, spots, strict=True):
        way = np.linalg.norm(np.diff(spot[:, [0, 2]], axis=0), axis=1) / plan.stride + plan.track.spot
        share = np.minimum(np.concatenate([[1.0 - one.stands[0]], way]), 1.0)
        contacts.append(Contacts(land, lift, spot, one.heading + one.leg.side * toe_out, normal, share, shift))
    return tuple(contacts)


def _level(plan: Plan, leg: Leg, land: Array, lift: Array) -> Footsteps:
    """Where the feet stand on level ground: under the place where the body is in the middle of the contact."""
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
    return Footsteps(leg, spot, heading, middle, standing)


def _track_side(leg: Leg, width: float) -> float:
    """How far to the left of the middle a foot goes: broad feet walk wide enough to pass each other."""
    apart = _ROOM * leg.breadth / 2 * min(width / _USUAL_WIDTH, 1.0) if width > 0 else 0.0
    return leg.side * max(leg.side * leg.hip[0] * width, apart)


def astray(plan: Plan, phase: Array) -> Array:
    """How far to the left an unsteady walker leaves the line, leg lengths."""
    return 0.11 * plan.style["wander"] * (np.sin(2.9 * phase + 1.0) + np.sin(4.7 * phase))


# Turning on the spot: style, steps and plan of a figure that keeps its place and comes to face elsewhere.


_STEP = np.radians(35)  # that a step may turn: further, hips would twist beyond their limits and feet meet
_ENDS = 0.4  # steps that starting and stopping take off the way
_SHORT = 0.16  # how long steps on the spot are, as a share of those of the walk
_LESS = {
    "strike": 0.2, "roll": 0.5, "kick": 0.0, "arm_swing": 0.3, "elbow_swing": 0.3, "twist": 0.4, "rotation": 0.0,
    "lean": 0.5,
}  # fmt: skip
_LIFT, _WIDTH = 0.075, 1.4  # at least: clearance, and room between feet that turn beside each other
_MOST = 36_000.0


def check_turn(turn: float, gait: Gait, *, path: bool, backwards: bool, loop: bool) -> None:
    """Raise PosableError for an angle that cannot be meant, or beside what does not go with a turn on the spot."""
    if not isinstance(turn, int | float | np.number) or isinstance(turn, bool) or not abs(turn) <= _MOST:
        raise PosableError(f"turn must be degrees from -{_MOST:,.0f} to {_MOST:,.0f}, not {turn!r}")
    beside = {"path": path, "backwards": backwards, "a loop": loop, f"the {gait.form} form": gait.form != "rich"}
    if any(beside.values()):
        names = " and ".join(name for name, given in beside.items() if given)
        raise PosableError(
            f"a turn on the spot stands at its start and end and goes nowhere; leave out turn={turn:g}, or {names}"
        )


def _on_the_spot(style: Style) -> Style:
    """Less of what goes with a way: steps as often but short, and so with little strike and roll; little swing."""
    own = {name: share * style[name] for name, share in _LESS.items()}
    own |= {"lift": max(style["lift"], _LIFT), "width": max(style["width"], _WIDTH)}
    return replace(style.scaled(_SHORT), number=style.number | own)


def plan_turn(style: Style, legs: tuple[Leg, ...], ground: Ground, angle: float, steps: int | None) -> Plan:
    """Plan a turn by `angle` radians to the left, in as many steps as it takes unless told; the inner leg leads.

    Raises PosableError where a step would turn too far.
    """
    least = max(int(np.ceil(abs(angle) / _STEP + _ENDS - 1e-9)), 2)
    steps = least if steps is None else steps
    if steps < least:
        raise PosableError(
            f"a turn by {np.degrees(angle):g}° takes {least} steps at the least, not {steps}; leave steps out"
        )
    style, leads = _on_the_spot(style), 0 if angle > 0 else 1
    plan = make_plan(style, legs, straight(), ground, steps, starts=True, stops=True, leads=leads)
    begun, done = (float(plan.along(np.array(phase))) for phase in (plan.start, plan.end))
    return make_plan(style, legs, turning(angle, begun, done), ground, steps, starts=True, stops=True, leads=leads)
