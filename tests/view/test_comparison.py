"""Methods side by side: a panel each, the ways drawn where the joints went, a race that ends where the answers are."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from view.drawables import arm

import posable
from posable.errors import PosableError, UnsupportedFileError
from posable.solvers import Compared
from posable.view import comparison_film, comparison_picture
from posable.view.renderer import MOVING
from posable.view.side_by_side import Panels

SIZE = (96, 64)


@pytest.fixture(scope="module")
def raced() -> tuple[posable.Figure, list[posable.Goal], list[Compared]]:
    figure = arm()
    joint = figure.skeleton.joints[-1]
    target = figure.rest.plus(np.full(figure.skeleton.dof, 0.6)).origins[-1]
    goals: list[posable.Goal] = [posable.Reach(joint, target)]
    return figure, goals, posable.compare(figure, goals, ["least-squares", "pseudo-inverse", "dls"], max_iterations=20)


def test_each_method_has_a_panel_in_order(raced, tmp_path: Path) -> None:
    figure, goals, rows = raced
    image = comparison_picture(figure, goals, rows, tmp_path / "paths.png", size=SIZE)
    assert image.shape == (128, 192, 3) and (tmp_path / "paths.png").exists()
    assert comparison_picture(figure, goals, rows, size=SIZE, columns=3).shape == (64, 288, 3)
    assert np.array_equal(comparison_picture(figure, goals, rows[1:2], size=SIZE).shape, (64, 96, 3))
    assert len(np.unique(image[64:, 96:].reshape(-1, 3), axis=0)) <= 2  # nothing stands in the fourth place


def test_what_could_not_be_used_has_no_panel(raced) -> None:
    figure, goals, rows = raced
    refused = Compared("TwoBone", None, refusal="it cannot")
    with_it = comparison_picture(figure, goals, [refused, *rows], size=SIZE)
    assert np.array_equal(with_it, comparison_picture(figure, goals, rows, size=SIZE))
    with pytest.raises(PosableError, match="no method could be used, so there is nothing to draw"):
        comparison_picture(figure, goals, [refused], size=SIZE)


def test_all_step_by_one_clock_and_stay_as_they_ended(raced) -> None:
    figure, goals, rows = raced
    panels = Panels(figure, goals, rows, SIZE, MOVING, "front")
    assert panels.longest == max(len(row.trace.q) for row in rows) - 1
    assert not np.array_equal(panels.panel(1, 1), panels.panel(1, 2))
    short = len(rows[0].trace.q) - 1
    assert np.array_equal(panels.panel(0, short), panels.panel(0, short + 5))


@pytest.mark.slow
def test_the_race_is_filmed(raced, tmp_path: Path) -> None:
    figure, goals, rows = raced
    comparison_film(figure, goals, rows, tmp_path / "race.mp4", size=SIZE)
    with av.open(str(tmp_path / "race.mp4")) as container:
        stream = container.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
    longest = max(len(row.trace.q) for row in rows) - 1
    assert frames[0].shape == (128, 192, 3) and stream.average_rate == 10
    assert len(frames) == 5 + longest + 12
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 50


def test_what_is_wrong_is_said(raced, tmp_path: Path) -> None:
    figure, goals, rows = raced
    with pytest.raises(PosableError, match="a panel of a film needs an even width and height, not 97 × 64"):
        comparison_film(figure, goals, rows, tmp_path / "race.mp4", size=(97, 64))
    with pytest.raises(UnsupportedFileError, match=r"written as \.mp4 or \.gif"):
        comparison_film(figure, goals, rows, tmp_path / "race.avi")
    with pytest.raises(UnsupportedFileError, match=r"written as \.png"):
        comparison_picture(figure, goals, rows, tmp_path / "paths.jpg")
