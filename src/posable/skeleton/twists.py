"""Joints that share a ball's twist: along a forearm the hand's, along an upper arm its own.

They have neither children nor coordinates, so kernels treat them as fixed; their rotation is added here to the
computed frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkeletonError
from posable.skeleton.joint import Joint
from posable.skeleton.tables import Tables
from posable.spatial import Array, matrix_from_wxyz, wxyz_about


class Twists(NamedTuple):
    """One row for each such joint.

    joint: its index. first: the first of the four coordinates of the ball. axis, ball_axis: `[3]` its axis in its own
    frame and in the ball's. gain: its share; offset: its angle where the ball has none.
    """

    joint: NDArray[np.int64]
    first: NDArray[np.int64]
    axis: Array
    ball_axis: Array
    gain: Array
    offset: Array


def shared_of(joints: Sequence[Joint]) -> dict[int, int]:
    """Joint → ball, of joints with an axis that follows a ball. Raises SkeletonError where they cannot."""
    index = {joint.name: i for i, joint in enumerate(joints)}
    found: dict[int, int] = {}
    for i, joint in enumerate(joints):
        balls = [axis.follow.joint for axis in joint.axes if axis.follow and _is_ball(joints, index, axis.follow.joint)]
        if not balls:
            continue
        axis, *others = joint.axes
        if others or axis.slide or any(axis.anchor):
            raise SkeletonError(
                f"joint {joint.name!r} follows the twist of {balls[0]!r}: it needs exactly one axis, "
                "which rotates about a line through its origin"
            )
        found[i] = index[balls[0]]
    carrying = next((joint for joint in joints if joint.parent in index and index[joint.parent] in found), None)
    if carrying is not None:
        raise SkeletonError(
            f"joint {carrying.name!r} hangs on {carrying.parent!r}, which shares the twist of a ball; hang it one above"
        )
    return found


def _is_ball(joints: Sequence[Joint], index: dict[str, int], name: str) -> bool:
    return name in index and joints[index[name]].kind == "ball"


def stilled(joints: Sequence[Joint], shared: dict[int, int]) -> Sequence[Joint]:
    """The joints as the kernels see them."""
    return [replace(joint, kind="fixed", axes=()) if i in shared else joint for i, joint in enumerate(joints)]


def twists_of(joints: Sequence[Joint], shared: dict[int, int], tables: Tables) -> Twists | None:
    """The joints that share a twist; None without any."""
    if not shared:
        return None
    neutral = np.empty((len(joints), 3, 3))
    for i, above in enumerate(tables.parent):
        neutral[i] = tables.turn[i] if above < 0 else neutral[above] @ tables.turn[i]
    rows: list[tuple[Any, ...]] = []
    for i, ball in shared.items():
        axis, follow = joints[i].axes[0], joints[i].axes[0].follow
        assert follow is not None  # `shared_of` found it
        direction = np.array(axis.direction)
        in_ball = neutral[ball].T @ neutral[i] @ direction
        first = int(tables.first_coordinate[ball])
        rows.append((i, first, direction, in_ball, follow.gain, follow.offset - axis.reference))
    return Twists(*(np.array(column) for column in zip(*rows, strict=True)))


def turn_shared(twists: Twists | None, q: Array, frames: NDArray[Any]) -> NDArray[Any]:
    """Rotate the joints that share a twist, in `frames [..., joint, 4 or 3, 4]` of the coordinates `q`, in place.

    A ball's twist about an axis is the rotation about it that is nearest to the ball's: -π … π.
    """
    if twists is not None:
        turn = q[..., twists.first[:, None] + np.arange(4)]
        along = np.einsum("...ka,ka->...k", turn[..., 1:], twists.ball_axis)
        angle = 2 * np.arctan2(along, turn[..., 0])
        angle = np.where(np.abs(angle) > np.pi, angle - 2 * np.pi * np.sign(angle), angle)
        own = matrix_from_wxyz(wxyz_about(twists.axis, twists.gain * angle + twists.offset))
        frames[..., twists.joint, :3, :3] = frames[..., twists.joint, :3, :3] @ own
    return frames
