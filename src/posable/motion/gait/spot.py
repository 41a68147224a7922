"""Turning on the spot: style, steps and plan of a figure that keeps its place and comes to face elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posable.errors import PosableError
from posable.motion.gait.body import Leg
from posable.motion.gait.gait import Gait
from posable.motion.gait.ground import Ground
from posable.motion.gait.plan import Plan, make_plan
from posable.motion.gait.style import Style
from posable.motion.gait.track import straight, turning

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
