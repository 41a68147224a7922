"""Poses copied, pasted, mirrored, kept in the library, and put between keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import commands as c
from posable.studio.records import MessageError
from posable.studio.session import Session
from posable.studio.session_store import open_session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return open_session(None, tmp_path)[0]


def raised(session: Session) -> posable.Pose:
    """The left arm up."""
    session.handle(c.GoalSet("left hand", position=(0.45, 1.5, 0.35)))
    return session.document.pose


def off(session: Session, pose: posable.Pose, *joints: str) -> float:
    """How far the named joints, or all, are from a pose."""
    skeleton = pose.skeleton
    rows = [d for joint in joints or skeleton.joints for d in skeleton.freedom_range(joint)]
    return float(np.abs(session.document.pose.minus(pose)[rows]).max())


def test_a_copied_pose_is_pasted_whole_and_mirrored(session: Session) -> None:
    rest = session.document.pose
    up = raised(session)
    session.handle(c.PoseCopy([]))
    session.handle(c.PoseReset())
    session.handle(c.PosePaste())
    assert off(session, up) < 1e-9 and off(session, rest) > 0.3
    hand = session.document.goal("left hand").position
    session.handle(c.PosePaste(mirror=True))
    assert session.document.goal("right hand").position == pytest.approx((-hand[0], hand[1], hand[2]), abs=1e-4)
    session.handle(c.Undo())
    assert off(session, up) < 1e-9


def test_a_copied_arm_leaves_the_rest_and_goes_to_the_other_side_mirrored(session: Session) -> None:
    up = raised(session)
    session.handle(c.PoseCopy(["left hand"]))
    session.handle(c.PoseReset())
    rest = session.document.pose
    session.handle(c.PosePaste(mirror=True))
    right = ("upper_arm_r", "forearm_r", "hand_r", "clavicle_r")
    others = [joint for joint in rest.skeleton.joints if not joint.endswith("_r")]
    assert off(session, rest, *others) < 1e-9 and off(session, rest, *right) > 0.3
    session.handle(c.PoseReset())
    session.handle(c.PosePaste())
    assert off(session, up, "upper_arm_l", "forearm_l", "hand_l") < 1e-9


def test_the_library_goes_with_the_session(session: Session, tmp_path: Path) -> None:
    up = raised(session)
    session.handle(c.PoseSave("up", ["left hand"], "aGVsbG8="))
    session.handle(c.PoseSave("up", []))
    again = open_session(None, tmp_path)[0]
    assert [(pose.name, pose.picture) for pose in again.document.poses] == [("up", "aGVsbG8="), ("up 2", "")]
    again.handle(c.PoseReset())
    before = again.document.pose
    again.handle(c.PoseApply("up", share=0.5))
    half = again.document.pose
    np.testing.assert_allclose(half.minus(before) * 2, _only(up.minus(before), up, "left hand", again), atol=1e-6)
    again.handle(c.PoseApply("up 2"))
    assert np.abs(again.document.pose.minus(posable.Pose(half.skeleton, up.q))).max() < 1e-6
    again.handle(c.PoseForget("up"))
    assert [pose.name for pose in again.document.poses] == ["up 2"]
    with pytest.raises(posable.PoseError, match="no pose 'up'"):
        again.handle(c.PoseApply("up"))
    with pytest.raises(MessageError, match="base64"):
        again.handle(c.PoseSave("bad", [], "not base64!"))


def _only(step: np.ndarray, pose: posable.Pose, goal: str, session: Session) -> np.ndarray:
    from posable.studio.timeline import owners

    kept = np.zeros_like(step)
    for joint, owner in owners(session.document).items():
        if owner == goal:
            rows = list(pose.skeleton.freedom_range(joint))
            kept[rows] = step[rows]
    return kept


def test_a_pose_in_between_leans_to_the_key_before_or_after(session: Session) -> None:
    every = [goal.name for goal in session.document.goals]
    session.handle(c.KeySet(every, 0))
    session.handle(c.TimelineFrame(20))
    first = session.document.pose
    raised(session)
    session.handle(c.KeySet(every, 20))
    session.handle(c.TimelineFrame(20))
    last = session.document.pose
    session.handle(c.TimelineFrame(10))
    for share, pose in ((0.0, first), (1.0, last)):
        session.handle(c.PoseBetween(share, []))
        assert off(session, pose) < 2e-3, share
    session.handle(c.AutoKey(True))
    session.handle(c.PoseBetween(0.25, ["left hand"]))
    assert [key.frame for key in session.document.goal("left hand").keys] == [0, 10, 20]
    session.handle(c.TimelineFrame(30))
    with pytest.raises(posable.PoseError, match="a key before the frame and one after"):
        session.handle(c.PoseBetween(0.5, []))


def test_nothing_is_pasted_before_something_is_copied(session: Session) -> None:
    with pytest.raises(posable.PoseError, match="no pose was copied yet"):
        session.handle(c.PosePaste())
