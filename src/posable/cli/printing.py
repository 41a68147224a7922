"""What a person reads of a solution: a small table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import posable


def print_goals(goals: Sequence[posable.Goal], solution: posable.Solution, *, metric: bool) -> None:
    """One row a goal: what was asked, how far it is off (in the file's own lengths where those are not metres)."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table("goal", "joint", "asked", "off by", box=box.SIMPLE_HEAD)
    for goal, outcome in zip(goals, solution.goals, strict=True):
        table.add_row(type(goal).__name__, outcome.joint, _asked(goal), _off(outcome, metric))
    Console().print(table)


def _asked(goal: Any) -> str:
    numbers = {posable.Orient: "wxyz", posable.LookAt: "point", posable.Reach: "target"}[type(goal)]
    return ", ".join(f"{number:.4g}" for number in getattr(goal, numbers))


def _off(outcome: Any, metric: bool) -> str:
    parts = [] if outcome.distance is None else [_length(float(outcome.distance), metric)]
    parts += [] if outcome.angle is None else [f"{_rounded(math.degrees(outcome.angle))}°"]
    return ", ".join(parts)


def _length(length: float, metric: bool) -> str:
    if not metric:
        return _rounded(length)
    return f"{_rounded(length * 1000)} mm" if length < 0.1 else f"{_rounded(length)} m"


def _rounded(number: float) -> str:
    return "0" if number < 5e-4 else f"{number:.3g}"
