"""Limbs between goals and hands: the switch from IK to FK and back, mirror, bake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND, OTHER = "left hand", "right hand"


@pytest.mark.slow
def test_a_limb_switched_to_fk_stays_bent_and_takes_over_where_it_is(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.press("i")
    viewer.wait(lambda: not viewer.goal(HAND)["enabled"], "FK")
    assert viewer.page.locator(".row", has_text=HAND).locator(".mode").inner_text() == "FK"
    before = viewer.turn("forearm_l")
    viewer.drag("pelvis", (20, 20))
    np.testing.assert_allclose(viewer.turn("forearm_l"), before, atol=1e-6)  # nothing pulls at it
    place = viewer.goal(HAND)["position"]
    viewer.handle(HAND).click()
    viewer.press("i")
    viewer.wait(lambda: viewer.goal(HAND)["enabled"], "IK again")
    np.testing.assert_allclose(viewer.goal(HAND)["position"], place, atol=1e-9)
    viewer.wait(lambda: viewer.status["goals"][0]["distance"] < 1e-4, "a hand that is where its goal is")
    viewer.handle("pelvis").click()


@pytest.mark.slow
def test_mirror_exchanges_left_and_right(viewer: Viewer) -> None:
    viewer.drag(HAND, (20, -60))
    left, right = (np.array(viewer.goal(name)["position"]) for name in (HAND, OTHER))
    viewer.press("m")
    viewer.wait(lambda: viewer.goal(OTHER)["position"][1] > right[1] + 0.05, "the mirror")
    np.testing.assert_allclose(viewer.goal(OTHER)["position"], left * [-1, 1, 1], atol=1e-4)
    np.testing.assert_allclose(viewer.goal(HAND)["position"], right * [-1, 1, 1], atol=1e-4)


@pytest.mark.slow
def test_baked_keys_become_a_clip_that_plays_the_same(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.field("Frame", "20", ".transport")
    viewer.drag(HAND, (20, -60))
    viewer.press("k")
    viewer.wait(lambda: viewer.clip is not None and len(viewer.goal(HAND)["keys"]) == 2, "two keys")
    viewer.settle()
    keyed = viewer.clip
    assert keyed is not None
    viewer.choose("Bake")
    viewer.wait(lambda: viewer.document["clip"] == "baked" and viewer.clip is not keyed, "the baked clip")
    viewer.settle()
    assert viewer.goal(HAND)["keys"] == []
    np.testing.assert_allclose(viewer.clip.rotations, keyed.rotations, atol=1e-5)  # type: ignore[union-attr]
    chosen = viewer.page.get_by_label("Clip under the keys")
    assert chosen.input_value() == "baked"
    chosen.select_option("")
    viewer.wait(lambda: viewer.document["clip"] is None, "no clip")


@pytest.mark.slow
def test_a_chest_that_was_turned_stays_while_a_hand_is_dragged(viewer: Viewer) -> None:
    viewer.choose("Select joint chest")
    viewer.field("y", "20", '.side.right fieldset:has-text("Rotation")')
    viewer.wait(lambda: viewer.joint("chest")["kept"], "what is kept")
    viewer.settle()
    turned = viewer.turn("chest")
    viewer.drag(HAND, (-20, -70))
    np.testing.assert_allclose(viewer.turn("chest"), turned, atol=1e-4)
    viewer.choose("Select joint chest")
    viewer.page.get_by_text("Keeps its rotation").click()
    viewer.wait(lambda: not viewer.joint("chest")["kept"], "to let it go")
    viewer.drag(HAND, (10, -30))
    assert np.abs(viewer.turn("chest") - turned).max() > 1e-3


def test_the_switch_of_ik_and_fk_is_a_key(viewer: Viewer) -> None:
    """Free at frame 0, FK at 20: the switch is where its key is, and the key is drawn hollow."""
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.goal(HAND)["keys"], "a key")
    viewer.field("Frame", "20", ".transport")
    viewer.wait(lambda: viewer.document["frame"] == 20, "frame 20")
    viewer.press("i")
    viewer.wait(lambda: not viewer.goal(HAND)["enabled"], "FK")
    viewer.press("k")
    viewer.wait(lambda: [key["enabled"] for key in viewer.goal(HAND)["keys"]] == [True, False], "the second key")
    switch = viewer.page.get_by_role("group", name="IK or FK")
    for frame, pressed in ((2, "Free"), (18, "FK"), (0, "Free")):
        viewer.field("Frame", str(frame), ".transport")
        switch.locator("[aria-pressed=true]", has_text=pressed).wait_for()


@pytest.mark.slow
def test_live_mirror_takes_the_other_hand_along(viewer: Viewer) -> None:
    before = np.array(viewer.goal(OTHER)["position"])
    viewer.choose("Live mirror")
    viewer.wait(lambda: viewer.document["options"]["mirror"], "the switch")
    viewer.drag(HAND, (20, -60))
    left, right = (np.array(viewer.goal(name)["position"]) for name in (HAND, OTHER))
    np.testing.assert_allclose(right, left * [-1, 1, 1], atol=1e-6)
    assert right[1] > before[1] + 0.05
    viewer.undo()
    np.testing.assert_allclose(viewer.goal(OTHER)["position"], before, atol=1e-9)


@pytest.mark.slow
def test_a_layer_of_keys_counts_over_a_clip_by_its_weight(viewer: Viewer) -> None:
    """A forearm that is turned by hand over a walk is turned by as much in all of it, and not at all without weight."""
    viewer.choose("Walk six steps")
    viewer.wait(lambda: viewer.document["clip"] == "walk" and viewer.clip is not None, "a walk")
    viewer.settle()
    viewer.press("Space") if viewer.page.get_by_role("button", name="Pause", exact=True).count() else None
    plain = viewer.clip
    assert plain is not None
    viewer.field("Frame", "10", ".transport")
    viewer.wait(lambda: viewer.document["frame"] == 10, "frame 10")
    viewer.handle(HAND).click()
    viewer.press("i")
    viewer.wait(lambda: not viewer.goal(HAND)["enabled"], "FK")
    viewer.page.locator(".left").get_by_text("forearm_l", exact=True).first.click()
    viewer.page.locator(".right").get_by_role("textbox", name=re.compile("^angle")).first.fill("+= 30")
    viewer.page.keyboard.press("Enter")
    j = joint_of(viewer, "forearm_l")
    viewer.wait(lambda: np.abs(viewer.turn("forearm_l") - plain.rotations[10, j]).max() > 0.02, "a turn")
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.clip is not plain and viewer.goal(HAND)["keys"], "the key")
    viewer.settle()
    full = viewer.clip
    assert full is not None
    assert np.abs(full.rotations[:, j] - plain.rotations[:, j]).max(axis=1).min() > 0.02, "not at every frame"
    viewer.field("Weight of Keys", "0", ".right")
    viewer.wait(lambda: viewer.document["layers"][0]["weight"] == 0 and viewer.clip is not full, "no weight")
    viewer.settle()
    assert viewer.clip is not None
    np.testing.assert_allclose(viewer.clip.rotations, plain.rotations, atol=1e-6)


@pytest.mark.slow
def test_layers_are_added_named_edited_and_switched_off(viewer: Viewer) -> None:
    panel = viewer.page.locator(".right .key-layers")
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.goal(HAND)["keys"], "a key in the first layer")
    viewer.choose("Add a layer of keys")
    viewer.wait(lambda: len(viewer.document["layers"]) == 2, "a second one")
    assert viewer.document["edited_layer"] == "Layer" and not viewer.goal(HAND)["keys"]
    assert panel.locator("li").first.get_by_role("textbox").first.input_value() == "Layer", "the highest first"
    name = panel.get_by_role("textbox", name="Name of the layer Layer")
    name.fill("Gesture")
    name.press("Enter")
    viewer.wait(lambda: viewer.document["edited_layer"] == "Gesture", "its name")
    viewer.drag(OTHER, (30, -60))
    viewer.handle(OTHER).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.goal(OTHER)["keys"], "a key in the second layer")
    viewer.settle()
    high = viewer.clip
    panel.get_by_role("checkbox", name="Gesture counts").click()
    viewer.wait(lambda: not viewer.document["layers"][1]["on"] and viewer.clip is not high, "it counts no more")
    panel.get_by_role("button", name="Edit").last.click()
    viewer.wait(lambda: viewer.document["edited_layer"] == "Keys" and viewer.goal(HAND)["keys"], "the first one")
    panel.get_by_role("button", name="Remove Gesture").click()
    viewer.wait(lambda: len(viewer.document["layers"]) == 1, "it is gone")
    assert panel.get_by_role("button", name="Remove Keys").is_disabled()


def joint_of(viewer: Viewer, name: str) -> int:
    """Its index."""
    return [one["name"] for one in viewer.document["joints"]].index(name)
