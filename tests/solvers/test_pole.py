"""An elbow goes where its pole wants it, never at the hand's cost, and never flips."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.people import ARM_R, TRUNK, biggest_steps, mannequin, moved, place, standing

from posable import Pole, Pose, Reach, Status, prepare, solve

RNG = np.random.default_rng(21)
TARGET = np.array([-0.35, 1.2, 0.35])
FREE = mannequin().without_limits()


def bend(pose: Pose) -> np.ndarray:
    """How far the elbow is from the line between shoulder and hand."""
    shoulder, elbow, hand = (place(pose, name) for name in ("upper_arm_r", "forearm_r", "hand_r"))
    line = (hand - shoulder) / np.linalg.norm(hand - shoulder, axis=-1, keepdims=True)
    return np.linalg.norm(np.cross(elbow - shoulder, line), axis=-1)


def side_angle(pose: Pose, towards: np.ndarray) -> np.ndarray:
    """Radians between elbow and `towards`, seen along the line from shoulder to hand."""
    shoulder, elbow, hand = (place(pose, name) for name in ("upper_arm_r", "forearm_r", "hand_r"))
    line = (hand - shoulder) / np.linalg.norm(hand - shoulder, axis=-1, keepdims=True)
    across = [v - np.sum(v * line, axis=-1, keepdims=True) * line for v in (elbow - shoulder, towards - shoulder)]
    lengths = [np.linalg.norm(v, axis=-1) for v in across]
    return np.arccos(np.clip(np.sum(across[0] * across[1], axis=-1) / (lengths[0] * lengths[1]), -1, 1))


def circle(start: Pose, count: int = 360) -> np.ndarray:
    """Places all the way round the line from shoulder to target."""
    shoulder = place(start, "upper_arm_r")
    line = (TARGET - shoulder) / np.linalg.norm(TARGET - shoulder)
    across = np.cross(line, (0, 1, 0)) / np.linalg.norm(np.cross(line, (0, 1, 0)))
    angle = np.linspace(0, 2 * np.pi, count)[:, None]
    return shoulder + 0.5 * (TARGET - shoulder) + np.cos(angle) * across + np.sin(angle) * np.cross(line, across)


def test_the_elbow_is_on_the_wanted_side_and_the_hand_at_its_target() -> None:
    poses = moved(RNG, ARM_R[:3], 100)
    towards = RNG.normal(size=(100, 3)) + np.array([0, 1.2, 0])
    start = standing(FREE)
    solution = solve(start, [Reach("hand_r", place(poses, "hand_r")), Pole("hand_r", towards)], frozen=TRUNK)
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(place(solution.pose, "hand_r") - place(poses, "hand_r"), axis=-1).max() < 1e-6
    assert np.quantile(side_angle(solution.pose, towards), 0.99) < 2e-5
    np.testing.assert_allclose(solution.goals[1].angle, side_angle(solution.pose, towards), atol=1e-6)


def test_limits_may_keep_the_elbow_from_its_side_but_never_the_hand_from_its_target() -> None:
    rng = np.random.default_rng(5)
    poses = moved(rng, ARM_R[:3], 200)
    reach = Reach("hand_r", place(poses, "hand_r"))
    towards = rng.normal(size=(200, 3)) + np.array([0, 1.2, 0])
    alone = solve(standing(), [reach], frozen=TRUNK)
    solution = solve(standing(), [reach, Pole("hand_r", towards)], frozen=TRUNK)
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(place(solution.pose, "hand_r") - place(poses, "hand_r"), axis=-1).max() < 1e-6
    np.testing.assert_allclose(solution.pose.clamped().q, solution.pose.q, atol=1e-12)
    assert (bend(solution.pose) > 0.1 * bend(alone.pose)).all(), "no side is won by making the arm straight"
    before, after = side_angle(alone.pose, towards), side_angle(solution.pose, towards)
    np.testing.assert_allclose(solution.goals[1].angle, after, atol=1e-6)
    assert (after <= before + 1e-6).all()
    assert (after < 1e-4).mean() > 0.5
    stuck = after > 1e-4
    assert (after[stuck] < before[stuck] - 1e-6).mean() > 0.95, "it comes as near as limits let it"


def test_an_elbow_follows_its_pole_all_the_way_round_in_one_trajectory() -> None:
    towards = circle(standing(FREE))
    prepared = prepare(FREE, [Reach("hand_r", TARGET), Pole("hand_r", towards[0])], frozen=TRUNK)
    start = prepared.solve(standing(FREE)).pose
    solution = prepared.track(start, [None, towards])
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(place(solution.pose, "hand_r") - TARGET, axis=-1).max() < 1e-6
    assert side_angle(solution.pose, towards).max() < 2e-5
    assert biggest_steps(solution.pose).max() < 2 * (2 * np.pi / 359)


def test_an_elbow_follows_its_pole_all_the_way_round_solve_by_solve() -> None:
    towards = circle(standing(FREE))
    prepared = prepare(FREE, [Reach("hand_r", TARGET), Pole("hand_r", towards[0])], frozen=TRUNK)
    pose = prepared.solve(standing(FREE)).pose
    for point in towards:
        solution = prepared.solve(pose, [None, point])
        assert solution.status is Status.REACHED
        assert np.abs(solution.pose.minus(pose)).max() < 2 * (2 * np.pi / 359)
        assert side_angle(solution.pose, point) < 2e-5
        pose = solution.pose


def test_within_limits_the_elbow_sweeps_smoothly_over_the_sides_it_can_take() -> None:
    """From below to above the arm: no joint step much larger than the target's own."""
    towards = circle(standing())
    prepared = prepare(mannequin(), [Reach("hand_r", TARGET), Pole("hand_r", towards[0])], frozen=TRUNK)
    free = np.array([prepared.solve(standing(), [None, point]).goals[1].angle < 1e-5 for point in towards[::5]])
    assert 0.2 < free.mean() < 1
    runs = np.split(np.arange(len(free)), np.flatnonzero(np.diff(free.astype(int))) + 1)
    first, last = max(((run[0], run[-1]) for run in runs if free[run[0]]), key=lambda pair: pair[1] - pair[0])
    sweep = towards[5 * first : 5 * last + 1]
    start = prepared.solve(standing(), [None, sweep[0]]).pose
    solution = prepared.track(start, [None, sweep])
    assert (solution.status == Status.REACHED).all()
    assert biggest_steps(solution.pose).max() < 4 * (2 * np.pi / 359)


