"""What plays: joints that slide, and keys of which one changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.opening import document_of
from posable.studio.session import Session


@pytest.fixture
def session() -> Session:
    return Session()


def played(session: Session) -> posable.Clip:
    clip = session.player.clip(session.document)
    assert clip is not None
    return clip


def test_joints_that_slide_take_their_places_along_when_they_play() -> None:
    session = Session(document_of(posable.figure("telescope"), "telescope"))
    goal = session.document.goals[0]
    session.handle(c.KeySet([goal.name], 0))
    session.handle(c.GoalSet(goal.name, position=(0.0, 60.0, 0.0)))  # pushed in by a third
    events = session.handle(c.KeySet([goal.name], 20))
    message = codec.unpack_clip(next(e for e in events if isinstance(e, bytes)))
    clip = played(session)
    assert message.translations is not None
    translations, rotations = session.nodes.places(clip.poses)
    assert np.abs(message.translations - translations).max() < 1e-5
    assert np.abs(message.rotations - rotations).max() < 1e-5
    assert np.ptp(message.translations[:, 1:], axis=0).max() > 10


def test_a_joint_that_stays_slid_out_is_told_so_too() -> None:
    session = Session(document_of(posable.figure("telescope"), "telescope"))
    goal = session.document.goals[0]
    session.handle(c.GoalSet(goal.name, position=(0.0, 60.0, 0.0)))  # pushed in by a third
    events = session.handle(c.KeySet([goal.name], 0))
    message = codec.unpack_clip(next(e for e in events if isinstance(e, bytes)))
    assert message.translations is not None


def test_a_changed_key_has_only_the_frames_about_it_solved_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[int] = []

    def counting(self: posable.Prepared, start: posable.Pose, *rest: Any) -> posable.Solution:
        solved.append(len(start) if start.shape else 0)
        return plain(self, start, *rest)

    plain = posable.Prepared.solve
    monkeypatch.setattr(posable.Prepared, "solve", counting)
    for frame in (0, 20, 40, 60, 80, 100):
        session.handle(c.TimelineFrame(frame))
        x, y, z = session.document.goal("left hand").position
        session.handle(c.GoalSet("left hand", position=(x, y + 0.05, z + 0.001 * frame)))
        session.handle(c.KeySet(["left hand"], frame))
        session.handle(c.KeyEase([("left hand", frame)], "linear"))
    for command in (c.KeyValue("left hand", 60, weight=0.5), c.Undo()):
        solved.clear()
        session.handle(command)
        assert sum(solved) == 39  # between its neighbours
