"""What strangers try on the studio: every guard has a test that fails without it."""

from __future__ import annotations

import io
import json
import stat
import struct
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studio.visits import ORIGIN, SOCKET, TOKEN, events_until, zipped

import posable
from posable.studio import commands as c
from posable.studio import uploads
from posable.studio.journal import write_session_file
from posable.studio.session import Session
from posable.studio.uploads import stored_name

websockets = pytest.importorskip("starlette.websockets", reason="the studio's server is not installed")

TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
POLICY = ("default-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "object-src 'none'")


@pytest.mark.parametrize("value", ["", "guess", TOKEN[:-1], TOKEN + "x", TOKEN.upper()])
def test_a_cookie_with_another_secret_opens_nothing(stranger: Any, value: str) -> None:
    stranger.cookies.set("posable_8123", value)
    assert stranger.get("/").status_code == 403


def test_the_address_lets_in_at_its_own_place_alone_and_leaves_no_token_behind(stranger: Any) -> None:
    for path in ("/api/figure.glb", "/api/export/session", "/index.html"):
        answer = stranger.get(f"{path}?token={TOKEN}")
        assert answer.status_code == 403 and "set-cookie" not in answer.headers
    for _ in range(2):  # a stranger, and one who is known
        answer = stranger.get(f"/?token={TOKEN}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_every_answer_is_held_to_the_policy(stranger: Any) -> None:
    answers = [stranger.get("/"), stranger.get("/", headers={"host": "evil.example"})]
    answers += [stranger.get(f"/?token={TOKEN}"), stranger.get("/"), stranger.get("/nowhere")]
    assert [answer.status_code for answer in answers] == [403, 400, 303, 200, 404]
    for answer in answers:
        assert tuple(answer.headers["content-security-policy"].split("; ")) == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_the_secret_is_kept_for_its_owner_alone_and_made_anew_where_a_crash_cut_it(tmp_path: Path) -> None:
    from posable.studio.web import _token

    first, path = _token(tmp_path), tmp_path / "token"
    assert len(first) == 32 and _token(tmp_path) == first
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text(first[:10])
    again = _token(tmp_path)
    assert len(again) == 32 and again != first and _token(tmp_path) == again


def test_a_file_is_never_put_over_another(tmp_path: Path) -> None:
    (tmp_path / "upload-2-a.glb").write_bytes(b"mine")
    assert stored_name("a.glb", tmp_path) == "upload-3-a.glb"
    assert (tmp_path / "upload-2-a.glb").read_bytes() == b"mine"


def linked() -> bytes:
    """A zip with a link to a file of the machine."""
    buffer = io.BytesIO()
    entry = zipfile.ZipInfo("evil.obj")
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return buffer.getvalue()


def lying() -> bytes:
    """A zip whose entry says that it is much smaller than it is."""
    return zipped(**{"evil.obj": b"v 0 0 0\n" * 9000}).replace(struct.pack("<I", 72_000), struct.pack("<I", 8))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (linked(), "holds a link"),
        (lying(), "not a readable zip"),
        (zipped(**{f"{k}.obj": b"" for k in range(5001)}), "holds 5,001 files"),
        (zipped(**{"evil.obj": b"v 0 0 0\n" * 3_000_000}), "unpacks to 24,000,000 bytes"),
    ],
    ids=["link", "lie", "many", "bomb"],
)
def test_evil_zips_are_refused_and_leave_nothing_behind(
    page: Any, session: Session, content: bytes, problem: str
) -> None:
    answer = page.post("/api/file?name=a.zip", content=content, headers=ORIGIN)
    assert answer.status_code == 400 and problem in answer.json()["message"]
    assert not list(session.folder.iterdir())


