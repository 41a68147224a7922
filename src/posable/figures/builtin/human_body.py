"""The mannequin's body: the solids that its surface is drawn around, in the manner of an artist's wooden figure.

Only the middle and the left side are stated; a point on the right is measured at its mirror image.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from posable.figures.builtin.human_joints import FINGERS, finger_points, hand_axes, points
from posable.figures.builtin.implicit import Blob, Field, Union, in_cells
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_about

_SEAM = 0.006  # m over which the mirror plane is rounded
_SOLE = 0.008  # m over which the edge of the sole is
MOUTH = np.array([0.0, 1.588, 0.079])
_CELL = 0.09


@cache
def body_field() -> Field:
    """Signed distances to the body's surface, `[point, 3]` at rest → `[point]`; the soles are flat on y = 0."""
    left = in_cells(body(), _CELL)

    def distance(positions: Array) -> Array:
        folded = np.column_stack([np.sqrt(positions[:, 0] ** 2 + _SEAM**2), positions[:, 1:]])
        inside, floor = left(folded), -positions[:, 1]
        near = np.maximum(_SOLE - np.abs(inside - floor), 0)
        return np.maximum(inside, floor) + near * near / (4 * _SOLE)

    return distance


@cache
def body() -> Union:
    """The left half with the middle: trunk, head, arm, hand, leg and foot, each softly joined to its neighbour."""
    trunk = Union([Union(_trunk(), 0.05), Union(_chest(), 0.035)], 0.035)
    with_head = Union([trunk, Union([_neck(), Union(_head(), 0.022)], 0.025)], 0.035)
    hand = Union([Union(_palm(), 0.012), Union(_fingers(), 0.006)], 0.009)
    arm = Union([Union(_arm(), 0.014), hand], 0.016)
    leg = Union([Union(_leg(), 0.016), Union(_foot(), 0.025)], 0.025)
    return Union([with_head, arm, leg], 0.040)


def _at(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z])


def _blob(owner: str, start: Array, end: Array, first: float, last: float) -> Blob:
    return Blob(owner, start, end, (first, last))


def _ellipsoid(owner: str, center: Array, radii: tuple[float, float, float], axes: Array | None = None) -> Blob:
    least = min(radii)
    stretch = (radii[0] / least, radii[1] / least, radii[2] / least)
    return Blob(owner, center, center, (least, least), stretch, axes)


def _frame(along: ArrayLike) -> Array:
    """Rows: the unit direction `along`, the part of +z perpendicular to it, and their cross product."""
    first = normalized(along)
    second = normalized(_at(0, 0, 1) - first[2] * first)
    return np.array([first, second, np.cross(first, second)])


def _trunk() -> list[Blob]:
    return [
        _ellipsoid("chest", _at(0, 1.290, -0.012), (0.153, 0.165, 0.103)),
        _ellipsoid("spine", _at(0, 1.100, -0.006), (0.116, 0.125, 0.084)),
        _ellipsoid("root", _at(0, 0.970, -0.012), (0.141, 0.098, 0.095)),
        _ellipsoid("root", _at(0.064, 0.920, -0.046), (0.074, 0.085, 0.072)),
    ]


def _chest() -> list[Blob]:
    return [
        _blob("chest", _at(0, 1.385, -0.020), _at(0.120, 1.385, -0.016), 0.070, 0.056),
        _ellipsoid("chest", _at(0.064, 1.345, 0.042), (0.080, 0.060, 0.044)),
        _blob("clavicle", _at(0.030, 1.470, -0.026), _at(0.150, 1.415, -0.016), 0.034, 0.034),
    ]


def _neck() -> Blob:
    return _blob("neck", _at(0, 1.440, -0.024), _at(0, 1.575, -0.004), 0.058, 0.050)


def _head() -> list[Blob]:
    return [
        _ellipsoid("head", _at(0, 1.664, -0.006), (0.073, 0.086, 0.094)),
        _ellipsoid("head", _at(0, 1.596, 0.026), (0.053, 0.066, 0.062), matrix_from_wxyz(wxyz_about((1, 0, 0), 0.35))),
        _blob("head", _at(0, 1.556, 0.062), _at(0.010, 1.557, 0.060), 0.018, 0.016),
        _blob("head", MOUTH, MOUTH + _at(0.013, 0.001, -0.006), 0.0075, 0.0055),
        _blob("head", _at(0, 1.658, 0.083), _at(0, 1.622, 0.0965), 0.0055, 0.0095),
        _blob("head", _at(0.014, 1.670, 0.078), _at(0.040, 1.671, 0.068), 0.0085, 0.006),
        _ellipsoid("head", _at(0.073, 1.634, -0.008), (0.008, 0.028, 0.016)),
    ]


