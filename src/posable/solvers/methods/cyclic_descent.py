"""Cyclic coordinate descent: each joint in turn moves to its optimum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from posable.errors import MethodError, is_number
from posable.skeleton import Pose
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.perturbation import MOST_PATTERN_MOVES, Kicking, Kicks, begin_kicking, kicked, kicks_of
from posable.solvers.methods.sweep_dofs import Moves, moves_of, refused, wanted_of
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure


class _Plan(NamedTuple):
    moves: Moves
    kicks: Kicks


@dataclass(frozen=True)
class CyclicDescent(Method):
    """Each joint in turn moves to where, with all others fixed, it brings the effectors nearest to their targets.

    The best angle of a hinge, displacement of a slide and rotation of a ball have closed forms, bounded by the limits;
    everything below follows as one rigid body. One pass over all joints is a step.
    Source: Wang & Chen 1991; for balls Davenport's rotation; Hooke & Jeeves 1961 for going on in a pass's direction.

    Args:
        order: "tip_first" starts with the joints next to the effectors: these move most, and a telescope collapses
            from the top. "base_first" starts at the root, and moves the whole figure more smoothly.
        max_turn: The largest rotation of a joint in one step, radians; None for no such bound. Smaller looks calmer;
            with a bound `help` has no effect.
        help: A pass that leaves more than half of the distance is extrapolated, all joints together, as long as that
            brings the effectors nearer (a pattern move); after one without progress all joints are perturbed,
            deterministically. Without it, False, every step is the bare pass.

    Raises:
        MethodError: For an invalid order, max_turn or help.
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
        return _Plan(moves, kicks_of(structure.skeleton, moves))

    def begin(self, task: Task, pose: Pose) -> State:
        del task
        return begin_kicking(pose)

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        from posable.solvers.methods.cyclic_sweeps import sweep

        del measured
        q, costs = np.array(pose.q), np.empty((len(pose.q), 2))
        helped = self.help and self.max_turn is None
        most, furthest = MOST_PATTERN_MOVES if helped else 0, np.inf if self.max_turn is None else float(self.max_turn)
        sweep(
            task.skeleton.packed,
            task.plan.moves,
            wanted_of(task),
            q,
            self.order == "base_first",
            furthest,
            most,
            costs,
        )
        new = Pose.trusted(pose.skeleton, q)
        return kicked(task.plan.kicks, pose, new, costs, Kicking(*state)) if helped else (new, state)
