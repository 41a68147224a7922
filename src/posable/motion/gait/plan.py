"""Footsteps first: the track of a walk, and the times and positions at which each foot lands and lifts along it.

Time is a phase in strides, lengths are leg lengths, positions are in the figure's own axes at the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError, is_number
from posable.motion.gait.anatomy import Leg
from posable.motion.gait.batch_rotations import ramp, ramp_sum
from posable.motion.gait.footing import Footsteps, Ground, footing
from posable.motion.gait.gait import Gait, Style
from posable.spatial import Array

_SAMPLES = 48  # per piece between two points
_MOST_POINTS = 10_000
_FARTHEST = 1e15


@dataclass(frozen=True, eq=False)
class Track:
    """The line that a walk follows; beyond its ends it goes straight on.

    positions: `[sample, 2]`, to the left and forward. headings: `[sample]`, radians to the left of forward.
    along: `[sample]`, arc length, divided by `pace [sample]` where steps are shorter. in_place: only the heading
    changes; `along` is then a length of its own.
    """

    along: Array
    positions: Array
    headings: Array
    in_place: bool = False
    pace: Array | None = None

    @property
    def length(self) -> float:
        return float(self.along[-1])

    @property
    def is_straight(self) -> bool:
        return len(self.along) == 2 and not self.in_place

    def at(self, along: Array) -> tuple[Array, Array]:
        """Position `[..., 2]` and heading `[...]` at the distance `along [...]`."""
        if self.in_place:
            heading = np.interp(along, self.along, self.headings)
            return np.broadcast_to(self.positions[0], (*heading.shape, 2)), heading
        inside = np.clip(along, 0.0, self.length)
        if self.is_straight:
            position, heading = np.zeros((*inside.shape, 2)), np.full(inside.shape, self.headings[0])
            position += self.positions[0] + _ahead(heading) * inside[..., None]
        else:
            position, heading = self._curved(inside)
        return position + ((along - inside) * self.pace_at(inside))[..., None] * _ahead(heading), heading

    def pace_at(self, along: Array) -> Array:
        """`[...]` length of steps at `along`, as a share of the gait's own."""
        return np.ones(np.shape(along)) if self.pace is None else np.interp(along, self.along, self.pace)

    def _curved(self, inside: Array) -> tuple[Array, Array]:
        """Cubic Hermite interpolation between samples: continuous in position and direction."""
        low = np.clip(np.searchsorted(self.along, inside, side="right") - 1, 0, len(self.along) - 2)
        size = (self.along[1:] - self.along[:-1])[low]
        x = (inside - self.along[low]) / size
        ahead = _ahead(self.headings) * self.pace_at(self.along)[:, None]
        a, b = (x * x * (3 - 2 * x))[..., None], (x * (1 - x) ** 2)[..., None]
        c = (x * x * (x - 1))[..., None]
        position = self.positions[low] * (1 - a) + self.positions[low + 1] * a
        position += size[..., None] * (b * ahead[low] + c * ahead[low + 1])
        return position, self.headings[low] * (1 - x) + self.headings[low + 1] * x


def straight(position: ArrayLike = (0.0, 0.0), heading: float = 0.0) -> Track:
    """An endless straight line."""
    positions = np.stack([np.asarray(position, float), np.asarray(position, float) + _ahead(np.asarray(heading))])
    return Track(np.array([0.0, 1.0]), positions, np.full(2, heading))


def turning(angle: float, begun: float, done: float) -> Track:
    """A turn in place by `angle` radians to the left, while `along` goes from `begun` to `done`."""
    return Track(np.array([begun, done]), np.zeros((2, 2)), np.array([0.0, angle]), in_place=True)


def through(points: ArrayLike) -> Track:
    """The smooth curve through `points [point, 2]`, to the left and forward. Raises PosableError."""
    from scipy.interpolate import CubicSpline

    points = checked_points(points)
    chord = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    if len(points) == 2:
        ahead = points[1] - points[0]
        track = straight(points[0], float(np.arctan2(ahead[0], ahead[1])))
        return Track(np.array([0.0, chord[1]]), points, track.headings)
    closed = len(points) > 3 and np.linalg.norm(points[0] - points[-1]) < 1e-9 * chord[-1]
    if closed:
        points = np.concatenate([points[:-1], points[:1]])
    curve = CubicSpline(chord, points, bc_type="periodic" if closed else "natural")
    at = np.interp(np.arange((len(points) - 1) * _SAMPLES + 1) / _SAMPLES, np.arange(len(points)), chord)
    velocity = curve(at, 1)
    speed = np.linalg.norm(velocity, axis=1)
    along = np.concatenate([[0.0], np.cumsum(_simpson(curve, at, speed))])
    return Track(along, curve(at), np.unwrap(np.arctan2(velocity[:, 0], velocity[:, 1])))


