"""The default solver keeps its promises: what can be reached is reached, limits hold, every answer is honest."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import (
    absolute_arm,
    ball_chain,
    middle,
    mixture,
    panda,
    person,
    planar_arm,
    rest,
    world_by_hand,
)

from posable import (
    Axis,
    Cone,
    GoalError,
    Joint,
    LeastSquares,
    LookAt,
    MethodError,
    Orient,
    Place,
    Pose,
    PoseError,
    Reach,
    Skeleton,
    Status,
    Stay,
    UnknownJointError,
    solve,
)
from posable.solvers import CyclicDescent, DampedLeastSquares

RNG = np.random.default_rng(11)


def reachable(skeleton: Skeleton, joint: str, count: int) -> np.ndarray:
    """World frames of `joint` in random poses within the limits."""
    return skeleton.random_pose(RNG, (count,)).world_from_joint[:, skeleton.index(joint)]


def test_an_arm_reaches_every_reachable_place_inside_its_limits() -> None:
    skeleton = panda()
    targets = reachable(skeleton, "hand", 200)
    solution = solve(middle(skeleton), [Place("hand", targets)], restarts=100)
    assert (solution.status == Status.REACHED).all()
    assert (solution.pose.q >= skeleton.lower).all()
    assert (solution.pose.q <= skeleton.upper).all()
    for q, target in zip(solution.pose.q, targets, strict=True):
        world = world_by_hand(skeleton, q)[-1]
        assert np.linalg.norm(world[:3, 3] - target[:3, 3]) < 1e-6
        assert Rotation.from_matrix(world[:3, :3] @ target[:3, :3].T).magnitude() < 1e-5


def test_one_attempt_solves_most() -> None:
    skeleton = panda()
    solution = solve(middle(skeleton), [Place("hand", reachable(skeleton, "hand", 300))], restarts=0)
    assert (solution.status == Status.REACHED).mean() > 0.7


@pytest.mark.parametrize("frozen", [(), ("root",)])
def test_a_person_with_cones_meets_five_goals(frozen: tuple[str, ...]) -> None:
    skeleton = person()
    poses = skeleton.random_pose(RNG, (40,))
    q = np.array(poses.q)
    q[:, :7] = skeleton.rest_coordinates[:7]
    poses = Pose(skeleton, q)
    ends = ("neck2", "arm_l3", "arm_r3", "leg_l3", "leg_r3")
    goals = [Reach(joint, poses.origins[:, skeleton.index(joint)]) for joint in ends]
    solution = solve(rest(skeleton), goals, frozen=frozen)
    assert (solution.status == Status.REACHED).all()
    for goal, joint in zip(goals, ends, strict=True):
        assert np.linalg.norm(solution.pose.origins[:, skeleton.index(joint)] - goal.target, axis=-1).max() < 1e-6
    np.testing.assert_allclose(solution.pose.clamped().q, solution.pose.q, atol=1e-12)
    if frozen:
        np.testing.assert_array_equal(solution.pose.q[:, :7], q[:, :7])


@pytest.mark.parametrize("make", [mixture, absolute_arm], ids=["mixture", "absolute"])
def test_coupled_motions_reach_too(make: object) -> None:
    skeleton = make()  # pyright: ignore[reportCallIssue]
    end = skeleton.joints[-1]
    targets = reachable(skeleton, end, 40)
    solution = solve(rest(skeleton), [Place(end, targets)], frozen=("root",) if "root" in skeleton.joints else ())
    wanted = solution.status == Status.REACHED
    if "root" in skeleton.joints:
        targets = targets[:0]  # with the root held, not every frame is in reach: the next test says which
        assert np.array_equal(solution.pose.clamped().q, solution.pose.q)
    else:
        assert wanted.all()


def test_a_mimic_follows() -> None:
    skeleton = mixture()
    start = rest(skeleton)
    pose = start.plus(RNG.uniform(-0.3, 0.3, skeleton.dof)).clamped().with_joint("root", start.of("root"))
    solution = solve(start, [Place("end", pose.world_from_joint[-1])], frozen=("root",))
    assert solution.status is Status.REACHED
    hinge = solution.pose.of("hinge")[0]
    local = np.linalg.inv(solution.pose.world_from_joint[3]) @ solution.pose.world_from_joint[4]
    assert math.atan2(local[0, 2], local[0, 0]) == pytest.approx(0.5 * hinge + 0.1, abs=1e-12)


def test_limits_hold_and_the_error_never_rises_at_any_iteration() -> None:
    for skeleton, joint in (
        (panda(), "hand"),
        (ball_chain(1.0, 0.8, 0.6, cone=Cone((0, 1, 0), 0.7, (-0.4, 0.6))), "tip"),
    ):
        target = 0.9 * reachable(skeleton, joint, 1)[0, :3, 3]
        solution = solve(rest(skeleton), [Reach(joint, target)], trace=True, restarts=0)
        trace = solution.trace
        assert trace is not None
        assert len(trace) > 3
        np.testing.assert_allclose(trace.clamped().q, trace.q, atol=1e-12)
        left = np.linalg.norm(trace.origins[:, skeleton.index(joint)] - target, axis=-1)
        assert (np.diff(left) <= 0).all()
        np.testing.assert_array_equal(trace.q[0], rest(skeleton).q)
        np.testing.assert_array_equal(trace.q[-1], solution.pose.q)


@pytest.mark.parametrize("far", [1.001, 1.1, 3.0])
def test_out_of_reach_is_proved_and_the_distance_left_is_the_true_minimum(far: float) -> None:
    lengths = (1.0, 0.7, 0.4)
    directions = RNG.normal(size=(30, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    solution = solve(rest(ball_chain(*lengths)), [Reach("tip", far * sum(lengths) * directions)])
    assert (solution.status == Status.OUT_OF_REACH).all()
    np.testing.assert_allclose(solution.goals[0].distance, (far - 1) * sum(lengths), atol=1e-9)


def test_too_near_is_out_of_reach_as_well() -> None:
    solution = solve(rest(ball_chain(2.0, 0.5)), [Reach("tip", (0.3, 0.4, 0.0))])
    assert solution.status is Status.OUT_OF_REACH
    assert solution.goals[0].distance == pytest.approx(1.0, abs=1e-9)
    assert "out of reach" in solution.describe()


def test_a_place_off_the_plane_of_a_planar_arm_is_proved_out_of_reach() -> None:
    solution = solve(rest(planar_arm(1.0, 1.0)), [Reach("tip", (1.0, 0.5, 0.7))])
    assert solution.status is Status.OUT_OF_REACH
    assert solution.goals[0].distance == pytest.approx(0.7, abs=1e-9)


def test_a_limit_that_keeps_the_goal_away_is_named() -> None:
    skeleton = planar_arm(1.0, 1.0, limits=(-0.5, 0.5))
    solution = solve(rest(skeleton), [Reach("tip", (0.0, 1.8, 0.0))])
    assert solution.status is Status.AT_LIMIT
    assert solution.at_limit.all()
    assert re.search(r"held by limits: tip is .* off; at their limits: h0\.z, h1\.z", solution.describe())
    best = min(
        math.dist((math.cos(a) + math.cos(a + b), math.sin(a) + math.sin(a + b)), (0, 1.8))
        for a in np.linspace(-0.5, 0.5, 201)
        for b in np.linspace(-0.5, 0.5, 201)
    )
    assert solution.goals[0].distance == pytest.approx(best, abs=1e-9)


def test_a_limit_that_is_only_touched_is_not_named() -> None:
    skeleton = planar_arm(1.0, 1.0, limits=(0.0, 3.0))
    solution = solve(rest(skeleton), [Reach("tip", (0.0, 3.0, 0.0))])
    assert solution.status is Status.OUT_OF_REACH
    assert not solution.at_limit.any()


def test_contradicting_goals_end_in_the_weighted_best() -> None:
    skeleton = ball_chain(1.0, 1.0, 1.0)
    one, other = np.array([1.0, 1.0, 0.0]), np.array([1.2, 0.6, 0.3])
    solution = solve(rest(skeleton), [Reach("tip", one, weight=3.0), Reach("tip", other, weight=1.0)])
    assert solution.status is Status.COMPROMISE
    np.testing.assert_allclose(solution.pose.origins[-1], 0.75 * one + 0.25 * other, atol=1e-6)
    assert solution.describe().startswith("a compromise: each goal alone can be met, and no pose was found")


def test_a_stuck_start_is_a_local_minimum_and_restarts_free_it() -> None:
    start, goal = rest(planar_arm(1.0, 1.0)), [Reach("tip", (1.2, 0.0, 0.0))]
    stuck = solve(start, goal, restarts=0)
    assert stuck.status is Status.LOCAL_MINIMUM
    assert stuck.singular == ("tip",)
    assert stuck.goals[0].distance == pytest.approx(0.8, abs=1e-12)
    assert "no better pose was found from here" in stuck.describe()  # it had no restarts
    descents = [solve(start, goal, method=method) for method in (CyclicDescent(), DampedLeastSquares())]
    assert not any("in all the restarts" in solution.describe() for solution in descents)
    freed = solve(start, goal)
    assert freed.status is Status.REACHED and freed.restarted and not stuck.restarted
    assert freed.singular == ("tip",) or freed.singular == ()


def test_too_few_iterations_are_said() -> None:
    solution = solve(middle(panda()), [Reach("hand", (0.1, 0.4, 0.2))], max_iterations=1, restarts=0)
    assert solution.status is Status.OUT_OF_ITERATIONS
    assert solution.iterations == 1
    assert "give it more iterations" in solution.describe()


def test_units_do_not_matter() -> None:
    targets = np.concatenate([reachable(panda(), "hand", 20)[:, :3, 3], RNG.normal(size=(20, 3)) * 2])
    plain = solve(middle(panda()), [Reach("hand", targets)], tolerance=1e-6)
    for scale in (0.01, 1000.0):
        scaled = solve(middle(panda(scale)), [Reach("hand", scale * targets)], tolerance=scale * 1e-6)
        np.testing.assert_allclose(scaled.pose.q, plain.pose.q, atol=1e-7)
        np.testing.assert_array_equal(scaled.status, plain.status)


def test_what_is_left_is_said_in_any_unit() -> None:
    tiny = solve(middle(panda(1e-9)), [Reach("hand", (0.0, 0.0, 3e-9))], tolerance=1e-15)
    assert tiny.status is Status.OUT_OF_REACH
    assert re.search(r"out of reach, whatever the limits: hand is \d\.\d+e-09 off", tiny.describe())
    assert tiny.options.tolerance == 1e-15


def test_the_same_seed_gives_the_same_answer_and_another_may_not() -> None:
    targets = reachable(panda(), "hand", 60)
    first, again, other = (solve(middle(panda()), [Place("hand", targets)], seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.pose.q, again.pose.q)
    assert (first.pose.q != other.pose.q).any()


def test_a_batch_is_the_loop_of_singles() -> None:
    targets = reachable(panda(), "hand", 40).reshape(5, 8, 4, 4)
    batch = solve(middle(panda()), [Place("hand", targets)])
    assert batch.pose.shape == batch.status.shape == batch.iterations.shape == (5, 8)
    for index in np.ndindex(5, 8):
        single = solve(middle(panda()), [Place("hand", targets[index])])
        np.testing.assert_array_equal(single.pose.q, batch.pose.q[index])
        assert single.status is Status(batch.status[index])
        assert single.goals[0].distance == batch.goals[0].distance[index]
        assert batch.describe(index) == single.describe()


def test_starts_and_targets_broadcast() -> None:
    starts = panda().random_pose(RNG, (3, 1))
    solution = solve(starts, [Reach("hand", reachable(panda(), "hand", 4)[:, :3, 3])])
    assert solution.pose.shape == (3, 4)
    with pytest.raises(GoalError, match=r"Reach: its leading axes \(4,\) do not go with \(3,\)"):
        solve(panda().random_pose(RNG, (3,)), [Reach("hand", np.zeros((4, 3)))])


def test_frozen_joints_and_axes_do_not_move() -> None:
    skeleton = mixture()
    start = skeleton.random_pose(RNG)
    goal = Reach("end", start.origins[-1] + 0.1)
    solution = solve(start, [goal], frozen=("root.x", "root.rz", "ball", "universal.y"))
    moved = solution.pose.minus(start) != 0
    assert not moved[skeleton.freedom_mask(("root.x", "universal.y"))].any()
    np.testing.assert_array_equal(solution.pose.of("ball"), start.of("ball"))
    assert moved[skeleton.freedom_mask(("root.y",))].all()
    with pytest.raises(UnknownJointError, match="no joint is called 'rot'"):
        solve(start, [goal], frozen=("rot",))


def test_orient_and_look_at_are_met() -> None:
    skeleton = person()
    start = rest(skeleton)
    wanted = Rotation.from_euler("xyz", (0.4, 0.5, -0.2))
    point = np.array([0.5, 1.2, 2.0])
    goals = [Orient("arm_l3", wanted.as_quat(scalar_first=True)), LookAt("neck2", point, forward=(0, 0, 1))]
    solution = solve(start, goals, frozen=("root",))
    assert solution.status is Status.REACHED
    world = solution.pose.world_from_joint
    turned = world[skeleton.index("arm_l3"), :3, :3]
    assert Rotation.from_matrix(turned @ wanted.as_matrix().T).magnitude() < 1e-5
    head = world[skeleton.index("neck2")]
    sight = (point - head[:3, 3]) / np.linalg.norm(point - head[:3, 3])
    assert math.acos(min(1.0, float(head[:3, 2] @ sight))) < 1.1e-5
    assert [g.kind for g in solution.goals] == ["Orient", "LookAt"]
    assert solution.goals[0].distance is None
    assert solution.goals[1].angle < 1e-5


def test_opposite_orientation_is_reached() -> None:
    solution = solve(rest(ball_chain(1.0, 1.0)), [Orient("tip", (0.0, 1.0, 0.0, 0.0))])
    assert solution.status is Status.REACHED


def test_a_weight_of_zero_switches_a_goal_off() -> None:
    skeleton = ball_chain(1.0, 1.0)
    goals = [Reach("tip", (1.0, 1.0, 0.0)), Reach("b1", (9.0, 9.0, 9.0), weight=0.0)]
    solution = solve(rest(skeleton), goals)
    assert solution.status is Status.REACHED
    assert solution.goals[1].distance > 10


def test_stay_acts_only_in_the_freedom_that_is_left_and_there_is_optimal() -> None:
    skeleton = person(cones=False)
    start, stay = rest(skeleton), rest(skeleton).plus(RNG.uniform(-0.2, 0.2, skeleton.dof))
    goal = Reach("arm_l3", (0.5, 1.6, 0.6))
    solution = solve(start, [goal, Stay(stay, weight=1e-2)], frozen=("root",))
    assert solution.status is Status.REACHED
    assert solution.goals[0].distance < 1e-6
    jacobian = goal.jacobian(solution.pose)[:, 6:]
    pull = Stay(stay).jacobian(solution.pose).T @ Stay(stay).residual(solution.pose)
    across = pull[6:] - np.linalg.pinv(jacobian) @ jacobian @ pull[6:]
    assert np.linalg.norm(across) < 1e-4 * np.linalg.norm(solution.pose.minus(start))
    untouched = skeleton.freedom_mask(("leg_r1",))
    np.testing.assert_allclose(solution.pose.minus(stay)[untouched], 0, atol=1e-9)


def test_stay_alone_goes_to_its_pose() -> None:
    skeleton = panda()
    pose = skeleton.random_pose(RNG)
    np.testing.assert_allclose(solve(middle(skeleton), [Stay(pose)]).pose.q, pose.q, atol=1e-9)


def test_the_nearest_of_several_answers_is_kept_by_restarts() -> None:
    """Started beside a solution, the answer is beside the start."""
    skeleton = panda()
    for pose in skeleton.random_pose(RNG, (20,)):
        near = pose.plus(RNG.normal(size=7) * 0.02).clamped()
        solution = solve(near, [Place("hand", pose.world_from_joint[-1])])
        assert np.abs(solution.pose.minus(near)).max() < 0.6


def test_a_start_outside_the_limits_is_moved_inside() -> None:
    skeleton = panda()
    solution = solve(Pose(skeleton, np.full(7, 9.0)), [Reach("hand", (0.3, 0.2, 0.5))])
    assert solution.status is Status.REACHED
    assert (solution.pose.q <= skeleton.upper).all()


def test_misuse_is_refused() -> None:
    skeleton, goal = panda(), Reach("hand", (0.3, 0.2, 0.5))
    start = rest(skeleton)
    with pytest.raises(
        GoalError, match=r"is not a goal; goals are Balance, Comfort, Custom, .*, Reach, Stay, Torsion$"
    ):
        solve(start, ["hand"])  # pyright: ignore
    with pytest.raises(MethodError, match="is not a method; methods are LeastSquares, PseudoInverse"):
        solve(start, [goal], method="newton")  # pyright: ignore
    with pytest.raises(GoalError, match="the start is a Pose, not ndarray"):
        solve(start.q, [goal])  # pyright: ignore
    with pytest.raises(GoalError, match="angle_tolerance must be a number above 0, not 0"):
        solve(start, [goal], angle_tolerance=0)
    with pytest.raises(GoalError, match="tolerance must be a number above 0, not nan"):
        solve(start, [goal], tolerance=math.nan)
    with pytest.raises(GoalError, match="tolerance must be a number above 0, not 'near'"):
        solve(start, [goal], tolerance="near")  # pyright: ignore
    with pytest.raises(GoalError, match="max_iterations must be a whole number of at least 1, not 0"):
        solve(start, [goal], max_iterations=0)
    with pytest.raises(GoalError, match=r"restarts must be a whole number of at least 0, not 1\.5"):
        solve(start, [goal], restarts=1.5)  # pyright: ignore
    with pytest.raises(GoalError, match="seed must be a whole number of at least 0, not -1"):
        solve(start, [goal], seed=-1)
    with pytest.raises(GoalError, match="Stay: its pose belongs to another skeleton"):
        solve(start, [Stay(rest(planar_arm(1.0)))])
    with pytest.raises(PoseError, match="not a finite number"):
        solve(Pose(skeleton, np.full(7, math.nan)), [goal])


def test_no_targets_give_no_poses() -> None:
    solution = solve(middle(panda()), [Reach("hand", np.zeros((0, 3)))], trace=True)
    assert solution.pose.shape == solution.status.shape == solution.goals[0].distance.shape == (0,)


def test_one_name_may_be_frozen_as_it_is() -> None:
    skeleton = person()
    start = rest(skeleton)
    solution = solve(start, Reach("arm_l3", (0.5, 1.6, 0.4)), frozen="root")
    assert solution.status is Status.REACHED
    np.testing.assert_array_equal(solution.pose.of("root"), start.of("root"))


def test_out_of_reach_is_proved_through_turns_about_different_points() -> None:
    """The bound may be loose there, but a place far enough away is proved, and one within reach never is."""
    axes = (Axis((0, 0, 1)), Axis((0, 1, 0), anchor=(0.1, 0.0, 0.0)))
    hip = Joint("hip", "compound", axes=axes)
    skeleton = Skeleton([hip, Joint("tip", "fixed", "hip", (1.0, 0, 0))])
    places = skeleton.random_pose(RNG, (50,)).origins[:, 1]
    assert (solve(rest(skeleton), Reach("tip", places)).status == Status.REACHED).all()
    assert solve(rest(skeleton), Reach("tip", (2.0, 0.0, 0.0))).status is Status.OUT_OF_REACH


def test_looser_tolerances_stop_earlier() -> None:
    frames = reachable(panda(), "hand", 50)
    goals = (
        [Reach("hand", frames[:, :3, 3])],
        [Orient("hand", Rotation.from_matrix(frames[:, :3, :3]).as_quat(scalar_first=True))],
    )
    for goal, name in zip(goals, ("tolerance", "angle_tolerance"), strict=True):
        tight, loose = (solve(middle(panda()), goal, **{name: value}) for value in (1e-6, 0.1))
        assert loose.iterations.sum() < tight.iterations.sum()
        left = loose.goals[0].distance if name == "tolerance" else loose.goals[0].angle
        assert 1e-3 < left.max() < 0.1


def test_the_method_can_be_named() -> None:
    goal = [Reach("hand", (0.3, 0.2, 0.5))]
    named, plain = solve(middle(panda()), goal, method=LeastSquares()), solve(middle(panda()), goal)
    np.testing.assert_array_equal(named.pose.q, plain.pose.q)
    assert named.seconds > 0
