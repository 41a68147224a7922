"""The server: what pages are told, and who is turned away."""

from __future__ import annotations

import json
import struct
import threading
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import numpy as np
import pytest
from studio.visits import HOME, ORIGIN, SOCKET, events_until, joined, let_in, zipped

import posable
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.playback import ground_of
from posable.studio.schema import UploadUse
from posable.studio.session import Session

websockets = pytest.importorskip("starlette.websockets", reason="the studio's server is not installed")


def pose_after(socket: Any, seq: int) -> codec.PoseMessage:
    """The pose that answers a message."""
    while True:
        raw = socket.receive().get("bytes")
        if raw and raw[0] == codec.POSE and codec.unpack_pose(raw).seq == seq:
            return codec.unpack_pose(raw)


def test_the_token_of_the_address_becomes_a_key_and_no_cookie(stranger: Any, keys: Any) -> None:
    for token in ("", "guess", keys.token[:-1], keys.token + "x", keys.token.swapcase()):
        answer = stranger.post("/api/key", headers={**ORIGIN, "x-posable-token": token})
        assert answer.status_code == 403 and "open the address" in answer.json()["message"]
    answer = stranger.post("/api/key", headers={**ORIGIN, "x-posable-token": keys.token})
    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    key = answer.json()["key"]
    assert len(key) == 32 and key != keys.token
    assert stranger.get("/api/figure.glb", headers={"x-posable-key": key}).status_code == 200
    assert stranger.get("/api/figure.glb", headers={"x-posable-key": keys.token}).status_code == 403


def test_the_pages_own_files_are_public_and_hold_to_the_policy(stranger: Any) -> None:
    answer = stranger.get("/")
    assert answer.status_code == 200 and "page" in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/api/figure.glb", "/api/export/glb", "/api/file", "/api/nothing"])
def test_strangers_are_turned_away(stranger: Any, keys: Any, path: str) -> None:
    for sent in ({}, {"x-posable-key": "guess"}, {"cookie": f"posable_8123={keys.token}"}):
        answer = stranger.get(path, headers=sent)
        assert answer.status_code == 403 and "open the address" in answer.json()["message"]
    assert stranger.get(f"{path}?token={keys.token}").status_code == 403


def test_other_sites_and_other_names_are_turned_away(page: Any) -> None:
    assert page.get("/", headers={"host": "evil.example:8123"}).status_code == 400
    assert page.get("/", headers={"host": "127.0.0.1:9999"}).status_code == 400
    assert page.get("/", headers={"origin": "http://evil.example"}).status_code == 403
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8123"):
        assert page.post("/api/file?name=a.glb", content=b"x", headers={"origin": origin}).status_code == 403


def is_closed(browser: Any, address: str, headers: dict[str, str], first: str | bytes) -> bool:
    try:
        with browser.websocket_connect(address, headers=headers) as socket:
            socket.send({"type": "websocket.receive", "text" if isinstance(first, str) else "bytes": first})
            return socket.receive().get("code") == 1008
    except websockets.WebSocketDisconnect as closed:
        return closed.code == 1008


def test_sockets_of_other_sites_and_without_the_key_are_closed(page: Any, keys: Any) -> None:
    key = page.headers["x-posable-key"]
    assert not is_closed(page, SOCKET, ORIGIN, key)
    for headers in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        assert is_closed(page, SOCKET, headers, key)
    evil = "evil.example:8123"
    assert is_closed(page, f"ws://{evil}/ws", {"origin": f"http://{evil}"}, key)
    for first in ("", "guess", keys.token, key[:-1], key.encode(), b"", '{"op": "pose.reset"}'):
        assert is_closed(page, SOCKET, ORIGIN, first)


def test_a_socket_that_says_nothing_is_closed(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from posable.studio import web

    monkeypatch.setattr(web, "_REQUEST_TIMEOUT", 0.0)
    with page.websocket_connect(SOCKET, headers=ORIGIN) as socket:
        with pytest.raises(websockets.WebSocketDisconnect) as closed:
            socket.receive_text()
        assert closed.value.code == 1008 and "open the address" in closed.value.reason


def test_of_many_sockets_that_say_nothing_the_oldest_is_closed(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from posable.studio import web

    monkeypatch.setattr(web, "_MAX_KEYLESS_SOCKETS", 1)
    monkeypatch.setattr(web, "_REQUEST_TIMEOUT", 1e6)
    with page.websocket_connect(SOCKET, headers=ORIGIN) as silent, joined(page) as later:
        assert events_until(later, "hello")
        with pytest.raises(websockets.WebSocketDisconnect):
            silent.receive_text()


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "//etc/passwd"]
)
def test_nothing_outside_the_page_is_served(page: Any, path: str) -> None:
    answer = page.get(path)
    assert answer.status_code in (404, 405) or "not yours" not in answer.text


