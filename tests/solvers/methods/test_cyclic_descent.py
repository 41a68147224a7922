"""Cyclic coordinate descent against its closed forms, step by step."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from solvers.chains import ball_chain, mixture, planar_arm, rest
from solvers.methods.random_chains import random_chain

import posable
from posable import Axis, Comfort, Cone, Joint, LookAt, MethodError, Orient, Place, Pose, Reach, Skeleton, Status, solve
from posable.goals.term_arrays import ANGLE
from posable.solvers import CyclicDescent
from posable.spatial import matrix_from_wxyz, wxyz_about

BARE = CyclicDescent(help=False)


def literal_sweep(pose: Pose, goals: list[Reach], order: str) -> Pose:
    """Hinges, one each: the angle that maximises A cos δ + B sin δ, moved within the limits, everything taken anew."""
    skeleton, q = pose.skeleton, np.array(pose.q)
    hinges = [j for j, joint in enumerate(skeleton.definitions) if joint.kind == "hinge"]
    for j in hinges[::-1] if order == "tip_first" else hinges:
        now = Pose(skeleton, q)
        c = int(skeleton.tables.first_coordinate[j])
        axis = now.jacobian(skeleton.joints[j])[3:, skeleton.freedom_range(j).start]
        cosine = sine = 0.0
        for goal in goals:
            end = skeleton.index(goal.joint)
            if j not in skeleton.chain(end):
                continue
            place = now.world_from_joint[end] @ np.append(goal.tip, 1.0)
            v, n = place[:3] - now.origins[j], np.asarray(goal.target) - now.origins[j]
            cosine += goal.weight * (v @ n - (axis @ v) * (axis @ n))
            sine += goal.weight * (axis @ np.cross(v, n))
        low, high = skeleton.lower[c] - q[c], skeleton.upper[c] - q[c]
        angle = math.atan2(sine, cosine)
        fitting = [one for one in (angle, angle - math.copysign(2 * math.pi, angle)) if low <= one <= high]
        ends = [one for one in (low, high) if math.isfinite(one)]
        q[c] += fitting[0] if fitting else max(ends, key=lambda d: cosine * math.cos(d) + sine * math.sin(d))
    return Pose(skeleton, q)


def branched(limit: float) -> Skeleton:
    """A stem of four hinges with slanted axes and two branches of two, "left" and "right"."""
    rng = np.random.default_rng(3)

    def axes() -> tuple[Axis]:
        return (Axis(tuple(rng.normal(size=3)), lower=-limit, upper=limit),)

    joints = [Joint("s0", axes=axes())]
    joints += [Joint(f"s{k}", "hinge", f"s{k - 1}", (0.5, 0.1, 0), axes=axes()) for k in range(1, 4)]
    for name, y in (("left", 0.4), ("right", -0.4)):
        joints.append(Joint(f"{name}0", "hinge", "s3", (0.2, y, 0), axes=axes()))
        joints.append(Joint(f"{name}1", "hinge", f"{name}0", (0.5, 0, 0.1), axes=axes()))
        joints.append(Joint(name, "fixed", f"{name}1", (0.4, 0, 0)))
    return Skeleton(joints)


@pytest.mark.parametrize("order", ["tip_first", "base_first"])
@pytest.mark.parametrize("limit", [0.6, math.inf])
def test_every_step_is_the_closed_form_joint_by_joint(order: str, limit: float) -> None:
    skeleton = branched(limit)
    pose = rest(skeleton).plus(np.linspace(0.3, -0.4, skeleton.dof))
    goals = [Reach("left", (1.2, 0.9, 0.6)), Reach("right", (0.9, -0.4, 1.0), tip=(0.1, 0.2, 0), weight=0.4)]
    solution = solve(pose, goals, method=CyclicDescent(order, help=False), max_iterations=12, trace=True)
    assert solution.trace is not None
    assert len(solution.trace) == 13
    for after in solution.trace.q[1:]:
        pose = literal_sweep(pose, goals, order)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-11)


def several_kinds() -> Skeleton:
    """A free root, a ball, a hinge beside its joint, a slide and a ball whose centre lies aside."""
    hinge, slide = Axis((0.2, 0.3, 1), anchor=(0.1, 0.2, 0)), Axis((1, 0.5, 0), slide=True)
    return Skeleton(
        [
            Joint("root", "free"),
            Joint("ball", "ball", "root", (0.2, 0.5, 0), (0.9, 0.1, 0.2, 0.3)),
            Joint("hinge", "hinge", "ball", (0.1, 0.5, 0), axes=(hinge,)),
            Joint("slide", "slide", "hinge", (0.1, 0.4, 0.1), axes=(slide,)),
            Joint("aside", "ball", "slide", (0, 0.3, 0), anchor=(0.1, 0.2, 0.1)),
            Joint("tip", "fixed", "aside", (0.1, 0.4, 0)),
        ]
    )


def literal_move(pose: Pose, name: str, target: np.ndarray) -> Pose:
    """The best move of one joint for one place, everything else standing; of a ball the smallest turn."""
    skeleton, j = pose.skeleton, pose.skeleton.index(name)
    joint, step, own = skeleton.definitions[j], np.zeros(skeleton.dof), skeleton.freedom_range(j)
    at, tip = pose.world_from_joint[j], pose.origins[-1]
    if joint.kind == "slide":
        step[own] = pose.jacobian(name)[:3, own.start] @ (target - tip)
        return pose.plus(step)
    anchor = joint.axes[0].anchor if joint.axes else joint.anchor
    center = (at @ np.append(anchor, 1.0))[:3]
    v, n = tip - center, target - center
    if joint.kind == "hinge":
        axis = pose.jacobian(name)[3:, own.start]
        step[own] = math.atan2(axis @ np.cross(v, n), v @ n - (axis @ v) * (axis @ n))
        return pose.plus(step)
    axis = np.cross(v, n)
    angle = math.atan2(np.linalg.norm(axis), v @ n)
    step[list(own)[-3:]] = at[:3, :3].T @ (axis * angle / np.linalg.norm(axis))
    return pose.plus(step)


@pytest.mark.parametrize("order", ["tip_first", "base_first"])
def test_every_kind_of_joint_moves_as_if_all_were_taken_anew(order: str) -> None:
    skeleton, target = several_kinds(), np.array([0.9, 0.8, -0.7])
    pose = rest(skeleton).plus(np.linspace(0.4, -0.3, skeleton.dof))
    frozen = ("root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz")
    names = ["ball", "hinge", "slide", "aside"]
    method = CyclicDescent(order, help=False)
    solution = solve(pose, [Reach("tip", target)], method=method, frozen=frozen, max_iterations=4, trace=True)
    assert solution.trace is not None
    assert len(solution.trace) > 2
    for after in solution.trace.q[1:3]:
        for name in names[::-1] if order == "tip_first" else names:
            if np.linalg.norm(pose.origins[-1] - target) > 1e-12:
                pose = literal_move(pose, name, target)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-10)


def cost(pose: Pose, joint: str, place: np.ndarray, turn: np.ndarray) -> float:
    """Squared distance in reaches, and half of ANGLE for the squared ends of the frame's axes."""
    at = pose.world_from_joint[pose.skeleton.index(joint)]
    reach = pose.skeleton.reach
    return float(((at[:3, 3] - place) ** 2).sum() / reach**2 + 0.5 * ANGLE * ((at[:3, :3] - turn) ** 2).sum())


