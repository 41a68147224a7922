"""Reaching motions: where they start and end, which way they take, how they are spread over time."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

from posable.errors import PosableError
from posable.figures import figure
from posable.goals import LookAt, Orient, Place, Reach
from posable.motion.reaching import Ease, Path, eased, move, reach
from posable.natural import Natural
from posable.skeleton import Pose
from posable.solvers import solve

MANNEQUIN = figure("mannequin")
BELL = np.array([-0.3, 1.35, 0.4])


def hand(pose: Pose) -> np.ndarray:
    return pose.origins[..., pose.skeleton.index("hand_r"), :]


def turned(axis: int, angle: float) -> np.ndarray:
    frame = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    frame[i, i] = frame[j, j] = np.cos(angle)
    frame[i, j], frame[j, i] = -np.sin(angle), np.sin(angle)
    return frame


@pytest.mark.parametrize("path", get_args(Path))
def test_from_the_start_to_the_goal_and_there_it_stays(path: Path) -> None:
    clip = reach(MANNEQUIN.rest, [Reach("hand_r", BELL)], 1.0, path, hold=0.5, frozen=["root"])
    assert (len(clip), clip.fps) == (46, 30)
    assert np.abs(clip.poses[0].minus(MANNEQUIN.rest)).max() < 1e-9
    np.testing.assert_allclose(hand(clip.poses[30:]), np.broadcast_to(BELL, (16, 3)), atol=2e-6)
    assert np.abs(clip.poses.clamped().minus(clip.poses)).max() < 1e-12
    steps = np.abs(clip.poses[1:].minus(clip.poses[:-1]))
    assert steps.max() < 0.25  # rad a frame: nothing jumps
    assert steps[30:].max() < 1e-5


def test_straight_is_straight_at_the_pace_asked_for() -> None:
    clip = reach(MANNEQUIN.rest, [Reach("hand_r", BELL)], 1.0, frozen=["root"])
    way = hand(clip.poses)
    along = BELL - way[0]
    shares = (way - way[0]) @ along / (along @ along)
    np.testing.assert_allclose(way - way[0], shares[:, None] * along, atol=3e-6)
    np.testing.assert_allclose(shares, eased("minimum_jerk", np.linspace(0, 1, 31)), atol=1e-5)


def test_curved_bows_away_from_the_body_by_the_share_asked_for() -> None:
    goals = [Reach("hand_r", BELL)]
    clip = reach(MANNEQUIN.rest, goals, 1.0, "curved", bow=0.1, ease="linear", frozen=["root"])
    way = hand(clip.poses)
    along = BELL - way[0]
    off = way - way[0] - ((way - way[0]) @ along / (along @ along))[:, None] * along
    assert np.linalg.norm(off, axis=1).max() == pytest.approx(0.1 * np.linalg.norm(along), rel=1e-3)
    assert int(np.argmax(np.linalg.norm(off, axis=1))) == 15
    middle = (way[0] + BELL) / 2
    root = MANNEQUIN.rest.origins[0]
    assert np.linalg.norm(way[15] - root) > np.linalg.norm(middle - root)


def test_joints_take_even_parts_of_the_way_to_the_pose_solved_for_once() -> None:
    clip = reach(MANNEQUIN.rest, [Reach("hand_r", BELL)], 1.0, "joints", ease="linear", frozen=["root"])
    steps = clip.poses[1:].minus(clip.poses[:-1])
    np.testing.assert_allclose(steps, np.broadcast_to(steps[0], steps.shape), atol=1e-9)


def test_turns_swing_along_great_arcs_and_the_gaze_with_them() -> None:
    frame = turned(1, 0.5) @ MANNEQUIN.rest.world_from_joint[MANNEQUIN.skeleton.index("hand_r")]
    frame[:3, 3] = BELL
    goals = [Place("hand_r", frame), LookAt("head", (0.6, 1.7, 2.0)), Orient("chest", (1, 0, 0.05, 0))]
    clip = reach(MANNEQUIN.rest, goals, 1.0, ease="linear", frozen=["root"])
    index = MANNEQUIN.skeleton.index("hand_r")
    np.testing.assert_allclose(clip.poses[-1].world_from_joint[index], frame, atol=2e-5)
    turns = clip.poses.world_from_joint[:, index, :3, :3]
    steps = np.arccos(np.clip((np.einsum("fij,fij->f", turns[1:], turns[:-1]) - 1) / 2, -1, 1))
    np.testing.assert_allclose(steps, steps[0], atol=1e-4)
    gaze = clip.poses.world_from_joint[:, MANNEQUIN.skeleton.index("head"), :3, 2]
    swing = np.arccos(np.clip(np.einsum("fi,fi->f", gaze[1:], gaze[:-1]), -1, 1))
    np.testing.assert_allclose(swing, swing.mean(), rtol=0.3)


def test_out_of_reach_it_ends_at_the_nearest_pose() -> None:
    far = [Reach("hand_r", (-3.0, 1.4, 0.5))]
    for natural in (False, True):
        clip = reach(MANNEQUIN.rest, far, 1.0, frozen=["root"], natural=natural)
        end = solve(MANNEQUIN.rest, [*far, *[Natural()] * natural], frozen=["root"]).pose
        assert np.abs(clip.poses[-1].minus(end)).max() < 1e-9
    assert np.abs(clip.poses[1:].minus(clip.poses[:-1])).max() < 0.3


@pytest.mark.parametrize("ease", get_args(Ease))
def test_every_ease_goes_from_start_to_end_and_never_back(ease: Ease) -> None:
    way = eased(ease, np.linspace(0, 1, 101))
    assert (way[0], way[-1]) == (0, 1)
    assert (np.diff(way) > 0).all()
    slow = {"in": (True, False), "out": (False, True), "linear": (False, False)}.get(ease, (True, True))
    assert (way[1] < 0.005, 1 - way[-2] < 0.005) == slow


def test_an_ease_of_ones_own() -> None:
    start = MANNEQUIN.rest.with_joint("forearm_l", 0.0)
    clip = move(start, start.with_joint("forearm_l", 1.0), 1.0, ease=lambda u: u**4, fps=10)
    np.testing.assert_allclose(clip.poses.of("forearm_l")[:, 0], np.linspace(0, 1, 11) ** 4, atol=1e-12)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"path": "crooked"}, "a path is one of straight, curved, joints, not 'crooked'"),
        ({"ease": "bouncy"}, "an ease is one of minimum_jerk, linear, in, out, in_out, or a function, not 'bouncy'"),
        ({"ease": 3}, "or a function, not 3"),
        ({"ease": lambda u: u + 1}, "from 0 at 0 to 1 at 1"),
        ({"seconds": 0}, "a motion takes some seconds, not 0"),
        ({"seconds": float("nan")}, "a motion takes some seconds, not nan"),
        ({"fps": -1}, "at some frames a second, not -1"),
        ({"seconds": 1e9}, "more than 1,000,000 frames"),
    ],
)
def test_refusals(more: dict[str, Any], complaint: str) -> None:
    given = {"seconds": 1.0, "frozen": ["root"], **more}
    with pytest.raises(PosableError, match=complaint):
        reach(MANNEQUIN.rest, [Reach("hand_r", BELL)], **given)
