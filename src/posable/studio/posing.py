"""The goals of a document for the solver: prepared once, solved at every step of a drag or a slider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

import posable
from posable.natural import natural_if_known
from posable.spatial import transform
from posable.studio.balancing import moving_joints, with_carried_masses
from posable.studio.document import Document, StudioGoal
from posable.studio.human_range import solved_figure
from posable.studio.kept import keeping_goals
from posable.studio.opening import RACE
from posable.studio.residuals import residuals
from posable.studio.scenery import obstacles_of
from posable.studio.standing import carriers, with_flat_toes
from posable.studio.steady import Reached, reached, steadied, step_of

_COMFORT_WEIGHT = 1e-3  # of the option for comfort, if elasticity gives no other weight
_ITERATIONS, _SOFT_ITERATIONS = 100, 40  # most of one solve; with springs, the next step of the drag goes on from there
_DEMO_ITERATIONS = 12  # few, so that the figure of a demonstration visibly follows its goal
TOLERANCE = 1e-5  # of the figure's reach: a hundredth of a millimetre on a person
ANGLE_TOLERANCE = 1e-4  # radians
_GOALS_WITH_TARGETS = (posable.Balance, posable.KeepApart, posable.Reach)  # of the whole figure


class Term(NamedTuple):
    """A goal of the library, the index of the studio goal that owns it, and the functions of its target and weight."""

    goal: posable.Goal
    owner: int
    target: Callable[[StudioGoal], np.ndarray]
    weight: Callable[[StudioGoal], float]


class Outcome(NamedTuple):
    """The result of a solve. distances, angles: `[goal]`, per goal of the document. tips: the goals that are missed
    while balance is kept. yields: the goals that stop short to keep it. advances: whether the goals come nearer in
    another solve. is_corrected: whether balance has changed the pose.
    """

    pose: posable.Pose
    solution: posable.Solution | None
    distances: np.ndarray
    angles: np.ndarray
    seconds: float
    tips: frozenset[str] = frozenset()
    yields: frozenset[str] = frozenset()
    advances: bool = False
    is_corrected: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether another solve comes nearer."""
        status = None if self.solution is None else self.solution.status
        return self.advances or status == posable.Status.OUT_OF_ITERATIONS


