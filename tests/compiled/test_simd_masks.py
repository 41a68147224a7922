"""Choices lane by lane, and the functions that branch for single numbers."""

from __future__ import annotations

import math

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.simd_masks import angle_of, bits_of, larger, magnitude, mask_of, select, smaller, square_root
from posable.compiled.views import as_lanes, gather
from posable.spatial import matrix_from_wxyz, wxyz_about
from posable.spatial.kernels import log_of_rotation


@kernel
def choices(a, b, out):
    """What `test_choices` looks at."""
    x, y, result = gather(a, 0, 1), gather(b, 0, 1), as_lanes(out)
    result[0] = select(x < y, x, y)
    result[1] = select((x >= y) & ~(y <= 0.0), 1.0, 2.0)
    result[2] = select((x > 1.0) | (y > 1), x, mask_of_five(y))
    result[3], result[4] = larger(x, y), smaller(x, y)
    result[5] = square_root(magnitude(x))
    return bits_of(x < y), bits_of(mask_of(5))


@inner_kernel
def mask_of_five(y):
    """Zero in lanes 0 and 2."""
    return select(mask_of(5), 0.0, y)


@kernel
def angles(y, x, out):
    """`[COUNT n]` → angles side by side."""
    result = as_lanes(out)
    for i in range(result.shape[0]):
        result[i] = angle_of(gather(y, i * COUNT, 1), gather(x, i * COUNT, 1))


@kernel
def logs(turns, out):
    """`turns [9, COUNT]` → `out [4, COUNT]`."""
    t, result = as_lanes(turns), as_lanes(out)
    x, y, z, c = log_of_rotation((t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8]))
    result[0], result[1], result[2], result[3] = x, y, z, c


@kernel
def one_log(t):
    """The same of one turn."""
    return log_of_rotation((t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8]))


def test_choices() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, COUNT))
    a[3], b[5] = b[3], math.nan
    out = np.empty((6, COUNT))
    below, five = choices(a, b, out)
    np.testing.assert_array_equal(out[0], np.where(a < b, a, b))
    np.testing.assert_array_equal(out[1], np.where((a >= b) & ~(b <= 0), 1.0, 2.0))
    np.testing.assert_array_equal(
        out[2], np.where((a > 1) | (b > 1), a, np.where(np.arange(COUNT) % 2 + np.arange(COUNT) // 4, b, 0.0))
    )
    np.testing.assert_array_equal(out[3:5], [np.fmax(a, b), np.fmin(a, b)])
    np.testing.assert_array_equal(out[5], np.sqrt(np.abs(a)))
    assert below == sum(1 << i for i in range(COUNT) if a[i] < b[i]) and five == 5


def test_angles_to_the_last_digits() -> None:
    rng = np.random.default_rng(1)
    size = 10.0 ** rng.uniform(-12, 12, 20_000)
    exact = rng.uniform(0, math.pi, 20_000)
    exact[:4000] = 10.0 ** rng.uniform(-14, 0, 4000)
    y, x = size * np.sin(exact), size * np.cos(exact)
    y[-16:] = [0, 0, 1, 1, 1e-200, 2, 0, 5, math.sqrt(2) - 1, math.sqrt(2) - 1, 1, 1, 3, 3, 7, 7]
    x[-16:] = [0, -1, 0, 1, 1, -2, 3, -1e-9, 1, -1, math.sqrt(2) - 1, 1 - math.sqrt(2), 1e-3, -1e-3, 16, -16]
    out = np.empty((len(y) // COUNT, COUNT))
    angles(y, x, out)
    np.testing.assert_allclose(out.ravel(), np.arctan2(y, x), rtol=1e-15, atol=0)


def test_logs_of_turns_are_those_of_single_ones() -> None:
    rng = np.random.default_rng(2)
    sizes = np.concatenate(
        [rng.uniform(0, math.pi, 400), 10.0 ** rng.uniform(-12, 0, 200), math.pi - 10.0 ** rng.uniform(-9, 0, 200)]
    )
    axes = rng.normal(size=(len(sizes), 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turns = matrix_from_wxyz(np.array([wxyz_about(axis, size) for axis, size in zip(axes, sizes, strict=True)]))
    turns = np.concatenate([turns.reshape(-1, 9), np.eye(3).reshape(1, 9).repeat(COUNT, 0)])
    for block in turns.reshape(-1, COUNT, 9):
        out = np.empty((4, COUNT))
        logs(np.ascontiguousarray(block.T), out)
        single = np.array([one_log(turn) for turn in block]).T
        np.testing.assert_allclose(out[:3], single[:3], rtol=1e-14, atol=4e-15)
        np.testing.assert_allclose(out[3], single[3], rtol=1e-8, atol=0)  # 1/θ² cancels
    wanted = sizes[:, None] * axes
    for first in range(0, len(sizes), COUNT):
        out = np.empty((4, COUNT))
        logs(np.ascontiguousarray(turns[first : first + COUNT].T), out)
        np.testing.assert_allclose(out[:3].T, wanted[first : first + COUNT], rtol=0, atol=1e-14)
