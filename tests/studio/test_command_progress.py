"""Long commands tell all pages how far they are, and any page may end them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import posable
from posable.studio import command_progress
from posable.studio import commands as c
from posable.studio.document import Document
from posable.studio.hub import Hub
from posable.studio.session import Session
from tests.studio.test_hub import run


async def retargeting(
    monkeypatch: pytest.MonkeyPatch, folder: Path, cancel: bool
) -> tuple[Session, list[Any], Document]:
    """The session after a walk was retargeted, what a page heard, and the document before."""
    monkeypatch.setattr(command_progress, "_EVENT_SECONDS", 0.0)
    session = Session(folder=folder)
    (folder / "walk.bvh").write_bytes(posable.sample("walk.bvh").read_bytes())
    hub = Hub(session)
    task = asyncio.create_task(hub.run())
    page = hub.join()
    assert page is not None
    await hub.ask(c.GestureBegin())
    await hub.ask(c.GestureEnd())
    before = session.document
    work = asyncio.create_task(hub.ask(c.ClipRetarget("walk.bvh", "walk.bvh")))
    while cancel and not any("progress" in str(one) for one in page.line) and not work.done():
        await asyncio.sleep(0.001)
    if cancel:
        hub.cancel()
        with pytest.raises(posable.PosableError, match=r"cancelled: retargeting .*; nothing has changed"):
            await work
    await asyncio.wait([work])
    task.cancel()
    return session, [json.loads(one) for one in page.line if isinstance(one, str)], before


def test_a_page_hears_how_far_a_retargeting_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    session, events, _ = run(retargeting(monkeypatch, tmp_path, cancel=False))
    told = [event for event in events if event["event"] == "progress"]
    assert len(told) > 5 and all(event["job"] == "command" and event["left"] >= 0 for event in told)
    shares = [event["share"] for event in told]
    assert shares == sorted(shares) and 0 < shares[0] < shares[-1] < 1
    assert session.document.clip is not None


def test_a_retargeting_that_is_cancelled_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    session, _, before = run(retargeting(monkeypatch, tmp_path, cancel=True))
    assert session.document.clip is None and not session.document.clips
    assert session.document is before
