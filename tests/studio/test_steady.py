"""Joints of robots and creatures that would swing round in a drag for hardly anything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from studio.test_whole_body import led

import posable
from posable.studio.opening import document_of
from posable.studio.posing import Solver
from posable.studio.session import Session
from posable.studio.steady import Reached, steadied


def crane() -> posable.Figure:
    """A boom that nods and bends, and a hook 5 mm from the axis about which it rolls."""
    nods = posable.Axis((0, 1, 0), lower=-1.2, upper=1.2)
    joints = [
        posable.Joint("boom", position=(0.1, 0, 1), axes=(nods,)),
        posable.Joint("bend", parent="boom", position=(0.6, 0, 0), axes=(nods,)),
        posable.Joint("roll", parent="bend", position=(0.3, 0, 0), axes=(posable.Axis((1, 0, 0)),)),
        posable.Joint("hook", "fixed", "roll", (0.4, 0.005, 0)),
    ]
    return posable.Figure(posable.Skeleton(joints, "z"), "crane")


@pytest.mark.parametrize("to", [(1.2, -0.3, 1.3), (0.9, -0.1, 1.4), (1.2, -0.4, 0.6)])
def test_no_joint_swings_round_for_some_millimetres(to: tuple[float, float, float]) -> None:
    session = Session(document_of(crane(), "crane"))
    name = session.document.goals[0].name
    number = session.document.goals[0]
    assert max(led(session, name, to, steps=40)) < 47
    outcome = Solver().solve(session.document, session.document.pose)
    hook = session.document.pose.origins[session.document.figure.skeleton.index(number.joint)]
    best = outcome.pose.origins[session.document.figure.skeleton.index(number.joint)]
    assert np.linalg.norm(hook - to) < np.linalg.norm(best - to) + 0.03, "and it comes as near"


def test_a_joint_goes_round_where_that_is_worth_it() -> None:
    """What no other joint can make up for is done, a part at a time."""
    skeleton = posable.Skeleton([posable.Joint("a", axes=(posable.Axis((0, 0, 1)),))], "z")
    start, end = (posable.Pose(skeleton, np.array([angle])) for angle in (0.0, 3.0))
    held: list[frozenset[str]] = []

    def stays(joints: frozenset[str]) -> Reached:
        held.append(joints)
        return Reached(start, 1.0)

    found = steadied(start, Reached(end, 0.0), 0.01, stays)
    assert found is not None and found[1], "it goes on"
    assert 0.1 < found[0].q[0] < 0.3 and held == [frozenset({"a"})]
    assert steadied(start, Reached(end, 0.995), 0.01, stays) == (start, False)
    assert steadied(start, Reached(end, 0.0), 1.0, stays) is None, "as fast as its target"
    assert steadied(start, Reached(start, 0.0), 0.0, stays) is None


def test_robots_arms_do_not_swing_round(shared: object) -> None:
    """H1's shoulder turned by 177° for 5 mm that its elbow was short."""
    figure = posable.load(shared / "robots/h1.urdf")  # type: ignore[operator]
    document = document_of(figure, "h1.urdf")
    goal = document.goal("left elbow")
    for aside in ((0.1, 0.2, 0.0), (-0.2, 0.1, 0.1), (0.0, -0.2, 0.15)):
        session = Session(document)
        x, y, z = (np.array(goal.position) + aside).tolist()
        assert max(led(session, "left elbow", (x, y, z), steps=24)) < 47


def test_a_person_without_habits_leans_back_into_balance() -> None:
    """A solve with joints held is of the figure with masses, whose poses were taken for another skeleton's."""
    document = Session().document
    document = replace(document, options=replace(document.options, natural=0.0))
    goal = replace(document.goal("right hand"), loose=False)
    x, y, z = goal.position
    before, after = (document.with_goal(replace(goal, position=(x + by, y, z))) for by in (0.0, 0.001))
    found = Solver(20).solve(after, document.pose, before, None, [posable.Balance((0.3, 0.0, 0.3))])
    assert found.pose.skeleton is document.figure.skeleton
    assert found.distances.max() < 0.02