def test_place_and_turn_together_are_the_best_of_all_angles() -> None:
    """One hinge: no other angle of all serves the weighted sum better."""
    skeleton = Skeleton(
        [Joint("h", axes=(Axis((1, 2, 3), anchor=(0.1, 0.2, 0.3)),)), Joint("tip", "fixed", "h", (1, 0, 0))]
    )
    target = np.eye(4)
    target[:3, :3], target[:3, 3] = matrix_from_wxyz(wxyz_about((0.3, -1, 0.2), 1.9)), (0.2, 0.5, 0.6)
    start = Pose(skeleton, [0.4])
    solution = solve(start, [Place("tip", target)], method=BARE, max_iterations=1, trace=True)
    assert solution.trace is not None

    def left(q: float) -> float:
        return cost(Pose(skeleton, [q]), "tip", target[:3, 3], target[:3, :3])

    angles = np.linspace(-np.pi, np.pi, 721)
    near = angles[np.argmin([left(q) for q in angles])]
    best = minimize_scalar(left, bounds=(near - 0.01, near + 0.01), method="bounded", options={"xatol": 1e-10})
    turned = (solution.trace.q[1, 0] - best.x + np.pi) % (2 * np.pi) - np.pi
    assert abs(turned) < 1e-7


def test_a_ball_turns_by_the_smallest_turn_onto_its_target_and_by_the_best_for_place_and_turn() -> None:
    skeleton = ball_chain(1.0)
    target = np.array([0.6, 0.0, 0.8])
    solution = solve(rest(skeleton), [Reach("tip", target)], method=BARE, max_iterations=1)
    np.testing.assert_allclose(solution.pose.q, wxyz_about(np.cross((0, 1, 0), target), math.pi / 2), atol=1e-12)
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = matrix_from_wxyz(wxyz_about((0.3, -1, 0.2), 1.2)), (0.7, 0.3, -0.4)
    found = solve(rest(skeleton), [Place("tip", frame)], method=BARE, max_iterations=1).pose
    least = cost(found, "tip", frame[:3, 3], frame[:3, :3])
    for step in np.vstack([np.eye(3), -np.eye(3)]) * 1e-4:
        assert cost(found.plus(step), "tip", frame[:3, 3], frame[:3, :3]) > least


