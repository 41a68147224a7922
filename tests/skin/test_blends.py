"""Every blend against its plain statement, against UsdSkel, and by the laws that all of them keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import igl
import numpy as np
import pytest
from skin.test_skin import SKELETON, tube
from smooth_body import smooth_body

import posable
from posable.skeleton import Joint, Pose, Skeleton
from posable.skin import Mesh, Skin
from posable.spatial import apply_transform, matrix_from_wxyz, random_wxyz, transform, wxyz_from_matrix, wxyz_multiply
from posable.view.scene import skin_part

from pxr import Gf, UsdSkel, Vt  # isort: skip

BLENDS = ("linear", "dual_quaternion", "center_of_rotation", "delta_mush")
FILES = (
    "CesiumMan.glb", "Fox.glb", "InfiniteSkinnedTentacle.glb", "Knight.glb", "MH_game_engine.glb",
    "Q_PlatformerHumanoid.glb", "Q_Snake.glb", "Q_Spider.glb", "Q_Wolf.glb", "RobotExpressive.glb", "SimpleSkin.gltf",
    "cryptovoxels.vrm", "quad_skin.glb", "rigged_simple.gltf",
)  # fmt: skip


def chain(joints: int, size: float = 1.0) -> Skeleton:
    """Balls one `size` apart along z."""
    parts = [Joint("j0", "ball", None)]
    parts += [Joint(f"j{i}", "ball", f"j{i - 1}", (0, 0, size)) for i in range(1, joints)]
    return Skeleton(parts)


def bar(joints: int = 2, rows: int = 41, around: int = 4, passing: float = 0.5, size: float = 1.0) -> Skin:
    """A tube of radius 0.1 along z over a chain; at each joint weights pass over `passing` metres, or at once."""
    skeleton = chain(joints, size)
    angles, along = 2 * np.pi * (np.arange(around) + 0.5) / around, np.linspace(0, joints, rows)
    ring = np.stack([0.1 * np.cos(angles), 0.1 * np.sin(angles), 0 * angles], axis=1)
    places = (ring + along[:, None, None] * [0, 0, 1]).reshape(-1, 3)
    number = np.arange(rows * around).reshape(rows, around)
    a, b = number[:-1], number[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    faces = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, d, c), (a, c, b))])
    passed = [np.clip((places[:, 2] - j) / (passing or 1e-9) + 0.5, 0, 1) for j in range(1, joints)]
    weights = -np.diff(np.stack([np.ones(len(places)), *passed, np.zeros(len(places))], axis=1), axis=1)
    bind = np.linalg.inv(Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    index = np.tile(np.arange(joints), (len(places), 1))
    return Skin(skeleton, places * size, faces, index, weights, bind, name="bar")  # type: ignore[arg-type]


def bent(skin: Skin, angle: float, axis: int) -> Pose:
    """The second joint turned about x, y or z (radians)."""
    wxyz = np.zeros(4)
    wxyz[0], wxyz[1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return Pose(skin.skeleton, skin.skeleton.rest_coordinates).with_joint("j1", wxyz)


def plain_dual(skin: Skin, pose: Pose) -> np.ndarray:
    """Dual-quaternion blending (Kavan et al. 2008) in plain NumPy, each matrix split by its own singular values."""
    out = []
    for vertex, joints, weights in zip(skin.vertices.astype(float), skin.joints, skin.weights, strict=True):
        pivot, total, stretched = joints[np.argmax(weights)], np.zeros(8), np.zeros(3)
        turns = {}
        for joint in {*joints[weights > 0], pivot}:
            matrix = pose.world_from_joint[joint] @ skin.inverse_bind[joint]
            left, size, right = np.linalg.svd(matrix[:3, :3])
            q = wxyz_from_matrix(left @ right)
            turns[joint] = q, 0.5 * wxyz_multiply([0, *matrix[:3, 3]], q), right.T @ np.diag(size) @ right
        for joint, weight in zip(joints, weights, strict=True):
            if weight > 0:
                real, dual, stretch = turns[joint]
                sign = -1 if real @ turns[pivot][0] < 0 else 1
                total += sign * weight * np.concatenate([real, dual])
                stretched += weight * stretch @ vertex
        real, dual = total[:4] / np.linalg.norm(total[:4]), total[4:] / np.linalg.norm(total[:4])
        shift = 2 * wxyz_multiply(dual, real * [1, -1, -1, -1])[1:]
        out.append(matrix_from_wxyz(real) @ stretched + shift)
    return np.array(out)


def usd_points(skin: Skin, pose: Pose, method: str) -> np.ndarray:
    """The vertices as UsdSkel skins them."""
    matrices = (pose.world_from_joint @ skin.inverse_bind).transpose(0, 2, 1)
    points = Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(skin.vertices))
    done = UsdSkel.SkinPoints(
        method,
        Gf.Matrix4d(1.0),
        Vt.Matrix4dArray.FromNumpy(np.ascontiguousarray(matrices)),
        Vt.IntArray.FromNumpy(skin.joints.astype(np.int32).ravel()),
        Vt.FloatArray.FromNumpy(skin.weights.ravel()),
        skin.joints.shape[1],
        points,
    )
    assert done
    return np.array(points)


def test_dual_quaternions_are_the_plain_statement() -> None:
    rng = np.random.default_rng(0)
    skin, pose = tube(rng), SKELETON.random_pose(rng)
    found = skin.deform(pose, "dual_quaternion")
    np.testing.assert_allclose(found, plain_dual(skin, pose), rtol=0, atol=2e-6 * np.abs(found).max())


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_skinned_as_usdskel_and_libigl_do(shared: Path, name: str) -> None:
    figure = posable.load(shared / "characters" / name)
    rng = np.random.default_rng(1)
    poses = [figure.rest, figure.rest.plus(rng.uniform(-0.5, 0.5, figure.skeleton.dof))]
    for skin in figure.skins:
        for pose in poses:
            linear = skin.deform(pose)
            size = float(np.linalg.norm(np.ptp(linear, axis=0)))
            dense = np.zeros((len(linear), len(figure.skeleton.joints)))
            np.add.at(dense, (np.arange(len(dense))[:, None], skin.joints), skin.weights)
            stacked = skin.matrices(pose)[:, :3].transpose(0, 2, 1).reshape(-1, 3)
            np.testing.assert_allclose(
                linear, igl.lbs_matrix(skin.vertices.astype(float), dense) @ stacked, rtol=0, atol=1e-5 * size
            )
            np.testing.assert_allclose(linear, usd_points(skin, pose, "classicLinear"), rtol=0, atol=1e-5 * size)
            dual = skin.deform(pose, "dual_quaternion")
            np.testing.assert_allclose(dual, usd_points(skin, pose, "dualQuaternion"), rtol=0, atol=1e-5 * size)


def test_centers_of_rotation_are_the_plain_statement() -> None:
    skin = bar(joints=3, rows=61)
    dense = np.zeros((len(skin.vertices), 3))
    np.add.at(dense, (np.arange(len(dense))[:, None], skin.joints), skin.weights.astype(float))
    places = skin.vertices.astype(float)
    corners, of_faces = places[skin.faces], dense[skin.faces].mean(axis=1)
    areas = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    alike = np.zeros((len(places), len(areas)))
    for j, k in ((0, 1), (0, 2), (1, 2)):
        pj, pk, tj, tk = dense[:, j, None], dense[:, k, None], of_faces[:, j], of_faces[:, k]
        alike += pj * pk * tj * tk * np.exp(-(((pj * tk - pk * tj) / 0.1) ** 2))
    found = alike.sum(axis=1) > 0
    centers = np.where(found[:, None], (alike * areas) @ corners.mean(axis=1), places)
    centers[found] /= (alike * areas).sum(axis=1)[found, None]
    np.testing.assert_allclose(skin._bound.centers[0], centers, rtol=0, atol=2e-3)  # alike triangles count together
    rng = np.random.default_rng(2)
    pose = skin.skeleton.random_pose(rng)
    own = skin._bound.centers[0].astype(float)
    turned = plain_dual(skin, pose) - plain_dual(_at(skin, own), pose)  # R (v − c)
    linear = _at(skin, own).deform(pose)
    np.testing.assert_allclose(skin.deform(pose, "center_of_rotation"), linear + turned, rtol=0, atol=1e-5)


def _at(skin: Skin, places: np.ndarray) -> Skin:
    return Skin(skin.skeleton, places, skin.faces, skin.joints, skin.weights, skin.inverse_bind)  # type: ignore[arg-type]


def test_delta_mush_is_the_plain_statement() -> None:
    skin = bar(rows=31, passing=0.0)
    mesh, count = Mesh.of(skin), len(skin.vertices)
    near = np.zeros((count, count))
    for a, b, c in skin.faces:
        near[a, b] = near[b, a] = near[b, c] = near[c, b] = near[c, a] = near[a, c] = 1
    step = 0.5 * np.eye(count) + 0.5 * near / near.sum(axis=1, keepdims=True)
    edges = np.array(
        [np.linalg.norm(mesh.vertices[i] - mesh.vertices[j]) for i, j in zip(*np.nonzero(near), strict=True)]
    )
    smooth = np.linalg.matrix_power(step, int(np.clip(2 * (0.02 * mesh.diagonal / edges.mean()) ** 2, 5, 100)))
    dense = np.zeros((count, len(skin.skeleton.joints)))
    np.add.at(dense, (np.arange(count)[:, None], skin.joints), skin.weights.astype(float))
    pose = skin.skeleton.random_pose(np.random.default_rng(3))
    matrices = skin.matrices(pose)
    wanted = np.empty((count, 3))
    for i in range(count):
        mixed, ones = np.zeros((4, 4)), np.column_stack([mesh.vertices, np.ones(count)])
        share = smooth[i] @ dense
        for j in np.flatnonzero(share >= 1e-3):
            weighed = (smooth[i] * dense[:, j])[:, None] / share[share >= 1e-3].sum()
            mixed += matrices[j] @ ((weighed * ones).T @ ones)
            mixed[:3, :3] += 1e-2 * edges.mean() ** 2 * weighed.sum() * matrices[j][:3, :3]
        mean, place = mixed[3, :3], mixed[:3, 3]
        left, _, right = np.linalg.svd(mixed[:3, :3] - np.outer(place, mean))
        left[:, 2] *= np.sign(np.linalg.det(left @ right))
        wanted[i] = left @ right @ (mesh.vertices[i] - mean) + place
    np.testing.assert_allclose(skin.deform(pose, "delta_mush"), wanted, rtol=0, atol=2e-5)


@pytest.mark.parametrize("blend", BLENDS)
class TestLaws:
    """What every blend keeps."""

    @pytest.mark.slow
    def test_nothing_moves_at_rest_and_a_rigid_move_is_rigid(self, blend: str) -> None:
        figure = smooth_body()
        skin, rng = figure.skins[0], np.random.default_rng(4)
        np.testing.assert_allclose(skin.deform(figure.rest, blend), skin.vertices, rtol=0, atol=1e-6)
        place = transform(rng.normal(size=3), random_wxyz(rng))
        moved = figure.rest.with_joint("root", np.concatenate([place[:3, 3], wxyz_from_matrix(place[:3, :3])]))
        before = figure.rest.world_from_joint[0]
        step = moved.world_from_joint[0] @ np.linalg.inv(before)
        np.testing.assert_allclose(skin.deform(moved, blend), apply_transform(step, skin.vertices), rtol=0, atol=3e-6)
        turned = skin.deform_normals(figure.rest, blend) @ step[:3, :3].T
        np.testing.assert_allclose(skin.deform_normals(moved, blend), turned, rtol=0, atol=3e-6)

    def test_a_batch_is_the_loop_of_its_poses(self, blend: str) -> None:
        figure, rng = smooth_body(), np.random.default_rng(5)
        poses = figure.rest.plus(rng.normal(0, 0.3, (3, 9, figure.skeleton.dof)))
        for call in (figure.skins[0].deform, figure.skins[0].deform_normals):
            found = call(poses, blend)
            assert found.shape == (3, 9, len(figure.skins[0].vertices), 3) and found.dtype == np.float32
            for i, j in ((0, 0), (1, 7), (2, 8)):
                assert (found[i, j] == call(poses[i, j], blend)).all()

    def test_scale_does_not_matter(self, blend: str) -> None:
        skin = bar(joints=3)
        pose = skin.skeleton.random_pose(np.random.default_rng(6))
        there = skin.deform(pose, blend)
        for factor in (1e-3, 1e3):
            large = bar(joints=3, size=factor)
            again = large.deform(Pose(large.skeleton, pose.q), blend)
            np.testing.assert_allclose(again / factor, there, rtol=0, atol=2e-5)

    def test_a_scaled_file_is_the_plain_one(self, blend: str) -> None:
        """A mesh in centimetres, its bind matrices bringing it to metres."""
        skin, pose = bar(joints=3), bar(joints=3).skeleton.random_pose(np.random.default_rng(7))
        bind = skin.inverse_bind @ np.diag([0.01, 0.01, 0.01, 1.0])
        large = Skin(skin.skeleton, skin.vertices * 100, skin.faces, skin.joints, skin.weights, bind)  # type: ignore[arg-type]
        np.testing.assert_allclose(large.deform(pose, blend), skin.deform(pose, blend), rtol=0, atol=3e-5)
        np.testing.assert_allclose(
            large.deform_normals(pose, blend), skin.deform_normals(pose, blend), rtol=0, atol=3e-4
        )

    def test_doubled_vertices_stay_together(self, blend: str) -> None:
        skin = bar(joints=3)
        corners = skin.faces.ravel()
        apart = Skin(
            skin.skeleton, skin.vertices[corners], np.arange(len(corners)).reshape(-1, 3), skin.joints[corners],
            skin.weights[corners], skin.inverse_bind,
        )  # fmt: skip
        pose = skin.skeleton.random_pose(np.random.default_rng(8))
        for one, other in ((skin.deform, apart.deform), (skin.deform_normals, apart.deform_normals)):
            np.testing.assert_allclose(other(pose, blend), one(pose, blend)[corners], rtol=0, atol=2e-6)


def test_normals_are_the_plain_statements() -> None:
    rng = np.random.default_rng(10)
    plain = tube(rng)
    normals = rng.normal(size=plain.vertices.shape)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    bind = plain.inverse_bind.copy()
    bind[:2, :3, :3] = bind[:2, :3, :3] @ np.diag([1, 1, -1])  # mirrored bones
    for inverse_bind in (plain.inverse_bind, bind):
        skin = replace(plain, normals=normals.astype(np.float32), inverse_bind=inverse_bind)
        pose = SKELETON.random_pose(rng)
        matrices = np.einsum("vk,vkij->vij", skin.weights, skin.matrices(pose)[skin.joints][..., :3, :3])
        wanted = np.einsum("vji,vj->vi", np.linalg.inv(matrices), normals)
        wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
        np.testing.assert_allclose(skin.deform_normals(pose), wanted, rtol=0, atol=1e-4)
    skin = replace(plain, normals=normals.astype(np.float32))
    grown = replace(plain, vertices=(plain.vertices + 1e-1 * normals).astype(np.float32))  # bones scale evenly by 1.7
    wanted = (plain_dual(grown, pose) - plain_dual(plain, pose)) / 0.17
    for blend in ("dual_quaternion", "center_of_rotation"):
        np.testing.assert_allclose(skin.deform_normals(pose, blend), wanted, rtol=0, atol=1e-5)


def test_delta_mush_normals_stand_on_the_smoothed_surface() -> None:
    skin = bar(rows=161, around=24, passing=0.0)
    pose = bent(skin, 0.3, 0)
    surface = Mesh(skin.deform(pose, "delta_mush").astype(float), skin.faces)
    inner = np.abs(skin.vertices[:, 2] - 1) < 0.95
    apart = (surface.normals * skin.deform_normals(pose, "delta_mush")).sum(axis=1)[inner]
    assert apart.min() > np.cos(np.radians(12)) and np.mean(apart) > np.cos(np.radians(2))


def test_a_half_twist_collapses_linearly_and_keeps_its_width_by_turns() -> None:
    skin = bar(rows=81, around=24)
    pose = bent(skin, 0.999 * np.pi, 2)
    least = {blend: np.linalg.norm(skin.deform(pose, blend)[:, :2], axis=1).min() / 0.1 for blend in BLENDS[:3]}
    assert least["linear"] < 0.05  # the sweet paper's wrapper
    assert least["dual_quaternion"] > 0.999 and least["center_of_rotation"] > 0.999


def test_a_deep_bend_bulges_by_turns_but_not_about_centers() -> None:
    """Dual quaternions swing the outside of an elbow wide (Kavan's bulge); centres of rotation do not."""
    skin = bar(rows=81, around=24)
    widest = {}
    for blend in BLENDS[:3]:
        places = skin.deform(bent(skin, np.pi / 2, 0), blend)
        widest[blend] = np.linalg.norm(places[:, 1:] - [0, 1], axis=1)[np.abs(skin.vertices[:, 2] - 1) < 0.1].max()
    assert widest["dual_quaternion"] > widest["center_of_rotation"] + 1e-3


def test_delta_mush_smooths_a_stiff_bend() -> None:
    skin = bar(rows=161, around=24, passing=0.0)

    def sharpest(places: np.ndarray) -> float:
        """The largest turn of a line along the tube from one row to the next, degrees."""
        lines = np.diff(places.reshape(161, -1, 3).astype(float), axis=0)
        lines /= np.linalg.norm(lines, axis=2, keepdims=True)
        return float(np.degrees(np.arccos(np.clip((lines[1:] * lines[:-1]).sum(axis=2), -1, 1)).max()))

    pose = bent(skin, 0.3, 0)
    assert sharpest(skin.deform(pose)) > 120  # nearly folds over at the inside
    assert sharpest(skin.deform(pose, "delta_mush")) < 25


def test_an_unknown_blend() -> None:
    skin = bar()
    pose = Pose(skin.skeleton, skin.skeleton.rest_coordinates)
    for call in (skin.deform, skin.deform_normals):
        with pytest.raises(posable.SkinError, match="unknown blend 'dual_quaternions'; did you mean 'dual_quaternion'"):
            call(pose, "dual_quaternions")


def test_a_mesh_without_faces_or_with_lonely_vertices_still_follows() -> None:
    rng = np.random.default_rng(9)
    skin = tube(rng)
    bare = Skin(SKELETON, skin.vertices, np.zeros((0, 3)), skin.joints, skin.weights, skin.inverse_bind)  # type: ignore[arg-type]
    pose = SKELETON.random_pose(rng)
    wanted: Any = bare.deform(pose)
    np.testing.assert_allclose(bare.deform(pose, "center_of_rotation"), wanted, rtol=0, atol=3e-5)
    np.testing.assert_allclose(bare.deform(pose, "delta_mush"), wanted, rtol=0, atol=3e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["body", "characters/MH_game_engine.glb"])
def test_a_hip_bent_by_a_right_angle_loses_no_more_volume_than_with_the_artists_weights(
    name: str, request: pytest.FixtureRequest
) -> None:
    """As drawn: by centres of rotation what `bind` made; as engines draw it: linearly what the artist did."""
    known = name == "body"
    figure = smooth_body() if known else posable.load(request.getfixturevalue("shared") / name)
    own = figure.skins[0]
    hip = figure.skeleton.index(posable.roles(figure).joints["upper_leg_l"])
    turn = np.zeros(figure.skeleton.dof)
    first = figure.skeleton.freedom_range(hip)[0]
    turn[first : first + 3] = figure.rest.world_from_joint[hip][:3, :3].T @ (-np.pi / 2, 0, 0)
    bent = figure.rest.plus(turn)
    skin = posable.bind(posable.Mesh.of(own), figure.skeleton)

    def volume(vertices: np.ndarray) -> float:
        a, b, c = (vertices[own.faces[:, k]].astype(float) for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    whole = volume(own.deform(figure.rest))
    artists, ours = (
        1 - volume(part.placed(bent)) / whole for part in (skin_part(own, "auto"), skin_part(skin, "auto"))
    )
    assert ours < artists and 0 < artists < 0.05
    assert 1 - volume(skin_part(skin, "linear").placed(bent)) / whole > artists  # what is saved
