"""Two bones in a plane and in space: the law of cosines, poles, limits, and what is out of reach."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import posable
from posable import Axis, Cone, Joint, Pose, Skeleton
from posable.errors import GoalError, PoseError, SkeletonError, UnknownJointError
from posable.solvers.closed import Limb, two_bone_angles
from posable.spatial import wxyz_about

RNG = np.random.default_rng(0)


def ends(angles: np.ndarray, first: float, second: float) -> np.ndarray:
    """Where two bones end, by hand."""
    one, two = angles[..., 0], angles[..., 0] + angles[..., 1]
    return np.stack([first * np.cos(one) + second * np.cos(two), first * np.sin(one) + second * np.sin(two)], axis=-1)


@pytest.mark.parametrize(("first", "second"), [(1.0, 0.7), (0.3, 2.0), (1.0, 1.0), (0.01, 0.02), (4e5, 3e5)])
def test_both_ways_end_at_the_target_and_follow_the_law_of_cosines(first: float, second: float) -> None:
    distance = RNG.uniform(abs(first - second), first + second, 500)
    direction = RNG.uniform(-math.pi, math.pi, 500)
    target = distance[:, None] * np.stack([np.cos(direction), np.sin(direction)], axis=1)
    angles, left = two_bone_angles(target, first, second)
    assert np.abs(ends(angles, first, second) - target[:, None]).max() < 1e-14 * (first + second)
    assert (left == 0).all()
    lift = np.arccos(np.clip((first**2 + distance**2 - second**2) / (2 * first * distance), -1, 1))
    inner = np.arccos(np.clip((first**2 + second**2 - distance**2) / (2 * first * second), -1, 1))
    for way, sign in ((0, 1), (1, -1)):
        np.testing.assert_allclose(angles[:, way, 0], direction + sign * lift, atol=1e-7)
        np.testing.assert_allclose(angles[:, way, 1], sign * (inner - math.pi), atol=1e-7)


def test_out_of_reach_is_the_closest_pose_and_the_distance_left() -> None:
    target = np.array([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0], [0.0, 2.0], [-1.2, 0.0]])
    for first, second in ((1.2, 0.2), (0.2, 1.2)):
        angles, left = two_bone_angles(target, first, second)
        np.testing.assert_allclose(left, [3.6, 0.5, 1.0, 0.6, 0.0], atol=1e-15)
        missed = np.linalg.norm(ends(angles, first, second) - target[:, None], axis=-1)
        np.testing.assert_allclose(missed, left[:, None] + np.zeros(2), atol=1e-14)


def test_the_edges_of_the_reach_are_exact() -> None:
    angles, left = two_bone_angles([[2.0, 0.0], [0.0, 0.0], [2.0 - 1e-12, 0.0]], 1.0, 1.0)
    assert left.tolist() == [0, 0, 0] and np.isfinite(angles).all()
    np.testing.assert_allclose(ends(angles, 1, 1)[:, 0], [[2, 0], [0, 0], [2 - 1e-12, 0]], atol=1e-15)
    assert angles[2, 0, 1] == pytest.approx(-2e-6, rel=1e-4), "the arc cosine would have lost half the digits"
    angles, left = two_bone_angles([0.5, 0.5], 0.0, 0.5)
    assert left == pytest.approx(math.sqrt(0.5) - 0.5)


@pytest.mark.parametrize("target", [[0.0, math.nan], [1.0, 2.0, 3.0], 1.0, [math.inf, 0.0]])
def test_a_target_that_cannot_be_meant(target: object) -> None:
    with pytest.raises(GoalError, match="the target of two bones in a plane is 2 finite numbers"):
        two_bone_angles(target, 1, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [-1.0, math.nan, math.inf])
def test_a_length_that_cannot_be_meant(length: float) -> None:
    with pytest.raises(SkeletonError, match="a bone's length is a finite number, 0 or more"):
        two_bone_angles((1, 1), 1, length)


def limb(upper: str, middle: str, scale: float = 1.0) -> Limb:
    """A limb on a stand that is turned and moved, with a twist joint within, an offset elbow and a hand."""
    axes = {
        "hinge": (Axis((0, 0, 1)),),
        "two": (Axis((0, 0, 1)), Axis((0, 1, 0))),
        "three": (Axis((1, 0, 0)), Axis((0, 0.6, 0.8)), Axis((1, 0, 0))),
    }
    kind = {"two": "universal", "three": "compound"}.get(upper, upper)
    joints = [
        Joint("root", "free", None),
        Joint("stand", "fixed", "root", (0.1 * scale, 0.2 * scale, 0), tuple(wxyz_about((1, 2, 3), 0.7))),
        Joint("shoulder", kind, "stand", (0, 0.1 * scale, 0), axes=axes.get(upper, ())),  # type: ignore[arg-type]
        Joint("roll", "twist", "shoulder", (0.1 * scale, 0, 0), axes=(Axis((1, 0, 0)),), rest=(0.0,), active=(False,)),
        Joint("elbow", middle, "roll", (0.3 * scale, 0, 0.0), axes=axes.get(middle, ())),  # type: ignore[arg-type]
        Joint("wrist", "ball", "elbow", (0.3 * scale, 0, 0.0)),
    ]
    if upper in ("two", "three", "hinge"):
        joints[3] = Joint("roll", "fixed", "shoulder", (0.1 * scale, 0, 0))
    return Limb(Skeleton(joints), "shoulder", "elbow", "wrist")


def within_reach(count: int) -> np.ndarray:
    """Vectors that the limb can end at, the wrist's turn whatever it is."""
    direction = RNG.normal(size=(count, 3))
    return RNG.uniform(0.17, 0.64, (count, 1)) * direction / np.linalg.norm(direction, axis=1, keepdims=True)