def _arm() -> list[Blob]:
    p = points()
    shoulder, elbow, wrist = p["upper_arm"], p["forearm"], p["hand"]
    bone, lower = elbow - shoulder, wrist - elbow
    return [
        _ellipsoid("upper_arm", shoulder + 0.10 * bone, (0.082, 0.056, 0.056), _frame(bone)),
        _blob("upper_arm", shoulder, elbow, 0.046, 0.035),
        _ellipsoid("upper_arm", shoulder + 0.55 * bone + _at(0, 0, 0.007), (0.090, 0.046, 0.046), _frame(bone)),
        _blob("", elbow, elbow, 0.038, 0.038),
        _blob("forearm", elbow, wrist, 0.036, 0.024),
        _ellipsoid("forearm", elbow + 0.30 * lower, (0.090, 0.043, 0.043), _frame(lower)),
    ]


def _palm() -> list[Blob | Union]:
    wrist, (along, thumb_side, palm) = points()["hand"], hand_axes()

    def place(forward: float, side: float, out: float) -> Array:
        return wrist + forward * along + side * thumb_side + out * palm

    thumb = finger_points()["thumb"]
    knuckles = [finger_points()[finger][0] for finger in FINGERS[1:]]
    roots = [place(0.018, side, 0.0) for side in (0.014, 0.005, -0.005, -0.013)]
    rays: list[Blob | Union] = [
        _blob("hand", root, knuckle, 0.0160, 0.0120) for root, knuckle in zip(roots, knuckles, strict=True)
    ]
    wrist_stretch = (1.0, 1.25, 0.95)
    return [
        Blob("hand", place(-0.004, 0, 0), place(0.022, 0, 0), (0.0205, 0.0185), wrist_stretch, np.array(hand_axes())),
        Union(rays, 0.020),
        _blob("hand", place(0.020, 0.010, 0.006), thumb[0], 0.0175, 0.0155),
        _blob("thumb_1", thumb[0], thumb[1], 0.0155, 0.0118),
    ]


def _fingers() -> list[Blob | Union]:
    thickness = {"thumb": (0.0125, 0.0110, 0.0094), "pinky": (0.0084, 0.0077, 0.0067)}
    found: list[Blob | Union] = []
    for finger in FINGERS:
        first, middle, last = thickness.get(finger, (0.0096, 0.0088, 0.0076))
        radii = (first, middle, last, last * 0.93)
        chain = finger_points()[finger]
        end = chain[3] - 0.8 * radii[3] * normalized(chain[3] - chain[2])
        ends = [*chain[:3], end]
        bones: list[Blob | Union] = []
        bones += [_blob(f"{finger}_{k + 1}", ends[k], ends[k + 1], radii[k], radii[k + 1]) for k in range(3)]
        found.append(Union(bones, 0.002))
    return found


def _leg() -> list[Blob]:
    p = points()
    hip, knee, ankle = p["thigh"], p["shin"], p["foot"]
    lower = ankle - knee
    return [
        _blob("thigh", hip + _at(0, -0.03, 0), knee, 0.078, 0.047),
        _ellipsoid("thigh", hip + _at(0.005, -0.19, 0.018), (0.064, 0.170, 0.064)),
        _blob("", knee + _at(0, 0, 0.004), knee + _at(0, 0, 0.004), 0.049, 0.049),
        _blob("", knee + _at(0, 0.006, 0.022), knee + _at(0, -0.006, 0.022), 0.031, 0.031),
        _blob("shin", knee, ankle, 0.046, 0.033),
        _ellipsoid("shin", knee + 0.29 * lower + _at(0.002, 0, -0.020), (0.049, 0.115, 0.049)),
    ]


def _foot() -> list[Blob]:
    p = points()
    ankle, ball, tip = p["foot"], p["toe"], p["toe_tip"]
    forward = normalized((ball - ankle) * _at(1, 0, 1))
    axes = np.array([np.cross((0, 1, 0), forward), (0, 1, 0), forward])
    heel = ankle + _at(0, -0.044, 0) - 0.026 * forward

    def flat(owner: str, start: Array, end: Array, first: float, last: float, width: float) -> Blob:
        return Blob(owner, start, end, (first, last), (width, 1.0, 1.0), axes)

    return [
        _blob("foot", ankle, ankle, 0.035, 0.035),
        _blob("foot", ankle - 0.006 * forward, heel, 0.033, 0.033),
        flat("foot", heel, ball + _at(0, 0.002, 0), 0.031, 0.0245, 1.25),
        flat("foot", ankle + _at(0, -0.014, 0) + 0.012 * forward, ball + _at(0, 0.002, 0), 0.032, 0.0245, 1.15),
        flat("foot", ball - 0.02 * forward, ball, 0.0245, 0.0240, 1.62),
        flat("toe", ball, tip - 0.020 * forward, 0.0235, 0.0185, 1.66),
    ]
