"""Virtual forces against their equations, step by step."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from solvers.chains import ball_chain, mixture, planar_arm, rest

import posable
from posable import Axis, Comfort, Joint, MethodError, Orient, Pose, Reach, Skeleton, Status, solve
from posable.solvers import VirtualForce

ARM = np.array([50.0, 45.0, 3.0])


def u(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def traced(start: Pose, goals: list, method: VirtualForce, steps: int, **options: object) -> np.ndarray:
    solution = solve(start, goals, method=method, max_iterations=steps, trace=True, **options)  # pyright: ignore[reportArgumentType]
    assert solution.trace is not None
    assert len(solution.trace) == steps + 1
    return solution.trace.q


def test_absolute_angles_in_a_plane_step_as_published() -> None:
    """The doorbell arm: angle += k (f · r), from the wrist to the shoulder, f and r taken anew after each."""
    start, target = posable.figure("doorbell_arm").rest, np.array([30.0, -40.0])
    q = np.array(start.q)
    for after in traced(start, [Reach("hand", (*target, 0.0))], VirtualForce(0.01), 30)[1:]:
        for k in (2, 1, 0):
            force = target - sum(length * u(angle) for length, angle in zip(ARM, q, strict=True))
            q[k] += 0.01 * (force @ u(q[k] + math.pi / 2))
        np.testing.assert_allclose(after, q, rtol=0, atol=1e-12)


def test_relative_angles_in_a_plane_step_as_published() -> None:
    arm, target = planar_arm(1.0, 0.8, 0.5), np.array([0.4, 1.3])
    start = rest(arm).plus([0.3, -0.4, 0.9])
    q = np.array(start.q)
    for after in traced(start, [Reach("tip", (*target, 0.0))], VirtualForce(0.2), 25)[1:]:
        for k in (2, 1, 0):
            angles = np.cumsum(q)
            force = target - sum(length * u(a) for length, a in zip((1.0, 0.8, 0.5), angles, strict=True))
            q[k] += 0.2 * (force @ u(angles[k] + math.pi / 2))
        np.testing.assert_allclose(after, q, rtol=0, atol=1e-12)


def torque(pose: Pose, j: int, axis: np.ndarray, center: np.ndarray, goals: list[Reach]) -> float:
    """|f| sin∠(a, f) sin∠(b, f) sign(cos∠(r, f)), summed over the effectors below."""
    skeleton, angle = pose.skeleton, 0.0
    for goal in goals:
        end = skeleton.index(goal.joint)
        chain = skeleton.chain(end)
        if j not in chain:
            continue
        point = (pose.world_from_joint[end] @ np.append(goal.tip, 1.0))[:3]
        force = np.asarray(goal.target) - point
        below = chain[chain.index(j) + 1] if j != end else None
        bone = (point if below is None else pose.origins[below]) - center
        size = np.linalg.norm(bone)
        if size < 1e-12 or abs(bone @ axis) > 0.99 * size:
            bone = point - center
            size = np.linalg.norm(bone)
        strength = np.linalg.norm(force)
        if np.linalg.norm(np.cross(axis, bone)) <= 1e-9 * size or strength == 0:
            continue

        def sine(one: np.ndarray, other: np.ndarray) -> float:
            return float(np.linalg.norm(np.cross(one, other)) / np.linalg.norm(one) / np.linalg.norm(other))

        side = np.sign(np.cross(axis, bone) @ force)
        angle += goal.weight * strength * sine(axis, force) * sine(bone, force) * side
    return angle


def push(pose: Pose, j: int, axis: np.ndarray, goals: list[Reach]) -> float:
    """The part of the forces along an axis, by the figure's reach."""
    skeleton = pose.skeleton
    forces = [
        goal.weight * (np.asarray(goal.target) - (pose.world_from_joint[end] @ np.append(goal.tip, 1.0))[:3])
        for goal, end in ((goal, skeleton.index(goal.joint)) for goal in goals)
        if j in skeleton.chain(end)
    ]
    return skeleton.reach * sum(float(axis @ force) for force in forces)


