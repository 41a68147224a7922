"""A joint's coordinates from where its frame is seen to be: the inverse of a joint's motion, for every kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.skeleton.joint import Joint
from posable.skeleton.skeleton import Pose, Skeleton
from posable.skeleton.tables import Tables
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    normalized,
    rigid_inverse,
    rotation_vector_from_wxyz,
    wxyz_about,
    wxyz_from_matrix,
    wxyz_inverse,
    wxyz_multiply,
)
from posable.spatial.marquardt import Dense, Indices, linearized, minimise_each

_STARTS = 12
_STEPS = 25
_BLOCK = 512
_LEFT_OVER = 1e-4


def placements(pose: Pose) -> tuple[Array, Array]:
    """Joints' frames in their parents', for poses `[frame]`: position `[frame, joint, 3]`, wxyz `[frame, joint, 4]`."""
    parents = pose.skeleton.parents
    positions, turns = [], []
    for start in range(0, len(pose), _BLOCK):
        world = pose[start : start + _BLOCK].world_from_joint
        above = np.where((parents >= 0)[:, None, None], world[:, parents], np.eye(4))
        local = rigid_inverse(above) @ world
        positions.append(local[..., :3, 3])
        turns.append(wxyz_from_matrix(local[..., :3, :3]))
    return np.concatenate(positions), np.concatenate(turns)


def note_left_over(what: str, skeleton: Skeleton, q: Array, wanted: tuple[Array, Array], notes: list[str]) -> None:
    """Note the joints whose kind cannot stand where their frames `wanted` (position, wxyz) are: they stand nearby."""
    narrow = [j for j, joint in enumerate(skeleton.definitions) if not joint.has_quaternion]
    if not narrow:
        return
    position, wxyz = placements(Pose(skeleton, q))
    far = np.linalg.norm(position - wanted[0], axis=-1).max(axis=0) / skeleton.reach
    turned = np.abs(wxyz_multiply(wxyz_inverse(wanted[1]), wxyz)[..., 1:]).max(axis=(0, 2))
    names = [skeleton.joints[j] for j in narrow if max(far[j], turned[j]) > _LEFT_OVER]
    if names:
        notes.append(
            f"{what}: {', '.join(names[:6])} cannot go where the file puts them; what their kind cannot do is left out"
        )


def coordinates_of(skeleton: Skeleton, position: Array, wxyz: Array) -> Array:
    """`q [frame, coordinates]` of joints by their frames in their parents': position `[frame, joint, 3]`, wxyz too.

    Exact for fixed, ball and free joints and single axes (turns within ±π of the frame before, inside the limits
    where a whole turn more or less does that); several axes by descents from several starts.
    """
    first = skeleton.tables.first_coordinate
    q = np.tile(skeleton.rest_coordinates, (len(position), 1))
    for j, joint in enumerate(skeleton.definitions):
        own = slice(int(first[j]), int(first[j + 1]))
        if joint.floating:
            q[:, own] = np.concatenate([position[:, j], wxyz[:, j]], axis=1)
        elif joint.has_quaternion:
            q[:, own] = wxyz_multiply(wxyz_inverse(normalized(joint.wxyz)), wxyz[:, j])
        elif joint.dof:
            back = wxyz_inverse(normalized(joint.wxyz))
            moved = (position[:, j] - np.array(joint.position)) @ matrix_from_wxyz(back).T
            _fill(skeleton.tables, j, joint, _axis_values(joint, moved, wxyz_multiply(back, wxyz[:, j])), q)
    return q


def _fill(t: Tables, j: int, joint: Joint, values: Array, q: Array) -> None:
    """Coordinates from axis values [frame, axis]: value = gain · q + gain2 · q2 + shift, solved for q."""
    for k, axis in enumerate(joint.axes):
        if axis.follow is None:
            a = int(t.first_axis[j]) + k
            own = (values[:, k] - t.gain2[a] * q[:, t.axis_coordinate2[a]] * (t.gain2[a] != 0) - t.shift[a]) / t.gain[a]
            q[:, t.axis_coordinate[a]] = own if axis.slide else _within(np.unwrap(own), axis.lower, axis.upper)


def _within(angles: Array, lower: float, upper: float) -> Array:
    """Angles moved by whole turns so that as many as can be lie within the limits."""
    shifts = 2 * np.pi * np.arange(-2, 3)
    outside = [
        np.maximum(lower - (angles + s), 0).sum() + np.maximum(angles + s - upper, 0).sum() + 1e-9 * abs(s)
        for s in shifts
    ]
    return angles + shifts[int(np.argmin(outside))]


def _axis_values(joint: Joint, moved: Array, turned: Array) -> Array:
    """`[frame, axis]` from the motion's translation `[frame, 3]` and rotation `[frame, 4]` in the rest frame."""
    if len(joint.axes) == 1:
        direction = np.array(joint.axes[0].direction)
        if joint.axes[0].slide:
            return (moved @ direction)[:, None]
        return 2 * np.arctan2(turned[:, 1:] @ direction, turned[:, 0])[:, None]
    rng = np.random.default_rng(0)
    best, error = _descended(joint, moved, turned, np.zeros((len(moved), len(joint.axes))))
    for _ in range(_STARTS):
        open_frames = np.flatnonzero(error > 1e-12)
        if not len(open_frames):
            break
        start = rng.uniform(-np.pi, np.pi, (len(open_frames), len(joint.axes)))
        values, left = _descended(joint, moved[open_frames], turned[open_frames], start)
        better = left < error[open_frames]
        best[open_frames[better]], error[open_frames[better]] = values[better], left[better]
    return best


