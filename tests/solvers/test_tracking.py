"""Trajectories: on their goals, smooth, within speeds, at rest when the goals rest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import ball_chain, middle, mixture, panda, planar_arm, rest, world_by_hand
from solvers.people import ARM_R, biggest_steps, mannequin, place

from posable import LookAt, Orient, Place, Pole, Pose, Reach, Skeleton, Status, Stay, prepare

RNG = np.random.default_rng(41)
TURN = np.linspace(0, 2 * np.pi, 400)


def swinging(skeleton: Skeleton, joints: tuple[str, ...] = (), rng: np.random.Generator = RNG) -> Pose:
    """A smooth motion within the limits: every freedom (of `joints`) swings around the middle of its range."""
    mask = skeleton.freedom_mask(joints) if joints else np.ones(skeleton.dof, bool)
    mask &= ~skeleton.freedom_mask(["root"]) if "root" in skeleton.joints else True
    phase = rng.uniform(0, 2 * np.pi, skeleton.dof)
    size = rng.uniform(0.1, 0.3, skeleton.dof) * mask
    start = rest(skeleton) if np.isinf(skeleton.lower).any() else middle(skeleton)
    return (
        Pose(skeleton, np.repeat(start.q[None], len(TURN), axis=0)).plus(size * np.sin(TURN[:, None] + phase)).clamped()
    )


def test_an_arm_follows_smoothly_and_exactly() -> None:
    skeleton = panda()
    for _ in range(10):
        motion = swinging(skeleton)
        frames = motion.world_from_joint[:, -1]
        solution = prepare(skeleton, [Place("hand", frames[0])]).track(motion[0], [frames])
        assert (solution.status == Status.REACHED).all()
        for q, frame in zip(solution.pose.q[::10], frames[::10], strict=True):
            world = world_by_hand(skeleton, q)[-1]
            assert np.linalg.norm(world[:3, 3] - frame[:3, 3]) < 1e-6
            assert Rotation.from_matrix(world[:3, :3] @ frame[:3, :3].T).magnitude() < 1e-5
        assert biggest_steps(solution.pose).max() <= 2 * biggest_steps(motion).max()
        assert (solution.pose.q >= skeleton.lower).all()
        assert (solution.pose.q <= skeleton.upper).all()


@pytest.mark.parametrize("kind", ["balls", "mixture", "person"])
def test_other_figures_follow_smoothly_too(kind: str) -> None:
    skeleton = {"balls": ball_chain(1.0, 0.8, 0.5), "mixture": mixture(), "person": mannequin()}[kind]
    end = {"balls": "tip", "mixture": "end", "person": "hand_r"}[kind]
    motion = swinging(skeleton, ARM_R if kind == "person" else ())
    frames = motion.world_from_joint[:, skeleton.index(end)]
    frozen = ("root",) if "root" in skeleton.joints else ()
    solution = prepare(skeleton, [Place(end, frames[0])], frozen=frozen).track(motion[0], [frames])
    assert (solution.status == Status.REACHED).all()
    off = place(solution.pose, end) - frames[:, :3, 3]
    assert np.linalg.norm(off, axis=-1).max() < 1e-6
    assert biggest_steps(solution.pose).max() <= 2 * biggest_steps(motion).max()
    np.testing.assert_allclose(solution.pose.clamped().q, solution.pose.q, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_body_with_several_goals_follows(seed: int) -> None:
    skeleton = mannequin()
    motion = swinging(skeleton, (*ARM_R, "spine", "chest", "neck"), np.random.default_rng(seed))
    goals = [
        Reach("hand_r", place(motion, "hand_r")),
        Orient(
            "chest",
            Rotation.from_matrix(motion.world_from_joint[:, skeleton.index("chest"), :3, :3]).as_quat(
                scalar_first=True
            ),
        ),
        LookAt("head", place(motion, "head") + 2 * motion.world_from_joint[:, skeleton.index("head"), :3, 2]),
        Pole("hand_r", place(motion, "forearm_r")),
        Stay(motion[0]),
    ]
    solution = prepare(skeleton, goals, frozen=("root",)).track(motion[0])
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(place(solution.pose, "hand_r") - goals[0].given, axis=-1).max() < 1e-6
    assert biggest_steps(solution.pose).max() <= 3 * biggest_steps(motion).max()


def test_targets_at_rest_leave_the_figure_at_rest() -> None:
    skeleton = panda()
    motion = swinging(skeleton)[:50]
    frames = motion.world_from_joint[:, -1]
    frames = np.concatenate([frames, np.repeat(frames[-1:], 100, axis=0)])
    pose = prepare(skeleton, [Place("hand", frames[0])]).track(motion[0], [frames]).pose
    np.testing.assert_allclose(pose.q[52:], np.repeat(pose.q[52:53], 98, axis=0), atol=1e-9)


def test_a_batch_of_trajectories_is_each_of_them() -> None:
    skeleton = panda()
    motions = [swinging(skeleton)[:60] for _ in range(4)]
    frames = np.stack([motion.world_from_joint[:, -1] for motion in motions])
    starts = Pose(skeleton, np.stack([motion.q[0] for motion in motions]))
    prepared = prepare(skeleton, [Place("hand", frames[0, 0])])
    together = prepared.track(starts, [frames])
    assert together.pose.shape == together.status.shape == (4, 60)
    for k in range(4):
        np.testing.assert_array_equal(together.pose.q[k], prepared.track(starts[k], [frames[k]]).pose.q)


@pytest.mark.parametrize("kind", ["hinges", "balls"])
def test_speed_and_acceleration_limits_are_kept_exactly(kind: str) -> None:
    """A target that leaps about: no freedom ever moves or changes its motion faster than it may."""
    skeleton = {"hinges": panda(), "balls": ball_chain(1.0, 0.8, 0.5)}[kind]
    end = skeleton.joints[-1]
    fps, speed, acceleration = 50.0, 1.5, 20.0
    targets = np.repeat(skeleton.random_pose(RNG, (8,)).origins[:, -1], 40, axis=0)
    start = rest(skeleton) if kind == "balls" else middle(skeleton)
    prepared = prepare(skeleton, [Reach(end, targets[0])])
    slow = prepared.track(start, [targets], fps=fps, speed=speed)
    steps = slow.pose[1:].minus(slow.pose[:-1])
    assert np.abs(steps).max() <= speed / fps * (1 + 1e-9)
    assert np.abs(steps).max() > 0.99 * speed / fps
    if kind == "hinges":
        gentle = prepared.track(start, [targets], fps=fps, speed=speed, acceleration=acceleration)
        steps = gentle.pose[1:].minus(gentle.pose[:-1])
        assert np.abs(steps).max() <= speed / fps * (1 + 1e-9)
        changes = np.abs(np.diff(steps, axis=0))
        q = gentle.pose.q[1:-1]
        at_limit = np.minimum(q - skeleton.lower, skeleton.upper - q) < 1.5 * speed**2 / acceleration
        assert changes[~at_limit].max() <= acceleration / fps**2 * (1 + 1e-6)
        assert (gentle.pose.q >= skeleton.lower).all()
        assert (gentle.pose.q <= skeleton.upper).all()
    assert (slow.status[-1:] >= 0).all()


def test_a_circle_just_out_of_reach_is_followed_as_smoothly_as_it_is() -> None:
    """The arm stays stretched towards the target and turns as the target does."""
    for skeleton, target_plane in ((planar_arm(1.0, 0.7, 0.4), 2), (ball_chain(1.0, 0.7, 0.4), 1)):
        angle = np.linspace(0, 2 * np.pi, 100)
        circle = 1.01 * 2.1 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
        if target_plane == 1:
            circle = 1.01 * 2.1 * np.stack([0.8 * np.cos(angle), 0 * angle + 0.6, 0.8 * np.sin(angle)], axis=-1)
        prepared = prepare(skeleton, [Reach("tip", circle[0])])
        start = prepared.solve(skeleton.random_pose(RNG)).pose
        solution = prepared.track(start, [circle])
        left = np.linalg.norm(solution.pose.origins[:, -1] - circle, axis=1)
        np.testing.assert_allclose(left, 0.01 * 2.1, atol=1e-9)
        assert biggest_steps(solution.pose).max() < 1.5 * (2 * np.pi / 99)


def test_successive_solves_just_out_of_reach_do_not_jitter() -> None:
    skeleton = ball_chain(1.0, 0.7, 0.4)
    angle = np.linspace(0, 2 * np.pi, 100)
    circle = 1.01 * 2.1 * np.stack([0.8 * np.cos(angle), 0 * angle + 0.6, 0.8 * np.sin(angle)], axis=-1)
    prepared = prepare(skeleton, [Reach("tip", circle[0])])
    pose = prepared.solve(skeleton.random_pose(RNG)).pose
    for target in circle:
        solution = prepared.solve(pose, [target])
        assert solution.status is Status.OUT_OF_REACH
        assert np.abs(solution.pose.minus(pose)).max() < 1.5 * (2 * np.pi / 99)
        pose = solution.pose
