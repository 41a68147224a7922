"""Paths that are followed with `Natural`: every frame is a step of a drag that begins at the first one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import posable
from posable.spatial import Array

FRAMES = 60
FLOOR, WAVE = (-0.25, 0.05, 0.35), (-0.2, 1.6, 0.4)


def path_to(place: tuple[float, float, float], there_and_back: bool = False) -> tuple[posable.Figure, Array]:
    figure = posable.figure("mannequin")
    hand = figure.rest.origins[figure.skeleton.index("hand_r")]
    share = np.linspace(0, 2 if there_and_back else 1, FRAMES)
    return figure, hand + np.minimum(share, 2 - share)[:, None] * (np.array(place) - hand)


def off(one: posable.Pose, other: posable.Pose) -> Array:
    """`[..., joint]` degrees between the rotations of two poses in the world."""
    mine, others = (pose.world_from_joint[..., :3, :3] for pose in (one, other))
    trace = (mine * others).sum(axis=(-2, -1))
    return np.degrees(np.arccos(np.clip((trace - 1) / 2, -1, 1)))


def upper_arm_from_vertical(pose: posable.Pose, side: str) -> float:
    index = pose.skeleton.index
    bone = pose.origins[index(f"forearm_{side}")] - pose.origins[index(f"upper_arm_{side}")]
    return float(np.degrees(np.arccos(-bone[1] / np.linalg.norm(bone))))


@pytest.mark.parametrize("place", [FLOOR, WAVE])
def test_the_body_does_along_a_path_what_it_does_in_one_solve(place: tuple[float, float, float]) -> None:
    """Where frames only followed the one before, the figure leaned over like a plank, its feet in the air and the other
    arm stretched out (86 degrees from the vertical with the hand at the floor).
    """
    figure, path = path_to(place)
    goals = [posable.Reach("hand_r", path), posable.Natural()]
    clip = posable.track(figure.rest, goals)
    assert goals[0].errors(clip.poses)[0].max() < 1e-6
    feet = [figure.skeleton.index(f"foot_{side}") for side in "lr"]
    np.testing.assert_allclose(clip.poses.origins[:, feet] - figure.rest.origins[feet], 0, atol=1e-4)
    assert upper_arm_from_vertical(clip.poses[-1], "l") < 50
    solved = posable.solve(figure.rest, [goals[0].of_frames(FRAMES - 1), goals[1]]).pose
    trunk = [figure.skeleton.index(joint) for joint in ("pelvis", "spine", "chest")]
    assert off(clip.poses[-1], solved)[trunk].max() < 20
    steps = off(clip.poses[1:], clip.poses[:-1])
    assert steps.max() < 15


def test_a_path_that_comes_back_brings_the_body_back() -> None:
    figure, path = path_to(WAVE, there_and_back=True)
    clip = posable.track(figure.rest, [posable.Reach("hand_r", path), posable.Natural()])
    assert off(clip.poses[-1], clip.poses[0]).max() < 5


def test_frames_are_the_steps_of_a_drag() -> None:
    figure, path = path_to(FLOOR)
    prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", path[0]), posable.Natural()], restarts=0)
    followed = prepared.track(figure.rest, [path, None])
    assert followed.reached.all()
    pose = first = prepared.solve(figure.rest, [path[0], None]).pose
    for before, target in pairwise(path[:11]):
        step = prepared.solve(pose, [target, None], since=[before, None], origin=(first, [path[0], None]))
        pose = step.pose
    assert off(followed.pose[10], pose).max() < 0.01


def test_trajectories_of_a_batch_are_followed_as_if_alone() -> None:
    figure, floor = path_to(FLOOR)
    _, wave = path_to(WAVE)
    prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", floor), posable.Natural()], restarts=0)
    both = prepared.track(figure.rest, [np.stack([floor, wave]), None]).pose
    for own, path in zip(both.q, (floor, wave), strict=True):
        assert np.array_equal(own, prepared.track(figure.rest, [path, None]).pose.q)


def test_without_weight_it_is_not_asked() -> None:
    """Frames without it follow the one before by the other goals alone."""
    figure, path = path_to(FLOOR)
    reach = posable.Reach("hand_r", path)
    without = posable.track(figure.rest, [reach, posable.Natural()], weights=[None, 0.0])
    plain = posable.track(figure.rest, [reach])
    assert off(without.poses, plain.poses).max() < 0.1
    faded = posable.track(figure.rest, [reach, posable.Natural()], weights=[None, np.linspace(0, 1, FRAMES)])
    assert reach.errors(faded.poses)[0].max() < 1e-6
    assert off(faded.poses[-1], plain.poses[-1]).max() > 20


def test_limits_of_speed_come_first() -> None:
    figure, path = path_to(FLOOR)
    speed, fps = 1.0, 30.0
    clip = posable.track(figure.rest, [posable.Reach("hand_r", path), posable.Natural()], fps, speed=speed)
    assert np.abs(clip.poses[1:].minus(clip.poses[:-1])).max() <= speed / fps * (1 + 1e-9)


def test_a_figure_with_habits_follows_by_them() -> None:
    wolf = posable.Natural.learn(posable.load(posable.sample("wolf.glb")))
    head = posable.roles(wolf)["head"]
    start = wolf.rest.origins[wolf.skeleton.index(head)]
    reach = posable.Reach(head, start + np.linspace(0, 1, 30)[:, None] * [0.1, -0.2, 0.1])
    clip = posable.track(wolf.rest, [reach, posable.Natural()])
    assert reach.errors(clip.poses)[0].max() < 1e-5
    plain = posable.track(wolf.rest, [reach])
    assert off(clip.poses[-1], plain.poses[-1]).max() > 5
