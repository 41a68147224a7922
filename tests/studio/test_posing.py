"""What is pinned comes first: no drag, however far, takes a pinned foot along."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.spatial import transform
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.opening import document_of
from posable.studio.session import Session

MILLIMETRE = 1e-3


@pytest.fixture
def session() -> Session:
    return Session()


def places(session: Session, goal: str) -> np.ndarray:
    """Where the joint of a goal really is."""
    document = session.document
    return document.pose.origins[document.figure.skeleton.index(document.goal(goal).joint)]


def pulled(session: Session, goal: int, by: tuple[float, float, float], steps: int = 8) -> list[posable.Pose]:
    """The poses of a drag that ends far out of reach."""
    start, poses = np.array(session.document.goals[goal].position), []
    for k in range(1, steps + 1):
        x, y, z = (start + np.array(by) * k / steps).tolist()
        session.drag(codec.GoalMessage(goal, 0, k, (x, y, z), (1, 0, 0, 0)))
        poses.append(session.document.pose)
    return poses


def slips(session: Session, poses: list[posable.Pose]) -> tuple[float, float]:
    """The farthest that a pinned joint was from its pin, and the most that it was turned from it (radians)."""
    far = turned = 0.0
    for goal in (one for one in session.document.goals if one.pinned):
        joint = session.document.figure.skeleton.index(goal.joint)
        pin = posable.Place(goal.joint, transform(goal.position, goal.rotation))
        for pose in poses:
            far = max(far, float(np.linalg.norm(pose.origins[joint] - goal.position)))
            turned = max(turned, float(np.linalg.norm(pin.residual(pose)[3:])))
    return far, turned


@pytest.mark.parametrize(
    "by", [(1.5, 0, 0), (-1.5, 0, 0), (0, 1.5, 0), (0, -1.5, 0), (0, 0, 1.5), (0, 0, -1.5), (0.9, 0.8, 0.9)]
)
def test_a_hand_dragged_far_away_takes_no_pinned_foot_along(session: Session, by: tuple[float, float, float]) -> None:
    before = places(session, "left hand")
    far, turned = slips(session, pulled(session, 0, by))
    assert far < MILLIMETRE and turned < 0.01
    assert (places(session, "left hand") - before) @ np.array(by) / np.linalg.norm(
        by
    ) > 0.2  # the figure does lean after it


def test_on_a_character_that_was_opened_too(shared: Path) -> None:
    session = Session(document_of(posable.load(shared / "characters/MH_game_engine.glb"), "MH_game_engine.glb"))
    height = session.document.figure.height
    far, turned = slips(session, pulled(session, 0, (0.0, height, 0.5 * height)))
    assert far < MILLIMETRE and turned < 0.01


def test_pins_and_poles_and_methods_of_limbs_go_together(session: Session) -> None:
    session.handle(c.GoalMethod("left hand", "CyclicDescent"))
    session.handle(c.GoalPole("right hand", (-0.6, 0.5, -0.5)))
    session.handle(c.GoalPole("left foot", (0.1, 0.5, 2.0)))
    far, _ = slips(session, pulled(session, 1, (-1.5, 0.5, 0.5), 4))
    assert far < MILLIMETRE
    session.handle(c.GoalSet("left foot", pinned=False))
    pulled(session, 1, (-1.5, 0.5, 0.5), 4)
    feet = [places(session, f"{side} foot") for side in ("left", "right")]
    goals = [session.document.goal(f"{side} foot").position for side in ("left", "right")]
    assert np.linalg.norm(feet[0] - goals[0]) > 10 * MILLIMETRE  # what is not pinned gives way
    assert np.linalg.norm(feet[1] - goals[1]) < MILLIMETRE
