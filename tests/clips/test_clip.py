"""Clips: between two frames along the shortest way, as SciPy's Slerp goes it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp
from skeleton.samples import arm, random_skeleton

from posable.clips import Clip
from posable.errors import PoseError
from posable.skeleton import Joint, Skeleton

SKELETON = Skeleton([Joint("root", "free"), Joint("ball", "ball", "root")])


def clip(frames: int = 5, fps: float = 10) -> Clip:
    return Clip(SKELETON, SKELETON.random_coordinates(np.random.default_rng(0), (frames,)), fps, "wave")


def test_what_it_tells() -> None:
    c = clip()
    assert (len(c), c.seconds, c.fps, c.name) == (5, 0.4, 10, "wave")
    assert repr(c) == "Clip('wave', 5 frames at 10 fps, 0.40 s)"
    assert c.poses.shape == (5,)
    np.testing.assert_array_equal(c.poses.q, c.q)
    with pytest.raises(ValueError, match="read-only"):
        c.q[0] = 0


def test_between_frames_positions_are_straight_and_rotations_slerp() -> None:
    c = clip()
    frames, times = np.arange(5) / 10, np.random.default_rng(1).uniform(0, 0.4, 200)
    q = c.at(times).q
    for k in range(3):
        np.testing.assert_allclose(q[:, k], np.interp(times, frames, c.q[:, k]), rtol=0, atol=1e-13)
    for first in (3, 7):
        theirs = Slerp(frames, Rotation.from_quat(c.q[:, first : first + 4], scalar_first=True))(times)
        ours = Rotation.from_quat(q[:, first : first + 4], scalar_first=True)
        assert (ours.inv() * theirs).magnitude().max() < 1e-13


def test_at_the_frames_before_and_after() -> None:
    c = clip()
    np.testing.assert_allclose(c.at(np.arange(5) / 10).world_from_joint, c.poses.world_from_joint, rtol=0, atol=1e-13)
    for seconds, frame in ((-1, 0), (-math.inf, 0), (0.4, 4), (99, 4), (math.inf, 4)):
        np.testing.assert_allclose(c.at(seconds).world_from_joint, c.poses[frame].world_from_joint, rtol=0, atol=1e-13)
    assert c.at(0.1).shape == ()
    assert c.at(np.zeros((2, 3))).shape == (2, 3)
    assert c.at([]).shape == (0,)


def test_a_single_frame_stands_still() -> None:
    c = clip(1)
    assert c.seconds == 0
    np.testing.assert_allclose(c.at([0, 0.5, -3]).q, np.broadcast_to(c.q[0], (3, 11)), rtol=0, atol=1e-15)
    assert len(c.resample(60)) == 1


@pytest.mark.parametrize(("fps", "frames"), [(10, 5), (20, 9), (5, 3), (30, 13), (7, 3), (2.5, 2), (1, 1)])
def test_resampling_keeps_the_motion(fps: float, frames: int) -> None:
    c = clip()
    other = c.resample(fps)
    assert (len(other), other.fps, other.name, other.skeleton) == (frames, fps, "wave", SKELETON)
    times = np.arange(frames) / fps
    np.testing.assert_allclose(other.q, c.at(times).q, rtol=0, atol=1e-15)
    assert c.seconds - 1 / fps < other.seconds <= c.seconds + 1e-12


def test_up_and_down_again_is_the_same() -> None:
    skeleton = random_skeleton(np.random.default_rng(2))
    c = Clip(skeleton, skeleton.random_coordinates(np.random.default_rng(3), (6,)), 24)
    again = c.resample(96).resample(24)
    np.testing.assert_allclose(again.poses.world_from_joint, c.poses.world_from_joint, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("q", "fps", "message"),
    [
        (np.zeros((3, 2)), 0, "clip 'x': fps must be above 0, not 0"),
        (np.zeros((3, 2)), math.nan, "fps must be above 0, not nan"),
        (np.zeros((3, 2)), math.inf, "fps must be above 0, not inf"),
        (np.zeros((0, 2)), 30, r"q must be frames × coordinates with at least one frame, not \(0, 2\)"),
        (np.zeros(2), 30, r"at least one frame, not \(2,\)"),
        (np.zeros((2, 2, 2)), 30, r"at least one frame, not \(2, 2, 2\)"),
        (np.zeros((3, 4)), 30, r"a pose of this skeleton has 2 coordinates, not an array of shape \(3, 4\)"),
        ([[0, math.nan]], 30, "a coordinate of joint 'j1' is not a finite number"),
    ],
)
def test_refused(q: Any, fps: float, message: str) -> None:
    with pytest.raises(PoseError, match=message):
        Clip(arm("hinge", 2), q, fps, "x")


def test_refused_times_and_rates() -> None:
    with pytest.raises(PoseError, match="times must be finite numbers of seconds"):
        clip().at([0.1, math.nan])
    for fps in (0, -1, math.inf, math.nan):
        with pytest.raises(PoseError, match="fps must be above 0"):
            clip().resample(fps)
