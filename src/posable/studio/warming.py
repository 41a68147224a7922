"""What a first minute in the studio runs, done beforehand, so that no gesture waits for kernels to be compiled.

`python -m posable.studio.warming` does it for the mannequin: a wheel brings the kernels along that this leaves behind.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import posable
from posable.studio import commands as c
from posable.studio.balanced_solver import BalancedSolver
from posable.studio.document import Document, StudioGoal
from posable.studio.edits import apply
from posable.studio.opening import document_of
from posable.studio.sampling import sampled
from posable.studio.status_text import status_event

_NEAR_TARGET = 0.01  # of the reach: motion of a target that is met
_FAR_TARGET = 3.0  # of the reach: motion of a target that is out of reach, which the status has to explain


def warm_up(document: Document) -> None:
    """Drag each goal of a document, the first one also out of reach and into the ground, and play two keys. The
    document itself is not changed.
    """
    for dragged in _drags(document):
        with contextlib.suppress(posable.PosableError):
            solver = BalancedSolver()
            first = solver.solve(dragged, document.pose, document, document)
            outcome = solver.solve(dragged, first.pose)
            status_event(dragged, outcome, played=False)
    with contextlib.suppress(posable.PosableError):
        sampled(_keyed(document))


def _drags(document: Document) -> Iterator[Document]:
    reach, aside = document.figure.skeleton.reach, np.full(3, 3**-0.5)
    up = np.eye(3)["xyz".index(document.figure.skeleton.up)]
    for goal in document.goals[:1]:
        for away in (_NEAR_TARGET * aside, _FAR_TARGET * aside, -_FAR_TARGET * up):
            yield document.with_goal(_moved(goal, reach * away))
    for goal in document.goals[1:]:
        yield document.with_goal(_moved(goal, reach * _NEAR_TARGET * aside))


def _moved(goal: StudioGoal, by: np.ndarray) -> StudioGoal:
    x, y, z = (np.array(goal.position) + by).tolist()
    return replace(goal, position=(x, y, z), enabled=True, loose=False)


def _keyed(document: Document) -> Document:
    if document.is_animated or not document.goals:
        return document
    names = [goal.name for goal in document.goals]
    started = apply(replace(document, range=(0, 2)), c.KeySet(names, 0))
    moved = started.with_goal(_moved(started.goals[0], np.full(3, _NEAR_TARGET * document.figure.skeleton.reach)))
    return apply(moved, c.KeySet(names, 2))


if __name__ == "__main__":
    warm_up(document_of(posable.figure("mannequin"), "mannequin"))
