"""FABRIK: the published sweeps point by point, hinges, limits, several ends, lines, refusals, how often it arrives."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from solvers.chains import ball_chain, mixture, planar_arm, rest
from solvers.methods.random_chains import random_chain

from posable import Joint, LookAt, Orient, Place, Pose, Reach, Skeleton, Status, figure, solve
from posable.errors import MethodError
from posable.solvers import Fabrik
from posable.spatial import matrix_from_wxyz, random_wxyz

RNG = np.random.default_rng(0)


def sweep(points: np.ndarray, target: np.ndarray) -> np.ndarray:
    """One iteration as Aristidou and Lasenby print it."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    p, base = np.array(points), np.array(points[0])
    if np.linalg.norm(target - base) > lengths.sum():
        for i, length in enumerate(lengths):
            share = length / np.linalg.norm(target - p[i])
            p[i + 1] = (1 - share) * p[i] + share * target
        return p
    p[-1] = target
    for i in range(len(lengths) - 1, -1, -1):
        share = lengths[i] / np.linalg.norm(p[i + 1] - p[i])
        p[i] = (1 - share) * p[i + 1] + share * p[i]
    p[0] = base
    for i, length in enumerate(lengths):
        share = length / np.linalg.norm(p[i + 1] - p[i])
        p[i + 1] = (1 - share) * p[i] + share * p[i + 1]
    return p


@pytest.mark.parametrize("distance", [2.0, 9.0])
def test_balls_go_through_the_published_points(distance: float) -> None:
    skeleton = ball_chain(1.0, 0.7, 0.4, 1.2)
    start = skeleton.random_pose(RNG)
    target = distance * np.array([0.6, 0.64, 0.48])
    solution = solve(start, Reach("tip", target), method=Fabrik(), max_iterations=8, tolerance=1e-12, trace=True)
    assert solution.trace is not None
    assert len(solution.trace) > 2
    for before, after in pairwise(solution.trace.origins):
        np.testing.assert_allclose(after, sweep(before, target), atol=1e-12)


def test_out_of_reach_is_straight_at_once() -> None:
    solution = solve(rest(ball_chain(1, 1, 1)), Reach("tip", (4.0, 3.0, 0.0)), method=Fabrik())
    assert solution.status is Status.OUT_OF_REACH
    assert solution.goals[0].distance == pytest.approx(2.0, abs=1e-12)
    assert solution.iterations == 2, "the second finds that nothing moves"


@pytest.mark.parametrize(
    ("kind", "limit", "share"),
    [("ball", None, 1.0), ("ball", 0.6, 1.0), ("hinge", None, 1.0), ("hinge", 1.5, 0.99), ("hinge", 0.6, 0.99)],
)
@pytest.mark.parametrize("start", ["rest", "random"])
def test_ten_joints_arrive_within_100_iterations(kind: str, limit: float | None, share: float, start: str) -> None:
    rng, arrived, bare = np.random.default_rng(11), [], []
    for _ in range(5):
        skeleton = random_chain(rng, 10, kind, limit)
        targets = skeleton.random_pose(rng, (50,)).origins[:, -1]
        first = rest(skeleton) if start == "rest" else skeleton.random_pose(rng, (50,))
        for method, met in ((Fabrik(), arrived), (Fabrik(help=False), bare)):
            solution = solve(first, Reach("tip", targets), method=method, tolerance=0.01, max_iterations=100)
            met.append(solution.goals[0].distance <= 0.01)
    assert np.mean(arrived) >= share
    assert np.mean(arrived) > np.mean(bare) or np.mean(bare) == 1.0


def first_steps(target: np.ndarray, start: Pose, count: int) -> tuple[Pose, Pose]:
    """The traces with and without help."""
    options = {"max_iterations": count, "tolerance": 1e-9, "trace": True}
    helped, bare = (solve(start, Reach("tip", target), method=Fabrik(help), **options).trace for help in (True, False))
    assert helped is not None and bare is not None
    return helped, bare


def test_balls_without_limits_get_no_help() -> None:
    skeleton = ball_chain(1.0, 0.7, 0.4, 1.2)
    helped, bare = first_steps(skeleton.random_pose(RNG).origins[-1], skeleton.random_pose(RNG), 8)
    np.testing.assert_array_equal(helped.q, bare.q)


def test_a_step_that_leaves_much_is_gone_on_with_twice_as_far_each_time() -> None:
    skeleton = random_chain(RNG, 6, "hinge", None)
    factors = []
    for _ in range(20):
        target = skeleton.random_pose(RNG).origins[-1]
        helped, bare = first_steps(target, skeleton.random_pose(RNG), 1)
        ways = helped.q[1] - helped.q[0], bare.q[1] - bare.q[0]
        factors.append(ways[0] @ ways[1] / (ways[1] @ ways[1]))
        np.testing.assert_allclose(ways[0], factors[-1] * ways[1], atol=1e-12)
        left = np.linalg.norm(
            np.stack([bare.origins[0, -1], bare.origins[1, -1], helped.origins[1, -1]]) - target, axis=1
        )
        assert left[1] > 0.5 * left[0] or factors[-1] == pytest.approx(1.0)
        assert left[2] <= left[1]
    powers = np.log2(factors)
    np.testing.assert_allclose(powers, np.round(powers), atol=1e-9)
    assert powers.max() >= 1


