"""Solves in which hands that would tip the figure over stop short, where it still stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import posable
from posable.studio.balancing import feet_of, keeps_balance, shared_joints, support_kept
from posable.studio.document import Document, StudioGoal
from posable.studio.posing import Outcome
from posable.studio.residuals import residuals
from posable.studio.standing import carriers
from posable.studio.whole_body import WholeBodySolver

_LEAST, _FURTHER = 0.001, 0.02  # of the reach: so far out, and as far as its target has moved, a hand goes in one solve
_LAGS = 0.01  # of it: by how much a goal is missed in a step that was too long, which the next one makes up for
_SETTLED = 0.002  # of it: where the next step would be no longer than that, a hand has stopped
_BACK = (1.0, 0.99, 0.96)  # times its distance: where the figure stands at one, it stays there


class BalancedSolver:
    """Solves documents as `WholeBodySolver` does. A target that the balance keeps out of reach is drawn in, along the
    line to where its limb begins, until it is met: what a solver finds between two goals that contradict each other is
    no pose of a person, and leaps.
    """

    def __init__(self) -> None:
        self._whole = WholeBodySolver()
        self._yields: dict[str, float] = {}  # the distance to its limb's beginning at which each goal stops
        self._stride = _FURTHER  # of the reach: by how much more is tried next
        self._led = frozenset[str]()  # the goals that were moved last
        self._missed = frozenset[str]()
        self._asked: Document | None = None
        self._end: posable.Pose | None = None

    def solve(
        self, document: Document, start: posable.Pose, since: Document | None = None, origin: Document | None = None
    ) -> Outcome:
        """The pose that meets the active goals. since, origin: see `Solver.solve`."""
        goes_on = self._end is not None and np.array_equal(self._end.q, start.q)
        if not goes_on:
            self._yields, self._led, self._missed, self._asked = {}, frozenset(), frozenset(), None
            if since is not None and keeps_balance(since):
                self._yields = _Limbs(since, start if origin is None else origin.pose).short(since, start)
        support = support_kept(document, start, origin)
        if keeps_balance(document) and document.options.gravity == 0:  # which pulls on until all rests
            found = self._balanced(document, start, since, origin, support)
        else:
            found = self._whole.solve(document, start, since, origin, support)
            self._yields, self._led, self._missed = {}, frozenset(), frozenset()
        self._asked, self._end = document, found.pose
        return found

    def _balanced(
        self,
        document: Document,
        start: posable.Pose,
        since: Document | None,
        origin: Document | None,
        support: np.ndarray | None,
    ) -> Outcome:
        before = self._asked if since is None else since
        limbs = _Limbs(document, start if origin is None else origin.pose)
        # Without targets that were drawn in, the solvers themselves know which ones the start meets.
        met = limbs.drawn_in(document if since is None else since, self._yields) if self._yields else since
        moved = limbs.moved(document, before) or self._led & limbs.beginnings.keys()
        stuck = self._missed - moved  # whatever becomes of the others

        def solved(yields: dict[str, float]) -> Outcome:
            self._yields = {name: far for name, far in yields.items() if far < limbs.asked(document, name)}
            found = self._whole.solve(limbs.drawn_in(document, self._yields), start, met, origin, support)
            return found._replace(tips=found.tips - stuck, yields=frozenset(self._yields))

        led = moved & self._yields.keys()
        stay = {name: far for name, far in self._yields.items() if name in limbs.beginnings.keys() - moved}
        if not led:
            found = solved(stay)
            led = (moved or set(limbs.beginnings)) & found.tips
            if not led:
                return self._told(document, found, stuck)
        far, reach = {name: limbs.asked(document, name) for name in led}, document.figure.skeleton.reach
        near = (self._yields.get(name, limbs.distance(name, start)) / far[name] for name in led)
        quickest = max(limbs.step(document, before, name) for name in led) / reach + _FURTHER
        low, self._stride = min(1.0, *near), min(self._stride, quickest)
        found = solved(stay | {name: low * far[name] + self._stride * reach for name in led})
        self._stride, self._led = self._stride * 2 if not found.tips else max(self._stride / 2, _LEAST), led
        advances = not found.tips or self._stride > _SETTLED
        tries = []
        for back in _BACK if found.tips else ():
            found = solved(stay | {name: back * low * far[name] for name in led})
            tries.append((_farthest(document, found), back, found, self._yields))
            if not found.tips or (found.tips <= led and tries[-1][0] < _LAGS * reach):
                break
        else:
            _, _, found, self._yields = min(tries, key=lambda one: one[0], default=(0.0, 0.0, found, self._yields))
        return self._told(document, found._replace(advances=advances or found.advances), stuck)

    def _told(self, document: Document, found: Outcome, stuck: frozenset[str]) -> Outcome:
        """The outcome for the targets as they are given."""
        self._missed = stuck | found.tips
        if not self._yields:
            return found
        distances, angles = residuals(document, found.pose)
        return found._replace(distances=distances, angles=angles)


def _farthest(document: Document, found: Outcome) -> float:
    """How far the goal is missed that is missed most of those that tip."""
    off = [float(found.distances[k]) for k, goal in enumerate(document.goals) if goal.name in found.tips]
    return max(off, default=0.0)


def stopped(document: Document, names: frozenset[str]) -> Document:
    """The document with the targets of these goals where their joints are."""
    for goal in document.goals:
        if goal.name in names:
            x, y, z = document.pose.origins[document.figure.skeleton.index(goal.joint)].tolist()
            document = document.with_goal(replace(goal, position=(x, y, z)))
    return document


class _Limbs:
    """Where the limbs of goals that may yield begin: those that are neither pinned nor feet, and do not carry the body.

    pose: which stays while targets move.
    """

    def __init__(self, document: Document, pose: posable.Pose) -> None:
        skeleton, stays = document.figure.skeleton, carriers(document.figure) | feet_of(document.figure)
        own = [goal for goal in document.goals if _may_yield(goal) and goal.joint not in stays]
        shared = shared_joints(document, ends=True)
        self._joints = {goal.name: skeleton.index(goal.joint) for goal in own}
        self.beginnings = {}
        for name, joint in self._joints.items():
            chain = [j for j in skeleton.chain(skeleton.joints[joint]) if j not in shared]
            self.beginnings[name] = pose.origins[chain[0] if chain else joint]

    def distance(self, name: str, pose: posable.Pose) -> float:
        """How far from its limb's beginning a goal's joint is."""
        return float(np.linalg.norm(pose.origins[self._joints[name]] - self.beginnings[name]))

    def asked(self, document: Document, name: str) -> float:
        """How far from there its target is."""
        away = np.array(document.goal(name).position) - self.beginnings[name]
        return max(float(np.linalg.norm(away)), 1e-9)

    def short(self, document: Document, pose: posable.Pose) -> dict[str, float]:
        """The distances at which a pose has those that are nearer than their targets."""
        least = _SETTLED * document.figure.skeleton.reach
        found = {name: self.distance(name, pose) for name in self.beginnings}
        return {name: far for name, far in found.items() if far < self.asked(document, name) - least}

    def step(self, document: Document, before: Document | None, name: str) -> float:
        """How far its target has moved."""
        old = None if before is None else next((goal for goal in before.goals if goal.name == name), None)
        return 0.0 if old is None else float(np.linalg.norm(np.subtract(document.goal(name).position, old.position)))

    def moved(self, document: Document, before: Document | None) -> frozenset[str]:
        """The goals whose targets have moved."""
        return frozenset(name for name in self.beginnings if self.step(document, before, name) > 0)

    def drawn_in(self, document: Document, yields: dict[str, float]) -> Document:
        """The document with targets that are further from the beginnings of their limbs drawn in to that distance."""
        for goal in document.goals:
            if goal.name in yields and goal.name in self.beginnings:
                first = self.beginnings[goal.name]
                share = min(yields[goal.name] / self.asked(document, goal.name), 1.0)
                x, y, z = (first + share * (np.array(goal.position) - first)).tolist()
                document = document.with_goal(replace(goal, position=(x, y, z)))
        return document


def _may_yield(goal: StudioGoal) -> bool:
    return goal.acts and not goal.pinned and goal.kind in ("place", "reach") and goal.weight > 0
