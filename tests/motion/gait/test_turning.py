"""Turns of many frames: compiled, they are what plain NumPy says."""

from __future__ import annotations

import numpy as np
import pytest

from posable.motion.gait.batch_rotations import about_axis, about_up, about_x, about_z, cross, multiply, rotate
from posable.spatial import matrix_from_wxyz, normalized, wxyz_from_rotation_vector, wxyz_multiply


@pytest.mark.parametrize(
    ("left", "right"), [((7,), (7,)), ((1,), (7,)), ((7,), ()), ((), (7,)), ((), ()), ((5, 1), (5, 3)), ((0,), (1,))]
)
def test_compiled_turns_are_those_of_plain_numpy(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = (normalized(rng.standard_normal((*shape, 4))) for shape in (left, right))
    u, v = rng.standard_normal((*left, 3)), rng.standard_normal((*right, 3))
    for own, plain in (
        (multiply(a, b), wxyz_multiply(a, b)),
        (rotate(a, v), np.einsum("...ij,...j->...i", matrix_from_wxyz(a), v)),
        (cross(u, v), np.cross(u, v)),
    ):
        assert own.shape == plain.shape
        np.testing.assert_allclose(own, plain, atol=1e-14)


def test_turns_about_an_axis_are_exponentials() -> None:
    angles = np.linspace(-3, 3, 12).reshape(4, 3)
    for turn, axis in ((about_x, (1, 0, 0)), (about_up, (0, 1, 0)), (about_z, (0, 0, 1))):
        plain = wxyz_from_rotation_vector(angles[..., None] * np.array(axis))
        np.testing.assert_allclose(turn(angles), plain, atol=1e-15)
        np.testing.assert_allclose(about_axis(np.array(axis, float), angles), plain, atol=1e-15)
