"""A session without a browser: goals dragged, undone, keyed, played."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.command import Command
from posable.studio.opening import document_of
from posable.studio.session import Session

HAND = 0  # the number of the left hand


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def held(session: Session) -> Session:
    """Hands that stay where they are."""
    goals = tuple(replace(goal, loose=False) for goal in session.document.goals)
    session.document = replace(session.document, goals=goals)
    return session


def places(session: Session, goal: str) -> np.ndarray:
    """Where the joint of a goal really is."""
    document = session.document
    return document.pose.origins[document.figure.skeleton.index(document.goal(goal).joint)]


def moved(session: Session, goal: str, *by: float) -> tuple[float, float, float]:
    x, y, z = (np.array(session.document.goal(goal).position) + by).tolist()
    return x, y, z


def drag(session: Session, to: tuple[float, float, float], steps: int = 5, goal: int = HAND) -> None:
    """A whole gesture, as the page sends it."""
    start = np.array(session.document.goals[goal].position)
    for k in range(1, steps + 1):
        flags = (codec.GESTURE_BEGINS if k == 1 else 0) | (codec.GESTURE_ENDS if k == steps else 0)
        x, y, z = (start + (np.array(to) - start) * k / steps).tolist()
        session.drag(codec.GoalMessage(goal, flags, k, (x, y, z), (1, 0, 0, 0)))
    session.end_gesture()


def test_it_opens_on_the_mannequin_with_goals_ready(session: Session) -> None:
    names = [goal.name for goal in session.document.goals]
    assert names == ["left hand", "right hand", "left foot", "right foot", "head", "pelvis"]
    assert session.status()["text"] == "every goal is met"


def test_a_dragged_hand_gets_there_and_the_others_stay(held: Session) -> None:
    session = held
    before = {goal.name: places(session, goal.name) for goal in session.document.goals}
    to = moved(session, "left hand", -0.1, 0.3, 0.25)
    drag(session, to)
    assert np.linalg.norm(places(session, "left hand") - to) < 1e-4
    for name in ("right hand", "left foot", "right foot"):
        assert np.linalg.norm(places(session, name) - before[name]) < 1e-4
    assert session.status()["status"] == "REACHED"


def test_a_gesture_is_one_step_of_undo_and_undo_is_exact(session: Session) -> None:
    start = session.document
    drag(session, moved(session, "left hand", 0.0, 0.3, 0.2), steps=20)
    first = session.document
    drag(session, moved(session, "right hand", 0.0, 0.2, 0.2), steps=20, goal=1)
    assert len(session.history.done) == 2
    session.handle(c.Undo())
    assert session.document is first
    session.handle(c.Undo())
    assert session.document is start
    session.handle(c.Undo())
    assert session.document is start
    session.handle(c.Redo())
    assert session.document is first
    session.handle(c.GoalSet("head", weight=0.5))
    assert not session.history.undone


def test_undo_in_the_middle_of_a_gesture_takes_the_gesture_back(session: Session) -> None:
    start = session.document
    session.drag(codec.GoalMessage(0, codec.GESTURE_BEGINS, 1, moved(session, "left hand", 0, 0.1, 0), (1, 0, 0, 0)))
    session.handle(c.Undo())
    assert session.document is start


def test_the_status_names_who_is_short_and_what_holds_it() -> None:
    session = Session(document_of(posable.figure("arm6"), "arm6"))
    goal = session.document.goals[0].name
    reach = session.document.figure.skeleton.reach
    session.handle(c.GoalSet(goal, position=(3 * reach, 0.0, 0.0)))
    status = session.status()
    tip = places(session, goal)
    assert status["status"] == "OUT_OF_REACH"
    assert status["text"].startswith(goal) and "out of reach" in status["text"]
    assert status["goals"][0]["distance"] == pytest.approx(float(np.linalg.norm(tip - (3 * reach, 0, 0))), rel=1e-6)


def test_poses_come_as_bytes_that_place_the_nodes(session: Session) -> None:
    drag(session, moved(session, "left hand", 0.0, 0.3, 0.2))
    message = codec.unpack_pose(session.pose_message(42))
    skeleton, world = session.document.figure.skeleton, {}
    assert message.seq == 42
    for j, (w, x, y, z) in enumerate(message.rotations.astype(float)):
        frame = np.eye(4)
        frame[:3, :3] = posable.pose_from_rotations(
            posable.Skeleton([posable.Joint("a", "ball")]), np.array([[w, x, y, z]]), form="quaternion"
        ).world_from_joint[0, :3, :3]
        rest = session.document.figure.rest.world_from_joint
        parent = int(skeleton.parents[j])
        above = rest[parent] if parent >= 0 else np.eye(4)
        frame[:3, 3] = (np.linalg.inv(above) @ rest[j])[:3, 3] if j else message.root
        world[j] = world[parent] @ frame if parent >= 0 else frame
    hand = skeleton.index("hand_l")
    assert np.allclose(world[hand][:3, 3], places(session, "left hand"), atol=1e-5)
    assert np.allclose(message.goals[HAND, :3], session.document.goals[HAND].position, atol=1e-6)


def test_sliding_joints_send_their_translations() -> None:
    session = Session(document_of(posable.figure("telescope"), "telescope"))
    assert codec.unpack_pose(session.pose_message(0)).translations is not None
    assert codec.unpack_pose(Session().pose_message(0)).translations is None


def test_what_is_refused_changes_nothing(session: Session) -> None:
    start = session.document
    refused: list[tuple[Command, str]] = [
        (c.GoalSet("third hand", weight=1.0), "unknown goal 'third hand'"),
        (c.GoalSet("head", weight=1.5), "between 0 and 1"),
        (c.GoalMethod("left hand", "Magic"), "no method is called"),
        (c.JointFreeze("tail", True), "no joint is called"),
        (c.KeyDelete([("head", 3)]), "no key at frame 3"),
        (c.KeyPaste(0), "the clipboard is empty"),
        (c.GoalPole("pelvis", (0.0, 0.0, 1.0)), "no limb"),
        (c.TimelineSet(range=(5, 5)), "to a later one"),
    ]
    for command, problem in refused:
        with pytest.raises(posable.PosableError, match=problem):
            session.handle(command)
        assert session.document is start
    assert not session.history.done


def test_a_joint_turned_by_hand_takes_its_goals_along(session: Session) -> None:
    skeleton = session.document.figure.skeleton
    rotations, _ = posable.rotations_of(session.document.pose, "quaternion")
    elbow = skeleton.index("forearm_l")
    half = np.cos(0.2), np.sin(0.2)
    bent = np.array([half[0], half[1], 0, 0])
    w, x, y, z = rotations[elbow]
    a, b, _, _ = bent
    turned = (w * a - x * b, w * b + x * a, y * a + z * b, z * a - y * b)
    before = places(session, "left hand")
    session.handle(c.JointRotate("forearm_l", turned))
    assert np.linalg.norm(places(session, "left hand") - before) > 0.01
    assert np.allclose(session.document.goal("left hand").position, places(session, "left hand"))
    assert np.allclose(session.document.pose.clamped().q, session.document.pose.q)


def test_ik_let_go_and_taken_up_again_moves_nothing(session: Session) -> None:
    session.handle(c.IkFkSwitch("left hand", "fk"))
    drag(session, moved(session, "right hand", 0.0, 0.2, 0.1), goal=1)
    pose = session.document.pose
    session.handle(c.IkFkSwitch("left hand", "ik"))
    assert np.abs(session.document.pose.minus(pose)).max() < 1e-5  # the tolerance to which the session solves


def test_a_frozen_joint_does_not_move(session: Session) -> None:
    session.handle(c.JointFreeze("forearm_l", True))
    before = session.document.pose.of("forearm_l").copy()
    drag(session, moved(session, "left hand", 0.0, 0.3, 0.2))
    assert np.array_equal(session.document.pose.of("forearm_l"), before)


def test_a_narrower_limit_holds_and_null_gives_the_old_one_back(session: Session) -> None:
    skeleton = session.document.figure.skeleton
    limits: dict[str, Any] = next(j for j in session.page_json()["joints"] if j["name"] == "shin_l")["limits"]
    narrow = {**limits, "axes": [{**limits["axes"][0], "lower": 0.3, "upper": 0.4}]}
    session.handle(c.JointLimit("shin_l", narrow))  # type: ignore[arg-type]
    assert 0.3 - 1e-9 <= session.document.pose.of("shin_l")[0] <= 0.4 + 1e-9
    session.handle(c.JointLimit("shin_l", None))
    joint = session.document.figure.skeleton.definitions[skeleton.index("shin_l")]
    assert joint == skeleton.definitions[skeleton.index("shin_l")]


def test_the_mirror_twice_is_the_pose_again(session: Session) -> None:
    drag(session, moved(session, "left hand", 0.0, 0.4, 0.2))
    pose, hand = session.document.pose, places(session, "left hand")
    session.handle(c.PoseMirror())
    other = places(session, "right hand")
    assert np.allclose(other, hand * (-1, 1, 1), atol=1e-6)
    session.handle(c.PoseMirror())
    assert np.abs(session.document.pose.minus(pose)).max() < 1e-9


def test_keys_play_and_are_met_at_their_frames(session: Session) -> None:
    session.handle(c.AutoKey(True))
    session.handle(c.KeySet(["left hand"], 0))
    first = places(session, "left hand").copy()
    session.handle(c.TimelineFrame(30))
    to = moved(session, "left hand", 0.1, 0.4, 0.2)
    drag(session, to)
    assert [key.frame for key in session.document.goal("left hand").keys] == [0, 30]
    clip = session.player.clip(session.document)
    assert clip is not None and len(clip) == 121
    hand = clip.poses.origins[:, clip.skeleton.index("hand_l")]
    assert np.linalg.norm(hand[0] - first) < 2e-3
    assert np.linalg.norm(hand[30] - to) < 2e-3
    assert np.linalg.norm(hand[15] - first) > 0.05
    session.handle(c.TimelineFrame(0))
    assert np.linalg.norm(places(session, "left hand") - first) < 2e-3


def test_keys_are_moved_copied_and_deleted(session: Session) -> None:
    session.handle(c.KeySet(["left hand", "head"], 10))
    session.handle(c.KeyMove([("left hand", 10)], 15, copy=True))
    session.handle(c.KeyMove([("left hand", 10)], 5, ripple=True))
    frames = [key.frame for key in session.document.goal("left hand").keys]
    assert frames == [15, 30]
    session.handle(c.KeyCopy([("left hand", 15), ("left hand", 30)]))
    session.handle(c.KeyPaste(40))
    assert [key.frame for key in session.document.goal("left hand").keys] == [15, 30, 40, 55]
    session.handle(c.KeyDelete([("left hand", 15), ("head", 10)]))
    assert [key.frame for key in session.document.goal("left hand").keys] == [30, 40, 55]
    assert not session.document.goal("head").keys


def test_a_walk_follows_its_sliders_and_a_goal_fades_over_it(session: Session) -> None:
    session.handle(c.GaitLoad("human"))
    events = session.handle(c.WalkMake(4))
    assert any(isinstance(event, bytes) and event[0] == codec.CLIP for event in events)
    before = session.document.playing
    session.handle(c.GaitSet({"speed": 0.3}))
    assert session.document.playing is not None and session.document.playing is not before
    last = session.document.range[1]
    away = moved(session, "left hand", 0.0, 0.5, 0.3)
    session.handle(c.GoalSet("left hand", position=away, weight=0.0))
    session.handle(c.KeySet(["left hand"], 0))
    session.handle(c.KeySet(["left hand"], last))
    clip, walk = session.player.clip(session.document), session.document.playing
    assert clip is not None and walk is not None
    assert np.allclose(clip.q, walk.at(clip.times).q, atol=1e-9)
    session.handle(c.KeyValue("left hand", last, weight=1.0))
    clip = session.player.clip(session.document)
    assert clip is not None
    assert np.allclose(clip.q[0], walk.q[0], atol=1e-9)
    assert np.abs(clip.poses[last].minus(walk.at(clip.times).__getitem__(last))).max() > 0.1


def test_baking_keeps_what_plays(session: Session) -> None:
    session.handle(c.WalkMake(2))
    played = session.player.clip(session.document)
    session.handle(c.ClipBake())
    assert session.document.clip == "baked"
    again = session.player.clip(session.document)
    assert played is not None and again is not None
    assert np.allclose(played.q, again.q, atol=1e-9)


def test_documents_are_told_whole_and_then_in_part(session: Session) -> None:
    whole = session.whole()
    document = next(e for e in whole if isinstance(e, dict) and e["event"] == "document")["document"]
    changed = session.handle(c.GoalSet("head", weight=0.5))
    news = next(e for e in changed if isinstance(e, dict) and e["event"] == "document")
    assert set(news["set"]) == {"goals", "can_undo"}
    told = {**document, **news["set"]}
    again = next(e for e in session.whole() if isinstance(e, dict) and e["event"] == "document")["document"]
    assert told == again


def test_springs_and_weight_act_where_goals_leave_freedom(session: Session) -> None:
    session.handle(c.OptionsSet(comfort=True))
    assert session.document.options.comfort
    drag(session, moved(session, "left hand", 0.0, 0.2, 0.1))
    session.handle(c.OptionsSet(gravity=0.01, keep_apart=True))
    assert np.isfinite(session.document.pose.q).all()
    assert replace(session.document.options, comfort=False).gravity == 0.01


def test_auto_key_keeps_a_finger_that_was_turned_by_hand(session: Session) -> None:
    skeleton = session.document.figure.skeleton
    session.handle(c.KeySet([goal.name for goal in session.document.goals], 0))
    session.handle(c.TimelineFrame(20))
    session.handle(c.AutoKey(True))
    freedom = list(skeleton.freedom_range(skeleton.index("index_1_r")))
    before = session.document.pose
    session.handle(c.JointRotate("index_1_r", (0.8, 0.0, 0.0, 0.6)))
    turned = session.document.pose
    assert np.abs(turned.minus(before)[freedom]).max() > 0.3
    assert [key.frame for key in session.document.goal("right hand").keys] == [0, 20]
    assert [key.frame for key in session.document.goal("left hand").keys] == [0]
    session.handle(c.TimelineFrame(0))
    session.handle(c.TimelineFrame(20))
    assert np.abs(session.document.pose.minus(turned)[freedom]).max() < 1e-6


@pytest.mark.slow
def test_a_session_makes_no_folder_until_something_is_kept_and_takes_it_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = Session()
    own.handle(c.PoseReset())
    assert not list(tmp_path.iterdir()), "what is killed now leaves nothing"
    assert own.folder.is_dir() and own.folder.parent == tmp_path
    del own
    gc.collect()
    assert not list(tmp_path.iterdir())


def pulled(session: Session, goal: str, y: float, by: str, flags: int = 0) -> None:
    """One message of a drag by one of several people."""
    number = [one.name for one in session.document.goals].index(goal)
    session.drag(codec.GoalMessage(number, flags, 1, moved(session, goal, 0, y, 0), (1, 0, 0, 0)), by)


def lifts(session: Session) -> dict[str, float]:
    """How high the hands' goals are above where they were at first."""
    start = session.history.done[0].before if session.history.done else session.document
    names = ("left hand", "right hand")
    return {name: round(session.document.goal(name).position[1] - start.goal(name).position[1], 3) for name in names}


