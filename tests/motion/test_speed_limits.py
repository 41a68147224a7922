"""Limits of speed in whole-clip solves, and the hinges of robots that keep them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable import Clip
from posable.motion.transfer.limb_joints import SPEED
from posable.motion.whole_clip.speed_limits import SpeedLimits
from posable.skeleton import Axis, Joint, Skeleton


def test_gradient_and_matrix_are_the_derivatives_of_the_penalty() -> None:
    rng = np.random.default_rng(5)
    limits = SpeedLimits.of(rng.normal(size=(6, 2)), np.array([0, 2]), np.array([0.5, np.inf, 0.3]))
    c, step = rng.normal(size=(2, 6, 3))
    active = limits.active(c)
    gradient, diagonal, below = np.zeros((3, 6, 3))
    limits.add_to(c, active, gradient, diagonal, below)
    small = 1e-6
    rise = (limits.costs(c + small * step).sum() - limits.costs(c - small * step).sum()) / (2 * small)
    assert np.abs(active).sum() > 3
    assert np.sum(gradient * step) == pytest.approx(rise, rel=1e-7)
    product = diagonal * step
    product[1:] += below[:-1] * step[:-1]
    product[:-1] += below[:-1] * step[1:]
    after = np.zeros((6, 3))
    limits.add_to(c + step, active, after, np.zeros((6, 3)), np.zeros((6, 3)))
    np.testing.assert_allclose(product, after - gradient, atol=1e-9)


def test_what_no_limit_holds_costs_nothing() -> None:
    limits = SpeedLimits.of(np.ones((4, 2)), np.array([0, 1]), np.full(2, np.inf))
    assert not limits.costs(np.random.default_rng(0).normal(size=(4, 2))).any()


def test_the_worth_of_other_signs_is_what_the_penalty_with_the_taken_ones_is_off() -> None:
    rng = np.random.default_rng(6)
    limits = SpeedLimits.of(rng.normal(size=(6, 2)), np.array([0, 1]), np.array([0.5, 0.3]))
    c = rng.normal(size=(6, 2))
    found = limits.active(c)
    np.testing.assert_array_equal(found, np.sign(limits.excess(c)))
    assert limits.worth(c, found, found) == 0.0
    assert limits.worth(c, np.zeros_like(found), found) == pytest.approx(limits.costs(c).sum())


def test_a_leap_begins_earlier_and_ends_later_and_does_not_lag() -> None:
    skeleton = Skeleton([Joint("a", axes=(Axis((0.0, 0.0, 1.0), name="z"),))])
    q = np.repeat([-1.0, 1.0], 20)[:, None]
    found = posable.motion.solve_clip(Clip(skeleton, q, 10.0), [], smooth=0.0, speed=4.0, tolerance=1e-9).clip.q[:, 0]
    assert np.abs(np.diff(found)).max() < 0.4 * 1.001
    np.testing.assert_allclose(found, -found[::-1], atol=1e-9)  # the same with time reversed
    np.testing.assert_allclose(found[[0, 16, 23, 39]], [-1.0, -1.0, 1.0, 1.0], atol=1e-3)


@pytest.mark.parametrize("speed", [-1.0, np.nan])
def test_a_speed_is_no_less_than_nothing(speed: float) -> None:
    skeleton = Skeleton([Joint("a", axes=(Axis((0.0, 0.0, 1.0), name="z"),))])
    with pytest.raises(posable.GoalError, match="speed is a number of at least 0"):
        posable.motion.solve_clip(Clip(skeleton, np.zeros((3, 1)), 30.0), [], speed=speed)


def test_no_hinge_of_a_robot_is_faster_than_its_motors_though_the_recording_is() -> None:
    walk = posable.load(posable.sample("walk.bvh")).clips[0]
    hurried = replace(walk, fps=4 * walk.fps)
    robot = posable.load(posable.sample("g1.urdf"), root="free")
    found = posable.motion.retargeting(hurried, robot)
    copied, own = (np.abs(np.diff(clip.q[:, 7:], axis=0)).max() * clip.fps for clip in (found.copy, found.clip))
    assert copied > 1.2 * SPEED
    assert own < 1.01 * SPEED