def test_a_ball_whose_target_is_straight_behind_makes_half_a_turn() -> None:
    solution = solve(rest(ball_chain(1.0)), [Reach("tip", (0, -1, 0))], method=BARE, max_iterations=1)
    assert solution.status is Status.REACHED


@pytest.mark.parametrize("order", ["tip_first", "base_first"])
def test_every_kind_of_joint_only_ever_lowers_what_is_left(order: str) -> None:
    """Free root, cone, slide, universal, planar, anchored ball and twist; the mimic's hinge is frozen."""
    skeleton = mixture()
    rng = np.random.default_rng(1)
    for n in range(6):
        start, goal = skeleton.random_pose(rng), skeleton.random_pose(rng)
        frame = goal.world_from_joint[-1]
        frozen = ("hinge",) if n % 2 else ("hinge", "root")
        solution = solve(
            start, [Place("end", frame)], method=CyclicDescent(order, help=False), trace=True, frozen=frozen,
            max_iterations=30,
        )  # fmt: skip
        assert solution.trace is not None
        left = [cost(pose, "end", frame[:3, 3], frame[:3, :3]) for pose in solution.trace]
        assert (np.diff(left) < 1e-9).all()
        assert left[-1] < 0.2 * left[0]


def test_what_is_left_is_what_the_sweep_carried_along() -> None:
    """One step of all kinds at once: from the base each move finds the others moved, as from the tip."""
    skeleton, rng = mixture(), np.random.default_rng(2)
    start, target = skeleton.random_pose(rng), skeleton.random_pose(rng).origins[-1]
    for order in ("tip_first", "base_first"):
        found = solve(
            start, [Reach("end", target)], method=CyclicDescent(order, help=False), max_iterations=1, frozen=("hinge",)
        )
        if order == "base_first":  # the free root comes first, takes the end to its target, and nothing else moves
            np.testing.assert_allclose(found.pose.origins[-1], target, atol=1e-12)
        else:
            assert found.goals[0].distance < 1e-9


