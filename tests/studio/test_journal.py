"""Autosave: a session that is killed at any moment opens again."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import commands as c
from posable.studio import layer_commands as lc
from posable.studio.document import Document, Options
from posable.studio.edits.figure import taken
from posable.studio.exporting import export
from posable.studio.journal import from_json, read_session_file, to_json
from posable.studio.records import MessageError
from posable.studio.session import Session
from posable.studio.session_store import open_session, session_folder, sessions_folder
from posable.studio.uploads import stored_name

EDITOR = """
import sys
from dataclasses import fields
from pathlib import Path
from posable.studio import codec
from posable.studio.session_store import open_session

session, _ = open_session(None, Path(sys.argv[1]))
x, y, z = session.document.goals[0].position
for k in range(100_000):  # the third message of each gesture ends it
    flags = (codec.GESTURE_BEGINS, 0, codec.GESTURE_ENDS)[k % 3]
    session.drag(codec.GoalMessage(0, flags, k, (x, y + 0.0001 * (k // 3) + 0.1 * (k % 3 < 2), z), (1, 0, 0, 0)))
    if flags == codec.GESTURE_ENDS:
        session.end_gesture()
    print(k, flush=True)
"""


def same(one: Document, other: Document, folder: Path) -> bool:
    """Alike in all that is kept; quaternions that are brought to length 1 again may differ in their last digit."""
    return alike(to_json(one, folder), to_json(other, folder), folder)


def alike(one: Any, other: Any, folder: Path) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name], folder) for name in one)
    if isinstance(one, list | tuple):
        fits = isinstance(other, list | tuple) and len(one) == len(other)
        return fits and all(alike(a, b, folder) for a, b in zip(one, other, strict=True))
    if isinstance(one, str) and one.startswith("array-"):
        return np.allclose(np.load(folder / one), np.load(folder / other), rtol=0, atol=1e-14)
    return one == other


def busy(session: Session) -> None:
    """A bit of everything that is kept."""
    limits: Any = {"kind": "hinge", "base": (1, 0, 0, 0), "axes": [], "cone": None}
    shin = session.document.figure.skeleton.definitions[session.document.figure.skeleton.index("shin_l")]
    limits["axes"] = [
        {"name": a.name, "direction": a.direction, "slide": False, "lower": 0.1, "upper": 0.2} for a in shin.axes
    ]
    x, y, z = session.document.goals[0].position
    steps: list[Any] = [
        c.TerrainSet({"kind": "slope", "degrees": 5.0}), c.GaitLoad("sad"), c.WalkMake(2), c.ClipBake(),
        c.GoalSet("left hand", position=(x, y + 0.2, z), weight=0.75), c.GoalPole("left hand", (x, y, z - 1)),
        c.KeySet(["left hand", "head"], 12), lc.LayerAdd("Second"), lc.LayerSet("Keys", weight=0.5),
        c.KeySet(["head"], 12), c.KeyEase([("head", 12)], "step"), c.JointLimit("shin_l", limits),
        c.JointFreeze("neck", True), c.OptionsSet(comfort=True, elasticity=0.5), c.SkinBlend("dual_quaternion"),
        c.GoalAdd("neck", "look"), c.SkinPaint("hand_l", [(x, y, z)], 0.1, 0.5),
    ]  # fmt: skip
    for step in steps:
        session.handle(step)


@pytest.mark.slow
def test_a_session_opens_again_as_it_was_with_all_its_steps(tmp_path: Path) -> None:
    session, notice = open_session(None, tmp_path)
    assert notice == ""
    busy(session)
    again, notice = open_session(None, tmp_path)
    assert notice.startswith("Going on")
    assert same(session.document, again.document, tmp_path)
    for name in {one.name for one in fields(Document)} - {
        "figure", "opened", "pose", "still", "goals", "clips", "layers",
    }:  # fmt: skip
        assert getattr(session.document, name) == getattr(again.document, name), name
    for one, other in zip(session.document.goals, again.document.goals, strict=True):
        assert [{**vars(key), "q": 0} for key in one.keys] == [{**vars(key), "q": 0} for key in other.keys]
    assert len(again.history.done) == len(session.history.done)
    before = session.document
    session.handle(c.Undo())
    assert not same(before, session.document, tmp_path)
    again.handle(c.Undo())
    assert same(session.document, again.document, tmp_path)
    third, _ = open_session(None, tmp_path)
    assert same(third.document, again.document, tmp_path)


@pytest.mark.slow
def test_a_process_killed_in_a_gesture_loses_that_gesture_at_most(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", EDITOR, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(50)]
    process.send_signal(signal.SIGKILL)
    process.wait()
    lines += process.stdout.readlines()
    process.stdout.close()
    ended = (int(lines[-1]) + 1) // 3  # gestures, for certain
    session, _ = open_session(None, tmp_path)
    y = posable.figure("mannequin").rest.origins[session.document.figure.skeleton.index("hand_l"), 1]
    last = (session.document.goals[0].position[1] - y) / 0.0001  # in the middle of a gesture it were 1000 more
    assert round(last) in (ended - 1, ended)
    assert len(session.history.done) - 1 == round(last)


class KillError(BaseException):
    """The process ends here."""


def killed(*_: object, **__: object) -> None:
    """Instead of what would have been done."""
    raise KillError


def half_written(path: Path, content: bytes) -> int:
    """Instead of all of it."""
    with path.open("wb") as file:
        file.write(content[: len(content) // 2])
    raise KillError


@pytest.mark.parametrize(
    ("place", "name", "instead"),
    [(Path, "write_bytes", half_written), (Path, "replace", killed), (os, "fsync", killed), (json, "dumps", killed)],
    ids=["an array half written", "an array not named yet", "a line on its way to the disk", "arrays without a line"],
)
def test_a_kill_while_the_session_is_written_costs_the_last_step_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, instead: Any
) -> None:
    session, _ = open_session(None, tmp_path)
    session.handle(c.GoalSet("head", weight=0.25))
    before = session.document
    x, y, z = before.goals[0].position
    with monkeypatch.context() as broken, pytest.raises(KillError):
        broken.setattr(place, name, instead)
        session.handle(c.GoalSet("left hand", position=(x, y + 0.1, z)))
    again, _ = open_session(None, tmp_path)
    assert same(again.document, session.document if name == "fsync" else before, tmp_path)
    again.handle(c.GoalSet("left hand", position=(x, y + 0.1, z)))
    third, _ = open_session(None, tmp_path)
    assert third.document.goals[0].position[1] == pytest.approx(y + 0.1)
    assert [step.before.goal("head").weight for step in third.history.done[:2]] == [1.0, 0.25]


@pytest.mark.parametrize("cut", [1, 7, 200])
def test_a_line_cut_short_costs_that_line_alone(tmp_path: Path, cut: int) -> None:
    session, _ = open_session(None, tmp_path)
    session.handle(c.GoalSet("head", weight=0.25))
    before = session.document
    session.handle(c.GoalSet("head", weight=0.75))
    path = tmp_path / "journal.jsonl"
    os.truncate(path, path.stat().st_size - cut)
    again, notice = open_session(None, tmp_path)
    if cut == 1:  # only the end of the line is missing: all it says is there
        assert again.document.goal("head").weight == 0.75 and "could not" not in notice
    else:
        assert same(again.document, before, tmp_path) and "The last step could not be opened" in notice
    again.handle(c.GoalSet("head", weight=0.5))
    third, notice = open_session(None, tmp_path)
    assert third.document.goal("head").weight == 0.5 and "could not" not in notice


AT = {"position": [0, 0, 0], "rotation": [1, 0, 0, 0]}
SHORT_KEY = {"frame": 0, "weight": 1.0, "q": "array-short.npy", **AT}


def goal_of(joint: str, *keys: object) -> dict[str, Any]:
    return {"goals": [{"name": "x", "joint": joint, "kind": "place", "keys": list(keys), **AT}]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"pose": "../secret.npy"}, "outside its folder"),
        ({"pose": "array-nothing.npy"}, "(array-nothing.npy: No such file or directory)"),
        ({"source": "arm6"}, "(a pose of this skeleton has 6 coordinates"),
        ({"source": "upload-9-gone.glb"}, "upload-9-gone.glb"),
        (goal_of("nobody"), "no joint is called 'nobody'"),
        (goal_of("head", SHORT_KEY), "a key has coordinates of the shape (3,), the skeleton"),
        ({"frozen": ["nobody"]}, "no joint is called 'nobody'"),
        ({"limits": {"shin_l": {"kind": "hinge"}}}, "axes"),
        ({"skins": [{}]}, "joints"),
        ({"clips": [{"name": "x", "fps": 30.0, "q": "array-nothing.npy"}]}, "No such file"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_last_step_that_cannot_be_opened_is_left_out_and_that_is_said(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    session, _ = open_session(None, tmp_path)
    session.handle(c.GoalSet("head", weight=0.25))
    np.save(tmp_path / "array-short.npy", np.zeros(3))
    with (tmp_path / "journal.jsonl").open("a") as file:
        file.write(json.dumps(change) + "\n")
    again, notice = open_session(None, tmp_path)
    assert same(again.document, session.document, tmp_path) and len(again.history.done) == 1
    assert "1 steps in. The last step could not be opened" in notice and reason in notice
    assert again.status()["text"] == again.notice and again.notice in notice
    assert again.whole()[-2]["text"] == again.notice  # type: ignore[call-overload,index]
    again.handle(c.GoalSet("head", weight=0.5))
    assert again.status()["text"] == "every goal is met"
    third, notice = open_session(None, tmp_path)  # said once: the journal goes on
    assert third.document.goal("head").weight == 0.5 and "could not" not in notice


def test_a_session_of_which_nothing_can_be_opened_begins_anew_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(b"\0\xff\n[]\n{}\n")
    session, notice = open_session(None, tmp_path)
    assert not session.history.done and "no step could, so a new session begins" in notice == session.notice
    again, notice = open_session(None, tmp_path)
    assert notice.startswith("Going on") and "could not" not in notice and not again.history.done


def test_a_journal_that_two_wrote_at_once_opens(tmp_path: Path) -> None:
    """No two servers can any more; a journal of older days may be like this."""
    arm = tmp_path / "arm.toml"
    posable.save(arm, posable.figure("arm6"))
    one, other = (open_session(file, tmp_path)[0] for file in (None, arm))
    for k in range(4):
        one.handle(c.GoalSet("head", weight=0.1 * k))
        other.handle(c.GoalSet(other.document.goals[0].name, weight=0.1 * k))
        other.handle(c.JointFreeze(other.document.figure.skeleton.joints[1], bool(k % 2)))
    again, notice = open_session(None, tmp_path)
    assert notice.startswith("Going on")
    again.handle(c.GoalSet(again.document.goals[0].name, weight=0.5))
    while again.history.done:
        again.handle(c.Undo())


@pytest.mark.skipif(sys.platform == "win32", reason="the folders of a user are that user's alone there")
def test_the_folder_of_a_session_is_its_users_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_STUDIO", str(tmp_path / "kept"))
    folders = [session_folder(None), session_folder(Path("a.glb")), session_folder(None, tmp_path / "own" / "inner")]
    older = tmp_path / "older"
    open_session(None, older)
    older.chmod(0o755)
    empty = tmp_path / "empty"
    empty.mkdir(mode=0o755)
    folders += [session_folder(None, older), session_folder(None, empty)]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700] * 5
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o755)
    (mine / "thesis.txt").write_text("")
    with pytest.raises(posable.PosableError, match=r"has other files in it, .* a folder of its own"):
        session_folder(None, mine)
    assert stat.S_IMODE(mine.stat().st_mode) == 0o755
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(posable.PosableError, match="belongs to another user; choose another folder with --session"):
        session_folder(None, older)
    monkeypatch.undo()
    with pytest.raises(posable.PosableError, match=r"cannot be kept in .*thesis.txt"):
        session_folder(None, mine / "thesis.txt")


def test_another_file_is_another_session_and_goes_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_STUDIO", str(tmp_path / "kept"))
    arm = tmp_path / "my arm.toml"
    posable.save(arm, posable.figure("arm6"))
    session, _ = open_session(arm)
    assert sessions_folder() in session.folder.parents
    session.handle(c.GoalSet(session.document.goals[0].name, weight=0.5))
    arm.unlink()
    with pytest.raises(posable.FileError):
        open_session(arm)
    posable.save(arm, posable.figure("arm6"))
    again, _ = open_session(arm)
    assert again.document.goals[0].weight == 0.5


def test_the_name_of_a_file_and_of_its_clip_are_kept(tmp_path: Path) -> None:
    session, _ = open_session(None, tmp_path)
    name = stored_name("my walk.bvh", tmp_path)
    walk = posable.walk(posable.figure("mannequin"), posable.Gait.load("human"), 1, fps=10)
    posable.save(tmp_path / name, posable.figure("mannequin"), walk)
    session.handle(c.FigureOpen(name, "my walk.bvh"))
    session.handle(c.ClipChoose("my walk"))
    again, notice = open_session(None, tmp_path)
    assert "the session of my walk" in notice
    for one in (session, again):
        assert (one.document.figure.name, one.document.opened.name, one.document.clip) == ("my walk",) * 3


@pytest.mark.slow
def test_a_session_file_opens_elsewhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    session, _ = open_session(None, here)
    busy(session)
    path = export("session", session.document, session.player, tmp_path, here)
    there.mkdir()
    document = read_session_file(path, there)
    assert same(document, session.document, here)


def test_a_session_file_names_no_file_of_the_machine(tmp_path: Path) -> None:
    arm = tmp_path / "arm.toml"
    posable.save(arm, posable.figure("arm6"))
    session = Session(folder=tmp_path)
    document = taken(session.document, posable.load(arm), str(arm))
    from posable.studio.journal import write_session_file

    write_session_file(tmp_path / "evil.posable", document, tmp_path)
    there = tmp_path / "there"
    there.mkdir()
    (there / "evil.posable").write_bytes((tmp_path / "evil.posable").read_bytes())
    with pytest.raises(posable.FileError, match="cannot be read"):
        read_session_file(there / "evil.posable", there)


def test_a_session_of_an_older_version_opens(tmp_path: Path) -> None:
    """Written before keys had poles and ground could come from a file."""
    document = read_session_file(Path(__file__).with_name("data") / "session.posable", tmp_path)
    assert (document.frame, document.fps, document.range) == (6, 24.0, (0, 48))
    assert (document.auto_key, document.blend, document.space) == (True, "dual_quaternion", "local")
    assert document.options == Options(comfort=True, elasticity=0.5)
    assert document.terrain == {"kind": "slope", "degrees": 5.0}
    assert (document.frozen, document.meshes) == ({"joint_4"}, {})
    assert document.gait is not None
    assert (document.gait_name, document.gait.speed) == ("sad", 0.5)
    limited = document.figure.skeleton.definitions[2]
    assert (limited.name, limited.axes[0].lower, limited.axes[0].upper) == ("joint_2", -0.5, 0.25)
    assert [(clip.name, clip.fps, clip.q.shape[1]) for clip in document.clips] == [("baked", 30.0, 6)]
    tool, look = document.goals
    assert (tool.name, tool.weight, look.kind, look.forward[1]) == ("tool", 0.75, "look", 0.0)
    keys = [(key.frame, key.interpolation, key.velocity, key.pole, key.q.shape) for key in tool.keys]
    assert keys == [(6, "step", None, None, (6,)), (20, "cubic", (0.0, 1.0, 0.0), None, (6,))]
    assert np.allclose(document.pose.q, tool.keys[0].q, rtol=0, atol=2e-3)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"fps": "fast"}, "session.fps should be a number"),
        ({"range": [1]}, "session.range has 2 entries, not 1"),
        ({"goals": [{"name": "x"}]}, "session.goals needs 'joint'"),
        ({"terrain": {"kind": "lava"}}, "unknown kind 'lava'"),
    ],
)
def test_an_invalid_entry_of_a_session_is_named(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    session, _ = open_session(None, tmp_path)
    state = to_json(session.document, tmp_path) | change
    with pytest.raises(MessageError, match=problem):
        from_json(state, tmp_path, {"mannequin": session.document})
