"""Ground: heights and normals of every kind, in both up axes, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posable.errors import TerrainError
from posable.motion.feet import Terrain

RNG = np.random.default_rng(0)


def _points(count: int = 200) -> np.ndarray:
    return RNG.uniform(-2, 2, (count, 3))


def _grid(count: int = 40) -> tuple[np.ndarray, float]:
    """Rolling hills: row along z, column along x."""
    z, x = np.meshgrid(np.linspace(-3, 3, count), np.linspace(-3, 3, count), indexing="ij")
    return 0.3 * np.sin(x) + 0.2 * np.cos(2 * z), 6 / (count - 1)


def _mesh_of(heights: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = heights.shape
    z, x = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    vertices = np.stack([x * spacing - 3, heights, z * spacing - 3], axis=-1).reshape(-1, 3)
    first = (z * columns + x)[:-1, :-1].ravel()
    lower = np.stack([first, first + columns, first + 1], axis=1)
    upper = np.stack([first + 1, first + columns, first + columns + 1], axis=1)
    return vertices, np.concatenate([lower, upper])


def test_planes_and_slopes() -> None:
    points = _points()
    level = Terrain.plane(0.7)
    assert level.height(points) == pytest.approx(np.full(200, 0.7))
    assert level.normal(points) == pytest.approx(np.tile([0.0, 1.0, 0.0], (200, 1)))
    assert level.gap(points) == pytest.approx(points[:, 1] - 0.7)
    slope = Terrain.slope(30, (1, 5, 0), height=0.2)  # what the direction has of height is left out
    assert slope.height(points) == pytest.approx(0.2 + math.tan(math.radians(30)) * points[:, 0])
    assert slope.normal(points[0]) == pytest.approx([-0.5, math.sqrt(0.75), 0.0])
    tilted = Terrain.plane(0.2, (-0.5, math.sqrt(0.75), 0.0))
    assert tilted.height(points) == pytest.approx(slope.height(points))
    assert slope.gap(points) == pytest.approx((points - [0, 0.2, 0]) @ slope.normal(points[0]))
    z_up = Terrain.slope(-20, up="z")  # along x unless told otherwise
    assert z_up.height(points) == pytest.approx(-math.tan(math.radians(20)) * points[:, 0])
    assert z_up.dropped(points)[:, :2] == pytest.approx(points[:, :2])
    assert z_up.gap(z_up.dropped(points)) == pytest.approx(np.zeros(200), abs=1e-12)


def test_stairs() -> None:
    stairs = Terrain.stairs(0.2, 0.3, 3, (0, 0, 1), start=(0, 0.1, 1.0))
    z = np.array([-5, 0.99, 1.0, 1.29, 1.3, 1.61, 1.9, 50])
    places = np.stack([np.full(8, 7.0), np.zeros(8), z], axis=1)
    assert stairs.height(places) == pytest.approx(0.1 + 0.2 * np.array([0, 0, 1, 1, 2, 3, 3, 3]))
    assert stairs.normal(places) == pytest.approx(np.tile([0, 1, 0], (8, 1)))
    down = Terrain.stairs(-0.2, 0.3, 2, (0, -1, 0), up="z")
    assert down.height(np.array([[0, 0.1, 9], [0, -0.1, 9], [0, -9, 9]])) == pytest.approx([0, -0.2, -0.4])


def test_a_field_is_bilinear_and_ends_at_its_edge() -> None:
    heights, spacing = _grid()
    field = Terrain.field(heights, spacing)
    points = _points()
    wave = 0.3 * np.sin(points[:, 0]) + 0.2 * np.cos(2 * points[:, 2])
    assert field.height(points) == pytest.approx(wave, abs=0.5 * spacing**2)
    corner = np.array([-3 + 5 * spacing, 0, -3 + 9 * spacing])
    assert field.height(corner) == pytest.approx(heights[9, 5])
    slopes = np.stack([-0.3 * np.cos(points[:, 0]), np.ones(200), 0.4 * np.sin(2 * points[:, 2])], axis=1)
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
    assert field.normal(points) == pytest.approx(slopes, abs=1.5 * spacing)
    assert np.isnan(field.height([3.01, 0, 0]))
    assert np.isfinite(field.height([3.0, 0, -3.0]))
    holed = heights.copy()
    holed[10, 10] = np.nan
    assert np.isnan(Terrain.field(holed, spacing).height([-3 + 10.5 * spacing, 0, -3 + 9.5 * spacing]))
    moved = Terrain.field(heights, spacing, origin=(10, 1, 20))
    assert moved.height([10 + 5 * spacing, 0, 20 + 9 * spacing]) == pytest.approx(heights[9, 5] + 1)


def test_what_is_masked_is_a_hole() -> None:
    heights = np.ma.masked_array(np.zeros((3, 3), int), mask=np.eye(3) == 1)
    assert np.isnan(Terrain.field(heights, 1.0).height([-0.5, 0, -0.5]))
    assert Terrain.field(np.zeros((3, 3), int), 1.0).height([-0.5, 0, -0.5]) == 0


def test_a_field_with_z_up_has_columns_along_x_and_rows_along_y() -> None:
    heights = np.array([[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]])
    field = Terrain.field(heights, 1.0, origin=(0, 0, 0), up="z")
    assert field.height([1.5, 0.5, 99]) == pytest.approx(6.5)
    assert Terrain.field(heights, 1.0, origin=(0, 0, 0)).height([1.5, 99, 0.5]) == pytest.approx(6.5)


@pytest.mark.parametrize("up", ["y", "z"])
def test_a_function_is_asked_along_the_ground(up: Any) -> None:
    rng, other = np.random.default_rng(1), 2 if up == "y" else 1
    points, k = rng.uniform(-3, 3, (50, 3)), "xyz".index(up)
    ground = Terrain.function(lambda x, s: 0.3 * np.sin(x) + 0.2 * s, up=up)
    assert ground.height(points) == pytest.approx(0.3 * np.sin(points[:, 0]) + 0.2 * points[:, other])
    slopes = np.eye(3)[k] - 0.3 * np.cos(points[:, :1]) * np.eye(3)[0] - 0.2 * np.eye(3)[other]
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
    assert ground.normal(points) == pytest.approx(slopes, abs=1e-4)
    corners, _ = ground.patch(points, 0.5, 0.5)
    assert np.concatenate(corners)[:, k] == pytest.approx(ground.height(np.concatenate(corners)))
    level = Terrain.function(lambda x, s: 0.5, up=up)  # noqa: ARG005
    assert level.height(points) == pytest.approx(np.full(50, 0.5))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x: x, r"height\(x, z\) of a terrain takes two arrays and returns one of their shape: .*positional"),
        (lambda x, z: np.zeros(7), "returns one of their shape: .*broadcast"),  # noqa: ARG005
        (lambda x, z: "high", "could not convert"),  # noqa: ARG005
    ],
)
def test_a_function_that_is_none_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(TerrainError, match=message):
        Terrain.function(wrong)
    with pytest.raises(TerrainError, match="above 0"):
        Terrain.function(lambda x, z: x + z, step=0)


def test_a_mesh_is_as_its_triangles_are() -> None:
    heights, spacing = _grid()
    vertices, faces = _mesh_of(heights, spacing)
    mesh, field = Terrain.mesh(vertices, faces), Terrain.field(heights, spacing)
    points = _points(2000)
    assert mesh.height(points) == pytest.approx(field.height(points), abs=0.3 * spacing**2)
    assert mesh.normal(points) == pytest.approx(field.normal(points), abs=0.7 * spacing)
    assert (mesh.normal(points)[:, 1] > 0).all()
    assert mesh.height(vertices) == pytest.approx(heights.ravel(), abs=1e-9)
    assert np.isnan(mesh.height([9.0, 0, 0]))
    flipped = Terrain.mesh(vertices, faces[:, ::-1])  # either winding
    assert flipped.normal(points) == pytest.approx(mesh.normal(points))
    turned = Terrain.mesh(vertices[:, [2, 0, 1]], faces, up="z")
    assert turned.height(points[:, [2, 0, 1]]) == pytest.approx(mesh.height(points))


def test_the_topmost_of_a_mesh_carries_and_walls_do_not() -> None:
    square = np.array([[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]], float)
    box = np.concatenate([square, square * [0.5, 1, 0.5] + [0, 0.25, 0]])
    wall = [[4, 5, 1], [4, 1, 0]]
    mesh = Terrain.mesh(box, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], *wall[:1], [4, 4, 5]])
    assert mesh.height([[0.2, 9, 0.2], [0.9, 9, 0.9], [1.1, 9, 0]]) == pytest.approx([0.25, 0, np.nan], nan_ok=True)
    upright = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    with pytest.raises(TerrainError, match="all triangles of the mesh are vertical if y is up, so it cannot"):
        Terrain.mesh(upright, [[0, 1, 2]])


def test_large_and_small_triangles_together() -> None:
    heights, spacing = _grid(60)
    vertices, faces = _mesh_of(heights, spacing)
    plain = np.array([[-500, -5, -500], [500, -5, -500], [0, -5, 800]], float)
    mesh = Terrain.mesh(np.concatenate([vertices, plain]), np.concatenate([faces, [[3600, 3601, 3602]]]))
    points = _points()
    assert mesh.height(points) == pytest.approx(Terrain.mesh(vertices, faces).height(points))
    assert mesh.height(points + np.array([100, 0, 0])) == pytest.approx(np.full(200, -5.0))


def _patched() -> dict[str, Terrain]:
    heights, spacing = _grid()
    return {
        "plane": Terrain.slope(20, (1, 0, 3)),
        "stairs": Terrain.stairs(0.2, 0.3, 3, (0.5, 0, 1.0), start=(0.1, 0.4, -0.2)),
        "long stairs": Terrain.stairs(-0.1, 0.21, 50, (0, 0, -1)),
        "stairs ahead": Terrain.stairs(0.2, 0.3, 3, start=(0, 0, 9.0)),
        "stairs behind": Terrain.stairs(0.2, 0.3, 3, start=(0, 0, -9.0)),
        "field": Terrain.field(heights, spacing),
        "mesh": Terrain.mesh(*_mesh_of(heights, spacing)),
        "few triangles": Terrain.mesh([[-9, 0, -9], [9, 1, -9], [0, 2, 9]], [[0, 1, 2]]),
        "z up": Terrain.slope(20, (1, 1, 0), up="z"),
    }


@pytest.mark.parametrize("name", list(_patched()))
def test_a_patch_is_the_ground_about_the_points_and_nothing_twice(name: str) -> None:
    terrain, points = _patched()[name], _points(4) / 3
    up = "xyz".index(terrain.up)
    corners, odd = terrain.patch(points, 0.4, 0.2)
    assert odd.shape == (len(corners),)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    lies = normals[:, up] > 1e-9 * np.linalg.norm(normals, axis=1)  # the others are risers
    assert (normals[:, up] >= -1e-12).all()
    again = Terrain.mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), up=terrain.up)
    away = RNG.normal(size=(500, 3))
    away *= 0.39 * RNG.random((500, 1)) / np.linalg.norm(away, axis=1, keepdims=True)
    places = RNG.dirichlet(np.ones(4), 500) @ points + away
    off = 0.3 * 0.16**2 if name == "field" else 1e-6  # a cell of a field is drawn as two triangles
    assert again.height(places) == pytest.approx(terrain.height(places), abs=off)
    level, spots = np.delete(corners[lies], up, axis=2), np.delete(places, up, axis=1)
    to = level[None] - spots[:, None, None]  # [place, face, corner, 2]
    after = np.roll(to, -1, axis=2)
    sides = to[..., 0] * after[..., 1] - to[..., 1] * after[..., 0]
    inside = (sides > 0).all(axis=2) | (sides < 0).all(axis=2)
    assert (inside.sum(axis=1) == 1).all()


def test_a_patch_of_stairs_has_upright_risers_and_sharp_edges() -> None:
    corners, _ = Terrain.stairs(0.2, 0.3, 3, start=(0, 0, 0.1)).patch([(0.0, 0.0, 0.0), (0.0, 0.0, 1.0)], 0.2, 0.1)
    steps = np.unique(np.round(corners[..., 1], 9))
    assert steps == pytest.approx([0.0, 0.2, 0.4, 0.6])
    rises = np.ptp(corners[..., 1], axis=1) > 0.1
    assert np.ptp(corners[rises][..., 2], axis=1) == pytest.approx(np.zeros(rises.sum()), abs=1e-12)
    assert np.unique(np.round(corners[rises][..., 2], 9)) == pytest.approx([0.1, 0.4, 0.7])


def test_a_patch_leaves_holes_out_and_stays_small() -> None:
    heights = np.zeros((11, 11))
    heights[5, 5] = np.nan
    field = Terrain.field(heights, 1.0)
    corners, _ = field.patch(np.zeros((1, 3)), 3.0, 0.5)
    assert np.isfinite(corners).all()
    assert len(corners) == 2 * (36 - 4)
    assert len(field.patch(np.full((1, 3), 99.0), 3.0, 0.5)[0]) == 0
    wide = [(-1e4, 0.0, -1e4), (1e4, 0.0, 1e4)]
    for terrain in (Terrain.plane(), Terrain.stairs(1e-3, 1e-3, 10**9), Terrain.field(np.zeros((3000, 3)), 1.0)):
        assert len(terrain.patch(wide, 1.0, 0.1)[0]) < 1_000_000


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_units_do_not_matter(scale: float) -> None:
    heights, spacing = _grid()
    vertices, faces = _mesh_of(heights, spacing)
    points = _points()
    for small, large in (
        (Terrain.field(heights, spacing), Terrain.field(heights * scale, spacing * scale)),
        (Terrain.mesh(vertices, faces), Terrain.mesh(vertices * scale, faces)),
        (Terrain.stairs(0.2, 0.3, 3), Terrain.stairs(0.2 * scale, 0.3 * scale, 3)),
    ):
        assert large.height(points * scale) == pytest.approx(scale * small.height(points))
        assert large.normal(points * scale) == pytest.approx(small.normal(points))


def test_any_leading_axes() -> None:
    terrain = Terrain.slope(10)
    points = _points(24).reshape(2, 3, 4, 3)
    assert terrain.height(points).shape == (2, 3, 4)
    assert terrain.normal(points).shape == (2, 3, 4, 3)
    assert terrain.height(np.zeros((0, 3))).shape == (0,)
    assert Terrain.field(np.zeros((3, 3)), 1.0).height(np.zeros((0, 3))).shape == (0,)
    assert Terrain.mesh(np.eye(3), [[0, 1, 2]]).height(np.zeros((0, 3))).shape == (0,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Terrain.plane(np.nan), "the height of a terrain must be a finite number, not nan"),
        (lambda: Terrain.plane("a"), "the height of a terrain must be a finite number, not 'a'"),  # type: ignore[arg-type]
        (lambda: Terrain.plane(0, (0, -1, 0)), r"a plane's normal points up, not along \[0, -1, 0\]"),
        (lambda: Terrain.plane(0, (0, 1)), r"the normal of a terrain is three finite numbers, not \(0, 1\)"),
        (lambda: Terrain.plane(0, "up"), "the normal of a terrain is three finite numbers, not 'up'"),
        (lambda: Terrain.slope(90), "a slope is of less than 90 degrees, not 90"),
        (lambda: Terrain.slope(5, (0, 1, 0)), r"a direction along the ground is not straight up: \[0, 1, 0\]"),
        (lambda: Terrain.slope(5, up="x"), "the up axis of a terrain is 'y' or 'z', not 'x'"),  # type: ignore[arg-type]
        (lambda: Terrain.stairs(0.2, 0, 3), "stairs have a run above 0 and at least one step, not 0 and 3"),
        (lambda: Terrain.stairs(0.2, 0.3, 0), "stairs have a run above 0 and at least one step, not 0.3 and 0"),
        (lambda: Terrain.field([[1, 2]], 1), r"a field has at least 2 × 2 finite heights .* not shape \(1, 2\)"),
        (lambda: Terrain.field(np.zeros((2, 2)), 0), "a field's spacing is above 0, not 0"),
        (lambda: Terrain.mesh([[0, np.inf, 0]], [[0, 0, 0]]), "a mesh's vertices are finite numbers"),
        (lambda: Terrain.mesh(np.eye(3), []), r"a mesh has 1 to 4,000,000 faces \[face, 3\], not of shape \(0,\)"),
        (lambda: Terrain.mesh(np.eye(3), [[0, 1, 3]]), "a face of the mesh names a vertex outside 0 … 2"),
    ],
)
def test_each_refusal_says_what_is_wrong(make: Callable[[], Terrain], message: str) -> None:
    with pytest.raises(TerrainError, match=message):
        make()
