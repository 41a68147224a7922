"""Speed, step, cadence and the share of the stride on the ground: the laws that tie them together.

Everything here is dimensionless: lengths in leg lengths L, times in √(L/g).
"""

from __future__ import annotations

from dataclasses import dataclass

from posable.motion.gait.gait import Gait

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
