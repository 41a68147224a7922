"""Compiled: bodies that are in each other push each other out.

The row that two bodies share would tie them (see `ties`), at a cost that grows with the cube of the contacts. Instead
each body has the row for itself, twice as stiff: (a + b)² ≤ 2 a² + 2 b², so the model lies above the true one, a step
that it promises to win is won, and the tree stays a tree.
"""

from __future__ import annotations

from posable.goals.columns import JOINT, OTHER, WEIGHT
from posable.solvers.linearize import still_wanted
from posable.solvers.work import FORCE, INERTIA
from posable.spatial.compile import inner_kernel


@inner_kernel
def add_contact(p, w, side, k):
    """The force of a contact on its bodies."""
    at = side * p.terms.shape[0] + k
    if w.residual[at, 0] == 0.0:
        return
    amount = p.measures[k, WEIGHT] * still_wanted(p, w, side, k, 0)
    for part in range(2):
        j = p.terms[k, JOINT + part]
        if j >= 0:
            w.body[j, FORCE] = w.body[j, FORCE] + w.rows[at, 3 * part] * amount


@inner_kernel
def stiffen_contact(p, w, side, k):
    """What a contact adds to the inertia of its bodies."""
    at = side * p.terms.shape[0] + k
    if w.residual[at, 0] == 0.0:
        return
    weight = p.measures[k, WEIGHT] * (2.0 if p.terms[k, OTHER] >= 0 else 1.0)
    for part in range(2):
        j = p.terms[k, JOINT + part]
        if j >= 0:
            row = w.rows[at, 3 * part] * weight
            for b in range(6):
                w.body[j, INERTIA + b] = w.body[j, INERTIA + b] + row * w.numbers[at, 3 * part, b]
