"""The camera: where one looks from, and how to stand so that everything is in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError
from posable.spatial import Array, normalized

View = Literal["three_quarter", "front", "side"]
UP = {"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
# How far the camera walks round the figure from its front, and how far it rises, in degrees.
_STANDS = {"three_quarter": (32.0, 13.0), "front": (0.0, 6.0), "side": (90.0, 6.0)}
_FLAT = (0.0, 17.0)  # so much more in three-quarter view for what is flat, and
_LONG = (26.0, 0.0)  # for what is long from front to back
_FILLED = 0.8  # the part of the picture's width and height that framed points may take
_CLOSEST = 0.05  # between camera and nearest point at least, in sizes of what is framed
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera in the world.

    Args:
        position: Position of the camera.
        target: The point at the centre of the picture.
        up: The up direction of the picture.
        field_of_view: Vertical field of view in degrees, 1 … 150.

    Raises:
        PosableError: For numbers that are not finite, a target at the position, or an up direction along the view.
    """

    position: Point
    target: Point
    up: Point = (0.0, 1.0, 0.0)
    field_of_view: float = 28.0

    def __post_init__(self) -> None:
        given = (self.position, self.target, self.up)
        if any(np.shape(v) != (3,) for v in given) or not np.isfinite(given).all():
            raise PosableError("a camera's position, target and up are three finite numbers each")
        numbers = np.array(given, float)
        if not 1 <= self.field_of_view <= 150:
            raise PosableError(f"a camera's field of view lies between 1 and 150 degrees, not {self.field_of_view}")
        view = normalized(numbers[1] - numbers[0])
        if not view.any():
            raise PosableError("a camera cannot stand at its own target; move one of them")
        if np.linalg.norm(np.cross(view, normalized(numbers[2]))) < 1e-6:
            raise PosableError("a camera's up must not lie along its view; choose another up")

    @classmethod
    def framing(
        cls,
        points: ArrayLike,
        up: str = "y",
        view: View = "three_quarter",
        aspect: float = 4 / 3,
        *,
        front: ArrayLike | None = None,
        around: float = 0.0,
        above: float = 0.0,
    ) -> Camera:
        """The nearest camera with all `points [point, 3]` in a picture of that `aspect` (width / height), and a margin.

        up: the world's up axis, "y" or "z".
        front: `[3]`, the direction in which the figure faces; None is +z, and +x where z is up.
        around, above: degrees that it goes further round (towards the figure's left) and up than the view says.
        Raises PosableError for another view or axis, or no points.
        """
        points = np.asarray(points, float).reshape(-1, 3)
        if up not in UP:
            raise PosableError(f"the up axis is 'y' or 'z', not {up!r}")
        if view not in _STANDS:
            raise PosableError(f"{view!r} is not a view; choose from {', '.join(_STANDS)}")
        if not len(points) or not np.isfinite(points).all():
            raise PosableError("a camera needs at least one finite point to be framed on")
        facing = 0.0 if front is None else _angle(up, np.asarray(front, float))
        stands = _three_quarter(points, up, facing) if view == "three_quarter" else _STANDS[view]
        backward = _direction(up, facing + stands[0] + around, min(stands[1] + above, 85.0))
        right = normalized(np.cross(UP[up], backward))
        axes = np.stack([right, np.cross(backward, right), backward])
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        local = (points - middle) @ axes.T
        size = float(np.abs(local).max()) or 1.0
        place = _nearest_place(local / size, aspect, math.tan(math.radians(cls.field_of_view / 2))) * size
        position = middle + place @ axes
        target = position - backward * place[2]
        return cls(tuple(position.tolist()), tuple(target.tolist()), UP[up])

    @property
    def axes(self) -> Array:
        """`[3, 3]`: rows right, up, backward: camera_from_world without the shift."""
        backward = normalized(np.subtract(self.position, self.target))
        right = normalized(np.cross(self.up, backward))
        return np.stack([right, np.cross(backward, right), backward])

    def pixels_per_slope(self, height: int) -> float:
        """How many pixels of a picture `height` pixels high a point moves per unit of (sideways / depth)."""
        return height / 2 / math.tan(math.radians(self.field_of_view / 2))

    def project(self, points: ArrayLike, size: tuple[int, int]) -> Array:
        """World points `[..., 3]` to pixel x (right) and y (down) from the upper left corner, and depth (> 0 ahead)."""
        local = (np.asarray(points, float) - self.position) @ self.axes.T
        depth = -local[..., 2]
        safe = np.where(np.abs(depth) > 1e-12, depth, 1e-12)
        scale = self.pixels_per_slope(size[1]) / safe
        return np.stack([size[0] / 2 + local[..., 0] * scale, size[1] / 2 - local[..., 1] * scale, depth], axis=-1)


def _three_quarter(points: Array, up: str, facing: float) -> tuple[float, float]:
    """Where the camera stands in three-quarter view, for the shape of what it sees."""
    axes = np.stack([_direction(up, facing, 0.0), _direction(up, facing + 90.0, 0.0), UP[up]])
    front, across, height = np.ptp(points @ axes.T, axis=0)
    wide = max(front, across)
    if wide <= height:
        return _STANDS["three_quarter"]
    flat, long = 1 - height / wide, max(1 - across / front, 0.0) if front > 0 else 0.0
    around, above = (s + flat * f + long * n for s, f, n in zip(_STANDS["three_quarter"], _FLAT, _LONG, strict=True))
    return around, above


def _angle(up: str, front: Array) -> float:
    """How many degrees the horizontal part of `front [3]` lies to the left of +z, or of +x where z is up."""
    across, along = (front[0], front[2]) if up == "y" else (front[1], front[0])
    return math.degrees(math.atan2(across, along))


def _direction(up: str, around: float, above: float) -> Array:
    """A unit vector `around` degrees to the left of +z, or of +x where z is up, `above` degrees over the horizon."""
    a, h = math.radians(around), math.radians(above)
    front, left, rise = math.cos(a) * math.cos(h), math.sin(a) * math.cos(h), math.sin(h)
    return np.array([left, rise, front] if up == "y" else [front, left, rise])


def _nearest_place(local: Array, aspect: float, slope: float) -> Array:
    """The camera's position in its own axes. Each edge of the picture is a plane: x ≤ cx + s (cz − z), and so on."""
    place = np.zeros(3)
    for axis, tangent in ((0, slope * aspect * _FILLED), (1, slope * _FILLED)):
        high = (local[:, axis] + tangent * local[:, 2]).max()
        low = (-local[:, axis] + tangent * local[:, 2]).max()
        place[axis] = (high - low) / 2
        place[2] = max(place[2], (high + low) / (2 * tangent))
    place[2] = max(place[2], local[:, 2].max() + _CLOSEST)
    return place