class _Values(NamedTuple):
    """Values of a joint's axes, `[frame, axis]`, for its motion in the rest frame."""

    joint: Joint
    moved_by: Array
    turned: Array

    def linearized(self, values: Array, frames: Indices) -> tuple[Array, Dense]:
        residual, slope = _residual(self.joint, self.moved_by[frames], self.turned[frames], values)
        return linearized(-slope, residual)

    def moved(self, values: Array, step: Array, frames: Indices) -> Array:
        del frames
        return values + step


def _descended(joint: Joint, moved: Array, turned: Array, values: Array) -> tuple[Array, Array]:
    """The best values near `values [frame, axis]`, and the squared error left `[frame]`."""
    problem = _Values(joint, moved, turned)
    values = minimise_each(problem, values, steps=_STEPS, tolerance=1e-14, enough=1e-24)
    return values, np.sum(_residual(joint, moved, turned, values)[0] ** 2, axis=1)


def _residual(joint: Joint, moved: Array, turned: Array, values: Array) -> tuple[Array, Array]:
    """What is left at `values [frame, axis]`, `[frame, 6]` (translation, rotation vector); slope `[frame, 6, axis]`."""
    place, turn = np.zeros((len(values), 3)), np.tile(np.array([1.0, 0, 0, 0]), (len(values), 1))
    lines = []
    for k, axis in enumerate(joint.axes):
        matrix = matrix_from_wxyz(turn)
        direction, anchor = matrix @ np.array(axis.direction), place + matrix @ np.array(axis.anchor)
        lines.append((axis.slide, direction, anchor))
        if axis.slide:
            place = place + values[:, k, None] * direction
        else:
            turn = wxyz_multiply(turn, wxyz_about(axis.direction, values[:, k]))
            place = anchor - matrix_from_wxyz(turn) @ np.array(axis.anchor)
    slope = np.zeros((len(values), 6, len(lines)))
    for k, (slide, direction, anchor) in enumerate(lines):
        slope[:, :3, k] = direction if slide else np.cross(direction, place - anchor)
        slope[:, 3:, k] = 0.0 if slide else direction
    missing = rotation_vector_from_wxyz(wxyz_multiply(turned, wxyz_inverse(turn)))
    return np.concatenate([moved - place, missing], axis=1), slope
