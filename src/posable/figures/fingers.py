"""Fingers of a hand: how they curl and spread, and grips."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from posable.errors import SIDES, PoseError, check_kind
from posable.figures.model import Figure
from posable.figures.role_table import Roles, roles
from posable.skeleton import Pose, pose_from_rotations, rotations_of
from posable.spatial import (
    matrix_from_wxyz,
    normalized,
    rotation_vector_from_wxyz,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
)

FINGERS: tuple[str, ...] = ("thumb", "index", "middle", "ring", "little")
_CLOSED_DEGREES = {"thumb": (25.0, 45.0, 65.0), "": (80.0, 100.0, 70.0)}  # degrees of a closed finger's joints
_SPREAD_DEGREES = {"thumb": 25.0, "index": 12.0, "middle": 2.0, "ring": -8.0, "little": -16.0}  # degrees, fully spread
GRIPS: Mapping[str, tuple[tuple[float, float, float, float, float], float]] = {
    "open": ((0.0, 0.0, 0.0, 0.0, 0.0), 0.4),
    "relaxed": ((0.2, 0.22, 0.28, 0.34, 0.4), 0.0),
    "fist": ((0.9, 1.0, 1.0, 1.0, 1.0), -0.2),
    "point": ((0.7, 0.0, 0.9, 0.95, 1.0), 0.0),
    "pinch": ((0.55, 0.55, 0.35, 0.4, 0.45), 0.0),
    "hold a bar": ((0.6, 0.7, 0.72, 0.75, 0.78), -0.1),
    "thumb up": ((-0.1, 1.0, 1.0, 1.0, 1.0), -0.2),
}
"""Grips by name: curls from the thumb on, and spread."""
Side = Literal["l", "r"]


class Bend(NamedTuple):
    """The axes of one joint of a finger. axis, aside: in the joint's frame, about which it curls and spreads."""

    joint: int
    finger: int
    axis: np.ndarray
    full: float  # radians
    aside: np.ndarray | None
    most: float  # radians


def grip(figure: Figure, name: str, side: Side, pose: Pose | None = None) -> Pose:
    """A pose with the fingers of one hand in a grip: a start for a solve in which a fingertip points or presses.

    Args:
        figure: The figure.
        name: `open`, `relaxed`, `fist`, `point`, `pinch`, `hold a bar` or `thumb up`.
        side: `"l"` or `"r"`.
        pose: One pose, for the rest of the body; None for the rest pose.

    Returns:
        The pose, within limits.

    Raises:
        PoseError: For another grip or side, or for a hand without fingers that move, or whose bones are loose.

    Example:
        >>> start = posable.grip(figure, "point", "r")
        >>> pose = posable.solve(start, [posable.Reach("index_tip_r", (-0.25, 1.3, 0.45)), posable.Natural()]).pose
    """
    check_kind(figure, Figure, "grip takes a Figure", "posable.load opens a file")
    if name not in GRIPS:
        raise PoseError(f"no grip is named {name!r}; choose from {', '.join(GRIPS)}")
    if side not in SIDES:
        raise PoseError(f'grip: side is "l" or "r", not {side!r}')
    curls, spread = GRIPS[name]
    return closed(figure, figure.rest if pose is None else pose, side, dict(zip(FINGERS, curls, strict=True)), spread)


@lru_cache(maxsize=8)
def bends_of(figure: Figure) -> dict[Side, tuple[Bend, ...]]:
    """The joints of the fingers of both hands; a hand without fingers, or with loose bones, is left out."""
    parts = roles(figure)
    found: dict[Side, tuple[Bend, ...]] = {}
    sides: tuple[Side, ...] = ("l", "r")
    for side in sides:
        palm = _palm(figure, parts, side)
        if palm is not None and not _loose_bone(figure, parts, side):
            found[side] = tuple(bend for k in range(len(FINGERS)) for bend in _finger(figure, parts, side, k, palm))
    return found


def _loose_bone(figure: Figure, parts: Roles, side: Side) -> str:
    """The first bone of a finger that is not a child of the one before, as in tracked hands; "" if none."""
    pairs = ((f"{finger}_{k}_{side}", f"{finger}_{k + 1}_{side}") for finger in FINGERS for k in (1, 2))
    both = ((parts[a], parts[b]) for a, b in pairs if a in parts and b in parts)
    skeleton = figure.skeleton
    return next((b for a, b in both if skeleton.index(a) not in skeleton.chain(b)), "")


def _position(figure: Figure, joint: str) -> np.ndarray:
    return figure.rest.origins[figure.skeleton.index(joint)]


def _palm(figure: Figure, roles: Roles, side: Side) -> np.ndarray | None:
    """`[3]` the direction that the palm faces at rest; None without two fingers side by side."""
    bases = [roles[f"{name}_1_{side}"] for name in FINGERS[1:] if f"{name}_1_{side}" in roles]
    if len(bases) < 2 or f"hand_{side}" not in roles:
        return None
    across = _position(figure, bases[0]) - _position(figure, bases[-1])  # to the side of the thumb
    along = (_position(figure, bases[0]) + _position(figure, bases[-1])) / 2 - _position(figure, roles[f"hand_{side}"])
    palm = np.cross(along, across) * (1.0 if side == "l" else -1.0)
    return normalized(palm) if np.linalg.norm(palm) > 0 else None


