"""Walks from the gait panel, on ground that changes under them, and a hand that is keyed over an imported walk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND = "left hand"


def section(viewer: Viewer, title: str) -> None:
    """Opens a part of the panels."""
    part = viewer.page.locator("details.section", has=viewer.page.locator("summary", has_text=title)).first
    if part.get_attribute("open") is None:
        part.locator("summary").click()


def walked(viewer: Viewer) -> None:
    section(viewer, "Walk")
    viewer.page.get_by_role("button", name="Walk", exact=True).click()
    viewer.wait(lambda: viewer.document["clip"] == "walk" and viewer.clip is not None, "the walk")
    viewer.settle()


def pace(viewer: Viewer) -> float:
    """How far the hips go in a frame, on the whole."""
    assert viewer.clip is not None
    return float(np.linalg.norm(viewer.clip.roots[-1] - viewer.clip.roots[0])) / len(viewer.clip.roots)


@pytest.mark.slow
def test_a_slider_of_the_gait_changes_the_walk(viewer: Viewer) -> None:
    walked(viewer)
    assert viewer.document["gait_name"] == "human"
    before = pace(viewer)
    slider = viewer.page.get_by_role("slider", name="speed")
    slider.focus()
    for _ in range(8):
        viewer.page.keyboard.down("ArrowRight")  # held, so that it repeats
    viewer.page.keyboard.up("ArrowRight")
    viewer.wait(lambda: pace(viewer) > 1.08 * before, "a quicker walk")
    slider.blur()
    viewer.undo()
    viewer.wait(lambda: abs(pace(viewer) / before - 1) < 1e-6, "one undo for the whole way of the slider")
    viewer.page.get_by_label("Character").select_option("zombie")
    viewer.wait(lambda: viewer.document["gait_name"] == "zombie", "the zombie")


@pytest.mark.slow
def test_stairs_lift_the_walk_and_are_drawn(viewer: Viewer) -> None:
    walked(viewer)
    flat = viewer.clip
    drawn = viewer.picture()
    section(viewer, "Ground")
    viewer.page.get_by_label("Ground", exact=True).select_option("stairs")
    viewer.wait(lambda: viewer.document["terrain"]["kind"] == "stairs" and viewer.clip is not flat, "the stairs")
    assert viewer.clip is not None and flat is not None
    climbed = viewer.clip.roots[-1, 1] - viewer.clip.roots[0, 1]
    assert climbed > 2 * viewer.document["terrain"]["rise"]
    assert (np.abs(viewer.picture() - drawn).max(axis=-1) > 30).mean() > 0.02
    viewer.press("Space")
    viewer.field("Frame", "60")
    viewer.press("1")  # from behind the stairs
    viewer.settle()
    seen = viewer.picture()
    legs = seen[int(0.6 * len(seen)) :]
    assert ((legs[..., 0] - legs[..., 2] > 12).mean()) > 0.01, "the legs are seen through the stairs"


@pytest.mark.slow
def test_a_walk_asks_what_becomes_of_keys(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.goal(HAND)["keys"], "the key")
    section(viewer, "Walk")
    walk = viewer.page.get_by_role("button", name="Walk", exact=True)
    walk.click()
    viewer.page.get_by_role("button", name="Remove the keys").click()
    viewer.wait(lambda: viewer.document["clip"] == "walk" and not viewer.goal(HAND)["keys"], "the walk alone")
    viewer.wait(lambda: viewer.said() == "▶ playing walk", "what plays")  # the status follows a moment later
    viewer.undo()
    viewer.wait(lambda: viewer.document["clip"] is None and len(viewer.goal(HAND)["keys"]) == 1, "key without walk")
    walk.click()
    viewer.page.get_by_role("button", name="Keep the keys over the walk").click()
    viewer.wait(lambda: viewer.document["clip"] == "walk", "the walk under the key")
    assert len(viewer.goal(HAND)["keys"]) == 1
    viewer.press(" ")


@pytest.mark.slow
def test_a_weight_is_keyed_over_an_imported_walk(viewer: Viewer, tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    posable.save(tmp_path / "walker.glb", figure, posable.walk(figure, posable.Gait.load("human"), 4, fps=30))
    viewer.drop(tmp_path / "walker.glb")
    viewer.wait(lambda: bool(viewer.document["clips"]), "the walk that came with the file")
    viewer.page.get_by_label("Clip under the keys").select_option(index=1)
    viewer.wait(lambda: viewer.clip is not None, "the clip")
    plain = viewer.clip
    assert plain is not None
    for frame, weight in ((10, "0"), (25, "1"), (40, "0")):
        viewer.field("Frame", str(frame), ".transport")
        viewer.wait(lambda: viewer.document["frame"] == frame, f"frame {frame}")  # noqa: B023
        if weight == "1":
            viewer.drag(HAND, (30, -80))
        viewer.handle(HAND).click()
        viewer.field("Weight", weight, ".right")
        viewer.press("k")
        viewer.wait(lambda: frame in [key["frame"] for key in viewer.goal(HAND)["keys"]], "the key")  # noqa: B023
    keys = viewer.goal(HAND)["keys"]
    assert [key["weight"] for key in keys] == [0, 1, 0]
    viewer.wait(lambda: viewer.clip is not plain, "the walk with the hand over it")
    viewer.settle()
    off = np.abs(viewer.clip.rotations - plain.rotations).max(axis=(1, 2))  # type: ignore[union-attr]
    assert off[25] > 0.1 and off[:10].max() < 0.02 and off[41:].max() < 0.02


def test_a_walk_that_cannot_be_made_takes_no_keys(viewer: Viewer) -> None:
    for frame in (0, 10):
        viewer.field("Frame", str(frame), ".transport")
        viewer.handle(HAND).click()
        viewer.press("k")
        viewer.wait(lambda: len(viewer.goal(HAND)["keys"]) == 1 + (frame > 0), "the key")  # noqa: B023
    keys = viewer.goal(HAND)["keys"]
    section(viewer, "Walk")
    offered = viewer.page.get_by_label("Character").locator("option").all_inner_texts()
    assert "zombie" in offered and not {"spider", "insect", "wolf"} & set(offered)
    # The gait of another kind of figure, as one could still be asked for by another page.
    viewer.page.evaluate(
        """() => { const open = WebSocket.prototype.send; WebSocket.prototype.send = function (text) {
            const asked = typeof text === "string" ? text.replace(`"steps":6`, `"steps":900`) : text;
            open.call(this, asked); } }"""
    )
    viewer.page.get_by_role("button", name="Walk", exact=True).click()
    viewer.page.get_by_role("button", name="Remove the keys").click()
    viewer.page.locator(".notice.bad").wait_for()
    viewer.settle()
    assert viewer.goal(HAND)["keys"] == keys
