"""What a gait's numbers come to for one walk: sliders applied, degrees turned into radians."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from posable.motion.gait.gait import Gait

# Speed, step, cadence and the share of the stride on the ground: the laws that tie them together.
#
# Everything here is dimensionless: lengths in leg lengths L, times in √(L/g).


STEP_OF_SPEED = 1.23
"""People's step is 1.23 L √(v/√(gL)): recorded natural walks lie within 8 % of it."""

STANCE, STANCE_SLOPE = 0.642, 0.1028
"""Share of the stride that a foot is down, 64.2 − 3.5 v[m/s] % (Kirtley 1985), without its unit."""

EARTH = 9.81


@dataclass(frozen=True)
class Pace:
    """speed: v/√(gL). step: leg lengths. stance: share of the stride that a foot is down."""

    speed: float
    step: float
    stance: float

    @property
    def cadence(self) -> float:
        """Steps in the time √(L/g)."""
        return self.speed / self.step

    @property
    def stride_time(self) -> float:
        """Of two steps, in √(L/g)."""
        return 2 / self.cadence

    @property
    def arc(self) -> float:
        """How far hips rise over a stiff leg at this step, leg lengths: 1 − √(1 − (step/2)²)."""
        return 1 - (1 - min(self.step / 2, 1.0) ** 2) ** 0.5

    @classmethod
    def of(cls, gait: Gait) -> Pace:
        """The pace of a gait; what it leaves open follows from how people walk."""
        speed, step, cadence = gait.speed, gait.step, gait.cadence
        if speed is None and step and cadence:
            speed = step * cadence
        elif speed is None:
            speed = (step / STEP_OF_SPEED) ** 2 if step else (STEP_OF_SPEED * (cadence or 0)) ** 2
        if step is None:
            step = speed / cadence if cadence else STEP_OF_SPEED * speed**0.5
        return cls(speed, step, stance_of(speed) if gait.stance is None else gait.stance)


def stance_of(speed: float) -> float:
    """The share of the stride that a foot is down at `speed` v/√(gL), while walking."""
    return max(STANCE - STANCE_SLOPE * speed, 0.35)


def leg_gravity(leg: float) -> float:
    """Gravity in the unit of a figure whose leg is `leg` long: 9.81 m/s² where it can be metres (0.2 to 3), else as
    for a person's leg of 0.88 m.
    """
    return EARTH if 0.2 <= leg <= 3.0 else EARTH * leg / 0.88


_MOOD = {  # what one unit of happiness adds
    "bounce": 0.25, "arm_swing": 9.0, "lean": -3.0, "nod": -9.0, "lift": 0.008, "elbow": 6.0, "rock": 1.0, "twist": 3.0,
    "shrug": 2.0, "list": 1.5, "rotation": 1.5, "knee": -2.0,
}  # fmt: skip
_BUILD = {  # what one unit of weight adds
    "width": 0.4, "toe_out": 6.0, "sway": 0.03, "rock": 3.0, "arm_out": 12.0, "knee": 4.0, "lean": -3.0, "twist": 3.0,
    "rotation": 2.0, "roll": -6.0, "elbow": 8.0,
}  # fmt: skip
_MOOD_SPEED, _BUILD_SPEED = 0.2, -0.12
_LENGTHS = {
    "width", "lift", "kick", "crouch", "bounce", "sway", "head_bob", "limp", "wander", "stiffness", "mood", "build",
    "speed", "step", "cadence", "stance",
}  # fmt: skip
_LIMP_PHASE, _LIMP_STANCE, _LIMP_ROCK = 0.05, 0.07, 9.0


@dataclass(frozen=True)
class Style:
    """A gait made ready: `pace`, and the gait's own numbers in radians and leg lengths with its sliders applied."""

    gait: Gait
    pace: Pace
    number: dict[str, float]

    def __getitem__(self, name: str) -> float:
        return self.number[name]

    @classmethod
    def of(cls, gait: Gait) -> Style:
        numbers = {
            one.name: getattr(gait, one.name)
            for one in fields(gait)
            if isinstance(getattr(gait, one.name), float | int)
        }
        for slider, changes in ((gait.mood, _MOOD), (gait.build, _BUILD)):
            for name, change in changes.items():
                numbers[name] += slider * change
        less = 1 - 0.8 * gait.stiffness
        for name in ("roll", "kick", "strike"):
            numbers[name] *= less
        radians = {name: v if name in _LENGTHS else math.radians(v) for name, v in numbers.items()}
        return cls(gait, _pace(gait), radians)

    def scaled(self, factor: float) -> Style:
        """The same with steps `factor` times as long, as often."""
        pace = replace(self.pace, step=self.pace.step * factor, speed=self.pace.speed * factor)
        return replace(self, pace=pace)

    def phases(self) -> tuple[list[float], list[float]]:
        """(when each leg lands, share of the stride it is down), legs by rows, left before right; strides."""
        limp, stance = self["limp"], self.pace.stance
        lands, downs = [], []
        for left, right in self.gait.phases:
            lands += [left % 1.0, (right - _LIMP_PHASE * limp) % 1.0]
            downs += [stance - _LIMP_STANCE * max(limp, 0.0), stance - _LIMP_STANCE * max(-limp, 0.0)]
        return lands, downs

    def rock(self, side: int) -> float:
        """How far the trunk leans over the leg of that side, radians: limping spares the hurt one."""
        hurt = max(self["limp"] * side, 0.0)
        return self["rock"] + math.radians(_LIMP_ROCK) * hurt


def _pace(gait: Gait) -> Pace:
    pace = Pace.of(gait)
    factor = 1 + _MOOD_SPEED * gait.mood + _BUILD_SPEED * gait.build
    if factor == 1:
        return pace
    stance = pace.stance if gait.stance is not None else None
    quick = Gait(speed=pace.speed * factor, step=pace.step * factor**0.5, stance=stance)
    return Pace.of(quick)
