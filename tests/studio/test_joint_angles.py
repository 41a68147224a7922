"""Axes of joints that are put at a coordinate by hand: a robot's list of angles and slides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.joint_axes import own_coordinates
from posable.studio.session import Session
from posable.studio.session_store import open_session


@pytest.fixture
def panda(tmp_path: Path) -> Session:
    return open_session(posable.sample("panda.urdf"), tmp_path)[0]


def test_each_axis_is_told_with_its_coordinate(panda: Session) -> None:
    joints = next(e for e in panda.whole() if isinstance(e, dict) and e["event"] == "document")["document"]["joints"]
    own = {joint["name"]: joint["coordinates"] for joint in joints if joint["coordinates"]}
    assert own == {
        **{f"panda_joint{k}": [k - 1] for k in range(1, 8)},
        "panda_finger_joint1": [7],
        "panda_finger_joint2": [None],
    }
    skeleton = posable.figure("mannequin").skeleton
    for j, joint in enumerate(skeleton.definitions):
        if joint.kind in ("hinge", "universal"):
            first = int(skeleton.tables.first_coordinate[j])
            assert own_coordinates(skeleton, j) == list(range(first, first + len(joint.axes)))


def test_an_axis_goes_where_it_is_put_and_the_tool_with_it(panda: Session) -> None:
    pose = panda.document.pose
    for joint, value in (("panda_joint2", 0.7), ("panda_joint4", -1.5), ("panda_finger_joint1", 0.03)):
        panda.handle(b.JointSet(joint, 0, value))
    q = panda.document.pose.q
    assert q[1] == 0.7 and q[3] == -1.5 and q[7] == 0.03
    assert np.array_equal(np.delete(q, [1, 3, 7]), np.delete(pose.q, [1, 3, 7])), "no other joint moved"
    goal = panda.document.goals[0]
    place = panda.document.pose.origins[panda.document.figure.skeleton.index(goal.joint)]
    assert np.allclose(goal.position, place, atol=1e-12), "no solve pulls it back"
    for _ in range(3):
        panda.handle(c.Undo())
    assert np.array_equal(panda.document.pose.q, pose.q)


def test_an_axis_stays_within_its_limits_and_bad_ones_are_refused(panda: Session) -> None:
    panda.handle(b.JointSet("panda_finger_joint1", 0, 3.0))
    assert panda.document.pose.q[7] == 0.04
    for joint, axis, words in (
        ("panda_joint1", 1, "has 1 axes, so none is number 1"),
        ("panda_finger_joint2", 0, "follows another joint"),
    ):
        with pytest.raises(posable.SkeletonError, match=words):
            panda.handle(b.JointSet(joint, axis, 0.0))


def test_a_hinge_with_a_reference_stands_at_the_number_that_is_given(tmp_path: Path) -> None:
    """MuJoCo's `ref`: the rest pose is not at 0."""
    text = (
        '<mujoco><worldbody><body><joint name="a" ref="30" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "one.xml").write_text(text)
    session = open_session(tmp_path / "one.xml", tmp_path / "own")[0]
    before = session.document.pose.world_from_joint[-1, :3, :3]
    session.handle(b.JointSet("a", 0, np.radians(75.0)))
    turn = before.T @ session.document.pose.world_from_joint[-1, :3, :3]
    assert np.degrees(np.arccos((np.trace(turn) - 1) / 2)) == pytest.approx(45.0)


def test_with_live_mirror_the_partner_is_put_too() -> None:
    session = Session()
    session.handle(c.OptionsSet(mirror=True))
    session.handle(b.JointSet("index_1_l", 0, 0.6))
    skeleton, q = session.document.figure.skeleton, session.document.pose.q
    left, right = (q[int(skeleton.tables.first_coordinate[skeleton.index(f"index_1_{side}")])] for side in "lr")
    assert left == 0.6 and abs(right) == pytest.approx(0.6)
