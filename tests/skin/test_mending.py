"""Weights as files have them."""

from __future__ import annotations

import numpy as np
import pytest

from posable.errors import SkinError
from posable.skin import mend_weights


def test_good_weights_stay_without_a_word() -> None:
    good = np.random.default_rng(0).dirichlet(np.ones(4), 50)
    mended, notes = mend_weights(good)
    np.testing.assert_allclose(mended, good, rtol=1e-6)
    assert mended.dtype == np.float32 and not notes


def test_bytes_that_miss_1_by_rounding_are_mended_silently() -> None:
    mended, notes = mend_weights(np.array([[254, 0], [128, 128]]) / 255)
    np.testing.assert_allclose(mended, [[1, 0], [0.5, 0.5]], rtol=1e-6)
    assert not notes


@pytest.mark.parametrize(
    ("row", "mended", "notes"),
    [
        ([2, 2], [0.5, 0.5], ["skin 'cape': 1 of 3 vertices had weights that summed to 4 … 4, brought to 1"]),
        ([0, 0], [1, 0], ["skin 'cape': 1 of 3 vertices had no weight and follow their first joint"]),
        ([1, -0.1], [1, 0], ["skin 'cape': 1 of 3 vertices had negative or non-finite weights, taken as 0"]),
        ([np.nan, 1], [0, 1], ["skin 'cape': 1 of 3 vertices had negative or non-finite weights, taken as 0"]),
        (
            [np.inf, -1],
            [1, 0],
            [
                "skin 'cape': 1 of 3 vertices had negative or non-finite weights, taken as 0",
                "skin 'cape': 1 of 3 vertices had no weight and follow their first joint",
            ],
        ),
    ],
)
def test_each_fault_has_its_note(row: list[float], mended: list[float], notes: list[str]) -> None:
    found, said = mend_weights([[1, 0], row, [0.5, 0.5]], "cape")
    np.testing.assert_allclose(found, [[1, 0], mended, [0.5, 0.5]], rtol=1e-6)
    assert said == notes


@pytest.mark.parametrize("weights", [np.zeros((3, 0)), np.zeros(3), [[[1]]]])
def test_refused(weights: object) -> None:
    with pytest.raises(SkinError, match=r"skin 'cape': weights have shape \(.*\), not \(vertices, influences\)"):
        mend_weights(weights, "cape")  # type: ignore[arg-type]


def test_nothing_to_mend() -> None:
    assert mend_weights(np.zeros((0, 4)))[1] == []
