"""The rasteriser against a plain NumPy statement of the same: rays through pixels, tested against every triangle."""

from __future__ import annotations

import numpy as np
import pytest
from from_python import callable_kernel

from posable.view.raster import NEAREST, empty_triangles, face_normals_to_vertices, fill, place_triangles

WIDTH, HEIGHT, FOCAL = 48, 40, 50.0


def homogeneous(points: np.ndarray) -> np.ndarray:
    """Camera coordinates (x right, y down, z ahead) to X, Y, W in pixels."""
    x, y, z = np.asarray(points, float).T
    return np.stack([FOCAL * x + (WIDTH - 1) / 2 * z, FOCAL * y + (HEIGHT - 1) / 2 * z, z], axis=1)


def drawn(points: np.ndarray, faces: np.ndarray, limit: float = 1 / NEAREST) -> tuple[np.ndarray, np.ndarray]:
    """Depth (W, inf where there is nothing) and triangle per pixel."""
    triangles = empty_triangles(len(faces))
    place_triangles(homogeneous(points), np.asarray(faces, np.int32), WIDTH, HEIGHT, triangles)
    nearness, ids = np.zeros((HEIGHT, WIDTH), np.float32), np.full((HEIGHT, WIDTH), -1, np.int32)
    callable_kernel(fill)(triangles, 0, np.float32(limit), nearness, ids)
    with np.errstate(divide="ignore"):
        return 1 / nearness.astype(float), ids


