"""G and R as in Blender, what is told of a limb under the mouse, and hands that go along with the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from posable.spatial import rotation_vector_from_wxyz, wxyz_inverse, wxyz_multiply

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND = "left hand"


def place_of(viewer: Viewer) -> np.ndarray:
    return np.array(viewer.goal(HAND)["position"])


def led(viewer: Viewer, *by: tuple[float, float]) -> None:
    """The mouse led from where it is over the hand, without a button."""
    start = viewer.place(HAND)
    for step in by:
        viewer.page.mouse.move(*(start + step))
        viewer.frames(2)


def grabbed(viewer: Viewer, key: str) -> None:
    """The hand chosen, the mouse near it, and the key pressed."""
    viewer.press("1")
    viewer.frames(4)
    viewer.handle(HAND).click()
    viewer.page.mouse.move(*(viewer.place(HAND) + 5))
    viewer.frames(2)
    viewer.press(key)
    viewer.frames(2)


@pytest.mark.slow
def test_g_moves_at_once_and_a_click_sets_it(viewer: Viewer) -> None:
    before = place_of(viewer)
    grabbed(viewer, "g")
    assert "Esc takes back" in viewer.hint()
    led(viewer, (-20, -30), (-40, -60))
    viewer.page.mouse.down()
    viewer.page.mouse.up()
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    moved = place_of(viewer) - before
    assert moved[1] > 0.05 and moved[0] < -0.03
    assert viewer.goal(HAND)["rotation_weight"] == 0, "what is moved may still turn"
    led(viewer, (80, 80))
    viewer.settle()
    assert np.allclose(place_of(viewer) - before, moved), "after the click the mouse moves nothing"
    viewer.undo()
    assert np.allclose(place_of(viewer), before, atol=1e-6), "one step of undo"


@pytest.mark.slow
def test_all_that_is_chosen_moves_together(viewer: Viewer) -> None:
    names = (HAND, "right hand")
    before = [np.array(viewer.goal(name)["position"]) for name in names]
    grabbed(viewer, "Escape")
    viewer.handle(HAND).click()
    viewer.handle(names[1]).click(modifiers=["Shift"])
    viewer.page.mouse.move(*(viewer.place(HAND) + 5))
    viewer.frames(2)
    viewer.press("g")
    viewer.frames(2)
    led(viewer, (-10, -15), (-20, -30))
    viewer.page.mouse.down()
    viewer.page.mouse.up()
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    moved = [np.array(viewer.goal(name)["position"]) - place for name, place in zip(names, before, strict=True)]
    assert moved[0][1] > 0.02
    assert np.allclose(moved[0], moved[1], atol=1e-5), "all go as far"
    viewer.undo()
    assert all(
        np.allclose(viewer.goal(name)["position"], at, atol=1e-6) for name, at in zip(names, before, strict=True)
    )
    viewer.drag(HAND, (15, -25))  # as a handle of several takes the others along
    moved = [np.array(viewer.goal(name)["position"]) - place for name, place in zip(names, before, strict=True)]
    assert moved[0][1] > 0.02 and np.allclose(moved[0], moved[1], atol=1e-5)


@pytest.mark.slow
def test_an_axis_key_keeps_it_to_that_axis(viewer: Viewer) -> None:
    before = place_of(viewer)
    grabbed(viewer, "g")
    led(viewer, (-30, -40))
    viewer.press("y")
    assert "along y" in viewer.hint()
    led(viewer, (-40, -30))
    viewer.press("Enter")
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    moved = place_of(viewer) - before
    assert moved[1] > 0.03 and np.abs(moved[[0, 2]]).max() < 1e-4


def typed(viewer: Viewer, *keys: str) -> np.ndarray:
    """How far the hand goes by these keys after G and an Enter, which is then taken back."""
    before = place_of(viewer)
    grabbed(viewer, "g")
    for key in keys:
        viewer.press(key)
    led(viewer, (-30, -40))  # the number counts, not the mouse
    viewer.press("Enter")
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    viewer.settle()
    moved = place_of(viewer) - before
    viewer.undo()
    return moved


@pytest.mark.slow
def test_a_number_says_how_far(viewer: Viewer) -> None:
    assert np.allclose(typed(viewer, "x", "0", ".", "1"), (0.1, 0, 0), atol=1e-5)
    assert np.allclose(typed(viewer, "0", ".", "1", "y"), (0, 0.1, 0), atol=1e-5), "the axis may come after"
    assert np.allclose(typed(viewer, "z", ".", "1", "5", "Backspace", "-"), (0, 0, -0.1), atol=1e-5)


def test_the_status_line_shows_the_number_and_without_one_the_mouse_leads_again(viewer: Viewer) -> None:
    grabbed(viewer, "g")
    for key in "x.2":
        viewer.press(key)
    viewer.wait(lambda: "move by .2 m along x" in viewer.hint(), "the number")
    for _ in range(2):
        viewer.press("Backspace")
    viewer.wait(lambda: "mouse: move along x" in viewer.hint(), "the mouse")
    viewer.press("Escape")
    viewer.settle()
    assert not viewer.document["can_undo"]


def test_shift_with_an_axis_keeps_to_the_plane_across_it(viewer: Viewer) -> None:
    before = place_of(viewer)
    grabbed(viewer, "g")
    viewer.press("Shift+z")
    viewer.wait(lambda: "in x and y" in viewer.hint(), "the plane")
    led(viewer, (-20, -30), (-30, -50))
    viewer.press("Enter")
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    moved = place_of(viewer) - before
    assert min(abs(moved[0]), abs(moved[1])) > 0.02 and abs(moved[2]) < 1e-4


def test_a_number_says_how_far_to_turn(viewer: Viewer) -> None:
    before = np.array(viewer.goal(HAND)["rotation"])
    grabbed(viewer, "r")
    for key in ("z", "9", "0"):
        viewer.press(key)
    viewer.wait(lambda: "rotate by 90° about z" in viewer.hint(), "the number")
    viewer.press("Enter")
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    turn = rotation_vector_from_wxyz(wxyz_multiply(np.array(viewer.goal(HAND)["rotation"]), wxyz_inverse(before)))
    assert np.allclose(turn, (0, 0, np.pi / 2), atol=1e-4)
    viewer.tool("move")


@pytest.mark.slow
def test_enter_sets_it_while_a_row_of_the_tree_has_the_focus(viewer: Viewer) -> None:
    """The row took Enter, and the next drag, which ended the turn instead, did nothing."""
    viewer.page.locator("[role=treeitem]", has_text="upper_arm_r").first.click()
    viewer.page.mouse.move(*(viewer.place(HAND) + 40))
    viewer.frames(4)
    viewer.press("r")
    for key in ("z", "2", "0", "Enter"):
        viewer.press(key)
        viewer.frames(2)
    viewer.wait(lambda: viewer.document["can_undo"], "the turn")
    assert "Esc takes back" not in viewer.hint()
    viewer.settle()
    before = place_of(viewer)
    viewer.drag(HAND, (10, -60))
    assert np.linalg.norm(place_of(viewer) - before) > 0.1


@pytest.mark.slow
def test_a_line_shows_the_axis(viewer: Viewer) -> None:
    grabbed(viewer, "g")
    viewer.frames(4)
    viewer.page.mouse.move(*(viewer.place(HAND) + 5))
    free = viewer.picture()
    viewer.press("y")
    viewer.frames(4)
    changed = np.abs(viewer.picture() - free).sum(axis=2) > 20
    viewer.press("Escape")
    column = int(viewer.place(HAND)[0] - viewer.page.locator(".viewport").bounding_box()["x"])  # type: ignore[index]
    assert changed[:, column - 2 : column + 3].any(axis=1).mean() > 0.8, "from above to below"


@pytest.mark.slow
def test_escape_and_the_right_button_take_a_grab_back(viewer: Viewer) -> None:
    before = place_of(viewer)
    for end in ("Escape", "right"):
        grabbed(viewer, "g")
        poses = viewer.poses
        led(viewer, (-20, -30), (-40, -50))
        viewer.wait(lambda poses=poses: viewer.poses > poses, "a pose")
        if end == "right":
            viewer.page.mouse.click(*viewer.place(HAND), button="right")
        else:
            viewer.press(end)
        viewer.wait(lambda: np.allclose(place_of(viewer), before, atol=1e-6), "the old place")
        viewer.settle()
        assert not viewer.document["can_undo"] and "Esc takes back" not in viewer.hint()


def test_escape_takes_back_what_an_arrow_of_the_gizmo_moved(viewer: Viewer) -> None:
    before = place_of(viewer)
    viewer.press("1")
    viewer.frames(4)
    viewer.handle(HAND).click()
    viewer.page.mouse.move(*viewer.part(HAND, "move along y"))
    viewer.frames(2)
    viewer.page.mouse.down()
    at = viewer.place(HAND)
    viewer.page.mouse.move(*(at - (0, 60)))
    viewer.frames(4)
    viewer.press("Escape")
    viewer.page.mouse.up()
    viewer.settle()
    assert np.allclose(place_of(viewer), before, atol=1e-6) and not viewer.document["can_undo"]


def test_r_turns_at_once_in_the_view(viewer: Viewer) -> None:
    before = np.array(viewer.goal(HAND)["rotation"])
    grabbed(viewer, "r")
    led(viewer, (40, 0), (30, 30), (0, 40))
    viewer.page.mouse.down()
    viewer.page.mouse.up()
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    turn = rotation_vector_from_wxyz(wxyz_multiply(np.array(viewer.goal(HAND)["rotation"]), wxyz_inverse(before)))
    assert abs(turn[2]) > 0.3 and np.abs(turn[:2]).max() < 0.25 * abs(turn[2]), "about the axis of the view"
    viewer.tool("move")


def test_the_status_line_says_what_a_click_on_a_limb_would_choose(viewer: Viewer) -> None:
    viewer.press("1")
    viewer.frames(4)
    foot, hips = viewer.place("left foot"), viewer.place("pelvis")
    viewer.page.mouse.move(*(0.45 * foot + 0.55 * np.array([foot[0], hips[1]])))  # the leg
    viewer.wait(lambda: "choose left foot" in viewer.hint(), "the name of what is under the mouse")
    assert "hovered" in (viewer.handle("left foot").get_attribute("class") or "")
    viewer.page.mouse.move(*(viewer.place(HAND) + np.array([60, -60])))
    viewer.wait(lambda: "choose" not in viewer.hint(), "nothing under the mouse")


@pytest.mark.slow
def test_a_free_hand_goes_along_and_is_held_once_it_was_moved(viewer: Viewer) -> None:
    ring = viewer.handle(HAND)
    assert "off" in (ring.get_attribute("class") or "") and "free" in (ring.get_attribute("aria-label") or "")
    before = place_of(viewer)
    viewer.drag("pelvis", (0, 40))
    assert before[1] - place_of(viewer)[1] > 0.05
    viewer.drag(HAND, (0, -30))
    viewer.wait(lambda: "off" not in (ring.get_attribute("class") or ""), "a full ring")
    put = place_of(viewer)
    viewer.drag("pelvis", (0, -20))
    assert np.linalg.norm(place_of(viewer) - put) < 1e-4
    viewer.handle(HAND).click()
    viewer.page.get_by_role("button", name="Free", exact=True).click()
    viewer.wait(lambda: viewer.goal(HAND)["loose"], "a hand that is free again")


@pytest.mark.slow
def test_the_ground_stops_hips_and_hands_that_are_dragged_and_a_number_goes_below(viewer: Viewer) -> None:
    viewer.press("1")
    viewer.frames(4)
    ground = viewer.document["floors"]
    viewer.drag("pelvis", (0, 330))
    assert viewer.goal("pelvis")["position"][1] == pytest.approx(ground["pelvis"], abs=1e-6)
    viewer.undo()
    viewer.handle(HAND).click()
    viewer.page.keyboard.down("Shift")
    viewer.handle("right hand").click()
    viewer.page.keyboard.up("Shift")
    other = viewer.goal("right hand")["position"]
    start = viewer.place(HAND)
    viewer.pull(start, (0, 330))
    viewer.wait(lambda: abs(viewer.goal(HAND)["position"][1] - ground[HAND]) < 1e-6, "a hand on the ground")
    assert viewer.goal("right hand")["position"][::2] == pytest.approx(other[::2], abs=1e-4)
    viewer.undo()
    viewer.press("Escape")
    viewer.handle(HAND).click()
    field = viewer.page.get_by_role("group", name="Position m").get_by_label("y", exact=True)
    field.fill("-0.1")
    field.press("Enter")
    viewer.wait(lambda: viewer.goal(HAND)["position"][1] == pytest.approx(-0.1), "a number is taken as it is")
    viewer.wait(lambda: "below the ground" in viewer.said() or "short" in viewer.said(), "a word for it")


@pytest.mark.slow
@pytest.mark.parametrize(("key", "turned"), [("", ""), ("g", ""), ("", "66"), ("", "44")])
def test_a_hand_led_over_the_chest_goes_in_front_of_it(viewer: Viewer, key: str, turned: str) -> None:
    """Turned: the hand that is further away than the body too."""
    for view in "1" + turned:
        viewer.press(view)
    viewer.frames(4)
    start, before = viewer.place(HAND), place_of(viewer)
    to = 0.55 * viewer.place("pelvis") + 0.45 * (2 * viewer.place("pelvis") - viewer.place("left foot"))
    if key:
        grabbed(viewer, key)
        led(viewer, *(tuple((to - start) * share) for share in (0.5, 1.0)))
        viewer.page.mouse.down()
        viewer.page.mouse.up()
    else:
        viewer.drag(HAND, tuple(to - start))
    viewer.wait(lambda: viewer.document["can_undo"], "the end of the gesture")
    viewer.settle()
    assert place_of(viewer)[2] > before[2] + (0.02 if turned else 0.08), "it went through the chest"
    assert np.linalg.norm(viewer.place(HAND) - to) < 8, "it is under the mouse"
    assert "inside" not in viewer.said()


@pytest.mark.slow
def test_a_mark_out_of_the_picture_is_grabbed_beside_the_edge_of_the_panel(viewer: Viewer) -> None:
    view = viewer.page.locator(".viewport").bounding_box()
    assert view is not None
    viewer.press("1")
    viewer.page.locator(".left").get_by_role("button", name="head", exact=True).click()
    viewer.field("x", "9", ".right fieldset:has-text('Position')")
    viewer.wait(lambda: viewer.goal("head")["position"][0] == 9, "the number")
    viewer.settle()
    assert view["x"] + view["width"] - viewer.place("head")[0] < 60, "it is drawn in to the edge"
    viewer.drag("head", (-40, 30))
    assert viewer.goal("head")["position"][0] < 9
    after = viewer.page.locator(".viewport").bounding_box()
    assert after is not None and after["width"] == view["width"], "the panel is as wide as before"


@pytest.mark.slow
@pytest.mark.parametrize("end", ["Enter", "Escape"])
def test_the_tool_of_the_toolbar_stays_when_something_was_turned_by_its_key(viewer: Viewer, end: str) -> None:
    viewer.tool("move")
    grabbed(viewer, "r")
    for key in ("z", "9", "0", end):
        viewer.press(key)
    viewer.settle()
    viewer.frames(2)
    assert viewer.page.locator(".toolbar [data-action=move]").get_attribute("aria-pressed") == "true"
