"""Light, shadow and silhouettes against what geometry says."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from from_python import callable_kernel
from view.drawables import FACES, ball, skinned, taken

import posable
from posable.spatial import normalized
from posable.view import Camera, light
from posable.view.pictures import Shot
from posable.view.raster import empty_triangles, place_triangles
from posable.view.renderer import STILL
from posable.view.scene import Scene
from posable.view.shadows import (
    cast_shadows,
    directions,
    draw_map,
    ground_darkness,
    ground_points,
    lamp_axes,
    sky_light,
)

CAMERA = Camera((0, 1, 9), (0, 1, 0), field_of_view=30)


def covered(figure: posable.Figure, size: tuple[int, int]) -> float:
    """How many pixels the figure covers, edges in part: drawn black and white on the same stage."""
    shots = []
    for gray in (0.0, 1.0):
        skin = figure.skins[0]
        colored = skinned(skin.vertices, skin.faces, colors=np.full(skin.vertices.shape, gray))
        shots.append(Shot.of(Scene(colored), [figure.rest], size, (), CAMERA, STILL, skeleton=False))
    black, white = (shot.take(figure.rest, ()).astype(float).mean(axis=2) for shot in shots)
    return float(((white - black) > 60).sum())


def test_the_silhouette_of_a_ball_has_the_area_that_perspective_gives() -> None:
    vertices, faces = ball(around=96)
    size = (240, 240)
    radius = CAMERA.pixels_per_slope(size[1]) * math.tan(math.asin(1 / 9))
    assert covered(skinned(vertices + np.array((0, 1, 0)), faces), size) == pytest.approx(math.pi * radius**2, rel=0.01)


def test_edges_are_anti_aliased() -> None:
    """Along a slanted edge between black and the bright stage there are many levels, not two."""
    figure = skinned(np.array([(-1, 0, 0), (1, 0.2, 0), (1, 2, 0), (-1, 1.8, 0.0)]), FACES, colors=np.zeros((4, 3)))
    image = Shot.of(Scene(figure), [figure.rest], (120, 120), (), CAMERA, STILL, skeleton=False).take(figure.rest, ())
    column = image[:, 60:70].astype(int).mean(axis=2)
    assert len(np.unique(column[(column > 60) & (column < 180)].round())) >= 6


def test_what_a_fragment_shows_lies_on_its_ray() -> None:
    """The corners' weights count in space, not in the picture: the point they give is seen where it is."""
    points = np.random.default_rng(2).uniform((-1, -1, 1), (1, 1, 6), (3, 3))
    homogeneous = points @ np.array([[40.0, 0, 0], [0, 40, 0], [20, 20, 1]])
    triangles = empty_triangles(1)
    place_triangles(homogeneous, np.array([[0, 1, 2]], np.int32), 40, 40, triangles)
    wanted = np.array([0.2, 0.5, 0.3]) @ homogeneous
    weights = callable_kernel(light._weights)(triangles.edges, 0, *(wanted[:2] / wanted[2]))
    assert weights == pytest.approx((0.2, 0.5, 0.3), abs=1e-6)


def test_an_edge_is_never_brighter_than_both_its_sides() -> None:
    slab = np.array([(-1, 0, 0), (1, 0.2, 0), (1, 2, 0), (-1, 1.8, 0.0)])
    image = taken(skinned(slab, FACES, colors=np.ones((4, 3))), CAMERA).astype(int)
    wall, inside, edge = image[20:25, 34:62], image[36:44, 34:62], image[26:34, 34:62]
    assert np.abs(wall.mean(axis=(0, 1)) - inside.mean(axis=(0, 1))).max() > 4
    assert (edge <= np.maximum(wall.max(axis=(0, 1)), inside.max(axis=(0, 1))) + 3).all()


