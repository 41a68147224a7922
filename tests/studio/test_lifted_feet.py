"""A foot that is lifted hangs from its ankle, and is flat again on the ground; unless it was turned by hand."""

from __future__ import annotations

import numpy as np
import pytest

from posable.studio import codec
from posable.studio import commands as c
from posable.studio.session import Session

FOOT = 2
"""The left foot's number among the mannequin's goals."""


@pytest.fixture
def session() -> Session:
    return Session()


def drag(
    session: Session, height: float, flags: int, rotation: tuple[float, float, float, float] | None = None
) -> None:
    """The foot to a height above where it is, in steps, as the page sends it."""
    goal, steps = session.document.goals[FOOT], 12
    start, turned = np.array(goal.position), goal.rotation if rotation is None else rotation
    for k in range(1, steps + 1):
        ends = (codec.GESTURE_BEGINS if k == 1 else 0) | (codec.GESTURE_ENDS if k == steps else 0)
        x, y, z = (start + np.array([0.0, height, 0.0]) * k / steps).tolist()
        session.drag(codec.GoalMessage(FOOT, flags | ends, k, (x, y, z), turned))
    session.end_gesture()


def lean(session: Session) -> float:
    """Degrees by which the chest is turned."""
    document = session.document
    chest = document.figure.skeleton.index("chest")
    turned, rest = (pose.world_from_joint[chest, :3, :3] for pose in (document.pose, document.figure.rest))
    return float(np.degrees(np.arccos((np.trace(turned @ rest.T) - 1) / 2)))


def test_the_trunk_stays_upright_over_a_lifted_foot(session: Session) -> None:
    assert session.document.goals[FOOT].name == "left foot"
    drag(session, 0.2, codec.ROTATION_GIVEN)
    assert lean(session) > 25, "the ankle's limit bends the body"
    session.handle(c.Undo())
    drag(session, 0.2, codec.ROTATION_FREE)
    assert lean(session) < 8
    assert session.document.goals[FOOT].rotation_weight == 0
    drag(session, -0.2, codec.ROTATION_GIVEN)
    goal, rest = session.document.goals[FOOT], session.document.figure.rest
    foot = session.document.figure.skeleton.index(goal.joint)
    assert goal.rotation_weight == 1 and goal.lifts_above is not None
    assert np.allclose(session.document.pose.world_from_joint[foot], rest.world_from_joint[foot], atol=1e-3)


def test_a_foot_that_was_turned_by_hand_keeps_its_rotation(session: Session) -> None:
    above = session.document.goals[FOOT].lifts_above
    assert above is not None and 0 < above - session.document.goals[FOOT].position[1] < 0.05
    drag(session, 0.0, codec.ROTATION_GIVEN, (0.98, 0.199, 0.0, 0.0))
    assert session.document.goals[FOOT].lifts_above is None
    session.handle(c.PoseReset())
    assert session.document.goals[FOOT].lifts_above == above
    session.handle(c.GoalSet("left foot", rotation_weight=0.5))
    assert session.document.goals[FOOT].lifts_above is None
    assert [goal.lifts_above for goal in session.document.goals if not goal.pinned] == [None] * 4
