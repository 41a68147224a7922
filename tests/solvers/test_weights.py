"""Weights as data: the goals' own change nothing, 0 leaves a goal out, a batch equals the loop of singles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from solvers.chains import panda
from solvers.people import ARM_R, TRUNK, mannequin, moved, place, standing

from posable import (
    Comfort,
    GoalError,
    Gravity,
    LookAt,
    Orient,
    Place,
    Pose,
    Reach,
    Skeleton,
    Status,
    Stay,
    figure,
    prepare,
    track,
    with_masses,
)
from posable.goals import Goal
from posable.solvers import CyclicDescent, DampedLeastSquares

RNG = np.random.default_rng(11)
POSES = moved(RNG, (*TRUNK, *ARM_R), 6)
HAND = place(POSES, "hand_r")
LEFT = place(standing(), "hand_l") + np.array((0.05, 0.1, 0.1))
ROOT = ("root",)


def goals_of_a_person() -> list[Goal]:
    """Two priorities, a look with shares, an aim that misses, and two soft goals."""
    return [
        Reach("hand_r", HAND[0]),
        Reach("hand_l", LEFT, weight=0.5),
        LookAt("head", (0.4, 1.5, 2.0), share={"neck": 0.4, "chest": 0.2}, weight=2.0),
        Orient("hand_r", (1.0, 0.0, 0.0, 0.0), priority=1),
        Stay(standing()),
        Comfort({"forearm_r": ((0.2, 0.4), 1.0)}, weight=2e-3),
    ]


def poses(skeleton: Skeleton, count: int) -> Pose:
    return skeleton.random_pose(RNG, (count,))


def test_the_goals_own_weights_change_nothing() -> None:
    goals = goals_of_a_person()
    own = [1.0, 0.5, 2.0, 1.0, 1e-3, 2e-3]
    prepared = prepare(mannequin(), goals, frozen=ROOT)
    plain, weighted = prepared.solve(standing()), prepared.solve(standing(), weights=own)
    np.testing.assert_array_equal(weighted.pose.q, plain.pose.q)
    assert (weighted.status, weighted.iterations) == (plain.status, plain.iterations)
    several = prepared.solve(standing(), [HAND, *[None] * 5], weights=[np.ones(6), *own[1:]])
    expected = prepared.solve(standing(), [HAND, *[None] * 5])
    np.testing.assert_allclose(several.pose.q, expected.pose.q, atol=1e-9)
    np.testing.assert_array_equal(several.status, expected.status)


@pytest.mark.parametrize("off", range(6))
def test_a_goal_of_weight_0_is_left_out(off: int) -> None:
    goals = goals_of_a_person()
    own = [0.0 if k == off else None for k in range(6)]
    rest = [goal for k, goal in enumerate(goals) if k != off]
    without = prepare(mannequin(), rest, frozen=ROOT).solve(standing())
    solution = prepare(mannequin(), goals, frozen=ROOT).solve(standing(), weights=own)
    np.testing.assert_allclose(solution.pose.q, without.pose.q, atol=1e-9)
    assert solution.status == without.status
    assert len(solution.goals) == 6


def test_what_is_switched_off_does_not_count_for_the_status() -> None:
    goals = [Reach("hand_r", place(standing(), "hand_r") * 0.99), Reach("hand_l", (9.0, 9.0, 9.0))]
    prepared = prepare(mannequin(), goals, restarts=2, frozen=ROOT)
    solution = prepared.solve(standing(), weights=[None, [0.0, 1.0, 3.0]])
    assert np.asarray(solution.status).tolist() == [Status.REACHED, Status.OUT_OF_REACH, Status.OUT_OF_REACH]
    assert "hand_l is switched off (weight 0)" in solution.describe((0,))
    assert "switched off" not in solution.describe((1,))
    assert not solution.at_limit[0].any()
    nothing = prepared.solve(standing(), weights=[0.0, 0.0])
    assert nothing.status is Status.REACHED
    np.testing.assert_array_equal(nothing.pose.q, standing().q)


def test_weights_are_what_the_goals_count() -> None:
    """An arm that cannot be at two places: the answer is that of goals with these weights."""
    skeleton, ends = panda(), ((0.5, 0.2, 0.5), (-0.2, 0.5, 0.7))
    start = poses(skeleton, 1)[0]
    for first, second in ((1.0, 3.0), (0.2, 0.1)):
        goals = [Reach("hand", ends[0], weight=first), Reach("hand", ends[1], weight=second)]
        expected = prepare(skeleton, goals, restarts=3).solve(start)
        given = prepare(skeleton, [Reach("hand", end) for end in ends], restarts=3)
        solution = given.solve(start, weights=[first, second])
        np.testing.assert_allclose(solution.pose.origins[-1], expected.pose.origins[-1], atol=1e-7)
        between = (first * np.array(ends[0]) + second * np.array(ends[1])) / (first + second)
        np.testing.assert_allclose(solution.pose.origins[-1], between, atol=1e-6)
        assert solution.status == expected.status
        np.testing.assert_array_equal(solution.at_limit, expected.at_limit)


def test_both_weights_of_a_place_keep_their_ratio() -> None:
    skeleton = panda()
    frame = poses(skeleton, 1).world_from_joint[0, -1] + np.outer((1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    start = poses(skeleton, 1)[0]
    other = Reach("j4", (0.1, 0.2, 0.5))
    scaled = prepare(skeleton, [Place("hand", frame, 3.0, 1.5), other], restarts=2).solve(start)
    given = prepare(skeleton, [Place("hand", frame, 1.0, 0.5), other], restarts=2).solve(start, weights=[3.0, None])
    np.testing.assert_allclose(given.pose.q, scaled.pose.q, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("method", [None, DampedLeastSquares(), CyclicDescent(), {"hand_r": CyclicDescent()}])
def test_a_batch_with_weights_equals_the_loop_of_singles(method: object) -> None:
    goals = [Reach("hand_r", HAND[0]), Reach("hand_l", LEFT)]
    prepared = prepare(mannequin(), goals, method=method, restarts=3, frozen=ROOT)  # pyright: ignore
    first, second = np.array([1.0, 0.0, 2.0, 0.3, 1.0, 0.0]), np.array([[0.0], [0.7]])
    solution = prepared.solve(standing(), [HAND, None], weights=[first, second])
    assert solution.pose.shape == (2, 6)
    for i, j in np.ndindex(2, 6):
        one = prepared.solve(standing(), [HAND[j], None], weights=[first[j], second[i, 0]])
        assert np.asarray(solution.status)[i, j] == one.status
        if isinstance(method, dict) and one.status == Status.OUT_OF_REACH:  # a straight arm: rounding decides its roll
            hands = [mannequin().index(joint) for joint in ("hand_l", "hand_r")]
            np.testing.assert_allclose(solution.pose.origins[i, j, hands], one.pose.origins[hands], atol=1e-6)
        else:
            np.testing.assert_allclose(solution.pose.q[i, j], one.pose.q, atol=1e-9)


@pytest.mark.slow
def test_a_slider_that_goes_on_and_on_takes_no_more_memory() -> None:
    """What other methods prepare for a row of weights is forgotten in time, and the same when built again."""
    prepared = prepare(panda(), [Reach("hand", (0.5, 0.2, 0.5))], method=DampedLeastSquares(), restarts=0)
    start, weights = Pose(panda(), panda().rest_coordinates), np.linspace(0.5, 1.0, 300)
    solution = prepared.solve(start, weights=[weights])
    kept = prepared.weighted._kept.cache_info()  # pyright: ignore[reportPrivateUsage]
    assert kept.currsize < 300 <= kept.misses
    np.testing.assert_array_equal(prepared.solve(start, weights=[weights[0]]).pose.q, solution.pose.q[0])


def test_soft_goals_pull_by_their_weights_of_each_problem() -> None:
    skeleton = with_masses(figure("mannequin")).skeleton
    start = Pose(skeleton, skeleton.rest_coordinates)
    other = Pose(skeleton, moved(RNG, ARM_R, 1).q[0])
    goals = [Reach("hand_r", HAND[0]), Stay(start), Stay(other), Gravity()]
    prepared = prepare(skeleton, goals, frozen=ROOT)
    table = np.array([[1.0, 1.0, 1e-3, 0.0], [1.0, 1e-3, 3e-3, 1e-3], [0.0, 1.0, 2.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    solution = prepared.solve(start, weights=list(table.T))
    for n, row in enumerate(table):
        kept = [goal.with_weight(w) for goal, w in zip(goals, row, strict=True) if w > 0]
        expected = prepare(skeleton, kept, frozen=ROOT).solve(start)
        np.testing.assert_allclose(solution.pose.q[n], expected.pose.q, atol=1e-6)
        assert np.asarray(solution.status)[n] == expected.status


def frames_and_weights() -> tuple[Sequence[np.ndarray | None], list[np.ndarray]]:
    t = np.linspace(0, 1, 24)[:, None]
    right = place(standing(), "hand_r") + t * (0.0, 0.3, 0.3)
    left = place(standing(), "hand_l") + np.sin(3 * t) * (0.05, 0.1, 0.2)
    fade = np.clip(2 * t[:, 0] - 0.5, 0, 1)
    return [right, left], [np.ones(24), fade]


@pytest.mark.parametrize("method", [None, DampedLeastSquares()])
def test_a_track_with_weights_goes_frame_by_frame(method: DampedLeastSquares | None) -> None:
    """Each frame is a track of one frame from the pose before, by goals of that frame's weights."""
    targets, weights = frames_and_weights()
    goals = [Reach("hand_r", targets[0][0]), Reach("hand_l", targets[1][0])]  # pyright: ignore
    prepared = prepare(mannequin(), goals, method=method, frozen=ROOT)  # pyright: ignore
    followed = prepared.track(standing(), targets, weights=weights)
    pose, own = standing(), weights[1]
    for n in range(24):
        kept = [goals[0], goals[1].with_weight(own[n])] if own[n] > 0 else goals[:1]
        single = prepare(mannequin(), kept, method=method, frozen=ROOT)  # pyright: ignore
        one = single.track(pose, [target[n : n + 1] for target in targets[: len(kept)]])  # pyright: ignore
        np.testing.assert_allclose(place(followed.pose[n], "hand_r"), place(one.pose[0], "hand_r"), atol=2e-6)
        assert np.asarray(followed.status)[n] == np.asarray(one.status)[0]
        pose = followed.pose[n]
    off = np.linalg.norm(place(followed.pose, "hand_l") - targets[1], axis=-1)  # pyright: ignore
    assert off[own == 0].max() > 0.01
    assert off[own == 1].max() < 1e-6


