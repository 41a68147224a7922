"""The axes of joints as pages see them: their limits, and where in a pose's coordinates they stand."""

from __future__ import annotations

import itertools
import math

import posable
from posable.studio import schema


def limits_of(joint: posable.Joint) -> schema.Limits:
    """The limits of a joint as JSON."""
    axes: list[schema.AxisLimit] = [
        {
            "name": axis.name,
            "direction": axis.direction,
            "slide": axis.slide,
            "lower": _finite(axis.lower),
            "upper": _finite(axis.upper),
            "reference": axis.reference,
        }
        for axis in joint.axes
    ]
    return {"kind": joint.kind, "base": joint.wxyz, "axes": axes, "cone": _cone_of(joint.cone)}


def own_coordinates(skeleton: posable.Skeleton, joint: int) -> list[int | None]:
    """The coordinate of the pose at which each axis of a joint stands; None for those that follow others."""
    following = itertools.count(int(skeleton.tables.first_coordinate[joint]))
    return [next(following) if axis.follow is None else None for axis in skeleton.definitions[joint].axes]


def _cone_of(cone: posable.Cone | None) -> schema.ConeLimit | None:
    if cone is None:
        return None
    lower, upper = cone.twist
    return {"axis": cone.axis, "center": cone.center, "swing": cone.swing, "lower": lower, "upper": upper}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
