"""Limbs between goals and hands: the switch from IK to FK and back, mirror, bake."""

from __future__ import annotations

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
    assert viewer.status["goals"][0]["distance"] < 1e-4
    viewer.handle("pelvis").click()


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
