"""The studio's real server, on a port: what only sockets show."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio.exporting import Darkroom, Drawing, View
from posable.studio.session import Session

uvicorn = pytest.importorskip("uvicorn", reason="the studio's server is not installed")
client = pytest.importorskip("websockets.sync.client", reason="the studio's server is not installed")
httpx = pytest.importorskip("httpx", reason="the tests of the studio's server need httpx")
PATIENCE = 60.0  # seconds until what never comes is given up; no test measures time


class Studio:
    """A server in a thread. way_in: what it said; home, token: the parts of its first address."""

    way_in: Any

    def __init__(self, session: Session, host: str, servers: list[Any]) -> None:
        from posable.studio import web

        self.servers, self.problems = servers, []
        is_ready = threading.Event()

        def ready(way_in: Any) -> None:
            self.way_in = way_in
            is_ready.set()

        def run() -> None:
            try:
                web.serve(lambda: session, session.folder, host, 0, ready)
            except posable.PosableError as problem:
                self.problems.append(problem)
                is_ready.set()

        self.thread = threading.Thread(target=run)
        self.thread.start()
        assert is_ready.wait(PATIENCE)
        if self.problems:
            raise self.problems[0]
        self.home, _, self.token = self.way_in.addresses[0].partition("/#")
        self.port = int(self.home.rpartition(":")[2])

    def key(self, home: str = "") -> str:
        """For a page that was opened at `home`."""
        answer = httpx.post((home or self.home) + "/api/key", headers={"x-posable-token": self.token}, timeout=PATIENCE)
        return answer.json()["key"]

    @contextmanager
    def joined(self, key: str = "", home: str = "") -> Iterator[Any]:
        """A socket, whose key was sent."""
        home = home or self.home
        with client.connect(home.replace("http", "ws") + "/ws", origin=home, max_size=None) as own:
            own.send(key or self.key(home))
            yield own

    def plain(self, sent: bytes) -> socket.socket:
        """A connection on which this was sent."""
        own = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        own.sendall(sent)
        return own

    def stop(self) -> None:
        self.servers[-1].should_exit = True
        self.thread.join()


@pytest.fixture
def start(session: Session, static: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Studio]]:
    """Starts a studio at a host."""
    del static
    servers: list[Any] = []

    class Kept(uvicorn.Server):
        """One that can be ended from outside."""

        def __init__(self, config: Any) -> None:
            super().__init__(config)
            servers.append(self)

    monkeypatch.setattr(uvicorn, "Server", Kept)
    with ExitStack() as running:

        def go(host: str = "127.0.0.1") -> Studio:
            own = Studio(session, host, servers)
            running.callback(own.stop)
            return own

        yield go


@pytest.fixture
def studio(start: Callable[..., Studio]) -> Studio:
    return start()


def test_a_message_too_large_ends_its_socket_and_not_the_session(studio: Studio, session: Session) -> None:
    from websockets.exceptions import ConnectionClosed

    before = session.document
    with studio.joined() as own:
        with pytest.raises(ConnectionClosed) as closed:
            own.send("x" * ((1 << 20) + 1))
            while True:
                own.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    with studio.joined() as own:
        assert json.loads(own.recv(timeout=PATIENCE))["event"] == "hello"
        own.send(json.dumps({"op": "goal.set", "goal": "head", "weight": 0.5, "padding": "x" * 1_000_000}))
        while session.document is before:
            own.recv(timeout=PATIENCE)
    assert session.document.goal("head").weight == 0.5


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nHost: {host}\r\n\r\nGET / HT"]
)
def test_a_request_that_does_not_come_is_not_waited_for(
    start: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    from posable.studio import web

    monkeypatch.setattr(web, "_REQUEST_TIMEOUT", 0.2)
    studio = start()
    with studio.plain(sent.replace(b"{host}", studio.home[7:].encode())) as own:
        while own.recv(1 << 16):  # until it is closed
            pass


def upload(studio: Studio, sent: int) -> bytes:
    """The first bytes of an upload of a thousand."""
    head = f"POST /api/file?name=a.glb HTTP/1.1\r\nHost: {studio.home[7:]}\r\nX-Posable-Key: {studio.key()}\r\n"
    return (head + "Content-Length: 1000\r\n\r\n").encode() + b"x" * sent


def uploaded(session: Session, count: int) -> None:
    """Wait until there are so many files of uploads."""
    waiting = threading.Event()
    for _ in range(6000):
        if len(list(session.folder.glob("upload-*"))) == count:
            return
        waiting.wait(0.01)
    raise AssertionError(f"not {count} of {list(session.folder.iterdir())}")


@pytest.mark.parametrize("sent", [0, 400])
def test_an_upload_that_stops_is_not_waited_for_and_leaves_no_file(
    start: Callable[..., Studio], session: Session, monkeypatch: pytest.MonkeyPatch, sent: int
) -> None:
    from posable.studio import routes

    monkeypatch.setattr(routes, "_UPLOAD_TIMEOUT", 0.2)
    studio = start()
    with studio.plain(upload(studio, sent)) as own:
        answer = b""
        while more := own.recv(1 << 16):
            answer += more
    assert answer.startswith(b"HTTP/1.1 408") and b"send the file again" in answer
    assert not list(session.folder.glob("upload-*"))


def test_an_upload_that_is_broken_off_leaves_no_file(studio: Studio, session: Session) -> None:
    with studio.plain(upload(studio, 400)):
        uploaded(session, 1)
    uploaded(session, 0)


@pytest.mark.parametrize(
    ("host", "warning"),
    [
        ("127.0.0.1", ""),
        ("localhost", ""),
        ("0.0.0.0", "where other machines reach it, without encryption"),
        ("::", "where other machines reach it, without encryption"),
        ("::1", "::1 alone"),
    ],
)
def test_every_address_that_is_printed_works_and_what_is_open_to_others_is_said(
    start: Callable[..., Studio], host: str, warning: str
) -> None:
    if ":" in host:
        try:
            socket.socket(socket.AF_INET6).bind((host, 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    studio = start(host)
    assert studio.way_in.warning == "" if not warning else warning in studio.way_in.warning
    for address in studio.way_in.addresses:
        home, _, token = address.partition("/#")
        assert token == studio.token
        assert httpx.get(home, timeout=PATIENCE).status_code == 200
        with studio.joined(home=home) as own:
            assert json.loads(own.recv(timeout=PATIENCE))["event"] == "hello"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address alone")
def test_a_studio_for_all_machines_says_the_address_that_others_need(
    start: Callable[..., Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    from posable.studio import web

    monkeypatch.setattr(web, "_own_address", lambda: ["127.0.0.2"])  # another one of this machine
    studio = start("0.0.0.0")
    first, second = (address.partition("/#")[0] for address in studio.way_in.addresses)
    assert (first, second) == (f"http://127.0.0.1:{studio.port}", f"http://127.0.0.2:{studio.port}")
    with studio.joined(home=second) as own:
        assert json.loads(own.recv(timeout=PATIENCE))["event"] == "hello"


def test_an_unknown_host_is_refused(start: Callable[..., Studio]) -> None:
    for host in ("no such host", "x" * 300):
        with pytest.raises(posable.PosableError, match="unknown host"):
            start(host)


def test_a_browser_is_led_in_by_a_file_of_this_user_alone_that_goes_with_the_studio(
    start: Callable[..., Studio], session: Session
) -> None:
    (session.folder / "open.html").write_text("an old one")
    (session.folder / "open.html").chmod(0o644)
    studio = start()
    page = studio.way_in.page
    assert page == session.folder / "open.html" and studio.way_in.addresses[0] in page.read_text()
    if sys.platform != "win32":
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
    studio.stop()
    assert not page.exists()


def test_a_page_goes_on_after_a_restart_under_another_token(start: Callable[..., Studio]) -> None:
    first = start()
    key = first.key()
    first.stop()
    again = start()
    assert again.token != first.token
    with again.joined(key) as own:
        assert json.loads(own.recv(timeout=PATIENCE))["event"] == "hello"


LOCKER = """
import sys, time
from pathlib import Path
from posable.studio.session_store import locked