KINDS = [("ball", "hinge"), ("ball", "ball"), ("three", "hinge"), ("three", "ball"), ("two", "hinge")]


@pytest.mark.parametrize("scale", [1.0, 0.01, 1000.0])
@pytest.mark.parametrize(("upper", "middle"), KINDS)
def test_a_limb_reaches_what_is_within_reach(upper: str, middle: str, scale: float) -> None:
    arm = limb(upper, middle, scale)
    start = arm.skeleton.random_pose(RNG, (300,))
    tip = (0.05 * scale, 0.02 * scale, 0.0)
    target = start.origins[:, 2] + scale * within_reach(300)
    if upper == "two":  # not every direction is in reach of two hinges and an elbow
        bent = start
        for joint in ("shoulder", "elbow"):
            bent = bent.with_joint(joint, arm.skeleton.random_pose(RNG, (300,)).of(joint))
        target = (bent.world_from_joint[:, 5] @ [*tip, 1.0])[:, :3]
    pose, left = arm.reach(start, target, tip=tip)
    assert left.max() < 2e-12 * scale
    world_tip = (pose.world_from_joint[:, 5] @ [*tip, 1.0])[:, :3]
    np.testing.assert_allclose(np.linalg.norm(world_tip - target, axis=1), left, atol=1e-14 * scale)
    for joint in ("root", "roll", "wrist"):
        assert (pose.of(joint) == start.of(joint)).all()


@pytest.mark.parametrize(("upper", "middle"), KINDS[:4])
def test_the_elbow_points_to_the_pole(upper: str, middle: str) -> None:
    arm = limb(upper, middle)
    start = arm.skeleton.random_pose(RNG, (300,))
    shoulder = start.origins[:, 2]
    target, pole = shoulder + within_reach(300), RNG.normal(size=(300, 3))
    pose, left = arm.reach(start, target, pole)
    assert left.max() < 1e-12
    line = (target - shoulder) / np.linalg.norm(target - shoulder, axis=1, keepdims=True)
    elbow = pose.origins[:, 4] - shoulder
    elbow -= line * (elbow * line).sum(axis=1, keepdims=True)
    across = pole - line * (pole * line).sum(axis=1, keepdims=True)
    bent = np.linalg.norm(elbow, axis=1) > 1e-6
    cosine = (elbow * across).sum(axis=1) / np.linalg.norm(elbow, axis=1) / np.linalg.norm(across, axis=1)
    assert bent.mean() > 0.9 and cosine[bent].min() > 1 - 1e-9


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_two_hinges_in_a_plane_take_the_way_that_the_pole_asks_for(way: float) -> None:
    joints = [
        Joint("a", axes=(Axis((0, 0, 1)),)),
        Joint("b", parent="a", position=(1, 0, 0), axes=(Axis((0, 0, 1)),)),
        Joint("c", "fixed", "b", (0.7, 0, 0)),
    ]
    arm = Limb(Skeleton(joints), "a", "b", "c")
    target = (0.6, 0.9, 0.25)
    pose, left = arm.reach(Pose(arm.skeleton, (0.1, 0.1)), target, (-way * 0.9, way * 0.6, 0.0))
    angles = two_bone_angles(target[:2], 1.0, 0.7).angles
    np.testing.assert_allclose(pose.q, angles[0 if way > 0 else 1], atol=1e-12)
    assert left == pytest.approx(0.25), "what lies across the plane cannot be reached"


