"""Two figures in one session: each moves as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.company import parts_of
from posable.studio.floors import floors_of
from posable.studio.session import Session

BY = np.array([0.15, 0.3, 0.15])


def dragged(session: Session, goal: str) -> posable.Pose:
    """The pose after a drag of a goal, in steps as a mouse makes them."""
    names = [one.name for one in session.document.goals]
    start = np.array(session.document.goal(goal).position)
    for k in range(9):
        flags = codec.GESTURE_BEGINS if k == 0 else 0
        x, y, z = (start + BY * k / 8).tolist()
        session.drag(codec.GoalMessage(names.index(goal), flags, k, (x, y, z), (1.0, 0.0, 0.0, 0.0)))
    session.end_gesture()
    return session.document.pose


@pytest.mark.parametrize("balance", [False, True])
def test_each_of_two_figures_is_dragged_as_if_it_were_alone(balance: bool) -> None:
    one, session = Session(), Session()
    session.handle(b.FigureJoin("mannequin"))
    for each in (one, session):
        each.handle(c.OptionsSet(balance=balance))
    alone = dragged(one, "right hand")
    before = session.document.pose
    together = dragged(session, "right hand of mannequin 2")
    first, second = parts_of(session.document.figure)
    assert np.array_equal(first.pose(together).q, first.pose(before).q), "the other figure stands"
    np.testing.assert_allclose(second.pose(together).q[3:], alone.q[3:], atol=1e-6)
    session.handle(c.Undo())
    assert np.array_equal(session.document.pose.q, before.q)
    np.testing.assert_allclose(first.pose(dragged(session, "right hand")).q, alone.q, atol=1e-6)
    assert session.status()["text"] == "every goal is met"


def test_the_ground_stops_both_figures() -> None:
    session = Session()
    alone = floors_of(session.document)
    session.handle(b.FigureJoin("mannequin"))
    floors = floors_of(session.document)
    for name, least in alone.items():
        assert floors[name] == pytest.approx(least) and floors[f"{name} of mannequin 2"] == pytest.approx(least)


@pytest.mark.parametrize("hips", ["pelvis", "pelvis of mannequin 2"])
def test_both_squat_on_the_balls_of_their_feet(hips: str) -> None:
    session = Session()
    session.handle(b.FigureJoin("mannequin"))
    x, y, z = session.document.goal(hips).position
    for k in range(1, 9):
        session.handle(b.GoalsMove({hips: (x, y - 0.05 * k, z)}, {}))
    assert session.status()["text"] == "every goal is met"
    foot = hips.replace("pelvis", "left foot")
    assert session.document.goal(foot).position[1] > floors_of(session.document)[foot] + 0.01, "its heel has risen"
    others = [one for one in session.document.goals if ("mannequin 2" in one.name) != ("mannequin 2" in hips)]
    assert all(one.position[1] < 0.12 for one in others if "foot" in one.name), "the other's stay"


def test_figures_that_keep_apart_are_solved_together() -> None:
    session = Session()
    session.handle(b.FigureJoin("mannequin"))
    session.handle(c.OptionsSet(keep_apart=True))
    dragged(session, "right hand of mannequin 2")
    assert session.document.options.keep_apart


def test_one_figure_has_no_parts() -> None:
    assert parts_of(posable.figure("mannequin")) == () and parts_of(posable.figure("snake")) == ()
