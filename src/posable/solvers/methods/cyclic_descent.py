"""Cyclic coordinate descent: one joint after the other goes where it serves best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError
from posable.goals.goal import is_number
from posable.skeleton import Pose, Skeleton
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.moves import SLIDE, TURN, Moves, moves_of, refused, wanted_of
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array

_STRIDES = 8
_STUCK = 0.98  # of the squared distance left after a sweep
_STANDING = 1 - 1e-9
_PATIENCE = 8  # sweeps between kicks
_FRUITLESS = 4  # kicks in a row that have won less than a hundredth, after which no more are tried
_KICK = 2.0  # radians, or reaches


class _Plan(NamedTuple):
    moves: Moves
    kicks: Array  # [kick, dof]


class _State(NamedTuple):
    """`[problem]` each."""

    waited: NDArray[np.int64]  # sweeps since the last kick
    kicks: NDArray[np.int64]
    fruitless: NDArray[np.int64]  # the last so many of them
    mark: Array  # what the best pose had left at the last kick
    best: Array  # what it has left now
    best_q: Array


@dataclass(frozen=True)
class CyclicDescent(Method):
    """One joint after the other is put where, all others standing, it brings the effectors nearest to their targets.

    A hinge turns by the angle, a slide by the way, a ball by the rotation that is best of all, in closed form, no
    further than its limits; what hangs below follows as one rigid body. One pass over all joints is a step.
    order: "tip_first" starts with the joints next to the effectors: these do most, and the telescope collapses from the
        top. "base_first" starts at the root, and moves the whole figure more smoothly.
    max_turn: the most that a joint turns in one step, radians; None for no such bound. Smaller looks calmer; with a
        bound there is no help.
    help: a pass that leaves more than half of the distance is gone on with, all joints together in the direction of the
        pass, as long as that brings the effectors nearer; one that brings nothing is followed by a kick, a jolt of all
        joints, the same every time. Without it, False, every step is the bare pass.
    Source: Wang & Chen 1991; for balls Davenport's rotation; Hooke & Jeeves 1961 for going on in a pass's direction.
    Raises MethodError for an order, a turn or a help that is none.
    """

    order: Literal["tip_first", "base_first"] = "tip_first"
    max_turn: float | None = None
    help: bool = True

    def __post_init__(self) -> None:
        if self.order not in ("tip_first", "base_first"):
            raise MethodError(f"CyclicDescent: order is 'tip_first' or 'base_first', not {self.order!r}")
        if self.max_turn is not None and not (is_number(self.max_turn) and 0 < self.max_turn < np.inf):
            raise MethodError(f"CyclicDescent: max_turn must be an angle above 0, or None, not {self.max_turn!r}")
        if not isinstance(self.help, bool):
            raise MethodError(f"CyclicDescent: help is True or False, not {self.help!r}")

    def refusal(self, structure: Structure) -> str | None:
        return refused(structure, turns=True, soft=False)

    def plan(self, structure: Structure) -> _Plan:
        moves = moves_of(structure)
        return _Plan(moves, _kicks(structure.skeleton, moves))

    def begin(self, task: Task, pose: Pose) -> State:
        del task
        count = np.zeros(len(pose.q), np.int64)
        none = np.full(len(pose.q), np.inf)
        return _State(count, count, count, none, none, np.array(pose.q))

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        from posable.solvers.methods.cyclic_sweeps import sweep

        del measured
        q, costs = np.array(pose.q), np.empty((len(pose.q), 2))
        helped = self.help and self.max_turn is None
        strides, furthest = _STRIDES if helped else 0, np.inf if self.max_turn is None else float(self.max_turn)
        sweep(
            task.skeleton.packed,
            task.plan.moves,
            wanted_of(task),
            q,
            self.order == "base_first",
            furthest,
            strides,
            costs,
        )
        new = Pose.trusted(pose.skeleton, q)
        return _kicked(task, pose, new, costs, _State(*state)) if helped else (new, state)


def _kicks(skeleton: Skeleton, moves: Moves) -> Array:
    """`[kick, dof]`: jolts of the freedoms that may move, the same for everyone."""
    swung = np.zeros(skeleton.dof, bool)
    for kind, *_, dof, _, _ in moves.table:
        swung[dof : dof + (1 if kind in (TURN, SLIDE) else 3)] = True
    jolts = np.random.default_rng(0).uniform(-_KICK, _KICK, (16, skeleton.dof))
    return jolts * np.where(skeleton.slides, skeleton.reach, 1.0) * (swung & moves.free)


def _kicked(task: Task, pose: Pose, new: Pose, costs: Array, s: _State) -> tuple[Pose, State]:
    """Kick the problems that are stuck; those that kicks have not helped go back to their best pose and end there."""
    left = costs[:, 1]
    better = left < s.best
    best, best_q = np.where(better, left, s.best), np.where(better[:, None], new.q, s.best_q)
    ending = s.fruitless > _FRUITLESS
    stands = left >= _STANDING * costs[:, 0]
    stuck = ~ending & (stands | ((left >= _STUCK * costs[:, 0]) & (s.waited >= _PATIENCE)))
    fruitless = np.where(stuck, np.where(best < 0.99 * s.mark, 1, s.fruitless + 1), s.fruitless)
    kicked = stuck & (fruitless <= _FRUITLESS)
    jolted = new.plus(np.where(kicked[:, None], task.plan.kicks[s.kicks % len(task.plan.kicks)], 0.0)).clamped()
    q = np.where(kicked[:, None], jolted.q, np.where((stuck & ~kicked)[:, None], best_q, new.q))
    q = np.where((ending & stands)[:, None], pose.q, q)
    waited = np.where(stuck, 0, s.waited + 1)
    return Pose.trusted(pose.skeleton, q), _State(
        waited, s.kicks + kicked, fruitless, np.where(stuck, best, s.mark), best, best_q
    )
