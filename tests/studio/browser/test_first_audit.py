"""What an outside animator once found wrong, and no other test of the page drives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND = "left hand"


def _to_frame(viewer: Viewer, frame: int) -> None:
    viewer.field("Frame", str(frame), ".transport")
    viewer.wait(lambda: viewer.document["frame"] == frame, f"frame {frame}")
    viewer.settle()


def _feet(viewer: Viewer) -> tuple[np.ndarray, np.ndarray]:
    """(`[foot]` heights of the ankles, `[foot, 3]` where the toes begin), of both feet, which are pinned."""
    viewer.settle()
    assert viewer.pose is not None
    skeleton = posable.figure("mannequin").skeleton
    origins = posable.Pose(skeleton, np.array(viewer.pose.coordinates)).origins
    ankles, toes = ([skeleton.index(f"{part}_{side}") for side in "lr"] for part in ("foot", "toes"))
    return origins[ankles, 1], origins[toes]


@pytest.mark.slow
def test_pinned_feet_stay_on_the_ground_between_the_keys_of_the_pelvis(viewer: Viewer) -> None:
    ankles, toes = _feet(viewer)
    viewer.choose("Select goal pelvis")
    viewer.press("i")
    viewer.wait(lambda: viewer.goal("pelvis")["enabled"], "a pelvis that leads")
    viewer.press("k")
    viewer.wait(lambda: viewer.goal("pelvis")["keys"], "the first key")
    _to_frame(viewer, 20)
    viewer.drag("pelvis", (0, 60))
    viewer.press("k")
    viewer.wait(lambda: len(viewer.goal("pelvis")["keys"]) == 2, "the second key")
    for frame in (5, 10, 15):
        _to_frame(viewer, frame)
        higher, stay = _feet(viewer)
        np.testing.assert_allclose(stay, toes, atol=1e-3)
        assert (higher > ankles - 1e-3).all() and (higher < ankles + 0.15).all(), "heels may rise"
        assert viewer.status["goals"], "it says what is met"


@pytest.mark.slow
def test_auto_key_keeps_a_finger_that_was_turned(viewer: Viewer) -> None:
    viewer.choose("Select the hands")
    viewer.press("k")
    viewer.wait(lambda: viewer.goal("right hand")["keys"], "keys at the start")
    _to_frame(viewer, 20)
    viewer.press("a")
    viewer.wait(lambda: viewer.document["auto_key"], "auto-key")
    straight = viewer.turn("index_1_r")
    viewer.choose("Select joint index_1_r")
    viewer.page.locator(".right").get_by_role("textbox", name=re.compile("^angle")).first.fill("+= 40")
    viewer.page.keyboard.press("Enter")
    viewer.wait(lambda: np.abs(viewer.turn("index_1_r") - straight).max() > 0.05, "the turn")
    viewer.wait(lambda: len(viewer.goal("right hand")["keys"]) == 2, "its key")
    bent = viewer.turn("index_1_r")
    _to_frame(viewer, 0)
    assert np.abs(viewer.turn("index_1_r") - straight).max() < 1e-3
    _to_frame(viewer, 20)
    np.testing.assert_allclose(viewer.turn("index_1_r"), bent, atol=1e-3)


def test_a_robot_arm_is_offered_no_walk(viewer: Viewer) -> None:
    assert viewer.page.locator(".side.left summary", has_text="Walk").count() == 1
    viewer.choose("Figure: arm6")
    viewer.wait(lambda: viewer.document["name"] == "arm6", "the arm")
    viewer.settle()
    assert viewer.page.locator(".side.left summary", has_text="Walk").count() == 0


@pytest.mark.slow
def test_a_mesh_that_is_bound_keeps_its_texture_coordinates_in_what_is_exported(viewer: Viewer, tmp_path: Path) -> None:
    skin = posable.figure("mannequin").skins[0]
    lines = [f"v {x} {y} {z}" for x, y, z in skin.vertices.tolist()]
    lines += [f"vt {x % 1:.4f} {y % 1:.4f}" for x, y, _ in skin.vertices.tolist()]
    lines += [f"f {a}/{a} {b}/{b} {c}/{c}" for a, b, c in (skin.faces + 1).tolist()]
    (tmp_path / "painted.obj").write_text("\n".join(lines))
    figures = viewer.figures
    viewer.drop(tmp_path / "painted.obj")
    viewer.page.get_by_role("button", name="Add a skeleton").click()
    viewer.wait(lambda: viewer.figures > figures, "the bound figure")
    viewer.settle()
    with viewer.page.expect_download() as download:
        viewer.choose("Export GLB")
    path = tmp_path / "bound.glb"
    download.value.save_as(path)
    assert b"TEXCOORD_0" in path.read_bytes()[:200_000] or b"TEXCOORD_0" in path.read_bytes()
    assert posable.load(path).skins


@pytest.mark.slow
def test_joints_are_added_removed_and_moved_on_both_sides(viewer: Viewer) -> None:
    viewer.choose("Select joint forearm_l")
    side = viewer.page.locator(".side.right")
    side.get_by_label("Edit the skeleton").check()
    viewer.settle()
    count = len(viewer.document["joints"])
    side.get_by_role("button", name="Add a joint").click()
    viewer.wait(lambda: len(viewer.document["joints"]) == count + 2, "a joint more on both sides")
    viewer.choose("Select joint forearm_l_end")
    side.get_by_role("button", name="Remove", exact=True).click()
    viewer.wait(lambda: len(viewer.document["joints"]) == count, "both gone")
    viewer.choose("Select joint forearm_l")
    at_rest = side.get_by_role("group", name="At rest")
    y = at_rest.get_by_role("textbox", name="y", exact=True)
    before = float(y.input_value())
    y.fill("+= 0.03")
    y.press("Enter")
    viewer.wait(lambda: y.input_value() == f"{before + 0.03:.3f}", "the elbow elsewhere")
    viewer.settle()
    left = float(y.input_value())
    viewer.choose("Select joint forearm_r")
    viewer.frames(6)
    assert float(y.input_value()) == pytest.approx(left, abs=2e-3), "and the other one too"
    side.get_by_label("Edit the skeleton").uncheck()


@pytest.mark.slow
def test_a_hand_goes_with_the_shoulder_of_a_second_figure_which_moves_and_leaves(
    viewer: Viewer, tmp_path: Path
) -> None:
    count = len(viewer.document["joints"])
    posable.save(tmp_path / "partner.glb", posable.figure("mannequin"))
    with viewer.page.expect_file_chooser() as chooser:
        viewer.choose("Add a second figure")
    chooser.value.set_files(tmp_path / "partner.glb")
    viewer.page.get_by_role("button", name="Put it there").click()
    viewer.wait(lambda: len(viewer.document["joints"]) == 2 * count, "two people")
    viewer.settle()
    names = [goal["name"] for goal in viewer.document["goals"]]
    assert HAND in names and len(names) > 10
    other = next(one["name"] for one in viewer.document["joints"][count:] if "clavicle" in one["name"])
    viewer.handle(HAND).click()
    viewer.page.locator(".side.right").get_by_label("Goes with").select_option(other)
    viewer.wait(lambda: viewer.goal(HAND)["relative_to"] == other, "a goal on the shoulder of the other")
    at_hand = viewer.goal(HAND)["position"]
    side = viewer.page.locator(".side.left")
    scene = side.locator("details", has_text="Second figure")
    if not scene.evaluate("section => section.open"):
        scene.locator("summary").click()
    scene.get_by_role("button", name="partner", exact=True).click()
    foot = viewer.goal("left foot of partner")["position"]
    viewer.field("x", "+= 0.5", ".member")
    viewer.wait(lambda: abs(viewer.goal("left foot of partner")["position"][0] - foot[0] - 0.5) < 1e-3, "it moved")
    assert viewer.goal(HAND)["position"][0] == pytest.approx(at_hand[0] + 0.5, abs=1e-3), "the hand goes along"
    scene.get_by_label("Remove partner", exact=True).click()
    viewer.wait(lambda: len(viewer.document["joints"]) == count, "one person again")
    assert viewer.goal(HAND)["relative_to"] is None
