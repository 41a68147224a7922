"""Heads and eyes look where they are told, each joint with its share of the turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import mixture, rest
from solvers.people import mannequin, place, standing, turn

from posable import LookAt, Pose, Skeleton, Status, prepare, solve

RNG = np.random.default_rng(22)
FROZEN = ("root", "spine")


def off_sight(pose: Pose, joint: str, point: np.ndarray, forward: tuple[float, float, float] = (0, 0, 1)) -> np.ndarray:
    """Radians between a joint's forward direction and the way to `point`."""
    way = point - place(pose, joint)
    ahead = turn(pose, joint) @ np.array(forward, float)
    return np.arctan2(np.linalg.norm(np.cross(ahead, way), axis=-1), np.sum(ahead * way, axis=-1))


def angle_of(pose: Pose, joint: str) -> float:
    """How far a ball has turned from the rest pose."""
    return float(np.linalg.norm(pose.minus(standing(pose.skeleton))[pose.skeleton.freedom_mask([joint])]))


@pytest.mark.parametrize("shares", [{"neck": 0.4, "chest": 0.2}, {"neck": 0.3, "chest": 0.6}, {"neck": 0.5}])
def test_the_turn_is_split_in_the_ratio_of_the_shares(shares: dict[str, float]) -> None:
    level = place(standing(), "head")
    for yaw in (0.2, -0.35):
        point = level + 2.0 * np.array([np.sin(yaw), 0.0, np.cos(yaw)])
        solution = solve(standing(), [LookAt("head", point, share=shares)], frozen=FROZEN)
        assert solution.status is Status.REACHED
        assert off_sight(solution.pose, "head", point) < 1e-5
        turned = {name: angle_of(solution.pose, name) for name in ("head", "neck", "chest")}
        whole = sum(turned.values())
        parts = {"head": 1 - sum(shares.values()), "chest": 0.0, **shares}
        for name, part in parts.items():
            assert turned[name] / whole == pytest.approx(part, abs=0.01)


@pytest.mark.parametrize("stiff", [("spine",), ("chest", "neck"), ("spine", "chest", "neck", "head")])
def test_shares_are_the_same_whatever_the_stiffness(stiff: tuple[str, ...]) -> None:
    shares = {"neck": 0.3, "chest": 0.25, "spine": 0.25}
    joints = [replace(joint, stiffness=10.0 * (joint.name in stiff)) for joint in mannequin().definitions]
    skeleton = Skeleton(joints, mannequin().up)
    for yaw in (0.35, -0.7):
        point = place(standing(), "head") + 2.0 * np.array([np.sin(yaw), 0.1, np.cos(yaw)])
        goal = LookAt("head", point, share=shares)
        limp, solution = (solve(standing(figure), [goal], frozen=("root",)) for figure in (mannequin(), skeleton))
        assert solution.status is Status.REACHED
        assert off_sight(solution.pose, "head", point) < 1e-5
        if "head" not in stiff:  # one that shares is limp: nothing is stiffer than it was
            np.testing.assert_array_equal(solution.pose.q, limp.pose.q)
        turned = {name: angle_of(solution.pose, name) for name in ("head", *shares)}
        for name, part in {"head": 0.2, **shares}.items():
            assert turned[name] / sum(turned.values()) == pytest.approx(part, abs=0.01)


def test_two_looks_that_share_alike_share_as_one() -> None:
    share = {"neck": 0.5, "chest": 0.2}
    point = place(standing(), "head") + np.array([0.8, 0.3, 2.0])
    goal = LookAt("head", point, share=share)
    once, twice = (solve(standing(), goals, frozen=FROZEN) for goals in ([goal], [goal, goal]))
    for name in ("head", "neck", "chest"):
        assert angle_of(twice.pose, name) == pytest.approx(angle_of(once.pose, name), abs=0.01)