_YAW_PER_STEP = np.radians(29)  # steps are shortened to this: hips limit the twist of feet
_STEEP = 5.0  # effect of the squared slope on the length of steps
_FINE = 12  # samples per step


def eased(track: Track, ground: Ground, step: float, length: float) -> Track:
    """The track with shorter steps in tight bends and on steep ground, as people take them.

    step: leg lengths, of the gait. length: distance walked on a straight track. Stairs determine their own steps.
    """
    if track.in_place or (ground.level and track.is_straight):
        return track
    along, positions, headings = track.along, track.positions, track.headings
    if track.is_straight:
        along = np.linspace(0.0, length, int(np.ceil(length / step * _FINE)) + 1)
        positions, headings = track.at(along)
    spacing, slope = np.diff(along), np.zeros(len(along) - 1)
    if not ground.stairs:
        ends = (np.clip(along + side * step / 2, along[0], along[-1]) for side in (-1, 1))
        height = ground.seen(np.stack([positions[:, 0], 0 * along, positions[:, 1]], axis=-1))[0]
        known = np.isfinite(height)
        if known.any():
            before, after = ((end, np.interp(end, along[known], height[known])) for end in ends)
            slope = ((after[1] - before[1]) / (after[0] - before[0]))[:-1]
    yaws = np.abs(np.diff(headings)) / _YAW_PER_STEP * step
    effort = (spacing**4 + yaws**4) ** 0.25 * (1 + _STEEP * slope**2)
    pace = spacing / effort
    pace = np.concatenate([pace[:1], (pace[1:] + pace[:-1]) / 2, pace[-1:]])
    return Track(np.concatenate([[0.0], np.cumsum(effort)]), positions, headings, pace=pace)


def checked_points(points: ArrayLike) -> Array:
    """Check the points of a path.

    Args:
        points: `[point, 2]`.

    Returns:
        The points as an array.

    Raises:
        PosableError: For fewer than two points, values that are not finite, or equal consecutive points.

    Example:
        >>> points = posable.motion.checked_points([[0, 0], [0.5, 1.5]])  # [point, 2]
    """
    try:
        if any(isinstance(one, bool | np.bool_) for one in np.asarray(points, object).flat):
            raise TypeError("booleans are not numbers")
        points = np.asarray(points, float)
    except (TypeError, ValueError) as problem:
        raise PosableError(f"a path must be a list of [x, z] points, not {str(points)[:60]}") from problem
    if points.ndim != 2 or points.shape[1] != 2 or not 2 <= len(points) <= _MOST_POINTS:
        raise PosableError(f"a path is 2 to {_MOST_POINTS:,} points of two numbers each, not of shape {points.shape}")
    if not (np.abs(points) < _FARTHEST).all():
        raise PosableError(f"a point of the path is not two finite numbers below {_FARTHEST:g}")
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if gaps.min() <= 1e-9 * gaps.max():
        raise PosableError(f"points {int(np.argmin(gaps))} and {int(np.argmin(gaps)) + 1} of the path are the same")
    return points


def _simpson(curve: object, at: Array, speed: Array) -> Array:
    middle = np.linalg.norm(curve((at[1:] + at[:-1]) / 2, 1), axis=1)  # type: ignore[operator]
    return np.diff(at) * (speed[1:] + 4 * middle + speed[:-1]) / 6


def _ahead(heading: Array) -> Array:
    return np.stack([np.sin(heading), np.cos(heading)], axis=-1)


_LEAD = 0.2  # strides from the first frame to the first foot that lifts
_SETTLE = 0.7  # strides from the last foot that lands to the last frame
_LATE = 0.06  # strides by which the last step may be late, as in a limp
_SHIFT = -0.043  # of a leg: offset of the middle of a step from the hips
_FAR = 1e9
_DIFFER = np.array(
    [0.01, 0.006, np.radians(1.0), 0.004]
)  # standard deviations of footsteps: ahead and aside, leg lengths; yaw; delay in strides
_ROOM, _USUAL_WIDTH = 0.85, 0.55  # between broad feet, foot breadths; the width from which it is kept in full


