"""What methods for single chains are asked: a place for a chain's end, perhaps its turn, perhaps a pole."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.goals.columns import WEIGHT
from posable.goals.terms import POLE, POSITION, ROTATION
from posable.skeleton import Pose
from posable.solvers.problem import Structure
from posable.spatial import Array

_APART = 1e-6  # of the reach: joints nearer than that are at one place


class ChainGoal(NamedTuple):
    """An end and the numbers of the terms about it; -1 where there is none."""

    joint: int
    tip: Array
    place: int
    turn: int
    pole: int


def chain_goals(structure: Structure) -> list[ChainGoal] | str:
    """The ends that are asked to be somewhere, parents first; or why something else is asked for."""
    wishes, on = structure.wishes, structure.problem.measures[:, WEIGHT] > 0
    for goal in (*wishes.custom, *wishes.soft):
        return f"the goal {type(goal).__name__} names no place for a chain's end"
    rows = wishes.rows
    for k, row in enumerate(rows):
        if on[k] and (row.kind not in (POSITION, ROTATION, POLE) or (row.kind != POLE and row.other >= 0)):
            return f"a goal of {structure.skeleton.joints[row.joint]!r} names no single place or turn in the world"
    found = []
    for k in [k for k, row in enumerate(rows) if on[k] and row.kind == POSITION]:
        turn, pole = (_about(structure, kind, rows[k].joint) for kind in (ROTATION, POLE))
        found.append(ChainGoal(rows[k].joint, np.array(rows[k].constants[:3], float), k, turn, pole))
    served = {k for goal in found for k in goal[2:]}
    for k, row in enumerate(rows):
        if on[k] and k not in served:
            return f"{structure.skeleton.joints[row.joint]!r} has a goal beside the place that a chain's end goes to"
    return sorted(found, key=lambda goal: goal.joint)


def _about(structure: Structure, kind: int, joint: int) -> int:
    rows, on = structure.wishes.rows, structure.problem.measures[:, WEIGHT] > 0
    return next((k for k, row in enumerate(rows) if on[k] and row.kind == kind and row.joint == joint), -1)


def places_above(structure: Structure, joint: int) -> list[list[int]]:
    """The joints above that may move, upwards, those at one place together; up to where the figure branches, but two
    places at least.
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
        if np.linalg.norm(origins[j] - at) > _APART * skeleton.reach:
            found.append([j])
            at = origins[j]
        elif found:
            found[-1].append(j)
    return found
