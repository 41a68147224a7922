"""Goals that go with joints: solved after the others, in the world, without moving the joints that they go with.
Documents of several figures are solved figure by figure.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

import posable
from posable.studio.balanced_solver import BalancedSolver
from posable.studio.company import parts_of
from posable.studio.document import Document, StudioGoal
from posable.studio.kept import with_still_limbs
from posable.studio.posing import Outcome
from posable.studio.residuals import residuals
from posable.studio.scenery import goes_with_joint, localized, worldly

Locals = dict[str, StudioGoal]
"""Goals that go with joints, in the frames of those joints, by name."""


class Phase(NamedTuple):
    """What is solved together. acting: names of goals. frozen: joints that stay as earlier phases left them."""

    acting: frozenset[str]
    frozen: frozenset[str]

    def of(self, document: Document, locals_: Locals, pose: posable.Pose) -> Document:
        """The document of this phase: its goals in world space at this pose, and all other goals disabled."""
        goals = tuple(
            replace(_in_world(document, goal, locals_, pose), relative_to=None, enabled=goal.name in self.acting)
            for goal in document.goals
        )
        return replace(document, goals=goals, frozen=document.frozen | self.frozen)


class CompanySolver:
    """Solves documents whose goals are all in world space. Each of several figures is solved as if it were alone, with
    the habits of its own body, unless an option couples them.
    """

    def __init__(self) -> None:
        self._whole = BalancedSolver()
        self._own: list[BalancedSolver] = []
        self._last: dict[int, tuple[list[Any], Outcome]] = {}

    def solve(
        self, document: Document, start: posable.Pose, since: Document | None = None, origin: Document | None = None
    ) -> Outcome:
        """The pose that meets the active goals. since, origin: see `Solver.solve`."""
        tied = document.options.keep_apart or document.demo
        parts = () if tied else parts_of(document.figure)
        if not parts:
            return self._whole.solve(document, start, since, origin)
        self._own += [BalancedSolver() for _ in parts[len(self._own) :]]
        q, found = np.array(start.q), []
        for k, part in enumerate(parts):
            earlier = [None if one is None else part.of(one) for one in (since, origin)]
            found.append(self._solved_figure(k, part.of(document), part.pose(start), *earlier))
            q[part.columns] = found[-1].pose.q
        pose = posable.Pose.trusted(document.figure.skeleton, q)
        told = max(found, key=lambda one: (one.solution is not None, one.distances.max(initial=0.0)))
        return Outcome(
            pose,
            told.solution,
            *residuals(document, pose),
            sum(one.seconds for one in found),
            yields=frozenset[str]().union(*(one.yields for one in found)),
            advances=any(one.advances for one in found),
        )

    def _solved_figure(
        self, k: int, document: Document, start: posable.Pose, since: Document | None, origin: Document | None
    ) -> Outcome:
        """The outcome of figure `k`; its last one if that converged and nothing has changed since."""
        asked, (before, last) = _solve_inputs(document), self._last.get(k, ([], None))
        stays = last is not None and before == asked and np.array_equal(last.pose.q, start.q)
        if last is not None and stays and not last.goes_on:
            return last._replace(seconds=0.0)
        found = self._own[k].solve(document, start, since, origin)
        self._last[k] = asked, found
        return found


class FollowingSolver:
    """Solves documents in phases. In the first phase only the goals act that go with nothing. In the later ones, goals
    that go with joints act too, and those joints stay where the earlier phases left them.

    So dragging such a goal never moves what it goes with, and every method of a limb can solve it.
    """

    def __init__(self) -> None:
        self._solvers: list[CompanySolver] = []
        self._last_pose: posable.Pose | None = None  # of the last solve, as are the next three
        self._first_document: Document | None = None
        self._last_locals: Locals = {}
        self._has_converged = False  # the first phase

    def solve(
        self,
        document: Document,
        start: posable.Pose,
        since: Document | None = None,
        origin: Document | None = None,
    ) -> Outcome:
        """The pose that meets the active goals, searched from `start` alone. since, origin: see `Solver.solve`."""
        document, since = with_still_limbs(document), None if since is None else with_still_limbs(since)
        phases, figure = phases_of(document), document.figure
        self._solvers += [CompanySolver() for _ in phases[len(self._solvers) :]]
        if len(phases) == 1:
            self._last_pose = None
            return self._solvers[0].solve(document, start, since, origin)
        locals_ = {goal.name: localized(goal, figure, start) for goal in document.goals if _follows(goal, document)}
        goes_on = (
            self._last_pose is not None
            and np.array_equal(self._last_pose.q, start.q)
            and locals_.keys() == self._last_locals.keys()
        )
        first, seconds = phases[0].of(document, locals_, start), 0.0
        before = self._first_document if goes_on else None if since is None else phases[0].of(since, locals_, start)
        found = self._first_phase(first, start, goes_on, before, origin)
        for phase, solver in zip(phases[1:], self._solvers[1:], strict=False):
            seconds += found.seconds
            since = phase.of(document, self._last_locals, found.pose) if goes_on else None
            found = solver.solve(phase.of(document, locals_, found.pose), found.pose, since)
        self._last_pose, self._last_locals = found.pose, locals_
        goals = tuple(_in_world(document, goal, locals_, found.pose) for goal in document.goals)
        distances, angles = residuals(replace(document, goals=goals), found.pose)
        return found._replace(distances=distances, angles=angles, seconds=seconds + found.seconds)

    def _first_phase(
        self, document: Document, start: posable.Pose, goes_on: bool, since: Document | None, origin: Document | None
    ) -> Outcome:
        """The goals that go with nothing. Not solved again if they converged and have not changed since."""
        self._first_document = document
        if goes_on and since is not None and self._has_converged and _solve_inputs(document) == _solve_inputs(since):
            return Outcome(start, None, *residuals(document, start), 0.0)
        found = self._solvers[0].solve(document, start, since, origin)
        self._has_converged = not found.goes_on
        return found


def phases_of(document: Document) -> list[Phase]:
    """The phases in which a document is solved; a single one if no active goal goes with a joint.

    A goal comes after those that may move the joint it goes with.
    """
    skeleton = document.figure.skeleton
    waiting = [goal for goal in document.goals if _follows(goal, document)]
    acting = {goal.name: goal for goal in document.goals if goal.acts and goal not in waiting}
    frozen: set[int] = set()
    phases = [Phase(frozenset(acting), frozenset())]
    while waiting:
        ready = [goal for goal in waiting if not any(_carries(skeleton, one, goal) for one in waiting)] or waiting[:1]
        waiting = [goal for goal in waiting if goal not in ready]
        acting |= {goal.name: goal for goal in ready}
        frozen |= {j for goal in ready for j in skeleton.chain(str(goal.relative_to))}
        movable = frozenset(name for name, goal in acting.items() if skeleton.index(goal.joint) not in frozen)
        phases.append(Phase(movable, frozenset(skeleton.joints[j] for j in frozen)))
    return phases


def goes_round(document: Document) -> bool:
    """Whether goals go with joints that they move themselves, alone or in a cycle."""
    skeleton = document.figure.skeleton
    waiting = [goal for goal in document.goals if goes_with_joint(goal, document.figure)]
    while waiting:
        ready = [goal for goal in waiting if not any(_carries(skeleton, one, goal) for one in waiting)]
        if not ready:
            return True
        waiting = [goal for goal in waiting if goal not in ready]
    return False


def _follows(goal: StudioGoal, document: Document) -> bool:
    return goal.acts and goes_with_joint(goal, document.figure)


def _carries(skeleton: posable.Skeleton, goal: StudioGoal, other: StudioGoal) -> bool:
    """Whether a goal that goes with a joint may move what another one goes with."""
    own = set(skeleton.chain(goal.joint)) - set(skeleton.chain(str(goal.relative_to)))
    return not own.isdisjoint(skeleton.chain(str(other.relative_to))) or (
        goal is other and skeleton.index(goal.joint) in skeleton.chain(str(other.relative_to))
    )


def _in_world(document: Document, goal: StudioGoal, locals_: Locals, pose: posable.Pose) -> StudioGoal:
    own = locals_.get(goal.name)
    return goal if own is None else worldly(own, document.figure, pose)


_SOLVED_FIELDS = [one.name for one in fields(StudioGoal) if one.name != "keys"]


def _solve_inputs(document: Document) -> list[Any]:
    """Everything in a document that determines its solved pose, for comparison with another."""
    goals = [[getattr(goal, name) for name in _SOLVED_FIELDS] for goal in document.goals if goal.acts]
    kept = tuple(document.kept.items())
    return [goals, id(document.figure), document.options, document.frozen, kept, document.props, document.demo]
