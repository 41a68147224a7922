"""How a figure travels over the ground: taken out of a clip, put into it, moved."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.clips.clip import Clip
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
    """Where a figure is on the ground and which way it faces, frame by frame.

    places: `[frame, 3]`, the height 0. headings: `[frame]` rad, about the up axis from how it faces at rest, unwrapped.
    """

    places: Array
    headings: Array

    def world_from_figure(self, up: str) -> Array:
        """`[frame, 4, 4]` from the figure's own ground to the world."""
        out = np.tile(np.eye(4), (len(self.headings), 1, 1))
        out[:, :3, :3] = matrix_from_wxyz(wxyz_about(_up(up), self.headings))
        out[:, :3, 3] = self.places
        return out


def without_root_motion(clip: Clip) -> tuple[Clip, Travel]:
    """(the clip in place: over the origin and facing as at rest, its height kept; the travel taken out).

    `with_root_motion` puts it back. Raises PoseError for a figure whose root cannot move.
    """
    world_from_figure = travel_of(clip.poses)
    turns = wxyz_from_matrix(world_from_figure[:, :3, :3])
    up = _up(clip.skeleton.up)
    travel = Travel(world_from_figure[:, :3, 3], np.unwrap(2 * np.arctan2(turns[:, 1:] @ up, turns[:, 0])))
    return replace(clip, q=moved(clip.poses, rigid_inverse(world_from_figure)).q), travel


def with_root_motion(clip: Clip, travel: Travel) -> Clip:
    """The clip carried along by `travel`, one entry a frame. Raises PoseError for none, or of another length."""
    if not isinstance(travel, Travel):
        raise PoseError(f"travel is a posable.clips.Travel, as without_root_motion gives, not {travel!r}")
    if len(travel.headings) != len(clip):
        raise PoseError(f"the travel has {len(travel.headings)} frames, the clip {len(clip)}")
    return replace(clip, q=moved(clip.poses, travel.world_from_figure(clip.skeleton.up)).q)


def travel_of(pose: Pose) -> Array:
    """`[..., 4, 4]`: where the joint that carries the figure stands on the ground and where it heads, in the world.

    The heading is the turn about the up axis in how far the joint is turned from rest (swing–twist).
    Raises PoseError for a figure whose root cannot move.
    """
    carrier, up = carrier_of(pose.skeleton), _up(pose.skeleton.up)
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
    """The poses moved in the world by rigid `motion [..., 4, 4]`. Raises PoseError if the root cannot move."""
    skeleton, carrier = pose.skeleton, carrier_of(pose.skeleton)
    parent, first = int(skeleton.parents[carrier]), int(skeleton.tables.first_coordinate[carrier])
    above = pose.world_from_joint[..., parent, :, :] if parent >= 0 else np.eye(4)
    new = rigid_inverse(above) @ motion @ pose.world_from_joint[..., carrier, :, :]
    q = np.array(np.broadcast_to(pose.q, (*new.shape[:-2], pose.q.shape[-1])))
    q[..., first : first + 3] = new[..., :3, 3]
    # Turned rather than read from the matrix: the sign of the quaternion stays as it was, and so do its last digits.
    by = wxyz_from_matrix((rigid_inverse(above) @ motion @ above)[..., :3, :3])
    q[..., first + 3 : first + 7] = wxyz_multiply(by, q[..., first + 3 : first + 7])
    return Pose(skeleton, q)


def carrier_of(skeleton: Skeleton) -> int:
    """The free joint nearest to the root: the one that carries the figure about."""
    for j, joint in enumerate(skeleton.definitions):
        if joint.floating:
            return j
    raise PoseError(f"the root {skeleton.joints[0]!r} cannot move; use figure.with_root('free')")


def _up(up: str) -> Array:
    return np.eye(3)["xyz".index(up)]
