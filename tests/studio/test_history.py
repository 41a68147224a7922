"""Undo of several people at once: each takes back what they did themselves."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.session import Session

ANN, BEN = "ann", "ben"
HAND, OTHER = "left hand", "right hand"


@pytest.fixture
def session() -> Session:
    return Session()


def lift(session: Session, goal: str, by: str, up: float = 0.2) -> None:
    """A gesture of one person."""
    number = [one.name for one in session.document.goals].index(goal)
    x, y, z = session.document.goals[number].position
    for k in range(1, 6):
        session.drag(codec.GoalMessage(number, 0, k, (x, y + up * k / 5, z + up * k / 5), (1, 0, 0, 0)), by)
    session.end_gesture(by)


def height(session: Session, goal: str) -> float:
    document = session.document
    return float(document.pose.origins[document.figure.skeleton.index(document.goal(goal).joint), 1])


def test_each_undoes_and_redoes_their_own_last_step(session: Session) -> None:
    start, hung, other_hung = session.document, height(session, HAND), height(session, OTHER)
    lift(session, HAND, ANN)
    lift(session, OTHER, BEN)
    held = session.document.goal(OTHER).position
    session.handle(c.Undo(), ANN)
    assert session.document.goal(HAND).loose and height(session, HAND) < hung + 0.1  # the trunk still leans
    assert session.document.goal(OTHER).position == held and height(session, OTHER) == pytest.approx(held[1], abs=2e-3)
    session.handle(c.Redo(), ANN)
    assert not session.document.goal(HAND).loose and height(session, HAND) > hung + 0.15
    session.handle(c.Undo(), BEN)
    assert height(session, OTHER) < other_hung + 0.06 and height(session, HAND) > hung + 0.15
    session.handle(c.Undo(), ANN)
    assert session.document is start
    assert not session.history.done and len(session.history.undone) == 2


def test_what_a_later_step_of_another_depends_on_is_not_undone(session: Session) -> None:
    lift(session, HAND, ANN)
    lift(session, HAND, BEN, 0.05)
    before = session.document
    with pytest.raises(posable.PosableError, match="another page has changed left hand since; take that back there"):
        session.handle(c.Undo(), ANN)
    assert session.document is before
    session.handle(c.Undo(), BEN)
    session.handle(c.Undo(), ANN)
    assert session.document.goal(HAND).loose
    lift(session, OTHER, BEN)
    with pytest.raises(posable.PosableError, match="nothing to undo: what was done last, other pages did"):
        session.handle(c.Undo(), ANN)


def test_other_fields_things_and_turned_joints_are_taken_back_one_by_one(session: Session) -> None:
    session.handle(b.PropAdd("box"), ANN)
    session.handle(b.PropAdd("sphere"), BEN)
    session.handle(c.TimelineSet(fps=24.0), ANN)
    session.handle(c.OptionsSet(comfort=True), BEN)
    for _ in range(2):
        session.handle(c.Undo(), ANN)
    assert [prop.name for prop in session.document.props] == ["sphere"]
    assert session.document.fps == 30.0 and session.document.options.comfort
    for _ in range(2):
        session.handle(c.Redo(), ANN)
    assert {prop.name for prop in session.document.props} == {"sphere", "box"} and session.document.fps == 24.0


def test_steps_of_a_page_that_has_left_are_everybodys(session: Session) -> None:
    lift(session, HAND, ANN)
    lift(session, OTHER, BEN)
    session.history.release(ANN)
    session.handle(c.Undo(), BEN)
    session.handle(c.Undo(), BEN)
    assert session.document.goal(HAND).loose and not session.history.done


def test_alone_undo_is_exact(session: Session) -> None:
    start = session.document
    for goal in (HAND, OTHER, HAND):
        lift(session, goal, ANN)
    end = session.document
    for _ in range(3):
        session.handle(c.Undo(), ANN)
    assert session.document is start
    for _ in range(3):
        session.handle(c.Redo(), ANN)
    assert session.document is end
    np.testing.assert_array_equal(session.document.pose.q, end.pose.q)


def test_undo_over_keys_leaves_what_another_moved_without_a_key(session: Session) -> None:
    """Where keys play, undo showed the frame anew: the other's drag was thrown back to its key."""
    names = [goal.name for goal in session.document.goals]
    for frame in (0, 30):
        session.handle(c.KeySet(names, frame), ANN)
    lift(session, HAND, ANN)
    lift(session, OTHER, BEN)
    held = session.document.goal(OTHER).position
    lifted = height(session, HAND)
    session.handle(c.Undo(), ANN)
    assert height(session, HAND) < lifted - 0.1
    assert session.document.goal(OTHER).position == held and height(session, OTHER) == pytest.approx(held[1], abs=2e-3)
    session.handle(c.Undo(), BEN)
    assert height(session, OTHER) < held[1] - 0.1
    session.handle(c.Undo(), ANN)
    assert len(session.document.goal(HAND).keys) == 1, "the last key is taken back"