def test_a_track_without_a_goal_is_one_of_weight_0_throughout() -> None:
    targets, _ = frames_and_weights()
    goals = [Reach("hand_r", targets[0][0]), Reach("hand_l", targets[1][0])]  # pyright: ignore
    prepared = prepare(mannequin(), goals, frozen=ROOT)
    without = prepare(mannequin(), goals[:1], frozen=ROOT).track(standing(), targets[:1])
    np.testing.assert_allclose(
        prepared.track(standing(), targets, weights=[1.0, 0.0]).pose.q, without.pose.q, atol=1e-9
    )
    plain = prepared.track(standing(), targets)
    np.testing.assert_array_equal(prepared.track(standing(), targets, weights=[1.0, None]).pose.q, plain.pose.q)
    clip = track(standing(), [Reach("hand_r", targets[0]), goals[1]], weights=[None, 0.0], frozen=ROOT)  # pyright: ignore
    np.testing.assert_allclose(clip.q, without.pose.q, atol=1e-9)


def test_a_switched_off_limb_keeps_still_while_it_is() -> None:
    """Under limits of speed too, in the frames in which its goal counts 0."""
    targets, weights = frames_and_weights()
    goals = [Reach("hand_r", targets[0][0]), Reach("hand_l", targets[1][0])]  # pyright: ignore
    prepared = prepare(mannequin(), goals, frozen=("root", "spine", "chest"))
    pose = prepared.track(standing(), targets, weights=weights, speed=5.0).pose
    arm = mannequin().freedom_mask(["clavicle_l", "upper_arm_l", "forearm_l", "hand_l"])
    away = pose.minus(standing())[:, arm]
    np.testing.assert_array_equal(away[weights[1] == 0], 0.0)
    assert np.abs(away[weights[1] > 0]).max() > 0.1


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "1 weights for 2 goals"),
        (2.0, "weights are a list of one per goal"),
        ([-1.0, None], r"Reach\('hand_r'\): weights must be finite numbers of at least 0"),
        ([1.0, np.nan], "Stay: weights must be finite numbers of at least 0"),
        ([1.0, "much"], "Stay: weights must be numbers"),
        ([np.ones(5), None], r"Reach\('hand_r'\): weights of shape \(5,\) do not go with \(6,\)"),
    ],
)
def test_wrong_weights_are_refused_by_name(weights: object, message: str) -> None:
    prepared = prepare(mannequin(), [Reach("hand_r", HAND), Stay(standing())])
    with pytest.raises(GoalError, match=message):
        prepared.solve(standing(), weights=weights)  # pyright: ignore
    with pytest.raises(GoalError, match=message):
        prepared.track(standing(), weights=weights)  # pyright: ignore


def test_a_wrong_target_of_what_is_switched_off_is_refused_too() -> None:
    prepared = prepare(mannequin(), [Reach("hand_r", HAND), Reach("hand_l", HAND)])
    with pytest.raises(GoalError, match=r"Reach\('hand_l'\): target holds a number that is not finite"):
        prepared.solve(standing(), [None, [np.nan, 0.0, 0.0]], weights=[1.0, 0.0])
