"""What the mouse and the keys mean: fields that let go of them, Escape, Delete, handles that lie over one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND, OTHER = "left hand", "right hand"


def chosen(viewer: Viewer) -> str | None:
    """What has its handle chosen, in the picture that follows."""
    viewer.frames()
    found = viewer.page.locator(".handle.chosen")
    return found.first.get_attribute("data-handle") if found.count() else None


@pytest.mark.slow
@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_a_field_lets_the_keys_go(viewer: Viewer, key: str) -> None:
    viewer.handle(OTHER).click()
    before = viewer.goal(OTHER)["position"]
    box = viewer.page.locator(".side.right").get_by_role("textbox", name="y", exact=True).first
    box.click()
    box.press_sequentially("1.1")
    box.press(key)
    viewer.press("3")  # the view from the side, not the number 3
    viewer.wait(lambda: abs(viewer.place(HAND)[0] - viewer.place(OTHER)[0]) < 20, "the view from the side")
    if key == "Enter":
        viewer.wait(lambda: viewer.document["can_undo"], "the value that was typed")
    wanted = 1.1 if key == "Enter" else before[1]
    assert viewer.goal(OTHER)["position"][1] == pytest.approx(wanted)
    viewer.press("1")
    viewer.frames(4)


@pytest.mark.parametrize(("typed", "wanted"), [("1.2 + 5cm", 1.25), ("*2", 2.0), ("-= 20 cm", 0.8), ("nonsense", 1.0)])
def test_sums_units_and_changes_are_numbers(viewer: Viewer, typed: str, wanted: float) -> None:
    viewer.page.locator(".left").get_by_text("left hand", exact=True).click()
    viewer.field("y", "1", ".right fieldset:has-text('Position')")
    shown = viewer.page.locator(".right fieldset:has-text('Position')").get_by_role("textbox", name="y", exact=True)
    viewer.wait(lambda: shown.input_value() == "1.000", "the first number")  # what is typed next changes what is shown
    viewer.field("y", typed, ".right fieldset:has-text('Position')")
    viewer.wait(lambda: abs(viewer.goal("left hand")["position"][1] - wanted) < 1e-6, f"{typed} as {wanted}")


def test_numbers_typed_faster_than_the_session_answers_are_all_taken(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.page.get_by_role("group", name="Position m").get_by_label("x", exact=True).focus()
    wanted = [0.5, 1.4, 0.2]
    for number in wanted:
        viewer.page.keyboard.type(str(number))
        viewer.page.keyboard.press("Tab")
    viewer.settle()
    viewer.wait(lambda: np.allclose(viewer.goal(HAND)["position"], wanted, atol=1e-3), "all three numbers")


@pytest.mark.slow
def test_a_label_that_is_dragged_moves_its_number_in_one_step(viewer: Viewer) -> None:
    viewer.page.locator(".left").get_by_text("left hand", exact=True).click()
    before = viewer.goal("left hand")["position"]
    label = viewer.page.locator(".right fieldset:has-text('Position') .field > span").nth(1)
    box = label.bounding_box()
    assert box is not None
    viewer.pull(np.array([box["x"] + 8, box["y"] + 10]), (-80, 0))
    viewer.wait(lambda: abs(viewer.goal("left hand")["position"][1] - before[1] + 0.2) < 0.011, "a hand 20 cm lower")
    viewer.press("k")  # the view has its keys: a field would have taken the letter
    viewer.wait(lambda: viewer.goal("left hand")["keys"], "a key")
    viewer.undo()
    viewer.undo()
    assert viewer.goal("left hand")["position"] == pytest.approx(before)


def test_escape_takes_a_drag_back(viewer: Viewer) -> None:
    before, poses = viewer.goal(HAND)["position"], viewer.poses
    start, mouse = viewer.place(HAND), viewer.page.mouse
    mouse.move(*start)
    viewer.frames()
    mouse.down()
    for k in range(1, 5):
        mouse.move(*(start + np.array([12, -20]) * k))
        viewer.frames(1)
    viewer.wait(lambda: viewer.poses > poses, "the pose that follows the mouse")
    viewer.press("Escape")
    mouse.move(*(start + np.array([80, -80])))
    mouse.up()
    viewer.settle()
    assert viewer.goal(HAND)["position"] == before
    assert not viewer.document["can_undo"]
    assert np.abs(viewer.place(HAND) - start).max() < 1.5


@pytest.mark.slow
def test_escape_leaves_nothing_chosen_for_a_dialog_to_bring_back(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    assert chosen(viewer) == f"goal:{HAND}"
    viewer.press("Escape")
    viewer.press("Control+k")
    viewer.press("Escape")
    viewer.frames()
    assert chosen(viewer) is None


@pytest.mark.slow
def test_delete_means_what_was_chosen_last(viewer: Viewer) -> None:
    from studio.browser.test_timeline import click, row

    viewer.field("to", "100", ".transport")  # the sheet is as wide as the range then, however it was zoomed
    viewer.wait(lambda: viewer.document["range"] == [0, 100], "the range")
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.goal(HAND)["keys"], "the key")
    click(viewer, 0, row(viewer, HAND))
    viewer.handle("right foot").click()
    names = [goal["name"] for goal in viewer.document["goals"]]
    viewer.press("Delete")
    viewer.wait(lambda: len(viewer.document["goals"]) < len(names), "one goal fewer")
    assert viewer.goal(HAND)["keys"], "the other goal's key is left alone"
    assert "right foot is removed" in viewer.page.locator(".notices").inner_text()
    viewer.undo()
    click(viewer, 0, row(viewer, HAND))
    viewer.press("Delete")
    viewer.wait(lambda: not viewer.goal(HAND)["keys"], "no key")
    viewer.press("Delete")  # no key is left, and the goal was not what was meant
    viewer.settle()
    assert [goal["name"] for goal in viewer.document["goals"]] == names


@pytest.mark.slow
def test_the_nearest_handle_is_lit_and_taken_and_clicks_go_on_to_those_behind(viewer: Viewer) -> None:
    viewer.press("3")
    viewer.settle()
    # From the side both hands are in one place, and the pelvis is beside them.
    hands = viewer.place(OTHER)
    viewer.page.mouse.move(*hands)
    viewer.frames()
    lit = viewer.page.locator(".handle.hovered")
    assert lit.count() == 1 and lit.get_attribute("data-handle") == f"goal:{OTHER}"
    viewer.pull(hands, (30, -40))
    viewer.wait(lambda: viewer.document["can_undo"], "the drag")
    viewer.settle()
    assert not viewer.goal("pelvis")["enabled"], "what lies 8 pixels beside it is not switched on"
    assert chosen(viewer) == f"goal:{OTHER}"
    viewer.undo()
    viewer.press("Escape")
    viewer.settle()
    seen = []
    for _ in range(3):
        viewer.page.mouse.click(*hands)
        viewer.frames()
        seen.append(chosen(viewer))
    assert seen[0] == f"goal:{OTHER}" and len(set(seen)) > 1, seen
    viewer.press("1")
    viewer.frames(4)


def test_a_click_in_the_trunk_chooses_its_joint_and_on_a_limb_its_goal(viewer: Viewer) -> None:
    viewer.press("1")
    viewer.settle()
    neck, hips = viewer.place("head"), viewer.place("pelvis")
    chest = np.array([hips[0], 0.7 * hips[1] + 0.3 * neck[1]])
    viewer.page.mouse.click(*chest)
    name = viewer.page.locator(".side.right summary").first.inner_text()
    assert name.startswith("Joint:") and "head" not in name
    viewer.press("Escape")
    viewer.frames()
    foot = viewer.place("left foot")
    viewer.page.mouse.click(foot[0], 0.6 * foot[1] + 0.4 * hips[1])
    assert chosen(viewer) == "goal:left foot"


@pytest.mark.slow
def test_reset_gives_back_ik_and_fk(viewer: Viewer) -> None:
    viewer.drag("pelvis", (10, 30))
    viewer.handle(HAND).click()
    viewer.press("i")
    viewer.wait(lambda: viewer.goal("pelvis")["enabled"] and not viewer.goal(HAND)["enabled"], "both switched")
    viewer.choose("Reset to the rest")
    viewer.wait(lambda: viewer.goal(HAND)["enabled"] and not viewer.goal("pelvis")["enabled"], "as it was opened")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("flip", "Mirror the pose"),
        ("help", "Keys and mouse"),
        ("reset", "Reset to the rest pose"),
        ("camera", "Look at"),
    ],
)
def test_the_palette_knows_other_words(viewer: Viewer, word: str, first: str) -> None:
    viewer.press("Control+k")
    viewer.page.get_by_role("combobox", name="Find a command").fill(word)
    options = viewer.page.get_by_role("option").all_inner_texts()
    assert any(first in option for option in options), options
    viewer.press("Escape")


@pytest.mark.slow
def test_a_lifted_foot_hangs_and_is_flat_again_on_the_ground(viewer: Viewer) -> None:
    viewer.choose("Look at the figure")
    viewer.press("3")
    viewer.settle()
    viewer.drag("left foot", (0, -60))
    assert viewer.goal("left foot")["rotation_weight"] == 0
    viewer.drag("left foot", (0, 60))
    assert viewer.goal("left foot")["rotation_weight"] == 1
    viewer.press("1")


@pytest.mark.slow
def test_hips_that_are_lowered_raise_the_heels_and_come_to_their_goal(viewer: Viewer) -> None:
    viewer.choose("Look at the figure")
    viewer.press("3")
    viewer.settle()
    flat = viewer.goal("left foot")["rotation"]
    viewer.drag("pelvis", (0, 90))
    off = lambda: next(goal for goal in viewer.status["goals"] if goal["name"] == "pelvis")["distance"]  # noqa: E731
    viewer.wait(lambda: off() < 2e-3, "hips at their goal")
    assert abs(np.dot(viewer.goal("left foot")["rotation"], flat)) < np.cos(np.radians(15) / 2)
    viewer.press("1")


@pytest.mark.slow
@pytest.mark.parametrize("by", ["row", "handle"])
def test_a_click_on_one_of_several_goals_chooses_it_alone_and_a_drag_moves_all(viewer: Viewer, by: str) -> None:
    names = ("left hand", "right hand")
    rows = {name: viewer.page.locator(".side.left").get_by_text(name, exact=True) for name in names}
    title = viewer.page.locator(".side.right summary").first
    rows[HAND].click()
    rows[OTHER].click(modifiers=["Shift"])
    viewer.wait(lambda: "1 more" in title.inner_text(), "both chosen")
    if by == "row":
        rows[OTHER].click()
    else:
        before = {name: viewer.goal(name)["position"] for name in names}
        viewer.drag(OTHER, (0, -40))
        viewer.settle()
        for name in names:
            assert viewer.goal(name)["position"][1] > before[name][1] + 0.02, name
        assert "1 more" in title.inner_text(), "a drag keeps both"
        x, y = viewer.place(OTHER)
        viewer.page.mouse.move(x, y)
        viewer.page.mouse.down()
        viewer.page.mouse.move(x + 1, y)  # no hand is quite still
        viewer.page.mouse.up()
    viewer.wait(lambda: title.inner_text().split("\n")[0] == f"Goal: {OTHER}", "that one alone")
