"""What plays: poles with keys, goals over clips that were dropped, joints that slide, keys of which one changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio import layer_commands as lc
from posable.studio.opening import document_of
from posable.studio.session import Session


@pytest.fixture
def session() -> Session:
    return Session()


def played(session: Session) -> posable.Clip:
    clip = session.player.clip(session.document)
    assert clip is not None
    return clip


def away(session: Session, goal: str, *by: float) -> tuple[float, float, float]:
    x, y, z = (np.array(session.document.goal(goal).position) + by).tolist()
    return x, y, z


def places(clip: posable.Clip, joint: str) -> np.ndarray:
    """`[frame, 3]`."""
    return clip.poses.origins[:, clip.skeleton.index(joint)]


def towards(clip: posable.Clip, frame: int, pole: tuple[float, float, float]) -> float:
    """The angle (radians) that the left elbow still has to go about its limb, as the library has it."""
    return abs(float(posable.Pole("hand_l", pole).residual(clip.poses[frame])[0]))


def test_keyed_poles_lead_the_elbow_from_key_to_key(session: Session) -> None:
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", -0.1, 0.25, 0.25)))
    x, y, z = session.document.pose.origins[session.document.figure.skeleton.index("forearm_l")].tolist()
    below, aside = (x, y - 0.6, z), (x + 0.6, y + 0.3, z)
    session.handle(c.AutoKey(True))
    session.handle(c.GoalPole("left hand", below))
    session.handle(c.TimelineFrame(30))
    session.handle(c.GoalPole("left hand", aside))
    keys = session.document.goal("left hand").keys
    assert [(key.frame, key.pole) for key in keys] == [(0, below), (30, aside)]
    clip = played(session)
    assert towards(clip, 0, below) < 0.01 and towards(clip, 30, aside) < 0.01
    assert towards(clip, 0, aside) > 0.3
    hand = places(clip, "hand_l")[:31]
    assert np.linalg.norm(hand - session.document.goal("left hand").position, axis=1).max() < 2e-3
    assert np.linalg.norm(np.diff(places(clip, "forearm_l")[:31], axis=0), axis=1).max() < 0.05
    session.handle(c.TimelineFrame(15))
    pole = session.document.goal("left hand").pole
    assert pole is not None and towards(clip, 15, pole) < 0.01
    session.handle(c.KeyValue("left hand", 30, pole=below))
    assert towards(played(session), 30, below) < 0.01
    session.handle(c.GoalPole("left hand", None))
    assert all(key.pole is None for key in session.document.goal("left hand").keys)


def test_keys_without_a_pole_take_it_from_the_keys_about_them_or_from_the_goal(session: Session) -> None:
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", -0.1, 0.25, 0.25)))
    session.handle(c.KeySet(["left hand"], 0))
    x, y, z = session.document.pose.origins[session.document.figure.skeleton.index("forearm_l")].tolist()
    aside = (x + 0.6, y + 0.3, z)
    session.handle(c.GoalPole("left hand", aside))
    assert session.document.goal("left hand").keys[0].pole is None
    assert towards(played(session), 0, aside) < 0.01
    session.handle(c.KeySet(["left hand"], 20))
    assert session.document.goal("left hand").keys[1].pole == aside
    assert towards(played(session), 10, aside) < 0.01


def test_a_pole_that_is_a_goal_of_its_own_plays_too(session: Session) -> None:
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", -0.1, 0.25, 0.25)))
    session.handle(c.GoalAdd("hand_l", "pole"))
    session.handle(c.KeySet(["left hand", "hand_l"], 0))
    side = away(session, "hand_l", 0.5, 0.4, 0.0)
    session.handle(c.GoalSet("hand_l", position=side))
    session.handle(c.KeySet(["left hand", "hand_l"], 30))
    session.handle(c.TimelineFrame(15))
    for frame, pole in ((15, session.document.goal("hand_l").position), (30, side)):
        assert towards(played(session), frame, pole) < 0.01


def test_a_hand_fades_on_and_off_over_a_walk_that_was_dropped(shared: Path) -> None:
    figure = posable.load(shared / "characters/CesiumMan.glb")
    session = Session(document_of(figure, "CesiumMan.glb"))
    assert session.document.clips
    walk = session.document.clips[0]
    session.handle(c.ClipChoose(walk.name))
    last = session.document.range[1]
    hand = next(goal for goal in session.document.goals if goal.name == "left hand")
    x, y, z = (figure.skeleton.reach * (0.1 * posable.roles(figure).forward + np.array((0.0, 0.15, 0.0)))).tolist()
    to = away(session, hand.name, x, y, z)
    for frame, weight in ((0, 0.0), (last // 3, 1.0), (2 * last // 3, 1.0), (last, 0.0)):
        session.handle(c.TimelineFrame(frame))
        session.handle(c.GoalSet(hand.name, position=to, weight=weight))
        session.handle(c.KeySet([hand.name], frame))
    clip, plain = played(session), walk.at(np.arange(last + 1) / session.document.fps)
    assert np.abs(clip.poses[0].minus(plain[0])).max() < 1e-9
    assert np.abs(clip.poses[last].minus(plain[last])).max() < 1e-9
    joint = clip.skeleton.index(hand.joint)
    short, before = (np.linalg.norm(poses.origins[:, joint] - to, axis=1) for poses in (clip.poses, plain))
    held = slice(last // 3, 2 * last // 3 + 1)
    assert short[held].max() < 2e-3 < before[held].min()
    arm = set(clip.skeleton.chain(joint))
    still = [d for j in range(len(clip.skeleton.joints)) if j not in arm for d in clip.skeleton.freedom_range(j)]
    assert np.abs(clip.poses.minus(plain)[:, still]).max() < 0.05
    assert np.abs(np.diff(short)).max() < 0.2 * before.max()


@pytest.mark.parametrize("kind", ["position", "frame"])
def test_a_body_that_plays_does_not_fold_for_what_is_out_of_its_reach(kind: str) -> None:
    figure = posable.load(posable.sample("knight.glb"))
    session = Session(document_of(figure, "knight.glb"))
    walk = next(clip for clip in session.document.clips if "Walk" in clip.name)
    session.handle(c.ClipChoose(walk.name))
    plain = played(session).poses
    goal = session.document.goal("right hand")
    hand, chest = (figure.skeleton.index(joint) for joint in (goal.joint, posable.roles(figure)["chest"]))
    if kind == "frame":
        session.handle(c.GoalSet(goal.name, rotation_weight=1.0))

    def held(height: float) -> tuple[float, float]:
        """(radians of the chest, distance of the hand) at the first frame, with the hand so far above where it is."""
        to = plain.origins[0, hand] + np.array([0.0, height, 0.0])
        session.handle(c.TimelineFrame(0))
        session.handle(c.GoalSet(goal.name, position=tuple(to.tolist())))
        session.handle(c.KeySet([goal.name], 0))
        now = played(session).poses[0]
        turned = now.world_from_joint[chest, :3, :3] @ plain.world_from_joint[0, chest, :3, :3].T
        return float(np.arccos(np.clip((np.trace(turned) - 1) / 2, -1, 1))), float(
            np.linalg.norm(now.origins[hand] - to)
        )

    assert held(0.2)[1] < 1e-3, "a target that the arm reaches"
    leans, short = held(3.0)
    assert short > 1.0 and leans < 0.03, "one that nobody reaches"


def _turned(session: Session, joint: str, about_x: float) -> None:
    """Turn a joint further, by hand."""
    _, rotations = session.nodes.places(session.document.pose)
    w, x, y, z = rotations[session.document.figure.skeleton.index(joint)].tolist()
    s, o = np.sin(about_x / 2), np.cos(about_x / 2)
    session.handle(c.JointRotate(joint, (w * o - x * s, x * o + w * s, y * o + z * s, z * o - y * s)))


def test_ik_and_fk_are_switched_by_keys(session: Session) -> None:
    """The limb follows its goal until a key, goes over to what its joints do, where the key is."""
    up = away(session, "left hand", -0.2, 0.2, 0.2)
    session.handle(c.GoalSet("left hand", position=up))
    session.handle(c.AutoKey(True))
    session.handle(c.KeySet(["left hand"], 0))
    session.handle(c.TimelineFrame(20))
    session.handle(c.IkFkSwitch("left hand", "fk"))
    _turned(session, "forearm_l", 0.8)
    keys = session.document.goal("left hand").keys
    assert [(key.frame, key.enabled) for key in keys] == [(0, True), (20, False)]
    by_hand = session.document.pose
    clip = played(session)
    joint = clip.skeleton.index("forearm_l")
    freedoms = list(clip.skeleton.freedom_range(joint))
    # Its addition counts from the pose of the first key, which two solves have met within their tolerance.
    assert np.abs(clip.poses[20:].minus(by_hand)[:, freedoms]).max() < 1e-5
    assert np.linalg.norm(places(clip, "hand_l")[0] - up) < 2e-3
    assert np.linalg.norm(np.diff(places(clip, "hand_l")[:25], axis=0), axis=1).max() < 0.08, "it leaps"
    for frame, enabled in ((0, True), (5, True), (15, False), (30, False)):
        session.handle(c.TimelineFrame(frame))
        goal = session.document.goal("left hand")
        assert goal.enabled is enabled
        if not enabled:
            assert np.linalg.norm(places(clip, "hand_l")[frame] - goal.position) < 1e-6, "the goal is off its limb"


def test_what_is_turned_by_hand_is_added_to_a_clip_by_its_weight(session: Session) -> None:
    session.handle(c.WalkMake(4))
    plain, skeleton = played(session), session.document.figure.skeleton
    arm = skeleton.index("upper_arm_l")
    own = list(skeleton.freedom_range(arm))
    session.handle(c.IkFkSwitch("left hand", "fk"))
    session.handle(c.TimelineFrame(10))
    _turned(session, "upper_arm_l", 0.5)
    change = session.document.pose.minus(plain.poses[10])[own]
    assert np.abs(change).max() > 0.2
    session.handle(c.KeySet(["left hand"], 10))
    off = played(session).poses.minus(plain.poses)
    assert off[:, own] == pytest.approx(np.tile(change, (len(plain), 1)), abs=1e-9), "at every frame, as an addition"
    others = [d for j in range(len(skeleton.joints)) if j != arm for d in skeleton.freedom_range(j)]
    assert np.abs(off[:, others]).max() < 1e-9
    session.handle(lc.LayerSet("Keys", weight=0.5))
    assert played(session).poses.minus(plain.poses)[:, own] == pytest.approx(off[:, own] / 2, abs=1e-9)
    session.handle(c.KeyValue("left hand", 10, weight=0.5))
    assert played(session).poses.minus(plain.poses)[:, own] == pytest.approx(off[:, own] / 4, abs=1e-9)
    session.handle(lc.LayerSet("Keys", weight=0.0))
    assert np.abs(played(session).poses.minus(plain.poses)).max() < 1e-12
    with pytest.raises(posable.PosableError, match="Keys: a weight lies between 0 and 1, not 2"):
        session.handle(lc.LayerSet("Keys", weight=2.0))


def test_keys_of_all_goals_over_a_clip_add_nothing_that_a_goal_does(session: Session) -> None:
    """The trunk leans after a hand at its key; the pelvis, which is in FK, has a key too, and must not lean it on."""
    session.handle(c.WalkMake(4))
    session.handle(c.TimelineFrame(10))
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", 0.2, 0.3, 0.6)))
    session.handle(c.KeySet(["left hand"], 10))
    alone = played(session)
    session.handle(c.KeySet(["pelvis"], 10))
    assert session.document.goal("pelvis").keys[0].enabled is False
    assert np.abs(played(session).poses.minus(alone.poses)).max() < 0.02


def test_joints_that_slide_take_their_places_along_when_they_play() -> None:
    session = Session(document_of(posable.figure("telescope"), "telescope"))
    goal = session.document.goals[0]
    session.handle(c.KeySet([goal.name], 0))
    session.handle(c.GoalSet(goal.name, position=(0.0, 60.0, 0.0)))  # pushed in by a third
    events = session.handle(c.KeySet([goal.name], 20))
    message = codec.unpack_clip(next(e for e in events if isinstance(e, bytes)))
    clip = played(session)
    assert message.translations is not None
    translations, rotations = session.nodes.places(clip.poses)
    assert np.abs(message.translations - translations).max() < 1e-5
    assert np.abs(message.rotations - rotations).max() < 1e-5
    assert np.ptp(message.translations[:, 1:], axis=0).max() > 10


def test_a_joint_that_stays_slid_out_is_told_so_too() -> None:
    session = Session(document_of(posable.figure("telescope"), "telescope"))
    goal = session.document.goals[0]
    session.handle(c.GoalSet(goal.name, position=(0.0, 60.0, 0.0)))  # pushed in by a third
    events = session.handle(c.KeySet([goal.name], 0))
    message = codec.unpack_clip(next(e for e in events if isinstance(e, bytes)))
    assert message.translations is not None


def test_a_changed_key_has_only_the_frames_about_it_solved_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[int] = []

    def counting(self: posable.Prepared, start: posable.Pose, *rest: Any, **more: Any) -> posable.Solution:
        solved.append(len(start) if start.shape else 0)
        return plain(self, start, *rest, **more)

    plain = posable.Prepared.solve
    monkeypatch.setattr(posable.Prepared, "solve", counting)
    for frame in (0, 20, 40, 60, 80, 100):
        session.handle(c.TimelineFrame(frame))
        x, y, z = session.document.goal("left hand").position
        session.handle(c.GoalSet("left hand", position=(x, y + 0.05, z + 0.001 * frame)))
        session.handle(c.KeySet(["left hand"], frame))
        session.handle(c.KeyEase([("left hand", frame)], "linear"))
    for command in (c.KeyValue("left hand", 60, weight=0.5), c.Undo()):
        solved.clear()
        session.handle(command)
        assert sum(solved) == 39  # between its neighbours


def test_pins_hold_their_places_at_every_frame_of_keyed_motion(session: Session) -> None:
    for foot in ("left foot", "right foot"):
        session.handle(c.GoalSet(foot, rotation_weight=1.0))  # set by hand, it does not roll on its ball
    session.handle(c.KeySet(["pelvis"], 0))
    session.handle(c.TimelineFrame(20))
    session.handle(c.GoalSet("pelvis", position=away(session, "pelvis", 0.0, -0.35, 0.05)))
    session.handle(c.KeySet(["pelvis"], 20))
    clip = played(session)
    for foot in ("left foot", "right foot"):
        goal = session.document.goal(foot)
        assert not goal.keys and goal.pinned
        off = np.linalg.norm(places(clip, goal.joint) - goal.position, axis=1)
        assert off.max() < 1e-3, foot
    assert np.ptp(places(clip, session.document.goal("pelvis").joint)[:, 1]) > 0.1
    session.handle(c.TimelineFrame(10))
    assert session.document.goal("left foot").position == session.history.done[-1].before.goal("left foot").position
    to = away(session, "left foot", 0.1, 0.0, 0.0)
    session.handle(c.GoalSet("left foot", position=to))  # a pin that is moved is moved for good
    assert np.linalg.norm(places(played(session), session.document.goal("left foot").joint) - to, axis=1).max() < 1e-3


def test_pins_let_a_clip_walk(session: Session) -> None:
    session.handle(c.WalkMake(2))
    walk = session.document.playing
    assert walk is not None and np.abs(played(session).q - walk.at(played(session).times).q).max() < 1e-9


def test_a_key_of_one_hand_leaves_what_other_keys_hold(session: Session) -> None:
    every = [goal.name for goal in session.document.goals]
    session.handle(c.KeySet(every, 0))
    session.handle(c.TimelineFrame(30))
    session.handle(c.GoalSet("left hand", position=away(session, "left hand", -0.45, 0.5, 0.45)))
    session.handle(c.KeySet(every, 30))
    skeleton = session.document.figure.skeleton
    spine = [j for j, name in enumerate(skeleton.joints) if "spine" in name or name == "chest"]
    before = played(session).poses.origins[:, spine]
    session.handle(c.KeyMove([("left hand", 30)], -10))
    assert np.linalg.norm(played(session).poses.origins[:, spine] - before, axis=-1).max() < 2e-3


def test_each_key_holds_the_joints_of_its_goal(session: Session) -> None:
    session.handle(c.KeySet([goal.name for goal in session.document.goals], 0))
    held: dict[str, str] = {}
    for goal in session.document.goals:
        for joint in goal.keys[0].holds or ():
            assert joint not in held
            held[joint] = goal.name
    assert held.keys() == set(session.document.figure.skeleton.joints)
    assert held["index_1_r"] == held["forearm_r"] == "right hand" and held["shin_l"] == "left foot"
    assert held["spine"] == held["chest"] == "pelvis" and held["neck"] == "head"


def test_keys_of_a_loop_go_over_from_its_end_into_its_beginning(session: Session) -> None:
    session.handle(c.TimelineSet(range=(0, 40)))
    for frame, up in ((0, 0.0), (13, 0.3), (27, 0.1)):
        session.handle(c.TimelineFrame(frame))
        session.handle(c.GoalSet("left hand", position=(0.4, 1.0 + up, 0.3)))
        session.handle(c.KeySet(["left hand"], frame))
    joint = session.document.goal("left hand").joint
    jerks = []
    for cyclic in (False, True):
        session.handle(c.TimelineSet(cyclic=cyclic))
        hand = places(played(session), joint)
        way = np.diff(np.concatenate([hand[-3:-1], hand[:3]]), axis=0)  # the last frame is the first one again
        jerks.append(float(np.linalg.norm(np.diff(way, axis=0), axis=1).max()))
        if cyclic:
            assert np.linalg.norm(hand[-1] - hand[0]) < 1e-3
            inside = np.linalg.norm(np.diff(hand, n=2, axis=0), axis=1).max()
            assert jerks[-1] < 1.5 * inside
    assert jerks[1] < 0.2 * jerks[0]


def test_a_goal_of_a_loop_is_where_its_curve_is(session: Session) -> None:
    session.handle(c.TimelineSet(range=(0, 20), cyclic=True))
    for frame, up in ((0, 0.0), (10, 0.2)):
        session.handle(c.TimelineFrame(frame))
        session.handle(c.GoalSet("left hand", position=(0.4, 1.0 + up, 0.3)))
        session.handle(c.KeySet(["left hand"], frame))
    session.handle(c.TimelineFrame(20))
    assert session.document.goal("left hand").position == pytest.approx((0.4, 1.0, 0.3))


def test_a_clip_follows_the_ground_though_the_first_joint_is_fixed() -> None:
    figure = posable.load(posable.sample("knight.glb"))
    session = Session(document_of(figure, "knight.glb"))
    assert not figure.skeleton.definitions[0].dof
    session.handle(c.ClipChoose("Idle"))
    level = played(session).poses.origins
    session.handle(c.TerrainSet({"kind": "plane", "height": 0.3}))
    np.testing.assert_allclose(played(session).poses.origins[:, 1:, 1] - level[:, 1:, 1], 0.3, atol=5e-3)


def test_what_cannot_follow_the_ground_is_told_so_in_an_animators_words() -> None:
    for figure, why in (
        (posable.figure("mannequin").with_root("fixed"), "its hips are fixed in the scene"),
        (posable.figure("arm6"), "no legs are found on it"),
    ):
        clip = posable.Clip(figure.skeleton, np.tile(figure.rest.q, (5, 1)), 30.0, "still")
        session = Session(document_of(replace(figure, clips=(clip,)), ""))
        session.handle(c.ClipChoose("still"))
        with pytest.raises(posable.PosableError, match=f"cannot follow the ground in a motion: {why}. Choose the gro"):
            session.handle(c.TerrainSet({"kind": "plane", "height": 0.3}))
        assert session.document.terrain == {"kind": "none"}