with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
def test_a_session_that_another_process_has_is_refused_until_that_one_is_killed(
    start: Callable[..., Studio], session: Session
) -> None:
    with subprocess.Popen([sys.executable, "-c", LOCKER, str(session.folder)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"locked\n"
        with pytest.raises(posable.PosableError, match=rf"open in another posable studio \(process {other.pid}\): end"):
            start()
        other.kill()
    start()
    assert (session.folder / "lock").read_text() == f"{os.getpid()}\n"


def test_a_folder_in_which_nothing_can_be_kept_is_refused(start: Callable[..., Studio], session: Session) -> None:
    (session.folder / "lock").mkdir()
    with pytest.raises(posable.PosableError, match=r"cannot be kept in .*; choose another folder with --session"):
        start()


@pytest.mark.slow
def test_a_film_says_what_is_prepared_and_the_session_goes_on_meanwhile(tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    clip = posable.Clip(figure.skeleton, np.tile(figure.rest.q, (3, 1)), 30.0)
    path = tmp_path / "still.gif"
    told: list[tuple[str, float, int]] = []
    beats = 0

    async def filmed() -> bool:
        async def beat() -> None:
            nonlocal beats
            while True:
                await asyncio.sleep(0.01)
                beats += 1

        async def is_awaited() -> bool:
            return True

        beating = asyncio.create_task(beat())
        drawing = Drawing(path, figure, clip, None, "auto", View((64, 48)))

        def hear(share: float, _left: float, doing: str) -> None:
            told.append((doing, share, beats))

        done = await Darkroom().make(drawing, hear, is_awaited)
        beating.cancel()
        return done

    with ThreadPoolExecutor(1) as aside:  # tests of the page leave a loop running in this thread
        assert aside.submit(asyncio.run, filmed()).result()
    assert path.is_file()
    prepared = [doing for doing, _, _ in told if doing]
    stages = ["starting the renderer", "building the scene", "drawing the first frame"]
    # Only the latest is told: on a busy machine the scene may be built before anyone asks.
    assert prepared[0] == stages[0]
    assert len(prepared) > 1
    assert sorted(prepared, key=stages.index) == prepared
    assert all(share > 0 for doing, share, _ in told if not doing)
    assert told[1][2] - told[0][2] > 5, "everything else waited while the process started"


def test_a_studio_that_ends_in_the_middle_of_an_export_leaves_nothing_of_it(
    studio: Studio, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def make(_: Darkroom, drawing: Drawing, *_others: Any) -> bool:
        drawing.path.write_bytes(b"the first half")
        studio.servers[-1].should_exit = True
        await asyncio.sleep(PATIENCE)
        return True

    monkeypatch.setattr(Darkroom, "make", make)
    headers = {"x-posable-key": studio.key(), "origin": studio.home}
    answer = httpx.get(f"{studio.home}/api/export/png", headers=headers, timeout=PATIENCE)
    assert answer.status_code == 503 and "ended" in answer.json()["message"]
    assert not list(session.folder.rglob("*.png"))
