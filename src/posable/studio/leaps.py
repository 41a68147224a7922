"""Goals that leap: a typed number moves a hand as far at once as a drag does in many steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from posable.studio.document import Document

_MAX_STEP = 0.05  # of the reach: with steps of a hand up to this long, the trunk leans no more than in a drag
_MAX_STEPS = 16


def solved_on_the_way(
    before: Document, document: Document, solved: Callable[[Document, Document], Document]
) -> Document:
    """The document solved at positions between the old and the new ones of its goals, as a drag would solve it.

    In a single leap the trunk would move twice as far after a hand. solved: solves a document that follows another.
    """
    old = {goal.name: goal for goal in before.goals}
    starts = {
        goal.name: np.array(old[goal.name].position)
        for goal in document.goals
        if goal.acts and goal.kind in ("place", "reach") and goal.name in old
    }
    ends = {goal.name: np.array(goal.position) for goal in document.goals}
    far = max((float(np.linalg.norm(ends[name] - start)) for name, start in starts.items()), default=0.0)
    count = (
        1 if document.demo else min(max(math.ceil(far / (_MAX_STEP * document.figure.skeleton.reach)), 1), _MAX_STEPS)
    )
    there = before
    for k in range(1, count + 1):
        step = document if k == 1 else replace(document, pose=there.pose, origin=there.origin)
        if k < count:
            for name, start in starts.items():
                x, y, z = (start + (ends[name] - start) * (k / count)).tolist()
                step = step.with_goal(replace(step.goal(name), position=(x, y, z)))
        there = solved(step, there)
    return there
