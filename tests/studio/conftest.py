"""A studio's server without a network, and those who visit it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio.visits import HOME, let_in

from posable.studio.session import Session


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of two files in the place of the built one."""
    from posable.studio import page as pages
    from posable.studio import web

    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "viewer.js").write_text("console.log('</script>')")
    (tmp_path / "secret.txt").write_text("not yours")
    monkeypatch.setattr(web, "STATIC", folder)
    monkeypatch.setattr(pages, "_VIEWER", folder / "viewer.js")
    return folder


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "session").mkdir()
    return Session(folder=tmp_path / "session")


@pytest.fixture
def keys(session: Session) -> Any:
    """Who may talk to the session."""
    pytest.importorskip("starlette", reason="the studio's server is not installed")
    from posable.studio.guard import Keys

    return Keys(session.folder.parent)


@pytest.fixture
def stranger(session: Session, static: Path, keys: Any) -> Iterator[Any]:
    """A browser that has not opened the start-up address."""
    testclient = pytest.importorskip("starlette.testclient", reason="the studio's server is not installed")
    pytest.importorskip("httpx", reason="the tests of the studio's server need httpx")
    from posable.studio.guard import Hosts
    from posable.studio.web import StartupGate, make_app

    del static
    app = make_app(StartupGate(lambda: session, keys), Hosts.of("127.0.0.1", 8123))
    with testclient.TestClient(app, base_url=HOME, follow_redirects=False) as client:
        yield client


@pytest.fixture
def page(stranger: Any, keys: Any) -> Any:
    """A browser that has."""
    let_in(stranger, keys.token)
    return stranger
