"""Several pages of one session, and a page whose server goes away and comes back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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
        server.stop()
        assert (server.folder / "token").stat().st_mode & 0o077 == 0  # the secret that lasts is this user's alone
        viewer.document = {}
        server.start()
        viewer.wait(lambda: viewer.sockets > sockets and bool(viewer.document), "a new connection")
        assert viewer.goal("left hand")["position"] == moved
    finally:
        viewer.close()
        other.close()
        server.stop()
    assert viewer.problems == other.problems == []
