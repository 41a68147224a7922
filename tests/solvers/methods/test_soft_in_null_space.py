"""Soft goals in the methods that step along the Jacobian: they act in the null space, and never cost a hard goal."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.chains import panda, planar_arm, rest
from solvers.methods.cases import limited_arm

from posable import Comfort, Pose, Reach, Status, Stay, Torsion, solve
from posable.solvers import DampedLeastSquares, Method, Newton, PseudoInverse, Transpose

METHODS = {
    "pseudo-inverse": PseudoInverse(0.5),
    "newton": Newton(),
    "transpose": Transpose(),
    "damped": DampedLeastSquares(),
    "selective": DampedLeastSquares(selective=True),
}

pytestmark = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


def test_on_the_goal_the_step_is_half_the_pull_in_the_null_space(method: Method) -> None:
    arm = planar_arm(0.5, 0.4, 0.3, 0.2)
    start, wished = Pose(arm, (0.3, 0.4, 0.5, 0.2)), Pose(arm, (0.3, 0.5, 0.2, 0.35))
    goal = Reach("tip", start.origins[-1])
    trace = solve(start, [goal, Stay(wished)], method=method, max_iterations=1, trace=True).trace
    jacobian = start.jacobian("tip")[:3]
    pull = wished.q - start.q
    soft = 0.5 * (pull - np.linalg.pinv(jacobian) @ jacobian @ pull)
    assert 0.01 < np.abs(soft).max() < 0.2
    assert trace is not None
    np.testing.assert_allclose(trace.q[1] - start.q, soft, rtol=0, atol=1e-12)


def test_until_the_goal_is_met_the_way_is_that_without_wishes(method: Method) -> None:
    arm = planar_arm(*[0.2] * 6)
    start, goal = Pose(arm, np.full(6, 0.3)), Reach("tip", (0.6, 0.8, 0.0))
    alone = solve(start, [goal], method=method, tolerance=1e-5, trace=True)
    both = solve(start, [goal, Torsion()], method=method, tolerance=1e-5, trace=True)
    assert alone.trace is not None
    assert both.trace is not None
    met = alone.iterations - method.STEPS_ONCE_MORE
    np.testing.assert_array_equal(both.trace.q[: met + 1], alone.trace.q[: met + 1])
    assert both.iterations > alone.iterations


def test_stay_is_optimal_in_what_the_hard_goal_leaves_and_costs_it_nothing(method: Method) -> None:
    arm = planar_arm(*[0.2] * 6)
    start, wished = Pose(arm, np.full(6, 0.3)), Pose(arm, (0.2, 0.5, 0.1, 0.4, 0.2, 0.3))
    goal = Reach("tip", (0.6, 0.8, 0.0))
    solution = solve(start, [goal, Stay(wished)], method=method, tolerance=1e-5, max_iterations=300)
    assert solution.status is Status.REACHED
    assert solution.goals[0].distance < 1e-5
    jacobian, pull = goal.jacobian(solution.pose), wished.q - solution.pose.q
    across = pull - np.linalg.pinv(jacobian) @ jacobian @ pull
    assert np.abs(pull).max() > 0.02
    assert np.abs(across).max() < 1e-3
    plain = solve(start, [goal], method=method, tolerance=1e-5)
    assert np.linalg.norm(pull) < np.linalg.norm(wished.q - plain.pose.q)


def test_it_goes_on_after_the_goal_is_met_until_the_wish_has_settled(method: Method) -> None:
    """Started on the goal: without the wish nothing is to do."""
    arm = planar_arm(*[0.2] * 5)
    start = Pose(arm, (1.2, -1.0, 0.9, -1.1, 0.8))
    goal = Reach("tip", start.origins[-1])
    assert solve(start, [goal], method=method, tolerance=1e-5).iterations <= 1
    solution = solve(start, [goal, Torsion()], method=method, tolerance=1e-5, max_iterations=300)
    assert 2 < solution.iterations < 300
    assert solution.status is Status.REACHED
    assert np.linalg.norm(solution.pose.q) < np.linalg.norm(start.q) - 1e-3
    jacobian = goal.jacobian(solution.pose)
    across = solution.pose.q - np.linalg.pinv(jacobian) @ jacobian @ solution.pose.q
    assert np.abs(across).max() < 1e-3


def test_wishes_alone_are_met(method: Method) -> None:
    skeleton = panda()
    wished = skeleton.random_pose(np.random.default_rng(2))
    solution = solve(Pose(skeleton, (skeleton.lower + skeleton.upper) / 2), [Stay(wished)], method=method)
    assert solution.status is Status.REACHED
    np.testing.assert_allclose(solution.pose.q, wished.q, atol=1e-3)


def test_at_its_limits_it_ends_within_tolerance_and_within_the_limits(method: Method) -> None:
    arm = limited_arm()
    start = rest(arm).plus(np.linspace(0.3, -0.2, 7))
    goals = [Reach("tip", (0.9, 0.5, 0.3)), Comfort({"h1": 1.2, "h3": ((1.1, 1.2), 1.0)})]
    solution = solve(start, goals, method=method, tolerance=1e-4, max_iterations=300)
    assert solution.status is Status.REACHED
    np.testing.assert_array_equal(solution.pose.clamped().q, solution.pose.q)


def test_a_frozen_joint_is_not_pulled_and_batches_are_singles(method: Method) -> None:
    arm = planar_arm(*[0.2] * 6)
    start, targets = Pose(arm, np.full(6, 0.3)), np.array([[0.6, 0.8, 0.0], [0.3, 0.9, 0.0], [2.0, 0.0, 0.0]])
    options = {"method": method, "frozen": ("h2",), "tolerance": 1e-5, "max_iterations": 80}
    batch = solve(start, [Reach("tip", targets), Torsion()], **options)
    np.testing.assert_array_equal(batch.pose.q[:, 2], 0.3)
    assert batch.status[2] == Status.OUT_OF_REACH
    for n, target in enumerate(targets):
        single = solve(start, [Reach("tip", target), Torsion()], **options)
        np.testing.assert_array_equal(single.pose.q, batch.pose.q[n])
        assert single.iterations == batch.iterations[n]
