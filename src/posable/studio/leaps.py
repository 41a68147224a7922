"""Goals that leap: a number that is typed takes a hand as far at once as a drag does in many moves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from posable.studio.document import Document

_STEP = 0.05  # of the reach: where a hand goes no further at once, the trunk leans no more than in a drag
_MOST = 16


def solved_on_the_way(
    before: Document, document: Document, solved: Callable[[Document, Document], Document]
) -> Document:
    """The document solved at positions between where its goals were and where they are, as a drag would solve it.

    In one leap the trunk goes twice as far after a hand. solved: a document, as it follows one that was solved.
    """
    old = {goal.name: goal for goal in before.goals}
    starts = {
        goal.name: np.array(old[goal.name].position)
        for goal in document.goals
        if goal.acts and goal.kind in ("place", "reach") and goal.name in old
    }
    ends = {goal.name: np.array(goal.position) for goal in document.goals}
    far = max((float(np.linalg.norm(ends[name] - start)) for name, start in starts.items()), default=0.0)
    count = 1 if document.demo else min(max(math.ceil(far / (_STEP * document.figure.skeleton.reach)), 1), _MOST)
    there = before
    for k in range(1, count + 1):
        step = document if k == 1 else replace(document, pose=there.pose, origin=there.origin)
        if k < count:
            for name, start in starts.items():
                x, y, z = (start + (ends[name] - start) * (k / count)).tolist()
                step = step.with_goal(replace(step.goal(name), position=(x, y, z)))
        there = solved(step, there)
    return there
