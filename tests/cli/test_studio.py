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
from posable.studio.commands import GoalSet
from posable.studio.session_store import open_session
from posable.studio.web import STATIC

httpx = pytest.importorskip("httpx")
client = pytest.importorskip("websockets.sync.client")
pytestmark = pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the studio's page is not built here")


@contextmanager
def running(folder: Path, *arguments: str, browser: str | None = None) -> Iterator[tuple[Any, str, str]]:
    """(process, address, token) of a studio. browser: its command, None for no browser."""
    line = [sys.executable, "-m", "posable", "studio", "--port", "0", *arguments, *["--no-browser"] * (browser is None)]
    environment = {**os.environ, "POSABLE_STUDIO": str(folder), "BROWSER": browser or ""}
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            said = ""
            while not (found := re.search(r"(http://[\d.]+:\d+)/#(\S+)", said)):
                said = process.stdout.readline()
                assert said, "the studio ended before it said where it is"
            yield process, found[1], found[2]
        finally:
            process.kill()


def key_of(address: str, token: str) -> str:
    """For a page."""
    return httpx.post(f"{address}/api/key", headers={"x-posable-token": token}).json()["key"]


@contextmanager
def joined(address: str, key: str) -> Iterator[Any]:
    with client.connect(address.replace("http", "ws") + "/ws", origin=address, max_size=None) as socket:
        socket.send(key)
        yield socket


def heard(socket: Any, event: str) -> dict[str, Any]:
    while True:
        message = socket.recv(timeout=120)
        if isinstance(message, str) and (told := json.loads(message))["event"] == event:
            return told


@pytest.mark.slow
def test_a_hand_is_dragged_and_is_there_again_after_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address, token):
        page = httpx.get(address)
        assert page.status_code == 200 and "<script" in page.text
        key = key_of(address, token)
        with joined(address, key) as socket:
            x, y, z = heard(socket, "document")["document"]["goals"][0]["position"]
            for k in range(1, 31):
                flags = {1: codec.GESTURE_BEGINS, 30: codec.GESTURE_ENDS}.get(k, 0)
                place = (x, y + 0.01 * k, z)
                socket.send(codec.pack_goal(codec.GoalMessage(0, flags, k, place, (1, 0, 0, 0))))
            seq, news = 0, {}
            while seq < 30:  # of poses that wait the newest wins, so some are left out, but never the last
                message = socket.recv(timeout=120)
                if isinstance(message, bytes) and message[0] == codec.POSE:
                    now = struct.unpack_from("<I", message, 4)[0]
                    assert now >= seq
                    seq = now
                elif isinstance(message, str) and (told := json.loads(message))["event"] == "document":
                    news |= told["set"]
            assert news["can_undo"] is True  # the last answer comes after all that the gesture changed
            process.send_signal(signal.SIGKILL)
            process.wait()
    with running(tmp_path) as (_, address, other), joined(address, key) as socket:
        assert other != token  # and the page's key is good for the session's next start
        document = heard(socket, "document")["document"]
        assert document["goals"][0]["position"] == pytest.approx([x, y + 0.3, z], abs=1e-6)
        assert document["can_undo"] is True


@pytest.mark.slow
def test_a_message_beyond_all_bounds_costs_the_sender_its_socket_alone(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with running(tmp_path) as (_, address, token):
        key = key_of(address, token)
        with pytest.raises(ConnectionClosed), joined(address, key) as socket:
            heard(socket, "document")
            socket.send("x" * (2 << 20))
            while True:
                socket.recv(timeout=60)
        with joined(address, key) as socket:
            assert heard(socket, "document")["document"]["name"] == "mannequin"


SPY = """
import sys
from pathlib import Path
from urllib.request import urlopen
page = urlopen(sys.argv[2]).read().decode()
Path(sys.argv[1]).write_text(f"{sys.argv[2]}\\n{page}")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process list")
def test_no_command_line_has_the_token_and_the_browser_finds_it_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    seen = tmp_path / "seen"
    os.mkfifo(seen)  # to be waited at
    with running(tmp_path / "kept", browser=f"{sys.executable} {tmp_path / 'spy.py'} {seen} %s") as (
        process,
        address,
        token,
    ):
        given, _, page = seen.read_text().partition("\n")
        assert given.startswith("file://") and given.endswith("open.html")
        assert f"{address}/#{token}" in page
        command = Path(f"/proc/{process.pid}/cmdline").read_text() + Path(f"/proc/{process.pid}/environ").read_text()
        assert token not in given + command


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the folders of a user are that user's alone there")
def test_a_second_studio_of_a_session_is_refused_by_one_error_that_names_the_first(tmp_path: Path) -> None:
    with running(tmp_path) as (process, _, _):
        line = [sys.executable, "-m", "posable", "studio", "--no-browser", "--port", "0"]
        environment = {**os.environ, "POSABLE_STUDIO": str(tmp_path)}
        ended = subprocess.run(line, capture_output=True, text=True, env=environment)
        assert ended.returncode == 1 and ended.stdout == ""
        assert ended.stderr.count("\n") == 1 and f"in another posable studio (process {process.pid})" in ended.stderr
        assert (tmp_path / "mannequin").stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
def test_what_was_lost_of_a_session_is_said_on_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    session, _ = open_session(None, folder)
    session.handle(GoalSet("head", weight=0.25))
    with (folder / "journal.jsonl").open("a") as file:
        file.write('{"pose": "arr')
    with running(tmp_path, "--session", str(folder)) as (process, _, _):
        process.stdout.readline()
        told = process.stdout.readline()
    assert "Going on with the session of mannequin" in told and "The last step could not be opened" in told


def test_a_file_that_is_missing_is_said_before_the_studio_serves(run) -> None:
    ran = run("studio", "absent.glb", "--no-browser", "--port", "0")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "posable: absent.glb: no such file; check the name and the folder\n"


@pytest.mark.slow
def test_misuse_is_said(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "posable", "studio", "--no-browser", str(tmp_path / "nobody.glb")]
    ended = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "POSABLE_STUDIO": str(tmp_path)})
    assert ended.returncode != 0 and "nobody.glb" in ended.stderr