def literal_step(pose: Pose, goals: list[Reach], k: float, at_once: bool) -> Pose:
    """One pass from the tip to the base over freedoms of hinges, twists, slides, universals, balls and a free root."""
    skeleton, first = pose.skeleton, pose
    for d in range(skeleton.dof - 1, -1, -1):
        j = int(np.searchsorted(skeleton.tables.first_dof, d, side="right")) - 1
        joint, seen = skeleton.definitions[j], first if at_once else pose
        jacobian = seen.jacobian(skeleton.joints[j])
        own = np.zeros(skeleton.dof)
        if skeleton.slides[d]:
            own[d] = k * push(seen, j, jacobian[:3, d], goals)
        else:
            anchor = np.array(
                joint.anchor if joint.kind == "ball" else joint.axes[0].anchor if joint.axes else (0, 0, 0)
            )
            center = (seen.world_from_joint[j] @ np.append(anchor, 1.0))[:3]
            own[d] = k * torque(seen, j, jacobian[3:, d], center, goals)
        pose = pose.plus(own).clamped()
    return pose


def creature() -> Skeleton:
    """Hinges with slanted axes, a twist, a slide, a ball with its centre aside, and two ends, "tip" and "claw"."""
    return Skeleton(
        [
            Joint("a", axes=(Axis((0.2, 0.1, 1), lower=-0.5, upper=0.5),)),
            Joint("b", "hinge", "a", (0.5, 0, 0.1), axes=(Axis((0, 1, 0.3), anchor=(0.05, 0.1, 0)),)),
            Joint("turn", "twist", "b", (0.4, 0, 0), axes=(Axis((1, 0, 0)),)),
            Joint("out", "slide", "turn", (0.3, 0, 0), axes=(Axis((1, 0.2, 0), slide=True, lower=-0.1, upper=0.2),)),
            Joint("ball", "ball", "out", (0.1, 0.1, 0), anchor=(0.02, 0.1, 0.05)),
            Joint("tip", "fixed", "ball", (0.4, 0.1, 0.1)),
            Joint("claw", "hinge", "b", (0.2, -0.3, 0), axes=(Axis((0, 0.3, 1)),)),
        ]
    )


@pytest.mark.parametrize("skeleton", [creature(), ball_chain(0.5, 0.4, 0.3)], ids=["creature", "balls"])
def test_every_step_in_space_is_the_published_one(skeleton: Skeleton) -> None:
    start = rest(skeleton).plus(np.where(skeleton.slides, 0.0, np.linspace(0.3, -0.4, skeleton.dof))).clamped()
    goals = [Reach("tip", (0.6, 0.7, 0.5))]
    if "claw" in skeleton.joints:
        goals.append(Reach("claw", (0.4, -0.5, 0.3), tip=(0.2, 0.1, 0), weight=0.5))
    pose = start
    for after in traced(start, goals, VirtualForce(0.3), 15)[1:]:
        pose = literal_step(pose, goals, 0.3, at_once=False)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-12)


def test_at_once_every_joint_feels_the_force_before_the_step() -> None:
    """Hinges, a twist and a slide; a ball's three turns together are one rotation vector."""
    joints = [
        joint if joint.name != "ball" else Joint("ball", "fixed", "out", (0.1, 0.1, 0))
        for joint in creature().definitions
    ]
    skeleton = Skeleton(joints)
    pose = rest(skeleton).plus(np.where(skeleton.slides, 0.0, 0.3)).clamped()
    goals = [Reach("tip", (0.6, 0.7, 0.5))]
    for after in traced(pose, goals, VirtualForce(0.1, at_once=True), 15)[1:]:
        pose = literal_step(pose, goals, 0.1, at_once=True)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-12)
    balls = rest(ball_chain(0.5, 0.4)).plus(np.linspace(0.3, -0.4, 6))
    after = traced(balls, [Reach("tip", (0.5, 0.3, 0.4))], VirtualForce(0.1, at_once=True), 1)[1]
    moves = [
        [0.1 * torque(balls, j, balls.jacobian(f"b{j}")[3:, d], balls.origins[j], [Reach("tip", (0.5, 0.3, 0.4))])
         for d in range(3 * j, 3 * j + 3)]
        for j in (0, 1)
    ]  # fmt: skip
    np.testing.assert_allclose(after, balls.plus(np.ravel(moves)).q, rtol=0, atol=1e-12)


