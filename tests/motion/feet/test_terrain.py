"""Ground: heights and normals of every kind, in both up axes, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

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


def test_a_field_with_z_up_has_columns_along_x_and_rows_along_y() -> None:
    heights = np.array([[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]])
    field = Terrain.field(heights, 1.0, origin=(0, 0, 0), up="z")
    assert field.height([1.5, 0.5, 99]) == pytest.approx(6.5)
    assert Terrain.field(heights, 1.0, origin=(0, 0, 0)).height([1.5, 99, 0.5]) == pytest.approx(6.5)


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
    with pytest.raises(TerrainError, match="all triangles of the mesh stand upright where y is up; there is nothing"):
        Terrain.mesh(upright, [[0, 1, 2]])


def test_large_and_small_triangles_together() -> None:
    heights, spacing = _grid(60)
    vertices, faces = _mesh_of(heights, spacing)
    plain = np.array([[-500, -5, -500], [500, -5, -500], [0, -5, 800]], float)
    mesh = Terrain.mesh(np.concatenate([vertices, plain]), np.concatenate([faces, [[3600, 3601, 3602]]]))
    points = _points()
    assert mesh.height(points) == pytest.approx(Terrain.mesh(vertices, faces).height(points))
    assert mesh.height(points + np.array([100, 0, 0])) == pytest.approx(np.full(200, -5.0))


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
        (lambda: Terrain.plane(np.nan), "the height of a terrain is a finite number, not nan"),
        (lambda: Terrain.plane("a"), "the height of a terrain is a finite number, not 'a'"),  # type: ignore[arg-type]
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
