"""Every rotation function against SciPy's."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from posable.spatial import (
    IDENTITY_WXYZ,
    apply_transform,
    euler_from_matrix,
    matrix_from_wxyz,
    normalized,
    random_wxyz,
    rigid_inverse,
    rotation_vector_from_wxyz,
    slerp,
    transform,
    wxyz_about,
    wxyz_between,
    wxyz_from_euler,
    wxyz_from_matrix,
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)

RNG = np.random.default_rng(0)
MANY = random_wxyz(RNG, (200,))
ORDERS = ["".join(letters) for letters in itertools.permutations("xyz")]
SMALL = [0.0, 1e-300, 1e-15, 1e-9, 1e-5, 1e-3, 1.0, 3.0, math.pi - 1e-9, math.pi]


def scipy(wxyz: np.ndarray) -> Rotation:
    return Rotation.from_quat(wxyz, scalar_first=True)


def assert_same_turn(one: np.ndarray, other: Rotation, room: float = 2e-15) -> None:
    np.testing.assert_allclose(matrix_from_wxyz(one), other.as_matrix(), rtol=0, atol=room)
    np.testing.assert_allclose(np.linalg.norm(one, axis=-1), 1, rtol=0, atol=room)


def test_matrices() -> None:
    np.testing.assert_allclose(matrix_from_wxyz(MANY), scipy(MANY).as_matrix(), rtol=0, atol=1e-15)
    back = wxyz_from_matrix(scipy(MANY).as_matrix())
    np.testing.assert_allclose(back, MANY * np.sign(MANY[:, :1]), rtol=0, atol=1e-15)
    assert (back[:, 0] >= 0).all()


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [-1, 2, -3]])
@pytest.mark.parametrize("angle", SMALL)
def test_half_turns_and_tiny_ones(axis: list[float], angle: float) -> None:
    turn = Rotation.from_rotvec(angle * normalized(axis))
    assert_same_turn(wxyz_from_matrix(turn.as_matrix()), turn)
    assert_same_turn(wxyz_about(axis, angle), turn)
    assert_same_turn(wxyz_from_rotation_vector(turn.as_rotvec()), turn)
    vector = rotation_vector_from_wxyz(turn.as_quat(scalar_first=True))
    np.testing.assert_allclose(Rotation.from_rotvec(vector).as_matrix(), turn.as_matrix(), rtol=0, atol=2e-15)
    if 0 < angle < 3.1:
        np.testing.assert_allclose(vector, angle * normalized(axis), rtol=1e-14, atol=0)


def test_products_and_inverses() -> None:
    a, b = MANY[:100], MANY[100:]
    assert_same_turn(wxyz_multiply(a, b), scipy(a) * scipy(b))
    assert_same_turn(wxyz_inverse(a), scipy(a).inv())
    assert wxyz_multiply(a[:, None], b[:7]).shape == (100, 7, 4)


def test_logarithms_are_the_short_way() -> None:
    vectors = rotation_vector_from_wxyz(MANY)
    np.testing.assert_allclose(vectors, scipy(MANY).as_rotvec(), rtol=0, atol=1e-14)
    np.testing.assert_allclose(rotation_vector_from_wxyz(-MANY), vectors, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(rotation_vector_from_wxyz(IDENTITY_WXYZ), [0, 0, 0])


@pytest.mark.parametrize("order", ["x", "zy", *ORDERS, "XYZ", "zxz", "xyzx"])
def test_euler_angles_in(order: str) -> None:
    angles = RNG.uniform(-4, 4, (50, len(order)))
    turn = Rotation.identity(50)
    for letter, column in zip(order.lower(), angles.T, strict=True):
        turn = turn * Rotation.from_euler(letter, column[:, None])
    assert_same_turn(wxyz_from_euler(order, angles), turn)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_out(order: str) -> None:
    angles = euler_from_matrix(order, scipy(MANY).as_matrix())
    np.testing.assert_allclose(angles, scipy(MANY).as_euler(order.upper()), rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [math.pi / 2, -math.pi / 2])
def test_euler_angles_out_where_two_axes_are_one(order: str, middle: float) -> None:
    for first, last in RNG.uniform(-3, 3, (20, 2)):
        matrix = Rotation.from_euler(order.upper(), [first, middle, last]).as_matrix()
        angles = euler_from_matrix(order, matrix)
        assert angles[2] == 0
        np.testing.assert_allclose(Rotation.from_euler(order.upper(), angles).as_matrix(), matrix, rtol=0, atol=1e-9)


def test_slerp() -> None:
    for start, end in zip(MANY[:50], MANY[50:100], strict=True):
        shares = np.array([0, 0.3, 0.5, 1.0])
        theirs = Slerp([0, 1], scipy(np.stack([start, end])))(shares)
        assert_same_turn(slerp(start, end, shares), theirs, 5e-15)
        assert_same_turn(slerp(start, -end, shares), theirs, 5e-15)
    np.testing.assert_allclose(slerp(MANY, MANY, 0.7), MANY, rtol=0, atol=1e-15)


@pytest.mark.parametrize("gap", [0.0, 1e-15, 1e-9, 1e-6, 1e-5, 1.4e-5, 1e-4, 0.1, 1.5, math.pi / 2])
def test_the_smallest_turn_between_directions(gap: float) -> None:
    for _ in range(50):
        a = normalized(RNG.normal(size=3))
        aside = normalized(np.cross(a, RNG.normal(size=3)))
        for angle in (gap, math.pi - gap):
            b = math.cos(angle) * a + math.sin(angle) * aside
            turn = scipy(wxyz_between(3 * a, 0.1 * b))
            np.testing.assert_allclose(turn.apply(a), b, rtol=0, atol=2e-10)
            assert turn.magnitude() == pytest.approx(angle, abs=2e-5)
    np.testing.assert_array_equal(wxyz_between([0, 0, 0], [1, 0, 0]), IDENTITY_WXYZ)


def test_directions_exactly_opposite() -> None:
    for a in np.concatenate([np.eye(3), -np.eye(3), RNG.normal(size=(20, 3))]):
        turn = scipy(wxyz_between(a, -a))
        np.testing.assert_allclose(turn.apply(a), -a, rtol=0, atol=1e-15 * np.linalg.norm(a) * 4)


def test_directions_and_angles_broadcast() -> None:
    assert wxyz_between(np.ones((5, 1, 3)), np.ones((4, 3))).shape == (5, 4, 4)
    assert wxyz_about([0, 0, 2], np.zeros((2, 3))).shape == (2, 3, 4)
    assert transform(np.zeros((5, 1, 3)), MANY[:4]).shape == (5, 4, 4, 4)


def test_normalized_leaves_zero() -> None:
    np.testing.assert_array_equal(normalized([[0, 0, 0], [3, 0, 4]]), [[0, 0, 0], [0.6, 0, 0.8]])


def test_random_rotations_are_uniform() -> None:
    turns = scipy(random_wxyz(np.random.default_rng(1), (4000,)))
    for axis in np.eye(3):
        cosines = turns.apply(axis)  # of a uniform direction every coordinate is uniform in -1 … 1
        counts = np.stack([np.histogram(column, 10, (-1, 1))[0] for column in cosines.T])
        assert np.abs(counts - 400).max() < 5 * math.sqrt(400)
    assert random_wxyz(RNG, (2, 3)).shape == (2, 3, 4)


def test_rigid_transforms() -> None:
    place, points = RNG.normal(size=(200, 3)), RNG.normal(size=(200, 3))
    matrices = transform(place, MANY)
    np.testing.assert_allclose(apply_transform(matrices, points), scipy(MANY).apply(points) + place, rtol=0, atol=1e-14)
    np.testing.assert_allclose(
        rigid_inverse(matrices) @ matrices, np.broadcast_to(np.eye(4), matrices.shape), atol=1e-14
    )
    np.testing.assert_array_equal(transform(), np.eye(4))
    assert not IDENTITY_WXYZ.flags.writeable
