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
from posable.studio.posing import Solver
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
    session.handle(c.OptionsSet(balance=False))
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


def test_a_slider_gives_weights_and_prepares_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The poses are those of goals prepared with these weights."""
    prepared: list[int] = []
    plain = posable.prepare
    monkeypatch.setattr(posable, "prepare", lambda *given, **more: prepared.append(1) or plain(*given, **more))
    session.handle(c.OptionsSet(balance=False))  # which solves twice
    pulled(session, 0, (0.6, 0.9, 0.3), 2)
    session.handle(c.OptionsSet(comfort=True, gravity=0.5, elasticity=0.2, natural=0.0))
    session.handle(c.GoalSet("right hand", rotation_weight=0.9))
    sliders = [
        c.GoalSet("left hand", weight=0.7), c.GoalSet("right hand", weight=0.3),
        c.GoalSet("right hand", rotation_weight=0.1), c.GoalSet("head", weight=0.2), c.OptionsSet(gravity=0.1),
        c.OptionsSet(elasticity=1.5),
    ]  # fmt: skip
    before = len(prepared)
    for command in sliders:
        start = session.document.pose
        session.handle(command)
        fresh = Solver().solve(session.document, start)
        np.testing.assert_allclose(session.document.pose.origins, fresh.pose.origins, atol=1e-5)
    assert len(prepared) - before == len(sliders)  # by the fresh solvers alone
    pulled(session, 0, (0.0, 0.1, 0.0), 3)
    assert len(prepared) - before == len(sliders) + 1  # weights that stay are prepared for


def test_a_goal_of_both_keeps_its_two_weights_where_it_is_the_only_one() -> None:
    session = Session(document_of(posable.figure("arm6"), "arm6"))
    x, y, z = session.document.goals[0].position
    for weights in ((1.0, 0.25), (0.5, 0.25), (0.5, 0.5)):
        session.handle(c.GoalSet("tool", position=(x, y + 0.1, z), weight=weights[0], rotation_weight=weights[1]))
        assert session.outcome.solution is not None
        (place,) = session.outcome.solution.asked
        assert isinstance(place, posable.Place)
        assert (place.position_weight, place.rotation_weight) == weights