def test_a_zip_unpacks_to_a_gigabyte_at_most(page: Any, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    assert uploads._MOST_UNPACKED == 1 << 30
    monkeypatch.setattr(uploads, "_MOST_UNPACKED", 100)
    answer = page.post("/api/file?name=a.zip", content=zipped(**{"a.obj": bytes(range(101))}), headers=ORIGIN)
    assert answer.status_code == 400 and "unpacks to 101 bytes" in answer.json()["message"]
    assert not list(session.folder.iterdir())


def test_an_upload_of_a_gigabyte_is_refused_before_it_comes(page: Any, session: Session) -> None:
    for said in (str(1 << 30), "-1", "much"):
        answer = page.post("/api/file?name=a.glb", content=b"", headers={**ORIGIN, "content-length": said})
        assert answer.status_code == 413 and "up to 256 MB" in answer.json()["message"]
    assert not list(session.folder.iterdir())


def test_an_upload_that_says_no_length_is_cut_off(page: Any, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from posable.studio import routes

    monkeypatch.setattr(routes, "MOST_BYTES", 1 << 20)
    taken: list[int] = []

    def endless() -> Iterator[bytes]:
        while len(taken) < 64:
            taken.append(1)
            yield b"0" * (1 << 18)

    answer = page.post("/api/file?name=a.obj", content=endless(), headers=ORIGIN)
    assert answer.status_code == 413 and "up to 1 MB" in answer.json()["message"]
    assert not list(session.folder.iterdir())


def robot(mesh: str) -> bytes:
    """A URDF of two bodies, the first of which shows a mesh."""
    shown = f'<visual><geometry><mesh filename="{mesh}"/></geometry></visual>'
    return (
        f'<robot name="r"><link name="a">{shown}</link><link name="b"/><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/></joint></robot>'
    ).encode()


@pytest.mark.parametrize("way", ["../../secret.obj", "../secret.obj", "{}/secret.obj", "package://r/../../secret.obj",
                                 "file://{}/secret.obj", "in/../../../secret.obj"])  # fmt: skip
def test_robots_read_nothing_outside_what_was_dropped(page: Any, session: Session, way: str) -> None:
    outside = session.folder.parent
    for place in (outside, session.folder):
        (place / "secret.obj").write_bytes(TRIANGLE)
    content = zipped(**{"r.urdf": robot(way.format(outside)), "in/mine.obj": TRIANGLE})
    answer = page.post("/api/file?name=r.zip", content=content, headers=ORIGIN)
    assert answer.status_code == 200, answer.text
    assert session.document.figure.skeleton.joints == ("a", "j") and not session.document.figure.skins
    assert any("secret.obj" in note for note in session.document.figure.notes)


def test_robots_show_what_was_dropped_with_them(page: Any, session: Session) -> None:
    content = zipped(**{"r.urdf": robot("in/mine.obj"), "in/mine.obj": TRIANGLE})
    assert page.post("/api/file?name=r.zip", content=content, headers=ORIGIN).status_code == 200
    assert len(session.document.figure.skins) == 1


GLTF = {"asset": {"version": "2.0"}, "buffers": [{"uri": "../../secret.bin", "byteLength": 4}], "nodes": [{}]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gltf", json.dumps(GLTF).encode()),
        ("a.xml", b'<mujoco><worldbody/><include file="../../secret.bin"/></mujoco>'),
        ("a.usda", b"#usda 1.0\n(\n subLayers = [@../../secret.bin@]\n)\n"),
    ],
)
def test_files_that_name_others_outside_are_refused(page: Any, session: Session, name: str, content: bytes) -> None:
    (session.folder.parent / "secret.bin").write_bytes(b"mine")
    answer = page.post("/api/file?name=a.zip", content=zipped(**{name: content}), headers=ORIGIN)
    assert answer.status_code == 400
    assert "outside its own folder; put the file beside it" in answer.json()["message"]
    assert not list(session.folder.iterdir())


def session_file(session: Session, path: Path, **changes: object) -> bytes:
    """A session to open elsewhere, with entries of its journal changed, and a file of a stranger's name in it."""
    write_session_file(path, session.document, session.folder)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    stranger = changes.pop("file", None)
    files["journal.jsonl"] = json.dumps({**json.loads(files["journal.jsonl"]), **changes}).encode()
    return zipped(**files, **({} if stranger is None else {str(stranger): b"mine"}))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"pose": "../secret.npy"}, "an array outside its folder"),
        ({"pose": "array-nothing.npy"}, "cannot be read"),
        ({"file": "token"}, "it holds 'token'"),
        ({"file": "in/../../../token"}, "leads out"),
        ({"source": "/etc/passwd"}, "no built-in figure"),
        ({"goals": [{}]}, "cannot be read"),
    ],
)
def test_session_files_reach_for_nothing_outside(
    page: Any, session: Session, tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    np.save(session.folder.parent / "secret.npy", session.document.pose.q)
    (session.folder / "token").write_text("secret")
    before = session.document
    content = session_file(session, tmp_path / "made.posable", **changes)
    answer = page.post("/api/file?name=a.posable", content=content, headers=ORIGIN)
    assert answer.status_code == 400 and problem in answer.json()["message"], answer.text
    assert session.document is before and (session.folder / "token").read_text() == "secret"


def test_commands_name_no_file_but_an_upload(session: Session) -> None:
    (session.folder.parent / "arm.toml").write_bytes(b"")
    (session.folder / "token").write_text("secret")
    for file in ("../arm.toml", str(session.folder.parent / "arm.toml"), "", ".", "..", "a\0b", "nothing.glb"):
        with pytest.raises(posable.PosableError, match="was uploaded to this session"):
            session.handle(c.FigureOpen(file))


def test_no_more_than_sixteen_watch(page: Any) -> None:
    from contextlib import ExitStack

    with ExitStack() as all_of_them:
        for _ in range(16):
            events_until(all_of_them.enter_context(page.websocket_connect(SOCKET, headers=ORIGIN)), "status")
        with (
            page.websocket_connect(SOCKET, headers=ORIGIN) as late,
            pytest.raises(websockets.WebSocketDisconnect) as closed,
        ):
            late.receive_json()
        assert closed.value.code == 1013


@pytest.fixture
def served(session: Session, static: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The real server on a free port; its address."""
    import uvicorn

    from posable.studio import web

    del static
    servers: list[Any] = []

    class Kept(uvicorn.Server):
        """One that can be ended from outside."""

        def __init__(self, config: Any) -> None:
            super().__init__(config)
            servers.append(self)

    monkeypatch.setattr(uvicorn, "Server", Kept)
    address: list[str] = []
    is_ready = threading.Event()

    def ready(said: str) -> None:
        address.append(said)
        is_ready.set()

    thread = threading.Thread(target=web.serve, args=(lambda: session, session.folder, "127.0.0.1", 0, ready))
    thread.start()
    assert is_ready.wait(60)
    yield address[0]
    while not servers:
        thread.join(0.01)
    servers[0].should_exit = True
    thread.join()


def test_a_message_too_large_ends_its_socket_and_not_the_session(served: str, session: Session) -> None:
    client = pytest.importorskip("websockets.sync.client", reason="the studio's server is not installed")
    from websockets.exceptions import ConnectionClosed

    home, token = served.split("/?token=")
    port = home.rpartition(":")[2]
    before = session.document
    headers = {"Cookie": f"posable_{port}={token}"}
    address = f"ws://127.0.0.1:{port}/ws"
    with client.connect(address, origin=home, additional_headers=headers, max_size=None) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            socket.send("x" * ((1 << 20) + 1))
            while True:
                socket.recv(timeout=60)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    with client.connect(address, origin=home, additional_headers=headers, max_size=None) as socket:
        assert json.loads(socket.recv(timeout=60))["event"] == "hello"
        socket.send(json.dumps({"op": "goal.set", "goal": "head", "weight": 0.5, "padding": "x" * 1_000_000}))
        while session.document is before:
            socket.recv(timeout=60)
    assert session.document.goal("head").weight == 0.5
