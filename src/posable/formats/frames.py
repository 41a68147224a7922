"""Frames of single XML elements in plain Python: for one frame at a time NumPy is twenty times slower."""

from __future__ import annotations

import math
from collections.abc import Sequence

from posable.skeleton.joint import Point

Wxyz = tuple[float, float, float, float]
Frame = tuple[Point, Wxyz]
UPRIGHT: Wxyz = (1.0, 0.0, 0.0, 0.0)
HERE: Frame = ((0.0, 0.0, 0.0), UPRIGHT)


def product(left: Wxyz, right: Wxyz) -> Wxyz:
    """The Hamilton product: first `right`, then `left`."""
    a, b, c, d = left
    w, x, y, z = right
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def about(axis: Sequence[float], angle: float) -> Wxyz:
    """The turn by `angle` (radians) about an axis of length 1."""
    sine = math.sin(angle / 2)
    return math.cos(angle / 2), sine * axis[0], sine * axis[1], sine * axis[2]


def turned(wxyz: Wxyz, point: Point) -> Point:
    """A vector turned by a unit quaternion."""
    w, x, y, z = wxyz
    _, a, b, c = product(product(wxyz, (0.0, *point)), (w, -x, -y, -z))
    return a, b, c


def moved(frame: Frame, point: Point) -> Point:
    """A point stated in `frame`, in what `frame` is stated in."""
    (px, py, pz), wxyz = frame
    x, y, z = turned(wxyz, point)
    return px + x, py + y, pz + z


def compose(outer: Frame, inner: Frame) -> Frame:
    """The frame `inner`, stated in `outer`, in what `outer` is stated in."""
    return inner if outer == HERE else (moved(outer, inner[0]), product(outer[1], inner[1]))


def euler(order: str, angles: Sequence[float]) -> Wxyz:
    """Turns (radians) in a row: about the moving axes for small letters, about the fixed ones for capitals."""
    total = UPRIGHT
    for letter, angle in zip(order, angles, strict=True):
        turn = about([float(letter.lower() == one) for one in "xyz"], angle)
        total = product(total, turn) if letter.islower() else product(turn, total)
    return total
