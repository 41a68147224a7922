"""The mannequin's body: pieces of wood about its joints, in the manner of an artist's figure.

Each piece is carried by one joint, so that nothing creases; a ball about a joint looks the same in every rotation. Only
the middle and the left side are stated: the right is the mirror image.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.figures.builtin.human_joints import FINGERS, finger_points, hand_axes, points
from posable.figures.builtin.implicit_surface import Blob, Union, polygonised, soft_minimum
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_about

WOOD, LIGHT_WOOD, DARK_WOOD = (0.87, 0.71, 0.50), (0.91, 0.77, 0.57), (0.58, 0.38, 0.23)
INK = (0.16, 0.11, 0.08)
MIDDLE = ("root", "spine", "chest", "neck", "head")
"""The joints whose pieces are mirror images of themselves."""

_SEAM = 0.006  # m over which the mirror plane is rounded
_SOLE = 0.008  # m over which the edge of the sole is
_THICKNESS = {"thumb": (0.0132, 0.0108, 0.0094), "pinky": (0.0092, 0.0084, 0.0074)}  # m, radii at the three joints
_FINGER = (0.0106, 0.0097, 0.0084)


@dataclass(frozen=True)
class Piece:
    """One piece of wood.

    joint: what carries it, without the side. cell: m, about the length of its triangles' edges. stands: whether it ends
    at the ground, y = 0.
    """

    joint: str
    solid: Union
    cell: float
    color: tuple[float, float, float] = WOOD
    stands: bool = False

    def distance(self, positions: Array) -> Array:
        """`[point]` signed distances to its surface, `[point, 3]` at rest."""
        x = positions[:, :1]
        folded = np.sqrt(x * x + _SEAM**2) if self.joint in MIDDLE else x
        inside = self.solid.distance(np.hstack([folded, positions[:, 1:]]))
        return -soft_minimum(-inside, positions[:, 1], _SOLE) if self.stands else inside

    def surface(self) -> tuple[Array, NDArray[np.int64]]:
        """(vertices `[vertex, 3]`, outward faces `[face, 3]`)."""
        corners = [corner for blob in self.solid.blobs() for corner in blob.box()]
        low, high = np.min(corners, axis=0) - 2 * self.cell, np.max(corners, axis=0) + 2 * self.cell
        if self.joint in MIDDLE:  # the grid is symmetric, too
            high[0] = np.ceil(high[0] / self.cell) * self.cell
            low[0] = -high[0]
        return polygonised(self.distance, low, high, self.cell)


def pieces() -> Iterator[Piece]:
    """All pieces of the middle and of the left side."""
    yield from _trunk()
    yield from _head()
    yield from _arm()
    yield from _hand()
    yield from _leg()
    yield from _foot()


def _at(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z])


def _ball(center: Array, radius: float) -> Union:
    return Union([Blob(center, center, (radius, radius))])


def _ellipsoid(center: Array, radii: tuple[float, float, float], axes: Array | None = None) -> Blob:
    least = min(radii)
    return Blob(center, center, (least, least), (radii[0] / least, radii[1] / least, radii[2] / least), axes)


def _frame(along: ArrayLike) -> Array:
    """Rows: the unit direction `along`, the part of +z perpendicular to it, and their cross product."""
    first = normalized(along)
    second = normalized(_at(0, 0, 1) - first[2] * first)
    return np.array([first, second, np.cross(first, second)])


def _trunk() -> Iterator[Piece]:
    seat = [
        _ellipsoid(_at(0.060, 0.925, -0.040), (0.078, 0.078, 0.074)),
        _ellipsoid(_at(0, 0.905, 0), (0.060, 0.062, 0.072)),
    ]
    yield Piece(
        "root", Union([_ellipsoid(_at(0, 0.985, -0.008), (0.138, 0.085, 0.094)), Union(seat, 0.04)], 0.05), 0.0175
    )
    yield Piece("spine", Union([_ellipsoid(_at(0, 1.115, -0.010), (0.117, 0.098, 0.088))]), 0.018, DARK_WOOD)
    ribs = [
        _ellipsoid(_at(0, 1.300, -0.016), (0.146, 0.158, 0.101)),
        Blob(_at(0, 1.400, -0.022), _at(0.108, 1.398, -0.020), (0.066, 0.052)),
        _ellipsoid(_at(0.066, 1.345, 0.040), (0.080, 0.062, 0.048)),
    ]
    yield Piece("chest", Union(ribs, 0.045), 0.0205)
    yield Piece("clavicle", Union([Blob(_at(0.055, 1.432, -0.026), _at(0.158, 1.408, -0.012), (0.036, 0.046))]), 0.015)


def _head() -> Iterator[Piece]:
    eye, base = points()["eye"], points()["head"]
    yield Piece("neck", Union([Blob(_at(0, 1.43, -0.027), _at(0, 1.556, -0.006), (0.051, 0.046))]), 0.0155)
    yield Piece("neck", _ball(base + _at(0, 0.004, 0.002), 0.049), 0.0145, DARK_WOOD)
    chin = Union([
        _ellipsoid(_at(0, 1.668, -0.008), (0.074, 0.087, 0.096)),
        _ellipsoid(_at(0, 1.610, 0.022), (0.056, 0.068, 0.064), matrix_from_wxyz(wxyz_about((1, 0, 0), 0.30))),
    ], 0.03)  # fmt: skip
    features = Union([
        Blob(_at(0, 1.662, 0.083), _at(0, 1.624, 0.0985), (0.0045, 0.0085)),  # the nose
        Blob(_at(0.010, 1.676, 0.080), _at(0.046, 1.675, 0.062), (0.008, 0.007)),  # the brow
    ], 0.012)  # fmt: skip
    jaw, ear = Blob(_at(0, 1.568, 0.056), _at(0.012, 1.569, 0.054), (0.020, 0.018)), _at(0.074, 1.636, -0.006)
    yield Piece("head", Union([chin, jaw, features, _ellipsoid(ear, (0.009, 0.030, 0.017))], 0.022), 0.0105)
    yield Piece("eye", _ball(eye + _at(0, 0, -0.004), 0.0115), 0.0055)
    yield Piece("eye", Union([_ellipsoid(eye + _at(0, 0, 0.006), (0.0062, 0.0072, 0.0040))]), 0.0032, INK)


def _arm() -> Iterator[Piece]:
    shoulder, elbow, wrist = (points()[joint] for joint in ("upper_arm", "forearm", "hand"))
    bone, lower = elbow - shoulder, wrist - elbow
    along, below = normalized(bone), normalized(lower)
    upper = [
        _ellipsoid(shoulder + 0.075 * along, (0.062, 0.050, 0.050), _frame(bone)),
        Blob(shoulder + 0.10 * along, elbow - 0.035 * along, (0.042, 0.033)),
        _ellipsoid(shoulder + 0.55 * bone + _at(0, 0, 0.006), (0.080, 0.044, 0.043), _frame(bone)),
    ]
    yield Piece("upper_arm", _ball(shoulder, 0.054), 0.0145, DARK_WOOD)
    yield Piece("upper_arm", Union(upper, 0.03), 0.0145)
    yield Piece("forearm", _ball(elbow, 0.039), 0.0105, DARK_WOOD)
    muscle = _ellipsoid(elbow + 0.32 * lower, (0.085, 0.043, 0.041), _frame(lower))
    yield Piece(
        "forearm", Union([Blob(elbow + 0.040 * below, wrist - 0.020 * below, (0.036, 0.0235)), muscle], 0.02), 0.0135
    )


def _hand() -> Iterator[Piece]:
    wrist, (along, thumb_side, palm) = points()["hand"], hand_axes()
    thumb, knuckles = finger_points()["thumb"][0], [finger_points()[finger][0] for finger in FINGERS[1:]]
    roots = [wrist + 0.026 * along + side * thumb_side for side in (0.016, 0.006, -0.006, -0.016)]
    rays = [Blob(root, knuckle, (0.0165, 0.0125)) for root, knuckle in zip(roots, knuckles, strict=True)]
    heel = wrist + 0.024 * along + 0.012 * thumb_side + 0.006 * palm
    yield Piece("hand", _ball(wrist, 0.0245), 0.0084, DARK_WOOD)
    yield Piece("hand", Union([Union(rays, 0.02), Blob(heel, thumb, (0.0165, 0.0150))], 0.015), 0.0084)
    for finger in FINGERS:
        yield from _finger(finger, finger_points()[finger], _THICKNESS.get(finger, _FINGER))


def _finger(finger: str, chain: Array, thickness: tuple[float, float, float]) -> Iterator[Piece]:
    radii = (*thickness, 0.92 * thickness[2])
    ends = [*chain[:3], chain[3] - radii[3] * normalized(chain[3] - chain[2])]
    for k in range(3):
        way = normalized(ends[k + 1] - ends[k])
        start, end = ends[k] + 0.25 * radii[k] * way, ends[k + 1] - (k < 2) * 0.25 * radii[k + 1] * way
        color = LIGHT_WOOD if k == 1 else WOOD
        yield Piece(f"{finger}_{k + 1}", Union([Blob(start, end, (radii[k], radii[k + 1]))]), 0.5 * radii[k], color)


def _leg() -> Iterator[Piece]:
    hip, knee, ankle = (points()[joint] for joint in ("thigh", "shin", "foot"))
    along, below = normalized(knee - hip), normalized(ankle - knee)
    yield Piece("thigh", _ball(hip, 0.079), 0.0190)
    front = _ellipsoid(hip + 0.45 * (knee - hip) + _at(0.004, 0, 0.016), (0.064, 0.15, 0.062))
    yield Piece("thigh", Union([Blob(hip + 0.06 * along, knee - 0.045 * along, (0.078, 0.045)), front], 0.03), 0.0205)
    yield Piece("shin", _ball(knee + _at(0, 0, 0.003), 0.050), 0.0125, DARK_WOOD)
    calf = _ellipsoid(knee + 0.30 * (ankle - knee) + _at(0.002, 0, -0.016), (0.048, 0.105, 0.048))
    yield Piece("shin", Union([Blob(knee + 0.055 * below, ankle - 0.028 * below, (0.045, 0.031)), calf], 0.025), 0.0155)


def _foot() -> Iterator[Piece]:
    ankle, ball, tip = (points()[joint] for joint in ("foot", "toe", "toe_tip"))
    forward = normalized((ball - ankle) * _at(1, 0, 1))
    axes = np.array([np.cross((0, 1, 0), forward), (0, 1, 0), forward])
    heel = ankle + _at(0, -0.044, 0) - 0.026 * forward

    def flat(start: Array, end: Array, radii: tuple[float, float], width: float) -> Blob:
        return Blob(start, end, radii, (width, 1.0, 1.0), axes)

    shoe = [
        Blob(ankle + _at(0, -0.014, 0) - 0.004 * forward, heel + _at(0, -0.006, 0), (0.031, 0.034)),
        flat(heel + _at(0, -0.007, 0), ball + _at(0, 0.005, 0), (0.033, 0.0250), 1.25),
        flat(ankle + _at(0, -0.020, 0) + 0.012 * forward, ball + _at(0, 0.005, 0), (0.032, 0.0250), 1.15),
    ]
    tread = flat(
        ball - 0.025 * forward, ball, (0.0240, 0.0218), 1.66
    )  # round about the toes' axis, clear of the ground
    yield Piece("foot", _ball(ankle, 0.034), 0.0105, DARK_WOOD)
    yield Piece("foot", Union([Union(shoe, 0.02), tread], 0.004), 0.012, stands=True)
    toes = flat(ball + 0.004 * forward, tip - 0.023 * forward + _at(0, -0.003, 0), (0.0265, 0.0205), 1.66)
    yield Piece("toe", Union([toes]), 0.0105, stands=True)
