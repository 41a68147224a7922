"""Several goals chosen at once, poses pasted, and the library of poses with its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND, OTHER = "left hand", "right hand"


def chosen(viewer: Viewer) -> set[str]:
    found = viewer.page.locator(".handle.goal.chosen").all()
    return {(one.get_attribute("data-handle") or "").removeprefix("goal:") for one in found}


@pytest.mark.slow
def test_goals_are_chosen_by_shift_by_a_box_and_by_what_they_are(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.handle(OTHER).click(modifiers=["Shift"])
    viewer.frames()
    assert chosen(viewer) == {HAND, OTHER}
    viewer.press("p")
    viewer.wait(lambda: viewer.goal(HAND)["pinned"] and viewer.goal(OTHER)["pinned"], "both pinned")
    viewer.undo()
    viewer.wait(lambda: not viewer.goal(HAND)["pinned"], "one undo for both")
    viewer.press("k")
    viewer.wait(lambda: all(viewer.goal(name)["keys"] for name in (HAND, OTHER)), "both keyed")
    assert not viewer.goal("left foot")["keys"]
    viewer.undo()
    viewer.pull(*_around_the_feet(viewer))  # without Shift it turns the view, and chooses nothing
    viewer.press("Escape")
    viewer.frames()
    viewer.page.keyboard.down("Shift")
    viewer.pull(*_around_the_feet(viewer))
    viewer.page.keyboard.up("Shift")
    viewer.frames()
    assert chosen(viewer) == {"left foot", "right foot"}
    viewer.choose("Select the hands")
    viewer.frames()
    assert chosen(viewer) == {HAND, OTHER}
    viewer.press("Escape")
    viewer.frames()
    assert chosen(viewer) == set()


def _around_the_feet(viewer: Viewer) -> tuple[np.ndarray, tuple[float, float]]:
    """Where a box around both feet begins, and how far it goes."""
    feet = np.array([viewer.place("left foot"), viewer.place("right foot")])
    start, end = feet.max(axis=0) + 30, feet.min(axis=0) - 30
    return start, (float(end[0] - start[0]), float(end[1] - start[1]))


def test_a_pose_is_kept_with_its_picture_and_put_on_mirrored(viewer: Viewer) -> None:
    viewer.drag(HAND, (20, -60))
    up = viewer.goal(HAND)["position"]
    viewer.press("Escape")  # the whole pose, not the hand's alone
    side = viewer.page.locator(".side.right")
    side.get_by_label("Name of the pose").fill("wave")
    side.get_by_role("button", name="Keep").click()
    viewer.wait(lambda: viewer.document["poses"], "the pose in the library")
    assert viewer.document["poses"][0]["name"] == "wave" and len(viewer.document["poses"][0]["picture"]) > 200
    viewer.choose("Reset to the rest")
    viewer.wait(lambda: viewer.goal(HAND)["position"] != up, "the rest pose")
    entry = side.get_by_role("button", name="Put on wave")
    entry.click()
    viewer.wait(lambda: np.allclose(viewer.goal(HAND)["position"], up, atol=1e-6), "the pose")
    entry.click(modifiers=["Shift"])
    mirrored = np.array(up) * (-1, 1, 1)
    viewer.wait(lambda: np.allclose(viewer.goal(OTHER)["position"], mirrored, atol=1e-3), "the mirrored pose")
    side.get_by_role("button", name="Remove wave").click()
    viewer.wait(lambda: not viewer.document["poses"], "an empty library")
