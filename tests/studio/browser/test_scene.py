"""Things in the scene, goals that go with them, meshes that are hidden, hands, and the balance that is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from studio.browser.viewer import Viewer

HAND = "left hand"


@pytest.mark.slow
def test_a_box_is_added_dragged_and_carries_a_goal(viewer: Viewer) -> None:
    page = viewer.page
    viewer.choose("Add a box")
    viewer.wait(lambda: viewer.document["props"], "the box")
    side = page.locator(".side.right")
    assert side.get_by_text("Prop: box").is_visible(), "what was added is chosen"
    bare = viewer.picture()
    viewer.press("Escape")
    viewer.handle(HAND).click()
    side.get_by_label("Goes with").select_option("box")
    viewer.wait(lambda: viewer.goal(HAND)["relative_to"] == "box", "a goal that goes with the box")
    start = np.array(viewer.goal(HAND)["position"])
    page.locator(".side.left").get_by_role("button", name="box", exact=True).click()
    viewer.field("y", "0.5", ".side.right fieldset:has(legend:text('Position'))")
    viewer.wait(lambda: viewer.document["props"][0]["position"][1] == 0.5, "the box higher")
    by = np.array(viewer.goal(HAND)["position"]) - start
    np.testing.assert_allclose(by, (0, 0.5 - 0.22, 0), atol=1e-6)
    viewer.wait(lambda: np.abs(viewer.picture() - bare).sum() > 0, "another picture")
    viewer.press("Delete")
    viewer.wait(lambda: not viewer.document["props"], "no box")
    assert viewer.goal(HAND)["relative_to"] is None


@pytest.mark.slow
def test_a_click_chooses_a_thing_and_its_arrows_move_it(viewer: Viewer) -> None:
    viewer.choose("Add a sphere")
    viewer.wait(lambda: viewer.document["props"], "the sphere")
    viewer.press("f")
    viewer.frames(4)
    viewer.press("Escape")
    box = viewer.page.locator(".viewport").bounding_box()
    assert box is not None
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    viewer.page.mouse.click(*(middle + 30))
    assert viewer.page.locator(".side.right").get_by_text("Prop: sphere").is_visible()
    before = viewer.document["props"][0]["position"]
    reach = 20
    for reach in range(20, 90, 5):  # along the arrow that points up
        viewer.page.mouse.move(*(middle - (0, reach)))
        viewer.frames()
        if "move along y" in viewer.hint():
            break
    viewer.pull(middle - (0, reach), (0, -60))
    viewer.wait(lambda: viewer.document["props"][0]["position"][1] > before[1] + 0.02, "the sphere higher")
    viewer.settle()
    viewer.undo()
    viewer.wait(lambda: viewer.document["props"][0]["position"] == before, "one step back")
    viewer.choose("Look at the figure")


@pytest.mark.slow
def test_the_balance_is_shown_and_kept(viewer: Viewer) -> None:
    side = viewer.page.locator(".side.right")
    viewer.press("c")
    told = side.get_by_text(re.compile("^(stands|falls)"))
    told.wait_for()
    assert told.inner_text().startswith("stands")
    seen = viewer.picture()
    side.get_by_role("switch", name="Balance", exact=True).click()
    viewer.wait(lambda: not viewer.document["options"]["balance"], "the switch")
    viewer.drag(HAND, (330, 0))
    viewer.wait(lambda: told.inner_text().startswith("falls"), "a figure that would fall")
    assert "outside" in told.inner_text()
    viewer.undo()
    viewer.wait(lambda: told.inner_text().startswith("stands"), "the figure as it was")
    viewer.press("Escape")
    side.get_by_role("switch", name="Balance", exact=True).click()
    viewer.wait(lambda: viewer.document["options"]["balance"], "the goal")
    viewer.drag(HAND, (330, 0))
    assert told.inner_text().startswith("stands")
    viewer.press("c")
    viewer.undo()
    viewer.press("Escape")
    viewer.settle()
    assert np.abs(viewer.picture() - seen).max() > 40, "what was drawn is gone"


@pytest.mark.slow
def test_grips_and_sliders_close_the_hand(viewer: Viewer) -> None:
    def curls(side: str) -> list[float]:
        return next(hand["curls"] for hand in viewer.document["hands"] if hand["side"] == side)

    viewer.handle("right hand").click()
    side = viewer.page.locator(".side.right")
    side.get_by_role("button", name="fist").click()
    viewer.wait(lambda: min(curls("r")) > 0.7, "a fist of the hand that is chosen")
    assert max(curls("l")) < 0.1
    side.get_by_role("button", name="Left", exact=True).click()
    viewer.field("Curl", "0.5", ".side.right")
    viewer.wait(lambda: abs(np.mean(curls("l")) - 0.5) < 0.1, "half a fist")
    viewer.field("index", "0", ".side.right")
    viewer.wait(lambda: abs(curls("l")[1]) < 0.05 and curls("l")[2] > 0.4, "one finger stretched")


@pytest.mark.slow
def test_what_is_dragged_snaps_to_the_ground_and_to_joints(viewer: Viewer) -> None:
    viewer.choose("Snap to the ground")
    viewer.drag(HAND, (60, 150))
    floor = viewer.document["floors"][HAND]
    assert viewer.goal(HAND)["position"][1] == pytest.approx(floor, abs=1e-6), "as high as a hand that lies there"
    viewer.undo()
    viewer.choose("Snap to other joints")
    target = viewer.place("left foot")
    viewer.drag(HAND, tuple((target - viewer.place(HAND) + (5, 4)).tolist()))
    joint = np.array(viewer.goal("left foot")["position"])
    np.testing.assert_allclose(viewer.goal(HAND)["position"], joint, atol=1e-3)
    viewer.undo()
    viewer.choose("Snap to the grid")
    viewer.press("n")


@pytest.mark.slow
def test_what_is_dragged_snaps_to_no_control_of_a_rig(viewer: Viewer, shared: Path) -> None:
    """Under the left foot of this rig lies the control of its heel, 8 cm behind it."""
    viewer.drop(shared / "rigs" / "kk_Rogue_Hooded.glb")
    viewer.wait(lambda: "Rogue" in viewer.document["name"], "the rig")
    viewer.settle()
    viewer.choose("Look at the figure")
    viewer.page.wait_for_timeout(700)
    viewer.choose("Snap to other joints")
    rest = viewer.goal("left foot")["position"]
    viewer.drag("right hand", tuple((viewer.place("left foot") - viewer.place("right hand") + (6, 4)).tolist()))
    np.testing.assert_allclose(viewer.goal("right hand")["position"], rest, atol=1e-3)
    viewer.choose("Snap to the grid")
    viewer.press("n")


def seen_at(viewer: Viewer, place: np.ndarray) -> np.ndarray:
    """`[2]` pixels of a place in the orthographic view: an affine map, which the handles show."""
    goals = [goal for goal in viewer.document["goals"] if goal["kind"] != "look"]
    known = np.array([[*goal["position"], 1.0] for goal in goals])
    pixels = np.array([viewer.place(goal["name"]) for goal in goals])
    found, *_ = np.linalg.lstsq(known, pixels, rcond=None)
    return np.array([*place, 1.0]) @ found


@pytest.mark.slow
def test_what_is_dragged_snaps_to_corners_and_edges(viewer: Viewer) -> None:
    viewer.choose("Add a box")
    viewer.wait(lambda: viewer.document["props"], "the box")
    viewer.press("Escape")
    viewer.choose("Look at the figure")
    viewer.press("5")
    viewer.press("1")
    viewer.page.wait_for_timeout(700)  # the view turns
    viewer.choose("Snap to corners")
    box = viewer.document["props"][0]
    middle, half = np.array(box["position"]), np.array(box["size"]) / 2
    corner = middle + half  # the nearer one of the two that lie over one another
    viewer.drag(HAND, tuple((seen_at(viewer, corner) - viewer.place(HAND) + [7, -6]).tolist()))
    np.testing.assert_allclose(viewer.goal(HAND)["position"], corner, atol=1e-4)
    viewer.undo()
    viewer.choose("Snap to edges")
    along = middle + half * (1, 0.3, 1)
    viewer.drag(HAND, tuple((seen_at(viewer, along) - viewer.place(HAND) + [8, 0]).tolist()))
    np.testing.assert_allclose(viewer.goal(HAND)["position"], along, atol=0.01)
    np.testing.assert_allclose(np.array(viewer.goal(HAND)["position"])[[0, 2]], corner[[0, 2]], atol=1e-4)
    viewer.choose("Snap to the grid")
    viewer.press("n")
    viewer.press("5")


def test_a_mesh_is_asked_for_its_unit_and_its_floor(viewer: Viewer, tmp_path: Path) -> None:
    mesh = tmp_path / "stool.obj"
    mesh.write_text("v -2 -4 -2\nv 2 -4 -2\nv 0 4 0\nv 0 -4 2\nf 1 2 3\nf 2 4 3\nf 4 1 3\nf 1 4 2\n")
    viewer.drop(mesh)
    dialog = viewer.page.get_by_role("dialog", name="What to do with it")
    assert "decimetres: 0.4 × 0.8 × 0.4 m" in dialog.get_by_label("Its unit").inner_text()
    dialog.get_by_label("Its unit").select_option("0.1")
    dialog.get_by_label("Its floor").select_option("1")
    dialog.get_by_role("button", name=re.compile("Put it into the scene")).click()
    viewer.wait(lambda: viewer.document["props"], "the stool")
    assert viewer.document["props"][0]["name"] == "stool"
    viewer.press("f")
    viewer.frames(4)
    assert viewer.page.locator(".side.right").get_by_text("Prop: stool").is_visible()
    viewer.choose("Look at the figure")


@pytest.mark.slow
def test_meshes_are_hidden_and_clips_are_looked_at(chrome: Browser, shared: Path, tmp_path: Path) -> None:
    from studio.browser.viewer import Server, Viewer

    server = Server(tmp_path / "session", shared / "characters/Knight.glb")
    server.start()
    viewer = Viewer(chrome, server.address)
    try:
        _hide_and_look(viewer)
    finally:
        viewer.close()
        server.stop()


def _hide_and_look(viewer: Viewer) -> None:
    page = viewer.page
    left = page.locator(".side.left")
    left.locator("summary", has_text="Meshes").click()
    armed = viewer.picture()
    for name in ("2H_Sword", "Rectangle_Shield"):
        left.get_by_role("switch", name=name, exact=True).click()
    viewer.wait(lambda: viewer.document["hidden"] == ["2H_Sword", "Rectangle_Shield"], "two meshes hidden")
    unarmed = viewer.picture()
    assert (np.abs(unarmed - armed).max(axis=2) > 30).sum() > 500
    page.get_by_role("button", name="Look at the clips").click()
    page.get_by_role("button", name="Sit_Floor_Idle", exact=True).hover()
    viewer.wait(lambda: (np.abs(viewer.picture() - unarmed).max(axis=2) > 30).sum() > 500, "the figure that sits")
    assert viewer.document["clip"] is None
    page.keyboard.press("Escape")
    page.mouse.move(640, 20)
    viewer.wait(lambda: (np.abs(viewer.picture() - unarmed).max(axis=2) > 30).sum() < 50, "the figure as it was")
    assert not viewer.problems