class Solver:
    """Solves documents, all goals in the world. Its `Prepared` stays as long as only targets and weights change.

    most: iterations of one solve.
    """

    def __init__(self, most: int = _ITERATIONS) -> None:
        self._most = most
        self._structure_key: tuple[Any, ...] = ()
        self._weights: tuple[float, ...] = ()
        self._built_in_weights: tuple[float, ...] = ()
        self._figures: dict[tuple[Any, ...], posable.Figure] = {}
        self._prepared: posable.Prepared | None = None
        self._goals: list[posable.Goal] = []
        self._held: tuple[frozenset[str], posable.Prepared] | None = None  # held joints, and the solver for these
        self._terms: tuple[Term, ...] = ()
        self._last_solve: tuple[posable.Pose, list[Any]] | None = None

    def solve(
        self,
        document: Document,
        start: posable.Pose,
        since: Document | None = None,
        origin: Document | None = None,
        more: Sequence[posable.Goal] = (),
    ) -> Outcome:
        """The pose that meets the active goals, searched from `start` alone (no restarts), so that nothing flips.

        since: whose goals `start` meets; None for those of the last solve if it ended there.
        origin: the document in which the targets began to move; the rest of the body returns to it as the goals do.
        more: goals of the whole figure besides those of the document.
        """
        given = document.figure.skeleton
        document = replace(document, figure=solved_figure(document, start if origin is None else origin.pose))
        prepared = self._ready(document, more)
        if prepared is None:
            return Outcome(start, None, *residuals(document, start), 0.0)
        others = self._whole_figure_goals(document, more)
        owned, targets = [(term, document.goals[term.owner]) for term in self._terms], self._targets(document, others)
        weights = None
        if self._weights != self._built_in_weights:
            weights = [*(term.weight(goal) for term, goal in owned), *(goal.own_weight for goal in others)]
        first = None if origin is None else (origin.pose, self._targets(_with_goals_of(origin, document), others))
        last, own = self._last_solve or (None, None)
        before = own if last is not None and np.array_equal(last.q, start.q) else None
        before = before if since is None else self._targets(_with_goals_of(since, document), others)
        found = prepared.solve(start, targets, weights=weights, since=before, origin=first)
        pose = with_flat_toes(document, posable.Pose.trusted(given, np.array(found.pose.q)))
        self._last_solve = pose, targets
        outcome = Outcome(pose, found, *residuals(document, pose), found.seconds)
        if before is None or weights or not _is_steadied(document, others):
            return outcome
        moved = step_of(before, targets, pose.skeleton.reach)
        held = self._solve_with_held_joints(prepared, document, start, targets)
        steady = steadied(start, reached(document, pose), moved, held)
        if steady is None:
            return outcome
        self._last_solve = steady[0], targets
        return Outcome(steady[0], found, *residuals(document, steady[0]), found.seconds, advances=steady[1])

    def _solve_with_held_joints(
        self, prepared: posable.Prepared, document: Document, start: posable.Pose, targets: list[Any]
    ) -> Callable[[frozenset[str]], Reached]:
        """A function that solves the same with more joints held."""

        def held(joints: frozenset[str]) -> Reached:
            frozen = document.frozen | joints
            if self._held is None or self._held[0] != frozen:
                self._held = frozen, self._prepared_for(document, prepared.skeleton, frozen)
            pose = self._held[1].solve(start, targets).pose  # of a figure with masses or limits of its own
            return reached(document, posable.Pose.trusted(start.skeleton, np.array(pose.q)))

        return held

    def _whole_figure_goals(self, document: Document, more: Sequence[posable.Goal]) -> list[posable.Goal]:
        return [*more, *others_of(document, self._figure(document, more))]

    def _targets(self, document: Document, others: Sequence[posable.Goal]) -> list[Any]:
        own: list[Any] = [term.target(document.goals[term.owner]) for term in self._terms]
        return own + [one.given if isinstance(one, _GOALS_WITH_TARGETS) else None for one in others]

    def _ready(self, document: Document, more: Sequence[posable.Goal]) -> posable.Prepared | None:
        """The `Prepared` of the document. Weights that change are given with the targets; constant ones are built in,
        which solves a little faster.
        """
        order = Order.of([goal for goal in document.goals if goal.acts], carriers(document.figure))
        goals = [_structure(goal, order) for goal in document.goals]
        key = (
            document.figure,
            document.frozen,
            tuple(document.kept.items()),
            _option_structure(document),
            document.demo,
            tuple(goal.structure() for goal in more),
            *goals,
        )
        weights = _weights_of(document)
        stay, self._weights = weights == self._weights, weights
        if key != self._structure_key or (stay and weights != self._built_in_weights):
            self._prepare(document, order, more)
            self._structure_key, self._built_in_weights = key, weights
        return self._prepared

    def _prepare(self, document: Document, order: Order, more: Sequence[posable.Goal]) -> None:
        figure = self._figure(document, more)
        active = [(k, goal) for k, goal in enumerate(document.goals) if goal.acts]
        self._terms = tuple(term for k, goal in active for term in terms_of(goal, k, order))
        others = self._whole_figure_goals(document, more)
        self._prepared, self._last_solve = None, None
        if not self._terms:
            return
        self._goals = [*(term.goal for term in self._terms), *others]
        self._prepared, self._held = self._prepared_for(document, figure.skeleton, document.frozen), None

    def _prepared_for(self, document: Document, skeleton: posable.Skeleton, frozen: frozenset[str]) -> posable.Prepared:
        is_soft = any(goal.spring(skeleton) for goal in self._goals)
        most = _DEMO_ITERATIONS if document.demo else min(_SOFT_ITERATIONS, self._most) if is_soft else self._most
        return posable.prepare(
            skeleton,
            self._goals,
            method=_methods([goal for goal in document.goals if goal.acts], document.options.gravity),
            tolerance=TOLERANCE * skeleton.reach,
            angle_tolerance=ANGLE_TOLERANCE,
            max_iterations=most,
            restarts=0,
            frozen=tuple(sorted(frozen)),
        )

    def _figure(self, document: Document, more: Sequence[posable.Goal]) -> posable.Figure:
        """The figure with masses and capsules where the options need them."""
        balances = any(isinstance(goal, posable.Balance) for goal in more)
        moving = moving_joints(document) if balances else None
        asked = document.figure, balances or document.options.gravity > 0, moving, _needs_capsules(document)
        if asked not in self._figures:
            figure = posable.with_masses(document.figure) if asked[1] else document.figure
            figure = figure if moving is None else with_carried_masses(figure, moving)
            self._figures = {asked: posable.with_capsules(figure) if asked[3] else figure}
        return self._figures[asked]


def _is_steadied(document: Document, others: Sequence[posable.Goal]) -> bool:
    """Whether to keep joints from swinging round: not for persons, whose joints do not, and not for soft goals."""
    is_plain = all(goal.method == "LeastSquares" for goal in document.goals) and not document.demo
    is_soft = any(isinstance(goal, posable.Natural) or goal.spring(document.figure.skeleton) for goal in others)
    return is_plain and not is_soft


