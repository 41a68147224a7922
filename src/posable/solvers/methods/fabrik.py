"""FABRIK: forward and backward reaching."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError
from posable.skeleton import Pose, Skeleton
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.perturbation import MOST_PATTERN_MOVES, Kicking, Kicks, begin_kicking, kicked, kicks_of
from posable.solvers.methods.sweep_dofs import Moves, effectors_of, moves_of, refused, wanted_of
from posable.solvers.methods.task import Effector, Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array


@dataclass(frozen=True)
class Fabrik(Method):
    """Forward and backward reaching: bones are placed from the target back to the base, then from the base again.

    A ball aims its bone at the wanted position of the next joint; a hinge as far as its axis allows, with the bone in
    the plane across it; both within their limits, in both sweeps. Where chains meet, their common joint goes to the
    weighted mean of the positions that they want. Every iteration ends in a pose: bones keep their lengths. A chain
    that is collinear with its target is first bent aside. Frozen joints are rigid. Source: Aristidou and Lasenby 2011;
    Aristidou, Chrysanthou and Lasenby 2016 for hinges and limits; Hooke & Jeeves 1961 for going on in an iteration's
    direction.

    Args:
        help: An iteration that leaves more than half of the distance is extrapolated, all joints together, as long as
            that brings the effectors nearer (a pattern move); after one without progress all joints are perturbed,
            deterministically. Balls without limits need and get neither. Without it, False, every step is the bare
            iteration.

    Raises:
        MethodError: For an invalid help.
    """

    help: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.help, bool):
            raise MethodError(f"Fabrik: help is True or False, not {self.help!r}")

    def refusal(self, structure: Structure) -> str | None:
        return refused(structure, turns=True, soft=False) or turning_refusal(structure) or _unplaced(structure)

    def plan(self, structure: Structure) -> _Plan:
        tree, moves = tree_of(structure), moves_of(structure)
        helped = self.help and not _all_free_balls(structure.skeleton, tree.rows[:, 0])
        return _Plan(tree, moves, kicks_of(structure.skeleton, moves) if helped else None)

    def begin(self, task: Task, pose: Pose) -> State:
        del task
        return begin_kicking(pose)

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        from posable.solvers.methods.fabrik_sweeps import iterate
        from posable.solvers.methods.pattern_move import pattern_moves

        del measured
        out, plan = np.empty(pose.q.shape), task.plan
        t, tree, wanted = task.skeleton.packed, plan.tree, wanted_of(task)
        iterate(
            t, tree.rows, tree.effectors, tree.tips, tree.weights, tree.free, tree.unit, tree.single_chain,
            np.array(pose.q), wanted.position, wanted.rotation, out,
        )  # fmt: skip
        if plan.kicks is None:
            return Pose.trusted(task.skeleton, out), state
        costs = np.empty((len(out), 2))
        pattern_moves(t, plan.moves, wanted, np.array(pose.q), out, MOST_PATTERN_MOVES, costs)
        return kicked(plan.kicks, pose, Pose.trusted(task.skeleton, out), costs, Kicking(*state))


class _Plan(NamedTuple):
    tree: Tree
    moves: Moves
    kicks: Kicks | None  # None for no help


class Tree(NamedTuple):
    """The rotating joints above the effectors; the columns are named in `fabrik_sweeps`."""

    rows: NDArray[np.int64]  # [row, 8]
    effectors: NDArray[np.int64]  # [effector, 4]
    tips: Array  # [effector, 3] in the joint's frame
    weights: Array  # [effector]
    free: NDArray[np.bool_]  # [dof]
    unit: float  # distance of the second point of a hinge from the first
    single_chain: bool  # one chain of balls without limits, one position


def turning_refusal(structure: Structure) -> str | None:
    """Name a joint above an effector that does not simply rotate about a point or an axis of its own; None
    without one.
    """
    skeleton, t = structure.skeleton, structure.skeleton.tables
    for j in sorted({j for one in effectors_of(structure) for j in skeleton.chain(one.joint)}):
        joint, free = skeleton.definitions[j], structure.free[list(skeleton.freedom_range(j))]
        if (free & np.array(joint.slides, bool)).any():
            return f"joint {joint.name!r} slides, and bones keep their lengths here; freeze it"
        if joint.absolute and (t.gain2[t.first_axis[j]] != 0.0):
            return f"joint {joint.name!r} has an absolute angle, which depends on other joints"
    return None


def _unplaced(structure: Structure) -> str | None:
    for one in effectors_of(structure):
        if one.position is None:
            return f"{structure.skeleton.joints[one.joint]!r} has a rotation goal but no position goal"
    return None


def tree_of(structure: Structure) -> Tree:
    """The rows of a structure."""
    skeleton, effectors = structure.skeleton, effectors_of(structure)
    turning = sorted({j for one in effectors for j in skeleton.chain(one.joint) if _turns(structure, j)})
    row_of = {j: n for n, j in enumerate(turning)}
    above = [_last([row_of[i] for i in skeleton.chain(j)[:-1] if i in row_of]) for j in turning]
    bodies = [_last([row_of[i] for i in skeleton.chain(one.joint) if i in row_of]) for one in effectors]
    kept = [e for e, body in enumerate(bodies) if body >= 0]
    bodies, effectors = [bodies[e] for e in kept], [effectors[e] for e in kept]
    rows = [
        (j, a, *_axes(structure, j), *_links(above, n), _first(bodies, n), above.count(n) + bodies.count(n) > 1)
        for n, (j, a) in enumerate(zip(turning, above, strict=True))
    ]
    ends = [
        (one.joint, body, _next(bodies, e), one.rotation is not None)
        for e, (one, body) in enumerate(zip(effectors, bodies, strict=True))
    ]
    weights = np.array([one.weight for one in effectors])
    return Tree(
        np.array(rows, np.int64).reshape(-1, 8),
        np.array(ends, np.int64).reshape(-1, 4),
        np.array([one.tip for one in effectors]).reshape(-1, 3),
        weights / max(weights.max(initial=0.0), 1e-300),
        structure.free,
        skeleton.reach / max(len(turning), 1),
        _is_single_chain(skeleton, turning, effectors),
    )


def _turns(structure: Structure, j: int) -> bool:
    return bool(structure.free[list(structure.skeleton.freedom_range(j))].any())


def _axes(structure: Structure, j: int) -> tuple[int, int]:
    """The first and the last axis of a joint that may rotate; -1 for a ball, or a free joint that only rotates."""
    t = structure.skeleton.tables
    axes = [a for a in range(int(t.first_axis[j]), int(t.first_axis[j + 1])) if structure.free[t.axis_dof[a]]]
    return (axes[0], axes[-1]) if axes else (-1, -1)


def _links(above: list[int], n: int) -> tuple[int, int]:
    """(the first row below row n, the next one below the same as n)."""
    return _first(above, n), _next(above, n)


def _first(values: list[int], wanted: int) -> int:
    return values.index(wanted) if wanted in values else -1


def _next(values: list[int], n: int) -> int:
    later = [k for k in range(n + 1, len(values)) if values[k] == values[n]]
    return later[0] if later else -1


def _last(values: list[int]) -> int:
    return values[-1] if values else -1


def _is_single_chain(skeleton: Skeleton, turning: list[int], effectors: list[Effector]) -> bool:
    return _all_free_balls(skeleton, turning) and len(effectors) == 1 and effectors[0].rotation is None


def _all_free_balls(skeleton: Skeleton, turning: Iterable[int]) -> bool:
    joints = [skeleton.definitions[j] for j in turning]
    return all(joint.has_quaternion and joint.cone is None for joint in joints)
