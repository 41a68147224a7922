"""How each foot moves: heel rocker, flat, forefoot rocker while it is down; through the air in between.

While a foot is down one point of it stays where it is: the heel as the foot tips down, the whole sole, then the joint
of the toes as the heel comes up (the tip of the foot, where it has no toes). In the air its pitch follows a curve that
joins both without a jump in speed, and its height follows from the pitch: the lowest point of the sole keeps its
clearance over the ground.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from posable.motion.gait.body import Leg, Sole
from posable.motion.gait.footing import Lifts
from posable.motion.gait.joint_turns import (
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
from posable.motion.gait.plan import Plan
from posable.spatial import Array
from posable.spatial.curves import smootherstep, smoothstep

_HEEL_ROCKER, _TOE_ROCKER = 0.2, 0.449  # of the contact
_QUICKEST = 1.9  # how many times as long the swing may be: a foot that has tipped too quickly goes on too far
_USUAL_STRIKE = np.radians(27)  # what takes a heel rocker of that length
_ROLLS = 2.53  # the power of the time at which a heel rises
_STRAIGHT = 0.375  # of the swing, in which the toes come in line with the foot again
_LEVEL = 0.3  # of the swing, in which the toes of a foot that lands on them come level
_DROP = 0.154  # of the swing, at the end of which a foot tips down already
_SOFTNESS = 0.006  # leg lengths: how softly the lowest of the forefoot's points changes
_SOFT_SWITCH = 0.054  # likewise of heel and forefoot, which change places in mid-air
_ROUNDED = 0.2  # of the swing, at either end, in which that comes and goes
# of the swing, in which the sole gains and loses its clearance: of low ones and, at most, of high ones
_RISE, _FALL = (0.11, 0.2), (0.22, 0.22)
_USUAL_LIFT = 0.024  # leg lengths, what is gained in the shorter time
_KICK, _UNKICKED = 0.22, 0.8  # radians that a foot tips over further behind, in early swing, for a kick of 1 more
_BUMP = 7**7 / (3**3 * 4**4)  # makes the most of x³ (1 − x)⁴ one
_GATHER, _BRAKE = 0.275, 0.28  # of the swing, in which the foot gains and loses its speed forward
_SHORT = 0.23, 0.25  # the same on the spot, where steps are so short that slow feet would seem to slide
_CLEARS = 1.5  # times the clearance over level ground, that a foot keeps over an edge
_TALL = 0.12  # leg lengths, a step up or down that is made all early or late
_EARLY = 0.6  # of the swing: a foot that goes up is up by then, one that goes down begins as late
_WAITS = 0.3  # of the swing, in which a foot that goes up a step rises before it goes ahead
_SETTLES, _STRETCHES = (
    0.204,
    0.848,
)  # of the swing, at its end: how a leg settles to its length, and comes to be held to it
_EASES = 0.0153  # leg lengths, over which it is held to that softly
SPARE = 0.3  # radians that a heel may rise further
_LEAVES = 0.4  # of the swing, in which a foot comes to move freely, and the last of it, in which it no longer does


@dataclass(frozen=True, eq=False)
class FootMotion:
    """One foot at each phase: ball `[n, 3]` (the toes' joint), turn, toe_turn and flat_turn (without its pitch)
    `[n, 4]` away from rest, ankle `[n, 3]`, stands `[n]` 1 on the ground and, for a while beside it, down to 0, spare
    `[n]` radians by which its heel may be raised further so that the leg reaches, pitch `[n]` toes up.
    """

    ball: Array
    turn: Array
    toe_turn: Array
    flat_turn: Array
    ankle: Array
    stands: Array
    spare: Array
    pitch: Array

    def __getitem__(self, rows: np.ndarray | slice) -> FootMotion:
        return FootMotion(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def moved(self, way: Array) -> FootMotion:
        """The same foot `way [n, 3]` from there."""
        return replace(self, ball=self.ball + way, ankle=self.ankle + way)

    def put(self, rows: np.ndarray, part: FootMotion) -> None:
        """Write what `self[rows]` has become back."""
        for one in fields(self):
            getattr(self, one.name)[rows] = getattr(part, one.name)


class FootPath:
    """The motion of one foot of a plan, to be asked for at any phases."""

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
        down = (phase < c.lift[k]) | (k == len(c.land) - 1)  # what comes after the last contact is not planned
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
        turn = multiply(frame, about_x(-pitch))
        ankle = ball + rotate(turn, self.sole.ankle - self.sole.ball)
        rest = about_up(np.array(-self.sole.yaw))
        toe_turn = multiply(multiply(frame, about_x(-toe_pitch)), rest)
        return FootMotion(ball, multiply(turn, rest), toe_turn, multiply(frame, rest), ankle, stands, spare, pitch)

    def _spare(self, k: np.ndarray, left: Array) -> Array:
        """How much further a heel may rise: late in a contact, on uneven ground or beside a shorter step."""
        share = self.contacts.share
        uneven = not self.plan.ground.level
        odd = (share[k] < 0.98) | (share[np.minimum(k + 1, len(share) - 1)] < 0.98) | uneven
        _, last = self._rockers(k)
        return np.where(odd, SPARE * smootherstep(1.3 - left / last), 0.0)

    def reaching(self, foot: FootMotion, hip: Array, reach: Array) -> FootMotion:
        """The foot with its heel raised, within what it has to spare, until its ankle is within `reach` of the hip.

        The ankle turns about the ball: its distance is A + B cos ε + C sin ε, so ε follows in closed form.
        """
        far = (foot.spare > 0) & (np.linalg.norm(foot.ankle - hip, axis=1) > reach)
        if not far.any():
            return foot
        back = about_up(np.array(self.sole.yaw))
        held = rotate(foot.turn, rotate(back, self.pivot - self.sole.ball))
        axis = rotate(foot.turn, rotate(back, np.array([1.0, 0.0, 0.0])))
        arm, gap = foot.ankle - foot.ball - held, foot.ball + held - hip
        along = dot(arm, axis) * dot(gap, axis)
        even, odd = dot(gap, arm) - along, dot(gap, cross(axis, arm))
        wanted = (reach**2 - dot(gap, gap) - dot(arm, arm)) / 2 - along
        size = np.hypot(even, odd)
        turn = np.arctan2(odd, even) + np.stack([1.0, -1.0])[:, None] * np.arccos(np.clip(wanted / size, -1, 1))
        turn = np.remainder(turn + 0.2, 2 * np.pi) - 0.2
        return self.raised(foot, np.where(far, np.clip(turn.min(axis=0), 0.0, foot.spare), 0.0))

    def stretching(self, phase: Array, size: Array, landing: Array, rate: Array) -> Array:
        """How long the leg is at `phase [n]` from hip to ankle, `size [n]` as planned: in late swing it comes to the
        length that it lands with, `landing [contact]` of all but the first at `rate` a stride, and not past it before.
        """
        c = self.contacts
        k = np.clip(np.searchsorted(c.land, phase, side="right") - 1, 0, len(c.land) - 1)
        rows = np.flatnonzero((phase > c.lift[k]) & (k < len(c.land) - 1))
        k = k[rows]
        left = (c.land[k + 1] - phase[rows]) / (c.land[k + 1] - c.lift[k])
        way = left * np.maximum(1 - left / _SETTLES, 0.0) ** 3 * (c.land[k + 1] - c.lift[k])
        longest = landing[k] - rate[k] * way
        soft = _EASES * smoothstep(left / _SETTLES) + 1e-12
        shorter = longest - np.logaddexp(0.0, (longest - size[rows]) / soft) * soft
        out = size.copy()
        out[rows] += smootherstep((1 - left) / _STRETCHES) * (shorter - size[rows])
        return out

    def raised(self, foot: FootMotion, extra: Array) -> FootMotion:
        """The same foot with its heel raised by `extra [n]` more radians about the ball (the tip, without toes).

        Below 0 the heel is lowered; in the air the toes are raised instead, about the ankle. A foot whose toes point up
        turns about its heel.
        """
        back = about_up(np.array(self.sole.yaw))
        to_pivot, to_ankle, to_heel = (
            rotate(back, p - self.sole.ball) for p in (self.pivot, self.sole.ankle, self.sole.heel)
        )
        lateral = rotate(back, np.array([1.0, 0.0, 0.0]))
        first = np.minimum(extra, np.maximum(foot.pitch, 0.0)) * (extra > 0)
        level = multiply(foot.turn, about_axis(lateral, first))
        ball = foot.ball + rotate(foot.turn, to_heel) - rotate(level, to_heel)
        held = to_ankle + np.where(extra >= 0, 1.0, foot.stands)[:, None] * (to_pivot - to_ankle)
        turn = multiply(level, about_axis(lateral, extra - first))
        ball = ball + rotate(level, held) - rotate(turn, held)
        return replace(foot, ball=ball, turn=turn, ankle=ball + rotate(turn, to_ankle))

    def _frames(self, k: np.ndarray) -> Array:
        """The flat foot's turn of contact k."""
        c = self.contacts
        level = about_up(c.yaw[k])
        return level if self.plan.ground.level else multiply(tilted(c.normal[k]), level)

    def _standing(self, k: np.ndarray, phase: Array) -> tuple[Array, Array, Array]:
        """(pitch, the flat foot's turn, ball) of a foot that is down."""
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
        ball = c.spot[k] + rotate(frame, pivot + rotate(about_x(-pitch), sole.ball - pivot))
        return pitch, frame, ball

    def _rockers(self, k: np.ndarray) -> tuple[Array, Array]:
        """How long the heel's and the toes' rocker of contact k take, strides."""
        own = np.minimum(self.contacts.lift[k] - self.contacts.land[k], 1.0)
        tipped = np.clip(np.abs(self._strike(k)) / _USUAL_STRIKE, 0.15, 1.2)
        air = 1.0 - self.plan.downs[self.number]
        last = np.maximum(_TOE_ROCKER * own, np.minimum(air / _QUICKEST, 0.75 * own))
        if self.plan.up is not None:  # a figure that stands at the start has no heel up yet
            since = self.contacts.lift[k] - self.plan.start
            last = np.where(self.contacts.land[k] < self.plan.start, np.minimum(last, since), last)
        return _HEEL_ROCKER * own * tipped, last

    def _strike(self, k: np.ndarray) -> Array:
        return self.plan.style["strike"] * self.sole.strikes * self.contacts.share[k]

    def _roll(self, k: np.ndarray) -> Array:
        after = self.contacts.share[np.minimum(k + 1, len(self.contacts.share) - 1)]
        return self.plan.style["roll"] * self.sole.rolls * after

    def _flying(self, k: np.ndarray, x: Array) -> tuple[Array, Array, Array, Array]:
        """(pitch, the toes' pitch, the flat foot's turn, ball) at `x` of the way from contact k to the next."""
        c = self.contacts
        turn = smootherstep(x)
        pitch = self._pitch(k, x)
        yaw = c.yaw[k] * (1 - turn) + c.yaw[k + 1] * turn
        frame = about_up(yaw)
        if not self.plan.ground.level:
            normal = c.normal[k] * (1 - turn)[:, None] + c.normal[k + 1] * turn[:, None]
            frame = multiply(tilted(normal), frame)
        toe_pitch = pitch
        if self.sole.toes:  # flat as they lift; in line with the foot, or flat under a raised heel, as they land
            landing = np.minimum(self._strike(k + 1), 0.0) * smootherstep((x - 1) / _LEVEL + 1)
            toe_pitch = pitch * smootherstep(x / _STRAIGHT) - landing
        ball = self._across(k, x, pitch, frame)
        height = self._clear(k, x, pitch, toe_pitch, frame, ball)
        ball[:, 1] = height + self._clearance(k, x) + self.lifts.at(k, x)
        return pitch, toe_pitch, frame, ball

    def _share(self, k: np.ndarray) -> Array:
        return np.maximum(self.contacts.share[k + 1], 0.35)

    def _up(self, k: np.ndarray) -> Array:
        """How far the contact after k is over the ground of contact k."""
        return self.contacts.spot[k + 1, 1] - self._plane(k, self.contacts.spot[k + 1])

    def _clearance(self, k: np.ndarray, x: Array) -> Array:
        """Of the sole over the ground: short steps have less, and where a gait lifts its feet high so do steep ones."""
        lift, usual = max(self.plan.style["lift"], 0.0), _USUAL_LIFT
        own = min(lift, usual) + max(lift - usual, 0.0) / (1 + np.abs(self._up(k)) / _TALL)
        rise, fall = (np.clip(one[0] * np.sqrt(lift / usual), *one) for one in (_RISE, _FALL))
        return self._share(k) * own * smootherstep(x / rise) * smootherstep((1 - x) / fall)

    def _ends(self, k: np.ndarray) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """(ball, pitch) as the foot lifts from contact k, and as it lands on the next."""
        c = self.contacts
        pitch0, _, ball0 = self._standing(k, c.lift[k])
        pitch1, _, ball1 = self._standing(k + 1, c.land[k + 1])
        return (ball0, pitch0), (ball1, pitch1)

    def _pitch(self, k: np.ndarray, x: Array) -> Array:
        """Pitch at x: as the heel's rise goes on, and into the tipping down that begins in the air."""
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
        """The ball over the ground, its height left open: first what it rolled over is carried, at last what it lands
        on.
        """
        sole = self.sole
        (ball0, pitch0), (ball1, pitch1) = self._ends(k)
        back = np.broadcast_to(sole.ball - self.pivot, ball0.shape)
        front = sole.ball - np.where((pitch1 > 0)[:, None], sole.heel, self.pivot)
        carried0 = ball0 - rotate(multiply(self._frames(k), about_x(-pitch0)), back)
        carried1 = ball1 - rotate(multiply(self._frames(k + 1), about_x(-pitch1)), front)
        late, early = _waits(self._up(k))
        arm = back + (front - back) * smootherstep(x / (1 - early))[:, None]
        ahead = np.clip((x - late) / (1 - late - early), 0.0, 1.0)
        way = _carried(ahead, _SHORT if self.plan.track.spot else (_GATHER, _BRAKE))[:, None]
        carried = (_round if self.plan.track.spot else _straight)(carried0, carried1, way)
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

    def _ground(self, k: np.ndarray, x: Array, place: Array) -> Array:
        """The height of the ground that leads from contact k's to the next one's."""
        if self.plan.ground.level:
            return np.zeros(len(x))
        up = self.contacts.spot[k + 1, 1] - self.contacts.spot[k, 1]
        delay = np.clip(-up / _TALL, -1.0, 1.0) / 2 + 0.5  # 0 for a step up, 1 for one down
        mix = smootherstep((x - delay * (1 - _EARLY)) / _EARLY)
        return self._plane(k, place) * (1 - mix) + self._plane(k + 1, place) * mix

    def _plane(self, k: np.ndarray, place: Array) -> Array:
        c = self.contacts
        normal = c.normal[k]
        slope = normal[:, [0, 2]] / normal[:, 1:2]
        return c.spot[k, 1] - np.sum((place - c.spot[k])[:, [0, 2]] * slope, axis=1)

    def swings(self) -> Array:
        """`[swing · sample]` the phases at which swings are looked at for what stands in their way."""
        c = self.contacts
        return (c.lift[:-1, None] + (c.land[1:] - c.lift[:-1])[:, None] * Lifts.course()).ravel()

    def lift_over(self, foot: FootMotion) -> None:
        """Raise the swings over what the foot, as it is at `self.swings()`, does not clear."""
        if len(self.contacts.land) > 1:
            swings = len(self.contacts.land) - 1
            course = Lifts.course()
            margin = _CLEARS * self._clearance(np.repeat(np.arange(swings), len(course)), np.tile(course, swings))
            self.lifts = self.lifts.over(self._sunk(foot, swings) + margin.reshape(swings, -1))

    def _sunk(self, foot: FootMotion, swings: int) -> Array:
        """`[swing, sample]` how deep the deepest point of the sole is in the ground, or would be in that of the samples
        before and after: it may meet an edge in between. Over a hole it is in none.
        """
        back, sole = about_up(np.array(self.sole.yaw)), self.sole
        turns = [foot.turn] * 4 + [foot.toe_turn] * 3
        along = [*np.linspace(sole.heel[2], 0.0, 4), *np.linspace(0.0, sole.tip[2], 3)]
        deepest = np.full((swings, len(foot.ball) // swings), -np.inf)
        for turn, z in zip(turns, along, strict=True):
            for x in (-sole.half, sole.half):
                place = foot.ball + rotate(turn, rotate(back, np.array([x, 0.0, z]) - sole.ball))
                height = np.pad(self.plan.ground.seen(place)[0].reshape(swings, -1), [(0, 0), (1, 1)], mode="edge")
                height = np.fmax(np.fmax(height[:, :-2], height[:, 1:-1]), height[:, 2:])
                deepest = np.fmax(deepest, height - place[:, 1].reshape(swings, -1))
        return deepest


def _softest(a: Array, b: Array, softness: float) -> Array:
    """The larger of two, without a corner where they change places."""
    return np.maximum(a, b) + softness * np.log1p(np.exp(-np.abs(a - b) / softness))


def _straight(start: Array, end: Array, way: Array) -> Array:
    return start + (end - start) * way


def _round(start: Array, end: Array, way: Array) -> Array:
    """From `start` to `end` round the figure, the shorter way."""
    (far0, angle0), (far1, angle1) = (
        (np.hypot(place[:, 0], place[:, 2]), np.arctan2(place[:, 0], place[:, 2])) for place in (start, end)
    )
    angle = angle0 + (np.remainder(angle1 - angle0 + np.pi, 2 * np.pi) - np.pi) * way[:, 0]
    far = far0 + (far1 - far0) * way[:, 0]
    height = start[:, 1] + (end[:, 1] - start[:, 1]) * way[:, 0]
    return np.stack([far * np.sin(angle), height, far * np.cos(angle)], axis=1)


def _waits(up: Array) -> tuple[Array, Array]:
    """The parts of a swing in which a foot does not go ahead: where a step goes `up` it rises first, where it goes down
    (below 0) it sinks at last.
    """
    share = np.clip(up / _TALL, -1.0, 1.0)
    return _WAITS * np.maximum(share, 0.0), _WAITS * np.maximum(-share, 0.0)


def _carried(x: Array, ends: tuple[float, float]) -> Array:
    """0 to 1 from rest to rest, at an even speed in between."""
    whole = 1 - sum(ends) / 2
    return (ramp_sum(x, 0.0, ends[0]) - ramp_sum(x, 1 - ends[1], 1.0)) / whole


def _tipping(x: Array) -> Array:
    """1 to 0: it starts as fast as it goes on average, and ends at rest."""
    return 1 - smootherstep(x) - _start_terms(x, 1.0, 0.0)


def _start_terms(x: Array, rate: Array | float, bend: Array | float) -> Array:
    """What a starting speed and acceleration add to a quintic from 0 to 0."""
    return rate * x * (1 - x) ** 3 * (1 + 3 * x) + bend * x**2 * (1 - x) ** 3 / 2