@pytest.mark.parametrize("first", ["ann", "ben"])
def test_gestures_that_go_on_at_once_are_undone_one_by_one(held: Session, first: str) -> None:
    session = held
    start, hands = session.document, {"ann": "left hand", "ben": "right hand"}
    second = "ben" if first == "ann" else "ann"
    pulled(session, "left hand", 0.05, "ann")
    pulled(session, "right hand", 0.05, "ben")
    pulled(session, "left hand", 0.05, "ann")
    session.end_gesture(first)
    pulled(session, hands[second], 0.1, second)
    session.end_gesture(second)
    both = session.document
    assert len(session.history.done) == 2
    session.handle(c.Undo())
    ends = {"left hand": 0.1, "right hand": 0.05}[hands[first]]
    assert lifts(session) == {hands[first]: ends, hands[second]: 0.0}, "what ended last is taken back alone"
    session.handle(c.Undo())
    assert session.document is start
    for _ in range(2):
        session.handle(c.Redo())
    assert session.document is both


def test_a_gesture_is_cancelled_without_that_of_another(held: Session) -> None:
    session = held
    start = session.document
    pulled(session, "left hand", 0.1, "ann")
    pulled(session, "right hand", 0.1, "ben")
    session.handle(c.GestureCancel(), "ann")
    assert session.document.goal("left hand").position == start.goal("left hand").position
    assert session.document.goal("right hand").position != start.goal("right hand").position
    session.end_gesture("ben")
    assert lifts(session) == {"left hand": 0.0, "right hand": 0.1} and len(session.history.done) == 1
    session.handle(c.Undo())
    assert session.document is start


def test_with_auto_key_each_of_two_gestures_keys_its_own_goal(session: Session) -> None:
    session.handle(c.AutoKey(on=True))
    pulled(session, "left hand", 0.1, "ann")
    pulled(session, "right hand", 0.1, "ben")
    session.end_gesture("ann")
    assert [goal.name for goal in session.document.goals if goal.keys] == ["left hand"]
    session.end_gesture("ben")
    assert [goal.name for goal in session.document.goals if goal.keys] == ["left hand", "right hand"]
