"""The demonstrations: the snake under held arrow keys, its sliders, its text edited in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer


@pytest.fixture
def snake(viewer: Viewer) -> Viewer:
    """The snake and its cube, from the menu."""
    viewer.page.get_by_role("button", name="Demos").click()
    viewer.page.get_by_role("menuitem", name="snake", exact=True).click()
    viewer.wait(lambda: viewer.document["demo"] == "snake", "the snake")
    viewer.settle()
    return viewer


def head(viewer: Viewer) -> tuple[np.ndarray, float]:
    """Where the goal is, and how far the snake is from it."""
    assert viewer.pose is not None
    return np.array(viewer.pose.goals[0][:3]), float(viewer.pose.residuals[0][0])


def turned(viewer: Viewer, view: str) -> None:
    """The view turned by its key, and at rest."""
    viewer.press(view)
    viewer.page.wait_for_timeout(400)
    before = viewer.place("head") + 9
    while np.abs(viewer.place("head") - before).max() > 0.01:
        before = viewer.place("head")
        viewer.frames(5)


@pytest.mark.slow
def test_held_arrows_lead_the_snake(snake: Viewer) -> None:
    turned(snake, "1")
    start, _ = head(snake)
    assert "hold the arrow keys" in snake.hint()
    snake.page.keyboard.down("ArrowUp")
    snake.page.keyboard.down("ArrowLeft")
    snake.wait(lambda: head(snake)[0][1] > start[1] + 0.02, "the cube rises")
    tail = snake.pose
    snake.page.keyboard.up("ArrowUp")
    snake.page.keyboard.up("ArrowLeft")
    snake.settle()
    snake.wait(lambda: snake.document["can_undo"], "one step of undo")
    place, left = head(snake)
    assert place[0] < start[0] - 0.02
    assert left < 0.3 * np.linalg.norm(place - start)  # it follows
    assert tail is not None and snake.pose is not None
    snake.press("Control+z")
    snake.wait(lambda: not np.any(np.abs(head(snake)[0] - start) > 1e-6), "the undo of the whole way")


@pytest.mark.slow
def test_arrow_keys_lead_along_the_screen(snake: Viewer) -> None:
    """From the right side, right on the screen is the figure's back; from above, up on the screen is away from it."""
    for view, key, axis, sign in (("3", "ArrowRight", 2, -1), ("7", "ArrowUp", 2, -1)):
        turned(snake, view)
        start, _ = head(snake)
        shown = snake.place("head")
        snake.page.keyboard.down(key)
        snake.wait(lambda start=start: np.linalg.norm(head(snake)[0] - start) > 0.05, "the cube moves")
        snake.page.keyboard.up(key)
        snake.settle()
        moved, seen = head(snake)[0] - start, snake.place("head") - shown
        assert moved[axis] * sign > 0.9 * np.linalg.norm(moved)
        along = seen[0] if key == "ArrowRight" else -seen[1]
        assert along > 0.9 * np.linalg.norm(seen)
        snake.undo()


@pytest.mark.slow
def test_gravity_and_elasticity_are_sliders(snake: Viewer) -> None:
    assert snake.document["options"]["elasticity"] > 0
    before = snake.pose
    slider = snake.page.locator(".slider", has_text="Gravity").locator("input[type=range]")
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    snake.wait(lambda: snake.document["options"]["gravity"] > 0, "gravity")
    snake.settle()
    assert before is not None and snake.pose is not None
    assert np.abs(snake.pose.rotations - before.rotations).max() > 1e-3  # it hangs


def test_its_text_is_edited_in_the_page_and_sent_back(snake: Viewer) -> None:
    text, joints = snake.document["text"], len(snake.document["joints"])
    assert text.count("[[joint]]") == joints
    snake.choose("Edit the figure")
    box = snake.page.get_by_role("textbox", name="Text of the figure")
    assert box.input_value() == text
    box.fill(text[: text.rindex("[[joint]]")])
    snake.page.get_by_role("button", name="Load the text").click()
    snake.wait(lambda: len(snake.document["joints"]) == joints - 1, "a joint fewer")
    snake.press("Escape")
    snake.choose("Edit the figure")
    box.fill("joints = 3")
    snake.page.get_by_role("button", name="Load the text").click()
    snake.page.locator(".notice.bad").wait_for()
    assert len(snake.document["joints"]) == joints - 1  # what is no figure changes nothing
    snake.press("Escape")


@pytest.mark.slow
def test_methods_are_compared_on_the_open_figure_with_names_and_times(viewer: Viewer) -> None:
    viewer.choose("Figure: arm7")
    viewer.wait(lambda: viewer.document["name"].startswith("arm7"), "the arm")
    viewer.choose("Compare the methods")
    viewer.wait(lambda: viewer.document["demo"] and len(viewer.document["goals"]) == 5, "five of it")
    viewer.settle()
    viewer.page.locator(".side.left .effort", has_text="iterations").nth(4).wait_for()
    names = viewer.page.locator(".side.left .rows .row-name span").evaluate_all(
        "all => all.map((one) => one.scrollWidth <= one.clientWidth)"
    )
    assert names == [True] * 5, "no name is cut off"
    assert not any("e+" in text for text in viewer.page.locator(".side.left .effort").all_inner_texts())
    viewer.choose("Look at the figure")
    viewer.frames(40)
    first, *others = [np.array(goal["position"]) for goal in viewer.document["goals"]]
    viewer.pull(viewer.place(viewer.document["goals"][0]["name"]), (25, -20))
    viewer.wait(lambda: np.linalg.norm(viewer.document["goals"][0]["position"] - first) > 0.01, "the drag")
    viewer.settle()
    moved, *after = [np.array(goal["position"]) for goal in viewer.document["goals"]]
    assert np.linalg.norm(moved - first) > 0.01
    assert all(np.allclose(b - a, moved - first, atol=1e-6) for a, b in zip(others, after, strict=True)), "all race"
    viewer.undo()
    labels = viewer.page.evaluate(
        """() => {
          const labels = [...document.querySelectorAll('.handle.goal')].map((one) => getComputedStyle(one, '::after'));
          return labels.filter((one) => one.opacity === '1').map((one) => one.content);
        }"""
    )
    assert sorted(labels) == sorted(f'"{goal["method"]}"' for goal in viewer.document["goals"])
    viewer.undo()
    viewer.settle()
