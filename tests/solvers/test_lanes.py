"""Batches that are solved side by side: every answer is that of the single solve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from posable import (
    Axis,
    Comfort,
    Custom,
    GoalError,
    Joint,
    LookAt,
    Orient,
    Place,
    Pose,
    Reach,
    Skeleton,
    Solution,
    Status,
    prepare,
)
from posable.goals import Goal
from posable.solvers.methods import Newton
from posable.spatial import wxyz_about, wxyz_from_matrix
from tests.solvers import closed_arms
from tests.solvers.chains import middle, mixture, panda, person, planar_arm, rest


def scara() -> Skeleton:
    """Two hinges, a slide and a turning hand, with ease, stiffness and an axis beside its joint's origin."""
    turned = tuple(wxyz_about((1, 1, 0), 0.3).tolist())
    return Skeleton(
        [
            Joint("base", "fixed", wxyz=turned),
            Joint("one", "hinge", "base", (0, 0, 0.4), axes=(Axis((0, 0, 1), lower=-2.5, upper=2.6),), ease=0.2),
            Joint("two", "hinge", "one", (0.3, 0, 0), axes=(Axis((0, 0, 1), anchor=(0.02, 0, 0), lower=-2, upper=2),)),
            Joint("down", "slide", "two", (0.25, 0, 0), axes=(Axis((0, 0, -1), slide=True, lower=0.0, upper=0.3),)),
            Joint("hand", "hinge", "down", axes=(Axis((0, 0, 1)),), stiffness=1.0),
        ],
        "z",
    )


def six_joint_arm() -> Skeleton:
    """The seven-joint arm without its third joint."""
    hinges = list(panda().definitions)
    return Skeleton([*hinges[:2], _under(hinges[3], "j2", (0.0825, -0.316, 0)), *hinges[4:]], "z")


def _under(joint: Joint, parent: str, position: tuple[float, float, float]) -> Joint:
    return Joint(joint.name, joint.kind, parent, position, axes=joint.axes)


def two_arms() -> Skeleton:
    """A turning and bending trunk on a cart that drives in a plane, and two arms of three hinges."""
    joints = [
        Joint("cart", "planar"),
        Joint(
            "trunk", "universal", "cart", axes=(Axis((0, 1, 0), lower=-1, upper=1), Axis((1, 0, 0), lower=-1, upper=1))
        ),
    ]
    for x, side in ((1, "l"), (-1, "r")):
        parent, at = "trunk", (0.2 * x, 0.5, 0.0)
        for k, direction in enumerate(((0, 0, 1), (0, 1, 0), (0, 0, 1))):
            axes = (Axis(direction, lower=-1.8, upper=1.8),)
            joints.append(Joint(f"{side}{k}", "hinge", parent, at, axes=axes))
            parent, at = f"{side}{k}", (0.25 * x, 0.0, 0.0)
        joints.append(Joint(f"{side}_hand", "fixed", parent, at))
    return Skeleton(joints)


def poses(skeleton: Skeleton, count: int, seed: int = 0) -> Pose:
    """Random ones within the limits."""
    low, high = np.maximum(skeleton.lower, -math.pi), np.minimum(skeleton.upper, math.pi)
    return Pose(skeleton, np.random.default_rng(seed).uniform(low, high, (count, skeleton.dof)))


def reach_and_turn(joint: str) -> list[Goal]:
    """Two goals and not one `Place`, so that no closed form takes the solve."""
    return [Reach(joint, (0, 0, 0)), Orient(joint, (1, 0, 0, 0))]


def places(pose: Pose, joint: str, farther: float = 1.0) -> list[np.ndarray]:
    """Points and turns of a joint; every second point moved away from the base, up to so many times as far."""
    world = pose.world_from_joint[:, pose.skeleton.joints.index(joint)]
    away = np.where(np.arange(len(world)) % 2, np.random.default_rng(1).uniform(1, farther, len(world)), 1.0)
    return [world[:, :3, 3] * away[:, None], wxyz_from_matrix(world[:, :3, :3])]


def both_ways(
    goals: Sequence[Goal], targets: Sequence[np.ndarray], start: Pose, **options: Any
) -> tuple[Solution, list[Solution]]:
    """The batch, side by side, and its problems one by one."""
    prepared = prepare(start.skeleton, goals, **options)
    assert prepared.engine.route.in_simd
    single = [prepared.solve(start, [target[n] for target in targets]) for n in range(len(targets[0]))]
    return prepared.solve(start, targets), single