def test_a_page_that_comes_is_told_everything_and_drags(page: Any) -> None:
    with joined(page) as socket:
        events = events_until(socket, "status")
        assert [event["event"] for event in events] == ["hello", "figure", "document", "terrain", "origin", "status"]
        goals = events[2]["document"]["goals"]
        x, y, z = goals[0]["position"]
        target = (x - 0.1, y + 0.2, z + 0.2)
        flags = codec.GESTURE_BEGINS | codec.GESTURE_ENDS
        socket.send_bytes(codec.pack_goal(codec.GoalMessage(0, flags, 77, target, (1, 0, 0, 0))))
        news = events_until(socket, "document")[-1]
        assert news["set"]["can_undo"] is True
        pose = pose_after(socket, 77)  # the answer comes after all that the message changed
        assert pose.goals[0, :3].tolist() == pytest.approx(target, abs=1e-6)
        assert pose.residuals[0, 0] < 1e-4
        socket.send_text(json.dumps({"op": "undo", "id": 78}))
        assert pose_after(socket, 78).goals[0, :3].tolist() == pytest.approx((x, y, z), abs=1e-6)


def test_two_viewers_see_the_same(page: Any) -> None:
    with joined(page) as one, joined(page) as other:
        events_until(one, "status")
        events_until(other, "status")
        one.send_text(json.dumps({"op": "goal.set", "goal": "head", "weight": 0.5, "id": 5}))
        mine, theirs = events_until(one, "document")[-1], events_until(other, "document")[-1]
        assert mine == theirs


@pytest.mark.parametrize(
    "message",
    [
        "", "{", "[]", "null", "3", '{"op": "fly"}', '{"op": "goal.set", "goal": "head", "position": [1e999, 0, 0]}',
        "[" * 100_000, '{"op": "goal.set", "goal": "nobody", "weight": 1, "id": 3}', b"", b"\x01", b"\xff" * 36,
        struct.pack("<BBHI7f", 1, 200, 0, 1, *[0.0] * 7), struct.pack("<BBHI7f", 1, 0, 0, 1, *[float("nan")] * 7),
    ],
)  # fmt: skip
def test_malformed_messages_are_answered_and_the_session_lives_on(page: Any, message: str | bytes) -> None:
    with joined(page) as socket:
        events_until(socket, "status")
        if isinstance(message, str):
            socket.send_text(message)
        else:
            socket.send_bytes(message)
        assert events_until(socket, "error")[-1]["message"]
        socket.send_text(json.dumps({"op": "goal.set", "goal": "head", "weight": 0.25, "id": 9}))
        assert events_until(socket, "document")[-1]["set"]["goals"][4]["weight"] == 0.25


def test_the_figure_is_fetched_as_glb(page: Any, tmp_path: Path) -> None:
    answer = page.get("/api/figure.glb?rev=1")
    assert answer.headers["content-type"] == "model/gltf-binary"
    (tmp_path / "figure.glb").write_bytes(answer.content)
    assert posable.load(tmp_path / "figure.glb").skeleton.joints == posable.figure("mannequin").skeleton.joints


def figure_bytes(tmp_path: Path, name: str, suffix: str) -> bytes:
    path = tmp_path / f"{name}{suffix}"
    posable.save(path, posable.figure(name))
    return path.read_bytes()


@pytest.mark.parametrize(("name", "suffix"), [("arm6", ".glb"), ("arm6", ".toml"), ("mannequin", ".bvh")])
def test_files_are_opened(page: Any, session: Session, tmp_path: Path, name: str, suffix: str) -> None:
    content = figure_bytes(tmp_path, name, suffix)
    answer = page.post(f"/api/file?name=../../{name}{suffix}", content=content, headers=ORIGIN)
    assert answer.status_code == 200, answer.text
    assert set(posable.figure(name).skeleton.joints) <= set(session.document.figure.skeleton.joints)
    assert [path.name for path in session.folder.glob("upload-*")] == [f"upload-1-{name}{suffix}"]
    zip_answer = page.post("/api/file?name=a.zip", content=zipped(**{f"in/{name}{suffix}": content}), headers=ORIGIN)
    assert zip_answer.status_code == 200, zip_answer.text


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.exe", b"MZ", "the studio opens"),
        ("", b"", "without an ending"),
        ("a.glb", b"", "is empty"),
        ("a.glb", b"glTF" + b"\0" * 100, "a"),
        ("a.zip", b"PK nonsense", "not a readable zip"),
        ("a.zip", zipped(**{"../../evil.urdf": b"<robot/>"}), "leads out"),
        ("a.zip", zipped(**{"C:\\evil.urdf": b"<robot/>"}), "leads out"),
        ("a.zip", zipped(**{"..\\..\\evil.urdf": b"<robot/>"}), "leads out"),
        ("a.zip", zipped(**{"/etc/evil.urdf": b"<robot/>"}), "leads out"),
        ("a.zip", zipped(**{"bomb.obj": b"0" * (40 << 20)}), "too much for its packed size"),
        ("a.zip", zipped(**{"readme.txt": b"hello"}), "contains no figure"),
    ],
)
def test_bad_uploads_are_refused_and_change_nothing(
    page: Any, session: Session, name: str, content: bytes, problem: str
) -> None:
    before = session.document
    answer = page.post("/api/file", params={"name": name}, content=content, headers=ORIGIN)
    assert answer.status_code == 400
    assert problem in answer.json()["message"]
    assert session.document is before
    assert not list(session.folder.parent.rglob("evil*"))
    assert not list(session.folder.glob("upload-*"))


