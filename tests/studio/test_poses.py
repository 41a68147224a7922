"""Poses copied, pasted, mirrored, kept in the library, and put between keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.skeleton import symmetry_of
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.edits.goals import snapped
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


@pytest.mark.parametrize("by", ["clipboard", "library"])
def test_an_arm_in_ik_goes_to_its_mirrored_place_also_beside_a_trunk_that_leans(session: Session, by: str) -> None:
    """Its joints were mirrored alone: the hand ended as far off as the chest leans."""
    session.handle(c.GoalSet("left hand", position=(0.65, 1.6, 0.2)))
    skeleton, place = session.document.figure.skeleton, np.array(session.document.goal("left hand").position)
    before = session.document.pose
    assert before.world_from_joint[skeleton.index("chest"), 1, 1] < np.cos(np.radians(5.0)), "the trunk leans"
    if by == "clipboard":
        session.handle(c.PoseCopy(["left hand"]))
        session.handle(c.PosePaste(mirror=True))
    else:
        session.handle(c.PoseSave("up", ["left hand"], ""))
        session.handle(c.PoseApply("up", mirror=True))
    goal = session.document.goal("right hand")
    assert goal.acts, "it stays there"
    assert np.allclose(goal.position, place * [-1, 1, 1], atol=1e-6)
    by_hand = Session()
    for name, x in (("left hand", place[0]), ("right hand", -place[0])):
        by_hand.handle(c.GoalSet(name, position=(float(x), *place[1:].tolist())))
    assert off(session, by_hand.document.pose, "root", "spine", "chest") < 1e-3, "the trunk as if it had been put there"
    hands = [session.document.pose.origins[skeleton.index(f"hand_{side}")] for side in "rl"]
    assert np.linalg.norm(hands[0] - goal.position) < 2e-3 and np.linalg.norm(hands[1] - place) < 2e-3
    session.handle(c.Undo())
    assert off(session, before) < 1e-9


def test_a_figure_that_stands_elsewhere_has_its_mirror_with_it(session: Session) -> None:
    session.handle(c.GoalSet("left hand", position=(0.5, 1.4, 0.3)))
    skeleton, q = session.document.figure.skeleton, np.array(session.document.pose.q)
    before = session.document.pose.origins[skeleton.index("hand_l")]
    session.handle(c.PoseCopy(["left hand"]))
    q[:3] += (2.0, 0.0, -1.0)
    moved = replace(session.document, pose=posable.Pose(skeleton, q))
    session.document = replace(moved, goals=tuple(snapped(goal, moved.pose) for goal in moved.goals))
    session.handle(c.PosePaste(mirror=True))
    right = session.document.pose.origins[skeleton.index("hand_r")]
    root = posable.Pose(skeleton, q).origins[0] - (2.0, 0.0, -1.0)
    image = (before - root) * [-1, 1, 1] + root + (2.0, 0.0, -1.0)
    assert np.linalg.norm(right - image) < 0.03, "as far as its hips turn"


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


def test_live_mirror_moves_the_other_side_too(session: Session) -> None:
    """A hand that is dragged or set, with its turn and its elbow; and a joint that is turned by hand."""
    rest = session.document.figure.rest
    session.handle(c.OptionsSet(mirror=True))
    index = [goal.name for goal in session.document.goals].index("left hand")
    turn = session.document.goal("left hand").rotation
    session.drag(codec.GoalMessage(index, codec.ROTATION_GIVEN, 1, (0.5, 1.25, 0.25), turn))
    session.handle(c.GoalPole("left hand", (0.9, 0.7, -0.4)))
    left, right = session.document.goal("left hand"), session.document.goal("right hand")
    assert right.position == pytest.approx((-0.5, 1.25, 0.25), abs=1e-6)
    assert right.pole == pytest.approx((-0.9, 0.7, -0.4), abs=1e-6)
    assert right.rotation_weight == left.rotation_weight == 1.0
    assert session.outcome.distances[:4].max() < 1e-3
    pose, skeleton = session.document.pose, session.document.figure.skeleton
    symmetry, hand = symmetry_of(skeleton), skeleton.index("hand_r")
    image = posable.clips.mirrored(pose, symmetry)
    assert np.abs(image.world_from_joint[hand] - pose.world_from_joint[hand]).max() < 2e-3
    session.handle(c.IkFkSwitch("left hand", "fk"))
    session.handle(c.IkFkSwitch("right hand", "fk"))
    session.handle(c.JointRotate("forearm_l", (0.8, 0.6, 0.0, 0.0)))
    image = posable.clips.mirrored(session.document.pose, symmetry)
    own = list(skeleton.freedom_range("forearm_r"))
    assert np.abs(image.minus(session.document.pose)[own]).max() < 1e-9
    assert np.abs(session.document.pose.minus(rest)[own]).max() > 0.1
    session.handle(c.OptionsSet(mirror=False))
    before = session.document.goal("right foot").position
    session.handle(c.GoalSet("left foot", position=(0.3, 0.2, 0.1)))
    assert session.document.goal("right foot").position == before


def test_a_hand_pasted_on_the_other_side_leaves_goals_that_are_not_met_where_they_were_put(session: Session) -> None:
    session.handle(c.GoalSet("pelvis", position=(0.0, 0.5, -0.9)))
    session.handle(c.GoalSet("left hand", position=(0.35, 0.8, -0.5)))
    before = session.document
    hips = before.pose.origins[before.figure.skeleton.index(before.goal("pelvis").joint)]
    assert np.linalg.norm(hips - before.goal("pelvis").position) > 0.02
    session.handle(c.PoseCopy(["left hand"]))
    session.handle(c.PosePaste(mirror=True))
    after = session.document
    for goal in before.goals:
        if goal.acts and goal.name != "right hand":
            assert after.goal(goal.name).position == pytest.approx(goal.position, abs=1e-6), goal.name
    x, y, z = before.goal("left hand").position
    np.testing.assert_allclose(after.goal("right hand").position, (-x, y, z), atol=0.02)
