"""The error that gradient descent walks down unless it is given another: weighted distances, angles and bends."""

from __future__ import annotations

import numpy as np

from posable.goals.columns import LENGTHS, SOFTER
from posable.goals.soft import outside
from posable.skeleton import Pose
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array


def term_shares(structure: Structure) -> Array:
    """`[term]` what a length, or an angle, of each hard goal's term counts: weight / reach, or weight / π."""
    reach, on = structure.skeleton.reach, structure.switched_on
    shares = [
        row.weight * SOFTER**row.level / (reach if row.kind in LENGTHS else np.pi) for row in structure.wishes.rows
    ]
    return np.array(shares) * on


def bend_shares(structure: Structure) -> Array:
    """`[spring, dof]` what the way of a freedom into its band counts: weight / π (slides: / reach), over how many."""
    skeleton = structure.skeleton
    span = np.where(skeleton.slides, skeleton.reach, np.pi)
    weights = np.array([spring.weight for spring in structure.wishes.springs]).reshape(-1, skeleton.dof)
    return weights / span / np.maximum(1, (weights > 0).sum(axis=1, keepdims=True))


def goals_error(task: Task, measured: Measured) -> Array:
    """`[problem]` the part of the hard and the Custom goals."""
    custom = [goal.weight for goal in task.structure.wishes.custom]
    return measured.left @ np.concatenate([term_shares(task.structure), custom])


def plain_error(task: Task, pose: Pose, measured: Measured) -> Array:
    """`[problem]` E = Σ weight · distance/reach + Σ weight · angle/π + Σ weight · mean |away|/π + Σ weight · |custom|.

    The sums go over the hard goals' lengths, their angles, the soft goals, the Custom goals.
    """
    error = goals_error(task, measured)
    if task.springs is None:
        return error
    shares = bend_shares(task.structure)
    for n, spring in enumerate(task.structure.wishes.springs):
        away = outside(spring, Pose.trusted(task.skeleton, task.springs[:, n]).minus(pose))
        error = error + np.abs(away) @ shares[n]
    return error