def test_both_eyes_meet_the_point_and_the_neck_takes_its_share() -> None:
    points = np.array([0.0, 1.6, 1.2]) + RNG.uniform(-0.4, 0.4, (40, 3))
    solution = solve(
        standing(), [LookAt("head", points, share={"eye_l": 0.3, "eye_r": 0.3, "neck": 0.3})], frozen=FROZEN
    )
    assert (solution.status == Status.REACHED).all()
    for eye in ("eye_l", "eye_r"):
        assert off_sight(solution.pose, eye, points).max() < 1e-5
    neck = solution.pose.minus(standing())[:, mannequin().freedom_mask(["neck"])]
    assert (np.linalg.norm(neck, axis=-1) > 0.01).mean() > 0.9
    np.testing.assert_allclose(solution.pose.clamped().q, solution.pose.q, atol=1e-12)


def test_a_limit_is_looked_up_to_and_no_farther() -> None:
    directions = RNG.normal(size=(60, 3))
    points = place(standing(), "head") + 2 * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    limit = 0.3
    solution = solve(standing(), [LookAt("head", points, limit=limit, share={"neck": 0.5})], frozen=FROZEN)
    assert (solution.status == Status.REACHED).all()
    ahead = turn(solution.pose, "head")[..., 2]
    off_ahead = np.arccos(np.clip(ahead[:, 2], -1, 1))  # the chest faces +z
    wanted = off_sight(solution.pose, "head", points)
    level = points - place(solution.pose, "head")
    asked = np.arccos(level[:, 2] / np.linalg.norm(level, axis=1))
    inside = asked <= limit
    assert inside.any() or (asked > limit).any()
    assert wanted[inside].max(initial=0.0) < 1e-5
    np.testing.assert_allclose(off_ahead[~inside], limit, atol=2e-5)
    side = np.cross(level[~inside], (0, 0, 1))
    assert np.abs(np.sum(ahead[~inside] * side, axis=1) / np.linalg.norm(side, axis=1)).max() < 2e-5


def test_an_eye_that_cannot_turn_far_enough_says_so() -> None:
    behind = place(standing(), "head") - (0, 0, 2.0)
    solution = solve(standing(), [LookAt("eye_l", behind)], frozen=(*FROZEN, "chest", "neck", "head"))
    assert solution.status is Status.AT_LIMIT
    assert solution.goals[0].angle == pytest.approx(off_sight(solution.pose, "eye_l", behind), abs=1e-9)


def test_a_gaze_follows_smoothly_past_behind() -> None:
    """The point goes all the way round, at a height: the head comes as far as its limit and never spins."""
    angle = np.linspace(0, 2 * np.pi, 360)
    points = place(standing(), "head") + np.stack([np.sin(angle), 0.4 + 0 * angle, np.cos(angle)], axis=-1)
    prepared = prepare(mannequin(), [LookAt("head", points[0], limit=0.5, share={"neck": 0.5})], frozen=FROZEN)
    solution = prepared.track(standing(), [points])
    assert (solution.status == Status.REACHED).all()
    steps = np.abs(solution.pose[1:].minus(solution.pose[:-1])).max(axis=-1)
    assert steps.max() < 4 * (2 * np.pi / 359)


def test_other_joint_kinds_look_as_well() -> None:
    skeleton = mixture()
    poses = skeleton.random_pose(RNG, (40,))
    q = np.array(poses.q)
    q[:, :7] = skeleton.rest_coordinates[:7]
    poses = Pose(skeleton, q)
    forward = (0.6, 0.0, 0.8)
    points = place(poses, "end") + 1.5 * (turn(poses, "end") @ np.array(forward))
    solution = solve(rest(skeleton), [LookAt("end", points, forward=forward)], frozen=("root",))
    assert (solution.status == Status.REACHED).all()
    assert off_sight(solution.pose, "end", points, forward).max() < 1e-5
    assert Rotation.from_matrix(turn(solution.pose, "end")).magnitude().shape == (40,)
