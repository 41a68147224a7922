"""One studio for all tests of a worker, one page for all of a module: to start them costs more than most tests do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from studio.browser.viewer import Server, Viewer


@pytest.fixture(scope="session")
def server(chrome: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A studio that runs."""
    del chrome  # no studio where nobody can look at it
    from studio.browser.viewer import Server

    own = Server(tmp_path_factory.mktemp("session"))
    own.start()
    yield own
    own.stop()


@pytest.fixture(scope="module")
def opened(chrome: Browser, server: Server) -> Iterator[Viewer]:
    """The page, as it stands after the module's tests before: its camera and panels are no other module's."""
    from studio.browser.viewer import Viewer

    viewer = Viewer(chrome, server.address)
    yield viewer
    viewer.close()


@pytest.fixture
def viewer(opened: Viewer) -> Iterator[Viewer]:
    """The page with everything undone, nothing chosen and nothing held; no test leaves an error in it."""
    opened.renew()
    yield opened
    assert opened.problems == []
