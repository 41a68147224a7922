"""The pose is a value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from skeleton.samples import arm, random_skeleton

from posable.errors import PoseError
from posable.skeleton import Joint, Pose, Skeleton

FREE = Skeleton([Joint("root", "free"), Joint("ball", "ball", "root", (0, 1, 0))])


def test_quaternions_come_to_length_one_and_the_callers_array_stays() -> None:
    q = np.array([1.0, 2, 3, 0, 3, 0, 4, 2, 0, 0, 0])
    pose = Pose(FREE, q)
    np.testing.assert_array_equal(pose.q, [1, 2, 3, 0, 0.6, 0, 0.8, 1, 0, 0, 0])
    assert q[4] == 3
    np.testing.assert_array_equal(pose.of("ball"), [1, 0, 0, 0])


def test_nothing_can_be_set() -> None:
    pose = FREE.random_pose(np.random.default_rng(0))
    with pytest.raises(AttributeError, match="a pose is a value; make a new one instead of setting 'q'"):
        pose.q = np.zeros(11)
    for array in (pose.q, pose.world_from_joint, pose.origins):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert pose.world_from_joint is pose.world_from_joint


def test_batches_are_indexed_and_walked_through() -> None:
    poses = FREE.random_pose(np.random.default_rng(1), (3, 4))
    assert (poses.shape, len(poses), repr(poses)) == (
        (3, 4),
        3,
        "Pose(Skeleton(2 joints, 9 freedoms, up y), shape (3, 4))",
    )
    for index in (1, -1, (2, 3), slice(1), (slice(None), 2), (..., 0), [2, 0], None):
        part: Any = poses[index]
        wanted = np.arange(12).reshape(3, 4)[index]
        np.testing.assert_array_equal(part.q, poses.q.reshape(12, -1)[wanted])
    np.testing.assert_array_equal(np.stack([pose.q for pose in poses]), poses.q)
    assert bool(poses[0, 0]) and bool(poses[:0])


def test_one_pose_is_no_batch() -> None:
    pose = Pose(FREE, FREE.rest_coordinates)
    with pytest.raises(PoseError, match="this is one pose, not a batch; it cannot be indexed"):
        pose[0]
    with pytest.raises(PoseError, match="this is one pose, not a batch; it has no length"):
        len(pose)


def test_with_joint_changes_one_joint_and_broadcasts() -> None:
    s = arm("hinge", 3)
    pose = Pose(s, [1, 2, 3])
    np.testing.assert_array_equal(pose.with_joint("j1", 5).q, [1, 5, 3])
    np.testing.assert_array_equal(pose.with_joint("J1", [[5], [6]]).q, [[1, 5, 3], [1, 6, 3]])
    with pytest.raises(PoseError, match="joint 'j1' has 1 coordinates, not 2"):
        pose.with_joint("j1", [5, 6])
    with pytest.raises(PoseError, match="the quaternion of joint 'ball' has length 0"):
        Pose(FREE, FREE.rest_coordinates).with_joint("ball", [0, 0, 0, 0])


@pytest.mark.parametrize(
    ("q", "message"),
    [
        (np.zeros(3), r"a pose of this skeleton has 11 coordinates, not an array of shape \(3,\)"),
        (1.0, r"not an array of shape \(\)"),
        ([1, [2]], "these are not numbers in a regular array"),
        (["x"] * 11, "these are not numbers in a regular array"),
        ([0, 0, math.inf, 1, 0, 0, 0, 1, 0, 0, 0], "a coordinate of joint 'root' is not a finite number"),
        ([0, 0, 0, 1, 0, 0, 0, 1, math.nan, 0, 0], "a coordinate of joint 'ball' is not a finite number"),
        (np.zeros(11), r"the quaternion of joint 'root' has length 0; the neutral one is \(1, 0, 0, 0\)"),
        ([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], "the quaternion of joint 'ball' has length 0"),
        ([0, 0, 0, 1, 0, 0, 0, 1e200, 1e200, 0, 0], "the quaternion of joint 'ball' has length 0"),
    ],
)
def test_refused(q: Any, message: str) -> None:
    with pytest.raises(PoseError, match=message):
        Pose(FREE, q)


def test_a_skeleton_that_cannot_move_has_poses_too() -> None:
    still = Skeleton([Joint("a", "fixed", position=(0, 3, 0)), Joint("b", "fixed", "a")])
    poses = Pose(still, np.zeros((2, 0)))
    assert poses.plus(np.zeros(0)).shape == (2,)
    assert poses.minus(poses).shape == (2, 0)
    assert poses.clamped().q.shape == (2, 0)
    assert poses.jacobian("b").shape == (2, 6, 0)
    np.testing.assert_array_equal(poses.origins, np.broadcast_to([0, 3, 0], (2, 2, 3)))


def test_views_of_a_batch_stay_true() -> None:
    poses = random_skeleton(np.random.default_rng(2)).random_pose(np.random.default_rng(3), (8,))
    np.testing.assert_array_equal(poses[::-2].world_from_joint, poses.world_from_joint[::-2])
    np.testing.assert_array_equal(poses[::3].jacobian("j4"), poses.jacobian("j4")[::3])


def test_a_skeleton_that_cannot_move_has_one_pose() -> None:
    pose = Pose(Skeleton([Joint("post", "fixed", position=(1.0, 2.0, 3.0))]), np.zeros((4, 0)))
    np.testing.assert_array_equal(pose.origins, np.broadcast_to([1.0, 2.0, 3.0], (4, 1, 3)))
