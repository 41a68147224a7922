"""The motion of each foot: heel rocker, flat contact, forefoot rocker, and the swing in between.

During a contact one point of the foot stands still: the heel as the foot tips down, the whole sole, then the joint of
the toes as the heel rises (the tip of the foot, if it has no toes). In the air the pitch follows a curve that joins
both with continuous speed, and the height follows from the pitch: the lowest point of the sole keeps its clearance.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from posable.motion.gait.anatomy import Leg, Sole
from posable.motion.gait.batch_rotations import (
    about_axis,
    about_up,
    about_x,
    cross,
    dot,
    multiply,
    ramp_sum,
    rotate,
    tilted,
)
from posable.motion.gait.footing import Lifts
from posable.motion.gait.plan import Plan
from posable.spatial import Array
from posable.spatial.curves import smootherstep, smoothstep

_HEEL_ROCKER, _TOE_ROCKER = 0.2, 0.449  # of the contact
_QUICKEST = 1.9  # longest swing, in forefoot rockers: a foot that tips too fast overshoots
_USUAL_STRIKE = np.radians(27)  # the strike for which the heel rocker has that length
_ROLLS = 2.53  # exponent of time in the rise of a heel
_STRAIGHT = 0.375  # of the swing, in which the toes align with the foot again
_LEVEL = 0.3  # of the swing, in which the toes of a foot that lands on them become level
_DROP = 0.154  # of the swing, at its end, in which a foot tips down already
_SOFTNESS = 0.006  # leg lengths: smoothing of the change of the forefoot's lowest point
_SOFT_SWITCH = 0.054  # the same between heel and forefoot, which change in mid-air
_ROUNDED = 0.2  # of the swing, at either end, in which the smoothing fades in and out
# Of the swing, in which the sole gains and loses its clearance: for low swings and, at most, for high ones.
_RISE, _FALL = (0.11, 0.2), (0.22, 0.22)
_USUAL_LIFT = 0.024  # leg lengths: the clearance gained in the shorter time
_KICK, _UNKICKED = 0.22, 0.8  # extra tipping in early swing, radians per unit of kick; the kick without any
_BUMP = 7**7 / (3**3 * 4**4)  # scales the maximum of x³ (1 − x)⁴ to 1
_GATHER, _BRAKE = 0.275, 0.28  # of the swing, in which the foot gains and loses its forward speed
_SHORT = 0.23, 0.25  # the same for turns in place, whose steps are so short that slow feet would seem to slide
_CLEARS = 1.5  # clearance over an edge, as a multiple of that over level ground
_TALL = 0.12  # leg lengths: a step up (down) of this height is entirely early (late)
_EARLY = 0.6  # of the swing: the duration of a rise or of a descent
_WAITS = 0.3  # of the swing, in which a foot rises before it moves ahead onto a step
_SETTLES, _STRETCHES = (
    0.204,
    0.848,
)  # of the swing, at its end: the leg approaches its landing length; it is limited to that
_EASES = 0.0153  # leg lengths: softness of that limit
SPARE = 0.3  # radians that a heel may rise further
_LEAVES = 0.4  # of the swing, at either end, in which `FootMotion.stands` fades


@dataclass(frozen=True, eq=False)
class FootMotion:
    """One foot at each phase.

    ball, ankle: `[n, 3]`; the ball is the joint of the toes. rotation, toe_rotation, flat_rotation (without pitch):
    `[n, 4]` since rest. stands: `[n]` 1 on the ground, fading to 0 in the air. spare: `[n]` radians by which the heel
    may rise further so that the leg reaches. pitch: `[n]` toes up.
    """

    ball: Array
    rotation: Array
    toe_rotation: Array
    flat_rotation: Array
    ankle: Array
    stands: Array
    spare: Array
    pitch: Array

    def __getitem__(self, rows: np.ndarray | slice) -> FootMotion:
        return FootMotion(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def moved(self, offset: Array) -> FootMotion:
        """The same foot, displaced by `offset [n, 3]`."""
        return replace(self, ball=self.ball + offset, ankle=self.ankle + offset)

    def put(self, rows: np.ndarray, part: FootMotion) -> None:
        """Write the changed `self[rows]` back."""
        for one in fields(self):
            getattr(self, one.name)[rows] = getattr(part, one.name)


class FootPath:
    """The motion of one foot of a plan, as a function of the phase."""

    def __init__(self, plan: Plan, leg: Leg, number: int) -> None:
        self.plan, self.number, self.contacts = plan, number, plan.contacts[number]
        self.sole = Sole.of(leg)
        self.pivot = self.sole.ball if self.sole.toes else self.sole.tip
        self.lifts = Lifts.none(max(len(self.contacts.land) - 1, 1))
        if not plan.ground.level:
            self.lift_over(self.at(self.swings()))

    def at(self, phase: Array) -> FootMotion:
        """The foot at `phase [n]`."""
        c = self.contacts
        k = np.clip(np.searchsorted(c.land, phase, side="right") - 1, 0, len(c.land) - 1)
        down = (phase < c.lift[k]) | (k == len(c.land) - 1)  # nothing is planned after the last contact
        stands = np.ones(len(phase))
        pitch, frame, ball = self._standing(k, phase)
        toe_pitch = np.maximum(pitch, 0.0) if self.sole.toes else pitch.copy()
        spare = self._spare(k, np.maximum(c.lift[k] - phase, 0.0))
        if not down.all():
            air = ~down
            swing = (phase[air] - c.lift[k[air]]) / (c.land[k[air] + 1] - c.lift[k[air]])
            pitch[air], toe_pitch[air], frame[air], ball[air] = self._flying(k[air], swing)
            spare[air] *= 1 - smootherstep(swing / _LEAVES)
            stands[air] = 1 - smootherstep(swing / _LEAVES) * smootherstep((1 - swing) / _LEAVES)
        rotation = multiply(frame, about_x(-pitch))
        ankle = ball + rotate(rotation, self.sole.ankle - self.sole.ball)
        rest = about_up(np.array(-self.sole.yaw))
        toe_rotation = multiply(multiply(frame, about_x(-toe_pitch)), rest)
        return FootMotion(
            ball, multiply(rotation, rest), toe_rotation, multiply(frame, rest), ankle, stands, spare, pitch
        )

    def _spare(self, k: np.ndarray, left: Array) -> Array:
        """`[n]` radians by which a heel may rise further: late in a contact, on uneven ground, beside a short step."""
        share = self.contacts.share
        uneven = not self.plan.ground.level
        odd = (share[k] < 0.98) | (share[np.minimum(k + 1, len(share) - 1)] < 0.98) | uneven
        _, last = self._rockers(k)
        return np.where(odd, SPARE * smootherstep(1.3 - left / last), 0.0)

    def reaching(self, foot: FootMotion, hip: Array, reach: Array) -> FootMotion:
        """The foot with its heel raised, by at most `foot.spare`, until its ankle is within `reach` of the hip.

        The ankle rotates about the ball: its squared distance is A + B cos ε + C sin ε, so ε follows in closed form.
        """
        far = (foot.spare > 0) & (np.linalg.norm(foot.ankle - hip, axis=1) > reach)
        if not far.any():
            return foot
        back = about_up(np.array(self.sole.yaw))
        held = rotate(foot.rotation, rotate(back, self.pivot - self.sole.ball))
        axis = rotate(foot.rotation, rotate(back, np.array([1.0, 0.0, 0.0])))
        arm, gap = foot.ankle - foot.ball - held, foot.ball + held - hip
        along = dot(arm, axis) * dot(gap, axis)
        even, odd = dot(gap, arm) - along, dot(gap, cross(axis, arm))
        target = (reach**2 - dot(gap, gap) - dot(arm, arm)) / 2 - along
        size = np.hypot(even, odd)
        angle = np.arctan2(odd, even) + np.stack([1.0, -1.0])[:, None] * np.arccos(np.clip(target / size, -1, 1))
        angle = np.remainder(angle + 0.2, 2 * np.pi) - 0.2
        return self.raised(foot, np.where(far, np.clip(angle.min(axis=0), 0.0, foot.spare), 0.0))

    def stretching(self, phase: Array, size: Array, landing: Array, rate: Array) -> Array:
        """`[n]` length of the leg from hip to ankle at `phase [n]`, planned as `size [n]`.

        In late swing it approaches its length at landing, `landing [contact]` of all but the first contact, with
        `rate` per stride and without overshoot.
        """
        c = self.contacts
        k = np.clip(np.searchsorted(c.land, phase, side="right") - 1, 0, len(c.land) - 1)
        rows = np.flatnonzero((phase > c.lift[k]) & (k < len(c.land) - 1))
        k = k[rows]
        left = (c.land[k + 1] - phase[rows]) / (c.land[k + 1] - c.lift[k])
        travel = left * np.maximum(1 - left / _SETTLES, 0.0) ** 3 * (c.land[k + 1] - c.lift[k])
        longest = landing[k] - rate[k] * travel
        soft = _EASES * smoothstep(left / _SETTLES) + 1e-12
        shorter = longest - np.logaddexp(0.0, (longest - size[rows]) / soft) * soft
        out = size.copy()
        out[rows] += smootherstep((1 - left) / _STRETCHES) * (shorter - size[rows])
        return out

    def raised(self, foot: FootMotion, extra: Array) -> FootMotion:
        """The same foot with its heel raised by `extra [n]` more radians about the ball (the tip, without toes).

        Below 0 the heel is lowered; in the air the toes are raised instead, about the ankle. A foot whose toes point up
        rotates about its heel.
        """
        back = about_up(np.array(self.sole.yaw))
        to_pivot, to_ankle, to_heel = (
            rotate(back, p - self.sole.ball) for p in (self.pivot, self.sole.ankle, self.sole.heel)
        )
        lateral = rotate(back, np.array([1.0, 0.0, 0.0]))
        first = np.minimum(extra, np.maximum(foot.pitch, 0.0)) * (extra > 0)
        level = multiply(foot.rotation, about_axis(lateral, first))
        ball = foot.ball + rotate(foot.rotation, to_heel) - rotate(level, to_heel)
        held = to_ankle + np.where(extra >= 0, 1.0, foot.stands)[:, None] * (to_pivot - to_ankle)
        rotation = multiply(level, about_axis(lateral, extra - first))
        ball = ball + rotate(level, held) - rotate(rotation, held)
        return replace(foot, ball=ball, rotation=rotation, ankle=ball + rotate(rotation, to_ankle))

    def _frames(self, k: np.ndarray) -> Array:
        """The rotation of the flat foot in contact k."""
        c = self.contacts
        level = about_up(c.yaw[k])
        return level if self.plan.ground.level else multiply(tilted(c.normal[k]), level)

    def _standing(self, k: np.ndarray, phase: Array) -> tuple[Array, Array, Array]:
        """(pitch, rotation of the flat foot, ball) of a foot on the ground."""
        c, sole = self.contacts, self.sole
        u = phase - c.land[k]
        left = np.maximum(c.lift[k] - phase, 0.0)
        first, last = self._rockers(k)
        strike = self._strike(k)
        pitch = strike * _tipping(np.clip(u / first, 0.0, 1.0))
        x = np.clip(1 - left / last, 0.0, 1.0)
        pitch = pitch - self._roll(k) * x**_ROLLS
        frame = self._frames(k)
        pivot = np.where((pitch > 0)[:, None], sole.heel, self.pivot)
        ball = c.foothold[k] + rotate(frame, pivot + rotate(about_x(-pitch), sole.ball - pivot))
        return pitch, frame, ball

    def _rockers(self, k: np.ndarray) -> tuple[Array, Array]:
        """Durations of the heel and the toe rocker of contact k, strides."""
        own = np.minimum(self.contacts.lift[k] - self.contacts.land[k], 1.0)
        tipped = np.clip(np.abs(self._strike(k)) / _USUAL_STRIKE, 0.15, 1.2)
        air = 1.0 - self.plan.downs[self.number]
        last = np.maximum(_TOE_ROCKER * own, np.minimum(air / _QUICKEST, 0.75 * own))
        if self.plan.up is not None:  # a figure that starts from standing has its heels down
            since = self.contacts.lift[k] - self.plan.start
            last = np.where(self.contacts.land[k] < self.plan.start, np.minimum(last, since), last)
        return _HEEL_ROCKER * own * tipped, last

    def _strike(self, k: np.ndarray) -> Array:
        return self.plan.style["strike"] * self.sole.strikes * self.contacts.share[k]

    def _roll(self, k: np.ndarray) -> Array:
        after = self.contacts.share[np.minimum(k + 1, len(self.contacts.share) - 1)]
        return self.plan.style["roll"] * self.sole.rolls * after

    def _flying(self, k: np.ndarray, x: Array) -> tuple[Array, Array, Array, Array]:
        """(pitch, the toes' pitch, rotation of the flat foot, ball) at the share `x` of the swing after contact k."""
        c = self.contacts
        blend, pitch = smootherstep(x), self._pitch(k, x)
        yaw = c.yaw[k] * (1 - blend) + c.yaw[k + 1] * blend
        frame = about_up(yaw)
        if not self.plan.ground.level:
            normal = c.normal[k] * (1 - blend)[:, None] + c.normal[k + 1] * blend[:, None]
            frame = multiply(tilted(normal), frame)
        toe_pitch = pitch
        if self.sole.toes:  # flat at lift-off; aligned with the foot, or flat under a raised heel, at landing
            landing = np.minimum(self._strike(k + 1), 0.0) * smootherstep((x - 1) / _LEVEL + 1)
            toe_pitch = pitch * smootherstep(x / _STRAIGHT) - landing
        ball = self._across(k, x, pitch, frame)
        height = self._clear(k, x, pitch, toe_pitch, frame, ball)
        ball[:, 1] = height + self._clearance(k, x) + self.lifts.at(k, x)
        return pitch, toe_pitch, frame, ball

    def _share(self, k: np.ndarray) -> Array:
        return np.maximum(self.contacts.share[k + 1], 0.35)

    def _up(self, k: np.ndarray) -> Array:
        """Height of the next contact over the ground plane of contact k."""
        return self.contacts.foothold[k + 1, 1] - self._plane(k, self.contacts.foothold[k + 1])

    def _clearance(self, k: np.ndarray, x: Array) -> Array:
        """Clearance of the sole; less for short steps, and for steep ones of a gait that lifts its feet high."""
        lift, usual = max(self.plan.style["lift"], 0.0), _USUAL_LIFT
        own = min(lift, usual) + max(lift - usual, 0.0) / (1 + np.abs(self._up(k)) / _TALL)
        rise, fall = (np.clip(one[0] * np.sqrt(lift / usual), *one) for one in (_RISE, _FALL))
        return self._share(k) * own * smootherstep(x / rise) * smootherstep((1 - x) / fall)

    def _ends(self, k: np.ndarray) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """(ball, pitch) at lift-off from contact k, and at the next landing."""
        c = self.contacts
        pitch0, _, ball0 = self._standing(k, c.lift[k])
        pitch1, _, ball1 = self._standing(k + 1, c.land[k + 1])
        return (ball0, pitch0), (ball1, pitch1)

    def _pitch(self, k: np.ndarray, x: Array) -> Array:
        """Pitch at x: the heel's rise continues, then the foot tips down for its landing."""
        c = self.contacts
        time = c.land[k + 1] - c.lift[k]
        _, last = self._rockers(k)
        first, _ = self._rockers(k + 1)
        roll, strike = self._roll(k), self._strike(k + 1)
        rate, bend = -_ROLLS * roll * time / last, -_ROLLS * (_ROLLS - 1) * roll * (time / last) ** 2
        pitch = -roll + (strike + roll) * smootherstep(x) + _start_terms(x, rate, bend)
        pitch = pitch + strike * _start_terms(np.minimum((1 - x) / _DROP, 1.0), _DROP * time / first, 0.0)
        share = roll / max(self.plan.style["roll"], 1e-9)
        return pitch - _KICK * (self.plan.style["kick"] - _UNKICKED) * share * _BUMP * x**3 * (1 - x) ** 4

    def _across(self, k: np.ndarray, x: Array, pitch: Array, frame: Array) -> Array:
        """The horizontal path of the ball; at first its last pivot is moved, at the end its next one."""
        sole = self.sole
        (ball0, pitch0), (ball1, pitch1) = self._ends(k)
        back = np.broadcast_to(sole.ball - self.pivot, ball0.shape)
        front = sole.ball - np.where((pitch1 > 0)[:, None], sole.heel, self.pivot)
        carried0 = ball0 - rotate(multiply(self._frames(k), about_x(-pitch0)), back)
        carried1 = ball1 - rotate(multiply(self._frames(k + 1), about_x(-pitch1)), front)
        late, early = _waits(self._up(k))
        arm = back + (front - back) * smootherstep(x / (1 - early))[:, None]
        ahead = np.clip((x - late) / (1 - late - early), 0.0, 1.0)
        progress = _carried(ahead, _SHORT if self.plan.track.in_place else (_GATHER, _BRAKE))[:, None]
        carried = (_round if self.plan.track.in_place else _straight)(carried0, carried1, progress)
        return carried + rotate(multiply(frame, about_x(-pitch)), arm)

    def _clear(self, k: np.ndarray, x: Array, pitch: Array, toe_pitch: Array, frame: Array, ball: Array) -> Array:
        """The height of the ball at which the lowest point of the sole touches the ground between contacts k, k + 1."""
        foot = multiply(frame, about_x(-pitch))
        toes = multiply(frame, about_x(-toe_pitch))
        sole = self.sole
        arms = [rotate(foot, sole.heel - sole.ball), rotate(toes, -sole.ball), rotate(toes, sole.tip - sole.ball)]
        heel, under, tip = (self._ground(k, x, ball + arm) - arm[:, 1] for arm in arms)
        soft = _softest(heel, _softest(under, tip, _SOFTNESS), _SOFT_SWITCH)
        most = np.maximum(heel, np.maximum(under, tip))
        return most + (soft - most) * smootherstep(x / _ROUNDED) * smootherstep((1 - x) / _ROUNDED)

    def _ground(self, k: np.ndarray, x: Array, position: Array) -> Array:
        """Height of the surface that blends the ground planes of contact k and the next."""
        if self.plan.ground.level:
            return np.zeros(len(x))
        up = self.contacts.foothold[k + 1, 1] - self.contacts.foothold[k, 1]
        delay = np.clip(-up / _TALL, -1.0, 1.0) / 2 + 0.5  # 0 for a step up, 1 for one down
        mix = smootherstep((x - delay * (1 - _EARLY)) / _EARLY)
        return self._plane(k, position) * (1 - mix) + self._plane(k + 1, position) * mix

    def _plane(self, k: np.ndarray, position: Array) -> Array:
        c = self.contacts
        normal = c.normal[k]
        slope = normal[:, [0, 2]] / normal[:, 1:2]
        return c.foothold[k, 1] - np.sum((position - c.foothold[k])[:, [0, 2]] * slope, axis=1)

    def swings(self) -> Array:
        """`[swing · sample]` the phases at which swings are checked for obstacles."""
        c = self.contacts
        return (c.lift[:-1, None] + (c.land[1:] - c.lift[:-1])[:, None] * Lifts.course()).ravel()

    def lift_over(self, foot: FootMotion) -> None:
        """Raise the swings over the obstacles that `foot`, sampled at `self.swings()`, does not clear."""
        if len(self.contacts.land) > 1:
            swings = len(self.contacts.land) - 1
            course = Lifts.course()
            margin = _CLEARS * self._clearance(np.repeat(np.arange(swings), len(course)), np.tile(course, swings))
            self.lifts = self.lifts.over(self._sunk(foot, swings) + margin.reshape(swings, -1))

    def _sunk(self, foot: FootMotion, swings: int) -> Array:
        """`[swing, sample]` depth of the sole's deepest point in the ground; -inf over a hole.

        The ground is the highest of the sample and its neighbours, as an edge may lie in between.
        """
        back, sole = about_up(np.array(self.sole.yaw)), self.sole
        rotations = [foot.rotation] * 4 + [foot.toe_rotation] * 3
        along = [*np.linspace(sole.heel[2], 0.0, 4), *np.linspace(0.0, sole.tip[2], 3)]
        deepest = np.full((swings, len(foot.ball) // swings), -np.inf)
        for rotation, z in zip(rotations, along, strict=True):
            for x in (-sole.half, sole.half):
                position = foot.ball + rotate(rotation, rotate(back, np.array([x, 0.0, z]) - sole.ball))
                height = np.pad(self.plan.ground.seen(position)[0].reshape(swings, -1), [(0, 0), (1, 1)], mode="edge")
                height = np.fmax(np.fmax(height[:, :-2], height[:, 1:-1]), height[:, 2:])
                deepest = np.fmax(deepest, height - position[:, 1].reshape(swings, -1))
        return deepest


def _softest(a: Array, b: Array, softness: float) -> Array:
    """The smooth maximum of two values."""
    return np.maximum(a, b) + softness * np.log1p(np.exp(-np.abs(a - b) / softness))


def _straight(start: Array, end: Array, progress: Array) -> Array:
    return start + (end - start) * progress


def _round(start: Array, end: Array, progress: Array) -> Array:
    """From `start` to `end` around the figure, in the shorter direction."""
    (far0, angle0), (far1, angle1) = (
        (np.hypot(position[:, 0], position[:, 2]), np.arctan2(position[:, 0], position[:, 2]))
        for position in (start, end)
    )
    angle = angle0 + (np.remainder(angle1 - angle0 + np.pi, 2 * np.pi) - np.pi) * progress[:, 0]
    far = far0 + (far1 - far0) * progress[:, 0]
    height = start[:, 1] + (end[:, 1] - start[:, 1]) * progress[:, 0]
    return np.stack([far * np.sin(angle), height, far * np.cos(angle)], axis=1)


def _waits(up: Array) -> tuple[Array, Array]:
    """Shares of a swing, at its start and end, in which a foot does not move ahead.

    On a step `up` it rises first; on a step down (below 0) it sinks last.
    """
    share = np.clip(up / _TALL, -1.0, 1.0)
    return _WAITS * np.maximum(share, 0.0), _WAITS * np.maximum(-share, 0.0)


def _carried(x: Array, ends: tuple[float, float]) -> Array:
    """0 to 1 from rest to rest, with constant speed in between."""
    whole = 1 - sum(ends) / 2
    return (ramp_sum(x, 0.0, ends[0]) - ramp_sum(x, 1 - ends[1], 1.0)) / whole


def _tipping(x: Array) -> Array:
    """1 to 0: starts with the average speed and ends at rest."""
    return 1 - smootherstep(x) - _start_terms(x, 1.0, 0.0)


def _start_terms(x: Array, rate: Array | float, bend: Array | float) -> Array:
    """Terms of a quintic for an initial speed and acceleration."""
    return rate * x * (1 - x) ** 3 * (1 + 3 * x) + bend * x**2 * (1 - x) ** 3 / 2