def _with_goals_of(origin: Document, document: Document) -> Document:
    """The document with its goals as in an earlier one; new goals and new poles stay."""
    known = {goal.name: goal for goal in origin.goals}
    goals = [known.get(goal.name, goal) for goal in document.goals]
    own = [
        replace(old, pole=goal.pole) if old.pole is None and goal.pole is not None else old
        for old, goal in zip(goals, document.goals, strict=True)
    ]
    return replace(document, goals=tuple(own))


def _structure(goal: StudioGoal, order: Order) -> tuple[Any, ...]:
    """The properties on which a `Prepared` depends: all of a goal except its target and the size of its weights."""
    weights = goal.weight, goal.rotation_weight
    if not order.is_whole(goal):
        weights = goal.weight > 0, goal.rotation_weight > 0, goal.weight == goal.rotation_weight
    return (
        goal.name, goal.joint, goal.kind, *weights, goal.acts, goal.method, goal.forward, goal.pole is None,
        goal.pinned,
    )  # fmt: skip


def _option_structure(document: Document) -> tuple[Any, ...]:
    """The same for the options; methods that apply gravity themselves are prepared for its size."""
    options = document.options
    gravity = options.gravity if any(goal.method != "LeastSquares" for goal in document.goals) else options.gravity > 0
    obstacles = len(obstacles_of(document))
    is_soft = options.elasticity > 0, options.natural > 0
    return options.comfort, gravity, options.keep_apart, obstacles, *is_soft


def _needs_capsules(document: Document) -> bool:
    """Whether the figure needs capsules, for its own limbs or for obstacles in the scene."""
    return document.options.keep_apart or len(obstacles_of(document)) > 0


def _weights_of(document: Document) -> tuple[float, ...]:
    options = document.options
    weights = [weight for goal in document.goals for weight in (goal.weight, goal.rotation_weight)]
    return options.gravity, options.elasticity, options.natural, *weights


class Order(NamedTuple):
    """Priorities: pinned goals first, then what carries the body, then the other goals, then poles.

    So a hand out of reach does not lift a seated figure off its seat.

    carriers: the joints that carry the body. carrying: the priority of their goals. others: that of other unpinned
    goals. poles: that of poles.
    alone: joints whose limb has a method of its own, which has no priorities and does not move pinned joints.
    single: whether there is only one goal.
    """

    carriers: frozenset[str]
    carrying: int
    others: int
    poles: int
    alone: frozenset[str]
    single: bool

    @classmethod
    def of(cls, goals: Sequence[StudioGoal], carriers: frozenset[str] = frozenset()) -> Order:
        """The order of these goals: pinned ones first, then those that carry the body, then others, then poles."""
        carrying = int(any(goal.pinned for goal in goals))
        carries = any(goal.joint in carriers and not goal.pinned and asks_for(goal)[0] for goal in goals)
        others = carrying + int(carries)
        alone = frozenset(goal.joint for goal in goals if goal.method != "LeastSquares")
        return cls(carriers, carrying, others, others + 1, alone, len(goals) == 1)

    def priority(self, goal: StudioGoal) -> int:
        """The priority of a goal."""
        if goal.pinned or goal.joint in self.alone:
            return 0
        return self.carrying if goal.joint in self.carriers else self.others

    def is_whole(self, goal: StudioGoal) -> bool:
        """Whether position and rotation must be one goal: for the closed form of an arm, and for methods of limbs."""
        return self.single or goal.joint in self.alone


def terms_of(goal: StudioGoal, owner: int, order: Order) -> list[Term]:
    """The library's goals for one goal of the studio: none where its weight is 0."""
    found, first = [], order.priority(goal)
    if goal.kind == "look" and goal.weight > 0:
        look = posable.LookAt(goal.joint, goal.position, forward=goal.forward, weight=goal.weight, priority=first)
        found.append(Term(look, owner, position_of, attrgetter("weight")))
    elif goal.kind == "pole" and goal.weight > 0:
        pole = posable.Pole(goal.joint, goal.position, goal.weight, priority=order.poles)
        found.append(Term(pole, owner, position_of, attrgetter("weight")))
    elif goal.kind in ("place", "reach"):
        found += _place_terms(goal, owner, order)
    if goal.pole is not None and goal.kind in ("place", "reach"):
        found.append(Term(posable.Pole(goal.joint, goal.pole, priority=order.poles), owner, _pole_of, lambda _: 1.0))
    return found


