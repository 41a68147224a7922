"""Charts: what is drawn is where its numbers are, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from posable.errors import PosableError, UnsupportedFileError
from posable.view import Chart
from posable.view.charts import COLORS


def changed(chart: Chart, before: np.ndarray) -> np.ndarray:
    """`[pixel, 2]` x and y of what is no longer as it was."""
    return np.argwhere((chart.image != before).any(axis=-1))[:, ::-1]


def test_a_dot_is_where_its_numbers_are_and_has_its_color() -> None:
    chart = Chart((-2, 3), (10, 20), (400, 300))
    before = chart.image.copy()
    chart.dots((1.0, 12.5), "red", 6.0)
    x, y = chart.pixels((1.0, 12.5))
    low, high = chart.pixels((-2, 10)), chart.pixels((3, 20))
    np.testing.assert_allclose((x - low[0], low[1] - y), (0.6 * (high[0] - low[0]), 0.25 * (low[1] - high[1])))
    np.testing.assert_allclose(changed(chart, before).mean(axis=0) + 0.5, (x, y), atol=0.3)
    np.testing.assert_allclose(chart.image[int(y), int(x)], COLORS["red"], atol=14)


def test_a_ring_leaves_its_middle_free() -> None:
    chart = Chart((0.1, 0.9), (0.1, 0.9), (300, 300))
    before = chart.image.copy()
    chart.dots((0.52, 0.52), "green", 20.0, hollow=True)
    x, y = chart.pixels((0.52, 0.52)).astype(int)
    assert (chart.image[y, x] == before[y, x]).all()
    assert len(changed(chart, before)) > 50


def test_a_line_ends_at_the_edges() -> None:
    chart = Chart((0, 1), (0, 1), (400, 300))
    before = chart.image.copy()
    chart.line([(-5.0, 0.5), (0.5, 0.5), (0.5, 7.0)], "blue", 4.0)
    where = changed(chart, before)
    (left, bottom), (right, top) = chart.pixels((0, 0)), chart.pixels((1, 1))
    assert (where.min(axis=0) >= (left - 2, top - 2)).all()
    assert (where.max(axis=0) <= (right + 2, bottom + 2)).all()
    assert len(where) > 0.5 * (right - left)


def test_a_field_is_dark_where_it_is_small() -> None:
    chart = Chart((0, 4), (0, 2), (400, 300))
    chart.field(lambda points: points[..., 0] + 10 * points[..., 1])
    light = chart.image.astype(int).sum(axis=-1)
    corner = [light[tuple(chart.pixels(place).astype(int)[::-1])] for place in ((0.1, 0.1), (3.9, 0.1), (3.9, 1.9))]
    assert corner[0] < corner[1] < corner[2]
    inside = chart.image[120:180, 100:300].reshape(-1, 3)
    assert 3 < len(np.unique(inside, axis=0)) < 14


def test_a_pale_field_lets_the_paper_through() -> None:
    plain, full, pale = (Chart((0, 1), (0, 1), (300, 200)) for _ in range(3))
    full.field(lambda points: points[..., 0])
    pale.field(lambda points: points[..., 0], opacity=0.25)
    expected = 0.75 * plain.image.astype(float) + 0.25 * full.image
    np.testing.assert_allclose(pale.image, expected, atol=1)


def test_drawings_keep_their_proportions() -> None:
    chart = Chart((0, 1), (0, 1), (600, 300), alike=True)
    (x, y), origin = chart.pixels((1, 1)), chart.pixels((0, 0))
    assert x - origin[0] == pytest.approx(origin[1] - y)


def test_words_and_titles_are_written() -> None:
    plain, titled = Chart((0, 1), (0, 1)), Chart((0, 1), (0, 1), title="a title", names=("across", "up"))
    assert (plain.image[:18] != titled.image[:18]).any()
    before = titled.image.copy()
    titled.note((0.5, 0.5), "here", "violet")
    where = changed(titled, before)
    assert (np.abs(where.mean(axis=0) - titled.pixels((0.5, 0.5))) < (30, 6)).all()


def test_it_is_saved_as_a_picture(tmp_path: Path) -> None:
    chart = Chart((0, 1), (0, 1), (200, 100))
    chart.save(tmp_path / "chart.png")
    np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "chart.png")), chart.image)
    with pytest.raises(UnsupportedFileError, match=r"a chart is written as \.png"):
        chart.save(tmp_path / "chart.jpg")


def test_misuse_is_refused() -> None:
    with pytest.raises(PosableError, match="from a number to a larger one"):
        Chart((1, 1), (0, 1))
    with pytest.raises(PosableError, match="from a number to a larger one"):
        Chart((0, np.inf), (0, 1))
    with pytest.raises(PosableError, match="'pink' is not a color of a chart; choose from ink"):
        Chart((0, 1), (0, 1)).line([(0, 0), (1, 1)], "pink")
