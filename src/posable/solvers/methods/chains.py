"""The chain of joints that a method poses as one: found above its end, with its bends at rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.goals.term_arrays import WEIGHT
from posable.skeleton import Pose
from posable.solvers.closed.limb import turning_freedoms, turns_freely
from posable.solvers.methods.fabrik import turning_refusal
from posable.solvers.problem import Structure
from posable.spatial import (
    Array,
    normalized,
    rotation_vector_from_wxyz,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_inverse,
    wxyz_multiply,
)

# The goals of methods for single chains: a position of a chain's end, optionally its rotation, optionally a pole.


_COINCIDENT = 1e-6  # of the reach: joints nearer than this coincide


class ChainGoal(NamedTuple):
    """An end and the numbers of its terms; -1 for none."""

    joint: int
    tip: Array
    position: int
    rotation: int
    pole: int


def chain_goals(structure: Structure) -> list[ChainGoal] | str:
    """The ends with a position goal, parents first; or the reason why other goals are refused."""
    goal_set, on = structure.goal_set, structure.problem.measures[:, WEIGHT] > 0
    for goal in (*goal_set.custom, *goal_set.soft):
        return f"the goal {type(goal).__name__} has no position for a chain's end"
    rows = goal_set.rows
    for k, row in enumerate(rows):
        if on[k] and not (row.is_plain or row.is_side):
            return (
                f"a goal of {structure.skeleton.joints[row.joint]!r} is not a single position or rotation in the world"
            )
    found = []
    for k in [k for k, row in enumerate(rows) if on[k] and row.is_point]:
        own = [n for n, row in enumerate(rows) if on[n] and row.joint == rows[k].joint]
        rotation = next((n for n in own if rows[n].is_rotation), -1)
        pole = next((n for n in own if rows[n].is_side), -1)
        found.append(ChainGoal(rows[k].joint, np.array(rows[k].constants[:3], float), k, rotation, pole))
    served = {k for goal in found for k in goal[2:]}
    for k, row in enumerate(rows):
        if on[k] and k not in served:
            return f"{structure.skeleton.joints[row.joint]!r} has a goal besides the position of a chain's end"
    return sorted(found, key=lambda goal: goal.joint)


def groups_above(structure: Structure, joint: int) -> list[list[int]]:
    """The movable joints above, upwards, coincident ones together; up to where the figure branches, but at least two
    groups.
    """
    skeleton = structure.skeleton
    origins = Pose.trusted(skeleton, skeleton.rest_coordinates).origins
    found: list[list[int]] = []
    at = origins[joint]
    for j in reversed(skeleton.chain(joint)[:-1]):
        if len(found) >= 2 and len(skeleton.children(j)) > 1:
            break
        if not structure.free[list(skeleton.freedom_range(j))].any():
            continue
        if np.linalg.norm(origins[j] - at) > _COINCIDENT * skeleton.reach:
            found.append([j])
            at = origins[j]
        elif found:
            found[-1].append(j)
    return found


class ChainOf(NamedTuple):
    """A chain: its goal, the joints at its base, and those below, parents first."""

    goal: ChainGoal
    bases: tuple[int, ...]
    joints: tuple[int, ...]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The end joint, and its terms."""
        return np.array([self.goal.joint, self.goal.position, self.goal.rotation, self.goal.pole], np.int64)


def chain_of(structure: Structure, least: int) -> ChainOf | str:
    """The only chain with a goal, of `least` groups of joints or more; or the reason of a refusal."""
    goals = chain_goals(structure)
    if isinstance(goals, str):
        return goals
    names = structure.skeleton.joints
    if len(goals) != 1:
        return f"{len(goals)} effectors have goals, and it poses one chain at a time"
    if (why := turning_refusal(structure)) is not None:
        return why
    groups = groups_above(structure, goals[0].joint)
    if len(groups) < least:
        return f"{names[goals[0].joint]!r} ends a chain of {len(groups)} rotating joints, and {least} are needed"
    joints = sorted(j for group in groups for j in group)
    for j in joints:
        whole = turns_freely(structure.skeleton, j)
        own = turning_freedoms(structure.skeleton, j) if whole else list(structure.skeleton.freedom_range(j))
        free = structure.free[own]
        if not free.all() or any(axis.follow for axis in structure.skeleton.definitions[j].axes):
            return f"joint {names[j]!r} does not move by itself or is frozen in part"
    bases = tuple(sorted(groups[-1]))
    return ChainOf(goals[0], bases, tuple(j for j in joints if j not in bases))


def pivots(pose: Pose, joint: int) -> Array:
    """`[3]` the point about which a joint rotates, in the world."""
    definition, frame = pose.skeleton.definitions[joint], pose.world_from_joint[joint]
    local = definition.axes[0].anchor if definition.axes else definition.anchor
    return frame[:3, 3] + frame[:3, :3] @ np.array(local)


def rest_bends(structure: Structure, chain: ChainOf) -> tuple[Array, Array]:
    """(the coordinates of the straight chain, the bends at rest relative to it), both `[coordinates]`."""
    skeleton = structure.skeleton
    rest = Pose(skeleton, skeleton.rest_coordinates)
    straight, bends = np.array(rest.q), np.zeros(skeleton.coordinates)
    frame = rest.world_from_joint[chain.goal.joint]
    joints = [chain.bases[-1], *chain.joints]
    points = [pivots(rest, j) for j in joints] + [frame[:3, 3] + frame[:3, :3] @ chain.goal.tip]
    for k, j in enumerate(chain.joints):
        above, below = points[k + 1] - points[k], points[k + 2] - points[k + 1]
        first = int(skeleton.tables.first_coordinate[j])
        if turns_freely(skeleton, j):
            first = int(skeleton.tables.first_coordinate[j + 1]) - 4
            own = wxyz_from_matrix(rest.world_from_joint[j, :3, :3])
            turn = wxyz_between(below, above)
            local = wxyz_multiply(wxyz_inverse(own), wxyz_multiply(turn, own))
            straight[first : first + 4] = wxyz_multiply(rest.q[first : first + 4], local)
            bends[first : first + 3] = -rotation_vector_from_wxyz(local)
        else:
            angles = _straightening(rest, j, above, below)
            straight[first : first + len(angles)] += angles
            bends[first : first + len(angles)] = -angles
    return straight, bends


def _straightening(pose: Pose, j: int, above: Array, below: Array) -> Array:
    """The changes of the hinges of a joint that best align the bone below with the one above."""
    own = list(pose.skeleton.freedom_range(j))
    angles = np.zeros(len(own))
    axes = normalized(pose.jacobian(pose.skeleton.joints[j])[3:, own].T)
    for _ in range(100 if len(own) > 1 else 1):
        for k in range(len(own)):
            bone, axis = below, axes[k]
            for m in reversed(range(len(own))):
                bone = _turned(axes[m], angles[m], bone) if m >= k else bone
            wanted = above
            for m in range(k):
                wanted = _turned(axes[m], -angles[m], wanted)
            angles[k] += np.arctan2(axis @ np.cross(bone, wanted), bone @ wanted - (axis @ bone) * (axis @ wanted))
    return (angles + np.pi) % (2 * np.pi) - np.pi


def _turned(axis: Array, angle: float, v: Array) -> Array:
    return np.cos(angle) * v + np.sin(angle) * np.cross(axis, v) + (1 - np.cos(angle)) * (axis @ v) * axis
