"""Gaits from recorded walks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Gait, PosableError, walk
from posable.motion import fit_gait
from posable.motion.gait.from_recording import (
    _FITTED,
    Strides,
    curve,
    fitted_curves,
    fitted_quadratics,
    pieces,
    strides_of,
)
from posable.motion.gait.gait import STEP_OF_SPEED, Pace
from posable.motion.gait.planar import quadratic

WALKS = ("cmu_02_01", "cmu_12_01_walk")


def recorded(shared: Path, name: str) -> Strides:
    return strides_of(posable.load(shared / f"mocap/{name}.bvh").clips[0])


def left_out(strides: Strides):
    """(the others, one stride's phase and angles) for each stride."""
    every = pieces(strides)
    for k, one in enumerate(every):
        yield [other for i, other in enumerate(every) if i != k], one


@pytest.fixture(scope="module")
def own() -> tuple[posable.Figure, Gait, Clip]:
    figure = posable.figure("mannequin")
    gait = Gait.load("human").with_(speed=0.4, step=0.75, width=0.7, lean=6.0, arm_swing=25.0, strike=20.0)
    seconds = Pace.of(gait).stride_time * (0.9272291779997037 / 9.81) ** 0.5
    return figure, gait, walk(figure, gait, 6, starts=False, stops=False, fps=40 / seconds)


@pytest.mark.slow
def test_our_own_walk_is_found_again(own: tuple[posable.Figure, Gait, Clip]) -> None:
    figure, gait, clip = own
    found = fit_gait(clip, figure=figure)
    pace = Pace.of(gait)
    wanted = {name: getattr(gait, name) for name in _FITTED} | {"stance": pace.stance}
    off = {name: abs(getattr(found, name) - wanted[name]) / max(1.0, abs(wanted[name])) for name in _FITTED}
    off.pop("arm_out")  # held off the body by the body itself
    assert max(off.values()) < 1e-6, off


@pytest.mark.parametrize("name", WALKS)
def test_step_length_follows_from_speed(shared: Path, name: str) -> None:
    strides = recorded(shared, name)
    step = strides.speed * strides.frames / strides.unit / 2
    assert abs(STEP_OF_SPEED * strides.speed**0.5 / step - 1) < 0.05


@pytest.mark.parametrize("name", WALKS)
def test_harmonics_tell_a_stride_that_was_left_out(shared: Path, name: str) -> None:
    for others, (phase, angles) in left_out(recorded(shared, name)):
        found = fitted_curves(others)
        misses = [curve(found[f"{part}_curve"], phase) for part in ("thigh", "knee", "ankle")]
        rms = np.sqrt(np.mean((np.stack(misses, axis=-1) - np.degrees(angles)) ** 2))
        assert rms <= 3.1


@pytest.mark.parametrize("name", WALKS)
def test_quadratics_tell_a_stride_that_was_left_out(shared: Path, name: str) -> None:
    strides = recorded(shared, name)
    hip, knee = strides.body.legs_scaled()[0].points[:2]
    leg = strides.body.legs_scaled()[0]
    lengths = {"thigh": float(np.hypot(*(knee - hip)[1:])), "shin": knee[1] - leg.tip[1], "foot": leg.tip[2] - knee[2]}
    step = strides.speed * strides.frames / strides.unit / 2
    for others, (phase, angles) in left_out(strides):
        plain = fitted_quadratics(others, step, **lengths)
        start = plain.starts()
        at = np.where(phase < 0.5, phase, phase - 0.5) * 2
        four = [
            quadratic(b, e, *waypoint, at)
            for b, e, waypoint in zip(start, (*start[2:], *start[:2]), plain.waypoints, strict=True)
        ]
        own = np.where((phase < 0.5)[:, None], np.stack(four[:2], axis=-1), np.stack(four[2:], axis=-1))
        wanted = np.stack([angles[:, 0], angles[:, 0] - angles[:, 1]], axis=-1) - np.pi / 2
        assert np.degrees(np.sqrt(np.mean((own - wanted) ** 2))) <= 10.0


def test_other_forms_are_gaits_that_can_be_saved(shared: Path, tmp_path: Path) -> None:
    clip = posable.load(shared / "mocap/cmu_12_01_walk.bvh").clips[0]
    for form in ("curves", "quadratic"):
        gait = fit_gait(clip, form)
        gait.save(tmp_path / "own.toml")
        assert Gait.load(tmp_path / "own.toml") == gait
        assert gait.form == form


@pytest.mark.slow
def test_recorded_angles_walk_on_another_figure(shared: Path) -> None:
    gait = fit_gait(posable.load(shared / "mocap/cmu_12_01_walk.bvh").clips[0], "curves")
    clip = walk(posable.figure("mannequin"), gait, 4, fps=60)
    way = clip.poses.origins[-1, 0, 2] - clip.poses.origins[0, 0, 2]
    assert way == pytest.approx(4 * gait.step * 0.927, rel=0.1)
    again = fitted_curves(pieces(strides_of(walk(posable.figure("mannequin"), gait, 8, fps=60))))
    for part in ("thigh_curve", "knee_curve"):  # the landing is told by other legs, so only sizes can be the same
        before, after = np.array(getattr(gait, part)), np.array(again[part])
        sizes = [np.hypot(numbers[1:7:2], numbers[2:7:2]) for numbers in (before, after)]
        assert np.abs(sizes[0] - sizes[1]).max() < 0.6
        assert abs(before[0] - after[0]) < 0.6


@pytest.mark.slow
def test_the_numbers_of_a_recording_are_those_of_its_walk(shared: Path) -> None:
    clip = posable.load(shared / "mocap/cmu_02_01.bvh").clips[0]
    gait, strides = fit_gait(clip), strides_of(clip)
    assert gait.speed == pytest.approx(strides.speed, rel=0.03)
    assert gait.stance == pytest.approx(0.642 - 0.1028 * strides.speed, abs=0.03)


def test_a_curve_is_the_sum_of_its_waves() -> None:
    phase = np.linspace(0, 1, 9)
    expected = 1 + 2 * np.cos(2 * np.pi * phase) - 3 * np.sin(4 * np.pi * phase)
    np.testing.assert_allclose(curve((1, 2, 0, 0, -3), phase), expected, atol=1e-12)


def test_clips_that_hold_no_walk_are_refused(own: tuple[posable.Figure, Gait, Clip]) -> None:
    figure, _, clip = own
    still = Clip(clip.skeleton, np.repeat(clip.q[:1], 60, axis=0), 30.0)
    with pytest.raises(PosableError, match="the clip holds fewer than two strides of each leg"):
        fit_gait(still)
    with pytest.raises(PosableError, match="form is 'rich', 'curves' or 'quadratic', not 'best'"):
        fit_gait(clip, "best")  # pyright: ignore[reportArgumentType]
    treadmill = clip.q.copy()
    treadmill[:, 2] = 0.0
    with pytest.raises(PosableError, match="the clip does not travel"):
        fit_gait(Clip(figure.skeleton, treadmill, clip.fps))
