"""`posable studio` as it is run: a real process, a real socket, killed and started again."""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from posable.studio import codec
from posable.studio.web import STATIC

httpx = pytest.importorskip("httpx")
client = pytest.importorskip("websockets.sync.client")
pytestmark = pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the studio's page is not built here")


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """(process, address, cookie) of a studio."""
    line = [sys.executable, "-m", "posable", "studio", "--no-browser", "--port", "0", *arguments]
    environment = {**os.environ, "POSABLE_STUDIO": str(folder)}
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            said = ""
            while not (found := re.search(r"(http://[\d.]+:\d+)/\?token=\S+", said)):
                said = process.stdout.readline()
                assert said, "the studio ended before it said where it is"
            answer = httpx.get(found[0])
            assert answer.status_code == 303
            yield process, found[1], "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
        finally:
            process.kill()


def joined(address: str, cookie: str) -> Any:
    return client.connect(
        address.replace("http", "ws") + "/ws", origin=address, additional_headers={"Cookie": cookie}, max_size=None
    )


def heard(socket: Any, event: str) -> dict[str, Any]:
    while True:
        message = socket.recv(timeout=120)
        if isinstance(message, str) and (told := json.loads(message))["event"] == event:
            return told


@pytest.mark.slow
def test_a_hand_is_dragged_and_is_there_again_after_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address, cookie):
        page = httpx.get(address, headers={"Cookie": cookie})
        assert page.status_code == 200 and "<script" in page.text
        with joined(address, cookie) as socket:
            x, y, z = heard(socket, "document")["document"]["goals"][0]["position"]
            for k in range(1, 31):
                flags = {1: codec.GESTURE_BEGINS, 30: codec.GESTURE_ENDS}.get(k, 0)
                place = (x, y + 0.01 * k, z)
                socket.send(codec.pack_goal(codec.GoalMessage(0, flags, k, place, (1, 0, 0, 0))))
            seq = 0
            while seq < 30:  # of poses that wait the newest wins, so some are left out, but never the last
                message = socket.recv(timeout=120)
                if isinstance(message, bytes) and message[0] == codec.POSE:
                    now = struct.unpack_from("<I", message, 4)[0]
                    assert now >= seq
                    seq = now
            assert heard(socket, "document")["set"]["can_undo"] is True
            process.send_signal(signal.SIGKILL)
            process.wait()
    with running(tmp_path) as (_, address, cookie), joined(address, cookie) as socket:
        document = heard(socket, "document")["document"]
        assert document["goals"][0]["position"] == pytest.approx([x, y + 0.3, z], abs=1e-6)
        assert document["can_undo"] is True


@pytest.mark.slow
def test_a_message_beyond_all_bounds_costs_the_sender_its_socket_alone(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with running(tmp_path) as (_, address, cookie):
        with pytest.raises(ConnectionClosed), joined(address, cookie) as socket:
            heard(socket, "document")
            socket.send("x" * (2 << 20))
            while True:
                socket.recv(timeout=60)
        with joined(address, cookie) as socket:
            assert heard(socket, "document")["document"]["name"] == "mannequin"


def test_misuse_is_said(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "posable", "studio", "--no-browser", str(tmp_path / "nobody.glb")]
    ended = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "POSABLE_STUDIO": str(tmp_path)})
    assert ended.returncode != 0 and "nobody.glb" in ended.stderr
