"""Hands that are free: they go along with the body until somebody moves or holds them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from posable.studio import codec
from posable.studio import commands as c
from posable.studio.command import Command
from posable.studio.session import Session


@pytest.fixture
def session() -> Session:
    return Session()


def places(session: Session, goal: str) -> np.ndarray:
    """Where the joint of a goal really is."""
    document = session.document
    return document.pose.origins[document.figure.skeleton.index(document.goal(goal).joint)]


def moved(session: Session, goal: str, *by: float) -> np.ndarray:
    return np.array(session.document.goal(goal).position) + by


def drag(session: Session, to: np.ndarray, goal: int, steps: int = 5) -> None:
    """A whole gesture, as the page sends it."""
    start = np.array(session.document.goals[goal].position)
    for k in range(1, steps + 1):
        flags = (codec.GESTURE_BEGINS if k == 1 else 0) | (codec.GESTURE_ENDS if k == steps else 0)
        x, y, z = (start + (to - start) * k / steps).tolist()
        session.drag(codec.GoalMessage(goal, flags, k, (x, y, z), (1, 0, 0, 0)))
    session.end_gesture()


def test_a_hand_that_nobody_moved_goes_along_and_stays_where_it_is_put(session: Session) -> None:
    def arm() -> np.ndarray:
        return np.concatenate([session.document.pose.of(name) for name in ("upper_arm_r", "forearm_r")])

    before, hung = places(session, "right hand"), arm()
    drag(session, moved(session, "pelvis", 0, -0.3, -0.15), goal=5)
    assert np.linalg.norm(places(session, "right hand") - before) > 0.15, "the hand hung in the air"
    assert np.abs(arm() - hung).max() < 0.2, "the arm hangs as it did"
    assert np.allclose(session.document.goal("right hand").position, places(session, "right hand"), atol=1e-9)
    drag(session, moved(session, "right hand", 0, 0.2, 0.2), goal=1)
    put = places(session, "right hand")
    drag(session, moved(session, "pelvis", 0, 0.1, 0), goal=5)
    assert np.linalg.norm(places(session, "right hand") - put) < 1e-4, "it stays where it was put"
    session.handle(c.IkFkSwitch("right hand", "free"))
    drag(session, moved(session, "pelvis", 0, -0.1, 0), goal=5)
    assert np.linalg.norm(places(session, "right hand") - put) > 0.05
    session.handle(c.PoseReset())
    assert [goal.loose for goal in session.document.goals] == [True, True, False, False, True, False]


def test_a_hand_dragged_anywhere_and_back_leaves_the_body_as_it_was(session: Session) -> None:
    start, before = np.array(session.document.goals[1].position), session.document.pose
    away = start + np.array([(0, 0, 0), (-0.3, 0.6, 0.3), (0.4, 0.5, 0.4), (0.1, 0.9, -0.1), (0, 0, 0)])
    path = [one + (other - one) * k / 30 for one, other in pairwise(away) for k in range(1, 31)]
    farthest = 0.0
    for k, point in enumerate(path):
        flags = (codec.GESTURE_BEGINS if k == 0 else 0) | (codec.GESTURE_ENDS if k == len(path) - 1 else 0)
        x, y, z = point.tolist()
        session.drag(codec.GoalMessage(1, flags, k + 1, (x, y, z), (1, 0, 0, 0)))
        farthest = max(farthest, float(np.abs(session.document.pose.minus(before)).max()))
    session.end_gesture()
    assert farthest > 1.0
    assert np.abs(session.document.pose.minus(before)).max() < np.radians(3)


@pytest.mark.parametrize("hold", [c.GoalSet("right hand", pinned=True), c.IkFkSwitch("right hand", "ik")])
def test_a_hand_that_is_held_does_not_go_along(session: Session, hold: Command) -> None:
    session.handle(hold)
    before = places(session, "right hand")
    drag(session, moved(session, "pelvis", 0, -0.15, 0), goal=5)
    assert np.linalg.norm(places(session, "right hand") - before) < 1e-4
    q = session.document.pose.q
    assert np.allclose(session.document.pose.clamped().q, q, atol=1e-9)


def test_auto_key_keys_what_was_moved_and_no_hand_that_went_along(session: Session) -> None:
    session.handle(c.AutoKey(True))
    drag(session, moved(session, "left hand", 0, 0.2, 0.3), goal=0)
    assert [goal.name for goal in session.document.goals if goal.keys] == ["left hand"]


def test_a_head_that_nobody_turned_goes_along_and_its_mark_with_it(session: Session) -> None:
    """Whoever sat down looked at the sky, at the height of the eyes of who stands; now the head goes with the neck."""
    head, document = session.document.goal("head"), session.document
    far = np.linalg.norm(np.array(head.position) - places(session, "head"))
    drag(session, moved(session, "pelvis", 0, -0.4, -0.3), goal=5)
    joint = document.figure.skeleton.index(head.joint)
    ahead = session.document.pose.world_from_joint[joint, :3, :3] @ np.array(head.forward)
    assert abs(ahead[1]) < 0.35, "it looks ahead, not up"
    now = session.document.goal("head")
    assert now.loose and np.allclose(now.position, places(session, "head") + far * ahead, atol=1e-6)
    session.handle(c.GoalSet("head", position=(2.0, 1.0, 0.5)))
    turned = session.document.pose.world_from_joint[joint, :3, :3] @ np.array(head.forward)
    towards = np.array([2.0, 1.0, 0.5]) - places(session, "head")
    assert turned @ towards / np.linalg.norm(towards) > 0.999, "moved, it is looked at"
