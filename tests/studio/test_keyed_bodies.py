"""What a key leaves as it is seen: bodies that followed a hand, free limbs, heels."""

from __future__ import annotations

import numpy as np
import pytest

from posable.studio import commands as c
from posable.studio.session import Session
from posable.studio.timeline import keyed_poses

SEEN = 0.01  # metres
HAND, OTHER = "right hand", "left hand"


@pytest.fixture
def session() -> Session:
    return Session()


def led(session: Session, goal: str, frame: int, *by: float) -> None:
    """Go to a frame and lead the goal from where it is there."""
    session.handle(c.TimelineFrame(frame))
    start = np.array(session.document.goal(goal).position)
    for share in np.linspace(0.1, 1.0, 10):
        x, y, z = (start + share * np.array(by)).tolist()
        session.handle(c.GoalSet(goal, position=(x, y, z)))


def places(session: Session) -> np.ndarray:
    return session.document.pose.origins


def played(session: Session, frame: int) -> np.ndarray:
    clip = session.player.clip(session.document)
    assert clip is not None
    return clip.poses[frame].origins


def off(session: Session, frame: int, seen: np.ndarray) -> float:
    """How far (metres) any joint is at a frame from where it was seen."""
    return float(np.linalg.norm(played(session, frame) - seen, axis=1).max())


def keyed(session: Session, goals: list[str], frame: int) -> np.ndarray:
    """Set keys; where the joints were seen before."""
    seen = places(session)
    session.handle(c.KeySet(goals, frame))
    return seen


def everything(session: Session) -> list[str]:
    return [goal.name for goal in session.document.goals]


@pytest.mark.parametrize("at_first", ["the hand", "all"])
def test_a_body_that_followed_a_hand_stays_as_seen_at_each_of_its_keys(session: Session, at_first: str) -> None:
    keyed(session, [HAND] if at_first == "the hand" else everything(session), 0)
    seen = {}
    for frame, by in ((20, (-0.2, 0.6, 0.3)), (40, (0.4, -0.2, 0.2)), (60, (0.0, -0.6, 0.2))):
        led(session, HAND, frame, *by)
        seen[frame] = keyed(session, [HAND], frame)
    assert np.ptp(np.array(list(seen.values())), axis=0).max() > 0.3
    for frame, there in seen.items():
        assert off(session, frame, there) < SEEN, frame


@pytest.mark.parametrize("at_first", ["the hips", "all"])
def test_who_was_made_to_squat_stays_as_seen_with_heels_and_hanging_arms(session: Session, at_first: str) -> None:
    keyed(session, ["pelvis"] if at_first == "the hips" else everything(session), 0)
    upright = places(session)
    led(session, "pelvis", 30, 0.0, -0.45, 0.0)
    seen = keyed(session, ["pelvis"], 30)
    skeleton = session.document.figure.skeleton
    ankle, arm = skeleton.index(session.document.goal("right foot").joint), skeleton.index("hand_r")
    assert seen[ankle, 1] - upright[ankle, 1] > 0.02, "the heel is up"
    assert upright[arm, 1] - seen[arm, 1] > 0.2, "the arm goes along"
    assert off(session, 30, seen) < SEEN
    session.handle(c.TimelineFrame(30))
    assert np.linalg.norm(places(session) - seen, axis=1).max() < SEEN
    goals = session.document
    for name in ("right foot", HAND):
        joint = skeleton.index(goals.goal(name).joint)
        assert np.allclose(goals.goal(name).position, places(session)[joint], atol=1e-3), "its handle is there"


def test_joints_that_no_key_holds_stand_at_a_frame_as_when_its_last_key_was_set(session: Session) -> None:
    keyed(session, [HAND], 0)
    led(session, HAND, 20, -0.2, 0.6, 0.3)
    keyed(session, [HAND], 20)
    led(session, OTHER, 20, 0.1, 0.7, 0.2)
    seen = keyed(session, [OTHER], 20)
    assert off(session, 20, seen) < 2 * SEEN  # the first arm keeps its joints, and its hand its position


def test_keys_lead_alone_between_the_first_and_the_last_that_hold_a_joint(session: Session) -> None:
    spine = session.document.figure.skeleton.index("chest")
    for frame in (0, 60):
        session.handle(c.TimelineFrame(frame))
        keyed(session, ["pelvis"], frame)
    before = played(session, 30)[spine]
    led(session, HAND, 30, -0.05, 0.25, 0.3)
    seen = keyed(session, [HAND], 30)
    assert np.linalg.norm(seen[spine] - before) > 2e-3, "the chest followed"
    assert np.linalg.norm(played(session, 30)[spine] - before) < 2e-3
    led(session, HAND, 90, 0.2, -0.5, 0.3)
    assert off(session, 90, keyed(session, [HAND], 90)) < SEEN


def test_a_free_hand_is_led_by_its_keys_once_one_of_them_is_edited(session: Session) -> None:
    keyed(session, everything(session), 0)
    led(session, "pelvis", 30, 0.0, -0.3, 0.0)
    keyed(session, ["pelvis"], 30)
    hand = session.document.figure.skeleton.index("hand_l")
    start = np.array(session.document.goal(OTHER).keys[0].position)
    assert np.linalg.norm(played(session, 30)[hand] - start) > 0.1
    x, y, z = (start + np.array((0.0, 0.1, 0.1))).tolist()
    session.handle(c.KeyValue(OTHER, 0, position=(x, y, z)))
    assert np.linalg.norm(played(session, 30)[hand] - (x, y, z)) < 1e-3


def test_a_foot_with_keys_in_two_places_keeps_its_sole_at_them(session: Session) -> None:
    keyed(session, ["pelvis", "right foot"], 0)
    led(session, "right foot", 20, 0.0, 0.0, 0.15)
    keyed(session, ["right foot"], 20)
    session.handle(c.TimelineFrame(40))
    led(session, "pelvis", 40, 0.0, -0.2, 0.1)
    keyed(session, ["pelvis"], 40)
    goal = session.document.goal("right foot")
    joint = session.document.figure.skeleton.index(goal.joint)
    assert np.linalg.norm(played(session, 40)[joint] - goal.keys[1].position) < 2e-3


def test_a_joint_that_is_still_between_two_keys_does_not_swing_back_before_it_moves(session: Session) -> None:
    """A straight knee would bend backwards."""
    joint = session.document.figure.skeleton.index("shin_r")
    keyed(session, ["pelvis"], 0)
    session.handle(c.TimelineFrame(20))
    keyed(session, ["pelvis"], 20)
    led(session, "pelvis", 40, 0.0, -0.5, 0.0)
    keyed(session, ["pelvis"], 40)
    times = np.arange(41) / session.document.fps
    first = session.document.figure.skeleton.tables.first_coordinate
    knee = keyed_poses(session.document, times)[:, first[joint] : first[joint + 1]]
    assert np.abs(knee[:21] - knee[0]).max() < 1e-9
    assert np.linalg.norm(knee[40] - knee[0]) > 0.3
