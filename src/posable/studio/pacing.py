"""Steps of a drag in which the body moves little farther than what is dragged.

A small motion of a hand may change what is natural by much. Near the edge of what a balanced body reaches, it takes
tens of degrees of spine and knees, to and fro.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

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
SLOW = 0.025  # of the reach: where targets move farther in a step, as a typed number makes them, nothing is calmed
_VISIBLE_LEAD = 0.002  # of the reach: a joint that a step moves by less is not behind after a part of it
_LEAST_GAIN = 0.5  # of the body's motion: how much nearer a hand comes, released, in a solve that is worth it


class Step(NamedTuple):
    """A step of a drag. before: the document that `start` was solved for. origin, support: see
    `WholeBodySolver.solve`.
    """

    document: Document
    start: posable.Pose
    before: Document | None
    origin: Document | None
    support: np.ndarray | None

    @property
    def moved(self) -> float:
        """How far a target has moved."""
        return max(target_motions(self.document, self.before).values(), default=0.0)

    @property
    def from_targets(self) -> float:
        """How far a joint is from its target, if that has moved: more than it has moved, where the goal was not met."""
        motions, skeleton = target_motions(self.document, self.before), self.document.figure.skeleton
        led = (goal for goal in self.document.goals if motions.get(goal.name, 0.0) > 0 and goal.kind != "look")
        away = (self.start.origins[skeleton.index(goal.joint)] - goal.position for goal in led)
        return max((float(np.linalg.norm(one)) for one in away), default=0.0)

    @property
    def is_slow(self) -> bool:
        """Whether a target has moved, and no farther than a hand is dragged in one step."""
        return 0 < self.moved < SLOW * self.document.figure.skeleton.reach

    @property
    def most(self) -> float:
        """The largest distance that a joint is to move."""
        least = LEAST_BODY_PACE if self.moved > 0 else _RESTING_PACE
        return max(BODY_PACE * self.moved, least * self.document.figure.skeleton.reach)

    def part(self, pose: posable.Pose) -> posable.Pose:
        """The part of the step to a pose in which no joint moves farther."""
        share = min(1.0, self.most / max(_farthest(self.start, pose), 1e-12))
        return self.start.plus(share * pose.minus(self.start))


class Pacer:
    """Shortens steps. met: the document with the targets that the last pose meets, if its step was shortened so that
    dragged joints are behind their targets.
    """

    def __init__(self) -> None:
        self.met: Document | None = None
        self._calm, self._on_feet = WholeBodySolver(), WholeBodySolver()

    def shortened(self, step: Step, found: Outcome, limbs: Collection[str]) -> Outcome:
        """The outcome of a step in balance, or that of a shorter one. limbs: goals that may be behind their targets."""
        was_behind, self.met = self.met is not None, None
        if not (was_behind or step.moved > 0) or _farthest(step.start, found.pose) <= step.most:
            return found
        if not (was_behind or found.is_corrected or found.yields):
            calm = self.calmed(step, found)
            is_far = _farthest(step.start, calm.pose) > max(MEETING * step.most, BODY_PACE * step.from_targets)
            if calm is not found or not (step.is_slow and is_natural(step.document) and is_far):
                return calm
        return self._behind(step, found, limbs)

    def calmed(self, step: Step, found: Outcome) -> Outcome:
        """The outcome, or one in which the rest of the body moves less and the goals are met as well.

        The next steps make up for it, as the body returns to what is natural in each.
        """
        far, document = _farthest(step.start, found.pose), step.document
        if not step.is_slow or far <= step.most or not is_natural(document):
            return found
        # With targets that rest, what is natural stays as it is in the shorter step.
        calm = self._calm.solve(document, step.part(found.pose), document, step.origin, step.support)
        lag = float((calm.distances - found.distances).max(initial=0.0)) / document.figure.skeleton.reach
        if lag > ALLOWED_LAG or _farthest(step.start, calm.pose) > min(MEETING * step.most, far):
            return found
        return calm._replace(seconds=found.seconds + calm.seconds, advances=found.advances or lag > VISIBLE_MISS)

    def _behind(self, step: Step, found: Outcome, limbs: Collection[str]) -> Outcome:
        """The outcome of a part of the step: what is dragged goes along with the body, and the feet stay."""
        document, start, most = step.document, step.start, step.most
        pose, reach = step.part(found.pose), document.figure.skeleton.reach
        leads = {name: _distance(document, name, found.pose, start) for name in limbs}
        led = frozenset(name for name, lead in leads.items() if lead > _VISIBLE_LEAD * reach)
        still = stopped(replace(document, pose=found.pose), frozenset(limbs) - led)
        self.met = stopped(replace(still, pose=pose), led)
        if found.is_corrected or found.yields:
            back = self._on_feet.solve(_as_plain(self.met), pose)
        else:
            back = self._calm.solve(self.met, pose, self.met, step.origin, step.support)
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