def traced(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same by ray casting (Möller and Trumbore 1997), and whether a pixel is too near an edge to say."""
    column, row = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    rays = np.stack([(column - (WIDTH - 1) / 2) / FOCAL, (row - (HEIGHT - 1) / 2) / FOCAL, np.ones_like(row)], -1)
    depth, ids = np.full((HEIGHT, WIDTH), np.inf), np.full((HEIGHT, WIDTH), -1)
    unsure = np.zeros((HEIGHT, WIDTH), bool)
    for t, face in enumerate(faces):
        a, b, c = np.asarray(points, float)[face]
        e, f = b - a, c - a
        p = np.cross(rays, f)
        with np.errstate(divide="ignore", invalid="ignore"):
            det = p @ e
            u = p @ -a / det
            v = rays @ np.cross(-a, e) / det
            z = np.cross(-a, e) @ f / det
        margin = np.nan_to_num(np.minimum(np.minimum(u, v), 1 - u - v), nan=-1)
        inside = (margin >= 0) & (z > NEAREST)
        unsure |= (np.abs(margin) < 1e-6) | (inside & (np.abs(z - depth) < 1e-5 * depth))
        nearer = inside & (z < depth)
        depth, ids = np.where(nearer, z, depth), np.where(nearer, t, ids)
    return depth, ids, unsure


@pytest.mark.parametrize("seed", range(12))
def test_any_triangles_agree_with_ray_casting(seed: int) -> None:
    """Overlapping, interpenetrating, partly outside, in part or wholly behind the camera."""
    rng = np.random.default_rng(seed)
    points = rng.uniform((-2, -2, -1), (2, 2, 4), (30, 3))
    faces = rng.integers(0, 30, (14, 3))
    depth, ids = drawn(points, faces)
    expected, expected_ids, unsure = traced(points, faces)
    assert (ids == expected_ids)[~unsure].all()
    seen = ~unsure & (expected_ids >= 0)
    assert seen.sum() > 100 and unsure.mean() < 0.2
    assert depth[seen] == pytest.approx(expected[seen], rel=2e-5)


def test_the_nearer_of_two_triangles_hides_the_other_in_either_order() -> None:
    near, far = [(-1, -1, 2), (1, -1, 2), (0, 1, 2)], [(-2, -2, 3), (2, -2, 3), (0, 2, 3)]
    for points, nearer in ((near + far, 0), (far + near, 1)):
        depth, ids = drawn(np.array(points), np.array([[0, 1, 2], [3, 4, 5]]))
        assert ids[HEIGHT // 2, WIDTH // 2] == nearer
        assert depth[HEIGHT // 2, WIDTH // 2] == pytest.approx(2)
        assert (ids[depth < 2.5] == nearer).all() and (ids[(depth > 2.5) & (depth < 9)] == 1 - nearer).all()


def test_interpenetrating_triangles_meet_in_a_straight_line() -> None:
    """One slopes away to the right, one to the left: they cross at x = 0."""
    a = [(-3, -3, 1.0), (-3, 3, 1.0), (6, 0, 4.0)]
    b = [(3, -3, 1.0), (3, 3, 1.0), (-6, 0, 4.0)]
    _, ids = drawn(np.array(a + b), np.array([[0, 1, 2], [3, 4, 5]]))
    middle = ids[HEIGHT // 2]
    assert (middle[: WIDTH // 2] == 0).all() and (middle[WIDTH // 2 :] == 1).all()


def test_depth_is_perspective_correct_on_a_slope() -> None:
    """On the plane z = 2 + x, the ray x = s z gives z = 2 / (1 - s); linear interpolation would be far off."""
    points = np.array([(-1.0, -9, 1), (-1, 9, 1), (6, -30, 8), (6, 30, 8)])
    depth, _ = drawn(points, np.array([[0, 1, 2], [1, 3, 2]]))
    slope = (np.arange(WIDTH) - (WIDTH - 1) / 2) / FOCAL
    assert depth[HEIGHT // 2] == pytest.approx(2 / (1 - slope), rel=1e-5)


def test_a_tiled_plane_has_no_cracks() -> None:
    rng = np.random.default_rng(0)
    x, y = np.meshgrid(np.linspace(-3, 3, 40), np.linspace(-3, 3, 40))
    points = np.stack([x, y, np.full_like(x, 3.0)], -1).reshape(-1, 3)
    points += rng.uniform(-0.06, 0.06, points.shape) * (1, 1, 5)
    here = (np.arange(39)[:, None] * 40 + np.arange(39)).ravel()
    faces = np.concatenate([np.stack([here, here + 1, here + 41], 1), np.stack([here, here + 41, here + 40], 1)])
    for flip in (slice(None), slice(None, None, -1)):
        _, ids = drawn(points, faces[:, flip])
        assert (ids >= 0).all()


def test_nothing_is_drawn_of_triangles_without_area_or_too_near() -> None:
    points = np.array(
        [
            (0, 0, 2),
            (1, 0, 2),
            (2, 0, 2),
            (0, 1, 2),
            (0, 0, NEAREST / 2),
            (NEAREST, 0, NEAREST / 2),
            (0, NEAREST, NEAREST / 2),
        ]
    )
    _, ids = drawn(points, np.array([[0, 1, 2], [0, 0, 3], [3, 3, 3], [4, 5, 6]]))
    assert (ids == -1).all()


def test_front_is_the_counter_clockwise_side() -> None:
    points = np.array([(0.0, 0, 2), (1, 0, 2), (0, -1, 2)])  # y down: this is counter-clockwise to the eye
    triangles = empty_triangles(2)
    place_triangles(homogeneous(points), np.array([[0, 1, 2], [0, 2, 1]], np.int32), WIDTH, HEIGHT, triangles)
    assert triangles.front.tolist() == [True, False]


def test_rows_drawn_in_bands_are_the_same_rows() -> None:
    rng = np.random.default_rng(5)
    points, faces = rng.uniform((-2, -2, 1), (2, 2, 4), (30, 3)), rng.integers(0, 30, (20, 3)).astype(np.int32)
    triangles = empty_triangles(len(faces))
    place_triangles(homogeneous(points), faces, WIDTH, HEIGHT, triangles)
    _, whole = drawn(points, faces)
    for first in range(0, HEIGHT, 7):
        rows = min(7, HEIGHT - first)
        nearness, ids = np.zeros((rows, WIDTH), np.float32), np.full((rows, WIDTH), -1, np.int32)
        callable_kernel(fill)(triangles, first, np.float32(np.inf), nearness, ids)
        assert (ids == whole[first : first + rows]).all()


def test_vertex_normals_are_the_area_weighted_mean_of_their_faces() -> None:
    rng = np.random.default_rng(1)
    vertices, faces = rng.normal(size=(20, 3)).astype(np.float32), rng.integers(0, 19, (30, 3)).astype(np.int32)
    groups = np.append(np.arange(19), 18).astype(np.int32)
    sums, normals = np.empty((19, 3)), np.empty((20, 3), np.float32)
    face_normals_to_vertices(vertices, faces, groups, sums, normals)
    expected = np.zeros((19, 3))
    for a, b, c in faces:
        n = np.cross(vertices[b].astype(float) - vertices[a], vertices[c].astype(float) - vertices[a])
        for corner in (a, b, c):
            expected[groups[corner]] += n
    expected /= np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-30)
    assert normals == pytest.approx(expected[groups], abs=2e-5)
