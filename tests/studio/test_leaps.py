"""A number that is typed takes a hand as far as a drag does, and the trunk no further after it."""

from __future__ import annotations

import numpy as np
import pytest

from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.document import Document
from posable.studio.edits import apply
from posable.studio.leaps import solved_on_the_way
from posable.studio.session import Session


def chest(session: Session) -> np.ndarray:
    pose = session.document.pose
    return pose.world_from_joint[pose.skeleton.index("chest"), :3, :3]


def drag(session: Session, goal: int, to: tuple[float, float, float], steps: int = 20) -> None:
    start = np.array(session.document.goals[goal].position)
    for k in range(1, steps + 1):
        flags = (codec.GESTURE_BEGINS if k == 1 else 0) | (codec.GESTURE_ENDS if k == steps else 0)
        x, y, z = (start + (np.array(to) - start) * k / steps).tolist()
        session.drag(codec.GoalMessage(goal, flags, k, (x, y, z), (1, 0, 0, 0)))
    session.end_gesture()


@pytest.mark.parametrize("place", [(0.5, 1.58, 0.05), (0.665, 1.464, 0.05), (0.25, 1.9, 0.05), (0.2, 0.4, 0.4)])
def test_a_hand_put_somewhere_by_number_leans_the_trunk_as_a_drag_does(place: tuple[float, float, float]) -> None:
    dragged, typed = Session(), Session()
    drag(dragged, 0, place)
    typed.handle(c.GoalSet("left hand", position=place))
    apart = np.arccos(min((np.trace(chest(dragged).T @ chest(typed)) - 1) / 2, 1.0))
    assert np.degrees(apart) < 3.0
    typed.handle(c.Undo())
    assert not typed.history.done, "one step of undo"


def test_what_goes_a_little_way_is_solved_once_and_what_leaps_on_its_way() -> None:
    session, seen = Session(), list[tuple[float, float, float]]()

    def solved(document: Document, _: Document) -> Document:
        seen.append(document.goal("left hand").position)
        return document

    for by, most in ((0.02, 1), (0.5, 16)):
        seen.clear()
        before = session.document
        x, y, z = before.goal("left hand").position
        moved = b.GoalsMove({"left hand": (x, y + by, z)})
        after = solved_on_the_way(before, apply(before, moved), solved)
        assert 1 <= len(seen) <= most and (len(seen) > 4) == (by > 0.1)
        assert after.goal("left hand").position == (x, y + by, z)
        assert np.all(np.diff([place[1] for place in seen]) > 0)
