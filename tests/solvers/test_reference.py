"""The reference solver agrees with the kernels, and goals that ask for nothing change nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from solvers.chains import ball_chain, mixture, panda, planar_arm, rest
from solvers.people import place, standing

from posable import (
    Balance,
    Comfort,
    Custom,
    GoalError,
    Gravity,
    KeepApart,
    LookAt,
    Orient,
    Place,
    Pole,
    Pose,
    Reach,
    Status,
    Stay,
    figure,
    prepare,
    solve,
    with_masses,
)
from posable.goals import Goal
from posable.solvers import Solution
from posable.solvers.engine import Batch
from posable.solvers.reference.solve import Reference

RNG = np.random.default_rng(5)
NOTHING = Custom(lambda _: 0.0)


def by_reference(start: Pose, goals: Sequence[Goal], **options: int) -> tuple[np.ndarray, int, int]:
    """(coordinates, outcome, iterations)."""
    prepared = prepare(start.skeleton, goals, **options)  # pyright: ignore
    numbers, springs = prepared.targets.rows(prepared.targets.values(None), (), slice(0, 1))
    out, counts = np.empty((1, len(start.q))), np.zeros((1, 3), np.int64)
    traces = np.empty((1, 0, len(start.q)))
    Reference(prepared.structure).run(Batch(start.q[None], numbers, springs), out, counts, traces)
    return out[0], int(counts[0, 0]), int(counts[0, 1])


def agree(start: Pose, goals: Sequence[Goal], atol: float = 1e-8, **options: int) -> Solution:
    """Both solvers take the same iterations to the same pose."""
    compiled = prepare(start.skeleton, goals, **options).solve(start)  # pyright: ignore
    q, outcome, iterations = by_reference(start, goals, **options)
    assert outcome == compiled._counts[0, 0]
    np.testing.assert_allclose(q, compiled.pose.q, atol=atol)
    assert iterations == compiled.iterations
    return compiled


@pytest.mark.parametrize("target", [(1.2, 0.9, 0.0), (0.2, 0.1, 0.0), (3.0, 1.0, 0.0)])
def test_a_planar_arm(target: tuple[float, float, float]) -> None:
    agree(Pose(planar_arm(1.0, 1.0, 0.5), (0.3, 0.3, 0.3)), [Reach("tip", target)], restarts=3)


def test_balls_cones_and_what_mixes_them() -> None:
    for skeleton, end in ((ball_chain(1.0, 0.8, 0.5), "tip"), (mixture(), "end")):
        for pose in skeleton.random_pose(RNG, (4,)):
            goals = [Place(end, pose.world_from_joint[skeleton.index(end)])]
            agree(rest(skeleton), goals, restarts=0)


def test_an_arm_with_limits_by_restarts() -> None:
    """An arm of hinges: the escapes and restarts come in the same order to the same pose."""
    skeleton = panda()
    for k in range(6):
        pose = skeleton.random_pose(RNG)
        goals = [Reach("hand", pose.origins[-1]), Orient("hand", (1.0, 0.2, 0.3, 0.1))]
        agree(skeleton.random_pose(RNG), goals, restarts=k)


def test_a_person_of_two_priorities_with_shares_and_soft_goals() -> None:
    start = standing()
    hand = place(start, "hand_r") + np.array((0.05, 0.2, 0.3))
    goals: list[Goal] = [
        Reach("hand_r", hand),
        LookAt("head", (0.4, 1.5, 2.0), share={"neck": 0.4, "chest": 0.2}),
        Orient("hand_r", (1.0, 0.0, 0.0, 0.0), priority=1),
        Pole("hand_r", place(start, "hand_r") + np.array((0.0, 0.0, -1.0)), priority=1),
    ]
    for count in (1, 2, 3, 4):
        agree(start, goals[:count], restarts=0)
    agree(start, [goals[0], Stay(start)], restarts=0)
    agree(start, [goals[0], Comfort({"forearm_r": ((0.2, 0.4), 1.0)})], restarts=0)
    agree(start, [goals[0], KeepApart()], restarts=0)


def test_weight_and_balance() -> None:
    skeleton = with_masses(figure("mannequin")).skeleton
    start = Pose(skeleton, skeleton.rest_coordinates)
    feet = [Place(foot, start.world_from_joint[skeleton.index(foot)]) for foot in ("foot_l", "foot_r")]
    agree(start, [*feet, Balance((0.05, 0.0, 0.0))], restarts=0)
    agree(start, [*feet, Gravity()], atol=1e-6, restarts=0)


def cases() -> dict[str, list[Goal]]:
    hand = place(standing(), "hand_r") + np.array((0.05, 0.2, 0.3))
    return {
        "a look by shares": [LookAt("head", (0.4, 1.5, 2.0), share={"neck": 0.4, "chest": 0.2})],
        "two priorities": [Reach("hand_r", hand), Reach("hand_l", (0.3, 2.2, 0.9), priority=1)],
        "out of reach": [Reach("hand_r", (3.0, 1.0, 0.0))],
        "soft": [Reach("hand_r", hand), Stay(standing())],
        "apart": [Reach("hand_r", place(standing(), "chest") + np.array((0.0, 0.0, 0.1))), KeepApart()],
    }


@pytest.mark.slow
@pytest.mark.parametrize("what", cases())
def test_a_goal_that_asks_for_nothing_changes_nothing(what: str) -> None:
    goals = cases()[what]
    plain = solve(standing(), goals, restarts=0, frozen=["root"])
    for nothing in (NOTHING, Custom(lambda _: 0.0, priority=2), Custom(lambda _: 0.0, soft=True)):
        given = solve(standing(), [*goals, nothing], restarts=0, frozen=["root"])
        # A further priority or soft goal scales the soft goals anew, which the hard ones' tolerance lets through.
        rescaled = what == "soft" and (nothing.priority > 0 or nothing.soft)
        np.testing.assert_allclose(given.pose.q, plain.pose.q, atol=1e-6 if rescaled else 1e-9)
        assert given.status == plain.status


def test_a_custom_goal_that_says_what_a_reach_says_is_met_alike() -> None:
    skeleton = planar_arm(1.0, 1.0, 0.5)
    start, target = Pose(skeleton, (0.3, 0.3, 0.3)), np.array((1.2, 0.9, 0.0))
    scaled = Custom(lambda pose: (target - pose.origins[-1]) / skeleton.reach, tolerance=1e-6 / skeleton.reach)
    given, plain = solve(start, [scaled]), solve(start, [Reach("tip", target)])
    np.testing.assert_allclose(given.pose.q, plain.pose.q, atol=1e-6)
    assert given.status is plain.status is Status.REACHED


def test_a_custom_goal_of_a_later_priority_takes_what_is_left() -> None:
    """A planar arm of three pieces has one freedom left, and a first goal that a later one cannot move."""
    skeleton = planar_arm(1.0, 1.0, 0.5)
    start, reach = Pose(skeleton, (0.3, 0.3, 0.3)), Reach("tip", (1.2, 0.9, 0.0))
    for priority, soft in ((1, False), (0, True)):
        bend = Custom(lambda pose: pose.q[1] - 0.6, priority=priority, soft=soft)
        solution = solve(start, [reach, bend])
        assert np.linalg.norm(solution.pose.origins[-1] - reach.target) < 1e-6
        assert solution.pose.q[1] == pytest.approx(0.6, abs=1e-5)
        assert solution.status is Status.REACHED
        far = solve(start, [reach, Custom(lambda pose: pose.origins[-1] - 1.0, priority=priority, soft=soft)])
        assert np.linalg.norm(far.pose.origins[-1] - reach.target) < 1e-6
        assert far.status is (Status.REACHED if soft else Status.LOCAL_MINIMUM)


@pytest.mark.slow
def test_a_soft_custom_goal_takes_nothing_from_a_reach_and_shows_its_residual() -> None:
    target = place(standing(), "hand_r") + np.array((0.05, 0.2, 0.3))

    def height(pose: Pose) -> float:
        return float(place(pose, "hand_l")[1]) - 5.0

    solution = solve(standing(), [Reach("hand_r", target), Custom(height, soft=True)], frozen=["root"])
    assert solution.status is Status.REACHED
    assert np.linalg.norm(place(solution.pose, "hand_r") - target) < 1e-6
    raised = place(solution.pose, "hand_l")[1]
    assert raised > place(standing(), "hand_l")[1] + 0.5
    assert solution.goals[1].residual == pytest.approx([raised - 5.0])
    hard = solve(standing(), [Custom(height)], frozen=["root"], restarts=0)
    assert "Custom is" in hard.describe()


def test_a_custom_goal_stops_after_its_evaluations() -> None:
    calls = 0

    def contrary(pose: Pose) -> np.ndarray:
        nonlocal calls
        calls += 1
        return place(pose, "hand_r") - (3.0, 1.0, 0.0)

    goals = [Place("hand_r", standing().world_from_joint[standing().skeleton.index("hand_r")])]
    solution = solve(standing(), [*goals, Custom(contrary, max_evaluations=500)], frozen=["root"])
    assert solution.status is Status.OUT_OF_ITERATIONS
    assert "max_evaluations" in solution.describe()
    assert calls < 500 + 3 * standing().skeleton.dof
    for wrong in (0, 1.5, True):
        with pytest.raises(GoalError, match="max_evaluations must be a whole number above 0"):
            Custom(contrary, max_evaluations=wrong)  # pyright: ignore


def test_wrong_priorities_are_refused() -> None:
    with pytest.raises(GoalError, match=r"priority must be a whole number"):
        Custom(lambda _: 0.0, priority=-1)
    with pytest.raises(GoalError, match=r"soft is True or False"):
        Custom(lambda _: 0.0, soft=1)  # pyright: ignore
