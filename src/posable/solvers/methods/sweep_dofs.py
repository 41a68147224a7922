"""The moves that a sweep over the joints visits: all single moves above the effectors, parents first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.goals.term_arrays import ANGLE, WEIGHT
from posable.skeleton import Pose, Skeleton
from posable.skeleton.tables import BALL, FREE, SCALAR
from posable.solvers.methods.task import Effector, Task
from posable.solvers.problem import Structure
from posable.spatial import Array

TURN, SLIDE, WHEEL, SHIFT = range(4)
"""Kinds of moves: about an axis, along an axis, about a centre (a ball), in any direction (a free joint)."""

# Columns of `table`; BEFORE is the next move above, -1 for none.
KIND, JOINT, AXIS, COORDINATE, DOF, BEFORE, LOCKED = range(7)
# Columns of `resistance`.
SHARE, EASE = 0, 1
# Entries of `way` where an effector is not carried, or is carried as one rigid body.
APART, RIGID = -2, -1


class Moves(NamedTuple):
    """The moves above the effectors, and how each carries them."""

    table: NDArray[np.int64]  # [move, 7]
    resistance: NDArray[np.float64]  # [move, 2] the factor of a stiff joint's moves; its ease
    way: NDArray[
        np.int64
    ]  # [move, effector] APART, RIGID, or the absolute axis below that compensates by the same angle
    bone_end: NDArray[
        np.int64
    ]  # [move, effector] the next joint on the chain, -1 where the joint itself carries the tip
    free: NDArray[np.bool_]  # [dof]
    joint: NDArray[np.int64]  # [effector]
    tip: NDArray[np.float64]  # [effector, 3] in the joint's frame
    weight: NDArray[np.float64]  # [effector, 2] of a squared length, and of the squared distance of a unit vector's end
    pull: NDArray[np.float64]  # [effector] the weight as the goal states it


class Wanted(NamedTuple):
    """The targets of the effectors in the world; zeros without a target."""

    position: Array  # [problem, effector, 3]
    rotation: Array  # [problem, effector, 3, 3]


def wanted_of(task: Task) -> Wanted:
    """The targets of every problem."""
    found, count = task.effectors, len(task.numbers)
    positions, rotations = np.zeros((count, len(found), 3)), np.zeros((count, len(found), 3, 3))
    for e, one in enumerate(found):
        if one.position is not None:
            positions[:, e] = one.position
        if one.rotation is not None:
            rotations[:, e] = one.rotation
    return Wanted(positions, rotations)


def moves_of(structure: Structure) -> Moves:
    """The moves of every joint above an effector."""
    skeleton, effectors = structure.skeleton, effectors_of(structure)
    chains = [skeleton.chain(one.joint) for one in effectors]
    rows: list[tuple[int, ...]] = []
    last: dict[int, int] = {-1: -1}  # joint → its last move
    for j in sorted({j for chain in chains for j in chain}):
        last[j] = last[int(skeleton.parents[j])]
        for kind, axis, coordinate, dof in _own_moves(skeleton, j):
            locked = not structure.free[_freedoms(kind, dof)].any()
            rows.append((kind, j, axis, coordinate, dof, last[j], locked))
            last[j] = len(rows) - 1
    reach = skeleton.reach
    return Moves(
        np.array(rows, np.int64).reshape(-1, 7),
        np.array([(1 / (1 + joint.stiffness), joint.ease) for joint in (skeleton.definitions[r[1]] for r in rows)])
        .reshape(-1, 2)
        .astype(float),
        np.array([[_way(skeleton, row, chain) for chain in chains] for row in rows], np.int64).reshape(len(rows), -1),
        np.array([[_next(chain, row[1]) for chain in chains] for row in rows], np.int64).reshape(len(rows), -1),
        np.array(structure.free),
        np.array([one.joint for one in effectors], np.int64),
        np.array([one.tip for one in effectors], float).reshape(-1, 3),
        np.array([(one.weight / reach**2, 0.5 * ANGLE * one.rotation_weight) for one in effectors]).reshape(-1, 2),
        np.array([one.weight for one in effectors], float),
    )


def effectors_of(structure: Structure) -> tuple[Effector, ...]:
    """The effectors, their targets left open."""
    return Task(structure, np.ones((1, 16 * len(structure.goal_set.rows))), None).effectors


def _own_moves(skeleton: Skeleton, j: int) -> list[tuple[int, int, int, int]]:
    """(kind, axis, coordinate, freedom) of a joint's moves, in the order in which they are applied."""
    t = skeleton.tables
    coordinate, dof = int(t.first_coordinate[j]), int(t.first_dof[j])
    if t.code[j] == BALL:
        return [(WHEEL, -1, coordinate, dof)]
    if t.code[j] == FREE:
        return [(SHIFT, -1, coordinate, dof), (WHEEL, -1, coordinate + 3, dof + 3)]
    return [
        (SLIDE if t.slides[a] else TURN, a, int(t.axis_coordinate[a]), int(t.axis_dof[a]))
        for a in range(int(t.first_axis[j]), int(t.first_axis[j + 1]))
        if skeleton.definitions[j].axes[a - int(t.first_axis[j])].follow is None
    ]


