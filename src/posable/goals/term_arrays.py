"""The columns of the arrays that state the terms of goals to kernels, and how they are filled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel
from posable.goals.rows import CONSTANTS, Row, StatesRows
from posable.goals.terms import APART, BALANCE, CAPSULE, FRAME, NOWHERE, POSITION, ROTATION, WXYZ
from posable.spatial.kernels import rotation_of_wxyz

# Columns of `terms`; OFFSET is where the term's numbers begin among those of all goals.
KIND, JOINT, OTHER, THIRD, FORM, OFFSET, COUNTS, LEVEL = range(8)
# Columns of `measures`; the constants of the kind follow.
WEIGHT, TOLERANCE, CONSTANT = 0, 1, 2


class TermTable(NamedTuple):
    """The terms of several goals."""

    terms: NDArray[np.int64]  # [term, 8]
    measures: NDArray[np.float64]  # [term, 2 + CONSTANTS]; the tolerance of a term that is switched off is infinite


def term_table(
    goals: Sequence[StatesRows], rows: Sequence[Sequence[Row]], tolerance: float, angle_tolerance: float
) -> TermTable:
    """The arrays for a list of goals and the rows of each. tolerance: in reaches."""
    offsets = np.cumsum([0, *(math.prod(goal.SHAPE) for goal in goals)]).tolist()
    terms: list[tuple[int, ...]] = []
    measures: list[tuple[float, ...]] = []
    for offset, row in [(offset, row) for offset, own in zip(offsets[:-1], rows, strict=True) for row in own]:
        terms.append((row.kind, row.joint, row.other, row.third, row.form, offset + row.at, row.counts, row.level))
        allowed = tolerance if row.is_length else angle_tolerance
        constants = (*row.constants, *[0.0] * (CONSTANTS - len(row.constants)))
        measures.append((weight_of(row), allowed + row.slack if row.weight > 0 else np.inf, *constants))
    table = np.array(measures).reshape(-1, CONSTANT + CONSTANTS)
    return TermTable(np.array(terms, np.int64).reshape(-1, 8), table)


def weight_of(row: Row, reach: float = 1.0) -> float:
    """The weight of the term's squared error; reach: that of the figure, where lengths are in its own unit."""
    return row.weight * (reach**-2 if row.is_length else ANGLE) * SOFTER**row.level


ANGLE = 0.1
"""The weight of a squared radian against a squared reach: a radian counts as about a third of the reach, the ratio of a
hand's size to its arm's. Unrelated poses are found from more starts than with equal weights."""

SOFTER = 0.01
"""The weight of each priority against the harder ones: where those pull much more strongly, few rounds bring the softer
ones as far as they can get without cost to the harder. In `measures` it counts once for each priority; the solver takes
it out again (`weigh_terms`)."""

# Compiled: the properties of a term that `Row` has in Python.


@inner_kernel
def is_contact(terms, k):
    """Whether term `k` is a collision constraint, which is inactive where its two bodies are separate."""
    return terms[k, KIND] == APART


@inner_kernel
def is_on_mass(terms, k):
    """Whether term `k` concerns the figure's centre of mass, which every body moves."""
    return terms[k, KIND] == BALANCE


@inner_kernel
def is_point(terms, k):
    """Whether term `k` asks for one position of a point."""
    return terms[k, KIND] == POSITION


@inner_kernel
def is_turn(terms, k):
    """Whether term `k` asks for one rotation."""
    return terms[k, KIND] == ROTATION


# Compiled: the targets' numbers, checked and converted once for each solve.


FINE, NOT_FINITE, NOT_RIGID, NO_CAPSULE = range(4)
_LARGEST = 1e15


@inner_kernel
def read_targets(terms, targets, scale, wanted):
    """Fill `wanted [term, 12]`: position in reaches and rotation; of a capsule its start, end and radius in reaches.
    Returns (a code, the term that it concerns).
    """
    for k in range(terms.shape[0]):
        if terms[k, FORM] == NOWHERE:
            continue
        first = terms[k, OFFSET]
        turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        x, y, z = targets[first], targets[first + 1], targets[first + 2]
        largest = max(abs(x), max(abs(y), abs(z)))
        total = x + y + z
        if terms[k, FORM] == CAPSULE:
            code = _read_capsule(targets, first, scale, wanted, k)
            if code != FINE:
                return code, k
            continue
        if terms[k, FORM] == FRAME:
            for i in range(3, 12):
                total += targets[first + i]
            x, y, z = targets[first + 3], targets[first + 7], targets[first + 11]
            largest = max(abs(x), max(abs(y), abs(z)))
            turn = (
                targets[first], targets[first + 1], targets[first + 2],
                targets[first + 4], targets[first + 5], targets[first + 6],
                targets[first + 8], targets[first + 9], targets[first + 10],
            )  # fmt: skip
            if total - total == 0.0 and not is_rotation(turn):
                return NOT_RIGID, k
        elif terms[k, FORM] == WXYZ:
            w, a, b, c = x, y, z, targets[first + 3]
            size = math.sqrt(w * w + a * a + b * b + c * c)
            total += c
            if size < 1e-9:
                return NOT_RIGID, k
            turn = rotation_of_wxyz(w / size, a / size, b / size, c / size)
            x, y, z = 0.0, 0.0, 0.0
        if not (total - total == 0.0 and largest <= _LARGEST):
            return NOT_FINITE, k
        wanted[k, 0], wanted[k, 1], wanted[k, 2] = scale * x, scale * y, scale * z
        for i in range(9):
            wanted[k, 3 + i] = turn[i]
    return FINE, 0


@inner_kernel
def is_rotation(r):
    """Whether nine numbers are a rotation to 1e-6."""
    off = abs(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] - 1.0)
    off = max(off, abs(r[3] * r[3] + r[4] * r[4] + r[5] * r[5] - 1.0))
    off = max(off, abs(r[0] * r[3] + r[1] * r[4] + r[2] * r[5]))
    off = max(off, abs(r[6] - (r[1] * r[5] - r[2] * r[4])))
    off = max(off, abs(r[7] - (r[2] * r[3] - r[0] * r[5])))
    off = max(off, abs(r[8] - (r[0] * r[4] - r[1] * r[3])))
    return off <= 1e-6


@inner_kernel
def _read_capsule(targets, first, scale, wanted, k):
    """Read start, end and radius in reaches; returns a code."""
    for i in range(7):
        if not abs(targets[first + i]) <= _LARGEST:
            return NOT_FINITE
        wanted[k, i] = scale * targets[first + i]
    return FINE if targets[first + 6] > 0.0 else NO_CAPSULE
