"""The status of the goals as one sentence, to be read while dragging."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import posable
from posable.figures.effectors import can_move
from posable.formats.table import states_unit
from posable.solvers.reach_bound import least_distances
from posable.studio import schema
from posable.studio.document import Document, StudioGoal
from posable.studio.floors import below_ground
from posable.studio.posing import Order, Outcome, asks_for, effort
from posable.studio.scenery import goes_with_joint
from posable.studio.standing import carriers
from posable.studio.touching import passing_through

_DEGREE = math.radians(1.0)
_NOTHING_MOVES = "nothing can move: the limits of the file leave the joints no range; widen them in a joint's panel"
_CURE = "Keep apart prevents it"
_VISIBLE_DISTANCE = 1e-3  # of the reach: smaller distances are invisible on the screen


def status_event(document: Document, outcome: Outcome, *, played: bool) -> dict[str, Any]:
    """The status event. Finding the reason for unmet goals takes some milliseconds.

    played: whether the pose is the timeline's at its frame; only goals with keys act there.
    """
    solution = outcome.solution
    short = Shortfall.of(document, outcome, keyed=played)
    limited = [] if solution is None or played else held_joints(solution)
    text = _at_frame(document, short) if played else sentence(document, outcome, short, limited)
    rows = zip(document.goals, outcome.distances, outcome.angles, strict=True)
    return {
        "event": "status",
        "text": text,
        "inside": text.endswith(_CURE),
        "detail": "" if solution is None else solution.describe(),
        "status": status_name(short, outcome),
        "ms": round(outcome.seconds * 1e3, 3),
        "goals": [{"name": g.name, "distance": float(d), "angle": float(a), **effort(document, g)} for g, d, a in rows],
        "limits": [joint for joint, _ in limited],
    }


class Shortfall(NamedTuple):
    """The goal with the largest residual, None if no goal is enabled.

    by: the residual in words, "" if met. much: its size, in reaches and revolutions.
    """

    goal: StudioGoal | None
    by: str
    much: float

    @classmethod
    def of(cls, document: Document, outcome: Outcome, *, keyed: bool = False) -> Shortfall:
        """The largest shortfall of a document after a solve. keyed: consider only goals with keys."""
        reach, found = document.figure.skeleton.reach, []
        for goal, distance, angle in zip(document.goals, outcome.distances, outcome.angles, strict=True):
            position, rotation = asks_for(goal)
            if (position or rotation) and (goal.keys or not keyed):
                found.append(
                    (
                        distance * position / reach + angle * rotation / math.tau,
                        distance * position,
                        angle * rotation,
                        goal,
                    )
                )
        if not found:
            return cls(None, "", 0.0)
        much, distance, angle, goal = max(found, key=lambda one: one[0])
        if distance >= _VISIBLE_DISTANCE * reach:
            return cls(goal, f"{length(distance, document)} short", much)
        return cls(goal, f"{math.degrees(angle):.0f}° off" if angle >= _DEGREE else "", much)

    def is_as(self, other: Shortfall) -> bool:
        """Whether both residuals look the same on the screen."""
        return abs(self.much - other.much) < _VISIBLE_DISTANCE


def explained(document: Document, outcome: Outcome, solve: Callable[[Document, posable.Pose], Outcome]) -> Outcome:
    """The outcome, with a diagnosis of unmet goals unless another solve would move the figure visibly."""
    short = Shortfall.of(document, outcome)
    if outcome.solution is not None or not short.by:
        return outcome
    try:
        found = solve(document, document.pose)
    except posable.PosableError:  # without a solve there is no diagnosis
        return outcome
    if found.yields or short.is_as(Shortfall.of(document, found)):
        return outcome._replace(solution=found.solution, yields=found.yields)
    return outcome


def status_name(short: Shortfall, outcome: Outcome) -> str:
    """The status of a solve, or of a posed or played figure: REACHED only if every goal is met."""
    status = posable.Status.REACHED if outcome.solution is None else posable.Status(int(outcome.solution.status))
    # A solve for earlier targets, or for targets that were drawn in, does not tell whether the present ones are met.
    is_other = outcome.yields or status is posable.Status.REACHED
    return schema.POSED if short.by and is_other else status.name


def held_joints(solution: posable.Solution) -> list[tuple[str, float]]:
    """(joint, its angle or length) of the degrees of freedom at a limit that blocks the goals, one per joint."""
    skeleton, found = solution.pose.skeleton, {}
    for d in np.flatnonzero(solution.at_limit):
        joint = next(j for j in range(len(skeleton.joints)) if d in skeleton.freedom_range(j))
        definition = skeleton.definitions[joint]
        value = math.nan
        if definition.axes:
            value = float(solution.pose.of(skeleton.joints[joint])[d - skeleton.freedom_range(joint).start])
        found.setdefault(skeleton.joints[joint], value)
    return list(found.items())


def sentence(document: Document, outcome: Outcome, short: Shortfall, limited: list[tuple[str, float]]) -> str:
    """The goal with the largest residual, its size, and the reason."""
    if short.goal is None:
        return "no goal is enabled" if can_move(document.figure.skeleton) else _NOTHING_MOVES
    if not short.by:
        return "every goal is met" + _oddity(document)
    if short.goal.name in outcome.yields:
        return f"{short.goal.name} {short.by}: Balance keeps the figure from tipping over"
    if outcome.solution is not None and goes_with_joint(short.goal, document.figure):
        far = f"out of reach from {short.goal.relative_to}, which it goes with"
        return f"{short.goal.name} {short.by}: {far}"
    if outcome.advances and outcome.solution is not None and outcome.solution.status == posable.Status.REACHED:
        return f"{short.goal.name} {short.by}: the figure is still moving there"
    reason = _beyond(document, outcome, short.goal) or _reason(document, short.goal, outcome.solution, limited)
    return f"{short.goal.name} {short.by}: {reason}"


def _oddity(document: Document) -> str:
    """What is wrong with a pose that meets every goal; "" if nothing is."""
    name, depth = below_ground(document)
    if name:
        return f"; {name} is {length(depth, document)} below the ground"
    one, other, depth = passing_through(document)
    return f"; {one} is {length(depth, document)} inside {other}: {_CURE}" if one else ""


_AVOIDABLE_FACTOR = 1.25  # times the unreachable distance: a limb that is farther off could come nearer


def _beyond(document: Document, outcome: Outcome, goal: StudioGoal) -> str:
    """For a method that stops farther off than necessary, the unreachable part of the distance; "" otherwise."""
    solution = outcome.solution
    if solution is None or goal.kind == "look" or posable.Status(int(solution.status)) != posable.Status.OUT_OF_REACH:
        return ""
    skeleton = outcome.pose.skeleton
    joint, target = skeleton.index(goal.joint), np.array([goal.position])
    locked, first = skeleton.freedom_mask(sorted(document.frozen)), skeleton.tables.first_dof
    pose = posable.Pose(skeleton, outcome.pose.q[None])
    least = float(least_distances(pose, first, locked, joint, np.zeros(3), target)[0])
    off = float(np.linalg.norm(outcome.pose.origins[joint] - target[0]))
    if off < _AVOIDABLE_FACTOR * least + _VISIBLE_DISTANCE * skeleton.reach:
        return ""
    if least < _VISIBLE_DISTANCE * skeleton.reach:
        return "another goal is out of reach"
    return f"{length(least, document)} of it is out of reach, whatever the limits; {goal.method} comes no nearer"


def _at_frame(document: Document, short: Shortfall) -> str:
    """What is played, and the residual of its goals; goals without keys do not act."""
    plays = f"frame {document.frame}" + (f" of {document.clip}" if document.clip else "")
    if short.goal is None or not short.by:
        return plays + ("" if short.goal is None else ": every goal that has keys is met")
    layer = document.layer()
    counts = 1.0 if layer is document.layers[0] and not document.clip else layer.weight if layer.on else 0.0
    if short.goal.weight < 1:
        why = f"its keys give it {100 * short.goal.weight:.0f} % here"
    elif counts < 1:
        why = f"its layer {layer.name} counts {100 * counts:.0f} %"
    else:
        why = "the clip comes no closer" if document.clip else "the figure comes no closer"
    return f"{plays}: {short.goal.name} {short.by}: {why}"


def length(metres: float, document: Document) -> str:
    """7 cm, 1.2 m: rounded, with a unit; a bare number if the figure's file states no unit."""
    if not states_unit(document.source):
        return f"{metres:.3g}"
    if metres < 0.01:
        return f"{metres * 1000:.0f} mm"
    return f"{metres * 100:.0f} cm" if metres < 1 else f"{metres:.2g} m"


