"""Without a mouse and in either light: theme, palette, help sheet, keys alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND = "left hand"


def focused(viewer: Viewer) -> str | None:
    """The handle that the keys go to."""
    return viewer.page.evaluate("document.activeElement.dataset.handle")


@pytest.mark.slow
def test_dark_and_light(viewer: Viewer) -> None:
    dark = viewer.picture()
    assert dark[5, 5].max() < 60
    viewer.page.get_by_role("button", name="Dark or light").click()
    light = viewer.picture()
    assert light[5, 5].min() > 180
    assert viewer.page.evaluate("document.documentElement.dataset.theme") == "light"
    viewer.choose("dark or light")
    viewer.wait(lambda: viewer.page.evaluate("document.documentElement.dataset.theme") == "dark", "the dark")


@pytest.mark.slow
def test_the_palette_finds_goals_joints_and_commands_and_says_when_it_finds_nothing(viewer: Viewer) -> None:
    viewer.choose("select goal right foot")
    assert viewer.page.get_by_text("Goal: right foot").is_visible()
    viewer.press("Control+k")
    box = viewer.page.get_by_role("combobox", name="Find a command")
    box.fill("nothing is called this")
    assert viewer.page.get_by_text("No command matches.").is_visible()
    box.fill("mirror")
    assert "Mirror the pose" in viewer.page.locator("#palette-0").inner_text()
    viewer.press("Escape")
    assert not box.is_visible()


def test_the_help_sheet_lists_every_key(viewer: Viewer) -> None:
    viewer.press("?")
    sheet = viewer.page.get_by_role("dialog", name="Keys and mouse")
    for key in ("Ctrl+Z", "Space", "G", "K", "?"):
        assert sheet.locator("kbd", has_text=key).first.is_visible()
    viewer.press("Escape")
    assert not sheet.is_visible()


@pytest.mark.slow
def test_a_hand_is_moved_and_keyed_by_keys_alone(viewer: Viewer) -> None:
    for _ in range(60):
        viewer.press("Tab")
        if focused(viewer) == f"goal:{HAND}":
            break
    assert focused(viewer) == f"goal:{HAND}"
    assert viewer.page.get_by_text(f"Goal: {HAND}").is_visible()
    start = np.array(viewer.goal(HAND)["position"])
    for key in ("ArrowUp", "ArrowRight", "PageDown"):
        viewer.page.keyboard.down(key)
        viewer.frames(6)
        viewer.page.keyboard.up(key)
    viewer.settle()

    def moved() -> np.ndarray:
        return np.array(viewer.goal(HAND)["position"]) - start

    viewer.wait(lambda: moved()[1] > 0.005 and moved()[2] > 0.005, "the hand goes up, and towards the eye")
    assert np.linalg.norm(moved()) > 0.01
    viewer.press("k")
    viewer.wait(lambda: len(viewer.goal(HAND)["keys"]) == 1, "the key")
    viewer.press("Shift+Tab")
    assert focused(viewer) != f"goal:{HAND}"
