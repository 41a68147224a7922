"""Which limits hold a figure back from its goals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from posable.goals import Goal
from posable.goals.term_arrays import weight_of
from posable.skeleton import Pose
from posable.solvers.default.kernels.active_limits import limit_sides
from posable.spatial import Array

_PUSH = 1e-6  # share of the largest pull below which a freedom is not pushed anywhere


def limits_that_hold(
    pose: Pose, goals: Sequence[Goal], unmet: NDArray[np.bool_], weights: Sequence[Array] | None = None
) -> NDArray[np.bool_]:
    """`[..., dof]`: at a limit, and pulled outwards by the goals, in the poses that do not meet them (`unmet
    [...]`). weights: `[...]` for each goal, in place of its own.
    """
    skeleton = pose.skeleton
    flat = np.ascontiguousarray(pose.q).reshape(-1, pose.q.shape[-1])
    sides, basis = np.zeros((len(flat), skeleton.dof)), np.zeros((len(flat), skeleton.dof, 3))
    limit_sides(skeleton.packed, flat, skeleton.reach, sides, basis)
    pull = _pull(pose, goals, weights).reshape(len(flat), skeleton.dof)
    for j in range(len(skeleton.joints)):
        own = list(skeleton.freedom_range(j))
        if skeleton.definitions[j].cone is not None:
            pull[:, own] = np.einsum("nki,ni->nk", basis[:, own], pull[:, own])
    outward = np.where(sides == 2, np.abs(pull), pull * sides)
    strongest = np.abs(pull).max(axis=1, keepdims=True, initial=0.0)
    held = (sides != 0) & (outward > _PUSH * strongest) & unmet.reshape(-1, 1)
    return held.reshape(*pose.shape, skeleton.dof)


def _pull(pose: Pose, goals: Sequence[Goal], weights: Sequence[Array] | None) -> Array:
    """`[..., dof]` downhill direction of the goals' error, positions measured in reaches."""
    total = np.zeros((*pose.shape, pose.skeleton.dof))
    for goal, weight in zip(goals, weights or [None] * len(goals), strict=True):
        residual, jacobian = goal.residual(pose), goal.jacobian(pose)
        counts = 1.0 if weight is None else weight[..., None]
        for k, row in enumerate((goal if weight is None else goal.with_weight(1.0)).rows(pose.skeleton)):
            part = slice(3 * k, 3 * k + 3)
            total -= (
                counts
                * weight_of(row, pose.skeleton.reach)
                * np.einsum("...id,...i->...d", jacobian[..., part, :], residual[..., part])
            )
    return total
