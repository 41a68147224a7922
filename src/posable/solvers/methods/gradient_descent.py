"""Numerical gradient descent, joint by joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError, is_number
from posable.skeleton import Pose
from posable.solvers.methods.gradient_sweeps import (
    Look,
    Memory,
    Sweep,
    bend_shares,
    goals_error,
    plain_error,
    sweep_all,
    sweep_in_python,
    term_shares,
)
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.task import Measured, Task, allowed_sizes
from posable.solvers.problem import Structure
from posable.spatial import Array

_MAX_STEP = 1e6  # radians or reaches: a larger step is meaningless, and numbers must stay finite
_OVERSHOOT_SHARE = 0.55  # above a half: a step may overshoot the goal, but by less than its distance
_SHRINK, _GROW, _MAX_RATE = 0.5, 1.1, 1e3  # factors of an adaptive learning rate; the last is its bound


@dataclass(frozen=True)
class GradientDescent(Method):
    """Each freedom in turn is moved against its partial derivative of the error, a forward difference.

    partial_i = (E(θ + h e_i) − E(θ)) / h, θ_i −= learning_rate · partial_i, clamped to its limits; the next freedom
    sees it moved. A sweep over all freedoms is one iteration, and it ends as soon as the goals are met.
    E = Σ weight · distance/reach + Σ weight · angle/π, and for the soft goals + Σ weight · mean |away|/π: they count
    in the sum (Torsion: mean |θ_i|/π), and do not wait for the hard ones. A Custom goal adds weight · |its numbers|.
    Source: Alan Zucconi, An introduction to procedural animations, 2017. Custom goals and `error` run in Python.

    Args:
        learning_rate: Radians (or reaches of a slide) that a step moves for a slope of one.
        sampling_distance: The step h, in radians or reaches; a step larger than the remaining motion misleads.
        adaptive: Halve the learning rate after a sweep that makes the error larger, and raise it by a tenth after
            others.
        order: "tip_first" goes from the last freedom to the first, "base_first" from the first.
        threshold: The distance, in the figure's length unit, that counts as reached; the solve's tolerance if None.
        error: Any function of one Pose that gives a number, in place of E; goals then only decide what
            counts as reached; without goals, the error itself must be within the threshold.
        normalized: Take all partials of a sweep at its start and divide them by the gradient's length.
        slowing: The distance under which steps shrink with it; 0 for never, and then a fixed rate swings about the
            goal. None: where the rate is fixed, 0.55 of the learning rate times the reach (times the square of the
            goals' weights together), with which a joint that rotates straight to the goal just does not oscillate; 0
            for an adaptive rate, normalized steps and an `error` of one's own.

    Raises:
        MethodError: For invalid parameters, and where `error` does not return a finite number.
    """

    learning_rate: float = 0.1
    sampling_distance: float = 1e-7
    adaptive: bool = False
    order: Literal["tip_first", "base_first"] = "tip_first"
    threshold: float | None = None
    error: Callable[[Pose], float] | None = None
    normalized: bool = False
    slowing: float | None = None

    def __post_init__(self) -> None:
        for what in ("learning_rate", "sampling_distance", *(["threshold"] if self.threshold is not None else [])):
            value = getattr(self, what)
            if not (is_number(value) and 0 < value < np.inf):
                raise MethodError(f"GradientDescent: {what} must be a number above 0, not {value!r}")
        if self.slowing is not None and not (is_number(self.slowing) and 0 <= self.slowing < np.inf):
            raise MethodError(f"GradientDescent: slowing must be a number of at least 0, not {self.slowing!r}")
        if self.order not in ("tip_first", "base_first"):
            raise MethodError(f'GradientDescent: order must be "tip_first" or "base_first", not {self.order!r}')
        if self.error is not None and not callable(self.error):
            raise MethodError(f"GradientDescent: error must be a function of a pose, not {self.error!r}")

    def refusal(self, structure: Structure) -> str | None:
        """None: it serves all goals."""
        del structure

    def plan(self, structure: Structure) -> Sweep:
        skeleton = structure.skeleton
        owner = np.repeat(np.arange(len(skeleton.joints)), np.diff(skeleton.tables.first_dof))
        order = [(d, int(owner[d])) for d in np.flatnonzero(structure.free).tolist()]
        order = order[::-1] if self.order == "tip_first" else order
        carried = _carrying(structure, order)
        shares = bend_shares(structure)
        bends = [
            (spring.below, spring.above, own) for spring, own in zip(structure.goal_set.springs, shares, strict=True)
        ]
        return Sweep(
            np.array(order, np.int64).reshape(-1, 2),
            np.cumsum([0, *(len(own) for own in carried)]).astype(np.int64),
            np.array([j for own in carried for j in own], np.int64).reshape(-1, 1),
            np.where(skeleton.slides, skeleton.reach, 1.0),
            term_shares(structure),
            self._allowed(structure),
            np.array(bends).reshape(-1, 3, skeleton.dof),
            float(self.sampling_distance),
            self._slows_under(structure),
            _MAX_STEP,
            bool(self.normalized),
        )

    def begin(self, task: Task, pose: Pose) -> State:
        """The learning rates."""
        del task
        return (np.full(len(pose), float(self.learning_rate)),)

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        del measured
        rates = state[0]
        if self.error is not None or task.structure.goal_set.custom:
            new, errors = sweep_in_python(partial(self._look, task), task.plan, pose, rates)
        else:
            new, errors = _sweep(task, pose, rates)
        if not self.adaptive:
            return new, state
        faster = np.minimum(_GROW * rates, _MAX_RATE * self.learning_rate)
        return new, (np.where(errors[:, 1] > errors[:, 0], _SHRINK * rates, faster),)

    def is_met(self, task: Task, pose: Pose, measured: Measured) -> NDArray[np.bool_]:
        if self._has_goals(task):
            return np.all(measured.left <= self._allowed(task.structure), axis=1)
        if self.error is None:
            return measured.met
        return self._error(task, pose, measured) <= (-np.inf if self.threshold is None else self.threshold)

    def is_done(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        """Soft goals alone are never done: the descent follows them until it runs out of iterations."""
        del state
        endless = self.error is None and not self._has_goals(task)
        return self.is_met(task, pose, measured) & (not endless)

    def score(self, task: Task, pose: Pose, measured: Measured) -> Array:
        return self._error(task, pose, measured)

    def _has_goals(self, task: Task) -> bool:
        return bool(task.stated or task.structure.goal_set.custom)

    def _allowed(self, structure: Structure) -> Array:
        return allowed_sizes(structure, structure.options.tolerance if self.threshold is None else self.threshold)

    def _error(self, task: Task, pose: Pose, measured: Measured) -> Array:
        if self.error is None:
            return plain_error(task, pose, measured)
        return np.array([self._given(pose[n]) for n in range(len(pose))])

    def _given(self, pose: Pose) -> float:
        value = self.error(pose) if self.error is not None else None
        try:
            number = float(np.asarray(value, float).reshape(()))
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise MethodError(f"GradientDescent: error gave {value!r}; one finite number is wanted")
        return number

    def _look(self, task: Task, pose: Pose) -> Look:
        measured = task.measure(pose)
        error, arrived = self._error(task, pose, measured), self.is_met(task, pose, measured)
        under = self._slows_under(task.structure)
        if under == 0:
            return Look(error, np.ones(len(pose)), arrived)
        return Look(error, np.minimum(1.0, goals_error(task, measured) / under), arrived)

    def _slows_under(self, structure: Structure) -> float:
        """The hard goals' error under which steps shrink with it; 0 for never."""
        if self.slowing is not None:
            return float(self.slowing) / structure.skeleton.reach
        if self.adaptive or self.normalized or self.error is not None:
            return 0.0
        goal_set = structure.goal_set
        weights = [row.weight for row in goal_set.rows if row.level == 0] + [goal.weight for goal in goal_set.custom]
        total = float(np.sum(weights))
        return _OVERSHOOT_SHARE * self.learning_rate * (total * total)


def _carrying(structure: Structure, order: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For every freedom of the order the joints with a goal that move with it, and last all joints with a goal."""
    t, used = structure.skeleton.tables, structure.problem.used[:, 0].tolist()
    own = np.repeat(np.arange(len(t.parent)), np.diff(t.first_axis))
    found = []
    for d, j in order:
        moves = np.zeros(len(t.parent), bool)
        moves[j] = True
        moves[own[(t.axis_dof == d) | ((t.axis_dof2 == d) & (t.gain2 != 0))]] = True
        for i in used:
            moves[i] |= t.parent[i] >= 0 and moves[t.parent[i]]
        found.append([i for i in used if moves[i]])
    return [*found, used]


def _sweep(task: Task, pose: Pose, rates: Array) -> tuple[Pose, Array]:
    """(poses, errors `[problem, 2]` before and after)."""
    t, p, sweep, skeleton = task.skeleton.packed, task.terms, task.plan, task.skeleton
    joints, axes, coordinates, dof = len(t.frame), len(t.axis), skeleton.coordinates, skeleton.dof
    memory = Memory(
        np.empty(coordinates),
        np.empty(coordinates),
        np.zeros(dof),
        np.empty(dof),
        np.empty((3, axes)),
        np.empty((joints, 3, 3)),
        np.empty((joints, 3)),
        np.empty((len(p.terms), 12)),
        np.empty(3),
        np.empty((9, 6)),
        np.empty(len(sweep.order)),
    )
    q, errors = np.array(pose.q), np.empty((len(pose), 2))
    spring_poses = np.empty((len(pose), 0, coordinates)) if task.springs is None else task.springs
    sweep_all(t, p, sweep, memory, np.array(task.numbers), np.array(spring_poses), np.array(rates), q, errors)
    return Pose.trusted(skeleton, q), errors
