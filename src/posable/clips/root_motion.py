"""Root motion: extracts a figure's travel over the ground from a clip, applies it, moves it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.clips.clip import Clip, check_clips
from posable.errors import PoseError
from posable.skeleton import Pose, Skeleton
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    normalized,
    rigid_inverse,
    wxyz_about,
    wxyz_from_matrix,
    wxyz_multiply,
)


@dataclass(frozen=True, eq=False)
class Travel:
    """The figure's path over the ground: position and heading per frame.

    Args:
        positions: Positions on the ground, `[frame, 3]`, height 0.
        headings: Angles about the up axis in radians, relative to the rest pose, unwrapped, `[frame]`.

    Example:
        >>> in_place, travel = posable.clips.without_root_motion(clip)
        >>> travel.positions.shape == (len(clip), 3)
        True
    """

    positions: Array
    headings: Array

    def world_from_figure(self, up: str) -> Array:
        """`[frame, 4, 4]` transforms from the figure's ground frame to the world; up: "y" or "z"."""
        out = np.tile(np.eye(4), (len(self.headings), 1, 1))
        out[:, :3, :3] = matrix_from_wxyz(wxyz_about(_up(up), self.headings))
        out[:, :3, 3] = self.positions
        return out


def without_root_motion(clip: Clip) -> tuple[Clip, Travel]:
    """Separate a clip into a motion in place and its travel; `with_root_motion` joins them again.

    Args:
        clip: The clip.

    Returns:
        The clip above the origin, facing as at rest, with its height unchanged; and the travel that was removed.

    Raises:
        PoseError: If the root of the figure cannot move.

    Example:
        >>> in_place, travel = posable.clips.without_root_motion(clip)
    """
    check_clips(clip)
    world_from_figure = travel_of(clip.poses)
    quaternions = wxyz_from_matrix(world_from_figure[:, :3, :3])
    up = _up(clip.skeleton.up)
    travel = Travel(world_from_figure[:, :3, 3], np.unwrap(2 * np.arctan2(quaternions[:, 1:] @ up, quaternions[:, 0])))
    return replace(clip, q=moved(clip.poses, rigid_inverse(world_from_figure)).q), travel


def with_root_motion(clip: Clip, travel: Travel) -> Clip:
    """Move a clip along a travel.

    Args:
        clip: The clip.
        travel: Positions and headings, one per frame of the clip.

    Returns:
        The moved clip.

    Raises:
        PoseError: If `travel` is not a `Travel`, its length differs, or the root cannot move.

    Example:
        >>> in_place, travel = posable.clips.without_root_motion(clip)
        >>> again = posable.clips.with_root_motion(in_place, travel)
    """
    check_clips(clip)
    if not isinstance(travel, Travel):
        raise PoseError(f"travel must be a posable.clips.Travel, as without_root_motion returns, not {travel!r}")
    if len(travel.headings) != len(clip):
        raise PoseError(f"the travel has {len(travel.headings)} frames, the clip {len(clip)}")
    return replace(clip, q=moved(clip.poses, travel.world_from_figure(clip.skeleton.up)).q)


def travel_of(pose: Pose, carrier: int | None = None) -> Array:
    """Project the carrying joint to the ground: its position and heading.

    The heading is the twist about the up axis in the joint's rotation from rest (swing–twist decomposition).

    Args:
        pose: Poses `[...]`.
        carrier: Index of the joint that carries the figure; None is the free one closest to the root that may travel.

    Returns:
        `[..., 4, 4]` transforms from the figure's ground frame to the world.

    Raises:
        PoseError: If the root of the figure cannot move.

    Example:
        >>> posable.clips.travel_of(clip.poses).shape[0] == len(clip)
        True
    """
    carrier, up = carrier_of(pose.skeleton) if carrier is None else carrier, _up(pose.skeleton.up)
    frame = pose.world_from_joint[..., carrier, :, :]
    rest = Pose(pose.skeleton, pose.skeleton.rest_coordinates).world_from_joint[carrier, :3, :3]
    turn = wxyz_from_matrix(frame[..., :3, :3] @ rest.T)
    along = turn[..., 1:] @ up
    out = np.zeros((*pose.shape, 4, 4))
    out[..., :3, :3] = matrix_from_wxyz(normalized(np.concatenate([turn[..., :1], along[..., None] * up], axis=-1)))
    out[..., :3, 3] = frame[..., :3, 3] * (1 - up)
    out[..., 3, 3] = 1.0
    return out


def moved(pose: Pose, motion: Array) -> Pose:
    """Move poses rigidly in the world.

    Args:
        pose: Poses `[...]`.
        motion: `[..., 4, 4]` rigid transforms in the world.

    Returns:
        The moved poses `[...]`.

    Raises:
        PoseError: If the root cannot move.

    Example:
        >>> world_from_old = np.eye(4)
        >>> world_from_old[:3, 3] = (1.0, 0.0, 0.0)  # a metre along x
        >>> aside = posable.clips.moved(clip.poses, world_from_old)
    """
    skeleton, carrier = pose.skeleton, carrier_of(pose.skeleton)
    parent, first = int(skeleton.parents[carrier]), int(skeleton.tables.first_coordinate[carrier])
    above = pose.world_from_joint[..., parent, :, :] if parent >= 0 else np.eye(4)
    new = rigid_inverse(above) @ motion @ pose.world_from_joint[..., carrier, :, :]
    q = np.array(np.broadcast_to(pose.q, (*new.shape[:-2], pose.q.shape[-1])))
    q[..., first : first + 3] = new[..., :3, 3]
    # Multiplied rather than converted from the matrix, which keeps the quaternion's sign and last digits.
    by = wxyz_from_matrix((rigid_inverse(above) @ motion @ above)[..., :3, :3])
    q[..., first + 3 : first + 7] = wxyz_multiply(by, q[..., first + 3 : first + 7])
    return Pose(skeleton, q)


def is_planar(skeleton: Skeleton) -> bool:
    """Whether the root slides and rotates about axes of its own, as in models that walk in a plane."""
    axes = skeleton.definitions[0].axes
    return len(axes) > 1 and any(axis.slide for axis in axes)


def why_it_stays(skeleton: Skeleton) -> str:
    """Why a figure without a free joint cannot travel, and what to do."""
    root = skeleton.definitions[0]
    if is_planar(skeleton):
        return (
            f"the root {root.name!r} moves along and about {len(root.axes)} axes alone, as in a planar model, so the "
            "figure cannot travel in space; take a model whose root is free (in an MJCF, <freejoint/>)"
        )
    return (
        f"the root {root.name!r} is not free, so the figure cannot travel; use figure.with_root('free'), or --root free"
    )


def carrier_of(skeleton: Skeleton) -> int:
    """The index of the joint that carries the figure: the free one closest to the root whose position is active.

    Where none is active, the free joint closest to the root. Raises PoseError without a free joint.
    """
    free = [j for j, joint in enumerate(skeleton.definitions) if joint.floating]
    if not free:
        raise PoseError(why_it_stays(skeleton))
    return next((j for j in free if skeleton.definitions[j].travels), free[0])


def _up(up: str) -> Array:
    return np.eye(3)["xyz".index(up)]
