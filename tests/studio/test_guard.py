"""What strangers try on the studio: every guard has a test that fails without it."""

from __future__ import annotations

import io
import json
import socket
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studio.visits import ORIGIN, events_until, joined, let_in, zipped

import posable
from posable.studio import commands as c
from posable.studio import uploads
from posable.studio.journal import write_session_file
from posable.studio.session import Session
from posable.studio.uploads import stored_name

websockets = pytest.importorskip("starlette.websockets", reason="the studio's server is not installed")

TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
POLICY = (
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
)


def test_every_answer_is_held_to_the_policy(stranger: Any, keys: Any) -> None:
    answers = [stranger.get("/"), stranger.get("/", headers={"host": "evil.example"}), stranger.get("/api/file")]
    let_in(stranger, keys.token)
    answers += [stranger.get("/api/figure.glb"), stranger.get("/nowhere"), stranger.post("/api/key", headers=ORIGIN)]
    assert [answer.status_code for answer in answers] == [200, 400, 403, 200, 404, 403]
    for answer in answers:
        assert tuple(answer.headers["content-security-policy"].split("; ")) == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_the_token_is_new_at_every_start_and_keys_outlast_it_as_hashes(tmp_path: Path) -> None:
    from posable.studio.guard import Keys

    first = Keys(tmp_path)
    key = first.key_for(first.token)
    assert key is not None and first.accept(key)
    again = Keys(tmp_path)
    assert again.token != first.token and len(again.token) == 32
    assert again.key_for(first.token) is None
    assert again.accept(key) and not again.accept(key[:-1]) and not again.accept(first.token)
    kept = [path.read_text() for path in tmp_path.iterdir()]
    assert kept and not any(secret in text for text in kept for secret in (key, first.token))
    other = tmp_path / "other"
    other.mkdir()
    assert not Keys(other).accept(key)


def test_a_session_keeps_its_newest_keys_alone_and_a_spoilt_file_of_them_lets_nobody_in(tmp_path: Path) -> None:
    from posable.studio.guard import _MOST_KEYS, Keys

    keys = Keys(tmp_path)
    given = [keys.key_for(keys.token) or "" for _ in range(_MOST_KEYS + 1)]
    for one in (keys, Keys(tmp_path)):
        assert [one.accept(key) for key in given] == [False] + [True] * _MOST_KEYS
    (tmp_path / "keys").write_bytes(b"\xff\n\n" + b"0" * 63)
    spoilt = Keys(tmp_path)
    assert not any(spoilt.accept(key) for key in (*given, "", "0" * 63))
    assert spoilt.accept(spoilt.key_for(spoilt.token) or "")


@pytest.mark.parametrize(
    ("host", "accepted", "refused"),
    [
        ("127.0.0.1", ["127.0.0.1:81", "localhost:81", "LOCALHOST:81"], ["127.0.0.1", "127.0.0.1:82", "10.0.0.5:81"]),
        ("::1", ["[::1]:81", "localhost:81"], ["::1:81", "[::1]", "[::2]:81", "127.0.0.1:81"]),
        ("0.0.0.0", ["127.0.0.1:81", "192.168.1.5:81", "[fe80::1]:81", "{own}:81"], ["evil.example:81", "1.2:81"]),
        ("::", ["127.0.0.1:81", "[::1]:81", "localhost:81"], ["evil.example:81", "[evil]:81", "a@127.0.0.1:81"]),
        ("192.168.1.5", ["192.168.1.5:81"], ["192.168.1.6:81", "localhost:81", "192.168.1.5:81@evil"]),
        ("my-box", ["my-box:81", "192.168.1.5:81"], ["evil.example:81", "my-box.evil:81", ""]),
    ],
)  # fmt: skip
def test_the_studio_answers_to_its_own_names_alone(host: str, accepted: list[str], refused: list[str]) -> None:
    from posable.studio.guard import Hosts

    hosts = Hosts.of(host, 81)
    assert [name for name in accepted if name.format(own=socket.gethostname()) not in hosts] == []
    assert [name for name in refused if name in hosts] == []
    assert "127.0.0.1" in Hosts.of("127.0.0.1", 80)  # browsers leave that port out


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


