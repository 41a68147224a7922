"""The columns of the arrays that state the terms of goals to kernels, and how they are filled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.goals.goal import CONSTANTS, Goal, Row
from posable.goals.terms import BALANCE, POSITION, REGION
from posable.skeleton import Skeleton

# Columns of `terms`; OFFSET is where the goal's numbers begin among those of all goals.
KIND, JOINT, OTHER, THIRD, FORM, OFFSET, COUNTS, LEVEL = range(8)
# Columns of `measures`; the constants of the kind follow.
WEIGHT, TOLERANCE, CONSTANT = 0, 1, 2


class TermTable(NamedTuple):
    """The terms of several goals."""

    rows: tuple[Row, ...]
    terms: NDArray[np.int64]  # [term, 8]
    measures: NDArray[np.float64]  # [term, 2 + CONSTANTS]; the tolerance is infinite for what is switched off


def term_table(goals: Sequence[Goal], skeleton: Skeleton, tolerance: float, angle_tolerance: float) -> TermTable:
    """The arrays for a list of goals. tolerance: in reaches. Raises GoalError or UnknownJointError."""
    offsets = np.cumsum([0, *(math.prod(goal.SHAPE) for goal in goals)]).tolist()
    rows: list[Row] = []
    terms: list[tuple[int, ...]] = []
    for k, goal in enumerate(goals):
        for row in goal.rows(skeleton):
            rows.append(row)
            terms.append((row.kind, row.joint, row.other, row.third, row.form, offsets[k], row.counts, row.level))
    measures = np.zeros((len(rows), CONSTANT + CONSTANTS))
    for k, row in enumerate(rows):
        own = tolerance if row.kind in LENGTHS else angle_tolerance
        weight = row.weight * (1.0 if row.kind in LENGTHS else ANGLE) * SOFTER**row.level
        measures[k, :CONSTANT] = weight, own if row.weight > 0 else np.inf
        measures[k, CONSTANT : CONSTANT + len(row.constants)] = row.constants
    return TermTable(tuple(rows), np.array(terms, np.int64).reshape(-1, 8), measures)


ANGLE = 0.1
"""What a squared radian counts against a squared reach: about a third of the reach for a radian, as a hand's size is to
its arm's. Unrelated poses are found from more starts than with equal weights."""

SOFTER = 0.01
"""What each priority number counts against the one before it: where the harder goals pull much more strongly, few
rounds are needed until the softer ones have won all that they can without costing them anything."""

LENGTHS = (POSITION, REGION, BALANCE)
"""The kinds whose residual is a length; that of the others is an angle."""