@dataclass(frozen=True, eq=False)
class Contacts:
    """The contacts of one leg, in order.

    land, lift: `[contact]` phases. foothold: `[contact, 3]` the ground under the ball of the foot. yaw: heading of the
    foot. normal: `[contact, 3]` of the ground. share: `[contact]` length of the step to it, as a share of a full step.
    shift: `[contact]` displacement ahead of its position on level ground.
    """

    land: Array
    lift: Array
    foothold: Array
    yaw: Array
    normal: Array
    share: Array
    shift: Array


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan of a whole walk.

    start, end: phases of the first and last frame. stride: leg lengths. lands, downs: per leg, the phase at which it
    lands and the share of the stride it is down.
    """

    style: Style
    track: Track
    ground: Ground
    start: float
    end: float
    up: tuple[float, float] | None  # phases between which the body speeds up; None if it walks already
    down: tuple[float, float] | None  # the same for slowing down
    stride: float
    lands: tuple[float, ...]
    downs: tuple[float, ...]
    contacts: tuple[Contacts, ...] = ()
    seed: int | None = None  # of the random differences between steps; None for none

    @property
    def biped(self) -> bool:
        return len(self.lands) == 2

    def along(self, phase: Array) -> Array:
        """Distance of the body along the track, leg lengths."""
        gone = phase if self.up is None else ramp_sum(phase, *self.up)
        return self.stride * (gone if self.down is None else gone - ramp_sum(phase, *self.down))

    def moving(self, phase: Array) -> Array:
        """Speed as a share of the gait's: 0 standing, 1 walking."""
        gone = np.ones_like(phase) if self.up is None else ramp(phase, *self.up)
        return gone if self.down is None else gone - ramp(phase, *self.down)


def make_plan(
    style: Style, legs: tuple[Leg, ...], track: Track, ground: Ground, steps: int, *, starts: bool, stops: bool,
    leads: int = 1, seed: int | None = None,
) -> Plan:  # fmt: skip
    """Plan `steps` steps along the track (two make a stride).

    leads: number of the leg that lifts first. seed: of the random differences between steps.
    """
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
    plan = Plan(style, track, ground, begin, end, up, down, stride, lands, downs, seed=seed if len(legs) == 2 else None)
    times = [_times(plan, k, last if stops else None, starts=starts) for k in range(len(legs))]
    return replace(plan, contacts=_contacts(plan, legs, times))


def _times(plan: Plan, number: int, last: float | None, *, starts: bool) -> tuple[Array, Array, Array]:
    """Phases at which a leg lands and lifts, and random offsets of its foot: `[contact, 3]` ahead, aside, yaw."""
    down = plan.downs[number]
    count = np.arange(np.floor(plan.start) - 2, np.ceil(plan.end) + 3)
    land = count + plan.lands[number]
    lift = land + down
    keep = np.ones(len(count), bool)
    if starts:
        keep &= lift >= plan.start + _LEAD - 1e-9
    if last is not None:
        keep &= land <= last + _LATE
    differs = _differences(plan, number, count)[keep]
    land, lift = land[keep] + differs[:, 3], lift[keep] + differs[:, 3]
    if starts:
        land[0], differs[0] = -_FAR, 0.0
        lift[0] = plan.lands[number] + count[keep][0] + down
    if last is not None:
        land[-1], lift[-1], differs[-1] = count[keep][-1] + plan.lands[number], _FAR, 0.0
    return land, lift, differs[:, :3]


def _differences(plan: Plan, number: int, count: Array) -> Array:
    """`[contact, 4]` random offsets for the strides numbered `count [contact]`; periodic in a loop."""
    if plan.seed is None or plan.track.in_place:
        return np.zeros((len(count), 4))
    strides = plan.end - plan.start
    index = (count - count[0]).astype(int)
    if plan.up is None and plan.down is None and strides % 1 == 0:
        index = np.remainder(count, strides).astype(int)
    drawn = np.random.default_rng([plan.seed, number]).standard_normal((index.max() + 1, 4))
    on_treads = np.array([0.0, 1.0, 1.0, 1.0]) if plan.ground.stairs else 1.0
    return plan.style["vary"] * _DIFFER * on_treads * np.clip(drawn, -2, 2)[index]


def _contacts(plan: Plan, legs: tuple[Leg, ...], times: list[tuple[Array, Array, Array]]) -> tuple[Contacts, ...]:
    """The contacts of each leg on the ground; the footholds of a person's two legs are chosen together."""
    level = [_level(plan, leg, *own) for leg, own in zip(legs, times, strict=True)]
    toe_out = plan.style["toe_out"] if plan.biped else 0.0
    footholds = [(one.foothold, np.broadcast_to([0.0, 1.0, 0.0], one.foothold.shape), 0 * one.heading) for one in level]
    if not plan.ground.level:
        groups = [level] if plan.biped else [[one] for one in level]
        footholds = [found for group in groups for found in footing(plan.ground, group, toe_out, plan.stride)]
    contacts = []
    for (land, lift, differs), one, (foothold, normal, shift) in zip(times, level, footholds, strict=True):
        gaps = np.linalg.norm(np.diff(foothold[:, [0, 2]], axis=0), axis=1) / plan.stride + plan.track.in_place
        share = np.minimum(np.concatenate([[1.0 - one.stands[0]], gaps]), 1.0)
        contacts.append(
            Contacts(land, lift, foothold, one.heading + one.leg.side * toe_out + differs[:, 2], normal, share, shift)
        )
    return tuple(contacts)


