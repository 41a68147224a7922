"""Where one looks from and with what keys: Blender's numbers, orthographic views, what is chosen, Maya's keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

if TYPE_CHECKING:
    from pathlib import Path

    from studio.browser.viewer import Viewer

HAND, OTHER = "left hand", "right hand"


def front(viewer: Viewer) -> None:
    viewer.press("Escape")
    viewer.choose("Look at the figure")
    viewer.press("1")
    viewer.settle()


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        ("Control+1", "Back"),
        ("3", "Right"),
        ("Control+3", "Left"),
        ("7", "Top"),
        ("Control+7", "Below"),
        ("1", "Front"),
    ],
)
def test_numbers_look_from_each_side(viewer: Viewer, key: str, seen: str) -> None:
    viewer.press(key)
    viewer.frames(4)
    faces = viewer.page.locator(".face").all()
    assert [face.inner_text() for face in faces if face.is_visible()] == [seen]
    front(viewer)


def test_the_view_is_turned_by_steps_and_to_the_other_side(viewer: Viewer) -> None:
    front(viewer)
    start = viewer.place(HAND)[0] - viewer.place(OTHER)[0]
    viewer.press("6")
    viewer.frames(4)
    assert 0 < viewer.place(HAND)[0] - viewer.place(OTHER)[0] < 0.99 * start
    viewer.press("4")
    viewer.press("9")
    viewer.frames(4)
    assert viewer.place(HAND)[0] - viewer.place(OTHER)[0] == pytest.approx(-start, rel=0.02)
    front(viewer)


@pytest.mark.slow
def test_an_orthographic_view_shows_near_and_far_as_large(viewer: Viewer) -> None:
    def width(from_key: str) -> float:
        viewer.press(from_key)
        viewer.frames(4)
        return float(np.linalg.norm(viewer.place("left foot") - viewer.place("right foot")))

    front(viewer)
    viewer.drag("left foot", (0, 60))  # towards the eye, on the screen lower
    near, far = width("1"), width("Control+1")
    viewer.press("5")
    viewer.frames(4)
    same, again = width("1"), width("Control+1")
    assert same == pytest.approx(again, rel=2e-3)
    assert abs(near - far) > 3 * abs(same - again)
    place = viewer.place(HAND)
    viewer.drag(HAND, (30, -20))
    assert np.abs(viewer.place(HAND) - place - (30, -20)).max() < 3
    viewer.press("5")
    front(viewer)


def contrast(viewer: Viewer, columns: np.ndarray) -> np.ndarray:
    """How much columns of the page differ from what is 5 pixels beside them, in the picture beside the figure."""
    strip = viewer.picture()[..., :3].mean(axis=(0, 2))
    places = np.round(columns - viewer.page.locator(".viewport").bounding_box()["x"]).astype(int)  # type: ignore[index]
    places = places[(places > 8) & (places < 190)]
    near = np.array([strip[at - 1 : at + 2] for at in places])
    return np.abs(near - (strip[places - 5] + strip[places + 5])[:, None] / 2).max(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "axis"), [("1", 0), ("3", 2)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_an_orthographic_view_from_a_side_has_a_grid_that_tells_lengths(
    viewer: Viewer, key: str, axis: int, theme: str
) -> None:
    scale, root = viewer.page.locator(".grid-scale"), viewer.page.locator("html")
    front(viewer)
    if root.get_attribute("data-theme") != theme:
        viewer.choose("Dark or light")
    assert scale.inner_text() == ""
    viewer.press("5")
    viewer.press(key)
    viewer.settle()
    assert scale.inner_text() == "grid: 10 cm"
    head, hand = (np.array(viewer.goal(goal)["position"]) for goal in ("head", HAND))
    seen = viewer.place("head") - viewer.place(HAND)
    metre = seen[0] / (head - hand)[axis]  # in pixels
    lines = viewer.place(HAND)[0] + metre * (np.arange(-40, 41) / 10 - hand[axis])
    there, between = contrast(viewer, lines), contrast(viewer, lines + metre / 20)
    assert len(there) > 5 and there.min() > 3 * between.max() and there.min() > 1.5
    viewer.page.mouse.move(*viewer.place(HAND))
    for _ in range(14):
        viewer.page.mouse.wheel(0, -240)
        viewer.frames()
    viewer.wait(lambda: scale.inner_text() == "grid: 1 cm", "a finer grid, nearer by")
    viewer.press("6")
    viewer.wait(lambda: scale.inner_text() == "", "no such grid in a view that is along no axis")
    viewer.press("5")
    if theme == "light":
        viewer.choose("Dark or light")
    front(viewer)


@pytest.mark.parametrize("key", ["f", "NumpadDecimal"])
def test_what_is_chosen_is_framed(viewer: Viewer, key: str) -> None:
    front(viewer)
    box = viewer.page.locator(".viewport").bounding_box()
    assert box is not None
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    apart = np.linalg.norm(viewer.place(HAND) - viewer.place("head"))
    viewer.handle(HAND).click()
    viewer.press(key)
    viewer.frames(4)
    assert np.abs(viewer.place(HAND) - middle).max() < 3
    viewer.press("Escape")
    viewer.press(key)  # nothing chosen: the figure
    viewer.frames(4)
    assert np.linalg.norm(viewer.place(HAND) - viewer.place("head")) < 1.5 * apart
    front(viewer)


def test_keys_may_be_those_of_maya(viewer: Viewer) -> None:
    viewer.press("r")
    rotate = viewer.page.locator('[data-action="rotate"]')
    assert rotate.get_attribute("aria-pressed") == "true"
    viewer.choose("Maya's keys")
    viewer.press("w")
    assert rotate.get_attribute("aria-pressed") == "false"
    viewer.press("e")
    assert rotate.get_attribute("aria-pressed") == "true" and "(E)" in (rotate.get_attribute("title") or "")
    viewer.handle(HAND).click()
    viewer.press("s")
    viewer.wait(lambda: viewer.goal(HAND)["keys"], "a key")
    viewer.choose("Maya's keys")
    viewer.press("g")
    assert rotate.get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("select", "Select"),
        ("copy pose", "Copy the pose"),
        ("orthographic", "Orthographic view"),
        ("fist", "Grip: fist"),
        ("centre of mass", "balance"),
        ("obstacle", "Add a box"),
        ("second character", "Add a second figure"),
        ("constraint", "Goes with"),
        ("parent", "Goes with"),
        ("export fbx", "Export figure and motion (FBX)"),
        ("bake", "Bake the keys"),
        ("ik fk", "Switch IK / FK"),
        ("graph editor", "the curves of the chosen goal"),
        ("dope sheet", "the keys of all goals"),
        ("onion", "Ghosts"),
        ("zero", "Reset to the rest pose"),
        ("reset", "Reset to the rest pose"),
        ("flip", "Mirror the pose"),
        ("render", "Export film (MP4)"),
        ("playblast", "Export film (MP4)"),
        ("record", "Auto-key"),
        ("timeline", "Timeline"),
        ("help", "Keys and mouse"),
    ],
)
def test_the_palette_finds_by_the_words_of_other_programs(viewer: Viewer, words: str, first: str) -> None:
    viewer.press("Control+k")
    viewer.page.get_by_role("combobox", name="Find a command").fill(words)
    options = viewer.page.get_by_role("option").all_inner_texts()
    assert any(first in option for option in options), options
    viewer.press("Escape")


def test_the_palette_leads_to_what_a_goal_goes_with_and_to_the_curves(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.choose("constraint")
    goes_with = viewer.page.get_by_role("combobox", name="Goes with")
    viewer.wait(lambda: goes_with.evaluate("list => list === document.activeElement"), "the list has the focus")
    goes_with.select_option("chest")
    viewer.wait(lambda: viewer.goal(HAND)["relative_to"] == "chest", "the joint")
    goes_with.blur()
    for words, pressed in (("graph editor", "Curves"), ("dope sheet", "Keys")):
        viewer.choose(words)
        button = viewer.page.get_by_role("button", name=pressed, exact=True)
        viewer.wait(lambda: button.get_attribute("aria-pressed") == "true", pressed)  # noqa: B023


@pytest.mark.slow
def test_a_key_that_is_pressed_before_the_session_has_answered_is_taken(viewer: Viewer) -> None:
    viewer.drag(HAND, (10, -30))
    moved = viewer.goal(HAND)["position"]
    viewer.page.reload(wait_until="commit")
    viewer.page.locator(".toolbar").wait_for()
    viewer.press("Control+z")
    viewer.wait(lambda: viewer.goal(HAND)["position"] != moved, "the undo")
    viewer.wait(lambda: viewer.place(HAND) is not None, "the handles")
    # Nor one that follows so soon on another that nothing is there to undo yet.
    viewer.handle(HAND).click()
    viewer.page.evaluate(
        """() => {
          for (const [key, ctrlKey] of [['k', false], ['z', true]])
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }));
        }"""
    )
    viewer.settle()
    assert not viewer.goal(HAND)["keys"] and not viewer.document["can_undo"]


def test_the_wheel_brings_what_is_under_the_mouse_nearer(viewer: Viewer) -> None:
    """It stays under the mouse, and the rest goes outwards."""
    viewer.press("Home")
    hand, foot = viewer.place("left hand"), viewer.place("right foot")
    viewer.page.mouse.move(*hand)
    for _ in range(4):
        viewer.page.mouse.wheel(0, -240)
        viewer.frames()
    nearer = viewer.place("left hand")
    assert np.linalg.norm(viewer.place("right foot") - nearer) > 1.2 * np.linalg.norm(foot - hand)
    assert np.linalg.norm(nearer - hand) < 0.1 * np.linalg.norm(foot - hand)
    viewer.choose("Look at the figure")
    viewer.frames(4)


@pytest.mark.slow
def test_ground_and_background_stay_while_a_hand_is_dragged(viewer: Viewer) -> None:
    # Without a graphics card they are copied from the picture before; seen from elsewhere they are drawn anew.
    def behind() -> np.ndarray:
        viewer.frames(3)
        picture = viewer.picture()[..., :3].astype(float)
        return np.array([part.mean() for part in np.array_split(picture[:, : picture.shape[1] // 6], 4)])

    front(viewer)
    viewer.press("6")
    start, mouse = viewer.place(HAND), viewer.page.mouse
    at_rest = behind()
    mouse.move(*start)
    mouse.down()
    held = []
    for k in range(1, 9):
        mouse.move(start[0] + 4 * k, start[1])
        viewer.frames(1)
        held.append(behind())
    mouse.up()
    viewer.press("7")
    above = behind()
    assert np.abs(np.array(held) - at_rest).max() < 3
    assert np.abs(above - at_rest).max() > 3
    front(viewer)


@pytest.mark.slow
def test_the_front_is_where_the_figure_faces(viewer: Viewer, tmp_path: Path) -> None:
    mannequin = posable.figure("mannequin")
    root, *others = mannequin.skeleton.definitions
    turned = replace(root, rest=(*mannequin.rest.q[:3].tolist(), 0.5**0.5, 0.0, 0.5**0.5, 0.0))  # it faces +x
    skeleton = posable.Skeleton([turned, *others])
    posable.save(tmp_path / "turned.glb", posable.Figure(skeleton, "turned", (mannequin.skins[0].on(skeleton),)))
    figures = viewer.figures
    viewer.drop(tmp_path / "turned.glb")
    viewer.wait(lambda: viewer.figures > figures, "the figure that faces +x")
    viewer.settle()
    for key, seen, apart in (("1", "Front", True), ("3", "Right", False), ("7", "Top", True)):
        viewer.press(key)
        viewer.frames(4)
        faces = [face for face in viewer.page.locator(".face").all() if face.is_visible()]
        assert [face.inner_text() for face in faces] == [seen]
        assert (abs(viewer.place(HAND)[0] - viewer.place(OTHER)[0]) > 60) == apart, f"{key}: the hands side by side"
