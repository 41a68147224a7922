"""The heels of pinned feet rise as far as the hips need it, and come down again."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.session import Session
from posable.studio.standing import standing

FEET = ("left foot", "right foot")
HIPS = 5
"""The number of the goal of the hips among the mannequin's goals."""


@pytest.fixture
def session() -> Session:
    return Session()


def drag(session: Session, by: tuple[float, float, float], steps: int = 12, *, ends: bool = True) -> list[float]:
    """The hips by so much, in steps; the largest change of a joint in each, in degrees. ends: the gesture with them."""
    goal, changes = session.document.goals[HIPS], []
    assert goal.name == "pelvis"
    start = np.array(goal.position)
    for k in range(1, steps + 1):
        before = session.document.pose
        x, y, z = (start + np.array(by) * k / steps).tolist()
        session.drag(codec.GoalMessage(HIPS, 0, k, (x, y, z), goal.rotation))
        changes.append(float(np.degrees(np.abs(session.document.pose.minus(before)).max())))
    if ends:
        session.end_gesture()
    return changes


def heels(session: Session) -> list[float]:
    """Degrees by which each heel is raised."""
    found = [standing(session.document, session.document.goal(name)) for name in FEET]
    return [float(np.degrees(one.angle)) for one in found if one is not None]


def soles(pose: posable.Pose, figure: posable.Figure) -> np.ndarray:
    """`[foot, 3]` the points about which the feet roll."""
    frames = pose.world_from_joint
    own = posable.motion.soles(figure)
    return np.array([frames[pose.skeleton.index(one.foot)] @ [*one.ball, 1.0] for one in own])[:, :3]


@pytest.mark.parametrize(
    ("by", "least"),
    [((0.0, -0.3, 0.0), 20), ((0.0, -0.45, 0.1), 40), ((0.0, 0.0, 0.2), 8), ((0.0, 0.05, 0.0), 20)],
    ids=["squat", "deep and forward", "forward", "tiptoe"],
)
def test_the_hips_come_to_their_goal_over_raised_heels(
    session: Session, by: tuple[float, float, float], least: float
) -> None:
    figure = session.document.figure
    before = soles(session.document.pose, figure)
    drag(session, by)
    assert session.outcome.distances[HIPS] < 2e-3
    assert min(heels(session)) > least
    assert np.allclose(soles(session.document.pose, figure), before, atol=1e-3), "the balls of the feet stay"
    toes = [session.document.pose.skeleton.index(name) for name in ("toe_l", "toe_r")]
    assert (session.document.pose.world_from_joint[toes, 1, 1] > np.cos(np.radians(3))).all(), "the toes are flat"


def test_heels_rise_without_a_leap_and_come_down_with_the_hips(session: Session) -> None:
    drag(session, (0.0, -0.02, 0.0), ends=False)
    assert max(heels(session)) < 0.2, "a small bend of the knees leaves the heels on the ground"
    changes = drag(session, (0.0, -0.43, 0.0), steps=120, ends=False)
    assert max(changes) < 8, "4 mm of the hips"
    assert session.document.goal("pelvis").enabled
    drag(session, (0.0, 0.45, 0.0), steps=60)
    assert np.abs(heels(session)).max() < 0.2
    assert np.abs(session.document.pose.minus(session.document.figure.rest)).max() < 0.02


def test_a_foot_that_was_turned_by_hand_and_one_on_a_slope_keep_their_heels(session: Session) -> None:
    session.handle(c.GoalSet("left foot", rotation=(np.cos(0.07), np.sin(0.07), 0.0, 0.0)))
    turned = session.document.goal("left foot")
    drag(session, (0.0, -0.3, 0.0))
    assert session.document.goal("left foot") is turned
    assert len(heels(session)) == 1 and heels(session)[0] > 20
    session.handle(c.Undo())
    session.handle(c.TerrainSet({"kind": "slope", "degrees": 5.0}))
    drag(session, (0.0, -0.3, 0.0))
    assert abs(heels(session)[0]) < 0.2


def test_a_dragged_hand_leaves_raised_heels_as_they_are(session: Session) -> None:
    drag(session, (0.0, -0.3, 0.0))
    feet = [session.document.goal(name) for name in FEET]
    session.drag(codec.GoalMessage(0, 0, 0, (0.4, 1.1, 0.2), (1.0, 0.0, 0.0, 0.0)))
    assert [session.document.goal(name) for name in FEET] == feet


def test_heels_rise_between_the_keys_of_the_hips(session: Session) -> None:
    drag(session, (0.0, -0.01, 0.0))
    session.handle(c.KeySet(["pelvis"], 0))
    session.handle(c.TimelineFrame(20))
    drag(session, (0.0, -0.4, 0.0))
    session.handle(c.KeySet(["pelvis"], 20))
    figure, clip = session.document.figure, session.player.clip(session.document)
    assert clip is not None
    there = np.array([soles(clip.poses[frame], figure) for frame in (0, 5, 10, 15, 20)])
    assert np.ptp(there, axis=0).max() < 1e-3, "no foot slides"
    shown = {}
    for frame in (0, 10, 20):
        session.handle(c.TimelineFrame(frame))
        shown[frame] = heels(session)
        assert session.outcome.distances.max() < 2e-3
        assert "met" in session.status()["text"]
    assert max(shown[0]) < 0.5 < 10 < min(shown[10]) < 30 < min(shown[20])
