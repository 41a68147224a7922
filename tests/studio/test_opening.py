"""Figures as they are opened: goals with names that people would give them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.edits.joining import joined
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.uploads import figure_of

FOUR = {f"{side} {row} foot" for side in ("left", "right") for row in ("front", "hind")}


def opened(path: Path) -> Session:
    return Session(document_of(posable.load(path), path.name))


@pytest.mark.parametrize("name", ["characters/Q_Wolf.glb", "characters/Fox.glb", "robots/solo12.urdf"])
def test_what_stands_on_four_legs_has_front_and_hind_feet_and_no_hands(shared: Path, name: str) -> None:
    session = opened(shared / name)
    goals, pose = session.document.goals, session.document.pose
    feet = {goal.name: goal for goal in goals if "foot" in goal.name}
    assert feet.keys() == FOUR and all(goal.pinned for goal in feet.values())
    assert {goal.name for goal in goals} - FOUR <= {"head", "pelvis"}
    found = posable.roles(session.document.figure)
    for side, sign in (("left", 1), ("right", -1)):
        for row, other in (("front", "hind"), ("hind", "front")):
            place = pose.origins[pose.skeleton.index(feet[f"{side} {row} foot"].joint)]
            across = pose.origins[pose.skeleton.index(feet[f"{side} {other} foot"].joint)]
            assert sign * (place - pose.origins[0]) @ found.left > 0
            assert ((place - across) @ found.forward > 0) == (row == "front")


def test_a_spiders_feet_are_counted_from_the_front(shared: Path) -> None:
    names = [goal.name for goal in opened(shared / "characters/Q_Spider.glb").document.goals]
    assert names[:8] == [f"{side} foot {row}" for row in (1, 2, 3, 4) for side in ("left", "right")]


def test_a_robot_dog_crouches_over_its_feet(shared: Path) -> None:
    figure = posable.load(shared / "robots/solo12.urdf", root="free")
    session = Session(document_of(figure, "solo12.urdf"))
    before = {g.name: session.document.pose.origins[figure.skeleton.index(g.joint)] for g in session.document.goals}
    goals = [goal.name for goal in session.document.goals]
    x, y, z = (before["pelvis"] + (0.05, 0.0, -0.05)).tolist()
    session.drag(codec.GoalMessage(goals.index("pelvis"), 0, 1, (x, y, z), (1, 0, 0, 0)))
    pose = session.document.pose
    assert np.linalg.norm(pose.origins[0] - (x, y, z)) < 1e-3
    for name in FOUR:
        assert (
            np.linalg.norm(pose.origins[figure.skeleton.index(session.document.goal(name).joint)] - before[name]) < 1e-3
        )


@pytest.mark.slow
def test_people_keep_their_hands_and_feet_and_what_is_no_body_its_ends(shared: Path) -> None:
    knight = opened(shared / "characters/Knight.glb").document
    assert [goal.name for goal in knight.goals] == [
        "left hand",
        "right hand",
        "left foot",
        "right foot",
        "head",
        "pelvis",
    ]
    arm = opened(shared / "robots/panda.urdf").document
    assert [(goal.name, goal.joint) for goal in arm.goals] == [("panda_hand_tcp_joint",) * 2]
    wrist = opened(shared / "robots/ur5_robot.urdf").document
    assert [goal.name for goal in wrist.goals] == ["ee_fixed_joint"]
    fingers = opened(shared / "robots/allegro_right_hand.urdf").document
    assert len(fingers.goals) == 4


def test_a_robot_with_legs_is_not_bolted_to_the_ground(shared: Path) -> None:
    for name, kind in (("h1", "free"), ("solo12", "free"), ("panda", "fixed"), ("baxter", "fixed")):
        assert figure_of(shared / f"robots/{name}.urdf").skeleton.definitions[0].kind == kind
    pelvis = document_of(figure_of(shared / "robots/h1.urdf"), "h1").goals[-1]
    assert pelvis.name == "pelvis"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "goals"),
    [
        ("plain_wolf", FOUR | {"head", "pelvis"}),
        ("mh_proxy741", {"left hand", "right hand", "left foot", "right foot"}),
    ],
)
def test_a_mesh_gets_the_skeleton_that_fits_it(shared: Path, name: str, goals: set[str]) -> None:
    found = document_of(figure_of(shared / f"meshes/{name}.obj"), name).goals
    assert goals <= {goal.name for goal in found}


@pytest.mark.parametrize(
    ("name", "bare"), [("panda", True), ("g1_29dof_rev_1_0", True), ("h1", True), ("ur5_robot", False)]
)
def test_bones_are_seen_where_little_else_is(shared: Path, name: str, bare: bool) -> None:
    robot = opened(shared / f"robots/{name}.urdf")
    assert robot.figure_event()["bare"] is bare
    assert Session().figure_event()["bare"] is False
    both = joined(robot.document, posable.figure("mannequin"), "")
    assert Session(both).figure_event()["bare"] is bare, "a person beside it has its own skin"


def test_what_nothing_can_move_has_no_handle(shared: Path) -> None:
    droid = opened(shared / "robots/r2d2.urdf").document
    skeleton = droid.figure.skeleton
    assert not any("foot" in goal.name for goal in droid.goals)
    for goal in droid.goals:
        assert sum(skeleton.definitions[k].dof for k in skeleton.chain(goal.joint)) > 0
    assert [goal.name for goal in droid.goals] == ["left_tip_joint", "tobox"]  # of a gripper that slides as one; a head


def test_what_its_file_bolts_says_so_and_moves_once_its_limits_are_widened(shared: Path) -> None:
    session = opened(shared / "robots/double_pendulum.urdf")
    assert session.document.goals == ()
    assert session.status()["text"].startswith("nothing can move: the limits of the file leave the joints no range")
    for joint in ("joint1", "joint2"):
        limits: dict[str, Any] = next(one["limits"] for one in session.page_json()["joints"] if one["name"] == joint)
        wider = [{**limits["axes"][0], "lower": -2.0, "upper": 2.0}]
        session.handle(c.JointLimit(joint, {**limits, "axes": wider}))  # type: ignore[arg-type]
    session.handle(c.GoalAdd("joint2"))
    (goal,) = session.document.goals
    x, y, z = goal.position
    session.handle(c.GoalSet("joint2", position=(x, y + 0.05, z - 0.02)))
    assert session.status()["goals"][0]["distance"] < 0.01


def test_limbs_of_a_person_are_kept_apart_where_its_capsules_are_known() -> None:
    person, arm = posable.figure("mannequin"), posable.figure("arm6")
    assert document_of(posable.with_capsules(person), "mannequin").options.keep_apart
    assert not document_of(person, "mannequin").options.keep_apart
    assert not document_of(posable.with_capsules(arm), "arm6").options.keep_apart


def test_legs_that_hang_on_a_root_on_the_floor_leave_the_goal_of_the_hips_above(shared: Path) -> None:
    figure = posable.load(shared / "rigs/modular_women_SciFi.glb")
    pelvis = next(goal for goal in document_of(figure, "").goals if goal.name == "pelvis")
    thigh = figure.rest.origins[figure.skeleton.index(posable.roles(figure)["upper_leg_l"])]
    assert pelvis.joint == "Hips" and abs(pelvis.position[1] - thigh[1]) < 0.1 * figure.height


def test_a_root_that_floats_below_the_files_own_lets_the_hips_be_moved(shared: Path) -> None:
    figure = posable.load(shared / "rigs/modular_men_Farmer.glb")
    assert "pelvis" in [goal.name for goal in document_of(figure, "").goals]


def test_arms_without_hands_are_moved_by_their_elbows(shared: Path) -> None:
    figure = figure_of(shared / "robots/h1.urdf")
    document = document_of(figure, "h1")
    elbows = [(goal.name, goal.joint, goal.loose) for goal in document.goals[:2]]
    assert elbows == [("left elbow", "left_elbow_joint", True), ("right elbow", "right_elbow_joint", True)]
    session = Session(document)
    x, y, z = np.add(document.goals[0].position, (0.15, 0.1, 0.1)).tolist()
    session.drag(codec.GoalMessage(0, 0, 1, (x, y, z), (1, 0, 0, 0)))
    assert session.status()["text"] == "every goal is met"
    hand = document_of(figure_of(shared / "robots/allegro_right_hand.urdf"), "hand")
    assert not any("elbow" in goal.name for goal in hand.goals)


def test_a_page_hears_where_the_figure_faces_as_far_as_its_parts_are_known() -> None:
    assert Session().figure_event()["forward"] == (0.0, 0.0, 1.0)
    arm = Session()
    arm.handle(c.FigureBuiltin("arm7"))
    assert arm.figure_event()["forward"] is None
