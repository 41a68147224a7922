"""The scene: props that carry goals, stand in the way or are stood on; goals that go with a joint; hands, balance."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.balancing import body_of, body_shape, mass_center, nearest_over, support_of
from posable.studio.command import Command
from posable.studio.exporting import export
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.session_store import open_session
from posable.studio.timeline import terrain_of

HAND, OTHER, PELVIS = "left hand", "right hand", "pelvis"


@pytest.fixture
def session() -> Session:
    return Session()


def place(session: Session, goal: str) -> np.ndarray:
    """Where the joint of a goal is."""
    document = session.document
    return document.pose.origins[document.figure.skeleton.index(document.goal(goal).joint)]


def within(session: Session, joint: str, goal: str) -> np.ndarray:
    """Where a goal is in the frame of a joint."""
    frame = session.document.pose.world_from_joint[session.document.figure.skeleton.index(joint)]
    return frame[:3, :3].T @ (np.array(session.document.goal(goal).position) - frame[:3, 3])


def drag(session: Session, goal: str, *by: float) -> None:
    """A whole gesture."""
    number = [one.name for one in session.document.goals].index(goal)
    start = np.array(session.document.goals[number].position)
    for k in range(1, 6):
        x, y, z = (start + np.array(by) * k / 5).tolist()
        session.drag(codec.GoalMessage(number, 0, k, (x, y, z), (1, 0, 0, 0)))
    session.end_gesture()


def test_a_goal_goes_with_a_joint(session: Session) -> None:
    session.handle(b.GoalRelative(OTHER, "chest"))
    before, there = within(session, "chest", OTHER), place(session, OTHER)
    drag(session, PELVIS, 0.05, -0.15, 0.0)
    np.testing.assert_allclose(within(session, "chest", OTHER), before, atol=1e-6)
    assert np.linalg.norm(place(session, OTHER) - there) > 0.05
    drag(session, OTHER, 0.05, 0.1, 0.1)  # it is still dragged in the world
    np.testing.assert_allclose(place(session, OTHER), session.document.goal(OTHER).position, atol=2e-3)
    session.handle(b.GoalRelative(OTHER, None))
    held = np.array(session.document.goal(OTHER).position)
    drag(session, PELVIS, 0.0, 0.08, 0.0)
    np.testing.assert_allclose(session.document.goal(OTHER).position, held, atol=1e-9)


@pytest.mark.parametrize("joint", ["chest", "head", "hand_r", "shin_l"])
def test_what_a_goal_goes_with_is_not_moved_by_it(session: Session, joint: str) -> None:
    drag(session, HAND, 0.0, 0.1, 0.2)
    session.handle(b.GoalRelative(HAND, joint))
    number, before = session.document.figure.skeleton.index(joint), session.document.pose.world_from_joint
    drag(session, HAND, 0.05, 0.05, 0.1)
    np.testing.assert_allclose(session.document.pose.world_from_joint[number], before[number], atol=1e-12)
    assert np.linalg.norm(place(session, HAND) - before[session.document.figure.skeleton.index("hand_l"), :3, 3]) > 0.05
    drag(session, HAND, 0.0, 0.0, 2.0)
    np.testing.assert_allclose(session.document.pose.world_from_joint[number], before[number], atol=1e-12)
    assert f"out of reach from {joint}" in session.status()["text"]


@pytest.mark.parametrize("method", ["TwoBone", "CyclicDescent", "VirtualForce"])
def test_the_method_of_a_limb_serves_a_goal_that_goes_with_a_joint(session: Session, method: str) -> None:
    drag(session, OTHER, 0.0, 0.1, 0.2)
    session.handle(c.GoalMethod(OTHER, method))
    session.handle(b.GoalRelative(OTHER, "chest"))
    before, there = within(session, "chest", OTHER), place(session, OTHER)
    drag(session, PELVIS, 0.03, -0.1, 0.0)
    np.testing.assert_allclose(within(session, "chest", OTHER), before, atol=1e-6)
    np.testing.assert_allclose(place(session, OTHER), session.document.goal(OTHER).position, atol=2e-3)
    assert np.linalg.norm(place(session, OTHER) - there) > 0.03


def test_goals_that_go_with_each_others_limbs_come_one_after_the_other(session: Session) -> None:
    drag(session, OTHER, 0.0, 0.2, 0.2)
    drag(session, HAND, -0.2, 0.2, 0.3)
    session.handle(b.GoalRelative(HAND, "forearm_r"))  # first in the list, solved last
    session.handle(b.GoalRelative(OTHER, "chest"))
    held = within(session, "forearm_r", HAND)
    drag(session, OTHER, 0.02, -0.05, 0.02)
    np.testing.assert_allclose(place(session, OTHER), session.document.goal(OTHER).position, atol=2e-3)
    np.testing.assert_allclose(place(session, HAND), session.document.goal(HAND).position, atol=2e-3)
    np.testing.assert_allclose(within(session, "forearm_r", HAND), held, atol=1e-6)
    for goal, joint in ((OTHER, "index_1_r"), (OTHER, "hand_l")):
        with pytest.raises(posable.GoalError, match=f"{joint}, which it moves itself"):
            session.handle(b.GoalRelative(goal, joint))


def test_a_key_of_such_a_goal_holds_over_a_clip(session: Session) -> None:
    session.handle(c.WalkMake(4))
    session.handle(c.TimelineFrame(20))
    session.handle(b.GoalRelative(HAND, "chest"))
    drag(session, HAND, -0.1, 0.15, 0.1)
    wanted = within(session, "chest", HAND)
    session.handle(c.KeySet([HAND], 20))
    for frame in (5, 35, 60):
        session.handle(c.TimelineFrame(frame))
        np.testing.assert_allclose(within(session, "chest", HAND), wanted, atol=1e-4)
        np.testing.assert_allclose(place(session, HAND), session.document.goal(HAND).position, atol=5e-3)


def test_a_pinned_goal_that_goes_with_a_joint_acts_over_a_clip_without_keys(session: Session) -> None:
    session.handle(c.WalkMake(4))
    session.handle(b.GoalRelative(HAND, "chest"))
    drag(session, HAND, -0.1, 0.15, 0.1)
    session.handle(c.GoalSet(HAND, pinned=True))
    wanted = within(session, "chest", HAND)
    session.handle(c.TimelineFrame(40))
    np.testing.assert_allclose(within(session, "chest", HAND), wanted, atol=1e-4)
    np.testing.assert_allclose(place(session, HAND), session.document.goal(HAND).position, atol=5e-3)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (b.GoalRelative(HAND, "hand_l"), "its own joint"),
        (b.GoalRelative("head", "chest"), "no position"),
        (b.GoalRelative(HAND, "nothing"), "nothing"),
        (b.PropSet("box", size=(1.0, 0.0, 1.0)), "above 0"),
        (b.PropSet("table", size=(1.0, 1.0, 1.0)), "no prop"),
        (b.PropSet("box", rotation=(0.0, 0.0, 0.0, 0.0)), "length 0"),
        (b.HandShape("l", grip="handshake"), "unknown grip"),
    ],
)
def test_what_cannot_be_is_refused(session: Session, command: Command, says: str) -> None:
    session.handle(b.PropAdd("box"))
    before = session.document
    with pytest.raises(posable.PosableError, match=says):
        session.handle(command)
    assert session.document is before


def test_a_goal_goes_with_a_prop_and_stays_where_that_is_removed(session: Session) -> None:
    session.handle(b.PropAdd("box"))
    session.handle(b.GoalRelative(HAND, "box"))
    start = np.array(session.document.goal(HAND).position)
    x, y, z = session.document.props[0].position
    session.handle(b.PropSet("box", position=(x + 0.05, y + 0.1, z)))
    np.testing.assert_allclose(place(session, HAND), start + np.array((0.05, 0.1, 0.0)), atol=1e-4)
    with pytest.raises(posable.PosableError, match="no joint can carry it"):
        session.handle(b.PropSet("box", joint="hand_r"))
    session.handle(b.PropRemove("box"))
    assert session.document.goal(HAND).relative_to is None
    np.testing.assert_allclose(session.document.goal(HAND).position, start + np.array((0.05, 0.1, 0.0)), atol=1e-9)
    session.handle(c.Undo())
    assert [prop.name for prop in session.document.props] == ["box"]


def test_a_prop_that_a_joint_carries_stays_where_it_was_taken(session: Session) -> None:
    from posable.studio.scenery import prop_frame

    session.handle(b.PropAdd("sphere"))
    session.handle(b.PropSet("sphere", position=(0.6, 1.0, 0.1)))
    session.handle(b.PropSet("sphere", joint="hand_l"))
    before = prop_frame(session.document.props[0], session.document.pose)[:3, 3]
    np.testing.assert_allclose(before, (0.6, 1.0, 0.1), atol=1e-9)
    hand = place(session, HAND)
    drag(session, HAND, 0.0, 0.2, 0.1)
    after = prop_frame(session.document.props[0], session.document.pose)[:3, 3]
    assert np.linalg.norm(after - before) > 0.1
    assert np.linalg.norm(after - place(session, HAND)) == pytest.approx(np.linalg.norm(before - hand), abs=1e-6)


@pytest.mark.parametrize("kind", ["box", "sphere"])
def test_limbs_stay_out_of_an_obstacle(session: Session, kind: str) -> None:
    """A hand that is pulled into a thing comes less deep into it."""

    def depth() -> float:
        middle = np.array(session.document.props[0].position)
        return float(np.linalg.norm(place(session, HAND) - middle))

    session.handle(b.PropAdd("box") if kind == "box" else b.PropAdd("sphere"))
    session.handle(b.PropSet(kind, position=(0.45, 1.1, 0.45), size=(0.3, 0.3, 0.3)))
    target = np.array((0.45, 1.1, 0.45)) - np.array(session.document.goal(HAND).position)
    drag(session, HAND, *target.tolist())
    inside = depth()
    session.handle(c.Undo())
    session.handle(b.PropSet(kind, obstacle=True))
    drag(session, HAND, *target.tolist())
    assert inside < 0.02 < 0.08 < depth()


def test_feet_stand_on_a_prop(session: Session) -> None:
    session.handle(b.PropAdd("box"))
    session.handle(b.PropSet("box", position=(0.0, 0.1, 1.2), size=(2.0, 0.2, 0.8), ground=True))
    terrain = terrain_of(session.document)
    assert terrain is not None
    heights = terrain.height(np.array([(0.0, 0.0, 1.2), (0.0, 0.0, 0.2), (0.0, 0.0, 2.2)]))
    np.testing.assert_allclose(heights, (0.2, 0.0, 0.0), atol=1e-9)
    session.handle(c.WalkMake(6))
    clip = session.player.clip(session.document)
    assert clip is not None
    foot = clip.poses.origins[:, session.document.figure.skeleton.index("foot_l")]
    over = np.abs(foot[:, 2] - 1.2) < 0.3
    assert foot[over, 1].min() > 0.2
    session.handle(b.PropRemove("box"))
    assert terrain_of(session.document) is None


@pytest.mark.slow
def test_a_scene_is_kept_and_drawn(shared: Path, tmp_path: Path) -> None:
    session, _ = open_session(shared / "characters/Knight.glb", tmp_path / "kept")
    session.handle(b.PropAdd("box"))
    mesh = session.folder / "upload-7-stool.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 3 4\n")
    session.handle(b.PropFile(mesh.name, "stool.obj"))
    session.handle(b.MeshHide(["1H_Sword", "2H_Sword"]))
    with_all = export("png", session.document, session.player, tmp_path, session.folder)
    assert with_all.stat().st_size > 1000
    again, _ = open_session(shared / "characters/Knight.glb", tmp_path / "kept")
    assert [prop.name for prop in again.document.props] == ["box", "stool"]
    assert again.document.hidden == ("1H_Sword", "2H_Sword")
    from posable.studio.scenery import with_scene

    drawn = with_scene(again.document, again.document.figure)
    names = [skin.name for skin in drawn.skins]
    assert {"box", "stool", "Knight_Body"} <= set(names) and "1H_Sword" not in names
    assert drawn.skeleton.coordinates == again.document.figure.skeleton.coordinates


def test_a_second_figure_has_goals_of_its_own(session: Session) -> None:
    session.handle(b.FigureJoin("mannequin"))
    names = [goal.name for goal in session.document.goals]
    assert HAND in names and any(name.endswith(" of mannequin 2") for name in names)
    own, arm = place(session, HAND), f"{OTHER} of mannequin 2"
    drag(session, arm, 0.05, -0.05, 0.05)
    np.testing.assert_allclose(place(session, HAND), own, atol=1e-3)
    session.handle(b.GoalRelative(HAND, session.document.goal(arm).joint))
    before = np.array(session.document.goal(HAND).position)
    drag(session, arm, 0.0, -0.1, 0.1)
    assert np.linalg.norm(np.array(session.document.goal(HAND).position) - before) > 0.05
    session.handle(c.Undo())
    session.handle(c.Undo())
    session.handle(c.Undo())
    session.handle(c.Undo())
    assert HAND in [goal.name for goal in session.document.goals]
    assert not any(" of " in goal.name for goal in session.document.goals)


def test_fingers_are_curled_and_measured(session: Session) -> None:
    def hand() -> dict[str, float]:
        left = next(one for one in session.page_json()["hands"] if one["side"] == "l")
        return dict(zip(left["fingers"], left["curls"], strict=True)) | {"spread": left["spread"]}

    assert hand() == pytest.approx(dict.fromkeys(hand(), 0.0), abs=1e-3)
    wrist = place(session, HAND)
    tip = session.document.figure.skeleton.index("index_tip_l")
    stretched = np.linalg.norm(session.document.pose.origins[tip] - wrist)
    session.handle(b.HandShape("l", grip="fist"))
    assert min(value for name, value in hand().items() if name != "spread") > 0.8
    assert np.linalg.norm(session.document.pose.origins[tip] - wrist) < 0.75 * stretched
    session.handle(b.HandShape("l", {"index": 0.0}))
    assert hand()["index"] == pytest.approx(0.0, abs=0.02) and hand()["ring"] > 0.8
    session.handle(b.HandShape("l", grip="open"))
    session.handle(b.HandShape("l", spread=0.8))
    assert hand()["spread"] > 0.5
    np.testing.assert_allclose(place(session, HAND), wrist, atol=1e-9)


@pytest.mark.parametrize("name", ["MH_game_engine.glb", "cryptovoxels.vrm"])
def test_fingers_of_characters_without_limits_close_into_the_palm(shared: Path, name: str) -> None:
    figure = posable.load(shared / "characters" / name)
    session = Session(document_of(figure, name))
    roles = posable.roles(figure)
    for side, word in (("l", "left"), ("r", "right")):
        wrist = place(session, f"{word} hand")
        tip = figure.skeleton.index(roles[f"little_3_{side}"])
        before = np.linalg.norm(session.document.pose.origins[tip] - wrist)
        session.handle(b.HandShape("l" if side == "l" else "r", grip="fist"))
        assert np.linalg.norm(session.document.pose.origins[tip] - wrist) < 0.85 * before
    arm = Session(document_of(posable.figure("arm6"), "arm6"))
    with pytest.raises(posable.PoseError, match="no fingers"):
        arm.handle(b.HandShape("l", grip="fist"))


def outside(session: Session) -> float:
    """How far the centre of mass is outside what carries the figure, from above."""
    center = mass_center(session.document)
    return float(np.linalg.norm(nearest_over(support_of(session.document), center, 1) - center))


def test_the_balance_is_kept_over_the_feet(session: Session) -> None:
    session.handle(c.OptionsSet(balance=False))
    drag(session, HAND, 0.47, 0.2, 0.4)
    assert outside(session) > 0.01
    session.handle(c.PoseReset())
    rest = session.document.pose
    session.handle(c.OptionsSet(balance=True))
    assert np.array_equal(session.document.pose.q, rest.q), "who stands in balance moves nothing for it"
    drag(session, HAND, 0.47, 0.2, 0.4)
    assert outside(session) < 2e-3
    np.testing.assert_allclose(place(session, HAND), session.document.goal(HAND).position, atol=1e-3)
    drag(session, HAND, 0.9, 0.0, 0.0)  # further than it reaches: the hand falls short, and not the figure
    assert outside(session) < 5e-3


def test_balance_flings_neither_the_free_arm_nor_the_head(session: Session) -> None:
    """An arm that nobody moved was thrown back level as a counterweight, the head turned by 94°, the wrist by 83°."""
    right = "right hand"
    for to in ((-0.55, 1.54, 1.0), (-0.55, 0.0, 0.45)):
        drag(session, right, *(np.array(to) - place(session, right)))
        pose, at = session.document.pose, session.document.figure.skeleton.index
        arm = pose.origins[at("hand_l")] - pose.origins[at("upper_arm_l")]
        assert np.degrees(np.arcsin(-arm[1] / np.linalg.norm(arm))) > 25, "the free arm hangs"
        turned = pose.world_from_joint[[at("chest"), at("head")], :3, :3]
        rest = session.document.figure.rest.world_from_joint[[at("chest"), at("head")], :3, :3]
        between = turned[0].T @ turned[1] @ (rest[0].T @ rest[1]).T
        assert np.degrees(np.arccos((np.trace(between) - 1) / 2)) < 45, "the head stays on the chest"
        assert outside(session) < 5e-3


@pytest.mark.parametrize("points", [[(0, 0)], [(0, 0), (2, 0)], [(0, 0), (2, 0), (1, 0)]])
def test_what_carries_may_be_a_point_or_a_line(points: list[tuple[float, float]]) -> None:
    corners = np.array([(x, 0.0, z) for x, z in points], float)
    near = nearest_over(corners, np.array([1.5, 1.0, 1.0]), 1)
    np.testing.assert_allclose(near, [0.0 if len(points) == 1 else 1.5, 1.0, 0.0])


def test_a_centre_of_mass_over_the_support_is_its_own_nearest() -> None:
    square = np.array([(x, 0.0, z) for x in (-1, 1) for z in (-1, 1)], float)
    for point, near in (((0.5, 2, 0.3), (0.5, 2, 0.3)), ((3, 2, 0.3), (1, 2, 0.3)), ((3, 2, -4), (1, 2, -1))):
        np.testing.assert_allclose(nearest_over(square, np.array(point, float), 1), near, atol=1e-12)


def test_a_page_gets_what_it_draws_balance_from(session: Session) -> None:
    body = body_shape(session.document.figure)
    assert sum(body["masses"]) == pytest.approx(70, abs=1) and [sole["joint"] for sole in body["soles"]] == [
        "foot_l",
        "foot_r",
    ]
    bare = posable.Figure(session.document.figure.skeleton, "bones")
    assert body_shape(posable.figure("snake"))["soles"] == []
    assert body_of(bare).soles
    arm = Session(document_of(posable.Figure(posable.Skeleton([posable.Joint("a", "ball")])), "a"))
    with pytest.raises(posable.SkeletonError, match="centre of mass is unknown"):
        arm.handle(c.OptionsSet(balance=True))


def test_a_folder_that_a_session_made_for_itself_goes_with_it() -> None:
    session = Session()
    folder = session.folder
    assert folder.is_dir() and folder.name.startswith("posable-studio-")
    del session
    gc.collect()
    assert not folder.exists()
