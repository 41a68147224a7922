"""The pictures of a report: a column for each clip, a row for each foot, contacts in color."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest

import posable
from posable import PosableError, UnsupportedFileError
from posable.view.charts import COLORS
from posable.view.motion_pages import FilmPanel, Shown, curve_chart, foot_chart, report_film


@cache
def _shown() -> Shown:
    figure = posable.figure("mannequin")
    return Shown(figure, posable.walk(figure, steps=2), "two steps")


def _share(image: np.ndarray, color: str) -> float:
    away = np.abs(image.astype(int) - COLORS[color]).sum(axis=2)
    return float((away < 40).mean())


def test_each_clip_has_a_column_and_each_foot_a_row() -> None:
    one = _shown()
    alone, both = foot_chart([one]), foot_chart([one, one])
    assert both.shape == (alone.shape[0], 2 * alone.shape[1], 3)
    np.testing.assert_array_equal(both[:, : alone.shape[1]], both[:, alone.shape[1] :])
    assert alone.shape[0] == 2 * 300
    assert curve_chart([one]).shape == (3 * 300, 760, 3)
    for color in ("blue", "green", "orange"):
        assert _share(alone, color) > 1e-3


def test_feet_in_the_air_have_no_bars() -> None:
    one = _shown()
    q = np.array(one.clip.q)
    q[:, 2] += 4.0 * one.clip.times  # gliding
    gliding = Shown(one.figure, replace(one.clip, q=q), "gliding")
    assert not gliding.contacts.any.any()
    assert _share(foot_chart([gliding]), "green") < _share(foot_chart([one]), "green")


@pytest.mark.slow
def test_a_film_shows_the_contacts(tmp_path: Path) -> None:
    one = _shown()
    panel = FilmPanel(one, (320, 240), "three_quarter")
    standing = panel.at(0.0)
    bare = posable.picture(one.figure, one.clip.poses[0], size=(320, 240))
    assert _share(standing, "green") > _share(bare, "green")
    short = Shown(one.figure, replace(one.clip, q=one.clip.q[:6]), "short")
    report_film([short, short], tmp_path / "both.mp4", size=(160, 120))
    with av.open(str(tmp_path / "both.mp4")) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height) == (320, 120)
        assert sum(1 for _ in film.decode(stream)) == 6
    with pytest.raises(UnsupportedFileError, match="a film is written as"):
        report_film([one], tmp_path / "film.avi")
    with pytest.raises(PosableError, match="even width and height"):
        report_film([one], tmp_path / "film.mp4", size=(161, 120))
    with pytest.raises(PosableError, match="a film runs at more than 0"):
        report_film([one], tmp_path / "film.mp4", fps=0)
    assert list(tmp_path.iterdir()) == [tmp_path / "both.mp4"]
