"""Stepping off: a walk begun from another gait's stand, with feet that stay until they step."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import figure
from posable.motion.feet.contact_detection import contacts
from posable.motion.gait import Gait, walk
from posable.motion.walk_transition import step_off
from posable.skeleton import Pose

PERSON = figure("mannequin")
FEET = [PERSON.skeleton.index(name) for name in ("foot_l", "foot_r")]


@cache
def _stands() -> Pose:
    """How a wide walk with the toes outwards ends."""
    return walk(PERSON, Gait.load("human").with_(width=1.3, toe_out=15.0), steps=2).poses[-1]


@cache
def _clip() -> Clip:
    """A sad walk, begun where the other one stands."""
    sad = walk(PERSON, "sad", steps=3)
    q = np.array(sad.q)
    q[:, :3] += (_stands().q[:3] - q[0, :3]) * (1.0, 0.0, 1.0)
    return replace(sad, q=q)


@cache
def _off() -> Clip:
    return step_off(_stands(), _clip(), figure=PERSON)


def test_it_begins_with_the_pose_and_ends_as_the_clip() -> None:
    np.testing.assert_array_equal(_off().q[0], _stands().q)
    np.testing.assert_array_equal(_off().q[-1], _clip().q[-1])
    assert (len(_off()), _off().fps) == (len(_clip()), _clip().fps)


def test_the_two_stand_differently() -> None:
    apart = _stands().origins[FEET] - _clip().poses[0].origins[FEET]
    assert np.linalg.norm(apart, axis=1).min() > 0.02


def test_a_foot_stays_where_it_stood_until_it_lifts() -> None:
    touching = contacts(_clip(), figure=PERSON)
    soles = touching.soles
    for sole, stands in zip(soles, touching.any, strict=True):
        lifts = int(np.argmin(stands))
        ball = sole.ball_places(_off().poses)[:lifts][:, [0, 2]]
        own = sole.ball_places(_clip().poses)[:lifts][:, [0, 2]]
        moved = np.linalg.norm(ball - ball[0], axis=1).max()
        assert moved < np.linalg.norm(own - own[0], axis=1).max() + 1e-4


def test_nothing_jumps() -> None:
    def most(clip: Clip) -> float:
        return float(np.abs(clip.poses[1:].minus(clip.poses[:-1])[:, 6:]).max())

    assert most(_off()) < most(_clip()) + 0.05


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_it_takes_some_time(seconds: float) -> None:
    with pytest.raises(PosableError, match="stepping off takes some seconds, not"):
        step_off(_stands(), _clip(), seconds)


def test_a_pose_of_another_skeleton_is_refused() -> None:
    with pytest.raises(PosableError, match="the pose is of another skeleton than clip 'sad'; retarget one of them"):
        step_off(figure("snake").rest, _clip())