@pytest.mark.parametrize(("upper", "middle"), [*KINDS[:4], ("hinge", "hinge")])
def test_out_of_reach_the_limb_points_at_the_target(upper: str, middle: str) -> None:
    arm = limb(upper, middle)
    start = arm.skeleton.random_pose(RNG)
    if middle == "hinge":
        start = start.with_joint("elbow", 0.9)
    shoulder = start.origins[2]
    direction = RNG.normal(size=(50, 3))
    if upper == "hinge":
        axis = start.world_from_joint[2, :3, 2]
        direction -= np.outer(direction @ axis, axis)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    for distance, best in ((1.0, 0.3), (0.7 + 1e-9, 1e-9), (0.02, 0.08), (0.0, 0.1)):
        pose, left = arm.reach(start, shoulder + distance * direction)
        np.testing.assert_allclose(left, best, atol=1e-12)
        assert np.isfinite(pose.q).all()


def test_the_elbow_keeps_its_limits_and_its_side() -> None:
    figure = posable.figure("mannequin")
    arm = Limb(figure.skeleton, "upper_arm_l", "forearm_l", "hand_l")
    start = figure.rest
    shoulder = start.origins[figure.skeleton.index("upper_arm_l")]
    target = shoulder + 0.3 * RNG.normal(size=(500, 3))
    pose, left = arm.reach(start, target, (0.0, -1.0, -0.3))
    assert np.abs(pose.clamped().minus(pose)).max() < 1e-9, "inside every limit"
    free = Limb(figure.skeleton.without_limits(), "upper_arm_l", "forearm_l", "hand_l")
    loose, none_left = free.reach(Pose(free.skeleton, start.q), target, (0.0, -1.0, -0.3))
    inside = np.abs(Pose(figure.skeleton, loose.q).clamped().minus(Pose(figure.skeleton, loose.q))).max(axis=1) < 1e-9
    assert (left >= none_left - 1e-12).all() and inside.any()
    same_bend = np.abs(loose.of("forearm_l") - pose.of("forearm_l"))[:, 0] < 1e-9
    assert np.abs(left - none_left)[same_bend & inside].max() < 1e-12


@pytest.mark.parametrize(("lower", "upper", "side"), [(-0.4, 2.5, 1), (-2.5, 0.4, -1), (-2.0, 2.0, 0)])
def test_a_knee_is_not_bent_backwards(lower: float, upper: float, side: int) -> None:
    joints = list(limb("ball", "hinge").skeleton.definitions)
    joints[4] = replace(joints[4], axes=(Axis((0, 0, 1), lower=lower, upper=upper),))
    leg = Limb(Skeleton(joints), "shoulder", "elbow", "wrist")
    for bent in (-0.3, -0.01, 0.0, 0.01, 0.3):
        start = Pose(leg.skeleton, leg.skeleton.rest_coordinates).with_joint("elbow", bent)
        pose, left = leg.reach(start, start.origins[2] + np.array([0.1, 0.68, 0.0]))
        assert left < 1e-12
        if side or bent:
            assert np.sign(pose.of("elbow")[0]) == (side or np.sign(bent))


