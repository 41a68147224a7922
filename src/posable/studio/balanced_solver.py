"""Solves in which a hand that would tip the figure over stops short of its target, where the figure still stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import posable
from posable.studio.balancing import feet_of, keeps_balance, shared_joints, support_kept
from posable.studio.document import Document, StudioGoal
from posable.studio.pacing import Pacer, Step, target_motions
from posable.studio.posing import Outcome
from posable.studio.residuals import residuals
from posable.studio.standing import carriers
from posable.studio.whole_body import WholeBodySolver

MIN_STRIDE, FIRST_STRIDE = 0.001, 0.02  # of the reach: stride of a hand in one solve, beyond its target's motion
_ALLOWED_LAG = 0.01  # of the reach: tolerated miss after a stride that was too long; the next solve makes up for it
_STOPPED_STRIDE = 0.002  # of the reach: a hand whose next stride would be at most this long has stopped
RETREATS = (1.0, 0.99, 0.96)  # factors of a hand's distance, tried in this order until the figure stands


class BalancedSolver:
    """Solves documents as `WholeBodySolver` does. A target that balance puts out of reach is drawn in along the line to
    the root of its limb, until it is met. A compromise between two goals that contradict each other would not be a
    human pose, and would leap.
    """

    def __init__(self) -> None:
        self._whole, self._pacer = WholeBodySolver(), Pacer()
        self._stops_at: dict[str, float] = {}  # distance from its limb's root at which each goal stops
        self._stride = FIRST_STRIDE  # of the reach: how much farther out is tried next
        self._moved_last = frozenset[str]()  # goals by name
        self._missed = frozenset[str]()
        self._last_document: Document | None = None
        self._last_pose: posable.Pose | None = None

    def solve(
        self, document: Document, start: posable.Pose, since: Document | None = None, origin: Document | None = None
    ) -> Outcome:
        """The pose that meets the active goals. since, origin: see `Solver.solve`."""
        goes_on = self._last_pose is not None and np.array_equal(self._last_pose.q, start.q)
        if self._last_document is not None and self._last_document.options != document.options:
            goes_on, self._stride = False, FIRST_STRIDE  # the same from wherever options were changed
        if not goes_on:
            self._stops_at, self._moved_last, self._missed = {}, frozenset(), frozenset()
            self._last_document = self._pacer.met = None
            if since is not None and keeps_balance(since):
                limbs = _YieldingLimbs(since, start if origin is None else origin.pose)
                self._stops_at = limbs.distances_short_of_targets(since, start)
        support, before = support_kept(document, start, origin), self._last_document if since is None else since
        step = Step(document, start, before, origin, support)
        if keeps_balance(document) and document.options.gravity == 0:  # gravity pulls on until everything rests
            found = self._balanced(document, start, since, origin, support)
            if origin is not None:  # a goal that goes with a joint has none, and keeps up with it
                limbs = _YieldingLimbs(document, origin.pose)
                found = self._pacer.shortened(step, found, limbs.roots)
                if self._pacer.met is not None:
                    stops = self._stops_at.items()
                    self._stops_at = {name: min(limit, limbs.distance(name, found.pose)) for name, limit in stops}
            else:
                self._pacer.met = None
        else:
            found = self._whole.solve(document, start, since, origin, support)
            if origin is not None and document.options.gravity == 0:
                found = self._pacer.calmed(step, found)
            self._stops_at, self._moved_last, self._missed, self._pacer.met = {}, frozenset(), frozenset(), None
        self._last_document, self._last_pose = document, found.pose
        return found

    def _balanced(
        self,
        document: Document,
        start: posable.Pose,
        since: Document | None,
        origin: Document | None,
        support: np.ndarray | None,
    ) -> Outcome:
        before = self._last_document if since is None else since
        limbs = _YieldingLimbs(document, start if origin is None else origin.pose)
        # If no target was drawn in, the solvers know themselves which targets the start meets.
        met = limbs.drawn_in(document if since is None else since, self._stops_at) if self._stops_at else since
        met = met if self._pacer.met is None else self._pacer.met
        motions = target_motions(document, before)
        moved = limbs.moved(motions) or self._moved_last & limbs.roots.keys()
        stuck = self._missed - moved  # these stay missed, whatever happens to the others

        def solved(yields: dict[str, float]) -> Outcome:
            self._stops_at = {name: far for name, far in yields.items() if far < limbs.target_distance(document, name)}
            found = self._whole.solve(limbs.drawn_in(document, self._stops_at), start, met, origin, support)
            return found._replace(tips=found.tips - stuck, yields=frozenset(self._stops_at))

        led = moved & self._stops_at.keys()
        stay = {name: far for name, far in self._stops_at.items() if name in limbs.roots.keys() - moved}
        if not led:
            found = solved(stay)
            led = (moved or set(limbs.roots)) & found.tips
            if not led:
                return self._for_given_targets(document, found, stuck, limbs)
        far, reach = {name: limbs.target_distance(document, name) for name in led}, document.figure.skeleton.reach
        near = (self._stops_at.get(name, limbs.distance(name, start)) / far[name] for name in led)
        quickest = max(motions.get(name, 0.0) for name in led) / reach + FIRST_STRIDE
        low, self._stride = min(1.0, *near), min(self._stride, quickest)
        found = solved(stay | {name: low * far[name] + self._stride * reach for name in led})
        self._stride, self._moved_last = self._stride * 2 if not found.tips else max(self._stride / 2, MIN_STRIDE), led
        advances = not found.tips or self._stride > _STOPPED_STRIDE
        tries = []
        for back in RETREATS if found.tips else ():
            found = solved(stay | {name: back * low * far[name] for name in led})
            tries.append((_largest_tipping_miss(document, found), back, found, self._stops_at))
            if not found.tips or (found.tips <= led and tries[-1][0] < _ALLOWED_LAG * reach):
                break
        else:
            _, _, found, self._stops_at = min(tries, key=lambda one: one[0], default=(0.0, 0.0, found, self._stops_at))
        return self._for_given_targets(document, found._replace(advances=advances or found.advances), stuck, limbs)

    def _for_given_targets(
        self, document: Document, found: Outcome, stuck: frozenset[str], limbs: _YieldingLimbs
    ) -> Outcome:
        """The outcome, measured against the targets as given rather than as drawn in."""
        self._missed = stuck | found.tips
        found = found._replace(yields=found.yields | (self._missed & limbs.roots.keys()))
        if not self._stops_at:
            return found
        distances, angles = residuals(document, found.pose)
        return found._replace(distances=distances, angles=angles)


def _largest_tipping_miss(document: Document, found: Outcome) -> float:
    """The largest distance by which one of the goals that tip the figure is missed."""
    off = [float(found.distances[k]) for k, goal in enumerate(document.goals) if goal.name in found.tips]
    return max(off, default=0.0)


class _YieldingLimbs:
    """The roots of the limbs whose goals may yield: goals that are not pinned, not of feet, and do not carry the body.

    pose: in which the roots are measured; it stays the same while targets move.
    """

    def __init__(self, document: Document, pose: posable.Pose) -> None:
        skeleton, stays = document.figure.skeleton, carriers(document.figure) | feet_of(document.figure)
        own = [goal for goal in document.goals if _may_yield(goal) and goal.joint not in stays]
        shared = shared_joints(document, ends=True)
        self._joints = {goal.name: skeleton.index(goal.joint) for goal in own}
        self.roots = {}
        for name, joint in self._joints.items():
            chain = [j for j in skeleton.chain(skeleton.joints[joint]) if j not in shared]
            self.roots[name] = pose.origins[chain[0] if chain else joint]

    def distance(self, name: str, pose: posable.Pose) -> float:
        """The distance of a goal's joint from its limb's root."""
        return float(np.linalg.norm(pose.origins[self._joints[name]] - self.roots[name]))

    def target_distance(self, document: Document, name: str) -> float:
        """The distance of a goal's target from its limb's root, at least 1e-9."""
        away = np.array(document.goal(name).position) - self.roots[name]
        return max(float(np.linalg.norm(away)), 1e-9)

    def distances_short_of_targets(self, document: Document, pose: posable.Pose) -> dict[str, float]:
        """The distances from their limbs' roots of the joints that a pose has visibly nearer than their targets."""
        least = _STOPPED_STRIDE * document.figure.skeleton.reach
        found = {name: self.distance(name, pose) for name in self.roots}
        return {name: far for name, far in found.items() if far < self.target_distance(document, name) - least}

    def moved(self, motions: dict[str, float]) -> frozenset[str]:
        """The goals whose targets have moved."""
        return frozenset(name for name in self.roots if motions.get(name, 0.0) > 0)

    def drawn_in(self, document: Document, yields: dict[str, float]) -> Document:
        """The document with targets drawn in to at most these distances from the roots of their limbs."""
        for goal in document.goals:
            if goal.name in yields and goal.name in self.roots:
                first = self.roots[goal.name]
                share = min(yields[goal.name] / self.target_distance(document, goal.name), 1.0)
                x, y, z = (first + share * (np.array(goal.position) - first)).tolist()
                document = document.with_goal(replace(goal, position=(x, y, z)))
        return document


def _may_yield(goal: StudioGoal) -> bool:
    return goal.acts and not goal.pinned and goal.kind in ("place", "reach") and goal.weight > 0
