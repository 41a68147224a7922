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
from posable.studio.scenery import prop_frame
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


def test_a_figure_that_leaves_takes_its_goals_keys_and_rotations_along() -> None:
    session = furnished()
    session.handle(c.OptionsSet(gravity=0.0))
    before = session.document
    session.handle(b.FigureJoin("mannequin"))
    session.handle(c.KeySet(["left hand of mannequin 2"], 20))
    session.handle(b.GoalRelative("right foot", "mannequin 2/head"))
    session.handle(b.PropSet("box", joint="mannequin 2/hand_l"))
    both = session.document
    first, held = parts_of(both.figure)[0], prop_frame(both.props[0], both.pose)
    session.handle(b.FigureLeave("mannequin 2"))
    after = session.document
    assert after.figure.skeleton.joints == before.figure.skeleton.joints and after.figure.name == "mannequin"
    assert [goal.name for goal in after.goals] == [goal.name for goal in before.goals]
    for goal in before.goals:
        now, joined = after.goal(goal.name), both.goal(goal.name)
        assert (now.joint, now.position) == (goal.joint, joined.position)
        assert [(key.frame, key.holds) for key in now.keys] == [(key.frame, key.holds) for key in goal.keys]
        for key, own in zip(now.keys, joined.keys, strict=True):
            np.testing.assert_array_equal(key.q, own.q[first.columns])
    np.testing.assert_array_equal(after.pose.q, first.pose(both.pose).q)
    assert after.props[0].joint is None and after.props[1] == before.props[1]
    np.testing.assert_allclose(prop_frame(after.props[0], after.pose), held, atol=1e-9)
    assert [(one.name, one.joints) for one in after.poses][1:] == [(one.name, one.joints) for one in before.poses][1:]
    for skin, own in zip(after.figure.skins, before.figure.skins, strict=True):
        np.testing.assert_allclose(skin.deform(after.pose), own.deform(after.pose), atol=1e-6)
    with pytest.raises(posable.PosableError, match=r"unknown figure 'mannequin 2' .the scene has a single figure"):
        session.handle(b.FigureLeave("mannequin 2"))


def test_the_first_of_three_leaves() -> None:
    session = Session()
    for _ in range(2):
        session.handle(b.FigureJoin("snake"))
    before = session.document
    names = [part.name for part in parts_of(before.figure)]
    session.handle(b.FigureLeave(names[0]))
    after = session.document
    assert [part.name for part in parts_of(after.figure)] == names[1:]
    stayed = [goal for goal in before.goals if not goal.joint.startswith(f"{names[0]}/")]
    assert [(goal.name, goal.position) for goal in after.goals] == [(goal.name, goal.position) for goal in stayed]
    with pytest.raises(posable.PosableError, match=r"unknown figure .pony. .choose from snake, snake 2"):
        session.handle(b.FigureLeave("pony"))


@pytest.mark.parametrize("name", ["mannequin", "doorbell_arm"])
def test_a_figure_is_moved_rotated_and_resized_as_a_whole(name: str) -> None:
    session = Session()
    session.handle(b.FigureJoin(name))
    part = parts_of(session.document.figure)[1]
    own = [goal.name for goal in session.document.goals if goal.joint.startswith(f"{part.name}/")]
    x, y, z = session.document.goal(own[0]).position
    session.handle(b.GoalsMove({own[0]: (x + 0.02, y + 0.05, z)}))
    session.handle(c.KeySet([own[0]], 0))
    before = session.document
    seen = part.pose(before.pose).origins
    session.handle(b.FigurePlace(part.name, by=(0.5, 0.0, -0.25), turn=90.0, size=2.0))
    after = session.document
    first, second = parts_of(after.figure)
    np.testing.assert_allclose(first.pose(after.pose).origins, parts_of(before.figure)[0].pose(before.pose).origins)
    low = seen[:, 1].min()
    turned = (seen - seen[0] * (1, 0, 1)) @ np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]).T
    wanted = (turned - (0, low, 0)) * 2 + (0, low, 0) + seen[0] * (1, 0, 1) + (0.5, 0, -0.25)
    np.testing.assert_allclose(second.pose(after.pose).origins, wanted, atol=2e-3)
    hand = after.goal(own[0])
    joint = second.figure.skeleton.index(hand.joint)
    np.testing.assert_allclose(hand.position, second.pose(after.pose).origins[joint], atol=2e-3)
    assert hand.keys[0].position == hand.position and second.figure.height == pytest.approx(2 * part.figure.height)
    session.handle(c.TimelineFrame(0))
    np.testing.assert_allclose(second.pose(session.document.pose).origins, wanted, atol=5e-3)
    session.handle(c.PoseReset())
    rest = second.pose(session.document.pose).origins
    assert np.abs(rest[0] - wanted[0]).max() < 0.1 * second.figure.height, "at rest it stays where it was put"
    with pytest.raises(posable.PosableError, match=r"factor of 0\.001 to 1000, not 0"):
        session.handle(b.FigurePlace(part.name, size=0.0))
