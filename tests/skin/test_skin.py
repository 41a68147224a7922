"""Skins: linear blending against a plain sum and against libigl, and what does not fit together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import igl
import numpy as np
import pytest
from skeleton.samples import arm

from posable.errors import SkinError, UnknownJointError
from posable.skeleton import Pose, Skeleton
from posable.skin import Skin
from posable.spatial import apply_transform, matrix_from_wxyz, random_wxyz, rigid_inverse, transform

SKELETON = arm("ball", 5)


def tube(rng: np.random.Generator, skeleton: Skeleton = SKELETON, count: int = 60, influences: int = 4) -> Skin:
    """Vertices anywhere, weights and bind matrices at random, one weight of each row 0."""
    weights = rng.dirichlet(np.ones(influences), count)
    weights[:, -1] = 0
    weights /= weights.sum(axis=1, keepdims=True)
    joints = rng.integers(0, len(skeleton.joints), (count, influences))
    bind = transform(rng.normal(size=(len(skeleton.joints), 3)), random_wxyz(rng, (len(skeleton.joints),)))
    bind[:, :3, :3] *= 1.7  # as files with scaled bones have it
    faces = rng.integers(0, count, (20, 3))
    return Skin(skeleton, rng.normal(size=(count, 3)), faces, joints, weights, bind, name="tube")  # type: ignore[arg-type]


def test_deform_is_the_weighted_sum() -> None:
    rng = np.random.default_rng(0)
    skin, poses = tube(rng), SKELETON.random_pose(rng, (2, 3))
    found = skin.deform(poses)
    assert found.shape == (2, 3, 60, 3) and found.dtype == np.float32
    matrices = poses.world_from_joint @ skin.inverse_bind
    homogeneous = np.concatenate([skin.vertices, np.ones((60, 1))], axis=1)
    blended = np.einsum("vk,...vkij,vj->...vi", skin.weights, matrices[..., skin.joints, :, :], homogeneous)
    np.testing.assert_allclose(found, blended[..., :3], rtol=0, atol=2e-6 * np.abs(blended).max())


def test_deform_is_libigls() -> None:
    rng = np.random.default_rng(1)
    skin, pose = tube(rng), SKELETON.random_pose(rng)
    dense = np.zeros((len(skin.vertices), len(SKELETON.joints)))
    np.add.at(dense, (np.arange(len(dense))[:, None], skin.joints), skin.weights)
    matrix = igl.lbs_matrix(skin.vertices.astype(float), dense)
    stacked = skin.matrices(pose)[:, :3].transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_allclose(skin.deform(pose), matrix @ stacked, rtol=0, atol=1e-5)


def test_in_the_bind_pose_nothing_moves_and_a_rigid_move_is_rigid() -> None:
    rng = np.random.default_rng(2)
    pose = SKELETON.random_pose(rng)
    plain = tube(rng)
    skin = Skin(
        SKELETON, plain.vertices, plain.faces, plain.joints, plain.weights, rigid_inverse(pose.world_from_joint)
    )
    np.testing.assert_allclose(skin.deform(pose), skin.vertices, rtol=0, atol=3e-6)
    turn = random_wxyz(rng)
    moved = pose.with_joint("j0", turn)
    first = moved.world_from_joint[0] @ rigid_inverse(pose.world_from_joint[0])
    np.testing.assert_allclose(skin.deform(moved), apply_transform(first, skin.vertices), rtol=0, atol=1e-5)


def test_rigid_skins_follow_one_joint() -> None:
    rng = np.random.default_rng(3)
    pose, place = SKELETON.random_pose(rng), transform((1, 2, 3), random_wxyz(rng))
    points = rng.normal(size=(7, 3)).astype(np.float32)
    for there in (None, place):
        skin = Skin.rigid(SKELETON, "J2", points, [[0, 1, 2]], there, name="box")
        wanted = apply_transform(pose.world_from_joint[2] @ (np.eye(4) if there is None else there), points)
        np.testing.assert_allclose(skin.deform(pose), wanted, rtol=0, atol=3e-6)
        assert list(skin.used_joints) == [2]
        assert repr(skin) == "Skin('box', 7 vertices, 1 faces)"
    with pytest.raises(UnknownJointError, match="no joint is called 'tail'"):
        Skin.rigid(SKELETON, "tail", points, [[0, 1, 2]])


def test_used_joints_have_weight() -> None:
    skin = tube(np.random.default_rng(4), influences=2, count=3)
    assert set(skin.used_joints) == {
        int(joint) for joint, weight in zip(skin.joints[:, 0], skin.weights[:, 0], strict=True)
    }


def test_no_poses_and_no_vertices() -> None:
    skin = tube(np.random.default_rng(5))
    poses = SKELETON.random_pose(np.random.default_rng(6), (4,))
    assert skin.deform(poses[:0]).shape == (0, 60, 3)
    empty = Skin.rigid(SKELETON, "j0", np.zeros((0, 3)), np.zeros((0, 3)))
    assert empty.deform(poses).shape == (4, 0, 3)


def test_arrays_are_kept_small_and_shut() -> None:
    skin = tube(np.random.default_rng(7))
    assert (skin.vertices.dtype, skin.faces.dtype, skin.weights.dtype) == (np.float32, np.int32, np.float32)
    for array in (skin.vertices, skin.faces, skin.joints, skin.weights, skin.inverse_bind):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_on_another_skeleton_with_the_same_joints() -> None:
    rng = np.random.default_rng(8)
    other = SKELETON.without_limits()
    skin = tube(rng).on(other)
    assert skin.skeleton is other
    with pytest.raises(SkinError, match="skin 'tube': inverse_bind has shape"):
        skin.on(arm("ball", 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vertices": np.zeros((3, 2))}, r"skin 'tube': vertices has shape \(3, 2\), not \(3, 3\)"),
        ({"vertices": 5}, "skin 'tube': vertices has shape"),
        ({"vertices": [[1, 2], [3]]}, "skin 'tube': vertices is not a regular array of numbers"),
        ({"vertices": np.full((60, 3), 1e300)}, "a vertex or bind matrix is not a finite number"),
        ({"inverse_bind": np.full((5, 4, 4), np.nan)}, "a vertex or bind matrix is not a finite number"),
        ({"inverse_bind": np.eye(4)}, r"inverse_bind has shape \(4, 4\), not \(5, 4, 4\)"),
        ({"faces": np.zeros((2, 4))}, r"faces has shape \(2, 4\), not \(2, 3\)"),
        ({"faces": [[0, 1, 60]]}, "a face index lies outside 0 … 59"),
        ({"joints": np.full((60, 4), -1)}, "a joint index lies outside 0 … 4"),
        ({"joints": np.full((60, 4), 5)}, "a joint index lies outside 0 … 4"),
        (
            {"joints": np.zeros((59, 4)), "weights": np.zeros((59, 4))},
            r"joints has shape \(59, 4\), not \(60, influences\)",
        ),
        ({"weights": np.zeros((60, 3))}, r"weights has shape \(60, 3\), not \(60, 4\)"),
        (
            {"weights": np.full((60, 4), 0.3)},
            "weights must be at least 0 and sum to 1 for every vertex; see mend_weights",
        ),
        ({"weights": np.tile([1.5, -0.5, 0, 0], (60, 1))}, "weights must be at least 0 and sum to 1"),
        ({"weights": np.full((60, 4), np.nan)}, "weights must be at least 0 and sum to 1"),
        ({"colors": np.zeros((59, 3))}, r"colors has shape \(59, 3\), not \(60, 3\)"),
        ({"normals": np.zeros((60, 2))}, r"normals has shape \(60, 2\), not \(60, 3\)"),
    ],
)
def test_refused(change: dict[str, Any], message: str) -> None:
    skin = tube(np.random.default_rng(9))
    kept = {key: getattr(skin, key) for key in ("vertices", "faces", "joints", "weights", "inverse_bind", "name")}
    with pytest.raises(SkinError, match=message):
        Skin(SKELETON, **{**kept, **change})


def test_refused_poses_and_blends() -> None:
    skin = tube(np.random.default_rng(10))
    with pytest.raises(SkinError, match="unknown blend 'cubic'; choose from 'linear', 'dual_q"):
        skin.deform(SKELETON.random_pose(np.random.default_rng(0)), "cubic")
    other = arm("ball", 3)
    with pytest.raises(SkinError, match="the pose has 3 joints and the skin was bound to 5"):
        skin.deform(Pose(other, other.rest_coordinates))


def test_scaled_bones_scale() -> None:
    skin = tube(np.random.default_rng(11))
    turn = skin.inverse_bind[:, :3, :3] / 1.7
    np.testing.assert_allclose(
        turn @ turn.transpose(0, 2, 1), np.broadcast_to(matrix_from_wxyz([1, 0, 0, 0]), turn.shape), atol=1e-12
    )


def test_morph_targets_add_to_the_rest_shape() -> None:
    rng = np.random.default_rng(12)
    morphs = rng.normal(size=(2, 60, 3)).astype(np.float32)
    skin = replace(tube(rng), morphs=morphs, morph_names=("smile", "frown"))
    morphed = skin.morphed({"frown": 0.5, "smile": -1.0})
    np.testing.assert_allclose(morphed.vertices, skin.vertices + 0.5 * morphs[1] - morphs[0], atol=1e-6)
    pose = SKELETON.random_pose(rng)
    np.testing.assert_allclose(replace(skin, vertices=morphed.vertices).deform(pose), morphed.deform(pose))
    assert (skin.morphed({}).vertices == skin.vertices).all()
    with pytest.raises(SkinError, match="skin 'tube' has no morph target 'grin'; there are smile, frown"):
        skin.morphed({"grin": 1})
    with pytest.raises(SkinError, match="skin 'tube' has no morph target 'grin'; it has none"):
        tube(rng).morphed({"grin": 1})
    with pytest.raises(SkinError, match="the weight of morph target 'smile' is nan, no finite number"):
        skin.morphed({"smile": float("nan")})
    with pytest.raises(SkinError, match=r"morphs has shape \(2, 60, 3\), not \(1, 60, 3\)"):
        replace(skin, morph_names=("smile",))
