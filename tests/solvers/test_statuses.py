"""Every status against cases whose truth is known without the solver."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import ball_chain, middle, mixture, panda, planar_arm, rest, world_by_hand
from solvers.people import standing

from posable import Axis, Joint, Orient, Place, Pose, Reach, Skeleton, Status, prepare, solve
from posable.solvers.problem import locked_motions
from posable.solvers.reach_bound import least_distances

RNG = np.random.default_rng(31)


def directions(count: int) -> np.ndarray:
    v = RNG.normal(size=(count, 3))
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def annulus(lengths: np.ndarray) -> tuple[float, float]:
    """What the end of a chain of these pieces can have as its distance from the base."""
    return max(0.0, 2 * lengths.max() - lengths.sum()), float(lengths.sum())


def test_reached_is_true_for_every_one_of_them() -> None:
    skeleton = panda()
    frames = skeleton.random_pose(RNG, (150,)).world_from_joint[:, -1]
    goals = [
        [Place("hand", frames)],
        [Reach("hand", frames[:, :3, 3], tip=(0.1, 0.0, 0.05))],
        [Orient("hand", Rotation.from_matrix(frames[:, :3, :3]).as_quat(scalar_first=True))],
    ]
    for goal in goals:
        solution = solve(middle(skeleton), goal, restarts=3)
        reached = solution.status == Status.REACHED
        assert reached.sum() > 100
        for q, frame, said in zip(solution.pose.q, frames, reached, strict=True):
            world = world_by_hand(skeleton, q)[-1]
            tip = world[:3, :3] @ (0.1, 0.0, 0.05) if isinstance(goal[0], Reach) else np.zeros(3)
            off = np.linalg.norm(world[:3, 3] + tip - frame[:3, 3])
            turned = Rotation.from_matrix(world[:3, :3] @ frame[:3, :3].T).magnitude()
            met = (off <= 1e-6 or isinstance(goal[0], Orient)) and (turned <= 1e-5 or isinstance(goal[0], Reach))
            assert met == said


@pytest.mark.slow
@pytest.mark.parametrize("planar", [False, True], ids=["balls", "planar"])
def test_out_of_reach_is_known_by_the_annulus(planar: bool) -> None:
    """Random chains and distances, too far and too near: the status and the distance left."""
    counts = {Status.REACHED: 0, Status.OUT_OF_REACH: 0}
    for direction in directions(200):
        lengths = RNG.uniform(0.2, 1.0, RNG.integers(2, 5)) * (1, *[0.4] * 3)[: RNG.integers(2, 3)][-1]
        lengths[0] *= RNG.choice((1.0, 4.0))
        least, most = annulus(lengths)
        distance = RNG.choice((RNG.uniform(0, least), RNG.uniform(least, most), most * RNG.choice((1.001, 1.3, 3.0))))
        skeleton = planar_arm(*lengths) if planar else ball_chain(*lengths)
        target = direction * (1, 1, 0) if planar else direction
        target = target / np.linalg.norm(target) * distance
        solution = solve(skeleton.random_pose(RNG), [Reach("tip", target)])
        left = max(0.0, distance - most, least - distance)
        expected = Status.OUT_OF_REACH if left > 1e-6 else Status.REACHED
        counts[expected] += 1
        assert solution.status is expected
        assert solution.goals[0].distance == pytest.approx(left, abs=1e-9 if left > 1e-6 else 1e-6)
    assert min(counts.values()) >= 50


@pytest.mark.parametrize("height", [0.001, 0.5])
def test_what_lies_off_the_plane_is_out_of_reach_by_its_height(height: float) -> None:
    lengths = np.array([1.0, 0.6, 0.3])
    for angle, distance in RNG.uniform((0, 0), (2 * np.pi, 3.0), (60, 2)):
        target = (distance * math.cos(angle), distance * math.sin(angle), height)
        solution = solve(rest(planar_arm(*lengths)), [Reach("tip", target)])
        assert solution.status is Status.OUT_OF_REACH
        left = math.hypot(height, max(0.0, distance - 1.9, 0.1 - distance))
        assert solution.goals[0].distance == pytest.approx(left, abs=1e-9)


def both_elbows(one: float, other: float, x: float, y: float) -> list[tuple[float, float]]:
    """The two poses of a planar arm of two pieces, angles in −π…π; none out of its reach."""
    cosine = (x * x + y * y - one * one - other * other) / (2 * one * other)
    if abs(cosine) > 1:
        return []
    found = []
    for bend in (math.acos(cosine), -math.acos(cosine)):
        first = math.atan2(y, x) - math.atan2(other * math.sin(bend), one + other * math.cos(bend))
        found.append(((first + math.pi) % (2 * math.pi) - math.pi, bend))
    return found


def arc_distance(x: float, y: float, radius: float, begin: float, end: float) -> float:
    """Distance of a point from an arc about the origin; angles in radians, begin < end < begin + 2π."""
    angle = begin + (math.atan2(y, x) - begin) % (2 * math.pi)
    if angle <= end:
        return abs(math.hypot(x, y) - radius)
    return min(math.hypot(x - radius * math.cos(edge), y - radius * math.sin(edge)) for edge in (begin, end))


def workspace_distance(one: float, other: float, x: float, y: float, low: float, high: float) -> float:
    """Distance of a point from a planar arm's workspace; its border is arcs, a joint at a limit or the arm straight."""
    found = []
    for bend in (low, high, 0.0):
        reach = math.hypot(one + other * math.cos(bend), other * math.sin(bend))
        turn = math.atan2(other * math.sin(bend), one + other * math.cos(bend))
        found.append(arc_distance(x, y, reach, low + turn, high + turn))
    for first in (low, high):
        px, py = x - one * math.cos(first), y - one * math.sin(first)
        found.append(arc_distance(px, py, other, first + low, first + high))
    return min(found)


