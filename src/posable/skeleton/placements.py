"""Coordinates of joints from their frames; poses as arrays of rotations in one of four forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import PoseError, check_kind
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
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)
from posable.spatial.marquardt import Dense, Indices, linearized, minimise_each

_STARTS = 12
_STEPS = 25
_ROWS = 4096  # frames of joints that are solved together
_BLOCK = 512
_LEFT_OVER = 1e-4


def placements(pose: Pose, parents: NDArray[np.int64] | None = None) -> tuple[Array, Array]:
    """Joints' frames in their parents', for poses `[frame]`: position `[frame, joint, 3]`, wxyz `[frame, joint, 4]`.

    parents: `[joint]` those of another tree, -1 for the world; None is the skeleton's own.
    """
    parents = pose.skeleton.parents if parents is None else parents
    positions, turns = [], []
    for start in range(0, len(pose), _BLOCK):
        world = pose[start : start + _BLOCK].world_from_joint
        above = np.where((parents >= 0)[:, None, None], world[:, parents], np.eye(4))
        local = rigid_inverse(above) @ world
        positions.append(local[..., :3, 3])
        turns.append(wxyz_from_matrix(local[..., :3, :3]))
    return np.concatenate(positions), np.concatenate(turns)


def note_left_over(what: str, skeleton: Skeleton, q: Array, wanted: tuple[Array, Array], notes: list[str]) -> None:
    """Note the joints whose kind cannot reach their frames `wanted` (position, wxyz): they get the nearest ones."""
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

    Exact for fixed, ball and free joints and single axes (angles within ±π of the frame before, inside the limits
    where a multiple of 2π achieves that); several axes by descents from several starts.
    """
    first = skeleton.tables.first_coordinate.tolist()
    columns = np.empty((skeleton.coordinates, len(position)))  # each coordinate stands together until the end
    columns[:] = skeleton.rest_coordinates[:, None]
    q = columns.T
    back = wxyz_inverse(normalized([joint.wxyz for joint in skeleton.definitions]))
    turns = wxyz_multiply(back[:, None], np.eye(4)).swapaxes(1, 2)  # times a quaternion: turned by `back` after it
    alike: dict[tuple[bool, ...], list[_Motion]] = {}
    for j, joint in enumerate(skeleton.definitions):
        own = slice(first[j], first[j + 1])
        if joint.floating:
            q[:, own] = np.concatenate([position[:, j], wxyz[:, j]], axis=1)
        elif joint.has_quaternion:
            np.matmul(turns[j], wxyz[:, j].T, out=columns[own])
        elif joint.dof:
            moved = (position[:, j] - np.array(joint.position)) @ matrix_from_wxyz(back[j]).T
            motion = _Motion(j, joint, moved, wxyz_multiply(back[j], wxyz[:, j]))
            if len(joint.axes) == 1:
                _fill(skeleton.tables, motion, _value_of_one(motion), q)
            else:
                alike.setdefault(tuple(axis.slide for axis in joint.axes), []).append(motion)
    for motions in alike.values():
        count = max(1, _ROWS // len(position))
        for start in range(0, len(motions), count):
            some = motions[start : start + count]
            for motion, values in zip(some, _axis_values(some), strict=True):
                _fill(skeleton.tables, motion, values, q)
    return np.ascontiguousarray(q)


class _Motion(NamedTuple):
    """The motion of a joint in its rest frame: a translation `[frame, 3]` and a rotation `[frame, 4]`."""

    number: int
    joint: Joint
    moved: Array
    turned: Array


def _fill(t: Tables, motion: _Motion, values: Array, q: Array) -> None:
    """Coordinates from axis values [frame, axis]: value = gain · q + gain2 · q2 + shift, solved for q."""
    for k, axis in enumerate(motion.joint.axes):
        if axis.follow is None:
            a = int(t.first_axis[motion.number]) + k
            own = (values[:, k] - t.gain2[a] * q[:, t.axis_coordinate2[a]] * (t.gain2[a] != 0) - t.shift[a]) / t.gain[a]
            q[:, t.axis_coordinate[a]] = own if axis.slide else _within(np.unwrap(own), axis.lower, axis.upper)


def _within(angles: Array, lower: float, upper: float) -> Array:
    """Angles plus multiples of 2π, so that as many as possible lie within the limits."""
    if np.all((lower <= angles) & (angles <= upper)):
        return angles
    shifts = 2 * np.pi * np.arange(-2, 3)
    outside = [
        np.maximum(lower - (angles + s), 0).sum() + np.maximum(angles + s - upper, 0).sum() + 1e-9 * abs(s)
        for s in shifts
    ]
    return angles + shifts[int(np.argmin(outside))]


def _value_of_one(motion: _Motion) -> Array:
    """`[frame, 1]` of a joint with a single axis."""
    axis, direction = motion.joint.axes[0], np.array(motion.joint.axes[0].direction)
    if axis.slide:
        return (motion.moved @ direction)[:, None]
    return 2 * np.arctan2(motion.turned[:, 1:] @ direction, motion.turned[:, 0])[:, None]


def _axis_values(motions: Sequence[_Motion]) -> Array:
    """`[joint, frame, axis]` of joints whose axes slide and rotate in the same order."""
    axes = [motion.joint.axes for motion in motions]
    lines = np.array([[(axis.direction, axis.anchor) for axis in own] for own in axes], float)
    moved = np.concatenate([motion.moved for motion in motions])
    turned = np.concatenate([motion.turned for motion in motions])
    frames = len(moved) // len(motions)
    problem = _Values(tuple(a.slide for a in axes[0]), np.repeat(lines, frames, axis=0), moved, turned)
    rng = np.random.default_rng(0)
    best, error = problem.descended(problem.guess())
    for _ in range(_STARTS):
        still = np.flatnonzero(error > 1e-12)
        if not len(still):
            break
        values, left = problem.of(still).descended(rng.uniform(-np.pi, np.pi, (len(still), len(axes[0]))))
        better = left < error[still]
        best[still[better]], error[still[better]] = values[better], left[better]
    return best.reshape(len(motions), frames, -1)


class _Values(NamedTuple):
    """Values `[item, axis]` of joints' axes, one item for each joint and frame, for their motions in the rest frame.

    lines: direction and anchor `[item, axis, 2, 3]`.
    """

    slides: tuple[bool, ...]
    lines: Array
    moved_by: Array
    turned: Array

    def of(self, items: Indices) -> _Values:
        """The same for some items."""
        return _Values(self.slides, self.lines[items], self.moved_by[items], self.turned[items])

    def linearized(self, values: Array, items: Indices) -> tuple[Array, Dense]:
        residual, slope = self.of(items)._residual(values)
        return linearized(-slope, residual)

    def moved(self, values: Array, step: Array, items: Indices) -> Array:
        del items
        return values + step

    def guess(self) -> Array:
        """The starting values `[item, axis]`: of two rotation axes the angles that fit, if any do; else zeros."""
        values = np.zeros((len(self.turned), len(self.slides)))
        if self.slides == (False, False):
            first, second = self.lines[:, 0, 0], self.lines[:, 1, 0]
            goes = _rotated(self.turned, second)  # the first rotation alone moves the second axis
            sine = np.sum(first * np.cross(second, goes), axis=1)
            beside = np.sum(second * goes, axis=1) - np.sum(first * second, axis=1) * np.sum(first * goes, axis=1)
            values[:, 0] = np.arctan2(sine, beside)
            left = wxyz_multiply(wxyz_about(first, -values[:, 0]), self.turned)
            values[:, 1] = 2 * np.arctan2(np.sum(left[:, 1:] * second, axis=1), left[:, 0])
            values[:, 1] -= 2 * np.pi * np.round(values[:, 1] / (2 * np.pi))
        return values

    def descended(self, values: Array) -> tuple[Array, Array]:
        """The best values near `values [item, axis]`, and their squared error `[item]`."""
        values = minimise_each(self, values, steps=_STEPS, tolerance=1e-14, enough=1e-24, at_once=_ROWS)
        return values, np.sum(self._residual(values)[0] ** 2, axis=1)

    def _residual(self, values: Array) -> tuple[Array, Array]:
        """The residual `[item, 6]` (translation, rotation vector) and its derivative `[item, 6, axis]`."""
        place, turn = np.zeros((len(values), 3)), np.tile(np.array([1.0, 0, 0, 0]), (len(values), 1))
        lines = []
        for k, slide in enumerate(self.slides):
            own, offset = self.lines[:, k, 0], self.lines[:, k, 1]
            direction, anchor = _rotated(turn, own), place + _rotated(turn, offset)
            lines.append((slide, direction, anchor))
            if slide:
                place = place + values[:, k, None] * direction
            else:
                turn = wxyz_multiply(turn, wxyz_about(own, values[:, k]))
                place = anchor - _rotated(turn, offset)
        slope = np.zeros((len(values), 6, len(lines)))
        for k, (slide, direction, anchor) in enumerate(lines):
            slope[:, :3, k] = direction if slide else np.cross(direction, place - anchor)
            slope[:, 3:, k] = 0.0 if slide else direction
        missing = rotation_vector_from_wxyz(wxyz_multiply(self.turned, wxyz_inverse(turn)))
        return np.concatenate([self.moved_by - place, missing], axis=1), slope


def _rotated(wxyz: Array, vectors: Array) -> Array:
    return (matrix_from_wxyz(wxyz) @ vectors[..., None])[..., 0]


RotationForm = Literal["6d", "quaternion", "axis_angle", "matrix"]
_SHAPES = {"6d": (6,), "quaternion": (4,), "axis_angle": (3,), "matrix": (3, 3)}


def rotations_of(pose: Pose, form: RotationForm = "6d") -> tuple[Array, Array]:
    """Return the frame of every joint in its parent's (of a root, in the world) as arrays.

    Args:
        pose: A pose or a batch of poses.
        form: "6d" `[6]`, the first two columns of the matrix one after the other (Zhou et al. 2019); "quaternion" wxyz;
            "axis_angle", a rotation vector in radians; "matrix" `[3, 3]`.

    Returns:
        (rotations `[..., joint, *form]`, positions `[..., joint, 3]`).

    Raises:
        PoseError: If the form is unknown.

    Example:
        >>> rotations, positions = posable.rotations_of(figure.rest, "quaternion")
    """
    _check_form(form)
    check_kind(pose, Pose, "rotations are those of a Pose", "a clip's are clip.poses", PoseError)
    flat = Pose.trusted(pose.skeleton, np.array(pose.q.reshape(-1, pose.q.shape[-1])))
    position, wxyz = placements(flat) if len(flat) else (np.zeros((0, 0, 3)), np.zeros((0, 0, 4)))
    joints = len(pose.skeleton.joints)
    rotations = _in_form(wxyz.reshape(*pose.shape, joints, 4), form)
    return rotations, position.reshape(*pose.shape, joints, 3)


def pose_from_rotations(
    skeleton: Skeleton, rotations: ArrayLike, positions: ArrayLike | None = None, form: RotationForm = "6d"
) -> Pose:
    """Return the pose with such rotations and positions: the inverse of `rotations_of`.

    Rotations that are only nearly rotations (a network's) become the nearest ones, "6d" by Gram–Schmidt. What a joint
    cannot do is left out: a hinge keeps the rotation about its axis.

    Args:
        skeleton: The skeleton.
        rotations: `[..., joint, *form]`, each joint's rotation in its parent's frame.
        positions: `[..., joint, 3]` in the parent's frame, needed where joints slide; those at rest if None.
        form: How rotations are written, as in `rotations_of`.

    Raises:
        PoseError: If shapes do not fit or a number is not finite.

    Example:
        >>> again = posable.pose_from_rotations(figure.skeleton, *posable.rotations_of(figure.rest))
    """
    _check_form(form)
    check_kind(skeleton, Skeleton, "a pose is that of a Skeleton", "a figure's is figure.skeleton", PoseError)
    given = np.asarray(rotations, float)
    joints, last = len(skeleton.joints), _SHAPES[form]
    if given.shape[-1 - len(last) :] != (joints, *last):
        raise PoseError(f"rotations as {form!r} are [..., {joints} joints, {last}], not of shape {given.shape}")
    shape = given.shape[: -1 - len(last)]
    if positions is None:
        places = placements(Pose(skeleton, skeleton.rest_coordinates[None]))[0][0]
    else:
        places = np.asarray(positions, float)
    if places.shape[-2:] != (joints, 3):
        raise PoseError(f"positions are [..., {joints} joints, 3], not of shape {places.shape}")
    try:
        places = np.broadcast_to(places, (*shape, joints, 3))
    except ValueError as problem:
        raise PoseError(f"positions of shape {places.shape} do not fit rotations of shape {given.shape}") from problem
    if not (np.isfinite(given).all() and np.isfinite(places).all()):
        raise PoseError("a rotation or position is not a finite number")
    q = coordinates_of(skeleton, places.reshape(-1, joints, 3), wxyz_of(given, form).reshape(-1, joints, 4))
    return Pose(skeleton, q.reshape(*shape, skeleton.coordinates))


def _check_form(form: str) -> None:
    if form not in _SHAPES:
        raise PoseError(f"rotations are kept as {', '.join(get_args(RotationForm))}, not {form!r}")


def _in_form(wxyz: Array, form: RotationForm) -> Array:
    if form == "quaternion":
        return wxyz
    if form == "axis_angle":
        return rotation_vector_from_wxyz(wxyz)
    matrix = matrix_from_wxyz(wxyz)
    return matrix if form == "matrix" else np.concatenate([matrix[..., 0], matrix[..., 1]], axis=-1)


def wxyz_of(given: Array, form: RotationForm) -> Array:
    """Unit quaternions `[..., 4]` of rotations in one of the forms, the nearest where they are not quite rotations."""
    if form == "quaternion":
        return normalized(given)
    if form == "axis_angle":
        return wxyz_from_rotation_vector(given)
    if form == "matrix":
        u, _, vt = np.linalg.svd(given)
        u[..., 2] *= np.sign(np.linalg.det(u @ vt))[..., None]  # the nearest rotation, never a reflection
        return wxyz_from_matrix(u @ vt)
    x = normalized(given[..., :3])
    y = normalized(given[..., 3:] - np.sum(x * given[..., 3:], axis=-1, keepdims=True) * x)
    return wxyz_from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
