"""The numbers of a report: on a walk whose steps are known, in any unit, and on what it cannot measure."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import posable
from posable import Clip, Figure, PosableError, PoseError, SkeletonError
from posable.figures.rebuild import scaled
from posable.motion import motion_change, motion_report
from posable.motion.feet import soles
from posable.motion.gait_metrics import jerk_of, knee_bends, leg_curves, self_penetration

GAIT = posable.Gait("even", speed=0.42, step=0.8)


@cache
def _walk() -> tuple[Figure, Clip]:
    figure = posable.figure("mannequin")
    return figure, posable.walk(figure, GAIT, steps=6, fps=60.0, starts=False, stops=False)


def test_a_walk_is_measured_as_it_was_asked_for() -> None:
    figure, clip = _walk()
    found = motion_report(clip, figure=figure)
    assert found.step_length == pytest.approx(0.8 * 0.88, rel=0.03)
    assert found.froude == pytest.approx(0.42, rel=0.01)
    assert found.walk_ratio == pytest.approx(found.step_length / found.cadence)
    assert found.stance_share == pytest.approx(0.642 - 0.1028 * 0.42, abs=0.04)
    assert found.double_support == pytest.approx(2 * found.stance_share - 1, abs=0.03)
    assert found.steps >= 4
    assert found.clearance > found.clearance_least > 0.003
    assert 0.2 < found.pelvis_rise < 0.8
    assert found.feet.skate < 0.01


def test_units_do_not_matter() -> None:
    figure, clip = _walk()
    large = scaled(replace(figure, clips=(clip,), source=None), 100.0)  # type: ignore[arg-type]
    small, big = motion_report(clip, figure=figure), motion_report(large.clips[0], figure=large)
    assert big.leg == pytest.approx(100 * small.leg)
    for one, other in zip(small.measures(), big.measures(), strict=True):
        assert (one.name, one.unit) == (other.name, other.unit)
        if one.name == "froude":  # 0.9 m is a leg in metres, 90 is none: gravity is then a person's
            assert other.value == pytest.approx(one.value, rel=0.05)
            continue
        expected = None if one.value is None else pytest.approx(one.value, rel=1e-3, abs=1e-5)
        assert other.value == expected, one.name


def test_every_measure_has_a_name_a_unit_and_a_meaning_of_its_own() -> None:
    figure, clip = _walk()
    measures = motion_report(clip, figure=figure).measures()
    assert len({one.label for one in measures}) == len(measures)
    assert all(one.help for one in measures)
    labels = " ".join(one.label for one in measures)
    for name in ("GMD skating ratio", "PhysDiff penetrate", "PhysDiff float", "PhysDiff skate", "EDGE PFC"):
        assert name in labels


def test_knees_bend_by_what_they_are_turned() -> None:
    figure = posable.figure("mannequin")
    foot = soles(figure, ["foot_l"])
    q = np.tile(figure.rest.q, (5, 1))
    clip = Clip(figure.skeleton, q, 30.0)
    rest = np.degrees(knee_bends(clip, foot))[0, 0]
    first = figure.skeleton.freedom_range("shin_l")
    turns = np.zeros((5, figure.skeleton.dof))
    axis = first[int(np.argmax([abs(_bend(figure, foot, k) - rest) for k in first]))]
    turns[:, axis] = np.radians([0, 10, 20, 30, 40]) * np.sign(_bend(figure, foot, axis) - rest)
    bent = Clip(figure.skeleton, clip.poses.plus(turns).q, 30.0)
    knees = np.degrees(knee_bends(bent, foot))[0]
    np.testing.assert_allclose(np.diff(knees)[1:], 10.0, atol=1.0)
    curves = leg_curves(bent, foot, posable.roles(figure).forward)
    np.testing.assert_allclose(curves["knee"][0], knees)
    np.testing.assert_allclose(curves["thigh"][0], curves["thigh"][0, 0], atol=1e-9)


def test_toes_up_counts_up_and_thighs_forward() -> None:
    figure = posable.figure("mannequin")
    feet, forward = soles(figure), posable.roles(figure).forward
    for joint, curve, place in (("foot_l", "ankle", feet[0].toe_places), ("thigh_l", "thigh", feet[0].ball_places)):
        for freedom in figure.skeleton.freedom_range(joint):
            turn = np.zeros((5, figure.skeleton.dof))
            turn[:, freedom] = [0.0, 0.05, -0.05, 0.1, -0.1]
            poses = Clip(figure.skeleton, np.tile(figure.rest.q, (5, 1)), 30.0).poses.plus(turn)
            clip = Clip(figure.skeleton, poses.q, 30.0)
            angles = leg_curves(clip, feet, forward)[curve][0]
            moved = place(poses)[:, 1] if joint == "foot_l" else place(poses)[:, 2]
            if np.ptp(angles) > 5:
                assert np.array_equal(np.argsort(angles), np.argsort(moved))
                break
        else:
            pytest.fail(f"nothing turns the {curve}")


def _bend(figure: Figure, foot: tuple, freedom: int) -> float:
    turn = np.zeros(figure.skeleton.dof)
    turn[freedom] = 0.3
    clip = Clip(figure.skeleton, np.tile(figure.rest.plus(turn).q, (4, 1)), 30.0)
    return float(np.degrees(knee_bends(clip, foot))[0, 0])


def test_the_jerk_of_a_cubic_is_six() -> None:
    times = np.arange(20) / 50
    np.testing.assert_allclose(jerk_of(np.stack([times**3, 2 * times**3]), 50.0), [6.0, 12.0])


def test_what_lies_in_itself_is_found() -> None:
    figure = posable.with_capsules(posable.figure("mannequin"))
    still = Clip(figure.skeleton, np.tile(figure.rest.q, (4, 1)), 30.0)
    assert self_penetration(still) == pytest.approx(np.zeros(4), abs=1e-9)
    crossed = figure.rest.q.copy()
    rng = np.random.default_rng(0)
    tangled = Clip(figure.skeleton, np.stack([crossed, *figure.skeleton.random_pose(rng, (5,)).q]), 30.0)
    depths = self_penetration(tangled)
    assert depths[0] == pytest.approx(0.0, abs=1e-9)
    assert depths.max() > 0.01
    grown = scaled(replace(figure, clips=(tangled,)), 10.0).clips[0]
    np.testing.assert_allclose(self_penetration(grown), 10 * depths, atol=1e-7)  # lengths, whatever the unit
    assert np.isnan(self_penetration(_walk()[1])).all()


def test_a_change_is_what_was_changed() -> None:
    figure, clip = _walk()
    same = motion_change(clip, clip, figure=figure)
    assert same.pelvis_p95 == 0
    assert same.joints_rms == pytest.approx(0.0, abs=1e-12)
    assert same.knee_jerk == pytest.approx(1.0)
    turn = np.zeros(figure.skeleton.dof)
    turn[figure.skeleton.freedom_range("head")[0]] = np.radians(4.0)
    turn[0] += 0.01
    moved = motion_change(clip, replace(clip, q=clip.poses.plus(turn).q), figure=figure)
    assert moved.joints_rms == pytest.approx(4.0)
    assert moved.most_turned == "head"
    assert moved.pelvis_p95 == pytest.approx(0.0, abs=0.02)
    assert moved.bones < 1e-12


def test_a_change_does_not_depend_on_the_units_of_either() -> None:
    figure, clip = _walk()
    lower = np.zeros(figure.skeleton.dof)
    lower[1] = -0.02
    lowered = replace(clip, q=clip.poses.plus(lower).q)
    large = scaled(replace(figure, clips=(lowered,)), 100.0).clips[0]
    same, other = (motion_change(clip, one, figure=figure) for one in (lowered, large))
    assert other.pelvis_p95 == pytest.approx(same.pelvis_p95, abs=1e-9)
    assert same.pelvis_p95 > 0.015
    assert (other.joints_rms, other.bones) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_a_wolf_and_a_spider_are_measured(shared) -> None:
    for name in ("Q_Wolf.glb", "Q_Spider.glb"):
        figure = posable.load(shared / "characters" / name)
        found = motion_report(posable.walk(figure, steps=6, fps=60.0), figure=figure)
        assert found.steps > 6
        assert found.step_length > 0
        assert 0.3 < found.stance_share < 0.9


def test_each_refusal_says_what_is_wrong() -> None:
    figure, clip = _walk()
    with pytest.raises(PosableError, match="holds 1 frame, which is not a motion; a report needs at least 4 frames"):
        motion_report(replace(clip, q=clip.q[:1]), figure=figure)
    snake = posable.figure("snake")
    still = Clip(snake.skeleton, np.tile(snake.rest.q, (5, 1)), 30.0)
    with pytest.raises(SkeletonError, match="no legs"):
        motion_report(still, figure=snake)
    with pytest.raises(PoseError, match="belongs to another skeleton than the figure"):
        motion_report(still, figure=figure)
    with pytest.raises(PoseError, match="only clips of one skeleton with as many frames"):
        motion_change(clip, replace(clip, q=clip.q[:-1]))