def _reason(
    document: Document, goal: StudioGoal, solution: posable.Solution | None, limited: list[tuple[str, float]]
) -> str:
    if solution is None:
        return "the pose was set by hand; the goal acts again when a goal is moved"
    status = posable.Status(int(solution.status))
    if limited and status in (posable.Status.AT_LIMIT, posable.Status.COMPROMISE, posable.Status.REACHED):
        return ", ".join(_at_limit(document, joint, value) for joint, value in limited[:2])
    return {
        posable.Status.REACHED: "it has moved since the figure was solved for it; move a goal",
        posable.Status.AT_LIMIT: "blocked by limits",
        posable.Status.OUT_OF_REACH: "out of reach, whatever the limits",
        posable.Status.COMPROMISE: _compromise(document, goal),
        posable.Status.LOCAL_MINIMUM: "no better pose was found from here",
        posable.Status.OUT_OF_ITERATIONS: "still converging",
    }[status]


def _compromise(document: Document, short: StudioGoal) -> str:
    """The text for goals that contradict each other, with those of higher priority than the unmet one."""
    acting = [goal for goal in document.goals if goal.acts]
    order = Order.of(acting, carriers(document.figure))
    first = [goal.name for goal in acting if order.priority(goal) < order.priority(short)]
    shown = " and ".join(part for part in (", ".join(first[:-1]), *first[-1:]) if part)
    come = "; " + shown + (" come first" if len(first) > 1 else " comes first") if first else ""
    return f"each goal alone can be met, not all together{come}"


def _at_limit(document: Document, joint: str, value: float) -> str:
    if math.isnan(value):
        return f"{joint} at its limit"
    slides = any(document.figure.skeleton.definitions[document.figure.skeleton.index(joint)].slides)
    return f"{joint} at its limit ({length(abs(value), document) if slides else f'{math.degrees(value):.0f}°'})"
