"""Limits: what is inside stays, what is outside comes to the nearest place; swing and twist as SciPy sees them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from from_python import callable_kernel
from scipy.spatial.transform import Rotation
from skeleton.samples import arm, random_cone, random_skeleton

from posable.skeleton import Axis, Cone, Joint, Pose, Skeleton, limits
from posable.skeleton.tables import cone_numbers
from posable.spatial import random_wxyz, wxyz_from_rotation_vector, wxyz_multiply

clamp_ball, swing_and_twist = callable_kernel(limits.clamp_ball), callable_kernel(limits.swing_and_twist)


def rotation(wxyz: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.asarray(wxyz), scalar_first=True)


def plain_swing_and_twist(cone: Cone, wxyz: np.ndarray) -> tuple[float, float]:
    """With q = centre · swing · twist: the smallest turn that moves the axis where it is, and what remains about it."""
    relative = rotation(np.array(cone.center)).inv() * rotation(wxyz)
    axis = np.array(cone.axis)
    leaning = relative.apply(axis)
    across = np.cross(axis, leaning)
    swing = math.atan2(np.linalg.norm(across), axis @ leaning)
    smallest = Rotation.from_rotvec(swing * across / max(np.linalg.norm(across), 1e-300))
    return swing, float((smallest.inv() * relative).as_rotvec() @ axis)


def ball(cone: Cone) -> Skeleton:
    return Skeleton([Joint("ball", "ball", cone=cone)])


def inside(cone: Cone, q: np.ndarray, room: float) -> bool:
    swing, twist = plain_swing_and_twist(cone, q)
    return swing <= cone.swing + room and cone.twist[0] - room <= twist <= cone.twist[1] + room


@pytest.mark.parametrize("seed", range(40))
def test_swing_and_twist_are_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cone, q = random_cone(rng), random_wxyz(rng)
    row = np.array(cone_numbers(cone))
    for sign in (1, -1):
        swing, twist, *leaning = swing_and_twist(row, *(sign * q))
        np.testing.assert_allclose((swing, twist), plain_swing_and_twist(cone, q), rtol=0, atol=1e-10)
        back = (rotation(q).inv() * rotation(np.array(cone.center))).apply(cone.axis)
        np.testing.assert_allclose(leaning, back, rtol=0, atol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_balls_come_inside_once_and_for_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cone = random_cone(rng)
    poses = Pose(ball(cone), random_wxyz(rng, (50,)))
    clamped = poses.clamped()
    np.testing.assert_allclose(clamped.clamped().q, clamped.q, rtol=0, atol=1e-11)
    for before, after in zip(poses.q, clamped.q, strict=True):
        assert inside(cone, after, 1e-9)
        if inside(cone, before, -1e-9):
            np.testing.assert_array_equal(after, before)
        swing, twist = plain_swing_and_twist(cone, before)
        kept = plain_swing_and_twist(cone, after)
        assert kept[0] == pytest.approx(min(swing, cone.swing), abs=1e-9)
        if cone.twist[0] <= twist <= cone.twist[1] and kept[0] < 3:
            assert kept[1] == pytest.approx(twist, abs=1e-9)
    np.testing.assert_allclose(np.linalg.norm(clamped.q, axis=1), 1, rtol=0, atol=1e-14)


def test_too_much_swing_alone_comes_to_the_nearest_rotation_of_all() -> None:
    rng = np.random.default_rng(1)
    cone = Cone((0, 1, 0), 0.8)
    poses = Pose(ball(cone), random_wxyz(rng, (20,)))
    candidates = ball(cone).random_coordinates(rng, (20_000,))
    for before, after in zip(poses.q, poses.clamped().q, strict=True):
        assert abs(after @ before) >= np.abs(candidates @ before).max() - 1e-12


@pytest.mark.parametrize(("twist", "kept"), [(3.0, 1.0), (-3.0, 1.0), (-1.0, 0.5), (0.7, 0.7), (-2.0, 0.5)])
def test_twist_goes_the_shorter_way_around(twist: float, kept: float) -> None:
    cone = Cone((0, 0, 1), 1.0, (0.5, 1.0))
    q = Pose(ball(cone), wxyz_from_rotation_vector([0, 0, twist])).clamped().q
    np.testing.assert_allclose(rotation(q).as_rotvec(), [0, 0, kept], rtol=0, atol=1e-14)


@pytest.mark.parametrize("swing", [0.0, 1e-9, math.pi])
def test_cones_that_are_shut_or_wide_open(swing: float) -> None:
    rng = np.random.default_rng(2)
    cone = Cone((0.6, 0.8, 0), swing, (-0.3, 0.3))
    for q in Pose(ball(cone), random_wxyz(rng, (100,))).clamped().q:
        found, twist = plain_swing_and_twist(cone, q)
        assert found <= swing + 1e-9
        assert abs(twist) <= 0.3 + 1e-9 or found > math.pi - 1e-3
    turned = np.array(wxyz_from_rotation_vector(0.2 * np.array([0.6, 0.8, 0])))
    np.testing.assert_allclose(Pose(ball(cone), turned).clamped().q, turned, rtol=0, atol=1e-12)


def test_exactly_at_the_limit_is_inside() -> None:
    cone = Cone((0, 0, 1), 0.7, (-0.2, 0.4))
    row = np.array(cone_numbers(cone))
    swing = wxyz_from_rotation_vector([0.7, 0, 0])
    q = wxyz_multiply(swing, wxyz_from_rotation_vector([0, 0, 0.4]))
    assert not clamp_ball(row, q.copy(), 0)
    assert clamp_ball(row, wxyz_multiply(wxyz_from_rotation_vector([0.01, 0, 0]), q), 0)


@pytest.mark.parametrize("seed", range(8))
def test_scalar_limits_are_numpys_clip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, limits=True)
    pose = skeleton.random_pose(rng, (10,)).plus(rng.normal(size=(10, skeleton.dof)) * 3)
    clamped = pose.clamped()
    for i, joint in enumerate(skeleton.definitions):
        own = clamped.of(joint.name)
        if joint.kind == "free" or (joint.kind == "ball" and joint.cone is None):
            np.testing.assert_array_equal(own, pose.of(joint.name))
        elif joint.kind != "ball":
            span = slice(*skeleton.tables.first_dof[i : i + 2])
            np.testing.assert_array_equal(own, np.clip(pose.of(joint.name), skeleton.lower[span], skeleton.upper[span]))
    np.testing.assert_allclose(clamped.clamped().q, clamped.q, rtol=0, atol=1e-11)


def test_rest_outside_the_limits_is_moved_to_them() -> None:
    hinge = Joint("hinge", axes=(Axis((0, 0, 1), lower=0.2, upper=0.5),))
    cone = Cone((0, 0, 1), 0.3, center=tuple(wxyz_from_rotation_vector([1, 0, 0])))
    rest = Skeleton([hinge, Joint("ball", "ball", "hinge", cone=cone)]).rest_coordinates
    assert rest[0] == 0.2
    np.testing.assert_allclose(rotation(rest[1:]).as_rotvec(), [0.7, 0, 0], rtol=0, atol=1e-14)
    assert arm("hinge", 1).rest_coordinates[0] == 0
