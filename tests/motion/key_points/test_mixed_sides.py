"""Left and right that an estimator mixes up for some frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.motion.key_points import names_of
from posable.motion.key_points.mixed_sides import averaged, with_sides_mended


@pytest.fixture(scope="module")
def told() -> posable.KeyPoints:
    """A person who walks past, seen from ahead and the side, in pixels; points of COCO's names that are joints."""
    figure = posable.figure("mannequin")
    walk = posable.walk(figure, steps=4)
    parts = {
        "shoulder": "upper_arm", "elbow": "forearm", "wrist": "hand", "hip": "thigh", "knee": "shin", "ankle": "foot",
    }  # fmt: skip
    names = [f"{side}_{part}" for part in parts for side in ("left", "right")]
    assert set(names) <= set(names_of("coco17"))
    joints = [figure.skeleton.index(f"{joint}_{side}") for joint in parts.values() for side in "lr"]
    turn = np.array([[np.cos(0.6), 0, np.sin(0.6)], [0, 1, 0], [-np.sin(0.6), 0, np.cos(0.6)]])
    places = walk.poses.origins[:, joints] @ turn.T - (0.0, 1.0, 6.0)
    return posable.KeyPoints(names, (640, 360) + 1000 * places[..., :2] / -places[..., 2:] * (1, -1), walk.fps)


def mixed_up(points: posable.KeyPoints, frames: slice) -> posable.KeyPoints:
    positions = np.array(points.positions)
    positions[frames] = (
        positions[frames].reshape(-1, len(points.names) // 2, 2, 2)[:, :, ::-1].reshape(positions[frames].shape)
    )
    return replace(points, positions=positions)


@pytest.mark.parametrize("frames", [slice(30, 45), slice(50, 51)])
def test_they_are_put_right(told: posable.KeyPoints, frames: slice) -> None:
    points, notes = with_sides_mended(mixed_up(told, frames))
    np.testing.assert_array_equal(points.positions, told.positions)
    assert notes[0].startswith(f"left and right were mixed up in {frames.stop - frames.start} of {len(told)} frames")


def test_gaps_and_people_who_turn_round_are_left_alone(told: posable.KeyPoints) -> None:
    assert with_sides_mended(told) == (told, ())
    assert not with_sides_mended(mixed_up(told, slice(0, 12)))[1]  # one jump does not tell which side of it is wrong
    turned = np.array(told.positions)
    middle = turned[..., :1].mean(axis=1, keepdims=True)
    share = np.cos(np.linspace(0, np.pi, len(turned)))[:, None, None]
    turned[..., :1] = middle + share * (turned[..., :1] - middle)  # the back at last, left where right was
    assert not with_sides_mended(replace(told, positions=turned))[1]
    gone = np.array(mixed_up(told, slice(60, len(told))).positions)
    gone[40:60] = np.nan  # of who comes back after so long nothing is known
    assert not with_sides_mended(replace(told, positions=gone, confidence=None))[1]


def test_the_fit_says_so(told: posable.KeyPoints) -> None:
    few = replace(told, positions=told.positions[:50], confidence=told.weights[:50])
    fit = posable.from_key_points(mixed_up(few, slice(20, 30)))
    same = posable.from_key_points(few)
    assert any("mixed up in 10 of 50 frames" in note for note in fit.notes)
    np.testing.assert_allclose(fit.clip.q, same.clip.q)


def test_sides_that_flicker_are_put_right_in_every_frame(told: posable.KeyPoints) -> None:
    """Half mixed-up frames between sound and mixed-up ones would hide the jumps from a look at neighbours alone."""
    positions, other = np.array(told.positions), mixed_up(told, slice(0, len(told))).positions
    wrong = [*range(30, 41), 42, 44, *range(46, 54)]
    positions[wrong] = other[wrong]
    for half in (41, 54):
        positions[half] = (told.positions[half] + other[half]) / 2
    points, notes = with_sides_mended(replace(told, positions=positions))
    sound = np.setdiff1d(np.arange(len(told)), (41, 54))
    np.testing.assert_array_equal(points.positions[sound], told.positions[sound])
    assert len(notes) == 1


def test_two_estimates_are_averaged_with_the_sides_of_the_first(told: posable.KeyPoints) -> None:
    off = np.random.default_rng(0).normal(0.0, 2.0, told.positions.shape)
    one, other = (replace(told, positions=told.positions + sign * off) for sign in (1, -1))
    found = averaged(mixed_up(one, slice(30, 45)), mixed_up(other, slice(50, 62)))
    np.testing.assert_allclose(found.positions, told.positions)
    first = averaged(one, mixed_up(other, slice(0, 12)))  # which side of one jump is wrong, the second cannot know
    np.testing.assert_allclose(first.positions, told.positions)


def test_what_one_estimate_misses_is_taken_from_the_other(told: posable.KeyPoints) -> None:
    places, sure = np.array(told.positions), np.full(told.weights.shape, 0.4)
    places[10:20, 3], sure[10:20, 3] = np.nan, 0.0
    found = averaged(replace(told, positions=places, confidence=sure), replace(told, confidence=0.8 * told.weights))
    np.testing.assert_allclose(found.positions, told.positions)
    assert found.weights[15, 3] == pytest.approx(0.8)
    assert found.weights[15, 4] == pytest.approx(0.6)
    assert np.isnan(averaged(*2 * [replace(told, positions=places, confidence=sure)]).positions[15, 3]).all()


def test_a_point_of_which_two_estimates_differ_counts_less(told: posable.KeyPoints) -> None:
    places = np.array(told.positions)
    places[5, 2, 0] += 0.1 * np.ptp(places[..., 1])
    found = averaged(told, replace(told, positions=places))
    assert found.weights[5, 2] < 0.3
    assert np.delete(found.weights[5], 2).min() == np.delete(found.weights, 5, axis=0).min() == 1.0
