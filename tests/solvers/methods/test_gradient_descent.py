"""Numerical gradient descent against a plain statement of its equations, sweep by sweep; options do what they say."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from solvers.chains import ball_chain, mixture, planar_arm, rest
from solvers.methods.cases import limited_arm

from posable import (
    Comfort,
    Custom,
    Joint,
    LookAt,
    MethodError,
    Orient,
    Place,
    Pose,
    Reach,
    Skeleton,
    Status,
    Stay,
    Torsion,
    figure,
    solve,
)
from posable.solvers import GradientDescent
from posable.spatial import wxyz_about

H = 1e-4


def literal(
    pose: Pose, error: Callable[[Pose], float], near: Callable[[Pose], bool], rate: float, order: str = "tip_first"
) -> Pose:
    """One sweep, as the source has it."""
    skeleton = pose.skeleton
    unit = np.where(skeleton.slides, skeleton.reach, 1.0)
    freedoms = np.flatnonzero(skeleton.tables.active)
    for i in freedoms[::-1] if order == "tip_first" else freedoms:
        if near(pose):
            break
        along = np.zeros(skeleton.dof)
        along[i] = unit[i]
        partial = (error(pose.plus(H * along)) - error(pose)) / H
        pose = pose.plus(-rate * partial * along).clamped()
    return pose


def distance(pose: Pose, target: np.ndarray) -> float:
    return float(np.linalg.norm(pose.origins[-1] - target))


@pytest.mark.parametrize("order", ["tip_first", "base_first"])
@pytest.mark.parametrize(
    "make", [limited_arm, lambda: ball_chain(0.5, 0.4, 0.3), mixture], ids=["limits", "balls", "mix"]
)
def test_every_sweep_is_the_published_one(make: Callable[[], Skeleton], order: str) -> None:
    skeleton = make()
    pose = rest(skeleton).plus(np.linspace(0.2, -0.3, skeleton.dof)).clamped()
    target, end = pose.origins[-1] + (-0.3, 0.2, 0.25), skeleton.joints[-1]
    method = GradientDescent(0.3, H, order=order, slowing=0)  # pyright: ignore[reportArgumentType]
    trace = solve(pose, [Reach(end, target)], method=method, tolerance=0.05, max_iterations=15, trace=True).trace
    assert trace is not None
    assert len(trace) > 2
    for before, after in zip(trace[:-1], trace.q[1:], strict=True):
        pose = literal(
            before, lambda p: distance(p, target) / skeleton.reach, lambda p: distance(p, target) <= 0.05, 0.3, order
        )
        # stepping from side to side of the goal magnifies rounding
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-7)


def test_it_stops_in_the_middle_of_a_sweep() -> None:
    """The last hinge alone brings the tip within the threshold: the others are not touched."""
    arm = planar_arm(1.0, 1.0, 1.0)
    start = Pose(arm, (0.1, 0.2, 0.3))
    target = Pose(arm, (0.1, 0.2, 0.33)).origins[-1]
    method = GradientDescent(0.1, threshold=0.02, slowing=0)
    solution = solve(start, [Reach("tip", target)], method=method)
    assert solution.status is Status.REACHED
    assert solution.iterations == 1
    np.testing.assert_array_equal(solution.pose.q[:2], start.q[:2])
    assert solution.pose.q[2] != start.q[2]
    assert 1e-6 < solution.goals[0].distance <= 0.02


def everything(pose: Pose, point: np.ndarray, wxyz: np.ndarray, stay: Pose) -> float:
    """E as it is documented, from the goals' own residuals."""
    reach, bends = pose.skeleton.reach, np.abs(pose.q)
    error = 2.0 * np.linalg.norm(Reach("tip", point).residual(pose)) / reach
    error += 0.5 * np.linalg.norm(Orient("tip", wxyz).residual(pose)) / math.pi
    error += 0.25 * np.linalg.norm(LookAt("h3", point, forward=(1, 0, 0)).residual(pose)) / math.pi
    error += 0.3 * bends.mean() / math.pi + 0.2 * np.abs(stay.minus(pose)).mean() / math.pi
    return float(error + 0.4 * np.maximum(0.0, np.abs(pose.q[[1, 2]] - 0.3) - 0.2).mean() / math.pi)


