"""A method for each chain: each moves its own joints only, by its own steps; what is wrong with a mapping is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import posable
from posable import Comfort, Custom, GoalError, Joint, LookAt, MethodError, Place, Pose, Reach, Skeleton, Status, Stay
from posable.errors import UnknownJointError
from posable.solvers import CyclicDescent, Fabrik, LeastSquares, PseudoInverse, Transpose, TwoBone

NEAR = {"hand_l": (0.4, 1.1, 0.6), "hand_r": (-0.4, 1.0, 0.6)}


def body() -> Skeleton:
    """A trunk of two balls with a head and two arms of a ball, a ball and a hand each; a neck between them."""
    joints = [Joint("trunk", "ball"), Joint("chest", "ball", "trunk", (0, 0.5, 0))]
    joints += [Joint("neck", "ball", "chest", (0, 0.5, 0)), Joint("head", "fixed", "neck", (0, 0.3, 0))]
    for side, x in (("l", 1), ("r", -1)):
        joints += [
            Joint(f"arm_{side}", "ball", "chest", (0.2 * x, 0.4, 0)),
            Joint(f"elbow_{side}", "ball", f"arm_{side}", (0.5 * x, 0, 0)),
            Joint(f"hand_{side}", "ball", f"elbow_{side}", (0.4 * x, 0, 0)),
        ]
    return Skeleton(joints)


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return body()


@pytest.fixture
def rest(skeleton: Skeleton) -> Pose:
    return Pose(skeleton, skeleton.rest_coordinates)


def reaches(*hands: str) -> list[Any]:
    return [Reach(hand, NEAR[hand]) for hand in hands]


def still(pose: Pose, before: Pose, *joints: str) -> bool:
    """Whether these joints are as they were, but for rounding."""
    return all(np.abs(pose.of(joint) - before.of(joint)).max(initial=0.0) < 1e-13 for joint in joints)


def test_each_chain_is_what_its_method_alone_makes_of_it(rest: Pose) -> None:
    methods = {"hand_r": CyclicDescent(), "Hand.L": TwoBone()}
    solution = posable.solve(rest, reaches("hand_l", "hand_r"), method=methods, trace=True)
    assert solution.status is Status.REACHED
    assert still(solution.pose, rest, "trunk", "chest", "neck")
    trunk = ["trunk", "chest", "neck", "head"]
    for hand, method in (("hand_r", CyclicDescent()), ("hand_l", TwoBone())):
        alone = posable.solve(rest, reaches(hand), method=method, frozen=trunk)
        side = hand[-1]
        for joint in (f"arm_{side}", f"elbow_{side}", hand):
            assert np.array_equal(solution.pose.of(joint), alone.pose.of(joint))
    assert max(goal.distance for goal in solution.goals) < 1e-6


def test_the_trace_moves_one_chain_after_the_other_in_the_order_of_the_mapping(rest: Pose) -> None:
    methods = {"hand_r": CyclicDescent(), "hand_l": PseudoInverse(0.5)}
    solution = posable.solve(
        rest, [*reaches("hand_l", "hand_r"), LookAt("head", (1, 2, 2))], method=methods, trace=True
    )
    trace = solution.trace
    assert trace is not None
    moved = []
    for before, after in zip(range(len(trace.q) - 1), range(1, len(trace.q)), strict=True):
        parts = [
            name
            for name, joints in (("rest", ("trunk", "chest", "neck")), ("r", ("arm_r", "elbow_r", "hand_r")),
                                 ("l", ("arm_l", "elbow_l", "hand_l")))
            if not still(trace[after], trace[before], *joints)
        ]  # fmt: skip
        assert len(parts) == 1  # a step moves one part, and no entry stands twice
        moved += parts
    assert list(dict.fromkeys(moved)) == ["rest", "r", "l"]
    assert np.array_equal(trace.q[0], rest.q) and np.array_equal(trace.q[-1], solution.pose.q)
    assert len(moved) == solution.iterations


def test_at_a_single_goal_the_whole_chain_moves(rest: Pose) -> None:
    place = (0.4, 0.9, 0.9)
    mapped = posable.solve(rest, [Reach("hand_l", place)], method={"hand_l": Fabrik()})
    plain = posable.solve(rest, [Reach("hand_l", place)], method=Fabrik())
    assert np.array_equal(mapped.pose.q, plain.pose.q) and mapped.iterations == plain.iterations
    assert not still(mapped.pose, rest, "trunk")


def test_what_is_not_named_moves_the_joints_that_are_nobodys(rest: Pose) -> None:
    goals = [*reaches("hand_l"), LookAt("head", (0, 3, 2)), Reach("hand_r", (-0.6, 1.4, 0.5))]
    solution = posable.solve(rest, goals, method={"hand_l": TwoBone()})
    others = posable.solve(rest, goals[1:], frozen=["arm_l", "elbow_l", "hand_l"])
    for joint in ("trunk", "chest", "neck", "arm_r", "elbow_r"):
        assert np.array_equal(solution.pose.of(joint), others.pose.of(joint))
    assert solution.status is Status.REACHED


def test_soft_and_custom_goals_are_the_rests(rest: Pose) -> None:
    bent = rest.plus(np.full(rest.skeleton.dof, 0.1))
    solution = posable.solve(bent, [*reaches("hand_l"), Stay(rest), Comfort()], method={"hand_l": TwoBone()})
    assert solution.status is Status.REACHED
    assert np.allclose(solution.pose.of("neck"), rest.of("neck"), atol=1e-4)
    assert np.allclose(solution.pose.of("arm_r"), rest.of("arm_r"), atol=1e-4)
    high = Custom(lambda pose: pose.origins[..., pose.skeleton.index("head"), 1] - 1.25)
    hands = {"hand_l": CyclicDescent(), "hand_r": TwoBone()}
    solution = posable.solve(bent, [*reaches(*hands), high], method=hands)
    assert solution.status is Status.REACHED
    assert solution.pose.origins[rest.skeleton.index("head"), 1] == pytest.approx(1.25, abs=1e-5)


def test_the_method_under_none_solves_the_rest(rest: Pose) -> None:
    goals = [*reaches("hand_l"), Reach("head", (0.3, 1.2, 0.1))]
    solution = posable.solve(rest, goals, method={"hand_l": TwoBone(), None: Transpose()}, max_iterations=2000)
    plain = posable.solve(
        rest, goals[1:], method=Transpose(), max_iterations=2000, frozen=["arm_l", "elbow_l", "hand_l"]
    )
    assert np.array_equal(solution.pose.of("chest"), plain.pose.of("chest"))
    assert solution.iterations == plain.iterations + 1
    everything = posable.solve(rest, goals, method={None: Transpose()}, max_iterations=2000)
    assert np.array_equal(everything.pose.q, posable.solve(rest, goals, method=Transpose(), max_iterations=2000).pose.q)
    assert np.array_equal(posable.solve(rest, goals, method={}).pose.q, posable.solve(rest, goals).pose.q)


def test_out_of_reach_and_limits_are_earned(rest: Pose) -> None:
    far = [Reach("hand_l", (5, 0, 0)), *reaches("hand_r")]
    solution = posable.solve(rest, far, method={"hand_l": TwoBone(), "hand_r": CyclicDescent()})
    assert solution.status is Status.OUT_OF_REACH
    shoulder = solution.pose.origins[rest.skeleton.index("arm_l")]
    assert solution.goals[0].distance == pytest.approx(np.linalg.norm(shoulder - (5, 0, 0)) - 0.9, abs=1e-6)
    assert solution.goals[1].distance < 1e-6
    apart = [Reach("hand_l", (1.0, 1.4, 0)), *reaches("hand_r")]  # the trunk would have to help, and belongs to both
    solution = posable.solve(rest, apart, method={"hand_l": TwoBone(), "hand_r": CyclicDescent()})
    assert solution.status is Status.LOCAL_MINIMUM


def test_running_out_of_iterations_is_said(rest: Pose) -> None:
    methods = {"hand_l": PseudoInverse(0.01), "hand_r": TwoBone()}
    solution = posable.solve(rest, reaches("hand_l", "hand_r"), method=methods, max_iterations=5)
    assert solution.status is Status.OUT_OF_ITERATIONS and solution.iterations == 6


def test_a_batch_equals_its_single_solves_and_a_track_follows(rest: Pose) -> None:
    methods = {"hand_l": TwoBone(), "hand_r": CyclicDescent()}
    goals = [*reaches("hand_l", "hand_r"), LookAt("head", (0, 2, 2))]
    places = np.array(NEAR["hand_l"]) + np.random.default_rng(1).uniform(-0.05, 0.05, (6, 3))
    prepared = posable.prepare(rest.skeleton, goals, method=methods)
    batch = prepared.solve(rest, [places, None, None], trace=True)
    for n, place in enumerate(places):
        single = prepared.solve(rest, [place, None, None], trace=True)
        assert np.array_equal(batch.pose.q[n], single.pose.q)
        assert batch.trace is not None and single.trace is not None
        assert np.array_equal(batch.trace.q[: len(single.trace.q), n], single.trace.q)
    tracked = prepared.track(rest, [places, None, None])
    assert not np.asarray(tracked.status).any()
    again = prepared.solve(tracked.pose[0], [places[1], None, None])
    assert np.asarray(tracked.goals[0].distance).max() < 1e-6
    assert np.allclose(again.pose.of("arm_l"), tracked.pose[1].of("arm_l"), atol=1e-6)


def test_a_mapping_is_prepared_once(rest: Pose) -> None:
    methods = {"hand_l": TwoBone()}
    first = posable.solve(rest, reaches("hand_l"), method=methods)
    again = posable.solve(rest, reaches("hand_l"), method=dict(methods))
    assert first._prepared is again._prepared


def test_poses_to_limits_of_speed_are_refused(rest: Pose) -> None:
    prepared = posable.prepare(rest.skeleton, reaches("hand_l"), method={"hand_l": TwoBone()})
    with pytest.raises(MethodError, match="a method for each chain keeps no limits of speed or acceleration"):
        prepared.track(rest, [np.tile(NEAR["hand_l"], (3, 1))], speed=1.0)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"hand_x": TwoBone()}, "no joint is called 'hand_x'; did you mean hand_"),
        ({"elbow_l": TwoBone()}, "'elbow_l' has a method but no goal; goals are of 'hand_l', 'hand_r', 'chest'"),
        ({"chest": TwoBone()}, "no joint that may move is 'chest''s own: all carry other goals too, or are frozen"),
        ({"hand_l": "two-bone"}, "'two-bone' is not a method; a mapping is {joint: method}"),
        ({None: 3}, "3 is not a method; a mapping is {joint: method}"),
        ({7: TwoBone()}, "7 is not the name of a joint; a mapping is {joint: method}"),
        ({"hand_l": TwoBone(), "Hand.L": Fabrik()}, "'hand_l' is named twice; give it one method"),
    ],
)
def test_mappings_that_mean_nothing_are_refused(rest: Pose, methods: dict, message: str) -> None:
    goals = [*reaches("hand_l", "hand_r"), Reach("chest", (0, 0.5, 0))]
    with pytest.raises((MethodError, UnknownJointError)) as refused:
        posable.solve(rest, goals, method=methods)
    assert message in str(refused.value)


def test_a_method_that_cannot_do_its_part_says_so(rest: Pose) -> None:
    with pytest.raises(MethodError, match=r"method of 'head': TwoBone cannot be used here: .*; what can: LeastSquares"):
        posable.solve(rest, [*reaches("hand_l"), Reach("head", (0, 1, 1))], method={"head": TwoBone()})
    with pytest.raises(MethodError, match="method of the goals of joints not named: Fabrik cannot be used here"):
        posable.solve(rest, [*reaches("hand_l"), Comfort()], method={"hand_l": TwoBone(), None: Fabrik()})
    with pytest.raises(MethodError, match="no joint that may move is 'hand_l''s own"):
        frozen = ["arm_l", "elbow_l", "hand_l"]
        posable.solve(rest, reaches("hand_l", "hand_r"), method={"hand_l": TwoBone()}, frozen=frozen)


def test_a_target_that_is_none_names_its_goal(rest: Pose) -> None:
    prepared = posable.prepare(rest.skeleton, reaches("hand_l", "hand_r"), method={"hand_r": LeastSquares()})
    with pytest.raises(GoalError, match=r"hand_r.*finite"):
        prepared.solve(rest, [None, (np.nan, 0, 0)])


def test_a_compromise_is_looked_into_part_by_part(rest: Pose) -> None:
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = np.diag((-1.0, 1.0, -1.0)), NEAR["hand_l"]
    goals = [Place("hand_l", frame), Reach("hand_l", (0.3, 1.1, 0.6)), *reaches("hand_r")]
    methods = {"hand_l": PseudoInverse(0.5), "hand_r": TwoBone()}
    solution = posable.solve(rest, goals, method=methods, max_iterations=2000)
    assert solution.status is Status.COMPROMISE
    assert solution.goals[2].distance < 1e-6