def test_shading_does_not_depend_on_how_a_round_body_is_turned() -> None:
    vertices, faces = ball(around=48)
    figure = skinned(vertices + np.array((0, 1, 0)), faces)
    one, other = (taken(figure, CAMERA, pose=posable.Pose(figure.skeleton, [k * 2 * np.pi / 48])) for k in (0, 5))
    assert (np.abs(one.astype(int) - other).max(axis=-1) <= 4).mean() > 0.99


def test_lamps_go_with_the_camera() -> None:
    vertices, faces = ball(around=32)
    figure = skinned(vertices * (1, 1, 0.5) + (0, 1, 0), faces)
    front = taken(figure, CAMERA)
    aside = taken(
        figure, Camera((9, 1, 0), (0, 1, 0), field_of_view=30), pose=posable.Pose(figure.skeleton, [np.pi / 2])
    )
    assert (np.abs(front.astype(int) - aside).max(axis=-1) <= 6).mean() > 0.98


def test_the_key_lamp_stands_to_the_left_above() -> None:
    vertices, faces = ball()
    image = taken(skinned(vertices + np.array((0, 1, 0)), faces), CAMERA).astype(int).sum(axis=2)
    middle = image[20:76, 20:76]
    assert middle[:28, :28].mean() > middle[28:, 28:].mean() + 60
    assert middle[:28, :28].mean() > middle[:28, 28:].mean() + 15


def test_both_sides_of_a_surface_are_shaded_alike() -> None:
    vertices = np.array([(-1, 0, 0), (1, 0, 0), (1, 2, 0.5), (-1, 2, 0.5)], float)
    one, other = taken(skinned(vertices, FACES), CAMERA), taken(skinned(vertices, FACES[:, ::-1]), CAMERA)
    assert np.abs(one.astype(int) - other).max() <= 12  # the light of the room is measured on the outside


def plate(height: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array(
        [(-half, -half, height), (half, -half, height), (half, half, height), (-half, half, height)], np.float32
    )
    return corners, FACES.astype(np.int32)


def test_a_plate_casts_its_shadow_where_the_light_throws_it() -> None:
    towards = normalized((1.0, 0.5, 2.0))
    shadows = cast_shadows(*plate(1.0, 0.3), lamp_axes(towards), 512)
    matrix = shadows.map_from_stage
    row, column = np.meshgrid(np.arange(256), np.arange(256), indexing="ij")
    weight = shadows.ground / shadows.ground.sum()
    at = np.array([2 * (weight * column).sum() + 0.5, 2 * (weight * row).sum() + 0.5])
    expected = (
        matrix[:2, :3] @ (-towards / towards[2] + (0, 0, 1)) + matrix[:2, 3]
    )  # the ray through the plate's middle
    assert at == pytest.approx(expected, abs=1.0)
    assert shadows.ground.max() == pytest.approx(1, abs=0.05)
    area = shadows.ground.sum() * 4 / np.linalg.norm(matrix[0, :3]) ** 2
    assert area == pytest.approx(0.6 * 0.6 * towards[2], rel=0.03), "as seen from the lamp"


def test_a_depth_map_holds_the_nearest_of_what_lies_over_each_texel() -> None:
    random = np.random.default_rng(3)
    middles = random.uniform(0, 31, (200, 1, 3))
    points = (middles + random.normal(0, random.choice([0.3, 1, 6], (200, 1, 1)), (200, 3, 3))).astype(np.float32)
    nearness = np.full((32, 32), -np.inf, np.float32)
    faces = np.arange(600, dtype=np.int32).reshape(-1, 3)
    draw_map(points.reshape(-1, 3), faces, np.eye(3, 4, dtype=np.float32), nearness)
    row, column = np.indices((32, 32))
    texels = np.stack([column, row, np.ones_like(row)], axis=-1).reshape(-1, 3)
    expected = np.full(len(texels), -np.inf)
    for triangle in points.astype(float):
        shares = texels @ np.linalg.inv(np.column_stack([triangle[:, :2], np.ones(3)]))
        inside = shares.min(axis=1) >= 0
        expected[inside] = np.maximum(expected, shares @ triangle[:, 2])[inside]
    clear = np.isfinite(expected).reshape(32, 32)
    assert 300 < clear.sum() < 1000
    np.testing.assert_array_equal(np.isfinite(nearness), clear)
    np.testing.assert_allclose(nearness[clear], expected.reshape(32, 32)[clear], atol=2e-4)


def test_neighbours_leave_no_texel_between_them_free() -> None:
    random = np.random.default_rng(5)
    for _ in range(50):
        grid = np.stack(np.meshgrid(np.arange(-2, 36, 2), np.arange(-2, 36, 2)), axis=-1).reshape(-1, 2)
        turn = random.uniform(0, 7)
        flat = (grid - 16) @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * 1.6 + 16
        corners = np.column_stack([flat, np.ones(len(flat))]).astype(np.float32)
        square = np.arange(len(grid)).reshape(19, 19)
        a, b, c, d = (x.ravel() for x in (square[:-1, :-1], square[:-1, 1:], square[1:, :-1], square[1:, 1:]))
        faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)]).astype(np.int32)
        nearness = np.full((32, 32), -np.inf, np.float32)
        draw_map(corners, faces, np.eye(3, 4, dtype=np.float32), nearness)
        np.testing.assert_allclose(nearness, 1, atol=1e-5)


