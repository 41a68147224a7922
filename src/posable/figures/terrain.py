"""The ground that feet stand on: a plane, a slope, stairs, a field of heights or a mesh."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import TerrainError, is_number
from posable.figures.surfaces import Flat, Formula, Grid, Stairs, Surface, Triangles, standing
from posable.spatial import Array, normalized

Up = Literal["y", "z"]
_GROUND_AXES: dict[str, list[int]] = {"y": [2, 0, 1], "z": [0, 1, 2]}  # two along the ground, then up
_LARGEST_MESH = 4_000_000


@dataclass(frozen=True, eq=False)
class Terrain:
    """The ground, in the world of a figure with the same up axis, in that figure's length unit.

    Made by `Terrain.plane`, `slope`, `stairs`, `field`, `function` or `mesh`. Directions along the ground are world
    vectors, whose vertical part is ignored; the default is z if y is up, and x if z is up.

    Args:
        surface: The shape of the ground.
        up: The up axis, "y" or "z".
        shown: Points in the world, and how far around them pictures and films draw the ground; None draws it around the
            figure.

    Example:
        >>> hills = posable.Terrain.function(lambda x, z: 0.1 * np.sin(x))
        >>> float(hills.height((0.0, 0.0, 0.0)))
        0.0
    """

    surface: Surface
    up: Up = "y"
    shown: tuple[Sequence[Sequence[float]], float] | None = None

    @classmethod
    def plane(cls, height: float = 0.0, normal: ArrayLike | None = None, *, up: Up = "y") -> Terrain:
        """A plane at `height` over the world's origin, level unless it has a `normal [3]` (of any length, not upright).

        Raises TerrainError for a normal that does not point up.
        """
        if normal is None:
            return cls(Flat(_number("height", height), np.zeros(2)), up)
        across = _point("normal", normal, up)
        if across[2] <= 1e-6 * np.linalg.norm(across):
            raise TerrainError(f"a plane's normal points up, not along {np.asarray(normal).tolist()}")
        return cls(Flat(_number("height", height), -across[:2] / across[2]), up)

    @classmethod
    def slope(cls, degrees: float, uphill: ArrayLike | None = None, *, height: float = 0.0, up: Up = "y") -> Terrain:
        """A plane that rises by `degrees` (negative: falls) towards `uphill [3]`, at `height` over the origin.

        Raises TerrainError for 90° and more.
        """
        if not abs(_number("degrees", degrees)) < 89.9:
            raise TerrainError(f"a slope is of less than 90 degrees, not {degrees}")
        rise = math.tan(math.radians(degrees)) * _direction(uphill, up)
        return cls(Flat(_number("height", height), rise), up)

    @classmethod
    def stairs(
        cls,
        rise: float,
        run: float,
        count: int,
        direction: ArrayLike | None = None,
        *,
        start: ArrayLike = (0.0, 0.0, 0.0),
        up: Up = "y",
    ) -> Terrain:
        """`count` steps of height `rise` (negative: down) and depth `run`, level before and after, of any width.

        direction: where the stairs lead, `[3]`. start: a point `[3]` at the foot of the first step.
        Raises TerrainError for a run or count that is not above 0.
        """
        if not (_number("run", run) > 0 and _number("count", count) >= 1 and count == int(count)):
            raise TerrainError(f"stairs have a run above 0 and at least one step, not {run} and {count}")
        way = _direction(direction, up)
        return cls(Stairs(_number("rise", rise), float(run), int(count), way, _point("start", start, up)), up)

    @classmethod
    def field(cls, heights: ArrayLike, spacing: float, origin: ArrayLike | None = None, *, up: Up = "y") -> Terrain:
        """A grid of `heights [row, column]`, smooth between; NaN (or masked) is a hole, and so is all beyond.

        Columns go along x, rows along z where y is up and along y where z is up, `spacing` apart. origin: the world
        point `[3]` of row 0, column 0, from which heights count too; unless given, the grid lies about the world's
        origin. Raises TerrainError for fewer than 2 × 2 heights, or a spacing that is not above 0.
        """
        try:
            grid = np.array(np.ma.filled(np.ma.asarray(heights, float), np.nan))
        except (TypeError, ValueError) as problem:
            raise TerrainError("a field's heights are rows of numbers, all of one length") from problem
        if grid.ndim != 2 or min(grid.shape) < 2 or np.isinf(grid).any():
            along = f"rows along {'z' if up == 'y' else 'y'}, columns along x"
            raise TerrainError(
                f"a field has at least 2 × 2 finite heights (NaN for a hole), {along}, not shape {grid.shape}"
            )
        if not _number("spacing", spacing) > 0:
            raise TerrainError(f"a field's spacing is above 0, not {spacing}")
        grid = grid if up == "y" else grid.T
        corner = np.append(-0.5 * spacing * (np.array(grid.shape) - 1), 0.0)
        if origin is not None:
            corner = _point("origin", origin, up)
        return cls(Grid(grid + corner[2], float(spacing), corner[:2]), up)

    @classmethod
    def function(cls, height: Callable[[Array, Array], ArrayLike], *, step: float = 0.01, up: Up = "y") -> Terrain:
        """The ground at `height(x, z)` where y is up, at `height(x, y)` where z is up; NaN is a hole.

        height: takes two arrays of world coordinates, of one shape, and returns the heights in an array of that shape:
        `lambda x, z: 0.1 * np.sin(x)`. step: how far to both sides slopes are taken, in the figure's length unit.
        Raises TerrainError if `height` cannot be called so, or a step that is not above 0.
        """
        if not _number("step", step) > 0:
            raise TerrainError(f"the step of a terrain is above 0, not {step}")
        first, second = (1, 0) if _checked_up(up) == "y" else (0, 1)  # of two along the ground
        call = "height(x, z)" if up == "y" else "height(x, y)"
        asked = f"{call} of a terrain takes two arrays and returns one of their shape"

        def heights(points: Array) -> Array:
            try:
                found = np.asarray(height(points[:, first], points[:, second]), float)
                return np.array(np.broadcast_to(found, len(points)))
            except (TypeError, ValueError) as problem:
                raise TerrainError(f"{asked}: {problem}") from problem

        heights(np.zeros((3, 2)))
        return cls(Formula(heights, float(step)), up)

    @classmethod
    def mesh(cls, vertices: ArrayLike, faces: ArrayLike, *, up: Up = "y") -> Terrain:
        """Triangles `faces [face, 3]` over `vertices [vertex, 3]` in the world; the topmost carries the foot.

        Raises TerrainError if the arrays are not a mesh, or if all triangles are walls.
        """
        points, index = np.asarray(vertices, float), np.asarray(faces)
        if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
            raise TerrainError(f"a mesh's vertices are finite numbers [vertex, 3], not of shape {points.shape}")
        if index.ndim != 2 or index.shape[1] != 3 or not len(index) or len(index) > _LARGEST_MESH:
            raise TerrainError(f"a mesh has 1 to {_LARGEST_MESH:,} faces [face, 3], not of shape {index.shape}")
        if index.min() < 0 or index.max() >= len(points):
            raise TerrainError(f"a face of the mesh names a vertex outside 0 … {len(points) - 1}")
        corners = points[index.astype(np.int64)][..., _GROUND_AXES[_checked_up(up)]]
        corners = corners[standing(corners)]
        if not len(corners):
            raise TerrainError(f"all triangles of the mesh are vertical if {up} is up, so it cannot be walked on")
        return cls(Triangles(corners), up)

    def height(self, points: ArrayLike) -> Array:
        """`[...]` the ground's height along the up axis under or over `points [..., 3]`; NaN over a hole."""
        points = np.asarray(points, float)
        return self._surface_at(points)[0].reshape(points.shape[:-1])

    def normal(self, points: ArrayLike) -> Array:
        """`[..., 3]` the ground's unit normal under or over `points [..., 3]`, in the world; NaN over a hole."""
        return self.ground(points)[1]

    def ground(self, points: ArrayLike) -> tuple[Array, Array]:
        """(`height`, `normal`) at `points [..., 3]`, looked up once."""
        points = np.asarray(points, float)
        height, normal = self._surface_at(points)
        world = np.empty((len(height), 3))
        world[:, _GROUND_AXES[self.up]] = normal
        return height.reshape(points.shape[:-1]), world.reshape(points.shape)

    def _surface_at(self, points: Array) -> tuple[Array, Array]:
        """Heights and normals in ground coordinates, of all points in one row."""
        return self.surface.heights(points.reshape(-1, 3)[:, _GROUND_AXES[_checked_up(self.up)][:2]])

    def gap(self, points: ArrayLike) -> Array:
        """`[...]` perpendicular distance of `points [..., 3]` from the ground; negative inside, NaN over a hole."""
        points = np.asarray(points, float)
        height, normal = self.ground(points)
        k = "xyz".index(self.up)
        return (points[..., k] - height) * normal[..., k]

    def check_up(self, up: str) -> None:
        """Raise TerrainError if a figure with that up axis does not agree with the ground's up axis."""
        if self.up != up:
            raise TerrainError(f"the terrain has {self.up} up and the figure {up}; make the terrain with up={up!r}")

    def patch(self, points: ArrayLike, room: float, tile: float) -> tuple[Array, NDArray[np.bool_]]:
        """The ground under all `points [point, 3]` and `room` about them, to be drawn: (triangles `[face, 3, 3]` in the
        world, counter-clockwise seen from above; `[face]` whether each is part of a dark tile of a chess board).

        Edges of steps are exact; tiles are `tile` wide, or a few times that if there would be very many. `shown` takes
        precedence.
        """
        points, room = (points, room) if self.shown is None else self.shown
        level = np.asarray(points, float).reshape(-1, 3)[:, _GROUND_AXES[_checked_up(self.up)][:2]]
        corners, odd = self.surface.patch(level, room, tile)
        world = np.empty_like(corners)
        world[..., _GROUND_AXES[self.up]] = corners
        return world, odd

    def dropped(self, points: ArrayLike) -> Array:
        """`points [..., 3]` moved straight down, or up, onto the ground."""
        points = np.array(points, float)
        points[..., "xyz".index(self.up)] = self.height(points)
        return points


def _checked_up(up: str) -> str:
    if up not in _GROUND_AXES:
        raise TerrainError(f"the up axis of a terrain is 'y' or 'z', not {up!r}")
    return up


def _number(name: str, value: object) -> float:
    if not (is_number(value) and math.isfinite(value)):
        raise TerrainError(f"the {name} of a terrain must be a finite number, not {value!r}")
    return float(value)


def _point(name: str, value: ArrayLike, up: str) -> Array:
    """Three numbers of the world, in ground coordinates."""
    try:
        point = np.array(value, float)
    except (TypeError, ValueError):
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise TerrainError(f"the {name} of a terrain is three finite numbers, not {value!r}")
    return point[_GROUND_AXES[_checked_up(up)]]


def _direction(value: ArrayLike | Sequence[float] | None, up: str) -> Array:
    """A unit direction `[2]` along the ground."""
    if value is None:
        _checked_up(up)
        return np.array([1.0, 0.0])
    along = _point("direction", value, up)[:2]
    if not np.linalg.norm(along) > 0:
        raise TerrainError(f"a direction along the ground is not straight up: {np.asarray(value).tolist()}")
    return normalized(along)
