"""The studio's page in a real browser: what a person does by mouse and keys, and what the library then has."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import posable

pytest.importorskip("playwright.sync_api", reason="playwright is not installed, so no browser is driven")
if shutil.which("chromium") is None:
    pytest.skip("Debian's chromium is not on the PATH, so no browser is driven", allow_module_level=True)

from studio.browser.viewer import Server, Viewer, chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One studio for all."""
    own = Server(tmp_path_factory.mktemp("session"))
    own.start()
    yield own
    own.stop()


@pytest.fixture(scope="module")
def opened(server: Server) -> Iterator[Viewer]:
    """One page for all, as it stands after the tests before."""
    with chromium() as browser:
        viewer = Viewer(browser, server.address)
        yield viewer
        viewer.close()


@pytest.fixture
def viewer(opened: Viewer) -> Viewer:
    """The page, everything undone and nothing wrong so far."""
    while opened.document["can_undo"]:
        opened.press("Control+z")
        opened.page.wait_for_timeout(60)
    opened.settle()
    return opened


def test_the_mannequin_stands_there_with_its_goals(viewer: Viewer) -> None:
    for name in ("left hand", "right hand", "left foot", "right foot", "head"):
        assert viewer.handle(name).is_visible()
        assert viewer.page.locator(".goal-row, li, button", has_text=name).count()
    assert viewer.picture().std() > 10  # no blank canvas
    assert "every goal is met" in viewer.said()
    assert viewer.problems == []


def test_a_dragged_hand_takes_the_arm_and_its_skin_along_and_undo_brings_all_back(viewer: Viewer) -> None:
    before, drawn = viewer.pose, viewer.picture()
    assert before is not None
    viewer.drag("left hand", (30, -60))
    after = viewer.pose
    assert after is not None
    assert np.abs(np.asarray(after.rotations) - np.asarray(before.rotations)).max() > 0.05
    assert np.abs(viewer.picture() - drawn).max() > 60
    viewer.press("Control+z")
    viewer.wait(lambda: not viewer.document["can_undo"], "the undo")
    viewer.settle()
    assert viewer.pose is not None
    np.testing.assert_array_equal(viewer.pose.rotations, before.rotations)


def test_a_target_out_of_reach_is_said_to_be_so(viewer: Viewer) -> None:
    viewer.drag("left hand", (260, -120))
    assert re.search(r"left hand .*\d cm short: .* at its limit", viewer.said())
    told = next(goal for goal in viewer.status["goals"] if goal["name"] == "left hand")
    assert told["distance"] > 0.05


def test_keys_at_two_frames_are_played(viewer: Viewer) -> None:
    def keyed() -> set[int]:
        return {key["frame"] for goal in viewer.document["goals"] for key in goal["keys"]}

    viewer.handle("left hand").click()
    viewer.press("k")
    viewer.wait(lambda: keyed() == {0}, "the first key")
    frame = viewer.page.get_by_label("Frame", exact=True)
    frame.fill("20")
    frame.press("Enter")
    viewer.page.locator("body").press("Escape")
    viewer.drag("left hand", (30, -60))
    viewer.press("k")
    viewer.wait(lambda: keyed() == {0, 20}, "the second key")
    viewer.press("Home")
    viewer.press(" ")
    viewer.wait(lambda: viewer.clip is not None and int(frame.input_value()) > 3, "the clip to play")
    viewer.press(" ")


def test_a_pin_a_pole_and_the_palette(viewer: Viewer) -> None:
    viewer.handle("left hand").click()
    viewer.press("p")
    viewer.wait(lambda: viewer.goal("left hand")["pinned"], "the pin")
    viewer.choose("Undo")
    viewer.wait(lambda: not viewer.goal("left hand")["pinned"], "the undo, by the palette")
    viewer.handle("left hand").click()
    viewer.page.get_by_role("button", name="Pole").click()
    viewer.wait(lambda: viewer.goal("left hand")["pole"] is not None, "the pole")
    before = viewer.pose
    viewer.drag("left hand", (30, 60), kind="pole")
    assert viewer.pose is not None and before is not None
    assert np.abs(viewer.pose.rotations - before.rotations).max() > 0.01


def test_what_is_exported_is_what_is_seen(viewer: Viewer, tmp_path: Path) -> None:
    viewer.drag("right hand", (-25, -70))
    assert viewer.pose is not None
    with viewer.page.expect_download() as waiting:
        viewer.choose("GLB")
    waiting.value.save_as(tmp_path / "posed.glb")
    figure = posable.load(tmp_path / "posed.glb")
    hand = figure.rest.origins[figure.skeleton.index("hand_r")]
    np.testing.assert_allclose(hand, viewer.goal("right hand")["position"], atol=2e-3)


def test_two_viewers_see_the_same(viewer: Viewer, server: Server) -> None:
    other = Viewer(viewer.context.browser, server.address)  # type: ignore[arg-type]
    try:
        viewer.drag("left hand", (20, -40))
        moved = viewer.goal("left hand")["position"]
        other.wait(lambda: other.goal("left hand")["position"] == moved, "what the other viewer did")
        other.settle()
        assert viewer.pose is not None and other.pose is not None
        np.testing.assert_array_equal(other.pose.rotations, viewer.pose.rotations)
    finally:
        other.close()


def test_the_page_comes_back_after_the_server_did(viewer: Viewer, server: Server) -> None:
    viewer.drag("left hand", (20, -40))
    moved, sockets = viewer.goal("left hand")["position"], viewer.sockets
    server.stop()
    assert (server.folder / "token").stat().st_mode & 0o077 == 0  # the secret that lasts is this user's alone
    viewer.document = {}
    server.start()
    viewer.wait(lambda: viewer.sockets > sockets and bool(viewer.document), "a new connection")
    viewer.wait(lambda: viewer.goal("left hand")["position"] == moved, "the session as it was")
