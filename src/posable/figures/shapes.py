"""Display shapes: simple solids for robots and text figures without a skin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkeletonError

SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3}


@dataclass(frozen=True)
class Shape:
    """A simple solid fixed to a joint.

    Args:
        joint: Name of the joint.
        kind: "box", "sphere", "cylinder", "capsule" or "ellipsoid".
        size: Lengths by kind: box (full lengths x, y, z), sphere (radius), cylinder (radius, length along z), capsule
            (radius, length along z between the centres of its caps), ellipsoid (three radii).
        position: Centre in the joint's frame.
        wxyz: Rotation in the joint's frame.
        color: sRGB 0 … 1, or None.
    """

    joint: str
    kind: Literal["box", "sphere", "cylinder", "capsule", "ellipsoid"]
    size: tuple[float, ...]
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    color: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if self.kind not in SIZES:
            raise SkeletonError(
                f"shape on {self.joint!r}: {self.kind!r} is not a shape; choose from {', '.join(SIZES)}"
            )
        if len(self.size) != SIZES[self.kind] or not all(0 <= s < math.inf for s in self.size):
            raise SkeletonError(
                f"shape on {self.joint!r}: a {self.kind} has {SIZES[self.kind]} sizes of at least 0, not {self.size}"
            )
        if not all(math.isfinite(x) for x in (*self.position, *self.wxyz)) or not math.hypot(*self.wxyz) > 0:
            raise SkeletonError(f"shape on {self.joint!r}: position and rotation must be finite, the rotation not 0")


# Simple solids as triangles, counter-clockwise from outside: what display shapes and bare bones are drawn with.


Solid = tuple[NDArray[np.float32], NDArray[np.int32]]  # vertices [v, 3], faces [f, 3]
_CIRCLE_CORNERS = 28  # corners of a round cross-section


def solid_of(shape: Shape) -> Solid:
    """The triangles of a display shape, about its own centre."""
    if shape.kind == "box":
        return box(shape.size)
    if shape.kind == "sphere":
        return ellipsoid(shape.size * 3)
    if shape.kind == "ellipsoid":
        return ellipsoid(shape.size)
    radius, length = shape.size
    side = [(radius, z) for z in np.linspace(-length / 2, length / 2, 1 + _rings(radius, length))]
    if shape.kind == "cylinder":
        return lathe([(0, -length / 2), *side, (0, length / 2)])
    cap = [(radius * math.cos(a), length / 2 + radius * math.sin(a)) for a in np.linspace(0, math.pi / 2, 8)[1:]]
    return lathe([*((r, -z) for r, z in reversed(cap)), *side, *cap])


def _rings(radius: float, length: float) -> int:
    """How often a side is cut across, so that light and shadow that are found at its corners stay where they belong."""
    return max(1, math.ceil(min(16.0, 2 * length / radius))) if radius > 0 else 1


def box(size: tuple[float, ...]) -> Solid:
    """A box of full lengths x, y, z."""
    corners = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]) * size
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return corners.astype(np.float32), _triangles(np.array(quads))


def ellipsoid(radii: tuple[float, ...], around: int = _CIRCLE_CORNERS) -> Solid:
    """An ellipsoid of three radii."""
    arc = np.linspace(-math.pi / 2, math.pi / 2, around // 2 + 1)
    vertices, faces = lathe([(math.cos(a), math.sin(a)) for a in arc], around)
    return (vertices * np.array(radii)).astype(np.float32), faces


def lathe(profile: list[tuple[float, float]], around: int = _CIRCLE_CORNERS) -> Solid:
    """A solid of revolution about z, from its `profile` of (radius, z) points, upwards."""
    angle = np.arange(around) * (2 * math.pi / around)
    radius, z = np.array(profile, float).T
    rings = np.stack(
        [np.outer(radius, np.cos(angle)), np.outer(radius, np.sin(angle)), np.repeat(z[:, None], around, axis=1)], -1
    )
    row, column = np.meshgrid(np.arange(len(z) - 1), np.arange(around), indexing="ij")
    here, after = row * around + column, row * around + (column + 1) % around
    quads = np.stack([here, after, after + around, here + around], axis=-1).reshape(-1, 4)
    return rings.reshape(-1, 3).astype(np.float32), _triangles(quads)


def bone_solid() -> Solid:
    """A bone of length 1 along z and largest radius 1: swelling near its joint, slender at its end."""
    profile = [(0.0, 0.0), (0.55, 0.012), (0.8, 0.05), (0.95, 0.11), (1.0, 0.18), (0.95, 0.28), (0.83, 0.42)]
    return lathe([*profile, (0.68, 0.6), (0.54, 0.8), (0.44, 0.95), (0.36, 0.985), (0.0, 1.0)], 20)


def _triangles(quads: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)