def _level(plan: Plan, leg: Leg, land: Array, lift: Array, differs: Array) -> Footsteps:
    """Footholds on level ground: under the body's position in the middle of each contact."""
    standing = (land <= -_FAR) | (lift >= _FAR)
    middle = np.where(land <= -_FAR, plan.start, np.where(lift >= _FAR, plan.end + 1, (land + lift) / 2))
    along = plan.along(middle)
    position, heading = plan.track.at(along)
    if plan.biped:
        side = np.full(len(along), _track_side(leg, plan.style["width"]))
        ahead = leg.ball[2] + np.where(standing | plan.track.in_place, 0.0, _SHIFT)
    else:
        side, ahead = np.full(len(along), leg.ball[0]), np.full(len(along), leg.ball[2])
    side, ahead = side + astray(plan, middle) * (~standing) + differs[:, 1], ahead + differs[:, 0]
    sine, cosine = np.sin(heading), np.cos(heading)
    foothold = np.zeros((len(along), 3))
    foothold[:, 0] = position[:, 0] + cosine * side + sine * ahead
    foothold[:, 2] = position[:, 1] - sine * side + cosine * ahead
    return Footsteps(leg, foothold, heading, middle, standing)


def _track_side(leg: Leg, width: float) -> float:
    """Offset of a foot's track to the left of the middle; wide enough for broad feet to pass each other."""
    apart = _ROOM * leg.breadth / 2 * min(width / _USUAL_WIDTH, 1.0) if width > 0 else 0.0
    return leg.side * max(leg.side * leg.hip[0] * width, apart)


def astray(plan: Plan, phase: Array) -> Array:
    """Deviation of an unsteady walker from the track, to the left, leg lengths."""
    return 0.11 * plan.style["wander"] * (np.sin(2.9 * phase + 1.0) + np.sin(4.7 * phase))


# Turning in place: style, steps and plan of a figure that keeps its position and changes its heading.


_STEP = np.radians(35)  # largest change of heading in one step: beyond it hips exceed their limits and feet collide
_ENDS = 0.4  # steps lost by starting and stopping
_SHORT = 0.16  # length of steps in place, as a share of the walk's
_LESS = {
    "strike": 0.2, "roll": 0.5, "kick": 0.0, "arm_swing": 0.3, "elbow_swing": 0.3, "twist": 0.4, "rotation": 0.0,
    "lean": 0.5, "sway": 0.4, "pitch": 0.3,
}  # fmt: skip
_LIFT, _WIDTH = 0.075, 1.4  # least clearance, and least width between feet that pivot beside each other
_MOST = 36_000.0


def check_turn(turn: float, gait: Gait, *, path: bool, backwards: bool, loop: bool) -> None:
    """Raise PosableError for an invalid angle, or for options that do not go with a turn in place."""
    if not (is_number(turn) and abs(turn) <= _MOST):
        raise PosableError(f"turn must be degrees from -{_MOST:,.0f} to {_MOST:,.0f}, not {turn!r}")
    beside = {"path": path, "backwards": backwards, "a loop": loop, f"the {gait.form} form": gait.form != "rich"}
    if any(beside.values()):
        names = " and ".join(name for name, given in beside.items() if given)
        raise PosableError(
            f"a turn in place starts and ends standing and does not travel; leave out turn={turn:g}, or {names}"
        )


def _in_place(style: Style) -> Style:
    """The style for a turn in place: short steps at the same cadence, with little strike, roll and swing."""
    own = {name: share * style[name] for name, share in _LESS.items()}
    own |= {"lift": max(style["lift"], _LIFT), "width": max(style["width"], _WIDTH)}
    return replace(style.scaled(_SHORT), number=style.number | own)


def plan_turn(style: Style, legs: tuple[Leg, ...], ground: Ground, angle: float, steps: int | None) -> Plan:
    """Plan a turn by `angle` radians to the left; None takes as many steps as needed; the inner leg leads.

    Raises PosableError for too few steps.
    """
    least = max(int(np.ceil(abs(angle) / _STEP + _ENDS - 1e-9)), 2)
    steps = least if steps is None else steps
    if steps < least:
        raise PosableError(
            f"a turn by {np.degrees(angle):g}° takes at least {least} steps, not {steps}; leave steps out"
        )
    style, leads = _in_place(style), 0 if angle > 0 else 1
    plan = make_plan(style, legs, straight(), ground, steps, starts=True, stops=True, leads=leads)
    begun, done = (float(plan.along(np.array(phase))) for phase in (plan.start, plan.end))
    return make_plan(style, legs, turning(angle, begun, done), ground, steps, starts=True, stops=True, leads=leads)