@pytest.mark.parametrize("python", [False, True], ids=["compiled", "python"])
def test_the_error_sums_distances_angles_and_bends(python: bool) -> None:
    skeleton = limited_arm()
    pose = rest(skeleton).plus(np.linspace(0.3, -0.4, 7))
    point, wxyz, stay = np.array([0.4, 0.8, 0.3]), wxyz_about((0, 1, 1), 0.7), rest(skeleton).plus(np.full(7, 0.15))
    goals = [
        Reach("tip", point, weight=2.0),
        Orient("tip", wxyz, weight=0.5),
        LookAt("h3", point, forward=(1, 0, 0), weight=0.25),
        Torsion(weight=0.3),
        Stay(stay, weight=0.2),
        Comfort({"h1": ((0.1, 0.5), 1.0), "h2": ((0.1, 0.5), 1.0)}, weight=0.4),
    ]
    goals = [*goals, Custom(lambda _: np.zeros(2))] if python else goals
    trace = solve(pose, goals, method=GradientDescent(0.2, H, slowing=0), max_iterations=6, trace=True).trace
    assert trace is not None
    for after in trace.q[1:]:
        pose = literal(pose, lambda p: everything(p, point, wxyz, stay), lambda _: False, 0.2)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-9)


def test_a_normalised_gradient_is_a_step_of_one_length() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    start, goal = Pose(arm, (0.1, 0.2, 0.3)), [Reach("tip", (0.0, 2.0, 0.0))]
    for extra in ([], [Custom(lambda _: 0.0)]):
        trace = solve(
            start, [*goal, *extra], method=GradientDescent(0.05, normalized=True), max_iterations=5, trace=True
        ).trace
        assert trace is not None
        steps = np.diff(trace.q, axis=0)
        np.testing.assert_allclose(np.linalg.norm(steps, axis=1), 0.05, rtol=1e-9)
        uphill = start.jacobian("tip")[:3].T @ (start.origins[-1] - (0.0, 2.0, 0.0))
        np.testing.assert_allclose(steps[0], -0.05 * uphill / np.linalg.norm(uphill), atol=1e-6)


def test_a_fixed_rate_swings_about_the_goal_and_an_adaptive_one_does_not() -> None:
    arm = figure("arm6").skeleton
    target = arm.random_pose(np.random.default_rng(4)).origins[-1]
    start, end = rest(arm).plus(np.full(arm.dof, 0.2)).clamped(), arm.joints[-1]
    fixed, adaptive = (
        solve(
            start,
            [Reach(end, target)],
            method=GradientDescent(0.5, adaptive=a, slowing=0),
            max_iterations=200,
            trace=True,
        )
        for a in (False, True)
    )
    assert fixed.status is Status.OUT_OF_ITERATIONS
    assert adaptive.status is Status.REACHED
    assert fixed.trace is not None
    swing = np.abs(np.diff(fixed.trace.q[-20:], axis=0)).max(axis=1)
    assert swing.min() > 0.01


def test_slowing_shrinks_the_steps_as_the_target_nears() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    start, goal = Pose(arm, (0.3, 0.5, 0.4)), [Reach("tip", (0.5, 2.0, 0.0))]
    swinging = solve(start, goal, method=GradientDescent(0.3, slowing=0), max_iterations=100)
    calm = solve(start, goal, method=GradientDescent(0.3, slowing=1.0), max_iterations=300, trace=True)
    assert swinging.status is Status.OUT_OF_ITERATIONS
    assert calm.status is Status.REACHED
    assert calm.trace is not None
    left = np.linalg.norm(calm.trace.origins[:, -1] - (0.5, 2.0, 0.0), axis=-1)
    moved = np.linalg.norm(np.diff(calm.trace.q, axis=0), axis=1)
    near = (left[:-1] < 0.5) & (left[:-1] > 1e-4)
    assert near.sum() > 5
    assert np.ptp(moved[near] / left[:-1][near]) < 0.5 * np.max(moved[near] / left[:-1][near])


