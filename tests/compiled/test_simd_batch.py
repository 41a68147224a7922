"""Numbers side by side: arithmetic, sine and cosine are those of single numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from posable.compiled.decorators import kernel
from posable.compiled.simd_batch import COUNT, sine_cosine
from posable.compiled.views import as_lanes, gather


@kernel
def sines_and_cosines(angles, out):
    """`angles [COUNT n]` → `out [2, n, COUNT]`, side by side."""
    sines, cosines = as_lanes(out[0]), as_lanes(out[1])
    for i in range(sines.shape[0]):
        sines[i], cosines[i] = sine_cosine(gather(angles, i * COUNT, 1))


@kernel
def single_sine_cosine(angle):
    """The same function of one number."""
    return sine_cosine(angle)


@kernel
def mixture(a, b, out):
    """Lanes, numbers and whole numbers together."""
    x, y, result = gather(a, 0, 1), gather(b, 0, 1), as_lanes(out)
    total = 0.0
    for k in range(3):
        total = total + k * x
    result[0] = -x + 2.0 * y - 3
    result[1] = x * y - 0.5 + total
    result[2] = 1 - x * 1.5


def side_by_side(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    padded = np.resize(angles, -(-len(angles) // COUNT) * COUNT)
    out = np.empty((2, len(padded) // COUNT, COUNT))
    sines_and_cosines(padded, out)
    return out[0].ravel()[: len(angles)], out[1].ravel()[: len(angles)]


def hard_angles() -> np.ndarray:
    """Angles of every size, and the doubles next to quarter turns, where most of the digits cancel."""
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-8, 5, 1500) * rng.choice([-1, 1], 1500)
    quarters = np.concatenate([np.arange(-8, 9), rng.integers(-63_000, 63_000, 1000)]) * (math.pi / 2)
    return np.concatenate([sizes, quarters, np.nextafter(quarters, 0), np.nextafter(quarters, 1e9), [0.0, 1e5, -1e5]])


def test_sine_and_cosine_to_the_last_digits() -> None:
    angles = hard_angles()
    exact = np.sin(angles), np.cos(angles)  # to less than one unit in the last place
    for found, wanted in zip(side_by_side(angles), exact, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=5e-16, atol=0)


def test_far_angles_and_no_numbers_are_those_of_single_numbers() -> None:
    angles = np.array([1e5 + 1, -3e7, 1e22, 1e300, math.inf, -math.inf, math.nan, 0.5])
    sines, cosines = side_by_side(angles)
    np.testing.assert_array_equal(sines[:4], np.sin(angles[:4]))
    np.testing.assert_array_equal(cosines[:4], np.cos(angles[:4]))
    assert np.isnan(sines[4:7]).all() and np.isnan(cosines[4:7]).all()
    assert sines[7] == pytest.approx(math.sin(0.5), rel=3e-16)


def test_single_numbers() -> None:
    assert single_sine_cosine(0.3) == sine_cosine(0.3) == (math.sin(0.3), math.cos(0.3))


def test_arithmetic_with_numbers_of_other_kinds() -> None:
    a, b = np.random.default_rng(1).normal(size=(2, COUNT))
    out = np.empty((3, COUNT))
    mixture(a, b, out)
    np.testing.assert_allclose(out, [-a + 2 * b - 3, a * b - 0.5 + 3 * a, 1 - 1.5 * a], rtol=0, atol=2e-15)
