"""Poses as arrays of rotations, the way motion research keeps them: one rotation a joint, in one of four forms."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from posable.errors import PoseError
from posable.skeleton.placements import coordinates_of, placements
from posable.skeleton.skeleton import Pose, Skeleton
from posable.spatial import (
    Array,
    matrix_from_wxyz,
    normalized,
    rotation_vector_from_wxyz,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
)

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
    q = coordinates_of(skeleton, places.reshape(-1, joints, 3), _from_form(given, form).reshape(-1, joints, 4))
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


def _from_form(given: Array, form: RotationForm) -> Array:
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