def _freedoms(kind: int, dof: int) -> slice:
    return slice(dof, dof + (1 if kind in (TURN, SLIDE) else 3))


def _way(skeleton: Skeleton, row: tuple[int, ...], chain: tuple[int, ...]) -> int:
    if row[JOINT] not in chain:
        return APART
    t = skeleton.tables
    for j in chain:
        for a in range(int(t.first_axis[j]), int(t.first_axis[j + 1])):
            if t.gain2[a] != 0 and t.axis_dof2[a] == row[DOF]:
                return a
    return RIGID


def _next(chain: tuple[int, ...], j: int) -> int:
    if j not in chain or j == chain[-1]:
        return -1
    return chain[chain.index(j) + 1]


def refused(structure: Structure, turns: bool, soft: bool) -> str | None:
    """Why joints cannot be moved one by one here, completing "it cannot be used here: …"; None if they can.

    `turns`: whether rotations can be served. soft: whether soft goals can.
    """
    return _refused_goal(structure, turns, soft) or _refused_joint(structure)


def _refused_goal(structure: Structure, turns: bool, soft: bool) -> str | None:
    goal_set = structure.goal_set
    if goal_set.custom:
        return "a Custom goal has no position for a joint"
    if goal_set.soft and not soft:
        return f"the soft goal {type(goal_set.soft[0]).__name__} has no position for a joint"
    for goal, rows in zip(goal_set.hard, goal_set.rows_of, strict=True):
        what = f"{type(goal).__name__} of {goal.joint!r}" if goal.joint else type(goal).__name__
        for row in (row for row in rows if row.weight > 0):
            if not (row.is_point or row.is_rotation):
                return f"the goal {what} is not a single position or rotation in the world"
            if row.other >= 0:
                return f"the goal {what} is relative to another joint"
            if row.is_rotation and not turns:
                return f"the goal {what} asks for a rotation, which a force on a point cannot control"
            if row.level > 0:
                return f"the goal {what} has a priority number, but all goals are served at once"
    return None if (structure.problem.measures[:, WEIGHT] > 0).any() else "no goal has a weight above 0"


def _refused_joint(structure: Structure) -> str | None:
    skeleton, free = structure.skeleton, structure.free
    t = skeleton.tables
    above = {j for row in structure.goal_set.rows for j in skeleton.chain(row.joint)}
    for j in sorted(above):
        joint = skeleton.definitions[j]
        for a, axis in zip(range(int(t.first_axis[j]), int(t.first_axis[j + 1])), joint.axes, strict=False):
            if axis.follow is not None and free[t.axis_dof[a]]:
                return f"joint {joint.name!r} mimics {axis.follow.joint!r}, so neither can be moved alone"
            if joint.absolute and t.gain2[a] != 0 and not _parallel(skeleton, a):
                return f"joint {joint.name!r} has an absolute angle about another axis than the joint above it"
        own = free[list(skeleton.freedom_range(j))]
        if t.code[j] != SCALAR and 0 < own[-3:].sum() < 3:
            return f"joint {joint.name!r} may rotate about some of its axes only; freeze all of them or none"
    return None


def _parallel(skeleton: Skeleton, a: int) -> bool:
    """Whether absolute axis `a` is parallel to the one above whose angle it compensates."""
    t = skeleton.tables
    joints = [int(np.searchsorted(t.first_dof, d, side="right")) - 1 for d in (t.axis_dof[a], t.axis_dof2[a])]
    own, above = (
        turning_axis(skeleton, j, int(d)) for j, d in zip(joints, (t.axis_dof[a], t.axis_dof2[a]), strict=True)
    )
    return bool(own @ above > 1 - 1e-9)


def turning_axis(skeleton: Skeleton, j: int, dof: int) -> Array:
    """`[3]`: the world direction, at rest, of the axis about which freedom `dof` rotates joint `j`."""
    rest = Pose.trusted(skeleton, skeleton.rest_coordinates)
    return rest.jacobian(skeleton.joints[j])[3:, dof]
