"""Forward kinematics against a plain statement of it in 4×4 matrices, against other programs, and against itself."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from scipy.spatial.transform import Rotation
from skeleton.samples import arm, random_skeleton

from posable.errors import PoseError
from posable.skeleton import Axis, Joint, Pose, Skeleton, forward_kinematics, forward_kinematics_blocks
from posable.skeleton.batches import MANY_POSES
from posable.spatial import rigid_inverse, transform


def plain_world_from_joint(skeleton: Skeleton, q: np.ndarray) -> np.ndarray:
    """world_from_joint of one pose, as the docstrings of Joint and Axis state it."""
    world = np.empty((len(skeleton.joints), 4, 4))
    firsts = skeleton.tables.first_coordinate
    for i, joint in enumerate(skeleton.definitions):
        own = q[firsts[i] : firsts[i + 1]]
        local = np.eye(4) if joint.kind == "free" else transform(joint.position, joint.wxyz)
        if joint.kind == "free":
            local = local @ transform(own[:3], own[3:])
        elif joint.kind == "ball":
            there = transform(joint.anchor)
            local = local @ there @ transform(wxyz=own) @ rigid_inverse(there)
        for k, axis in enumerate(joint.axes):
            local = local @ plain_axis(axis, plain_value(skeleton, q, i, k))
        world[i] = world[skeleton.parents[i]] @ local if joint.parent is not None else local
    return world


def plain_value(skeleton: Skeleton, q: np.ndarray, i: int, k: int) -> float:
    joint, axis = skeleton.definitions[i], skeleton.definitions[i].axes[k]
    if axis.follow is not None:
        other = skeleton.joints.index(axis.follow.joint)
        return axis.follow.gain * plain_coordinate(skeleton, q, other, axis.follow.axis) + axis.follow.offset
    return plain_coordinate(skeleton, q, i, k) - joint.axes[k].reference


def plain_coordinate(skeleton: Skeleton, q: np.ndarray, i: int, k: int) -> float:
    axes = skeleton.definitions[i].axes
    return q[skeleton.tables.first_coordinate[i] + sum(axis.follow is None for axis in axes[:k])]


def plain_axis(axis: Axis, value: float) -> np.ndarray:
    direction = np.array(axis.direction)
    if axis.slide:
        return transform(value * direction)
    turn = np.eye(4)
    turn[:3, :3] = Rotation.from_rotvec(value * direction).as_matrix()
    there = transform(axis.anchor)
    return there @ turn @ rigid_inverse(there)


@pytest.mark.parametrize("seed", range(12))
def test_the_world_is_the_product_of_the_joints(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng)
    poses = skeleton.random_pose(rng, (3,))
    for q, world in zip(poses.q, poses.world_from_joint, strict=True):
        np.testing.assert_allclose(
            world, plain_world_from_joint(skeleton, q), rtol=0, atol=1e-12 * (1 + np.abs(q).max())
        )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [MANY_POSES, MANY_POSES + 1, 205])
def test_many_side_by_side_stand_where_each_stands_alone(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, 20)
    q = skeleton.random_coordinates(rng, (count,))
    alone = np.stack([forward_kinematics(skeleton, one) for one in q])
    np.testing.assert_allclose(forward_kinematics(skeleton, q), alone, rtol=0, atol=1e-12 * np.abs(alone).max())


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_the_number_of_threads_changes_nothing(threads: int | None) -> None:
    rng = np.random.default_rng(1)
    skeleton = random_skeleton(rng, 30)
    q = skeleton.random_coordinates(rng, (3001,))
    np.testing.assert_array_equal(
        forward_kinematics(skeleton, q, threads=threads), forward_kinematics(skeleton, q, threads=1)
    )


def test_leading_axes_of_any_number() -> None:
    rng = np.random.default_rng(2)
    skeleton = random_skeleton(rng)
    q = skeleton.random_coordinates(rng, (5, 4, 6))
    whole = forward_kinematics(skeleton, q)
    assert whole.shape == (5, 4, 6, len(skeleton.joints), 4, 4)
    np.testing.assert_allclose(whole[3, 1], forward_kinematics(skeleton, q[3, 1]), rtol=0, atol=1e-11)
    np.testing.assert_allclose(forward_kinematics(skeleton, q[::2, :, 1]), whole[::2, :, 1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("count", [3, 100])
@pytest.mark.parametrize("rows", [3, 4])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_given_array_is_filled_and_handed_back(count: int, rows: int, dtype: type) -> None:
    rng = np.random.default_rng(3)
    skeleton = random_skeleton(rng)
    q = skeleton.random_coordinates(rng, (count,))
    out = np.full((count, len(skeleton.joints), rows, 4), np.nan, dtype)
    assert forward_kinematics(skeleton, q, out) is out
    np.testing.assert_array_equal(out, forward_kinematics(skeleton, q)[..., :rows, :].astype(dtype))


@pytest.mark.parametrize("block", [7, 64, 150, 1000])
def test_blocks_cover_the_batch_in_one_piece_of_memory(block: int) -> None:
    rng = np.random.default_rng(4)
    skeleton = random_skeleton(rng)
    q = skeleton.random_coordinates(rng, (300,))
    whole, seen, places = forward_kinematics(skeleton, q), 0, set()
    for which, world in forward_kinematics_blocks(skeleton, q, block):
        np.testing.assert_allclose(world, whole[which], rtol=0, atol=1e-11)
        assert which.start == seen
        seen = which.stop
        places.add(world.ctypes.data)
    assert seen == 300
    assert len(places) == 1


def test_blocks_without_the_last_row_in_single_precision() -> None:
    skeleton = arm("ball", 3)
    q = skeleton.random_coordinates(np.random.default_rng(5), (100,))
    for which, world in forward_kinematics_blocks(skeleton, q, rows=3, dtype=np.float32):
        assert world.dtype == np.float32
        np.testing.assert_allclose(world, forward_kinematics(skeleton, q)[which, :, :3], rtol=0, atol=1e-6)


def test_no_poses_and_no_coordinates() -> None:
    skeleton = arm("hinge", 2)
    assert forward_kinematics(skeleton, np.zeros((0, 2))).shape == (0, 2, 4, 4)
    assert list(forward_kinematics_blocks(skeleton, np.zeros((0, 2)))) == []
    still = Skeleton([Joint("a", "fixed", position=(1, 2, 3))])
    for count in (2, 100):
        world = forward_kinematics(still, np.zeros((count, 0)))
        np.testing.assert_array_equal(world, np.broadcast_to(transform((1, 2, 3)), (count, 1, 4, 4)))


def test_a_number_that_is_none_is_seen_and_stays_in_its_pose() -> None:
    skeleton = arm("hinge", 3)
    q = np.zeros((100, 3))
    q[17, 1], q[40, 2] = np.nan, np.inf
    world = forward_kinematics(skeleton, q)
    assert np.isnan(world[17, 1:, :2, :2]).all() and np.isnan(world[40, 2, :2, :2]).all()
    assert np.isfinite(np.delete(world, [17, 40], axis=0)).all()


def test_angles_of_many_turns() -> None:
    skeleton = arm("hinge", 2)
    q = np.random.default_rng(6).uniform(-1, 1, (100, 2)) * 10.0 ** np.arange(100)[:, None].clip(0, 12)
    alone = np.stack([forward_kinematics(skeleton, one) for one in q])
    np.testing.assert_allclose(forward_kinematics(skeleton, q), alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("q", "options", "message"),
    [
        (np.zeros(3), {}, r"a pose of this skeleton has 2 coordinates, not an array of shape \(3,\)"),
        (np.zeros((5, 2)), {"out": np.empty((5, 2, 4, 3))}, r"out must be a contiguous, writeable float64 or float32"),
        (np.zeros((5, 2)), {"out": np.empty((5, 2, 4, 8))[..., ::2]}, r"out must be a contiguous"),
        (np.zeros((5, 2)), {"out": np.empty((5, 2, 4, 4), int)}, r"not int64 \(5, 2, 4, 4\)"),
        (np.zeros((5, 2)), {"threads": 0}, "threads must be at least 1, not 0"),
    ],
)
def test_refused(q: np.ndarray, options: dict, message: str) -> None:
    with pytest.raises(PoseError, match=message):
        forward_kinematics(arm("hinge", 2), q, **options)


@pytest.mark.parametrize(("shape", "block"), [((5, 2), 0), ((2,), 8), ((1, 5, 2), 8)])
def test_refused_blocks(shape: tuple[int, ...], block: int) -> None:
    with pytest.raises(PoseError, match="blocks take poses × coordinates and at least 1 pose each"):
        next(forward_kinematics_blocks(arm("hinge", 2), np.zeros(shape), block))


def test_absolute_angles_count_from_the_root() -> None:
    axis = (Axis((0, 0, 1)),)
    skeleton = Skeleton(
        [
            Joint("base", "free", wxyz=(0.6, 0, 0.8, 0)),
            Joint("upper", "hinge", "base", axes=axis, absolute=True),
            Joint("plate", "fixed", "upper", (1, 0, 0)),
            Joint("lower", "hinge", "plate", axes=axis, absolute=True),
        ]
    )
    q = np.array([*skeleton.rest_coordinates[:7], 0.7, -0.4])
    world = Pose(skeleton, q).world_from_joint
    base = world[0, :3, :3]
    for joint, angle in ((1, 0.7), (2, 0.7), (3, -0.4)):
        turn = Rotation.from_rotvec([0, 0, angle]).as_matrix()
        np.testing.assert_allclose(world[joint, :3, :3], base @ turn, rtol=0, atol=1e-15)


def test_a_chain_stands_where_pinocchio_puts_it() -> None:
    rng = np.random.default_rng(7)
    model, joints, last = pin.Model(), [], 0
    for i, slide in enumerate([False, True, False, False, True, False]):
        place = pin.SE3.Random()
        axis = pin.SE3.Random().rotation[:, 0]
        kind = pin.JointModelPrismaticUnaligned(axis) if slide else pin.JointModelRevoluteUnaligned(axis)
        last = model.addJoint(last, kind, place, f"j{i}")
        x, y, z, w = pin.Quaternion(place.rotation).coeffs()
        axes = (Axis(tuple(axis), slide),)
        parent = f"j{i - 1}" if i else None
        joints.append(
            Joint(f"j{i}", "slide" if slide else "hinge", parent, tuple(place.translation), (w, x, y, z), axes)
        )
    skeleton, state = Skeleton(joints), model.createData()
    for q in rng.uniform(-3, 3, (20, 6)):
        pin.forwardKinematics(model, state, q)
        theirs = np.array([place.homogeneous for place in state.oMi[1:]])
        np.testing.assert_allclose(Pose(skeleton, q).world_from_joint, theirs, rtol=0, atol=1e-12)
        pin.computeJointJacobians(model, state, q)
        jacobian = pin.getJointJacobian(model, state, 6, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(Pose(skeleton, q).jacobian("j5"), jacobian, rtol=0, atol=1e-12)
