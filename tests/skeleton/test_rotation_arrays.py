"""Poses as arrays of rotations and back, in every form; and who is whose mirror image."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from skeleton.samples import arm

from posable.errors import PoseError, SkeletonError
from posable.skeleton import (
    Joint,
    Pose,
    RotationForm,
    Skeleton,
    pose_from_rotations,
    rotations_of,
    symmetry_of,
)

BALLS = Skeleton([Joint("root", "free"), *(Joint(f"b{k}", "ball", "root", (k, 0, 0), (1, k, 0, 2)) for k in range(3))])


def random_poses(skeleton: Skeleton, *shape: int) -> Pose:
    return Pose(skeleton, skeleton.random_coordinates(np.random.default_rng(0), shape))


@pytest.mark.parametrize("form", get_args(RotationForm))
@pytest.mark.parametrize("skeleton", [BALLS, arm("hinge", 4), arm("slide", 3), arm("universal", 2)])
def test_there_and_back(form: RotationForm, skeleton: Skeleton) -> None:
    poses = random_poses(skeleton, 4, 3)
    again = pose_from_rotations(skeleton, *rotations_of(poses, form), form)
    np.testing.assert_allclose(again.world_from_joint, poses.world_from_joint, atol=1e-9)


def test_each_form_is_what_it_says() -> None:
    poses = random_poses(BALLS, 50)
    parent_from_joint = np.linalg.inv(poses.world_from_joint[:, :1]) @ poses.world_from_joint
    parent_from_joint[:, 0] = poses.world_from_joint[:, 0]
    turns = Rotation.from_matrix(parent_from_joint[..., :3, :3].reshape(-1, 3, 3))
    matrix, places = rotations_of(poses, "matrix")
    np.testing.assert_allclose(matrix, parent_from_joint[..., :3, :3], atol=1e-12)
    np.testing.assert_allclose(places, parent_from_joint[..., :3, 3], atol=1e-12)
    np.testing.assert_allclose(rotations_of(poses, "6d")[0], np.concatenate([matrix[..., 0], matrix[..., 1]], -1))
    np.testing.assert_allclose(rotations_of(poses, "axis_angle")[0].reshape(-1, 3), turns.as_rotvec(), atol=1e-7)
    theirs = turns.as_quat(canonical=True, scalar_first=True)
    np.testing.assert_allclose(rotations_of(poses, "quaternion")[0].reshape(-1, 4), theirs, atol=1e-9)


def test_what_is_not_quite_a_rotation_goes_to_the_nearest() -> None:
    rng = np.random.default_rng(1)
    noisy = rotations_of(random_poses(BALLS, 20), "matrix")[0] + 0.1 * rng.standard_normal((20, 4, 3, 3))
    ours = pose_from_rotations(BALLS, noisy, form="matrix")
    theirs = Rotation.from_matrix(noisy.reshape(-1, 3, 3)).as_matrix().reshape(20, 4, 3, 3)  # SciPy: by SVD
    np.testing.assert_allclose(rotations_of(ours, "matrix")[0], theirs, atol=1e-9)
    six = rng.standard_normal((20, 4, 6))
    frames = rotations_of(pose_from_rotations(BALLS, six), "matrix")[0]
    np.testing.assert_allclose(np.cross(frames[..., 0], six[..., :3]), 0, atol=1e-9)
    assert (np.sum(frames[..., 1] * six[..., 3:], axis=-1) > 0).all()


def test_refusals() -> None:
    poses = random_poses(BALLS, 2)
    rotations, places = rotations_of(poses)
    with pytest.raises(PoseError, match="6d, quaternion, axis_angle, matrix, not 'euler'"):
        rotations_of(poses, "euler")  # type: ignore[arg-type]
    with pytest.raises(PoseError, match=r"rotations as '6d' are \[..., 4 joints, \(6,\)\], not of shape \(2, 3, 6\)"):
        pose_from_rotations(BALLS, rotations[:, :3])
    with pytest.raises(PoseError, match=r"positions are \[..., 4 joints, 3\], not of shape \(2, 4, 2\)"):
        pose_from_rotations(BALLS, rotations, places[..., :2])
    with pytest.raises(PoseError, match="not a finite number"):
        pose_from_rotations(BALLS, rotations * np.nan)


def names_of_pairs(skeleton: Skeleton) -> set[tuple[str, str]]:
    partner = symmetry_of(skeleton).partner
    return {(skeleton.joints[j], skeleton.joints[k]) for j, k in enumerate(partner) if k > j}


@pytest.mark.parametrize(
    ("left", "right"),
    [("LeftArm", "RightArm"), ("arm.L", "arm.R"), ("lthumb", "rthumb"), ("L_hip", "R_hip"), ("armLeft_2", "armRight_2"),
     ("mixamorig:LeftHand", "mixamorig:RightHand"), ("FL_HAA", "FR_HAA"), ("b_l_upper", "b_r_upper")],
)  # fmt: skip
def test_pairs_by_name(left: str, right: str) -> None:
    joints = [Joint("root", "free"), Joint(left, "ball", "root", (1, 0, 0)), Joint(right, "ball", "root", (-1, 0.5, 0))]
    skeleton = Skeleton([*joints, Joint("lower", "ball", "root"), Joint("rower", "ball", "lower")])
    assert names_of_pairs(skeleton) == {(left, right)}
    np.testing.assert_array_equal(symmetry_of(skeleton).left, [1, 0, 0])


def test_pairs_by_place_where_names_say_nothing() -> None:
    places = {"a": (0.0, 1, 0), "b": (0.2, 0, 0), "c": (-0.2, 0, 0), "d": (0.0, 0, 0.3)}
    joints = [Joint("root", "free"), *(Joint(n, "ball", "root", p) for n, p in places.items())]
    joints += [Joint("e", "ball", "c", (0, -1, 0)), Joint("f", "ball", "b", (0, -1, 0))]
    assert names_of_pairs(Skeleton(joints)) == {("b", "c"), ("e", "f")}
    upright = [Joint("root", "free"), Joint("x_l", "ball", "root", (0, 0, 1)), Joint("x_r", "ball", "root", (0, 0, -1))]
    with pytest.raises(SkeletonError, match="coincide at rest, so its mirror plane is unknown"):
        symmetry_of(Skeleton(upright, up="z"))
    with pytest.raises(SkeletonError, match="neither by its name nor by where it rests"):
        symmetry_of(arm("ball", 3))
