"""Labels that two markers have exchanged are found, named and put right, and none are found in a good recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from motion.markers.label_sets import SETS
from motion.markers.test_label_sets import recorded_person

import posable
from posable.motion.markers import Exchange, Markers
from posable.motion.markers.continuity import followed
from posable.motion.markers.exchanged_labels import exchanges


def _exchanged(markers: Markers, first: str, second: str, frames: slice = slice(None)) -> Markers:
    pair = [markers.labels.index(first), markers.labels.index(second)]
    positions = np.array(markers.positions)
    positions[frames, pair] = positions[frames, pair[::-1]]
    return replace(markers, positions=positions)


def _swinging(frames: int = 60) -> np.ndarray:
    """`[frame, 3, 3]`: three markers 10 cm apart, of which the first two pass each other at 2 cm."""
    time = np.linspace(0, 2 * np.pi, frames)
    start = np.array([[0.0, 0.0, 0.0], [0.1, 0.02, 0.0], [0.2, 0.3, 0.0]])
    path = np.stack([np.sin(time), np.zeros(frames), np.cos(time)], axis=-1)
    return start + 0.3 * path[:, None] * np.array([1.0, -1.0, 0.3])[:, None]


def test_an_exchange_from_one_frame_to_the_next_is_followed() -> None:
    points = _swinging()
    points[20:45, [0, 2]] = points[20:45, [2, 0]]
    source = followed(points, np.ones((60, 3), bool), 1.0, 100.0)
    found = exchanges(source, ("a", "b", "c"))
    assert found == (Exchange(("a", "c"), 20, 45),)
    assert found[0].text(60) == "labels exchanged in frames 20 to 44: a and c; fitted with them put right"
    assert "in frames 20 to 44 (an end was not found): a" in found[0].text(45)


def test_an_exchange_begins_where_both_markers_stray_from_their_paths_together() -> None:
    """A foot that lands: the exchange was said to begin where it ends, for the whole rest of the recording."""
    points = np.tile([[0.0, 0.0, 0.0], [0.04, 0.0, 0.0], [0.2, 0.3, 0.0]], (40, 1, 1))
    points[:, :, 2] += np.cumsum(np.where(np.arange(40) < 20, 0.1, 0.14))[:, None]
    assert not exchanges(followed(points, np.ones((40, 3), bool), 1.0, 30.0), ("a", "b", "c"))
    points[20:24, [0, 1]] = points[20:24, [1, 0]]
    found = exchanges(followed(points, np.ones((40, 3), bool), 1.0, 30.0), ("a", "b", "c"))
    assert found == (Exchange(("a", "b"), 20, 24),)


def test_an_exchange_begins_where_one_of_the_two_is_not_seen() -> None:
    points, seen = _swinging(), np.ones((60, 3), bool)
    points[20:45, [0, 2]] = points[20:45, [2, 0]]
    seen[20, 2] = seen[45, 0] = False
    found = exchanges(followed(points, seen, 1.0, 100.0), ("a", "b", "c"))
    assert found == (Exchange(("a", "c"), 20, 45),)


def test_three_exchanged_labels_are_one_cycle_and_a_gap_does_not_hide_it() -> None:
    points, seen = _swinging(), np.ones((60, 3), bool)
    points[30:] = points[30:, [2, 0, 1]]
    seen[28:30, 1] = False
    (found,) = exchanges(followed(points, seen, 1.0, 100.0), ("a", "b", "c"))
    assert (found.start, found.end) == (30, 60)
    assert set(found.labels) == {"a", "b", "c"}


def test_markers_that_pass_each_other_or_jump_alone_keep_their_labels() -> None:
    points = _swinging()
    points[25, 0] += 0.2
    assert not exchanges(followed(points, np.ones((60, 3), bool), 1.0, 100.0), ("a", "b", "c"))


def test_neighbours_on_a_quick_foot_are_followed(shared: Path) -> None:
    """In one frame of this recording two markers of a foot, 96 mm apart, have exchanged their labels."""
    markers = posable.load_markers(shared / "markers/walkingOptiTrack.c3d")
    some = slice(1900, 2000)
    found = exchanges(followed(markers.positions[some], markers.seen[some], 1.37, markers.fps), markers.labels)
    assert found == (Exchange(("Foot_Marker3", "Foot_Marker5"), 52, 53),)


@pytest.mark.slow
def test_exchanged_labels_are_named_and_put_right(shared: Path) -> None:
    """Exchanged knees were fitted with 16 mm rms throughout, with 32 mm from the middle on."""
    figure = posable.figure("mannequin")
    whole, _ = recorded_person(shared, "07_01", SETS["Plug-in Gait"], 48)
    good = posable.fit_markers(figure, whole, noise=0.0)
    assert good.exchanged == ()
    for first, second, frames in (
        ("LKNE", "RKNE", slice(0, 48)), ("LKNE", "RKNE", slice(20, 48)), ("LASI", "RASI", slice(0, 48)),
        ("LANK", "LHEE", slice(10, 30)),
    ):  # fmt: skip
        fit = posable.fit_markers(figure, _exchanged(whole, first, second, frames), noise=0.0)
        assert fit.exchanged == (Exchange((first, second), frames.start, frames.stop),)
        assert f"{first} and {second}" in fit.text()
        np.testing.assert_allclose(fit.clip.q, good.clip.q, atol=1e-6)


@pytest.mark.slow
def test_a_marker_that_was_put_back_elsewhere_counts_as_two(shared: Path) -> None:
    whole, _ = recorded_person(shared, "07_01", SETS["Plug-in Gait"], 48)
    positions = np.array(whole.positions)
    thigh = whole.labels.index("LTHI")
    positions[22:25, thigh] = np.nan
    positions[25:, thigh] += (0.0, 0.03, 0.0)
    fit = posable.fit_markers(posable.figure("mannequin"), replace(whole, positions=positions), noise=0.0)
    assert fit.rms < 0.002
    assert fit.labels == (*whole.labels, "LTHI from frame 25")
    first, second = (np.array(fit.attachments[label].offset) for label in ("LTHI", "LTHI from frame 25"))
    assert np.linalg.norm(first - second) == pytest.approx(0.03, abs=0.01)
    assert "LTHI sits" in fit.text()


@pytest.mark.slow
def test_labels_are_kept_where_asked_for(shared: Path) -> None:
    whole, _ = recorded_person(shared, "07_01", SETS["Plug-in Gait"], 40)
    fit = posable.fit_markers(
        posable.figure("mannequin"), _exchanged(whole, "LKNE", "RKNE"), noise=0.0, keep_labels=True
    )
    assert fit.exchanged == ()
    assert fit.rms > 0.01
