"""Two figures in one session: each moves as if it were alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

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


def furnished() -> Session:
    """A mannequin that raises its hand over two keys, with a ball in that hand, a box, a library and options."""
    session = Session()
    for kind in ("box", "sphere"):
        session.handle(b.PropAdd(kind))
    session.handle(b.PropSet("sphere", joint="hand_r"))
    session.handle(b.GoalRelative("left hand", "chest"))
    session.handle(c.OptionsSet(keep_apart=False, gravity=0.1))
    session.handle(c.KeySet(["right hand"], 0))
    session.handle(c.TimelineFrame(20))
    x, y, z = session.document.goal("right hand").position
    session.handle(b.GoalsMove({"right hand": (x, y + 0.6, z + 0.1)}))
    session.handle(c.KeySet(["right hand"], 20))
    session.handle(b.PoseSave("all", []))
    session.handle(b.PoseSave("arm", ["right hand"]))
    return session


def test_a_second_figure_leaves_the_first_one_and_its_scene_as_they_are() -> None:
    session = furnished()
    before = session.document
    session.handle(b.FigureJoin("mannequin"))
    after = session.document
    first, second = parts_of(after.figure)
    assert np.array_equal(first.pose(after.pose).q, before.pose.q)
    np.testing.assert_allclose(second.pose(after.pose).q, second.figure.rest.q)
    assert after.options == before.options and after.range == before.range and after.frame == 20
    assert [prop.name for prop in after.props] == ["box", "sphere"]
    assert after.props[1] == replace(before.props[1], joint="mannequin/hand_r")
    assert after.goal("left hand").relative_to == "mannequin/chest"
    for goal in before.goals:
        assert after.goal(goal.name).position == goal.position and len(after.goal(goal.name).keys) == len(goal.keys)
    for frame in (0, 10, 20):
        poses = []
        for shown in (Session(before), session):
            shown.handle(c.TimelineFrame(frame))
            poses.append(shown.document.pose)
        np.testing.assert_allclose(first.pose(poses[1]).q, poses[0].q, atol=1e-5)
    session.handle(c.PoseReset())
    session.handle(b.PoseApply("all"))
    np.testing.assert_allclose(first.pose(session.document.pose).origins, before.pose.origins, atol=1e-6)
    second_rest = second.figure.rest.origins
    np.testing.assert_allclose(second.pose(session.document.pose).origins, second_rest, atol=1e-6)


def test_a_second_figure_is_as_tall_as_wanted_and_upright(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    robot = posable.figure("arm6")
    assert robot.skeleton.up == "z"
    posable.save(folder / "upload-1-robot.toml", robot)
    session = Session(folder=folder)
    tall = session.document.figure.height
    session.handle(b.FigureJoin("robot.toml", "upload-1-robot.toml", height=0.5))
    first, second = parts_of(session.document.figure)
    assert second.figure.height == pytest.approx(0.5 * tall) and first.figure.height == pytest.approx(tall)
    ahead, left = (getattr(posable.roles(robot), name) for name in ("forward", "left"))
    origins = (robot.rest.origins - robot.rest.origins[0]) * 0.5 * tall / robot.height
    stands = second.pose(session.document.pose).origins
    wanted = np.stack([origins @ left, origins[:, 2], origins @ ahead], axis=1)  # the mannequin faces z
    np.testing.assert_allclose(stands - stands[0], wanted, atol=1e-9)
    with pytest.raises(posable.PosableError, match=r"0\.001 to 1000 times as tall"):
        session.handle(b.FigureJoin("robot.toml", "upload-1-robot.toml", height=0.0))


@pytest.mark.parametrize("name", ["mannequin", "snake", "doorbell_arm"])
def test_a_second_figure_stands_clear_of_the_first(name: str) -> None:
    session = Session()
    x, y, z = session.document.goal("left hand").position
    session.handle(b.GoalsMove({"left hand": (x + 0.3, y + 0.3, z)}))
    session.handle(b.FigureJoin(name))
    first, second = parts_of(session.document.figure)
    pose = session.document.pose
    left = max(skin.deform(first.pose(pose))[:, 0].max() for skin in first.figure.skins)
    seen = [second.pose(pose).origins, *(skin.deform(second.pose(pose)) for skin in second.figure.skins)]
    assert min(points[:, 0].min() for points in seen) > left + 0.1
    heights = [one.rest.origins[:, 1].min() for one in (second.figure, posable.figure(name))]
    assert heights[0] == pytest.approx(heights[1])


def test_a_third_and_fourth_figure_have_goals_of_their_own() -> None:
    session = Session()
    for _ in range(3):
        session.handle(b.FigureJoin("snake"))
    names = [goal.name for goal in session.document.goals]
    assert len(set(names)) == len(names) and len(parts_of(session.document.figure)) == 4
