"""What a page is given of a figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from posable.figures.effectors import ends, feet, hands, moves
from posable.figures.role_table import roles
from posable.skeleton import Skeleton
from posable.spatial import Array

SCRIPT = Path(__file__).with_name("static") / "posable.js"


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


def live_parts(skeleton: Skeleton) -> str:
    """What a page needs besides its figure so that the figure can be dragged: the solver and what it is told.

    Args:
        skeleton: The skeleton as the page's GLB has it.

    Returns:
        Script elements; none where nothing of the figure can be moved, or the script was not built.
    """
    found = roles(skeleton)
    standing = list(feet(found).values())
    body = [found[role] for role in ("head", "hips") if role in found]
    limbs = [*hands(found).values(), *standing]
    chosen = [
        joint for joint in ([*limbs, *body] if limbs else ends(skeleton)) if moves(skeleton, joint) or joint in body
    ]
    if not chosen or not SCRIPT.is_file():
        return ""
    told = {"record": figure_record(skeleton), "handles": chosen, "standing": [j for j in chosen if j in standing]}
    text = json.dumps(told, separators=(",", ":")).replace("</", "<\\/")
    script = SCRIPT.read_text(encoding="utf-8").replace("</script", "<\\/script")
    return f'<script type="application/json" id="live">{text}</script>\n<script>{script}</script>\n'


def _finite(bound: Array) -> list[list[float | None]]:
    """JSON knows no infinity."""
    return [[value if np.isfinite(value) else None for value in pair] for pair in bound.tolist()]