@pytest.mark.parametrize("order", ["tip_first", "base_first"])
def test_absolute_angles_step_by_the_best_of_all_angles(order: str) -> None:
    arm = posable.figure("doorbell_arm").rest
    target, lengths = np.array([30.0, -40.0]), np.array([50.0, 45.0, 3.0])
    solution = solve(
        arm, [Reach("hand", (*target, 0.0))], method=CyclicDescent(order, help=False), max_iterations=5, trace=True
    )
    q = np.array(arm.q)
    assert solution.trace is not None
    for after in solution.trace.q[1:]:
        for k in (2, 1, 0) if order == "tip_first" else (0, 1, 2):
            others = sum(lengths[i] * np.array([np.cos(q[i]), np.sin(q[i])]) for i in range(3) if i != k)
            wanted = math.atan2(*(target - others)[::-1])
            q[k] += (wanted - q[k] + np.pi) % (2 * np.pi) - np.pi
        np.testing.assert_allclose(after, q, rtol=0, atol=1e-11)


def test_the_telescope_collapses_from_the_top() -> None:
    figure = posable.figure("telescope")
    for height, expected in ((80, (30, 20)), (65, (30, 5)), (60, (30, 0)), (50, (20, 0)), (30, (0, 0))):
        solution = solve(figure.rest, [Reach("tip", (0, height, 0))], method=CyclicDescent())
        assert solution.status is Status.REACHED
        np.testing.assert_allclose(solution.pose.q, expected, atol=1e-9)


def test_with_ease_the_next_slide_starts_before_the_first_one_stops() -> None:
    figure = posable.figure("telescope")
    eased = [replace(joint, ease=10.0) if joint.name == "top" else joint for joint in figure.skeleton.definitions]
    start = Pose(Skeleton(eased), figure.rest.q)
    for height, moved in ((75, False), (66, True)):
        solution = solve(start, [Reach("tip", (0, height, 0))], method=CyclicDescent())
        assert solution.status is Status.REACHED
        middle, top = solution.pose.q
        assert (middle < 30 - 1e-3) == moved
        assert top > 1e-3


def test_a_turn_is_no_larger_than_asked_and_a_stiff_joint_makes_its_share() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    solution = solve(rest(arm), [Reach("tip", (0, 2, 0))], method=CyclicDescent(max_turn=0.1), trace=True)
    assert solution.trace is not None
    steps = np.abs(np.diff(solution.trace.q, axis=0))
    assert steps.max() == pytest.approx(0.1, abs=1e-12)
    stiff = Skeleton([replace(joint, stiffness=1.0 * (joint.dof > 0)) for joint in arm.definitions])
    plain, half = (
        solve(rest(s), [Reach("tip", (0, 2, 0))], method=BARE, max_iterations=1, trace=True) for s in (arm, stiff)
    )
    assert half.pose.q[2] == pytest.approx(plain.pose.q[2] / 2)


def test_a_straight_chain_whose_target_lies_along_it_is_kicked_out_of_its_line() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    bare, helped = (solve(rest(arm), [Reach("tip", (2.5, 0, 0))], method=m) for m in (BARE, CyclicDescent()))
    assert bare.status is Status.LOCAL_MINIMUM
    assert helped.status is Status.REACHED


@pytest.mark.parametrize(("kind", "limit"), [("hinge", None), ("hinge", math.pi / 4), ("ball", math.pi / 4)])
@pytest.mark.parametrize("start", ["rest", "random"])
def test_at_least_99_of_100_places_in_reach_of_ten_joints_are_reached(kind: str, limit: float, start: str) -> None:
    rng, met = np.random.default_rng(5), []
    for _ in range(12):
        skeleton = random_chain(rng, 10, kind, limit)
        targets = skeleton.random_pose(rng, (25,)).origins[:, -1]
        first = rest(skeleton) if start == "rest" else skeleton.random_pose(rng, (25,))
        solution = solve(first, [Reach("tip", targets)], method=CyclicDescent(), tolerance=0.01)
        met.append(solution.status == Status.REACHED)
    assert np.mean(met) >= 0.99


