"""What visitors of the studio's server know, hear, and bring."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

HOST = "127.0.0.1:8123"
HOME, SOCKET = f"http://{HOST}", f"ws://{HOST}/ws"
ORIGIN = {"origin": HOME}


@contextmanager
def joined(page: Any) -> Iterator[Any]:
    """The socket of a page, which sends its key first."""
    with page.websocket_connect(SOCKET, headers=ORIGIN) as socket:
        socket.send_text(page.headers["x-posable-key"])
        yield socket


def let_in(page: Any, token: str) -> None:
    """Give a page a key for the token of the address, as the page's script does."""
    answer = page.post("/api/key", headers={**ORIGIN, "x-posable-token": token})
    assert answer.status_code == 200
    page.headers["x-posable-key"] = answer.json()["key"]


def events_until(socket: Any, until: str) -> list[dict[str, Any]]:
    """Events up to the first of a kind; bytes are left out."""
    found: list[dict[str, Any]] = []
    while not found or found[-1]["event"] != until:
        message = socket.receive()
        if message.get("text"):
            found.append(json.loads(message["text"]))
    return found


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