def test_the_pole_turns_the_elbow_without_a_jump() -> None:
    arm = limb("ball", "hinge")
    start = Pose(arm.skeleton, arm.skeleton.rest_coordinates).with_joint("elbow", 0.8)
    shoulder = start.origins[2]
    angle = np.linspace(0, 2 * math.pi, 721)
    circle = shoulder + 0.4 * np.stack([np.cos(angle), np.sin(angle), 0.3 + 0 * angle], axis=1)
    pose, left = arm.reach(start, circle, (0.1, 0.2, 1.0))
    assert left.max() < 1e-12
    assert np.abs(np.diff(pose.origins[:, 4], axis=0)).max() < 0.006
    around = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    pose, left = arm.reach(start, shoulder + np.array([0, 0, 0.5]), around)
    assert np.linalg.norm(np.diff(pose.origins[:, 4], axis=0), axis=1).max() < 0.004


def test_a_start_that_points_straight_away_and_one_that_is_straight() -> None:
    for middle in ("hinge", "ball"):
        arm = limb("ball", middle)
        start = Pose(arm.skeleton, arm.skeleton.rest_coordinates)
        shoulder, hand = start.origins[2], start.origins[5]
        for target in (shoulder - 0.5 * (hand - shoulder), hand, shoulder + 0.3 * (hand - shoulder)):
            for pole in (None, (0.0, 1.0, 0.0), hand - shoulder):
                pose, left = arm.reach(start, target, pole)
                assert left < 1e-12 and np.isfinite(pose.q).all()


def test_what_is_no_limb_is_refused_by_name() -> None:
    arm = limb("ball", "hinge").skeleton
    with pytest.raises(UnknownJointError, match="no joint is called 'elbwo'; did you mean elbow"):
        Limb(arm, "shoulder", "elbwo", "wrist")
    with pytest.raises(SkeletonError, match="a limb leads down from its upper joint over the middle one to its end"):
        Limb(arm, "elbow", "shoulder", "wrist")
    with pytest.raises(SkeletonError, match="is a hinge or a ball, and 'stand' is neither"):
        Limb(arm, "root", "stand", "wrist")
    with pytest.raises(SkeletonError, match="the hinges 'stand' and 'elbow' of a limb must be parallel"):
        Limb(arm, "stand", "elbow", "wrist")
    axes = (Axis((0, 0, 1)),)
    apart = [
        Joint("a", axes=axes),
        Joint("b", parent="a", position=(0.1, 0, 0), axes=(Axis((0, 1, 0)),)),
        Joint("c", parent="b", position=(0, 0, 1), axes=(Axis((1, 0, 0)),)),
        Joint("d", "ball", parent="c", position=(0, 0, 1), cone=Cone((0, 0, 1))),
        Joint("e", "fixed", "d", (0, 0, 1)),
    ]
    with pytest.raises(SkeletonError, match="the hinges of the upper joint 'a' do not meet in one point"):
        Limb(Skeleton(apart), "a", "c", "e")
    with pytest.raises(SkeletonError, match="the hinges 'b' and 'c' of a limb must be parallel"):
        Limb(Skeleton(apart), "b", "c", "e")
    with pytest.raises(SkeletonError, match="with one hinge above, 'd' must be a hinge parallel to it, not a ball"):
        Limb(Skeleton(apart), "c", "d", "e")


def test_what_cannot_be_meant_is_refused() -> None:
    arm = limb("ball", "hinge")
    start = Pose(arm.skeleton, arm.skeleton.rest_coordinates)
    with pytest.raises(GoalError, match="the target of a limb is 3 finite numbers"):
        arm.reach(start, (0, 0, math.nan))
    with pytest.raises(GoalError, match="the pole of a limb is not numbers in a regular array"):
        arm.reach(start, (0, 0, 0), "up")
    with pytest.raises(GoalError, match="the tip of a limb is 3 finite numbers"):
        arm.reach(start, (0, 0, 0), tip=(0, 0))
    with pytest.raises(PoseError, match="the start pose belongs to another skeleton than the limb"):
        arm.reach(posable.figure("arm6").rest, (0, 0, 0))
