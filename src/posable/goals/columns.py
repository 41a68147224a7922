"""The columns of the arrays that state the terms of goals to kernels, and how they are filled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.goals.goal import CONSTANTS, Goal, Row
from posable.goals.terms import APART, BALANCE, POSITION, REGION

# Columns of `terms`; OFFSET is where the term's numbers begin among those of all goals.
KIND, JOINT, OTHER, THIRD, FORM, OFFSET, COUNTS, LEVEL = range(8)
# Columns of `measures`; the constants of the kind follow.
WEIGHT, TOLERANCE, CONSTANT = 0, 1, 2


class TermTable(NamedTuple):
    """The terms of several goals."""

    terms: NDArray[np.int64]  # [term, 8]
    measures: NDArray[np.float64]  # [term, 2 + CONSTANTS]; the tolerance is infinite for what is switched off


def term_table(
    goals: Sequence[Goal], rows: Sequence[Sequence[Row]], tolerance: float, angle_tolerance: float
) -> TermTable:
    """The arrays for a list of goals and the rows of each. tolerance: in reaches."""
    offsets = np.cumsum([0, *(math.prod(goal.SHAPE) for goal in goals)]).tolist()
    terms: list[tuple[int, ...]] = []
    measures: list[tuple[float, ...]] = []
    for offset, row in [(offset, row) for offset, own in zip(offsets[:-1], rows, strict=True) for row in own]:
        terms.append((row.kind, row.joint, row.other, row.third, row.form, offset + row.at, row.counts, row.level))
        allowed = tolerance if row.kind in LENGTHS else angle_tolerance
        constants = (*row.constants, *[0.0] * (CONSTANTS - len(row.constants)))
        measures.append((weight_of(row), allowed + row.slack if row.weight > 0 else np.inf, *constants))
    table = np.array(measures).reshape(-1, CONSTANT + CONSTANTS)
    return TermTable(np.array(terms, np.int64).reshape(-1, 8), table)


def weight_of(row: Row, reach: float = 1.0) -> float:
    """What the square of the term's error counts; reach: that of the figure, where lengths are in its own unit."""
    return row.weight * (reach**-2 if row.kind in LENGTHS else ANGLE) * SOFTER**row.level


ANGLE = 0.1
"""What a squared radian counts against a squared reach: about a third of the reach for a radian, as a hand's size is to
its arm's. Unrelated poses are found from more starts than with equal weights."""

SOFTER = 0.01
"""What each priority number counts against the one before it: where the harder goals pull much more strongly, few
rounds are needed until the softer ones have won all that they can without costing them anything."""

LENGTHS = (POSITION, REGION, BALANCE, APART)
"""The kinds whose residual is a length; that of the others is an angle."""
