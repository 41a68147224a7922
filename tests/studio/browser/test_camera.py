"""The camera led by mouse as in Blender and Maya, over handles too, and goals put back to the rest pose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from studio.browser.test_walking import walked

if TYPE_CHECKING:
    from pathlib import Path

    from studio.browser.viewer import Viewer

HAND = "left hand"


class Look(NamedTuple):
    """How the view stands: its turn, the middle of the feet and how far they are from each other, in pixels."""

    turn: str
    middle: np.ndarray
    apart: float


def look(viewer: Viewer) -> Look:
    viewer.frames(4)
    feet = viewer.place("left foot"), viewer.place("right foot")
    turn = viewer.page.locator(".view-cube .face").first.get_attribute("style") or ""
    return Look(turn, np.mean(feet, axis=0), float(np.linalg.norm(feet[0] - feet[1])))


def led(viewer: Viewer, button: Any, *keys: str, by: tuple[int, int] = (40, 30)) -> tuple[Look, Look]:
    """The view before and after a drag that begins on the hand's handle; nothing is moved or chosen by it."""
    viewer.press("Escape")
    viewer.press("1")
    viewer.press("f")
    before, start, goals = look(viewer), viewer.place(HAND), viewer.document["goals"]
    mouse = viewer.page.mouse
    mouse.move(*start)
    viewer.frames()
    for key in keys:
        viewer.page.keyboard.down(key)
    mouse.down(button=button)
    for k in (1, 2, 3, 4):
        mouse.move(*(start + np.array(by) * k / 4))
        viewer.frames(1)
    mouse.up(button=button)
    for key in keys:
        viewer.page.keyboard.up(key)
    viewer.settle()
    assert viewer.document["goals"] == goals and not viewer.document["can_undo"], "no goal moves"
    assert "chosen" not in (viewer.handle(HAND).get_attribute("class") or "")
    return before, look(viewer)


def turned(before: Look, after: Look) -> bool:
    return before.turn != after.turn


def moved_aside(before: Look, after: Look) -> bool:
    return before.turn == after.turn and float(np.linalg.norm(after.middle - before.middle)) > 20


def went_near(before: Look, after: Look) -> bool:
    return before.turn == after.turn and abs(after.apart / before.apart - 1) > 0.05


@pytest.fixture
def maya(viewer: Viewer) -> Iterator[Viewer]:
    """With Maya's keys."""
    viewer.choose("Maya's keys")
    yield viewer
    viewer.choose("Maya's keys")


@pytest.mark.slow
def test_blenders_mouse_leads_the_camera_over_a_handle(viewer: Viewer) -> None:
    assert turned(*led(viewer, "left", "Alt")), "Alt never takes a goal"
    assert turned(*led(viewer, "middle"))
    assert moved_aside(*led(viewer, "middle", "Shift"))
    assert went_near(*led(viewer, "middle", "Control"))
    assert moved_aside(*led(viewer, "right"))


@pytest.mark.slow
def test_mayas_mouse_leads_the_camera_over_a_handle(maya: Viewer) -> None:
    assert turned(*led(maya, "left", "Alt"))
    assert moved_aside(*led(maya, "middle", "Alt"))
    assert went_near(*led(maya, "right", "Alt"))


@pytest.mark.slow
def test_alt_over_an_arrow_of_the_gizmo_turns_the_view(viewer: Viewer) -> None:
    viewer.press("1")
    viewer.frames(4)
    viewer.handle(HAND).click()
    start, before, goals = viewer.part(HAND, "move along y"), look(viewer), viewer.document["goals"]
    viewer.page.keyboard.down("Alt")
    viewer.pull(start, (30, -30))
    viewer.page.keyboard.up("Alt")
    viewer.settle()
    assert turned(before, look(viewer)) and viewer.document["goals"] == goals
    viewer.pull(viewer.part(HAND, "move along y"), (0, -30))
    viewer.wait(lambda: viewer.document["goals"] != goals, "the arrow, which takes the mouse again")


@pytest.mark.slow
def test_alt_g_and_alt_r_put_a_goal_back(viewer: Viewer) -> None:
    rest = viewer.goal(HAND)
    viewer.drag(HAND, (-20, -40))
    viewer.handle(HAND).click()
    viewer.field("x", "40", '.side.right fieldset:has-text("Rotation")')
    viewer.wait(lambda: viewer.goal(HAND)["rotation_weight"] == 1, "the rotation")
    viewer.page.mouse.move(5, 5)
    viewer.press("Alt+g")
    viewer.wait(lambda: np.allclose(viewer.goal(HAND)["position"], rest["position"], atol=1e-6), "the rest position")
    assert not np.allclose(viewer.goal(HAND)["rotation"], rest["rotation"], atol=1e-3)
    viewer.press("Alt+r")
    viewer.wait(lambda: np.allclose(viewer.goal(HAND)["rotation"], rest["rotation"], atol=1e-6), "the rest rotation")
    assert viewer.goal(HAND)["rotation_weight"] == 0


def test_reset_takes_back_the_settings_of_goals_as_one_step(viewer: Viewer) -> None:
    settings = ("weight", "rotation_weight", "pinned", "method", "loose", "enabled")
    opened = [{name: goal[name] for name in settings} for goal in viewer.document["goals"]]
    viewer.handle(HAND).click()
    viewer.press("p")
    viewer.wait(lambda: viewer.goal(HAND)["pinned"], "the pin")
    viewer.field("Weight", "0.5", ".side.right")
    viewer.wait(lambda: viewer.goal(HAND)["weight"] == 0.5, "the weight")
    changed = viewer.document["goals"]
    viewer.tool("reset")
    viewer.wait(lambda: not viewer.goal(HAND)["pinned"], "the reset")
    assert [{name: goal[name] for name in settings} for goal in viewer.document["goals"]] == opened
    viewer.undo()
    assert viewer.document["goals"] == changed


@pytest.mark.slow
def test_the_view_goes_along_with_hips_whose_first_joint_stays(viewer: Viewer, shared: Path) -> None:
    figures = viewer.figures
    viewer.drop(shared / "rigs/modular_men_Punk.glb")
    viewer.wait(lambda: viewer.figures > figures and viewer.document["name"] == "modular_men_Punk", "the figure")
    viewer.page.wait_for_timeout(500)
    viewer.settle()
    walked(viewer)
    assert viewer.clip is not None
    assert np.ptp(viewer.clip.roots, axis=0).max() < 1e-6, "its first joint does not walk"
    box = viewer.page.locator(".viewport").bounding_box()
    assert box is not None
    for frame in (0, 60, 120):
        viewer.field("Frame", str(frame), ".transport")
        viewer.wait(lambda frame=frame: viewer.document["frame"] == frame, "the frame")
        viewer.settle()
        across = (viewer.place("pelvis")[0] - box["x"]) / box["width"]
        assert 0.3 < across < 0.7