def spoilt() -> bytes:
    """A zip whose compressed bytes are none."""
    content = bytearray(zipped(**{"evil.obj": b"v 0 0 0\n" * 99}))
    content[38:48] = b"\xff" * 10
    return bytes(content)


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
        (zipped(**{"a.toml": b"", "a.toml/b.toml": b""}), "a.zip: holds 'a.toml' as a file and as a folder"),
        (zipped(**{"a.toml/b/c.toml": b"", "a.toml": b""}), "a.zip: holds 'a.toml' as a file and as a folder"),
        (zipped(**{"in/./a.toml": b"", "in//a.toml": b""}), "a.zip: holds two files named 'in/a.toml'"),
        (zipped(**{"x" * 300 + ".toml": b""}), "a.zip: cannot be unpacked (File name too long)"),
        (spoilt(), "a.zip: is not a readable zip"),
    ],
    ids=["link", "lie", "many", "bomb", "file and folder", "folder and file", "two alike", "long name", "spoilt"],
)
def test_evil_zips_are_refused_and_leave_nothing_behind(
    page: Any, session: Session, content: bytes, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("ERROR")
    answer = page.post("/api/file?name=a.zip", content=content, headers=ORIGIN)
    assert answer.status_code == 400 and problem in answer.json()["message"]
    assert str(session.folder) not in answer.text and not caplog.records  # no path, no traceback
    assert not list(session.folder.iterdir())


def test_what_the_system_refuses_is_said_without_a_path(
    page: Any, session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(session.folder / "secret"))

    monkeypatch.setattr(session, "handle", full)
    answer = page.post("/api/file?name=a.glb", content=b"x", headers=ORIGIN)
    assert answer.status_code == 400
    assert answer.json()["message"] == "a file cannot be read or written (No space left on device)"
    assert not list(session.folder.iterdir()) and not caplog.records


def test_an_accident_while_a_file_is_opened_is_answered_and_leaves_no_file(
    page: Any, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "handle", lambda *_: 1 / 0)
    answer = page.post("/api/file?name=a.glb", content=b"x", headers=ORIGIN)
    assert answer.status_code == 400 and "nothing was changed (ZeroDivisionError" in answer.json()["message"]
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
        ({"file": "keys"}, "it holds 'keys'"),
        ({"file": "in/../../../keys"}, "leads out"),
        ({"source": "/etc/passwd"}, "no built-in figure"),
        ({"goals": [{}]}, "cannot be read"),
        ({"frozen": ["nobody"]}, "cannot be read: no joint is called 'nobody'"),
    ],
)
def test_session_files_reach_for_nothing_outside(
    page: Any, session: Session, tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    np.save(session.folder.parent / "secret.npy", session.document.pose.q)
    (session.folder / "keys").write_text("secret")
    before = session.document
    content = session_file(session, tmp_path / "made.posable", **changes)
    answer = page.post("/api/file?name=a.posable", content=content, headers=ORIGIN)
    assert answer.status_code == 400 and problem in answer.json()["message"], answer.text
    assert session.document is before and (session.folder / "keys").read_text() == "secret"


def test_commands_name_no_file_but_an_upload(session: Session) -> None:
    (session.folder.parent / "arm.toml").write_bytes(b"")
    (session.folder / "keys").write_text("secret")
    for file in ("../arm.toml", str(session.folder.parent / "arm.toml"), "", ".", "..", "a\0b", "nothing.glb"):
        with pytest.raises(posable.PosableError, match="was uploaded to this session"):
            session.handle(c.FigureOpen(file))


def test_no_more_than_sixteen_watch(page: Any) -> None:
    from contextlib import ExitStack

    with ExitStack() as all_of_them:
        for _ in range(16):
            events_until(all_of_them.enter_context(joined(page)), "status")
        with (
            joined(page) as late,
            pytest.raises(websockets.WebSocketDisconnect) as closed,
        ):
            late.receive_json()
        assert closed.value.code == 1013 and "close one of them" in closed.value.reason