@pytest.mark.parametrize(
    ("given", "shown", "exported"),
    [
        ("Ritter Günther.toml", "Ritter Günther", "Ritter Günther.glb"),
        ("../../etc/pass wd.toml", "pass wd", "pass wd.glb"),
        ("D:\\pictures\\arm.v2.toml", "arm.v2", "arm.v2.glb"),
        ("<b>a:b|c?</b>.toml", "b>", "b.glb"),
        ("a\u202eb\r\n.toml", "ab", "ab.glb"),
        (". .toml", ".", "figure.glb"),
        ("x" * 300 + ".toml", "x" * 80, "x" * 60 + ".glb"),
    ],
)
def test_people_see_their_own_name_of_a_file_and_export_under_it(
    page: Any, session: Session, tmp_path: Path, given: str, shown: str, exported: str
) -> None:
    content = figure_bytes(tmp_path, "arm6", ".toml")
    answer = page.post("/api/file", params={"name": given}, content=content, headers=ORIGIN)
    assert (answer.status_code, answer.json()["name"]) == (200, shown)
    assert session.page_json()["name"] == shown
    said = page.get("/api/export/glb").headers["content-disposition"]
    assert said == f"attachment; filename*=UTF-8''{quote(exported)}"
    assert [path.parent for path in session.folder.parent.rglob("upload-*")] == [session.folder]


def web_uses() -> dict[str, Any]:
    from posable.studio import routes

    return routes._USES


@pytest.mark.slow
def test_an_upload_says_what_it_is_for(page: Any, session: Session, tmp_path: Path) -> None:
    ground = b"v -5 0 -5\nv 5 0 -5\nv 0 0 5\nf 1 3 2\n"
    figure = session.document.figure
    for use, name, content in (
        ("terrain", "floor.obj", ground),
        ("clip", "stand.bvh", figure_bytes(tmp_path, "mannequin", ".bvh")),
    ):
        answer = page.post("/api/file", params={"name": name, "use": use}, content=content, headers=ORIGIN)
        assert answer.status_code == 200 and answer.json()["name"] == "mannequin", answer.text
    assert session.document.terrain == {"kind": "mesh", "name": "floor"} and session.document.figure is figure
    answer = page.post("/api/file", params={"name": "x.obj", "use": "evil"}, content=ground, headers=ORIGIN)
    assert answer.status_code == 400 and "figure, clip, terrain" in answer.json()["message"]
    assert set(get_args(UploadUse)) == set(web_uses())


def test_what_is_wrong_with_a_file_is_said_under_its_own_name(page: Any) -> None:
    answer = page.post("/api/file", params={"name": "Günther.glb"}, content=b"", headers=ORIGIN)
    assert answer.json()["message"].startswith("Günther.glb: is empty")
    answer = page.post("/api/file", params={"name": "Günther.zip"}, content=b"PK nonsense", headers=ORIGIN)
    assert answer.json()["message"].startswith("Günther.zip: is not a readable zip")


@pytest.mark.parametrize("kind", ["glb", "fbx", "usdz", "bvh", "png", "html", "session"])
def test_exports_are_downloads(page: Any, session: Session, tmp_path: Path, kind: str) -> None:
    answer = page.get(f"/api/export/{kind}")
    assert answer.status_code == 200, answer.text
    assert "attachment" in answer.headers["content-disposition"]
    assert not [one for one in session.folder.iterdir() if one.is_dir()]
    path = tmp_path / f"out.{kind}"
    path.write_bytes(answer.content)
    if kind in ("glb", "fbx", "usdz", "bvh"):
        assert posable.load(path).skeleton.dof
    if kind == "html":
        assert answer.text.count("</script>") == 6 and 'id="figure"' in answer.text
    if kind == "session":
        again = page.post("/api/file?name=again.posable", content=answer.content, headers=ORIGIN)
        assert again.status_code == 200, again.text


