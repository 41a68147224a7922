"""Hands set one after the other end as hands set together; what was posed otherwise is not drawn back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.opening import document_of
from posable.studio.session import Event, Session

LEFT, RIGHT = "left hand", "right hand"
CHEST = np.array([0.0, 1.28, 0.0])
HANDS = {LEFT: CHEST + np.array([0.1, 0.3, 0.45]), RIGHT: CHEST + np.array([-0.1, 0.3, 0.4])}


@pytest.fixture
def session() -> Session:
    return Session(document_of(posable.figure("mannequin"), "mannequin"))


def _drag(session: Session, goal: str, to: Any, steps: int = 16, by: str | None = None) -> None:
    at = next(k for k, one in enumerate(session.document.goals) if one.name == goal)
    own = session.document.goals[at]
    start = np.array(own.position)
    for share in np.linspace(0.0, 1.0, steps + 1)[1:]:
        x, y, z = (start + share * (np.array(to) - start)).tolist()
        session.drag(codec.GoalMessage(at, 0, 0, (x, y, z), own.rotation), by)
    session.end_gesture(by)


def _rotation(session: Session, joint: str) -> np.ndarray:
    pose = session.document.pose
    return pose.world_from_joint[pose.skeleton.index(joint), :3, :3]


def _degrees(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.degrees(np.arccos(np.clip((np.trace(one.T @ other) - 1) / 2, -1, 1))))


def test_hands_set_in_either_order_leave_the_trunk_alike(session: Session) -> None:
    ends = []
    for order in ((LEFT, RIGHT), (RIGHT, LEFT)):
        one = Session(document_of(posable.figure("mannequin"), "mannequin"))
        for hand in order:
            _drag(one, hand, HANDS[hand])
        ends.append({joint: _rotation(one, joint) for joint in ("chest", "pelvis")})
    for joint in ends[0]:
        assert _degrees(ends[0][joint], ends[1][joint]) < 2.0
    upright = _rotation(session, "chest")
    aside = (ends[0]["chest"] @ upright.T)[:, 1]
    assert abs(np.degrees(np.arctan2(aside[0], aside[1]))) < 2.5  # 7 where each gesture began anew


def test_the_origin_lasts_over_gestures_and_typed_numbers(session: Session) -> None:
    before = session.document
    _drag(session, LEFT, HANDS[LEFT])
    origin = session.document.origin
    assert origin is not None
    assert origin.pose is before.pose
    x, y, z = HANDS[RIGHT].tolist()
    session.handle(c.GoalSet(goal=RIGHT, position=(x, y, z)))
    assert session.document.origin is origin
    assert origin.origin is None  # a chain of all that was would fill the memory


def _turned(session: Session) -> None:
    session.handle(c.JointRotate(joint="chest", rotation=(0.98, 0.199, 0.0, 0.0)))


def _by_hand(session: Session) -> None:
    session.handle(c.GoalSet(goal=LEFT, enabled=False))


def _removed(session: Session) -> None:
    session.handle(c.GoalRemove(goal=RIGHT))


def _frozen(session: Session) -> None:
    session.handle(c.JointFreeze(joint="forearm_l", frozen=True))


def _pinned(session: Session) -> None:
    session.handle(c.GoalSet(goal=LEFT, pinned=True))


@pytest.mark.parametrize("change", [_turned, _by_hand, _removed, _frozen, _pinned])
def test_what_else_poses_or_lets_go_ends_it(session: Session, change: Any) -> None:
    _drag(session, LEFT, HANDS[LEFT])
    change(session)
    assert session.document.origin is None
    posed = session.document.pose
    _drag(session, "pelvis", np.add(session.document.goal("pelvis").position, (0.0, -0.02, 0.0)), 2)
    origin = session.document.origin
    assert origin is not None
    assert origin.pose is posed


@pytest.mark.parametrize("change", [_by_hand, _frozen])
def test_an_arm_by_hand_or_a_frozen_elbow_stays_when_a_hand_is_dragged(session: Session, change: Any) -> None:
    _drag(session, LEFT, HANDS[LEFT])
    change(session)
    elbow = np.array(session.document.pose.of("forearm_l"))
    _drag(session, RIGHT, HANDS[RIGHT])
    np.testing.assert_allclose(session.document.pose.of("forearm_l"), elbow, atol=1e-9)


def test_undo_brings_the_origin_back(session: Session) -> None:
    _drag(session, LEFT, HANDS[LEFT])
    origin = session.document.origin
    _drag(session, RIGHT, HANDS[RIGHT])
    session.handle(c.Undo())
    assert session.document.origin is origin
    session.handle(c.Undo())
    assert session.document.origin is None


@pytest.mark.parametrize("keyed", [False, True])
def test_an_undo_under_what_another_page_did_ends_it(session: Session, keyed: bool) -> None:
    if keyed:
        session.handle(c.KeySet([LEFT], 0))
    _drag(session, LEFT, HANDS[LEFT], 4, "one page")
    _drag(session, RIGHT, HANDS[RIGHT], 4, "another")
    assert session.document.origin is not None
    session.handle(c.Undo(), "one page")
    assert session.document.origin is None


def _origins(events: list[Event]) -> list[dict[str, Any]]:
    return [event for event in events if isinstance(event, dict) and event["event"] == "origin"]


def test_pages_hear_of_it_once(session: Session) -> None:
    session.news()
    rest = session.document.pose.q
    _drag(session, LEFT, HANDS[LEFT])
    assert not session.news()  # it was told at the end of the gesture
    _drag(session, RIGHT, HANDS[RIGHT])
    (told,) = _origins(session.whole())
    np.testing.assert_array_equal(told["coordinates"], rest)
    assert len(told["goals"]) == 7 * len(session.document.goals)
    (ended,) = _origins(session.handle(c.JointRotate(joint="chest", rotation=(0.98, 0.199, 0.0, 0.0))))
    assert ended["coordinates"] == []