def test_a_shadow_is_sharper_where_what_casts_it_is_near() -> None:
    steepest = []
    for height in (0.02, 1.5):
        shadows = cast_shadows(*plate(height, 0.3), lamp_axes((0.0, 0.0, 1.0)), 512)
        texel = 2 / np.linalg.norm(shadows.map_from_stage[0, :3])
        steepest.append(np.abs(np.diff(shadows.ground[128])).max() / texel)
    assert steepest[0] > 4 * steepest[1]


def sky_at(
    points: np.ndarray, normals: np.ndarray, mesh: tuple[np.ndarray, np.ndarray], count: int = 600
) -> np.ndarray:
    with ThreadPoolExecutor(2) as pool:
        towards = directions(count)
        white = np.ones((count, 3), np.float32)
        return sky_light(
            points.astype(np.float32), normals.astype(np.float32), mesh, lamp_axes(towards), white, 128, pool
        )[:, 0]


def test_an_open_point_sees_the_whole_room_and_a_covered_one_less() -> None:
    """A white room gives 1 everywhere; a point under a wide plate nearby is nearly dark."""
    points = np.array([(0, 0, 2.0), (3.0, 0, 0), (0, 0, 0.35)])
    normals = np.array([(0, 0, 1.0), (0, 0, 1.0), (0, 0, 1.0)])
    seen = sky_at(points, normals, plate(0.5, 2.0))
    assert seen[0] == pytest.approx(1, rel=0.02)
    assert seen[1] > 0.9
    assert seen[2] < 0.3


def test_directions_are_even_over_the_sphere() -> None:
    towards = directions(200)
    assert np.linalg.norm(towards, axis=1) == pytest.approx(np.ones(200))
    assert towards.mean(axis=0) == pytest.approx(np.zeros(3), abs=0.01)
    assert towards.T @ towards / 200 == pytest.approx(np.eye(3) / 3, abs=0.01)


def test_the_floor_is_darkest_under_the_body() -> None:
    vertices, faces = ball(0.3)
    mesh = (vertices.astype(np.float32) + np.float32([0, 0, 0.3]), faces.astype(np.int32))
    grid, place = ground_points(mesh[0], 64)
    dark = ground_darkness(np.repeat(sky_at(grid, np.tile([0, 0, 1.0], (len(grid), 1)), mesh)[:, None], 3, 1), 1.0)
    row, column = np.unravel_index(dark.argmax(), dark.shape)
    assert (column / place[2] + place[0], row / place[3] + place[1]) == pytest.approx((0, 0), abs=0.06)
    assert dark.max() > 0.5 and dark[32, 4] < 0.05 and dark[0].max() == dark[:, -1].max() == 0
