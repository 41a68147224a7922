"""A solution in words."""

from __future__ import annotations

import math

import numpy as np

from posable.solvers.options import Options
from posable.solvers.solution import GoalResult, Solution
from posable.solvers.status import Status


def describe(solution: Solution, index: tuple[int, ...]) -> str:
    """What happened, which goals are short by how much, and what holds them."""
    status = Status(int(np.asarray(solution.status)[index])) if index else Status(solution.status)  # pyright: ignore
    options = solution.options
    short = [text for goal in solution.goals if (text := _shortfall(goal, index, options))]
    left = "; ".join(short) or "nothing is left"
    if status is Status.AT_LIMIT:
        return f"held by limits: {left}; {_held(solution, index)}"
    return {
        Status.REACHED: "reached: every goal is met",
        Status.OUT_OF_REACH: f"out of reach, whatever the limits: {left}, and this is as near as was found",
        Status.COMPROMISE: f"a compromise: the goals cannot all be met together; {left}",
        Status.LOCAL_MINIMUM: f"no better pose was found in all the restarts: {left}",
        Status.OUT_OF_ITERATIONS: f"stopped while still gaining (give it more iterations): {left}",
    }[status]


def _shortfall(goal: GoalResult, index: tuple[int, ...], options: Options) -> str:
    parts = []
    for value, unit, least in ((goal.distance, "", options.tolerance), (goal.angle, "°", options.angle_tolerance)):
        if value is not None:
            number = float(np.asarray(value)[index])
            shown = math.degrees(number) if unit else number
            if number > least:
                parts.append(f"{shown:.3g}{unit}")
    return f"{goal.joint or goal.kind} is {' and '.join(parts)} off" if parts else ""


def _held(solution: Solution, index: tuple[int, ...]) -> str:
    names = np.array(solution.pose.skeleton.freedoms)[solution.at_limit[index]]
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"at their limits: {shown}"
