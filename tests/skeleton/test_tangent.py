"""The tangent: the Jacobian is the derivative along `plus`, and `minus` undoes `plus`."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from skeleton.samples import KINDS, arm, random_joint, random_skeleton

from posable.errors import PoseError, UnknownJointError
from posable.skeleton import Joint, Pose, Skeleton

STEP = 1e-6


def differences(pose: Pose, joint: str, tip: np.ndarray) -> np.ndarray:
    """The Jacobian by central differences."""
    i, columns = pose.skeleton.index(joint), []
    for v in STEP * np.eye(pose.skeleton.dof):
        ahead, behind = (p.world_from_joint[i] for p in (pose.plus(v), pose.plus(-v)))
        linear = ((ahead[:3, :3] - behind[:3, :3]) @ tip + ahead[:3, 3] - behind[:3, 3]) / (2 * STEP)
        angular = Rotation.from_matrix(ahead[:3, :3] @ behind[:3, :3].T).as_rotvec() / (2 * STEP)
        columns.append(np.concatenate([linear, angular]))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("kind", KINDS)
def test_the_jacobian_of_each_kind_in_mid_chain(kind: str) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    joints = [random_joint(rng, "a", "ball"), random_joint(rng, "b", kind, "a"), random_joint(rng, "c", "hinge", "b")]
    skeleton = Skeleton([*joints, random_joint(rng, "aside", kind, "a")])
    pose, tip = skeleton.random_pose(rng), rng.normal(size=3)
    jacobian = pose.jacobian("c", tip)
    scale = 1 + np.abs(pose.world_from_joint).max()
    np.testing.assert_allclose(jacobian, differences(pose, "c", tip), rtol=0, atol=1e-8 * scale)
    assert not jacobian[:, list(skeleton.freedom_range("aside"))].any()


@pytest.mark.parametrize("seed", range(6))
def test_the_jacobian_with_mimics_and_free_joints_anywhere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng)
    pose = skeleton.random_pose(rng)
    scale = 1 + np.abs(pose.world_from_joint).max()
    for joint in (skeleton.joints[-1], skeleton.joints[-2], skeleton.joints[7]):
        tip = rng.normal(size=3)
        np.testing.assert_allclose(pose.jacobian(joint, tip), differences(pose, joint, tip), rtol=0, atol=2e-8 * scale)


def test_the_jacobian_of_absolute_angles() -> None:
    skeleton = arm("hinge", 4, absolute=True)
    pose = skeleton.random_pose(np.random.default_rng(0))
    jacobian = pose.jacobian("j3")
    np.testing.assert_allclose(jacobian, differences(pose, "j3", np.zeros(3)), rtol=0, atol=1e-8)
    np.testing.assert_allclose(jacobian[5], [0, 0, 0, 1], rtol=0, atol=1e-15)  # only its own angle turns it


def test_jacobians_of_a_batch_are_those_of_its_poses() -> None:
    rng = np.random.default_rng(1)
    skeleton = random_skeleton(rng)
    poses = skeleton.random_pose(rng, (2, 3))
    batch = poses.jacobian("j5", (0.1, 0.2, 0.3))
    assert batch.shape == (2, 3, 6, skeleton.dof)
    for i in np.ndindex(2, 3):
        np.testing.assert_array_equal(batch[i], poses[i].jacobian("j5", (0.1, 0.2, 0.3)))


@pytest.mark.parametrize("seed", range(6))
def test_minus_undoes_plus(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, 18)
    pose = skeleton.random_pose(rng, (5,))
    v = rng.uniform(-1.5, 1.5, (5, skeleton.dof))
    np.testing.assert_allclose(pose.plus(v).minus(pose), v, rtol=0, atol=1e-13)
    other = skeleton.random_pose(rng, (5,))
    back = other.plus(pose.minus(other))
    np.testing.assert_allclose(back.world_from_joint, pose.world_from_joint, rtol=0, atol=1e-11)


def test_no_step_is_no_change_and_small_steps_are_kept() -> None:
    skeleton = arm("ball", 2)
    pose = skeleton.random_pose(np.random.default_rng(2))
    np.testing.assert_allclose(pose.plus(np.zeros(6)).q, pose.q, rtol=0, atol=3e-16)
    v = 1e-9 * np.arange(1.0, 7.0)
    np.testing.assert_allclose(pose.plus(v).minus(pose), v, rtol=1e-6, atol=0)


def test_a_step_turns_by_the_rotation_vector_in_the_joints_own_frame() -> None:
    skeleton = Skeleton([Joint("root", "free", wxyz=(0.5, 0.5, -0.5, 0.5))])
    pose = Pose(skeleton, skeleton.rest_coordinates)
    v = np.array([1, 2, 3, 0.3, -0.5, 0.2])
    moved = pose.plus(v)
    turn = Rotation.from_matrix(pose.world_from_joint[0, :3, :3]) * Rotation.from_rotvec(v[3:])
    np.testing.assert_allclose(moved.world_from_joint[0, :3, :3], turn.as_matrix(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(moved.origins[0], [1, 2, 3], rtol=0, atol=1e-15)


def test_a_thousand_steps_keep_quaternions_at_length_one() -> None:
    skeleton = arm("ball", 3)
    pose = skeleton.random_pose(np.random.default_rng(3))
    for _ in range(1000):
        pose = pose.plus(np.full(9, 0.1))
    np.testing.assert_allclose(np.linalg.norm(pose.q.reshape(3, 4), axis=1), 1, rtol=0, atol=1e-14)


def test_steps_and_poses_broadcast() -> None:
    skeleton = arm("universal", 2)
    poses = skeleton.random_pose(np.random.default_rng(4), (3, 1))
    assert poses.plus(np.zeros((5, 4))).shape == (3, 5)
    assert poses.minus(poses[0]).shape == (3, 1, 4)
    assert poses[:0].plus(np.zeros(4)).shape == (0, 1)


@pytest.mark.parametrize(
    ("v", "message"),
    [
        (np.zeros(5), r"a tangent of this skeleton has 2 entries, not an array of shape \(5,\)"),
        ([0, np.nan], "an entry of the tangent is not a finite number"),
        (["a", 0], "these are not numbers in a regular array"),
        (np.zeros((4, 2)), r"batches of shapes \(3,\) and \(4,\) cannot be broadcast together"),
    ],
)
def test_refused_steps(v: object, message: str) -> None:
    with pytest.raises(PoseError, match=message):
        arm("hinge", 2).random_pose(np.random.default_rng(0), (3,)).plus(v)  # type: ignore[arg-type]


def test_refused_differences_and_jacobians() -> None:
    pose = Pose(arm("hinge", 2), [0, 0])
    with pytest.raises(PoseError, match="the two poses belong to different skeletons"):
        pose.minus(Pose(arm("slide", 2), [0, 0]))
    for tip in ((0, 0), (0, 0, np.inf), np.zeros((2, 3))):
        with pytest.raises(PoseError, match="a tip is 3 finite numbers"):
            pose.jacobian("j1", tip)
    with pytest.raises(UnknownJointError, match="no joint is called 'j9'; did you mean j1 or j0"):
        pose.jacobian("j9")
