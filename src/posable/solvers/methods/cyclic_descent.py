"""Cyclic coordinate descent: one joint after the other goes where it serves best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from posable.errors import MethodError, is_number
from posable.skeleton import Pose
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.perturbation import STRIDES, Kicking, Kicks, begin_kicking, kicked, kicks_of
from posable.solvers.methods.sweep_dofs import Moves, moves_of, refused, wanted_of
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure


class _Plan(NamedTuple):
    moves: Moves
    kicks: Kicks


@dataclass(frozen=True)
class CyclicDescent(Method):
    """One joint after the other is put where, all others standing, it brings the effectors nearest to their targets.

    A hinge turns by the angle, a slide by the way, a ball by the rotation that is best of all, in closed form, no
    further than its limits; what hangs below follows as one rigid body. One pass over all joints is a step.
    Source: Wang & Chen 1991; for balls Davenport's rotation; Hooke & Jeeves 1961 for going on in a pass's direction.

    Args:
        order: "tip_first" starts with the joints next to the effectors: these do most, and the telescope collapses
            from the top. "base_first" starts at the root, and moves the whole figure more smoothly.
        max_turn: The most that a joint turns in one step, radians; None for no such bound. Smaller looks calmer; with
            a bound there is no help.
        help: A pass that leaves more than half of the distance is gone on with, all joints together in the direction
            of the pass, as long as that brings the effectors nearer; one that brings nothing is followed by a kick, a
            jolt of all joints, the same every time. Without it, False, every step is the bare pass.

    Raises:
        MethodError: For an order, a turn or a help that is none.
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
        strides, furthest = STRIDES if helped else 0, np.inf if self.max_turn is None else float(self.max_turn)
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
        return kicked(task.plan.kicks, pose, new, costs, Kicking(*state)) if helped else (new, state)
