"""What a page is given of a figure."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.figures.effectors import between_hips_and_pelvis, ends, feet, hands, moves, pelvis
from posable.figures.role_table import roles
from posable.natural.body import Body, body_of
from posable.natural.habits import habits_of
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

SCRIPT = Path(__file__).with_name("static") / "posable.js"
_MOST_NUMBERS = 1_500_000  # coordinates of a clip: 8 MB of a page
NETWORK = Path(__file__).parents[1] / "natural/human.npz"


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
        "body": _body(skeleton),
    }


def person_of(skeleton: Skeleton) -> Body | None:
    """A person's body in a skeleton, as pages know it; None where it has learnt from clips, which only Python knows.

    Args:
        skeleton: The skeleton.
    """
    return body_of(skeleton) if habits_of(skeleton) is None else None


def _body(skeleton: Skeleton) -> dict[str, list[float]] | None:
    body = person_of(skeleton)
    return None if body is None else {name: array.ravel().tolist() for name, array in body._asdict().items()}


def script_text(path: Path) -> str:
    """A script as it may stand in a page.

    Args:
        path: The file.
    """
    return path.read_text(encoding="utf-8").replace("</script", "<\\/script")


def network_text() -> str:
    """The network that proposes natural poses, as a script that a page has before the solver is asked for them."""
    return f'posableNatural = "{base64.b64encode(NETWORK.read_bytes()).decode("ascii")}"'


def handles_of(skeleton: Skeleton) -> tuple[list[str], list[str], list[str]]:
    """The joints that are dragged in a page, those of them that stand, and those that hold nothing in a person.

    Hands, feet, head and hips of what has limbs, the ends of anything else; none where nothing can be moved.

    Args:
        skeleton: The skeleton.
    """
    found = roles(skeleton)
    standing = list(feet(found).values())
    body = [*([found["head"]] if "head" in found else []), *([pelvis(skeleton, found)] if "hips" in found else [])]
    limbs = [*hands(found).values(), *standing]
    chosen = [
        joint for joint in ([*limbs, *body] if limbs else ends(skeleton)) if moves(skeleton, joint) or joint in body
    ]
    own = [joint for joint in chosen if joint in body and joint not in limbs]
    return chosen, [joint for joint in chosen if joint in standing], own


def live_parts(
    skeleton: Skeleton, shape: Mapping[str, Any], start: Pose | None = None, clip: Clip | None = None
) -> str:
    """The data that a page needs besides its figure so that the figure can be dragged.

    Args:
        skeleton: The skeleton of the figure.
        shape: Its masses and soles, see `posable.studio.balancing.body_shape`.
        start: The pose in the page's file; None is the rest pose.
        clip: What the page plays, and the handles go along with.

    Returns:
        JSON as it may stand in a page; "" where nothing of the figure can be moved, the solver was not built, or a clip
        is too long for a page to hold its poses twice.
    """
    chosen, standing, loose = handles_of(skeleton)
    if not chosen or not SCRIPT.is_file() or (clip is not None and clip.q.size > _MOST_NUMBERS):
        return ""
    told: dict[str, Any] = {
        "record": figure_record(skeleton),
        "handles": chosen,
        "standing": standing,
        "loose": loose,
        "frozen": sorted(between_hips_and_pelvis(skeleton)),
        "shape": shape,
    }
    if start is not None:
        told["start"] = start.q.tolist()
    if clip is not None:
        q = base64.b64encode(clip.q.astype("<f4").tobytes()).decode("ascii")
        told["clip"] = {"name": clip.name, "fps": clip.fps, "q": q}
    return json.dumps(told, separators=(",", ":")).replace("</", "<\\/")


def _finite(bound: Array) -> list[list[float | None]]:
    """JSON knows no infinity."""
    return [[value if np.isfinite(value) else None for value in pair] for pair in bound.tolist()]
