"""What a page is given of a figure."""

from __future__ import annotations

from typing import Any

import numpy as np

from posable.skeleton import Skeleton
from posable.spatial import Array


def figure_record(skeleton: Skeleton) -> dict[str, Any]:
    """A skeleton as JSON, for `Figure.fromRecord` in JavaScript: the tables that kernels read, names and roles.

    Args:
        skeleton: The skeleton.
    """
    t, joints, parts = skeleton.packed, skeleton.definitions, skeleton.parts
    names = {alias: skeleton.index(alias) for joint in joints for alias in joint.aliases}
    return {
        "names": list(skeleton.joints),
        "aliases": {**{role: int(j) for role, j in parts.joints.items()}, **names},
        "freedoms": [f"{joint.name}.{name}" for joint in joints for name in joint.freedom_names],
        "up": skeleton.up,
        "reach": skeleton.reach,
        "forward": None if parts.forward is None else parts.forward.tolist(),
        "rest": skeleton.rest_coordinates.tolist(),
        **{name: getattr(t, name).tolist() for name in ("joint", "frame", "axis_number", "axis", "cones")},
        "bound": _finite(t.bound),
        "active": skeleton.tables.active.tolist(),
        "ease": [joint.ease for joint in joints for _ in range(joint.dof)],
        "stiffness": [joint.stiffness for joint in joints for _ in range(joint.dof)],
        "slides": np.asarray(skeleton.slides, bool).tolist(),
    }


def _finite(bound: Array) -> list[list[float | None]]:
    """JSON knows no infinity."""
    return [[value if np.isfinite(value) else None for value in pair] for pair in bound.tolist()]
