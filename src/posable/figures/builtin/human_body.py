"""The mannequin's body: the solids that its surface is drawn around, in the manner of an artist's wooden figure.

Only the middle and the left side are stated; a point on the right is measured at its mirror image.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from posable.figures.builtin.human_points import FINGERS, finger_points, hand_axes, points
from posable.figures.builtin.implicit import Blob, Union
from posable.spatial import Array, normalized, matrix_from_wxyz, wxyz_about

_SEAM = 0.006  # the mirror plane is rounded over this length
_SOLE = 0.008  # so is the edge of the sole


def body_distance(places: Array) -> Array:
    """`[point]` signed distances to the body's surface, `places [point, 3]` in the world at rest."""
    folded = folded_to_left(places)
    inside, floor = body().distance(folded), -places[:, 1]
    near = np.maximum(_SOLE - np.abs(inside - floor), 0)
    return np.maximum(inside, floor) + near * near / (4 * _SOLE)


def folded_to_left(places: Array) -> Array:
    """Points with the right side turned onto the left, smoothly across the middle."""
    return np.column_stack([np.sqrt(places[:, 0] ** 2 + _SEAM**2), places[:, 1:]])


@cache
def body() -> Union:
    """The whole left half with the middle: trunk, head, arm, hand, leg and foot, each softly joined to its neighbour alone."""
    trunk = Union([Union(_trunk(), 0.06), Union(_chest(), 0.03)], 0.03)
    with_head = Union([trunk, Union([_neck(), Union(_head(), 0.025)], 0.03)], 0.035)
    arm = Union([Union([Union(_arm(), 0.025), Union(_palm(), 0.012)], 0.02), Union(_fingers(), 0.0)], 0.009)
    leg = Union([Union(_leg(), 0.03), Union(_foot(), 0.025)], 0.03)
    return Union([with_head, arm, leg], 0.045)


def _blob(owner: str, start: ArrayLike, end: ArrayLike, first: float, last: float) -> Blob:
    return Blob(owner, np.asarray(start, float), np.asarray(end, float), (first, last))


def _ellipsoid(owner: str, center: ArrayLike, radii: tuple[float, float, float], axes: Array | None = None) -> Blob:
    least = min(radii)
    stretch = (radii[0] / least, radii[1] / least, radii[2] / least)
    return Blob(owner, np.asarray(center, float), np.asarray(center, float), (least, least), stretch, axes)


def _trunk() -> list[Blob]:
    return [
        _ellipsoid("chest", (0, 1.295, -0.012), (0.142, 0.165, 0.100)),
        _ellipsoid("spine", (0, 1.110, -0.004), (0.112, 0.110, 0.080)),
        _ellipsoid("root", (0, 0.975, -0.010), (0.150, 0.095, 0.098)),
        _ellipsoid("root", (0.066, 0.925, -0.048), (0.078, 0.085, 0.074)),
    ]


def _chest() -> list[Blob]:
    return [
        _blob("chest", (0, 1.405, -0.022), (0.128, 1.408, -0.018), 0.066, 0.054),
        _ellipsoid("chest", (0.066, 1.345, 0.056), (0.072, 0.052, 0.040)),
        _blob("chest", (0.030, 1.480, -0.028), (0.150, 1.438, -0.020), 0.034, 0.030),
    ]


def _neck() -> Blob:
    return _blob("neck", (0, 1.450, -0.024), (0, 1.575, -0.004), 0.060, 0.052)


def _head() -> list[Blob]:
    back = matrix_from_wxyz(wxyz_about((1, 0, 0), 0.35))
    return [
        _ellipsoid("head", (0, 1.662, -0.006), (0.074, 0.088, 0.096)),
        _ellipsoid("head", (0, 1.592, 0.026), (0.054, 0.070, 0.064), back),
        _blob("head", (0, 1.650, 0.086), (0, 1.620, 0.103), 0.006, 0.011),
        _ellipsoid("head", (0.074, 1.632, -0.006), (0.008, 0.030, 0.017)),
    ]


def _arm() -> list[Blob]:
    p = points()
    shoulder, elbow, wrist = p["upper_arm"], p["forearm"], p["hand"]
    bone = elbow - shoulder
    belly = elbow + 0.30 * (wrist - elbow)
    return [
        _blob("upper_arm", shoulder + (-0.006, 0.000, 0), shoulder + 0.30 * bone, 0.056, 0.049),
        _blob("upper_arm", shoulder + 0.25 * bone, elbow, 0.047, 0.036),
        _ellipsoid("upper_arm", shoulder + 0.55 * bone + (0, 0, 0.008), (0.080, 0.043, 0.043), _frame(bone)),
        _blob("", elbow, elbow, 0.039, 0.039),
        _blob("forearm", elbow, belly, 0.036, 0.042),
        _blob("forearm", belly, wrist, 0.042, 0.025),
    ]


