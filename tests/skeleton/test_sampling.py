"""Random poses: inside the limits, and uniform there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.transform import Rotation
from skeleton.samples import random_skeleton
from skeleton.test_limits import plain_swing_and_twist

from posable.skeleton import Axis, Cone, Joint, Pose, Skeleton
from posable.spatial import wxyz_from_rotation_vector


def uniform(values: np.ndarray, low: float, high: float) -> None:
    counts, _ = np.histogram(values, 20, (low, high))
    assert counts.sum() == len(values)  # none lies outside
    assert stats.chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("seed", range(6))
def test_random_poses_are_inside_the_limits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, limits=True)
    poses = skeleton.random_pose(rng, (4, 50))
    assert isinstance(poses, Pose)
    assert poses.shape == (4, 50)
    np.testing.assert_allclose(poses.clamped().q, poses.q, rtol=0, atol=1e-11)


def test_balls_are_uniform_in_the_cone() -> None:
    cone = Cone((1, -2, 0.5), 1.3, (-0.4, 2.0), tuple(wxyz_from_rotation_vector([0.5, 1, 0.3])))
    skeleton = Skeleton([Joint("ball", "ball", cone=cone)])
    q = skeleton.random_pose(np.random.default_rng(1), (4000,)).q
    swing, twist = np.transpose([plain_swing_and_twist(cone, one) for one in q])
    uniform(np.cos(swing), math.cos(1.3), 1)
    uniform(twist, -0.4, 2.0)
    relative = Rotation.from_quat(cone.center, scalar_first=True).inv() * Rotation.from_quat(q, scalar_first=True)
    leaning, axis = relative.apply(cone.axis), np.array(cone.axis)
    side = np.cross(axis, [0, 0, 1])
    uniform(np.arctan2(leaning @ np.cross(axis, side), leaning @ side * np.linalg.norm(axis)), -math.pi, math.pi)


def test_balls_without_a_cone_take_every_rotation() -> None:
    q = Skeleton([Joint("ball", "ball")]).random_pose(np.random.default_rng(2), (4000,)).q
    angle = Rotation.from_quat(q, scalar_first=True).magnitude()
    uniform((angle - np.sin(angle)) / math.pi, 0, 1)  # the share of rotations with a smaller angle


def test_axes_are_uniform_within_limits_or_within_the_widest() -> None:
    axes = (Axis((1, 0, 0)), Axis((0, 1, 0), lower=0.5), Axis((0, 0, 1), slide=True), Axis((1, 1, 0), True, upper=-9.0))
    skeleton = Skeleton(
        [Joint("a", "compound", axes=axes, tips=((0, 2, 0),)), Joint("root", "free", position=(5, 0, 0))]
    )
    assert skeleton.reach == 2
    q = skeleton.random_pose(np.random.default_rng(3), (3000,)).q
    for column, low, high in ((0, -math.pi, math.pi), (1, 0.5, 0.5 + math.pi), (2, -2, 2), (3, -11, -9), (4, 3, 7)):
        uniform(q[:, column], low, high)


def test_what_is_not_active_stays_at_rest() -> None:
    free = Joint("root", "free", position=(1, 2, 3), active=(True, False, True, False, False, False))
    ball = Joint("ball", "ball", "root", active=(False,) * 3, rest=(0, 1, 0, 0))
    hinge = Joint("hinge", "universal", "ball", axes=(Axis((1, 0, 0)), Axis((0, 1, 0))), active=(False, True))
    skeleton = Skeleton([free, ball, hinge])
    q, rest = skeleton.random_pose(np.random.default_rng(4), (10,)).q, skeleton.rest_coordinates
    moved = np.array([1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], bool)
    assert (q[:, ~moved] == rest[~moved]).all()
    assert (q[:, moved] != rest[moved]).all()


def test_the_same_seed_gives_the_same_pose() -> None:
    skeleton = random_skeleton(np.random.default_rng(5))
    one, other = (skeleton.random_pose(np.random.default_rng(6)) for _ in range(2))
    np.testing.assert_array_equal(one.q, other.q)
    assert one.shape == ()
