"""The Jacobian transpose against its equation."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.chains import ball_chain, rest

from posable import MethodError, Pose, Reach, Status, solve
from posable.solvers import Transpose

TARGETS = np.array([[0.9, 1.1, 0.4], [-0.5, 1.2, 0.8]])


def literal(pose: Pose, ends: tuple[str, ...], weights: tuple[float, ...], gain: float | None) -> Pose:
    """One step, rows by the root of their weight, lengths in reaches."""
    reach, at = pose.skeleton.reach, [pose.skeleton.index(end) for end in ends]
    roots = np.repeat(np.sqrt(weights), 3)
    jacobian = roots[:, None] * np.concatenate([pose.jacobian(end)[:3] for end in ends]) / reach
    left = roots * (TARGETS[: len(ends)] - pose.origins[at]).ravel() / reach
    along = jacobian.T @ left
    moved = jacobian @ along
    return pose.plus((gain if gain is not None else (left @ moved) / (moved @ moved)) * along)


@pytest.mark.parametrize("gain", [None, 0.4])
def test_every_step_is_the_published_one(gain: float | None) -> None:
    skeleton = ball_chain(0.6, 0.7, 0.8)
    pose = rest(skeleton).plus(np.linspace(0.3, -0.4, 9))
    ends, weights = ("tip", "b2"), (1.0, 0.3)
    goals = [Reach(end, target, weight=w) for end, target, w in zip(ends, TARGETS, weights, strict=True)]
    solution = solve(pose, goals, method=Transpose(gain), max_iterations=20, trace=True)
    assert solution.trace is not None
    assert len(solution.trace) == 21
    for after in solution.trace.q[1:]:
        pose = literal(pose, ends, weights, gain)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-12)


def test_the_step_length_never_makes_a_straight_error_worse_and_reaches() -> None:
    skeleton = ball_chain(0.6, 0.7, 0.8)
    solution = solve(rest(skeleton).plus(np.full(9, 0.2)), [Reach("tip", TARGETS[0])], method=Transpose(), trace=True)
    assert solution.status is Status.REACHED
    assert solution.trace is not None
    left = np.linalg.norm(solution.trace.origins[:, -1] - TARGETS[0], axis=-1)
    assert (np.diff(left) < 0).all()


def test_where_the_force_turns_no_joint_it_stands_still() -> None:
    """A straight arm pulled along itself: Jᵀ e = 0."""
    start = rest(ball_chain(1.0, 1.0))
    solution = solve(start, [Reach("tip", (0.0, 1.2, 0.0))], method=Transpose())
    assert (solution.status, solution.iterations) == (Status.LOCAL_MINIMUM, 1)
    np.testing.assert_array_equal(solution.pose.q, start.q)


def test_a_gain_that_is_none_is_refused() -> None:
    with pytest.raises(MethodError, match="Transpose: gain must be None or a number above 0, not -1"):
        Transpose(gain=-1)