@pytest.mark.slow
def test_at_a_limit_when_only_limits_keep_both_elbows_away() -> None:
    """Targets that two known poses would meet, both of them outside the limits; the best is known in closed form."""
    one, other = 1.0, 0.8
    low, high = -0.9, 0.7
    skeleton = planar_arm(one, other, limits=(low, high))
    cases = 0
    while cases < 120:
        first, bend = RNG.uniform(-math.pi, math.pi, 2)
        x = one * math.cos(first) + other * math.cos(first + bend)
        y = one * math.sin(first) + other * math.sin(first + bend)
        known = both_elbows(one, other, x, y)
        best = workspace_distance(one, other, x, y, low, high)
        if any(low - 1e-3 < p < high + 1e-3 and low - 1e-3 < r < high + 1e-3 for p, r in known) or best < 0.01:
            continue
        cases += 1
        solution = solve(rest(skeleton), [Reach("tip", (x, y, 0.0))])
        assert solution.status is Status.AT_LIMIT
        assert solution.at_limit.any()
        assert solution.goals[0].distance == pytest.approx(best, abs=1e-9)
        held = np.flatnonzero(solution.at_limit)
        assert all(min(abs(solution.pose.q[k] - low), abs(solution.pose.q[k] - high)) < 1e-9 for k in held)


def test_two_places_for_one_tip_are_a_compromise_at_their_weighted_mean() -> None:
    skeleton = ball_chain(1.0, 1.0, 1.0)
    for _ in range(100):
        one, other = directions(2) * RNG.uniform(0.5, 2.5, (2, 1))
        weights = RNG.uniform(0.2, 3.0, 2)
        goals = [Reach("tip", place, weight=w) for place, w in zip((one, other), weights, strict=True)]
        solution = solve(skeleton.random_pose(RNG), goals)
        assert solution.status is Status.COMPROMISE
        np.testing.assert_allclose(solution.pose.origins[-1], (weights @ (one, other)) / weights.sum(), atol=1e-6)


def test_a_start_on_the_ridge_between_two_ways_is_a_local_minimum() -> None:
    """A straight arm whose target lies on its own line: no motion gains to first order, and without restarts it
    stays; the distance left is what it was."""
    for lengths in RNG.uniform(0.3, 1.0, (100, 2)):
        skeleton = planar_arm(*lengths)
        least, most = annulus(lengths)
        angle, distance = RNG.uniform(-3, 3), RNG.uniform(least + 0.05, most - 0.01)
        start = Pose(skeleton, (angle, 0.0))
        target = distance * np.array([math.cos(angle), math.sin(angle), 0.0])
        stuck = solve(start, [Reach("tip", target)], restarts=0)
        if stuck.status is not Status.REACHED:  # rounding may tip it off the ridge
            assert stuck.status is Status.LOCAL_MINIMUM
            assert stuck.goals[0].distance == pytest.approx(most - distance, abs=1e-9)
            assert stuck.singular == ("tip",)
        assert solve(start, [Reach("tip", target)]).status is Status.REACHED