def test_torsion_untangles_on_the_way() -> None:
    arm = planar_arm(*[0.2] * 8)
    start = Pose(arm, np.tile((1.0, -1.0), 4))
    bent, straight = (
        solve(
            start,
            [Reach("tip", (1.0, 0.9, 0.0)), Torsion(weight)],
            method=GradientDescent(0.3, threshold=0.02, slowing=0),
            max_iterations=300,
        )
        for weight in (1e-6, 3.0)
    )
    assert bent.status is Status.REACHED
    assert np.abs(straight.pose.q).mean() < 0.7 * np.abs(bent.pose.q).mean()


def test_soft_wishes_alone_are_followed() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    solution = solve(Pose(arm, (0.5, -0.4, 0.3)), [Torsion(1.0)], method=GradientDescent(0.1))
    assert solution.status is Status.REACHED
    np.testing.assert_allclose(solution.pose.q, 0.0, atol=0.02)


def three_valleys(pose: Pose) -> float:
    x = float(pose.q[0])
    return 1.0 + 0.1 * x * x - math.cos(3.0 * x)


def test_any_function_can_be_the_error_and_each_start_ends_in_its_valley() -> None:
    hinge = Skeleton([Joint("h", "hinge", axes=planar_arm(1.0).definitions[0].axes)])
    starts = Pose(hinge, np.array([[-2.5], [-0.9], [0.3], [1.5], [2.9]]))
    solution = solve(starts, [], method=GradientDescent(0.02, 1e-6, error=three_valleys), max_iterations=300)
    grid = np.linspace(-4, 4, 400_001)
    values = 1.0 + 0.1 * grid**2 - np.cos(3 * grid)
    valleys = grid[1:-1][(values[1:-1] < values[:-2]) & (values[1:-1] < values[2:])]
    nearest = [valleys[np.abs(valleys - x).argmin()] for x in starts.q[:, 0]]
    np.testing.assert_allclose(solution.pose.q[:, 0], nearest, atol=1e-4)
    assert len(set(nearest)) == 3
    assert (solution.status != Status.REACHED).all()
    lower = solve(
        starts, [], method=GradientDescent(0.02, 1e-6, error=three_valleys, threshold=0.13), max_iterations=300
    )
    np.testing.assert_array_equal(lower.status == Status.REACHED, np.abs(solution.pose.q[:, 0]) < 1)


def test_a_sampling_distance_that_is_too_large_leads_astray() -> None:
    arm = planar_arm(1.0, 1.0)
    start, goal = Pose(arm, (0.3, 1.0)), [Reach("tip", (0.5, 1.2, 0.0))]
    fine, coarse = (solve(start, goal, method=GradientDescent(0.2, h, adaptive=True)) for h in (1e-7, 0.5))
    assert fine.status is Status.REACHED
    assert coarse.status is not Status.REACHED
    assert coarse.goals[0].distance > 0.01


def test_with_an_error_of_ones_own_goals_say_what_counts_as_reached() -> None:
    arm, target = planar_arm(1.0, 1.0), np.array([0.5, 1.2, 0.0])
    method = GradientDescent(0.2, 1e-6, error=lambda pose: float(np.sum((pose.origins[-1] - target) ** 2)))
    solution = solve(Pose(arm, (0.3, 1.0)), [Reach("tip", target)], method=method, tolerance=0.01, trace=True)
    assert solution.status is Status.REACHED
    assert solution.trace is not None
    pose = Pose(arm, (0.3, 1.0))
    for after in solution.trace.q[1:]:
        pose = literal(pose, lambda p: distance(p, target) ** 2, lambda p: distance(p, target) <= 0.01, 0.2)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-4)


def test_a_custom_goal_that_says_what_a_reach_says_is_descended_alike() -> None:
    arm, target = planar_arm(1.0, 1.0, 1.0), np.array([1.2, 1.1, 0.0])
    custom = Custom(lambda pose: target - pose.origins[-1], weight=1 / arm.reach, tolerance=1e-3)
    method, start = GradientDescent(0.2, adaptive=True), Pose(arm, (0.4, 0.9, 0.6))
    python, compiled = (
        solve(start, [goal], method=method, tolerance=1e-3, trace=True) for goal in (custom, Reach("tip", target))
    )
    assert python.status is compiled.status is Status.REACHED
    assert python.trace is not None
    assert compiled.trace is not None
    np.testing.assert_allclose(python.trace.q, compiled.trace.q, rtol=0, atol=1e-6)
    assert np.linalg.norm(python.pose.origins[-1] - target) <= 1e-3


