"""What goes on in a figure drawn by virtual forces once it touches its target: elasticity, comfort, weight."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from solvers.chains import ball_chain, planar_arm, rest

import posable
from posable import Comfort, Joint, Pose, Reach, Skeleton, Status, Stay, solve
from posable.solvers import VirtualForce


def elastic_arm(elasticity: tuple[float, ...], comfort: tuple[float, float] | None = None) -> Skeleton:
    joints = [
        replace(joint, elasticity=e, comfort=None if comfort is None else (comfort,))
        for joint, e in zip(planar_arm(*[0.5] * len(elasticity)).definitions, elasticity, strict=False)
    ]
    return Skeleton([*joints, Joint("tip", "fixed", joints[-1].name, (0.5, 0, 0))])


def least_bend(
    skeleton: Skeleton, start: np.ndarray, target: np.ndarray, weights: np.ndarray, band: float = 0.0
) -> float:
    """The least energy of all poses that hold the tip, from another solver."""
    found = minimize(
        lambda q: 0.5 * (weights * np.maximum(0, np.abs(q) - band) ** 2).sum(),
        start,
        constraints={"type": "eq", "fun": lambda q: Pose(skeleton, q).origins[-1, :2] - target[:2]},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    return float(found.fun)


@pytest.mark.parametrize("elasticity", [(1.0,) * 6, (1.0, 0.8, 0.6, 0.4, 0.2, 0.1)])
def test_an_elastic_chain_spreads_its_bend(elasticity: tuple[float, ...]) -> None:
    """After it has touched, it goes on until no other pose near it that holds the target is bent less."""
    skeleton, weights = elastic_arm(elasticity), np.array(elasticity)
    target = np.array([1.2, 1.8, 0.0])
    first = Pose(skeleton, [0.1, 0.0, 0.0, 0.9, 0.9, 0.0])
    kept, eased = (
        solve(first, [Reach("tip", target)], method=VirtualForce(settle=settle), max_iterations=1000)
        for settle in (False, True)
    )
    assert kept.status is Status.REACHED
    assert eased.status is Status.REACHED
    assert eased.goals[0].distance is not None
    assert eased.goals[0].distance <= 1e-6
    energy = float(0.5 * (weights * eased.pose.q**2).sum())
    assert energy == pytest.approx(least_bend(skeleton, eased.pose.q, target, weights), rel=1e-5)
    assert energy < 0.5 * (weights * kept.pose.q**2).sum()
    if len(set(elasticity)) == 1:
        assert np.abs(eased.pose.q).max() < 0.7 * np.abs(kept.pose.q).max()
    else:  # the softest bends most
        assert abs(eased.pose.q[-1]) > abs(eased.pose.q[1])


def test_within_its_comfort_a_joint_does_not_resist_and_beyond_it_is_not_forbidden() -> None:
    skeleton = elastic_arm((0.0,) * 6, comfort=(-0.3, 0.3))
    inside, beyond = (
        solve(
            Pose(skeleton, [0.1, 0, 0, 0.9, 0.9, 0]), [Reach("tip", target)], method=VirtualForce(), max_iterations=1000
        )
        for target in ((2.5, 1.2, 0.0), (-1.2, 0.2, 0.0))
    )
    assert inside.status is Status.REACHED
    assert np.abs(inside.pose.q).max() <= 0.3 + 1e-4
    assert beyond.status is Status.REACHED
    assert np.abs(beyond.pose.q).max() > 0.4


def test_soft_goals_are_served_once_it_touches() -> None:
    skeleton = planar_arm(*[0.5] * 6)
    target, first = (1.2, 1.8, 0.0), Pose(skeleton, [0.1, 0.0, 0.0, 0.9, 0.9, 0.0])
    wish = Pose(skeleton, [0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    for goal in (Stay(wish), Comfort({f"h{k}": value for k, value in enumerate(wish.q)})):
        solution = solve(first, [Reach("tip", target), goal], method=VirtualForce(), max_iterations=1000)
        assert solution.status is Status.REACHED
        jacobian = solution.pose.jacobian("tip")[:2]
        away = wish.q - solution.pose.q
        across = away - np.linalg.pinv(jacobian) @ (jacobian @ away)
        assert np.abs(across).max() < 1e-4


@pytest.mark.parametrize("massive", [False, True])
def test_weight_hangs_as_low_as_the_target_lets_it(massive: bool) -> None:
    """A chain held at both ends: its centre of mass sinks while the tip stays where it is."""
    arm = planar_arm(*[0.3] * 8)
    if massive:
        arm = Skeleton([replace(j, mass=1.0, mass_center=(0.15, 0, 0)) if j.dof else j for j in arm.definitions])
    start = rest(arm).plus([1.2, -0.3, -0.3, -0.3, -0.3, -0.3, -0.3, -0.3])
    target = start.origins[-1]
    solution = solve(start, [Reach("tip", target)], method=VirtualForce(gravity=1.0), max_iterations=2000, trace=True)
    assert solution.status is Status.REACHED

    def height(q: np.ndarray) -> float:
        origins = Pose(arm, q).origins
        return float(((origins[1:, 1] + origins[:-1, 1]) / 2).mean())

    assert solution.trace is not None
    assert np.linalg.norm(solution.trace.origins[:, -1] - target, axis=-1).max() <= 1e-6
    found = minimize(
        height, solution.pose.q, method="SLSQP", options={"maxiter": 500, "ftol": 1e-14},
        constraints={"type": "eq", "fun": lambda q: Pose(arm, q).origins[-1, :2] - target[:2]},
    )  # fmt: skip
    assert height(solution.pose.q) == pytest.approx(found.fun, abs=1e-3)
    assert height(solution.pose.q) < height(start.q) - 0.3


def test_a_batch_that_settles_is_the_loop_of_singles() -> None:
    snake = posable.figure("snake")
    targets = np.array([[0.3, 0.3, 0.5], [-0.2, 0.1, 0.6], [2.0, 1.0, 1.0]])
    options = {"method": VirtualForce(gravity=0.2), "max_iterations": 40, "tolerance": 1e-4}
    batch = solve(snake.rest, [Reach("head", targets)], **options)
    for n, target in enumerate(targets):
        single = solve(snake.rest, [Reach("head", target)], **options)
        np.testing.assert_array_equal(single.pose.q, batch.pose.q[n])
        assert single.iterations == batch.iterations[n]


def test_the_snake_chases_what_is_moved_and_then_lies_comfortably() -> None:
    """Every target from where the last one has left it; at the end its bends beyond comfort cost least near by."""
    snake = posable.figure("snake")
    prepared = posable.prepare(
        snake.skeleton, [Reach("head", (0, 0, 0), tip=(0, 0, 0.079))], method=VirtualForce(), tolerance=1e-3,
        max_iterations=300,
    )  # fmt: skip
    pose = snake.rest
    for step in range(9):
        target = (0.5 * math.sin(0.4 * step), 0.2 + 0.02 * step, 0.5 + 0.02 * step)
        solution = prepared.solve(pose, [target])
        assert solution.status is Status.REACHED
        np.testing.assert_array_equal(solution.pose.clamped().q, solution.pose.q)
        before, pose = pose, solution.pose
    quick = posable.prepare(
        snake.skeleton, [Reach("head", (0, 0, 0), tip=(0, 0, 0.079))], method=VirtualForce(settle=False), tolerance=1e-3
    ).solve(before, [target])
    elasticity = np.array([joint.elasticity for joint in snake.skeleton.definitions for _ in range(joint.dof)])

    def strain(q: np.ndarray) -> float:
        return float((elasticity * Comfort().residual(Pose(snake.skeleton, q)) ** 2).sum())

    assert strain(pose.q) < 0.8 * strain(quick.pose.q)


def test_a_ball_is_drawn_to_its_rest_rotation() -> None:
    """Elastic balls: the turn that the tip leaves free goes back to none."""
    joints = [replace(joint, elasticity=1.0) if joint.dof else joint for joint in ball_chain(0.5, 0.5, 0.5).definitions]
    skeleton = Skeleton(joints)
    start = rest(skeleton).plus(np.linspace(0.5, -0.4, 9))
    solution = solve(start, [Reach("tip", (0.4, 1.2, 0.2))], method=VirtualForce(), max_iterations=500, tolerance=1e-10)
    assert solution.status is Status.REACHED
    bends = rest(skeleton).minus(solution.pose)
    jacobian = solution.pose.jacobian("tip")[:3]
    across = bends - np.linalg.pinv(jacobian) @ (jacobian @ bends)
    assert np.abs(across).max() < 1e-4