def _place_terms(goal: StudioGoal, owner: int, order: Order) -> list[Term]:
    """Position and rotation with separate weights; as one goal if the weights are equal or the method requires it."""
    weight, priority = goal.weight, order.priority(goal)
    rotation_weight = goal.rotation_weight if goal.kind == "place" else 0.0
    if rotation_weight > 0 and (rotation_weight == weight or order.is_whole(goal)):
        place = posable.Place(goal.joint, frame_of(goal), weight, rotation_weight, priority=priority)
        return [Term(place, owner, frame_of, lambda goal: max(goal.weight, goal.rotation_weight))]
    reach = posable.Reach(goal.joint, goal.position, weight=weight, priority=priority)
    orient = posable.Orient(goal.joint, goal.rotation, weight=rotation_weight, priority=priority)
    found = [Term(reach, owner, position_of, attrgetter("weight"))] if weight > 0 else []
    return [*found, Term(orient, owner, _rotation_of, attrgetter("rotation_weight"))] if rotation_weight > 0 else found


def effort(document: Document, goal: StudioGoal) -> dict[str, Any]:
    """Time and iterations of a goal's method from the rest pose; empty unless methods race."""
    if document.demo != RACE:
        return {"ms": None, "iterations": None}
    prepared = _prepared_alone(document.figure.skeleton, goal.joint, goal.method)
    found = prepared.solve(document.figure.rest, [np.array(goal.position)])
    return {"ms": round(found.seconds * 1e3, 3), "iterations": int(found.iterations)}


@lru_cache(maxsize=16)
def _prepared_alone(skeleton: posable.Skeleton, joint: str, method: str) -> posable.Prepared:
    from posable.solvers import method_named

    chosen: Any = None if method == "LeastSquares" else {joint: method_named(method)}
    goal, near = posable.Reach(joint, (0.0, 0.0, 0.0)), TOLERANCE * skeleton.reach
    prepared = posable.prepare(skeleton, [goal], method=chosen, tolerance=near, max_iterations=_ITERATIONS, restarts=0)
    prepared.solve(posable.Pose(skeleton, skeleton.rest_coordinates), [np.zeros(3)])  # the first solve is slower
    return prepared


def others_of(document: Document, figure: posable.Figure) -> list[posable.Goal]:
    """The goals of the whole figure, by the options."""
    options = document.options
    found: list[posable.Goal] = []
    if options.comfort or options.elasticity > 0:
        found.append(posable.Comfort(weight=options.elasticity or _COMFORT_WEIGHT))
    if options.gravity > 0:
        found.append(posable.Gravity(options.gravity))
    if _needs_capsules(document) and any(joint.capsules for joint in figure.skeleton.definitions):
        found.append(posable.KeepApart(obstacles=obstacles_of(document), among_themselves=options.keep_apart))
    if document.kept:
        order = Order.of([goal for goal in document.goals if goal.acts], carriers(document.figure))
        found += keeping_goals(document, order.poles + 1)
    if is_natural(document):
        found += [replace(goal, strength=options.natural, keep=True) for goal in natural_if_known(figure.skeleton)]
    return found


def is_natural(document: Document) -> bool:
    """Whether the habits of people, or of the figure itself, move what the goals leave free."""
    is_plain = not document.demo and all(goal.method == "LeastSquares" for goal in document.goals)
    return is_plain and document.options.natural > 0 and bool(natural_if_known(document.figure.skeleton))


def _methods(goals: Sequence[StudioGoal], gravity: float) -> Any:
    """Methods by the ends of their chains; methods with gravity of their own get the option's value."""
    from posable.solvers import VirtualForce, method_named

    chosen = {goal.joint: method_named(goal.method) for goal in goals if goal.method != "LeastSquares"}
    hanging = {j: replace(m, gravity=gravity) for j, m in chosen.items() if isinstance(m, VirtualForce)}
    return {**chosen, **hanging} or None


def position_of(goal: StudioGoal) -> np.ndarray:
    """`[3]` the goal's target position."""
    return np.array(goal.position)


def _rotation_of(goal: StudioGoal) -> np.ndarray:
    return np.array(goal.rotation)


def _pole_of(goal: StudioGoal) -> np.ndarray:
    return np.array(goal.pole)


def frame_of(goal: StudioGoal) -> np.ndarray:
    """`[4, 4]` the goal's target frame."""
    return transform(np.array(goal.position), np.array(goal.rotation))


def asks_for(goal: StudioGoal) -> tuple[bool, bool]:
    """Whether a goal asks for a position, and for a rotation or gaze; disabled and weightless goals ask for neither."""
    if not (goal.acts or (goal.enabled and goal.keys)) or goal.kind == "pole":
        return False, False
    if goal.kind == "look":
        return False, goal.weight > 0
    return goal.weight > 0, goal.kind == "place" and goal.rotation_weight > 0
