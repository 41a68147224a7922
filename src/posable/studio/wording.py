"""What became of the goals, in a sentence that a person reads while dragging."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import posable
from posable.studio.document import Document
from posable.studio.posing import Outcome

_DEGREE = math.radians(1.0)
_SEEN = 1e-3  # of the reach: what nobody sees on the screen


def status_event(document: Document, outcome: Outcome) -> dict[str, Any]:
    """The status as pages are told it. Finding out why goals are short takes some milliseconds."""
    solution = outcome.solution
    status = posable.Status.REACHED if solution is None else posable.Status(int(solution.status))
    held = [] if solution is None else held_joints(solution)
    rows = zip(document.goals, outcome.distances, outcome.angles, strict=True)
    return {
        "event": "status",
        "text": sentence(document, outcome, status, held),
        "detail": "" if solution is None else solution.describe(),
        "status": status.name,
        "ms": round(outcome.seconds * 1e3, 3),
        "goals": [{"name": g.name, "distance": float(d), "angle": float(a)} for g, d, a in rows],
        "limits": [joint for joint, _ in held],
    }


def held_joints(solution: posable.Solution) -> list[tuple[str, float]]:
    """(joint, its angle or length) for the freedoms that stand at a limit which holds the goals back; a joint once."""
    skeleton, found = solution.pose.skeleton, {}
    for d in np.flatnonzero(solution.at_limit):
        joint = next(j for j in range(len(skeleton.joints)) if d in skeleton.freedom_range(j))
        definition = skeleton.definitions[joint]
        value = math.nan
        if definition.kind in ("hinge", "twist", "universal", "slide", "planar", "compound"):
            value = float(solution.pose.of(skeleton.joints[joint])[d - skeleton.freedom_range(joint).start])
        found.setdefault(skeleton.joints[joint], value)
    return list(found.items())


def sentence(document: Document, outcome: Outcome, status: posable.Status, held: list[tuple[str, float]]) -> str:
    """The goal that is shortest of what it asks for, by how much, and what keeps it there."""
    active = [k for k, goal in enumerate(document.goals) if goal.enabled and goal.weight + goal.rotation_weight > 0]
    if not active:
        return "no goal is on"
    reach = document.figure.skeleton.reach
    short = {k: outcome.distances[k] / reach + outcome.angles[k] / math.tau for k in active}
    worst = max(short, key=lambda k: short[k])
    if outcome.distances[worst] < _SEEN * reach and outcome.angles[worst] < _DEGREE:
        return "every goal is met"
    goal, distance, angle = document.goals[worst].name, outcome.distances[worst], outcome.angles[worst]
    short_by = f"{math.degrees(angle):.0f}° off" if distance < _SEEN * reach else f"{length(distance, document)} short"
    what = f"{goal} {short_by}"
    return f"{what}: {_reason(document, status, held)}"


_UNITLESS = (".bvh", ".asf", ".amc")


def length(metres: float, document: Document) -> str:
    """7 cm, 1.2 m: as one would say it; a bare number where the figure's file states no unit."""
    if document.source.endswith(_UNITLESS):
        return f"{metres:.3g}"
    if metres < 0.01:
        return f"{metres * 1000:.0f} mm"
    return f"{metres * 100:.0f} cm" if metres < 1 else f"{metres:.2g} m"


def _reason(document: Document, status: posable.Status, held: list[tuple[str, float]]) -> str:
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
