"""What became of the goals, in a sentence that a person reads while dragging."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import posable
from posable.studio import schema
from posable.studio.document import Document, StudioGoal
from posable.studio.opening import can_move
from posable.studio.posing import Outcome, asked

_DEGREE = math.radians(1.0)
_BOLTED = "nothing can move: the file's limits leave the joints no room; widen them in a joint's panel"
_SEEN = 1e-3  # of the reach: what nobody sees on the screen


def status_event(document: Document, outcome: Outcome, *, played: bool) -> dict[str, Any]:
    """The status as pages are told it. Finding out why goals are short takes some milliseconds.

    played: the pose is what the timeline has at its frame, where only goals with keys act.
    """
    solution = outcome.solution
    short = Short.of(document, outcome, keyed=played)
    held = [] if solution is None or played else held_joints(solution)
    rows = zip(document.goals, outcome.distances, outcome.angles, strict=True)
    return {
        "event": "status",
        "text": _at_frame(document, short) if played else sentence(document, outcome, short, held),
        "detail": "" if solution is None else solution.describe(),
        "status": status_name(short, solution),
        "ms": round(outcome.seconds * 1e3, 3),
        "goals": [{"name": g.name, "distance": float(d), "angle": float(a)} for g, d, a in rows],
        "limits": [joint for joint, _ in held],
    }


class Short(NamedTuple):
    """The goal that is shortest of what it asks for, None where nothing is asked. by: how much in words, "" if met;
    much: in reaches and turns.
    """

    goal: StudioGoal | None
    by: str
    much: float

    @classmethod
    def of(cls, document: Document, outcome: Outcome, *, keyed: bool = False) -> Short:
        """Of the goals of a document, after what a solve has left of them. keyed: of those that have keys alone."""
        reach, found = document.figure.skeleton.reach, []
        for goal, distance, angle in zip(document.goals, outcome.distances, outcome.angles, strict=True):
            place, turn = asked(goal)
            if (place or turn) and (goal.keys or not keyed):
                found.append((distance * place / reach + angle * turn / math.tau, distance * place, angle * turn, goal))
        if not found:
            return cls(None, "", 0.0)
        much, distance, angle, goal = max(found, key=lambda one: one[0])
        if distance >= _SEEN * reach:
            return cls(goal, f"{length(distance, document)} short", much)
        return cls(goal, f"{math.degrees(angle):.0f}° off" if angle >= _DEGREE else "", much)

    def is_as(self, other: Short) -> bool:
        """Whether as much is missing there, as far as anybody sees."""
        return abs(self.much - other.much) < _SEEN


def status_name(short: Short, solution: posable.Solution | None) -> str:
    """The status of a solve, or of what was set or is played: REACHED only where everything asked for is met."""
    if solution is not None:
        return posable.Status(int(solution.status)).name
    return schema.POSED if short.by else posable.Status.REACHED.name


def held_joints(solution: posable.Solution) -> list[tuple[str, float]]:
    """(joint, its angle or length) for the freedoms that stand at a limit which holds the goals back; a joint once."""
    skeleton, found = solution.pose.skeleton, {}
    for d in np.flatnonzero(solution.at_limit):
        joint = next(j for j in range(len(skeleton.joints)) if d in skeleton.freedom_range(j))
        definition = skeleton.definitions[joint]
        value = math.nan
        if definition.axes:
            value = float(solution.pose.of(skeleton.joints[joint])[d - skeleton.freedom_range(joint).start])
        found.setdefault(skeleton.joints[joint], value)
    return list(found.items())


def sentence(document: Document, outcome: Outcome, short: Short, held: list[tuple[str, float]]) -> str:
    """The goal that is shortest of what it asks for, by how much, and what keeps it there."""
    if short.goal is None:
        return "no goal is on" if can_move(document.figure.skeleton) else _BOLTED
    if not short.by:
        return "every goal is met"
    return f"{short.goal.name} {short.by}: {_reason(document, outcome.solution, held)}"


def _at_frame(document: Document, short: Short) -> str:
    """What plays, and what its goals miss there: those without keys do not act in it."""
    plays = f"frame {document.frame}" + (f" of {document.clip}" if document.clip else "")
    if short.goal is None or not short.by:
        return plays + ("" if short.goal is None else ": every goal that has keys is met")
    if short.goal.weight < 1:
        why = f"its keys give it {100 * short.goal.weight:.0f} % here"
    else:
        why = "what plays comes no nearer"
    return f"{plays}: {short.goal.name} {short.by}: {why}"


_UNITLESS = (".bvh", ".asf", ".amc")


def length(metres: float, document: Document) -> str:
    """7 cm, 1.2 m: as one would say it; a bare number where the figure's file states no unit."""
    if document.source.endswith(_UNITLESS):
        return f"{metres:.3g}"
    if metres < 0.01:
        return f"{metres * 1000:.0f} mm"
    return f"{metres * 100:.0f} cm" if metres < 1 else f"{metres:.2g} m"


def _reason(document: Document, solution: posable.Solution | None, held: list[tuple[str, float]]) -> str:
    if solution is None:
        return "the figure was posed without it; it acts again when a goal is moved"
    status = posable.Status(int(solution.status))
    if held and status in (posable.Status.AT_LIMIT, posable.Status.COMPROMISE, posable.Status.REACHED):
        return ", ".join(_at_limit(document, joint, value) for joint, value in held[:2])
    return {
        posable.Status.REACHED: "within its tolerance",
        posable.Status.AT_LIMIT: "limits hold it",
        posable.Status.OUT_OF_REACH: "out of reach, whatever the limits",
        posable.Status.COMPROMISE: "the goals cannot all be met together",
        posable.Status.LOCAL_MINIMUM: "no better pose was found from here",
        posable.Status.OUT_OF_ITERATIONS: "still on its way",
    }[status]


def _at_limit(document: Document, joint: str, value: float) -> str:
    if math.isnan(value):
        return f"{joint} at its limit"
    slides = any(document.figure.skeleton.definitions[document.figure.skeleton.index(joint)].slides)
    return f"{joint} at its limit ({length(abs(value), document) if slides else f'{math.degrees(value):.0f}°'})"
