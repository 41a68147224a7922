"""Rotations and rigid transforms: arrays only."""

from posable.spatial.rotations import (
    IDENTITY_WXYZ,
    Array,
    euler_from_matrix,
    matrix_from_wxyz,
    normalized,
    random_wxyz,
    rotation_vector_from_wxyz,
    slerp,
    wxyz_about,
    wxyz_between,
    wxyz_from_euler,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)
from posable.spatial.transforms import apply_transform, rigid_inverse, transform

__all__ = [
    "IDENTITY_WXYZ",
    "Array",
    "apply_transform",
    "euler_from_matrix",
    "matrix_from_wxyz",
    "normalized",
    "random_wxyz",
    "rigid_inverse",
    "rotation_vector_from_wxyz",
    "slerp",
    "transform",
    "wxyz_about",
    "wxyz_between",
    "wxyz_from_euler",
    "wxyz_from_matrix",
    "wxyz_from_rotation_vector",
    "wxyz_inverse",
    "wxyz_multiply",
]