def test_a_straight_tentacle_reaches_beside_itself() -> None:
    tentacle = figure("tentacle")
    goal, near = Reach("tip", (0.5, 0.5, 0.3)), 1e-3 * tentacle.skeleton.reach
    helped, bare = (solve(tentacle.rest, goal, method=Fabrik(help), tolerance=near) for help in (True, False))
    assert helped.status is Status.REACHED
    assert bare.status is not Status.REACHED


def test_free_joints_that_only_turn_are_balls() -> None:
    balls = ball_chain(1.0, 0.7, 0.4, 1.2)
    free = Skeleton([replace(j, kind="free") if j.name == "b1" else j for j in balls.definitions])
    start, target = balls.random_pose(RNG), balls.random_pose(RNG).origins[-1]
    q = [np.concatenate([(0, 1.0, 0), start.of(n)]) if n == "b1" else start.of(n) for n in balls.joints]
    slides = ("b1.x", "b1.y", "b1.z")
    a, b = (
        solve(start, Reach("tip", target), method=Fabrik()),
        solve(Pose(free, np.concatenate(q)), Reach("tip", target), method=Fabrik(), frozen=slides),
    )
    assert a.status is Status.REACHED
    np.testing.assert_allclose(a.pose.origins, b.pose.origins, atol=1e-12)


@pytest.mark.parametrize("target", [(0.0, 1.5, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 0.0)])
def test_a_chain_in_line_with_its_target_is_bent_aside(target: tuple[float, float, float]) -> None:
    solution = solve(rest(ball_chain(1, 1, 1, 1)), Reach("tip", target), method=Fabrik(), tolerance=1e-4)
    assert solution.status is Status.REACHED
    arm = planar_arm(1, 1, 1, 1)
    turned = np.array(target)[[1, 0, 2]]
    assert solve(rest(arm), Reach("tip", turned), method=Fabrik(), tolerance=1e-4).status is Status.REACHED


