"""Several pages of one session, and a page whose server goes away and comes back."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocketRoute
    from studio.browser.viewer import Server, Viewer


@pytest.mark.slow
def test_two_viewers_see_the_same_and_come_back_after_the_server_did(chrome: Browser, tmp_path: Path) -> None:
    from studio.browser.viewer import Server, Viewer

    server = Server(tmp_path)
    server.start()
    viewer, other = Viewer(chrome, server.address), Viewer(chrome, server.address, scheme="light")
    try:
        viewer.drag("left hand", (20, -40))
        moved = viewer.goal("left hand")["position"]
        other.wait(lambda: other.goal("left hand")["position"] == moved, "what the other viewer did")
        other.settle()
        assert viewer.pose is not None and other.pose is not None
        np.testing.assert_array_equal(other.pose.rotations, viewer.pose.rotations)
        sockets = viewer.sockets
        address = server.address
        server.stop(signal.SIGKILL)
        viewer.document = {}
        server.start()
        assert server.address != address  # another token; the page's own key is still good
        viewer.wait(lambda: viewer.sockets > sockets and bool(viewer.document), "a new connection")
        assert viewer.goal("left hand")["position"] == moved
    finally:
        viewer.close()
        other.close()
        server.stop()
    assert viewer.problems == other.problems == []


def lift_at_once(ann: Viewer, ben: Viewer) -> None:
    """She the left hand, he the right one; she lets go first."""
    for hand, viewer in (("left hand", ann), ("right hand", ben)):
        start = viewer.place(hand)
        viewer.page.mouse.move(*start)
        viewer.frames()
        viewer.page.mouse.down()
        for k in (1, 2):
            viewer.page.mouse.move(*(start + np.array([0, -25]) * k))
            viewer.frames(1)
    ann.page.mouse.up()
    ann.wait(lambda: ann.document["can_undo"], "the step of who let go first")
    place = ben.place("right hand")
    ben.page.mouse.move(place[0], place[1] - 30)
    ben.frames(1)
    ben.page.mouse.up()
    for viewer in (ann, ben):
        viewer.settle()


@pytest.mark.slow
def test_two_who_drag_at_once_undo_one_by_one(chrome: Browser, server: Server) -> None:
    from studio.browser.viewer import Viewer

    ann, ben = Viewer(chrome, server.address), Viewer(chrome, server.address)
    try:
        ann.renew()
        ben.settle()
        hands = {"left hand": ann, "right hand": ben}
        before = {hand: viewer.goal(hand)["position"] for hand, viewer in hands.items()}
        lift_at_once(ann, ben)
        ann.wait(
            lambda: all(ann.goal(hand)["position"][1] > before[hand][1] + 0.05 for hand in hands), "both lifted hands"
        )
        lifted = ann.goal("right hand")["position"]
        ann.undo()
        ann.wait(lambda: ann.goal("left hand")["loose"], "her own drag taken back, though another one came after it")
        assert ann.goal("right hand")["position"] == lifted, "and it alone"
        ann.press("Control+z")
        ann.page.get_by_text("this page has nothing to undo").wait_for()
        assert ann.goal("right hand")["position"] == lifted
        ann.press("Control+Shift+z")
        ben.wait(lambda: not ben.goal("left hand")["loose"], "the news that she has done it again")
        ben.settle()  # its handle is drawn there again
        ben.drag("left hand", (0, 10))
        ann.wait(lambda: ann.goal("left hand")["position"] == ben.goal("left hand")["position"], "the news of that")
        ann.press("Control+z")
        ann.page.get_by_text("another page has changed left hand since").wait_for()
        for _ in range(2):
            ben.undo()
        ann.wait(lambda: ann.goal("right hand")["loose"], "both of his taken back")
        ann.undo()
        ann.wait(lambda: not ann.document["can_undo"], "nothing more to undo")
        assert {hand: ann.goal(hand)["position"] for hand in hands} == before
    finally:
        ann.close()
        ben.close()
    assert ann.problems == ben.problems == []


@pytest.mark.slow
def test_a_page_keeps_a_key_of_its_tab_alone_and_a_stranger_is_let_in_by_the_address(
    chrome: Browser, server: Server
) -> None:
    from studio.browser.viewer import PATIENCE

    home = server.address.partition("#")[0]
    context = chrome.new_context()
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.goto(home)
    tab.get_by_text("No access: open the address that posable studio printed").wait_for()
    tab.goto(server.address)  # the same page to a browser: it is not loaded again
    tab.locator("[data-handle]").first.wait_for()
    assert tab.url == home and context.cookies() == []
    assert list(tab.evaluate("({ ...sessionStorage })")) == ["posable.key"]
    tab.reload()
    tab.locator("[data-handle]").first.wait_for()
    other = context.new_page()
    other.goto(home)
    other.get_by_text("No access").wait_for()
    other.evaluate("sessionStorage.setItem('posable.key', 'of another session')")
    other.reload()
    other.get_by_text("Access denied: open the address that posable studio printed").wait_for()
    other.goto((server.folder / "open.html").as_uri())
    other.locator("[data-handle]").first.wait_for()
    assert other.url == home
    context.close()


def test_a_page_that_waits_for_the_session_says_that_it_is_opened(chrome: Browser, server: Server) -> None:
    """After a crash the studio is there before it has gone through all steps of the session again."""
    from studio.browser.viewer import Tab

    sockets = []

    def meet(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if len(sockets) == 1:
            socket.connect_to_server()

    page = Tab(chrome, server.address)
    try:
        page.page.route_web_socket("**/ws", meet)
        page.page.reload()
        page.page.locator("[data-handle]").first.wait_for()
        sockets[0].close()
        page.page.locator(".status-bar .status", has_text="opens the session, which may take a while").wait_for()
    finally:
        page.close()
    assert page.problems == []
