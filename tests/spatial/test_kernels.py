"""Each compiled formula beside its plain statement."""

from __future__ import annotations

import math

import numpy as np
import pytest
from from_python import CallableKernels
from scipy.spatial.transform import Rotation

from posable.spatial import kernels as compiled
from posable.spatial import random_wxyz

RNG = np.random.default_rng(0)
kernels = CallableKernels(compiled)
TURNS = random_wxyz(RNG, (30, 2))


def turn(wxyz: np.ndarray) -> Rotation:
    return Rotation.from_quat(wxyz, scalar_first=True)


def nine(rotation: Rotation) -> tuple[float, ...]:
    return tuple(rotation.as_matrix().ravel())


@pytest.mark.parametrize("a, b", TURNS)
def test_matrices_and_quaternions(a: np.ndarray, b: np.ndarray) -> None:
    close = {"rtol": 0, "atol": 1e-15}
    vector = RNG.normal(size=3)
    np.testing.assert_allclose(kernels.rotation_of_wxyz(*a), nine(turn(a)), **close)
    np.testing.assert_allclose(
        kernels.multiply_rotations(nine(turn(a)), nine(turn(b))), nine(turn(a) * turn(b)), **close
    )
    np.testing.assert_allclose(kernels.rotate(nine(turn(a)), *vector), turn(a).apply(vector), rtol=0, atol=4e-15)
    np.testing.assert_allclose(
        kernels.rotate_back(nine(turn(a)), *vector), turn(a).inv().apply(vector), rtol=0, atol=4e-15
    )
    np.testing.assert_allclose(nine(turn(np.array(kernels.multiply_wxyz(*a, *b)))), nine(turn(a) * turn(b)), **close)
    np.testing.assert_allclose(
        nine(turn(np.array(kernels.wxyz_of_rotation(nine(turn(a)))))), nine(turn(a)), rtol=0, atol=2e-15
    )
    np.testing.assert_allclose(kernels.cross(*vector, *a[:3]), np.cross(vector, a[:3]), rtol=0, atol=1e-15)
    np.testing.assert_allclose(kernels.log_wxyz(*a), turn(a).as_rotvec(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("angle", [0, 1e-200, 1e-12, 9e-5, 1.1e-4, 1e-3, 1, 3.14, math.pi, 5, 100, 1e6])
def test_turns_about_an_axis(angle: float) -> None:
    axis = np.array([0.48, 0.6, -0.64])
    wanted = Rotation.from_rotvec(angle * axis)
    room = 2e-15 * max(1, angle)
    np.testing.assert_allclose(
        kernels.rotation_about(*axis, math.sin(angle), math.cos(angle)), nine(wanted), rtol=0, atol=room
    )
    wxyz = np.array(kernels.exp_wxyz(*(angle * axis)))
    np.testing.assert_allclose(nine(turn(wxyz)), nine(wanted), rtol=0, atol=room)
    if 0 < angle < 3.1:
        np.testing.assert_allclose(kernels.log_wxyz(*wxyz), angle * axis, rtol=1e-14, atol=0)


@pytest.mark.parametrize("axis", [*np.eye(3), (0.6, 0.8, 0), (0, 0.6, -0.8)])
def test_half_turns_as_quaternions(axis: tuple[float, float, float]) -> None:
    wanted = Rotation.from_rotvec(math.pi * np.array(axis))
    found = turn(np.array(kernels.wxyz_of_rotation(nine(wanted))))
    np.testing.assert_allclose(nine(found), nine(wanted), rtol=0, atol=1e-15)
