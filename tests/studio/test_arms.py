"""Arms that hang."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.spatial import matrix_from_wxyz, wxyz_from_matrix
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.opening import document_of
from posable.studio.session import Session


def held_out() -> posable.Figure:
    """A mannequin whose arms point aside at rest."""
    figure = posable.figure("mannequin")
    pose = figure.rest
    for side, sign in (("l", 1.0), ("r", -1.0)):
        joint = figure.skeleton.index(f"upper_arm_{side}")
        away = pose.origins[figure.skeleton.index(f"hand_{side}")] - pose.origins[joint]
        angle = np.arctan2(-away[1], sign * away[0])
        turn = (np.cos(angle / 2), 0.0, 0.0, sign * np.sin(angle / 2))
        own = pose.world_from_joint[figure.skeleton.parents[joint], :3, :3]
        local = own.T @ matrix_from_wxyz(np.array(turn)) @ pose.world_from_joint[joint, :3, :3]
        pose = pose.with_joint(f"upper_arm_{side}", wxyz_from_matrix(local))
    first = figure.skeleton.tables.first_coordinate
    joints = [
        replace(joint, rest=tuple(pose.q[first[j] : first[j + 1]].tolist()) if joint.coordinates else None)
        for j, joint in enumerate(figure.skeleton.definitions)
    ]
    return figure.on(posable.Skeleton(joints, "y"))


def slope(session: Session, side: str) -> float:
    """By how much an arm points down, in degrees."""
    pose, index = session.document.pose, session.document.figure.skeleton.index
    arm = pose.origins[index(f"hand_{side}")] - pose.origins[index(f"upper_arm_{side}")]
    return float(np.degrees(np.arcsin(-arm[1] / np.linalg.norm(arm))))


def test_free_arms_hang_and_led_ones_stay() -> None:
    session = Session(document_of(held_out(), "held out"))
    assert abs(slope(session, "l")) < 5 and abs(slope(session, "r")) < 5
    x, y, z = session.document.goal("left hand").position
    session.handle(c.GoalSet("left hand", position=(x - 0.05, y + 0.1, z)))
    session.handle(b.ArmsLower())
    assert slope(session, "r") > 60
    assert slope(session, "l") < 20, "a goal leads it"
    hand = session.document.goal("right hand")
    index = session.document.figure.skeleton.index(hand.joint)
    np.testing.assert_allclose(hand.position, session.document.pose.origins[index], atol=1e-6)
    session.handle(c.Undo())
    assert abs(slope(session, "r")) < 15


def test_both_of_two_figures_let_their_arms_hang() -> None:
    session = Session(document_of(held_out(), "held out"))
    session.handle(b.FigureJoin("mannequin"))
    session.handle(b.ArmsLower())
    pose, names = session.document.pose, session.document.figure.skeleton.joints
    for hand in (name for name in names if name.endswith("hand_l")):
        upper = hand.replace("hand_l", "upper_arm_l")
        arm = pose.origins[names.index(hand)] - pose.origins[names.index(upper)]
        assert -arm[1] / np.linalg.norm(arm) > 0.7


def test_who_has_no_arms_is_told_so() -> None:
    session = Session(document_of(posable.figure("snake"), "snake"))
    with pytest.raises(posable.PoseError, match="no arm hangs"):
        session.handle(b.ArmsLower())