def _finger(figure: Figure, roles: Roles, side: Side, finger: int, palm: np.ndarray) -> list[Bend]:
    name = FINGERS[finger]
    joints = [roles[f"{name}_{k}_{side}"] for k in (1, 2, 3) if f"{name}_{k}_{side}" in roles]
    if not joints:
        return []
    full, found = _CLOSED_DEGREES.get(name, _CLOSED_DEGREES[""]), []
    root = _position(figure, roles[f"hand_{side}"])
    for k, joint in enumerate(joints):
        j = figure.skeleton.index(joint)
        along = _along(figure, j, joints[k + 1] if k + 1 < len(joints) else None)
        inwards = palm if name != "thumb" else _towards_fingers(figure, roles, side, root, palm)
        axis = _own_axis(figure, j, np.cross(along, inwards))
        rotation = figure.rest.world_from_joint[j, :3, :3]
        aside = rotation.T @ palm * (1.0 if side == "l" else -1.0) if k == 0 else None
        found.append(Bend(j, finger, axis, math.radians(full[k]), aside, math.radians(_SPREAD_DEGREES[name])))
    return found


def _along(figure: Figure, joint: int, following: str | None) -> np.ndarray:
    """`[3]` the direction of a finger's bone at rest."""
    here = figure.rest.origins[joint]
    children = figure.skeleton.children(joint)
    if following is not None:
        return _position(figure, following) - here
    if len(children):
        return figure.rest.origins[children[0]] - here
    return here - figure.rest.origins[figure.skeleton.parents[joint]]


def _towards_fingers(figure: Figure, roles: Roles, side: Side, root: np.ndarray, palm: np.ndarray) -> np.ndarray:
    """`[3]` direction in which a thumb closes: across the palm, and into it."""
    bases = [_position(figure, roles[f"{name}_1_{side}"]) for name in FINGERS[1:] if f"{name}_1_{side}" in roles]
    thumb = roles.get(f"thumb_1_{side}")
    start = root if thumb is None else _position(figure, thumb)
    return normalized(normalized(np.mean(bases, axis=0) - start) + palm)


def _own_axis(figure: Figure, joint: int, desired: np.ndarray) -> np.ndarray:
    """`[3]` the axis in the joint's frame: a hinge's own axis, with the sign that is closer to `desired`."""
    rotation = figure.rest.world_from_joint[joint, :3, :3]
    axis = normalized(rotation.T @ desired)
    own = [normalized(np.array(one.direction)) for one in figure.skeleton.definitions[joint].axes if not one.slide]
    if not own:
        return axis
    nearest = max(own, key=lambda one: abs(float(one @ axis)))
    return nearest * (1.0 if nearest @ axis >= 0 else -1.0)


def bent(figure: Figure, pose: Pose, bends: tuple[Bend, ...]) -> list[np.ndarray]:
    """Rotation of each joint since rest, as a rotation vector `[3]` in its own frame."""
    now, rest = (matrix_from_wxyz(rotations_of(one, "quaternion")[0]) for one in (pose, figure.rest))
    return [rotation_vector_from_wxyz(wxyz_from_matrix(rest[bend.joint].T @ now[bend.joint])) for bend in bends]


def closed(figure: Figure, pose: Pose, side: Side, curls: Mapping[str, float], spread: float | None) -> Pose:
    """The pose with the given curls of fingers, by their names; other fingers stay. spread: None keeps it.

    Raises PoseError for a hand without fingers, or with loose bones.
    """
    bends = bends_of(figure).get(side, ())
    if not bends and (loose := _loose_bone(figure, roles(figure), side)):
        raise PoseError(
            f"fingers of the {SIDES[side]} hand would come apart: {loose!r} does not hang on the bone before it"
        )
    if not bends:
        raise PoseError(f"this figure's {SIDES[side]} hand has no fingers that move")
    rotations, positions = rotations_of(pose, "quaternion")
    rotations, rest = np.array(rotations), matrix_from_wxyz(rotations_of(figure.rest, "quaternion")[0])
    for rotation, bend in zip(bent(figure, pose, bends), bends, strict=True):
        name = FINGERS[bend.finger]
        if name in curls:
            rotation = rotation + (curls[name] * bend.full - float(rotation @ bend.axis)) * bend.axis
        if spread is not None and bend.aside is not None:
            rotation = rotation + (spread * bend.most - float(rotation @ bend.aside)) * bend.aside
        rotations[bend.joint] = wxyz_from_matrix(
            rest[bend.joint] @ matrix_from_wxyz(wxyz_from_rotation_vector(rotation))
        )
    return pose_from_rotations(pose.skeleton, rotations, positions, "quaternion").clamped()