def test_out_of_reach_kicks_that_win_nothing_end_and_the_best_pose_stays() -> None:
    skeleton = random_chain(np.random.default_rng(0), 6, "hinge", 0.8)
    solution = solve(rest(skeleton), [Reach("tip", (0, 9, 0))], method=CyclicDescent(), max_iterations=2000, trace=True)
    assert solution.status is Status.OUT_OF_REACH
    assert solution.iterations < 1000
    assert solution.trace is not None
    assert solution.goals[0].distance == pytest.approx(
        np.linalg.norm(solution.trace.origins[-1, -1] - (0, 9, 0)), rel=1e-6
    )
    best = solve(rest(skeleton), [Reach("tip", (0, 9, 0))], restarts=50).goals[0].distance
    assert best is not None
    assert solution.goals[0].distance <= best + 1e-3


REFUSED = [
    (mixture(), [Reach("end", (0, 0, 0))], (), "joint 'mimic' mimics 'hinge', so neither can be moved alone"),
    (mixture(), [Reach("slide", (0, 0, 0))], ("root.x", "ball.x"), "joint 'ball' may rotate about some of its axes"),
    (
        planar_arm(1, 1),
        [LookAt("tip", (0, 0, 0), (1, 0, 0))],
        (),
        "the goal LookAt of 'tip' is not a single position or rotation",
    ),
    (
        planar_arm(1, 1),
        [Reach("tip", (0, 0, 0), relative_to="h0")],
        (),
        "the goal Reach of 'tip' is relative to another",
    ),
    (planar_arm(1, 1), [Reach("tip", (0, 0, 0), priority=1)], (), "the goal Reach of 'tip' has a priority number"),
    (planar_arm(1, 1), [Reach("tip", (0, 0, 0)), Comfort()], (), "the soft goal Comfort has no position for a joint"),
]


@pytest.mark.parametrize(("skeleton", "goals", "frozen", "message"), REFUSED)
def test_what_it_cannot_do_is_refused(skeleton: Skeleton, goals: list, frozen: tuple[str, ...], message: str) -> None:
    with pytest.raises(MethodError, match=f"CyclicDescent cannot be used here: {message}"):
        solve(rest(skeleton), goals, method=CyclicDescent(), frozen=frozen)


def test_absolute_angles_about_other_axes_are_refused() -> None:
    joints = [Joint("a", axes=(Axis((0, 0, 1)),), absolute=True)]
    joints.append(Joint("b", "hinge", "a", (1, 0, 0), axes=(Axis((0, 1, 0)),), absolute=True))
    with pytest.raises(MethodError, match="joint 'b' has an absolute angle about another axis than the joint above"):
        solve(rest(Skeleton(joints)), [Reach("b", (0, 1, 0), tip=(1, 0, 0))], method=CyclicDescent())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "middle"}, "CyclicDescent: order is 'tip_first' or 'base_first', not 'middle'"),
        ({"max_turn": 0.0}, "CyclicDescent: max_turn must be an angle above 0, or None, not 0.0"),
        ({"help": 1}, "CyclicDescent: help is True or False, not 1"),
    ],
)
def test_parameters_that_are_none_are_refused(options: dict, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        CyclicDescent(**options)


def test_orientations_alone_and_of_a_coned_ball() -> None:
    """A cone of half a radian holds the ball back; what is left is the rest of the turn."""
    skeleton = ball_chain(1.0, cone=Cone((0, 1, 0), 0.5))
    solution = solve(rest(skeleton), [Orient("tip", wxyz_about((1, 0, 0), 0.8))], method=CyclicDescent())
    assert solution.status is Status.AT_LIMIT
    assert solution.goals[0].angle == pytest.approx(0.3, abs=1e-6)
