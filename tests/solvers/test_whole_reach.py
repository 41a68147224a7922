"""A person's hands over their whole reach, and targets beyond it."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.chains import middle, panda, person, rest
from solvers.people import ARM_R, TRUNK, moved, place, standing

from posable import Place, Pose, Reach, Solution, Status, solve
from posable.goals.term_arrays import ANGLE

RNG = np.random.default_rng(61)
BASE = np.array([0.0, 0.0, 0.333])


def weighted(solution: Solution, reach: float) -> np.ndarray:
    """`[...]`: the root of what the solver makes small, for one `Place`."""
    left = solution.goals[0]
    return np.sqrt((np.asarray(left.distance) / reach) ** 2 + ANGLE * np.asarray(left.angle) ** 2)


def places_beyond(count: int, beyond: float) -> np.ndarray:
    """`[count, 4, 4]`: poses of the arm's hand, moved away from the shoulder to `beyond` its reach."""
    world = panda().random_pose(np.random.default_rng(3), (count,)).world_from_joint[:, -1].copy()
    ways = world[:, :3, 3] - BASE
    world[:, :3, 3] = BASE + 0.855 * beyond * ways / np.linalg.norm(ways, axis=1, keepdims=True)
    return world


@pytest.mark.parametrize("hand", ["hand_l", "hand_r"])
@pytest.mark.parametrize("frozen", [TRUNK, ("root",)], ids=["arm alone", "spine too"])
def test_what_a_hand_can_reach_within_the_limits_it_does(hand: str, frozen: tuple[str, ...]) -> None:
    joints = tuple(name[:-1] + hand[-1] for name in ARM_R) + (() if frozen is TRUNK else ("spine", "chest"))
    targets = place(moved(RNG, joints, 300), hand)
    solution = solve(standing(), [Reach(hand, targets)], frozen=frozen)
    met = np.linalg.norm(place(solution.pose, hand) - targets, axis=1) <= 1e-6
    assert met.mean() >= 0.99
    np.testing.assert_array_equal(met, solution.status == Status.REACHED)
    np.testing.assert_allclose(solution.pose.clamped().q, solution.pose.q, atol=1e-12)


@pytest.mark.parametrize("beyond", [1.01, 1.1, 3.0])
def test_what_is_left_out_of_reach_is_the_least_of_many_attempts(beyond: float) -> None:
    """Poses on the edge of an arm's reach, pushed outwards; compared with the best of a hundred starts."""
    skeleton = panda()
    base = np.array([0.0, 0.0, 0.333])
    ends = skeleton.random_pose(RNG, (40,)).origins[:, -1] - base
    targets = base + 0.855 * beyond * ends / np.linalg.norm(ends, axis=1, keepdims=True)
    left = solve(rest(skeleton), [Reach("hand", targets)]).goals[0].distance
    starts = skeleton.random_pose(RNG, (100, 1))
    others = solve(starts, [Reach("hand", targets)], restarts=0).goals[0].distance.min(axis=0)
    assert (left <= others + 1e-6 * skeleton.reach).mean() >= 0.975


@pytest.mark.parametrize("beyond", [1.01, 1.1, 3.0])
def test_places_out_of_reach_end_in_the_least_of_many_attempts(beyond: float) -> None:
    skeleton = panda()
    targets = places_beyond(40, beyond)
    found = weighted(solve(middle(skeleton), [Place("hand", targets)]), skeleton.reach)
    starts = skeleton.random_pose(np.random.default_rng(4), (200, 1))
    others = weighted(solve(starts, [Place("hand", targets)], restarts=0), skeleton.reach).min(axis=0)
    assert (found <= others + 1e-6).mean() >= 0.9


def test_what_does_not_reach_has_nothing_left_to_win() -> None:
    """Where a solve ends without its goal, the gradient vanishes in every freedom that no limit holds."""
    skeleton = panda()
    targets = places_beyond(60, 1.1)
    pose = solve(middle(skeleton), [Place("hand", targets)], restarts=0).pose
    for q, target in zip(pose.q, targets, strict=True):
        goal, one = Place("hand", target), Pose(skeleton, q)
        scale = np.repeat([skeleton.reach**-2, ANGLE], 3)
        residual = goal.residual(one)
        downhill = -goal.jacobian(one).T @ (scale * residual)
        held = ((q <= skeleton.lower) & (downhill < 0)) | ((q >= skeleton.upper) & (downhill > 0))
        assert np.abs(downhill[~held]).max(initial=0.0) <= 1e-6 * np.sqrt(scale @ residual**2)


def test_the_weighted_error_of_a_place_never_rises() -> None:
    """Out of reach, where distance and angle are weighed against each other, with cones."""
    start = standing()
    targets = moved(RNG, (*ARM_R, "spine", "chest"), 30).world_from_joint[:, start.skeleton.index("hand_r")].copy()
    targets[:, :3, 3] += 0.4
    passed = 0
    for target in targets:
        solution = solve(start, [Place("hand_r", target)], trace=True, restarts=0, frozen=("root",))
        assert solution.trace is not None
        passed += len(solution.trace)
        goal, scale = Place("hand_r", target), np.repeat([start.skeleton.reach**-2, ANGLE], 3)
        error = [np.sqrt(scale @ goal.residual(pose) ** 2) for pose in solution.trace]
        assert np.diff(error).max() <= 1e-9
    assert passed > 300


def test_five_places_within_cones_are_met_at_once() -> None:
    """72 % by one attempt and 87 % by two, where steps are only clamped to cones and nothing goes on from there."""
    skeleton, rng = person(), np.random.default_rng(7)
    poses = Pose(skeleton, np.repeat(skeleton.rest_coordinates[None], 300, axis=0))
    poses = poses.plus(0.8 * rng.normal(size=(300, skeleton.dof))).clamped()
    ends = ("neck2", "arm_l3", "arm_r3", "leg_l3", "leg_r3")
    goals = [Place(joint, poses.world_from_joint[:, skeleton.index(joint)]) for joint in ends]
    assert np.mean(solve(rest(skeleton), goals, restarts=0).status == Status.REACHED) > 0.98
    solution = solve(rest(skeleton), goals, restarts=1)
    assert np.all(solution.status == Status.REACHED)
    np.testing.assert_array_equal(solution.pose.clamped().q, solution.pose.q)