def test_out_of_iterations_says_so_and_more_of_them_help() -> None:
    skeleton = panda()
    frames = skeleton.random_pose(RNG, (150,)).world_from_joint[:, -1]
    few = solve(middle(skeleton), [Reach("hand", frames[:, :3, 3])], max_iterations=2, restarts=0)
    short = few.status == Status.OUT_OF_ITERATIONS
    assert short.sum() >= 100
    assert (few.iterations <= 2).all()
    assert (few.goals[0].distance[short] > 1e-6).all()
    assert set(few.status.tolist()) <= {Status.REACHED, Status.OUT_OF_ITERATIONS}
    more = solve(middle(skeleton), [Reach("hand", frames[:, :3, 3])])
    assert (more.status == Status.REACHED).all()


def test_singular_names_arms_that_are_straight_and_no_others() -> None:
    for _ in range(100):
        lengths = RNG.uniform(0.3, 1.0, 3)
        direction = directions(1)[0]
        far = solve(rest(ball_chain(*lengths)), [Reach("tip", 1.5 * lengths.sum() * direction)])
        assert far.singular == ("tip",)
        least, most = annulus(lengths)
        distance = least + RNG.uniform(0.2, 0.8) * (most - least)
        near = solve(ball_chain(*lengths).random_pose(RNG), [Reach("tip", distance * direction)])
        assert near.status is Status.REACHED
        assert near.singular == ()


def test_a_frozen_figure_is_honest_about_what_it_cannot_do() -> None:
    skeleton = panda()
    start = middle(skeleton)
    away = start.origins[-1] + np.array([0.0, 0.1, 0.0])
    solution = solve(start, [Reach("hand", away)], frozen=skeleton.joints)
    np.testing.assert_array_equal(solution.pose.q, start.q)
    assert solution.status is Status.OUT_OF_REACH
    assert solution.goals[0].distance == pytest.approx(0.1, abs=1e-12)
    assert solve(start, [Reach("hand", start.origins[-1])], frozen=skeleton.joints).status is Status.REACHED
    turned = solve(start, [Orient("hand", (0.6, 0.8, 0.0, 0.0))], frozen=skeleton.joints)
    assert turned.status in (Status.OUT_OF_REACH, Status.LOCAL_MINIMUM)
    np.testing.assert_array_equal(turned.pose.q, start.q)


def test_a_frozen_axis_is_a_rigid_piece_of_the_proof() -> None:
    """With its elbow frozen an arm of two pieces is one piece: it reaches one distance only."""
    skeleton = planar_arm(1.0, 1.0)
    for bend, distance in RNG.uniform((0.2, 0.1), (2.8, 2.5), (100, 2)):
        only = 2 * math.cos(bend / 2)
        angle = RNG.uniform(-3, 3)
        target = (distance * math.cos(angle), distance * math.sin(angle), 0.0)
        solution = solve(Pose(skeleton, (0.1, bend)), [Reach("tip", target)], frozen=("h1",))
        assert solution.status is Status.OUT_OF_REACH
        assert solution.goals[0].distance == pytest.approx(abs(only - distance), abs=1e-9)
        assert solution.pose.q[1] == bend


def test_a_slide_at_its_end_is_named() -> None:
    slide = Joint("slide", "slide", axes=(Axis((1, 0, 0), slide=True, lower=0.0, upper=1.0),))
    skeleton = Skeleton([slide, Joint("tip", "fixed", "slide", (0.5, 0, 0))])
    for far in RNG.uniform(1.6, 4.0, 100):
        solution = solve(rest(skeleton), [Reach("tip", (far, 0.0, 0.0))])
        assert solution.status is Status.AT_LIMIT
        assert solution.at_limit.tolist() == [True]
        assert solution.goals[0].distance == pytest.approx(far - 1.5, abs=1e-9)


def test_a_status_prints_as_a_word() -> None:
    assert str(Status.OUT_OF_REACH) == f"{Status.OUT_OF_REACH}" == "OUT_OF_REACH"
    assert f"{Status.OUT_OF_REACH:d}" == "2"
    assert f"{Status.REACHED:>9}" == "  REACHED"


@pytest.mark.parametrize("far", [30.0, 300.0, 3000.0])
def test_a_free_figure_travels_to_a_far_target(far: float) -> None:
    goals = [Reach("hand_r", (far, 1.0, 0.0)), Reach("hand_l", (far, 1.0, 0.3))]
    assert solve(standing(), goals).status is Status.REACHED