def test_frozen_axes_of_one_joint_stay_and_followers_follow() -> None:
    skeleton = mixture()
    pose = rest(skeleton).plus(np.full(skeleton.dof, 0.05)).clamped()
    goal = Place("end", rest(skeleton).plus(np.full(skeleton.dof, -0.1)).world_from_joint[-1])
    solution = solve(pose, [goal], method=GradientDescent(adaptive=True), frozen=("root.x", "universal.y", "ball"))
    moved = np.abs(solution.pose.minus(pose)) > 1e-15
    assert not moved[skeleton.freedom_mask(("root.x", "universal.y", "ball"))].any()
    assert moved[skeleton.freedom_mask(("root.y", "hinge"))].all()


def test_a_batch_with_wishes_and_rates_of_its_own_is_the_loop_of_singles() -> None:
    skeleton = ball_chain(0.5, 0.4, 0.3)
    starts = skeleton.random_pose(np.random.default_rng(8), (4,))
    goals = [Reach("tip", (0.3, 0.5, 0.2)), Stay(starts, weight=0.05)]
    batch = solve(starts, goals, method=GradientDescent(0.3, adaptive=True), max_iterations=30)
    for n in range(4):
        single = solve(
            starts[n],
            [goals[0], Stay(starts[n], weight=0.05)],
            method=GradientDescent(0.3, adaptive=True),
            max_iterations=30,
        )
        np.testing.assert_array_equal(single.pose.q, batch.pose.q[n])


@pytest.mark.parametrize(("options", "weight"), [({}, 1.0), ({}, 3.0), ({"learning_rate": 0.5}, 1.0)])
def test_by_itself_a_fixed_rate_slows_down_and_arrives(options: dict, weight: float) -> None:
    """As with the distance that is documented, by hand."""
    arm = figure("arm6").skeleton
    target = arm.random_pose(np.random.default_rng(4)).origins[-1]
    start, goal = rest(arm).plus(np.full(arm.dof, 0.2)).clamped(), Reach(arm.joints[-1], target, weight=weight)
    under = 0.55 * options.get("learning_rate", 0.1) * weight**2 * arm.reach
    ask = {"tolerance": 1e-4 * arm.reach, "max_iterations": 1000}
    itself, stated = (solve(start, goal, method=GradientDescent(**options, slowing=s), **ask) for s in (None, under))
    assert itself.status is Status.REACHED
    np.testing.assert_allclose(itself.pose.q, stated.pose.q, atol=1e-6)
    assert itself.iterations == stated.iterations
    assert solve(start, goal, method=GradientDescent(**options, slowing=0), **ask).status is Status.OUT_OF_ITERATIONS


@pytest.mark.parametrize("name", ["learning_rate", "sampling_distance", "threshold"])
@pytest.mark.parametrize("value", [0, -1.0, math.inf, "much"])
def test_numbers_that_cannot_be_meant_are_refused(name: str, value: object) -> None:
    with pytest.raises(MethodError, match=f"GradientDescent: {name} must be a number above 0, not "):
        GradientDescent(**{name: value})  # pyright: ignore[reportArgumentType]


def test_misuse_is_refused() -> None:
    with pytest.raises(MethodError, match="GradientDescent: slowing must be a number of at least 0, not -1"):
        GradientDescent(slowing=-1)
    with pytest.raises(MethodError, match='order must be "tip_first" or "base_first", not \'outwards\''):
        GradientDescent(order="outwards")  # pyright: ignore[reportArgumentType]
    with pytest.raises(MethodError, match="error must be a function of a pose, not 3"):
        GradientDescent(error=3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(MethodError, match=r"GradientDescent: error gave .*; one finite number is wanted"):
        solve(rest(planar_arm(1.0)), [], method=GradientDescent(error=lambda pose: pose.q * math.nan))
    with pytest.raises(MethodError, match=r"GradientDescent: error gave 'x'; one finite number is wanted"):
        solve(rest(planar_arm(1.0)), [], method=GradientDescent(error=lambda _: "x"))  # pyright: ignore
