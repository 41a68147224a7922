"""Who only shifts the hips or looks somewhere keeps the trunk upright, whatever joint carries the hips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.natural.body import body_of
from posable.studio import codec
from posable.studio.opening import document_of
from posable.studio.session import Session

ON_THE_FLOOR = [
    "characters/Q_PlatformerHumanoid.glb",
    "characters/RobotExpressive.glb",
    "rigs/modular_women_Soldier.glb",
]


def _drag(session: Session, goal: str, by: np.ndarray) -> None:
    at = [one.name for one in session.document.goals].index(goal)
    start = np.array(session.document.goals[at].position)
    for k in range(1, 25):
        x, y, z = (start + by * k / 24).tolist()
        session.drag(codec.GoalMessage(at, 0, k, (x, y, z), (1, 0, 0, 0)))
    session.end_gesture()


def _leans(session: Session) -> tuple[float, float]:
    """By how many degrees the chest leans ahead and to its left."""
    figure = session.document.figure
    found = posable.roles(figure)
    chest = figure.skeleton.index(next(found[role] for role in ("upper_chest", "chest", "spine") if role in found))
    frames, rest = session.document.pose.world_from_joint, figure.rest.world_from_joint
    up = frames[chest, :3, :3] @ rest[chest, :3, :3].T @ found.up
    return tuple(np.degrees(np.arctan2([up @ found.forward, up @ found.left], up @ found.up)).tolist())


@pytest.mark.parametrize("name", ON_THE_FLOOR)
def test_hips_that_go_aside_leave_the_trunk_upright(shared: Path, name: str) -> None:
    """Their legs hang on a root on the floor. The trunk was held over the feet, as the hips seemed to be down there."""
    figure = posable.load(shared / name)
    body = body_of(figure.skeleton)
    assert body is not None and np.abs(body.measures[6]) < 0.2, "the hips are between the legs, not on the floor"
    session, found = Session(document_of(figure, "")), posable.roles(figure)
    leg = float(body.leg[0])
    _drag(session, "pelvis", -0.35 * leg * np.array(found.left))
    assert np.abs(_leans(session)).max() < 4.0
    root = figure.skeleton.index(found["hips"])
    turned = session.document.pose.world_from_joint[root, :3, :3] @ figure.rest.world_from_joint[root, :3, :3].T
    assert turned[1, 1] > np.cos(np.radians(5.0)), "what the legs hang on is upright too"


@pytest.mark.parametrize(("name", "most"), [("", 18.0), ("rigs/modular_men_Swat.glb", 18.0)])
def test_a_look_down_aside_is_of_the_head(shared: Path, name: str, most: float) -> None:
    """The chest leaned by 30 and 24° for it."""
    figure = posable.load(shared / name) if name else posable.figure("mannequin")
    session, found = Session(document_of(figure, "")), posable.roles(figure)
    head, leg = figure.rest.origins[found.index("head")], float(body_of(figure.skeleton).leg[0])
    towards = head + leg * (0.8 * np.array(found.forward) + 0.8 * np.array(found.left) - np.array(found.up))
    _drag(session, "head", towards - np.array(session.document.goal("head").position))
    assert session.status()["status"] == "REACHED"
    ahead, aside = _leans(session)
    assert 0.0 < ahead < most and abs(aside) < 6.0
