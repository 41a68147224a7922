"""Solids in place of bodies whose meshes are missing: the collision solids of a robot's file, and its inertia."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from posable.figures.shapes import Shape
from posable.figures.volumes import volume_of
from posable.spatial import Array, wxyz_from_matrix

_PLAUSIBLE_DENSITIES = (100.0, 20_000.0)  # kg/m³: an inertia outside is a placeholder, such as the identity
_FILLED_SHARE = 0.3  # of the ellipsoid's volume, from which the collision solids represent the whole body
_LEAST_SECOND_MOMENT = 1e-6  # of the largest one: no body is flatter
_TELLING_OFFSET = 0.3  # of the longest spread: least offset of the centre of mass that distinguishes the two readings
_AGREEING_SHARE = 0.8  # least share of bodies that are possible if inertias are read as about the joints
_LEAST_BODIES = 5  # that distinguish the two readings


@dataclass(frozen=True, eq=False)
class LinkBody:
    """What a robot's file states of one body, in kilograms and metres.

    Args:
        joint: The joint that moves it.
        missing: Whether its mesh is missing.
        drawn: Its solids that are drawn.
        hidden: Its solids that are not.
        mass: Its mass, 0 if unknown.
        center: The centre of mass in the joint's frame.
        inertia: `[3, 3]` about that centre, along the axes of the joint's frame.
    """

    joint: str
    missing: bool
    drawn: tuple[Shape, ...] = ()
    hidden: tuple[Shape, ...] = ()
    mass: float = 0.0
    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    @property
    def moments(self) -> Array:
        """`[3, 3]` the second moments of the mass about its centre, per kilogram."""
        return (0.5 * np.trace(self.inertia) * np.eye(3) - self.inertia) / self.mass


def stand_ins(bodies: Sequence[LinkBody]) -> Iterator[Shape]:
    """Substitutes for bodies whose meshes are missing: their hidden solids, and, if all their solids fill only a part
    of a body, such as the corners of a foot, also the ellipsoid of its inertia.
    """
    for body in _about_centers(bodies):
        if body.missing:
            yield from body.hidden
            ellipsoid = ellipsoid_of_inertia(body)
            volume = sum(volume_of(solid) for solid in (*body.drawn, *body.hidden))
            if ellipsoid is not None and volume <= _FILLED_SHARE * volume_of(ellipsoid):
                yield ellipsoid


def ellipsoid_of_inertia(body: LinkBody) -> Shape | None:
    """The solid ellipsoid with a body's mass and inertia, for any density; None if no body has such an inertia.

    The second moment of its mass along a half axis a is m a² / 5. Over ten robots with meshes, their hulls reach 2.1 to
    2.4 standard deviations of the mass from its centre, and an ellipsoid 2.24.
    """
    if not body.mass > 0:
        return None
    moments, axes = np.linalg.eigh(body.moments)
    if not moments[0] > _LEAST_SECOND_MOMENT * moments[2]:
        return None
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    w, x, y, z = (float(one) for one in wxyz_from_matrix(axes))
    found = Shape(body.joint, "ellipsoid", tuple(np.sqrt(5 * moments).tolist()), body.center, (w, x, y, z))
    return found if _PLAUSIBLE_DENSITIES[0] < body.mass / volume_of(found) < _PLAUSIBLE_DENSITIES[1] else None


def _about_centers(bodies: Sequence[LinkBody]) -> list[LinkBody]:
    """The bodies with inertias about centres of mass, also if a file gives them all about the joints (as Romeo's does).

    If the inertia of a slender body about its centre is read as about the joint, it is impossible for any body. So if
    hardly any body is impossible under that reading, all inertias are about the joints.
    """
    moved = [_from_joint(body) if body.mass > 0 else body for body in bodies]
    pairs = [(one, other) for one, other in zip(bodies, moved, strict=True) if other is not one and _tells(one)]
    possible = sum(np.linalg.eigvalsh(other.moments)[0] > 0 for _, other in pairs)
    return moved if len(pairs) >= _LEAST_BODIES and possible >= _AGREEING_SHARE * len(pairs) else list(bodies)


def _tells(body: LinkBody) -> bool:
    moments = np.linalg.eigvalsh(body.moments)
    return bool(
        moments[0] > _LEAST_SECOND_MOMENT * moments[2]
        and np.linalg.norm(body.center) > _TELLING_OFFSET * np.sqrt(moments[2])
    )


def _from_joint(body: LinkBody) -> LinkBody:
    """The body whose inertia is the stated one about the joint (parallel axis theorem)."""
    center = np.array(body.center)
    about = body.mass * (center @ center * np.eye(3) - np.outer(center, center))
    return replace(body, inertia=body.inertia - about)
