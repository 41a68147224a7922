"""What panels, palette and status line do with what is typed, and what they say of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HANDS = ("left hand", "right hand")
POSITION = '.side.right fieldset:has-text("Position")'


def places(viewer: Viewer) -> np.ndarray:
    """`[2, 3]` the goals of both hands."""
    return np.array([viewer.goal(name)["position"] for name in HANDS])


@pytest.fixture
def both(viewer: Viewer) -> Viewer:
    """Both hands are chosen."""
    viewer.handle(HANDS[0]).click()
    viewer.handle(HANDS[1]).click(modifiers=["Shift"])
    return viewer


@pytest.mark.slow
def test_a_number_goes_to_all_goals_that_are_chosen(both: Viewer) -> None:
    before = places(both)
    both.field("y", "+= 10cm", POSITION)
    both.wait(lambda: abs(places(both)[0, 1] - before[0, 1]) > 0.09, "the hands")
    both.settle()
    assert np.allclose(places(both) - before, [(0, 0.1, 0)] * 2, atol=1e-5)
    both.field("z", "0.3", POSITION)
    both.wait(lambda: np.allclose(places(both)[:, 2], 0.3, atol=1e-6), "both at that depth")
    assert np.allclose(places(both)[:, :2], before[:, :2] + np.array([0, 0.1]), atol=1e-5)
    both.undo()
    both.undo()
    assert np.allclose(places(both), before, atol=1e-6), "each number is one step"


@pytest.mark.slow
def test_weights_poles_and_methods_go_to_all_goals_that_are_chosen(both: Viewer) -> None:
    both.field("Weight", "0.4", ".side.right")
    both.wait(lambda: [both.goal(name)["weight"] for name in HANDS] == [0.4, 0.4], "the weight of both")
    both.field("Rotation weight", "0.7", ".side.right")
    both.wait(lambda: [both.goal(name)["rotation_weight"] for name in HANDS] == [0.7, 0.7], "that of their rotations")
    both.undo()
    assert [both.goal(name)["rotation_weight"] for name in HANDS] == [0, 0], "one step of undo"
    both.page.locator(".side.right").get_by_role("button", name="Pole").click()
    both.wait(lambda: all(both.goal(name)["pole"] for name in HANDS), "both elbows' poles")
    both.page.get_by_label("Solver").select_option("TwoBone")
    both.wait(lambda: [both.goal(name)["method"] for name in HANDS] == ["TwoBone"] * 2, "the method of both")


@pytest.mark.slow
def test_a_pin_keeps_the_rotation_that_the_hand_has(viewer: Viewer) -> None:
    """It was turned by 50° to that of its goal, which had counted for nothing."""
    viewer.drag(HANDS[0], (-10, -60))
    viewer.handle(HANDS[0]).click()
    before = viewer.turn("hand_l")
    viewer.press("p")
    viewer.wait(lambda: viewer.goal(HANDS[0])["pinned"], "the pin")
    viewer.settle()
    assert abs(viewer.turn("hand_l") @ before) > np.cos(np.radians(1) / 2)


def test_control_a_chooses_all_goals_and_again_none(viewer: Viewer) -> None:
    chosen = viewer.page.locator('.side.left .row-name[aria-pressed="true"]')
    viewer.press("Control+a")
    viewer.wait(lambda: chosen.count() == len(viewer.document["goals"]), "all goals")
    viewer.press("Control+a")
    viewer.wait(lambda: not chosen.count(), "none")
    viewer.press("Control+a")
    viewer.wait(lambda: chosen.count() > 0, "all goals")
    viewer.press("Alt+a")
    viewer.wait(lambda: not chosen.count(), "none")


@pytest.mark.slow
def test_a_goal_that_is_free_has_no_error(viewer: Viewer) -> None:
    free = {goal["name"] for goal in viewer.document["goals"] if goal["loose"] and goal["enabled"]}
    mouse, start = viewer.page.mouse, viewer.place("pelvis")
    mouse.move(*start)
    mouse.down()
    for k in range(1, 9):  # the hands go along; where their goals were is nobody's wish
        mouse.move(*(start + np.array([-60, 50]) * k / 8))
        viewer.frames(2)
    viewer.wait(
        lambda: max((one["distance"] for one in viewer.status["goals"] if one["name"] in free), default=0) > 0.02,
        "hands that have gone along",
    )
    viewer.frames(2)
    shown = viewer.page.locator(".side.left .row", has_text="free").locator(".short").count()
    mouse.up()
    viewer.settle()
    assert free and not shown


def test_what_is_no_number_is_refused_in_the_status_line(viewer: Viewer) -> None:
    viewer.handle(HANDS[0]).click()
    before = places(viewer)
    viewer.field("x", "abc", POSITION)
    told = viewer.page.locator(".status-bar .working")
    viewer.wait(lambda: "“abc” is no number for x" in "".join(told.all_inner_texts()), "the refusal")
    assert np.allclose(places(viewer), before) and not viewer.document["can_undo"]


def test_the_last_error_replaces_the_one_before(viewer: Viewer, tmp_path: Path) -> None:
    errors = viewer.page.locator(".notice.bad")
    for name in ("first.glb", "second.glb"):
        path = tmp_path / name
        path.write_bytes(b"not a figure")
        viewer.drop(path)
        viewer.wait(lambda name=name: name in "".join(errors.all_inner_texts()), f"what is wrong with {name}")
    assert errors.count() == 1


WORDS = {
    "theme": "Dark or light", "isolate": "mesh", "show mesh": "mesh", "hide mesh": "mesh", "fps": "Frames per second",
    "speed": "Playback speed", "time range": "Time range", "go to frame": "Go to a frame", "frame 20": "Frame 20",
    "cube": "Add a box", "limits": "Limits of the chosen joint", "copy to other side": "Copy to the other side",
    "squat": "Select goal pelvis", "stepped": "step", "spline": "curve", "euler": "curves", "wireframe": "Wireframe",
    "tween": "In between", "pose library": "Save the pose", "elbow": "Pole", "knee": "Pole", "retarget": "Open",
    "insert key": "Set a key", "orbit": "Turn the view", "lock joint": "Freeze", "gravity": "Gravity",
    "autokey": "Auto-key", "wieght": "weight", "rigging": "Edit the skeleton",
}  # fmt: skip


@pytest.mark.slow
def test_the_palette_finds_what_animators_call_it(viewer: Viewer) -> None:
    viewer.handle(HANDS[0]).click()
    viewer.press("Control+k")
    box = viewer.page.get_by_role("combobox", name="Find a command")
    first = viewer.page.locator("#palette-list li").first
    missed = {}
    for typed, wanted in WORDS.items():
        box.fill(typed)
        viewer.frames(2)
        if wanted.lower() not in first.inner_text().lower():
            missed[typed] = first.inner_text()
    viewer.press("Escape")
    assert not missed


def test_the_palette_says_what_a_command_lacks(viewer: Viewer) -> None:
    viewer.press("Escape")  # nothing is chosen
    viewer.choose("edit the skeleton")
    viewer.page.locator(".notice", has_text="Choose what it is for first").wait_for()


def test_frame_and_number_go_there(viewer: Viewer) -> None:
    viewer.choose("frame 20")
    viewer.wait(lambda: viewer.document["frame"] == 20, "the frame")


def test_fps_and_gravity_give_the_focus_to_their_fields(viewer: Viewer) -> None:
    for typed, label in (("fps", "fps"), ("gravity", "Gravity")):
        viewer.choose(typed)
        viewer.wait(lambda label=label: viewer.page.evaluate("document.activeElement.ariaLabel") == label, label)
        viewer.press("Escape")


@pytest.mark.slow
def test_wireframe_shows_what_is_behind(viewer: Viewer) -> None:
    before = viewer.picture()
    viewer.choose("wireframe")
    changed = np.abs(viewer.picture() - before).max(axis=2) > 30
    viewer.choose("wireframe")
    assert changed.mean() > 0.01


@pytest.mark.slow
def test_all_joints_of_a_robot_are_sliders_of_one_list(viewer: Viewer) -> None:
    assert viewer.page.locator(".axes").count() == 0, "a character's ball joints are no list of angles"
    viewer.drop(posable.sample("panda.urdf"))
    viewer.wait(lambda: viewer.document["name"] == "panda", "the arm")
    viewer.settle()
    assert viewer.page.locator(".axes .slider").count() == 8
    for name, value in (
        ("panda_joint4 in °", "-90"),
        ("panda_finger_joint1 in m", "3cm"),
        ("panda_joint2 in °", "500"),
    ):
        viewer.field(name, value, ".axes")
        viewer.settle()
    told = viewer.page.locator(".status-bar .working")
    viewer.wait(lambda: "panda_joint2 goes up to 101.0 °" in "".join(told.all_inner_texts()), "the word for it")
    found = {name: viewer.page.locator(".axes").get_by_role("textbox", name=name).input_value() for name in _AXES}
    assert found == _AXES, "the highest number is the limit"
    turned = viewer.turn("panda_joint1")
    knob = viewer.page.get_by_role("slider", name="panda_joint1").bounding_box()
    assert knob is not None
    viewer.pull(np.array([knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2]), (40, 0))
    viewer.settle()
    assert np.abs(viewer.turn("panda_joint1") - turned).max() > 0.1
    viewer.page.mouse.move(5, 5)
    viewer.undo()
    np.testing.assert_allclose(viewer.turn("panda_joint1"), turned, atol=1e-6)  # one step of undo


_AXES = {"panda_joint4 in °": "-90.0", "panda_finger_joint1 in m": "0.030", "panda_joint2 in °": "101.0"}


@pytest.mark.slow
def test_a_long_list_of_angles_is_searched_and_its_numbers_are_read(viewer: Viewer, shared: Path) -> None:
    viewer.drop(shared / "robots" / "h1.urdf")
    viewer.wait(lambda: viewer.document["name"] == "h1", "the robot")
    viewer.settle()
    rows = viewer.page.locator(".axes .slider")
    assert rows.count() == 19
    widths = viewer.page.locator(".axes input[type=text]").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert min(widths) == max(widths) >= 70, "a long name takes no room from its number"
    box = viewer.page.get_by_role("searchbox", name="Find an angle")
    box.fill("LEFT knee")
    viewer.wait(lambda: rows.count() == 1, "the one that is meant")
    assert rows.inner_text().startswith("left_knee_joint")
    box.fill("tail")
    viewer.page.get_by_text("No joint of this name has an angle.").wait_for()
    box.fill("")
    viewer.wait(lambda: rows.count() == 19, "all of them")


def test_the_notice_of_a_robot_without_meshes_is_read_whole(viewer: Viewer, shared: Path) -> None:
    viewer.drop(shared / "robots" / "so100.urdf")
    said = viewer.page.locator(".notice span", has_text="without the mesh")
    said.wait_for()
    shown, whole = said.evaluate("one => [one.clientHeight, one.scrollHeight]")
    assert shown == whole, "it cannot be scrolled by a mouse, to which it is no obstacle"


@pytest.mark.slow
def test_keep_apart_is_a_click_away_where_a_limb_is_in_the_body(viewer: Viewer) -> None:
    cure = viewer.page.locator(".status-bar").get_by_role("button", name="Keep apart")
    assert not cure.count()
    viewer.handle(HANDS[1]).click()
    for axis, value in zip("xyz", ("0.1", "0.85", "-0.05"), strict=True):
        viewer.field(axis, value, POSITION)
        viewer.settle()
    assert "inside" in viewer.said()
    box = cure.bounding_box()
    assert box is not None and min(box["width"], box["height"]) >= 24
    cure.click()
    viewer.wait(lambda: viewer.document["options"]["keep_apart"], "the option")
    viewer.wait(lambda: not cure.count(), "nothing left to advise")
    viewer.page.mouse.move(5, 5)
    viewer.undo()
    assert not viewer.document["options"]["keep_apart"], "one step of undo"


@pytest.mark.slow
def test_what_is_chosen_is_brought_into_sight(viewer: Viewer) -> None:
    """The numbers of what is new at the right were above what had been scrolled away; its row of the timeline below."""
    side = viewer.page.locator(".side.right")
    viewer.page.locator(".side.left").get_by_text("left hand", exact=True).click()
    viewer.frames()
    side.evaluate("(side) => (side.scrollTop = 1e6)")
    assert side.evaluate("(side) => side.scrollTop") > 100
    viewer.choose("Add a box")
    title = side.locator("summary", has_text="Prop: box")
    viewer.wait(lambda: title.count() == 1, "the box")
    viewer.frames()
    top = side.bounding_box()
    shown = title.bounding_box()
    assert top is not None and shown is not None and top["y"] - 1 <= shown["y"] < top["y"] + top["height"] / 2
    names = viewer.page.locator(".timeline .names")
    for goal in ("pelvis", "left hand"):
        viewer.choose(f"Select goal {goal}")
        viewer.frames()
        row = names.locator('[aria-pressed="true"]').bounding_box()
        box = names.bounding_box()
        assert row is not None and box is not None
        assert box["y"] - 1 <= row["y"] and row["y"] + row["height"] <= box["y"] + box["height"] + 1, goal
