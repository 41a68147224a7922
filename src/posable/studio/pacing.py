"""Steps of a drag in which the body moves little farther than what is dragged.

A small motion of a hand may change what is natural by much. Near the edge of what a balanced body reaches, it takes
tens of degrees of spine and knees, to and fro.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

import posable
from posable.studio.document import Document
from posable.studio.posing import Outcome, is_natural
from posable.studio.residuals import residuals
from posable.studio.whole_body import VISIBLE_MISS, WholeBodySolver

BODY_PACE = 1.5  # largest motion of a joint in a step, in motions of the target
MEETING = 2.0  # times that: the same in a step that would miss a goal otherwise
LEAST_BODY_PACE, _RESTING_PACE = 0.003, 0.01  # of the reach: the same where targets hardly move, and where they rest
ALLOWED_LAG = 0.01  # of the reach: tolerated miss after a shorter step; the next solves make up for it
_VISIBLE_LEAD = 0.002  # of the reach: a joint that a step moves by less is not behind after a part of it
_LEAST_GAIN = 0.5  # of the body's motion: how much nearer a hand comes, released, in a solve that is worth it


class Pacer:
    """Shortens steps. met: the document with the targets that the last pose meets, if its step was shortened so that
    dragged joints are behind their targets.
    """

    def __init__(self) -> None:
        self.met: Document | None = None
        self._on_feet = WholeBodySolver()

    def shortened(
        self,
        document: Document,
        start: posable.Pose,
        before: Document | None,
        found: Outcome,
        limbs: Collection[str],
        support: np.ndarray | None,
    ) -> Outcome:
        """The outcome in balance, or that of a shorter step.

        before: the document that `start` was solved for. limbs: goals that may be behind their targets. support: see
        `WholeBodySolver.solve`.
        """
        was_behind, self.met = self.met is not None, None
        motions = target_motions(document, before)
        most = _most(document, max(motions.values(), default=0.0))
        far = _farthest(start, found.pose)
        if not (was_behind or any(motions.values())) or far <= most:
            return found
        if not (was_behind or found.is_corrected or found.yields):
            calm = self.calmed(document, start, before, found, support)
            if calm is not found or not is_natural(document):
                return calm
        return self._behind(document, start, found, most, limbs)

    def calmed(
        self,
        document: Document,
        start: posable.Pose,
        before: Document | None,
        found: Outcome,
        support: np.ndarray | None,
    ) -> Outcome:
        """The outcome, or one in which the rest of the body moves less and the goals are met as well.

        The next steps make up for it, as the body returns to what is natural in each. Arguments as above.
        """
        moved = max(target_motions(document, before).values(), default=0.0)
        most, far = _most(document, moved), _farthest(start, found.pose)
        if moved == 0 or far <= most or not is_natural(document):
            return found
        shorter = start.plus(most / far * found.pose.minus(start))
        calm = self._on_feet.solve(_as_plain(document), shorter, support=support)
        lag = float((calm.distances - found.distances).max(initial=0.0)) / document.figure.skeleton.reach
        if lag > ALLOWED_LAG or _farthest(start, calm.pose) > min(MEETING * most, far):
            return found
        return calm._replace(seconds=found.seconds + calm.seconds, advances=found.advances or lag > VISIBLE_MISS)

    def _behind(
        self,
        document: Document,
        start: posable.Pose,
        found: Outcome,
        most: float,
        limbs: Collection[str],
    ) -> Outcome:
        """The outcome of a part of the step: what is dragged goes along with the body, and the feet stay."""
        reach = document.figure.skeleton.reach
        pose = start.plus(most / _farthest(start, found.pose) * found.pose.minus(start))
        leads = {name: _distance(document, name, found.pose, start) for name in limbs}
        led = frozenset(name for name, lead in leads.items() if lead > _VISIBLE_LEAD * reach)
        still = stopped(replace(document, pose=found.pose), frozenset(limbs) - led)
        self.met = stopped(replace(still, pose=pose), led)
        back = self._on_feet.solve(_as_plain(self.met), pose)
        far = _farthest(pose, back.pose)
        if far > most:  # what the feet miss cannot be met, and is not worth a leap
            back = back._replace(pose=pose.plus(most / far * back.pose.minus(pose)))
        distances, angles = residuals(document, back.pose)
        lag = max((_distance(document, name, found.pose, back.pose) for name in led), default=0.0) / reach
        return found._replace(
            pose=back.pose,
            distances=distances,
            angles=angles,
            seconds=found.seconds + back.seconds,
            advances=found.advances or not found.yields or lag > ALLOWED_LAG,
        )


def _most(document: Document, moved: float) -> float:
    """The largest distance that a joint moves in a step in which the targets move so far."""
    least = LEAST_BODY_PACE if moved > 0 else _RESTING_PACE
    return max(BODY_PACE * moved, least * document.figure.skeleton.reach)


def target_motions(document: Document, before: Document | None) -> dict[str, float]:
    """How far the target of each goal that acts has moved; new goals are left out."""
    old = {} if before is None else {goal.name: goal.position for goal in before.goals}
    acting = [goal for goal in document.goals if goal.acts and goal.name in old]
    return {goal.name: float(np.linalg.norm(np.subtract(goal.position, old[goal.name]))) for goal in acting}


def stopped(document: Document, names: frozenset[str]) -> Document:
    """The document with the targets of these goals moved to where their joints are."""
    for goal in document.goals:
        if goal.name in names:
            x, y, z = document.pose.origins[document.figure.skeleton.index(goal.joint)].tolist()
            document = document.with_goal(replace(goal, position=(x, y, z)))
    return document


def has_stopped(document: Document, before: Outcome, now: Outcome) -> bool:
    """Whether a solve has brought the goals that stop short hardly nearer: that is not worth a motion of the body."""
    gain = float((before.distances - now.distances).max(initial=0.0))
    return bool(now.yields) and gain < _LEAST_GAIN * _RESTING_PACE * document.figure.skeleton.reach


def _as_plain(document: Document) -> Document:
    """The document without the habits of a natural body, which would move it on."""
    return replace(document, options=replace(document.options, natural=0.0))


def _farthest(one: posable.Pose, other: posable.Pose) -> float:
    """The largest distance between a joint's positions in two poses."""
    return float(np.linalg.norm(one.origins - other.origins, axis=1).max())


def _distance(document: Document, name: str, one: posable.Pose, other: posable.Pose) -> float:
    """The distance between a goal's joint in two poses."""
    joint = document.figure.skeleton.index(document.goal(name).joint)
    return float(np.linalg.norm(one.origins[joint] - other.origins[joint]))