def left_over(solution: Solution) -> np.ndarray:
    """`[..., error]` distances and angles of all goals."""
    errors = [e for goal in solution.goals for e in (goal.distance, goal.angle) if e is not None]
    return np.stack([np.asarray(e) for e in errors], axis=-1)


def check_alike(goals: Sequence[Goal], targets: Sequence[np.ndarray], start: Pose, **options: Any) -> np.ndarray:
    """Assert that batch and singles have the same outcomes, errors within 1e-7 of each other and, but for one in
    fifty, the same iterations; and that the batch keeps the limits. Returns how far the poses are apart.

    Where a solve ends on a goal it stops anywhere within the tolerance, and where it ends at a minimum the last digits
    of the error decide when: there rounding shows. A gradient of 1e-8 of the error counts as none, and over a flat
    minimum's curvature that leaves some 1e-8 of what one goal yields to another.
    """
    many, single = both_ways(goals, targets, start, **options)
    skeleton = start.skeleton
    counts = np.array([one._counts[0] for one in single])
    np.testing.assert_array_equal(many._counts[:, 0], counts[:, 0])
    assert (many._counts[:, 1] == counts[:, 1]).mean() >= 0.96
    np.testing.assert_allclose(left_over(many), np.array([left_over(one) for one in single]), rtol=0, atol=1e-7)
    assert (many.pose.q >= skeleton.lower).all() and (many.pose.q <= skeleton.upper).all()
    return np.abs(many.pose.q - np.array([one.pose.q for one in single])).max(axis=1)


@pytest.mark.parametrize("skeleton", [six_joint_arm(), scara(), planar_arm(1, 0.7, 0.5, limits=(-1.2, 1.2))])
def test_isolated_answers_are_the_same_to_the_last_digits(skeleton: Skeleton) -> None:
    hand = skeleton.joints[-1]
    start = rest(skeleton)
    assert check_alike(reach_and_turn(hand), places(poses(skeleton, 300), hand), start).max() < 1e-9


@pytest.mark.parametrize("skeleton", [six_joint_arm(), scara(), planar_arm(1, 0.7, 0.5, limits=(-1.2, 1.2))])
def test_compromises_and_limits_are_the_same(skeleton: Skeleton) -> None:
    """At the flat bottom of a minimum a step of 1e-7 wins less than can be seen: one in fifty poses stops there."""
    hand = skeleton.joints[-1]
    targets = places(poses(skeleton, 300), hand, farther=2.0)
    apart = check_alike(reach_and_turn(hand), targets, rest(skeleton))
    assert (apart < 1e-9).mean() >= 0.98 and apart.max() < 1e-6


def test_redundant_arms_reach_alike() -> None:
    """Along the motions that leave the hand where it is nothing but damping holds the joints, and rounding shows: the
    poses agree to 1e-6 only.
    """
    start = middle(panda())
    targets = places(poses(panda(), 400), "hand", farther=1.5)
    assert check_alike(reach_and_turn("hand"), targets, start).max() < 1e-5
    assert check_alike([Reach("hand", (0, 0, 0))], targets[:1], start).max() < 1e-5


def test_straight_arms_out_of_reach() -> None:
    arm = planar_arm(1, 0.7, 0.5)
    angles = np.linspace(-3, 3, 100)
    targets = [3 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)]
    start = Pose(arm, [0.3, 0.4, -0.2])
    assert check_alike([Reach("tip", (0, 0, 0))], targets, start).max() < 1e-6
    many = prepare(arm, [Reach("tip", (0, 0, 0))]).solve(start, targets)
    np.testing.assert_allclose(left_over(many), 0.8, rtol=0, atol=1e-12)
    assert (np.asarray(many.status) == Status.OUT_OF_REACH).all()


def test_goals_of_several_joints() -> None:
    """What the first attempt does not reach is solved one by one, to the same end."""
    figure = two_arms()
    pose = poses(figure, 200)
    targets = [places(pose, hand, farther=1.6)[0] for hand in ("l_hand", "r_hand")]
    goals = [Reach("l_hand", (0, 0, 0)), Reach("r_hand", (0, 0, 0))]
    assert check_alike(goals, targets, rest(figure), restarts=6).max() < 1e-5


def test_two_arms_far_out_of_reach_bend_apart() -> None:
    """What one arm's goal adds to the curvature is nothing to the other arm."""
    figure = two_arms()
    targets = [places(poses(figure, 200, seed), hand, farther=6.0)[0] for seed, hand in enumerate(("l_hand", "r_hand"))]
    goals = [Reach("l_hand", (0, 0, 0)), Reach("r_hand", (0, 0, 0))]
    many, single = both_ways(goals, targets, rest(figure), restarts=0, max_iterations=12)
    np.testing.assert_allclose(left_over(many), np.array([left_over(one) for one in single]), rtol=0, atol=1e-7)