def _frame(along: ArrayLike, beside: ArrayLike = (0, 0, 1)) -> Array:
    """Rows: the unit direction `along`, the part of `beside` across it, and what is left."""
    first = normalized(along)
    second = normalized(np.asarray(beside) - (np.asarray(beside) @ first) * first)
    return np.array([first, second, np.cross(first, second)])


def _palm() -> list[Blob]:
    wrist, (along, thumb_side, palm) = points()["hand"], hand_axes()
    axes = np.array([along, thumb_side, palm])

    def place(forward: float, side: float, out: float) -> Array:
        return wrist + forward * along + side * thumb_side + out * palm

    thumb = finger_points()["thumb"]
    knuckles = [finger_points()[finger][0] for finger in FINGERS[1:]]
    roots = [place(0.018, side, 0.0) for side in (0.014, 0.005, -0.005, -0.013)]
    rays = [_blob("hand", root, knuckle, 0.0165, 0.0118) for root, knuckle in zip(roots, knuckles, strict=True)]
    return [
        Blob("hand", place(-0.004, 0, 0), place(0.022, 0, 0), (0.0200, 0.0185), (1.0, 1.25, 0.95), axes),
        Union(rays, 0.022),
        _blob("hand", place(0.020, 0.010, 0.006), thumb[0], 0.018, 0.0155),
        _blob("thumb_1", thumb[0], thumb[1], 0.0155, 0.0118),
    ]


def _fingers() -> list[Blob | Union]:
    thickness = {"thumb": (0.0122, 0.0108, 0.0092), "pinky": (0.0084, 0.0078, 0.0068)}
    found = []
    for finger in FINGERS:
        first, *rest = thickness.get(finger, (0.0097, 0.0089, 0.0076))
        radii = (first, rest[0], rest[1], rest[1] * 0.92)
        chain = finger_points()[finger]
        end = chain[3] - 0.8 * radii[3] * normalized(chain[3] - chain[2])
        chain = [*chain[:3], end]
        bones = [_blob(f"{finger}_{k + 1}", chain[k], chain[k + 1], radii[k], radii[k + 1]) for k in range(3)]
        found.append(Union(bones, 0.004))
    return found


def _leg() -> list[Blob]:
    p = points()
    hip, knee, ankle = p["thigh"], p["shin"], p["foot"]
    lower = ankle - knee
    return [
        _blob("thigh", hip + (0.000, -0.03, 0.000), knee + (0, 0.03, 0.002), 0.080, 0.050),
        _ellipsoid("thigh", hip + (0.006, -0.18, 0.022), (0.056, 0.150, 0.056)),
        _blob("", knee, knee, 0.050, 0.050),
        _blob("", knee + (0, 0.005, 0.016), knee + (0, 0.005, 0.016), 0.036, 0.036),
        _blob("shin", knee, ankle, 0.048, 0.034),
        _ellipsoid("shin", knee + 0.30 * lower + (0.002, 0, -0.024), (0.046, 0.105, 0.046)),
    ]


def _foot() -> list[Blob]:
    p = points()
    ankle, ball, tip = p["foot"], p["toe"], p["toe_tip"]
    forward = normalized((ball - ankle) * (1, 0, 1))
    axes = np.array([np.cross((0, 1, 0), forward), (0, 1, 0), forward])
    heel = ankle + (0, -0.044, 0) - 0.028 * forward
    return [
        _blob("foot", ankle, ankle, 0.037, 0.037),
        _blob("foot", ankle, heel, 0.034, 0.034),
        Blob("foot", heel, ball + (0, 0.004, 0), (0.031, 0.026), (1.08, 1.0, 1.0), axes),
        Blob("foot", ankle + (0, -0.012, 0.012), ball + (0, 0.004, 0), (0.034, 0.024), (1.10, 1.0, 1.0), axes),
        Blob("foot", ball + (0, 0.002, -0.01), ball + (0, 0.002, 0), (0.026, 0.025), (1.60, 1.0, 1.0), axes),
        Blob("toe", ball, tip - 0.012 * forward, (0.024, 0.019), (1.62, 1.0, 1.0), axes),
    ]
