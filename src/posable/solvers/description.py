"""A solution in words."""

from __future__ import annotations

import math

import numpy as np

from posable.goals import Custom, Goal, SoftGoal
from posable.goals.columns import LENGTHS
from posable.skeleton import Skeleton
from posable.solvers.options import Options
from posable.solvers.solution import GoalResult, Solution
from posable.solvers.status import Status


def describe(solution: Solution, index: tuple[int, ...]) -> str:
    """What happened, which goals are short by how much, and what holds them."""
    status = Status(int(np.asarray(solution.status)[index])) if index else Status(solution.status)  # pyright: ignore
    options, skeleton = solution.options, solution.pose.skeleton
    counted = [(result, _counts(goal, skeleton)) for goal, result in zip(solution.asked, solution.goals, strict=True)]
    short = [text for result, counts in counted if (text := _shortfall(result, counts, index, options))]
    off = [f"{result.joint or result.kind} is switched off (weight 0)" for result, counts in counted if not any(counts)]
    left = "; ".join(short) or "nothing is left"
    if status is Status.AT_LIMIT:
        return "; ".join([f"held by limits: {left}", _held(solution, index), *off])
    met = "every other goal is met" if off else "every goal is met"
    said = {
        Status.REACHED: f"reached: {met if len(off) < len(counted) else 'no goal asks for anything'}",
        Status.OUT_OF_REACH: f"out of reach, whatever the limits: {left}, and this is as near as was found",
        Status.COMPROMISE: f"a compromise: the goals cannot all be met together; {left}",
        Status.LOCAL_MINIMUM: f"no better pose was found in all the restarts: {left}",
        Status.OUT_OF_ITERATIONS: f"stopped while still gaining (give it more iterations): {left}",
    }[status]
    return "; ".join([said, *off])


def _counts(goal: Goal | SoftGoal | Custom, skeleton: Skeleton) -> tuple[bool, bool]:
    """Whether the distance and the angle of a goal have a weight; both are that of one that has neither."""
    if not isinstance(goal, Goal):
        return goal.weight > 0, goal.weight > 0
    rows = [row for row in goal.rows(skeleton) if row.weight > 0]
    return any(row.kind in LENGTHS for row in rows), any(row.kind not in LENGTHS for row in rows)


def _shortfall(goal: GoalResult, counts: tuple[bool, bool], index: tuple[int, ...], options: Options) -> str:
    parts = []
    measured = ((goal.distance, "", options.tolerance), (goal.angle, "°", options.angle_tolerance))
    for counted, (value, unit, least) in zip(counts, measured, strict=True):
        if counted and value is not None:
            number = float(np.asarray(value)[index])
            shown = math.degrees(number) if unit else number
            if number > least:
                parts.append(f"{shown:.3g}{unit}")
    return f"{goal.joint or goal.kind} is {' and '.join(parts)} off" if parts else ""


def _held(solution: Solution, index: tuple[int, ...]) -> str:
    names = np.array(solution.pose.skeleton.freedoms)[solution.at_limit[index]]
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"at their limits: {shown}"