def test_the_straighter_an_arm_the_more_its_angle_counts_and_straight_is_the_worst() -> None:
    flexed = np.array([0.0, 1e-9, 1e-7, 1e-4, 0.01, 0.1, 0.3, 1.0, 2.0, 3.0])
    pose = standing(FREE).with_joint("forearm_r", flexed[:, None])
    first, hand = place(pose, "upper_arm_r"), place(pose, "hand_r")
    across = np.cross(hand - first, (1.0, 1.0, 0.0))
    goal = Pole("hand_r", first + across)
    residual, angle = goal.residual(pose), side_angle(pose[1:], (first + across)[1:])
    np.testing.assert_allclose(np.abs(residual[1:, 0]), angle, atol=1e-6)
    times = np.linalg.norm(residual, axis=1)[1:] / angle
    assert (times >= 1).all()
    assert (np.diff(times[flexed[1:] < np.pi / 2]) <= 1e-9).all()
    assert np.linalg.norm(residual[0]) >= times.max() * np.pi * (1 - 1e-6)
    assert times[flexed[1:] == 1.0] < 1.01


def test_a_straight_arm_is_drawn_off_its_line_to_the_side_of_its_pole() -> None:
    straight = standing(FREE).with_joint("forearm_r", np.array([0.0]))
    assert bend(straight) < 1e-12
    towards = place(straight, "forearm_r") + RNG.normal(size=(20, 3))
    reach = Reach("hand_r", place(straight, "hand_r"))
    solution = solve(straight, [reach, Pole("hand_r", towards)], frozen=TRUNK)
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(place(solution.pose, "hand_r") - reach.target, axis=-1).max() < 1e-6
    assert bend(solution.pose).min() > 1e-4
    assert side_angle(solution.pose, towards).max() < 2e-5


@pytest.mark.parametrize("far", [0.9999999, 1.0, 1.2])
def test_a_straight_arm_has_no_side_and_does_not_mind(far: float) -> None:
    start = standing(FREE)
    shoulder, elbow, hand = (place(start, name) for name in ("upper_arm_r", "forearm_r", "hand_r"))
    length = np.linalg.norm(elbow - shoulder) + np.linalg.norm(hand - elbow)
    direction = np.array([-0.6, 0.0, 0.8])
    goals = [Reach("hand_r", shoulder + far * length * direction), Pole("hand_r", (0.0, 3.0, 0.0))]
    solution = solve(start, goals, frozen=(*TRUNK, "clavicle_r"))
    assert np.isfinite(solution.pose.q).all()
    assert solution.status is (Status.REACHED if far < 1 else Status(solution.status))
    left = max(0.0, far - 1) * length
    assert np.linalg.norm(place(solution.pose, "hand_r") - goals[0].target) == pytest.approx(left, abs=2e-6)
    assert np.linalg.norm(solution.pose.minus(start)) < 10


def test_a_pole_of_priority_0_counts_like_other_goals() -> None:
    poses = moved(RNG, ARM_R[:3], 20)
    towards = np.array([0.0, -1.0, 0.3])
    goals = [Reach("hand_r", place(poses, "hand_r")), Pole("hand_r", towards, priority=0)]
    solution = solve(standing(FREE), goals, frozen=TRUNK)
    assert (solution.status == Status.REACHED).all()
    assert side_angle(solution.pose, towards).max() < 2e-5