def test_few_attempts_and_iterations() -> None:
    start = middle(panda())
    targets = places(poses(panda(), 200), "hand", farther=1.5)
    for options in ({"restarts": 0}, {"restarts": 0, "max_iterations": 1}, {"restarts": 3, "max_iterations": 7}):
        check_alike(reach_and_turn("hand"), targets, start, **options)


def test_frozen_joints_stay_and_starts_are_each_their_own() -> None:
    arm = panda()
    start = poses(arm, 100, seed=3)
    targets = places(poses(arm, 100), "hand")[:1]
    prepared = prepare(arm, [Reach("hand", (0, 0, 0))], frozen=["j2", "j5"])
    assert prepared.engine.route.in_simd
    many = prepared.solve(start, targets)
    single = [prepared.solve(Pose(arm, start.q[n]), [targets[0][n]]) for n in range(100)]
    np.testing.assert_array_equal(many.pose.q[:, [1, 4]], start.q[:, [1, 4]])
    np.testing.assert_array_equal(many._counts[:, 0], [one._counts[0, 0] for one in single])
    np.testing.assert_allclose(many.pose.q, [one.pose.q for one in single], rtol=0, atol=1e-5)


def test_every_size_of_batch() -> None:
    """Whatever is left when the problems run out: the answers do not depend on their neighbours."""
    arm = six_joint_arm()
    targets = places(poses(arm, 100), "hand")
    prepared = prepare(arm, reach_and_turn("hand"))
    whole = prepared.solve(rest(arm), targets).pose.q
    for count in (64, 65, 71, 99):
        part = prepared.solve(rest(arm), [target[-count:] for target in targets]).pose.q
        np.testing.assert_array_equal(part, whole[-count:])


def test_a_wrong_target_is_named() -> None:
    targets = places(poses(panda(), 100), "hand")
    targets[0][77, 1] = math.nan
    with pytest.raises(GoalError, match=r"Reach.*not finite.*problem 77 of the batch"):
        prepare(panda(), reach_and_turn("hand")).solve(middle(panda()), targets)


def test_what_is_not_plain_is_not_solved_side_by_side() -> None:
    one = six_joint_arm()
    assert prepare(one, [Reach("hand", (0, 0, 0))]).engine.route.in_simd
    assert prepare(one, [Place("hand", np.eye(4))]).engine.route.in_simd
    assert not prepare(
        closed_arms.arm(closed_arms.PUMA), [Place("tool", np.eye(4))]
    ).engine.route.in_simd  # a closed form
    assert not prepare(one, [Reach("hand", (0, 0, 0), relative_to="j2")]).engine.route.in_simd
    assert not prepare(one, [Reach("hand", (0, 0, 0), priority=1)]).engine.route.in_simd
    assert not prepare(one, [Reach("hand", (0, 0, 0)), Comfort()]).engine.route.in_simd
    assert not prepare(one, [LookAt("hand", (0, 0, 0), forward=(0, 0, 1))]).engine.route.in_simd
    assert not prepare(person(), [Reach("spine4", (0, 0, 0))]).engine.route.in_simd  # balls
    assert not prepare(mixture(), [Reach("hinge", (0, 0, 0))]).engine.route.in_simd  # mimics
    assert not prepare(planar_arm(*[1.0] * 17), [Reach("tip", (0, 0, 0))]).engine.route.in_simd
    assert prepare(planar_arm(*[1.0] * 16), [Reach("tip", (0, 0, 0))]).engine.route.in_simd


def test_a_prepared_list_of_goals_names_its_route() -> None:
    one = six_joint_arm()
    routes = {
        "single solve; SIMD batches": (one, [Reach("hand", (0, 0, 0))]),
        "closed form, then single solve": (closed_arms.arm(closed_arms.PUMA), [Place("tool", np.eye(4))]),
        "kernel for all goals": (one, [Reach("hand", (0, 0, 0)), Comfort()]),
        "reference solver": (one, [Custom(lambda _: 0.0)]),
    }
    for route, (skeleton, goals) in routes.items():
        assert repr(prepare(skeleton, goals)).endswith(f"; by {route})")
    assert repr(prepare(one, [Reach("hand", (0, 0, 0))], method=Newton())).endswith("; by Newton)")
