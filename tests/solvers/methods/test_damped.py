"""Damped least squares against its equation, selective damping against Buss and Kim's, effector by effector."""

from __future__ import annotations

import math

import numpy as np
import pytest
from solvers.chains import ball_chain, planar_arm, rest

from posable import MethodError, Orient, Pose, Reach, Status, solve
from posable.solvers import DampedLeastSquares

TARGETS = np.array([[0.9, 1.1, 0.4], [-0.5, 1.2, 0.8]])
ENDS = ("tip", "b2")


def rows(pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """(J, e) of both ends, in reaches."""
    at = [pose.skeleton.index(end) for end in ENDS]
    jacobian = np.concatenate([pose.jacobian(end)[:3] for end in ENDS])
    return jacobian / pose.skeleton.reach, (TARGETS - pose.origins[at]).ravel() / pose.skeleton.reach


def cut(step: np.ndarray, most: float) -> np.ndarray:
    longest = np.abs(step).max()
    return step if longest <= most else step * (most / longest)


def selective(jacobian: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Buss and Kim 2005, with loops as they write it: γ_max = π/4."""
    u, sigma, v = np.linalg.svd(jacobian, full_matrices=False)
    ends = [slice(k, k + 3) for k in range(0, len(left), 3)]
    total = np.zeros(jacobian.shape[1])
    for i, s in enumerate(sigma):
        if s < 1e-10 * sigma[0]:
            continue
        n = sum(np.linalg.norm(u[end, i]) for end in ends)
        m = sum(abs(v[i, j]) * np.linalg.norm(jacobian[end, j]) / s for end in ends for j in range(len(total)))
        gamma = min(1.0, n / m) * math.pi / 4
        total += cut((u[:, i] @ left) / s * v[i], gamma)
    return cut(total, math.pi / 4)


@pytest.mark.parametrize("damping", [0.05, 0.4, None], ids=["little", "much", "selective"])
def test_every_step_is_the_published_one(damping: float | None) -> None:
    skeleton = ball_chain(0.6, 0.7, 0.8)
    pose = rest(skeleton).plus(np.linspace(0.3, -0.4, 9))
    goals = [Reach(end, target) for end, target in zip(ENDS, TARGETS, strict=True)]
    method = DampedLeastSquares(selective=True) if damping is None else DampedLeastSquares(damping)
    solution = solve(pose, goals, method=method, max_iterations=12, trace=True)
    assert solution.trace is not None
    for after in solution.trace.q[1:]:
        jacobian, left = rows(pose)
        if damping is None:
            step = selective(jacobian, left)
        else:
            step = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + damping**2 * np.eye(6), left)
        pose = pose.plus(step)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-9)
    assert len(solution.trace) > 3


@pytest.mark.parametrize(
    "method", [DampedLeastSquares(1.0), DampedLeastSquares(selective=True)], ids=["much", "select"]
)
def test_out_of_reach_it_comes_to_rest_stretched_out(method: DampedLeastSquares) -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    goal = [Reach("tip", (3.0, 3.0, 0.0))]
    solution = solve(Pose(arm, (0.2, 0.3, 0.4)), goal, method=method, max_iterations=400, trace=True)
    assert solution.status is Status.OUT_OF_REACH
    assert solution.goals[0].distance == pytest.approx(math.sqrt(18) - 3.0, abs=1e-3)
    assert solution.trace is not None
    assert np.abs(np.diff(solution.trace.q[-20:], axis=0)).max() < 0.05


def test_selective_damping_never_turns_a_joint_by_more_than_an_eighth() -> None:
    skeleton = ball_chain(1.0, 1.0, 1.0)
    start = rest(skeleton).plus(np.full(9, 1e-7))
    goals = [Reach("tip", (0.0, 0.5, 0.1)), Orient("tip", (0.0, 1.0, 0.0, 0.0))]
    trace = solve(start, goals, method=DampedLeastSquares(selective=True), trace=True).trace
    assert trace is not None
    assert np.abs(trace[1:].minus(trace[:-1])).max() <= math.pi / 4 + 1e-12


def test_misuse_is_refused() -> None:
    with pytest.raises(
        MethodError, match="DampedLeastSquares: damping must be a number above 0 and at most 1e100, not 0"
    ):
        DampedLeastSquares(damping=0)
    with pytest.raises(MethodError, match="DampedLeastSquares: selective must be True or False, not 'yes'"):
        DampedLeastSquares(selective="yes")  # pyright: ignore[reportArgumentType]
