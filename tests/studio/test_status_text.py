"""The status line tells the truth: solved, set by hand, undone, scrubbed, walking, switched off, without weight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.schema import STATUSES
from posable.studio.session import Session
from posable.studio.status_text import status_event


@pytest.fixture
def session() -> Session:
    return Session()


def away(session: Session, goal: str, *by: float) -> tuple[float, float, float]:
    x, y, z = (np.array(session.document.goal(goal).position) + by).tolist()
    return x, y, z


def residual_of(session: Session, goal: str) -> tuple[float, float]:
    """The distance and the angle that pages are found."""
    found = next(one for one in session.status()["goals"] if one["name"] == goal)
    return found["distance"], found["angle"]


def test_a_goal_that_is_far_off_is_never_said_to_be_reached(session: Session) -> None:
    """As after a restart: the last solve met its goals, and one of them is elsewhere since."""
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", 0.0, 0.1, 0.1)))
    outcome = session.outcome
    assert outcome.solution is not None and status_event(session.document, outcome, played=False)["status"] == "REACHED"
    distances = outcome.distances.copy()
    distances[0] = 0.27
    said = status_event(session.document, outcome._replace(distances=distances), played=False)
    assert said["status"] == "POSED"
    assert said["text"] == "left hand 27 cm short: it has moved since the figure was solved for it; move a goal"
    # In a drag, the body is paced: the next solves go on from here.
    said = status_event(session.document, outcome._replace(distances=distances, advances=True), played=False)
    assert said["text"] == "left hand 27 cm short: the figure is still moving there"


def test_what_has_no_keys_is_taken_along_by_a_walk_and_misses_nothing(session: Session) -> None:
    session.handle(c.GoalAdd("foot_r", "pole"))
    session.handle(c.GoalPole("left foot", (0.1, 0.5, 3.0)))
    session.handle(c.WalkMake(6))
    last = session.document.range[1]
    session.handle(c.TimelineFrame(last))
    status = session.status()
    assert (status["text"], status["status"], status["limits"]) == (f"frame {last} of walk", "REACHED", [])
    assert max(max(residual_of(session, goal.name)) for goal in session.document.goals) < 1e-6
    before = session.document.pose
    session.handle(c.GoalSet("left hand", weight=0.99))  # all act again
    assert np.abs(session.document.pose.minus(before)).max() < np.radians(0.5)


def test_a_gaze_that_a_key_gives_half_its_weight_is_said_to_be_off(session: Session) -> None:
    session.handle(c.GoalSet("head", position=away(session, "head", 1.0, 0.0, 0.0)))
    session.handle(c.KeySet(["head"], 0))
    session.handle(c.KeyValue("head", 0, weight=0.5))
    session.handle(c.WalkMake(2))
    session.handle(c.TimelineFrame(0))
    status = session.status()
    assert status["text"].startswith("frame 0 of walk: head") and "° off: its keys give it 50 % here" in status["text"]
    assert status["status"] == "POSED" and status["limits"] == []
    assert STATUSES[codec.unpack_pose(session.pose_message(0)).status] == "POSED"


def test_a_scrubbed_key_is_met_and_half_a_weight_is_said(session: Session) -> None:
    session.handle(c.GoalSet("head", enabled=False))
    session.handle(c.WalkMake(2))
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", 0.0, 0.3, 0.3)))
    session.handle(c.KeySet(["left hand"], 0))
    session.handle(c.TimelineFrame(0))
    assert session.status()["text"] == "frame 0 of walk: every goal that has keys is met"
    assert session.status()["status"] == "REACHED"
    session.handle(c.KeyValue("left hand", 0, weight=0.5))
    text = session.status()["text"]
    assert text.startswith("frame 0 of walk: left hand") and text.endswith("its keys give it 50 % here")
    session.handle(c.KeyValue("left hand", 0, weight=0.0))
    assert session.status()["text"] == "frame 0 of walk"


def test_every_frame_of_what_plays_is_known_as_such(session: Session) -> None:
    session.handle(c.WalkMake(1))
    skeleton = session.document.figure.skeleton
    for frame in range(session.document.range[1] + 1):
        session.handle(c.TimelineFrame(frame))
        assert session.player.shows(session.document)
        for by, known in ((3e-16, True), (1e-6, False)):  # rounded, moved
            q = session.document.pose.q.copy()
            q[0] += by
            assert session.player.shows(replace(session.document, pose=posable.Pose(skeleton, q))) is known


def test_what_was_turned_by_hand_is_no_answer_of_a_solver(session: Session) -> None:
    head = session.document.goal("head").joint
    session.handle(c.IkFkSwitch("head", "ik"))
    session.handle(c.JointRotate(head, (np.cos(0.2), 0.0, np.sin(0.2), 0.0)))
    status = session.status()
    assert residual_of(session, "head")[1] > np.radians(10)
    assert status["text"].startswith("head") and "pose was set by hand" in status["text"]
    assert status["status"] == "POSED"


def test_what_comes_before_a_goal_that_is_not_met_is_named(session: Session) -> None:
    x, y, z = session.document.goal("pelvis").position
    session.handle(b.GoalsMove({"pelvis": (x, y + 0.4, z)}, {}))  # off its feet
    text = session.status()["text"]
    assert text.startswith("pelvis") and text.endswith("not all together; left foot and right foot come first")


def test_undo_tells_the_reasons_again(session: Session) -> None:
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", 5.0, 0.0, 0.0)))
    before = session.status()
    assert before["status"] == "POSED" and before["text"].endswith("Balance keeps the figure from tipping over")
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", -5.0, 0.0, 0.0)))
    assert session.status()["text"] == "every goal is met"
    session.handle(c.Undo())
    after = session.status()
    assert (after["text"], after["status"]) == (before["text"], before["status"])
    assert after["limits"][:2] == before["limits"][:2]


def test_goals_that_are_off_or_weigh_nothing_are_not_missed(session: Session) -> None:
    far = away(session, "left hand", 5.0, 0.0, 0.0)
    session.handle(c.GoalSet("left hand", position=far))
    assert session.status()["text"].startswith("left hand")
    session.handle(c.GoalSet("left hand", weight=0.0))
    assert session.status()["text"].startswith("every goal is met")
    session.handle(c.GoalSet("head", position=away(session, "head", 0.0, 0.0, -9.0), weight=0.0))
    assert residual_of(session, "head")[1] > 1
    assert session.status()["text"].startswith("every goal is met")
    for goal in session.document.goals:
        session.handle(c.IkFkSwitch(goal.name, "fk"))
    assert session.status()["text"] == "no goal is enabled"


def test_a_method_that_stops_short_is_not_called_out_of_reach_for_all_of_it() -> None:
    session = Session()
    session.handle(c.DemoLoad("methods racing"))
    for goal in session.document.goals:
        x, y, z = goal.position
        session.handle(c.GoalSet(goal.name, position=(x, y + 0.5, z + 0.6)))
    status = session.status()
    by_method = {goal["name"]: goal["distance"] for goal in status["goals"]}
    worst = max(by_method, key=lambda name: by_method[name])
    nearest = min(by_method.values())
    assert by_method[worst] > 1.3 * nearest
    said = status["text"]
    assert said.startswith(worst) and f"{nearest * 100:.0f} cm of it is out of reach" in said
    assert f"{worst} comes no nearer" in said


def test_without_a_clip_it_is_not_the_clip_that_comes_no_closer(session: Session) -> None:
    session.handle(c.OptionsSet(balance=False))
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", 3.0, 0.0, 0.0)))
    session.handle(c.KeySet(["left hand"], 0))
    session.handle(c.TimelineFrame(3))
    text = str(session.status()["text"])
    assert text.startswith("frame 3: left hand") and text.endswith("the figure comes no closer")


def test_who_keeps_the_balance_says_that_it_stops_a_hand(session: Session) -> None:
    """A hand led 1.3 m aside ended half a metre short, and only limits of the spine were named."""
    stops = "short: Balance keeps the figure from tipping over"
    far = away(session, "left hand", 1.2, 0.3, 0.0)
    session.handle(c.GoalSet("left hand", position=far))
    off, said = residual_of(session, "left hand")[0], session.status()["text"]
    assert said.startswith("left hand") and said.endswith(stops)
    session.handle(c.OptionsSet(balance=False))
    assert residual_of(session, "left hand")[0] < off - 0.1
    assert "balance" not in session.status()["text"].lower()
    session.handle(c.OptionsSet(balance=True))
    session.handle(b.FigureJoin("mannequin"))
    session.handle(b.GoalRelative("left hand", "mannequin 2/chest"))
    session.handle(c.GoalSet("left hand", position=far))
    assert session.status()["text"].endswith(stops)