def test_in_a_plane_both_forms_are_the_same() -> None:
    start = rest(planar_arm(1.0, 0.8, 0.5)).plus([0.3, -0.4, 0.9])
    one, other = (
        traced(start, [Reach("tip", (0.4, 1.3, 0.0))], VirtualForce(0.2, planar=planar), 20) for planar in (True, False)
    )
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def test_a_free_root_moves_as_three_slides_and_three_hinges() -> None:
    skeleton = Skeleton([Joint("root", "free"), Joint("tip", "fixed", "root", (1, 0, 0))])
    pose, goals = rest(skeleton).plus(np.full(6, 0.2)), [Reach("tip", (0.5, 1.0, 0.3))]
    for after in traced(pose, goals, VirtualForce(0.1), 10)[1:]:
        pose = literal_step(pose, goals, 0.1, at_once=False)
        np.testing.assert_allclose(after, pose.q, rtol=0, atol=1e-12)


def test_a_zero_force_and_a_force_along_an_axis_give_no_torque() -> None:
    arm = planar_arm(1.0, 1.0)
    still = solve(rest(arm), [Reach("tip", (2, 0, 0.5))], method=VirtualForce(), max_iterations=50)
    np.testing.assert_array_equal(still.pose.q, [0.0, 0.0])
    assert still.iterations == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["doorbell_arm", "snake", "tentacle", "arm6", "arm7"])
def test_figures_reach_and_out_of_reach_they_end_as_near_as_they_can(name: str) -> None:
    figure = posable.figure(name)
    end = {"doorbell_arm": "hand", "snake": "head", "tentacle": "tip"}.get(name, "tool")
    rng = np.random.default_rng(4)
    index = figure.skeleton.index(end)
    bent = figure.rest.plus(rng.uniform(-0.25, 0.25, figure.skeleton.dof)).clamped()
    near = solve(
        figure.rest, [Reach(end, bent.origins[index])], method=VirtualForce(), tolerance=1e-3, max_iterations=300
    )
    assert near.status is Status.REACHED
    far = 3 * figure.skeleton.reach * np.array([0.6, 0.8, 0.0])
    away = solve(figure.rest, [Reach(end, far)], method=VirtualForce(), max_iterations=1500)
    best = solve(figure.rest, [Reach(end, far)], restarts=20)
    assert away.status is not Status.REACHED
    assert away.goals[0].distance is not None
    assert best.goals[0].distance is not None
    assert away.goals[0].distance <= best.goals[0].distance + 0.05 * figure.skeleton.reach


def test_a_stiff_joint_makes_its_share() -> None:
    arm = planar_arm(1.0, 1.0, 1.0)
    stiff = Skeleton([replace(joint, stiffness=3.0) if joint.name == "h2" else joint for joint in arm.definitions])
    plain, less = (traced(rest(s), [Reach("tip", (2, 1, 0))], VirtualForce(0.2), 1)[1] for s in (arm, stiff))
    assert less[2] == pytest.approx(plain[2] / 4, abs=1e-14)


REFUSED = [
    (
        planar_arm(1, 1),
        [Orient("tip", (1, 0, 0, 0))],
        VirtualForce(),
        "the goal Orient of 'tip' asks for a rotation",
    ),
    (
        ball_chain(1),
        [Reach("tip", (0, 0, 0))],
        VirtualForce(planar=True),
        "planar=True, but the axes of the movable hinges are not",
    ),
    (
        mixture(),
        [Reach("end", (0, 0, 0))],
        VirtualForce(),
        "joint 'mimic' mimics 'hinge', so neither can be moved alone",
    ),
    (
        planar_arm(1, 1),
        [Reach("tip", (0, 0, 0)), Comfort()],
        VirtualForce(settle=False),
        "the soft goal Comfort has no position",
    ),
]


@pytest.mark.parametrize(("skeleton", "goals", "method", "message"), REFUSED)
def test_what_it_cannot_do_is_refused(skeleton: Skeleton, goals: list, method: VirtualForce, message: str) -> None:
    with pytest.raises(MethodError, match=f"VirtualForce cannot be used here: {message}"):
        solve(rest(skeleton), goals, method=method)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sensitivity": 0}, "VirtualForce: sensitivity must be a number above 0 and at most 1e6, or None, not 0"),
        ({"gravity": -1.0}, "VirtualForce: gravity must be a number from 0 to 1e6, not -1.0"),
        ({"at_once": 1}, "VirtualForce: at_once is True or False, not 1"),
        ({"settle": "no"}, "VirtualForce: settle is True or False, not 'no'"),
        ({"planar": 0}, "VirtualForce: planar is True, False or None, not 0"),
    ],
)
def test_parameters_that_are_none_are_refused(options: dict, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        VirtualForce(**options)