def test_the_ground_of_a_walk_is_a_file_that_lies_under_its_feet(page: Any, session: Session, tmp_path: Path) -> None:
    answer = page.get("/api/export/ground")
    assert answer.status_code == 400 and "no ground to export" in answer.json()["message"]
    session.handle(c.TerrainSet({"kind": "slope", "degrees": 8.0}))
    session.handle(c.WalkMake(6))
    answer = page.get("/api/export/ground")
    assert answer.headers["content-disposition"].endswith("mannequin%20ground.glb")
    path = tmp_path / "ground.glb"
    path.write_bytes(answer.content)
    (skin,) = posable.load(path).skins
    terrain = posable.Terrain.mesh(skin.vertices, skin.faces)
    clip = session.player.clip(session.document)
    assert clip is not None
    feet = clip.poses.origins[:, [clip.skeleton.index(f"foot_{side}") for side in "lr"]]
    over = feet[..., 1] - terrain.height(feet)
    assert np.nanmin(over) > 0.05 and np.nanmin(over, axis=0).max() < 0.12  # an ankle's height: they stand on it
    assert feet[-1, :, 1].min() > feet[0, :, 1].max() + 0.3


def test_the_ground_goes_as_far_as_the_walk_and_its_steps_are_upright(page: Any, session: Session) -> None:
    del page
    session.handle(c.TerrainSet({"kind": "stairs", "rise": 0.17, "run": 0.3, "count": 6}))
    session.handle(c.WalkMake(40))
    found = ground_of(session.document)
    clip = session.player.clip(session.document)
    assert clip is not None and found is not None
    vertices, faces = found
    assert vertices[:, 2].max() > clip.poses.origins[..., 2].max() + 3
    assert set(np.round(vertices[:, 1] / 0.17, 3)) == set(range(7))
    rises = np.ptp(vertices[faces][..., 1], axis=1) > 0.01
    assert np.ptp(vertices[faces][rises][..., 2], axis=1).max() < 1e-5


def test_exports_that_cannot_be_are_explained(page: Any) -> None:
    assert page.get("/api/export/exe").status_code == 404
    answer = page.get("/api/export/mp4")
    assert answer.status_code == 400 and "no motion to film" in answer.json()["message"]


def test_a_page_that_was_not_built_is_said(session: Session, static: Path) -> None:
    from posable.studio.web import serve

    (static / "index.html").unlink()
    with pytest.raises(posable.PosableError, match="npm run build"):
        serve(lambda: session, session.folder)


def test_who_comes_before_the_session_is_open_waits_for_it(session: Session, static: Path, keys: Any) -> None:
    from starlette.testclient import TestClient

    from posable.studio.guard import Hosts
    from posable.studio.web import StartupGate, make_app

    del static
    may_open = threading.Event()

    def opening() -> Session:
        assert may_open.wait(60)
        return session

    app = make_app(StartupGate(opening, keys), Hosts.of("127.0.0.1", 8123))
    with TestClient(app, base_url=HOME) as early:
        assert "page" in early.get("/").text  # the page itself need not wait
        let_in(early, keys.token)
        with joined(early) as socket:
            may_open.set()
            assert events_until(socket, "status")[0]["event"] == "hello"


def test_what_cannot_be_opened_is_said_to_those_who_wait_and_ends_the_server(session: Session, static: Path) -> None:
    import httpx

    from posable.studio.web import serve

    del static
    address: list[str] = []
    problems: list[Exception] = []
    is_ready, is_asked = threading.Event(), threading.Event()

    def opening() -> Session:
        assert is_asked.wait(60)
        raise posable.PosableError("it is no figure")

    def ready(way_in: Any) -> None:
        address.append(way_in.addresses[0])
        is_ready.set()

    def run() -> None:
        try:
            serve(opening, session.folder, port=0, ready=ready)
        except posable.PosableError as problem:
            problems.append(problem)

    serving = threading.Thread(target=run)
    serving.start()
    assert is_ready.wait(60)
    home, _, token = address[0].partition("#")
    with httpx.Client(timeout=60, base_url=home) as page:
        assert "page" in page.get("/").text
        page.headers["x-posable-key"] = page.post("/api/key", headers={"x-posable-token": token}).json()["key"]
        is_asked.set()
        answer = page.get("/api/figure.glb")
    serving.join()
    assert answer.status_code == 503 and answer.json() == {"message": "it is no figure"}
    assert [str(problem) for problem in problems] == ["it is no figure"]
