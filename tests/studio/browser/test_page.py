"""The studio's page in a real browser: what a person does first, by mouse and keys."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from studio.browser.viewer import Server, Viewer


@pytest.mark.slow
def test_the_mannequin_stands_there_with_its_goals(viewer: Viewer) -> None:
    for name in ("left hand", "right hand", "left foot", "right foot", "head"):
        assert viewer.handle(name).is_visible()
        assert viewer.page.locator(".row", has_text=name).count() == 1
    assert viewer.picture().std() > 10  # no blank canvas
    assert "every goal is met" in viewer.said()


def test_a_dragged_hand_takes_the_arm_and_its_skin_along_and_undo_brings_all_back(viewer: Viewer) -> None:
    before, drawn = viewer.pose, viewer.picture()
    assert before is not None
    viewer.drag("left hand", (30, -60))
    after = viewer.pose
    assert after is not None
    assert np.abs(after.rotations - before.rotations).max() > 0.05
    assert np.abs(viewer.picture() - drawn).max() > 60
    viewer.press("Control+z")
    viewer.wait(lambda: not viewer.document["can_undo"], "the undo")
    viewer.settle()
    assert viewer.pose is not None
    np.testing.assert_array_equal(viewer.pose.rotations, before.rotations)


@pytest.mark.slow
def test_a_target_out_of_reach_is_said_to_be_so_and_its_limit_is_drawn(viewer: Viewer) -> None:
    viewer.choose("Keep the balance")  # no more, so that limits hold it
    viewer.wait(lambda: not viewer.document["options"]["balance"], "the switch")
    viewer.drag("left hand", (260, -120))
    viewer.wait(lambda: bool(viewer.status["limits"]), "the reason")
    assert re.search(r"left hand .*\d cm short: .* at its limit", viewer.said())
    told = next(goal for goal in viewer.status["goals"] if goal["name"] == "left hand")
    assert told["distance"] > 0.05
    assert viewer.page.locator(".row", has_text="left hand").locator(".short").inner_text().endswith("cm")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_drag_that_is_not_answered_says_so_until_it_is(viewer: Viewer, server: Server) -> None:
    working = viewer.page.locator(".status-bar .working")
    os.kill(server.pid, signal.SIGSTOP)  # as if it compiled
    try:
        viewer.pull(viewer.place("left hand"), (20, -40))
        working.filter(has_text="the first time on a machine").wait_for()
    finally:
        os.kill(server.pid, signal.SIGCONT)
    viewer.wait(lambda: viewer.document["can_undo"], "the answer")
    working.wait_for(state="detached")


SLOW = """
import sys, time
from pathlib import Path
from posable.cli import main
from posable.studio import warming

compiled = warming.warm_up

def waiting(document):
    while not Path(sys.argv[0]).with_suffix(".go").exists():
        time.sleep(0.02)
    compiled(document)

warming.warm_up = waiting
main()
"""


@pytest.mark.slow
def test_what_is_done_before_the_solver_is_ready_is_neither_lost_nor_answered_wrongly(
    chrome: Browser, tmp_path: Path
) -> None:
    from studio.browser.viewer import Server, Viewer

    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    server = Server(tmp_path / "session", program=(str(script),))
    server.start()
    try:
        viewer = Viewer(chrome, server.address)
        viewer.wait(lambda: "getting ready" in viewer.said(), "the word for it")
        viewer.page.wait_for_load_state("networkidle")  # the camera goes to the figure when that has come
        viewer.frames(10)
        hands = ("left hand", "right hand")
        before, start = [viewer.goal(hand)["position"] for hand in hands], [viewer.place(hand) for hand in hands]
        viewer.pull(start[0], (20, -60), steps=1)  # so few messages that none waits in the page
        viewer.pull(start[1], (-20, -60))
        viewer.frames(30)
        for hand, at, x in zip(hands, start, (20, -20), strict=True):
            assert np.abs(viewer.place(hand) - at - (x, -60)).max() < 2, "it stays where it was put"
        assert "getting ready" in viewer.said()
        assert [viewer.goal(hand)["position"] for hand in hands] == before
        script.with_suffix(".go").touch()
        viewer.wait(
            lambda: all(viewer.goal(hand)["position"] not in before for hand in hands), "what was done meanwhile"
        )
        viewer.settle()
        for hand, at, x, was in zip(hands, start, (20, -20), before, strict=True):
            assert np.abs(viewer.place(hand) - at - (x, -60)).max() < 2
            assert viewer.goal(hand)["position"][1] > was[1] + 0.1
        viewer.wait(lambda: "getting ready" not in viewer.said(), "the status")
        assert viewer.problems == []
        viewer.close()
    finally:
        server.stop()
