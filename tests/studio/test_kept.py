"""A joint of the trunk that was turned by hand keeps its rotation while goals are dragged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.journal import read_session_file, write_session_file
from posable.studio.kept import rotation_in_parent
from posable.studio.session import Session

TURNED = (np.cos(0.17), 0.0, np.sin(0.17), 0.0)


@pytest.fixture
def session() -> Session:
    session = Session()
    session.handle(c.JointRotate("chest", TURNED))
    return session


def chest(session: Session) -> np.ndarray:
    return np.array(rotation_in_parent(session.document.pose, session.document.figure.skeleton.index("chest")))


def drag(session: Session, by: tuple[float, float, float]) -> float:
    """The left hand by so much; by how many degrees the chest is turned with it, against the spine."""
    before, goal = chest(session), session.document.goals[0]
    for k in range(1, 13):
        x, y, z = (np.array(goal.position) + np.array(by) * k / 12).tolist()
        session.drag(codec.GoalMessage(0, 0, k, (x, y, z), goal.rotation))
    session.end_gesture()
    return float(np.degrees(2 * np.arccos(min(1.0, abs(before @ chest(session))))))


@pytest.mark.parametrize("by", [(-0.1, 0.4, 0.3), (0.1, 0.5, 0.1), (-0.5, -0.7, 0.5)], ids=["before", "up", "down"])
def test_a_turned_chest_stays_while_a_hand_is_dragged(session: Session, by: tuple[float, float, float]) -> None:
    assert drag(session, by) < 0.1
    assert session.outcome.distances[0] < 1e-3
    session.handle(b.JointKeep("chest", False))
    assert not session.document.kept
    session.handle(c.Undo())
    assert list(session.document.kept) == ["chest"]


def test_without_it_the_chest_goes_along(session: Session) -> None:
    session.handle(b.JointKeep("chest", False))
    assert drag(session, (-0.1, 0.4, 0.3)) > 2


def test_what_cannot_be_met_otherwise_moves_it(session: Session) -> None:
    assert drag(session, (0.4, 0.9, 0.2)) > 10


def test_joints_of_limbs_are_not_kept(session: Session) -> None:
    session.handle(c.JointRotate("forearm_l", TURNED))
    session.handle(c.JointRotate("root", TURNED))
    assert list(session.document.kept) == ["chest"]


@pytest.mark.parametrize("command", [c.PoseReset(), c.PoseMirror()])
def test_other_poses_end_it(session: Session, command: c.Command) -> None:
    session.handle(c.JointRotate("spine", (np.cos(0.1), 0.0, 0.0, np.sin(0.1))))
    session.handle(command)
    assert not session.document.kept


def test_it_goes_with_the_session_file(session: Session, tmp_path: Path) -> None:
    write_session_file(tmp_path / "own.posable", session.document, tmp_path)
    assert read_session_file(tmp_path / "own.posable", tmp_path).kept == session.document.kept


@pytest.mark.parametrize(("limb", "joints"), [("right hand", ("upper_arm_r", "forearm_r")), ("head", ("neck", "head"))])
def test_a_limb_in_fk_stays_as_it_is_while_others_are_dragged(limb: str, joints: tuple[str, ...]) -> None:
    """What people do with a free limb is nothing for one that is turned by hand; nor is it in one solved in phases."""
    session = Session()
    session.handle(c.IkFkSwitch(limb, "fk"))
    skeleton = session.document.figure.skeleton

    def turns() -> np.ndarray:
        return np.array([rotation_in_parent(session.document.pose, skeleton.index(joint)) for joint in joints])

    before = turns()
    drag(session, (0.1, 0.3, 0.1))
    np.testing.assert_allclose(turns(), before, atol=1e-9)
    assert session.document.frozen == frozenset(), "nobody froze anything"
    session.handle(b.GoalRelative("left hand", "chest"))
    drag(session, (0.1, 0.3, 0.1))
    np.testing.assert_allclose(turns(), before, atol=1e-9)


def test_the_pelvis_without_a_goal_is_no_trunk_in_fk(session: Session) -> None:
    assert not session.document.goal("pelvis").enabled
    session.handle(c.PoseReset())
    before = chest(session)
    drag(session, (0.2, 0.8, 0.5))
    assert np.abs(before - chest(session)).max() > 0.02, "the chest goes along"
