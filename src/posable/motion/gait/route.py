"""The line a walk follows on the ground: straight, or a smooth curve through points, by arc length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PosableError
from posable.spatial import Array

_SAMPLES = 48  # per piece between two points
_MOST_POINTS = 10_000
_FARTHEST = 1e15


@dataclass(frozen=True, eq=False)
class Track:
    """places: `[sample, 2]`, to the left and forward; headings: `[sample]`, radians towards the left of forward.

    along: `[sample]`, arc length. Beyond its ends it goes straight on. spot: it keeps its place, only its heading goes,
    with a length of its own.
    """

    along: Array
    places: Array
    headings: Array
    spot: bool = False

    @property
    def length(self) -> float:
        return float(self.along[-1])

    def at(self, along: Array) -> tuple[Array, Array]:
        """Place `[..., 2]` and heading `[...]` after the way `along [...]`."""
        if self.spot:
            heading = np.interp(along, self.along, self.headings)
            return np.broadcast_to(self.places[0], (*heading.shape, 2)), heading
        inside = np.clip(along, 0.0, self.length)
        if len(self.along) == 2:
            place, heading = np.zeros((*inside.shape, 2)), np.full(inside.shape, self.headings[0])
            place += self.places[0] + _ahead(heading) * inside[..., None]
        else:
            place, heading = self._curved(inside)
        return place + (along - inside)[..., None] * _ahead(heading), heading

    def _curved(self, inside: Array) -> tuple[Array, Array]:
        """Between samples as cubics that keep both place and direction."""
        low = np.clip(np.searchsorted(self.along, inside, side="right") - 1, 0, len(self.along) - 2)
        size = (self.along[1:] - self.along[:-1])[low]
        x = (inside - self.along[low]) / size
        ahead = _ahead(self.headings)
        a, b = (x * x * (3 - 2 * x))[..., None], (x * (1 - x) ** 2)[..., None]
        c = (x * x * (x - 1))[..., None]
        place = self.places[low] * (1 - a) + self.places[low + 1] * a
        place += size[..., None] * (b * ahead[low] + c * ahead[low + 1])
        return place, self.headings[low] * (1 - x) + self.headings[low + 1] * x


def straight(place: ArrayLike = (0.0, 0.0), heading: float = 0.0) -> Track:
    """A straight line that has no end."""
    places = np.stack([np.asarray(place, float), np.asarray(place, float) + _ahead(np.asarray(heading))])
    return Track(np.array([0.0, 1.0]), places, np.full(2, heading))


def turning(angle: float, begun: float, done: float) -> Track:
    """A turn by `angle` radians to the left where it stands, while a way would go from `begun` to `done`."""
    return Track(np.array([begun, done]), np.zeros((2, 2)), np.array([0.0, angle]), spot=True)


def through(points: ArrayLike) -> Track:
    """The smooth curve through `points [point, 2]`, to the left and forward. Raises PosableError."""
    from scipy.interpolate import CubicSpline

    points = checked_points(points)
    chord = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    if len(points) == 2:
        ahead = points[1] - points[0]
        track = straight(points[0], float(np.arctan2(ahead[0], ahead[1])))
        return Track(np.array([0.0, chord[1]]), points, track.headings)
    closed = len(points) > 3 and np.linalg.norm(points[0] - points[-1]) < 1e-9 * chord[-1]
    if closed:
        points = np.concatenate([points[:-1], points[:1]])
    curve = CubicSpline(chord, points, bc_type="periodic" if closed else "natural")
    at = np.interp(np.arange((len(points) - 1) * _SAMPLES + 1) / _SAMPLES, np.arange(len(points)), chord)
    velocity = curve(at, 1)
    speed = np.linalg.norm(velocity, axis=1)
    along = np.concatenate([[0.0], np.cumsum(_simpson(curve, at, speed))])
    return Track(along, curve(at), np.unwrap(np.arctan2(velocity[:, 0], velocity[:, 1])))


def checked_points(points: ArrayLike) -> Array:
    """Check the points of a path.

    Args:
        points: `[point, 2]`.

    Returns:
        The points as an array.

    Raises:
        PosableError: For fewer than two points, values that are not finite, or equal consecutive points.
    """
    try:
        if any(isinstance(one, bool | np.bool_) for one in np.asarray(points, object).flat):
            raise TypeError("true and false are not numbers")
        points = np.asarray(points, float)
    except (TypeError, ValueError) as problem:
        raise PosableError(f"a path must be a list of [x, z] points, not {str(points)[:60]}") from problem
    if points.ndim != 2 or points.shape[1] != 2 or not 2 <= len(points) <= _MOST_POINTS:
        raise PosableError(f"a path is 2 to {_MOST_POINTS:,} points of two numbers each, not of shape {points.shape}")
    if not (np.abs(points) < _FARTHEST).all():
        raise PosableError(f"a point of the path is not two finite numbers below {_FARTHEST:g}")
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if gaps.min() <= 1e-9 * gaps.max():
        raise PosableError(f"points {int(np.argmin(gaps))} and {int(np.argmin(gaps)) + 1} of the path are the same")
    return points


def _simpson(curve: object, at: Array, speed: Array) -> Array:
    middle = np.linalg.norm(curve((at[1:] + at[:-1]) / 2, 1), axis=1)  # type: ignore[operator]
    return np.diff(at) * (speed[1:] + 4 * middle + speed[:-1]) / 6


def _ahead(heading: Array) -> Array:
    return np.stack([np.sin(heading), np.cos(heading)], axis=-1)
