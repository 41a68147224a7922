"""A person's hands over their whole reach, and targets beyond it."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.chains import panda, rest
from solvers.people import ARM_R, TRUNK, moved, place, standing

from posable import Reach, Status, solve

RNG = np.random.default_rng(61)


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
