"""What visitors of the studio's server know, hear, and bring."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

HOST, TOKEN = "127.0.0.1:8123", "a-secret"
HOME, SOCKET = f"http://{HOST}", f"ws://{HOST}/ws"
ORIGIN = {"origin": HOME}


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