def test_a_bound_of_reach_never_excludes_what_is_reached_and_is_tight() -> None:
    """Positions of random poses without limits are never proved out of reach; a little beyond the farthest ones is."""
    for skeleton in (panda().without_limits(), ball_chain(1.0, 0.8, 0.5), planar_arm(1.0, 0.7, 0.4), mixture()):
        poses = skeleton.random_pose(RNG, (3000,))
        end = skeleton.joints[-1]
        prepared = prepare(skeleton, [Reach(end, (0.0, 0.0, 0.0))])
        structure = prepared.structure
        bounds = least_distances(
            poses[np.zeros(3000, int)],
            structure.problem.first_motion,
            locked_motions(structure),
            skeleton.index(end),
            np.zeros(3),
            poses.origins[:, -1],
        )
        assert bounds.max() < 1e-12
    arm = panda().without_limits()
    shoulder = np.array((0.0, 0.0, 0.333))
    out = arm.random_pose(RNG, (200_000,)).origins[:, -1] - shoulder
    farthest = np.linalg.norm(out, axis=1).max()
    targets = shoulder + 1.04 * farthest * directions(300)
    assert set(np.asarray(solve(middle(panda()), [Reach("hand", targets)]).status)) == {int(Status.OUT_OF_REACH)}


@pytest.mark.parametrize("kind", ["ball", "hinge"])
def test_a_joint_cannot_move_its_own_origin(kind: str) -> None:
    """The length of such a chain, 0, was divided by."""
    axes = (Axis((0, 0, 1)),) if kind == "hinge" else ()
    skeleton = Skeleton([Joint("base", "fixed"), Joint("arm", kind, "base", (0.0, 1.0, 0.0), axes=axes)])
    solution = solve(rest(skeleton), [Reach("arm", (0.0, 1.5, 0.0))])
    assert solution.status is Status.OUT_OF_REACH
    assert solution.goals[0].distance == pytest.approx(0.5, abs=1e-12)
    assert solve(rest(skeleton), [Reach("arm", (0.0, 1.0, 0.0))]).status is Status.REACHED


def test_statuses_of_a_batch_are_those_of_its_problems() -> None:
    skeleton = panda()
    frames = skeleton.random_pose(RNG, (40,)).world_from_joint[:, -1].copy()
    frames[:, :3, 3] *= np.linspace(0.6, 1.9, 40)[:, None]
    prepared = prepare(skeleton, [Place("hand", frames[0])], restarts=2)
    batch = np.asarray(prepared.solve(middle(skeleton), [frames]).status)
    assert len(set(batch)) >= 4
    for frame, status in zip(frames, batch, strict=True):
        assert prepared.solve(middle(skeleton), [frame]).status == status


def test_a_pose_within_all_limits_is_not_held_by_them() -> None:
    """It was called held by limits after 20 restarts."""
    skeleton = panda()
    pose = Pose(skeleton, (2.21622, -1.58244, 0.49937, -0.47591, -0.00725, 1.88027, 2.48729))
    goals = [Place("hand", pose.world_from_joint[-1])]
    assert solve(middle(skeleton), goals).status is Status.REACHED
    for seed in range(20):
        assert solve(middle(skeleton), goals, seed=seed).status is Status.REACHED


def test_limits_are_blamed_only_where_another_search_within_them_fails_too() -> None:
    """A start that one attempt without restarts gets stuck from: the pose without limits leads back to one within."""
    skeleton = panda()
    poses = skeleton.random_pose(RNG, (3000,))
    prepared = prepare(skeleton, [Place("hand", poses.world_from_joint[0, -1])], restarts=0)
    statuses = np.asarray(prepared.solve(middle(skeleton), [poses.world_from_joint[:, -1]]).status)
    stuck, blamed = statuses != Status.REACHED, statuses == Status.AT_LIMIT
    assert 0 < blamed.sum() < stuck.sum()


def test_what_cannot_leave_its_position_is_out_of_reach_anywhere_else() -> None:
    skeleton = planar_arm(1.0)
    start = rest(skeleton)
    assert solve(start, [Reach("h0", (0.5, 0.0, 0.0))]).status is Status.OUT_OF_REACH
    assert solve(start, [Reach("h0", (0.0, 0.0, 0.0))]).status is Status.REACHED
    assert solve(start, [Reach("tip", (1.0, 0.0, 0.3))], frozen=["h0"]).status is Status.OUT_OF_REACH
