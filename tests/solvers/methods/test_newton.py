"""Newton's steps are the published ones, and end by either rule."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from solvers.chains import planar_arm, rest
from solvers.methods.cases import limited_arm
from solvers.methods.test_pseudo_inverse import literal

from posable import Custom, MethodError, Pose, Reach, Status, solve
from posable.solvers import Newton

TARGET = np.array([0.9, 0.5, 0.2])


def start() -> Pose:
    return rest(limited_arm()).plus(np.linspace(0.3, -0.2, 7))


def test_every_step_is_the_full_one_and_the_error_is_squared() -> None:
    target = start().plus(np.linspace(-0.1, 0.15, 7)).origins[-1]
    solution = solve(start(), [Reach("tip", target)], method=Newton(), tolerance=1e-12, trace=True)
    assert solution.status is Status.REACHED
    trace = solution.trace
    assert trace is not None
    assert np.abs(trace.q).max() < 1.2
    np.testing.assert_allclose(trace.q, literal(start(), "tip", target, 1.0, len(trace) - 1), rtol=0, atol=1e-10)
    left = np.linalg.norm(trace.origins[:, -1] - target, axis=-1)
    last = left[left > 1e-13]
    assert (last[-2:] < 200 * last[-3:-1] ** 2).all()


def changes(start: Pose, target: np.ndarray, steps: int) -> list[float]:
    """|f(θ_n) − f(θ_n−1)|, f in reaches, of a plain statement of the method."""
    pose, left = start, []
    for _ in range(steps + 1):
        left.append(target - pose.origins[-1])
        pose = pose.plus(np.linalg.pinv(pose.jacobian("tip")[:3]) @ left[-1])
    return [float(np.linalg.norm(b - a)) / start.skeleton.reach for a, b in pairwise(left)]


def test_it_ends_by_the_change_of_f() -> None:
    """The first step by which f changes by less than ε is the last, however near the goal was before."""
    arm, target = planar_arm(1.0, 1.0, 1.0), np.array([1.2, 1.1, 0.0])
    start = Pose(arm, (0.4, 0.5, 0.6))
    expected = changes(start, target, 6)
    assert expected[4] < 1e-6 < 1e-3 < expected[3]
    for change in expected[:5]:
        for share in (0.8, 1.2):
            method = Newton(stop="change", epsilon=share * change)
            solution = solve(start, [Reach("tip", target)], method=method, tolerance=0.1)
            assert solution.iterations == 1 + next(n for n, c in enumerate(expected) if c < share * change)
    assert solution.status is Status.REACHED


def test_where_f_no_longer_changes_far_from_the_goal_it_is_no_success() -> None:
    solution = solve(start(), [Reach("tip", TARGET)], method=Newton(stop="change", epsilon=10.0))
    assert solution.iterations == 1
    assert solution.status is Status.LOCAL_MINIMUM
    assert solution.goals[0].distance > 1e-3


def test_a_custom_goal_is_rows_beside_the_others() -> None:
    """Tip at a place, and the first two angles equal: three freedoms, three equations."""
    arm, target = planar_arm(1.0, 1.0, 1.0), np.array([1.2, 1.1, 0.0])
    equal = Custom(lambda pose: pose.q[0] - pose.q[1])
    first = Pose(arm, (0.4, 0.5, 0.6))
    solution = solve(first, [Reach("tip", target), equal], method=Newton(), trace=True)
    assert solution.status is Status.REACHED
    assert solution.pose.q[0] == pytest.approx(solution.pose.q[1], abs=1e-6)
    assert solution.goals[0].distance < 1e-6
    assert solution.trace is not None
    jacobian = np.vstack([first.jacobian("tip")[:2], (1.0, -1.0, 0.0)])
    f = np.array([*(target - first.origins[-1])[:2], 0.1])
    np.testing.assert_allclose(solution.trace.q[1], first.q + np.linalg.solve(jacobian, f), rtol=0, atol=1e-8)


def test_a_batch_with_a_custom_goal_is_the_loop_of_singles() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    targets = np.array([[1.2, 1.1, 0.0], [0.5, 1.5, 0.0], [2.0, -0.4, 0.0]])
    equal, first = Custom(lambda pose: pose.q[0] - pose.q[1], weight=0.5), Pose(arm, (0.4, 0.5, 0.6))
    batch = solve(first, [Reach("tip", targets), equal], method=Newton())
    for n, target in enumerate(targets):
        single = solve(first, [Reach("tip", target), equal], method=Newton())
        np.testing.assert_array_equal(single.pose.q, batch.pose.q[n])


def test_far_beyond_a_singular_pose_numbers_stay_finite() -> None:
    """Slides and a stretched arm: the steps are as wild as the method is, but they are numbers."""
    solution = solve(
        Pose(planar_arm(1.0, 1.0), (0.0, 1e-9)), [Reach("tip", (2.5, 0.1, 0.0))], method=Newton(), trace=True
    )
    assert solution.status is Status.OUT_OF_REACH
    assert solution.trace is not None
    assert np.isfinite(solution.trace.q).all()
    assert solution.goals[0].distance >= np.hypot(2.5, 0.1) - 2.0 - 1e-12


def test_misuse_is_refused() -> None:
    with pytest.raises(MethodError, match='Newton: stop must be "residual" or "change", not \'never\''):
        Newton(stop="never")  # pyright: ignore[reportArgumentType]
    with pytest.raises(MethodError, match="Newton: epsilon must be a number above 0, not 0"):
        Newton(epsilon=0)
