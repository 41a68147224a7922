"""Common parts of methods that step along the Jacobian: the rows, soft goals in the null space, the end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose
from posable.solvers.methods.method import Method, State
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array

RANK = 1e-10
"""Singular values under this share of the largest one count as none."""

_MAX_STEP = 1e6  # radians or reaches: a larger step is meaningless, and numbers must stay finite
_SOFT_GAIN = 0.5  # the share of the soft goals' pull that a step follows
_MAX_SOFT_STEP = 0.2  # radians or reaches that a soft step may move a freedom by, so that the hard goals can follow
_SOFT_CONVERGED_STEP = 1e-4  # radians or reaches: soft goals with a smaller step have converged
_BLOCKED_STEP = 1e-9  # radians or reaches that a limit takes from a soft step
_LEAST_SOFT_GAIN = 1e-7  # they have also converged where a round gains less than this share, because of limits


class Asked(NamedTuple):
    """The step equation J δ = e of the hard goals: rows by the root of their weight, lengths and slides in reaches, so
    that units do not matter.
    """

    jacobian: Array  # J [problem, row, dof]
    left: Array  # e [problem, row]
    ends: NDArray[np.int64]  # [row] the effector of each; a number of a Custom goal counts as one of its own


class JacobianMethod(Method):
    """A method whose step is a function of the goals' weighted Jacobian J and residual e: they ask for J δ = e.

    Once the hard goals are met for the first time, soft goals add 0.5 (1 − J⁺J) p to every step, p being their pull: to
    first order this does not change the hard goals. The steps go on until the soft goals have converged as well; the
    solution is the best pose for the soft goals among those that meet the hard goals, which therefore lose nothing.
    """

    def refusal(self, structure: Structure) -> str | None:
        """None: these methods serve every goal on every joint."""
        del structure

    def hard_step(self, asked: Asked) -> Array:
        """δ `[problem, dof]` in radians and reaches."""
        raise NotImplementedError

    def has_arrived(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        """`[problem]` where the hard goals need no further step."""
        del state
        return self.is_met(task, pose, measured)

    def begin(self, task: Task, pose: Pose) -> State:
        """(the largest move of the last soft step, the soft goals' energy when the hard ones were last met)."""
        del task
        return np.full(len(pose), np.inf), np.full(len(pose), np.inf)

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        asked = _asked(task, pose, measured)
        step = self.hard_step(asked)
        if task.springs is None:
            return _stepped(task, pose, step), state
        arrived = self.has_arrived(task, pose, measured, state)
        pull, energy = task.pull(pose)
        energy = np.where(arrived, energy, state[1])
        soft = np.where(np.isfinite(energy)[:, None], _soft_step(task, pose, asked.jacobian, pull), 0.0)
        return _stepped(task, pose, step + soft), (np.abs(soft).max(axis=1, initial=0.0), energy, *state[2:])

    def is_done(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        arrived = self.has_arrived(task, pose, measured, state)
        if task.springs is None:
            return arrived
        moved, energy = state[:2]
        return arrived & (
            (moved < _SOFT_CONVERGED_STEP) & np.isfinite(energy)
            | (task.pull(pose)[1] > (1.0 - _LEAST_SOFT_GAIN) * energy)
        )

    def score(self, task: Task, pose: Pose, measured: Measured) -> Array:
        if task.springs is None:
            return measured.cost
        return np.where(self.is_met(task, pose, measured), task.pull(pose)[1], measured.cost)


def inverse_step(jacobian: Array, wanted: Array) -> Array:
    """J⁺ e `[problem, dof]`: of the steps with the least residual, the shortest."""
    return (np.linalg.pinv(jacobian, rcond=RANK) @ wanted[..., None])[..., 0]


def _soft_step(task: Task, pose: Pose, jacobian: Array, pull: Array) -> Array:
    """0.5 (1 − J⁺J) p, no freedom by more than 0.2; freedoms that it would push through their limits stay."""
    step = _along_null_space(jacobian, pull)
    kept = _stepped(task, pose, step).clamped().minus(pose) / task.unit
    blocked = np.abs(kept - step) > _BLOCKED_STEP
    if not blocked.any():
        return step
    return _along_null_space(np.where(blocked[:, None], 0.0, jacobian), np.where(blocked, 0.0, pull))


def _along_null_space(jacobian: Array, pull: Array) -> Array:
    across = (jacobian @ pull[..., None])[..., 0]
    step = _SOFT_GAIN * (pull - inverse_step(jacobian, across))
    longest = np.abs(step).max(axis=1, keepdims=True, initial=1e-300)
    return step * np.minimum(1.0, _MAX_SOFT_STEP / longest)


def _asked(task: Task, pose: Pose, measured: Measured) -> Asked:
    weights, terms = np.sqrt(measured.weights), len(task.stated)
    ends = np.concatenate([np.repeat(np.arange(terms), 3), np.arange(terms, len(weights) - 2 * terms)])
    jacobian = weights[:, None] * task.jacobian(pose, measured) * task.unit
    return Asked(jacobian, weights * measured.residual, ends)


def _stepped(task: Task, pose: Pose, step: Array) -> Pose:
    """The poses after a step `[problem, dof]` in radians and reaches."""
    return pose.plus(np.where(task.free, np.clip(step, -_MAX_STEP, _MAX_STEP) * task.unit, 0.0))