def about_axis(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def carried_end(marks: np.ndarray, tip: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The end at its target, its joint as near to where it was as may be, then its axis."""
    p, z = marks - tip, marks - target
    first, second = (v / np.linalg.norm(v) for v in (p[0], z[0]))
    across = np.cross(first, second)
    turn = about_axis(across / np.linalg.norm(across), np.arctan2(np.linalg.norm(across), first @ second))
    q = turn @ p[1]
    roll = np.arctan2(np.cross(q, z[1]) @ second, q @ z[1] - (q @ second) * (z[1] @ second))
    motion = np.eye(4)
    motion[:3, :3] = about_axis(second, roll) @ turn
    motion[:3, 3] = target - motion[:3, :3] @ tip
    return motion


def hinge_sweeps(skeleton: Skeleton, pose: Pose, target: np.ndarray) -> np.ndarray:
    """One iteration for a chain of single hinges, in NumPy: angles, each the best for all the joints beyond."""
    axes = np.array([pose.jacobian(name)[3:, k] for k, name in enumerate(skeleton.joints[:-1])])
    points, tip = pose.origins[:-1], pose.origins[-1]
    unit, count = skeleton.reach / len(points), len(points)
    marks = np.stack([points, points + unit * axes], axis=1)  # [joint, 2, 3]
    shares = np.array([1.0, 0.1])

    def about(k: int, angle: float) -> np.ndarray:
        motion = np.eye(4)
        motion[:3, :3] = about_axis(axes[k], angle)
        motion[:3, 3] = points[k] - motion[:3, :3] @ points[k]
        return motion

    def best(k: int, p: np.ndarray, z: np.ndarray, w: np.ndarray) -> float:
        p, z, a = p - points[k], z - points[k], axes[k]
        return np.arctan2((w * (np.cross(p, z) @ a)).sum(), (w * ((p * z).sum(-1) - (p @ a) * (z @ a))).sum())

    def move(motion: np.ndarray, p: np.ndarray) -> np.ndarray:
        return p @ motion[:3, :3].T + motion[:3, 3]

    motion = carried_end(marks[-1], tip, target)
    motions = [motion] * count
    for k in range(count - 1, 0, -1):
        motions[k] = motion
        seen = move(np.linalg.inv(motion), marks[:k].reshape(-1, 3))
        angle = best(k, seen, marks[:k].reshape(-1, 3), np.tile(shares, k))
        motion = motion @ np.linalg.inv(about(k, angle))
    motions[0] = motion
    placed, change = np.eye(4), np.zeros(count)
    for k in range(count):
        wanted = [move(motions[m], marks[m]) for m in range(k + 1, count)]
        p, z = [*marks[k + 1 :].reshape(-1, 3), tip], [*np.reshape(wanted, (-1, 3)), target]
        weights = np.array([*np.tile(shares, count - k - 1), 10.0])
        change[k] = best(k, np.array(p), move(np.linalg.inv(placed), np.array(z)), weights)
        placed = placed @ about(k, change[k])
    return change


def test_hinges_go_through_the_stated_angles() -> None:
    skeleton = random_chain(RNG, 6, "hinge", None)
    target = skeleton.random_pose(RNG).origins[-1]
    start, bare = skeleton.random_pose(RNG), Fabrik(help=False)
    solution = solve(start, Reach("tip", target), method=bare, max_iterations=4, tolerance=1e-12, trace=True)
    assert solution.trace is not None
    for n in range(3):
        change = hinge_sweeps(skeleton, solution.trace[n], target)
        away = solution.trace[n + 1].q - solution.trace[n].q - change
        np.testing.assert_allclose(np.cos(away), 1.0, atol=1e-15, rtol=1e-12)


def fork() -> Skeleton:
    """Three balls, then two arms of three."""
    joints = [Joint(f"b{k}", "ball", f"b{k - 1}" if k else None, (0, 0.5 * bool(k), 0)) for k in range(3)]
    for side, x in (("l", 0.2), ("r", -0.2)):
        joints += [
            Joint(f"{side}{k}", "ball", f"{side}{k - 1}" if k else "b2", (x, 0.3 * (k > 0), 0)) for k in range(4)
        ]
    return Skeleton(joints)


def test_two_ends_meet_at_their_sub_base_and_a_loop_closes() -> None:
    skeleton = fork()
    start = skeleton.random_pose(RNG)
    ends = skeleton.random_pose(RNG).origins
    solution = solve(start, [Reach("l3", ends[6]), Reach("r3", ends[10])], method=Fabrik(), tolerance=1e-4)
    assert solution.status is Status.REACHED
    bones = [np.linalg.norm(pose.origins[4] - pose.origins[3]) for pose in (start, solution.pose)]
    assert bones[0] == pytest.approx(bones[1], abs=1e-14)
    together = [Reach("l3", (0.9, 0.9, 0.3)), Reach("r3", (0.9, 0.9, 0.3))]
    closed = solve(start, together, method=Fabrik(), tolerance=1e-4)
    assert closed.status is Status.REACHED
    assert np.linalg.norm(closed.pose.origins[6] - closed.pose.origins[10]) < 2e-4


def test_weights_say_who_comes_nearer() -> None:
    left = {}
    for weight in (1.0, 20.0):
        goals = [Reach("l3", (3.0, 1.0, 0.0), weight=weight), Reach("r3", (-3.0, 1.0, 0.0))]
        left[weight] = solve(rest(fork()), goals, method=Fabrik()).goals[0].distance
    assert left[20.0] < left[1.0] - 0.1


def test_a_place_turns_the_end_too() -> None:
    skeleton = fork()
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = matrix_from_wxyz(random_wxyz(RNG)), (0.5, 1.2, 0.3)
    solution = solve(rest(skeleton), Place("l3", frame), method=Fabrik(), tolerance=1e-4, angle_tolerance=1e-4)
    assert solution.status is Status.REACHED


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        (Reach("end", (1, 1, 1)), "joint 'root' slides, and bones keep their lengths here; freeze it"),
        (Orient("end", (1, 0, 0, 0)), "joint 'root' slides"),
    ],
)
def test_slides_are_refused_by_name(goal: Reach, why: str) -> None:
    skeleton = mixture()
    with pytest.raises(MethodError, match=f"Fabrik cannot be used here: .*{why}.*what can: LeastSquares"):
        solve(rest(skeleton), goal, method=Fabrik(), frozen=("hinge", "mimic"))


def test_what_it_cannot_serve_is_refused() -> None:
    skeleton = ball_chain(1, 1)
    with pytest.raises(MethodError, match="'tip' has a rotation goal but no position goal"):
        solve(rest(skeleton), Orient("tip", (1, 0, 0, 0)), method=Fabrik())
    with pytest.raises(MethodError, match="LookAt of 'tip' is not a single position or rotation"):
        solve(rest(skeleton), LookAt("tip", (1, 2, 3), (1, 0, 0)), method=Fabrik())
    joints = [Joint("a0", "ball"), Joint("s", "slide", "a0", axes=planar_slide()), Joint("e", "fixed", "s", (0, 1, 0))]
    with pytest.raises(MethodError, match="joint 's' slides"):
        solve(rest(Skeleton(joints)), Reach("e", (1, 0, 0)), method=Fabrik())


def planar_slide() -> tuple:
    from posable import Axis

    return (Axis((0, 1, 0), slide=True),)


def test_a_help_that_is_none_is_refused() -> None:
    with pytest.raises(MethodError, match="Fabrik: help is True or False, not 1"):
        Fabrik(help=1)  # pyright: ignore[reportArgumentType]
